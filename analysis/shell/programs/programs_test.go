package programs

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// TestStanzas reads every stanza of every file, and checks that they are in
// order.
func TestStanzas(t *testing.T) {
	files, err := filepath.Glob("*.txt")
	if err != nil {
		t.Fatal(err)
	}
	var all []area
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, area{name, string(text)})
	}
	if !slices.Equal(all, areas()) {
		t.Errorf("areas doesn't list the files %q, in their order", files)
	}
	table, err := tableOf(all)
	if err != nil {
		t.Fatal(err)
	}
	if len(table.known) < 500 {
		t.Errorf("%d stanzas", len(table.known))
	}
	for i := range table.known {
		s := table.stanza(i)
		if before := table.stanza(max(i-1, 0)); before.file == s.file && before.name() > s.name() {
			t.Error(s.mistake(0, "%s isn't in alphabetical order", s.name()))
		}
		if strings.HasPrefix(s.name(), "@") {
			continue
		}
		p, err := table.parse(i)
		if err != nil {
			t.Error(err)
			continue
		}
		for _, other := range []string{p.LaunchesAs, p.SubcommandsAs} {
			if other != "" && table.find(other) < 0 {
				t.Error(s.mistake(0, "%s is as %s, of which nothing is known", p.Name, other))
			}
		}
	}
}

// TestStanza reads a stanza that a program was given.
func TestStanza(t *testing.T) {
	table, err := tableOf([]area{{"new.txt", `# New programs.

@more
    colour? size=
    speed

new, newer,
newest
  options closed truth
    short ab:c::
    # as far as its manual says
    long force @more
      quiet
  paths
    skip 2
    unless -e --expression
    each write
    tree *
  runs first
    by newest
    short u:
    operands 1
    text-only
  versions

old
  as new
  paths
    each read
`}})
	if err != nil {
		t.Fatal(err)
	}
	p, err := table.parse(table.find("newest"))
	if err != nil {
		t.Fatal(err)
	}
	if want := (Options{Short: "ab:c::", Long: "force colour? size= speed quiet", Closed: true, Truth: true}); p.Name != "new" || *p.Options != want {
		t.Errorf("%s: options %+v", p.Name, *p.Options)
	}
	if want := (Paths{Skip: 2, Unless: "-e --expression", Each: "write", Tree: "*"}); *p.Paths != want {
		t.Errorf("paths %+v", *p.Paths)
	}
	if want := (Runs{Options: Options{Short: "u:", First: true}, Operands: 1, TextOnly: true, By: "newest"}); *p.Runs != want || !p.Versions {
		t.Errorf("runs %+v", *p.Runs)
	}
	old, err := table.parse(table.find("old"))
	if err != nil {
		t.Fatal(err)
	}
	if old.Name != "new" || *old.Options != *p.Options || *old.Paths != (Paths{Each: "read"}) {
		t.Errorf("old is read as %+v", old)
	}
}

