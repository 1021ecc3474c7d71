package engine

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/luahook/luahook/engine/internal/source"
	"github.com/luahook/luahook/hooks"
)

// HookInfo describes a hook.
type HookInfo struct {
	Event    hooks.Event
	Order    int // place among the hooks of its event, from 1, as in [hooks.Run]; 0: it is switched off and has none
	Name     string
	Source   string // file:line of the registration
	Scope    hooks.Scope
	Handler  hooks.Handler
	Mode     hooks.Mode
	Match    string // as a person would write it; "*": every event
	Priority int
	Timeout  time.Duration // of one run; 0: as the engine's limits say
	// MaxTimeout is what the limits give one run at most, whatever Timeout says; 0: nothing else bounds it. TrustedMax is the
	// same once its folder is trusted, and MaxFrom the hooks.yaml that says TrustedMax; "": the default.
	MaxTimeout, TrustedMax time.Duration
	MaxFrom                string
	MaxInstructions        int64 // what the limits give one run of a script; 0: it is none
	OnFailure              hooks.Policy
	Once                   bool         // runs once per session
	Limited                string       // why it may only deny, ask and inform; "": it may do all
	Left                   string       // why it never runs; "": it does
	Grants                 hooks.Grants // what hooks.yaml grants its script, whether that is trusted or not
}

// Hooks lists the hooks: by event, and each event's in the order in which they run, then those that are there and
// never run, with Left. Files that can't be used aren't among them: see [Engine.LoadErrors]. The project's hooks are
// loaded for it, as by the first event that needs them. The slice is the caller's own.
func (e *Engine) Hooks() []HookInfo {
	if !e.made() {
		return nil
	}
	e.mu.Lock()
	l, own := e.current, slices.Clone(e.goHooks)
	e.mu.Unlock()
	l, _ = l.all(context.Background(), &e.active) // its end is the only reason not to get them
	p := buildPlan(l, own, nil, 0, e.depth)
	var list, left []HookInfo
	for _, at := range p.events {
		for _, h := range at.hooks {
			if h.loadError != nil {
				continue
			}
			if info := h.info(); info.Left != "" {
				left = append(left, info)
			} else {
				list = append(list, info)
			}
		}
	}
	for _, h := range slices.Concat(l.hooks, own) {
		if h.options.Disabled {
			info := h.info()
			info.Order, info.Left = 0, "it is registered with enabled = false"
			left = append(left, info)
		}
	}
	left = append(left, l.left...)
	catalogue := map[hooks.Event]int{}
	for i, info := range hooks.Events() {
		catalogue[info.Name] = i + 1
	}
	place := func(event hooks.Event) int { return cmp.Or(catalogue[event], len(catalogue)+1) }
	slices.SortFunc(list, func(a, b HookInfo) int {
		return cmp.Or(place(a.Event)-place(b.Event), cmp.Compare(a.Event, b.Event), a.Order-b.Order)
	})
	slices.SortStableFunc(left, func(a, b HookInfo) int {
		return cmp.Or(a.Scope.Rank()-b.Scope.Rank(), cmp.Compare(a.Source, b.Source), place(a.Event)-place(b.Event))
	})
	return append(list, left...)
}

// info describes a hook of a plan.
func (e *hook) info() HookInfo {
	info := HookInfo{
		Event: e.event, Order: e.order, Name: e.options.Name, Source: e.source, Scope: e.scope, Handler: e.handler,
		Mode: cmp.Or(e.mode, e.options.Mode, hooks.ModeSync), Match: e.options.Match.String(), Priority: e.options.Priority,
		Timeout: e.options.Timeout, OnFailure: e.options.OnFailure, Once: e.options.Once, Limited: e.untrusted,
	}
	info.OnFailure = policyOf(info.OnFailure, e.event, info.Mode)
	if e.script != nil {
		info.MaxTimeout, info.TrustedMax, info.MaxFrom = e.script.Environment.Limits.Timeout, e.trustedMax, e.maxFrom
		info.MaxInstructions = e.script.Environment.Limits.Instructions
		info.Grants = e.script.Environment.Grants.With(e.script.Environment.Withheld.Grants)
	}
	if e.skip != nil {
		info.Left = e.skip.Message
	} else if why := e.options.Match.Never(); why != "" {
		info.Left = "its match fits no event: " + why
	}
	return info
}

// policyOf is what the failure of a hook means; said is what it says of it itself, or "". An async one is too late to
// block.
func policyOf(said hooks.Policy, event hooks.Event, mode hooks.Mode) hooks.Policy {
	if info := hooks.Lookup(event); said == "" && info != nil {
		said = info.OnFailure
	}
	if said == hooks.Block && mode == hooks.ModeAsync {
		return hooks.Warn
	}
	return said
}

