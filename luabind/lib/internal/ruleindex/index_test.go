package ruleindex

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/luahook/luahook/analysis/shell"
)

// free pays nothing.
type free struct{}

func (free) Spend(int)            {}
func (free) Paths(*shell.Command) {}

// tagsOf lists the tags of all commands of a line.
func (x *Index) tagsOf(text, cwd string) (tags []string) {
	commands := shell.Parse(text, shell.Options{Cwd: cwd}).Commands
	line := NewLine(commands, cwd)
	for _, command := range commands {
		tags = x.AppendTags(tags, command, line, free{})
	}
	return tags
}

// TestIndexOfFiles: which lines there is something to do for, because of the files that they change.
func TestIndexOfFiles(t *testing.T) {
	index := New([]string{" on:file "}, Words{Readers: "cat ls sort uniq cp mv rm touch", Marks: ".env ^/etc", Joins: "cp"}, []string{"/work/hooks"})
	for _, c := range []struct {
		line string
		want bool
	}{
		{"ls > out.txt", false}, {"ls > .env", true}, {"ls > a/.ENV.local", true},
		{"ls > /etc/x", true}, {"ls > etc/x", false}, {"ls > /dev/null", false},
		{"ls > hooks", true}, {"ls > hooks2", false},
		{"ls > $x", true}, {"touch *.txt", true}, {"rm out.txt", true}, {"mv a b", true},
		{"cp .env out", true}, {"cp a/.env out", true}, {"cat .env > out", false}, {"cp a out", false},
		{"cp x/hooks /work", true}, {"cp etc /", true}, {"touch .env", true}, {"cat .env", false},
		{"sort a > a", true}, {"sort < a > a", true}, {"sort a >> a", false}, {"sort a &> a", true}, {"sort a >| a", true},
		{"cat a | sort | uniq > a", true}, {"cat a | sort > b", false}, {"cat a; sort b > a", false}, {"cat a | sort; sort b > a", false},
		{"sort b > a | cat a | sort c > d", true},
		{"touch " + strings.Repeat("a", maxUnmarked-len("/work/")), false},
		{"touch " + strings.Repeat("a", maxUnmarked+1-len("/work/")), true},
	} {
		if tags := index.tagsOf(c.line, "/work"); (len(tags) > 0) != c.want {
			t.Errorf("%s: %v", c.line, tags)
		}
	}
}

// TestIndexOfNeeds: which rules are found by what a command is given, and what else is in its line.
func TestIndexOfNeeds(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"rm a", ""}, {"rm $(which luahook)", "needs:luahook needs:luahook"}, {"rm /usr/bin/luahook", "needs:luahook"}, {"tee < luahook", "needs:luahook"},
		{"cat /dev/zero", "needs:endless"}, {"dd if=/dev/urandom", "needs:endless"}, {"cat < /dev/random", "needs:endless"}, {"cat a", ""},
		{"cp a b; git status", ""}, {"git show HEAD:a; cp a b", "needs:committed needs:committed"}, {"git show HEAD; cp a b", ""},
		{"ls | GIT show a:b", "needs:committed needs:committed"},
	} {
		holdTags(t, " needs:luahook needs:endless needs:committed ", "", c.line, "needs:", c.want)
	}
}

// holdTags checks which of the tags of a line, those that a text stands in, an index of some tags gives.
func holdTags(t *testing.T, tags, readers, line, within, want string) {
	t.Helper()
	got := New([]string{tags}, Words{Readers: readers}, nil).tagsOf(line, "/work")
	got = slices.DeleteFunc(got, func(tag string) bool { return !strings.Contains(tag, within) })
	if strings.Join(got, " ") != want {
		t.Errorf("%s: %q, want %q", line, got, want)
	}
}

