package lib

import (
	"io/fs"
	"os"
	"syscall"
)

const noBlock = 0

// errNotFolder is a path that goes on behind a file.
var errNotFolder error = syscall.ENOTDIR

// names is how many names a file has.
func names(f *os.File, _ fs.FileInfo) (uint64, error) {
	var info syscall.ByHandleFileInformation
	if err := syscall.GetFileInformationByHandle(syscall.Handle(f.Fd()), &info); err != nil {
		return 0, err
	}
	return uint64(info.NumberOfLinks), nil
}
