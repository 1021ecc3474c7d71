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
	exact   []string // compared with case folded, or to the letter in paths
	globs   []expression
	path    bool
	climbs  bool     // a word of it leads out of where it starts: "../x"
	reached []string // of paths, its words, for what reaches files that it doesn't name
}

// expression is a regular expression with the size of its program.
type expression struct {
	*regexp.Regexp
	size int
}

// patternLimits are what one regular expression or glob may take: some hundredths of a second,
// and about a megabyte.
var patternLimits = regex.Limits{Work: 1 << 20, Size: 5000}

// compile reads and compiles a regular expression or a glob, which spend has to allow.
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
			return nil, fmt.Errorf("match: %q: what stands in the brackets is not looked at here; match the tool's name, and its command with {tool = \"...\", command = \"...\"}", word)
		case !isPath && (strings.Contains(word, ".*") || strings.ContainsAny(word, `^$()\+`)):
			return nil, fmt.Errorf("match: %q looks like a regular expression; write \"/%s/\"", s, s)
		case strings.ContainsAny(word, "*?[{"), isPath && !strings.Contains(word, "/"):
			glob := word
			if isPath && !strings.Contains(word, "/") {
				glob = "**/" + word // a file of that name in any folder
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

// checkToolName refuses names that no tool has, which somebody has meant in another way:
// such a hook would never run, and a guard would be off without a word.
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

// maxMatchWork is how much one matcher may work on an event: bytes of text times
// instructions of an expression, and some more for each byte. It is some tenths of a second at worst.
const maxMatchWork = 1 << 26

// match counts its work in w. Where that is more than may be, everything matches: the
// hook runs, and has a budget of its own to look closer.
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

// mayFold tells in a moment of most texts that they are not the same but for case.
func mayFold(a, b string) bool {
	if a == "" || b == "" {
		return a == b
	}
	first, other := a[0], b[0]
	return first >= utf8.RuneSelf || other >= utf8.RuneSelf || first|0x20 == other|0x20
}

// globRegexp is a glob as a regular expression: ? one character, * any number, [a-z] and [!a-z]
// classes, {a,b} alternatives. In paths ? and * stop at a slash, ** doesn't, and
// "**/" also stands for nothing.
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

// A command may touch files that it doesn't name: those below a folder that it deletes or
// fills, and those that the shell finds for a pattern. Such a reach is a text, as a path is:
// "config/" is the folder with all that is in it, and "*" and "?" stand for parts of a name
// and "**" for folders, as in patterns; "*?" is a name that a command makes.

// isReach tells a reach from the name of one file.
func isReach(file string) bool {
	return len(file) > 1 && file[len(file)-1] == '/' || strings.ContainsAny(file, "*?")
}

// maxReaches is how many alternatives of braces a pattern is taken apart for.
const maxReaches = 16

// reachWork is what it costs at most to compare a reach with all words of a pattern.
func (p *pattern) reachWork(file, root string) int {
	size := 0
	for _, word := range p.reached {
		size += len(word) + len(root) + 8
	}
	return (len(file) + 8) * size
}

// reaches reports whether the pattern may match a file that is reached, absolute and
// cleaned. There must be such a file, and either they have a part of a name in common, or
// the pattern begins with a name and the reach is told by nothing but folders: what is
// sought by its name in any folder ("**/*.env") isn't met by each folder that is deleted,
// and a folder not by each name that is sought everywhere. A regular expression is compared
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

// parts are the elements of a path or a pattern. One that leads over slashes ("a**b") is
// taken apart, and "**" at the end stands for one element at least.
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

// What is known of a way to lay a reach and a pattern over one another.
const (
	common = 1 << iota // a name of the pattern is one of the reach
	sought             // the reach has a name that the pattern leaves open
)

// after is each way in a set of them, as a bit of its number, with what another step adds.
func after(ways uint8, what int) (next uint8) {
	for way := range 4 {
		if ways&(1<<way) != 0 {
			next |= 1 << (way | what)
		}
	}
	return next
}

// meet reports whether a file can be both what is reached and what base and word match. It
// goes through there and keeps for each place in the pattern the ways that lead to it.
func meet(there, base, word []string) bool {
	pattern := append(base[:len(base):len(base)], word...)
	ways, next := make([]uint8, len(pattern)+1), make([]uint8, len(pattern)+1)
	ways[0] = 1
	for i := 0; ; i++ {
		for j, want := range pattern { // where one of both stands for folders, it may be none, or more than one
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
				next[j] |= after(ways[j], sought)
			case pattern[j] == "**":
				next[j] |= ways[j]
			case have == some && !own, !overlap(have, pattern[j]):
			case own && shared(have, pattern[j]):
				next[j+1] |= after(ways[j], common)
			case own && hasName(have):
				next[j+1] |= after(ways[j], sought)
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

// some is a name that isn't known of a file that is made: it may be any in the project, but
// is hardly by chance that of a folder that the project lies in.
const some = "*?"

// hasName reports whether an element says anything of a name.
func hasName(part string) bool { return part != some && strings.Trim(part, "*") != "" }

// shared reports whether two elements that overlap say the same of a name: all of it in one
// of them, or how it begins or ends in both. "con*" and "*.key" don't.
func shared(a, b string) bool {
	const open = "*?"
	if strings.Trim(a, open) == "" || strings.Trim(b, open) == "" {
		return false
	}
	same := func(a, b byte) bool { return a == b && strings.IndexByte(open, a) < 0 || b == '[' || b == ']' }
	return !strings.ContainsAny(a, open) || !strings.ContainsAny(b, open+"[") || same(a[0], b[0]) || same(a[len(a)-1], b[len(b)-1])
}

// overlap reports whether one name can be meant by both elements, of which b may have classes.
func overlap(a, b string) bool {
	if !strings.ContainsAny(b, "*?[") && !strings.ContainsAny(a, "*?") {
		return a == b
	}
	if b[0] == '.' && (a[0] == '*' || a[0] == '?') {
		return false // the shell leaves these out
	}
	places, next := make([]bool, len(b)+1), make([]bool, len(b)+1) // in b, that the part of a before i leads to
	places[0] = true
	for i := 0; ; i++ {
		star := i < len(a) && a[i] == '*'
		for j := 0; j < len(b); j++ {
			if places[j] && (star || b[j] == '*') {
				places[j+width(b[j:])] = true
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
			switch n := width(b[j:]); {
			case b[j] == '*':
				next[j] = true
			case a[i] == '?' || b[j] == '?' || b[j] == a[i] || n > 1 && inClass(b[j:j+n], a[i]):
				next[j+n] = true
			}
		}
		places, next = next, places
	}
}

// width is how much of a pattern stands for one character.
func width(pattern string) int {
	if pattern[0] == '[' {
		if end := strings.IndexByte(pattern, ']'); end >= 2 {
			return end + 1
		}
	}
	return 1
}

// inClass reports whether a class like [a-z] or [!a-z] has the character. Of longer ones than
// a byte nothing is said: they may be.
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

// alternatives are the patterns that one with braces stands for. Where there are too many,
// what stands in a brace may be anything.
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
