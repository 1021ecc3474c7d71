package luabind

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/hooks"
)

// Bounds of one value that crosses between Go and Lua.
const (
	MaxDepth = 100
	MaxNodes = 100_000
)

const maxExact = 1<<53 - 1 // up to here a Lua number stands for one whole number alone

// null is what JSON's null is in Lua: a value of its own, because a table can't
// hold nil.
type null struct{}

// wholeNumber is a number, as a rule a whole one, that a Lua number can't hold
// exactly. It prints and crosses back as it came.
type wholeNumber struct{ text json.Number }

// ToLua copies a plain Go value (what JSON decodes to, any Go number, lists and
// maps of strings) into a state. nil becomes json.null; lists are marked, so that
// an empty one stays a list. Deep, large and foreign values are errors.
func ToLua(L *lua.LState, v any) (lua.LValue, error) {
	w := &luaWriter{L: L, s: stateOf(L)}
	return w.value(v, 0)
}

type luaWriter struct {
	L     *lua.LState
	s     *State
	nodes int
}

func (w *luaWriter) value(v any, depth int) (lua.LValue, error) {
	w.nodes++
	if err := w.bound(); err != nil {
		return nil, err
	}
	if depth > MaxDepth {
		return nil, fmt.Errorf("value is nested deeper than %d levels", MaxDepth)
	}
	switch v := v.(type) {
	case nil:
		return w.s.null, nil
	case string:
		return lua.LString(v), nil
	case bool:
		return lua.LBool(v), nil
	case float64:
		return lua.LNumber(v), nil
	case int64:
		return w.whole(v), nil
	case json.Number:
		return w.number(v)
	case map[string]any:
		t := w.L.CreateTable(0, len(v))
		for _, k := range sortedKeys(v) {
			l, err := w.value(v[k], depth+1)
			if err != nil {
				return nil, err
			}
			t.RawSetString(k, l)
		}
		return t, nil
	case map[string]string:
		t := w.L.CreateTable(0, len(v))
		for _, k := range sortedKeys(v) {
			w.nodes++
			t.RawSetString(k, lua.LString(v[k]))
		}
		return t, w.bound()
	case []any:
		t := w.s.newList(w.L, len(v))
		for _, e := range v {
			l, err := w.value(e, depth+1)
			if err != nil {
				return nil, err
			}
			t.Append(l)
		}
		return t, nil
	case []string:
		t := w.s.newList(w.L, len(v))
		for _, e := range v {
			w.nodes++
			t.Append(lua.LString(e))
		}
		return t, w.bound()
	case []map[string]any:
		t := w.s.newList(w.L, len(v))
		for _, e := range v {
			l, err := w.value(e, depth+1)
			if err != nil {
				return nil, err
			}
			t.Append(l)
		}
		return t, nil
	}
	switch n := reflect.ValueOf(v); {
	case n.CanInt():
		return w.whole(n.Int()), nil
	case n.CanUint() && n.Uint() <= maxExact:
		return lua.LNumber(n.Uint()), nil
	case n.CanUint():
		return w.s.wholeNumber(json.Number(fmt.Sprint(n.Uint()))), nil
	case n.CanFloat():
		return lua.LNumber(n.Float()), nil
	}
	return nil, fmt.Errorf("a Go value of type %T can't be given to a hook; use strings, numbers, booleans, maps and lists", v)
}

// sortedKeys is the order in which pairs will walk a table, the same in every state
// and run.
func sortedKeys[V any](m map[string]V) []string {
	return slices.Sorted(maps.Keys(m))
}

func (w *luaWriter) bound() error {
	if w.nodes > MaxNodes {
		return fmt.Errorf("value has more than %d parts", MaxNodes)
	}
	return nil
}

// number reads the text of a number as events do.
func (w *luaWriter) number(text json.Number) (lua.LValue, error) {
	v, err := hooks.DecodeJSON([]byte(text))
	if err != nil {
		return nil, fmt.Errorf("%q is no number", text)
	}
	switch v := v.(type) {
	case int64:
		return w.whole(v), nil
	case float64:
		return lua.LNumber(v), nil
	}
	return w.s.wholeNumber(text), nil
}

func (w *luaWriter) whole(i int64) lua.LValue {
	if i > maxExact || i < -maxExact {
		return w.s.wholeNumber(json.Number(fmt.Sprint(i)))
	}
	return lua.LNumber(i)
}

// newList makes an empty table that stays a list in JSON.
func (s *State) newList(L *lua.LState, capacity int) *lua.LTable {
	t := L.CreateTable(capacity, 0)
	t.Metatable = s.listMeta
	return t
}

// listMark is the key by which a list's metatable is known.
const listMark = "\x00list"

func isList(t *lua.LTable) bool {
	meta, ok := t.Metatable.(*lua.LTable)
	return ok && meta.RawGetString(listMark) == lua.LTrue
}

// MarkList makes a table a list for JSON, even while it is empty.
func MarkList(L *lua.LState, t *lua.LTable) { t.Metatable = stateOf(L).listMeta }

// Null is json.null of this state.
func Null(L *lua.LState) lua.LValue { return stateOf(L).null }

func (s *State) wholeNumber(text json.Number) lua.LValue {
	return &lua.LUserData{Value: wholeNumber{text}, Metatable: s.numberMeta}
}
