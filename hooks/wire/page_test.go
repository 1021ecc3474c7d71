package wire

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write docs/agents.md anew")

// TestPage holds the tables of docs/agents.md against those of the agents. Each stands between a line
// "<!-- table NAME -->" and the next empty line; what is around it is written by hand.
func TestPage(t *testing.T) {
	file := filepath.Join("..", "..", "docs", "agents.md")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	page := string(text)
	for _, a := range Agents() {
		mark := "<!-- table " + a.Name + " -->\n"
		before, rest, found := strings.Cut(page, mark)
		if !found {
			t.Errorf("docs/agents.md has no line %q", mark)
			continue
		}
		_, after, _ := strings.Cut(rest, "\n\n")
		page = before + mark + table(a) + "\n" + after
	}
	if page == string(text) {
		return
	}
	if !*update {
		t.Fatal("docs/agents.md isn't what the tables say; go test ./hooks/wire -update writes it")
	}
	if err := os.WriteFile(file, []byte(page), 0o644); err != nil {
		t.Fatal(err)
	}
}

// table is what an agent can be told.
func table(a *Agent) string {
	var b strings.Builder
	b.WriteString("| event | luahook's | answers |\n|---|---|---|\n")
	for _, e := range a.Events {
		can := e.Can.String()
		if can == "" {
			can = "none: it is only told"
		}
		if e.Costly {
			can += " (if asked for)"
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", e.Name, e.Event, can)
	}
	return b.String()
}
