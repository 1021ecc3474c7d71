package override_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/luahook/luahook/engine/override"
	"github.com/luahook/luahook/hooks"
)

// project is a project with a folder for its stores, and a clock that stands still.
type project struct {
	dir, root string
	now       time.Time
}

func newProject(t testing.TB) *project {
	t.Helper()
	return &project{dir: filepath.Join(t.TempDir(), "state", "luahook"), root: t.TempDir(), now: time.Date(2030, 1, 2, 10, 3, 0, 0, time.UTC)}
}

// store is what another process would have.
func (p *project) store(t testing.TB) *override.Store {
	t.Helper()
	s := override.NewStore(p.dir, p.root)
	s.Clock = func() time.Time { return p.now }
	t.Cleanup(func() { _ = s.Close() }) // what a test breaks can't be closed without an error
	return s
}

// file is the one whose name begins like that.
func (p *project) file(t testing.TB, begins string) string {
	t.Helper()
	end := map[string]string{"passes": ".json", "blocked": ".jsonl"}[begins]
	found, err := filepath.Glob(filepath.Join(p.dir, begins+"-*"+end))
	if err != nil || len(found) != 1 {
		t.Fatalf("files that begin with %s: %v, %v", begins, found, err)
	}
	return found[0]
}

var firings atomic.Uint64

// call is a new call of a command, as an agent makes it.
func call(command, id string) hooks.BlockedCall {
	return hooks.BlockedCall{
		Event: hooks.PreToolCall, SessionID: "s", CallID: id, Firing: firing(),
		Identity: identity(command), Tool: "bash", Kind: hooks.KindShell, CWD: "/work", Asked: command, Length: len(command),
		Decision: hooks.Deny, Rule: "git.reset-hard", Reason: "it throws changes away",
	}
}

func firing() string { return strconv.FormatUint(firings.Add(1), 10) }

// identity is 64 characters that stand for a command.
func identity(command string) string {
	return command + strings.Repeat("-", 64-len(command))
}

// request is the permission_request that follows a call.
func request(c hooks.BlockedCall) hooks.BlockedCall {
	c.Event, c.CallID, c.Firing = hooks.PermissionRequest, "", firing()
	return c
}

