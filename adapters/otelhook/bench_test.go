package otelhook_test

import (
	"context"
	"testing"

	metricnoop "go.opentelemetry.io/otel/metric/noop"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	tracenoop "go.opentelemetry.io/otel/trace/noop"

	"github.com/luahook/luahook/adapters/otelhook"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// What it costs that an event with one hook is told of: not at all, to providers that do nothing, in a trace that
// isn't sampled, and to the SDK with an exporter that drops what it gets.
func BenchmarkFire(b *testing.B) {
	const script = `
on("pre_tool_call", {name="guard", match="bash"}, function(ev)
  if ev.tool_call.command:find("rm -rf", 1, true) then return deny("that deletes too much") end
end)`
	meters := sdkmetric.NewMeterProvider(sdkmetric.WithReader(sdkmetric.NewManualReader()))
	sdk := func(options ...sdktrace.TracerProviderOption) engine.Option {
		tracers := sdktrace.NewTracerProvider(append(options, sdktrace.WithSyncer(drop{}))...)
		return otelhook.Observe(otelhook.WithTracerProvider(tracers), otelhook.WithMeterProvider(meters))
	}
	for _, bench := range []struct {
		name    string
		observe []engine.Option
	}{
		{"without", nil},
		{"noop", []engine.Option{otelhook.Observe(otelhook.WithTracerProvider(tracenoop.NewTracerProvider()), otelhook.WithMeterProvider(metricnoop.NewMeterProvider()))}},
		{"unsampled", []engine.Option{sdk(sdktrace.WithSampler(sdktrace.NeverSample()))}},
		{"sampled", []engine.Option{sdk()}},
	} {
		for _, event := range []struct {
			name  string
			event *hooks.Context
		}{{"allow", bash("go test ./...")}, {"deny", bash("rm -rf build")}, {"no_hook", &hooks.Context{Event: hooks.Stop}}} {
			b.Run(bench.name+"/"+event.name, func(b *testing.B) {
				e, err := engine.New(append(bench.observe, engine.WithoutBuiltins(), engine.WithScript("a.lua", script))...)
				if err != nil {
					b.Fatal(err)
				}
				defer func() { _ = e.Close(context.Background()) }()
				b.ReportAllocs()
				for b.Loop() {
					if _, err := e.Fire(context.Background(), event.event); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// drop exports nothing.
type drop struct{}

func (drop) ExportSpans(context.Context, []sdktrace.ReadOnlySpan) error { return nil }
func (drop) Shutdown(context.Context) error                             { return nil }
