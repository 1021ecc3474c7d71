//go:build unix

package process_test

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

	"github.com/luahook/luahook/internal/process"
)

func TestOutcome(t *testing.T) {
	for _, c := range []struct {
		name, text, stdin      string
		code                   int
		stdout, stderr, signal string
	}{
		{name: "nothing", text: ":"},
		{name: "both outputs", text: "echo out; echo err >&2", stdout: "out\n", stderr: "err\n"},
		{name: "exit status", text: "echo no >&2; exit 3", code: 3, stderr: "no\n"},
		{name: "signal", text: "kill -9 $$", code: -1, signal: "killed"},
		{name: "group of its own", text: "trap 'exit 6' TERM; kill -TERM -$$; exit 1", code: 6},
		{name: "stdin", text: "cat", stdin: "a\nb", stdout: "a\nb"},
		{name: "empty stdin", text: "cat; echo done", stdout: "done\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := script(t, c.text)
			s.Stdin = []byte(c.stdin)
			o := run(t, s)
			if o.ExitCode != c.code || string(o.Stdout) != c.stdout || string(o.Stderr) != c.stderr || o.Signal != c.signal {
				t.Errorf("got %d %q %q %q", o.ExitCode, o.Signal, o.Stdout, o.Stderr)
			}
			if o.StdoutCut || o.StderrCut || o.Held {
				t.Errorf("cut %t %t, held %t; want none", o.StdoutCut, o.StderrCut, o.Held)
			}
			if o.Duration <= 0 {
				t.Errorf("it took %s", o.Duration)
			}
		})
	}
}

func TestFolderAndEnvironment(t *testing.T) {
	t.Setenv("PROCESS_TEST", "ours")
	s := script(t, `pwd -P; echo "$A-$PROCESS_TEST"`)
	s.Env = append(s.Env, "A=1", "A=2")
	dir, err := filepath.EvalSymlinks(s.Dir)
	if err != nil {
		t.Fatal(err)
	}
	if o := run(t, s); string(o.Stdout) != dir+"\n2-\n" {
		t.Errorf("got %q", o.Stdout)
	}
}

func TestOutputIsBounded(t *testing.T) {
	s := script(t, "head -c 10000000 /dev/zero | tr '\\0' a; head -c 10000000 /dev/zero | tr '\\0' b >&2; exit 7")
	s.MaxStdout, s.MaxStderr = 1000, 0
	o := run(t, s)
	if string(o.Stdout) != strings.Repeat("a", 1000) || !o.StdoutCut {
		t.Errorf("stdout: %d bytes, cut %t; want the first 1000, cut", len(o.Stdout), o.StdoutCut)
	}
	if len(o.Stderr) != 0 || !o.StderrCut {
		t.Errorf("stderr: %d bytes, cut %t; want none, cut", len(o.Stderr), o.StderrCut)
	}
	if o.ExitCode != 7 {
		t.Errorf("exit status %d, want 7: the program was not blocked", o.ExitCode)
	}
	s = script(t, "head -c 1000 /dev/zero")
	s.MaxStdout = 1000
	if o := run(t, s); len(o.Stdout) != 1000 || o.StdoutCut {
		t.Errorf("what just fits: %d bytes, cut %t", len(o.Stdout), o.StdoutCut)
	}
}

func TestStdinNeedNotBeRead(t *testing.T) {
	s := script(t, "exec <&-; echo fine")
	s.Stdin = make([]byte, 10<<20)
	if o := run(t, s); o.ExitCode != 0 || string(o.Stdout) != "fine\n" {
		t.Errorf("got %d %q %q", o.ExitCode, o.Stdout, o.Stderr)
	}
	s = script(t, "wc -c")
	s.Stdin = make([]byte, 10<<20)
	if o := run(t, s); strings.TrimSpace(string(o.Stdout)) != strconv.Itoa(10<<20) {
		t.Errorf("of 10 MiB it has read %q", o.Stdout)
	}
}

