package luabind_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
)

// waiting is a module with one function, f(), that waits for what go does.
func waiting(f func(ctx context.Context) string) luabind.Module {
	return luabind.Module{Name: "waiting", Functions: []luabind.Function{{Name: "f", Go: func(L *lua.LState) int {
		L.Push(lua.LString(luabind.Wait(L, "waiting.f", f)))
		return 1
	}}}}
}

// waits loads a hook of stop that calls waiting.f.
func waits(t *testing.T, body string, s *luabind.Stragglers, f func(context.Context) string) *luabind.State {
	t.Helper()
	return load(t, "on('stop', function(ev) "+body+" end)", luabind.Environment{Modules: []luabind.Module{waiting(f)}, Stragglers: s})
}

func TestWait(t *testing.T) {
	s := waits(t, `assert(waiting.f() == "caller")`, luabind.NewStragglers(1), func(ctx context.Context) string {
		if _, ok := ctx.Deadline(); !ok {
			return "no deadline"
		}
		return ctx.Value(callerKey{}).(string)
	})
	for range 3 {
		if out := s.Call(context.WithValue(context.Background(), callerKey{}, "caller"), 0, sample(t, hooks.Stop), luabind.Limits{}); out.Err != nil {
			t.Fatal(out.Err)
		}
	}
}

// The owner of a state is told when its run waits, and when it doesn't any more, however that ends.
func TestOnWait(t *testing.T) {
	tests := map[string]func(context.Context) string{
		"it returns":    func(context.Context) string { return "" },
		"it panics":     func(context.Context) string { panic("no") },
		"it ends":       func(context.Context) string { runtime.Goexit(); return "" },
		"it comes late": func(ctx context.Context) string { <-ctx.Done(); return "" },
		"it is left":    func(ctx context.Context) string { <-ctx.Done(); time.Sleep(time.Second); return "" },
	}
	for name, f := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var told []string
				var waiting atomic.Bool
				s := waits(t, `pcall(waiting.f)`, luabind.NewStragglers(1), func(ctx context.Context) string {
					if !waiting.Load() {
						t.Error("it waits, and nobody was told")
					}
					return f(ctx)
				})
				s.OnWait(func(begins bool) {
					waiting.Store(begins)
					told = append(told, map[bool]string{true: "waits", false: "goes on"}[begins])
				})
				s.Call(context.Background(), 0, sample(t, hooks.Stop), luabind.Limits{Timeout: 300 * time.Millisecond})
				equal(t, "told", told, []string{"waits", "goes on"})
				time.Sleep(2 * time.Second)
			})
		})
	}
}

// Who waits with a context of the run says so, too, and that it is over by cancelling it.
func TestOnWaitWithAContext(t *testing.T) {
	for _, body := range []string{`waiting.f()`, `pcall(waiting.f, "fail")`} {
		var told []bool
		during := 0
		m := luabind.Module{Name: "waiting", Functions: []luabind.Function{{Name: "f", Go: func(L *lua.LState) int {
			_, cancel := luabind.Context(L)
			defer cancel()
			during = len(told)
			if L.GetTop() > 0 {
				L.RaiseError("no")
			}
			cancel()
			return 0
		}}}}
		s := load(t, "on('stop', function(ev) "+body+" end)", luabind.Environment{Modules: []luabind.Module{m}})
		s.OnWait(func(begins bool) { told = append(told, begins) })
		if out := s.Call(context.Background(), 0, sample(t, hooks.Stop), luabind.Limits{}); out.Err != nil {
			t.Error(body, out.Err)
		}
		equal(t, body, told, []bool{true, false})
		equal(t, body, during, 1)
	}
}

// What doesn't come back is left behind when the run's time is over, whatever the
// script does about the error.
func TestWaitEnds(t *testing.T) {
	bodies := []string{
		`waiting.f()`, `pcall(waiting.f)`, `xpcall(waiting.f, function() return 1 end)`,
		`while true do pcall(waiting.f) end`, `coroutine.wrap(function() pcall(waiting.f) end)()`,
		`return deny("x"), pcall(waiting.f)`,
	}
	for _, body := range bodies {
		t.Run(body, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				set, release := luabind.NewStragglers(16), make(chan bool)
				called := 0
				s := waits(t, body, set, func(context.Context) string { called++; <-release; return "late" })
				began := time.Now()
				out := s.Call(context.Background(), 0, sample(t, hooks.Stop), luabind.Limits{Timeout: 300 * time.Millisecond})
				equal(t, "time", time.Since(began), 300*time.Millisecond)
				wantError(t, out.Err, hooks.KindLimit, "waiting.f had not come back when the 300ms of the run were over")
				equal(t, "limit", out.Err.Limit, hooks.LimitTime)
				equal(t, "broken", s.Broken(), true)
				equal(t, "stragglers", set.Names(), []string{"waiting.f"})
				close(release)
				if err := set.Drain(context.Background()); err != nil {
					t.Error(err)
				}
				equal(t, "called", called, 1)
				equal(t, "stragglers", set.Names(), []string{})
			})
		})
	}
}

