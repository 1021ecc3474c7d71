package engine_test

import (
	"context"
	"strings"
	"testing"

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
		{"it breaks while the other is mended", good + broken, "-- .hooks/a.lua --\nx x\n-- .hooks/b.lua --\n", false},
		{"a library that another one broke on before", good + "-- .hooks/0.lua --\nrequire('l')\n-- .hooks/lib/l.lua --\nx x\n", "-- .hooks/a.lua --\nrequire('l')\n", false},
		{"a new file is broken", good + broken, "-- .hooks/c.lua --\nx x\n", false},
		{"hooks.yaml breaks", good + broken, "-- .hooks/hooks.yaml --\nx\n", false},
		{"the broken one is broken elsewhere", good + broken, "-- .hooks/b.lua --\n\nx y\n-- .hooks/a.lua --\n", true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			e, root := project(t, test.first)
			e.Problems() // the hooks are read
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
