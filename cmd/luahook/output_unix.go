//go:build unix

package main

import (
	"errors"
	"io"
	"os"
	"syscall"
)

var errClosed = errors.New("standard output is closed, or /dev/null that is open for reading as well, which looks the same; to be told the exit status alone, have it opened for writing only")

// answering is surviving for standard output. The runtime puts /dev/null in the place of a
// descriptor that was closed when the process began, where an answer would be written in
// vain and with success; a shell's >/dev/null, which is meant, can't be read from.
func answering(f *os.File) io.Writer {
	null, err := os.Stat(os.DevNull)
	if err != nil {
		return surviving(f)
	}
	if out, err := f.Stat(); err != nil || !os.SameFile(out, null) {
		return surviving(f)
	}
	if _, err := f.Read(make([]byte, 1)); err != nil && !errors.Is(err, io.EOF) {
		return surviving(f)
	}
	return closedWriter{}
}

// closedWriter tells that nobody gets what is written.
type closedWriter struct{}

func (closedWriter) Write([]byte) (int, error) { return 0, errClosed }

// surviving is standard output or standard error for a process that has a verdict to give
// by its exit status: the runtime ends one that writes to either when nobody reads it any
// more, but not one that does so by another number. A signal that is ignored instead would
// stay so for the programs that hooks start.
func surviving(f *os.File) *os.File {
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
