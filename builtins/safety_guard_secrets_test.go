package builtins_test

import (
	"testing"

	"github.com/luahook/luahook/hooks"
)

// Tools that read are judged only with the pack secrets.
func TestSecretsThroughTools(t *testing.T) {
	on := guardWith(t, map[string]any{"packs": "secrets"})
	off := guardWith(t, nil)
	for _, tt := range []struct {
		tool, key, path string
		want            hooks.Decision
	}{
		{"Read", "file_path", "/home/kim/shop/.env", hooks.Ask},
		{"Read", "file_path", "/home/other/.ssh/id_ed25519", hooks.Ask},
		{"Grep", "path", "/home/kim/shop/.env.local", hooks.Ask},
		{"mcp__files__read_file", "path", "/home/kim/shop/.env", hooks.Ask},
		{"Read", "file_path", "/home/kim/shop/.env.example", hooks.NoOpinion},
		{"Read", "file_path", "/home/other/.ssh/id_ed25519.pub", hooks.NoOpinion},
		{"Read", "file_path", "/home/kim/shop/main.go", hooks.NoOpinion},
		{"Write", "file_path", "/home/kim/shop/.env", hooks.NoOpinion},
	} {
		c := &hooks.Context{Event: hooks.PreToolCall, CWD: "/home/kim/shop", ToolCall: &hooks.ToolCall{Name: tt.tool, Input: map[string]any{tt.key: tt.path}}}
		r, err := on.Fire(t.Context(), c)
		if err != nil || r.Decision != tt.want {
			t.Errorf("%s %s: %v %q, want %q", tt.tool, tt.path, err, r.Decision, tt.want)
		}
		if r, err := off.Fire(t.Context(), c); err != nil || r.Decision != hooks.NoOpinion {
			t.Errorf("%s %s without the pack: %v %q", tt.tool, tt.path, err, r.Decision)
		}
	}
}
