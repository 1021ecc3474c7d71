package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// TestPagesShowWhatIsPrinted does what pages say, each from an empty folder: a line `name`: before a block is a file, which gets
// the block's text; each command of a console block is run, and prints what stands below it, but for times, counts of
// instructions and dates. -update writes what they print today.
func TestPagesShowWhatIsPrinted(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the commands are for a Unix shell")
	}
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs git")
	}
	for _, page := range []string{"tutorial", "eval"} {
		t.Run(page, func(t *testing.T) { checkPage(t, "../../docs/"+page+".md") })
	}
}

func checkPage(t *testing.T, page string) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	world := newReaderWorld(t)
	var out strings.Builder
	file, block, fence := "", "", "" // the file that was named last, the block's text so far, and how the block began
	for line := range strings.Lines(string(text)) {
		bare := strings.TrimRight(line, "\n")
		switch {
		case fence == "" && strings.HasPrefix(bare, "```"):
			fence, block = bare, ""
			out.WriteString(line)
		case fence == "":
			if m := namedFile.FindStringSubmatch(bare); m != nil {
				file = m[1]
			} else if bare != "" {
				file = ""
			}
			out.WriteString(line)
		case bare == "```":
			if fence == "```console" {
				block = world.console(t, block)
			} else if file != "" {
				world.write(t, file, block)
			}
			file, fence = "", ""
			out.WriteString(block + line)
		default:
			block += line
		}
	}
	if *update {
		if err := os.WriteFile(page, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, want := strings.Split(out.String(), "\n"), strings.Split(string(text), "\n")
	for i := range min(len(got), len(want)) {
		if withoutFigures(got[i]) != withoutFigures(want[i]) {
			t.Fatalf("%s:%d says\n%s\nand it is\n%s\n`go test ./cmd/luahook -run TestPages -update` writes what is", page, i+1, want[i], got[i])
		}
	}
	if len(got) != len(want) {
		t.Errorf("%s shows %d lines, and there are %d", page, len(want), len(got))
	}
}

var (
	namedFile = regexp.MustCompile("^`([^`]+)`:$")
	figures   = regexp.MustCompile(`\d{4}-\d\d-\d\d \d\d:\d\d:\d\d|\d+(?:\.\d+)? ?(?:µs|ms|s)\b|\d+ instructions`)
)

func withoutFigures(line string) string {
	return strings.Join(strings.Fields(figures.ReplaceAllString(line, "#")), " ")
}

// readerWorld is where a reader of a page sits.
type readerWorld struct {
	home string
	dir  string // the current folder
	env  []string
}

func newReaderWorld(t *testing.T) *readerWorld {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(self, filepath.Join(bin, "luahook")); err != nil {
		t.Fatal(err)
	}
	return &readerWorld{home: home, dir: home, env: []string{"PATH=" + bin + ":" + os.Getenv("PATH"), "HOME=" + home, "ACCOUNT_HOME=" + home, "LANG=C.UTF-8", "GIT_CONFIG_NOSYSTEM=1", "GOCOVERDIR=" + t.TempDir()}}
}

func (w *readerWorld) write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(w.dir, filepath.FromSlash(name)), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// console runs the commands of a block and gives the block with what they have printed.
func (w *readerWorld) console(t *testing.T, block string) string {
	t.Helper()
	var out strings.Builder
	for line := range strings.Lines(block) {
		command, ok := strings.CutPrefix(line, "$ ")
		if !ok {
			continue
		}
		out.WriteString(line)
		cmd := exec.CommandContext(t.Context(), "sh", "-c", strings.TrimSpace(command)+"\nstatus=$?; pwd > \"$HOME/.where\"; exit $status")
		cmd.Dir, cmd.Env = w.dir, append(w.env, "PWD="+w.dir)
		printed, err := cmd.CombinedOutput()
		if err != nil && cmd.ProcessState == nil {
			t.Fatal(err)
		}
		where, err := os.ReadFile(filepath.Join(w.home, ".where"))
		if err != nil {
			t.Fatalf("%s: %v\n%s", command, err, printed)
		}
		w.dir = strings.TrimSpace(string(where))
		out.WriteString(strings.ReplaceAll(string(printed), w.home, "/home/kim"))
	}
	return out.String()
}
