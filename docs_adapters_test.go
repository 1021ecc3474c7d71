package luahook_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/luahook/luahook/engine/adaptertest"
)

// TestAdaptersPage holds the table of docs/embedding.md against what the adapters' tests wrote down
// (see adaptertest.Run). It stands between two marks.
func TestAdaptersPage(t *testing.T) {
	files, err := filepath.Glob("adapters/*/testdata/conformance-*.json")
	if err != nil || len(files) == 0 {
		t.Fatal("no adapter has results", err)
	}
	var reports []adaptertest.Report
	for _, file := range files {
		var r adaptertest.Report
		text, err := os.ReadFile(file)
		if err == nil {
			err = json.Unmarshal(text, &r)
		}
		if err != nil {
			t.Fatal(file, err)
		}
		if len(r.Results) != len(adaptertest.Checks()) {
			t.Errorf("%s has %d results, the list has %d checks; run the adapter's tests with ADAPTERTEST_UPDATE=1", file, len(r.Results), len(adaptertest.Checks()))
		}
		reports = append(reports, r)
	}
	slices.SortFunc(reports, func(a, b adaptertest.Report) int { return strings.Compare(a.Adapter, b.Adapter) })
	const page, begin, end = "docs/embedding.md", "<!-- conformance -->\n", "<!-- end of conformance -->\n"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), begin)
	_, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s has no %q", page, begin)
	}
	want := before + begin + "\n" + conformanceTable(reports) + "\n" + end + after
	if want == string(text) {
		return
	}
	if !*update {
		t.Fatalf("%s isn't what the adapters' results say; go test . -update writes it", page)
	}
	if err := os.WriteFile(page, []byte(want), 0o666); err != nil {
		t.Fatal(err)
	}
}

func conformanceTable(reports []adaptertest.Report) string {
	var b strings.Builder
	b.WriteString("| |")
	for _, r := range reports {
		fmt.Fprintf(&b, " %s |", r.Adapter)
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(reports)) + "\n")
	notes := map[string]int{}
	var list []string
	for _, c := range adaptertest.Checks() {
		fmt.Fprintf(&b, "| %s |", c.Says)
		for _, r := range reports {
			at := slices.IndexFunc(r.Results, func(x adaptertest.Result) bool { return x.Check == c.Check })
			switch {
			case at < 0:
				b.WriteString(" ? |")
			case r.Results[at].Lacks != "":
				why := r.Results[at].Lacks
				if notes[why] == 0 {
					list = append(list, why)
					notes[why] = len(list)
				}
				fmt.Fprintf(&b, " – %d |", notes[why])
			case r.Results[at].Passed:
				b.WriteString(" yes |")
			default:
				b.WriteString(" no |")
			}
		}
		b.WriteString("\n")
	}
	b.WriteString("\n")
	for i, why := range list {
		fmt.Fprintf(&b, "%d. %s\n", i+1, why)
	}
	return b.String()
}
