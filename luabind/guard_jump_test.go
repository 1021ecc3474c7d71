package luabind_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
	"github.com/luahook/luahook/luabind/compile"
)

// The stock compiler runs past the end of these.
func TestLoopsThatEndAtOnce(t *testing.T) {
	for _, body := range []string{
		`break`, `do break end`, `goto out`, `while true do break end`, `repeat break until true`, `while true do break end break`,
		`if true then break end`, `if nil then else break end`, `if not nil then break end`, `if true and true then break end`, `::a:: break`,
		`for _ in pairs{ 1 } do break end`, ``, `if n then break end`, `local x = 1 break`,
	} {
		passes(t, `local n = 0
for i = 1, 3 do
  for _ in pairs{ 1, 2 } do `+body+` end
  n = n + i
  ::out::
end
local m = 0
for k in pairs{ a = 1 } do m = m + 1 for _ in pairs{ 1 } do `+body+` end ::out:: end
assert((n == 6 or n == 0) and m == 1, n .. " " .. m)`, shellCall(t))
	}
}

func TestGotoInTheMainChunk(t *testing.T) {
	s := load(t, `
local m = 0
local function more() m = m + 1 end
for i = 1, 3 do if i == 2 then goto continue end more() ::continue:: end
local f
for i = 1, 3 do f = function() return i end if i == 3 then break end end
local r, s, t, u = 5, 6, 7, 8
on("stop", function() return context(m .. " " .. f()) end)`, luabind.Environment{})
	equal(t, "counted and kept", calls(t, s, 0, sample(t, hooks.Stop)).NewContext, "2 3")
}

// The stock compiler parts closures from the variables of a function at each goto.
func TestGotoLeavesVariablesWhole(t *testing.T) {
	for _, body := range []string{
		`for i = 1, 3 do if i == 2 then goto continue end up() ::continue:: end assert(n == 2, n)`,
		`for _, i in ipairs{ 1, 2, 3 } do if i == 2 then goto continue end up() ::continue:: end assert(n == 2, n)`,
		`while n < 3 do up() if n == 2 then goto continue end ::continue:: end assert(n == 3, n)`,
		`repeat up() if n == 2 then goto continue end ::continue:: until n == 3 assert(n == 3, n)`,
		`::again:: up() if n < 3 then goto again end assert(n == 3, n)`,
		`do goto out end ::out:: up() assert(n == 1, n)`,
		`goto out ::out:: up() assert(n == 1, n)`,
		`local function inner(a, b) local function set() a = a + b end for i = 1, 3 do goto continue ::continue:: end set() return a end assert(inner(1, 2) == 3)`,
		// What is out of scope is a new variable in the next turn.
		`local fs = {} for i = 1, 3 do local x = i fs[i] = function() x = x + 1 return x end if i < 9 then goto continue end ::continue:: end
assert(fs[1]() == 2 and fs[1]() == 3 and fs[2]() == 3 and fs[3]() == 4)`,
		`local fs, i = {}, 0 ::again:: do i = i + 1 local x = i fs[i] = function() x = x + 10 return x end if i < 3 then goto again end end
assert(fs[1]() == 11 and fs[2]() == 12 and fs[3]() == 13 and fs[1]() == 21)`,
		`local fs = {} while #fs < 3 do local x = #fs fs[#fs + 1] = function() return x end if x == 1 then goto continue end up() ::continue:: end
assert(fs[1]() == 0 and fs[2]() == 1 and fs[3]() == 2 and n == 2)`,
		`local fs = {} for i = 1, 2 do for j = 1, 2 do local x = i * 10 + j fs[#fs + 1] = function() return x end if j == 1 then goto out end end ::out:: up() end
assert(#fs == 2 and fs[1]() == 11 and fs[2]() == 21 and n == 2)`,
		`local f for i = 1, 3 do f = function() return i end if i == 3 then break end end local r, s, t, u = 5, 6, 7, 8 assert(f() == 3)`,
		`(function() local f for i = 1, 3 do f = function() return i end if i == 3 then break end end local r, s, t, u = 5, 6, 7, 8 assert(f() == 3) end)()`,
		`(function() for i = 1, 3 do f = function() return i end if i == 3 then break end end local r, s, t, u = 5, 6, 7, 8 assert(f() == 3) end)()`,
		`(function() for i = 1, 3 do f = function() return i end if i == 3 then goto out end end ::out:: local r, s, t, u = 5, 6, 7, 8 assert(f() == 3) end)()`,
		`(function() local m = 0 local function more() m = m + 1 end for i = 1, 3 do if i == 2 then goto continue end more() ::continue:: end assert(m == 2) end)()`,
		`(function(...) local m = 0 local function more() m = m + 1 end for i = 1, 3 do if i == 2 then goto continue end more() ::continue:: end assert(m == 2) end)(1, 2, 3)`,
		`local t = {} function t:f() local m = 0 local function more() m = m + 1 end for i = 1, 3 do if i == 2 then goto continue end more() ::continue:: end assert(m == 2) end t:f()`,
		`(function(...) local m = 0 local function more() m = m + 1 end for i = 1, select("#", ...) do if i == 2 then goto continue end more() ::continue:: end assert(m == 2) end)(1, 2, 3)`,
	} {
		passes(t, `local n = 0 local function up() n = n + 1 end `+body+` up() local was = n up() assert(n == was + 1)`, shellCall(t))
	}
}

// Each label before a jump takes something to stand before it, without a copy of the block.
func TestManyLabelsBeforeManyStatements(t *testing.T) {
	source := "if x then " + series(400, func(i int) string { return fmt.Sprintf("::a%d:: do end ", i) }) + strings.Repeat("do end ", 40_000) + "end"
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := compile.Script("a.lua", source); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if bytes := after.TotalAlloc - before.TotalAlloc; bytes > 200<<20 {
		t.Errorf("compiling it takes %d MiB", bytes>>20)
	}
}
