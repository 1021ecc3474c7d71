package engine_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// hook is one hook of a random chain.
type hook struct {
	scope    hooks.Scope
	kind     string // what it does
	letter   string // that it looks for or writes
	policy   hooks.Policy
	priority int
	parallel bool
}

func (h hook) lua(name string) string {
	var body string
	switch h.kind {
	case "guard":
		body = fmt.Sprintf(`if cmd:find(%q, 1, true) then return deny("%s: no %s") end`, h.letter, name, h.letter)
	case "asks":
		body = fmt.Sprintf(`if cmd:find(%q, 1, true) then return ask("%s: %s?") end`, h.letter, name, h.letter)
	case "allows":
		body = `return allow("fine")`
	case "appends":
		body = fmt.Sprintf(`if #cmd < 12 then return modify{command = cmd .. %q} end`, h.letter)
	case "removes":
		body = fmt.Sprintf(`local clean = cmd:gsub(%q, "") if clean ~= cmd then return modify{command = clean} end`, h.letter)
	case "context":
		body = fmt.Sprintf(`return context("%s")`, name)
	case "data":
		body = fmt.Sprintf(`return {data = {[%q] = "%s"}}`, h.letter, name)
	case "fails":
		body = fmt.Sprintf(`if cmd:find(%q, 1, true) then error("boom") end`, h.letter)
	case "respond":
		body = `return respond("made up")`
	case "silent":
		body = ``
	}
	mode := "sync"
	if h.parallel {
		mode = "parallel"
	}
	return fmt.Sprintf("on(\"pre_tool_call\", {name=%q, priority=%d, mode=%q, on_failure=%q}, function(ev) local cmd = ev.tool_call.command %s end)\n", name, h.priority, mode, h.policy, body)
}

var anyHook = rapid.Custom(func(t *rapid.T) hook {
	return hook{
		scope:    rapid.SampledFrom([]hooks.Scope{hooks.ScopeManaged, hooks.ScopeEmbedder, hooks.ScopeUser, hooks.ScopeProject}).Draw(t, "scope"),
		kind:     rapid.SampledFrom([]string{"guard", "guard", "asks", "allows", "appends", "appends", "removes", "context", "data", "fails", "silent", "respond"}).Draw(t, "kind"),
		letter:   rapid.SampledFrom([]string{"x", "y", "z"}).Draw(t, "letter"),
		policy:   rapid.SampledFrom([]hooks.Policy{hooks.Block, hooks.Warn, hooks.Ignore}).Draw(t, "policy"),
		priority: rapid.IntRange(-2, 2).Draw(t, "priority"),
		parallel: rapid.IntRange(0, 3).Draw(t, "parallel") == 0,
	}
})

// chain makes an engine of the hooks: each scope has one file, in which they stand in
// the given order.
type chain struct {
	hooks   []hook
	names   []string
	trusted bool // the project is
}

func newChain(list []hook, trusted bool) chain {
	c := chain{hooks: list, trusted: trusted}
	for i, h := range list {
		c.names = append(c.names, fmt.Sprintf("%s-%s-%d", h.scope, h.kind, i))
	}
	return c
}

// only leaves the hooks that keep tells.
func (c chain) only(keep func(hook) bool) chain {
	rest := chain{trusted: c.trusted}
	for i, h := range c.hooks {
		if keep(h) {
			rest.hooks, rest.names = append(rest.hooks, h), append(rest.names, c.names[i])
		}
	}
	return rest
}

func (c chain) fire(t *rapid.T, dir, command string) *hooks.Result {
	source := map[hooks.Scope]string{}
	for i, h := range c.hooks {
		source[h.scope] += h.lua(c.names[i])
	}
	dir = filepath.Join(dir, "chain") // always the same, as reasons name places
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	put := func(name, text string) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	put("managed/hooks.yaml", "hooks: {pre_tool_call: [{script: managed.lua}]}\n")
	put("managed/managed.lua", source[hooks.ScopeManaged])
	put("user/hooks/user.lua", source[hooks.ScopeUser])
	put("project/.hooks/project.lua", source[hooks.ScopeProject])
	options := []engine.Option{engine.WithoutBuiltins(), patient, engine.WithUserDir(filepath.Join(dir, "user")), engine.WithScript("embedder.lua", source[hooks.ScopeEmbedder])}
	if source[hooks.ScopeManaged] != "" {
		options = append(options, engine.WithManaged(filepath.Join(dir, "managed/hooks.yaml")))
	}
	root := filepath.Join(dir, "project")
	if c.trusted {
		options = append(options, engine.WithHooksDir(filepath.Join(root, ".hooks"), root))
	} else {
		options = append(options, engine.WithProject(engine.Project{Root: root}))
	}
	e, err := engine.New(options...)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close(context.Background())
	if list := e.LoadErrors(); len(list) > 0 {
		t.Fatal(list)
	}
	r, err := e.Fire(context.Background(), bash(command))
	if err != nil {
		t.Fatal(err)
	}
	again, err := e.Fire(context.Background(), bash(command))
	if err != nil || tell(r) != tell(again) || runs(r) != runs(again) {
		t.Fatalf("not the same on each run:\n%s\n%s\n%s\n%s", runs(r), runs(again), tell(r), tell(again))
	}
	return r
}

// tell is all that a result decides, without the account of how.
func tell(r *hooks.Result) string {
	reason := lineNumber.ReplaceAllString(r.Reason, ".lua:N:") // which hooks before it in a file change
	return fmt.Sprintf("%s %q input=%v output=%v contexts=%v data=%v halt=%v", r.Decision, reason, r.Input, r.Output, r.Contexts, r.Data, r.Halt)
}

