package config

import (
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"

	"github.com/luahook/luahook/hooks"
)

// hook reads one entry under an event.
func (d *decoder) hook(event hooks.Event, key string, n ast.Node) {
	if _, ok := n.(*ast.MappingNode); !ok && !isEmpty(n) {
		d.failAt(n, "a hook: want a mapping of keys to values")
		return
	}
	problems := len(d.errors)
	e := entry{Enabled: true}
	places := d.mapping("", n, reflect.ValueOf(&e).Elem(), func(key string, k, _ ast.Node) {
		d.unknown("", key, k, reflect.TypeFor[entry]())
	})
	if len(d.errors) > problems {
		return
	}
	h := e.hook(event)
	h.Key = key
	h.Source = fmt.Sprintf("%s:%d", d.source.name, d.place(n).line)
	h.Set, h.places = map[string]bool{}, map[string]place{"": d.place(n)}
	for key, at := range places {
		h.Set[key], h.places[key] = true, at
	}
	if key, problem := h.problem(); problem != "" {
		at, ok := places[key]
		if !ok {
			at = d.place(n)
		}
		d.fail(at, "%s", problem)
		return
	}
	d.config.Hooks = append(d.config.Hooks, h)
}

func (e *entry) hook(event hooks.Event) Hook {
	h := Hook{
		Event: event, Builtin: string(e.Builtin), Script: string(e.Script), Command: string(e.Command),
		InjectOutput: e.InjectOutput, With: e.With, Grants: e.Grant.grants(),
		Options: hooks.Options{
			Name: string(e.Name), Match: e.Match, Priority: e.Priority, Timeout: time.Duration(e.Timeout),
			OnFailure: e.OnFailure, Mode: e.Mode, Once: e.Once, Disabled: !e.Enabled,
		},
	}
	if e.Args != nil {
		h.Args = append([]string{}, texts(e.Args)...) // not nil: without a shell
	}
	return h
}

// problem returns a key that conflicts with others, and why; "" if there is no conflict.
func (h *Hook) problem() (key, problem string) {
	var handlers []string
	for _, key := range []string{"builtin", "script", "command"} {
		if h.Set[key] {
			handlers = append(handlers, key)
		}
	}
	switch {
	case len(handlers) == 0:
		return "", "the hook has no builtin, script or command"
	case len(handlers) > 1:
		return "", fmt.Sprintf("the hook has both %s; write two hooks", strings.Join(handlers, " and "))
	}
	ext := filepath.Ext(h.Script)
	switch o := &h.Options; {
	case ext != ".lua" && strings.EqualFold(ext, ".lua"):
		return "script", fmt.Sprintf("script %q: the name of a Lua script ends in .lua; rename the file", h.Script)
	case h.Set["args"] && h.Command == "":
		return "args", "args goes with command, and names the arguments of its program"
	case h.Set["inject_output"] && !h.IsCommand():
		return "inject_output", "inject_output is for commands; a hook in Lua answers with context(...)"
	case h.Set["with"] && h.IsCommand():
		return "with", "with is for Lua; give a command its options as args"
	case h.Set["grant"] && h.IsCommand():
		return "grant", "grant is for Lua; a command runs outside of the sandbox and may do what you may"
	case o.Mode == hooks.ModeAsync && o.OnFailure == hooks.Block:
		return "on_failure", "on_failure: an async hook can't block, the event goes on without it; make it sync, or leave block out"
	case o.Mode == hooks.ModeAsync && h.InjectOutput:
		return "inject_output", "inject_output: an async hook only observes, the event goes on without its output; make it sync"
	}
	if err := h.Options.Match.Check(hooks.Lookup(h.Event)); err != nil {
		return "match", err.Error()
	}
	return "", ""
}
