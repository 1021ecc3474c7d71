// Package luacats describes to editors what Lua scripts find: the events with their fields, the words of hooks, the modules,
// and what there is of Lua itself. The descriptions are LuaCATS annotations, which lua-language-server and others read. They
// are made from the tables that luahook itself works by.
package luacats

import (
	"cmp"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/internal/prose"
	"github.com/luahook/luahook/luabind"
	"github.com/luahook/luahook/luabind/lib"
)

// base is what no table says: Lua's own functions that scripts have, and the options and answers of hooks.
//
//go:embed base.lua
var base string

// tests is what test files find.
//
//go:embed tests.lua
var tests string

// Settings is a .luarc.json for a folder of hooks that has [Stub] as .luahook/luahook.lua.
//
//go:embed luarc.json
var Settings []byte

// Stub makes the file of definitions. Its first line marks it as one: neither Lua nor luahook ever runs it.
func Stub() (string, error) {
	w := &writer{}
	w.text(base)
	w.events()
	w.types(lib.Types())
	for _, f := range slices.Concat(luabind.Globals, lib.Words()) {
		if f.Name != "on" { // which the events say
			w.function("", f)
		}
	}
	for _, m := range lib.Modules() {
		w.module(m)
	}
	w.text(tests)
	return w.b.String(), w.err
}

// writer writes a file of definitions. err is the first mistake in a table.
type writer struct {
	b   strings.Builder
	err error
}

func (w *writer) line(format string, args ...any) { fmt.Fprintf(&w.b, format+"\n", args...) }

// text adds a part that is written as it stands, and a blank line.
func (w *writer) text(text string) { w.line("%s\n", strings.TrimSpace(text)) }

// help writes a description above what it describes.
func (w *writer) help(text string) {
	for line := range strings.Lines(prose.Wrap(strings.ReplaceAll(text, "\n", " "), "")) {
		w.line("---%s", strings.TrimRight(line, "\n"))
	}
}

// field writes a field of a class.
func (w *writer) field(name, of, help string) {
	w.help(help)
	of, optional := strings.CutSuffix(of, "?")
	w.line("---@field %s%s %s", name, mark(optional), of)
}

// events writes a class for each event, and on.
func (w *writer) events() {
	custom := hooks.Lookup("an.embedders.own")
	w.class("luahook.Event", "What every event may have.", custom.Fields, func(f hooks.Field) bool { return alwaysThere[f.Name] })
	every := map[string]bool{}
	for _, f := range custom.Fields {
		every[f.Name] = true
	}
	var all []hooks.Field // that only some events have
	var names []string
	for _, info := range hooks.Events() {
		names = append(names, fmt.Sprintf("%q", info.Name))
		about, _, _ := strings.Cut(info.MatchOn, ".")
		w.class(className(info.Name)+": luahook.Event", "When "+info.Help+".", info.Fields, func(f hooks.Field) bool {
			isThere := f.Required || f.Name == about || slices.Contains(info.Modify, f.Name)
			return isThere || alwaysThere[f.Name] || f.Type == hooks.Record && f.Name != "error"
		})
		for _, f := range info.Fields {
			if !every[f.Name] {
				every[f.Name] = true
				all = append(all, f)
			}
		}
	}
	w.class("luahook.AnyEvent: luahook.Event", "An event of several; which fields there are depends on `canonical_event`.", all, func(hooks.Field) bool { return false })
	w.line("---@alias luahook.EventName %s\n", strings.Join(names, "|"))

	w.help("registers a hook for an event, for each of a list, or with \"*\" for all; only while the script loads. An event of your own has a dot in its name.")
	w.line("---")
	w.example(luabind.Globals[0].Example)
	for _, info := range hooks.Events() {
		answer := "luahook.Returned"
		if info.Guards {
			answer += "|string"
		}
		for _, options := range []string{"", "options: luahook.Options, "} {
			w.line("---@overload fun(event: %q, %sfn: fun(ev: %s): %s, ...)", info.Name, options, className(info.Name), answer)
		}
	}
	// A literal among the types of event keeps editors from taking this for the form of an event above.
	const any = `"*"|luahook.EventName[]|string[]|string`
	w.line("---@overload fun(event: %s, fn: fun(ev: luahook.AnyEvent): luahook.Returned|string, ...)", any)
	w.line("---@param event %s", any)
	w.line("---@param options luahook.Options")
	w.line("---@param fn fun(ev: luahook.AnyEvent): luahook.Returned|string, ...")
	w.line("function on(event, options, fn) end\n")
}

