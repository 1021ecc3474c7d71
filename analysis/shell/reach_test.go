package shell

import (
	"strings"
	"testing"
)

// What the paths of a line reach, as cmd:files() and tool_call.files have it. A path that is
// only read isn't listed here.
func TestReach(t *testing.T) {
	for text, want := range map[string]string{
		"rm x":                            "/w/x",
		"rm -r x":                         "/w/x /w/x/",
		"mv a b/ c":                       "/w/c /w/c/a/ /w/c/b/ /w/a /w/a/ /w/b /w/b/",
		"cp a /y/b c":                     "/w/c /w/c/a /w/c/b",
		"cp -r a/. b/ c":                  "/w/c /w/c/*?/ /w/c/*?/",
		"cp *.go $x c":                    "/w/c /w/c/*.go /w/c/*?",
		"cp -T a c":                       "/w/c",
		"rsync -a h:a/b c":                "/w/c /w/c/b/",
		"rm -r a[bc]/*":                   "/w/a[bc]/* /w/a*/* /w/a*/*/",
		"rm -r @(a|b)":                    "/w/@(a|b) /w/* /w/*/",
		"find a -delete":                  "/w/a /w/a/",
		"find a b -name '*.[ch]' -delete": "/w/a /w/a/**/*.* /w/b /w/b/**/*.*",
		"find a -maxdepth 1 -name x -exec rm {} +": "/w/a/x",
		"find a -name x -exec rm -r {} +":          "/w/a/**/x /w/a/**/x/",
		"find a -type f | xargs sed -i s/a/b/":     "/w/a /w/a/",
		"grep -rl x a b | xargs rm":                "/w/a /w/a/**/?* /w/b /w/b/**/?*",
		"cat l | xargs -I{} rm a/{}":               "/w/a/**/?*",
		`rm "$x"`:                                  "",
		`find . -exec rm "$x" \;`:                  "",
		"tar -C a -xf b c/d":                       "/w/a /w/a/c/d /w/a/c/d/",
		"tar -C a --strip-components=1 -xf b c/d":  "/w/a /w/a/*?/",
		"git -C a rm b":                            "/w/a/b /w/a/b/",
		"git rm --cached b":                        "",
		"git clean":                                "/w /w/",
		"git clean -n":                             "",
		"git --work-tree=a checkout -- b":          "/w/a/b /w/a/b/",
		"git --work-tree=.. checkout -- b":         "/w/b /w/b/",
		"git stash push -- a":                      "/w/a /w/a/",
		"git checkout -- ':(top)a' ':!b' :/c":      "/w/a /w/a/ /w/c /w/c/",
		"git-rm a":                                 "/w/a /w/a/",
		"CDPATH=/a:b; cd c; rm -r d":               "/a/c/d /a/c/d/ /w/b/c/d /w/b/c/d/ /w/c/d /w/c/d/",
		"CDPATH=/a cd c && cd e && touch d":        "/a/c/e/d /w/c/e/d",
		"CDPATH=$x cd c && touch d":                "",
		"patch -d a <<<'+++ b/x'":                  "/w/a /w/a/x",
		"patch -d a < b":                           "/w/a /w/a/*?/",
	} {
		line := Parse(text, Options{Cwd: "/w", Home: "/home/kim"})
		var got []string
		for _, c := range line.Commands {
			for _, writes := range []bool{true, false} {
				for _, p := range c.Paths() {
					if p.Access == Write == writes && p.Access != Read && (c.Name != "rm" || c.Parent == nil || c.Parent.Name != "find" || c.Via[len(c.Via)-1] != "find -delete") {
						got = append(got, p.Reach()...)
					}
				}
			}
		}
		if got := strings.Join(got, " "); got != want {
			t.Errorf("%s\n\treaches %s\n\twant    %s", text, got, want)
		}
	}
}

// What is noted of a command doesn't grow with the product of its words, and what many
// commands are piped into doesn't look at each again and again.
func TestReachIsBounded(t *testing.T) {
	sources := strings.Repeat("abcdefgh ", 2000)
	for _, text := range []string{
		"cp -r " + sources[:9*900] + "/" + strings.Repeat("d", 2000),
		"cp -r -t" + strings.Repeat(" a -t ", 500) + "b " + sources,
		"ls " + sources[:3600] + " | xargs cp " + strings.Repeat("{} ", 2000),
		"CDPATH=" + strings.Repeat("a:", 90) + "; cd x; cp -r " + sources[:9*150] + "y",
		"CDPATH=" + strings.Repeat("a:", 100000) + "; cd x; rm -r " + sources,
	} {
		size := 0
		for _, c := range Parse(text, Options{Cwd: "/w"}).Commands {
			for _, p := range c.Paths() {
				for _, reach := range p.Reach() {
					size += len(reach)
				}
			}
		}
		if most := 40 * len(text); size > most {
			t.Errorf("%.40s...: %d bytes are reached by a line of %d", text, size, len(text))
		}
	}
	line := Parse("ls "+sources+"| xargs rm", Options{Cwd: "/w"})
	if got := line.Commands[len(line.Commands)-1].Parent.finds(); got != nil {
		t.Errorf("a command of %d bytes is looked at by each that it is piped into", len(sources))
	}
}
