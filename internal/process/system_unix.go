//go:build unix

package process

import (
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
)

// The system's errors for a file that it can't run.
const (
	errFormat  = syscall.ENOEXEC
	errBusy    = syscall.ETXTBSY
	errTooLong = syscall.E2BIG
)

const defaultPath = "/usr/local/bin:/usr/bin:/bin"

func isPath(program string) bool   { return strings.Contains(program, "/") }
func sameName(a, b string) bool    { return a == b }
func checkArgs(string, Spec) error { return nil }

// separate puts the program into a process group of its own.
func separate(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// runnable reports whether a file can be run, "" being yes.
func runnable(path string, _ []string) (string, Reason) {
	info, err := os.Stat(path)
	switch {
	case os.IsPermission(err):
		return "", NotExecutable
	case err != nil:
		return "", NotFound
	case info.IsDir() || info.Mode()&0o111 == 0:
		return "", NotExecutable
	}
	return path, ""
}

func signalName(state *os.ProcessState) string {
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return status.Signal().String()
	}
	return ""
}

// readNow reads what is available without waiting.
func readNow(f *os.File, buffer []byte) (n int, err error) {
	conn, err := f.SyscallConn()
	if err != nil {
		return 0, err
	}
	var failed error
	err = conn.Read(func(fd uintptr) bool {
		for {
			if n, failed = syscall.Read(int(fd), buffer); failed != syscall.EINTR {
				return true
			}
		}
	})
	switch {
	case err != nil:
		return 0, err
	case failed != nil:
		return 0, failed // EAGAIN: the pipe is empty
	case n == 0:
		return 0, io.EOF
	}
	return n, nil
}

// signalGroup sends a signal to a process group and reports whether the group exists.
func signalGroup(group int, signal syscall.Signal) bool {
	return syscall.Kill(-group, signal) != syscall.ESRCH
}
