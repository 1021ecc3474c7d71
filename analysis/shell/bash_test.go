package shell

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// standIns are programs that do nothing but say how they were called. None is
// the name of a real program, so that a line that gets at the machine's own
// PATH finds nothing there.
var standIns = []string{"zap", "wipe", "burn", "prog1", "prog2", "nope"}

// borrowed are the real programs that lines may use.
var borrowed = []string{"bash", "env", "xargs", "nohup", "nice", "timeout", "cat", "tee", "chmod", "cp", "mv", "mkdir", "find", "true", "false", "setsid", "stdbuf", "flock", "head", "touch", "ln"}

// standIn logs its name, its folder and its arguments, in one write. What it
// prints is the name of another stand-in, so that its output can be run. It is
// a script of the smallest shell there is: a program of ours would have to be
// built, or be this test, which takes long to start.
const standIn = `#!%s
printf '%%s\0' "${0##*/}" "$PWD" $# "$@" >&9
echo burn /out
[ "${0##*/}" != nope ]
`

const standInLog = 9 // the descriptor that stand-ins write to

// ran is a program that bash ran.
type ran struct {
	name, dir string
	args      []string
}

func (r ran) String() string {
	return fmt.Sprintf("%s %q in %s", r.name, r.args, r.dir)
}

// bash runs lines for real, in a folder where nothing but stand-ins can be
// reached.
type bash struct{ path, bin, root string }

