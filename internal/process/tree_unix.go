//go:build unix && !linux

package process

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// AdoptOrphans has the system make every process whose parent has ended a child of this
// one, where it descends from it. Only Linux can; elsewhere it is [errors.ErrUnsupported].
func AdoptOrphans() error { return errors.ErrUnsupported }

func beginStart()   {}
func endStart(int)  {}
func waitedFor(int) {}

// lifeline is what ends the program with this process, where the system has such a thing.
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

// certainlyEnded reports whether nothing could be of the tree without being found.
func (f *processTree) certainlyEnded() bool { return false }

// ask asks all to end and reports whether it is worth waiting for them.
func (f *processTree) terminate() bool { return signalGroup(f.group, syscall.SIGTERM) }

// ended reports whether the group is empty.
func (f *processTree) ended() bool { return !signalGroup(f.group, 0) }

// kill ends all by force and returns whether there was anybody, as a number.
func (f *processTree) kill() int {
	if signalGroup(f.group, syscall.SIGKILL) {
		return 1
	}
	return 0
}
