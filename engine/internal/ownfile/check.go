package ownfile

import (
	"errors"
	"io/fs"
	"os"
)

// Check holds what is known of a file or a folder against the rule of this package: what
// belongs to another user, or lets others write, is a [*NotOursError]. It is for those who
// open a file in their own way.
func Check(info fs.FileInfo) error {
	if problem := notOurs(info); problem != "" {
		return &NotOursError{problem}
	}
	return nil
}

var (
	errLink      = &NotOursError{"it is a symbolic link"}
	errIrregular = errors.New("it is not a regular file")
)

// Open opens a file as os.OpenFile does with these flags, and makes it of mode 0600, after
// it has refused what [Check] refuses, a symbolic link, and what is no regular file: a pipe
// in its place blocks nobody.
func Open(path string, flags int) (*os.File, fs.FileInfo, error) {
	if named, err := os.Lstat(path); err == nil && named.Mode()&fs.ModeSymlink != 0 {
		return nil, nil, errLink
	}
	file, err := os.OpenFile(path, flags|openFlags, 0o600)
	if err != nil {
		return nil, nil, cause(err)
	}
	info, err := file.Stat()
	switch {
	case err != nil:
		err = cause(err)
	case !info.Mode().IsRegular():
		err = errIrregular
	default:
		err = Check(info)
	}
	if err != nil {
		return nil, nil, errors.Join(err, file.Close())
	}
	return file, info, nil
}
