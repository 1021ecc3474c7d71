package luahook_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// A defence is an entry of a package's testdata/defences.txt, a table of what holds
// hostile input back in the package. An entry says how to switch its defence off and
// which test fails then. It begins with its name; its lines:
//
//	file  the source that follows, seen from the package
//	on    a piece of it as it stands, found just once; a blank is any white space
//	off   what takes its place; nothing where the rest of the line is empty
//	test  the test, as -run takes it; before it the test's package, where it is another
//
// A piece should be short, so that it survives a change beside it.
type defence struct {
	name  string
	home  string // the package's folder
	edits []edit
	test  string // -run pattern
	where string // package of the test
}

// edit replaces one place of a file.
type edit struct{ file, on, off string }

const (
	defencesFile     = "testdata/defences.txt"
	defencesVariable = "LUAHOOK_DEFENCES"
	defenceTimeout   = 60 * time.Second // of one run of a test
	defenceMemory    = 8_000_000        // KiB of address space of such a run
)

// readDefences reads the tables of all packages.
func readDefences(t *testing.T) (list []defence) {
	t.Helper()
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(filepath.ToSlash(name), "/"+defencesFile) {
			list = append(list, readDefencesFile(t, filepath.ToSlash(name))...)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func readDefencesFile(t *testing.T, name string) (list []defence) {
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	home := strings.TrimSuffix(name, "/"+defencesFile)
	var d *defence
	file := ""
	for i, line := range strings.Split(string(text), "\n") {
		key, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		value = strings.TrimSpace(value)
		switch {
		case key == "" || strings.HasPrefix(line, "#"):
		case line[0] != ' ':
			list = append(list, defence{name: line, home: home})
			d, file = &list[len(list)-1], ""
		case d == nil:
			t.Fatalf("%s:%d: a line before the first name", name, i+1)
		case key == "file":
			file = path.Join(home, value)
		case key == "on":
			d.edits = append(d.edits, edit{file: file, on: value})
		case key == "off" && len(d.edits) > 0:
			d.edits[len(d.edits)-1].off = value
		case key == "test" && strings.HasPrefix(value, "./"):
			d.where, d.test, _ = strings.Cut(value, " ")
		case key == "test":
			d.where, d.test = "./"+home, value
		default:
			t.Fatalf("%s:%d: %q is not understood", name, i+1, line)
		}
	}
	return list
}

// chosenDefences are those that the variable asks for: "1" for all, "2/3" for every
// third beginning with the second, and "since REV" for those whose source, tests or
// package the commits since REV have changed.
func chosenDefences(t *testing.T, list []defence, value string) (chosen []defence) {
	t.Helper()
	if base, ok := strings.CutPrefix(value, "since "); ok {
		changed := changedFolders(t, base)
		for _, d := range list {
			if changed[d.home] || changed[strings.TrimPrefix(d.where, "./")] {
				chosen = append(chosen, d)
			}
		}
		return chosen
	}
	n, of := 1, 1
	if value != "1" {
		if _, err := fmt.Sscanf(value, "%d/%d", &n, &of); err != nil || n < 1 || n > of {
			t.Fatalf(`%s is %q, want 1, a part like 2/3, or "since" and a revision`, defencesVariable, value)
		}
	}
	for i := n - 1; i < len(list); i += of {
		chosen = append(chosen, list[i])
	}
	return chosen
}

// changedFolders are the folders of packages in which something differs from a
// revision. What lies in a folder that is no package counts for the package above it.
func changedFolders(t *testing.T, base string) map[string]bool {
	t.Helper()
	out, err := exec.Command("git", "diff", "--name-only", "--no-renames", base, "--").Output()
	if err != nil {
		t.Fatalf("what has changed since %s: %v", base, err)
	}
	changed := map[string]bool{}
	for name := range strings.Lines(string(out)) {
		dir := path.Dir(strings.TrimSpace(name))
		for dir != "." {
			if sources, _ := filepath.Glob(filepath.FromSlash(dir) + "/*.go"); len(sources) > 0 {
				break
			}
			dir = path.Dir(dir)
		}
		changed[dir] = true
	}
	return changed
}

var blanks = regexp.MustCompile(`\s+`)

// at finds the place of an edit; blanks in it stand for any, line ends too.
func (e edit) at(source string) (from, to int, err error) {
	var parts []string
	for _, part := range blanks.Split(e.on, -1) {
		parts = append(parts, regexp.QuoteMeta(part))
	}
	found := regexp.MustCompile(strings.Join(parts, `\s+`)).FindAllStringIndex(source, -1)
	if len(found) != 1 {
		return 0, 0, fmt.Errorf("%s has %d times, not once: %s", e.file, len(found), e.on)
	}
	return found[0][0], found[0][1], nil
}

// edited is what becomes of the files of a defence that is switched off, by name.
func (d defence) edited() (map[string]string, error) {
	files := map[string]string{}
	for _, e := range d.edits {
		source, ok := files[e.file]
		if !ok {
			text, err := os.ReadFile(e.file)
			if err != nil {
				return nil, err
			}
			source = string(text)
		}
		from, to, err := e.at(source)
		if err != nil {
			return nil, err
		}
		files[e.file] = source[:from] + e.off + source[to:]
	}
	return files, nil
}

// TestDefencesAreWhereTheTableSays holds the table against the sources.
func TestDefencesAreWhereTheTableSays(t *testing.T) {
	seen := map[string]bool{}
	for _, d := range readDefences(t) {
		if _, err := d.edited(); err != nil {
			t.Errorf("%s, in %s/%s: %v", d.name, d.home, defencesFile, err)
		}
		if len(d.edits) == 0 || d.where == "" || d.test == "" || seen[d.name] {
			t.Errorf("%s, in %s/%s: it lacks a line, or stands there twice", d.name, d.home, defencesFile)
		}
		seen[d.name] = true
	}
	if len(seen) < 100 {
		t.Errorf("%d defences", len(seen))
	}
}

// TestDefencesAreNeeded switches each defence off, by giving the compiler another file
// in place of one, and wants the test beside it to fail; with the defence it passes.
func TestDefencesAreNeeded(t *testing.T) {
	if os.Getenv(defencesVariable) == "" {
		t.Skipf("builds the tests once for each defence, for minutes; set %s=1, 2/3 for the second of three parts, or \"since REV\" for those of packages that have changed", defencesVariable)
	}
	list, whole := chosenDefences(t, readDefences(t), os.Getenv(defencesVariable)), newWhole(t)
	t.Run("off", func(t *testing.T) { // waits for all
		for _, d := range list {
			t.Run(d.name, func(t *testing.T) {
				t.Parallel()
				if out, err := whole.passes(d); err != nil {
					t.Fatalf("%s %s fails as it is: %v\n%s", d.where, d.test, err, out)
				}
				started := time.Now()
				binary, err := d.build(t.TempDir())
				if err != nil {
					t.Fatalf("switched off, it can't be built: %v", err)
				}
				built := time.Since(started)
				out, err := runTest(binary, d)
				switch {
				case err == nil:
					t.Errorf("%s %s passes without it", d.where, d.test)
				case !strings.Contains(out, "--- FAIL: "): // killed, or out of memory: noticed, too, but at a cost
					t.Logf("the test's process dies: %v\n%s", err, lastLines(out))
				}
				t.Logf("%s to build, %s to fail", built.Round(time.Millisecond), (time.Since(started) - built).Round(time.Millisecond))
				os.Remove(binary)
			})
		}
	})
}

// wholeSources are the tests of the sources as they are.
type wholeSources struct {
	dir      string
	mu       sync.Mutex
	binaries map[string]func() (string, error)          // by package
	runs     map[[2]string]func() (out string, _ error) // by package and test
}

func newWhole(t *testing.T) *wholeSources {
	return &wholeSources{dir: t.TempDir(), binaries: map[string]func() (string, error){}, runs: map[[2]string]func() (string, error){}}
}

// passes runs the test of a defence that is on, once.
func (w *wholeSources) passes(d defence) (out string, err error) {
	w.mu.Lock()
	build, ok := w.binaries[d.where]
	if !ok {
		file := filepath.Join(w.dir, fmt.Sprint(len(w.binaries)))
		build = sync.OnceValues(func() (string, error) { return file, buildTests(d.where, file) })
		w.binaries[d.where] = build
	}
	key := [2]string{d.where, d.test}
	run, ok := w.runs[key]
	if !ok {
		run = sync.OnceValues(func() (string, error) {
			binary, err := build()
			if err != nil {
				return "", err
			}
			out, err := runTest(binary, d)
			if err == nil && strings.Contains(out, "no tests to run") {
				err = fmt.Errorf("there is no such test")
			}
			return out, err
		})
		w.runs[key] = run
	}
	w.mu.Unlock()
	return run()
}

// build makes the package's tests with the defence switched off.
func (d defence) build(dir string) (binary string, err error) {
	files, err := d.edited()
	if err != nil {
		return "", err
	}
	root, err := os.Getwd()
	if err != nil {
		return "", err
	}
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	for name, source := range files {
		file := filepath.Join(dir, fmt.Sprintf("%d_%s", len(overlay.Replace), filepath.Base(name)))
		if err := os.WriteFile(file, []byte(source), 0o644); err != nil {
			return "", err
		}
		overlay.Replace[filepath.Join(root, filepath.FromSlash(name))] = file
	}
	text, err := json.Marshal(overlay)
	if err != nil {
		return "", err
	}
	list := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(list, text, 0o644); err != nil {
		return "", err
	}
	binary = filepath.Join(dir, "tests")
	return binary, buildTests(d.where, binary, "-overlay", list)
}

// buildTests builds the tests of a package into a file.
func buildTests(where, file string, flags ...string) error {
	args := append([]string{"test", "-c", "-vet=off", "-gcflags=-dwarf=false", "-ldflags=-s -w", "-o", file}, flags...)
	c := exec.Command("go", append(args, where)...)
	c.Env = append(os.Environ(), "GOGC=400") // the compiler is soon done
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	return nil
}

// runTest runs a test in its package's folder. A sandbox with a hole must not take the
// machine with it, so its memory and time are bounded.
func runTest(binary string, d defence) (out string, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), defenceTimeout+10*time.Second)
	defer cancel()
	args := []string{binary, "-test.run", d.test, "-test.timeout", defenceTimeout.String()}
	if runtime.GOOS == "linux" {
		args = append([]string{"sh", "-c", fmt.Sprintf(`ulimit -v %d; exec "$@"`, defenceMemory), "sh"}, args...)
	}
	c := exec.CommandContext(ctx, args[0], args[1:]...)
	c.Dir = filepath.FromSlash(d.where)
	var text bytes.Buffer
	c.Stdout, c.Stderr, c.WaitDelay = &text, &text, time.Second
	err = c.Run()
	return text.String(), err
}

// lastLines is the end of what a process has said, which may be long.
func lastLines(out string) string {
	if i := strings.Index(out, "\ngoroutine "); i >= 0 { // what each goroutine was at
		out = out[:i]
	}
	return out[max(0, len(out)-500):]
}
