package luatest_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/luahook/luahook/luatest"
)

// The lines of three files agree with a count made by hand: each line says at its end whether it
// has run (--+), hasn't (--!), or doesn't count.
func TestCoverageAgreesWithACountByHand(t *testing.T) {
	r, err := luatest.Run(t.Context(), luatest.Options{Paths: []string{"testdata/coverage"}, Coverage: true})
	if err != nil {
		t.Fatal(err)
	}
	passes(t, r)
	if len(r.Coverage) != 3 {
		t.Fatalf("got %d files, want 3", len(r.Coverage))
	}
	for _, c := range r.Coverage {
		text, err := os.ReadFile(c.Path)
		if err != nil {
			t.Fatal(err)
		}
		ran := map[int]bool{}
		for _, line := range c.Counted {
			ran[line.Number] = line.Ran
		}
		lines, covered := 0, 0
		for i, line := range strings.Split(string(text), "\n") {
			got, counts := ran[i+1]
			want := strings.HasSuffix(line, "--+")
			if want || strings.HasSuffix(line, "--!") {
				lines++
				if want {
					covered++
				}
				if !counts || got != want {
					t.Errorf("%s:%d: counts %v, has run %v, want %v: %s", c.Path, i+1, counts, got, want, line)
				}
			} else if counts {
				t.Errorf("%s:%d counts: %s", c.Path, i+1, line)
			}
		}
		if c.Lines != lines || c.Covered != covered {
			t.Errorf("%s: %d of %d lines, by hand %d of %d", c.Path, c.Covered, c.Lines, covered, lines)
		}
	}
	if got := fmt.Sprint(r.Coverage[0].Missed); got != "[19 21 28-30 44 48]" {
		t.Errorf("missed %s", got)
	}
}

// Files that no test touches are there with nothing covered, libraries too, and what only tests
// of a library run counts.
func TestCoverageOfAllFiles(t *testing.T) {
	dir := projectOf(t, files{
		".hooks/a.lua":          "on('pre_tool_call', { match = 'bash' }, function(ev)\n  local x = 1\nend)",
		".hooks/b.lua":          "on('stop', function(ev)\n  local x = 1\nend)",
		".hooks/lib/used.lua":   "return {\n  f = function()\n    return 1\n  end,\n  g = function()\n    return 1\n  end,\n}",
		".hooks/lib/unused.lua": "local x = 1\nreturn x",
		".hooks/a_test.lua":     "test('x', function() fire('pre_tool_call', 'ls') expect(require('used').f()):is(1) end)",
	})
	r, err := luatest.Run(t.Context(), luatest.Options{Dir: dir, Coverage: true, Parallel: 4})
	if err != nil {
		t.Fatal(err)
	}
	passes(t, r)
	got := ""
	for _, c := range r.Coverage {
		got += fmt.Sprintf("%s %d/%d\n", c.Path, c.Covered, c.Lines)
	}
	if want := ".hooks/a.lua 2/2\n.hooks/b.lua 1/2\n.hooks/lib/unused.lua 0/2\n.hooks/lib/used.lua 4/5\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	var b strings.Builder
	if err := r.WriteLCOV(&b); err != nil {
		t.Fatal(err)
	}
	if want := "TN:\nSF:.hooks/lib/unused.lua\nDA:1,0\nDA:2,0\nLF:2\nLH:0\nend_of_record\n"; !strings.Contains(b.String(), want) {
		t.Errorf("LCOV lacks %q:\n%s", want, b.String())
	}
}

// What is watched has the tests run again, and the end of the context ends it.
func TestWatch(t *testing.T) {
	dir := projectOf(t, files{".hooks/a_test.lua": "test('x', function() end)"})
	ctx, cancel := contextOf(t)
	times := 0
	err := luatest.Watch(ctx, luatest.Options{Dir: dir}, func([]string) {
		switch times++; times {
		case 1, 2: // while it runs, which counts
			if err := os.WriteFile(filepath.Join(dir, ".hooks", "a_test.lua"), fmt.Appendf(nil, "-- %d", times), 0o644); err != nil {
				t.Error(err)
			}
		default:
			cancel()
		}
	})
	if err != nil || times != 3 {
		t.Errorf("ran %d times, %v", times, err)
	}
}

func BenchmarkHundredFiles(b *testing.B) {
	content := files{}
	for i := range 100 {
		content[fmt.Sprintf(".hooks/h%d.lua", i)] = fmt.Sprintf("-- denies: tool%d --force\n-- passes: tool%d\n"+
			"on('pre_tool_call', { match = 'bash' }, function(ev)\n  if ev.tool_call.command:find('tool%d --force', 1, true) then return deny('no force') end\nend)\n", i, i, i)
		content[fmt.Sprintf(".hooks/h%d_test.lua", i)] = fmt.Sprintf("test('force', function() expect(fire('pre_tool_call', 'tool%d --force').reason):is('no force') end)\n"+
			"test('not', function() expect(fire('pre_tool_call', 'tool%d').decision):is('') end)\ntest('other', function() expect(fire('pre_prompt', { prompt = 'x' }).decision):is('') end)\n", i, i)
	}
	dir := projectOf(b, content)
	for b.Loop() {
		r, err := luatest.Run(b.Context(), luatest.Options{Dir: dir})
		if err != nil || r.Passed != 500 {
			b.Fatal(err, r)
		}
	}
}

// Where files are named, they alone count, also by their tests; tests that are of no file count for all.
func TestCoverageOfNamedFiles(t *testing.T) {
	dir := projectOf(t, files{
		".hooks/a.lua":         "-- passes: ls\nlocal a = 1",
		".hooks/b.lua":         "-- passes: ls\nlocal b = 1",
		".hooks/lib/c.lua":     "return {}",
		".hooks/b_test.lua":    "test('b', function() fire('stop') end)",
		".hooks/both_test.lua": "test('both', function() fire('stop') end)",
	})
	for path, want := range map[string]string{
		".hooks/a.lua":         "[.hooks/a.lua]",
		"./.hooks//b_test.lua": "[.hooks/b.lua]",
		".hooks/both_test.lua": "[.hooks/a.lua .hooks/b.lua .hooks/lib/c.lua]",
		".hooks":               "[.hooks/a.lua .hooks/b.lua .hooks/lib/c.lua]",
		dir + "/.hooks/a.lua":  "[.hooks/a.lua]",
	} {
		r, err := luatest.Run(t.Context(), luatest.Options{Dir: dir, Paths: []string{path}, Coverage: true})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, c := range r.Coverage {
			got = append(got, c.Path)
		}
		if fmt.Sprint(got) != want {
			t.Errorf("%s: got %v, want %s", path, got, want)
		}
	}
}
