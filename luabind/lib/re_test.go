package lib

import (
	"math/rand/v2"
	"reflect"
	"regexp"
	"strings"
	"testing"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/luabind"
)

func TestRE(t *testing.T) {
	runScripts(t, []script{
		{"match", `same(re.match("abc", "b"), true) same(re.match("abc", "^b"), false) same(re.match("", ""), true)`, ""},
		{"find", `same(re.find("abc", "x"), nil) same(re.find("abc", "b."), "bc") local all, a, b = re.find("key=v", "(\\w+)=(\\d)?") same(all, "key=") same(a, "key") same(b, nil)`, ""},
		{"find_all", `same(re.find_all("a1b22", "\\d+"), { "1", "22" }) same(re.find_all("a1b22", "\\d+", 1), { "1" }) same(re.find_all("a", "x"), json.array()) same(re.find_all("aa", "a", 0), json.array())`, ""},
		{"empty matches", `same(#re.find_all("aüb", ""), 4) same(re.find_all("baac", "a*"), { "", "aa", "" }) same(re.replace("abc", "", "-"), "-a-b-c-")`, ""},
		{"context", `same(re.find_all("aaa", "^a"), { "a" }) same(re.find_all("ab ab", "\\bab"), { "ab", "ab" }) same(re.find_all("abab", "\\bab"), { "ab" }) same(#re.find_all("a\nb", "(?m)^."), 2)`, ""},
		{"captures", `local c = re.captures("a=1", "(?P<k>\\w)=(?:(x)|(?P<v>\\d))") same(c[0], "a=1") same(c.k, "a") same(c[1], "a") same(c[2], nil) same(c.v, "1") same(re.captures("b", "a"), nil)`, ""},
		{"replace", `same(re.replace("john smith", "(?P<first>\\w+) (\\w+)", "$2, ${first}!"), "smith, john!") same(re.replace("a", "a", "$$1"), "$1") same(re.replace("a", "(a)|(b)", "[$2]$0"), "[]a") same(re.replace("abc", "x", "y"), "abc") same(re.replace("a", "a", "5$"), "5$")`, ""},
		{"split", `same(re.split("a1b2c", "\\d"), { "a", "b", "c" }) same(re.split("", "x"), { "" }) same(re.split("abc", ""), { "a", "b", "c" }) same(re.split("xax", "x"), { "", "a", "" })`, ""},
		{"quote", `same(re.quote("a.b*[c]"), "a\\.b\\*\\[c\\]")`, ""},
		{"compile", `local p = re.compile("(\\d)(\\d)?") same(tostring(p), "(\\d)(\\d)?") same(p:match("a1"), true) same(select("#", p:find("a1")), 3) same(p:find_all("12 3", 1), { "12" }) same(p:captures("7")[1], "7") same(p:replace("1", "<$1>"), "<1>") same(p:split("a1b"), { "a", "b" })`, ""},
		{"compiled is closed", `local p = re.compile("a") same(getmetatable(p), "pattern") fails("a compiled pattern is read-only", function() p.match = 1 end) same(p.source, nil)`, ""},
		{"numbers as text", `same(re.find(42, 2), "2")`, ""},
		{"quoted to the end", `same(re.find_all("a)a)", "\\Qa)"), { "a)", "a)" }) same(re.find_all("xaxa", "a\\Q"), { "a", "a" })`, ""},
		{"flags stay inside", `same(re.find_all("aAbB", "(?i)a|b"), { "a", "A", "b", "B" })`, ""},
		{"no UTF-8", `same(#re.find_all("a\255a\255", "a"), 2) same(#re.find_all("\255\255", "."), 2)`, ""},

		{"bad pattern", `re.match("a", "a(b")`, "bad argument #2 to match (pattern `a(b`: missing closing ): `a(b`)"},
		{"bad compiled pattern", `re.compile("[z-a]")`, "bad argument #1 to compile (pattern `[z-a]`: invalid character class range: `z-a`)"},
		{"lookahead", `re.find("a", "(?=a)")`, "pattern `(?=a)`: invalid or unsupported Perl syntax: `(?=`"},
		{"backslash", `re.find("a", "\\")`, "pattern `\\`: trailing backslash at end of expression"},
		{"long pattern", `fails("it is longer than 10000 bytes", re.compile, ("a"):rep(10001))`, ""},
		{"large program", `fails("it repeats too much", re.compile, ("[a-z]"):rep(100) .. ("(?:abcdefghij){1000}"):rep(6)) fails("it repeats too much", re.compile, "\\pL{500}") fails("takes too long to read", re.compile, ("\\pL"):rep(2000))`, ""},
		{"deep pattern", `local p = ("(?:"):rep(990) .. "a" .. ("b)?"):rep(990) local ok, e = pcall(re.find_all, "aba", p) assert(ok or e:find("nest", 1, true), e)`, ""},
		{"no text", `re.match(nil, "a")`, "bad argument #1 to match (string expected, got nil)"},
		{"no pattern", `re.split("a")`, "bad argument #2 to split (string expected, got nil)"},
		{"method without text", `re.compile("a"):match()`, "bad argument #1 to match (string expected, got nil)"},
		{"method count", `re.compile("a"):find_all("a", 1.5)`, "bad argument #2 to find_all (whole number expected, got 1.5)"},
		{"count", `re.find_all("a", "a", -1)`, "bad argument #3 to find_all (a number from 0 expected, got -1)"},
		{"method with a dot", `re.compile("a").match("a")`, "call match of a compiled pattern with a colon: pattern:match(s)"},
		{"method on something else", `re.compile("a").match(json.null, "a")`, "with a colon"},
		{"unknown group", `re.replace("a", "(a)", "$1x")`, "bad argument #3 to replace (the pattern has no group 1x; write ${1}x for group 1 and then x)"},
		{"misspelt group", `re.replace("a", "(?P<name>a)", "${nmae}")`, `the pattern has no group nmae; did you mean "name"?`},
		{"missing group", `re.replace("a", "(a)", "$2")`, "the pattern has no group 2"},
		{"growing", `local s = ("a"):rep(10000) fails("re.replace: the result would be larger than 8388608 bytes", re.replace, s, "a", s)`, ""},
		{"many groups", `fails("re.find: the pattern has more than 99 groups; use captures", re.find, "a", ("(a?)"):rep(100)) same(re.captures("a", ("(a?)"):rep(100))[1], "a")`, ""},
	})
}

