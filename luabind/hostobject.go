package luabind

import (
	"fmt"
	"reflect"

	lua "github.com/yuin/gopher-lua"
	luar "layeh.com/gopher-luar"
)

// HostObject is a Go value that an embedder lets its own scripts call. Scripts see
// a read-only table of the named methods and nothing else of it: no fields, no
// other methods. Methods are called from several goroutines at once, take and give
// what gopher-luar converts, and should return soon: while one runs, no budget can
// stop the hook. A method's panic is an error of the hook.
type HostObject struct {
	Name    string
	Value   any
	Methods []string // Go names
}

// Check tells whether the value has the methods.
func (o HostObject) Check() error {
	if o.Value == nil {
		return fmt.Errorf("host object %q is nil", o.Name)
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
