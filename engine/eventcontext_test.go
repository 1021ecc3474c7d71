package engine_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/luahook/luahook/analysis/shell"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// The hooks of one event parse a command once, whatever they are written in and however
// they run: a mark that the first puts on the line, which nobody should, is seen by all.
func TestHooksOfAnEventShareWhatTheyParse(t *testing.T) {
	var options []engine.Option
	for i := range 10 {
		mode := []string{"sync", "parallel"}[i/5]
		options = append(options, engine.WithScript(fmt.Sprintf("%d.lua", i), `on("pre_tool_call", { mode = "`+mode+`" }, function(ev)
  return context(shell.parse(ev.tool_call.command, { cwd = ev.cwd }).commands[1].name)
end)`))
	}
	e := newEngine(t, options...)
	var seen []*shell.Line
	parse := func(ctx context.Context, c *hooks.Context) (*hooks.Result, error) {
		line := shell.ParseContext(ctx, c.ToolCall.Command, shell.Options{Cwd: c.CWD})
		line.Commands[0].Name += "!"
		seen = append(seen, line)
		return nil, nil
	}
	register(t, e, hooks.PreToolCall, hooks.Options{Name: "first", Priority: 1}, parse)
	register(t, e, hooks.PreToolCall, hooks.Options{Name: "last", Priority: -1}, parse)
	for range 2 { // the next event begins anew
		c := bash("ls -l")
		c.CWD = "/work"
		r := fire(t, e, c)
		if got := strings.Fields(r.NewContext); strings.Join(got, " ") != strings.TrimSpace(strings.Repeat("ls! ", 10)) {
			t.Errorf("the scripts found %q", got)
		}
	}
	if len(seen) != 4 || seen[0] != seen[1] || seen[2] != seen[3] || seen[0] == seen[2] {
		t.Errorf("the Go hooks got the lines %p", seen)
	}
}

// What an event's hooks parse isn't kept for those that run in the background, nor for
// events that lie within it.
func TestLinesStayWithTheirEvent(t *testing.T) {
	e := newEngine(t)
	lines := make(chan *shell.Line, 4)
	parse := func(ctx context.Context, c *hooks.Context) (*hooks.Result, error) {
		lines <- shell.ParseContext(ctx, "ls -l", shell.Options{})
		if c.Event == hooks.PreToolCall {
			_, err := e.Fire(ctx, &hooks.Context{Event: hooks.Stop})
			return nil, err
		}
		return nil, nil
	}
	register(t, e, hooks.PreToolCall, hooks.Options{Name: "outer"}, parse)
	register(t, e, hooks.Stop, hooks.Options{Name: "inner"}, parse)
	register(t, e, hooks.Stop, hooks.Options{Name: "background", Mode: hooks.ModeAsync}, parse)
	fire(t, e, bash("ls"))
	outer, inner, background := <-lines, <-lines, <-lines
	if outer == inner || inner == background || outer == background {
		t.Errorf("lines are shared: %p %p %p", outer, inner, background)
	}
}
