package shell

import (
	"strings"
	"testing"
)

// Before the command "last", each one that has run; "!" behind it: and has succeeded, "?": and has failed.
func TestBefore(t *testing.T) {
	for line, want := range map[string]string{
		`last`:                                     "",
		`a; last`:                                  "a",
		`a && last`:                                "a!",
		`a && b && last`:                           "a! b!",
		`a && b; last`:                             "a",
		`a; b && last`:                             "a b!",
		`a || last`:                                "a?",
		`a || b; last`:                             "a",
		`a || b && last`:                           "a",
		`a && b || last`:                           "a",
		`! a && last`:                              "a?",
		`a & last`:                                 "",
		`a || exit 1; last`:                        "a!",
		`a && b || exit 1; last`:                   "a!",
		`a || b || exit 1; last`:                   "a",
		`a | b || exit 1; last`:                    "a b",
		`! a || exit 1; last`:                      "a",
		`a || { echo no; exit 1; }; last`:          "a!",
		`a || exit; last`:                          "a!",
		`a || exit 0; last`:                        "a!",
		`a && exit; last`:                          "a?",
		`a && { b; exit; }; last`:                  "a?",
		`if a; then b; exit; fi; last`:             "a?",
		`if a; then (exit); fi; last`:              "",
		`a; [[ x ]] && last`:                       "a",
		`a; (( x )) && last`:                       "a",
		`set -e; a; last`:                          "set a!",
		`set -e; a || true; last`:                  "set a",
		`set -e; a; set +e; b; last`:               "set a! set! b",
		`a | b && last`:                            "a b!",
		`a | { b; c; } && last`:                    "a",
		`{ a; b; } && last`:                        "a b!",
		`(a; b) && last`:                           "",
		`(a && last)`:                              "a!",
		`a && (b; last)`:                           "a! b",
		`if a; then last; fi`:                      "a!",
		`if a; then b; else last; fi`:              "a?",
		`if a; then b; elif c; then last; fi`:      "a c!",
		`if a; then b; fi; last`:                   "",
		`! a || last`:                              "a!",
		`if ! a; then last; fi`:                    "a?",
		`if ! a; then b; else last; fi`:            "a!",
		`if a && b; then c; else last; fi`:         "a",
		`case $x in a) a;; b) last;; esac`:         "",
		`for i in 1 2; do a; last; done`:           "a",
		`for i in 1; do a; done; last`:             "",
		`while a; do last; done`:                   "a",
		`a; f() { b; last; }; f`:                   "a f b",
		`f() { a; }; f && last`:                    "f",
		`sudo a && last`:                           "sudo a!",
		`xargs a && last`:                          "xargs",
		`bash -c 'a' && last`:                      "bash",
		`bash -c 'a && last'`:                      "bash a!",
		`x=$(a) && last`:                           "x=!",
		`echo "$(a)" && last`:                      "echo!",
		`trap last EXIT; a`:                        "",
		`if x; then i=a; else i=b; fi; $i && last`: "",
	} {
		var got []string
		parsed := Parse(line, Options{})
		for _, c := range parsed.Commands {
			if c.Name != "last" {
				continue
			}
			got = nil
			for _, e := range parsed.Before(c) {
				name := e.Command.Path
				if name == "" && len(e.Command.Assignments) > 0 {
					name = e.Command.Assignments[0].Name + "="
				}
				if e.Succeeded {
					name += "!"
				}
				if e.Failed {
					name += "?"
				}
				got = append(got, name)
			}
			break
		}
		if got := strings.Join(got, " "); got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}

func TestGitFolders(t *testing.T) {
	for line, want := range map[string]string{
		"git status":                               "/w ",
		"git -C a/b -C ../c status":                "/w/a/c ",
		"cd x && git init":                         "/w/x /w/x",
		"git init a":                               "/w /w/a",
		"git init --help":                          "/w ",
		"git -C x clone https://e/a/y.git":         "/w/x /w/x/y",
		"git clone host:y.git/":                    "/w /w/y",
		"git clone --bare https://e/y":             "/w /w/y.git",
		"git clone https://e/y z":                  "/w /w/z",
		"git worktree add ../t main":               "/w /t",
		"git worktree remove ../t":                 "/w ",
		"D=$(mktemp -d); git worktree add $D HEAD": "/w $(mktemp -d)*",
		"cd $(mktemp -d) && git init":              "$(mktemp -d)* $(mktemp -d)*",
		"git -C $(mktemp -d) clone https://e/y":    "$(mktemp -d)* $(mktemp -d)/y*",
		"ssh host git init a":                      " ",
		"ls":                                       " ",
	} {
		commands := Parse(line, Options{Cwd: "/w"}).Commands
		works, makes := commands[len(commands)-1].GitFolders()
		text := func(p Path) string {
			if p.Temporary {
				return p.Text + "*"
			}
			return p.Text
		}
		if got := text(works) + " " + text(makes); got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}
