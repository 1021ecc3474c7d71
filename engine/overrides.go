package engine

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/internal/excerpt"
	"github.com/luahook/luahook/luabind"
	"github.com/luahook/luahook/luabind/lib"
)

// Overrides is where a person's word about blocked calls is kept: the built-in guards ask
// it right before they block. An implementation must be safe for use by several
// goroutines. Package engine/override has the one of the luahook command.
type Overrides interface {
	// Overridden says how a person has lifted the block of the call, in a few words for the
	// user: "let through once by a person at 10:03 UTC". Where nobody has, or the call
	// is Final, or the error isn't nil, the block stands; the call is remembered as
	// blocked then, once however often it comes by. It should return soon: it
	// takes part in the time of the hook's run.
	Overridden(ctx context.Context, c hooks.BlockedCall) (note string, err error)
}

// WithOverrides lets a person lift single blocks of the built-in guards, and remembers what
// they have blocked. Guards of managed scope, and what concerns luahook itself, nobody
// lifts. Default: nothing is lifted, nothing is remembered.
func WithOverrides(p Overrides) Option {
	return func(o *options) error {
		if p == nil {
			return errors.New("WithOverrides: there is none (nil)")
		}
		o.overrides = p
		return nil
	}
}

// maxAsked bounds what is remembered of the command of a blocked call, in bytes.
const maxAsked = 2 << 10

const overridesFailed = "what a person has said about blocked calls can't be read or kept, so the block stands"

// overrideContext is the context of one run of a built-in hook: it tells passes.lifts whose
// run it is. What it holds doesn't change, but for what came of it: a call that has
// outlasted the run may still use it.
type overrideContext struct {
	context.Context
	overrides Overrides
	logger    *slog.Logger
	event     *hooks.Context
	engine    *Engine
	id        uint64 // of the firing
	managed   bool

	noted  atomic.Pointer[string]
	failed atomic.Bool
}

// overrideContext is the context of the hook's run; asked is nil where nobody may lift its blocks.
func (f *firing) overrideContext(ctx context.Context, e *hook) (run context.Context, asked *overrideContext) {
	o := &f.engine.options
	if o.overrides == nil || !e.builtin || e.mode == hooks.ModeAsync {
		return ctx, nil
	}
	asked = &overrideContext{
		Context: ctx, overrides: o.overrides, logger: o.logger, event: f.event,
		engine: f.engine, id: f.id, managed: e.scope == hooks.ScopeManaged,
	}
	return asked, asked
}

// Value answers for the overrider, and asks the event's context for everything else.
func (l *overrideContext) Value(key any) any {
	if key == (lib.OverriderKey{}) {
		return l
	}
	return l.Context.Value(key)
}

// Override implements [lib.Overrider].
func (l *overrideContext) Override(ctx context.Context, b lib.Block) string {
	call := l.event.ToolCall
	if call == nil {
		return "" // nobody can be shown what it was
	}
	asked := callText(call)
	identity, err := identityOf(l.event)
	if err == nil {
		var note string
		note, err = l.overrides.Overridden(ctx, hooks.BlockedCall{
			Event: l.event.Event, SessionID: l.event.SessionID, CallID: call.ID, Firing: l.engine.token() + "." + strconv.FormatUint(l.id, 10),
			Identity: identity, Tool: call.Name, Kind: call.Kind, CWD: l.event.CWD, Asked: excerpt.Beginning(asked, maxAsked), Length: len(asked),
			Decision: b.Decision, Rule: b.Rule, Reason: excerpt.Beginning(b.Reason, maxAsked), Final: l.managed || b.Class == "self",
		})
		if err == nil && note != "" && !l.managed && b.Class != "self" {
			l.noted.Store(&note)
			return note
		}
	}
	if err != nil {
		l.failed.Store(true)
		l.logger.Debug("passes", "error", err) // not a warning: those are read by agents, and it names files
	}
	return ""
}

// note adds to the run what its answer doesn't tell. In the judging round only what
// blocks counts of that.
func (l *overrideContext) note(out *luabind.Outcome) {
	if l == nil {
		return
	}
	add := func(text string) {
		out.Entries = append(out.Entries, hooks.Entry{Kind: hooks.EntryWarning, Text: text})
	}
	if l.failed.Load() {
		add(overridesFailed)
	}
	if note := l.noted.Load(); note != nil && l.event.Judging {
		add(*note)
	}
}

// identityOf is a hash of what a tool call does: the tool, its whole input, the folder.
func identityOf(c *hooks.Context) (string, error) {
	text, err := hooks.EncodeJSON([]any{c.ToolCall.Name, c.CWD, c.ToolCall.Input})
	if err != nil {
		return "", err
	}
	h := sha256.New()
	h.Write(text)
	for _, exact := range append([]string{c.ToolCall.Command}, c.ToolCall.Paths...) { // JSON has no bytes that are no text
		fmt.Fprintf(h, "%d %s", len(exact), exact)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// callText is what a person is shown of a call.
func callText(call *hooks.ToolCall) string {
	switch {
	case call.Command != "":
		return call.Command
	case len(call.Paths) > 0:
		return strings.Join(call.Paths, "\n")
	}
	text, err := hooks.EncodeJSON(call.Input)
	if err != nil {
		return ""
	}
	return string(text)
}
