package luabind_test

import (
	"context"
	"testing"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
)

// kept is what loading leaves to the bodies of the tests in this file. Loading has a
// budget of its own.
const kept = `
local empty, list, words, keys = {}, {}, {}, {}
for i = 1, 2000 do list[i] = (i * 7919) % 2003 end
local long = ("x"):rep(2^16)
for i = 1, 9 do words[i] = long .. i end
for i = 1, 1000 do keys[i + 0.5] = 1 end
`

// afterLoading runs a body with what kept holds.
func afterLoading(t *testing.T, limits luabind.Limits, body string) (*luabind.State, luabind.Outcome) {
	t.Helper()
	s := load(t, kept+`on("stop", function() `+body+"\nend)", luabind.Environment{})
	return s, s.Call(context.Background(), 0, sample(t, hooks.Stop), limits)
}

// The work of one call is charged, though it is one instruction to the VM.
func TestWorkOfTablesIsCharged(t *testing.T) {
	for body, least := range map[string]int64{
		`table.insert(list, 1, 0)`:                             2000 / 8,
		`table.remove(list, 1)`:                                2000 / 8,
		`table.insert(list, -2000, 0)`:                         4000,
		`table.concat(list)`:                                   4500,
		`table.concat(words, long, 1, 2)`:                      3 << 16 / 16,
		`table.sort(list)`:                                     2000 * 5,
		`table.sort(list, rawequal)`:                           2000 * 8,
		`table.sort(words)`:                                    8 << 16 / 16,
		`table.maxn(keys)`:                                     1000 * 8,
		`for k in pairs(keys) do end`:                          1000 * 8,
		`for i = 1, 100 do next(empty) end`:                    100 * 8,
		`unpack(list, 1, 2000)`:                                1000,
		`local x = { event = "stop" } local _ = keys[x.event]`: 2 * 1000,
		`local x = { event = "y" } for i = 1, 100 do local _ = x.event == "PreToolUse" end`: 100 * 10,
		`tonumber(long)`:               1 << 16 / 8,
		`tonumber(long, 36)`:           1 << 16 / 8,
		`rawequal(words[1], words[2])`: 1 << 16 / 8,
		`rawset(empty, long, 1)`:       1 << 16 / 16,
		`rawset(empty, 3000, 1)`:       3000,
		`print(long)`:                  8 << 10 / 16,
	} {
		_, out := afterLoading(t, luabind.Limits{}, body)
		if out.Instructions < least {
			t.Errorf("%s costs %d, want at least %d", body, out.Instructions, least)
		}
	}
}

// What is allocated is charged, also where it is too little for the watch over the
// heap.
func TestBytesOfTablesAreCharged(t *testing.T) {
	for _, body := range []string{
		`for i = 1, 1500 do table.insert(empty, i) end`,
		`table.insert(empty, 1) for i = 1, 1500 do table.insert(empty, i, i) end`,
		`for i = 1, 1500 do table.insert(empty, #empty + 1, i) end`,
		`for i = 1, 1500 do rawset(empty, i, i) end`,
		`for i = 1, 400 do rawset(empty, i + 0.5, i) end`,
		`for i = 1, 400 do rawset(empty, -i, i) end`,
		`for i = 1, 1500 do tostring(i) end`,
		`table.sort(list)`,
		`table.concat(words, "", 1, 1)  table.concat(words, "", 1, 2)`,
		`table.concat(list)`,
		`pcall(assert, false, words[1]:sub(1, 12000))`,
		`rawset(empty, 1000, 1)`,
		`table.insert(empty, 1000, 1)`,
	} {
		t.Run(body, func(t *testing.T) {
			s, out := afterLoading(t, luabind.Limits{Memory: 32 << 10, Instructions: 1e9}, body)
			stopped(t, s, out, hooks.LimitMemory)
			if out.Instructions > 20_000 {
				t.Errorf("it ran for %d instructions", out.Instructions)
			}
		})
	}
}

func TestTableFunctionsEnd(t *testing.T) {
	for _, body := range []string{
		`while true do table.insert(list, 1, 0) table.remove(list, 1) end`,
		`while true do table.concat(list, "", 1, 2000) end`,
		`while true do table.sort(list, rawequal) end`,
		`while true do table.sort(list, function() return true end) end`,
		`while true do table.sort(words) end`,
		`while true do table.maxn(keys) end`,
		`while true do select("#", unpack(empty, 1, 8000)) end`,
		`while true do pcall(tonumber, long) end`,
		`table.insert(empty, -2^31, 1)`,
		`table.insert(empty, -1e300, 1)`,
		`pcall(table.insert, empty, -1e300, 1)`,
	} {
		t.Run(body, func(t *testing.T) {
			s, out := afterLoading(t, luabind.Limits{Instructions: 400_000, Memory: 1 << 30}, body)
			stopped(t, s, out, hooks.LimitInstructions)
		})
	}
}
