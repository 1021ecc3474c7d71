package compile

import (
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/luahook/luahook/internal/sourceline"
)

// Marked is a line of the source with a mark below what a message of the line is about, as far as the line shows that, else
// below its beginning. It is "" where the source isn't known.
func (p *Program) Marked(line int, message string) string {
	text := rawLine(p.source, line)
	if text == "" {
		return ""
	}
	if m := aboutWord().FindStringSubmatch(message); m != nil {
		if at := onlyPlace(text, `(?:^|\W)(`+m[1]+`)(?:\W|$)`); at > 0 {
			return marked(p.source, line, at)
		}
	}
	return marked(p.source, line, columnOf(withoutTexts(text), message))
}

// aboutWord finds the name of an event, option or key that isn't one.
var aboutWord = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\bunknown \w+(?: \w+)? "(\w{1,100})"`) })

// columnOf is where in a line what a message is about begins, from 1; 0 where nothing shows.
func columnOf(line, message string) int {
	if name, _, called := strings.Cut(message, " is no function"); called {
		if at := onlyPlace(line, `(?:^|[^\w.:])(`+regexp.QuoteMeta(name)+`)\s*[({]`); at > 0 {
			return at
		}
	}
	if m := aboutName().FindStringSubmatch(message); m != nil {
		for _, name := range m[1:] {
			if name == "" {
				continue
			}
			if at := onlyPlace(line, `(?:^|[^\w.])(`+strings.ReplaceAll(regexp.QuoteMeta(name), `\.`, `\s*[.:]\s*`)+`)(?:\W|$)`); at > 0 {
				return at
			}
			method := name[strings.LastIndexAny(name, ".:")+1:] // of a library function that is called as one
			if at := onlyPlace(line, `[.:]\s*(`+regexp.QuoteMeta(method)+`)(?:\W|$)`); at > 0 {
				return at
			}
		}
	}
	for _, op := range operations {
		if strings.HasPrefix(message, op.message) {
			return onlyPlace(line, op.operator)
		}
	}
	if strings.HasPrefix(message, "attempt to call") {
		return onlyPlace(line, `(?:^|[^\w.:])(`+callBegins+`)\s*[({]`)
	}
	return onlyPlace(line, `(?:^|[^\w.:])((?:error|assert)\s*[({]|error\s*$)`) // which has raised it, as a rule
}

// Called is the name that a line of the source calls, "cmd.args:find"; "" where it calls nothing, several, or isn't known.
func (p *Program) Called(line int) string {
	var name string
	for _, m := range calls().FindAllStringSubmatch(withoutTexts(rawLine(p.source, line)), 2) {
		if name != "" || isKeyword(m[1]) {
			return ""
		}
		name = m[1]
	}
	return name
}

// isKeyword reports whether a word before a bracket begins no call.
func isKeyword(word string) bool {
	switch word {
	case "function", "if", "elseif", "while", "until", "and", "or", "not", "return", "in":
		return true
	}
	return false
}

var calls = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?:^|[^\w.:])(` + callBegins + `)\s*[({]`) })

// callBegins is how a call begins.
const callBegins = `[A-Za-z_][\w.]*(?::\w+)?`

// onlyPlace is where the group of a pattern lies in a line that has it once, from 1; else 0.
func onlyPlace(line, pattern string) int {
	found := regexp.MustCompile(pattern).FindAllStringSubmatchIndex(line, 2)
	if len(found) != 1 {
		return 0
	}
	return found[0][2] + 1
}

// aboutName finds the name that a message is about: what is nil, the global that isn't there, the function whose argument is
// wrong, the library function that has failed.
var aboutName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^([A-Za-z_][\w.:\[\]]{0,200}) is (?:nil|no function|an? \w+)\b|there is no global (\w{1,100})|has no field "(\w{1,100})"|^bad argument #\d+ to '?([\w.:]{1,100})|^([A-Za-z_]\w{0,50}[.:]\w{1,50})\b`)
})

// operations are how messages of the machine begin that are about an operator, and how that is written.
var operations = [...]struct{ message, operator string }{
	{"cannot perform add operation", `(\+)`},
	{"cannot perform sub operation", `(-)`},
	{"cannot perform mul operation", `(\*)`},
	{"cannot perform div operation", `(/)`},
	{"cannot perform mod operation", `(%)`},
	{"cannot perform pow operation", `(\^)`},
	{"cannot perform concat operation", `(\.\.)`},
	{"attempt to compare", `([<>]=?)`},
	{"__unm undefined", `(-)`},
	{"__len undefined", `(#)`},
}

// rawLine is one line of a script, from 1, without its end; "" for one that isn't there.
func rawLine(source string, line int) string {
	for ; line > 1; line-- {
		_, rest, ok := strings.Cut(source, "\n")
		if !ok {
			return ""
		}
		source = rest
	}
	if line < 1 {
		return ""
	}
	text, _, _ := strings.Cut(source, "\n")
	return strings.TrimSuffix(text, "\r")
}

// marked is a line of a script with a mark below a column, which counts bytes from 1; 0 is where the line's text begins.
func marked(source string, line, column int) string {
	text := rawLine(source, line)
	if column <= 0 {
		column = len(text) - len(strings.TrimLeft(text, " \t")) + 1
	}
	return sourceline.Marked(text, line, utf8.RuneCountInString(text[:min(column-1, len(text))])+1)
}
