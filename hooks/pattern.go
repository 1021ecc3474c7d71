package hooks

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode"
	"unicode/utf8"
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

// SpendPattern is asked for each regular expression and each glob of a matcher: for the work
// of reading it, as [PatternWork] tells it, before it is read, and for its size, as
// [PatternSize] tells it, before it is compiled. An error refuses the matcher.
type SpendPattern func(work, size int) error

// compiled reads and compiles a regular expression, which spend has to allow.
func compiled(source string, spend SpendPattern) (expression, error) {
	work := PatternWork(source)
	if work > MaxPatternWork {
		return expression{}, errPatternWork
	}
	if spend != nil {
		if err := spend(2*work, 0); err != nil { // to compile it, package regexp reads it once more
			return expression{}, err
		}
	}
	tree, err := syntax.Parse(source, syntax.Perl)
	if err != nil {
		return expression{}, &notRE2{err}
	}
	size := PatternSize(tree)
	if spend != nil {
		if err := spend(0, size); err != nil {
			return expression{}, err
		}
	}
	re, err := regexp.Compile(source)
	if err != nil {
		return expression{}, &notRE2{err}
	}
	return expression{re, size}, nil
}

var errPatternWork = errors.New("match: the regular expression takes too long to read; wide ranges like [a-😀] where case is ignored, classes like \\pL, and alternatives of many parts take the longest")

// notRE2 is the error of what is no regular expression.
type notRE2 struct{ error }

func parsePattern(s string, isPath bool, spend SpendPattern) (*pattern, error) {
	p := &pattern{text: s, path: isPath}
	if len(s) > 2 && s[0] == '/' && s[len(s)-1] == '/' && !strings.Contains(s, "/|/") {
		flags := "(?i)"
		if isPath {
			flags = ""
		}
		e, err := compiled(flags+s[1:len(s)-1], spend)
		if wrong, ok := err.(*notRE2); ok {
			return nil, fmt.Errorf("match: %q is not a regular expression (RE2): %v", s, wrong)
		} else if err != nil {
			return nil, err
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
			e, err := compiled(source, spend)
			if wrong, ok := err.(*notRE2); ok {
				return nil, fmt.Errorf("match: %q is not a glob: %v", word, wrong)
			} else if err != nil {
				return nil, err
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
