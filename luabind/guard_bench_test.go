package luabind_test

import (
	"context"
	"strings"
	"testing"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
)

// What the guards cost: the same code in the sandbox and in gopher-lua itself, under
// a context that is never done.
var guarded = []struct{ name, body string }{
	{"policy", `
local words = { "rm -rf", "mkfs", "dd if=" }
function hook(command)
  local found = {}
  for i, word in ipairs(words) do
    if command:find(word, 1, true) then found[#found + 1] = word end
  end
  if #found > 0 then return "denied: " .. found[1] .. " in " .. command end
  local seen = { command = command, count = 1 }
  return nil, seen
end`},
	{"join2", `function hook(s) for i = 1, 100 do local x = s .. "x" end end`},
	{"join5", `function hook(s) for i = 1, 100 do local x = s .. "x" .. i .. "y" .. s end end`},
	{"store", `function hook() local t = {} for i = 1, 100 do t[i] = i end end`},
	{"replace", `local t = {} for i = 1, 100 do t[i] = i end function hook() for i = 1, 100 do t[i] = i end end`},
	{"swap", `local t = {} for i = 1, 100 do t[i] = i end function hook() for i = 1, 99 do t[i], t[i + 1] = t[i + 1], t[i] end end`},
	{"values", `local function f() return 1, 2, 3 end function hook() for i = 1, 100 do local t = { f() } end end`},
}

func BenchmarkGuardsInSandbox(b *testing.B) {
	for _, g := range guarded {
		b.Run(g.name, func(b *testing.B) {
			s := load(b, g.body+` on("stop", function() hook("git push --force origin main") end)`, luabind.Environment{})
			c := sample(b, hooks.Stop)
			b.ReportAllocs()
			for b.Loop() {
				if out := s.Call(context.Background(), 0, c, luabind.Limits{}); out.Err != nil {
					b.Fatal(out.Err)
				}
			}
		})
	}
}

func BenchmarkGuardsPlain(b *testing.B) {
	for _, g := range guarded {
		b.Run(g.name, func(b *testing.B) {
			L := lua.NewState()
			defer L.Close()
			L.SetContext(context.Background())
			f, err := L.Load(strings.NewReader(g.body+` return function() hook("git push --force origin main") end`), "a.lua")
			if err != nil {
				b.Fatal(err)
			}
			L.Push(f)
			L.Call(0, 1)
			hook := L.Get(-1)
			b.ReportAllocs()
			for b.Loop() {
				L.Push(hook)
				L.Call(0, 0)
			}
		})
	}
}
