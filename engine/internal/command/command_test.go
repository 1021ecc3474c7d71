//go:build unix

package command_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/luahook/luahook/engine/internal/command"
	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/internal/process"
)

func TestStdinIsTheEvent(t *testing.T) {
	want := bash(t, "echo \"a & <b>\"\nls")
	c := call(t, want)
	if out := run(shell(t, "cat >event"), c); out.Err != nil {
		t.Fatal(out.Err)
	}
	text, err := os.ReadFile(filepath.Join(c.ProjectDir, "event"))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, event(t, string(text))); d != "" {
		t.Errorf("the event read back (-want +got):\n%s", d)
	}
	if !strings.HasSuffix(string(text), "}\n") || strings.Count(string(text), "\n") != 1 {
		t.Errorf("%q is not one line", text)
	}
}

func TestVariables(t *testing.T) {
	t.Setenv("LUAHOOK_TOOL_NAME", "stale")
	t.Setenv("LUAHOOK_SECRET", "stale")
	t.Setenv("LUAHOOK_MANAGED", "/etc/managed.yaml")
	t.Setenv("COMMAND_TEST", "kept")
	names := func(c command.Call) map[string]string {
		values := map[string]string{}
		for _, v := range strings.Split(strings.TrimSuffix(stdout(t, "env -0 | tr '\\0\\n' '\\n|'", c), "\n"), "\n") {
			name, value, _ := strings.Cut(v, "=")
			if (strings.HasPrefix(name, "LUAHOOK_") && name != "LUAHOOK_RUN") || name == "COMMAND_TEST" {
				values[name] = value
			}
		}
		return values
	}
	full := call(t, event(t, `{"event":"post_tool_call","session_id":"s","run_id":"r","agent_id":"a","cwd":"/w","model":"m",
		"tool_call":{"id":"7","name":"Edit","input":{"file_path":"b.go"},"paths":["c.go"],"outcome":"ok"}}`))
	full.Event.Judging = true
	full.Depth = 3
	want := map[string]string{
		"COMMAND_TEST": "kept", "LUAHOOK_MANAGED": "/etc/managed.yaml",
		"LUAHOOK_EVENT": "post_tool_call", "LUAHOOK_CANONICAL_EVENT": "post_tool_call", "LUAHOOK_HOOK": "check", "LUAHOOK_SESSION_ID": "s", "LUAHOOK_RUN_ID": "r", "LUAHOOK_AGENT_ID": "a",
		"LUAHOOK_CWD": "/w", "LUAHOOK_PROJECT_DIR": full.ProjectDir, "LUAHOOK_DEPTH": "3", "LUAHOOK_MODEL": "m", "LUAHOOK_JUDGING": "1",
		"LUAHOOK_TOOL_NAME": "edit", "LUAHOOK_TOOL_HOST_NAME": "Edit", "LUAHOOK_TOOL_KIND": "edit", "LUAHOOK_TOOL_COMMAND": "",
		"LUAHOOK_TOOL_PATH": "b.go", "LUAHOOK_TOOL_PATHS": "b.go|c.go", "LUAHOOK_TOOL_ID": "7", "LUAHOOK_TOOL_OUTCOME": "ok",
	}
	if d := cmp.Diff(want, names(full)); d != "" {
		t.Errorf("variables (-want +got):\n%s", d)
	}
	bare := call(t, event(t, `{"event":"session_end"}`))
	for name := range want {
		want[name] = ""
	}
	want["COMMAND_TEST"], want["LUAHOOK_MANAGED"], want["LUAHOOK_EVENT"] = "kept", "/etc/managed.yaml", "session_end"
	want["LUAHOOK_CANONICAL_EVENT"] = "session_end"
	want["LUAHOOK_HOOK"], want["LUAHOOK_PROJECT_DIR"], want["LUAHOOK_DEPTH"] = "check", bare.ProjectDir, "1"
	if d := cmp.Diff(want, names(bare)); d != "" {
		t.Errorf("variables of an event without a tool (-want +got):\n%s", d)
	}
}