var lineNumber = regexp.MustCompile(`\.lua:\d+:`)

// final is the command that would run.
func final(r *hooks.Result, command string) string {
	if r.Input != nil {
		command, _ = r.Input["command"].(string)
	}
	return command
}

// firstRound is what was decided where nobody had to judge again.
func firstRound(r *hooks.Result) hooks.Decision {
	for _, run := range r.Summary().Runs {
		if run.Judging {
			return hooks.NoOpinion
		}
	}
	return r.Decision
}

var severity = map[hooks.Decision]int{hooks.NoOpinion: 0, hooks.Allow: 0, hooks.Ask: 1, hooks.Deny: 2}

func init() {
	if !engine.Nightly {
		_ = flag.Set("rapid.checks", "30") // a flag of the command line still counts
	}
}

func TestChainsOfHooks(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		c := newChain(rapid.SliceOfN(anyHook, 1, 9).Draw(t, "hooks"), rapid.Bool().Draw(t, "trusted"))
		command := rapid.SampledFrom([]string{"ls", "lx", "ly", "lxyz"}).Draw(t, "command")
		r := c.fire(t, dir, command)

		// What goes on has been judged by every guard: none that would deny it, ask about
		// it or fail at it was passed over.
		if end := final(r, command); r.Decision != hooks.Deny {
			for i, h := range c.hooks {
				concerned := strings.Contains(end, h.letter)
				switch {
				case h.kind == "guard" && concerned, h.kind == "fails" && h.policy == hooks.Block && concerned:
					t.Fatalf("%s didn't stop %q: %s", c.names[i], end, tell(r))
				case h.kind == "asks" && concerned && r.Decision != hooks.Ask:
					t.Fatalf("%s wasn't heard on %q: %s", c.names[i], end, tell(r))
				}
			}
		}

		// An allow is for the final input: the one who gave it has seen it, or seen it again.
		if r.Decision == hooks.Allow && r.Input != nil {
			last := map[string]bool{}
			for _, run := range r.Summary().Runs {
				last[run.Hook] = true
			}
			if !slices.ContainsFunc(c.names, func(n string) bool { return strings.Contains(n, "allows") && last[n] }) {
				t.Fatalf("nobody has allowed it: %s", tell(r))
			}
		}

		// Silence changes nothing.
		var loud chain
		if slices.ContainsFunc(c.hooks, func(h hook) bool { return h.kind == "silent" }) {
			loud = c.only(func(h hook) bool { return h.kind != "silent" })
			if other := loud.fire(t, dir, command); tell(other) != tell(r) {
				t.Fatalf("silence has changed something:\n%s\n%s", tell(r), tell(other))
			}
		}

		// The order is total: scope, priority, and place in the file.
		var order []int
		for i := range c.hooks {
			order = append(order, i)
		}
		slices.SortStableFunc(order, func(a, b int) int {
			if d := c.hooks[a].scope.Rank() - c.hooks[b].scope.Rank(); d != 0 {
				return d
			}
			return c.hooks[b].priority - c.hooks[a].priority
		})
		at := 0
		for _, run := range r.Summary().Runs {
			if run.Judging {
				continue
			}
			if want := c.names[order[at]]; run.Hook != want {
				t.Fatalf("run %d is %s, want %s: %s", at, run.Hook, want, runs(r))
			}
			at++
		}
		if at != len(order) && r.Decision != hooks.Deny {
			t.Fatalf("%d of %d hooks ran: %s", at, len(order), runs(r))
		}

		// No lower scope weakens a higher one.
		for _, lowest := range []hooks.Scope{hooks.ScopeManaged, hooks.ScopeEmbedder, hooks.ScopeUser} {
			higher := c.only(func(h hook) bool { return h.scope.Rank() <= lowest.Rank() })
			if len(higher.hooks) == len(c.hooks) || len(higher.hooks) == 0 {
				continue
			}
			alone := higher.fire(t, dir, command)
			// Of an input that a lower scope has rewritten they say something else; what they
			// have said before stands.
			before := alone.Decision
			if final(r, command) != final(alone, command) {
				before = firstRound(alone)
			}
			if severity[r.Decision] < severity[before] {
				t.Fatalf("%s and above say %s, with those below it is %s", lowest, tell(alone), tell(r))
			}
			for k, v := range alone.Data {
				if r.Data[k] != v {
					t.Fatalf("data.%s of %s and above was %v and is %v", k, lowest, v, r.Data[k])
				}
			}
			for i, said := range alone.Contexts {
				if len(r.Contexts) <= i || r.Contexts[i] != said {
					t.Fatalf("a context of %s and above is lost: %s", lowest, tell(r))
				}
			}
		}

		// A project that isn't trusted changes nothing that runs, and lifts nothing.
		if !c.trusted {
			alone := c.only(func(h hook) bool { return h.scope != hooks.ScopeProject })
			if len(alone.hooks) > 0 {
				other := alone.fire(t, dir, command)
				if final(r, command) != final(other, command) || (r.Decision != hooks.Deny && r.Output != other.Output) {
					t.Fatalf("with the project: %s\nwithout: %s", tell(r), tell(other))
				}
				if r.Decision == hooks.Allow && other.Decision != hooks.Allow {
					t.Fatalf("the project allows: %s", tell(r))
				}
			} else if r.Input != nil || r.Output != nil || r.Decision == hooks.Allow {
				t.Fatalf("the project alone: %s", tell(r))
			}
		}
	})
}
