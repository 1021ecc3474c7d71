package luabind_test

import (
	"context"
	"testing"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
)

// BenchmarkString runs calls of the string library, 1000 in a loop, with ours and with
// the VM's own functions.
func BenchmarkString(b *testing.B) {
	const prepare = `local command = "git push --force origin main && rm -rf build" local long = ("all work and no play; "):rep(1000) `
	for _, c := range []struct{ name, call string }{
		{"nothing", ``},
		{"find_plain", `command:find("--force", 1, true)`},
		{"find_literal", `command:find("%-%-force")`},
		{"find_anchored", `command:find("^git%s+push")`},
		{"find_none", `command:find("sudo%s")`},
		{"match_captures", `command:match("^(%w+)%s+(%w+)")`},
		{"match_trim", `command:match("^%s*(.-)%s*$")`},
		{"gmatch_words", `for w in command:gmatch("%S+") do end`},
		{"gsub_text", `command:gsub("%s+", " ")`},
		{"gsub_function", `command:gsub("%w+", function(w) return w end)`},
		{"gsub_none", `command:gsub("\n", " ")`},
		{"format_text", `string.format("%s: %s", "reason", command)`},
		{"format_numbers", `string.format("%d of %5.2f", 42, 3.14159)`},
		{"sub", `command:sub(5, 8)`},
		{"byte", `command:byte(5)`},
		{"upper", `command:upper()`},
		{"long_find", `long:find("sudo")`},
		{"long_find_set", `long:find("[%d$]")`},
		{"long_gsub", `long:gsub("[aeiou]+", "%0")`},
	} {
		loop := prepare + "return function() for i = 1, 1000 do " + c.call + " end end"
		if len(c.name) > 5 && c.name[:5] == "long_" {
			loop = prepare + "return function() " + c.call + " end"
		}
		b.Run(c.name+"/ours", func(b *testing.B) {
			s := load(b, "local f = (function() "+loop+` end)() on("stop", function() f() end)`, luabind.Environment{})
			stop := sample(b, hooks.Stop)
			b.ReportAllocs()
			for b.Loop() {
				if out := s.Call(context.Background(), 0, stop, luabind.Limits{Instructions: 1 << 40, Memory: 1 << 40}); out.Err != nil {
					b.Fatal(out.Err)
				}
			}
		})
		b.Run(c.name+"/stock", func(b *testing.B) {
			L := lua.NewState()
			defer L.Close()
			if err := L.DoString(loop); err != nil {
				b.Fatal(err)
			}
			f := L.Get(-1)
			b.ReportAllocs()
			for b.Loop() {
				if err := L.CallByParam(lua.P{Fn: f, Protect: true}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
