package otelhook_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"github.com/luahook/luahook/adapters/otelhook"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// telemetry is what an engine has told OpenTelemetry.
type telemetry struct {
	spans   *tracetest.InMemoryExporter
	tracers *sdktrace.TracerProvider
	reader  *sdkmetric.ManualReader
	meters  *sdkmetric.MeterProvider
}

func newTelemetry(options ...sdktrace.TracerProviderOption) *telemetry {
	t := &telemetry{spans: tracetest.NewInMemoryExporter(), reader: sdkmetric.NewManualReader()}
	t.tracers = sdktrace.NewTracerProvider(append(options, sdktrace.WithSyncer(t.spans))...)
	t.meters = sdkmetric.NewMeterProvider(sdkmetric.WithReader(t.reader))
	return t
}

// engine makes an engine that is observed, with a script and without built-ins. It is closed with the test, or before.
func (tel *telemetry) engine(t testing.TB, script string, options ...engine.Option) *engine.Engine {
	t.Helper()
	options = append(options, engine.WithoutBuiltins(), otelhook.Observe(otelhook.WithTracerProvider(tel.tracers), otelhook.WithMeterProvider(tel.meters)))
	if script != "" {
		options = append(options, engine.WithScript("a.lua", script))
	}
	e, err := engine.New(options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close(context.Background()) })
	return e
}

// span is the only span of that name.
func (tel *telemetry) span(t testing.TB, name string) tracetest.SpanStub {
	t.Helper()
	var found []tracetest.SpanStub
	for _, s := range tel.spans.GetSpans() {
		if s.Name == name {
			found = append(found, s)
		}
	}
	if len(found) != 1 {
		t.Fatalf("%d spans are called %q, want one; there are %v", len(found), name, tel.names())
	}
	return found[0]
}

func (tel *telemetry) names() []string {
	var names []string
	for _, s := range tel.spans.GetSpans() {
		names = append(names, s.Name)
	}
	return names
}

