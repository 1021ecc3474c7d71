package luabind

import (
	"fmt"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/hooks"
)

// record is a thing with known fields: the event, its tool call, error and usage.
type record interface {
	Value(name string) (value any, known bool)
	Keys() []string
}

// recordView shows a record to Lua: read-only, strict, and built field by field as
// the script asks. A state keeps its views; only what they show changes from run to
// run.
//
// Reading a field looks into cache, which is the metatable's __index, without
// entering Go; what isn't there yet is fetched by the cache's own __index.
type recordView struct {
	s     *State
	name  string // "ev", "ev.tool_call"
	ud    *lua.LUserData
	cache *lua.LTable
	read  []string // keys in cache
	rec   record
	all   *lua.LTable // for pairs; made when asked for
}

func newRecordView(s *State, name string) *recordView {
	L := s.L
	v := &recordView{s: s, name: name, cache: L.NewTable()}
	meta := L.NewTable()
	meta.RawSetString("__index", v.cache)
	meta.RawSetString("__newindex", L.NewFunction(func(L *lua.LState) int {
		L.RaiseError("%s is read-only; return modify{...} to change the input", v.name)
		return 0
	}))
	meta.RawSetString("__metatable", lua.LString(name))
	meta.RawSetString("__tostring", L.NewFunction(func(L *lua.LState) int {
		L.Push(lua.LString(v.name))
		return 1
	}))
	v.ud = &lua.LUserData{Value: v, Metatable: meta}
	fetch := L.NewTable()
	fetch.RawSetString("__index", L.NewFunction(v.fetch))
	v.cache.Metatable = fetch
	return v
}

func (v *recordView) show(rec record) { v.rec = rec }

// hide forgets the record and every field that was read.
func (v *recordView) hide() {
	for _, key := range v.read {
		v.cache.RawSetString(key, lua.LNil)
	}
	v.read, v.rec, v.all = v.read[:0], nil, nil
}

// fetch is the __index of the cache: it builds a field when it is first read.
func (v *recordView) fetch(L *lua.LState) int {
	key, ok := L.Get(2).(lua.LString)
	if !ok {
		L.RaiseError("%s has no field %s; its fields have names", v.name, RawText(L.Get(2)))
	}
	if v.rec == nil {
		L.RaiseError("%s", v.gone())
	}
	value, known := v.rec.Value(string(key))
	if !known {
		of := v.name
		if c, ok := v.rec.(*hooks.Context); ok {
			of = fmt.Sprintf("%s (%s)", v.name, c.Event)
		}
		name := string(key[:min(len(key), 100)])
		L.RaiseError("%s has no field %q%s", of, name, hooks.DidYouMean(name, v.rec.Keys()))
	}
	if value == nil {
		v.s.view.absent = v.name + "." + string(key)
		L.Push(lua.LNil)
		return 1
	}
	l, err := v.s.view.lua(L, value)
	if err != nil {
		L.RaiseError("%s.%s: %s", v.name, string(key), err)
	}
	v.cache.RawSetString(string(key), l)
	v.read = append(v.read, string(key))
	L.Push(l)
	return 1
}

// gone is the error of a view that a script has kept from an earlier run.
func (v *recordView) gone() error {
	return fmt.Errorf("%s is only there while its hook runs; keep what you need of it", v.name)
}

// table is the record's present fields as a plain table.
func (v *recordView) table(L *lua.LState) *lua.LTable {
	if v.all != nil {
		return v.all
	}
	if v.rec == nil {
		L.RaiseError("%s", v.gone())
	}
	keys := v.rec.Keys()
	Spend(L, 8*len(keys))
	Allocate(L, TableBytes(0, len(keys)))
	all := L.CreateTable(0, len(keys))
	defer func(absent string) { v.s.view.absent = absent }(v.s.view.absent) // nobody has asked for these
	for _, key := range keys {
		if l := L.GetField(v.ud, key); l != lua.LNil {
			all.RawSetString(key, l)
		}
	}
	v.all = all // complete, or an error has gone up
	return all
}

// eventView is the views of one event.
type eventView struct {
	event, call, err, usage *recordView
	kind                    hooks.Kind // of the tool call
	absent                  string     // the last field or global that was read and isn't there
}

func newEventView(s *State) *eventView {
	return &eventView{
		event: newRecordView(s, "ev"), call: newRecordView(s, "ev.tool_call"),
		err: newRecordView(s, "ev.error"), usage: newRecordView(s, "ev.usage"),
	}
}

func (v *eventView) show(c *hooks.Context) {
	v.absent, v.kind = "", ""
	v.event.show(c)
	if c.ToolCall != nil {
		v.kind = c.ToolCall.Kind
	}
}

func (v *eventView) hide() {
	v.event.hide()
	v.call.hide()
	v.err.hide()
	v.usage.hide()
}

// lua makes the Lua value of a field.
func (v *eventView) lua(L *lua.LState, value any) (lua.LValue, error) {
	switch r := value.(type) {
	case *hooks.ToolCall:
		v.call.show(r)
		return v.call.ud, nil
	case *hooks.ErrorInfo:
		v.err.show(r)
		return v.err.ud, nil
	case *hooks.Usage:
		v.usage.show(r)
		return v.usage.ud, nil
	}
	return ToLua(L, value)
}

// globalMark stands before the name of a global in absent.
const globalMark = "global "

// hint explains a nil that a script has stumbled over.
func (v *eventView) hint() string {
	switch {
	case v.absent == "":
		return ""
	case strings.HasPrefix(v.absent, globalMark):
		return " (there is no global " + strings.TrimPrefix(v.absent, globalMark) + ")"
	case v.absent == "ev.tool_call.command" && v.kind != hooks.KindShell:
		return " (ev.tool_call.command is nil because this is a " + string(v.kind) + ` call; add match = {kind="shell"})`
	}
	return " (" + v.absent + " is nil in this event)"
}
