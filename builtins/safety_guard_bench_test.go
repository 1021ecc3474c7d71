//go:build unix

package builtins_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"mvdan.cc/sh/v3/syntax"

	"github.com/luahook/luahook/hooks"
)

// commonest are the lines that agents run most, with some variety in their words.
var commonest = []string{
	"ls", "ls -la", "pwd", "cat README.md", "head -50 main.go", "sed -n 1,20p main.go", "wc -l main.go",
	"git status", "git diff", "git log --oneline -5", "git add -A", "git commit -m 'fix the totals of orders'",
	"go test ./...", "go build ./...", "npm test", "npm run build", "python script.py", "pytest -q",
	"grep -rn TODO src", "find . -name '*.go'",
}

// typical are lines as agents write them for a step of their work.
var typical = []string{
	"cd src && ls",
	"git status --short && git diff --stat",
	"cd web && npm run build 2>&1 | tail -20",
	"go test ./internal/orders/... -run TestTotals -count=1 2>&1 | grep -v '^ok' | head -60",
	"go vet ./... && go test -race ./... > test.log 2>&1; tail -5 test.log",
	`grep -rn "func New" --include='*.go' internal cmd | sort | head -40`,
	"rg -l 'createOrder' apps packages | xargs wc -l | tail -1",
	`find . -type f -name '*.ts' -not -path './node_modules/*' | head -100`,
	"sed -n '120,180p' internal/orders/total.go; cat internal/orders/total_test.go | head -80",
	`git add -A && git commit -m "orders: totals keep their currency" && git push origin totals`,
	"git fetch origin && git rebase origin/main && git log --oneline -3",
	`git diff HEAD~1 --name-only | grep '\.py$' | xargs ruff check`,
	"python3 -m venv .venv && . .venv/bin/activate && pip install -r requirements.txt",
	"mkdir -p build && cp -r assets build/ && ls -la build",
	`for f in testdata/*.json; do jq -e .version "$f" > /dev/null || echo "bad: $f"; done`,
	"cat > notes.md <<'EOF'\n# Totals\n\n- rounding happens once, at the end\n- `rm -rf` in the script is gone\nEOF\ncat notes.md",
	"git commit -F - <<'EOF'\norders: one place for rounding\n\nIt's done when a total is shown, and no longer per line.\nEOF",
	`DATABASE_URL=postgres://localhost/shop_test npx vitest run --reporter=dot 2>&1 | tail -30`,
	`curl -s localhost:8080/healthz | jq -r '.status'`,
	`python3 -c 'import json; print(json.load(open("package.json"))["version"])'`,
}

// withGlobs are lines with patterns for names of files.
var withGlobs = []string{
	"ls src/*.go", "wc -l *.md", "rm -f build/*.o", "cp docs/*.md out/", "git add src/*.ts", "chmod +x scripts/*.sh",
	"tail -n 20 logs/app-*.log", "mv src/*_test.py tests/", "cat config/?.yaml", "for f in images/*.png; do echo \"$f\"; done",
}

// longLines are lines of 64 KiB. Where a line has more commands than are read, it is stopped.
var longLines = []struct{ name, text string }{
	{"commands", repeated("", "a; ", "b")},
	{"arguments", repeated("", "echo some words && ", "true")},
	{"git", repeated("", "git add src/app/main.go && ", "git status")},
	{"files", repeated("", "cp -r src/app/main.go build/out\n", "")},
	{"redirects", repeated("", "echo x >> out.txt; ", "ls")},
	{"one_command", repeated("cat", " file.txt", "")},
	{"pipe", repeated("cat a.txt", " | grep -v word", "")},
	{"quoted", repeated("echo '", "some words that nobody runs, rm -rf / among them\n", "'")},
	{"document", repeated("cat > out.txt <<'EOF'\n", "a line of the text with `words` in it\n", "EOF\n")},
	{"documents", repeated("", "cat > out.txt <<'EOF'\nsome words\nEOF\n", "")},
	{"substitutions", repeated("echo", ` "$(basename "$(pwd)")"`, "")},
	{"nested", repeated("", "echo $(echo $(echo $(echo a)));", "")},
	{"variables", repeated("", `A=$B; echo "$A/x"; `, "")},
}

