//go:build unix && !linux

package process

import "syscall"

func marked(env []string) (mark string, with []string) {
	return "", append([]string{}, env...)
}

// family is the process group of a program.
type family struct{ group int }

func newFamily(pid int, _ string) *family { return &family{group: pid} }

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
