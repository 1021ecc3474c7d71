package luabind

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// ToLua copies a plain Go value (what JSON decodes to, any Go number, lists and
// maps of strings) into a state. nil becomes json.null; lists are marked, so that
// an empty one stays a list. Deep, large and foreign values are errors. What the
// copy takes is charged to the run's budget; strings are shared, not copied. Where
// the budget is used up, that is the error: nothing is raised.
func ToLua(L *lua.LState, v any) (l lua.LValue, err error) {
	b, _ := L.Context().(*budget)
	defer func() {
		if r := recover(); r != nil {
			if b == nil || b.spent == nil {
				panic(r)
			}
			l, err = nil, b.spent
		}
	}()
	w := &luaWriter{L: L, s: stateOf(L), meter: Meter{L: L}}
	l, err = w.value(v, 0)
	w.meter.Flush()
	return l, err
}

type luaWriter struct {
	L     *lua.LState
	s     *State
	nodes int
	meter Meter
}

func (w *luaWriter) value(v any, depth int) (lua.LValue, error) {
	w.nodes++
	if err := w.bound(); err != nil {
		return nil, err
	}
	w.meter.Add(1, partBytes)
	if depth > MaxDepth {
		return nil, fmt.Errorf("value is nested deeper than %d levels", MaxDepth)
	}
	switch v := v.(type) {
	case nil:
		return w.s.null(), nil
	case string:
		return w.text(v), nil
	case bool:
		return lua.LBool(v), nil
	case float64:
		return lua.LNumber(v), nil
	case int64:
		return w.whole(v), nil
	case json.Number:
		return w.number(v)
	case map[string]any:
		t := w.object(len(v))
		for _, k := range sortedKeys(v) {
			l, err := w.value(v[k], depth+1)
			if err != nil {
				return nil, err
			}
			t.RawSetString(k, l)
		}
		return t, nil
	case map[string]string:
		w.nodes += len(v)
		if err := w.bound(); err != nil {
			return nil, err
		}
		t := w.object(len(v))
		for _, k := range sortedKeys(v) {
			t.RawSetString(k, w.text(v[k]))
		}
		return t, nil
	case []any:
		t := w.list(len(v))
		for _, e := range v {
			l, err := w.value(e, depth+1)
			if err != nil {
				return nil, err
			}
			t.Append(l)
		}
		return t, nil
	case []string:
		w.nodes += len(v)
		if err := w.bound(); err != nil {
			return nil, err
		}
		t := w.list(len(v))
		for _, e := range v {
			t.Append(w.text(e))
		}
		return t, nil
	case []map[string]any:
		t := w.list(len(v))
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
		return w.wholeNumber(json.Number(strconv.FormatUint(n.Uint(), 10))), nil
	case n.CanFloat():
		return lua.LNumber(n.Float()), nil
	}
	return nil, fmt.Errorf("a Go value of type %T can't be given to a hook; use strings, numbers, booleans, maps and lists", v)
}

// text shares a string that was there before.
func (w *luaWriter) text(s string) lua.LValue {
	if w.s != nil {
		w.s.budget.holds(len(s))
	}
	return lua.LString(s)
}

// object makes an empty table for so many keys.
func (w *luaWriter) object(keys int) *lua.LTable {
	w.meter.AddTable(2*keys, 0, keys)
	return w.L.CreateTable(0, keys)
}

// list makes an empty list for so many items.
func (w *luaWriter) list(items int) *lua.LTable {
	w.meter.AddTable(items, items, 0)
	return w.s.newList(w.L, items)
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
	s := string(text)
	if s == "" || len(s) > 1000 || (s[0] != '-' && (s[0] < '0' || s[0] > '9')) || !json.Valid([]byte(s)) {
		return nil, fmt.Errorf("%.100q is no number", s)
	}
	if i, err := text.Int64(); err == nil {
		return w.whole(i), nil
	}
	f, err := text.Float64()
	if err != nil || (f == math.Trunc(f) && significant(s) != significant(strconv.FormatFloat(f, 'e', -1, 64))) {
		return w.wholeNumber(text), nil
	}
	return lua.LNumber(f), nil
}

// significant is the digits of a number in decimal, without the zeros around them.
func significant(number string) string {
	mantissa, _, _ := strings.Cut(strings.ToLower(number), "e")
	return strings.Trim(strings.Replace(strings.TrimPrefix(mantissa, "-"), ".", "", 1), "0")
}

