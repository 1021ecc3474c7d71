//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/luahook/luahook/cmd/luahook/internal/ownprocess"
)

const (
	rmRoot  = `{"tool_call":{"name":"bash","input":{"command":"rm -rf /"}}}`
	listing = `{"tool_call":{"name":"bash","input":{"command":"ls"}}}`
)

// command is the command as a process of its own, in a folder of its own and with no
// environment but a home.
func command(t *testing.T, stdin string, args ...string) *exec.Cmd {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	t.Cleanup(cancel)
	dir := t.TempDir()
	cmd := exec.CommandContext(ctx, "luahook", args...)
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(stdin)
	// A build that measures its coverage says on standard error where it has no folder for it.
	cmd.Env = []string{"HOME=" + filepath.Join(dir, "home"), "PATH=" + os.Getenv("PATH"), "GOCOVERDIR=" + t.TempDir()}
	return cmd
}

// ended runs it and gives its exit status, -1 where a signal or the test has ended it.
func ended(t *testing.T, cmd *exec.Cmd) int {
	t.Helper()
	err := cmd.Run()
	if status := (*exec.ExitError)(nil); err != nil && !errors.As(err, &status) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode()
}

// TestVerdictSurvivesItsReaders: whatever becomes of standard output and standard error,
// the exit status is that of the verdict.
func TestVerdictSurvivesItsReaders(t *testing.T) {
	pipe := func(t *testing.T) (r, w *os.File) {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { r.Close(); w.Close() })
		return r, w
	}
	for name, open := range map[string]func(t *testing.T) *os.File{
		"a closed pipe": func(t *testing.T) *os.File {
			r, w := pipe(t)
			r.Close()
			return w
		},
		"a full disk": func(t *testing.T) *os.File {
			full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
			if err != nil {
				t.Skip(err)
			}
			t.Cleanup(func() { full.Close() })
			return full
		},
		"a full pipe that nobody reads": func(t *testing.T) *os.File {
			_, w := pipe(t)
			if err := w.SetWriteDeadline(time.Now().Add(100 * time.Millisecond)); err != nil {
				t.Fatal(err)
			}
			if _, err := w.Write(make([]byte, 4<<20)); !errors.Is(err, os.ErrDeadlineExceeded) {
				t.Fatal(err)
			}
			return w
		},
		"a socket that was reset": func(t *testing.T) *os.File {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			out, err := net.Dial("tcp", l.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			in, err := l.Accept()
			if err != nil {
				t.Fatal(err)
			}
			_ = in.(*net.TCPConn).SetLinger(0)
			in.Close()
			_, _ = out.Read(make([]byte, 1)) // until it is known here
			f, err := out.(*net.TCPConn).File()
			if err != nil {
				t.Fatal(err)
			}
			out.Close()
			t.Cleanup(func() { f.Close() })
			return f
		},
	} {
		t.Run(name, func(t *testing.T) {
			for _, where := range []string{"stdout", "stderr", "both"} {
				for _, args := range [][]string{{"eval", "pre_tool_call"}, {"eval", "pre_tool_call", "--format", "text"}, {"eval", "--format", "tekst", "pre_tool_call"}} {
					cmd := command(t, rmRoot, args...)
					if where != "stderr" {
						cmd.Stdout = open(t)
					}
					if where != "stdout" {
						cmd.Stderr = open(t)
					}
					if status := ended(t, cmd); status != exitBlock {
						t.Errorf("%q with %s gone: exit status %d, want %d", args, where, status, exitBlock)
					}
					if strings.Contains(name, "nobody reads") {
						break // it takes its time
					}
				}
			}
		})
	}
	t.Run("closed descriptors", func(t *testing.T) {
		for _, closed := range []string{">&-", "2>&-", ">&- 2>&-", "<&-", "<&- >&- 2>&-"} {
			cmd := command(t, rmRoot)
			sh, err := exec.LookPath("sh")
			if err != nil {
				t.Skip(err)
			}
			cmd.Path, cmd.Args = sh, []string{"sh", "-c", "exec luahook eval pre_tool_call " + closed}
			if status := ended(t, cmd); status != exitBlock {
				t.Errorf("%s: exit status %d, want %d", closed, status, exitBlock)
			}
		}
	})
	t.Run("lines", func(t *testing.T) {
		r, w := pipe(t)
		r.Close()
		cmd := command(t, rmRoot+"\n", "eval", "pre_tool_call", "--jsonl")
		cmd.Stdout = w
		if status := ended(t, cmd); status != exitBlock {
			t.Errorf("exit status %d, want %d", status, exitBlock)
		}
	})
	t.Run("what is allowed and can't be told", func(t *testing.T) {
		input := map[string]string{"pre_tool_call": listing, "stop": "{}"}
		lost := map[string]int{"pre_tool_call": exitBlock, "stop": exitError}
		for how, want := range map[string]map[string]int{
			"<&- >&-": lost, ">/dev/full": lost, "1</dev/null": lost,
			">&-": {}, ">&- 2>&-": {}, "1<>/dev/null": {}, ">/dev/null": {}, "2>&-": {}, "2>/dev/full": {}, // who wants the exit status alone has it
		} {
			for event := range input {
				for _, flags := range []string{"", " --format text", " --jsonl"} {
					cmd := command(t, input[event]+"\n")
					sh, err := exec.LookPath("sh")
					if err != nil {
						t.Skip(err)
					}
					if strings.Contains(how, "full") && !fullDevice() || strings.HasPrefix(how, "<&-") && flags != "" {
						continue // without an event
					}
					wanted := want[event]
					if strings.HasPrefix(how, "<&-") {
						wanted = lost[event]
					}
					cmd.Path, cmd.Args = sh, []string{"sh", "-c", "exec luahook eval " + event + flags + " " + how}
					if status := ended(t, cmd); status != wanted {
						t.Errorf("%s%s %s: exit status %d, want %d", event, flags, how, status, wanted)
					}
				}
			}
		}
		for event, want := range lost {
			r, w := pipe(t)
			r.Close()
			cmd := command(t, input[event], "eval", event)
			cmd.Stdout = w
			if status := ended(t, cmd); status != want {
				t.Errorf("%s: exit status %d, want %d", event, status, want)
			}
		}
	})
}