// repeated is a text of nearly 64 KiB.
func repeated(begin, part, end string) string {
	return begin + strings.Repeat(part, (64<<10-len(begin)-len(end))/len(part)) + end
}

// BenchmarkGuardCost says what a decision of safety-guard costs: the processor time, user
// and system, that one command takes from Fire to the result. The commands of a group
// take turns. Right after them the same texts are parsed by the parser of package
// syntax alone; what that takes is the control, and x-control the ratio. Each pays for the
// garbage that it makes, and not for the other's.
func BenchmarkGuardCost(b *testing.B) {
	project := b.TempDir()
	for _, dir := range []string{".git/refs", ".git/objects", "src", "web"} {
		if err := os.MkdirAll(filepath.Join(project, dir), 0o755); err != nil {
			b.Fatal(err)
		}
	}
	for name, text := range map[string]string{".git/HEAD": "ref: refs/heads/main\n", ".git/config": "[core]\n", "main.go": "package main\n"} {
		if err := os.WriteFile(filepath.Join(project, name), []byte(text), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	e := guardWith(b, nil)
	parser := syntax.NewParser()
	run := func(name string, lines []string) {
		b.Run(name, func(b *testing.B) {
			var events []*hooks.Context
			for _, line := range lines {
				events = append(events, &hooks.Context{Event: hooks.PreToolCall, CWD: project, ToolCall: &hooks.ToolCall{Name: "Bash", Input: map[string]any{"command": line}}})
			}
			decide := func() {
				for _, c := range events {
					if _, err := e.Fire(b.Context(), c); err != nil {
						b.Fatal(err)
					}
				}
			}
			parse := func() {
				for _, line := range lines {
					if _, err := parser.Parse(strings.NewReader(line), ""); err != nil {
						b.Fatal(err)
					}
				}
			}
			decide() // the first loads files of rules
			var guard, control cost
			for b.Loop() {
				guard.add(b, decide)
				control.add(b, parse)
			}
			each := float64(len(lines)) * 1000
			b.ReportMetric(guard.mean()/each, "cpu-µs/command")
			b.ReportMetric(control.mean()/each, "control-µs/command")
			b.ReportMetric(guard.mean()/control.mean(), "x-control")
			b.ReportMetric(float64(guard.bytes)/float64(guard.times*len(lines)), "B/command")
			b.ReportMetric(0, "ns/op")
		})
	}
	run("commonest", commonest)
	for _, line := range commonest {
		run("commonest/"+line, []string{line})
	}
	run("typical", typical)
	for _, line := range typical {
		run("typical/"+line[:min(len(line), 24)], []string{line})
	}
	run("globs", withGlobs)
	for _, line := range longLines {
		run("long/"+line.name, []string{line.text})
	}
}

// blockTime is how long a piece of work is repeated in one go: some collections long.
const blockTime = 20 * time.Millisecond

// cost is what a piece of work has taken.
type cost struct {
	spent time.Duration
	bytes uint64 // allocated
	times int
}

// add does the work again and again, for a block, beginning without garbage.
func (c *cost) add(b *testing.B, work func()) {
	runtime.GC()
	allocated := allocatedBytes()
	begin, times := cpuTime(b), 0
	for start := time.Now(); times == 0 || time.Since(start) < blockTime; times++ {
		work()
	}
	c.spent, c.times = c.spent+cpuTime(b)-begin, c.times+times
	c.bytes += allocatedBytes() - allocated
}

func allocatedBytes() uint64 {
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.TotalAlloc
}

// mean is the processor time of doing the work once, in nanoseconds.
func (c *cost) mean() float64 {
	return float64(c.spent) / float64(c.times)
}

// cpuTime is the processor time that this process has used so far.
func cpuTime(b *testing.B) time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
