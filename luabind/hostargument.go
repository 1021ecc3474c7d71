package luabind

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"strconv"
	"sync"

	lua "github.com/yuin/gopher-lua"
	luar "layeh.com/gopher-luar"
)

var (
	anyType     = reflect.TypeFor[any]()
	anyListType = reflect.TypeFor[[]any]()
	anyMapType  = reflect.TypeFor[map[string]any]()
)

// hostArgument converts what a script gives to a parameter of type t. Nothing of the
// result belongs to Lua.
func hostArgument(L *lua.LState, v lua.LValue, t reflect.Type) (reflect.Value, error) {
	u, isUserData := v.(*lua.LUserData)
	if isUserData {
		if _, isNull := u.Value.(null); isNull {
			v, isUserData = lua.LNil, false
		}
	}
	if v == lua.LNil {
		switch t.Kind() {
		case reflect.Chan, reflect.Func, reflect.Interface, reflect.Map, reflect.Pointer, reflect.Slice:
			return reflect.Zero(t), nil
		}
		return reflect.Value{}, fmt.Errorf("cannot use nil as type %s", t)
	}
	if t == anyType || t == anyListType || t == anyMapType {
		return openArgument(L, v, t)
	}
	wrong := fmt.Errorf("cannot use %s as type %s", typeName(v), t)
	switch v := v.(type) {
	case lua.LBool:
		if t.Kind() == reflect.Bool {
			return reflect.ValueOf(bool(v)).Convert(t), nil
		}
	case lua.LString:
		bytes := t.Kind() == reflect.Slice && (t.Elem().Kind() == reflect.Uint8 || t.Elem().Kind() == reflect.Int32)
		if t.Kind() == reflect.String || bytes {
			return reflect.ValueOf(string(v)).Convert(t), nil
		}
	case lua.LNumber:
		return numberArgument(float64(v), v.String(), t, wrong)
	case *lua.LFunction:
		return reflect.Value{}, errNoFunctions
	case *lua.LTable:
		switch t.Kind() {
		case reflect.Slice, reflect.Array, reflect.Map, reflect.Struct, reflect.Pointer:
			if err := (&tableCheck{L: L}).value(v, 0); err != nil {
				return reflect.Value{}, err
			}
			return tableArgument(L, v, t)
		}
	}
	if isUserData {
		if whole, ok := u.Value.(wholeNumber); ok {
			return wholeArgument(whole.text, t, wrong)
		}
	}
	return reflect.Value{}, wrong
}

var errNoFunctions = errors.New("a function can't be given to a method, which runs in a goroutine of its own; give it data")

// openArgument is an argument for a parameter that takes any data.
func openArgument(L *lua.LState, v lua.LValue, t reflect.Type) (reflect.Value, error) {
	if v.Type() == lua.LTFunction {
		return reflect.Value{}, errNoFunctions
	}
	data, err := FromLua(L, v)
	if err != nil {
		return reflect.Value{}, err
	}
	if m, ok := data.(map[string]any); ok && len(m) == 0 && t == anyListType {
		data = []any{} // an empty table is both
	}
	if l, ok := data.([]any); ok && len(l) == 0 && t == anyMapType {
		data = map[string]any{}
	}
	got := reflect.ValueOf(data)
	if !got.Type().AssignableTo(t) {
		return reflect.Value{}, fmt.Errorf("cannot use %s as type %s", map[bool]string{true: "a list", false: "what is no list"}[t == anyMapType], t)
	}
	return got, nil
}

// numberArgument is a number as one of Go's. What it can't hold is an error, not cut
// off.
func numberArgument(f float64, text string, t reflect.Type, wrong error) (reflect.Value, error) {
	v := reflect.New(t).Elem()
	switch k := t.Kind(); {
	case k == reflect.String:
		v.SetString(text) // as everywhere in Lua
	case v.CanFloat():
		v.SetFloat(f)
	case !v.CanInt() && !v.CanUint():
		return v, wrong
	case f != math.Trunc(f) || math.IsInf(f, 0): // NaN is neither
		return v, fmt.Errorf("whole number expected, got %s", text)
	case v.CanInt() && math.Abs(f) < 1<<63 && !v.OverflowInt(int64(f)):
		v.SetInt(int64(f))
	case v.CanUint() && f >= 0 && f < 1<<64 && !v.OverflowUint(uint64(f)):
		v.SetUint(uint64(f))
	default:
		return v, fmt.Errorf("%s is out of the range of type %s", text, t)
	}
	return v, nil
}

