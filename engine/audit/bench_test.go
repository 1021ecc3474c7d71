package audit_test

import (
	"context"
	"strings"
	"testing"

	"github.com/luahook/luahook/engine/audit"
	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/internal/redact"
)

// To repeat: go test ./engine/audit -bench .
func BenchmarkAppend(b *testing.B) {
	for _, c := range []struct {
		name  string
		input map[string]any
	}{
		{"command", map[string]any{"command": "go test ./..."}},
		{"write of 1 MiB", map[string]any{"file_path": "a.go", "content": strings.Repeat("func f() int { return 1 }\n", 1<<20/26)}},
	} {
		b.Run(c.name, func(b *testing.B) {
			l, err := audit.Open(b.TempDir(), audit.Options{Redactor: redact.New(nil)})
			if err != nil {
				b.Fatal(err)
			}
			defer l.Close()
			event := &hooks.Context{Event: hooks.PreToolCall, SessionID: "s-1", ToolCall: &hooks.ToolCall{Name: "write", Input: c.input}}
			for b.Loop() {
				r := audit.About(audit.KindDecision, event)
				r.Context = audit.Given(event, false)
				if err := l.Append(context.Background(), r); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
