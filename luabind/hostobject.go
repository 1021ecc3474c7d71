package luabind

import (
	"fmt"
	"reflect"
	"regexp"

	lua "github.com/yuin/gopher-lua"
	luar "layeh.com/gopher-luar"
)

// HostObject is a Go value that an embedder lets its own scripts call. Scripts see
// a read-only table of the named methods and nothing else of it: no fields, no
// other methods. Methods are called from several goroutines at once, take and give
// what gopher-luar converts, and should return soon: while one runs, no budget can
// stop the hook. A method's panic is an error of the hook. An object that a method
// returns shows all its methods and fields: return plain values.
type HostObject struct {
	Name    string
	Value   any
	Methods []string // Go names
}

// identifier is what a script can write as a name.
var identifier = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// Check tells whether the name is free and the value has the methods.
func (o HostObject) Check() error {
	if !identifier.MatchString(o.Name) {
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
		if !reflect.ValueOf(o.Value).MethodByName(name).IsValid() {
			return fmt.Errorf("host object %q: %T has no method %s", o.Name, o.Value, name)
		}
	}
	return nil
}

// load makes the table; both object.Method(x) and object:Method(x) work.
func (o HostObject) load(L *lua.LState) *lua.LTable {
	t := L.CreateTable(0, len(o.Methods))
	for _, name := range o.Methods {
		method := luar.New(L, reflect.ValueOf(o.Value).MethodByName(name).Interface()).(*lua.LFunction)
		t.RawSetString(name, L.NewFunction(guarded(o.Name+"."+name, func(L *lua.LState) int {
			if self, ok := L.Get(1).(*lua.LTable); ok && stateOf(L).open(self) == t {
				L.Remove(1)
			}
			args := L.GetTop()
			L.Insert(method, 1)
			L.Call(args, lua.MultRet)
			return L.GetTop()
		})))
	}
	return t
}
