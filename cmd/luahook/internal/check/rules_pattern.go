package check

import (
	"errors"
	"fmt"
	"regexp/syntax"
	"strings"

	"github.com/yuin/gopher-lua/ast"

	"github.com/luahook/luahook/internal/regex"
	"github.com/luahook/luahook/luabind/luapattern"
)

// These rules are about patterns that are written out: Lua's, and regular expressions of re.

// patternUse is a pattern in a call.
type patternUse struct {
	text    *ast.StringExpr
	regex   bool // of re
	gmatch  bool
	written string // as it is spelled, with its escapes
}

// patterns are those of the calls of a script. Of methods only the names are known: find, match, gmatch, gsub, and those of re's
// objects have patterns of their own.
func (f *file) patterns() (all []patternUse) {
	for _, c := range f.calls {
		name, at, plain := "", 1, 3
		switch {
		case c.Func != nil:
			name = f.memberName(c.Func)
			if strings.HasPrefix(name, "re.") {
				if name == "re.compile" {
					at = 0
				}
				if name != "re.quote" && len(c.Args) > at {
					if s := f.literal(c.Args[at]); s != nil {
						all = append(all, patternUse{text: s, regex: true, written: f.written(s)})
					}
				}
				continue
			}
			name = strings.TrimPrefix(name, "string.")
			if name == f.memberName(c.Func) {
				continue
			}
		case !f.mayBeText(c.Receiver):
			continue
		default:
			name, at, plain = c.Method, 0, 2
		}
		switch name {
		case "find", "match", "gmatch", "gsub":
		default:
			continue
		}
		if len(c.Args) <= at || name == "find" && len(c.Args) > plain && !isFalse(c.Args[plain]) {
			continue
		}
		if s := f.literal(c.Args[at]); s != nil {
			all = append(all, patternUse{text: s, gmatch: name == "gmatch", written: f.written(s)})
		}
	}
	return all
}

func isFalse(e ast.Expr) bool {
	switch e.(type) {
	case *ast.FalseExpr, *ast.NilExpr:
		return true
	}
	return false
}

// mayBeText reports whether a method of what an expression comes to may be that of a text: it isn't, as far as is seen, one of
// re's objects or of a table of the script's.
func (f *file) mayBeText(e ast.Expr) bool {
	for range 5 {
		switch x := e.(type) {
		case *ast.TableExpr, *ast.FunctionExpr:
			return false
		case *ast.FuncCallExpr:
			name := f.memberName(x.Func)
			return x.Func == nil || strings.HasPrefix(name, "string.") || strings.HasPrefix(name, "text.") || name == "tostring" || name == "env.get" || name == "fs.read" || name == "table.concat"
		case *ast.IdentExpr:
			v := f.variables[x]
			if v == nil {
				return f.isOwnText(x)
			}
			if v.value() == nil {
				_, isEvent := f.record(x)
				return isEvent || v.param || v.loop // what is called with a pattern is a text as a rule
			}
			e = v.value()
		case *ast.LogicalOpExpr:
			return f.mayBeText(x.Lhs)
		case *ast.AttrGetExpr:
			_, isEvent := f.record(x)
			return isEvent
		default:
			return true
		}
	}
	return false
}

// isOwnText reports whether a global of the script's own is a text.
func (f *file) isOwnText(id *ast.IdentExpr) bool {
	if !f.assigned[id.Value] {
		return false
	}
	for _, w := range f.writes {
		if name, ok := w.target.(*ast.IdentExpr); ok && name.Value == id.Value {
			if _, isText := w.value.(*ast.StringExpr); !isText {
				return false
			}
		}
	}
	return true
}

// written is a text as it is spelled in quotes, "" for one in long brackets.
func (f *file) written(s *ast.StringExpr) string {
	at := f.places[s]
	if at.line < 1 || at.line > len(f.lines) {
		return ""
	}
	line := f.lines[at.line-1]
	if at.column < 1 || at.column > len(line) {
		return ""
	}
	quote := line[at.column-1]
	if quote != '"' && quote != '\'' {
		return ""
	}
	for i := at.column; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case quote:
			return line[at.column:i]
		}
	}
	return ""
}

// Bounds of the regular expressions that are read here, as re has them.
var regexLimits = regex.Limits{Work: 1 << 20, Size: 50_000}

// unmetered lets a pattern be read without a budget: its length is that of a script's text at most.
type unmetered struct{}

func (unmetered) Step(int) {}

func (f *file) badPatterns() {
	for _, p := range f.patterns() {
		if p.regex {
			_, _, err := regex.Parse(p.text.Value, regexLimits, func(int, int) error { return nil })
			var wrong *syntax.Error
			if errors.As(err, &wrong) {
				err = fmt.Errorf("%s: %q", wrong.Code, wrong.Expr)
			}
			if err != nil {
				f.report("bad-pattern", Error, p.text, "this regular expression can't be read: "+err.Error())
			}
			continue
		}
		if _, err := luapattern.Compile(p.text.Value, !p.gmatch, unmetered{}); err != nil && f.regexSyntax(p) == "" {
			f.report("bad-pattern", Error, p.text, "this Lua pattern can't be read: "+err.Error())
		}
	}
}

