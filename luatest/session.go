package luatest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/task"
)

// session is the world of one test: what it has faked, what hooks have asked of it, and what
// they keep. What is of Lua belongs to the goroutine of the test: a hook that asks for a fake
// waits until that goroutine, which waits for the event, has answered.
type session struct {
	worker    *worker
	clock     clock
	questions chan *question
	running   bool             // the file is loaded
	engines   []*engine.Engine // that the test has started
	fakes     fakes
	calls     map[string][]any // by what was called
	stored    *storage
	tracked   *task.File

	mu       sync.Mutex
	printed  []string
	bytes    int      // of them
	missing  []string // fakes that a hook would have needed
	tasksErr error    // why the tracker fails; nil: it doesn't
}

func newSession(w *worker) *session {
	s := &session{worker: w, questions: make(chan *question), calls: map[string][]any{}}
	s.stored = newStorage(s.clock.now)
	s.tracked = task.NewFile(w.temp+"/tasks.jsonl", w.root())
	s.tracked.Clock = s.clock.now
	return s
}

func (s *session) closeEngines() {
	for _, e := range s.engines {
		_ = e.Close(context.Background())
	}
	s.engines = nil
}

// maxPrinted bounds what is kept of what scripts print in a test.
const maxPrinted = 64 << 10

func (s *session) print(line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.bytes > maxPrinted {
		return
	}
	if s.bytes += len(line); s.bytes > maxPrinted {
		line = "(more was printed)"
	}
	s.printed = append(s.printed, line)
}

func (s *session) takePrinted() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.printed
}

// clock is the time of a test.
type clock struct {
	mu    sync.Mutex
	fixed time.Time     // zero: it goes as the real one does
	ahead time.Duration // of that
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.fixed.IsZero() {
		return time.Now().Add(c.ahead)
	}
	return c.fixed.Add(c.ahead)
}

func (c *clock) set(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.fixed, c.ahead = t, 0
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ahead += d
}

// question is what a hook asks of the goroutine of the test.
type question struct {
	answer func(L *lua.LState) error
	err    error
	done   chan struct{}
}

// ask has the goroutine of the test call f.
func (s *session) ask(ctx context.Context, f func(L *lua.LState) error) error {
	q := &question{answer: f, done: make(chan struct{})}
	select {
	case s.questions <- q:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	select {
	case <-q.done:
		return q.err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

var errFakeFailed = errors.New("the test's fake has failed")

// serve does something that hooks take part in, and answers what they ask meanwhile. Where a
// fake raises an error, do is canceled and the error goes on when it is over.
func (s *session) serve(L *lua.LState, cancel context.CancelFunc, do func()) {
	over := make(chan struct{})
	go func() {
		defer close(over)
		do()
	}()
	refuse := func() {
		cancel()
		for {
			select {
			case q := <-s.questions:
				q.err = errFakeFailed
				close(q.done)
			case <-over:
				return
			}
		}
	}
	for {
		select {
		case q := <-s.questions:
			func() {
				answered := false
				q.err = errFakeFailed
				defer func() {
					close(q.done)
					if !answered {
						refuse()
					}
				}()
				q.err = q.answer(L)
				answered = true
			}()
		case <-over:
			return
		}
	}
}

// lack notes that a fake is missing, and is what the hook gets.
func (s *session) lack(format string, args ...any) string {
	text := fmt.Sprintf(format, args...)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.missing = append(s.missing, text)
	return text
}

// takeMissing is the first fake that was missing since it was last asked.
func (s *session) takeMissing() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.missing) == 0 {
		return ""
	}
	first := s.missing[0]
	s.missing = nil
	return first
}
