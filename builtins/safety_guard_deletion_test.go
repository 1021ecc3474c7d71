package builtins_test

import (
	"testing"

	"github.com/luahook/luahook/hooks"
)

// A tool that isn't a shell may delete no more than a shell may.
func TestDeletionByTools(t *testing.T) {
	t.Setenv("HOME", "/home/other")
	e := guardWith(t, nil)
	for _, c := range []struct {
		tool, path string
		want       hooks.Decision
	}{
		{"mcp__files__delete_directory", "/", hooks.Deny},
		{"mcp__files__delete_directory", "/etc", hooks.Deny},
		{"mcp__files__delete_directory", "/home/other", hooks.Deny},
		{"mcp__files__delete_directory", "~", hooks.Deny},
		{"mcp__files__delete_directory", cwd, hooks.Deny},
		{"mcp__files__delete_directory", ".", hooks.Deny},
		{"mcp__files__delete_directory", "..", hooks.Deny},
		{"mcp__files__delete_directory", ".git", hooks.Deny},
		{"mcp__files__delete_directory", "lib/.git", hooks.Deny},
		{"mcp__files__delete_directory", "src", hooks.NoOpinion},
		{"mcp__files__delete_file", "src/old.go", hooks.NoOpinion},
		{"mcp__files__delete_file", "/tmp/shop/x", hooks.NoOpinion},
		{"mcp__files__list_directory", "/", hooks.NoOpinion},
		{"mcp__files__create_directory", ".", hooks.NoOpinion},
	} {
		call := &hooks.ToolCall{Name: c.tool, Input: map[string]any{"path": c.path}}
		r, err := e.Fire(t.Context(), &hooks.Context{Event: hooks.PreToolCall, CWD: cwd, ToolCall: call})
		if err != nil || r.Decision != c.want {
			t.Errorf("%s of %s: %q %v, want %q: %s", c.tool, c.path, r.Decision, err, c.want, r.Reason)
		}
	}
}

// The working folder decides what is inside.
func TestDeletionInPlaces(t *testing.T) {
	t.Setenv("HOME", "/home/other")
	e := guardWith(t, nil)
	for _, c := range []struct {
		cwd, command string
		want         hooks.Decision
	}{
		{"/home/other", "rm -rf build", hooks.NoOpinion},
		{"/home/other", "rm -rf Documents", hooks.Deny},
		{"/home/other", "rm -rf .config", hooks.Deny},
		{"/home/other", "rm -rf *", hooks.Deny},
		{"/home/other", "rm -f .bashrc", hooks.Ask},
		{"/tmp/work", "rm -rf build", hooks.NoOpinion},
		{"/tmp/work", "rm -rf ../other", hooks.Deny},
		{"/tmp/work", "cd .. && rm -rf other", hooks.Deny},
		{"/tmp/work", "rm -rf /tmp/other", hooks.NoOpinion},
		{"/tmp/work", "rm -rf .", hooks.Deny},
		{"/tmp/work", "rm -rf /tmp", hooks.Deny},
		{"/srv/www", "rm -rf cache", hooks.NoOpinion},
		{"/srv/www", "rm -rf /srv/db", hooks.Deny},
		{"/etc/app", "rm -rf cache", hooks.NoOpinion},
		{"/etc/app", "rm -rf ../ssh", hooks.Deny},
	} {
		call := &hooks.ToolCall{Name: "Bash", Input: map[string]any{"command": c.command}}
		r, err := e.Fire(t.Context(), &hooks.Context{Event: hooks.PreToolCall, CWD: c.cwd, ToolCall: call})
		if err != nil || r.Decision != c.want {
			t.Errorf("%s in %s: %q %v, want %q: %s", c.command, c.cwd, r.Decision, err, c.want, r.Reason)
		}
	}
}
