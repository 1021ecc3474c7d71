package engine_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// TestNobodyIsDeniedWhereAllWait fires harmless events from many more goroutines than there
// are processors: a guard that has to wait for its turn has not run too long. Every night
// there are 20,000 events.
func TestNobodyIsDeniedWhereAllWait(t *testing.T) {
	fires := int64(600)
	if engine.Nightly {
		fires = 20_000
	}
	const work = "local t = {} for i = 1, %d do t[i] = i .. 'x' end"
	for _, test := range []struct{ hooks, goroutines, work int }{{200, 32, 1}, {20, 10_000, 1}, {5, 10_000, 300}} {
		t.Run(fmt.Sprintf("%d hooks, %d goroutines", test.hooks, test.goroutines), func(t *testing.T) {
			files, one := "", "-- hooks/one.lua --\n"
			for i := range test.hooks {
				hook := fmt.Sprintf("on('pre_tool_call', function(ev) if ev.tool_call.command:find('rm %%-rf') then return deny('no') end "+work+" end)\n", test.work)
				if one += hook; test.hooks == 200 {
					files += fmt.Sprintf("-- hooks/h%03d.lua --\n%s", i, hook)
				}
			}
			if files == "" {
				files = one
			}
			options := []engine.Option{engine.WithUserDir(tree(t, files))}
			if raceEnabled { // the clock runs as fast as ever
				options = append(options, engine.WithLimits(engine.Limits{Timeout: 20 * time.Second}), engine.WithEventTimeout(time.Minute))
			}
			e := newEngine(t, options...)
			var fired, denied atomic.Int64
			var why atomic.Pointer[string]
			var all sync.WaitGroup
			for range test.goroutines {
				all.Go(func() {
					for fired.Add(1) <= fires {
						r, err := e.Fire(context.Background(), bash("go test ./..."))
						if err != nil || r.Block {
							denied.Add(1)
							reason := strings.Clone(r.Reason)
							why.Store(&reason)
						}
					}
				})
			}
			all.Wait()
			if n := denied.Load(); n > 0 {
				t.Errorf("%d of %d are denied, one because %s", n, fires, *why.Load())
			}
		})
	}
}

// What waits for its turn is told from what is done without a charge.
func TestWorkThatNobodyChargesForEnds(t *testing.T) {
	e := lua(t, "on('pre_tool_call', function() while true do end end)", engine.WithLimits(engine.Limits{Instructions: 1 << 50}))
	contains(t, fire(t, e, bash("ls")).Reason, "it ran longer than its 1s")
}

// meeting comes to an end once many are there.
type meeting struct {
	missing atomic.Int64
	all     chan struct{}
}

// newMeeting is one of n.
func newMeeting(n int) *meeting {
	m := &meeting{all: make(chan struct{})}
	m.missing.Store(int64(n))
	return m
}

// Join waits for the others.
func (m *meeting) Join(ctx context.Context) error {
	if m.missing.Add(-1) == 0 {
		close(m.all)
	}
	select {
	case <-m.all:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Runs of one script take turns at the processors. One that waits for something outside lets the others have their turn, and so
// hundreds may wait for the same thing, or for each other.
func TestRunsThatWaitOutsideLetOthersRun(t *testing.T) {
	const together = 300
	for name, hook := range map[string]string{
		"an object":       `meeting.Join()`,
		"a caught object": `assert(pcall(meeting.Join))`,
		"a coroutine":     `coroutine.wrap(function() meeting.Join() end)()`,
		"a request":       `assert(http.get(URL))`,
	} {
		t.Run(name, func(t *testing.T) {
			m := newMeeting(together)
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _ = m.Join(r.Context()) }))
			t.Cleanup(server.Close)
			host := strings.TrimPrefix(server.URL, "http://")
			e := lua(t, fmt.Sprintf("local URL = %q\non('pre_tool_call', {timeout='4s'}, function() %s end)", server.URL, hook),
				engine.WithHostObject("meeting", m, "Join"), engine.WithGrants(hooks.Grants{HTTP: []string{host}}), engine.WithLimits(engine.Limits{Timeout: 4 * time.Second}))
			var all sync.WaitGroup
			var why atomic.Pointer[string]
			for range together {
				all.Go(func() {
					if r, err := e.Fire(context.Background(), bash("ls")); err != nil || r.Block {
						why.Store(&r.Reason)
					}
				})
			}
			all.Wait()
			if reason := why.Load(); reason != nil {
				t.Error(*reason)
			}
		})
	}
}