func lift(t testing.TB, s *override.Store, c hooks.BlockedCall) (note string) {
	t.Helper()
	note, err := s.Overridden(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	return note
}

// blocked is what is kept, the latest first.
func blocked(t testing.TB, s *override.Store) []override.Blocked {
	t.Helper()
	list, err := s.Blocked()
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// give lets the latest blocked call through.
func give(t testing.TB, p *project) {
	t.Helper()
	s := p.store(t)
	if _, err := s.AllowOnce(blocked(t, s)[0]); err != nil {
		t.Fatal(err)
	}
}

const once = "let through once by a person at 10:03 UTC"

// step is one call that is to be blocked, made by another process than the one before.
type step struct {
	name  string
	after time.Duration
	call  hooks.BlockedCall
	want  string
}

func (p *project) walk(t *testing.T, steps []step) {
	t.Helper()
	for _, s := range steps {
		p.now = p.now.Add(s.after)
		if got := lift(t, p.store(t), s.call); got != s.want {
			t.Errorf("%s: %q, want %q", s.name, got, s.want)
		}
	}
}

func TestPassIsUsedOnce(t *testing.T) {
	reset, clean := call("git reset --hard", "1"), call("git clean -fdx", "2")
	elsewhere := reset
	elsewhere.SessionID = "other"
	noID := call("git reset --hard", "")
	for name, steps := range map[string][]step{
		"by the first call": {
			{"another command", 0, clean, ""},
			{"the call", 0, call("git reset --hard", "3"), once},
			{"the same text again", 0, call("git reset --hard", "4"), ""},
			{"and again, without an id", 0, noID, ""},
		},
		"by all events of it": {
			{"the call", 0, reset, once},
			{"another guard of the same firing", 0, reset, once},
			{"its permission_request, with the id", 0, hooks.BlockedCall{Event: hooks.PermissionRequest, SessionID: "s", CallID: "1", Firing: firing(), Identity: reset.Identity}, once},
			{"the same id in another session", 0, hooks.BlockedCall{Event: hooks.PreToolCall, SessionID: "other", CallID: "1", Firing: firing(), Identity: reset.Identity}, ""},
			{"at the end of its time", override.OnceTime - time.Millisecond, reset, once},
			{"after it", time.Millisecond, reset, ""},
		},
		"by a call whose permission_request has no id": {
			{"the call", 0, reset, once},
			{"the request of another session", 0, request(elsewhere), ""},
			{"the request", 2 * time.Minute, request(reset), once},
			{"a second request", 0, request(reset), ""},
			{"the call", 0, reset, once},
		},
		"by a call without any id": {
			{"the call", 0, noID, once},
			{"the same firing", 0, noID, once},
			{"the request", 0, request(noID), once},
			{"another call", 0, call("git reset --hard", ""), ""},
		},
		"by a call whose permission_request comes late": {
			{"the call", 0, reset, once},
			{"the request", 2*time.Minute + time.Millisecond, request(reset), ""},
		},
		"by a permission_request": {
			{"the request", 0, request(reset), once},
			{"a second one", 0, request(reset), ""},
			{"a call", 0, reset, ""},
		},
		"by nobody": {
			{"too late", override.OnceTime, reset, ""},
		},
		"by nobody whose clock goes back": {
			{"before it was given", -time.Millisecond, reset, ""},
		},
		"by nothing that is final": {
			{"final", 0, final(reset), ""},
			{"the call", 0, reset, once},
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := newProject(t)
			lift(t, p.store(t), call("git reset --hard", "0"))
			give(t, p)
			p.walk(t, steps)
		})
	}
}

func final(c hooks.BlockedCall) hooks.BlockedCall {
	c.Final = true
	return c
}

// A pass is for one project, by its real path.
func TestProjectsAreApart(t *testing.T) {
	p := newProject(t)
	lift(t, p.store(t), call("git reset --hard", "0"))
	give(t, p)
	other := &project{dir: p.dir, root: t.TempDir(), now: p.now}
	if note := lift(t, other.store(t), call("git reset --hard", "1")); note != "" {
		t.Errorf("in another project: %q", note)
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(p.root, link); err != nil {
		t.Skip(err)
	}
	linked := &project{dir: p.dir, root: link, now: p.now}
	if note := lift(t, linked.store(t), call("git reset --hard", "1")); note != once {
		t.Errorf("by way of a link: %q", note)
	}
}

func TestGiveAndRevoke(t *testing.T) {
	p := newProject(t)
	s := p.store(t)
	if taken, err := s.Revoke(); len(taken) > 0 || err != nil {
		t.Errorf("Revoke where there is nothing: %v, %v", taken, err)
	}
	if _, err := os.Stat(p.dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("reading has made the folder: %v", err)
	}
	lift(t, s, call("git reset --hard", "0"))
	lift(t, s, final(call("luahook trust", "0")))
	list := blocked(t, s)
	if _, err := s.AllowOnce(list[0]); err == nil {
		t.Error("what is final was let through")
	}
	first, err := s.AllowOnce(list[1])
	if err != nil || first.Until.Sub(first.Given) != override.OnceTime {
		t.Fatalf("Give: %+v, %v", first, err)
	}
	p.now = p.now.Add(time.Minute)
	if again, err := s.AllowOnce(list[1]); err != nil || !again.Given.Equal(first.Given) {
		t.Errorf("Give again: %+v, %v", again, err)
	}
	taken, err := s.Revoke()
	if err != nil || len(taken) != 1 || taken[0].Asked != "git reset --hard" {
		t.Fatalf("Revoke: %+v, %v", taken, err)
	}
	if note := lift(t, s, call("git reset --hard", "1")); note != "" {
		t.Errorf("taken back: %q", note)
	}
	words, err := s.Permissions()
	if err != nil || len(words) != 1 || words[0].Ended == nil || !words[0].Ended.Equal(p.now) {
		t.Errorf("Words: %+v, %v", words, err)
	}
}

func TestOff(t *testing.T) {
	p := newProject(t)
	s := p.store(t)
	for _, long := range []time.Duration{0, -time.Minute, override.MaxOff + time.Millisecond} {
		if _, err := s.TurnOff(long); err == nil {
			t.Errorf("off for %s", long)
		}
	}
	if ended, err := s.TurnOn(); len(ended) > 0 || err != nil {
		t.Errorf("EndOff where it is on: %v, %v", ended, err)
	}
	lift(t, s, call("git reset --hard", "0"))
	give(t, p)
	if _, err := s.TurnOff(override.MaxOff); err != nil {
		t.Fatal(err)
	}
	if _, err := s.TurnOff(10 * time.Minute); err != nil { // the latest word counts
		t.Fatal(err)
	}
	const off = "off until 10:13 UTC, a person's word"
	p.walk(t, []step{
		{"a call that has a pass", 0, call("git reset --hard", "1"), off},
		{"another", 0, call("git clean -fdx", "2"), off},
		{"what is final", 0, final(call("luahook trust", "3")), ""},
		{"the pass is still there", 0, call("git reset --hard", "4"), off},
		{"the last moment", 10*time.Minute - time.Millisecond, call("git clean -fdx", "5"), off},
		{"over", time.Millisecond, call("git clean -fdx", "6"), ""},
	})
	if _, err := s.TurnOff(time.Hour); err != nil {
		t.Fatal(err)
	}
	if ended, err := s.TurnOn(); len(ended) != 1 || err != nil {
		t.Errorf("EndOff: %v, %v", ended, err)
	}
	p.walk(t, []step{{"on again", 0, call("git clean -fdx", "7"), ""}})
	if words, err := s.Permissions(); err != nil || len(words) != 4 || words[0].Kind != override.Off || words[0].Ended == nil {
		t.Errorf("Words: %+v, %v", words, err)
	}
}

// The oldest words go; what holds stays.
func TestWordsAreBounded(t *testing.T) {
	p := newProject(t)
	s := p.store(t)
	if _, err := s.TurnOff(override.MaxOff); err != nil {
		t.Fatal(err)
	}
	for range override.MaxPermissions + 5 {
		if _, err := s.AllowOnce(override.Blocked{Identity: identity("a"), Tool: "bash", Asked: "a"}); err != nil {
			t.Fatal(err)
		}
		p.now = p.now.Add(override.OnceTime)
	}
	words, err := s.Permissions()
	if err != nil || len(words) != override.MaxPermissions || words[len(words)-1].Kind != override.Off {
		t.Errorf("%d words, the oldest %+v, %v", len(words), words[len(words)-1], err)
	}
}

// Of the calls that want a pass at once, in several processes, one gets it.
func TestOnePassSeveralCalls(t *testing.T) {
	p := newProject(t)
	lift(t, p.store(t), call("git reset --hard", "0"))
	give(t, p)
	var through atomic.Int32
	var work sync.WaitGroup
	for i := range 8 {
		s := p.store(t)
		work.Go(func() {
			note, err := s.Overridden(context.Background(), call("git reset --hard", strconv.Itoa(i)+"x"))
			if err != nil && !strings.Contains(err.Error(), "lock file") { // a block, too
				t.Error(err)
			}
			if note != "" {
				through.Add(1)
			}
		})
	}
	work.Wait()
	if n := through.Load(); n != 1 {
		t.Errorf("%d calls went through", n)
	}
}

// Whoever tries what hooks decide is told what a person's word would come to: it is as before afterwards.
func TestWouldOverrideKeepsNothing(t *testing.T) {
	p := newProject(t)
	s := p.store(t)
	blocked := call("git reset --hard", "1")
	would := func(c hooks.BlockedCall) string {
		t.Helper()
		note, err := s.WouldOverride(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		return note
	}
	if note := would(blocked); note != "" {
		t.Errorf("a call that nobody has let through is lifted: %s", note)
	}
	if list, err := s.Blocked(); err != nil || len(list) > 0 {
		t.Errorf("what is only tried is kept as blocked: %v, %v", list, err)
	}
	if _, err := s.Overridden(t.Context(), blocked); err != nil {
		t.Fatal(err)
	}
	list, err := s.Blocked()
	if err != nil || len(list) != 1 {
		t.Fatalf("blocked: %v, %v", list, err)
	}
	if _, err := s.AllowOnce(list[0]); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"2", "3"} {
		if note := would(call("git reset --hard", id)); !strings.Contains(note, "let through once") {
			t.Errorf("call %s isn't lifted: %q", id, note)
		}
	}
	final := call("git reset --hard", "4")
	if final.Final = true; would(final) != "" {
		t.Error("a block that nobody lifts is lifted")
	}
	if note, err := s.Overridden(t.Context(), call("git reset --hard", "5")); err != nil || note == "" {
		t.Errorf("the pass was used up by what was only tried: %q, %v", note, err)
	}
}
