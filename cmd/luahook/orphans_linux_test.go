package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestAnOrphanEndsWithItsHook: what a hook hides isn't hidden from the command, and the
// message is true.
func TestAnOrphanEndsWithItsHook(t *testing.T) {
	for _, program := range []string{"setsid", "bash"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(err)
		}
	}
	cmd := command(t, listing, "eval", "pre_tool_call", "--hooks", "h")
	write(t, cmd.Dir, "h/hooks.yaml", `hooks: {pre_tool_call: [{command: "(setsid env -i bash -c 'exec 97<&- 0<&- 1>&- 2>&-; echo $$ >new; mv new ready; exec sleep 314' &); while :; do sleep 1; done", timeout: 2s}]}`+"\n")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if status := ended(t, cmd); status != exitBlock {
		t.Errorf("exit status %d", status)
	}
	if !strings.Contains(stderr.String(), "was ended, with all that it had started;") {
		t.Errorf("stderr: %s", stderr.String())
	}
	gone(t, waitForPids(t, filepath.Join(cmd.Dir, "ready")))
}

// TestHooksEndWithACommandThatIsKilled: nobody has to be there to end them.
func TestHooksEndWithACommandThatIsKilled(t *testing.T) {
	for _, lines := range [][]string{nil, {"--jsonl"}} {
		cmd := command(t, listing+"\n", append([]string{"eval", "pre_tool_call", "--hooks", "h"}, lines...)...)
		write(t, cmd.Dir, "h/hooks.yaml", `hooks: {pre_tool_call: [{command: "trap '' TERM HUP; sleep 315 & echo $$ $! >new; mv new ready; wait"}]}`+"\n")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		pids := waitForPids(t, filepath.Join(cmd.Dir, "ready"))
		waitForLifeline(t, cmd.Process.Pid)
		if err := cmd.Process.Signal(syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		gone(t, pids)
	}
}

// waitForLifeline waits until a process has asked for a signal when the other end of a pipe is closed, which it does right
// after it has started a hook.
func waitForLifeline(t *testing.T, pid int) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(2 * time.Millisecond) {
		files, err := filepath.Glob(fmt.Sprintf("/proc/%d/fdinfo/*", pid))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			info, _ := os.ReadFile(file) // it may be closed by now
			_, flags, _ := strings.Cut(string(info), "flags:")
			flags, _, _ = strings.Cut(flags, "\n")
			if n, err := strconv.ParseInt(strings.TrimSpace(flags), 8, 64); err == nil && n&syscall.O_ASYNC != 0 {
				return
			}
		}
		if time.Now().After(deadline) {
			t.Fatal("no file of the command has O_ASYNC")
		}
	}
}
