//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// hookFolder writes a .hooks folder, and gives the environment and the folder to run in.
func hookFolder(t *testing.T, files map[string]string) (dir string, env []string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, "hooks", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	home := filepath.Join(dir, "home")
	return dir, append(os.Environ(), "HOME="+home, "XDG_STATE_HOME="+home+"/state", "XDG_CONFIG_HOME="+home+"/config", "XDG_CACHE_HOME="+home+"/cache")
}

// evalIn is a luahook eval of a tool call with the hooks of hookFolder.
func evalIn(ctx context.Context, dir string, env []string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "luahook", append([]string{"eval", "pre_tool_call", "--hooks", "hooks", "--no-builtins", "--no-user"}, args...)...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = dir, env, time.Second
	cmd.Stdin = strings.NewReader(`{"session_id": "s", "tool_call": {"name": "bash", "input": {"command": "ls"}}}` + "\n")
	return cmd
}

// waitFor waits until a file is there, and gives its text.
func waitFor(t *testing.T, ctx context.Context, path string) string {
	t.Helper()
	for {
		if text, err := os.ReadFile(path); err == nil && strings.HasSuffix(string(text), "\n") {
			return strings.TrimSpace(string(text))
		}
		if ctx.Err() != nil {
			t.Fatalf("%s is never there", path)
		}
		time.Sleep(time.Millisecond)
	}
}

func exitStatus(t *testing.T, err error) int {
	t.Helper()
	var exited *exec.ExitError
	if err != nil && !errors.As(err, &exited) {
		t.Fatal(err)
	}
	if exited == nil {
		return 0
	}
	return exited.ExitCode()
}

// A guard that runs once per session, and whose process is killed before its answer is out,
// judges again.
func TestOnceSurvivesTheEndOfItsProcess(t *testing.T) {
	const deny = "echo no >&2; exit 2"
	tests := []struct {
		name  string
		hooks map[string]string
		args  []string
	}{
		{"while it works", map[string]string{"hooks.yaml": `
hooks: {pre_tool_call: [{name: guard, once: true, command: "if [ -e again ]; then ` + deny + `; fi; echo $$ > began; exec sleep 60"}]}`}, nil},
		{"while another hook works", map[string]string{"hooks.yaml": `
hooks:
  pre_tool_call:
    - {name: guard, once: true, command: "if [ -e again ]; then ` + deny + `; fi"}
    - {name: slow, command: "if [ -e again ]; then exit 0; fi; echo $$ > began; exec sleep 60"}`}, nil},
		{"while an async hook is waited for", map[string]string{"hooks.yaml": `
hooks:
  pre_tool_call:
    - {name: guard, once: true, command: "if [ -e again ]; then ` + deny + `; fi"}
    - {name: slow, mode: async, command: "if [ -e again ]; then exit 0; fi; echo $$ > began; exec sleep 60"}`}, nil},
		{"of several lines", map[string]string{"hooks.yaml": `
hooks: {pre_tool_call: [{name: guard, once: true, command: "if [ -e again ]; then ` + deny + `; fi; echo $$ > began; exec sleep 60"}]}`}, []string{"--jsonl"}},
	}
	for _, tt := range tests {
		for _, signal := range []syscall.Signal{syscall.SIGKILL, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGTERM} {
			t.Run(tt.name+", "+signal.String(), func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				dir, env := hookFolder(t, tt.hooks)
				cmd := evalIn(ctx, dir, env, tt.args...)
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				pid, err := strconv.Atoi(waitFor(t, ctx, filepath.Join(dir, "began")))
				if err != nil {
					t.Fatal(err)
				}
				if err := cmd.Process.Signal(signal); err != nil {
					t.Fatal(err)
				}
				_ = cmd.Wait()
				_ = syscall.Kill(pid, syscall.SIGKILL) // of SIGKILL it can't know
				if signal != syscall.SIGKILL && strings.HasSuffix(tt.name, "waited for") {
					return // its verdict was out, and it has ended as it should
				}
				if err := os.WriteFile(filepath.Join(dir, "again"), nil, 0o644); err != nil {
					t.Fatal(err)
				}
				status, want := exitStatus(t, evalIn(ctx, dir, env).Run()), 2
				if status != want {
					t.Errorf("exit status %d, want %d", status, want)
				}
				if tt.args == nil { // and now it has judged
					if status := exitStatus(t, evalIn(ctx, dir, env).Run()); status != 0 {
						t.Errorf("exit status %d of the third, want 0", status)
					}
				}
			})
		}
	}
}

// A guard whose answer can't be written judges again.
func TestOnceWhoseAnswerIsNotRead(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	dir, env := hookFolder(t, map[string]string{"a.lua": `on("pre_tool_call", {once=true}, function() return context("welcome") end)`})
	for _, args := range [][]string{nil, {"--jsonl"}} {
		cmd := evalIn(ctx, dir, env, args...)
		full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
		if err != nil {
			t.Skip("there is no /dev/full")
		}
		cmd.Stdout = full
		_ = cmd.Run()
		_ = full.Close()
	}
	for n, want := range []bool{true, false} {
		out, err := evalIn(ctx, dir, env, "--jsonl").Output()
		if err != nil {
			t.Fatal(err)
		}
		if got := bytes.Contains(out, []byte("welcome")); got != want {
			t.Errorf("run %d: welcome is %v, want %v: %s", n, got, want, out)
		}
	}
}

