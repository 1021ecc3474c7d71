package file

import (
	"os"
	"syscall"
)

// syncData makes sure that what was written, and the size of the file, outlast the machine.
func syncData(f *os.File) error {
	for {
		if err := syscall.Fdatasync(int(f.Fd())); err != syscall.EINTR {
			return err
		}
	}
}
