package luabind

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/internal/spelling"
)

// record is a thing with known fields: the event, its tool call, error and usage.
type record interface {
	Value(name string) (value any, known bool)
	Text(name string) (text string, present bool)
	Keys() []string
}

// recordView shows a record to Lua: read-only, strict, and built field by field as
// the script asks. A machine keeps its views; only what they show changes from run to
// run. The userdata that a script gets is its state's, which the machine lends its view for the
// run: what a script keeps leads to no other machine, on which another event may be under way.
//
// Reading a field looks into cache, which is the metatable's __index, without
// entering Go; what isn't there yet is fetched by the cache's own __index. Short texts
// that were read once stay in the cache and are rewritten with the next record, where
// they differ: as a rule a hook reads the same fields again.
type recordView struct {
	m       *machine
	name    string         // "ev", "ev.tool_call"
	ud      *lua.LUserData // the state's, while the view is lent to it; else nil
	meta    *lua.LTable    // of ud
	cache   *lua.LTable
	texts   []cachedText
	fetched []string // other keys in cache, for this run
	rec     record
	all     *lua.LTable // for pairs; made when asked for
}

// cachedText is a field that is kept up to date in a view's cache.
type cachedText struct {
	key, text string
	present   bool
}

// Bounds of what stays in a view from run to run.
const (
	maxCached     = 8       // fields
	maxCachedText = 4 << 10 // bytes of each
)

func (v *recordView) typeName() string { return v.name }

func newRecordView(m *machine, name string) *recordView {
	L := m.lua
	v := &recordView{m: m, name: name, cache: L.CreateTable(0, 8)}
	v.meta = L.CreateTable(0, 4)
	v.describe(v.cache, func(_ string, f lua.LGFunction) *lua.LFunction { return L.NewFunction(f) })
	fetch := L.CreateTable(0, 1)
	fetch.RawSetString("__index", L.NewFunction(v.fetch))
	v.cache.Metatable = fetch
	return v
}

// describe fills the metatable.
func (v *recordView) describe(index lua.LValue, function func(name string, f lua.LGFunction) *lua.LFunction) {
	v.meta.RawSetString("__index", index)
	v.meta.RawSetString("__newindex", function("__newindex", func(L *lua.LState) int {
		L.RaiseError("%s is read-only; return modify{...} to change the input", v.name)
		return 0
	}))
	v.meta.RawSetString("__metatable", lua.LString(v.name))
	v.meta.RawSetString("__tostring", function("__tostring", func(L *lua.LState) int {
		L.Push(lua.LString(v.name))
		return 1
	}))
}

// The views of a state, by their place in [State.views].
const (
	viewOfEvent = iota
	viewOfCall
	viewOfError
	viewOfUsage
	stateViews
)

// goneViews are what a state's views are while none is lent to it. All states share them: nothing writes to one.
var goneViews = sync.OnceValue(func() (all [stateViews]*recordView) {
	for i, name := range [...]string{"ev", "ev.tool_call", "ev.error", "ev.usage"} {
		v := &recordView{name: name, meta: &lua.LTable{Metatable: lua.LNil}}
		v.describe(sharedFunction("__index", func(L *lua.LState) int {
			L.RaiseError("%s", v.gone())
			return 0
		}), sharedFunction)
		all[i] = v
	}
	return all
})

// lend has a state's userdata show the view until hide takes it back.
func (v *recordView) lend(ud *lua.LUserData) {
	v.ud = ud
	ud.Value, ud.Metatable = v, v.meta
}

// takeBack ends that.
func (v *recordView) takeBack(which int) {
	if v.ud != nil {
		gone := goneViews()[which]
		v.ud.Value, v.ud.Metatable, v.ud = gone, gone.meta, nil
	}
}

// ToolCallOf is the tool call that a value stands for while its hook runs, nil for any other. It is the event's: it must not
// be changed.
func ToolCallOf(v lua.LValue) *hooks.ToolCall {
	if u, ok := v.(*lua.LUserData); ok {
		if view, ok := u.Value.(*recordView); ok {
			call, _ := view.rec.(*hooks.ToolCall)
			return call
		}
	}
	return nil
}

func (v *recordView) show(rec record) {
	v.rec = rec
	for i := range v.texts {
		t := &v.texts[i]
		text, present := rec.Text(t.key)
		if len(text) > maxCachedText {
			text, present = "", false // it is fetched, and charged for, when it is read
		}
		if text != t.text || present != t.present {
			v.put(t, text, present)
		}
	}
}

func (v *recordView) put(t *cachedText, text string, present bool) {
	t.text, t.present = text, present
	if present {
		v.cache.RawSetString(t.key, lua.LString(text))
	} else {
		v.cache.RawSetString(t.key, lua.LNil)
	}
}

// hide forgets the record and the fields that were read, but for short texts.
func (v *recordView) hide() {
	if v.rec == nil {
		return
	}
	for _, key := range v.fetched {
		v.cache.RawSetString(key, lua.LNil)
	}
	v.fetched, v.rec, v.all = v.fetched[:0], nil, nil
}

// forget is hide, and forgets the texts as well.
func (v *recordView) forget() {
	v.hide()
	for i := range v.texts {
		v.put(&v.texts[i], "", false)
	}
}