func TestWaitEndsWithTheCaller(t *testing.T) {
	set, release, entered := luabind.NewStragglers(16), make(chan bool), make(chan bool)
	s := waits(t, `pcall(waiting.f)`, set, func(context.Context) string { entered <- true; <-release; return "" })
	ctx, cancel := context.WithCancel(context.Background())
	go func() { <-entered; cancel() }()
	out := s.Call(ctx, 0, sample(t, hooks.Stop), luabind.Limits{Timeout: time.Hour})
	wantError(t, out.Err, hooks.KindLimit, "the caller gave up (context canceled) while waiting.f had not come back")
	if !errors.Is(out.Err, context.Canceled) {
		t.Error("the error doesn't hold the caller's")
	}
	close(release)
	if err := set.Drain(context.Background()); err != nil {
		t.Error(err)
	}
}

// Who returns because the time is up doesn't save the run: nothing more is done in it.
func TestWaitAfterTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		set, p := luabind.NewStragglers(16), &probe{}
		obeys := func(ctx context.Context) string {
			end, _ := ctx.Deadline()
			time.Sleep(time.Until(end))
			return "obeyed"
		}
		s := load(t, `on("stop", function() pcall(waiting.f) probe.keep("went on") end)`,
			luabind.Environment{Modules: []luabind.Module{waiting(obeys), p.module()}, Stragglers: set})
		for range 20 { // whichever of the two is seen first
			out := s.Call(context.Background(), 0, sample(t, hooks.Stop), luabind.Limits{})
			wantError(t, out.Err, hooks.KindLimit)
			equal(t, "limit", out.Err.Limit, hooks.LimitTime)
		}
		if err := set.Drain(context.Background()); err != nil {
			t.Error(err)
		}
		if p.kept != nil {
			t.Errorf("it %v", p.kept)
		}
	})
}

func TestWaitPanics(t *testing.T) {
	tests := []struct {
		f    func(context.Context) string
		want string
	}{
		{func(context.Context) string { panic("no paper") }, "waiting.f panicked: no paper"},
		{func(context.Context) string { return strings.Repeat("x", -1) }, "waiting.f panicked: strings: negative Repeat count"},
		{func(context.Context) string { runtime.Goexit(); return "" }, "waiting.f: it ended its goroutine (runtime.Goexit)"},
	}
	for _, test := range tests {
		s := waits(t, "\nwaiting.f()", nil, test.f)
		out := s.Call(context.Background(), 0, sample(t, hooks.Stop), luabind.Limits{})
		wantError(t, out.Err, hooks.KindScript, file+":2: ", test.want)
		equal(t, "broken", s.Broken(), true)
	}
}

// While too many are out, the next call fails, which is an error like others; when one
// comes back, it works again.
func TestStragglersAreCapped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		set, release := luabind.NewStragglers(2), make(chan bool)
		stuck := true
		f := func(context.Context) string {
			if stuck {
				<-release
			}
			return "x"
		}
		call := func() *hooks.Error {
			return waits(t, `waiting.f()`, set, f).Call(context.Background(), 0, sample(t, hooks.Stop), luabind.Limits{}).Err
		}
		for range 2 {
			wantError(t, call(), hooks.KindLimit, "had not come back")
		}
		began := time.Now()
		wantError(t, call(), hooks.KindScript, "waiting.f: 2 calls have not come back (waiting.f); until one does nothing is called that may block")
		equal(t, "time", time.Since(began), 20*time.Millisecond) // the moment that those have who obey
		over, cancel := context.WithCancel(context.Background())
		cancel()
		err := set.Drain(over)
		if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "2 calls have not come back (waiting.f)") {
			t.Errorf("Drain: %v", err)
		}
		release <- true
		synctest.Wait()
		equal(t, "stragglers", set.Names(), []string{"waiting.f"})
		stuck = false
		if err := call(); err != nil {
			t.Error(err)
		}
		done := make(chan error, 2)
		for range cap(done) { // two may wait at once
			go func() { done <- set.Drain(context.Background()) }()
		}
		synctest.Wait()
		release <- true
		for range cap(done) {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
	})
}

