package main

import (
	"bytes"
	"context"
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestReadmeShowsWhatIsPrinted runs the command that README.md shows, from the
// repository's root, and compares the output but for its figures.
func TestReadmeShowsWhatIsPrinted(t *testing.T) {
	t.Chdir("../..")
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split(string(readme), "```\n")
	if len(blocks) < 4 {
		t.Fatal("README.md shows no command with its output")
	}
	args, ok := strings.CutPrefix(strings.TrimSpace(blocks[1]), "go run ./cmd/luahook ")
	if !ok {
		t.Fatalf("README.md begins with %q, want go run ./cmd/luahook", blocks[1])
	}
	var out bytes.Buffer
	if status := run(context.Background(), strings.Fields(args), strings.NewReader(""), &out, &out); status != exitBlock {
		t.Errorf("exit status %d, want %d", status, exitBlock)
	}
	figures := regexp.MustCompile(`\d+`)
	if got, want := figures.ReplaceAllString(out.String(), "0"), figures.ReplaceAllString(blocks[3], "0"); got != want {
		t.Errorf("README.md shows\n%s\nbut this is printed:\n%s", blocks[3], out.String())
	}
}