// TestIndexOfConditions: a rule that asks for more than a name is found where that is there, or may be.
func TestIndexOfConditions(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"npm test", ""}, {"npm install $(cat a)", "npm/told"}, {"npm \"$X\"", ""},
		{"redis-cli get a", ""}, {"echo a | redis-cli", "redis-cli/fed"}, {"redis-cli < a", "redis-cli/fed"}, {"redis-cli $(cat a)", "redis-cli/fed"},
		{"python a/b-1.py x@y:z", ""}, {"python -c 'a b'", "python/script"}, {"python $X", "python/script"}, {"python <<< a", "python/script"},
		{"curl -s https://x.example/a", ""}, {"curl -d @a x", "curl/sends"}, {"curl -T a x", "curl/sends"}, {"curl x > a", "curl/sends"},
		{"curl -H $X y", "curl/sends"}, {"find . -exec curl x ;", "curl/sends"}, {"curl --config a", "curl/sends"}, {"curl -sT a x", "curl/sends"}, {"curl --upload a x", "curl/sends"}, {"curl -fsSL x", ""}, {"curl -so - x", ""},
		{"ruby -c m", ""}, {"ruby -m a", "ruby/module"}, {"cp -rf a b", ""}, {"cp -al a b", "cp/links"}, {"cp $X b", "cp/links"},
		{"cp a //nas/b", "cp/share"}, {`cp a '\\nas\b'`, "cp/share"}, {"cp a /b//c", ""}, {`cp a '\\?\C:\b'`, ""}, {"cp -al a //nas/b", "cp/links cp/share"},
		{"npx vitest run", ""}, {"npx a/b", "npx/address"}, {"npx git:x", "npx/address"}, {"npx $X", "npx/address"},
		{"bash a", ""}, {"sudo bash a", "bash/run"}, {"ls | xargs bash", "bash/run"},
		{"git add a", ""}, {"git add a; git push o b", "git:add/pushed"}, {"git add a; GIT PUSH o b", "git:add/pushed"},
		{"git stash", ""}, {"git stash drop", "git:stash/loses"}, {"git push o b", ""}, {"git push", "git:push/loses"}, {"git push origin", "git:push/loses"}, {"git push o +b", "git:push/loses"},
		{"git push -f o b", "git:push/loses"}, {"git commit -m x", ""}, {"git commit -n -m x", "git:commit/unhooked"}, {"HUSKY=0 git commit", "git:commit/unhooked"},
	} {
		holdTags(t, " npm/told redis-cli/fed python/script curl/sends ruby/module cp/links cp/share npx/address bash/run git:add/pushed git:stash/loses git:push/loses git:commit/unhooked ",
			"npm redis-cli python curl ruby cp npx bash git xargs sudo find", c.line, "/", c.want)
	}
}

// TestMarkIndex compares it with looking for each text.
func TestMarkIndex(t *testing.T) {
	marks := []string{"~", ".env", ".e", "\\", "a", "zz", "\xff", "etc/", "id_"}
	m := indexMarks(slices.Clone(marks))
	for _, text := range []string{"", "x", ".en", ".env", "x/.ex", "b~", "a", "z", "zzz", "\xff", "c:\\x", "etc", "/etc/y", "ba", "grid_1", "i", "\xfe\xff"} {
		want := slices.ContainsFunc(marks, func(mark string) bool { return strings.Contains(text, mark) })
		if m.in(text) != want {
			t.Errorf("a mark is in %q: %v", text, !want)
		}
	}
}

// TestIndexOfLinks: a file that a link of the project leads to is looked at.
func TestIndexOfLinks(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "src"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, target := range map[string]string{"root": "/", "src/c": filepath.Join(dir, "b")} {
		if err := os.Symlink(target, filepath.Join(dir, filepath.FromSlash(name))); err != nil {
			if runtime.GOOS == "windows" {
				t.Skip("no links: ", err)
			}
			t.Fatal(err)
		}
	}
	index := New([]string{" on:file "}, Words{Readers: "echo tee"}, nil)
	for line, want := range map[string]bool{
		"echo > src/a": false, "echo > src/new": false, "echo > new/new": false, "echo > b": false, "echo > /none/root/x": false,
		"echo > root/x": true, "echo > root/a/b/c": true, "echo > src/c": true, "cd src && echo > c": true, "tee root < b": true,
	} {
		if tags := index.tagsOf(line, filepath.ToSlash(dir)); (len(tags) > 0) != want {
			t.Errorf("%s: %v", line, tags)
		}
	}
}
