package lib

import (
	"context"
	"fmt"
	"sort"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/internal/spelling"
	"github.com/luahook/luahook/luabind"
)

// Block is what a built-in hook is about to answer, and by which of its rules.
type Block struct {
	Rule     string
	Class    string // of the rule
	Decision hooks.Decision
	Reason   string
}

// Lifter knows whether a person has lifted a block of the event that is being judged. It
// may be asked by a call that has outlasted its run.
type Lifter interface {
	// Lifts gives what should be said instead of the block, or "" where it stands.
	Lifts(ctx context.Context, b Block) string
}

// LifterKey is the key by which the context of a run has its [Lifter]; a run without
// one has nothing lifted.
type LifterKey struct{}

// PassesModule is a module for built-in hooks alone: what a person has said about the
// blocks of a guard is no business of other scripts.
func PassesModule() luabind.Module {
	return module("passes", "what a person has said about calls that were blocked; only built-in hooks have it",
		function{
			"lifts", "(block: {rule: string, class: string, decision: string, reason: string}): string|nil",
			"to be asked right before a deny or an ask: what to say in its place where a person has lifted it; else nil, and the call is remembered as blocked. Blocks of class self are never lifted",
			`assert(passes.lifts({ rule = "git.push-force", class = "git", decision = "deny", reason = "it overwrites what others have pushed" }) == nil)`,
			lifts,
		})
}

func lifts(c call) int {
	b := c.block(1)
	note := luabind.Wait(c.LState, "passes.lifts", func(ctx context.Context) string {
		if lifter, ok := ctx.Value(LifterKey{}).(Lifter); ok {
			return lifter.Lifts(ctx, b)
		}
		return ""
	})
	if note == "" {
		return c.give(lua.LNil)
	}
	c.allocate(len(note))
	return c.giveText(note)
}

// block reads the argument, which has to say all that there is to say.
func (c call) block(n int) (b Block) {
	var decision string
	parts := map[string]*string{"rule": &b.Rule, "class": &b.Class, "decision": &decision, "reason": &b.Reason}
	var known []string
	for name := range parts {
		known = append(known, name)
	}
	sort.Strings(known)
	luabind.Each(c.LState, c.table(n), func(key, value lua.LValue) {
		name, text := luabind.RawText(key), ""
		part, ok := parts[name]
		if !ok {
			c.bad(n, fmt.Sprintf("it has %q, which isn't asked for%s", cut(name, 100), spelling.DidYouMean(name, known)))
		}
		if s, ok := value.(lua.LString); ok {
			text = string(s)
		}
		*part = text
	})
	for _, name := range known {
		if *parts[name] == "" {
			c.bad(n, name+" expected, a text")
		}
	}
	b.Decision = hooks.Decision(decision)
	if b.Decision != hooks.Deny && b.Decision != hooks.Ask {
		c.bad(n, fmt.Sprintf("decision is %q, want deny or ask", cut(decision, 100)))
	}
	return b
}
