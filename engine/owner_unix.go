//go:build unix

package engine

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// sameOwner tells whether two folders belong to the same user.
func sameOwner(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && owner(x) == owner(y)
}

func owner(info fs.FileInfo) int {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(s.Uid)
	}
	return -1
}

// refuseFolder says why a hooks folder may not be used, or nil.
func refuseFolder(info fs.FileInfo) error {
	if uid := owner(info); uid != os.Geteuid() && uid != 0 {
		return fmt.Errorf("the hooks folder belongs to another user (uid %d); take it over with chown to use it", uid)
	}
	if info.Mode().Perm()&0o002 != 0 {
		return fmt.Errorf("everybody may write to the hooks folder; chmod o-w to use it")
	}
	return nil
}
