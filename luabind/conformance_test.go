package luabind_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/luabind"
	"github.com/luahook/luahook/luabind/compile"
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
var conformanceLimits = luabind.Limits{Instructions: 1e9, Timeout: 10 * time.Minute, Memory: 512 << 20}

// conformancePrelude gives the files what they use only as a tool. The sandbox has
// none of it; loadstring compiles as the sandbox does, with its bounds.
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
	p, err := compile.Script(`[string "`+line+`"]`, source)
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
	p, err := compile.Script(name, conformancePrelude+source)
	if err != nil {
		return err
	}
	_, err = luabind.NewState(context.Background(), p, luabind.Environment{Modules: []luabind.Module{conformanceTool}, Limits: conformanceLimits})
	return err
}

// conformanceFiles are run whole, but for the skips.
var conformanceFiles = []string{
	glua + "base.lua", glua + "coroutine.lua", glua + "goto.lua", glua + "issues.lua", glua + "math.lua", glua + "strings.lua", glua + "table.lua", glua + "vm.lua",
	lua51 + "calls.lua", lua51 + "closure.lua", lua51 + "constructs.lua", lua51 + "errors.lua", lua51 + "events.lua", lua51 + "literals.lua", lua51 + "locals.lua",
	lua51 + "math.lua", lua51 + "nextvar.lua", lua51 + "pm.lua", lua51 + "sort.lua", lua51 + "strings.lua", lua51 + "vararg.lua",
}

// fileAs is a file as the sandbox runs it, with all skips but one.
func fileAs(t *testing.T, folder, file string, but int) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(folder, file))
	if err != nil {
		t.Fatal(err)
	}
	source := string(data)
	for i, k := range skips {
		if k.file == file && i != but {
			source = k.cut(t, source)
		}
	}
	for _, r := range restored {
		if r.file == file {
			source = r.uncomment(t, source)
		}
	}
	return source
}

func TestConformance(t *testing.T) {
	folder := conformanceFolder(t)
	for _, file := range conformanceFiles {
		t.Run(file, func(t *testing.T) {
			for _, k := range skips {
				if k.file == file {
					t.Logf("skipped, %s, because %s:\n%s", k.kind, k.reason, k.from)
				}
			}
			if err := conform(file, fileAs(t, folder, file, -1)); err != nil {
				t.Error(err)
			}
		})
	}
}

// Every file that gopher-lua has is run, or there is a reason.
func TestConformanceIsComplete(t *testing.T) {
	folder := conformanceFolder(t)
	accounted := map[string]bool{}
	for _, file := range conformanceFiles {
		accounted[file] = true
	}
	for file, reason := range skippedFiles {
		t.Logf("skipped: %s, because it %s", file, reason)
		accounted[file] = true
	}
	for _, of := range []string{glua, lua51} {
		found, err := filepath.Glob(filepath.Join(folder, of, "*.lua"))
		if err != nil || len(found) == 0 {
			t.Fatalf("no files in %s: %v", of, err)
		}
		for _, path := range found {
			if file := of + filepath.Base(path); !accounted[file] {
				t.Errorf("%s is neither run nor skipped", file)
			}
			delete(accounted, of+filepath.Base(path))
		}
	}
	for file := range accounted {
		t.Errorf("%s isn't there", file)
	}
}

// A skip that isn't needed any longer must go.
func TestSkipsAreNeeded(t *testing.T) {
	folder := conformanceFolder(t)
	for i, k := range skips {
		if conform(k.file, fileAs(t, folder, k.file, i)) == nil {
			t.Errorf("%s passes without the skip of\n%s", k.file, k.from)
		}
	}
}

// cut is the source with a skip's piece replaced; later lines keep their numbers
// where the replacement has none.
func (k skip) cut(t *testing.T, source string) string {
	t.Helper()
	start, end := piece(t, source, k.from, k.through)
	lines := strings.Count(source[start:end], "\n") - strings.Count(k.instead, "\n")
	return source[:start] + k.instead + strings.Repeat("\n", max(0, lines)) + source[end:]
}

// piece finds where a piece begins and ends.
func piece(t *testing.T, source, from, through string) (start, end int) {
	t.Helper()
	if n := strings.Count(source, from); n != 1 {
		t.Fatalf("the file has %q %d times, want it once", from, n)
	}
	start = strings.Index(source, from)
	n := strings.Index(source[start:], through)
	if through == "" {
		return start, start + len(from)
	}
	if n < 0 {
		t.Fatalf("the file has no %q after %q", through, from)
	}
	return start, start + n + len(through)
}

// comment is what makes comments of lines, or of a block of them.
var comment = regexp.MustCompile(`(?m)^(\s*)--(\[\[|\]\]| )?`)

// uncomment is the source with a restoration's lines in force.
func (r restoration) uncomment(t *testing.T, source string) string {
	t.Helper()
	start, end := piece(t, source, r.from, r.through)
	code := comment.ReplaceAllString(source[start:end], "$1")
	if code == source[start:end] {
		t.Fatalf("%q is no comment", code)
	}
	return source[:start] + code + source[end:]
}
