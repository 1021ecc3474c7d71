package audit

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/luahook/luahook/internal/misuse"
)

// maxUnread is how much of a stream may wait for its reader, in bytes.
const maxUnread = 4 << 20

var errSlowReader = errors.New("whoever reads the decision log is too slow")

// NewStream returns a log that writes its lines to w, such as standard output, for a program that collects them. Of the
// options, Redactor, Host and Wait count. Append waits until its line is written, but no longer than Wait, and not at
// all while a line before it is stuck: 4 MiB wait for the reader then, and what doesn't fit is lost. A note says how
// many records that were, once there is room again. Several goroutines may use the log; nobody else writes to w. Close
// waits for what is still to be written, for 5 s at most.
func NewStream(w io.Writer, o Options) (*Log, error) {
	if w == nil {
		return nil, errors.New("the stream of the decision log is nil")
	}
	if o.Wait < 0 {
		return nil, errBounds
	}
	l := newLog(o)
	l.stream = &stream{out: w, more: make(chan struct{}, 1)}
	return l, nil
}

// stream are lines on their way to a writer that may block.
type stream struct {
	out  io.Writer
	more chan struct{} // something has come, or all is to end

	mu      sync.Mutex
	lines   []unread
	bytes   int
	lost    int           // records, since the last note
	ended   bool          // no more lines come
	running chan struct{} // closed when the goroutine has ended; nil: there is none
}

type unread struct {
	line    []byte
	written chan error
}

// append hands a line over, and waits until it is written, or wait or ctx is over.
func (s *stream) append(ctx context.Context, line []byte, note func(lost int) []byte, wait time.Duration) error {
	u := unread{line, make(chan error, 1)}
	s.mu.Lock()
	if s.bytes+len(line) > maxUnread {
		s.lost++
		s.mu.Unlock()
		return errSlowReader
	}
	if s.lost > 0 {
		if first := note(s.lost); first != nil {
			s.put(unread{first, make(chan error, 1)})
		}
		s.lost = 0
	}
	if len(s.lines) > 8 { // the reader is behind, and this one would wait for the others
		wait = 0
	}
	s.put(u)
	if s.ended = false; s.running == nil {
		s.running = make(chan struct{})
		go s.write(s.running)
	}
	s.mu.Unlock()
	select {
	case s.more <- struct{}{}:
	default:
	}
	late := time.NewTimer(wait)
	defer late.Stop()
	select {
	case err := <-u.written:
		return err
	case <-late.C: // it is written later
	case <-ctx.Done():
	}
	return nil
}

// put adds a line. s.mu is held.
func (s *stream) put(u unread) {
	s.lines = append(s.lines, u)
	s.bytes += len(u.line)
}

// write writes what comes, until close.
func (s *stream) write(done chan struct{}) {
	defer close(done)
	for {
		s.mu.Lock()
		if len(s.lines) == 0 {
			if s.ended {
				s.running = nil
				s.mu.Unlock()
				return
			}
			s.mu.Unlock()
			<-s.more
			continue
		}
		u := s.lines[0]
		s.lines[0] = unread{}
		s.lines = s.lines[1:]
		s.mu.Unlock()
		_, err := s.out.Write(u.line)
		u.written <- err
		s.mu.Lock()
		s.bytes -= len(u.line)
		if err != nil {
			s.lost++
		}
		s.mu.Unlock()
	}
}

// closeTime is how long close waits for the reader.
const closeTime = 5 * time.Second

func (s *stream) close() error {
	s.mu.Lock()
	s.ended = true
	running := s.running
	s.mu.Unlock()
	if running == nil {
		return nil
	}
	select {
	case s.more <- struct{}{}:
	default:
	}
	late := time.NewTimer(closeTime)
	defer late.Stop()
	select {
	case <-running:
	case <-late.C:
		return errSlowReader
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lost > 0 {
		return fmt.Errorf("%d records of the decision log were lost", s.lost)
	}
	return nil
}

// appendToStream is Append of a stream.
func (l *Log) appendToStream(ctx context.Context, line []byte) error {
	return l.stream.append(misuse.OrBackground(ctx), line, func(lost int) []byte {
		r := Record{Time: l.now().UTC().Truncate(time.Millisecond), V: Version, Luahook: versionOfProgram(), Host: l.o.Host, Kind: KindNote, Note: "lost",
			Text: fmt.Sprintf("%d records are missing here: %v", lost, errSlowReader)}
		line, err := r.line(l.secrets())
		if err != nil { // of numbers and words
			return nil
		}
		return line
	}, l.o.Wait)
}
