package luapattern_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/luahook/luahook/luabind/luapattern"
)

// steps is a meter that counts, and panics with itself when more than most are done.
type steps struct {
	done, most, longest int
}

func (s *steps) Step(n int) {
	s.done += n
	s.longest = max(s.longest, n)
	if s.most > 0 && s.done > s.most {
		panic(s)
	}
}

// find is what string.find gives for a subject: "start,end" from 1, then the captures;
// "nil" where there is no match, and the error's text where there is one.
func find(pattern, subject string, from int) string {
	return findWith(&luapattern.Match{}, pattern, subject, from)
}

func findWith(m *luapattern.Match, pattern, subject string, from int) string {
	meter := &steps{}
	p, err := luapattern.Compile(pattern, true, meter)
	if err != nil {
		return err.Error()
	}
	if !p.Find(m, subject, from, meter) {
		return "nil"
	}
	return show(p, m, subject)
}

func show(p *luapattern.Pattern, m *luapattern.Match, subject string) string {
	out := fmt.Sprintf("%d,%d", m.Start+1, m.End)
	for i := range p.Captures() {
		start, end := m.Capture(i)
		if p.IsPosition(i) {
			out += fmt.Sprintf(" @%d", start+1)
		} else {
			out += fmt.Sprintf(" %q", subject[start:end])
		}
	}
	return out
}