// leave notes a hook that hooks.yaml names and that never runs.
func (l *loaded) leave(c *source.Content, h *source.Hook, why string) {
	info := HookInfo{Scope: c.Folder.Scope, Source: c.Folder.Display(c.Path), Left: why}
	if h != nil {
		info.Event, info.Name, info.Source, info.Match = h.Event, h.Options.Name, h.Source, h.Options.Match.String()
		info.Mode, info.Handler = cmp.Or(h.Options.Mode, hooks.ModeSync), hooks.HandlerLua
		if h.IsCommand() {
			info.Handler = hooks.HandlerCommand
		}
		info.Name = cmp.Or(info.Name, h.Builtin, h.Script)
		info.OnFailure = policyOf(h.Options.OnFailure, h.Event, info.Mode)
	}
	l.left = append(l.left, info)
}

// SourceFile is a file that hooks come from, as it was read.
type SourceFile struct {
	Scope   hooks.Scope
	Name    string // what [HookInfo] has as Source, without the line
	Path    string // absolute; "" of a script of [WithScript]
	Library string // the name for require, of a library; "" of others
	Text    string // what is in force, whatever the file holds by now
}

// Files lists the files that the hooks of [Engine.Hooks] come from: the scripts of [WithScript], and of each folder
// hooks.yaml, the scripts and the libraries, also those that can't be used. Command hooks stand in their hooks.yaml;
// what they run isn't read, and isn't among the files. Neither are the built-ins, which package builtins has. The
// project's are loaded for it, as by Hooks. The slice is the caller's own.
func (e *Engine) Files() []SourceFile {
	if !e.made() {
		return nil
	}
	e.mu.Lock()
	l := e.current
	e.mu.Unlock()
	l, _ = l.all(context.Background(), &e.active) // its end is the only reason not to get them
	var list []SourceFile
	for _, s := range e.options.scripts {
		list = append(list, SourceFile{Scope: hooks.ScopeEmbedder, Name: s.name, Text: s.source})
	}
	for _, c := range l.folders {
		if c == nil {
			continue
		}
		if c.Text != nil {
			list = append(list, SourceFile{Scope: c.Folder.Scope, Name: c.Folder.Display(c.Path), Path: c.Path, Text: string(c.Text)})
		}
		listed := map[string]bool{} // hooks.yaml may list a script often
		for _, h := range c.Hooks {
			if h.Script != "" && !h.IsCommand() && h.File.Source != "" && !listed[h.File.Path] {
				listed[h.File.Path] = true
				list = append(list, SourceFile{Scope: c.Folder.Scope, Name: h.File.Display, Path: h.File.Path, Text: h.File.Source})
			}
		}
		for _, f := range c.Scripts {
			list = append(list, SourceFile{Scope: c.Folder.Scope, Name: f.Display, Path: f.Path, Text: f.Source})
		}
		from := len(list)
		for name, f := range c.Libraries {
			list = append(list, SourceFile{Scope: c.Folder.Scope, Name: f.Display, Path: f.Path, Library: name, Text: f.Source})
		}
		slices.SortFunc(list[from:], func(a, b SourceFile) int { return strings.Compare(a.Path, b.Path) })
	}
	return list
}

// SkipObserver is an [Observer] that is also told of the hooks of an event that don't run for it, and why: their
// match doesn't fit, say, or an earlier hook has denied.
type SkipObserver interface {
	Observer
	// HookSkipped is called on the goroutine of Fire, in the order of the hooks. Hooks of the project that no event
	// has loaded, as a guard above has denied, aren't told of; nor is the judging of a rewrite.
	HookSkipped(ctx context.Context, hook HookInfo, why string)
}

// observeSkip tells the observers that a hook doesn't run for the event.
func (f *firing) observeSkip(e *hook) {
	if len(f.engine.options.observers) == 0 || f.ranBefore != nil {
		return
	}
	why := ""
	switch {
	case f.stopped(e):
		why = "a hook before it has denied"
	default:
		why = cmp.Or(e.options.Match.Mismatch(f.event), "it runs once per session, and has run in this one")
	}
	for _, o := range f.engine.options.observers {
		if o, ok := o.(SkipObserver); ok {
			f.engine.protected(f.context.Context, "WithObserver", func() { o.HookSkipped(f.context.Context, e.info(), why) })
		}
	}
}

// Listens reports whether a hook may be called for that event of that tool call, whatever the
// call comes to. It is for adapters that would have to hold a tool's stream back for hooks, or
// gather what an event needs, for nobody. Call's name, kind and input count; an empty one asks
// about an event that is about no tool. Where the hooks of a project aren't loaded yet, it is
// true.
func (e *Engine) Listens(event hooks.Event, call hooks.ToolCall) bool {
	if !e.made() {
		return false
	}
	p := e.currentPlan()
	at := p.at(event)
	switch {
	case at == nil:
		return false
	case p.projects != nil:
		return true
	case len(at.hooks) == 0:
		return false
	}
	c, err := (&hooks.Context{Event: event, ToolCall: &call}).Complete()
	return err != nil || slices.ContainsFunc(at.hooks, func(h *hook) bool { return !h.options.Match.ExcludesCall(at.info, c) })
}
