package builtins_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// mebibyte repeats what line makes, up to 1 MiB.
func mebibyte(line func(i int) string) string {
	var b strings.Builder
	for i := 0; b.Len() < 1<<20; i++ {
		b.WriteString(line(i))
	}
	return b.String()[:1<<20]
}

var longOutputs = []struct {
	name string
	line func(i int) string
}{
	{"build", func(i int) string {
		if i%500 == 499 {
			return fmt.Sprintf("src/part%d.c:%d:7: error: 'x%d' undeclared (first use in this function)\n", i, i, i)
		}
		return fmt.Sprintf("[%5d/99999] cc -O2 -Wall -Iinclude -c src/part%d.c -o build/part%d.o\n", i, i, i)
	}},
	{"tests", func(i int) string {
		return fmt.Sprintf("=== RUN   TestCart/case_%d\n    cart_test.go:%d: got 3 items\n--- PASS: TestCart/case_%d (0.00s)\n", i, i, i)
	}},
	{"prose", func(i int) string {
		return "The quick brown fox jumps over the lazy dog; it never fails to, at least as far as anybody knows.\n"[:80+i%17] + "\n"
	}},
	{"errors", func(i int) string {
		return fmt.Sprintf("2026-01-02T03:04:05Z ERROR worker %d: request failed: connection refused (attempt %d)\n", i%17, i)
	}},
	{"colours", func(i int) string {
		return fmt.Sprintf("\x1b[32m✓\x1b[0m renders row %d \x1b[90m(%d ms)\x1b[0m\n", i, i%7)
	}},
	{"progress", func(i int) string { return fmt.Sprintf("\rDownloading %d%% of %d MB", i%100, i) }},
	{"line", func(i int) string { return fmt.Sprintf(`{"id":%d,"error":null,"name":"part"},`, i) }},
	{"repeated", func(int) string { return "waiting for the database\n" }},
}

// BenchmarkOutputTruncator shortens outputs of 1 MiB, from the caller's Fire to the
// result.
func BenchmarkOutputTruncator(b *testing.B) {
	for _, out := range longOutputs {
		b.Run(out.name, func(b *testing.B) {
			text := mebibyte(out.line)
			e, err := engine.New(engine.WithoutBuiltins(), engine.WithBuiltin("output-truncator", nil))
			if err != nil {
				b.Fatal(err)
			}
			defer e.Close(b.Context())
			c := &hooks.Context{Event: hooks.PostToolCall, CWD: cwd, ToolCall: &hooks.ToolCall{Name: "Bash", Input: map[string]any{"command": "make"}, Output: text, Outcome: hooks.OutcomeOK}}
			b.SetBytes(1 << 20)
			b.ReportAllocs()
			for b.Loop() {
				r, err := e.Fire(b.Context(), c)
				if err != nil {
					b.Fatal(err)
				}
				if r.Output == nil {
					b.Fatalf("%+v", r.Summary().Runs)
				}
			}
		})
	}
}
