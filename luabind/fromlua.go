package luabind

import (
	"fmt"
	"math"

	lua "github.com/yuin/gopher-lua"
)

// FromLua copies a Lua value out: tables as []any or map[string]any, whole numbers
// as int64 (json.Number past its range), json.null as nil. A table is a list if it is marked as one (it came
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
			if i, err := u.text.Int64(); err == nil {
				return i, nil
			}
			return u.text, nil
		case *recordView:
			return u.plain()
		}
	}
	return nil, fmt.Errorf("%sis a %s, which is no data", place(at), typeName(v))
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
	if err != nil {
		return nil, err
	}
	return m, nil
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