func TestValuesThatNoVariableHolds(t *testing.T) {
	for _, c := range []struct {
		name  string
		event *hooks.Context
		parts []string
	}{
		{"NUL byte", bash(t, "a\x00; rm -rf /"), []string{"NUL byte", "LUAHOOK_TOOL_COMMAND"}},
		{"too long", bash(t, strings.Repeat("x", 96<<10+1)), []string{"LUAHOOK_TOOL_COMMAND would be 98305 bytes"}},
		{"line break in a path", event(t, `{"event":"pre_tool_call","tool_call":{"name":"write","input":{"file_path":"a\nb"}}}`), []string{"line break", `"a\nb"`, "LUAHOOK_TOOL_PATHS"}},
	} {
		for how, new := range map[string]func(dir string) (*command.Command, error){
			"shell":  func(dir string) (*command.Command, error) { return command.New("echo >ran", nil) },
			"direct": func(dir string) (*command.Command, error) { return command.New("touch", []string{"ran"}) },
		} {
			call := call(t, c.event)
			cmd, err := new(call.ProjectDir)
			if err != nil {
				t.Fatal(err)
			}
			out := run(cmd, call)
			if out.Err == nil || out.Err.Kind != hooks.KindCommand || out.Run != nil {
				t.Fatalf("%s, %s: %+v", c.name, how, out)
			}
			contains(t, out.Err.Message, c.parts...)
			if _, err := os.Stat(filepath.Join(call.ProjectDir, "ran")); err == nil {
				t.Errorf("%s, %s: it ran", c.name, how)
			}
		}
	}
	long := strings.Repeat("x", 96<<10)
	if got := stdout(t, `printf %s "${#LUAHOOK_TOOL_COMMAND}"`, call(t, bash(t, long))); got != strconv.Itoa(len(long)) {
		t.Errorf("of what just fits %s bytes arrived", got)
	}
}

func TestDirect(t *testing.T) {
	c := call(t, bash(t, "echo 'a  b' $(touch pwned) *"))
	write(t, filepath.Join(c.ProjectDir, "bin", "show"), "#!/bin/sh\nfor a in \"$@\"; do printf '%s|' \"$a\"; done")
	for _, program := range []string{"bin/show", "$PROJECT_DIR/bin/show", "${PROJECT_DIR}/bin/show"} {
		cmd, err := command.New(program, []string{"$TOOL_COMMAND", "x${TOOL_NAME}y", "$$TOOL_NAME", "$OTHER", "$LUAHOOK_TOOL_NAME", "$(echo)", ""})
		if err != nil {
			t.Fatal(err)
		}
		out := run(cmd, c)
		if out.Err != nil {
			t.Fatal(out.Err)
		}
		if want := "echo 'a  b' $(touch pwned) *|xbashy|$$TOOL_NAME|$OTHER|$LUAHOOK_TOOL_NAME|$(echo)||"; out.Run.Stdout != want {
			t.Errorf("%s: got %s\nwant %s", program, out.Run.Stdout, want)
		}
	}
	cmd, err := command.New("bin/show", []string{})
	if err != nil {
		t.Fatal(err)
	}
	if out := run(cmd, c); out.Err != nil || out.Run.Stdout != "" {
		t.Errorf("without arguments: %+v", out)
	}
}

func TestNewRefuses(t *testing.T) {
	for _, c := range []struct {
		name, text string
		args       []string
		part       string
	}{
		{"empty", " \n", nil, "empty"},
		{"empty program", "", []string{"x"}, "empty"},
		{"NUL", "a\x00b", nil, "NUL"},
		{"NUL in an argument", "a", []string{"\x00"}, "NUL"},
		{"too long", strings.Repeat("x", 96<<10+1), nil, "put it into a file"},
		{"place of a mistake", "echo\n  ${TOOL_NAME%x}", nil, "2:3: "},
		{"program from the event", "$TOOL_NAME", []string{}, "only $PROJECT_DIR"},
		{"program from the folder", "$CWD/bin/x", []string{}, "only $PROJECT_DIR"},
		{"text for a shell", "/usr/bin/bash", []string{"-eu", "-c", "echo $TOOL_NAME"}, "LUAHOOK_TOOL_NAME from the environment"},
		{"text for a shell behind another program", "timeout", []string{"5", "sh", "-c", "echo ${TOOL_NAME}"}, "sh would run the value"},
		{"text for an interpreter", "python3", []string{"-c", "print('$TOOL_NAME')"}, "python3 would run the value"},
		{"eval", "eval", []string{"$TOOL_NAME"}, "eval would run the value"},
		{"operator", "echo", []string{"${TOOL_NAME:-x}"}, "only $TOOL_NAME and ${TOOL_NAME}"},
	} {
		_, err := command.New(c.text, c.args)
		if err == nil {
			t.Errorf("%s: no error", c.name)
			continue
		}
		contains(t, err.Error(), c.part)
	}
	for _, args := range [][]string{{"-c", `echo "$LUAHOOK_TOOL_NAME"`}, {"-c", `echo "$1"`, "sh", "$TOOL_NAME"}, {"script.sh", "-c", "$TOOL_NAME"}} {
		if _, err := command.New("sh", args); err != nil {
			t.Errorf("sh %q: %v", args, err)
		}
	}
}

