//go:build linux

package agents

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/luahook/luahook/bench/agents/fakemodel"
)

// scenario is something that is shown of every agent. Its hooks are in testdata, in the folder of its name.
type scenario struct {
	name    string
	turns   []fakemodel.Turn // what the model answers; afterwards it says that it's done
	trusted bool             // the user has trusted the project
	check   func(t *testing.T, o *outcome)
}

// The command that the model runs. What it prints isn't in the command itself. It takes a moment, because Qwen loses
// what a command has printed that ends before Qwen reads.
const (
	command   = `printf 'raw-%s\n' output && touch marker && sleep 0.3`
	forbidden = `touch forbidden`
	dangerous = `touch marker && rm -rf ~` // the home folder is one of the test's own
	printed   = "raw-output"
)

func scenarios() []scenario {
	once := []fakemodel.Turn{{Command: command}}
	return []scenario{
		{name: "silent", turns: once, trusted: true, check: checkSilent},
		{name: "guard", turns: []fakemodel.Turn{{Command: dangerous}}, check: checkGuard},
		{name: "deny", turns: once, trusted: true, check: checkDeny},
		{name: "rewrite", turns: once, trusted: true, check: checkRewrite},
		{name: "replace", turns: once, trusted: true, check: checkReplace},
		{name: "stop", turns: once, trusted: true, check: checkStop},
		{name: "insist", turns: once, trusted: true, check: checkInsist},
		{name: "error", turns: once, trusted: true, check: checkBroken},
		{name: "unloadable", turns: once, check: checkBroken}, // what doesn't load can't be trusted
		{name: "untrusted", turns: []fakemodel.Turn{{Command: command}, {Command: forbidden}}, check: checkUntrusted},
	}
}

// checkSilent sees that hooks without an opinion change nothing. The other scenarios prove nothing without it.
func checkSilent(t *testing.T, o *outcome) {
	o.wantFile(t, "marker", true)
	o.wantTold(t, printed)
	if n := len(o.asked); n != 2 {
		t.Fatalf("the model was asked %d times, want 2: with the prompt, and with the command's output", n)
	}
	for _, r := range o.asked[1:] {
		for _, text := range r.Since(o.asked[0]) {
			if strings.Contains(text, "hook") {
				t.Errorf("the model was told of a hook: %s", tail([]byte(text)))
			}
		}
	}
}

// checkGuard sees that the built-in guard is at work where nobody has written a hook.
func checkGuard(t *testing.T, o *outcome) {
	o.wantFile(t, "marker", false)
	o.wantDenied(t, 1, "safety-guard: deletion.")
}

func checkDeny(t *testing.T, o *outcome) {
	o.wantFile(t, "marker", false)
	o.wantDenied(t, 1, "markers are made by hand in this project")
}

// checkRewrite sees that the hook's command ran in place of the model's; where the agent can't do that, none ran.
func checkRewrite(t *testing.T, o *outcome) {
	o.wantFile(t, "marker", false)
	if o.can(t, rewrite) {
		o.wantFile(t, "rewritten", true)
		o.wantTold(t, "new-output")
		return
	}
	o.wantFile(t, "rewritten", false)
	o.wantDenied(t, 1, "touch rewritten")
}

func checkReplace(t *testing.T, o *outcome) {
	o.wantFile(t, "marker", true)
	if !o.can(t, replace) {
		o.wantTold(t, printed)
		return
	}
	o.wantTold(t, "this was replaced by a hook")
	if o.told(printed) {
		t.Errorf("the model was told %q, which a hook had replaced", printed)
	}
}

// checkStop sees that the agent went on, and no further than once, though the hook always asks for the same.
func checkStop(t *testing.T, o *outcome) { o.wantKeptOn(t, 1, "the tests are missing, write them") }

// checkInsist sees that the agent ended, though the hook asks for something else each time.
func checkInsist(t *testing.T, o *outcome) { o.wantKeptOn(t, 3, "that isn't enough, because it was:") }

// wantKeptOn sees that the agent wanted to end and went on n times, with the reason why.
func (o *outcome) wantKeptOn(t *testing.T, n int, why string) {
	t.Helper()
	o.wantFile(t, "marker", true)
	if !o.can(t, goOn) {
		n = 0
	}
	if asked, want := len(o.asked), 2+n; asked != want {
		t.Errorf("the model was asked %d times, want %d", asked, want)
	}
	for i, r := range o.asked {
		if told := r.Contains(why); told != (i >= 2) {
			t.Errorf("request %d has the hook's reason: %v", i+1, told)
		}
	}
}

