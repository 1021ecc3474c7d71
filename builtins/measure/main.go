// Measure says what safety-guard would make of commands that somebody has really typed, or of the tool calls of
// agents: how many it would stop, by which rules, and what that costs. Nothing is run, and nothing is recorded.
//
//	go run ./builtins/measure ~/.bash_history ~/.claude/projects
//
// It reads lists of commands, histories of shells and transcripts of agents, which it tells apart by what stands in
// them (see reading); of a folder it reads the files whose names end in .jsonl. docs/safety-guard.md says more.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/luahook/luahook/internal/openfile"
)

// What the command ends with.
const (
	ended    = 0
	differed = 1 // calls were not judged as -expect says
	failed   = 2 // it could not measure
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// options are the flags.
type options struct {
	level    string
	packs    string
	cwd      string
	home     string
	expect   string
	examples int
	json     bool
	passed   bool
}

const usage = `usage: measure [flags] FILE...

Fires commands at safety-guard and says what it stops. Nothing is run. FILE is a list of commands, a shell's history,
JSON lines {"command": ..., "cwd": ..., "tool": ..., "input": ...}, or an agent's transcript; a folder with such
(*.jsonl); or - for the standard input.

`

func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	var o options
	flags := flag.NewFlagSet("measure", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&o.level, "level", "standard", "the guard's `level`: standard or strict")
	flags.StringVar(&o.packs, "packs", "", "its packs: `names` with commas between them, or all")
	flags.StringVar(&o.cwd, "cwd", "", "the working `folder` of calls that don't name theirs (default: the current one)")
	flags.StringVar(&o.home, "home", "", "the home `folder` of whoever made the calls (default: yours)")
	flags.IntVar(&o.examples, "examples", 3, "show `N` examples of each rule")
	flags.BoolVar(&o.json, "json", false, "write JSON")
	flags.BoolVar(&o.passed, "passed", false, "list the calls that pass, too")
	flags.StringVar(&o.expect, "expect", "", "end with 1 unless all calls `pass` or all are blocked (block)")
	flags.Usage = func() {
		fmt.Fprint(stderr, usage)
		flags.PrintDefaults()
	}
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		return ended
	} else if err != nil {
		return failed
	}
	if flags.NArg() == 0 {
		flags.Usage()
		return failed
	}
	differing, err := measure(o, flags.Args(), stdin, stdout)
	switch {
	case err != nil:
		fmt.Fprintln(stderr, "measure:", err)
		return failed
	case differing > 0:
		fmt.Fprintf(stderr, "measure: -expect %s: %d are otherwise\n", o.expect, differing)
		return differed
	}
	return ended
}

// measure reads the files, judges their calls and writes the report. It counts those that were judged otherwise than
// expected.
func measure(o options, files []string, stdin io.Reader, stdout io.Writer) (differing int, err error) {
	if o.expect != "" && o.expect != "pass" && o.expect != "block" {
		return 0, fmt.Errorf("-expect %q: want pass or block", o.expect)
	}
	if o.level != "standard" && o.level != "strict" { // in audit it stops nothing
		return 0, fmt.Errorf("-level %q: want standard or strict", o.level)
	}
	if o.home != "" {
		if err := os.Setenv("HOME", o.home); err != nil {
			return 0, err
		}
	}
	if o.cwd, err = filepath.Abs(o.cwd); err != nil {
		return 0, err
	}
	g, err := newGuard(o)
	if err != nil {
		return 0, err
	}
	defer g.close()
	r := newReport(o, g.judge)
	for _, name := range files {
		if err := readAll(name, stdin, r); err != nil {
			return 0, err
		}
	}
	return r.differing(), r.write(stdout)
}

// readAll reads a file, the files of a folder, or the standard input.
func readAll(name string, stdin io.Reader, r *report) error {
	if name == "-" {
		return read("-", stdin, r)
	}
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return readFile(name, r)
	}
	return filepath.WalkDir(name, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || !strings.HasSuffix(path, ".jsonl") {
			return err
		}
		return readFile(path, r)
	})
}

func readFile(name string, r *report) error {
	f, _, err := openfile.Regular(name)
	if err != nil {
		return err
	}
	defer f.Close()
	return read(name, f, r)
}

// background is the context of everything here: nothing outlasts the program.
var background = context.Background()
