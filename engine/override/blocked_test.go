package override_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/luahook/luahook/engine/override"
	"github.com/luahook/luahook/hooks"
)

func TestWhatIsKept(t *testing.T) {
	p := newProject(t)
	c := call("git reset --hard", "7")
	lift(t, p.store(t), c)
	want := []override.Blocked{{
		At: p.now, Session: "s", Event: hooks.PreToolCall, Tool: "bash", Kind: hooks.KindShell, CWD: "/work",
		Asked: "git reset --hard", Length: 16, Identity: c.Identity, Decision: hooks.Deny, Rule: "git.reset-hard", Reason: "it throws changes away",
	}}
	if diff := cmp.Diff(want, blocked(t, p.store(t)), cmpopts.IgnoreFields(override.Blocked{}, "Seen")); diff != "" {
		t.Error(diff)
	}
}

// A call is one line, whoever sees it and at which event; another call is another one.
func TestOneLineForACall(t *testing.T) {
	first := call("git reset --hard", "1")
	second := first
	second.Rule, second.Reason = "git.other", "another guard says"
	noID := call("git reset --hard", "")
	for name, c := range map[string]struct {
		calls []hooks.BlockedCall
		want  int
	}{
		"two guards":                        {[]hooks.BlockedCall{first, second}, 1},
		"two events":                        {[]hooks.BlockedCall{first, request(first)}, 1},
		"two guards at two events":          {[]hooks.BlockedCall{first, second, request(first), request(second)}, 2}, // two firings of permission_request can't be one
		"two events without an id":          {[]hooks.BlockedCall{noID, request(noID)}, 1},
		"a request, a call":                 {[]hooks.BlockedCall{request(noID), noID}, 2},
		"two calls":                         {[]hooks.BlockedCall{first, call("git reset --hard", "2")}, 2},
		"two calls without an id":           {[]hooks.BlockedCall{noID, call("git reset --hard", "")}, 2},
		"two commands of one call":          {[]hooks.BlockedCall{first, call("git clean", "1")}, 2},
		"the same id in different sessions": {[]hooks.BlockedCall{first, inSession(first, "other")}, 2},
	} {
		for _, processes := range []string{"one process", "a process for each"} {
			t.Run(name+", "+processes, func(t *testing.T) {
				p := newProject(t)
				s := p.store(t)
				for _, call := range c.calls {
					if processes != "one process" {
						s = p.store(t)
					}
					lift(t, s, call)
					if processes != "one process" {
						if err := s.Close(); err != nil {
							t.Fatal(err)
						}
					}
				}
				list := blocked(t, s)
				if len(list) != c.want {
					t.Fatalf("%d lines, want %d: %+v", len(list), c.want, list)
				}
				if oldest := list[len(list)-1]; oldest.Rule != "git.reset-hard" || oldest.Reason != "it throws changes away" {
					t.Errorf("not the first reason: %+v", oldest)
				}
			})
		}
	}
}

func inSession(c hooks.BlockedCall, session string) hooks.BlockedCall {
	c.SessionID, c.Firing = session, firing()
	return c
}

// What one guard calls final is final.
func TestFinalStaysFinal(t *testing.T) {
	for _, order := range [][2]bool{{true, false}, {false, true}} {
		p := newProject(t)
		s := p.store(t)
		c := call("luahook trust", "1")
		for _, isFinal := range order {
			c.Final = isFinal
			lift(t, s, c)
		}
		if list := blocked(t, s); len(list) != 1 || !list[0].Final {
			t.Errorf("%v: %+v", order, list)
		}
	}
}

func TestBlockedIsBounded(t *testing.T) {
	p := newProject(t)
	s := p.store(t)
	long := strings.Repeat("é", 1<<20)
	for i := range 3 * override.MaxBlocked {
		c := call(fmt.Sprint("command ", i), long+fmt.Sprint(i))
		c.SessionID, c.CWD, c.Rule, c.Reason, c.Tool = long, long, long, long, long
		c.Asked, c.Length = "x"+long, len(long)+1
		lift(t, s, c)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	list := blocked(t, p.store(t))
	if len(list) != override.MaxBlocked || list[0].Identity != identity(fmt.Sprint("command ", 3*override.MaxBlocked-1)) {
		t.Fatalf("%d lines, the latest %q", len(list), list[0].Identity)
	}
	b := list[0]
	if len(b.Asked) != 2047 || b.Length != 2<<20+1 || len(b.Reason) > 2048 || !utf8.ValidString(b.Asked) {
		t.Errorf("%d bytes of %d, and %d of the reason", len(b.Asked), b.Length, len(b.Reason))
	}
	info, err := os.Stat(p.file(t, "blocked"))
	if err != nil || info.Size() > 512<<10 { // there are up to twice as many lines as calls are kept
		t.Errorf("%v, %v", info.Size(), err)
	}
}

// Stores at work on one project at once lose nothing that is among the last, and leave
// nothing beside it.
func TestSeveralAtOnce(t *testing.T) {
	p := newProject(t)
	var work sync.WaitGroup
	for w := range 4 {
		s := p.store(t)
		work.Go(func() {
			for i := range 5 {
				lift(t, s, call(fmt.Sprint(w, "/", i), ""))
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	work.Wait()
	if list := blocked(t, p.store(t)); len(list) != 20 {
		t.Errorf("%d lines, want 20", len(list))
	}
	left, err := filepath.Glob(filepath.Join(p.dir, "*.new"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
