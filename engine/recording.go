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
// kept, or that nothing is, the managed and the user's hooks.yaml say with the key record. What can't be
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

// recordsEvents reports whether each event has a record.
func (e *Engine) recordsEvents() bool { return e.options.recording == RecordDecisions }

// record records an event and what was decided, and gives the result with what is to be told
// of that. event is complete, unless it couldn't be judged; nil: there is none.
func (e *Engine) record(ctx context.Context, p *plan, event *hooks.Context, started time.Time, r *hooks.Result) *hooks.Result {
	if !e.recordsEvents() || p.record == config.RecordOff {
		return r
	}
	record := audit.Decided(event, r, p.record == config.RecordEvents)
	record.Time, record.DurationUS, record.Project = started, time.Since(started).Microseconds(), e.options.root
	if warning := e.write(ctx, record); warning != "" {
		told := *r // which may be shared
		told.Warnings = append(r.Warnings[:len(r.Warnings):len(r.Warnings)], warning)
		r = &told
	}
	return r
}

// recordRun records the run of an async hook.
func (f *firing) recordRun(ctx context.Context, of *hookRun) {
	e := f.engine
	if !e.recordsEvents() || f.plan.record == config.RecordOff {
		return
	}
	run := of.describe(f.event.Event, f.id)
	record := audit.About(audit.KindRun, f.event)
	record.Project, record.Generation, record.DurationUS = e.options.root, f.plan.generation, run.DurationUS
	record.Runs = []audit.Run{audit.RunOf(&run)}
	e.write(ctx, record) // the caller who fired the event has gone; the logger is told
}

// write writes a record. Where that fails, the first time, it says what to tell.
func (e *Engine) write(ctx context.Context, record audit.Record) (warning string) {
	err := e.options.log.Append(ctx, record)
	if err == nil || e.logFailed.Swap(true) {
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

func (e *Engine) notes(in *scriptSpec) lib.Notes {
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
	record.Project, record.Generation = h.engine.options.root, h.engine.planOf(ctx).generation
	record.Hook, record.Note, record.Text, record.Data = h.hook, n.Kind, n.Text, n.Data
	return h.engine.write(ctx, record)
}
