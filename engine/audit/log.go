// Package audit is the decision log: lines of JSON, one for each decided event. Many processes may append to it
// at once.
//
// The files are in one folder: decisions.jsonl, the current one, and full ones, decisions-<when>.jsonl. They
// belong to the user alone (0600, in folders of 0700), and everything that [redact] recognises as a secret is
// redacted.
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
	Host     string           // which agent the events come from, written into each record; "": it isn't known
	MaxBytes int64            // size of a file that ends it and begins the next one; default 64 MiB
	MaxFiles int              // files to keep, with the current one; default 5
	MaxAge   time.Duration    // of records before they are removed; default 14 days
	Wait     time.Duration    // for other writing processes; default 0.3 s
}

// Log is a log in one folder. Several goroutines may use it, and any number of logs and processes may share a
// folder.
type Log struct {
	dir     string
	o       Options
	now     func() time.Time
	secrets func() *redact.Redactor
	stuck   atomic.Bool // waiting for the lock was in vain

	stream *stream // in the place of the folder; or nil

	gate chan struct{} // holds one element; its sender may write
	file *os.File      // decisions.jsonl as last opened; nil: not yet
	born time.Time     // time of its first record
}

// Open returns a log. It opens and creates nothing until something is written. dir must be absolute, so that the
// log doesn't depend on the current folder.
func Open(dir string, o Options) (*Log, error) {
	if !filepath.IsAbs(dir) {
		return nil, fmt.Errorf("the folder of the decision log is %q, want an absolute path", dir)
	}
	if o.MaxBytes < 0 || o.MaxFiles < 0 || o.MaxAge < 0 || o.Wait < 0 {
		return nil, errBounds
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
	l := newLog(o)
	l.dir = filepath.Clean(dir)
	return l, nil
}

var errBounds = errors.New("the bounds of the decision log can't be negative")

func newLog(o Options) *Log {
	if o.Wait == 0 {
		o.Wait = 300 * time.Millisecond
	}
	l := &Log{o: o, now: time.Now, gate: make(chan struct{}, 1)}
	l.secrets = sync.OnceValue(func() *redact.Redactor {
		if o.Redactor != nil {
			return o.Redactor
		}
		return redact.New(os.Environ())
	})
	return l
}

// Dir returns the folder of the log; "" of a stream.
func (l *Log) Dir() string {
	if !l.made() {
		return ""
	}
	return l.dir
}

// made reports whether Open has made the log.
func (l *Log) made() bool { return l != nil && l.gate != nil }

var versionOfProgram = sync.OnceValue(func() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	const module = "github.com/luahook/luahook"
	for _, m := range append([]*debug.Module{&info.Main}, info.Deps...) { // in a clone only Main has a version
		if m.Path == module || m.Path == module+"/cmd/luahook" {
			return m.Version
		}
	}
	return ""
})

// Append writes a record as one line, redacted and cut to [MaxRecord]. It waits for other processes until
// Options.Wait or ctx ends, but tries at least once; after waiting in vain, further calls only try. An error
// means that the record is lost; the log is unchanged.
func (l *Log) Append(ctx context.Context, r Record) error {
	if err := misuse.Check(ctx, l.made(), "audit.Open"); err != nil {
		return err
	}
	if r.Time.IsZero() {
		r.Time = l.now()
	}
	r.Time = r.Time.UTC().Truncate(time.Millisecond)
	r.V, r.Luahook, r.Host = Version, versionOfProgram(), l.o.Host
	line, err := r.line(l.secrets())
	if err != nil {
		return err
	}
	if l.stream != nil {
		return l.appendToStream(ctx, line)
	}
	wait := l.o.Wait
	if l.stuck.Load() {
		wait = 0
	}
	timeout, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	select {
	case l.gate <- struct{}{}:
	default:
		select {
		case l.gate <- struct{}{}:
		case <-timeout.Done():
			return errors.New("other processes have been writing to the decision log for too long")
		}
	}
	defer func() { <-l.gate }()
	if err := l.append(timeout, line, r.Time); err != nil {
		return fmt.Errorf("%s: %w", filepath.Join(l.dir, current), err)
	}
	return nil
}

// Close closes open files. A closed log may be used again.
func (l *Log) Close() error {
	if !l.made() {
		return misuse.NotMade("audit.Open")
	}
	if l.stream != nil {
		return l.stream.close()
	}
	l.gate <- struct{}{}
	defer func() { <-l.gate }()
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

// Cause returns an error of the log without the paths that it names.
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
