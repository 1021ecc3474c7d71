package shell_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/luahook/luahook/analysis/shell"
)

var names = shell.NewNames(
	[]string{".hooks", ".git/config", ".claude/settings.json", "opencode.json", "/etc/passwd", "/srv", "/home/kim/p/.git/HEAD"},
	[]string{"rm", "git", "reboot"},
)

func free(int, int) {}

// A path with patterns is each path that it may stand for.
func TestMeant(t *testing.T) {
	for path, want := range map[string]string{
		".hook[s]/a.lua":         ".hooks/a.lua",
		"a/.h*/x.lua":            "a/.hooks/x.lua",
		".h*":                    ".hooks",
		".HOOK?":                 ".hooks",
		".*":                     ".hooks .git .claude",
		"*":                      "",
		"*hooks":                 ".hooks", // with dotglob
		"*.json":                 "",
		"op*.json":               "opencode.json",
		".claude/*":              "",
		".claude/*.json":         ".claude/settings.json",
		".c*/settings.json":      ".claude/settings.json",
		".c*/s*":                 ".claude/settings.json",
		"*/settings.json":        "",
		".g*/conf*":              ".git/config",
		"/e*/passwd":             "/etc/passwd",
		"/e*/shadow":             "",
		"/*/passwd":              "/etc/passwd /srv/passwd",
		"etc/pass*":              "",
		"/sr?/.h*/x":             "/srv/.h*/x /srv/.hooks/x /sr?/.hooks/x",
		"/home/*/p/.git/HE[A]D":  "/home/kim/p/.git/HEAD",
		"/home/kim/p/.g*":        "/home/kim/p/.git",
		".hooks/a.lua":           "",
		"[":                      "",
		"[...]]":                 "",
		"a/[b/.hooks":            "",
		"C:/x/.h*":               "C:/x/.hooks",
		"$x/.h*":                 "$x/.hooks",
		strings.Repeat("?", 300): ".hooks .git .claude opencode.json",
	} {
		got := map[string]bool{}
		for _, meant := range names.Meant(path, free) {
			got[meant] = true
		}
		wanted := strings.Fields(want)
		for _, meant := range wanted {
			if !got[meant] {
				t.Errorf("%.60q may stand for %s", path, meant)
			}
			delete(got, meant)
		}
		for meant := range got {
			t.Errorf("%.60q stands for %s", path, meant)
		}
	}
}

