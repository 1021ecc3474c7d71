package audit_test

import (
	"bytes"
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/luahook/luahook/engine/audit"
)

// Whatever a log contains, reading it accounts for each line, and the last records are the last.
func FuzzRead(f *testing.F) {
	for _, text := range []string{
		"", "\n\n", `{"time":"2026-05-04T01:02:01.987Z","v":1,"kind":"decision","event":"stop"}` + "\n", `{"time":"2026-05-04T01:02:01.987Z","v":1}`, `{"time":"2026-05-04T01:02`,
		`{"time":"2026-05-04T01:02:01.987Z","v":1,"runs":[{"hook":"a"}],"context":{"n":1e999}}` + "\r\n[]\nnull\n{}\n",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "decisions.jsonl"), text, 0o600); err != nil {
			t.Fatal(err)
		}
		var records []string
		broken, err := audit.Read(dir, audit.Filter{}, func(e audit.Entry) bool {
			records = append(records, string(e.Line))
			return true
		})
		if err != nil {
			t.Fatal(err)
		}
		lines := 0
		for _, line := range bytes.Split(text, []byte("\n")) {
			if len(bytes.TrimSpace(line)) > 0 {
				lines++
			}
		}
		if len(records)+broken != lines {
			t.Errorf("%d records and %d broken lines of %d", len(records), broken, lines)
		}
		for _, n := range []int{0, 1, 3} {
			var again []string
			more, err := audit.ReadFrom(bytes.NewReader(text), audit.Filter{Last: n}, func(e audit.Entry) bool {
				again = append(again, string(e.Line))
				return true
			})
			if want := records[max(0, len(records)-cmp.Or(n, len(records))):]; err != nil || more != broken || !slices.Equal(again, want) {
				t.Errorf("from a reader, the last %d: %q and %d broken lines, %v; want %q and %d", n, again, more, err, want, broken)
			}
		}
		last := 2
		if _, err := audit.Read(dir, audit.Filter{Last: last}, func(e audit.Entry) bool {
			if i := len(records) - min(last, len(records)); i == len(records) || records[i] != string(e.Line) {
				t.Errorf("the last but %d is %q", last-1, e.Line)
			}
			last--
			return true
		}); err != nil || last != 2-min(2, len(records)) {
			t.Errorf("the last: %d too few or too many, %v", last, err)
		}
	})
}
