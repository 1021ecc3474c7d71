package file

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"github.com/luahook/luahook/engine/internal/ownfile"
	"github.com/luahook/luahook/engine/store"
	"github.com/luahook/luahook/internal/misuse"
)

// A file that others use is tried again after an eighth of the time that the call has waited for it, within
// these bounds and at random intervals. So a few waiting calls get it soon, and many don't slow down its holder.
const (
	leastPause = 1 * time.Millisecond
	mostPause  = 150 * time.Millisecond
)

func nextPause(waited time.Duration) time.Duration {
	pause := min(max(waited/8, leastPause), mostPause)
	return pause/2 + rand.N(pause)
}

// stuckShare divides the wait if the last call has waited in vain: the holder of the file is most likely stuck,
// and many hooks may ask.
const stuckShare = 40

var (
	errBusy   = errors.New("others use it")
	errMoved  = errors.New("it was replaced by another file")
	errNobody = errors.New("nothing there")
	errUntold = errors.New("what was kept is lost, and the owner must learn of it")
)

// asideError says that the file was set aside, and why.
type asideError struct{ why error }

func (e *asideError) Error() string { return e.why.Error() }

// work is what a call does with the file.
type work struct {
	owner  string // who must learn if what was kept is lost
	writes bool
	do     func(t *transaction) error
}

// do opens the file, works in one transaction, and closes it.
func (s *Store) do(ctx context.Context, w work) error {
	if err := misuse.Check(ctx, s != nil && s.gate != nil, "file.New"); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	wait := s.maxWait
	if s.stuck.Load() {
		wait /= stuckShare
	}
	end := time.Now().Add(wait)
	if err := s.take(ctx, end); err != nil {
		return err
	}
	defer func() { <-s.gate }()
	began := time.Now()
	var aside *asideError
	for {
		err := s.try(ctx, w)
		if !errors.Is(err, errBusy) {
			s.stuck.Store(false)
		}
		if said, ok := err.(answer); ok {
			return said.error
		}
		switch {
		case err == nil, err == errNobody, err == errUnchanged:
			return nil
		case ctx.Err() != nil && errors.Is(err, ctx.Err()):
			return ctx.Err()
		case errors.As(err, &aside), err == errUntold:
			w.writes = true // to note who has learnt of it
			continue
		case !errors.Is(err, errBusy) && !errors.Is(err, errMoved):
			return s.explained(err, aside)
		}
		if err := s.pause(ctx, end, nextPause(time.Since(began))); err != nil {
			return err
		}
	}
}

// take waits for this call's turn among the calls of this process.
func (s *Store) take(ctx context.Context, end time.Time) error {
	select {
	case s.gate <- struct{}{}:
		return nil
	default:
	}
	began := time.Now()
	defer func() { store.Waited(ctx, time.Since(began)) }()
	timer := time.NewTimer(time.Until(end))
	defer timer.Stop()
	select {
	case s.gate <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return s.busy()
	}
}

func (s *Store) pause(ctx context.Context, end time.Time, d time.Duration) error {
	if time.Now().After(end) {
		return s.busy()
	}
	return store.Pause(ctx, d)
}

func (s *Store) busy() error {
	s.stuck.Store(true)
	return &store.UnavailableError{Message: fmt.Sprintf("the store %s has been in use by others for %s; end the luahook process that hangs, and try again", s.path, s.maxWait)}
}

// explained returns an error of the file with advice for its reader.
func (s *Store) explained(err error, aside *asideError) error {
	var said *store.UnavailableError
	if errors.As(err, &said) {
		if said.Lost && aside != nil {
			said.Err = aside.why
		}
		return said
	}
	advice := "look at the file and its folder"
	switch {
	case errors.Is(err, errNewer):
		advice = "update luahook, or name another file"
	case errors.Is(err, errForeign):
		advice = "name another file, or move this one away"
	}
	return &store.UnavailableError{Message: fmt.Sprintf("the store %s can't be used (%s)", s.path, advice), Err: cause(err)}
}

