// Package audit is the decision log: lines of JSON, one for each event that was decided,
// which many processes append to at once.
//
// The files lie in one folder: decisions.jsonl, which is written to, and those that were
// full, decisions-<when>.jsonl. They are the user's own (0600, in folders of 0700), and
// nothing is written that [redact] takes for a secret.
package audit

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/luahook/luahook/engine/internal/ownfile"
	"github.com/luahook/luahook/internal/misuse"
	"github.com/luahook/luahook/internal/redact"
)

// Options of a log. The zero value is the usual one.
type Options struct {
	Redactor *redact.Redactor // default: one that knows the environment of the process
	MaxBytes int64            // of a file, above which the next one is begun; default 64 MiB
	MaxFiles int              // that are kept, with the one that is written to; default 5
	MaxAge   time.Duration    // after which records go; default 14 days
	Wait     time.Duration    // for other processes that write; default 0.3 s
}

// Log is a log in one folder. Several goroutines may use it, and as many logs and
// processes one folder as they like.
type Log struct {
	dir     string
	o       Options
	now     func() time.Time
	version string
	secrets func() *redact.Redactor
	stuck   atomic.Bool // the lock was waited for in vain

	turn chan struct{} // holds one: whose turn it is to write
	file *os.File      // decisions.jsonl as it was opened last; nil: not yet
	born time.Time     // when its first record was made
}

// Open makes a log. Nothing is opened or made before something is written. dir must be
// absolute: whose log it is must not depend on the current folder.
func Open(dir string, o Options) (*Log, error) {
	if !filepath.IsAbs(dir) {
		return nil, fmt.Errorf("the folder of the decision log is %q, want an absolute path", dir)
	}
	if o.MaxBytes < 0 || o.MaxFiles < 0 || o.MaxAge < 0 || o.Wait < 0 {
		return nil, errors.New("the bounds of the decision log can't be negative")
	}
	if o.MaxBytes == 0 {
		o.MaxBytes = 64 << 20
	}
	if o.MaxFiles == 0 {
		o.MaxFiles = 5
	}
	if o.MaxAge == 0 {
		o.MaxAge = 14 * 24 * time.Hour
	}
	if o.Wait == 0 {
		o.Wait = 300 * time.Millisecond
	}
	l := &Log{dir: filepath.Clean(dir), o: o, now: time.Now, version: versionOfProgram(), turn: make(chan struct{}, 1)}
	l.secrets = sync.OnceValue(func() *redact.Redactor {
		if o.Redactor != nil {
			return o.Redactor
		}
		return redact.New(os.Environ())
	})
	return l, nil
}

// Dir is the folder of the log.
func (l *Log) Dir() string {
	if !l.made() {
		return ""
	}
	return l.dir
}

// made reports whether Open has made the log.
func (l *Log) made() bool { return l != nil && l.turn != nil }

func versionOfProgram() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	const module = "github.com/luahook/luahook"
	for _, m := range append(info.Deps, &info.Main) {
		if m.Path == module {
			return m.Version
		}
	}
	return ""
}

// Append writes a record, redacted and cut to [MaxRecord], as one line. It waits for
// other processes as long as Options.Wait and ctx last, but tries once whatever ctx says;
// after it has waited in vain, the next ones only try. An error means that the record is
// lost; the log is as it was.
func (l *Log) Append(ctx context.Context, r Record) error {
	if err := misuse.Check(ctx, l.made(), "audit.Open"); err != nil {
		return err
	}
	if r.Time.IsZero() {
		r.Time = l.now()
	}
	r.Time = r.Time.UTC().Truncate(time.Millisecond)
	r.V, r.Luahook = Version, l.version
	line, err := r.line(l.secrets())
	if err != nil {
		return err
	}
	wait := l.o.Wait
	if l.stuck.Load() {
		wait = 0
	}
	timeout, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	select {
	case l.turn <- struct{}{}:
	default:
		select {
		case l.turn <- struct{}{}:
		case <-timeout.Done():
			return errors.New("the decision log is being written to by others for too long")
		}
	}
	defer func() { <-l.turn }()
	if err := l.append(timeout, line, r.Time); err != nil {
		return fmt.Errorf("%s: %w", filepath.Join(l.dir, current), err)
	}
	return nil
}

// Close closes what is open. A log that is closed may be used again.
func (l *Log) Close() error {
	if !l.made() {
		return misuse.NotMade("audit.Open")
	}
	l.turn <- struct{}{}
	defer func() { <-l.turn }()
	return l.close()
}

func (l *Log) close() error {
	if l.file == nil {
		return nil
	}
	err := l.file.Close()
	l.file = nil
	return err
}

// Cause is an error of the log without the paths that it names.
func Cause(err error) error {
	var p *fs.PathError
	var ours *ownfile.NotOursError
	switch {
	case errors.As(err, &p):
		return p.Err
	case errors.As(err, &ours):
		return ours
	}
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return err
		}
		err = inner
	}
}