// noteCached notes a field that was just put into the cache.
func (v *recordView) noteCached(key string) {
	if key == callField {
		v.m.view.cached = v.m.view.call.ud
		return
	}
	if text, present := v.rec.Text(key); present && len(text) <= maxCachedText {
		for i := range v.texts {
			if v.texts[i].key == key { // it was absent or long when the record was shown
				v.texts[i].text, v.texts[i].present = text, true
				return
			}
		}
		if len(v.texts) < maxCached {
			v.texts = append(v.texts, cachedText{key, text, true})
			return
		}
	}
	v.fetched = append(v.fetched, key)
}

// instead says which field may be meant by a name that the record doesn't have: that of an agent's own JSON, or a misspelt one.
func (v *recordView) instead(name string) string {
	field := hooks.AgentField(name)
	if _, isCall := v.rec.(*hooks.ToolCall); isCall {
		inCall := ""
		if part, ok := strings.CutPrefix(field, "tool_call."); ok {
			inCall = part
		}
		field = inCall
	}
	root, _, _ := strings.Cut(field, ".")
	if slices.Contains(v.rec.Keys(), root) {
		return fmt.Sprintf("; did you mean %s.%s?", v.name, field)
	}
	return spelling.DidYouMean(name, v.rec.Keys())
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
	if call, ok := v.rec.(*hooks.ToolCall); ok && key == "files" {
		chargeFiles(L, call)
	}
	value, known := v.rec.Value(string(key))
	if !known {
		of := v.name
		if c, ok := v.rec.(*hooks.Context); ok {
			of = fmt.Sprintf("%s (%s)", v.name, c.Event)
		}
		name := string(key[:min(len(key), 100)])
		L.RaiseError("%s has no field %q%s", of, name, v.instead(name))
	}
	if value == nil {
		v.m.view.absent = v.name + "." + string(key)
		L.Push(lua.LNil)
		return 1
	}
	var l lua.LValue
	if text, ok := value.(string); ok { // of whatever length: it is shared, not copied
		v.m.budget.holds(len(text))
		l = lua.LString(text)
	} else {
		var err error
		if l, err = v.m.view.lua(L, value); err != nil {
			L.RaiseError("%s.%s: %s", v.name, string(key), err)
		}
	}
	v.cache.RawSetString(string(key), l)
	v.noteCached(string(key))
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
	defer func(absent string) { v.m.view.absent = absent }(v.m.view.absent) // the script has not asked for these
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
	event, call *recordView
	err, usage  *recordView    // nil: none was asked for yet
	calls       bool           // scripts read ev.tool_call, so that call is kept up to date
	cached      *lua.LUserData // what is under that name in the cache of event; nil: nothing
	kind        hooks.Kind     // of the tool call
	absent      string         // the last field or global that was read and isn't there
}

func newEventView(m *machine) *eventView {
	return &eventView{event: newRecordView(m, "ev"), call: newRecordView(m, "ev.tool_call")}
}

// show shows an event to a state.
func (v *eventView) show(c *hooks.Context, s *State) {
	v.event.lend(&s.views[viewOfEvent])
	v.event.show(c)
	if c.ToolCall != nil {
		v.kind = c.ToolCall.Kind
	}
	if !v.calls {
		return
	}
	if c.ToolCall == nil {
		v.call.forget()
		if v.cached != nil {
			v.event.cache.RawSetString(callField, lua.LNil)
			v.cached = nil
		}
		return
	}
	call := &s.views[viewOfCall]
	v.call.lend(call)
	v.call.show(c.ToolCall)
	if v.cached != call {
		v.event.cache.RawSetString(callField, call)
		v.cached = call
	}
}

// callField is the field that most hooks read first.
const callField = "tool_call"

// hide forgets what there was in a run. A script may keep a view: in its next run it
// shows what that run is about, or says that it is gone.
func (v *eventView) hide() {
	v.absent, v.kind = "", ""
	v.event.hide()
	v.event.takeBack(viewOfEvent)
	v.call.hide()
	v.call.takeBack(viewOfCall)
	if v.err != nil && v.err.rec != nil {
		v.err.forget()
		v.err.takeBack(viewOfError)
	}
	if v.usage != nil && v.usage.rec != nil {
		v.usage.forget()
		v.usage.takeBack(viewOfUsage)
	}
}

// lua makes the Lua value of a field.
func (v *eventView) lua(L *lua.LState, value any) (lua.LValue, error) {
	views := &stateOf(L).views
	show := func(view *recordView, which int, rec record) (lua.LValue, error) {
		view.lend(&views[which])
		view.show(rec)
		return view.ud, nil
	}
	switch r := value.(type) {
	case *hooks.ToolCall:
		v.calls = true
		return show(v.call, viewOfCall, r)
	case *hooks.ErrorInfo:
		if v.err == nil {
			v.err = newRecordView(v.event.m, "ev.error")
		}
		return show(v.err, viewOfError, r)
	case *hooks.Usage:
		if v.usage == nil {
			v.usage = newRecordView(v.event.m, "ev.usage")
		}
		return show(v.usage, viewOfUsage, r)
	}
	return ToLua(L, value)
}

// globalMark stands before the name of a global in absent.
const globalMark = "global "

// chargeFiles pays for finding the files of a tool call: a shell text has to be parsed.
func chargeFiles(L *lua.LState, call *hooks.ToolCall) {
	size := 0
	for _, p := range call.Paths {
		size += len(p) + len(call.Place.Dir) + 16
	}
	if call.Kind == hooks.KindShell {
		size += 6000 + 120*min(len(call.Command), 64<<10)
		Spend(L, 200+8*min(len(call.Command), 64<<10))
	}
	Spend(L, size/16)
	AllocateParts(L, 2*size)
}