// wholeArgument is a number that Lua's can't hold, see [wholeNumber].
func wholeArgument(text json.Number, t reflect.Type, wrong error) (reflect.Value, error) {
	v := reflect.New(t).Elem()
	outside := fmt.Errorf("%s is out of the range of type %s", text, t)
	switch {
	case t.Kind() == reflect.String:
		v.SetString(string(text))
	case v.CanFloat():
		f, err := text.Float64()
		if err != nil {
			return v, outside
		}
		v.SetFloat(f)
	case v.CanInt():
		i, err := text.Int64()
		if err != nil || v.OverflowInt(i) {
			return v, outside
		}
		v.SetInt(i)
	case v.CanUint():
		u, err := strconv.ParseUint(string(text), 10, 64)
		if err != nil || v.OverflowUint(u) {
			return v, outside
		}
		v.SetUint(u)
	default:
		return v, wrong
	}
	return v, nil
}

// tableArgument has gopher-luar convert a table that was checked: it converts the
// arguments of a function, so it gets one that keeps its argument.
func tableArgument(L *lua.LState, t *lua.LTable, as reflect.Type) (got reflect.Value, err error) {
	keep := reflect.MakeFunc(reflect.FuncOf([]reflect.Type{as}, nil, false), func(args []reflect.Value) []reflect.Value {
		got = args[0]
		return nil
	})
	err = L.CallByParam(lua.P{Fn: luar.New(L, keep.Interface()), Protect: true}, t)
	if err == nil {
		return got, nil
	}
	message := err.Error()
	var api *lua.ApiError
	if errors.As(err, &api) {
		message = api.Object.String()
	}
	if m := luarComplaint().FindStringSubmatch(message); m != nil { // whose number is that of the function that keeps
		message = m[1]
	}
	return got, errors.New(tableAddress().ReplaceAllString(message, "table"))
}

var (
	luarComplaint = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?s)bad argument #1 to \S+ \((.*)\)$`) })
	tableAddress  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`table: 0x[0-9a-f]+ \(type \*lua\.LTable\)`) })
)

// embedding finds a struct in a parameter's type that embeds another. gopher-luar
// takes the promoted fields of such a one for others.
func embedding(t reflect.Type, seen map[reflect.Type]bool) (found reflect.Type) {
	if seen[t] {
		return nil
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		return embedding(t.Elem(), seen)
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			if f.Anonymous && isStruct(f.Type) {
				return t
			}
			if !f.IsExported() {
				continue
			}
			if found = embedding(f.Type, seen); found != nil {
				return found
			}
		}
	}
	return nil
}

// tableCheck holds a table to what gopher-luar can convert: data, not deeper than
// [MaxDepth], as it calls itself for each level.
type tableCheck struct {
	L     *lua.LState
	nodes int
}

func (c *tableCheck) value(v lua.LValue, depth int) (err error) {
	if c.nodes++; c.nodes > MaxNodes {
		return fmt.Errorf("the table has more than %d parts", MaxNodes)
	}
	if c.nodes%chargeEvery == 1 {
		Spend(c.L, chargeEvery)
		Allocate(c.L, chargeEvery*nodeBytes)
	}
	switch v := v.(type) {
	case lua.LBool, lua.LNumber, lua.LString:
		return nil
	case *lua.LTable:
		if depth > MaxDepth {
			return fmt.Errorf("the table is nested deeper than %d levels, or holds itself", MaxDepth)
		}
		beforeWalk(c.L, v)
		Each(c.L, v, func(k, e lua.LValue) {
			if err == nil {
				err = c.value(k, depth+1)
			}
			if err == nil {
				err = c.value(e, depth+1)
			}
		})
		return err
	case *lua.LFunction:
		return errNoFunctions
	}
	return fmt.Errorf("the table holds a %s, which is no data", typeName(v))
}