// The expectations are those of Lua 5.1.
func TestFind(t *testing.T) {
	for _, c := range []struct{ pattern, subject, want string }{
		// Literals and where matches begin.
		{"", "", "1,0"},
		{"", "abc", "1,0"},
		{"b", "abc", "2,2"},
		{"bc", "abc", "2,3"},
		{"abcd", "abc", "nil"},
		{"x", "", "nil"},
		{"^b", "abc", "nil"},
		{"^a", "abc", "1,1"},
		{"a^", "a^", "1,2"},
		{"^^a", "^a", "1,2"},
		{"a^b", "xa^b", "2,4"},
		{"c$", "abc", "3,3"},
		{"b$", "abc", "nil"},
		{"$", "abc", "4,3"},
		{"^$", "", "1,0"},
		{"$$", "a$", "2,2"},
		{"a$b", "a$b", "1,3"},
		{"a\x00b", "xa\x00b", "2,4"},
		{"]", "a]", "2,2"},
		// Escapes.
		{"%.", "a.b", "2,2"},
		{"%%", "a%b", "2,2"},
		{"%-%-force", "git push --force", "10,16"},
		{"%g", "xg", "2,2"},
		{"%[%]", "a[]", "2,3"},
		// Classes.
		{"%a+", "12ab3", "3,4"},
		{"%A+", "ab12c", "3,4"},
		{"%d+", "ab12c", "3,4"},
		{"%D", "12a", "3,3"},
		{"%s+", "a \t\n\v\f\rb", "2,7"},
		{"%S", " \na", "3,3"},
		{"%l", "ABc", "3,3"},
		{"%L", "abC", "3,3"},
		{"%u", "abC", "3,3"},
		{"%U", "ABc", "3,3"},
		{"%w+", "_a1_", "2,3"},
		{"%W+", "a_1", "2,2"},
		{"%x+", "xyzfF09g", "4,7"},
		{"%X", "fG", "2,2"},
		{"%p+", "a!/:@[`{~b", "2,9"},
		{"%P", "!a", "2,2"},
		{"%c", "a\x7f", "2,2"},
		{"%C", "\x1f ", "2,2"},
		{"%z", "a\x00", "2,2"},
		{"%Z", "\x00a", "2,2"},
		{"%a", "\xe9", "nil"},
		{".", "\n", "1,1"},
		{"..", "a", "nil"},
		// Sets.
		{"[abc]+", "xxcabx", "3,5"},
		{"[^abc]+", "abxyc", "3,4"},
		{"[a-c]+", "xabcd", "2,4"},
		{"[c-a]", "abc", "nil"},
		{"[%a_]+", "1a_b2", "2,4"},
		{"[%a-z]+", "-z1", "1,2"},
		{"[a-]+", "b-a-", "2,4"},
		{"[-a]+", "b-a-", "2,4"},
		{"[]]", "a]", "2,2"},
		{"[^]]", "]a", "2,2"},
		{"[]-a]+", "x^]_`ay", "2,6"},
		{"[%]]", "a]", "2,2"},
		{"[%^a]+", "b^a", "2,3"},
		{"[a^]+", "b^a", "2,3"},
		{"[^^]", "^a", "2,2"},
		{"[.]", "a.", "2,2"},
		{"[%.]", "a.", "2,2"},
		{"[a-%%]", "a]", "2,2"},
		{"[a%-z]+", "b-az", "2,4"},
		{"[\x80-\xff]+", "a\xe9\xff", "2,3"},
		{"[%W]", "a_", "2,2"},
		{"[^%W]", "_a", "2,2"},
		{"[[]", "a[", "2,2"},
		{"[a-c-e]+", "xa-e", "2,4"},
		// Repetitions.
		{"a*", "aaab", "1,3"},
		{"a*", "baaa", "1,0"},
		{"a+", "baaa", "2,4"},
		{"a-", "aaa", "1,0"},
		{"a-b", "aaab", "1,4"},
		{"a?b", "aab", "2,3"},
		{"a?", "b", "1,0"},
		{"aa?a?a", "aa", "1,2"},
		{".*b", "abab1", "1,4"},
		{".-b", "abab1", "1,2"},
		{".+b", "bb", "1,2"},
		{"^.-$", "abc", "1,3"},
		{"b.*b", "aabaaabaaabaaaba", "3,15"},
		{"b.-b", "aabaaabaaabaaaba", "3,7"},
		{"%S%S*", " \n isto e", "4,7"},
		{"[a-z]*$", "isto assim", "6,10"},
		{"a*a", "aaa", "1,3"},
		{"a*ab", "aaab", "1,4"},
		{"[ab]*b", "abba", "1,3"},
		{"[ab]*bc", "abbab", "nil"},
		{"a-a", "aa", "1,1"},
		{"[ab]-ba", "abba", "1,4"},
		{"x?x?x?xx", "xxx", "1,3"},
		{"*a", "*a", "1,2"},
		{"+", "a+", "2,2"},
		{"^*", "**", "1,1"},
		{"a**", "a*", "1,2"},
		{"a--", "a-", "1,2"},
		{"-", "a-", "2,2"},
		{"%d*%.%d+", "a12.5", "2,5"},
		{"%%+", "a%%", "2,3"},
		{"\\*", "a\\\\", "1,0"},
		{"[ab]?c", "bac", "2,3"},
		// Captures.
		{"(a)", "ba", "2,2 \"a\""},
		{"(.)(.)", "ab", "1,2 \"a\" \"b\""},
		{"((a)(b))", "ab", "1,2 \"ab\" \"a\" \"b\""},
		{"()a()", "ba", "2,2 @2 @3"},
		{"(%w+)=(%w*)", "x k=v", "3,5 \"k\" \"v\""},
		{"(a*(.)%w(%s*))", "aab ", "1,4 \"aab \" \"a\" \" \""},
		{"(.-)%s*$", "ab  ", "1,4 \"ab\""},
		{"^%s*(.-)%s*$", "  a b ", "1,6 \"a b\""},
		{"(()", "a", "unfinished capture"},
		{"(.+(.?)())", "0123", "1,4 \"0123\" \"\" @5"},
		{"(a)*", "a*", "1,2 \"a\""},
		{"()()()()()()", "", "1,0 @1 @1 @1 @1 @1 @1"},
		{"a(b?)(c-)d", "abccd", "1,5 \"b\" \"cc\""},
		// Back-references.
		{"(.)%1", "abba", "2,3 \"b\""},
		{"(..*) %1", "alo alx 123 b\x00o b\x00o", "13,19 \"b\\x00o\""},
		{"^(=*)=%1$", "=======", "1,7 \"===\""},
		{"^(=*)=%1$", "========", "nil"},
		{"([\"'])(.-)%1", `a 'b"c' d`, "3,7 \"'\" \"b\\\"c\""},
		{"()a%1", "aa", "nil"},
		{"(.)%1*", "a*aa*", "3,5 \"a\""},
		{"(.*)%1", "abab", "1,4 \"ab\""},
		{".*(.)%1", "aabbc", "1,4 \"b\""},
		{"(.*)=%1$", "xa=a", "2,4 \"a\""},
		{".+b", "ab", "1,2"},
		// Balanced pairs.
		{"%b()", "a(b(c)d)e)", "2,8"},
		{"%b()", "(()", "2,3"},
		{"%bxx", "axbxc", "2,4"},
		{"%b''", "alo 'oi' alo", "5,8"},
		{"f%b()$", "f(a)(b)", "nil"},
		{"%b()*", "()*", "1,3"},
		{"%b(", "x", "unbalanced pattern"},
		{"%b", "x", "unbalanced pattern"},
		// Frontiers.
		{"%f[%w]%w+", " ab ", "2,3"},
		{"%f[%w]", "", "nil"},
		{"%f[^%z]", "a", "1,0"},
		{"%f[%z]", "ab", "3,2"},
		{"%f[%s]", "ab c", "3,2"},
		{"%f[%S].-%f[%s].-%f[%S]", " alo aalo allo", "2,5"},
		{"%f[%a]rm%f[%A]", "firm rm alarm", "6,7"},
		{"%f", "a", "missing '[' after '%f' in pattern"},
		{"%fa", "a", "missing '[' after '%f' in pattern"},
		{"%f[a", "a", "malformed pattern (missing ']')"},
		// Malformed ones.
		{"%", "a", "malformed pattern (ends with '%')"},
		{"a%", "b", "malformed pattern (ends with '%')"},
		{"[", "a", "malformed pattern (missing ']')"},
		{"[]", "a", "malformed pattern (missing ']')"},
		{"[^]", "a", "malformed pattern (missing ']')"},
		{"[a%]", "a", "malformed pattern (missing ']')"},
		{"[a%", "a", "malformed pattern (missing ']')"},
		{"(", "a", "unfinished capture"},
		{"(a", "a", "unfinished capture"},
		{")", "a", "invalid pattern capture"},
		{"(a))", "a", "invalid pattern capture"},
		{"%1", "a", "invalid capture index"},
		{"(a)%2", "a", "invalid capture index"},
		{"(%1)", "a", "invalid capture index"},
		{"%0", "a", "invalid capture index"},
		{strings.Repeat("()", 33), "a", "too many captures"},
		{strings.Repeat("(", 8_000_000), "a", "too many captures"},
		{strings.Repeat("a*b?", 101), "a", "pattern too complex"},
		{strings.Repeat(".", 5000), "a", "pattern too complex"},
	} {
		if got := find(c.pattern, c.subject, 0); got != c.want {
			t.Errorf("find(%.60q, %q) is %s, want %s", c.subject, c.pattern, got, c.want)
		}
	}
}

