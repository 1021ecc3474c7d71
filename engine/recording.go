package engine

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/luahook/luahook/engine/audit"
	"github.com/luahook/luahook/engine/config"
	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind/lib"
)

// Recording says what an engine writes to its decision log.
type Recording int

// What is written.
const (
	// RecordNotes: what built-in hooks have to note, such as the errors of an agent.
	RecordNotes Recording = iota
	// RecordDecisions: those, and a record for each event that is fired, also where no
	// hook ran, and where the event couldn't be judged; the run of an async hook gets one
	// of its own when it is over. Fire writes it before it returns.
	RecordDecisions
)

// WithAudit is the decision log, and what is written to it. How much of an event is
// kept, the managed and the user's hooks.yaml say with the key record. What can't be
// written changes no decision and is told once, as a warning of a result and to the
// logger. The embedder closes the log, after the engine. Default: there is none.
func WithAudit(log *audit.Log, what Recording) Option {
	return func(o *options) error {
		if log == nil {
			return errors.New("WithAudit: the log is nil")
		}
		if what != RecordNotes && what != RecordDecisions {
			return fmt.Errorf("WithAudit: %d says nothing that can be recorded", what)
		}
		o.log, o.recording = log, what
		return nil
	}
}

// recorded fires an event and records it.
func (e *Engine) recorded(ctx context.Context, c *hooks.Context, fire func(context.Context, *hooks.Context) (*hooks.Result, error)) (*hooks.Result, error) {
	started := time.Now()
	r, err := fire(ctx, c)
	took := time.Since(started)
	event := c
	if c != nil {
		if done, err := c.Complete(); err == nil {
			event = done
		}
	}
	record := audit.About(audit.KindDecision, event)
	record.Time, record.DurationUS, record.Project = started, took.Microseconds(), e.options.root
	record.Decision, record.Reason, record.Modified = string(r.Decision), r.Reason, r.Modified
	record.Halt, record.StopReason, record.Warnings = r.Halt, r.StopReason, r.Warnings
	record.Generation = r.Summary.Generation
	if event == nil || event.Event == "" {
		record.Event = r.Summary.Event
	}
	for i := range r.Summary.Runs {
		record.Runs = append(record.Runs, audit.RunOf(&r.Summary.Runs[i]))
	}
	record.Context = audit.Given(event, e.plan.Load().record == config.RecordEvents)
	if warning := e.write(ctx, record); warning != "" {
		told := *r // which may be shared
		told.Warnings = append(r.Warnings[:len(r.Warnings):len(r.Warnings)], warning)
		r = &told
	}
	return r, err
}

// recordRun records the run of an async hook.
func (e *Engine) recordRun(ctx context.Context, event *hooks.Context, run *hooks.Run) {
	if e.options.recording != RecordDecisions {
		return
	}
	record := audit.About(audit.KindRun, event)
	record.Project, record.Generation, record.DurationUS = e.options.root, e.plan.Load().generation, run.DurationUS
	record.Runs = []audit.Run{audit.RunOf(run)}
	e.write(ctx, record) // whoever fired the event has gone; the logger is told
}

// write writes a record. Where that fails, the first time, it says what to tell.
func (e *Engine) write(ctx context.Context, record audit.Record) (warning string) {
	err := e.options.log.Append(ctx, record)
	if err == nil || e.untold.Swap(true) {
		return ""
	}
	e.options.logger.LogAttrs(ctx, slog.LevelWarn, "the decision log can't be written", slog.String("error", err.Error()))
	return fmt.Sprintf("the decision log can't be written (%s); this is said once", audit.Cause(err))
}

// hookNotes is the log as one built-in hook has it.
type hookNotes struct {
	engine *Engine
	hook   string
}

func (e *Engine) notes(in *instance) lib.Notes {
	if e.options.log == nil {
		return nil
	}
	name := strings.TrimPrefix(in.file, "builtin:")
	if in.listed != nil && in.listed.Set["name"] {
		name = in.listed.Options.Name
	}
	return &hookNotes{e, name}
}

// Note implements [lib.Notes].
func (h *hookNotes) Note(ctx context.Context, event *hooks.Context, n lib.Note) (warning string) {
	record := audit.About(audit.KindNote, event)
	record.Project, record.Generation = h.engine.options.root, h.engine.plan.Load().generation
	record.Hook, record.Note, record.Text, record.Data = h.hook, n.Kind, n.Text, n.Data
	return h.engine.write(ctx, record)
}
