package luabind_test

import (
	"context"
	"testing"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
)

// BenchmarkTables measures our functions beside those of gopher-lua, which run
// unmetered.
func BenchmarkTables(b *testing.B) {
	for _, c := range []struct{ name, setup, body string }{
		{"insert 100", ``, `local t = {} for i = 1, 100 do table.insert(t, i) end`},
		{"insert and remove first", `local t = {} for i = 1, 100 do t[i] = i end`, `for i = 1, 50 do table.insert(t, 1, i) end for i = 1, 50 do table.remove(t, 1) end`},
		{"concat 100", `local t = {} for i = 1, 100 do t[i] = "element" .. i end`, `table.concat(t, ", ")`},
		{"concat 100 numbers", `local t = {} for i = 1, 100 do t[i] = i * 1000 end`, `table.concat(t, ", ")`},
		{"sort 100", `local r = {} for i = 1, 100 do r[i] = (i * 7919) % 1009 end`, `local t = {} for i = 1, 100 do t[i] = r[i] end table.sort(t)`},
		{"sort 100 by function", `local r = {} for i = 1, 100 do r[i] = (i * 7919) % 1009 end`, `local t = {} for i = 1, 100 do t[i] = r[i] end table.sort(t, function(a, b) return a > b end)`},
		{"sort 100 strings", `local r = {} for i = 1, 100 do r[i] = "k" .. (i * 7919) % 1009 end`, `local t = {} for i = 1, 100 do t[i] = r[i] end table.sort(t)`},
		{"pairs 100", `local t = {} for i = 1, 50 do t[i] = i t["k" .. i] = i end`, `for k, v in pairs(t) do end`},
		{"ipairs 100", `local t = {} for i = 1, 100 do t[i] = i end`, `for i, v in ipairs(t) do end`},
		{"tostring and tonumber 100", ``, `for i = 1, 100 do local n = tonumber(tostring(i)) end`},
		{"type and select 100", ``, `for i = 1, 100 do local n = type(i) == "number" and select("#", i, i) end`},
		{"unpack 100", `local t = {} for i = 1, 100 do t[i] = i end`, `local n = select("#", unpack(t))`},
	} {
		b.Run(c.name+"/ours", func(b *testing.B) {
			s := load(b, c.setup+` on("stop", function() `+c.body+` end)`, luabind.Environment{})
			e := sample(b, hooks.Stop)
			b.ReportAllocs()
			for b.Loop() {
				s.Call(context.Background(), 0, e, luabind.Limits{})
			}
		})
		b.Run(c.name+"/stock", func(b *testing.B) {
			L := lua.NewState(lua.Options{CallStackSize: 200, RegistrySize: 512, RegistryMaxSize: 16 << 10, RegistryGrowStep: 512})
			defer L.Close()
			if err := L.DoString(c.setup + ` function f() ` + c.body + ` end`); err != nil {
				b.Fatal(err)
			}
			f := L.GetGlobal("f")
			b.ReportAllocs()
			for b.Loop() {
				L.Push(f)
				L.Call(0, 0)
			}
		})
	}
}