// TestBackgroundIsLeftAlone: the program ends on its own, and the processes that it leaves running hold all its
// pipes.
func TestBackgroundIsLeftAlone(t *testing.T) {
	s := script(t, "sleep 300 <&0 & echo $!; head -c 30000 /dev/zero | tr '\\0' a; exit 5")
	s.Stdin = make([]byte, 10<<20)
	o := run(t, s)
	first, rest, _ := strings.Cut(string(o.Stdout), "\n")
	pid, err := strconv.Atoi(first)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Kill(pid, syscall.SIGKILL) })
	if !runs(pid) {
		t.Error("what ran in the background was ended")
	}
	if o.ExitCode != 5 || rest != strings.Repeat("a", 30000) || !o.Held {
		t.Errorf("got %d, %d bytes, held %t; want 5, 30000, true", o.ExitCode, len(rest), o.Held)
	}
}

// TestOutputOfAPipelineArrives: a shell may end before the programs behind its output.
func TestOutputOfAPipelineArrives(t *testing.T) {
	s := script(t, "(while kill -0 $$ 2>/dev/null; do :; done; echo late) & exit 0")
	for range 20 { // a slow machine may take longer than Run waits
		if o := run(t, s); string(o.Stdout) == "late\n" && !o.Held {
			return
		}
	}
	t.Error("what was written right after the program's end never arrived")
}

func TestContextEndsTheGroup(t *testing.T) {
	o, pids := interrupted(t, script(t, "echo some; sh -c 'sleep 301 & echo $! $$ >pids; wait' & while ! [ -s pids ]; do sleep 0.01; done; echo $$ $(cat pids) >new; mv new ready; wait"))
	dead(t, pids...)
	if len(pids) != 3 {
		t.Errorf("process ids: %v, want 3", pids)
	}
	if string(o.Stdout) != "some\n" {
		t.Errorf("stdout is %q, want what it had written", o.Stdout)
	}
	if o.ExitCode != -1 || o.Signal != "terminated" {
		t.Errorf("exit status %d, signal %q; want -1, terminated", o.ExitCode, o.Signal)
	}
}

func TestItIsAskedFirst(t *testing.T) {
	s := script(t, "trap 'echo bye; echo bye >asked; exit 9' TERM; echo $$ >new; mv new ready; while :; do sleep 0.01; done")
	o, pids := interrupted(t, s)
	dead(t, pids...)
	if text, err := os.ReadFile(filepath.Join(s.Dir, "asked")); err != nil || string(text) != "bye\n" {
		t.Errorf("the trap wrote %q, %v", text, err)
	}
	if o.ExitCode != 9 || string(o.Stdout) != "bye\n" {
		t.Errorf("got %d %q, want 9 bye", o.ExitCode, o.Stdout)
	}
}

func TestWhoIgnoresTheRequestIsEnded(t *testing.T) {
	o, pids := interrupted(t, script(t, "trap '' TERM; sleep 302 & echo $$ $! >new; mv new ready; while :; do sleep 0.01; done"))
	dead(t, pids...)
	if o.ExitCode != -1 || o.Signal != "killed" {
		t.Errorf("exit status %d, signal %q; want -1, killed", o.ExitCode, o.Signal)
	}
}

func TestDeadline(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	s := script(t, "sleep 303")
	s.Stdin = make([]byte, 10<<20)
	o, err := process.Run(ctx, s)
	if !errors.Is(err, context.DeadlineExceeded) || o.ExitCode != -1 {
		t.Errorf("got %v, %d", err, o.ExitCode)
	}
	var start *process.StartError
	if errors.As(err, &start) {
		t.Errorf("%v: it was started", err)
	}
}

func TestContextOverBeforeTheStart(t *testing.T) {
	s := script(t, "echo >ran")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := process.Run(ctx, s)
	var start *process.StartError
	if !errors.As(err, &start) || start.Reason != process.ContextOver || !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(filepath.Join(s.Dir, "ran")); err == nil {
		t.Error("it ran")
	}
}

func TestManyAtOnce(t *testing.T) {
	var wait sync.WaitGroup
	for i := range 30 {
		s := script(t, "cat; exit "+strconv.Itoa(i))
		s.Stdin = []byte(strconv.Itoa(i))
		wait.Go(func() {
			o, err := process.Run(context.Background(), s)
			if err != nil || o.ExitCode != i || string(o.Stdout) != strconv.Itoa(i) {
				t.Errorf("%d: got %v, %d %q", i, err, o.ExitCode, o.Stdout)
			}
		})
	}
	wait.Wait()
}
