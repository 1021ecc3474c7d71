package lib

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/luahook/luahook/luabind"
)

// TestIndexOfFiles: which lines there is something to do for, because of the files that they change.
func TestIndexOfFiles(t *testing.T) {
	modules := append(Modules(), RulesModule(), PatternsModule())
	if err := run(t, modules, RulesModule().Functions[0].Example, wide); err != nil {
		t.Error(err)
	}
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
		source := fmt.Sprintf(`local index = rules.index({ " on:file " }, { readers = "cat ls sort uniq cp mv rm touch", starts = "", marks = ".env ^/etc", joins = "cp" }, { "/work/hooks" })
			local _, todo = index:parse(%q, "/work", nil, nil, patterns.names{})
			assert((todo ~= nil) == %v, todo and table.concat({ unpack(todo, 2) }, " ") or "nothing to do")`, c.line, c.want)
		if err := run(t, modules, source, wide); err != nil {
			t.Errorf("%s: %v", c.line, err)
		}
	}
	// Of a command by itself it isn't known what else is in its pipeline, and where its files are; and nobody writes all words of an index wrongly.
	for source, want := range map[string]string{
		`local index = rules.index({ " on:file " }, { readers = "sort", starts = "", marks = ".env", joins = "" }, {})
			assert(index:tags(shell.parse("sort b > a").commands[1])[1] == "do:files")
			assert(index:tags(shell.parse("sort b >> a").commands[1])[1] == "do:files")
			assert(not index:parse("sort b >> a", "/none"))`: "",
		`local index = rules.index({ " on:file on:reading " }, { readers = "cat", starts = "", marks = "x", joins = "" }, {})
			assert(index:parse("cat a"))`: "",
		`rules.index({}, { mark = "x" }, {})`: `unknown option mark; did you mean "marks"?`,
		`rules.index({}, {}, { 1, {} })`:      "string expected",
	} {
		if err := run(t, modules, source, wide); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s\n%v, want %q", source, err, want)
		}
	}
}

// TestMarksAreCharged: a path is compared with all marks only within the budget.
func TestMarksAreCharged(t *testing.T) {
	source := fmt.Sprintf(`local index = rules.index({}, { marks = ("xy "):rep(1000) }, {}) index:parse(%q)`, strings.Repeat("touch a;", 5000))
	few := luabind.Limits{Instructions: 1_000_000, Memory: 1 << 30, Timeout: wide.Timeout}
	if err := run(t, append(Modules(), RulesModule()), source, few); err == nil || !strings.Contains(err.Error(), "instructions") {
		t.Errorf("got %v, want that the instructions are used up", err)
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
		holdTags(t, " needs:luahook needs:endless needs:committed ", "", c.line, "^needs:", c.want)
	}
}

// holdTags checks which of the tags of a line, those that are like a pattern, an index of some tags gives.
func holdTags(t *testing.T, index, readers, line, like, want string) {
	t.Helper()
	source := fmt.Sprintf(`local index = rules.index({ %q }, { readers = %q, starts = "", marks = "", joins = "" }, {})
		local _, todo = index:parse(%q, "/work")
		local tags = {}
		for _, tag in ipairs(todo or {}) do
			if type(tag) == "string" and tag:find(%q) then tags[#tags + 1] = tag end
		end
		assert(table.concat(tags, " ") == %q, table.concat(tags, " "))`, index, readers, line, like, want)
	if err := run(t, append(Modules(), RulesModule()), source, wide); err != nil {
		t.Errorf("%s: %v", line, err)
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
	dir := folder(t)
	files(t, dir, map[string]string{"src/a": "", "b": ""})
	link(t, "/", filepath.Join(dir, "root"))
	link(t, filepath.Join(dir, "b"), filepath.Join(dir, "src", "c"))
	for line, want := range map[string]bool{
		"echo > src/a": false, "echo > src/new": false, "echo > new/new": false, "echo > b": false, "echo > /none/root/x": false,
		"echo > root/x": true, "echo > root/a/b/c": true, "echo > src/c": true, "cd src && echo > c": true, "tee root < b": true,
	} {
		source := fmt.Sprintf(`local index = rules.index({ " on:file " }, { readers = "echo tee", starts = "", marks = "", joins = "" }, {})
			assert((index:parse(%q, %q) ~= nil) == %v)`, line, filepath.ToSlash(dir), want)
		if err := run(t, append(Modules(), RulesModule()), source, wide); err != nil {
			t.Errorf("%s: %v", line, err)
		}
	}
}
