package builtins_test

import (
	"context"
	"testing"

	"github.com/luahook/luahook/builtins"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// liftsAll is a person's word on everything that may be lifted.
type liftsAll struct{}

func (liftsAll) Overridden(_ context.Context, c hooks.BlockedCall) (string, error) {
	if c.Final {
		return "", nil
	}
	return "a person's word", nil
}

// A person's word lifts what a rule says, and nothing that concerns the guard itself, also
// where that stands beside a rule that is lifted.
func TestLifted(t *testing.T) {
	e, err := engine.New(ample, engine.WithoutBuiltins(), engine.WithBuiltin(builtins.Default, nil), engine.WithOverrides(liftsAll{}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close(t.Context()) })
	for command, want := range map[string]struct{ rule, message string }{
		"git reset --hard":                {"", "safety-guard: a person's word"},
		"rm -rf /":                        {"", "safety-guard: a person's word"},
		"echo 'no end":                    {"", "safety-guard: a person's word"},
		"luahook trust --yes":             {"self.admin", ""},
		"rm -rf / ; luahook off":          {"self.admin", ""},
		"rm -rf .hooks":                   {"self.hooks", ""},
		"sudo rm -r /etc/luahook":         {"self.hooks", "safety-guard: a person's word"},
		"git reset --hard; rm -rf .hooks": {"self.hooks", "safety-guard: a person's word"},
		"ls":                              {"", ""},
	} {
		id, r := verdictOf(t, e, command)
		if id != want.rule || r.SystemMessage != want.message {
			t.Errorf("%s: stopped by %q, message %q, want %q and %q", command, id, r.SystemMessage, want.rule, want.message)
		}
	}
}
