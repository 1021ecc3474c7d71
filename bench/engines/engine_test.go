package engines_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/luahook/luahook/bench/engines"
	"github.com/luahook/luahook/bench/policy"
)

// TestAnswers checks that every engine gives the same answers, twice in a row, since a kept state may remember
// the event before.
func TestAnswers(t *testing.T) {
	for _, e := range engines.All() {
		t.Run(e.Name, func(t *testing.T) {
			guard, err := e.New()
			if err != nil {
				t.Fatal(err)
			}
			defer func() {
				if err := guard.Close(); err != nil {
					t.Error(err)
				}
			}()
			for _, c := range policy.Cases() {
				for round := range 2 {
					for i, event := range c.Events {
						judge, err := guard.Prepare(event)
						if errors.Is(err, engines.ErrNoRule) && e.Name == "wazero" && event.Name == policy.After {
							continue
						}
						if err != nil {
							t.Fatal(err)
						}
						if got, err := judge(); err != nil || got != c.Want[i] {
							t.Errorf("%s %d, round %d: %.200v, %v, want %.200v", c.Name, i, round, got, err, c.Want[i])
						}
					}
				}
			}
		})
	}
}

// TestEveryPattern checks that each engine finds each of the patterns, wherever it is.
func TestEveryPattern(t *testing.T) {
	for _, e := range engines.All() {
		guard, err := e.New()
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range policy.Patterns {
			for _, command := range []string{p, "true; " + p, p + " # now"} {
				event := &policy.Event{Name: policy.Before, Tool: policy.Tool{
					ID: "call-1", Name: policy.Bash, Command: command, Input: map[string]any{"command": command},
				}}
				judge, err := guard.Prepare(event)
				if err != nil {
					t.Fatal(err)
				}
				want := policy.Decision{Block: true, Reason: "matches " + p}
				if got, err := judge(); err != nil || got != want {
					t.Errorf("%s, %q: %v, %v, want %v", e.Name, command, got, err, want)
				}
			}
		}
		if err := guard.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestPolicyAnswers checks the guard in Go against written answers.
func TestPolicyAnswers(t *testing.T) {
	for _, c := range policy.Cases() {
		for i, event := range c.Events {
			if got := policy.Judge(event); got != c.Want[i] {
				t.Errorf("%s %d: %.200v, want %.200v", c.Name, i, got, c.Want[i])
			}
		}
	}
}

// TestHookSets checks that each set runs the hooks that it says, which Load verifies, and blocks.
func TestHookSets(t *testing.T) {
	for _, set := range engines.HookSets() {
		if len(set.Scripts()) > 100 {
			continue // the table loads them and so checks them, too
		}
		l, err := set.Load()
		if err != nil {
			t.Fatal(err)
		}
		run, err := engines.InTurn(l, policy.Named(policy.Block))
		if err != nil {
			t.Fatal(err)
		}
		if err := run(); err != nil {
			t.Errorf("%s: %v", set.Name(), err)
		}
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestHookSetScripts(t *testing.T) {
	set := engines.HookSet{Running: 2, Others: 6, OwnFiles: true}
	var bash []int
	for i, text := range set.Scripts() {
		if strings.Contains(text, `match = "bash"`) {
			bash = append(bash, i)
		}
	}
	if !slices.Equal(bash, []int{0, 4}) {
		t.Errorf("the hooks %v of 8 run, want 0 and 4", bash)
	}
}
