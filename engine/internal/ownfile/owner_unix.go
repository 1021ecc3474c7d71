//go:build unix

package ownfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// notOurs says why what a file or folder holds may be somebody else's word, "" where it
// can't be.
func notOurs(info fs.FileInfo) string {
	if s, ok := info.Sys().(*syscall.Stat_t); !ok || int(s.Uid) != os.Geteuid() {
		return fmt.Sprintf("the owner is another user than the one who runs luahook (uid %d)", os.Geteuid())
	}
	if info.Mode().Perm()&0o022 != 0 {
		return fmt.Sprintf("the mode %04o lets others write (chmod go-w)", info.Mode().Perm())
	}
	return ""
}

// syncFolder makes sure that a renamed file is found after the machine has stopped.
func syncFolder(dir string) error {
	d, err := os.OpenFile(dir, os.O_RDONLY|syscall.O_DIRECTORY, 0)
	if err != nil {
		return err
	}
	err = d.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) { // by file systems that can't
		err = nil
	}
	return errors.Join(err, d.Close())
}
