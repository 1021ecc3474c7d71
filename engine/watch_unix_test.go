//go:build unix

package engine_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/luahook/luahook/hooks"
)

// descriptorsVariable has the test be the child, which may run out of descriptors.
const descriptorsVariable = "LUAHOOK_TEST_DESCRIPTORS"

// A guard that comes while there are no descriptors left is in force once there are some,
// though no file changes any more.
func TestWatchWithoutDescriptors(t *testing.T) {
	if os.Getenv(descriptorsVariable) == "" {
		child := exec.Command(os.Args[0], "-test.run=^TestWatchWithoutDescriptors$", "-test.count=1")
		child.Env = append(os.Environ(), descriptorsVariable+"=1")
		if out, err := child.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	e, root, reloads := watching(t, "-- .hooks/a.lua --\n"+says("one")+"-- b.lua --\non('pre_tool_call', function() return deny('no') end)\n")
	var before, none syscall.Rlimit
	must(t, syscall.Getrlimit(syscall.RLIMIT_NOFILE, &before))
	none = before
	none.Cur = 0
	must(t, syscall.Setrlimit(syscall.RLIMIT_NOFILE, &none))
	must(t, os.Rename(filepath.Join(root, "b.lua"), filepath.Join(root, ".hooks", "b.lua")))
	r := next(t, reloads)
	if r.err == nil {
		t.Error("the reload has not failed")
	}
	contains(t, problems(e), "too many open files")
	result := fire(t, e, &hooks.Context{Event: hooks.PrePrompt, Prompt: "hi"})
	equal(t, "the last good hooks", result.NewContext, "one")
	if len(result.Warnings) == 0 {
		t.Error("the result doesn't tell")
	}
	must(t, syscall.Setrlimit(syscall.RLIMIT_NOFILE, &before))
	for r.err != nil {
		r = next(t, reloads)
	}
	equal(t, "the new guard", fire(t, e, bash("ls")).Decision, hooks.Deny)
	equal(t, "problems", problems(e), "")
}
