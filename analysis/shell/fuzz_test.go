package shell

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func FuzzParse(f *testing.F) {
	for _, c := range parseCases {
		f.Add(c.text)
	}
	for _, c := range wrapperCases {
		f.Add(c.text)
	}
	for _, c := range hostileTexts {
		f.Add(c.text)
	}
	for _, shape := range longShapes {
		f.Add(shape.make(200))
	}
	for seed := range 50 {
		f.Add(rapid.Custom(generateLine).Example(seed))
	}
	f.Fuzz(func(t *testing.T, text string) {
		var options Options
		if len(text)%2 == 0 {
			options = Options{Cwd: "/work", Home: "/home/me"}
		}
		w := walk(text, options)
		line := w.line
		if work := maxWork - w.work; work > maxWork && !line.TooComplex {
			t.Errorf("%d units of work, and isn't too complex", work)
		}
		checkBounds(t, "the text", text, line)
		checkModel(t, line)
		checkQuote(t, text)
	})
}

// checkModel checks what holds for every command.
func checkModel(t *testing.T, line *Line) {
	t.Helper()
	known := map[*Command]bool{}
	for _, c := range line.Commands {
		c.Flag("-f", "--force", "-delete")
		c.Subcommand()
		c.Operands()
		switch dynamic := slices.ContainsFunc(c.Args, func(w Word) bool { return w.Dynamic }); {
		case c.NameDynamic && (c.Name != "" || !c.Dynamic):
			t.Errorf("the unknown %+v has a name or is known", c)
		case dynamic && !c.Dynamic:
			t.Errorf("%+v isn't dynamic, but a word is", c)
		case c.Parent != nil && !known[c.Parent]:
			t.Errorf("%+v comes before the command that runs it, %+v", c, c.Parent)
		case len(c.Via) == 0 && c.Parent != nil:
			t.Errorf("%+v has a parent but was reached through nothing", c)
		case c.Line < 0 || c.Column < 0:
			t.Errorf("%+v is nowhere", c)
		}
		checkChanges(t, c)
		if g := c.Git(); c.GitForeign() != (g != nil && g.Foreign) {
			t.Errorf("GitForeign of %+v is %v", c, c.GitForeign())
		}
		known[c] = true
	}
}

// checkChanges checks that Changes are the Paths which aren't only read.
func checkChanges(t *testing.T, c *Command) {
	t.Helper()
	want := slices.DeleteFunc(c.Paths(), func(p Path) bool { return p.Access == Read })
	if got := c.Changes(); !slices.Equal(got, want) {
		t.Errorf("%s %v changes %+v, not %+v", c.Path, c.Args, got, want)
	}
}

// checkQuote checks that quoted words are the same words for Split and for
// Parse.
func checkQuote(t *testing.T, text string) {
	t.Helper()
	words, err := Split(text)
	if err != nil {
		words = []string{text}
	}
	quoted := Quote(words...)
	if back, err := Split(quoted); err != nil || !slices.Equal(back, words) {
		t.Errorf("Split(Quote(%q)) = %q, %v", words, back, err)
	}
	// No shell can read NUL, and the parser reads UTF-8 only and doesn't keep
	// carriage returns before newlines.
	if len(words) == 0 || !utf8.ValidString(text) || strings.ContainsAny(text, "\x00\r") || len(quoted) > maxText-10 {
		return
	}
	line := Parse("printf "+quoted, Options{})
	if len(line.Commands) == 0 || line.Err != nil {
		t.Errorf("Parse of %q: %v, %d commands", quoted, line.Err, len(line.Commands))
		return
	}
	back := make([]string, 0, len(words))
	for _, arg := range line.Commands[0].Args {
		if arg.Dynamic || arg.Glob {
			t.Errorf("the quoted word %q is dynamic or a pattern", arg.Text)
		}
		back = append(back, arg.Text)
	}
	if !slices.Equal(back, words) {
		t.Errorf("Parse(Quote(%q)) = %q", words, back)
	}
}
