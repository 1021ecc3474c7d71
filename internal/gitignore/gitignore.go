// Package gitignore reads .gitignore files as git does, and says what they ignore.
package gitignore

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/luahook/luahook/internal/wordlist"
)

// maxPattern bounds a pattern, in bytes. A longer one is left out.
const maxPattern = 1000

// File is a .gitignore, and those of the folders above.
type File struct {
	Dir   string // the folder that it stands in, below the root; "." is the root
	Rules []Rule
	Above *File
}

// Rule is a line of it. One of literal, suffix and pattern says what it matches.
type Rule struct {
	negated bool // what it matches is not ignored
	folder  bool // it matches folders alone
	whole   bool // it is matched with the path from the file's folder, else with the last name
	literal string
	suffix  string // of a pattern *suffix
	pattern *regexp.Regexp
}

// Parse reads at most so many rules; a line that can match nothing is left out.
func Parse(text string, most int) (rules []Rule) {
	for line := range strings.SplitSeq(strings.TrimPrefix(text, "\ufeff"), "\n") {
		if len(rules) >= most {
			break
		}
		if r, ok := parseLine(strings.TrimSuffix(line, "\r")); ok {
			rules = append(rules, r)
		}
	}
	return rules
}

func parseLine(line string) (r Rule, ok bool) {
	if line == "" || line[0] == '#' || len(line) > maxPattern {
		return r, false
	}
	line, r.negated = strings.CutPrefix(withoutTrailingBlanks(line), "!")
	line, r.folder = strings.CutSuffix(line, "/")
	r.whole = strings.Contains(line, "/")
	line = strings.TrimPrefix(line, "/")
	switch {
	case line == "":
		return r, false
	case !strings.ContainsAny(line, `*?[\`):
		r.literal = line
	case !r.whole && line[0] == '*' && !strings.ContainsAny(line[1:], `*?[\`):
		r.suffix = line[1:]
	default:
		source, ok := expression(line)
		if !ok {
			return r, false
		}
		p, err := regexp.Compile(source)
		if err != nil { // it isn't UTF-8
			return r, false
		}
		r.pattern = p
	}
	return r, true
}

// withoutTrailingBlanks keeps those behind a backslash.
func withoutTrailingBlanks(line string) string {
	end := 0
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
			end = min(i+1, len(line))
		case ' ':
		default:
			end = i + 1
		}
	}
	return line[:end]
}

// expression is a pattern of a .gitignore as a regular expression.
func expression(glob string) (source string, ok bool) {
	var b strings.Builder
	b.WriteString("(?s)^")
	for i := 0; i < len(glob); i++ {
		switch c := glob[i]; c {
		case '\\':
			if i++; i == len(glob) {
				return "", false
			}
			b.WriteString(regexp.QuoteMeta(glob[i : i+1]))
		case '?':
			b.WriteString("[^/]")
		case '[':
			within, length := class(glob[i:])
			if length == 0 {
				return "", false
			}
			b.WriteString(within)
			i += length - 1
		case '*':
			begin := i
			for i+1 < len(glob) && glob[i+1] == '*' {
				i++
			}
			// Two are more than one only where they are a whole name.
			many := i > begin && (begin == 0 || glob[begin-1] == '/')
			switch {
			case many && i+1 == len(glob):
				b.WriteString(".*")
			case many && glob[i+1] == '/':
				b.WriteString("(?:.*/)?")
				i++
			default:
				b.WriteString("[^/]*")
			}
		default:
			end := i + 1
			for end < len(glob) && !strings.ContainsRune(`*?[\`, rune(glob[end])) {
				end++
			}
			b.WriteString(regexp.QuoteMeta(glob[i:end]))
			i = end - 1
		}
	}
	b.WriteString("$")
	return b.String(), true
}

// class reads the class that s begins with; length is 0 where it isn't closed or
// can match nothing. No class matches a slash.
func class(s string) (expression string, length int) {
	var b strings.Builder
	add := func(low, high rune) {
		if low <= high {
			fmt.Fprintf(&b, `\x{%x}-\x{%x}`, low, high)
		}
	}
	runes, i := []rune(s), 1
	negated := i < len(runes) && (runes[i] == '!' || runes[i] == '^')
	if negated {
		i++
	}
	for first := i; i < len(runes); i++ {
		low := runes[i]
		switch {
		case low == ']' && i > first:
			length = len(string(runes[:i+1]))
			switch {
			case negated:
				return "[^/" + b.String() + "]", length
			case b.Len() == 0:
				return "", 0
			}
			return "[" + b.String() + "]", length
		case low == '[' && i+1 < len(runes) && runes[i+1] == ':':
			name, _, closed := strings.Cut(string(runes[i+2:]), ":]")
			if !closed || !wordlist.Has(posixClasses, name) {
				return "", 0
			}
			b.WriteString("[:" + name + ":]")
			i += len([]rune(name)) + 3
			continue
		case low == '\\':
			if i++; i == len(runes) {
				return "", 0
			}
			low = runes[i]
		}
		high := low
		if i+2 < len(runes) && runes[i+1] == '-' && runes[i+2] != ']' {
			i += 2
			if high = runes[i]; high == '\\' {
				if i++; i == len(runes) {
					return "", 0
				}
				high = runes[i]
			}
		}
		add(low, min(high, '/'-1))
		add(max(low, '/'+1), high)
	}
	return "", 0
}

// Those of which no character is a slash; of the others no file has made use yet.
const posixClasses = "alnum alpha blank cntrl digit lower space upper xdigit"

// matches reports whether the rule is about a path from the file's folder, whose last name
// is given too.
func (r *Rule) matches(p, name string, isFolder bool) bool {
	if r.folder && !isFolder {
		return false
	}
	if r.whole {
		name = p
	}
	switch {
	case r.literal != "":
		return name == r.literal
	case r.pattern != nil:
		return r.pattern.MatchString(name)
	}
	return strings.HasSuffix(name, r.suffix)
}

// Ignores reports whether a path below the root is ignored, all folders above it not being
// so: the nearest file decides, and in it the last line that is about the path. It adds
// to checks how many rules it has looked at.
func (f *File) Ignores(p, name string, isFolder bool, checks *int) bool {
	for ; f != nil; f = f.Above {
		rel := p
		if f.Dir != "." {
			rel = strings.TrimPrefix(p, f.Dir+"/")
		}
		for i := len(f.Rules) - 1; i >= 0; i-- {
			*checks++
			if f.Rules[i].matches(rel, name, isFolder) {
				return !f.Rules[i].negated
			}
		}
	}
	return false
}