// TestScan compares with package regexp, in one go and through the reader.
func TestScan(t *testing.T) {
	L := lua.NewState()
	defer L.Close()
	c := call{LState: L, module: "re", name: "test"}
	patterns := []string{
		"a", "a+", "a*", "", "^", "$", "^a", "a$", `\b`, `\B`, `\ba`, "(?m)^a", "(?m)$", `\Aa`, `a\z`, "a|ab", "ab|a", "(a)(b)?", "(?i)aB", "(?U)a+",
		"ä", "aä", ".", "(?s).", "[^a]", "a.", "(a|b)*c", "(?:)", "x", `(\w+)\s(\w+)`, "ab", "(?P<n>a)(?P<m>.)", "\ufffd",
	}
	random := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"a", "b", "c", "A", "B", "ä", "\n", " ", "x", "\xff", "\xc3", "ab", "€", "\ufffd"}
	for _, source := range patterns {
		re := regexp.MustCompile(source)
		p, err := compileRegexp(source, func(int) {}, func(int) {})
		if err != nil {
			t.Fatal(err)
		}
		large, err := compileRegexp(source, func(int) {}, func(int) {})
		if err != nil {
			t.Fatal(err)
		}
		large.size, large.steps = directSteps+1, directSteps+1 // everything is too much to do in one go
		for range 300 {
			var b strings.Builder
			for range random.IntN(12) {
				b.WriteString(pieces[random.IntN(len(pieces))])
			}
			s := b.String()
			want := re.FindAllStringSubmatchIndex(s, -1)
			for _, p := range []*program{p, large} {
				var got [][]int
				for m := p.scan(c, s); ; {
					at := m.next()
					if at == nil {
						break
					}
					got = append(got, at)
				}
				if !reflect.DeepEqual(got, want) {
					t.Fatalf("%q in %q: got %v, want %v", source, s, got, want)
				}
				if p.matches(c, s) != re.MatchString(s) {
					t.Fatalf("%q in %q: matches is %v", source, s, p.matches(c, s))
				}
			}
		}
	}
}

// A late pattern is what re.compile gives, but for when a mistake in it is told.
func TestLatePatterns(t *testing.T) {
	modules := []luabind.Module{PatternsModule()}
	for source, want := range map[string]string{
		PatternsModule().Functions[0].Example: "",
		`local p = patterns.later("(a+)b")
assert(tostring(p) == "(a+)b" and p:match("xaab") and not p:match("b") and tostring(p) == "(a+)b")
assert(p:find("xaab") == "aab" and p:captures("xaab")[1] == "aa" and p:replace("xaab", "-") == "x-" and #p:split("1ab2") == 2)`: "",
		`local p = patterns.later("a("); assert(tostring(p) == "a(")`: "",
		`patterns.later("a("):match("x")`:                             "pattern `a(`: missing closing )",
		`local p = patterns.later("a"); p.x = 1`:                      "read-only",
		`patterns.later()`:                                            "string expected",
	} {
		err := run(t, modules, source, wide)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: got %v, want %q", source, err, want)
		}
	}
}
