package luabind

import (
	"encoding/json"
	"fmt"
	"math"

	lua "github.com/yuin/gopher-lua"
)

// Bounds of one value that crosses between Go and Lua.
const (
	MaxDepth = 100
	MaxNodes = 100_000
)

const maxExact = 1 << 53 // whole numbers up to here are exact in a Lua number

// null is what JSON's null is in Lua: a value of its own, because a table can't
// hold nil.
type null struct{}

// wholeNumber is a whole number that a Lua number can't hold exactly. It prints
// and crosses back as it came.
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
	if w.nodes++; w.nodes > MaxNodes {
		return nil, fmt.Errorf("value has more than %d parts", MaxNodes)
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
	case int:
		return w.whole(int64(v)), nil
	case int32:
		return lua.LNumber(v), nil
	case uint32:
		return lua.LNumber(v), nil
	case uint64:
		if v <= maxExact {
			return lua.LNumber(v), nil
		}
		return w.s.wholeNumber(json.Number(fmt.Sprint(v))), nil
	case float32:
		return lua.LNumber(v), nil
	case json.Number:
		return w.s.wholeNumber(v), nil
	case map[string]any:
		t := w.L.CreateTable(0, len(v))
		for k, e := range v {
			l, err := w.value(e, depth+1)
			if err != nil {
				return nil, err
			}
			t.RawSetString(k, l)
		}
		return t, nil
	case map[string]string:
		t := w.L.CreateTable(0, len(v))
		for k, e := range v {
			t.RawSetString(k, lua.LString(e))
		}
		return t, nil
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
			t.Append(lua.LString(e))
		}
		return t, nil
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
	return nil, fmt.Errorf("a Go value of type %T can't be given to a hook; use strings, numbers, booleans, maps and lists", v)
}

func (w *luaWriter) whole(i int64) lua.LValue {
	if i > maxExact || i < -maxExact {
		return w.s.wholeNumber(json.Number(fmt.Sprint(i)))
	}
	return lua.LNumber(i)
}

// FromLua copies a Lua value out: tables as []any or map[string]any, whole numbers
// as int64, json.null as nil. A table is a list if it is marked as one (it came
// from JSON or json.array) or has the keys 1 to n and n > 0. Functions, mixed
// keys, lists with holes, NaN, infinities, cycles and values past the bounds are
// errors that name where.
func FromLua(v lua.LValue) (any, error) {
	r := &luaReader{}
	return r.value(v, "", 0)
}

type luaReader struct{ nodes int }

func (r *luaReader) value(v lua.LValue, at string, depth int) (any, error) {
	if r.nodes++; r.nodes > MaxNodes {
		return nil, fmt.Errorf("value has more than %d parts", MaxNodes)
	}
	if depth > MaxDepth {
		return nil, fmt.Errorf("value is nested deeper than %d levels, or holds itself", MaxDepth)
	}
	switch v := v.(type) {
	case *lua.LNilType:
		return nil, nil
	case lua.LString:
		return string(v), nil
	case lua.LBool:
		return bool(v), nil
	case lua.LNumber:
		return number(float64(v), at)
	case *lua.LTable:
		return r.table(v, at, depth)
	case *lua.LUserData:
		switch u := v.Value.(type) {
		case null:
			return nil, nil
		case wholeNumber:
			return u.text, nil
		case *recordView:
			return u.plain(), nil
		}
		return nil, fmt.Errorf("%sis a %s, which is no data", place(at), describe(v))
	}
	return nil, fmt.Errorf("%sis a %s, which is no data", place(at), v.Type())
}

func place(at string) string {
	if at == "" {
		return "value "
	}
	return at + " "
}

func number(f float64, at string) (any, error) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return nil, fmt.Errorf("%sis %v, which JSON can't hold", place(at), f)
	}
	if f == math.Trunc(f) && math.Abs(f) <= maxExact {
		return int64(f), nil
	}
	return f, nil
}

func (r *luaReader) table(t *lua.LTable, at string, depth int) (any, error) {
	n := t.Len()
	if isList(t) || n > 0 {
		return r.list(t, n, at, depth)
	}
	m := map[string]any{}
	var err error
	t.ForEach(func(k, e lua.LValue) {
		if err != nil {
			return
		}
		key, ok := k.(lua.LString)
		if !ok {
			err = fmt.Errorf("%shas the key %s; use text, or 1 to n without gaps", place(at), k)
			return
		}
		var v any
		if v, err = r.value(e, join(at, string(key)), depth+1); err == nil {
			m[string(key)] = v
		}
	})
	return m, err
}

func (r *luaReader) list(t *lua.LTable, n int, at string, depth int) (any, error) {
	count := 0
	var err error
	t.ForEach(func(k, _ lua.LValue) {
		if i, ok := k.(lua.LNumber); !ok || float64(i) != math.Trunc(float64(i)) || i < 1 || int(i) > n {
			err = fmt.Errorf("%smixes a list with other keys (%s)", place(at), k)
		}
		count++
	})
	if err == nil && count != n {
		err = fmt.Errorf("%sis a list with gaps", place(at))
	}
	if err != nil {
		return nil, err
	}
	l := make([]any, n)
	for i := range l {
		if l[i], err = r.value(t.RawGetInt(i+1), fmt.Sprintf("%s[%d]", at, i+1), depth+1); err != nil {
			return nil, err
		}
	}
	return l, nil
}

func join(at, key string) string {
	if at == "" {
		return key
	}
	return at + "." + key
}

// describe names a userdata for messages.
func describe(u *lua.LUserData) string {
	switch v := u.Value.(type) {
	case *answer:
		return v.kind + "() answer"
	case null:
		return "json.null"
	}
	return "userdata"
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

// NewList makes an empty table that stays a list in JSON.
func NewList(L *lua.LState) *lua.LTable { return stateOf(L).newList(L, 0) }

// Null is json.null of this state.
func Null(L *lua.LState) lua.LValue { return stateOf(L).null }

func (s *State) wholeNumber(text json.Number) lua.LValue {
	u := &lua.LUserData{Value: wholeNumber{text}, Metatable: s.numberMeta}
	return u
}