// metrics are the figures of all instruments, one a line and sorted: what is counted, or how often something was
// measured.
func (tel *telemetry) metrics(t testing.TB) string {
	t.Helper()
	var all metricdata.ResourceMetrics
	if err := tel.reader.Collect(context.Background(), &all); err != nil {
		t.Fatal(err)
	}
	var lines []string
	add := func(m metricdata.Metrics, set attribute.Set, n any) {
		lines = append(lines, fmt.Sprintf("%s (%s) %s = %v", m.Name, m.Unit, words(set.ToSlice()), n))
	}
	for _, scope := range all.ScopeMetrics {
		for _, m := range scope.Metrics {
			switch data := m.Data.(type) {
			case metricdata.Sum[int64]:
				for _, p := range data.DataPoints {
					add(m, p.Attributes, p.Value)
				}
			case metricdata.Histogram[float64]:
				for _, p := range data.DataPoints {
					add(m, p.Attributes, p.Count)
					if p.Sum <= 0 || p.Sum > 60 {
						t.Errorf("%s: %v seconds", m.Name, p.Sum)
					}
				}
			default:
				t.Errorf("%s is %T", m.Name, data)
			}
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// words are attributes in the order of their names, without those that differ from run to run.
func words(attrs []attribute.KeyValue) string {
	var parts []string
	for _, a := range attrs {
		if a.Key == "luahook.run.duration" {
			continue
		}
		parts = append(parts, string(a.Key)+"="+a.Value.String())
	}
	slices.Sort(parts)
	return strings.Join(parts, " ")
}

func events(s tracetest.SpanStub) string {
	var lines []string
	for _, e := range s.Events {
		lines = append(lines, e.Name+" "+words(e.Attributes))
	}
	return strings.Join(lines, "\n")
}

func equal[T comparable](t testing.TB, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s:\n got %v\nwant %v", what, got, want)
	}
}

func bash(command string) *hooks.Context {
	return &hooks.Context{
		Event: hooks.PreToolCall, SessionID: "s1", AgentID: "a7", AgentName: "coder",
		ToolCall: &hooks.ToolCall{ID: "call_1", Name: "bash", Input: map[string]any{"command": command}},
	}
}

const guard = `
on("pre_tool_call", {name="first"}, function() return context("a note for the model") end)
on("pre_tool_call", {name="fails", on_failure="warn"}, function() error("out of order") end)
on("pre_tool_call", {name="guard", match="bash"}, function(ev)
  if ev.tool_call.command:find("rm -rf", 1, true) then return deny("that deletes too much") end
end)
`

// One event is one span, with what it is about, what was decided and by whom, and an event for each run.
func TestSpanOfAnEvent(t *testing.T) {
	tel := newTelemetry()
	e := tel.engine(t, guard)
	ctx, caller := tel.tracers.Tracer("agent").Start(context.Background(), "execute_tool bash")
	if r, err := e.Fire(ctx, bash("rm -rf build")); err != nil || r.Decision != hooks.Deny {
		t.Fatalf("%+v, %v", r, err)
	}
	caller.End()
	s := tel.span(t, "luahook pre_tool_call")
	equal(t, "parent", s.Parent.SpanID(), caller.SpanContext().SpanID())
	equal(t, "trace", s.SpanContext.TraceID(), caller.SpanContext().TraceID())
	equal(t, "kind", s.SpanKind, trace.SpanKindInternal)
	equal(t, "status", s.Status.Code, codes.Unset)
	equal(t, "scope", s.InstrumentationScope.Name, "github.com/luahook/luahook/adapters/otelhook")
	equal(t, "attributes", words(s.Attributes), "gen_ai.agent.id=a7 gen_ai.agent.name=coder gen_ai.conversation.id=s1 gen_ai.tool.call.id=call_1 gen_ai.tool.name=bash "+
		"luahook.decision=deny luahook.event=pre_tool_call luahook.generation=1 luahook.hook.name=guard luahook.hook.scope=embedder luahook.hook.source=a.lua:4 luahook.reason=that deletes too much "+
		`luahook.warnings=["hook fails (a.lua:3): out of order"]`)
	equal(t, "events", events(s), strings.Join([]string{
		"luahook.hook.run luahook.hook.handler=lua luahook.hook.mode=sync luahook.hook.name=first luahook.hook.scope=embedder luahook.hook.source=a.lua:2 luahook.run.id=1.1 luahook.run.status=completed",
		"luahook.hook.run error.type=script luahook.error.message=out of order luahook.hook.handler=lua luahook.hook.mode=sync luahook.hook.name=fails luahook.hook.scope=embedder luahook.hook.source=a.lua:3 luahook.run.id=1.2 luahook.run.status=failed",
		"luahook.hook.run luahook.decision=deny luahook.hook.handler=lua luahook.hook.mode=sync luahook.hook.name=guard luahook.hook.scope=embedder luahook.hook.source=a.lua:4 luahook.reason=that deletes too much luahook.run.id=1.3 luahook.run.status=blocked",
	}, "\n"))
	for _, run := range s.Events {
		if run.Time.Before(s.StartTime) || run.Time.After(s.EndTime) {
			t.Errorf("a run at %v isn't within the event, %v to %v", run.Time, s.StartTime, s.EndTime)
		}
	}
}

// An event that no hook hears has its span, too, and names what the host calls its own events.
func TestSpanOfAnEventWithoutHooks(t *testing.T) {
	for event, want := range map[hooks.Event]string{
		hooks.Stop: "stop", "PostToolUse": "post_tool_call", "deploy.requested": "deploy.requested",
	} {
		tel := newTelemetry()
		e := tel.engine(t, "")
		if _, err := e.Fire(context.Background(), &hooks.Context{Event: event}); err != nil {
			t.Fatal(err)
		}
		equal(t, "attributes", words(tel.span(t, "luahook "+want).Attributes), "luahook.decision=none luahook.event="+want+" luahook.generation=1")
	}
}

// What a hook does is below the event that it does it for: spans of its own, and events that it fires.
func TestSpansBelowAnEvent(t *testing.T) {
	tel := newTelemetry()
	e := tel.engine(t, `on("stop", {name="nested"}, function() end)`)
	_, err := e.RegisterHook(hooks.PreToolCall, hooks.Options{Name: "asks a model"}, func(ctx context.Context, _ *hooks.Context) (*hooks.Result, error) {
		ctx, span := tel.tracers.Tracer("guard").Start(ctx, "chat")
		defer span.End()
		_, err := e.Fire(ctx, &hooks.Context{Event: hooks.Stop})
		return nil, err
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Fire(context.Background(), bash("ls")); err != nil {
		t.Fatal(err)
	}
	outer, own, nested := tel.span(t, "luahook pre_tool_call"), tel.span(t, "chat"), tel.span(t, "luahook stop")
	equal(t, "parent of the hook's span", own.Parent.SpanID(), outer.SpanContext.SpanID())
	equal(t, "parent of the nested event", nested.Parent.SpanID(), own.SpanContext.SpanID())
	equal(t, "runs of the event", strings.Count(events(outer), "luahook.hook.run "), 1)
	equal(t, "runs of the nested event", strings.Count(events(nested), "luahook.hook.name=nested"), 1)
}

// An async run is a span below the event's, which is over by then and says that the run was queued.
func TestSpanOfAnAsyncRun(t *testing.T) {
	tel := newTelemetry()
	e := tel.engine(t, "")
	decided := make(chan struct{})
	release := sync.OnceFunc(func() { close(decided) })
	t.Cleanup(release) // before the engine is closed
	_, err := e.RegisterHook(hooks.PreToolCall, hooks.Options{Name: "later", Mode: hooks.ModeAsync}, func(ctx context.Context, _ *hooks.Context) (*hooks.Result, error) {
		<-decided
		_, span := tel.tracers.Tracer("guard").Start(ctx, "notify")
		span.End()
		return nil, errors.New("nobody answers")
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Fire(context.Background(), bash("ls")); err != nil {
		t.Fatal(err)
	}
	event := tel.span(t, "luahook pre_tool_call")
	release()
	if err := e.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	if got := events(event); !strings.Contains(got, "luahook.hook.name=later") || !strings.Contains(got, "luahook.run.status=queued") || len(event.Events) != 1 {
		t.Errorf("the event's span has the events:\n%s", got)
	}
	run := tel.span(t, "luahook async pre_tool_call")
	equal(t, "parent", run.Parent.SpanID(), event.SpanContext.SpanID())
	equal(t, "trace", run.SpanContext.TraceID(), event.SpanContext.TraceID())
	equal(t, "status", run.Status, sdktrace.Status{Code: codes.Error, Description: "nobody answers"})
	for _, part := range []string{"gen_ai.tool.name=bash", "luahook.event=pre_tool_call", "luahook.hook.name=later", "luahook.run.id=1.1", "luahook.run.status=failed", "error.type=host"} {
		if !strings.Contains(words(run.Attributes), part) {
			t.Errorf("the run's span lacks %s: %s", part, words(run.Attributes))
		}
	}
	equal(t, "trace of what it did", tel.span(t, "notify").SpanContext.TraceID(), event.SpanContext.TraceID())
	if !strings.Contains(tel.metrics(t), "luahook.hook.failures ({failure}) error.type=host luahook.event=pre_tool_call = 1") {
		t.Errorf("its failure isn't counted:\n%s", tel.metrics(t))
	}
}

// An event that couldn't be judged is an error of its span; a deny isn't, nor is a hook that failed.
func TestErrors(t *testing.T) {
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	late, cancelLate := context.WithTimeout(context.Background(), 0)
	defer cancelLate()
	tests := []struct {
		name   string
		ctx    context.Context
		event  *hooks.Context
		closed bool
		span   string
		want   string
	}{
		{"unknown", nil, &hooks.Context{Event: "pre_tool_cal"}, false, "luahook _OTHER", "unknown_event"},
		{"nil", nil, nil, false, "luahook _OTHER", "invalid_event"},
		{"incomplete", nil, &hooks.Context{Event: hooks.PreToolCall}, false, "luahook pre_tool_call", "invalid_event"},
		{"cancelled", gone, bash("ls"), false, "luahook pre_tool_call", "cancelled"},
		{"late", late, bash("ls"), false, "luahook pre_tool_call", "timeout"},
		{"closed", nil, bash("ls"), true, "luahook pre_tool_call", "closed"},
		{"denied", nil, bash("rm -rf /"), false, "luahook pre_tool_call", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			tel := newTelemetry()
			e := tel.engine(t, guard)
			if test.closed {
				if err := e.Close(context.Background()); err != nil {
					t.Fatal(err)
				}
			}
			ctx := test.ctx
			if ctx == nil {
				ctx = context.Background()
			}
			_, err := e.Fire(ctx, test.event)
			s := tel.span(t, test.span)
			if (err != nil) != (test.want != "") {
				t.Fatal(err)
			}
			if err == nil {
				equal(t, "status", s.Status, sdktrace.Status{})
				return
			}
			equal(t, "status", s.Status, sdktrace.Status{Code: codes.Error, Description: err.Error()})
			label := "error.type=" + test.want
			if !strings.HasPrefix(words(s.Attributes), label+" ") || !strings.Contains(tel.metrics(t), "luahook.fires ({fire}) "+label+" luahook.decision=deny ") {
				t.Errorf("%s isn't said by the span, %s, or by the metrics:\n%s", label, words(s.Attributes), tel.metrics(t))
			}
		})
	}
}

// What is counted and measured.
func TestMetrics(t *testing.T) {
	tel := newTelemetry()
	e := tel.engine(t, guard)
	for _, c := range []*hooks.Context{bash("ls"), bash("ls -l"), bash("rm -rf /"), {Event: hooks.Stop}} {
		if _, err := e.Fire(context.Background(), c); err != nil {
			t.Fatal(err)
		}
	}
	// The failing hook is told of by an on_error each time where somebody hears it; here nobody does.
	equal(t, "metrics", tel.metrics(t), strings.Join([]string{
		"luahook.fire.duration (s) luahook.decision=deny luahook.event=pre_tool_call = 1",
		"luahook.fire.duration (s) luahook.decision=none luahook.event=pre_tool_call = 2",
		"luahook.fire.duration (s) luahook.decision=none luahook.event=stop = 1",
		"luahook.fires ({fire}) luahook.decision=deny luahook.event=pre_tool_call = 1",
		"luahook.fires ({fire}) luahook.decision=none luahook.event=pre_tool_call = 2",
		"luahook.fires ({fire}) luahook.decision=none luahook.event=stop = 1",
		"luahook.hook.failures ({failure}) error.type=script luahook.event=pre_tool_call = 3",
	}, "\n"))
}

// A trace that isn't sampled costs no spans, and the metrics count it all the same.
func TestWithoutSampling(t *testing.T) {
	tel := newTelemetry(sdktrace.WithSampler(sdktrace.NeverSample()))
	e := tel.engine(t, guard)
	if _, err := e.Fire(context.Background(), bash("ls")); err != nil {
		t.Fatal(err)
	}
	equal(t, "spans", len(tel.spans.GetSpans()), 0)
	if !strings.Contains(tel.metrics(t), "luahook.fires ({fire}) luahook.decision=none luahook.event=pre_tool_call = 1") {
		t.Errorf("metrics:\n%s", tel.metrics(t))
	}
}

// global is what the global providers are told. They can be set once in a process.
var global = sync.OnceValue(func() *telemetry {
	tel := newTelemetry()
	otel.SetTracerProvider(tel.tracers)
	otel.SetMeterProvider(tel.meters)
	return tel
})

// Without options it is the global providers that are told, and those that are set later, too.
func TestGlobalProviders(t *testing.T) {
	e, err := engine.New(engine.WithoutBuiltins(), otelhook.Observe(otelhook.WithTracerProvider(nil), otelhook.WithMeterProvider(nil)))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = e.Close(context.Background()) }()
	tel := global()
	tel.spans.Reset()
	if _, err := e.Fire(context.Background(), &hooks.Context{Event: hooks.Stop}); err != nil {
		t.Fatal(err)
	}
	tel.span(t, "luahook stop")
	if !strings.Contains(tel.metrics(t), "luahook.fires ({fire}) luahook.decision=none luahook.event=stop = ") {
		t.Errorf("metrics:\n%s", tel.metrics(t))
	}
}

// Many events at once, with parallel hooks and nested events, each have their own span with their own runs.
func TestParallelEvents(t *testing.T) {
	const fires = 50
	tel := newTelemetry()
	e := tel.engine(t, `
on("pre_tool_call", {name="a", mode="parallel"}, function() return context("a") end)
on("pre_tool_call", {name="b", mode="parallel"}, function() return context("b") end)
on("pre_tool_call", {name="c", mode="async"}, function() end)`)
	_, err := e.RegisterHook(hooks.PreToolCall, hooks.Options{Name: "nests"}, func(ctx context.Context, c *hooks.Context) (*hooks.Result, error) {
		_, err := e.Fire(ctx, &hooks.Context{Event: hooks.Stop, SessionID: c.SessionID})
		return nil, err
	})
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for i := range fires {
		all.Go(func() {
			c := bash("ls")
			c.SessionID = fmt.Sprintf("s%d", i)
			if _, err := e.Fire(context.Background(), c); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if err := e.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	session := func(s tracetest.SpanStub) string {
		for _, a := range s.Attributes {
			if a.Key == "gen_ai.conversation.id" {
				return a.Value.AsString()
			}
		}
		return ""
	}
	spans := tel.spans.GetSpans()
	outer := map[trace.SpanID]string{}
	for _, s := range spans {
		if s.Name == "luahook pre_tool_call" {
			outer[s.SpanContext.SpanID()] = session(s)
			if len(s.Events) != 4 {
				t.Errorf("an event has the runs\n%s", events(s))
			}
		}
	}
	equal(t, "events", len(outer), fires)
	below := map[string]int{}
	for _, s := range spans {
		if s.Name == "luahook pre_tool_call" {
			continue
		}
		below[s.Name]++
		if parent, ok := outer[s.Parent.SpanID()]; !ok || parent != session(s) {
			t.Errorf("%s of %s lies below the event of %q", s.Name, session(s), parent)
		}
	}
	equal(t, "spans below", fmt.Sprint(below), fmt.Sprintf("map[luahook async pre_tool_call:%d luahook stop:%d]", fires, fires))
}

// What can't be written as text, or is too long, is made so that it can be exported.
func TestTextsAreBounded(t *testing.T) {
	tel := newTelemetry()
	e := tel.engine(t, `on("pre_tool_call", {name="long"}, function() return deny("\255" .. string.rep("€", 1500)) end)`)
	c := bash("ls")
	c.ToolCall.Name = "b\xffsh"
	if _, err := e.Fire(context.Background(), c); err != nil {
		t.Fatal(err)
	}
	s := tel.span(t, "luahook pre_tool_call")
	for _, a := range append(s.Attributes, s.Events[0].Attributes...) {
		if text := a.Value.String(); !utf8.ValidString(text) || len(text) > 2<<10+len("…") {
			t.Errorf("%s is %d bytes long, and UTF-8: %v", a.Key, len(text), utf8.ValidString(text))
		}
	}
}
