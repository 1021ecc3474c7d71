package luatest

import (
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/luahook/luahook/internal/openfile"
	"github.com/luahook/luahook/luabind/compile"
)

// Coverage is which lines of a hook file have run. A line counts where the VM has instructions
// for it, but for lines that hold nothing but the end of something, or else.
type Coverage struct {
	Path    string  `json:"path"`
	Lines   int     `json:"lines"`
	Covered int     `json:"covered"`
	Missed  []Range `json:"missed,omitempty"` // of lines, with nothing that counts between them
	Counted []Line  `json:"-"`                // in order
}

// Range is from one line to another, both included.
type Range struct {
	From int `json:"from"`
	To   int `json:"to"`
}

func (r Range) String() string {
	if r.From == r.To {
		return fmt.Sprint(r.From)
	}
	return fmt.Sprintf("%d-%d", r.From, r.To)
}

// Line is a line that counts.
type Line struct {
	Number int
	Ran    bool
}

// Percent is how much of the lines has run, 100 where there are none.
func (c *Coverage) Percent() float64 { return percent(c.Covered, c.Lines) }

func percent(covered, lines int) float64 {
	if lines == 0 {
		return 100
	}
	return 100 * float64(covered) / float64(lines)
}

// Percent is how much of the lines of all files has run.
func (r *Report) Percent() float64 {
	covered, lines := 0, 0
	for _, c := range r.Coverage {
		covered, lines = covered+c.Covered, lines+c.Lines
	}
	return percent(covered, lines)
}

// coverage puts together which lines have run, for the hook files of all projects, or those of
// the paths. A file that can't be compiled has none.
func (r *runner) coverage() []Coverage {
	list := []Coverage{}
	wanted := r.wantsCoverage()
	for _, hooks := range slices.Sorted(maps.Keys(r.projects)) {
		p := r.projects[hooks]
		for _, path := range p.files {
			if !wanted(path) {
				continue
			}
			text, err := openfile.Read(path, compile.MaxSourceBytes)
			if err != nil {
				continue
			}
			program, err := compile.Script(p.display(path), string(text))
			if err != nil {
				continue
			}
			lines := p.cover.Lines(program)
			says := sayingLines(string(text))
			c := Coverage{Path: r.shown(path)}
			for _, line := range slices.Sorted(maps.Keys(lines)) {
				if says[line] {
					c.Counted = append(c.Counted, Line{line, lines[line]})
				}
			}
			c.sum()
			list = append(list, c)
		}
	}
	return list
}

// wantsCoverage gives which files count: those that the paths name, whose tests they name, or that
// lie below them. All do where that is none, as with tests that are of no file in particular.
func (r *runner) wantsCoverage() func(path string) bool {
	var paths []string
	for _, path := range r.Paths {
		if !filepath.IsAbs(path) {
			path = filepath.Join(r.Dir, path)
		}
		path = filepath.Clean(path)
		if isTest(path) {
			path = strings.TrimSuffix(path, testEnd) + ".lua"
		}
		if real, err := filepath.EvalSymlinks(path); err == nil {
			path = real
		}
		paths = append(paths, path)
	}
	named := func(path string) bool {
		if real, err := filepath.EvalSymlinks(path); err == nil {
			path = real
		}
		return slices.ContainsFunc(paths, func(asked string) bool {
			rel, err := filepath.Rel(asked, path)
			return err == nil && filepath.IsLocal(rel)
		})
	}
	for _, p := range r.projects {
		if slices.ContainsFunc(p.files, named) {
			return named
		}
	}
	return func(string) bool { return true }
}

// sum fills in what follows from the counts.
func (c *Coverage) sum() {
	missing := false // whether the line before was missed
	for _, line := range c.Counted {
		c.Lines++
		switch {
		case line.Ran:
			c.Covered++
			missing = false
		case missing:
			c.Missed[len(c.Missed)-1].To = line.Number
		default:
			c.Missed = append(c.Missed, Range{line.Number, line.Number})
			missing = true
		}
	}
}

// sayingLines are the lines of a text on which something stands beside comments and what closes
// or divides blocks.
func sayingLines(text string) map[int]bool {
	says := map[int]bool{}
	scan(text, func(line int, token string) {
		switch token {
		case "end", "else", "do", "then", "repeat", ")", "}", "]", "{", "(", ",", ";", ":":
		default:
			if !strings.HasPrefix(token, "--") {
				says[line] = true
			}
		}
	})
	return says
}

// WriteLCOV writes the coverage as LCOV has it; a line that has run has run once.
func (r *Report) WriteLCOV(w io.Writer) error {
	var b strings.Builder
	for _, c := range r.Coverage {
		fmt.Fprintf(&b, "TN:\nSF:%s\n", strings.Map(func(r rune) rune {
			if r < ' ' {
				return '?'
			}
			return r
		}, c.Path))
		for _, line := range c.Counted {
			times := 0
			if line.Ran {
				times = 1
			}
			fmt.Fprintf(&b, "DA:%d,%d\n", line.Number, times)
		}
		fmt.Fprintf(&b, "LF:%d\nLH:%d\nend_of_record\n", c.Lines, c.Covered)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
