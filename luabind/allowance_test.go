package luabind_test

import (
	"testing"

	"github.com/luahook/luahook/luabind"
	"github.com/luahook/luahook/luabind/compile"
)

// Scripts that keep much from loading fill the allowance together, however little each of them is charged.
func TestAllowanceOfMemory(t *testing.T) {
	p, err := compile.Script("x.lua", `local s = ("x"):rep(1000000) kept = {} for i = 1, 20 do s = s .. "y" kept[i] = s end`)
	if err != nil {
		t.Fatal(err)
	}
	small, err := compile.Script("y.lua", `kept = {}`)
	if err != nil {
		t.Fatal(err)
	}
	a := &luabind.Allowance{Left: 1 << 30, Heap: 64 << 20}
	var states []*luabind.State
	load := func(p *compile.Program) {
		t.Helper()
		s, err := luabind.LoadState(t.Context(), p, luabind.Environment{}, a)
		if err != nil {
			t.Fatal(err)
		}
		states = append(states, s)
	}
	for range 100 {
		load(small)
	}
	load(p)
	if a.Full() {
		t.Error("full after some 20 MB")
	}
	for range 5 {
		load(p)
	}
	if !a.Full() {
		t.Error("not full after some 120 MB")
	}
	if len(states) == 0 {
		t.Error("nothing was kept")
	}
}
