package shell

import (
	"slices"
	"strings"
)

// Bounds of a pattern that is compared with names: no file's name is longer, and few patterns have a class for each
// of its characters.
const (
	maxPatternText    = 255
	maxPatternClasses = 16
)

// StandsFor reports whether a pattern of a shell may stand for a name, and whether it says so: that it begins
// with the name's dot, has two letters that aren't part of an ending, or as many characters as half of the name.
// "*.json" may stand for opencode.json, but doesn't say so. Neither of them has a slash.
//
// It errs towards yes. Case doesn't matter, characters beyond ASCII are all the same, options of the shell such as
// dotglob and extglob may be on, and what was quoted isn't known any more, so brackets are read in each way that
// they can be. A pattern of more than 255 bytes or 16 brackets may stand for any name.
func StandsFor(pattern, name string) (may, says bool) {
	if len(pattern) > maxPatternText || strings.Count(pattern, "[") > maxPatternClasses {
		return true, true
	}
	p, name := inSmall(pattern), inSmall(name)
	if p == "" || name == "" || differAtEnd(p, name) || !mayMatch(p, name) {
		return false, false
	}
	fixed, ending, letters := describePattern(p)
	if name[0] == '.' {
		return true, p[0] == '.' || 2*fixed >= len(name) || isOpen(p, 0) && strings.Contains(p, "(.")
	}
	return true, letters > 1 || 2*(fixed-ending) >= len(name)
}

// standsForPath reports whether a pattern may stand for a path, and each of its elements says so.
func standsForPath(pattern, path string) (may, says bool) {
	may, says = true, true
	may = slices.EqualFunc(strings.Split(pattern, "/"), strings.Split(path, "/"), func(element, name string) bool {
		if element == name {
			return true
		}
		may, said := StandsFor(element, name)
		says = says && said
		return may
	})
	return may, may && says
}

// startsAs reports whether a pattern in the place of a program's name is meant to stand for that program: it has a
// letter of the name, half of its characters or more, and none too many. Without a slash before it a pattern
// stands for a file of the working folder, which is hardly called like a program by chance.
func startsAs(path, name string) bool {
	pattern := inSmall(baseName(path))
	if strings.ContainsAny(path, "$`") || !strings.Contains(path, "/") && strings.ContainsAny(pattern, "*(") {
		return false
	}
	fixed, _, letters := describePattern(pattern)
	may, _ := StandsFor(pattern, name)
	return may && letters > 0 && fixed <= len(name) && len(name) <= 2*fixed
}

// comparisonWork is about what StandsFor costs.
func comparisonWork(pattern, name string) int {
	return 4 + min(len(pattern), maxPatternText)*len(name)*(1+4*strings.Count(pattern, "[")+4*strings.Count(pattern, "("))/16
}

// differAtEnd reports whether a pattern begins or ends with a character of its own that a name doesn't: most do.
func differAtEnd(p, name string) bool {
	last := p[len(p)-1]
	return p[0] != name[0] && p[0] < 0x80 && strings.IndexByte(`*?[+@!\`, p[0]) < 0 || last != name[len(name)-1] && last < 0x80 && strings.IndexByte("*?])", last) < 0
}

// inSmall writes A to Z in small letters.
func inSmall(s string) string {
	if isLower(s) {
		return s
	}
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// mayMatch walks through the name and keeps the places in the pattern that it may have led to.
func mayMatch(p, name string) bool {
	var places, others [maxPatternText + 1]bool
	at, next := places[:len(p)+1], others[:len(p)+1]
	at[0] = true
	skipOpen(p, at)
	for i := range len(name) {
		clear(next)
		for j := range len(p) {
			if at[j] {
				step(p, j, name[i], next)
			}
		}
		at, next = next, at
		skipOpen(p, at)
	}
	return at[len(p)]
}

// isOpen reports whether any number of characters may stand at a place of a pattern: a star, or the beginning of
// a group as extglob has it.
func isOpen(p string, j int) bool {
	return p[j] == '*' || strings.IndexByte("?+@!", p[j]) >= 0 && j+1 < len(p) && p[j+1] == '('
}

// skipOpen adds the places behind what may stand for nothing.
func skipOpen(p string, at []bool) {
	for j := range len(p) {
		if !at[j] || !isOpen(p, j) {
			continue
		}
		if p[j] == '*' {
			at[j+1] = true
		}
		for end := j + 1; j+1 < len(p) && p[j+1] == '(' && end < len(p); end++ {
			if p[end] == ')' {
				at[end+1] = true
			}
		}
	}
}

// step adds the places to which a character leads from one.
func step(p string, j int, c byte, next []bool) {
	if isOpen(p, j) {
		next[j] = true
	}
	if p[j] == c || p[j] == '?' || p[j] >= 0x80 && c >= 0x80 {
		next[j+1] = true
	}
	if c >= 0x80 && (p[j] == '?' || p[j] == '[') { // there may be more bytes of the character
		next[j] = true
	}
	switch p[j] {
	case '\\':
		if j+1 < len(p) && p[j+1] == c {
			next[j+2] = true
		}
	case '[':
		for end := j + 2; end < len(p); end++ {
			if p[end] == ']' && mayBeIn(p[j+1:end], c) {
				next[end+1] = true
			}
		}
	}
}

// mayBeIn reports whether a character may be one of a class, which is what stands between brackets.
func mayBeIn(class string, c byte) bool {
	if hasMember(class, c) || c >= 0x80 {
		return true
	}
	negated := class[0] == '!' || class[0] == '^'
	return negated && (strings.Contains(class, "[") || !hasMember(class[1:], c))
}

func hasMember(class string, c byte) bool {
	if strings.Contains(class, "[:") || strings.Contains(class, "[.") || strings.Contains(class, "[=") {
		return true
	}
	for i := range len(class) {
		if class[i] == c {
			return true
		}
		// In small letters a range such as [Z-a] is upside down: what is in it isn't known.
		if i+2 < len(class) && class[i+1] == '-' && (class[i] <= c && c <= class[i+2] || class[i] > class[i+2]) {
			return true
		}
	}
	return false
}

// describePattern counts the characters of names that a pattern has a place for, stars apart, those of them in an
// ending such as ".json", and the letters and digits before that.
func describePattern(p string) (fixed, ending, letters int) {
	rest := len(p)
	if dot := strings.LastIndexByte(p, '.'); dot >= 0 && !strings.ContainsAny(p[dot:], "*?[]()") {
		rest = dot
	}
	for j := 0; j < len(p); j++ {
		switch c := p[j]; {
		case c == '*':
			continue
		case c == '[':
			if end := classEnd(p[j:]); end > 0 {
				if end == 2 || end == 4 && p[j+1] == p[j+3] { // [a], [a-a]
					letters++
				}
				j += end
			}
		case isOpen(p, j):
			if end := strings.LastIndexByte(p, ')'); end > j {
				j = end
				continue
			}
		case j < rest && (c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c >= 0x80):
			letters++
		}
		fixed++
	}
	return fixed, len(p) - rest, letters
}

// classEnd returns where the class ends that a pattern begins with, if nothing in it is quoted; -1 if it has no end.
func classEnd(p string) int {
	for j := 1; j < len(p); j++ {
		switch {
		case p[j] == ']' && j > 1:
			return j
		case p[j] == '[' && j+1 < len(p) && strings.IndexByte(":.=", p[j+1]) >= 0: // [:alpha:]
			if end := strings.Index(p[j+2:], p[j+1:j+2]+"]"); end >= 0 {
				j += end + 3
			}
		}
	}
	return -1
}