// TestAnswersToAgentsSurviveTheirReaders: an agent that can't read a denial is told by the exit status.
func TestAnswersToAgentsSurviveTheirReaders(t *testing.T) {
	const denied, silent, stopped = `{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"rm -rf /"}}`,
		`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}}`, `{"hook_event_name":"SessionEnd","reason":"x"}`
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip(err)
	}
	for _, how := range []string{">&-", ">&- 2>&-", ">/dev/null", "1<>/dev/null", ">/dev/full", "1</dev/null"} {
		if strings.Contains(how, "full") && !fullDevice() {
			continue
		}
		for event, want := range map[string]int{denied: exitBlock, silent: exitOK, stopped: exitOK} {
			cmd := command(t, event)
			cmd.Path, cmd.Args = sh, []string{"sh", "-c", "exec luahook run --agent claude " + how}
			if status := ended(t, cmd); status != want {
				t.Errorf("%s %s: exit status %d, want %d", how, event, status, want)
			}
		}
	}
}

// TestPipesOfCommandsEndThemAsEver: that luahook outlives its readers is nothing that the
// programs of hooks inherit.
func TestPipesOfCommandsEndThemAsEver(t *testing.T) {
	cmd := command(t, listing, "eval", "pre_tool_call", "--hooks", "h")
	write(t, cmd.Dir, "h/hooks.yaml", `hooks: {pre_tool_call: [{command: "(trap - PIPE; yes; echo $? >status) | head -n 1 >/dev/null"}]}`+"\n")
	if status := ended(t, cmd); status != exitOK {
		t.Errorf("exit status %d", status)
	}
	if text, err := os.ReadFile(filepath.Join(cmd.Dir, "status")); strings.TrimSpace(string(text)) != "141" {
		t.Errorf("yes ended with %q, %v; want the 141 of SIGPIPE", text, err)
	}
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

var endingSignals = []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT}

