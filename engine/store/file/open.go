package file

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"runtime/debug"
	"syscall"
	"time"

	bolt "go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"github.com/luahook/luahook/engine/ownfile"
	"github.com/luahook/luahook/engine/store"
)

// A file that others use is asked for again after an eighth of the time that the call has
// waited for it, within these bounds, and never in step with the others. So a few who wait
// get it soon, and many don't take the time of the one who has it.
const (
	leastPause = 1 * time.Millisecond
	mostPause  = 150 * time.Millisecond
)

func nextPause(waited time.Duration) time.Duration {
	pause := min(max(waited/8, leastPause), mostPause)
	return pause/2 + rand.N(pause)
}

// stuckShare is the part of the wait that is left where the last call has waited in vain:
// whoever holds the file is most likely stuck, and many hooks may ask.
const stuckShare = 40

var (
	errEmpty   = errors.New("nothing there")
	errMoved   = errors.New("it is another file by now")
	errForeign = errors.New("it is no store of luahook")
	errNewer   = errors.New("it was written by a newer luahook")
)

// damage is what is known of a file that can't be read, until it changes.
type damage struct {
	info fs.FileInfo
	err  error
}

// do opens the file, does work in one transaction, and closes it.
func (s *Store) do(ctx context.Context, writes bool, work func(t *transaction) error) error {
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
	defer func() { <-s.turn }()
	began := time.Now()
	checked, doubts := false, 0
	for {
		err := s.try(writes, &checked, work)
		if !errors.Is(err, bolterrors.ErrTimeout) {
			s.stuck.Store(false)
		}
		if said, ok := err.(answer); ok {
			return said.error
		}
		var doubt *headError
		switch {
		case err == nil, err == errEmpty, err == errUnchanged:
			return nil
		case errors.As(err, &doubt) && doubts < 3: // it may be just being written
			doubts++
		case !errors.Is(err, bolterrors.ErrTimeout) && !errors.Is(err, errMoved):
			return s.explained(err)
		}
		if err := s.pause(ctx, end, nextPause(time.Since(began))); err != nil {
			return err
		}
	}
}

// take waits until it is this call's turn among those of this process.
func (s *Store) take(ctx context.Context, end time.Time) error {
	select {
	case s.turn <- struct{}{}:
		return nil
	default:
	}
	began := time.Now()
	defer func() { store.Waited(ctx, time.Since(began)) }()
	timer := time.NewTimer(time.Until(end))
	defer timer.Stop()
	select {
	case s.turn <- struct{}{}:
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

// explained is an error of the file as its reader needs it.
func (s *Store) explained(err error) error {
	var file *fileError
	if !errors.As(err, &file) {
		file = &fileError{err: err}
	}
	advice := "look at the file and its folder"
	var doubt *headError
	switch {
	case errors.Is(err, errNewer):
		advice = "update luahook, or name another file"
	case errors.Is(err, errForeign):
		advice = "name another file, or move this one away"
	case errors.As(err, &doubt) || file.damaged:
		advice = "move it away, and a new one is made; what it remembers is lost"
	}
	return &store.UnavailableError{Message: fmt.Sprintf("the store %s can't be used (%s)", s.path, advice), Err: file.err}
}

// fileError is an error of the file, not of what was to be done with it.
type fileError struct {
	err     error
	damaged bool
}

func (e *fileError) Error() string { return e.err.Error() }
func (e *fileError) Unwrap() error { return e.err }

// try does work once, unless somebody else has the file.
func (s *Store) try(writes bool, checked *bool, work func(t *transaction) error) (err error) {
	info, err := s.look()
	switch {
	case err != nil:
		return &fileError{err: err}
	case info == nil && !writes:
		return errEmpty
	case info == nil:
		if err := s.make(); err != nil {
			return &fileError{err: err}
		}
		return s.try(writes, checked, work)
	case info.Size() == 0 && !writes:
		return errEmpty
	case s.bad != nil && s.bad.is(info):
		return s.bad.err
	}

	var opened *os.File
	options := options
	options.ReadOnly = !writes
	options.OpenFile = func(path string, flag int, _ os.FileMode) (_ *os.File, err error) {
		switch opened, err = os.OpenFile(path, flag&^os.O_CREATE|syscall.O_NONBLOCK, 0); {
		case ownfile.IsGone(err):
			return nil, errMoved
		case err != nil:
			return nil, err
		}
		if err := s.same(opened, info, checked); err != nil {
			return nil, errors.Join(err, opened.Close())
		}
		return opened, nil
	}
	var db *bolt.DB
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true)) // a page beyond the end of the file
	defer func() {
		if p := recover(); p != nil { // how bbolt says that a page makes no sense
			// Its locks may be held for good: close the file below it, and leave the rest.
			err = &fileError{errors.Join(fmt.Errorf("it is damaged: %v", p), unlock(opened), opened.Close()), true}
			s.bad = &damage{info, err}
			return
		}
		if db != nil {
			if closed := db.Close(); closed != nil && (err == nil || err == errUnchanged) {
				err = &fileError{err: closed}
			}
		}
	}()
	if db, err = bolt.Open(s.path, 0o600, &options); err != nil {
		return &fileError{err: cause(err)}
	}
	return s.transact(db, writes, work)
}

// transact does work in one transaction of a file that is open.
func (s *Store) transact(db *bolt.DB, writes bool, work func(t *transaction) error) error {
	begin := db.View
	if writes {
		begin = db.Update
	}
	err := begin(func(tx *bolt.Tx) error {
		t := newTransaction(tx, s.now())
		if err := t.ready(); err != nil {
			return err
		}
		return work(t)
	})
	if _, ok := err.(answer); ok || err == nil || err == errEmpty || err == errUnchanged {
		return err
	}
	return &fileError{err: cause(err)}
}

// options of the database. The list of free pages is written with each change: to find
// them anew at each opening would read the whole file.
var options = bolt.Options{
	Timeout:      1, // asks once; bbolt would ask again after 50 ms
	FreelistType: bolt.FreelistMapType,
	NoStatistics: true,
}

// same looks whether what was opened is what was looked at, and once per call whether its
// head makes sense: bbolt believes it.
func (s *Store) same(opened *os.File, looked fs.FileInfo, checked *bool) error {
	info, err := opened.Stat()
	if err != nil {
		return err
	}
	if !os.SameFile(info, looked) {
		return errMoved
	}
	if *checked {
		return nil
	}
	if err := checkHead(opened); err != nil {
		return err
	}
	*checked = true
	return nil
}

func (d *damage) is(info fs.FileInfo) bool {
	return os.SameFile(d.info, info) && d.info.Size() == info.Size() && d.info.ModTime().Equal(info.ModTime())
}