// Somebody who doesn't want to wait for async hooks ends the command: the verdict stays, the
// hooks end, and that is told.
func TestSignalEndsTheWaitForAsyncHooks(t *testing.T) {
	tests := []struct{ name, async, lua string }{
		{"a command", `command: "echo $$ > began; exec sleep 60"`, ""},
		{"a command that ends at nothing else", `command: "trap '' TERM INT HUP; echo $$ > began; while :; do sleep 60; done"`, ""},
		{"a program of a script", "", `on("pre_tool_call", {mode="async", timeout="1h"}, function() exec.run("sh", {"-c", "echo $$ > began; exec sleep 60"}) end)`},
		{"a program of a script that ends at nothing else", "", `on("pre_tool_call", {mode="async", timeout="1h"}, function() exec.run("sh", {"-c", "trap '' TERM INT HUP; echo $$ > began; while :; do sleep 60; done"}) end)`},
		{"a script", "", `on("pre_tool_call", {mode="async", timeout="1h"}, function() fs.write("began", "0\n") while true do end end)`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			files := map[string]string{"c.lua": `on("pre_tool_call", function() return deny("no") end)`, "b.lua": tt.lua, "hooks.yaml": `
hooks: {limits: {timeout: 1h, instructions: 100000000000}, grant: {exec: [sh], fs.write: true}}`}
			if tt.async != "" {
				files["hooks.yaml"] = "hooks: {pre_tool_call: [{name: a, mode: async, priority: 1, timeout: 1h, " + tt.async + "}]}"
			}
			dir, env := hookFolder(t, files)
			cmd := evalIn(ctx, dir, env)
			var told bytes.Buffer
			cmd.Stderr = &told
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			pid, err := strconv.Atoi(waitFor(t, ctx, filepath.Join(dir, "began")))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := out.Read(make([]byte, 10)); err != nil { // the result is out, so that what follows is the wait
				t.Fatal(err)
			}
			if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			go func() { _, _ = out.Read(make([]byte, 64<<10)) }()
			if status := exitStatus(t, cmd.Wait()); status != 2 {
				t.Errorf("exit status %d, want 2: %s", status, told.String())
			}
			if !strings.Contains(told.String(), "failed in the background") {
				t.Errorf("stderr: %s", told.String())
			}
			if pid > 0 && syscall.Kill(pid, 0) == nil {
				t.Errorf("process %d is still there", pid)
				_ = syscall.Kill(pid, syscall.SIGKILL)
			}
		})
	}
}

// A signal that comes while the result is being written takes nothing of it away, where the
// command would wait for async hooks.
func TestSignalWhileTheResultIsWritten(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	dir, env := hookFolder(t, map[string]string{"hooks.yaml": `
hooks:
  pre_tool_call:
    - {name: guard, command: "echo '{\"decision\": \"ask\", \"reason\": \"sure?\"}'"}
    - {name: slow, mode: async, command: "echo $$ > began; exec sleep 60"}`})
	out, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	if err := in.SetWriteDeadline(time.Now().Add(20 * time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	if _, err := in.Write(make([]byte, 4<<20)); err == nil {
		t.Fatal("the pipe is never full")
	}
	cmd := evalIn(ctx, dir, env)
	cmd.Stdout = in
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = in.Close()
	waitFor(t, ctx, filepath.Join(dir, "began"))
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(out)
	if err != nil {
		t.Fatal(err)
	}
	if status := exitStatus(t, cmd.Wait()); status != 3 || !bytes.Contains(text, []byte("sure?")) {
		t.Errorf("exit status %d, want 3: %s", status, bytes.Trim(text, "\x00"))
	}
}

// waitedFor is a context that tells when somebody waits for its end.
type waitedFor struct {
	context.Context
	told chan struct{}
	once sync.Once
}

func (w *waitedFor) Done() <-chan struct{} {
	w.once.Do(func() { close(w.told) })
	return w.Context.Done()
}

// That a hook has run is noted once async hooks were waited for: a process that is killed
// meanwhile has no exit status.
func TestOnceIsNotedAfterTheWait(t *testing.T) {
	e, err := engine.New(engine.WithoutBuiltins())
	if err != nil {
		t.Fatal(err)
	}
	within, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	ctx := &waitedFor{Context: within, told: make(chan struct{})}
	fired, delivery := engine.Delivering(t.Context())
	owed := false
	for _, o := range []hooks.Options{{Once: true}, {Mode: hooks.ModeAsync, Timeout: time.Minute}} {
		_, err := e.RegisterHook(hooks.Stop, o, func(context.Context, *hooks.Context) (*hooks.Result, error) {
			if o.Mode == hooks.ModeAsync {
				<-ctx.told
				owed = delivery.Owes()
			}
			return nil, nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if _, err := e.Fire(fired, &hooks.Context{Event: hooks.Stop}); err != nil {
		t.Fatal(err)
	}
	if err := (&localEngine{Engine: e}).closeWithin(ctx, delivery); err != nil {
		t.Fatal(err)
	}
	if !owed || delivery.Owes() {
		t.Errorf("noted while async hooks were at work: %v; noted in the end: %v", !owed, !delivery.Owes())
	}
}