func (f *file) regexInPatterns() {
	for _, p := range f.patterns() {
		if p.regex {
			if lost := lostEscape(p.written); lost != "" {
				f.report("regex-in-pattern", Warning, p.text, fmt.Sprintf(`in quotes Lua drops the backslash of \%s; write \\%s, or the pattern in [[ ]]`, lost, lost))
			} else if class := luaClass(p.text.Value); class != "" {
				f.report("regex-in-pattern", Warning, p.text, fmt.Sprintf(`%s is of Lua's patterns; a regular expression has \%s`, class, class[1:]))
			}
			continue
		}
		if what := f.regexSyntax(p); what != "" {
			f.report("regex-in-pattern", Warning, p.text, what+" is of regular expressions and means something else in a Lua pattern: use re.match or re.find")
		}
	}
}

// swappedArguments finds re.match("rm", ev.tool_call.command).
func (f *file) swappedArguments() {
	for _, c := range f.calls {
		name := f.memberName(c.Func)
		if c.Func == nil || !strings.HasPrefix(name, "re.") || len(c.Args) < 2 {
			continue
		}
		pattern := f.literal(c.Args[0])
		if pattern == nil || f.literal(c.Args[1]) != nil || f.isMade(c.Args[1]) || strings.TrimSuffix(f.typeOf(c.Args[1]), "?") != "string" {
			continue
		}
		f.report("swapped-arguments", Warning, pattern, fmt.Sprintf("%s wants the text first and then the pattern; here the text is the pattern", name))
	}
}

// isMade reports whether a text is what a call gives, as re.quote, which may well be a pattern.
func (f *file) isMade(e ast.Expr) bool {
	switch x := e.(type) {
	case *ast.FuncCallExpr:
		return true
	case *ast.IdentExpr:
		v := f.variables[x]
		if v == nil {
			return false
		}
		_, isCall := v.init.(*ast.FuncCallExpr)
		return isCall
	}
	return false
}

// lostEscape is the first escape of a text in quotes that Lua doesn't have and regular expressions do.
func lostEscape(written string) string {
	for i := 0; i+1 < len(written); i++ {
		if written[i] != '\\' {
			continue
		}
		if i++; strings.IndexByte(`bdwsDWSBpzAQ.+*?()[]{}|^$-/`, written[i]) >= 0 {
			return written[i : i+1]
		}
	}
	return ""
}

// luaClass is the first class of Lua's patterns in a regular expression, "%d"; % before anything else is a percent sign.
func luaClass(text string) string {
	for i := 0; i+1 < len(text); i++ {
		if text[i] == '\\' {
			i++
			continue
		}
		if text[i] == '%' && strings.IndexByte("dwsDWS", text[i+1]) >= 0 && (i+2 == len(text) || strings.IndexByte("+*?]-){$", text[i+2]) >= 0) {
			return text[i : i+2]
		}
	}
	return ""
}

// regexSyntax is what a Lua pattern has of regular expressions, as messages show it; "" where nothing shows.
func (f *file) regexSyntax(p patternUse) string {
	if lost := lostEscape(p.written); lost != "" && strings.Contains("dwsDWSB", lost) {
		return `\` + lost
	}
	text := p.text.Value
	for i, depth := 0, 0; i < len(text); i++ {
		rest := text[i:]
		switch {
		case text[i] == '%':
			i++
		case text[i] == '[':
			i += setLen(rest) - 1
		case text[i] == '\\' && len(rest) > 1 && strings.IndexByte("dwsDWSB", rest[1]) >= 0 && (len(rest) == 2 || !isWord(rest[2])):
			return rest[:2]
		case rest == `\b`, i == 0 && strings.HasPrefix(rest, `\b`), text[i] == '\b':
			return `\b`
		case text[i] == '\\' && len(rest) > 1 && strings.IndexByte(".(){}[]+*?$^|", rest[1]) >= 0 && !strings.HasPrefix(rest, `\\`) && p.written != "":
			return rest[:2]
		case strings.HasPrefix(rest, "(?:"), strings.HasPrefix(rest, "(?i"), strings.HasPrefix(rest, "(?P<"), strings.HasPrefix(rest, "(?="), strings.HasPrefix(rest, "(?!"):
			return rest[:3]
		case strings.HasPrefix(rest, ".*?"), strings.HasPrefix(rest, ".+?"):
			return rest[:3]
		case text[i] == '(':
			depth++
		case text[i] == ')':
			depth--
		case text[i] == '|' && i > 0 && i+1 < len(text) && depth > 0 && isAlternative(text, i):
			return "| in ( )"
		case text[i] == '|' && i > 0 && i+1 < len(text) && isWord(text[i-1]) && isWord(text[i+1]):
			return "|"
		case text[i] == '{' && i > 0 && (isWord(text[i-1]) || text[i-1] == ']' || text[i-1] == ')' || text[i-1] == '.') && repeats(rest):
			return rest[:strings.IndexByte(rest, '}')+1]
		}
	}
	return ""
}

// isAlternative reports whether a | parts alternatives: on both sides stand words, groups or classes.
func isAlternative(text string, i int) bool {
	before, after := text[i-1], text[i+1]
	return (isWord(before) || before == ')' || before == '$' || before == '+' || before == '*') && (isWord(after) || after == '(' || after == '^' || after == '%' || after == '.' || after == '-')
}

func isWord(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// repeats reports whether a text begins with a count in braces: {3}, {2,}.
func repeats(text string) bool {
	inner, _, closed := strings.Cut(text[1:], "}")
	return closed && inner != "" && inner[0] != ',' && strings.Trim(inner, "0123456789,") == ""
}

// setLen is how long a set is that a text begins with.
func setLen(text string) int {
	i := 1
	if i < len(text) && text[i] == '^' {
		i++
	}
	for first := true; i < len(text); first = false {
		switch {
		case text[i] == '%':
			i += 2
			continue
		case text[i] == ']' && !first:
			return i + 1
		}
		i++
	}
	return len(text)
}
