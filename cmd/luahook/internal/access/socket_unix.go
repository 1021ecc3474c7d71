//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package access

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/luahook/luahook/internal/openfile"
)

// How long servers that start at the same time wait for each other, and between two tries.
const (
	lockTime  = 5 * time.Second
	lockPause = 10 * time.Millisecond
)

// maxSocketPath is how long the path of a socket may be: the system's own bound less the name of the folder that it
// is made in.
const maxSocketPath = 103 - len("/.lh0123456789/s")

// listenUnix makes a socket in a folder that nobody else can look into, closes it to others there, and only then
// gives it its name.
func listenUnix(ctx context.Context, path string) (_ net.Listener, err error) {
	path, err = filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	if len(path) > maxSocketPath {
		return nil, fmt.Errorf("%s: the path of a socket may have %d bytes, this one has %d", path, maxSocketPath, len(path))
	}
	dir, err := os.MkdirTemp(filepath.Dir(path), ".lh")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	made := filepath.Join(dir, "s")
	l, err := new(net.ListenConfig).Listen(ctx, "unix", made)
	if err != nil {
		return nil, err
	}
	socket := &socket{UnixListener: l.(*net.UnixListener), path: path}
	socket.SetUnlinkOnClose(false) // by a name that is another's by then
	if socket.own, err = publish(ctx, made, path); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return socket, nil
}

// publish closes a socket to others and gives it its name. What has the name already is replaced, if nobody answers
// on it. Servers that start at the same time do that in turn.
func publish(ctx context.Context, made, path string) (own fs.FileInfo, err error) {
	if err := os.Chmod(made, 0o600); err != nil {
		return nil, err
	}
	if own, err = os.Lstat(made); err != nil {
		return nil, err
	}
	unlock, err := lockFolder(ctx, filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	defer unlock()
	if err := os.Link(made, path); !errors.Is(err, fs.ErrExist) {
		return own, err
	}
	if err := stale(ctx, path); err != nil {
		return nil, err
	}
	return own, os.Rename(made, path)
}

// lockFolder keeps others that lock a folder from doing so until unlock is called. It waits some seconds at most.
func lockFolder(ctx context.Context, path string) (unlock func(), err error) {
	dir, err := openfile.Folder(path)
	if err != nil {
		return nil, err
	}
	within, cancel := context.WithTimeout(ctx, lockTime)
	defer cancel()
	for {
		if err = syscall.Flock(int(dir.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err == nil {
			return func() { dir.Close() }, nil // which unlocks it
		}
		select {
		case <-time.After(lockPause):
		case <-within.Done():
			return nil, errors.Join(fmt.Errorf("%s is locked by somebody: %w", path, err), dir.Close())
		}
	}
}

// stale says why a file isn't a socket that somebody has left behind.
func stale(ctx context.Context, path string) error {
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}
	if info.Mode().Type() != fs.ModeSocket {
		return fmt.Errorf("%s is there, and is no socket; remove it, or name another file", path)
	}
	within, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	c, err := new(net.Dialer).DialContext(within, "unix", path)
	switch {
	case err == nil:
		return errors.Join(fmt.Errorf("%s: somebody answers there already", path), c.Close())
	case errors.Is(err, syscall.ECONNREFUSED):
		return nil
	}
	return fmt.Errorf("whether somebody answers there can't be told: %w", err)
}

// socket is a listener that takes its name away when it's closed.
type socket struct {
	*net.UnixListener
	path string
	own  fs.FileInfo
	once sync.Once
	err  error // of taking the name away
}

// shut implements [door]: who knows no name can't connect.
func (s *socket) shut() error {
	s.once.Do(func() {
		if now, err := os.Lstat(s.path); err == nil && os.SameFile(now, s.own) {
			s.err = os.Remove(s.path)
		}
	})
	return s.err
}

// Close implements [net.Listener].
func (s *socket) Close() error { return errors.Join(s.shut(), s.UnixListener.Close()) }
