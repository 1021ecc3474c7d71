package luapattern_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/luahook/luahook/luabind/luapattern"
)

// mostSteps is what may be done before the meter is told, beside a stretch of
// searching (16 KiB at four bytes a step).
const mostSteps = 1024 + 16<<10/4

// FuzzPattern runs any bytes: nothing panics, matches lie within the subject, and the
// meter is told of all work in time. The seed writes a pattern that Go's regexp can
// read as well, and the two must agree about it.
func FuzzPattern(f *testing.F) {
	for _, c := range []struct{ pattern, subject string }{
		{"(.-)%s*$", "ab  "}, {"%b()", "(())"}, {"%f[%w]%w+", " ab"}, {"([^,]*),%1", "a,a"},
		{"[a-%%]", "]"}, {"[^%z]-()", "\x00"}, {strings.Repeat("a?", 20) + strings.Repeat("a", 20), strings.Repeat("a", 20)},
	} {
		f.Add(c.pattern, c.subject, uint64(len(c.pattern)))
	}
	f.Fuzz(func(t *testing.T, pattern, subject string, seed uint64) {
		anyPattern(t, pattern, subject)
		agrees(t, seed)
	})
}

func anyPattern(t *testing.T, pattern, subject string) {
	meter := &steps{most: 200_000}
	defer func() {
		if r := recover(); r != nil && r != any(meter) {
			panic(r)
		}
		if most := mostSteps + len(pattern); meter.longest > most {
			t.Errorf("%q did %d steps in %q before it told, at most %d are allowed", pattern, meter.longest, subject, most)
		}
	}()
	p, err := luapattern.Compile(pattern, true, meter)
	if err != nil {
		return
	}
	var m luapattern.Match
	for from := 0; from <= len(subject) && p.Find(&m, subject, from, meter); from = max(m.End, from+1) {
		if m.Start < from || m.End < m.Start || m.End > len(subject) {
			t.Fatalf("%q from %d in %q matches %d to %d", pattern, from, subject, m.Start, m.End)
		}
		for i := range p.Captures() {
			start, end := m.Capture(i)
			if start < m.Start || start > m.End || !p.IsPosition(i) && (end < start || end > m.End) {
				t.Fatalf("%q in %q: capture %d is %d to %d of %d to %d", pattern, subject, i, start, end, m.Start, m.End)
			}
		}
	}
}

// TestAgreesWithRegexp holds patterns that Go's regexp can read as well against it.
// Both try the ways in the same order: the first way that works is the match.
func TestAgreesWithRegexp(t *testing.T) {
	for seed := range uint64(30_000) {
		agrees(t, seed)
		if t.Failed() {
			return
		}
	}
}

func agrees(t *testing.T, seed uint64) {
	random := rand.New(rand.NewPCG(seed, 1))
	lua, re := writePattern(random)
	subject := writeSubject(random)
	meter := &steps{most: 2_000_000}
	p, err := luapattern.Compile(lua, true, meter)
	if err != nil {
		t.Fatalf("%q (regexp %q): %s", lua, re, err)
	}
	defer func() {
		if r := recover(); r != nil && r != any(meter) {
			panic(r)
		}
	}()
	var m luapattern.Match
	got, want := "nil", "nil"
	if p.Find(&m, subject, 0, meter) {
		got = show(p, &m, subject)
	}
	if loc := regexp.MustCompile(re).FindStringSubmatchIndex(subject); loc != nil {
		want = showSubmatches(loc, subject)
	}
	if got != want {
		t.Errorf("%q in %q: %s; the regexp %q says %s", lua, subject, got, re, want)
	}
}

func showSubmatches(loc []int, subject string) string {
	out := fmt.Sprintf("%d,%d", loc[0]+1, loc[1])
	for i := 2; i < len(loc); i += 2 {
		out += fmt.Sprintf(" %q", subject[loc[i]:loc[i+1]])
	}
	return out
}

// writePattern writes the same pattern for Lua and for Go.
func writePattern(random *rand.Rand) (lua, re string) {
	items := [][2]string{
		{"a", "a"}, {"b", "b"}, {"c", "c"}, {".", "."}, {"%d", `\d`}, {"%D", `\D`}, {"%.", `\.`},
		{"%a", "[A-Za-z]"}, {"%w", "[0-9A-Za-z]"}, {"%s", `[\s\v]`}, {"%u", "[A-Z]"}, {"%p", "[[:punct:]]"},
		{"[ab]", "[ab]"}, {"[^ab]", "[^ab]"}, {"[a-c]", "[a-c]"}, {"[%d_]", `[\d_]`}, {"[^%s]", `[^\s\v]`}, {"[]a]", `[\]a]`},
	}
	repeats := [][2]string{{"", ""}, {"", ""}, {"*", "*"}, {"+", "+"}, {"-", "*?"}, {"?", "?"}}
	re = "(?s)"
	if random.IntN(4) == 0 {
		lua, re = "^", re+"^"
	}
	open := 0
	for range 1 + random.IntN(8) {
		switch random.IntN(8) {
		case 0:
			lua, re = lua+"(", re+"("
			open++
		case 1:
			if open > 0 {
				lua, re = lua+")", re+")"
				open--
			}
		}
		item, repeat := items[random.IntN(len(items))], repeats[random.IntN(len(repeats))]
		lua += item[0] + repeat[0]
		re += item[1] + repeat[1]
	}
	lua += strings.Repeat(")", open)
	re += strings.Repeat(")", open)
	if random.IntN(4) == 0 {
		lua, re = lua+"$", re+"$"
	}
	return lua, re
}

func writeSubject(random *rand.Rand) string {
	const letters = "aaaabbbccc.1_ A\n]-"
	b := make([]byte, random.IntN(20))
	for i := range b {
		b[i] = letters[random.IntN(len(letters))]
	}
	return string(b)
}