func TestNotStarted(t *testing.T) {
	c := call(t, bash(t, "ls"))
	write(t, filepath.Join(c.ProjectDir, "plain"), "")
	if err := os.Chmod(filepath.Join(c.ProjectDir, "plain"), 0o644); err != nil {
		t.Fatal(err)
	}
	for program, part := range map[string]string{"no-such-program": "PATH", "./gone": "no file", "./plain": "chmod +x"} {
		cmd, err := command.New(program, []string{})
		if err != nil {
			t.Fatal(err)
		}
		out := run(cmd, c)
		var start *process.StartError
		if out.Err == nil || out.Run != nil || out.Err.Kind != hooks.KindCommand || !errors.As(out.Err, &start) {
			t.Fatalf("%s: %+v", program, out)
		}
		contains(t, out.Err.Message, program+" was not started", part)
	}
	c.ProjectDir = filepath.Join(c.ProjectDir, "gone")
	if out := run(shell(t, "echo"), c); out.Err == nil || !strings.Contains(out.Err.Message, c.ProjectDir) {
		t.Errorf("no folder: %+v", out)
	}
}

func TestTextThatLooksLikeAnOption(t *testing.T) {
	if out := run(shell(t, "-c 'echo ran'"), call(t, bash(t, "ls"))); out.Run == nil || out.Run.ExitCode != 127 {
		t.Errorf("got %+v, want that no program -c was found", out)
	}
}

// waiting is a hook that writes its process ids into the file ready and waits.
const waiting = `echo some; sleep 309 & echo $$ $! >new; mv new ready; wait`

func TestTimeout(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	out := shell(t, "echo some; sleep 310").Run(ctx, call(t, bash(t, "ls")))
	if out.Err == nil || out.Err.Kind != hooks.KindCommand || out.Err.Limit != hooks.LimitTime || !errors.Is(out.Err, context.DeadlineExceeded) || out.Err.Denied {
		t.Fatalf("error %+v", out.Err)
	}
	contains(t, out.Err.Message, "it was still running after ", "was ended")
	if out.Run == nil || !out.Run.TimedOut || out.Run.ExitCode != -1 || out.Result != nil {
		t.Errorf("%+v, run %+v", out, out.Run)
	}
}

func TestCallerGivesUp(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	c := call(t, bash(t, "ls"))
	ready := make(chan []byte, 1)
	go func() {
		defer cancel()
		for range 60_000 {
			if text, err := os.ReadFile(filepath.Join(c.ProjectDir, "ready")); err == nil {
				ready <- text
				return
			}
			time.Sleep(time.Millisecond)
		}
	}()
	out := shell(t, waiting).Run(ctx, c)
	if out.Err == nil || !errors.Is(out.Err, context.Canceled) || out.Err.Limit != hooks.LimitTime || out.Err.Kind != hooks.KindCommand {
		t.Fatalf("error %+v", out.Err)
	}
	contains(t, out.Err.Message, "the caller gave up")
	if out.Run == nil || out.Run.TimedOut || out.Run.Stdout != "some\n" {
		t.Errorf("run %+v", out.Run)
	}
	for _, word := range strings.Fields(string(<-ready)) {
		pid, err := strconv.Atoi(word)
		if err != nil {
			t.Fatal(err)
		}
		for deadline := time.Now().Add(10 * time.Second); alive(pid); time.Sleep(time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("process %d still runs", pid)
			}
		}
	}
	out = shell(t, "echo >ran").Run(ctx, call(t, bash(t, "ls")))
	if out.Run != nil || !errors.Is(out.Err, context.Canceled) || !strings.Contains(out.Err.Message, "not started") {
		t.Errorf("with a context that is over: %+v", out)
	}
}

// alive reports whether a process runs; a zombie that nobody has waited for doesn't.
func alive(pid int) bool {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return syscall.Kill(pid, 0) == nil && (err != nil || !strings.Contains(string(stat), ") Z "))
}

func TestWhatIsLeftRunningIsWarnedOf(t *testing.T) {
	out := run(shell(t, "sleep 311 & echo $!; echo '{\"decision\":\"deny\"}' >&2"), call(t, bash(t, "ls")))
	if out.Err != nil || len(out.Entries) != 1 || out.Entries[0].Kind != hooks.EntryWarning {
		t.Fatalf("%+v", out)
	}
	contains(t, out.Entries[0].Text, "/dev/null")
	pid, err := strconv.Atoi(strings.TrimSpace(out.Run.Stdout))
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Errorf("what it has left running: %v", err)
	}
}

func TestConcurrentRuns(t *testing.T) {
	cmd := shell(t, "echo $TOOL_COMMAND >&2; exit 2")
	var wait sync.WaitGroup
	for i := range 20 {
		text := "run " + strconv.Itoa(i)
		c := call(t, bash(t, text))
		wait.Go(func() {
			if out := run(cmd, c); out.Result == nil || out.Result.Reason != text {
				t.Errorf("%s: %+v", text, out)
			}
		})
	}
	wait.Wait()
}
