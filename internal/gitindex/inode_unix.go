//go:build unix

package gitindex

import (
	"io/fs"
	"syscall"
)

// inodeOf is the number of a file as an index has it.
func inodeOf(info fs.FileInfo) (inode uint32, ok bool) {
	if stat, is := info.Sys().(*syscall.Stat_t); is {
		return uint32(stat.Ino), true
	}
	return 0, false
}
