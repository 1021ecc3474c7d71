package shell

import (
	"strings"
	"testing"
)

func TestFilters(t *testing.T) {
	checkRuns(t, []struct{ text, want string }{
		// What is written is known.
		{`printf 'rm a\nrm b\nrm c\n' > x; head -1 x | sh`, "head -1 x; rm a"},
		{`printf 'rm a\nrm b\nrm c\n' | head -n 2 | sh`, "head -n 2; rm a; rm b"},
		{`printf 'rm a\nrm b\nrm c\n' | head -n -2 | sh`, "head -n -2; rm a"},
		{`printf 'rm a\nrm b\nrm c\n' > x; tail -n1 x | sh`, "tail -n1 x; rm c"},
		{`printf 'rm a\nrm b\nrm c\n' | tail -n +2 | sh`, "tail -n +2; rm b; rm c"},
		{`printf 'rm a\nrm b\n' | tail -c 5 | sh`, "tail -c 5; rm b"},
		{`printf 'rm a\nrm b\n' > x; tac x | sh`, "tac x; rm b; rm a"},
		{`printf 'rm a\nrm a\n' > x; uniq x | sh`, "uniq x; rm a"},
		{`printf 'rm a\nrm b\n' > x; sort -r x | sh`, "sort -r x; rm a; rm b"},
		{`printf 'a\nb\n' > x; sort x | xargs rm`, "sort x; rm a b"},
		{`printf 'x\nrm b\n' > x; grep rm x | sh`, "grep rm x; rm b"},
		{`printf 'x\nrm b\n' | grep -v '^x' | sh`, "grep -v ^x; rm b"},
		{`printf 'x: rm b\n' | grep -o 'rm.*' | sh`, `grep -o "rm.*"; rm b`},
		{`printf '# rm b\n' > x; sed 's/^# *//' x | sh`, `sed "s/^# *//" x; rm b`},
		{`echo 'xx y' | sed -e 's/x\(x\)/rm/' -e 's/ \(.\)/ -f \1/' | sh`, `sed -e "s/x\\(x\\)/rm/" -e "s/ \\(.\\)/ -f \\1/"; rm -f y`},
		{`echo 'a(b)+c' | sed -E 's/a\(b\)\+(.)/rm \1/' | sh`, `sed -E "s/a\\(b\\)\\+(.)/rm \\1/"; rm c`},
		{`echo 'a b' | sed 's/.*/rm &/;s|b|/c|' | sh`, `sed "s/.*/rm &/;s|b|/c|"; rm a /c`},
		{`echo 'rm b' > x; tee y < x | sh; sh y`, "rm b; rm b"},

		// Or only what is read.
		{`printf 'rm a' > x; sed -n 1p x | sh`, "sed -n 1p x; ?rm a; rm a"},
		{`printf 'rm a;rm b' > x; awk 'NR==1' x | sh`, "awk NR==1 x; ?rm a;rm b; rm a; rm b"},
		{`printf 'rm a;rm b' | sort -m | sh`, "sort -m; ?rm a;rm b; rm a; rm b"},
		{`cat <(printf 'rm a') | grep -f p | sh`, "grep -f p; ?rm a; rm a"},
		{`printf 'rm a;rm %s' "$x" | sort | sh`, "sort; ?rm a;rm {}; rm a; rm {}"},
		{`grep x f | sh`, "grep x f; ?"},
		{`x=$(printf 'rm a;rm b' | sed -n 1p); rm $x`, `sed -n 1p; rm "$(printf 'rm a;rm b' | sed -n 1p)"*`},

		// What sed runs.
		{`sed 's/.*/rm -rf ~/e' README.md`, `sed "s/.*/rm -rf ~/e" README.md; rm -rf /home/me`},
		{`sed 's/^/rm -rf /e' list`, `sed "s/^/rm -rf /e" list; ?rm -rf {}; rm -rf {}*`},
		{`sed -E 's/(.*)/rm -f \1/e' list`, `sed -E "s/(.*)/rm -f \\1/e" list; ?rm -f {}; rm -f {}*`},
		{`echo 'rm -rf ~' | sed e`, "sed e; rm -rf /home/me"},
		{`echo 'xx -rf y' | sed 's/xx/rm/e'`, "sed s/xx/rm/e; rm -rf y"},
		{`sed e list`, "sed e list; ?$LINE"},
		{`sed 's/x/&/e' list`, "sed s/x/&/e list; ?$LINE"},
		{`sed 's/rm -rf x/echo/' list`, `sed "s/rm -rf x/echo/" list`},
	})
}

// TestCommandsOfNames is about commands that are made of the names of files.
func TestCommandsOfNames(t *testing.T) {
	checkRuns(t, []struct{ text, want string }{
		{`echo rm -rf * | sh`, "rm -rf *"},
		{`echo rm -rf * > x; sh x`, "rm -rf *"},

		{`rm $(echo *.o)`, `rm "$(echo *.o)"*`},
		{`echo *.o | xargs rm`, "rm {}*"},
		{`echo * | while read -r f; do rm $f; done`, "rm $f*"},
		{`ls | sed 's/x/y/' | xargs rm`, "ls; sed s/x/y/; rm {}*"},
		{`printf '%s\n' *.o | xargs rm`, "rm {}*"},
		{`find . -printf '%p\n' | xargs rm`, "rm {}*"},
	})
	for _, text := range []string{
		`ls -A | sed 's/^/rm -rf /' | sh`,
		`ls | sed 's/.*/rm "&"/' | sh`,
		`ls | sed -E 's/(.+)/rm \1/;s/$/ x/' | sh`,
		`find . -printf 'rm -rf "%p"\n' | sh`,
		`find . -name '*.o' -printf 'rm %f\n' > x; sh x`,
		`printf 'rm -rf "%s"\n' .[!.]* | bash`,
		`printf 'rm -rf %s\n' * | bash`,
	} {
		if got := showRuns(Parse(text, Options{Cwd: "/work"})); !strings.Contains(got, "{}") || !strings.Contains(got, "; rm ") {
			t.Errorf("%s: runs %s", text, got)
		}
	}
}
