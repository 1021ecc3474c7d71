package luabind_test

import (
	"context"
	"testing"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
)

// within runs the body of one hook under limits of its own.
func within(t *testing.T, limits luabind.Limits, body string) (*luabind.State, luabind.Outcome) {
	t.Helper()
	s := load(t, `on("stop", function() `+body+"\nend)", luabind.Environment{})
	return s, s.Call(context.Background(), 0, sample(t, hooks.Stop), limits)
}

func TestFarKeysAreChargedBeforeTheyAreStored(t *testing.T) {
	for _, body := range []string{
		`rawset({}, 6e7, 1)`,
		`rawset({}, 67108863, 1)`,
		`pcall(rawset, {}, 6e7, 1)`,
		`table.insert({}, 6e7, 1)`,
		`table.insert({ 1, 2, 3 }, 67108863, 1)`,
		`local t = {} for i = 1, 100 do rawset(t, i * 1000, 1) end for i = 1, 100 do rawset({}, 20000, 1) end`,
	} {
		t.Run(body, func(t *testing.T) {
			s, out := within(t, luabind.Limits{Memory: 8 << 20, Instructions: 1e9}, body)
			stopped(t, s, out, hooks.LimitMemory)
		})
	}
	for _, body := range []string{ // these keys take no more than their entry
		`rawset({}, 67108864, 1)`, `rawset({}, 1e300, 1)`, `rawset({}, -6e7, 1)`, `rawset({}, 6e7 + 0.5, 1)`, `table.insert({}, 2^60, 1)`,
		`rawset({}, 6e7, nil)`, `table.insert({}, 6e7, nil)`,
		`local t = {} for i = 1, 1000 do rawset(t, i, i) end for i = 1, 1000 do rawset(t, i, -i) end`,
		`local t = {} for i = 1000, 1, -1 do rawset(t, i, i) end`,
	} {
		if _, out := within(t, luabind.Limits{Memory: 256 << 10}, body); out.Err != nil {
			t.Errorf("%s\n%s", body, out.Err)
		}
	}
}

// What a table is filled up over is charged once in a run, not for each key.
func TestScatteredKeysAreChargedOnce(t *testing.T) {
	_, out := within(t, luabind.Limits{Memory: 8 << 20}, `
local t = {}
for i = 1, 2000 do rawset(t, (i * 7919) % 65536, i) end
assert(rawget(t, 7919) == 1)`)
	if out.Err != nil {
		t.Error(out.Err)
	}
}

func TestWhatReplacesAValueIsFree(t *testing.T) {
	_, out := within(t, luabind.Limits{Memory: 16 << 10}, `
local t = { 1, a = 1 }
for i = 1, 400 do rawset(t, 1, i) rawset(t, "a", i) end`) // too few instructions for a look at the heap, which is not this run's alone
	if out.Err != nil {
		t.Error(out.Err)
	}
	s, out := within(t, luabind.Limits{Memory: 1 << 20}, `local t = {} for i = 1, 1e6 do rawset(t, "k" .. i, 1) end`)
	stopped(t, s, out, hooks.LimitMemory)
	// a key that was taken out stays in memory
	s, out = within(t, luabind.Limits{Memory: 1 << 20}, `local t = {} for i = 1, 1e6 do rawset(t, i + 0.5, 1) rawset(t, i + 0.5, nil) end`)
	stopped(t, s, out, hooks.LimitMemory)
}

func TestRawStore(t *testing.T) {
	passes(t, `
local t = {}
assert(rawset(t, "a", 1) == t and t.a == 1)
local guarded = setmetatable({}, { __newindex = error, __index = error })
rawset(guarded, 1, "x") assert(rawget(guarded, 1) == "x" and rawget(guarded, 2) == nil)
for _, case in ipairs{
  { "table index is nil", t, nil, 1 },
  { "table index is NaN", t, 0 / 0, 1 },
  { "string is read-only (format)", string, "format", 1 },
  { "bad argument #1 to 'rawset' (table expected, got number)", 1, 1, 1 },
  { "bad argument #1 to 'rawset' (table expected, got ev)", ev, "prompt", 1 },
} do
  local ok, err = pcall(rawset, case[2], case[3], case[4])
  assert(not ok and err:find(case[1], 1, true), err)
end
local ok, err = pcall(rawset, t, 1) assert(err:find("bad argument #3 to 'rawset' (value expected)", 1, true), err)
ok, err = pcall(rawset) assert(err:find("bad argument #1 to 'rawset' (table expected, got no value)", 1, true), err)`, sample(t, hooks.Stop))
}
