package shell

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestRename(t *testing.T) {
	for _, c := range []struct{ text, want, problem string }{
		{`git commit -m "npm fix" && npm i`, `git commit -m "npm fix" && pnpm i`, ""},
		{"npm i; npm run build | npm x", "pnpm i; pnpm run build | pnpm x", ""},
		{`"npm" i && 'npm' i && \npm i && n"p"m i`, "pnpm i && pnpm i && pnpm i && pnpm i", ""},
		{"np\\\nm i", "pnpm i", ""},
		{"sudo npm i", "sudo pnpm i", ""},
		{"env X=1 npm i", "env X=1 pnpm i", ""},
		{"X=npm npm i", "X=npm pnpm i", ""},
		{"npm i npm", "pnpm i npm", ""},
		{"npm_x; xnpm; npmx", "npm_x; xnpm; npmx", ""},
		{"/usr/bin/npm i", "pnpm i", ""},
		{"$(npm bin)/x", "$(pnpm bin)/x", ""},
		{"`npm bin`/x", "`pnpm bin`/x", ""},
		{"echo \"a $(npm bin) b\"", "echo \"a $(pnpm bin) b\"", ""},
		{"# npm i\nnpm i # npm", "# npm i\npnpm i # npm", ""},
		{"cat <<E\nnpm i\nE\nnpm i", "cat <<E\nnpm i\nE\npnpm i", ""},
		{"cat <<E\n$(npm bin)\nE", "cat <<E\n$(pnpm bin)\nE", ""},
		{"cd 日本 && echo é; npm i ü", "cd 日本 && echo é; pnpm i ü", ""},
		{"if npm i; then npm x; fi; for a in 1 2; do npm $a; done", "if pnpm i; then pnpm x; fi; for a in 1 2; do pnpm $a; done", ""},
		{"find . -exec npm i \\;", "find . -exec pnpm i \\;", ""},
		{"echo x | xargs npm i", "echo x | xargs pnpm i", ""},
		{"npm i >npm 2>&1 <npm", "pnpm i >npm 2>&1 <npm", ""},
		{"bash -c npm", "bash -c pnpm", ""},

		{"bash -c 'npm i'", "", "isn't written out"},
		{"x=npm; $x i", "", "isn't written out"},
		{"$(echo npm) i", "", "isn't written out"},
		{"{npm,i}", "", "isn't written out"},
		{"alias n='npm i'; n", "", "isn't written out"},
		{"bash <<E\nnpm i\nE", "", "isn't written out"},
		{"npm i; echo 'x", "", "can't be read"},
		{"npm i \\\r\n", "", "carriage return"},
		{"for c in npm yarn; do $c i; done", "", "isn't written out"},
	} {
		line := Parse(c.text, Options{})
		names := map[*Command]string{}
		for _, command := range line.Commands {
			if command.Name == "npm" {
				names[command] = "pnpm"
			}
		}
		got, err := line.Rename(c.text, Options{}, names)
		switch {
		case c.problem == "" && (err != nil || got != c.want):
			t.Errorf("%q becomes %q (%v), want %q", c.text, got, err, c.want)
		case c.problem != "" && (err == nil || !strings.Contains(err.Error(), c.problem)):
			t.Errorf("%q becomes %q (%v), want an error with %q", c.text, got, err, c.problem)
		}
	}
}

// A command in a file that the line writes is where the command that reads it is, and may have its name.
func TestRenameRefusesWhatStandsInAFile(t *testing.T) {
	const text = "echo 'sh -c ls' > s0; sh s0"
	line := Parse(text, Options{})
	outer, inner := line.Commands[1], line.Commands[2]
	if inner.Name != "sh" || inner.Parent != outer {
		t.Fatalf("%+v", inner)
	}
	if got, err := line.Rename(text, Options{}, map[*Command]string{inner: "bash"}); err == nil {
		t.Errorf("the command in the file: %q", got)
	}
	if got, err := line.Rename(text, Options{}, map[*Command]string{outer: "bash"}); err != nil || got != "echo 'sh -c ls' > s0; bash s0" {
		t.Errorf("the one that reads it: %q, %v", got, err)
	}
}

func TestRenameRefusesNamesThatAreNoWord(t *testing.T) {
	line := Parse("npm i", Options{})
	for _, name := range []string{"", "a b", "a;b", "$x", "if", "x=1", "a\n", "'", "-", "~/x"} {
		if got, err := line.Rename("npm i", Options{}, map[*Command]string{line.Commands[0]: name}); err == nil {
			t.Errorf("named %q it is %q, want an error", name, got)
		}
	}
}

// Whatever the line is: it is refused, or its commands are the same but for the new names.
func TestRenamedLinesHaveTheSameCommands(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.Custom(generateLine).Draw(t, "text")
		checkRename(t, text, rapid.IntRange(0, 20).Draw(t, "which"))
	})
}

func checkRename(t interface{ Errorf(string, ...any) }, text string, which int) {
	line := Parse(text, Options{})
	if len(line.Commands) == 0 {
		return
	}
	c := line.Commands[which%len(line.Commands)]
	if len(Parse("renamed x", Options{}).Commands) != 1 || strings.Contains(text, "renamed") {
		return
	}
	renamed, err := line.Rename(text, Options{}, map[*Command]string{c: "renamed"})
	if err != nil {
		return
	}
	before, after, ok := strings.Cut(renamed, "renamed")
	if !ok || !strings.HasPrefix(text, before) || !strings.HasSuffix(text, after) {
		t.Errorf("%q became %q, which differs in more than a name", text, renamed)
	}
	now := Parse(renamed, Options{})
	if !slices.ContainsFunc(now.Commands, func(n *Command) bool {
		return n.Name == "renamed" && n.Line == c.Line && n.Column == c.Column && len(n.Args) == len(c.Args)
	}) {
		t.Errorf("%q became %q, where nothing is renamed", text, renamed)
	}
}

func FuzzRename(f *testing.F) {
	f.Add(`git commit -m "npm fix" && npm i`, 1)
	f.Add("np\\\nm i; $(npm)/x; `npm`", 0)
	f.Fuzz(func(t *testing.T, text string, which int) { checkRename(t, text, max(which, 0)) })
}
