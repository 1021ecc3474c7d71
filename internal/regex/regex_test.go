package regex_test

import (
	"fmt"
	"math/rand/v2"
	"regexp/syntax"
	"strings"
	"testing"

	"github.com/luahook/luahook/internal/regex"
)

// Expressions that the parser needs long for are recognised without it, in any spelling.
func TestWork(t *testing.T) {
	rep := strings.Repeat
	const wide = 0x1e943 - 'B'
	for _, c := range []struct {
		pattern     string
		least, most int
	}{
		{`git push`, 8, 100},
		{`(?i)^git\s+push\s+(--force|-f)\b`, 20, 1000},
		{`(?i)(error|warning|fail(ed|ure)?|panic): [^\n]*`, 20, 1000},
		{`[B-😀]`, 6, 100}, // case counts
		{`(?i)[B-😀]`, wide, wide + 100},
		{`(?i)[\x{42}-\x{1F600}]`, wide, wide + 100},
		{`(?i)[\x42-\x{1F600}]`, wide, wide + 100},
		{`(?i)[\102-\x{1F600}]`, wide, wide + 100},
		{`(?i)[\]-\x{1F600}]`, 0x1e943 - 0x5d, wide},
		{`(?i)[!-\x{1F600}]`, 1, 100}, // from before A to behind the last: nothing is left to be found
		{`(?i)[^]-😀]`, 0x1e943 - 0x5d, wide},
		{`(?i)[]-😀]`, 0x1e943 - 0x5d, wide},
		{`(?i)[a\]-😀]`, 0x1e943 - 0x5d, wide},
		{`(?i)[\n-😀]`, 1, 100},
		{`(?i)[[:alpha:]B-😀]`, wide, wide + 300},
		{`(?i)[\pLB-😀]`, wide, wide + 10_000},
		{`(?i)[\dB-😀]`, wide, wide + 300},
		{`(?i)[[:x-😀]`, 1000, wide},
		{`(?i)[B-😀`, wide, wide + 100}, // it is found out too late
		{`\Q(?i)\E[B-😀]`, 6, 100},
		{`\Q[\E(?i)[B-😀]`, wide, wide + 100},
		{`\[(?i)[B-😀]`, wide, wide + 100},
		{`(?i:[B-😀])[B-😀]`, wide, wide + 100},
		{`(?i)(?-i:[B-😀])[B-😀]`, wide, wide + 100},
		{`(?i)(?-i:[a-z])[B-😀]`, wide, wide + 300},
		{`((?i)a)[B-😀]`, 6, 100},
		{`(?is-U:(?P<n>[B-😀]))`, wide, wide + 100},
		{`(?i)(?<n>[B-😀])`, wide, wide + 100},
		{`(?i)` + rep(`[B-😀]`, 10), 10 * wide, 11 * wide},
		{`(?i)[` + rep(`B-😀`, 10) + `]`, 10 * wide, 11 * wide},
		{`(?i)` + rep(`\w`, 1000), 60_000, 200_000},
		{`[` + rep(`\pL`, 1000) + `]`, 4_000_000, 10_000_000},
		{rep(`\p{Greek}`, 100), 100_000, 1_000_000},
		{rep(`\d`, 1000) + `a|` + rep(`\d`, 1000) + `b`, 2_000_000, 2_100_000}, // they begin alike
		{`x(?:` + rep(`a.`, 500) + `|` + rep(`a.`, 500) + `)`, 2_000_000, 2_100_000},
		{rep(`\d`, 1000) + `a`, 2000, 50_000},
		{rep(`git|`, 1000) + `x`, 4000, 10_000},
		{rep(`(?:`, 900) + `[` + rep(`acegikmoqsuwy`, 100) + `]` + rep(`|x)`, 900), 1_000_000, 2_000_000},
		{`(?P<`, 4, 100}, {`(?`, 2, 100}, {`[`, 1, 100}, {`\`, 1, 100}, {`(?i)[\x`, 1, 100}, {`(?i)[\x{`, 1, 100}, {`)`, 1, 100}, {``, 0, 10}, {`\p`, 1, 6000}, {`\p{`, 1, 6000}, {`[a-`, 1, 100},
	} {
		if work := regex.Work(c.pattern); work < c.least || work > c.most {
			t.Errorf("%.60q takes %d, want %d to %d", c.pattern, work, c.least, c.most)
		}
	}
}

// However groups, flags and classes are nested, no letter of a range is missed.
func TestWorkOfNestedGroups(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		p := patternMaker{random: random}
		p.write(4, false)
		pattern := p.text.String()
		if _, err := syntax.Parse(pattern, syntax.Perl); err != nil {
			t.Fatalf("%q: %v", pattern, err)
		}
		if work := regex.Work(pattern); work < p.letters {
			t.Fatalf("%q takes %d, want at least its %d letters", pattern, work, p.letters)
		}
	}
}

// patternMaker writes expressions, and counts the letters of ranges where case is ignored.
type patternMaker struct {
	random  *rand.Rand
	text    strings.Builder
	letters int
}

func (p *patternMaker) write(depth int, fold bool) {
	for range 1 + p.random.IntN(4) {
		switch n := p.random.IntN(9); {
		case n < 3 && depth > 0:
			opening := []string{"(", "(?:", "(?i:", "(?-i:", "(?s-i:", "(?P<a>", "(?<a>", "(?i-s:"}[p.random.IntN(8)]
			if strings.HasSuffix(opening, "<a>") {
				opening = "("
			}
			inner := fold
			if i := strings.Index(opening, "i"); i >= 0 {
				inner = !strings.Contains(opening[:i], "-")
			}
			p.text.WriteString(opening)
			p.write(depth-1, inner)
			p.text.WriteString(")")
		case n == 3:
			fold = true
			p.text.WriteString("(?i)")
		case n == 4:
			fold = false
			p.text.WriteString("(?-i)")
		case n == 5:
			p.text.WriteString([]string{`\Q(?i)[B-😀]\E`, `\[`, `\)`, `a|`, `.|`, `\pL`, `x{2,3}`, `\x{5b}`, `\133`, `]`, `é*`}[p.random.IntN(11)])
		default:
			p.class(fold)
		}
	}
}

func (p *patternMaker) class(fold bool) {
	p.text.WriteString([]string{"[", "[^", "[]", "[^]", "[-", "[[:alpha:]", `[\d`, `[\p{L}`, `[\]`, "[["}[p.random.IntN(10)])
	for range 1 + p.random.IntN(3) {
		low := rune('A' + p.random.IntN(0x1e000))
		if low >= 0xd000 && low < 0xe000 { // no characters, some of them
			low = 'A'
		}
		high := rune(0x1e000 + p.random.IntN(0x900))
		letter := func(r rune) string {
			if p.random.IntN(2) == 0 || strings.ContainsRune(`]\-^[`, r) {
				return fmt.Sprintf(`\x{%x}`, r)
			}
			return string(r)
		}
		p.text.WriteString(letter(low) + "-" + letter(high))
		if fold && low <= high {
			p.letters += int(high-low) + 1
		}
	}
	p.text.WriteString("]")
}

// Whatever the pattern, its work is estimated in one pass.
func FuzzWork(f *testing.F) {
	for _, pattern := range []string{`(?i)[B-😀]`, `[[:`, `(?P<`, `\Q`, `\p{`, `a|b)`, `[\x{110000}-\777]`, "[\xff-\xfe]"} {
		f.Add(pattern)
	}
	f.Fuzz(func(t *testing.T, pattern string) {
		if work := regex.Work(pattern); work < len(pattern) {
			t.Errorf("%q takes %d", pattern, work)
		}
	})
}

// The size of an expression in which each instruction knows its successors.
func TestSizeOfTables(t *testing.T) {
	class := `[` + strings.Repeat("aceg", 10) + `\pL]`
	for _, c := range []struct {
		pattern     string
		least, most int
	}{
		{`^git (push|pull)$`, 10, 60},
		{`^[a-z]+@[a-z]+\.org$`, 10, 60},
		{`^\pL{10}`, 1000, 5000},
		{strings.Repeat("^", 900) + class, 20_000, 100_000},
		{strings.Repeat("(", 400) + "^" + class + strings.Repeat(")", 400), 5_000, 100_000},
		{`^` + strings.Repeat("(", 400) + class + strings.Repeat(")", 400), 10_000, 100_000},
		{strings.Repeat("(?:", 900) + class + strings.Repeat(")", 900), 100, 1000},
		{strings.Repeat("(", 400) + class + strings.Repeat(")", 400), 500, 2000}, // it may begin anywhere
	} {
		tree, err := syntax.Parse(c.pattern, syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		if size := regex.Size(tree); size < c.least || size > c.most {
			t.Errorf("%.60q has size %d, want %d to %d", c.pattern, size, c.least, c.most)
		}
	}
}
