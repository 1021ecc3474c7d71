package compile

import (
	"regexp"
	"strings"
	"sync"
)

// Indexed is the expression that a line of the source reads a key of, or calls a method of that name: "ev.tool_call.x" for
// the key y of "ev.tool_call.x.y". It is "" where the source isn't known, where the line has no such expression made of names,
// or several.
func (p *Program) Indexed(line int, key string) string {
	var reads string
	switch {
	case isName().MatchString(key):
		reads = `\s*[.:]\s*` + key + `\b`
	case isNumber().MatchString(key):
		reads = `\s*\[\s*` + key + `\s*\]`
	default:
		return ""
	}
	text := withoutTexts(rawLine(p.source, line))
	if len(regexp.MustCompile(reads).FindAllString(text, 2)) != 1 {
		return ""
	}
	found := regexp.MustCompile(`([A-Za-z_]\w*(?:\s*\.\s*[A-Za-z_]\w*|\[\w+\])*)` + reads).FindStringSubmatch(text)
	if found == nil {
		return ""
	}
	return strings.Join(strings.Fields(found[1]), "")
}

// Calls reports whether a line of the source calls a function by a name, as far as the source is known.
func (p *Program) Calls(line int, name string) bool {
	return isName().MatchString(name) && regexp.MustCompile(`(^|[^\w.:])`+name+`(\s*[({]|\s|$)`).MatchString(withoutTexts(rawLine(p.source, line)))
}

var (
	isName   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z_]\w{0,99}$`) })
	isNumber = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\d{1,9}$`) })
)

// withoutTexts is a line with blanks in the place of texts in quotes, and without a comment.
func withoutTexts(line string) string {
	out := []byte(line)
	quote := byte(0)
	for i := 0; i < len(out); i++ {
		switch c := out[i]; {
		case quote != 0:
			out[i] = ' '
			if c == '\\' && i+1 < len(out) {
				i++
				out[i] = ' '
			} else if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote, out[i] = c, ' '
		case c == '-' && i+1 < len(out) && out[i+1] == '-':
			return string(out[:i])
		}
	}
	return string(out)
}
