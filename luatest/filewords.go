package luatest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/luabind"
)

func (f *testFile) write(L *lua.LState) int {
	f.raise(L, L.CheckString(1), f.session.worker.writeFile(L.CheckString(1), L.CheckString(2)))
	return 0
}

func (f *testFile) read(L *lua.LState) int {
	text, ok, err := f.session.worker.readFile(L.CheckString(1))
	f.raise(L, L.CheckString(1), err)
	if !ok {
		L.Push(lua.LNil)
		return 1
	}
	luabind.Spend(L, 1+len(text)/16)
	luabind.Allocate(L, len(text))
	L.Push(lua.LString(text))
	return 1
}

func (f *testFile) remove(L *lua.LState) int {
	f.raise(L, L.CheckString(1), f.session.worker.removeFile(L.CheckString(1)))
	return 0
}

func (f *testFile) link(L *lua.LState) int {
	f.raise(L, L.CheckString(2), f.session.worker.linkFile(L.CheckString(1), L.CheckString(2)))
	return 0
}

// raise raises what went wrong with a file.
func (f *testFile) raise(L *lua.LState, name string, err error) {
	if err != nil {
		L.RaiseError("%s: %s", name, withoutPath(err))
	}
}

// git is project.git(...).
func (f *testFile) git(L *lua.LState) int {
	w := f.session.worker
	if !w.Programs {
		L.RaiseError("project.git runs a program, which a test may with --run-programs alone; fake.git stands in for what hooks ask of git")
	}
	var args []string
	for i := 1; i <= L.GetTop(); i++ {
		args = append(args, L.CheckString(i))
	}
	run := luabind.Wait(L, "project.git", func(ctx context.Context) error {
		cmd := exec.CommandContext(ctx, "git", args...)
		cmd.Dir = w.root()
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
			"GIT_AUTHOR_NAME=test", "GIT_AUTHOR_EMAIL=test@example.com", "GIT_AUTHOR_DATE=2026-01-02T03:04:05Z",
			"GIT_COMMITTER_NAME=test", "GIT_COMMITTER_EMAIL=test@example.com", "GIT_COMMITTER_DATE=2026-01-02T03:04:05Z")
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%w: %s", err, strings.TrimSpace(string(out)))
		}
		return nil
	})
	if run != nil {
		L.RaiseError("git %s: %s", strings.Join(args, " "), run)
	}
	return 0
}