// checkBroken sees that a hook that can't judge lets nothing through.
func checkBroken(t *testing.T, o *outcome) {
	o.wantFile(t, "marker", false)
	o.wantDenied(t, 1, "nothing goes on without")
}

// checkUntrusted sees that a project's hooks deny and inform, and do nothing else before the user trusts them.
func checkUntrusted(t *testing.T, o *outcome) {
	o.wantFile(t, "marker", true)
	o.wantFile(t, "rewritten", false)
	o.wantTold(t, printed)
	if o.told("this was replaced by a hook") {
		t.Error("the model was told what an untrusted hook put in place of the output")
	}
	o.wantTold(t, "a word from the project")
	o.wantFile(t, "forbidden", false)
	o.wantDenied(t, 2, "this project forbids it")
}

// outcome is a session that has ended.
type outcome struct {
	*session
	asked []fakemodel.Request // the conversation
}

// can reports whether the agent can do something, and says why if it can't.
func (o *outcome) can(t *testing.T, what ability) bool {
	why := o.agent.cannot[what]
	if why != "" {
		t.Logf("%s %s", o.agent.name, why)
	}
	return why == ""
}

// told reports whether the model was told something in the conversation.
func (o *outcome) told(text string) bool {
	for _, r := range o.asked {
		if r.Contains(text) {
			return true
		}
	}
	return false
}

func (o *outcome) wantTold(t *testing.T, text string) {
	t.Helper()
	if !o.told(text) {
		t.Errorf("the model wasn't told %q", text)
	}
}

// wantDenied sees that the model was told why the call in its nth answer was denied, after that answer and not before.
// An agent that can't tell it must have ended there.
func (o *outcome) wantDenied(t *testing.T, n int, why string) {
	t.Helper()
	if !o.can(t, tellWhy) {
		if len(o.asked) != n {
			t.Errorf("the model was asked %d times, want %d: nothing goes on after a denial here", len(o.asked), n)
		}
		return
	}
	for i, r := range o.asked {
		if told := r.Contains(why); told != (i >= n) {
			t.Errorf("request %d has %q: %v", i+1, why, told)
		}
	}
	if len(o.asked) <= n {
		t.Errorf("the model was asked %d times, so that nothing was told after the denial", len(o.asked))
	}
}

func (o *outcome) wantFile(t *testing.T, name string, want bool) {
	t.Helper()
	if there, err := o.exists(name); err != nil {
		t.Error(err)
	} else if there != want {
		t.Errorf("the file %s is there: %v, want %v", name, there, want)
	}
}

// show runs a scenario with an agent and checks what has come of it.
func show(t *testing.T, a *agent, c scenario, cache, luahook string) {
	s, err := newSession(a, cache, luahook, t.TempDir(), c.turns)
	if err != nil {
		t.Fatal(err)
	}
	defer s.model.Close()
	if err := os.CopyFS(s.project, os.DirFS(filepath.Join("testdata", c.name))); err != nil {
		t.Fatal(err)
	}
	if c.trusted {
		if _, err := s.own("trust", "--yes"); err != nil {
			t.Fatal(err)
		}
	}
	if err := a.configure(s); err != nil {
		t.Fatal(err)
	}
	if err := installHooks(s); err != nil {
		t.Fatal(err)
	}
	printed, err := s.run()
	if err != nil {
		t.Errorf("the agent: %v", err)
	}
	o := &outcome{session: s}
	requests := s.model.Requests()
	for _, r := range requests {
		if r.Conversation {
			o.asked = append(o.asked, r)
		}
	}
	c.check(t, o)
	if t.Failed() {
		t.Logf("the agent has printed: %s", tail(printed))
		for i, r := range requests {
			text := "the first one"
			if i > 0 {
				text = "new: " + tail([]byte(strings.Join(r.Since(requests[i-1]), "\n")))
			}
			t.Logf("request %d to %s, conversation: %v, %s", i+1, r.Path, r.Conversation, text)
		}
	}
}
