package engine

import (
	"testing"
	"time"

	"github.com/luahook/luahook/engine/internal/trust"
	"github.com/luahook/luahook/hooks"
)

func TestEventTimeIsNotForStrangersToSay(t *testing.T) {
	list := []*hook{
		{scope: hooks.ScopeUser, options: hooks.Options{Timeout: 2 * time.Minute}},
		{scope: hooks.ScopeProject, options: hooks.Options{Timeout: time.Hour}, skip: &hooks.Error{}},
		{scope: hooks.ScopeProject, options: hooks.Options{Timeout: time.Hour}, untrusted: trust.UntrustedProject},
	}
	number(list)
	if list[0].within != 2*time.Minute || list[2].within != 2*time.Minute {
		t.Errorf("the user's hook has %s, the stranger's %s; want what the user's asks for", list[0].within, list[2].within)
	}
}

func TestParallelHooksOfOneScopeStandTogether(t *testing.T) {
	var list []*hook
	for _, scope := range []hooks.Scope{hooks.ScopeUser, hooks.ScopeUser, hooks.ScopeProject} {
		list = append(list, &hook{scope: scope, mode: hooks.ModeParallel})
	}
	if n := parallelGroupLen(list); n != 2 {
		t.Errorf("%d run together, want the user's 2", n)
	}
}

func TestProjectsLeaveRoomInTheBackground(t *testing.T) {
	b := newBackground()
	defer b.cancel()
	b.working = maxBackground // nobody takes anything away
	add := func(scope hooks.Scope) bool {
		return b.add(queued{entry: &hook{scope: scope}, bytes: 1 << 10}) == ""
	}
	taken := 0
	for range 2 * maxQueued {
		if add(hooks.ScopeProject) {
			taken++
		}
	}
	if taken != maxProjectQueued || !add(hooks.ScopeUser) {
		t.Fatalf("%d of the project's runs wait, want %d and room for others", taken, maxProjectQueued)
	}
	if b.next() != &b.others {
		t.Error("the project's turn comes before the user's")
	}
	b.others = backlog{}
	if b.project.running = maxProjectBackground - 1; b.next() != &b.project {
		t.Error("the project's turn doesn't come")
	}
	if b.project.running = maxProjectBackground; b.next() != nil {
		t.Error("the project's runs may take all places")
	}
}
