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
