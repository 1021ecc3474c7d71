//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd || windows)

package file

import (
	"errors"
	"os"
)

// lock refuses: nothing on this system keeps two processes from writing at once.
func lock(*os.File, bool) (busy bool, err error) {
	return false, errors.New("this system has no locks for files; name another store")
}
