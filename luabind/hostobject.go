package luabind

import (
	"context"
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"sync"

	lua "github.com/yuin/gopher-lua"
	luar "layeh.com/gopher-luar"
)

// HostObject is a Go value that an embedder lets its own scripts call. Scripts see
// a read-only table of the named methods and nothing else of it: no fields, no
// other methods.
//
// A method may block: it runs in a goroutine of its own, and where it has not come
// back when the run's time is over, the run fails and the method is left behind (see
// [Stragglers]). One whose first parameter is a context.Context gets the run's, which
// is done then; it is no argument of the script's. Methods are called from several
// goroutines at once. A panic is an error of the hook.
//
// Only data crosses, as copies; what a script does to a result changes nothing of the
// host's. Arguments: strings, numbers and booleans become what the parameter is; a
// parameter of type any, []any or map[string]any gets what [FromLua] makes of a
// value, other slices, maps, arrays, structs (that embed none) and pointers to structs
// what gopher-luar makes of a table. Functions are refused, and so are numbers that
// the parameter can't hold. Results: slices and arrays become lists, maps (by their
// keys as text) and structs (by the names of their exported fields, or those of a tag
// `luar:"name"`) tables, pointers what they point to, []byte and what has a
// MarshalText method text, nil nil. An error becomes a table with the key message,
// which reads as its text where text is wanted and has the method Error. A method
// must not return what may change at that moment.
type HostObject struct {
	Name    string
	Value   any
	Methods []string // Go names
}

// Object is a [HostObject], behind an interface: through reflection any method of any
// type may be called, so that the linker drops none from a program that may load one.
// One that has no host objects, such as the command, is a third smaller and starts
// faster.
type Object interface {
	// Check is that of [HostObject].
	Check() error

	name() string
	methods() []string
	load(L *lua.LState) *lua.LTable
}

func (o HostObject) name() string      { return o.Name }
func (o HostObject) methods() []string { return o.Methods }

