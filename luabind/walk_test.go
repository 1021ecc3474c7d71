package luabind_test

import (
	"context"
	"testing"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
)

// TestOnWalk walks a table that makes its field only then.
func TestOnWalk(t *testing.T) {
	late := luabind.Module{Name: "late", Help: "a table", Functions: []luabind.Function{{Name: "table", Go: func(L *lua.LState) int {
		meta := L.NewTable()
		meta.RawSetString("__metatable", lua.LFalse)
		luabind.OnWalk(meta, func(_ *lua.LState, t *lua.LTable) {
			if t.RawGetString("field") == lua.LNil {
				t.RawSetString("field", lua.LString("made"))
			}
		})
		v := L.NewTable()
		v.Metatable = meta
		L.Push(v)
		return 1
	}}}}
	for _, tt := range []struct{ name, body string }{
		{"pairs", `local seen for k, v in pairs(late.table()) do seen = k .. v end assert(seen == "fieldmade")`},
		{"next", `local k, v = next(late.table()) assert(k == "field" and v == "made")`},
		{"next from a key", `local t = late.table() t.a = 1 assert(next(t, "a") == nil)`},
		{"a changed field", `local t = late.table() t.field = "mine" for _, v in pairs(t) do assert(v == "mine") end`},
		{"nothing else", `local t = late.table() assert(t.field == nil and rawget(t, "field") == nil)`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			load(t, tt.body, luabind.Environment{Modules: []luabind.Module{late}})
		})
	}
	env := luabind.Environment{Modules: []luabind.Module{late}, Objects: []luabind.Object{luabind.HostObject{Name: "drawer", Value: drawer{}, Methods: []string{"Field"}}}}
	s := load(t, `on("notification", function() return { data = { list = { late.table() }, field = drawer.Field(late.table()) } } end)`, env)
	out := s.Call(context.Background(), 0, sample(t, hooks.Notification), luabind.Limits{})
	if out.Err != nil {
		t.Fatal(out.Err)
	}
	equal(t, "what has left Lua", out.Result.Data, map[string]any{"list": []any{map[string]any{"field": "made"}}, "field": "made"})
}

type drawer struct{}

func (drawer) Field(m map[string]string) string { return m["field"] }

// gone is a list of which all but the first item was taken away while the script loaded:
// gopher-lua goes over all that it once had, each time.
const gone = `local t = { 1 } t[100000] = 1 t[100000] = nil
local keys = {} for i = 1, 10000 do keys["k" .. i] = 1 end for i = 1, 10000 do keys["k" .. i] = nil end `

// Whatever goes over a table is charged for what it goes over.
func TestWalkingOverWhatIsGoneIsCharged(t *testing.T) {
	const once = 100_000/8 - 100
	env := luabind.Environment{Objects: []luabind.Object{luabind.HostObject{Name: "drawer", Value: drawer{}, Methods: []string{"Lists"}}}}
	for body, least := range map[string]int64{
		`table.insert(t, 2)`:        once,
		`table.remove(t)`:           once,
		`table.getn(t)`:             once,
		`table.maxn(t)`:             once,
		`table.concat(t)`:           once,
		`table.sort(t)`:             once,
		`unpack(t)`:                 once,
		`next(t, 1)`:                once,
		`for _ in pairs(t) do end`:  once,
		`output({ t, t, t })`:       3 * once,
		`output({ keys, keys })`:    19_000,
		`drawer.Lists({ t, t, t })`: 3 * once,
	} {
		s := load(t, gone+`on("notification", function() `+body+` end)`, env)
		out := s.Call(context.Background(), 0, sample(t, hooks.Notification), luabind.Limits{})
		if out.Instructions < least || out.Instructions > 10*least+1000 {
			t.Errorf("%s costs %d, want at least %d (%v)", body, out.Instructions, least, out.Err)
		}
	}
}

// Of a list that lost nothing the length is no walk.
func TestTheLengthOfAFullListCostsNothing(t *testing.T) {
	s := load(t, `local t = {} for i = 1, 50000 do t[i] = i end on("stop", function() for i = 1, 100 do table.getn(t) end end)`, luabind.Environment{})
	if out := s.Call(context.Background(), 0, sample(t, hooks.Stop), luabind.Limits{}); out.Instructions > 2000 {
		t.Errorf("it costs %d", out.Instructions)
	}
}

func (drawer) Lists(lists [][]int) int { return len(lists) }