func newBash(t *testing.T) *bash {
	if testing.Short() {
		t.Skip("starts thousands of programs")
	}
	path, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash on this machine")
	}
	if version, err := exec.Command(path, "-c", "echo ${BASH_VERSINFO[0]}").Output(); err != nil || len(version) == 0 || version[0] < '4' {
		t.Skipf("bash is older than 4: %s", version)
	}
	if os.PathSeparator != '/' {
		t.Skip("stand-ins need symbolic links")
	}
	interpreter, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no sh on this machine")
	}
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	b := &bash{path: path, root: root, bin: filepath.Join(root, "bin")}
	if err := os.Mkdir(b.bin, 0o700); err != nil {
		t.Fatal(err)
	}
	link := func(target, name string) {
		if err := os.Symlink(target, filepath.Join(b.bin, name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range standIns {
		if err := os.WriteFile(filepath.Join(b.bin, name), fmt.Appendf(nil, standIn, interpreter), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range borrowed {
		target, err := exec.LookPath(name)
		if err != nil {
			t.Skipf("there is no %s on this machine", name)
		}
		link(target, name)
	}
	link(path, "sh") // one that reads what bash reads
	return b
}

// run returns what a line ran, and whether it left files behind.
func (b *bash) run(t interface{ Fatal(...any) }, text string) (runs []ran, home, cwd string, files bool) {
	home, err := os.MkdirTemp(b.root, "home")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(home)
	cwd = filepath.Join(home, "work")
	if err := os.Mkdir(cwd, 0o700); err != nil {
		t.Fatal(err)
	}
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	c := exec.CommandContext(ctx, b.path, "--norc", "--noprofile", "-c", text)
	c.Dir = cwd
	c.Env = []string{"PATH=" + b.bin, "HOME=" + home, "LC_ALL=C"}
	c.ExtraFiles = make([]*os.File, standInLog-2)
	c.ExtraFiles[standInLog-3] = write
	var complaints bytes.Buffer
	c.Stderr = &complaints
	c.WaitDelay = time.Second
	// The log ends when the last program that could write to it has, also
	// those in the background.
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	write.Close()
	defer read.Close()
	timer := time.AfterFunc(20*time.Second, func() { read.Close() })
	defer timer.Stop()
	log, err := io.ReadAll(io.LimitReader(read, 4<<20))
	if stopped := c.Wait(); ctx.Err() != nil || err != nil {
		t.Fatal("bash didn't come back: ", text, stopped, err)
	}
	if said := complaints.String(); strings.Contains(said, "syntax error near") || strings.Contains(said, "unexpected EOF") {
		t.Fatal("bash can't read a line: ", text, "\n", complaints.String())
	}
	left, err := os.ReadDir(cwd)
	if err != nil {
		t.Fatal(err)
	}
	return readLog(t, string(log)), home, cwd, len(left) > 0
}

func readLog(t interface{ Fatal(...any) }, log string) (runs []ran) {
	words := strings.Split(strings.TrimSuffix(log, "\x00"), "\x00")
	for len(words) > 2 {
		n, err := strconv.Atoi(words[2])
		if err != nil || n > len(words)-3 {
			t.Fatal("the log of the stand-ins: ", log)
		}
		runs = append(runs, ran{words[0], words[1], words[3 : 3+n]})
		words = words[3+n:]
	}
	return runs
}

// verdict says how well the model of a line knew a program that bash ran.
type verdict int

const (
	exact   verdict = iota // its arguments and its folder
	partial                // as far as words that it calls dynamic allow
	excused                // only that there is something that it can't name
	missed
)

// judge compares a program that bash ran with the model of the line. Words of
// files may stand for a pattern where the line makes files.
func judge(line *Line, r ran, files bool) verdict {
	best := missed
	for _, c := range line.Commands {
		if c.NameDynamic {
			best = min(best, excused)
		}
		if c.NameDynamic || c.Name != r.name || !slices.Contains([]string{".", "~"}, c.Dir.Text) && c.Dir.Text != r.dir && c.Dir.Text != "" && !c.Dir.Dynamic {
			continue
		}
		loose := slices.ContainsFunc(c.Args, func(w Word) bool { return w.Dynamic || w.Glob && files })
		switch {
		case !loose && slices.EqualFunc(c.Args, r.args, func(w Word, arg string) bool { return w.Text == arg }):
			if c.Dir.Dynamic {
				best = min(best, partial)
			} else {
				best = exact
			}
		case loose && matches(c.Args, r.args, files):
			best = min(best, partial)
		}
	}
	return best
}

// matches reports whether args may be what words become when each dynamic one
// stands for any number of words.
func matches(words []Word, args []string, files bool) bool {
	// One row of the table of which beginnings match each other.
	row := make([]bool, len(args)+1)
	row[0] = true
	for _, word := range words {
		next := make([]bool, len(args)+1)
		for i := range next {
			switch {
			case word.Dynamic || word.Glob && files:
				next[i] = row[i] || i > 0 && next[i-1]
			case i > 0:
				next[i] = row[i-1] && args[i-1] == word.Text
			}
		}
		row = next
	}
	return row[len(args)]
}

// tally counts verdicts, to see that "nobody knows" isn't the usual answer.
type tally struct {
	sync.Mutex
	lines, excusedLines int
	runs                [missed + 1]int
}

func (c *tally) String() string {
	return fmt.Sprintf("%d lines, %d with something unknown; %d programs known exactly, %d in part, %d not by name",
		c.lines, c.excusedLines, c.runs[exact], c.runs[partial], c.runs[excused])
}

// check runs a line and returns what the model got wrong.
func (b *bash) check(t interface{ Fatal(...any) }, text string, count *tally) (problems string) {
	runs, home, cwd, files := b.run(t, text)
	line := Parse(text, Options{Cwd: cwd, Home: home})
	if line.TooComplex || line.Err != nil {
		problems = fmt.Sprintf("too complex: %v, error: %v\n", line.TooComplex, line.Err)
	}
	counts := [missed + 1]int{}
	for _, r := range runs {
		v := judge(line, r, files)
		if counts[v]++; v == missed {
			problems += "missed: " + r.String() + "\n"
		}
	}
	count.Lock()
	count.lines++
	if counts[excused] > 0 {
		count.excusedLines++
	}
	for v, n := range counts {
		count.runs[v] += n
	}
	count.Unlock()
	if problems != "" {
		problems = fmt.Sprintf("%s\n%sin folder %s\nmodel: %s", text, problems, cwd, strings.ReplaceAll(show(line), "; ", "\n       "))
	}
	return problems
}

// checkAll runs lines, a few at a time.
func (b *bash) checkAll(t *testing.T, lines []string) *tally {
	const shards = 4
	var count tally
	t.Run("lines", func(t *testing.T) {
		for shard := range shards {
			t.Run(strconv.Itoa(shard), func(t *testing.T) {
				t.Parallel()
				for i := shard; i < len(lines); i += shards {
					if problem := b.check(t, lines[i], &count); problem != "" {
						t.Error(problem)
					}
				}
			})
		}
	})
	t.Log(&count)
	return &count
}

// fixedSeed lets the lines be the same in each run, unless -rapid.seed says which:
// what a new line finds isn't the fault of the change that is tested.
func fixedSeed(t *testing.T) {
	seed := flag.Lookup("rapid.seed")
	if seed.Value.String() != seed.DefValue {
		return
	}
	if err := seed.Value.Set("20261"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { seed.Value.Set(seed.DefValue) })
}

// TestAgainstBash runs generated lines with harmless programs in real bash,
// and checks that what really ran is what the model says would run. More lines
// and others come with -rapid.checks=1000 -rapid.seed=7.
func TestAgainstBash(t *testing.T) {
	const each = 3
	b := newBash(t)
	fixedSeed(t)
	var count tally
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOfN(rapid.Custom(generateLine), 1, each).Draw(t, "lines")
		for _, text := range lines {
			if problem := b.check(t, text, &count); problem != "" {
				t.Fatal(problem)
			}
		}
	})
	if t.Failed() {
		return
	}
	t.Log(&count)
	if programs := count.runs[exact] + count.runs[partial] + count.runs[excused]; programs < count.lines {
		t.Errorf("%d lines ran only %d programs", count.lines, programs)
	}
	if limit := count.lines * 15 / 100; count.excusedLines > limit {
		t.Errorf("the model didn't know what runs in %d of %d lines, more than %d", count.excusedLines, count.lines, limit)
	}
}
