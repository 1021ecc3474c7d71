package engine_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

func TestWhatCanNeverRunIsSaid(t *testing.T) {
	const some = "on('pre_tool_call', function() end)\n"
	on := func(match string) string {
		return "-- .hooks/a.lua --\non('pre_tool_call', {match={" + match + "}}, function() end)\n"
	}
	many := ""
	for i := range 60 {
		many += fmt.Sprintf("-- .hooks/g/%02d.lua --\n%s", i, some)
	}
	tests := []struct {
		name, files string
		want        []string // nil: nothing is said
	}{
		{"a script that registers nothing", "-- .hooks/a.lua --\nlocal function on_stop() end\n", []string{".hooks/a.lua registers no hook"}},
		{"an empty one", "-- .hooks/a.lua --\n", []string{".hooks/a.lua registers no hook"}},
		{"one in a folder", "-- .hooks/guards/x.lua --\n" + some, []string{".hooks/guards/x.lua is not loaded"}},
		{"one in a folder, whose namesake is listed", "-- .hooks/guards/x.lua --\n" + some + "-- x.lua --\n" + some + "-- .hooks/hooks.yaml --\nhooks: {pre_tool_call: [{script: x.lua}]}\n", []string{".hooks/guards/x.lua is not loaded"}},
		{"many of them", many, []string{".hooks/g/00.lua is not loaded", "more such warnings"}},
		{"kind shell with a path", on("kind='shell', path='a/**'"), []string{".hooks/a.lua:1", "never runs", "match file instead"}},
		{"a shell tool with a path", on("tool='bash|Shell', path='a/**'"), []string{"match file instead"}},
		{"a command of what is no shell", on("kind='write|edit', command='/rm/'"), []string{"only tools of kind shell have a command"}},
		{"a shell tool of another kind", on("kind='write', tool='bash'"), []string{"tool bash is of kind shell"}},
		{"in hooks.yaml", "-- .hooks/hooks.yaml --\nhooks: {pre_tool_call: [{command: exit, match: {kind: shell, path: x}}]}\n", []string{"hooks.yaml:1", "match file instead"}},
		{"by its entry in hooks.yaml", "-- x.lua --\n" + some + "-- .hooks/hooks.yaml --\nhooks: {pre_tool_call: [{script: x.lua, match: {kind: shell, path: x}}]}\n", []string{"match file instead"}},

		{"a disabled one", "-- .hooks/hooks.yaml --\nhooks: {pre_tool_call: [{command: exit, enabled: false, match: {kind: shell, path: x}}]}\n", nil},
		{"a kind that may have a path", on("kind='shell|write', path='a/**'"), nil},
		{"a file", on("kind='shell', file='a/**'"), nil},
		{"a glob of tools", on("tool='b*', path='a/**'"), nil},
		{"a command", on("kind='shell', command='/rm/'"), nil},
		{"libraries, tests and what is put aside", "-- .hooks/lib/a.lua --\nreturn 1\n-- .hooks/a_test.lua --\n-- .hooks/_x.lua --\n-- .hooks/t/x_test.lua --\n-- .hooks/.git/x.lua --\n-- .hooks/_old/x.lua --\n", nil},
		{"one in a folder that is listed", "-- .hooks/g/x.lua --\n" + some + "-- .hooks/hooks.yaml --\nhooks: {pre_tool_call: [{script: .hooks/g/x.lua}]}\n", nil},
		{"one in a folder that a command runs", "-- .hooks/g/x.lua --\n-- .hooks/hooks.yaml --\nhooks: {post_compact: [{command: lua .hooks/g/x.lua}]}\n", nil},
		{"definitions for editors", "-- .hooks/a.lua --\n---@meta\n", nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			e, _ := project(t, test.files)
			for _, event := range []*hooks.Context{bash("ls"), {Event: hooks.SessionEnd}} {
				warnings := strings.Join(fire(t, e, event).Warnings, "\n")
				if test.want == nil {
					equal(t, "warnings", warnings, "")
				}
				contains(t, warnings, test.want...)
				if n := strings.Count(warnings, "\n"); n > 30 {
					t.Errorf("%d warnings", n)
				}
			}
		})
	}
	e := newEngine(t, engine.WithScript("own.lua", "local x = 1"))
	contains(t, strings.Join(fire(t, e, bash("ls")).Warnings, "\n"), "own.lua registers no hook")
}