// try works once, unless another user has the file.
func (s *Store) try(ctx context.Context, w work) error {
	f, info, err := s.open(w.writes)
	switch {
	case err != nil:
		return err
	case f == nil && !w.writes && !s.leftAside():
		return errNobody
	case f == nil:
		if err := s.make(ctx); err != nil {
			return fmt.Errorf("it can't be made: %w", cause(err))
		}
		return errMoved
	}
	err = s.transact(ctx, f, info, w)
	if closed := f.Close(); closed != nil && err == nil {
		err = closed
	}
	var bad *damage
	if errors.As(err, &bad) || errors.Is(err, errOld) {
		return s.setAside(ctx, info, err)
	}
	return err
}

// open opens the file, or returns nil if there is none. It refuses a file that another user controls.
func (s *Store) open(writes bool) (*os.File, fs.FileInfo, error) {
	flags := os.O_RDONLY
	if writes {
		flags = os.O_RDWR
	}
	f, info, err := ownfile.Open(s.path, flags)
	if ownfile.IsGone(err) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, cause(err)
	}
	if err := s.checkFolder(); err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	return f, info, nil
}

// transact does the work in one transaction on an open file.
func (s *Store) transact(ctx context.Context, f *os.File, info fs.FileInfo, w work) error {
	busy, err := lock(f, w.writes)
	if busy {
		return errBusy
	}
	if err != nil {
		return err
	}
	if now, err := os.Lstat(s.path); ownfile.IsGone(err) || err == nil && !os.SameFile(now, info) {
		return errMoved // while it was opened, or by its holder until now
	}
	if info, err = f.Stat(); err != nil { // while nobody writes
		return err
	}
	d, err := openDisk(s.device(f), info.Size())
	if err != nil {
		return err
	}
	tr, err := openTree(d)
	if err != nil {
		return err
	}
	t := &transaction{ctx: ctx, disk: d, tree: tr, now: s.now()}
	at, told, err := s.lost(t, w.owner)
	switch {
	case err != nil:
		return err
	case at != "" && !told && !w.writes:
		return errUntold
	case at != "" && !told:
		if err := errors.Join(t.tell(w.owner), t.commit()); err != nil {
			return err
		}
		return &store.UnavailableError{Lost: true, Message: fmt.Sprintf("the store %s was set aside and a new one begun, so what hooks remembered is lost; look at %s, and remove it", s.path, at)}
	case at != "":
		store.Note(ctx, fmt.Sprintf("hooks have lost what they remembered, as the store %s was set aside; look at %s, and remove it", s.path, at))
	case d.head.lost != "" && w.writes:
		if err := t.forgetLost(); err != nil {
			return err
		}
	}
	if err := w.do(t); err != nil {
		return err
	}
	return t.commit()
}

// commit writes the changes.
func (t *transaction) commit() error {
	if t.disk.next == nil {
		return nil
	}
	root, err := t.tree.write()
	if err != nil {
		return err
	}
	return t.disk.commit(root)
}

// lost returns the name of the file that was set aside for this one, or "" if there is none or somebody has
// looked at it and removed it; told reports whether the owner knows.
func (s *Store) lost(t *transaction, owner string) (at string, told bool, err error) {
	name := t.disk.head.lost
	if name == "" {
		return "", false, nil
	}
	at = filepath.Join(filepath.Dir(s.path), name)
	if _, err := os.Lstat(at); ownfile.IsGone(err) {
		return "", false, nil
	}
	known, err := t.tree.get(toldOf(name, owner))
	return at, known != nil, err
}

// tell notes that the owner knows about the loss.
func (t *transaction) tell(owner string) error {
	if err := t.disk.change(); err != nil {
		return err
	}
	return t.tree.put(toldOf(t.disk.head.lost, owner), []byte{})
}

// forgetLost forgets the loss, and who knows about it.
func (t *transaction) forgetLost() error {
	if err := t.disk.change(); err != nil {
		return err
	}
	t.disk.head.lost = ""
	return t.forgetTold()
}
