package process

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// The system's errors for a file that it can't run.
const (
	errFormat  = syscall.Errno(193) // ERROR_BAD_EXE_FORMAT
	errBusy    = syscall.Errno(32)  // ERROR_SHARING_VIOLATION
	errTooLong = syscall.Errno(206) // ERROR_FILENAME_EXCED_RANGE
)

const defaultPath = `C:\Windows\System32;C:\Windows`

func isPath(program string) bool           { return strings.ContainsAny(program, `/\:`) }
func sameName(a, b string) bool            { return strings.EqualFold(a, b) }
func signalName(_ *os.ProcessState) string { return "" }

// separate keeps the console's Ctrl-C from the program, which ends with its context.
func separate(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

// checkArgs refuses arguments that cmd.exe, which runs batch files, would read as commands.
func checkArgs(path string, s Spec) error {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".bat", ".cmd":
		for _, a := range s.Args {
			if strings.ContainsAny(a, "\"%!^&|<>()\r\n") {
				return &StartError{Program: s.Path, Reason: Refused, Message: fmt.Sprintf("the argument %q can't be given to a batch file safely; let the batch file read stdin", a)}
			}
		}
	}
	return nil
}

// runnable finds the file with the extension that makes it a program.
func runnable(path string, env []string) (string, Reason) {
	endings, ok := lookup(env, "PATHEXT")
	if !ok {
		endings = ".com;.exe;.bat;.cmd"
	}
	candidates := []string{}
	if filepath.Ext(path) != "" {
		candidates = append(candidates, path)
	}
	for _, e := range strings.Split(endings, ";") {
		if e != "" {
			candidates = append(candidates, path+e)
		}
	}
	for _, c := range candidates {
		if info, err := os.Stat(c); err == nil && !info.IsDir() {
			return c, ""
		}
	}
	if _, err := os.Stat(path); err == nil {
		return "", NotExecutable
	}
	return "", NotFound
}

func readNow(*os.File, []byte) (int, error) { return 0, errors.ErrUnsupported }

func marked(env []string) (mark string, with []string) {
	return "", append([]string{}, env...)
}

// processTree is a program and the tree of processes below it.
type processTree struct {
	pid    int
	killed bool
}

func newProcessTree(pid int, _ string, _ *lifeline, _ ...*os.File) *processTree {
	return &processTree{pid: pid}
}

// AdoptOrphans makes this process the parent of descendants whose parent has ended. Only Linux can do that;
// elsewhere the error is [errors.ErrUnsupported].
func AdoptOrphans() error { return errors.ErrUnsupported }

func beginStart()   {}
func endStart(int)  {}
func waitedFor(int) {}

// lifeline ends the program together with this process, on systems that support it.
type lifeline struct{}

func newLifeline() *lifeline     { return nil }
func (*lifeline) give(*exec.Cmd) {}
func (*lifeline) close()         {}

func (f *processTree) close(bool) {}

// certainlyEnded is false: a process of the tree might exist without being found.
func (f *processTree) certainlyEnded() bool { return false }

// terminate does nothing: programs without a window can't be asked.
func (f *processTree) terminate() bool { return false }

func (f *processTree) ended() bool { return false }

// kill ends the tree by force, once.
func (f *processTree) kill() int {
	if f.killed {
		return 0
	}
	f.killed = true
	ctx, cancel := context.WithTimeout(context.Background(), reaping)
	defer cancel()
	taskkill := exec.CommandContext(ctx, filepath.Join(os.Getenv("SystemRoot"), "System32", "taskkill.exe"), "/T", "/F", "/PID", strconv.Itoa(f.pid))
	taskkill.WaitDelay = time.Millisecond
	if taskkill.Run() != nil { // at least the program itself
		if p, err := os.FindProcess(f.pid); err == nil {
			_ = p.Kill()
			_ = p.Release()
		}
	}
	return 0
}
