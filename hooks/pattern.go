package hooks

import (
	"fmt"
	"path"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/luahook/luahook/internal/regex"
)

// pattern is one compiled string of a matcher.
type pattern struct {
	text    string
	exact   []string // compared with case folded, in paths exactly
	globs   []expression
	path    bool
	climbs  bool     // an element of it leaves the folder where it starts: "../x"
	reached []string // of paths: its words, compared with reaches
}

// expression is a regular expression with the size of its program.
type expression struct {
	*regexp.Regexp
	size int
}

// patternLimits bound one regular expression or glob: some hundredths of a second, and about a megabyte.
var patternLimits = regex.Limits{Work: 1 << 20, Size: 5000}

// compile reads and compiles a regular expression or a glob, if spend allows it.
func compile(source string, spend func(work, size int) error) (expression, error) {
	_, size, err := regex.Parse(source, patternLimits, spend)
	if err != nil {
		return expression{}, err
	}
	re, err := regexp.Compile(source)
	return expression{re, size}, err
}

func parsePattern(s string, isPath bool, spend func(work, size int) error) (*pattern, error) {
	p := &pattern{text: s, path: isPath}
	if len(s) > 2 && s[0] == '/' && s[len(s)-1] == '/' && !strings.Contains(s, "/|/") {
		flags := "(?i)"
		if isPath {
			flags = ""
		}
		e, err := compile(flags+s[1:len(s)-1], spend)
		if err != nil {
			return nil, patternError("a regular expression (RE2)", s, err)
		}
		p.globs = []expression{e}
		return p, nil
	}
	for _, word := range strings.Split(s, "|") {
		word = strings.TrimSpace(word)
		if isPath {
			for strings.HasPrefix(word, "./") {
				word = word[2:]
			}
			p.climbs = p.climbs || strings.HasPrefix(word, "../")
		}
		switch {
		case word == "":
			return nil, fmt.Errorf("match: an empty name in %q", s)
		case isPath && word[0] == '~':
			return nil, fmt.Errorf("match: ~ is not expanded in %q; write \"**/...\" or the whole path", word)
		case !isPath && len(word) > 2 && word[0] == '/' && word[len(word)-1] == '/':
			return nil, fmt.Errorf("match: a /regular expression/ can't stand in a list; write all of %q as one", s)
		case !isPath && strings.HasSuffix(word, ")") && strings.Index(word, "(") > 0:
			return nil, fmt.Errorf("match: %q: the text in brackets is not matched here; match the tool's name, and its command with {tool = \"...\", command = \"...\"}", word)
		case !isPath && (strings.Contains(word, ".*") || strings.ContainsAny(word, `^$()\+`)):
			return nil, fmt.Errorf("match: %q looks like a regular expression; write \"/%s/\"", s, s)
		case strings.ContainsAny(word, "*?[{"), isPath && !strings.Contains(word, "/"):
			glob := word
			if isPath && !strings.Contains(word, "/") {
				glob = "**/" + word // a file with that name in any folder
			}
			source, err := globRegexp(glob, isPath)
			if err != nil {
				return nil, fmt.Errorf("match: %q is not a glob: %v", word, err)
			}
			if isPath {
				p.reached = append(p.reached, alternatives(glob)...)
			}
			e, err := compile(source, spend)
			if err != nil {
				return nil, patternError("a glob", word, err)
			}
			p.globs = append(p.globs, e)
		default:
			if p.exact = append(p.exact, word); isPath {
				p.reached = append(p.reached, word)
			}
		}
	}
	return p, nil
}

func patternError(kind, text string, err error) error {
	if wrong, ok := err.(*syntax.Error); ok {
		return fmt.Errorf("match: %q is not %s: %v", shortened(text, 1000), kind, wrong)
	}
	return fmt.Errorf("match: %q: %w", shortened(text, 1000), err)
}