// TestMistakes reads stanzas with mistakes, and checks where these are found.
func TestMistakes(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"a\n  options\n\na\n  paths\n", `x.txt:4: "a" is listed twice, empty or too long`},
		{"a\n", "x.txt:1: nothing is said of a"},
		{"a\n  option\n", "x.txt:2: nothing is called option there"},
		{"a\n  name b\n", "x.txt:2: nothing is called name there"},
		{"a\n  options\n  options\n", "x.txt:3: options is there twice"},
		{"a\n  options clsed\n", "x.txt:2: options: clsed is no flag, or is there twice"},
		{"a\n  options\n    shrt a\n", "x.txt:3: nothing is called shrt there"},
		{"a\n  options\n    short a b\n", "x.txt:3: short: letters stand together"},
		{"a\n  options\n    long\n", "x.txt:3: long: no value"},
		{"a\n  options\n    long --force\n", "x.txt:3: long: --force is written neither as name nor as name= or name?"},
		{"a\n  options\n    long force=x\n", "x.txt:3: long: force=x is written neither as name nor as name= or name?"},
		{"a\n  options\n    long @none\n", "x.txt:3: long: no list is called @none"},
		{"a\n  options\n    short a\n    short b\n", "x.txt:4: short is there twice"},
		{"a\n   options\n", `x.txt:2: "options" is indented neither by 2, as a section, nor by 4, as a field of one, nor by more`},
		{"a\n    short a\n", "x.txt:2: nothing is called short there"},
		{"a\n  paths\n    each reads\n", "x.txt:3: each: reads is neither read, write nor delete"},
		{"a\n  paths\n    skip none\n", "x.txt:3: skip: none is no number above 0"},
		{"a\n  paths\n    reads file\n", "x.txt:3: reads: file is no option"},
		{"a\n  paths\n    fills -r\n", "x.txt:3: fills: a flag has no value"},
		{"a\n  options\n  runs\n", "x.txt:1: a program that runs the command among its arguments has its options in runs alone"},
		{"a\n  as b\n", "x.txt:2: b is nothing that is known of itself"},
		{"a\n  as a\n", "x.txt:2: a is nothing that is known of itself"},
		{"a\n  starts -C\n    short a\n", "x.txt:3: nothing is called short there"},
	} {
		table, err := tableOf([]area{{"x.txt", test.text}})
		for i := 0; err == nil && i < len(table.known); i++ {
			_, err = table.parse(i)
		}
		if mistake := (*Mistake)(nil); !errors.As(err, &mistake) || err.Error() != test.want {
			t.Errorf("%q:\n\t%v\nwant\t%s", test.text, err, test.want)
		}
	}
}

// TestFields checks that each field can be written, under its name.
func TestFields(t *testing.T) {
	inRuns := []string{"Subcommand"} // follows from the name
	for of, fields := range map[any][]field{
		Program{}: (&Program{}).fields(), Options{}: (&Options{}).fields(), Paths{}: (&Paths{}).fields(), Runs{}: (&Runs{}).fields(),
		Calls{}: (&Calls{}).fields(), Git{}: (&Git{}).fields(), Interprets{}: (&Interprets{}).fields(), Foreign{}: (&Foreign{}).fields(),
		Behind{}: (&Behind{}).fields(), Machine{}: (&Machine{}).fields(),
	} {
		var written []string
		for _, f := range fields {
			written = append(written, strings.ReplaceAll(f.key, "-", ""))
		}
		for _, f := range reflect.VisibleFields(reflect.TypeOf(of)) {
			if name := strings.ToLower(f.Name); !f.Anonymous && name != "name" && !slices.Contains(inRuns, f.Name) && !slices.Contains(written, name) {
				t.Errorf("%T has no key for %s", of, f.Name)
			}
		}
	}
}

// TestOf looks programs up.
func TestOf(t *testing.T) {
	for name, want := range map[string]string{
		"tar": "tar", "gtar": "tar", "zcat": "gzip", "git push": "git push", "python3.12": "python3", "pip3": "pip",
		"tar1": "", "3.12": "", "@git-diff": "", "": "", "no such program": "", "@git-log": "", "git push --force": "", "1.2.3": "",
	} {
		got := ""
		if p := Of(name); p != nil {
			got = p.Name
		}
		if got != want {
			t.Errorf("%q is %q, want %q", name, got, want)
		}
	}
}

// TestOfAllocates checks that names which nobody knows cost nothing.
func TestOfAllocates(t *testing.T) {
	name := strings.Repeat("x", 1<<16) + "3.12"
	Of("tar")
	if n := testing.AllocsPerRun(100, func() { Of(name); Of("tar") }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkParse(b *testing.B) {
	t := everything()
	for b.Loop() {
		if _, err := t.parse(t.find("docker run")); err != nil {
			b.Fatal(err)
		}
	}
}
