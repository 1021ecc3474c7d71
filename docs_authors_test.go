package luahook_test

import (
	"context"
	"os"
	"regexp"
	"testing"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

var (
	luaBlock = regexp.MustCompile("(?s)```lua\n(.*?)```")
	caseLine = regexp.MustCompile(`(?m)^-- (denies|asks|passes): (.*)$`)
	outcomes = map[string]hooks.Decision{"denies": hooks.Deny, "asks": hooks.Ask, "passes": hooks.NoOpinion}
)

// TestAuthorsGuide runs the guards that the pages show on the commands that they name, in
// their order.
func TestAuthorsGuide(t *testing.T) {
	for page, least := range map[string]int{"docs/authors.md": 25, "docs/store.md": 4} {
		t.Run(page, func(t *testing.T) { testGuide(t, page, least) })
	}
}

func testGuide(t *testing.T, file string, least int) {
	page, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	cases := 0
	for _, block := range luaBlock.FindAllStringSubmatch(string(page), -1) {
		source := block[1]
		named := caseLine.FindAllStringSubmatch(source, -1)
		if len(named) == 0 {
			continue
		}
		e, err := engine.New(engine.WithoutBuiltins(), engine.WithScript("guide.lua", source))
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range named {
			cases++
			r, err := e.Fire(context.Background(), &hooks.Context{
				Event: hooks.PreToolCall, CWD: "/work/shop", SessionID: "s",
				ToolCall: &hooks.ToolCall{Name: "bash", Input: map[string]any{"command": c[2]}},
			})
			if err != nil {
				t.Fatal(err)
			}
			if r.Decision != outcomes[c[1]] || r.Summary().Runs[0].Error != nil {
				t.Errorf("the guard says %q (%s) %+v, the page says that it %s %s\n%s", r.Decision, r.Reason, r.Summary().Runs[0].Error, c[1], c[2], source)
			}
		}
		if err := e.Close(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	if cases < least {
		t.Errorf("the page names only %d commands", cases)
	}
}