// checkToolName refuses names that no tool can have. Their author meant something else: the hook would never
// run, and a guard would be silently off.
func (p *pattern) checkToolName() error {
	for _, word := range p.exact {
		switch i := strings.IndexFunc(word, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(",;'\"", r) }); {
		case i >= 0:
			return fmt.Errorf("match: no tool has a name like %q; write several names as \"a|b\"", word)
		case word[0] == '/' && strings.Count(word, "/") == 2 && strings.LastIndex(word, "/") > 1:
			return fmt.Errorf("match: no tool has a name like %q; a regular expression ends with its slash (case is ignored anyway)", word)
		}
	}
	return nil
}

// maxMatchWork bounds the work of one matcher on one event: bytes of text times instructions of an expression,
// and some more for each byte. It is some tenths of a second at worst.
const maxMatchWork = 1 << 26

// match adds its work to w. Beyond the bound everything matches: the hook runs, and has a budget of its own to
// look closer.
func (p *pattern) match(s string, w *int) bool {
	if *w += len(p.exact); *w > maxMatchWork {
		return true
	}
	for _, e := range p.exact {
		if e == s || (!p.path && mayFold(e, s) && strings.EqualFold(e, s)) {
			return true
		}
	}
	for _, g := range p.globs {
		if *w += (len(s) + 1) * (g.size + 8); *w > maxMatchWork || g.MatchString(s) {
			return true
		}
	}
	return false
}

// mayFold rules out quickly, for most texts, that they differ only in case.
func mayFold(a, b string) bool {
	if a == "" || b == "" {
		return a == b
	}
	first, other := a[0], b[0]
	return first >= utf8.RuneSelf || other >= utf8.RuneSelf || first|0x20 == other|0x20
}

