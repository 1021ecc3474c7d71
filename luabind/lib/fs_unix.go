//go:build unix

package lib

import (
	"io/fs"
	"os"
	"syscall"
)

// noBlock opens a FIFO without waiting for a writer.
const noBlock = syscall.O_NONBLOCK

// errNotFolder is a path that goes on behind a file.
var errNotFolder error = syscall.ENOTDIR

// names is how many names a file has.
func names(_ *os.File, info fs.FileInfo) (uint64, error) {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(s.Nlink), nil //nolint:unconvert // its type differs between systems
	}
	return 1, nil
}
