//go:build unix

package process_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/luahook/luahook/internal/process"
)

// TestMain is also a program that leaves its session and becomes another one:
// "setsid PROGRAM ARGS...", which not every system has; and those of helpers_linux_test.go.
func TestMain(m *testing.M) {
	help()
	if len(os.Args) > 2 && os.Args[1] == "leave-session" {
		if _, err := syscall.Setsid(); err != nil {
			panic(err)
		}
		panic(syscall.Exec(os.Args[2], os.Args[2:], os.Environ()))
	}
	goleak.VerifyTestMain(m)
}

// setsid is a shell word that runs what follows it in a session of its own.
func setsid(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return "'" + self + "' leave-session"
}

// script is a Spec of a shell script in a folder of its own.
func script(t *testing.T, text string) process.Spec {
	t.Helper()
	return process.Spec{
		Path: "/bin/sh", Args: []string{"-c", text}, Dir: t.TempDir(), Env: []string{"PATH=" + os.Getenv("PATH")},
		MaxStdout: 1 << 20, MaxStderr: 1 << 20,
	}
}

// file writes a file of that mode and returns its path.
func file(t *testing.T, dir, name, text string, mode os.FileMode) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil { // whatever the umask
		t.Fatal(err)
	}
	return path
}

func run(t *testing.T, s process.Spec) process.Outcome {
	t.Helper()
	o, err := process.Run(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// interrupted runs a program, waits until it has written the file "ready" and ends
// it. The words of that file are process ids.
func interrupted(t *testing.T, s process.Spec) (o process.Outcome, pids []int) {
	t.Helper()
	ctx, cancel := context.WithCancelCause(context.Background())
	enough := errors.New("enough")
	go func() {
		for ctx.Err() == nil {
			if text, err := os.ReadFile(filepath.Join(s.Dir, "ready")); err == nil {
				for _, word := range strings.Fields(string(text)) {
					if pid, err := strconv.Atoi(word); err == nil {
						pids = append(pids, pid)
					}
				}
				break
			}
			time.Sleep(time.Millisecond)
		}
		cancel(enough)
	}()
	o, err := process.Run(ctx, s)
	if !errors.Is(err, enough) {
		t.Fatalf("the error is %v, want the context's cause; stderr: %s", err, o.Stderr)
	}
	<-ctx.Done()
	return o, pids
}

// runs reports whether a process runs; a zombie that nobody has waited for doesn't.
func runs(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	if stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat"); err == nil {
		return !strings.Contains(string(stat), ") Z ")
	}
	state, err := exec.Command("ps", "-o", "stat=", "-p", strconv.Itoa(pid)).Output() // where there is no /proc
	return err == nil && len(state) > 0 && state[0] != 'Z'
}

// dead waits for processes to be gone.
func dead(t *testing.T, pids ...int) {
	t.Helper()
	if len(pids) == 0 {
		t.Fatal("no process ids")
	}
	for _, pid := range pids {
		for deadline := time.Now().Add(10 * time.Second); runs(pid); time.Sleep(time.Millisecond) {
			if time.Now().After(deadline) {
				_ = syscall.Kill(pid, syscall.SIGKILL)
				t.Fatalf("process %d still runs", pid)
			}
		}
	}
}
