package luabind

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	lua "github.com/yuin/gopher-lua"
)

// FromLua copies a Lua value out: tables as []any or map[string]any, whole numbers
// as int64 (json.Number past its range), json.null as nil. A table is a list if it
// is marked as one (it came from JSON or json.array) or has the keys 1 to n and
// n > 0. Functions, mixed keys, lists with holes, NaN, infinities, cycles and values
// past the bounds are errors that name where. The work is charged to the run's
// budget.
func FromLua(L *lua.LState, v lua.LValue) (any, error) {
	r := &luaReader{charge: func(n int) { Spend(L, n) }}
	return r.read(v)
}

// fromLua is FromLua outside of a run, where nothing could take the error of a limit.
func fromLua(v lua.LValue) (any, error) {
	r := &luaReader{charge: func(int) {}}
	return r.read(v)
}

type luaReader struct {
	nodes  int
	charge func(n int)
}

// chargeEvery is how many parts are read between two charges.
const chargeEvery = 64

// badValue is a value that can't leave Lua. The way to it is put together while the
// error goes up, so that good values cost nothing for it.
type badValue struct {
	at      string
	problem string
}

func (e *badValue) Error() string {
	if e.at == "" {
		return "value " + e.problem
	}
	return e.at + " " + e.problem
}

// under puts a table's key or index before the way to a bad value in it.
func under(err error, key string) error {
	var bad *badValue
	if !errors.As(err, &bad) {
		return err
	}
	if len(key) > 100 {
		key = key[:100] + "..."
	}
	if bad.at != "" && bad.at[0] != '[' {
		key += "."
	}
	if len(bad.at) < 1000 {
		bad.at = key + bad.at
	}
	return bad
}

func bad(format string, args ...any) error {
	return &badValue{problem: fmt.Sprintf(format, args...)}
}

func (r *luaReader) read(v lua.LValue) (any, error) {
	value, err := r.value(v, 0)
	r.charge(r.nodes % chargeEvery)
	return value, err
}

func (r *luaReader) value(v lua.LValue, depth int) (any, error) {
	if r.nodes++; r.nodes > MaxNodes {
		return nil, fmt.Errorf("value has more than %d parts", MaxNodes)
	}
	if r.nodes%chargeEvery == 0 {
		r.charge(chargeEvery)
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
		return number(float64(v))
	case *lua.LTable:
		return r.table(v, depth)
	case *lua.LUserData:
		switch u := v.Value.(type) {
		case null:
			return nil, nil
		case wholeNumber:
			if i, err := u.text.Int64(); err == nil {
				return i, nil
			}
			return u.text, nil
		case *recordView:
			return u.plain()
		}
	}
	return nil, bad("is a %s, which is no data", typeName(v))
}

func number(f float64) (any, error) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return nil, bad("is %v, which JSON can't hold", f)
	}
	if f == math.Trunc(f) && math.Abs(f) <= maxExact {
		return int64(f), nil
	}
	return f, nil
}

func (r *luaReader) table(t *lua.LTable, depth int) (any, error) {
	n := t.Len()
	if isList(t) || n > 0 {
		return r.list(t, n, depth)
	}
	m := map[string]any{}
	var err error
	t.ForEach(func(k, e lua.LValue) {
		if err != nil {
			return
		}
		key, ok := k.(lua.LString)
		if !ok {
			err = bad("has the key %s; use text, or 1 to n without gaps", k)
			return
		}
		var v any
		if v, err = r.value(e, depth+1); err != nil {
			err = under(err, string(key))
			return
		}
		m[string(key)] = v
	})
	if err != nil {
		return nil, err
	}
	return m, nil
}

func (r *luaReader) list(t *lua.LTable, n int, depth int) (any, error) {
	if n > MaxNodes {
		return nil, fmt.Errorf("value has more than %d parts", MaxNodes)
	}
	count := 0
	var err error
	t.ForEach(func(k, _ lua.LValue) {
		if i, ok := k.(lua.LNumber); err == nil && (!ok || float64(i) != math.Trunc(float64(i)) || i < 1 || int(i) > n) {
			err = bad("mixes a list with other keys (%s)", k)
		}
		count++
	})
	if err == nil && count != n {
		err = bad("is a list with gaps")
	}
	if err != nil {
		return nil, err
	}
	l := make([]any, n)
	for i := range l {
		if l[i], err = r.value(t.RawGetInt(i+1), depth+1); err != nil {
			return nil, under(err, "["+strconv.Itoa(i+1)+"]")
		}
	}
	return l, nil
}

// typeName names a value's type for messages, with what scripts know of userdata.
func typeName(v lua.LValue) string {
	if u, ok := v.(*lua.LUserData); ok {
		switch v := u.Value.(type) {
		case *answer:
			return v.kind + "() answer"
		case null:
			return "json.null"
		case wholeNumber:
			return "number"
		case *recordView:
			return v.name
		}
	}
	return v.Type().String()
}
