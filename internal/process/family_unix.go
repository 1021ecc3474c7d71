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

// family is the process group of a program.
type family struct{ group int }

func newFamily(pid int, _ string, _ *lifeline, _ ...*os.File) *family { return &family{group: pid} }

func (f *family) close(bool) {}

// certain tells whether nothing could be of the family without being found.
func (f *family) certain() bool { return false }

// ask asks all to end and tells whether it is worth waiting for them.
func (f *family) ask() bool { return signalGroup(f.group, syscall.SIGTERM) }

// gone tells whether the group is empty.
func (f *family) gone() bool { return !signalGroup(f.group, 0) }

// kill ends all by force and returns whether there was anybody, as a number.
func (f *family) kill() int {
	if signalGroup(f.group, syscall.SIGKILL) {
		return 1
	}
	return 0
}
