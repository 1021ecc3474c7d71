package compile

import (
	"bytes"
	"errors"
	"reflect"
	"testing"

	lua "github.com/yuin/gopher-lua"
)

// everything has each kind of constant, of variable and of function.
const everything = `local a, b = 1, "two"
local t = { 1, 2.5, -3, "x", nested = { [1] = true, [2] = false, [3] = nil }, ["long key"] = 1e300 }
local function count(...)
  local n = select("#", ...)
  for i = 1, n do t[i] = function() a = a + i; return a end end
  return n, ...
end
function t.nested:method(x) return self, x .. b .. "c", x == nil, x == true, x ~= false end
for k, v in pairs(t) do if k == "no" then goto out end end
::out::
while a < 3 do a = a + 1 end
repeat local z = a until z
global = count(1, 2, 3)
if not global then error("no " .. global.x) end
return t, count
`

func compiledForTest(t *testing.T, source string) *Program {
	t.Helper()
	p, err := Script("a.lua", source)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func encoded(t *testing.T, p *Program) []byte {
	t.Helper()
	code, err := p.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return code
}

// same compares all that a function needs, whatever the capacity of its lists.
func same(t *testing.T, want, got *lua.FunctionProto) {
	t.Helper()
	w, g := reflect.ValueOf(want).Elem(), reflect.ValueOf(got).Elem()
	for i := range w.NumField() {
		field := w.Type().Field(i).Name
		switch {
		case field == "FunctionPrototypes":
		case field == "DbgLocals": // for the debug library, which nobody has
		case w.Field(i).Kind() == reflect.Slice && w.Field(i).Len() == 0 && g.Field(i).Len() == 0:
		case field == "stringConstants":
			if want, got := *stringConstants(want), *stringConstants(got); !reflect.DeepEqual(want, got) {
				t.Errorf("line %d: stringConstants: got %q, want %q", w.FieldByName("LineDefined").Int(), got, want)
			}
		default:
			if want, got := w.Field(i).Interface(), g.Field(i).Interface(); !reflect.DeepEqual(want, got) {
				t.Errorf("line %d: %s: got %v, want %v", w.FieldByName("LineDefined").Int(), field, got, want)
			}
		}
	}
	if len(want.FunctionPrototypes) != len(got.FunctionPrototypes) {
		t.Fatalf("got %d functions within, want %d", len(got.FunctionPrototypes), len(want.FunctionPrototypes))
	}
	for i := range want.FunctionPrototypes {
		same(t, want.FunctionPrototypes[i], got.FunctionPrototypes[i])
	}
}

func TestDecodeRestoresAProgram(t *testing.T) {
	for name, source := range map[string]string{"everything": everything, "empty": "", "shebang": "#!/bin/lua\nreturn 1"} {
		t.Run(name, func(t *testing.T) {
			p := compiledForTest(t, source)
			restored, err := Decode("a.lua", string(encoded(t, p)))
			if err != nil {
				t.Fatal(err)
			}
			same(t, p.proto, restored.proto)
			if !bytes.Equal(encoded(t, p), encoded(t, restored)) {
				t.Error("encoded again it is something else")
			}
		})
	}
}

// Nothing but a whole program of this version is taken.
func TestDecodeRefusesWhatIsNoProgram(t *testing.T) {
	code := string(encoded(t, compiledForTest(t, everything)))
	for i := range len(code) {
		if p, err := Decode("a.lua", code[:i]); !errors.Is(err, errNotCompiled) || p != nil {
			t.Fatalf("the first %d bytes: got %v, %v", i, p, err)
		}
	}
	for name, code := range map[string]string{"more": code + "\x00", "another version": "\x7f" + code[1:]} {
		if _, err := Decode("a.lua", code); !errors.Is(err, errNotCompiled) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}
