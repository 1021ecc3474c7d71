//go:build unix

package source

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// SameOwner reports whether two folders belong to the same user.
func SameOwner(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && owner(x) == owner(y)
}

// IsOurs reports whether a folder belongs to us, to root, or to the user that another one belongs
// to.
func IsOurs(dir, other string) bool {
	info, err := os.Stat(dir)
	return err == nil && (owner(info) == os.Geteuid() || owner(info) == 0 || SameOwner(dir, other))
}

// IsPlanted reports whether something that lies in a folder where everybody may write, as in
// one of temporary files, belongs neither to us nor to root.
func IsPlanted(path, dir string) bool {
	folder, err := os.Stat(dir)
	if err != nil || folder.Mode().Perm()&0o002 == 0 {
		return false
	}
	info, err := os.Lstat(path)
	if err != nil {
		return false
	}
	_, foreign := foreignOwner(info)
	return foreign
}

func owner(info fs.FileInfo) int {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(s.Uid)
	}
	return -1
}

// RefuseFolder says why a hooks folder may not be used, or nil.
func RefuseFolder(info fs.FileInfo) error {
	if uid, foreign := foreignOwner(info); foreign {
		return fmt.Errorf("the hooks folder belongs to another user (uid %d); take it over with chown to use it", uid)
	}
	if info.Mode().Perm()&0o002 != 0 {
		return fmt.Errorf("everybody may write to the hooks folder; chmod o-w to use it")
	}
	return nil
}

// refuseFile says why a file of a hooks folder may not be used, or nil. A managed one
// is its owner's alone to change.
func refuseFile(info fs.FileInfo, managed bool) error {
	uid, foreign := foreignOwner(info)
	switch mode := info.Mode().Perm(); {
	case foreign:
		return fmt.Errorf("it belongs to another user (uid %d); take it over with chown to use it", uid)
	case mode&0o002 != 0:
		return errors.New("everybody may write to it; chmod o-w to use it")
	case managed && mode&0o020 != 0:
		return errors.New("its group may write to it, and it is managed; chmod g-w to use it")
	}
	return nil
}

// foreignOwner tells who something belongs to, and whether that is neither us nor root.
func foreignOwner(info fs.FileInfo) (uid int, foreign bool) {
	uid = owner(info)
	return uid, uid != os.Geteuid() && uid != 0
}
