package luabind

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/hooks"
)

// FromLua copies a Lua value out: tables as []any or map[string]any, whole numbers
// as int64 (json.Number past its range), json.null as nil. A table is a list if it
// is marked as one (it came from JSON or json.array) or has the keys 1 to n and
// n > 0. Functions, mixed keys, lists with holes, NaN, infinities, cycles and values
// past the bounds are errors that name where. The work, and what the copy takes, is
// charged to the run's budget; strings are shared, not copied.
func FromLua(L *lua.LState, v lua.LValue) (any, error) {
	value, _, err := sizedFromLua(L, v)
	return value, err
}

// sizedFromLua is FromLua with the value's size: the bytes of its strings and some
// for each part.
func sizedFromLua(L *lua.LState, v lua.LValue) (value any, size int, err error) {
	r := &luaReader{meter: Meter{L: L}}
	value, err = r.value(v, 0)
	r.meter.Flush()
	return value, r.size, err
}

// fromLua is sizedFromLua for what a script has returned: there is no call left that
// could take the error of a limit, so it is returned.
func (s *State) fromLua(v lua.LValue) (value any, size int, err error) {
	defer func() {
		if r := recover(); r != nil {
			if s.budget.spent == nil {
				panic(r)
			}
			err = s.budget.spent
		}
	}()
	return sizedFromLua(s.lua, v)
}

type luaReader struct {
	nodes int
	size  int
	meter Meter
}

// part counts one part of a value.
func (r *luaReader) part() error {
	r.size += 8
	if r.nodes++; r.nodes > MaxNodes {
		return errTooManyParts
	}
	r.meter.Add(1, partBytes)
	return nil
}

var errTooManyParts = fmt.Errorf("value has more than %d parts", MaxNodes)

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

func (r *luaReader) value(v lua.LValue, depth int) (any, error) {
	if err := r.part(); err != nil {
		return nil, err
	}
	if depth > MaxDepth {
		return nil, fmt.Errorf("value is nested deeper than %d levels, or holds itself", MaxDepth)
	}
	switch v := v.(type) {
	case *lua.LNilType:
		return nil, nil
	case lua.LString:
		r.size += len(v)
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
			if u.rec == nil {
				return nil, u.gone()
			}
			return r.record(u.rec, depth)
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
	beforeWalk(r.meter.L, t)
	r.meter.Add(walkWork(t), 0) // which may have held more than it does
	if n := t.Len(); n > 0 || isList(t) {
		return r.list(t, n, depth)
	}
	r.meter.Add(8, 0)
	m := map[string]any{}
	for k, e := t.Next(lua.LNil); k != lua.LNil; k, e = t.Next(k) {
		key, ok := k.(lua.LString)
		if !ok {
			return nil, bad("has the key %s; use text, or 1 to n without gaps", RawText(k))
		}
		v, err := r.value(e, depth+1)
		if err != nil {
			return nil, under(err, string(key))
		}
		if len(m) == 0 {
			r.meter.Add(len(key)/16, 350) // what a small map takes
		} else {
			r.meter.Add(2+len(key)/16, 100)
		}
		r.size += len(key)
		m[string(key)] = v
	}
	return m, nil
}

// list reads the table's items 1 to n, which must be all that is in it.
func (r *luaReader) list(t *lua.LTable, n int, depth int) (any, error) {
	if n > MaxNodes {
		return nil, errTooManyParts
	}
	var last lua.LValue = lua.LNil
	if n > 0 {
		last = lua.LNumber(n)
	}
	if k, _ := t.Next(last); k != lua.LNil {
		return nil, bad("mixes a list with other keys (%s)", RawText(k))
	}
	r.meter.Add(4, 32+16*n)
	l := make([]any, n)
	for i := range l {
		e := t.RawGetInt(i + 1)
		if e == lua.LNil {
			return nil, bad("is a list with gaps")
		}
		var err error
		if l[i], err = r.value(e, depth+1); err != nil {
			return nil, under(err, "["+strconv.Itoa(i+1)+"]")
		}
	}
	return l, nil
}

// record copies the fields of an event, or of a part of it, as data. Events aren't
// bounded by parts, so they are counted like tables.
func (r *luaReader) record(rec record, depth int) (any, error) {
	m := map[string]any{}
	r.meter.Add(8, 350)
	for _, key := range rec.Keys() {
		value, _ := rec.Value(key)
		if value == nil {
			continue
		}
		r.meter.Add(2, 100)
		r.size += len(key)
		var err error
		if part, ok := value.(record); ok {
			m[key], err = r.record(part, depth+1)
		} else if err = r.plain(value, depth+1); err == nil {
			m[key] = hooks.CloneValue(value)
		}
		if err != nil {
			return nil, under(err, key)
		}
	}
	return m, nil
}

// plain counts the parts of a Go value that is about to be copied.
func (r *luaReader) plain(v any, depth int) error {
	if depth > MaxDepth {
		return fmt.Errorf("value is nested deeper than %d levels", MaxDepth)
	}
	if err := r.part(); err != nil {
		return err
	}
	switch v := v.(type) {
	case string:
		r.size += len(v)
	case map[string]any:
		r.meter.Add(8, 350+100*min(len(v), MaxNodes))
		for k, e := range v {
			r.size += len(k)
			if err := r.plain(e, depth+1); err != nil {
				return err
			}
		}
	case []any:
		r.meter.Add(4, 32+16*min(len(v), MaxNodes))
		for _, e := range v {
			if err := r.plain(e, depth+1); err != nil {
				return err
			}
		}
	case []string:
		for _, e := range v {
			if err := r.plain(e, depth+1); err != nil {
				return err
			}
		}
	case map[string]string:
		for k, e := range v {
			r.size += len(k)
			if err := r.plain(e, depth+1); err != nil {
				return err
			}
		}
	case []map[string]any:
		for _, e := range v {
			if err := r.plain(e, depth+1); err != nil {
				return err
			}
		}
	}
	return nil
}
