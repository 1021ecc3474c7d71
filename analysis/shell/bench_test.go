package shell

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func BenchmarkParse(b *testing.B) {
	for _, c := range []struct{ name, text string }{
		{"plain", "git status --short"},
		{"typical", `cd /work && go test ./... 2>&1 | tee "$LOG" | tail -n 20`},
		{"nested", `sudo bash -c 'find /tmp -name "*.o" -exec rm -f {} \;'`},
		{"commit", "git add -A && git commit -m \"$(cat <<'EOF'\nfix: don't run rm -rf /\n\nIt was `rm`.\nEOF\n)\" && git push -u origin HEAD"},
		{"variables", `D=/tmp/build; mkdir -p "$D" && cd "$D" && cmake -DCMAKE_BUILD_TYPE=Release .. && make -j"$(nproc)" | tail -5`},
		{"script", "cat > /tmp/x.py <<'EOF'\nimport os\nfor name in os.listdir('.'):\n    print(name)\nEOF\npython3 /tmp/x.py | sort | head -20"},
		{"loop", `for f in $(git diff --name-only main -- '*.go'); do gofmt -l "$f" || echo "bad $f"; done`},
		{"function", `check() { local name=$1; shift; echo "== $name"; "$@" || return 1; }; check vet go vet ./... && check test go test ./...`},
		{"python", `python3 -c 'import json,sys; d=json.load(sys.stdin); print(d["version"])' < package.json`},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Parse(c.text, Options{Cwd: "/work", Home: "/home/me"})
			}
		})
	}
}

func BenchmarkParseSize(b *testing.B) {
	for _, shape := range longShapes {
		for size := 1 << 10; size <= maxText; size *= 2 {
			text := shape.make(size)
			b.Run(fmt.Sprintf("%s/%dKiB", strings.ReplaceAll(shape.name, " ", "-"), size>>10), func(b *testing.B) {
				var line *Line
				for b.Loop() {
					line = Parse(text, Options{Cwd: "/work", Home: "/home/me"})
				}
				perOp := float64(b.Elapsed().Nanoseconds()) / float64(b.N)
				b.ReportMetric(perOp/float64(len(text)), "ns/byte")
				b.ReportMetric(perOp/1e6, "ms")
				b.ReportMetric(float64(len(line.Commands)), "commands")
			})
		}
	}
}

func BenchmarkPathological(b *testing.B) {
	for _, c := range slices.Concat(hostileTexts, deepTexts) {
		b.Run(strings.ReplaceAll(c.name, " ", "-"), func(b *testing.B) {
			for b.Loop() {
				Parse(c.text, Options{Cwd: "/work", Home: "/home/me"})
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1e6, "ms")
		})
	}
}