// What a run has waited for others isn't charged to it, up to a bound, over all calls.
func TestWaitUncharged(t *testing.T) {
	const most = 10 * time.Second
	for _, test := range []struct {
		name   string
		body   string
		took   time.Duration // a call
		waited time.Duration // of that, as it says
		want   string
		ran    time.Duration // what is charged; negative: whatever
	}{
		{"nothing", `beyond.f()`, 10 * time.Millisecond, 0, "", 10 * time.Millisecond},
		{"longer than its time", `beyond.f()`, 3 * time.Second, 3 * time.Second, "", 0},
		{"twice", `beyond.f() beyond.f()`, 4 * time.Second, 4 * time.Second, "", 0},
		{"more than there is", `beyond.f() beyond.f() beyond.f()`, 4 * time.Second, 4 * time.Second, "1s", -1}, // 8 s or most: the third call and its time end at once
		{"its own time is charged", `beyond.f()`, 3 * time.Second, time.Second, "it ran longer than its 1s", 2 * time.Second},
		{"it says too much", `beyond.f() for i = 1, 1e9 do end`, 50 * time.Millisecond, time.Hour, "it used up its", 0},
		{"it says less than nothing", `beyond.f()`, 50 * time.Millisecond, -time.Hour, "", 50 * time.Millisecond},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := luabind.Module{Name: "beyond", Functions: []luabind.Function{{Name: "f", Go: func(L *lua.LState) int {
					luabind.WaitUncharged(L, "beyond.f", most, func(ctx context.Context) (bool, time.Duration) {
						select {
						case <-time.After(test.took):
							return true, test.waited
						case <-ctx.Done():
							return false, test.waited
						}
					})
					return 0
				}}}}
				s := load(t, "on('stop', function(ev) "+test.body+" end)", luabind.Environment{Modules: []luabind.Module{m}, Stragglers: luabind.NewStragglers(16)})
				out := s.Call(t.Context(), 0, sample(t, hooks.Stop), luabind.Limits{Timeout: time.Second})
				switch {
				case test.want == "" && out.Err != nil:
					t.Fatal(out.Err)
				case test.want != "" && (out.Err == nil || !strings.Contains(out.Err.Message, test.want)):
					t.Fatalf("got %v, want %q", out.Err, test.want)
				case test.ran >= 0 && out.Took != test.ran:
					t.Errorf("it took %s, want %s", out.Took, test.ran)
				}
			})
		})
	}
}

// The caller's context ends a wait for others, too.
func TestWaitUnchargedEndsWithTheCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := luabind.Module{Name: "beyond", Functions: []luabind.Function{{Name: "f", Go: func(L *lua.LState) int {
			luabind.WaitUncharged(L, "beyond.f", time.Minute, func(ctx context.Context) (bool, time.Duration) {
				<-ctx.Done()
				return false, time.Minute
			})
			return 0
		}}}}
		s := load(t, "on('stop', function(ev) pcall(beyond.f) end)", luabind.Environment{Modules: []luabind.Module{m}})
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		began := time.Now()
		out := s.Call(ctx, 0, sample(t, hooks.Stop), luabind.Limits{Timeout: time.Second})
		if out.Err == nil || !strings.Contains(out.Err.Message, "the caller gave up") || time.Since(began) != 5*time.Second {
			t.Errorf("after %s: %v", time.Since(began), out.Err)
		}
	})
}

// What modules warn of stands in the run's entries, once.
func TestWarn(t *testing.T) {
	m := luabind.Module{Name: "warn", Functions: []luabind.Function{{Name: "f", Go: func(L *lua.LState) int {
		luabind.Warn(L, L.CheckString(1))
		return 0
	}}}}
	s := load(t, "on('stop', function(ev) warn.f('a') warn.f('b') warn.f('a') for i = 1, 100 do warn.f('x' .. i) end end)", luabind.Environment{Modules: []luabind.Module{m}})
	for range 2 {
		out := s.Call(t.Context(), 0, sample(t, hooks.Stop), luabind.Limits{})
		if out.Err != nil || len(out.Entries) != 10 || out.Entries[1] != (hooks.Entry{Kind: hooks.EntryWarning, Text: "b"}) || out.Entries[2].Text != "x1" {
			t.Errorf("%v, %v", out.Err, out.Entries)
		}
	}
}