// globRegexp returns a glob as a regular expression: ? is one character, * any number, [a-z] and [!a-z] are
// classes, {a,b} alternatives. In paths ? and * stop at a slash, ** doesn't, and "**/" may also be empty.
func globRegexp(glob string, isPath bool) (source string, err error) {
	one, many := ".", ".*"
	var b strings.Builder
	if isPath {
		one, many = "[^/]", "[^/]*"
		b.WriteString("(?s)^")
	} else {
		b.WriteString("(?is)^")
	}
	depth := 0
	for i := 0; i < len(glob); i++ {
		switch c := glob[i]; c {
		case '*':
			switch {
			case isPath && strings.HasPrefix(glob[i:], "**/"):
				b.WriteString("(?:.*/)?")
				i += 2
			case isPath && strings.HasPrefix(glob[i:], "**"):
				b.WriteString(".*")
				i++
			default:
				b.WriteString(many)
			}
		case '?':
			b.WriteString(one)
		case '[':
			end := strings.IndexByte(glob[i:], ']')
			if end < 2 {
				return "", fmt.Errorf("the class that begins at %q has no end", glob[i:])
			}
			class := glob[i+1 : i+end]
			if class[0] == '!' {
				class = "^" + class[1:]
			}
			b.WriteString("[" + strings.ReplaceAll(class, `\`, `\\`) + "]")
			i += end
		case '{':
			depth++
			b.WriteString("(?:")
		case '}':
			if depth == 0 {
				return "", fmt.Errorf("a } without its {")
			}
			depth--
			b.WriteString(")")
		case ',':
			if depth > 0 {
				b.WriteString("|")
			} else {
				b.WriteString(",")
			}
		default:
			if c < utf8.RuneSelf {
				b.WriteString(regexp.QuoteMeta(string(rune(c))))
			} else {
				b.WriteByte(c) // part of a longer rune, never special
			}
		}
	}
	if depth > 0 {
		return "", fmt.Errorf("a { without its }")
	}
	b.WriteString("$")
	return b.String(), nil
}

// A command may touch files that it doesn't name: those below a folder that it deletes or fills, and those that
// the shell finds for a pattern. Such a reach is written like a path: "config/" is the folder with everything in
// it; as in patterns, "*" and "?" stand for parts of a name and "**" for folders; "*?" is a name that a command
// makes.

// isReach reports whether the text is a reach and not the name of one file.
func isReach(file string) bool {
	return len(file) > 1 && file[len(file)-1] == '/' || strings.ContainsAny(file, "*?")
}

// maxReaches is the most alternatives into which the braces of a pattern are expanded.
const maxReaches = 16

// reachWork returns the most that it costs to compare a reach with all words of a pattern.
func (p *pattern) reachWork(file, root string) int {
	size := 0
	for _, word := range p.reached {
		size += len(word) + len(root) + 8
	}
	return (len(file) + 8) * size
}

// reaches reports whether the pattern may match a file of the reach, which is absolute and cleaned. One file
// must fit both, and either they share a part of a name, or the pattern begins with a name and the reach
// consists of folders only. So a pattern for a name in any folder ("**/*.env") doesn't match every deleted
// folder, nor a folder's pattern every name that is searched for everywhere. A regular expression is compared
// with the text.
func (p *pattern) reaches(file, root string, work *int) bool {
	if *work += p.reachWork(file, root); *work > maxMatchWork {
		return true
	}
	there := parts(file)
	if file[len(file)-1] == '/' {
		there = append(there, "**")
	}
	if root = slashed(root); !isAbsolute(root) {
		root = ""
	}
	for _, word := range p.reached {
		base := root
		if isAbsolute(word) || strings.HasPrefix(word, "**") {
			base = ""
		}
		for ; strings.HasPrefix(word, "../"); word = word[3:] {
			base = path.Dir(base)
		}
		if meet(there, parts(base), parts(word)) {
			return true
		}
	}
	return false
}

// parts returns the elements of a path or a pattern. An element that spans slashes ("a**b") is split, and "**"
// at the end stands for at least one element.
func parts(text string) []string {
	var list []string
	for part := range strings.SplitSeq(text, "/") {
		before, after, over := strings.Cut(part, "**")
		switch {
		case part == "" || part == ".":
		case part == "**" || !over:
			list = append(list, part)
		default:
			list = append(list, before+"*", "**", "*"+strings.TrimLeft(after, "*"))
		}
	}
	if n := len(list); n > 0 && list[n-1] == "**" {
		list = append(list[:n-1], "*", "**")
	}
	return list
}

// What is known of one way to align a reach with a pattern.
const (
	common = 1 << iota // a name of the pattern is also one of the reach
	sought             // the reach has a name that the pattern leaves open
)

// nextWays returns each way of a set, as the bit of its number, with what another step adds.
func nextWays(ways uint8, what int) (next uint8) {
	for way := range 4 {
		if ways&(1<<way) != 0 {
			next |= 1 << (way | what)
		}
	}
	return next
}

// meet reports whether one file can be in the reach there and match base and word. It walks through there and
// keeps, for each place in the pattern, the ways that lead to it.
func meet(there, base, word []string) bool {
	pattern := append(base[:len(base):len(base)], word...)
	ways, next := make([]uint8, len(pattern)+1), make([]uint8, len(pattern)+1)
	ways[0] = 1
	for i := 0; ; i++ {
		for j, want := range pattern { // where either of them stands for folders, it may be none, or more than one
			if want == "**" || i < len(there) && there[i] == "**" {
				ways[j+1] |= ways[j]
			}
		}
		if i == len(there) {
			break
		}
		clear(next)
		have := there[i]
		for j := range ways {
			switch own := j >= len(base); {
			case ways[j] == 0:
			case have == "**":
				next[j] |= ways[j]
			case j == len(pattern):
			case pattern[j] == "**" && own && hasName(have):
				next[j] |= nextWays(ways[j], sought)
			case pattern[j] == "**":
				next[j] |= ways[j]
			case have == unknownName && !own, !overlap(have, pattern[j]):
			case own && shareName(have, pattern[j]):
				next[j+1] |= nextWays(ways[j], common)
			case own && hasName(have):
				next[j+1] |= nextWays(ways[j], sought)
			default:
				next[j+1] |= ways[j]
			}
		}
		ways, next = next, ways
	}
	begins := len(word) > 0 && hasName(word[0])
	for way := range 4 {
		if ways[len(pattern)]&(1<<way) != 0 && (way&common != 0 || begins && way&sought == 0) {
			return true
		}
	}
	return false
}

// unknownName is the unknown name of a file that a command makes. It may be any name in the project, but hardly by
// chance that of a folder above the project.
const unknownName = "*?"

// hasName reports whether an element says anything about a name.
func hasName(part string) bool { return part != unknownName && strings.Trim(part, "*") != "" }

// shareName reports whether two elements that overlap say the same of a name: all of it in one of them, or how it
// begins or ends in both. "con*" and "*.key" don't.
func shareName(a, b string) bool {
	const open = "*?"
	if strings.Trim(a, open) == "" || strings.Trim(b, open) == "" {
		return false
	}
	same := func(a, b byte) bool { return a == b && strings.IndexByte(open, a) < 0 || b == '[' || b == ']' }
	return !strings.ContainsAny(a, open) || !strings.ContainsAny(b, open+"[") || same(a[0], b[0]) || same(a[len(a)-1], b[len(b)-1])
}

// overlap reports whether both elements can mean the same name; b may have classes.
func overlap(a, b string) bool {
	if !strings.ContainsAny(b, "*?[") && !strings.ContainsAny(a, "*?") {
		return a == b
	}
	if b[0] == '.' && (a[0] == '*' || a[0] == '?') {
		return false // the shell skips these
	}
	places, next := make([]bool, len(b)+1), make([]bool, len(b)+1) // the places in b that the part of a before i leads to
	places[0] = true
	for i := 0; ; i++ {
		star := i < len(a) && a[i] == '*'
		for j := 0; j < len(b); j++ {
			if places[j] && (star || b[j] == '*') {
				places[j+charWidth(b[j:])] = true
			}
		}
		if i == len(a) {
			return places[len(b)]
		}
		if star {
			continue
		}
		clear(next)
		for j := range b {
			if !places[j] {
				continue
			}
			switch n := charWidth(b[j:]); {
			case b[j] == '*':
				next[j] = true
			case a[i] == '?' || b[j] == '?' || b[j] == a[i] || n > 1 && inClass(b[j:j+n], a[i]):
				next[j+n] = true
			}
		}
		places, next = next, places
	}
}

// charWidth returns how much of a pattern stands for one character.
func charWidth(pattern string) int {
	if pattern[0] == '[' {
		if end := strings.IndexByte(pattern, ']'); end >= 2 {
			return end + 1
		}
	}
	return 1
}

// inClass reports whether a class like [a-z] or [!a-z] may have the character. For a character of several bytes
// that is always so.
func inClass(class string, c byte) bool {
	if c >= 0x80 {
		return true
	}
	if class[1] == '!' {
		class = "[^" + class[2:]
	}
	in, err := path.Match(class, string(rune(c)))
	return in || err != nil
}

// alternatives returns the patterns that one with braces stands for. If there are too many, the content of a
// brace may be anything.
func alternatives(glob string) []string {
	list := []string{glob}
	for i := 0; i < len(list); {
		before, inner, rest, ok := firstBrace(list[i])
		if !ok {
			i++
			continue
		}
		if len(list)+len(inner) > maxReaches {
			inner = []string{"**"}
		}
		for n, choice := range inner {
			if choice = before + choice + rest; n == 0 {
				list[i] = choice
			} else {
				list = append(list, choice)
			}
		}
	}
	return list
}

// firstBrace splits a pattern at its first brace.
func firstBrace(glob string) (before string, choices []string, rest string, ok bool) {
	open := strings.IndexByte(glob, '{')
	if open < 0 {
		return "", nil, "", false
	}
	depth, from := 0, open+1
	for i := open; i < len(glob); i++ {
		switch {
		case glob[i] == '{':
			depth++
		case glob[i] == '}':
			if depth--; depth == 0 {
				return glob[:open], append(choices, glob[from:i]), glob[i+1:], true
			}
		case glob[i] == ',' && depth == 1:
			choices = append(choices, glob[from:i])
			from = i + 1
		}
	}
	return "", nil, "", false
}
