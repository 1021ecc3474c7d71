package main

import (
	"bytes"
	"context"
	"os"
	"regexp"
	"slices"
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
	at := slices.IndexFunc(blocks, func(b string) bool { return strings.HasPrefix(b, "luahook eval ") })
	if at < 0 || at+2 >= len(blocks) {
		t.Fatal("README.md shows no luahook eval with its output")
	}
	args := strings.TrimPrefix(strings.TrimSpace(blocks[at]), "luahook ")
	var out bytes.Buffer
	if status := run(context.Background(), strings.Fields(args), strings.NewReader(""), &out, &out); status != exitBlock {
		t.Errorf("exit status %d, want %d", status, exitBlock)
	}
	figures := regexp.MustCompile(`\d+`)
	if got, want := figures.ReplaceAllString(out.String(), "0"), figures.ReplaceAllString(blocks[at+2], "0"); got != want {
		t.Errorf("README.md shows\n%s\nbut this is printed:\n%s", blocks[at+2], out.String())
	}
}