func TestFindFrom(t *testing.T) {
	for _, c := range []struct {
		pattern, subject string
		from             int
		want             string
	}{
		{"a", "aba", 1, "3,3"},
		{"^a", "aba", 2, "3,3"},
		{"^a", "aba", 1, "nil"},
		{"", "abc", 3, "4,3"},
		{"$", "abc", 1, "4,3"},
		{".*", "abc", 1, "2,3"},
		{".-c", "abc", 1, "2,3"},
		{"%f[%w]%w", "ab c", 1, "4,4"},
		{"()", "abc", 2, "3,2 @3"},
	} {
		if got := find(c.pattern, c.subject, c.from); got != c.want {
			t.Errorf("find(%q, %q, %d) is %s, want %s", c.subject, c.pattern, c.from, got, c.want)
		}
	}
}

// Long stretches are gone through in pieces. What is looked for is found wherever it
// is in one.
func TestFindInLongSubjects(t *testing.T) {
	for tail := range 40 {
		n := 1005 + tail
		a := strings.Repeat("a", n)
		for _, c := range []struct{ pattern, subject, want string }{
			{"^[ab]*b", "aab" + a, "1,3"},
			{"^.*b", "aab" + a, "1,3"},
			{"^.-b", a + "b", fmt.Sprintf("1,%d", n+1)},
			{"^[ac]-b", a + "b", fmt.Sprintf("1,%d", n+1)},
			{"[bc]", a + "b", fmt.Sprintf("%d,%d", n+1, n+1)},
			{"^[ac]*b", a + "b", fmt.Sprintf("1,%d", n+1)},
			{"^a*", a + "b", fmt.Sprintf("1,%d", n)},
			{"^[ac]-d", a + "b", "nil"},
		} {
			if got := find(c.pattern, c.subject, 0); got != c.want {
				t.Errorf("find(%q, %d times a) is %s, want %s", c.pattern, n, got, c.want)
			}
		}
	}
}

