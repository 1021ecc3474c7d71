package luabind_test

import (
	"testing"

	"github.com/luahook/luahook/hooks"
)

func TestFromLua(t *testing.T) {
	tests := []struct {
		expr string
		want any
	}{
		{`nil`, nil}, {`false`, false}, {`"x"`, "x"}, {`3`, int64(3)}, {`-3`, int64(-3)}, {`0.5`, 0.5}, {`2^53 - 1`, int64(1)<<53 - 1}, {`2^53`, 0x1p53}, {`2^54`, 0x1p54},
		{`{}`, map[string]any{}},
		{`{1, "a", {}}`, []any{int64(1), "a", map[string]any{}}},
		{`{a = {b = 1}}`, map[string]any{"a": map[string]any{"b": int64(1)}}},
		{`setmetatable({a = 1}, {__index = {b = 2}})`, map[string]any{"a": int64(1)}},
		{`{probe.null, probe.null}`, []any{nil, nil}},
		{`ev.tool_call.paths`, []any{}},
	}
	for _, tt := range tests {
		out, p := run(t, `probe.keep(`+tt.expr+`)`, shellCall(t))
		if out.Err != nil {
			t.Errorf("%s: %s", tt.expr, out.Err)
			continue
		}
		equal(t, tt.expr, p.kept[0], tt.want)
	}
}

func TestFromLuaRefuses(t *testing.T) {
	tests := []struct{ make, want string }{
		{`local v = print`, "value is a function, which is no data"},
		{`local v = { a = { coroutine.create(function() end) } }`, "a[1] is a thread, which is no data"},
		{`local v = { a = deny("x") }`, "a is a deny() answer, which is no data"},
		{`local v = 1/0`, "value is +Inf, which JSON can't hold"},
		{`local v = { x = { -1/0 } }`, "x[1] is -Inf, which JSON can't hold"},
		{`local v = { 1, x = 2 }`, "value mixes a list with other keys (x)"},
		{`local v = { a = { 1, [1.5] = 2 } }`, "a mixes a list with other keys (1.5)"},
		{`local v = { 1, nil, 3 }`, "value is a list with gaps"},
		{`local v = { [3] = 1 }`, "value is a list with gaps"},
		{`local v = { [0] = 1 }`, "value has the key 0; use text, or 1 to n without gaps"},
		{`local v = { a = { [true] = 1 } }`, "a has the key true; use text"},
		{`local v = probe.list() v.x = 1`, "value mixes a list with other keys (x)"},
		{`local v = {} v.v = v`, "value is nested deeper than 100 levels, or holds itself"},
		{`local v = {} for i = 1, 100001 do v[i] = i end`, "value has more than 100000 parts"},
	}
	for _, tt := range tests {
		out, p := run(t, "\n"+tt.make+" probe.keep(v)", shellCall(t))
		wantError(t, out.Err, hooks.KindScript, file+":2: "+tt.want)
		if len(p.kept) != 0 {
			t.Errorf("%s: kept %v", tt.make, p.kept)
		}
	}
}