func (w *luaWriter) wholeNumber(text json.Number) lua.LValue {
	w.meter.Add(8, 64+len(text))
	return w.s.wholeNumber(text)
}

func (w *luaWriter) whole(i int64) lua.LValue {
	if i > maxExact || i < -maxExact {
		return w.wholeNumber(json.Number(strconv.FormatInt(i, 10)))
	}
	return lua.LNumber(i)
}

// newList makes an empty table that stays a list in JSON.
func (s *State) newList(L *lua.LState, capacity int) *lua.LTable {
	t := L.CreateTable(capacity, 0)
	t.Metatable = s.listMeta()
	return t
}

// MarkList makes a table a list for JSON, even while it is empty.
func MarkList(L *lua.LState, t *lua.LTable) { t.Metatable = stateOf(L).listMeta() }

// Null is json.null of this state.
func Null(L *lua.LState) lua.LValue { return stateOf(L).null() }

func (s *State) wholeNumber(text json.Number) lua.LValue {
	return &lua.LUserData{Value: wholeNumber{text}, Metatable: s.numberMeta()}
}

// metatables are those of the values that cross, each made with the first such value.
// Scripts can't get hold of them.
type metatables struct {
	list, number, answer *lua.LTable
	null                 *lua.LUserData
}

// hidden makes a metatable in whose place scripts see a name.
func (s *State) hidden(name string) *lua.LTable {
	meta := s.lua.CreateTable(0, 4)
	meta.RawSetString("__metatable", lua.LString(name))
	return meta
}

func (s *State) listMeta() *lua.LTable {
	if s.metatables.list == nil {
		s.metatables.list = s.hidden("list")
		s.metatables.list.RawSetString(listMark, lua.LTrue)
	}
	return s.metatables.list
}

func (s *State) answerMeta() *lua.LTable {
	if s.metatables.answer == nil {
		s.metatables.answer = s.hidden("answer")
		s.metatables.answer.RawSetString("__tostring", s.lua.NewFunction(func(L *lua.LState) int {
			a, _ := L.CheckUserData(1).Value.(*answer)
			s.chargeText(L, 4*min(len(a.text), maxShownAnswer)) // quoted, a byte can take four
			L.Push(lua.LString(a.String()))
			return 1
		}))
	}
	return s.metatables.answer
}

// null is the one null of this state.
func (s *State) null() *lua.LUserData {
	if s.metatables.null == nil {
		meta := s.hidden("null")
		meta.RawSetString("__tostring", s.lua.NewFunction(func(L *lua.LState) int {
			L.Push(lua.LString("null"))
			return 1
		}))
		s.metatables.null = &lua.LUserData{Value: null{}, Metatable: meta}
	}
	return s.metatables.null
}

func (s *State) numberMeta() *lua.LTable {
	if s.metatables.number == nil {
		meta := s.hidden("number")
		meta.RawSetString("__tostring", s.lua.NewFunction(wholeNumberText))
		meta.RawSetString("__eq", s.lua.NewFunction(equalWholeNumbers))
		meta.RawSetString("__concat", s.lua.NewFunction(joinWholeNumber))
		s.metatables.number = meta
	}
	return s.metatables.number
}

func wholeNumberText(L *lua.LState) int {
	u, _ := L.CheckUserData(1).Value.(wholeNumber)
	L.Push(lua.LString(u.text))
	return 1
}

func equalWholeNumbers(L *lua.LState) int {
	a, _ := L.CheckUserData(1).Value.(wholeNumber)
	b, _ := L.CheckUserData(2).Value.(wholeNumber)
	L.Push(lua.LBool(a == b))
	return 1
}

// joinWholeNumber is .. where one side is a whole number and the other one, too, or a text.
func joinWholeNumber(L *lua.LState) int { return joinTexts(L, L.Get(1), L.Get(2)) }

// joinTexts gives a .. b of a metamethod, and charges for it as for any other.
func joinTexts(L *lua.LState, a, b lua.LValue) int {
	left, ok := plainText(a)
	right, alsoOK := plainText(b)
	switch {
	case !ok:
		L.RaiseError("attempt to concatenate a %s", typeName(a))
	case !alsoOK:
		L.RaiseError("attempt to concatenate a %s", typeName(b))
	}
	stateOf(L).chargeText(L, len(left)+len(right))
	L.Push(lua.LString(left + right))
	return 1
}
