package builtins_test

import (
	"context"
	"testing"

	"github.com/luahook/luahook/builtins"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// liftsAll lifts everything that a person may lift.
type liftsAll struct{}

func (liftsAll) Overridden(_ context.Context, c hooks.BlockedCall) (string, error) {
	if c.Final {
		return "", nil
	}
	return "a person's word", nil
}

// A person's override lifts a rule, but nothing that concerns the guard itself, even if that accompanies a
// lifted rule.
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