// alwaysThere are fields that are never nil.
var alwaysThere = map[string]bool{"event": true, "canonical_event": true, "agent_depth": true, "loop_count": true, "metadata": true, "judging": true}

// className is the class of an event: luahook.PreToolCallEvent.
func className(e hooks.Event) string {
	name := ""
	for word := range strings.SplitSeq(string(e), "_") {
		name += strings.ToUpper(word[:1]) + word[1:]
	}
	return "luahook." + name + "Event"
}

// class writes the class of an event.
func (w *writer) class(name, help string, fields []hooks.Field, there func(hooks.Field) bool) {
	w.help(help)
	w.line("---@class %s", name)
	for _, f := range fields {
		w.field(f.Name, typeOf(f)+mark(!there(f)), f.Help)
	}
	w.line("")
}

// typeOf is the type of an event's field.
func typeOf(f hooks.Field) string {
	switch f.Type {
	case hooks.Object:
		return "table<string, any>"
	case hooks.List:
		return cmp.Or(map[string]string{"tool_calls": "luahook.ToolCall"}[f.Name], "any") + "[]"
	case hooks.Record:
		return map[string]string{"tool_call": "luahook.ToolCall", "error": "luahook.ErrorInfo", "usage": "luahook.Usage"}[f.Name]
	}
	return string(f.Type)
}

// types writes the classes of what functions return.
func (w *writer) types(types []lib.Type) {
	for _, t := range types {
		var methods []lib.TypeField
		w.help(t.Help)
		w.line("---@class luahook.%s", t.Name)
		for _, f := range t.Fields {
			if strings.HasPrefix(f.Type, "(") {
				methods = append(methods, f)
				continue
			}
			if of, err := (&reader{text: f.Type, known: known}).union(); err != nil {
				w.fail(err)
			} else {
				w.field(f.Name, of, f.Help)
			}
		}
		w.line("local %s = {}\n", t.Name)
		for _, m := range methods {
			w.function("", luabind.Function{Signature: t.Name + ":" + m.Name + m.Type, Help: m.Help})
		}
	}
}

// module writes a module and what is in it.
func (w *writer) module(m luabind.Module) {
	w.help(m.Help)
	w.line("---@class luahook.%s", m.Name)
	for _, c := range m.Constants {
		w.field(c.Name, c.Type, c.Help)
	}
	for _, inner := range m.Modules {
		w.field(strings.TrimPrefix(inner.Name, m.Name+"."), "luahook.Store", inner.Help)
	}
	w.line("%s = {}\n", m.Name)
	for _, f := range m.Functions {
		w.function("", f)
	}
	if len(m.Modules) > 0 { // the stores, which are all alike
		w.help("What a store can do.")
		w.line("---@class luahook.Store")
		w.line("local Store = {}\n")
		for _, f := range m.Modules[0].Functions {
			w.function("Store", f)
		}
	}
}

// function writes a function, of another table than its signature says if one is given.
func (w *writer) function(table string, f luabind.Function) {
	s, err := parseSignature(f.Signature, known)
	if err != nil {
		w.fail(err)
		return
	}
	name := s.name
	if table != "" {
		name = table + "." + f.Name
	}
	w.help(f.Help)
	if f.Example != "" {
		w.line("---")
		w.example(f.Example)
	}
	var names []string
	for _, p := range s.params {
		names = append(names, p.name)
		w.line("---@param %s%s %s", p.name, mark(p.optional), p.of)
	}
	for _, p := range s.returns {
		w.line("---@return %s", strings.TrimSpace(p.of+" "+p.name))
	}
	w.line("function %s(%s) end\n", name, strings.Join(names, ", "))
}

func (w *writer) example(code string) {
	w.line("---```lua")
	for line := range strings.Lines(strings.TrimSpace(code)) {
		w.line("---%s", strings.TrimRight(line, "\n"))
	}
	w.line("---```")
}

func (w *writer) fail(err error) {
	if w.err == nil {
		w.err = fmt.Errorf("the definitions for editors can't be made: %w", err)
	}
}

// known is a type's name in LuaCATS.
func known(name string) (string, error) {
	switch name {
	case "string", "number", "integer", "boolean", "table", "any", "nil", "false", "function", "userdata":
		return name, nil
	case "Answer", "Store":
		return "luahook." + name, nil
	}
	if slices.ContainsFunc(lib.Types(), func(t lib.Type) bool { return t.Name == name }) {
		return "luahook." + name, nil
	}
	return "", fmt.Errorf("no type %q is known", name)
}
