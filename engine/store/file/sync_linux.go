package file

import (
	"os"
	"syscall"
)

// syncData makes what was written, and the size of the file, survive the death of the machine.
func syncData(f *os.File) error {
	for {
		if err := syscall.Fdatasync(int(f.Fd())); err != syscall.EINTR {
			return err
		}
	}
}
