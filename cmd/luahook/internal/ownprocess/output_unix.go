//go:build unix

package ownprocess

import (
	"os"
	"syscall"
)

// Surviving is standard output or standard error for a process that has a verdict to give
// by its exit status: the runtime ends one that writes to either when nobody reads it any
// more, but not one that does so by another number. A signal that is ignored instead would
// stay so for the programs that hooks start.
func Surviving(f *os.File) *os.File {
	number := syscall.Stdout
	if f == os.Stderr {
		number = syscall.Stderr
	}
	other, err := syscall.Dup(number)
	if err != nil {
		return f
	}
	syscall.CloseOnExec(other)
	return os.NewFile(uintptr(other), f.Name())
}