// TestSignalsEndHooks: a signal ends the command, and what its hooks have started; what
// was not decided is denied.
func TestSignalsEndHooks(t *testing.T) {
	for _, s := range endingSignals {
		t.Run(s.String(), func(t *testing.T) {
			cmd := command(t, listing, "eval", "pre_tool_call", "--hooks", "h")
			write(t, cmd.Dir, "h/hooks.yaml", `hooks: {pre_tool_call: [{command: "sleep 311 & echo $$ $! >new; mv new ready; wait"}]}`+"\n")
			var stdout, stderr bytes.Buffer
			cmd.Stdout, cmd.Stderr = &stdout, &stderr
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			pids := waitForPids(t, filepath.Join(cmd.Dir, "ready"))
			if err := cmd.Process.Signal(s); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait()
			denied(t, cmd, stdout.String(), stderr.String())
			gone(t, pids)
		})
	}
}

// TestSignalsWhileTheEventIsRead: who waits for an event can be ended.
func TestSignalsWhileTheEventIsRead(t *testing.T) {
	for _, s := range endingSignals {
		in, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		caught := ownprocess.CatchSignals(t.Context())
		if err := syscall.Kill(os.Getpid(), s); err != nil {
			t.Fatal(err)
		}
		if text, err := readUntilEnded(caught, in); !errors.Is(err, ownprocess.ErrInterrupted) {
			t.Errorf("%s: got %q, %v", s, text, err)
		}
		caught.Stop()
		w.Close()
		in.Close()
	}
}

// TestSignalsBetweenLines: a signal that comes as an answer is out ends the command, and
// nothing of the runtime's gets into the protocol.
func TestSignalsBetweenLines(t *testing.T) {
	for range 5 { // it may come a little earlier or later
		for _, s := range endingSignals {
			signalAfterLine(t, s)
		}
	}
}

func signalAfterLine(t *testing.T, s syscall.Signal) {
	t.Helper()
	cmd := command(t, "", "eval", "pre_tool_call", "--jsonl")
	cmd.Stdin = nil
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(stdin, listing+"\n"); err != nil {
		t.Fatal(err)
	}
	if _, err := stdout.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(s); err != nil {
		t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, stdout)
	_ = cmd.Wait()
	if strings.Contains(stderr.String(), "goroutine") || cmd.ProcessState.Success() {
		t.Errorf("it ended with %s: %s", cmd.ProcessState, stderr.String())
	}
}

func denied(t *testing.T, cmd *exec.Cmd, stdout, stderr string) {
	t.Helper()
	if status := cmd.ProcessState.ExitCode(); status != exitBlock {
		t.Errorf("it ended with %s, want exit status %d", cmd.ProcessState, exitBlock)
	}
	if !strings.HasPrefix(stdout, `{"decision":"deny","block":true,`) || strings.Count(stdout, "\n") != 1 {
		t.Errorf("stdout: %s", stdout)
	}
	if strings.Contains(stdout+stderr, "goroutine") || stderr == "" {
		t.Errorf("stderr: %s", stderr)
	}
}

// waitForPids reads the process ids that a hook writes into a file.
func waitForPids(t *testing.T, file string) (pids []int) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(2 * time.Millisecond) {
		if text, err := os.ReadFile(file); err == nil {
			for _, word := range strings.Fields(string(text)) {
				pid, err := strconv.Atoi(word)
				if err != nil {
					t.Fatal(err)
				}
				pids = append(pids, pid)
			}
			return pids
		}
		if time.Now().After(deadline) {
			t.Fatal("the hook never began")
		}
	}
}

// gone waits for processes to be gone.
func gone(t *testing.T, pids []int) {
	t.Helper()
	for _, pid := range pids {
		for deadline := time.Now().Add(20 * time.Second); runs(pid); time.Sleep(2 * time.Millisecond) {
			if time.Now().After(deadline) {
				_ = syscall.Kill(pid, syscall.SIGKILL)
				t.Errorf("process %d still runs", pid)
			}
		}
	}
}

func runs(pid int) bool {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return syscall.Kill(pid, 0) == nil && (err != nil || !strings.Contains(string(stat), ") Z "))
}

// fullDevice reports whether there is a device that takes nothing; a shell would make a file where there is none.
func fullDevice() bool {
	info, err := os.Stat("/dev/full")
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
