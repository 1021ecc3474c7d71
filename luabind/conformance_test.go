package luabind_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/luabind"
)

// conformanceFolder is where the Lua files are with which gopher-lua tests itself:
// its own, and the part of Lua 5.1's test suite that it comes with.
func conformanceFolder(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/yuin/gopher-lua").Output()
	folder := strings.TrimSpace(string(out))
	if err != nil || folder == "" {
		t.Skipf("the source of gopher-lua can't be found: %v", err)
	}
	if _, err := os.Stat(filepath.Join(folder, "_lua5.1-tests")); err != nil {
		t.Skipf("gopher-lua has come without its tests: %v", err)
	}
	return folder
}

// conformanceLimits are far beyond what the files need: they test behaviour.
var conformanceLimits = luabind.Limits{Instructions: 1e9, Timeout: time.Minute, Memory: 4 << 30}

// conformancePrelude gives the files what they use only as a tool. The sandbox has
// none of it.
const conformancePrelude = `loadstring, collectgarbage, os = tool.loadstring, tool.collectgarbage, { clock = tool.clock } `

// conformanceTool is what the prelude needs.
var conformanceTool = luabind.Module{Name: "tool", Functions: []luabind.Function{
	{Name: "loadstring", Go: loadString},
	{Name: "collectgarbage", Go: func(*lua.LState) int { return 0 }},
	{Name: "clock", Go: func(L *lua.LState) int { L.Push(lua.LNumber(0)); return 1 }},
}}

// loadString compiles as the sandbox does it, rewriting and bounds included.
func loadString(L *lua.LState) int {
	source := L.CheckString(1)
	line, _, _ := strings.Cut(source, "\n")
	p, err := luabind.Compile(`[string "`+line+`"]`, source)
	switch {
	case err != nil:
		L.Push(lua.LNil)
		L.Push(lua.LString(err.Error()))
		return 2
	case strings.Contains(source, "..."): // the arguments of a program are fixed before it is called
		L.Push(L.NewFunction(func(L *lua.LState) int {
			var args []lua.LValue
			for i := range L.GetTop() {
				args = append(args, L.Get(i+1))
			}
			L.SetTop(0)
			L.Push(luabind.FunctionOf(L, p, args...))
			L.Call(0, lua.MultRet)
			return L.GetTop()
		}))
	default:
		L.Push(luabind.FunctionOf(L, p))
	}
	return 1
}

// conform runs a file in a sandbox of its own.
func conform(name, source string) error {
	p, err := luabind.Compile(name, conformancePrelude+source)
	if err != nil {
		return err
	}
	s, err := luabind.NewState(context.Background(), p, luabind.Environment{Modules: []luabind.Module{conformanceTool}, Limits: conformanceLimits})
	if err != nil {
		return err
	}
	s.Close()
	return nil
}

func TestDiscover(t *testing.T) {
	folder := conformanceFolder(t)
	for _, f := range strings.Fields(os.Getenv("F")) {
		src, err := os.ReadFile(filepath.Join(folder, f))
		if err != nil {
			t.Fatal(err)
		}
		begin := time.Now()
		t.Log(f, conform(f, string(src)), time.Since(begin))
	}
}