// One Match serves patterns with many captures and repetitions and such with few, in
// any order.
func TestMatchIsUsedAgain(t *testing.T) {
	var m luapattern.Match
	many := strings.Repeat("(a?)", 12)
	for _, c := range []struct{ pattern, subject, want string }{
		{"(a)", "ba", "2,2 \"a\""},
		{many + "b", "aab", "1,3 \"a\" \"a\"" + strings.Repeat(" \"\"", 10)},
		{"(b)", "ab", "2,2 \"b\""},
		{"x(.)", "ab", "nil"},
		{"(.)(.)", "ab", "1,2 \"a\" \"b\""},
		{many + "()", "b", "1,0" + strings.Repeat(" \"\"", 12) + " @1"},
	} {
		if got := findWith(&m, c.pattern, c.subject, 0); got != c.want {
			t.Errorf("find(%q, %q) is %s, want %s", c.subject, c.pattern, got, c.want)
		}
	}
}

// A meter that panics leaves nothing behind: the same Pattern and Match go on.
func TestMeterEndsTheWork(t *testing.T) {
	p, err := luapattern.Compile("(a*)(a*)(a*)b", true, &steps{})
	if err != nil {
		t.Fatal(err)
	}
	var m luapattern.Match
	meter := &steps{most: 50_000}
	func() {
		defer func() {
			if r := recover(); r != any(meter) {
				t.Errorf("it ends with %v, want the meter's panic", r)
			}
		}()
		p.Find(&m, strings.Repeat("a", 10_000), 0, meter)
	}()
	if over := meter.done - meter.most; over > mostSteps {
		t.Errorf("it did %d steps more than the meter allows", over)
	}
	if !p.Find(&m, "caab", 0, &steps{}) || show(p, &m, "caab") != `2,4 "aa" "" ""` {
		t.Errorf("afterwards it finds %s", show(p, &m, "caab"))
	}
}

// Whatever goes through the whole subject is told to the meter, in steps of a few bytes
// each and not too many at once.
func TestMeterIsToldOfAllWork(t *testing.T) {
	subject := strings.Repeat("a", 1<<20)
	for _, pattern := range []string{"b", "bc", "[bc]", ".-b", ".*b", "^.-b", "^.*b", "^a*b", "^[ac]*b", "^[ac]-b", "^%bab", "^(.-)b", "a*()", "^.-%f[b]"} {
		meter := &steps{}
		p, err := luapattern.Compile(pattern, true, meter)
		if err != nil {
			t.Fatal(err)
		}
		meter = &steps{}
		var m luapattern.Match
		p.Find(&m, subject, 0, meter)
		if least := len(subject) / 32; meter.done < least || meter.longest > mostSteps {
			t.Errorf("%.20q: %d steps, want at least %d; %d at once, want at most %d", pattern, meter.done, least, meter.longest, mostSteps)
		}
	}
}

func TestCaretIsAByteToGmatch(t *testing.T) {
	p, err := luapattern.Compile("^a", false, &steps{})
	if err != nil {
		t.Fatal(err)
	}
	var m luapattern.Match
	if !p.Find(&m, "a^a", 0, &steps{}) || m.Start != 1 || m.End != 3 {
		t.Errorf("it matches at %d to %d, want 1 to 3", m.Start, m.End)
	}
}

func TestIndex(t *testing.T) {
	long := strings.Repeat("ab", 40)
	for _, c := range []struct {
		subject, text string
		from, want    int
	}{
		{"abc", "", 0, 0},
		{"abc", "", 3, 3},
		{"abc", "c", 0, 2},
		{"abc", "c", 3, -1},
		{"abcabc", "ab", 1, 3},
		{"", "a", 0, -1},
		{strings.Repeat("x", 40_000) + "needle", "needle", 0, 40_000},
		{strings.Repeat("x", 16<<10-3) + "needle", "needle", 0, 16<<10 - 3},
		{strings.Repeat("x", 16<<10+2) + "needle", "needle", 0, 16<<10 + 2},
		{strings.Repeat("x", 40_000) + "needle", "needles", 0, -1},
		{long + "c", "ab" + "c", 0, 78},
		{"ab" + long + "c", long + "c", 0, 2},
		{strings.Repeat("a", 50_000) + "b", strings.Repeat("a", 100) + "b", 0, 49_900},
		{strings.Repeat("a", 5_000), strings.Repeat("a", 100) + "b", 0, -1},
	} {
		if got := luapattern.Index(c.subject, c.text, c.from, &steps{}); got != c.want {
			t.Errorf("Index(%.20q, %.20q, %d) is %d, want %d", c.subject, c.text, c.from, got, c.want)
		}
	}
}
