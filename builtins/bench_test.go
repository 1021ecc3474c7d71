package builtins_test

import (
	"testing"

	"github.com/luahook/luahook/hooks"
)

// BenchmarkSafetyGuard judges command lines as agents write them, from the caller's
// Fire to the result. The level is standard; "all" has all packs on.
func BenchmarkSafetyGuard(b *testing.B) {
	lines := []struct{ name, command string }{
		{"short", "git status --short"},
		{"typical", `cd web && npm run build 2>&1 | tail -20`},
		{"commit", `git add -A && git commit -m "fix: the parser keeps blanks" && git push origin main`},
		{"search", `grep -rn "TODO" src --include='*.go' | head -50; find . -name '*_test.go' | xargs wc -l`},
		{"clean", `rm -rf build dist && mkdir -p build && cp -r assets build/ && ls -la build`},
		{"script", "for f in pkg/*; do\n  if [ -d \"$f\" ]; then\n    (cd \"$f\" && go vet ./... && go test ./...) || exit 1\n  fi\ndone"},
		{"blocked", "git fetch && git reset --hard origin/main"},
	}
	for _, packs := range []struct {
		name string
		with map[string]any
	}{{"core", nil}, {"all", map[string]any{"packs": "all"}}} {
		e := guardWith(b, packs.with)
		for _, line := range lines {
			b.Run(packs.name+"/"+line.name, func(b *testing.B) {
				c := &hooks.Context{Event: hooks.PreToolCall, CWD: cwd, ToolCall: &hooks.ToolCall{Name: "Bash", Input: map[string]any{"command": line.command}}}
				b.ReportAllocs()
				for b.Loop() {
					if _, err := e.Fire(b.Context(), c); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
