package engine_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/audit"
	"github.com/luahook/luahook/engine/store"
	"github.com/luahook/luahook/hooks"
)

// What was broken from the start doesn't let a later mistake take good hooks away.
func TestReloadKeepsGoodHooksBesideABrokenFile(t *testing.T) {
	const good = "\n-- .hooks/a.lua --\non('message_sending', {name='a'}, function() return deny('no') end)\n"
	const broken = "\n-- .hooks/b.lua --\nx x\n"
	tests := []struct {
		name, first, then string
		taken             bool // the new generation takes over
	}{
		{"the good one breaks", good + broken, "-- .hooks/a.lua --\nx x\n", false},
		{"it breaks while the other is fixed", good + broken, "-- .hooks/a.lua --\nx x\n-- .hooks/b.lua --\n", false},
		{"a library that another one broke on before", good + "-- .hooks/0.lua --\nrequire('l')\n-- .hooks/lib/l.lua --\nx x\n", "-- .hooks/a.lua --\nrequire('l')\n", false},
		{"a new file is broken", good + broken, "-- .hooks/c.lua --\nx x\n", false},
		{"hooks.yaml breaks", good + broken, "-- .hooks/hooks.yaml --\nx\n", false},
		{"the broken one is broken elsewhere", good + broken, "-- .hooks/b.lua --\n\nx y\n-- .hooks/a.lua --\n", true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			e, root := project(t, test.first)
			e.LoadErrors() // the hooks are read
			generation := e.Generation()
			write(t, root, test.then)
			err := e.Reload(context.Background())
			if err == nil || strings.Contains(err.Error(), "stay in force") == test.taken {
				t.Fatalf("error: %v", err)
			}
			want := hooks.Deny
			if test.taken {
				want, generation = hooks.NoOpinion, generation+1
			}
			equal(t, "decision", fire(t, e, &hooks.Context{Event: hooks.MessageSending}).Decision, want)
			equal(t, "generation", e.Generation(), generation)
		})
	}
}

// A Reload in the middle of an event changes nothing about what that event does: its hooks,
// where they keep things, and what the log keeps of it stay those of the plan that it began
// with.
func TestReloadInTheMiddleOfAnEvent(t *testing.T) {
	const script = "-- hooks/count.lua --\non('pre_prompt', {name='count', once=true}, function() return context('n is ' .. store.incr('n')) end)\n"
	user := tree(t, "-- hooks.yaml --\nhooks: {store: memory}\n"+script)
	var opened []string
	open := func(name string) (store.Store, error) {
		opened = append(opened, name)
		return store.NewMemory(100), nil
	}
	j := newJournal(t)
	e := newEngine(t, engine.WithUserDir(user), engine.WithStores(open), engine.WithAudit(j.Log, engine.RecordDecisions))
	reloads := true
	register(t, e, hooks.PrePrompt, hooks.Options{Name: "reloads"}, func(ctx context.Context, _ *hooks.Context) (*hooks.Result, error) {
		if !reloads {
			return nil, nil
		}
		reloads = false
		err := os.WriteFile(filepath.Join(user, "hooks.yaml"), []byte("hooks: {store: file, record: events}\n"), 0o600)
		if err != nil {
			return nil, err
		}
		return nil, e.Reload(ctx)
	})
	prompt := func(session string) (*hooks.Result, audit.Record) {
		r := fire(t, e, &hooks.Context{Event: hooks.PrePrompt, SessionID: session, Prompt: "hello"})
		list := j.records()
		return r, list[len(list)-1]
	}
	generation := e.Generation()

	r, record := prompt("one")
	equal(t, "n", r.NewContext, "n is 1")
	equal(t, "generation of the result", r.Summary().Generation, generation)
	equal(t, "generation of the record", record.Generation, generation)
	equal(t, "stores opened", len(opened), 0)
	if _, whole := record.Context["prompt"].(string); whole {
		t.Errorf("the record has the prompt: %v", record.Context)
	}

	r, record = prompt("two")
	equal(t, "n afterwards", r.NewContext, "n is 1") // in another store
	equal(t, "generation afterwards", r.Summary().Generation, generation+1)
	equal(t, "stores opened afterwards", len(opened), 1)
	equal(t, "prompt of the record afterwards", asJSON(t, record.Context["prompt"]), `"hello"`)
}
