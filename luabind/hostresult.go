package luabind

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"

	lua "github.com/yuin/gopher-lua"
)

// nodeBytes is about what one part of a value takes in Lua.
const nodeBytes = 64

// hostError is the text of an error that a method gave.
type hostError string

// hostSize counts what a method gave.
type hostSize struct {
	nodes int
	text  int
}

func (s *hostSize) bytes() int { return s.text + s.nodes*nodeBytes }

// plain copies a method's result to what [ToLua] takes, nil and [hostError] beside
// it. It may call methods of the result, so it belongs into the method's goroutine.
func (s *hostSize) plain(v reflect.Value, depth int) (any, error) {
	if s.nodes++; s.nodes > MaxNodes {
		return nil, fmt.Errorf("a value of more than %d parts", MaxNodes)
	}
	if depth > MaxDepth {
		return nil, fmt.Errorf("a value that is nested deeper than %d levels, or holds itself", MaxDepth)
	}
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer, reflect.Map, reflect.Slice, reflect.Func, reflect.Chan:
		if v.IsNil() {
			return nil, nil
		}
	}
	if v.Kind() == reflect.Interface {
		return s.plain(v.Elem(), depth)
	}
	switch special := v.Interface().(type) {
	case error:
		text := special.Error()
		s.text += len(text)
		if depth > 0 {
			return text, nil
		}
		return hostError(text), nil
	case json.Number:
		return special, nil
	case encoding.TextMarshaler:
		text, err := special.MarshalText()
		s.text += len(text)
		return string(text), err
	}
	switch v.Kind() {
	case reflect.String:
		s.text += v.Len()
		return v.String(), nil
	case reflect.Bool:
		return v.Bool(), nil
	case reflect.Pointer:
		return s.plain(v.Elem(), depth+1)
	case reflect.Slice, reflect.Array:
		return s.list(v, depth)
	case reflect.Map:
		return s.table(v, depth)
	case reflect.Struct:
		return s.record(v, depth)
	}
	if v.CanInt() || v.CanUint() || v.CanFloat() {
		return v.Interface(), nil
	}
	return nil, fmt.Errorf("a Go value of type %s", v.Type())
}

func (s *hostSize) list(v reflect.Value, depth int) (any, error) {
	if v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8 {
		s.text += v.Len()
		return string(v.Bytes()), nil
	}
	list := make([]any, 0, min(v.Len(), MaxNodes))
	for i := range v.Len() {
		e, err := s.plain(v.Index(i), depth+1)
		if err != nil {
			return nil, err
		}
		list = append(list, e)
	}
	return list, nil
}

// table copies a map. As a key that is nil isn't there in Lua, neither is it here.
func (s *hostSize) table(v reflect.Value, depth int) (any, error) {
	table := map[string]any{}
	for entries := v.MapRange(); entries.Next(); {
		var name string
		switch k := entries.Key(); {
		case k.Kind() == reflect.String:
			name = k.String()
		case k.CanInt() || k.CanUint():
			name = fmt.Sprint(k.Interface())
		default:
			return nil, fmt.Errorf("a map whose keys are of type %s", k.Type())
		}
		s.text += len(name)
		if err := s.put(table, name, entries.Value(), depth); err != nil {
			return nil, err
		}
	}
	return table, nil
}

// record copies the exported fields of a struct, those of embedded ones included.
func (s *hostSize) record(v reflect.Value, depth int) (any, error) {
	table := map[string]any{}
	for _, f := range reflect.VisibleFields(v.Type()) {
		name := f.Name
		if tag := f.Tag.Get("luar"); tag != "" {
			name = tag
		}
		if !f.IsExported() || name == "-" {
			continue
		}
		value, err := v.FieldByIndexErr(f.Index)
		if err != nil || (f.Anonymous && isStruct(f.Type)) { // of an embedded nil; or its fields come by themselves
			continue
		}
		if err := s.put(table, name, value, depth); err != nil {
			return nil, err
		}
	}
	return table, nil
}

func isStruct(t reflect.Type) bool {
	return t.Kind() == reflect.Struct || (t.Kind() == reflect.Pointer && t.Elem().Kind() == reflect.Struct)
}

func (s *hostSize) put(table map[string]any, name string, v reflect.Value, depth int) error {
	e, err := s.plain(v, depth+1)
	if err == nil && e != nil {
		table[name] = e
	}
	return err
}

// newErrorMeta makes the metatable by which an error reads as its text.
func newErrorMeta(L *lua.LState) *lua.LTable {
	text := func(v lua.LValue) lua.LValue {
		if t, ok := v.(*lua.LTable); ok {
			return t.RawGetString("message")
		}
		return v
	}
	message := L.NewFunction(guarded("Error", func(L *lua.LState) int {
		L.Push(text(L.CheckTable(1)))
		return 1
	}))
	methods := L.CreateTable(0, 1)
	methods.RawSetString("Error", message)
	meta := L.CreateTable(0, 4)
	meta.RawSetString("__index", methods)
	meta.RawSetString("__tostring", message)
	meta.RawSetString("__concat", L.NewFunction(guarded("..", func(L *lua.LState) int {
		return joinTexts(L, text(L.Get(1)), text(L.Get(2)))
	})))
	meta.RawSetString("__metatable", lua.LFalse)
	return meta
}