// identifier is what a script can write as a name.
var identifier = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`) })

// Check reports whether the name is free and the value has the methods.
func (o HostObject) Check() error {
	if !identifier().MatchString(o.Name) {
		return fmt.Errorf("host object %q: the name can't stand in a script", o.Name)
	}
	for _, f := range Globals {
		if f.Name == o.Name {
			return fmt.Errorf("host object %q: that is a word of hooks", o.Name)
		}
	}
	if o.Value == nil {
		return fmt.Errorf("host object %q is nil", o.Name)
	}
	if len(o.Methods) == 0 {
		return fmt.Errorf("host object %q: name the methods that scripts may call", o.Name)
	}
	for _, name := range o.Methods {
		method := reflect.ValueOf(o.Value).MethodByName(name)
		if !method.IsValid() {
			return fmt.Errorf("host object %q: %T has no method %s", o.Name, o.Value, name)
		}
		if err := checkMethod(method.Type()); err != nil {
			return fmt.Errorf("host object %q: %s %w", o.Name, name, err)
		}
	}
	return nil
}

var (
	luaValueType  = reflect.TypeFor[lua.LValue]() // which *lua.LState is as well
	luarStateType = reflect.TypeFor[*luar.LState]()
	contextType   = reflect.TypeFor[context.Context]()
)

// checkMethod reports whether values can cross as the method's type has them.
func checkMethod(f reflect.Type) error {
	for i := range f.NumIn() + f.NumOut() {
		var t reflect.Type
		if i < f.NumIn() {
			t = f.In(i)
		} else {
			t = f.Out(i - f.NumIn())
		}
		if t.Kind() == reflect.Slice { // as the last parameter of a variadic method is
			t = t.Elem()
		}
		if t.Implements(luaValueType) || t == luarStateType {
			return fmt.Errorf("takes or gives a %s; a method must not touch Lua, as it runs in a goroutine of its own", t)
		}
		if i >= f.NumIn() {
			continue
		}
		if found := embedding(t, map[reflect.Type]bool{}); found != nil {
			return fmt.Errorf("takes a %s, which embeds a struct; name its fields in one of its own", found)
		}
	}
	return nil
}

// load makes the table; both object.Method(x) and object:Method(x) work.
func (o HostObject) load(L *lua.LState) *lua.LTable {
	t := L.CreateTable(0, len(o.Methods))
	errors := newErrorMeta(L)
	for _, name := range o.Methods {
		m := newHostMethod(o.Name+"."+name, reflect.ValueOf(o.Value).MethodByName(name), errors)
		t.RawSetString(name, L.NewFunction(guarded(m.name, func(L *lua.LState) int {
			if self, ok := L.Get(1).(*lua.LTable); ok && stateOf(L).behindReadOnly(self) == t {
				L.Remove(1)
			}
			return m.call(L)
		})))
	}
	return t
}

// hostMethod is one method as scripts call it.
type hostMethod struct {
	name     string // object.Method
	fn       reflect.Value
	context  bool           // whether it takes one
	params   []reflect.Type // without the context; the last is the element's where variadic
	variadic bool
	errors   *lua.LTable // metatable of errors
}

func newHostMethod(name string, fn reflect.Value, errors *lua.LTable) *hostMethod {
	m := &hostMethod{name: name, fn: fn, variadic: fn.Type().IsVariadic(), errors: errors}
	for i := range fn.Type().NumIn() {
		m.params = append(m.params, fn.Type().In(i))
	}
	if last := len(m.params) - 1; m.variadic {
		m.params[last] = m.params[last].Elem()
	}
	if len(m.params) > 0 && m.params[0] == contextType && !(m.variadic && len(m.params) == 1) {
		m.context, m.params = true, m.params[1:]
	}
	return m
}

// call converts the arguments on the stack, waits for the method and pushes what it
// gives.
func (m *hostMethod) call(L *lua.LState) int {
	given, want, more := L.GetTop(), len(m.params), ""
	if m.variadic {
		want, more = want-1, " or more"
	}
	if given < want || (given > want && !m.variadic) {
		L.RaiseError("%s: invalid number of function arguments (%d%s expected, got %d)", m.name, want, more, given)
	}
	args := make([]reflect.Value, 0, given+1)
	if m.context {
		args = append(args, reflect.Value{})
	}
	for i := range given {
		t := m.params[min(i, len(m.params)-1)]
		v, err := hostArgument(L, L.Get(i+1), t)
		if err != nil {
			L.RaiseError("bad argument #%d to %s (%s)", i+1, m.name, err)
		}
		args = append(args, v)
	}
	type returned struct {
		results []any
		size    hostSize
		err     error
	}
	r := Wait(L, m.name, func(ctx context.Context) (r returned) {
		if m.context {
			args[0] = reflect.ValueOf(ctx)
		}
		for _, v := range m.fn.Call(args) {
			var result any
			if result, r.err = r.size.plain(v, 0); r.err != nil {
				break
			}
			r.results = append(r.results, result)
		}
		return r
	})
	if r.err != nil {
		L.RaiseError("%s gives what a script can't have: %s", m.name, r.err)
	}
	Spend(L, r.size.nodes)
	Allocate(L, r.size.bytes())
	for _, result := range r.results {
		v, err := m.result(L, result)
		if err != nil {
			L.RaiseError("%s gives what a script can't have: %s", m.name, err)
		}
		L.Push(v)
	}
	return len(r.results)
}

// result is what the script gets of a plain result.
func (m *hostMethod) result(L *lua.LState, v any) (lua.LValue, error) {
	switch v := v.(type) {
	case nil:
		return lua.LNil, nil
	case hostError:
		t := L.CreateTable(0, 1)
		t.RawSetString("message", lua.LString(v))
		t.Metatable = m.errors
		return t, nil
	}
	return ToLua(L, v)
}

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
// it. It may call methods of the result, so it runs in the method's goroutine.
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
