//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package install

import (
	"context"
	"io/fs"
	"os"
)

// lockable says that folders can be locked. Here they can't: what another luahook writes is only seen by comparing.
const lockable = false

func lockFolder(context.Context, string) (unlock func() error, err error) {
	return func() error { return nil }, nil
}

func keepOwner(*os.File, fs.FileInfo) error { return nil }

func syncFolder(string) error { return nil }
