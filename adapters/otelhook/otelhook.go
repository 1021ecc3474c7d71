// Package otelhook tells OpenTelemetry what hooks decide: a span for each event that is fired, in the trace of
// its caller, and metrics of all of them.
//
//	e, err := engine.New(otelhook.Observe())
//
// What an event carries isn't exported: no tool's input or output, no prompt, no response. What hooks say is,
// without the secrets that the decision log would leave out, too. The README lists spans, attributes and metrics.
package otelhook

import (
	"context"
	"os"
	"sync"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/trace"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/internal/redact"
)

const scopeName = "github.com/luahook/luahook/adapters/otelhook"

// Option is an option of [Observe].
type Option func(*settings)

type settings struct {
	tracers trace.TracerProvider
	meters  metric.MeterProvider
}

// WithTracerProvider says who makes the spans. Default, and for nil: the global provider.
func WithTracerProvider(p trace.TracerProvider) Option {
	return func(s *settings) {
		if p != nil {
			s.tracers = p
		}
	}
}

// WithMeterProvider says who makes the metrics. Default, and for nil: the global provider.
func WithMeterProvider(p metric.MeterProvider) Option {
	return func(s *settings) {
		if p != nil {
			s.meters = p
		}
	}
}

// Observe is the option of an engine that has its events told to OpenTelemetry. It decides nothing: an event comes to
// the same with and without it. The providers are the caller's: shut them down after the engine is closed, as async
// runs may still end spans. If a provider refuses to make an instrument, OpenTelemetry's error handler is told and the
// metric is missing.
func Observe(options ...Option) engine.Option {
	s := settings{tracers: otel.GetTracerProvider(), meters: otel.GetMeterProvider()}
	for _, option := range options {
		option(&s)
	}
	return engine.WithObserver(newObserver(s))
}

// observer implements [engine.FireObserver].
type observer struct {
	tracer   trace.Tracer
	fires    metric.Int64Counter
	duration metric.Float64Histogram
	failures metric.Int64Counter
	redactor func() *redact.Redactor
}

// bounds are those of the histogram, in seconds: most events take some microseconds, one that starts a program or
// waits for a model takes seconds.
var bounds = []float64{.00001, .000025, .00005, .0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 5, 30, 60}

func newObserver(s settings) *observer {
	meter := s.meters.Meter(scopeName)
	fires, err1 := meter.Int64Counter("luahook.fires", metric.WithUnit("{fire}"), metric.WithDescription("Events fired, by event and decision."))
	duration, err2 := meter.Float64Histogram("luahook.fire.duration", metric.WithUnit("s"), metric.WithDescription("How long events were judged."),
		metric.WithExplicitBucketBoundaries(bounds...))
	failures, err3 := meter.Int64Counter("luahook.hook.failures", metric.WithUnit("{failure}"), metric.WithDescription("Runs of hooks that failed, by the kind of their error."))
	for _, err := range []error{err1, err2, err3} {
		if err != nil {
			otel.Handle(err)
		}
	}
	return &observer{
		tracer: s.tracers.Tracer(scopeName), fires: fires, duration: duration, failures: failures,
		redactor: sync.OnceValue(func() *redact.Redactor { return redact.New(os.Environ()) }),
	}
}

// fire is one event on its way, in the context of all that it sets off.
type fire struct {
	span    trace.Span
	started time.Time
	event   string
	about   []attribute.KeyValue // the event, as its span says it
}

// key is the key of a fire in a context. An event may lie within one that another observer was told of.
type key struct{ of *observer }

// FireStarted implements [engine.FireObserver].
func (o *observer) FireStarted(ctx context.Context, c *hooks.Context) context.Context {
	f := &fire{started: time.Now(), event: o.eventName(c.Event)}
	f.about = o.aboutEvent(f.event, c)
	ctx, f.span = o.tracer.Start(ctx, "luahook "+f.event, trace.WithTimestamp(f.started), trace.WithAttributes(f.about...))
	return context.WithValue(ctx, key{o}, f)
}

// FireCompleted implements [engine.FireObserver].
func (o *observer) FireCompleted(ctx context.Context, r *hooks.Result, err error) {
	f, ok := ctx.Value(key{o}).(*fire)
	if !ok {
		return
	}
	ended := time.Now()
	labels := []attribute.KeyValue{eventKey.String(f.event), decisionKey.String(decisionName(r.Decision))}
	if err != nil {
		labels = append(labels, errorTypeKey.String(typeOfError(err)))
	}
	set := metric.WithAttributeSet(attribute.NewSet(labels...))
	o.fires.Add(ctx, 1, set)
	o.duration.Record(ctx, ended.Sub(f.started).Seconds(), set)
	if f.span.IsRecording() {
		summary := r.Summary()
		for i := range summary.Runs {
			if run := &summary.Runs[i]; run.Mode == hooks.ModeAsync { // the others are there since they were over
				f.span.AddEvent(runEvent, trace.WithTimestamp(ended), trace.WithAttributes(o.aboutRun(run)...))
			}
		}
		f.span.SetAttributes(o.aboutResult(r, summary)...)
		if err != nil {
			f.span.SetAttributes(errorTypeKey.String(typeOfError(err)))
			f.span.SetStatus(codes.Error, o.text(err.Error()))
		}
	}
	f.span.End(trace.WithTimestamp(ended))
}

// RunStarted implements [engine.Observer].
func (o *observer) RunStarted(context.Context, hooks.Run) {}

// RunCompleted implements [engine.Observer]. A run is an event of its fire's span; an async one, which may outlast
// that, is a span below it.
func (o *observer) RunCompleted(ctx context.Context, run hooks.Run) {
	f, ok := ctx.Value(key{o}).(*fire)
	if !ok {
		return
	}
	failed := run.Status == hooks.StatusFailed && run.Error != nil
	if failed {
		o.failures.Add(ctx, 1, metric.WithAttributeSet(attribute.NewSet(eventKey.String(f.event), errorTypeKey.String(kindName(run.Error.Kind)))))
	}
	if run.Mode != hooks.ModeAsync {
		if f.span.IsRecording() {
			f.span.AddEvent(runEvent, trace.WithAttributes(o.aboutRun(&run)...))
		}
		return
	}
	ended := time.Now()
	started := ended.Add(-time.Duration(run.DurationUS) * time.Microsecond)
	_, span := o.tracer.Start(ctx, "luahook async "+f.event, trace.WithTimestamp(started), trace.WithAttributes(f.about...))
	if span.IsRecording() {
		span.SetAttributes(o.aboutRun(&run)...)
		if failed {
			span.SetStatus(codes.Error, o.text(run.Error.Message))
		}
	}
	span.End(trace.WithTimestamp(ended))
}
