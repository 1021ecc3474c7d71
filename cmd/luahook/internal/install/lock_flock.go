//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package install

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
	"time"

	"github.com/luahook/luahook/internal/openfile"
)

// lockable says that folders can be locked, so that only one luahook is at work in one.
const lockable = true

// lockFolder locks a folder against other luahooks. The lock goes with the process.
func lockFolder(ctx context.Context, dir string) (unlock func() error, err error) {
	f, err := openfile.Folder(dir)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case err == nil, errors.Is(err, syscall.ENOTSUP), errors.Is(err, syscall.EBADF): // a network's folder has no locks
			return f.Close, nil
		case !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR):
			return nil, errors.Join(fmt.Errorf("its folder can't be locked: %w", err), f.Close())
		}
		timer := time.NewTimer(5 * time.Millisecond)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return nil, errors.Join(errors.New("another luahook is at work in its folder; try again once it has ended"), f.Close())
		}
	}
}

// keepOwner gives a file the owner of another.
func keepOwner(f *os.File, like fs.FileInfo) error {
	want, known := like.Sys().(*syscall.Stat_t)
	info, err := f.Stat()
	if err != nil || !known {
		return err
	}
	if have, known := info.Sys().(*syscall.Stat_t); known && have.Uid == want.Uid && have.Gid == want.Gid {
		return nil
	}
	if err := f.Chown(int(want.Uid), int(want.Gid)); err != nil {
		return fmt.Errorf("it belongs to another user or group, which can't be kept: %w", err)
	}
	return nil
}

// syncFolder makes a rename in a folder outlast a loss of power.
func syncFolder(dir string) error {
	f, err := openfile.Folder(dir)
	if err != nil {
		return err
	}
	if err := f.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) { // which some file systems say
		return errors.Join(err, f.Close())
	}
	return f.Close()
}
