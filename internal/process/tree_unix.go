//go:build unix && !linux

package process

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

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

func marked(env []string) (mark string, with []string) {
	return "", append([]string{}, env...)
}

// processTree is the process group of a program.
type processTree struct{ group int }

func newProcessTree(pid int, _ string, _ *lifeline, _ ...*os.File) *processTree {
	return &processTree{group: pid}
}

func (f *processTree) close(bool) {}

// certainlyEnded is false: a process of the tree might exist without being found.
func (f *processTree) certainlyEnded() bool { return false }

// terminate asks all to end and reports whether it is worth waiting for them.
func (f *processTree) terminate() bool { return signalGroup(f.group, syscall.SIGTERM) }

// ended reports whether the group is empty.
func (f *processTree) ended() bool { return !signalGroup(f.group, 0) }

// kill ends all by force and returns 1 if there was any, else 0.
func (f *processTree) kill() int {
	if signalGroup(f.group, syscall.SIGKILL) {
		return 1
	}
	return 0
}