// A command with patterns is there once more for each name that they may stand for.
func TestWithNames(t *testing.T) {
	for text, want := range map[string]string{
		"rm a":                                  "rm a",
		"rm *.o":                                "rm *.o",
		"rm .h*/x":                              "rm .h*/x; rm /w/.hooks/x",
		"rm '.h*/x'":                            "rm .h*/x",
		"rm .[h]ooks .g*":                       "rm .[h]ooks .g*; rm /w/.hooks .g*; rm .[h]ooks /w/.git",
		"/bin/r[m] -r x":                        "rm -r x",
		"/bin/g?t push":                         "git push",
		"/bin/reb*t":                            "reboot",
		"r? x":                                  "rm x",
		"r* x":                                  "? x",
		"`r?` x":                                "rm; ? x",
		"/us[r]/bin/rm x":                       "rm x",
		"eval \"$(jq -r '.r[m]')\"":             "jq -r .r[m]; eval $(jq -r '.r[m]'); ?",
		"/bin/b?sh -c 'rm x'":                   "bash -c rm x; rm x",
		"sud? rm x":                             "sudo rm x; rm x",
		"cat < .hook?":                          "cat <.hook?; cat </w/.hooks",
		"echo > .hook?/a":                       "echo >.hook?/a; echo >/w/.hooks/a",
		"cd .h*; rm x":                          "cd .h*; cd /w/.hooks; rm x; rm x in /w/.hooks",
		"for f in .h*/*; do rm \"$f\"; done":    "rm .h*/*; rm /w/.hooks/*",
		"a=(.hook[s]/x); rm \"${a[@]}\"":        "; rm .hook[s]/x; rm /w/.hooks/x",
		"set -- .hook[s]; rm \"$1\"":            "set -- .hook[s]; set -- /w/.hooks; rm .hook[s]; rm /w/.hooks",
		"a=.hook?; rm \"$a\"; rm $a":            "; rm .hook?; rm .hook?; rm /w/.hooks",
		"rm .h*/./y[z]; rm a/../.h*":            "rm .h*/./y[z]; rm /w/.hooks/y[z]; rm a/../.h*; rm /w/.hooks",
		"cd .clau?e; rm s*.j*":                  "cd .clau?e; cd /w/.claude; rm s*.j*; rm /w/.claude/settings.json; rm s*.j* in /w/.claude",
		"shopt -s dotglob; rm */x":              "shopt -s dotglob; rm */x; rm /w/.hooks/x; rm /w/opencode.json/x",
		"f=.h*; echo > $f; echo > \"$f\"":       "; echo >.h*; echo >/w/.hooks; echo >.h*",
		"echo 'rm x' > y.sh; bash *.sh":         "echo rm x >y.sh; bash *.sh; rm x",
		"rm " + strings.Repeat("x", 5000) + "*": "too complex",
		"bash /de[v]/std?n":                     "bash /dev/stdin",
		"bash /tmp/*":                           "bash /tmp/*",
		"ls .h* | xargs rm":                     "ls .h*; ls /w/.hooks; xargs rm; rm {}",
		"rm " + strings.Repeat(".h* ", 5000):    "too complex",
	} {
		line := shell.Parse(text, shell.Options{Cwd: "/w"})
		before := len(line.Commands)
		with := line.WithNames(names, free)
		var list []string
		for _, c := range with.Commands {
			words := []string{c.Name}
			if c.NameDynamic {
				words[0] = "?"
			}
			for _, arg := range c.Args {
				words = append(words, arg.Text)
			}
			for _, redirect := range c.Redirects {
				words = append(words, redirect.Op+redirect.Target.Text)
			}
			if !c.Dir.Dynamic && c.Dir.Text != "/w" {
				words = append(words, "in", c.Dir.Text)
			}
			list = append(list, strings.Join(words, " "))
		}
		got := strings.Join(list, "; ")
		if with.TooComplex {
			got = "too complex"
		}
		if got != want {
			t.Errorf("%.60s: %.200s, want %s", text, got, want)
		}
		if len(line.Commands) != before {
			t.Errorf("%.60s: the line has changed", text)
		}
	}
}

// What stands behind a command with too many patterns is there all the same.
func TestManyPatternsHideNothing(t *testing.T) {
	line := shell.Parse("ls "+strings.Repeat(".h* ", 300)+"; git push", shell.Options{}).WithNames(names, free)
	if last := line.Commands[len(line.Commands)-1]; !line.TooComplex || last.Name != "git" || last.MeaningOf() != nil {
		t.Errorf("too complex: %v; the last command is %s", line.TooComplex, last.Name)
	}
	if second := line.Commands[1]; second.MeaningOf() != line.Commands[0] {
		t.Errorf("%v isn't what the first command means", second)
	}
}

// A pattern that begins or ends with a name's own characters, and has nothing else but stars between them, stands
// for that name; a name stands for itself.
func FuzzStandsFor(f *testing.F) {
	f.Add(".h*", ".hooks")
	f.Add(".[h]ooks", ".hooks")
	f.Add("@(a|b", "ab")
	f.Fuzz(func(t *testing.T, pattern, name string) {
		shell.StandsFor(pattern, name)
		if strings.Contains(name, "/") || name == "" || len(name) > 200 || strings.ToLower(name) != name || !utf8.ValidString(name) {
			return
		}
		if may, _ := shell.StandsFor(name, name); !may {
			t.Errorf("%q doesn't stand for itself", name)
		}
		for i, c := range name {
			after := name[i+utf8.RuneLen(c):]
			for _, p := range []string{name[:i] + "*" + name[i:], name[:i] + "?" + after, name[:i] + "*"} {
				if may, _ := shell.StandsFor(p, name); !may {
					t.Errorf("%q doesn't stand for %q", p, name)
				}
			}
		}
		names.Meant(pattern, free)
	})
}
