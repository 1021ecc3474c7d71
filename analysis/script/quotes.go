package script

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// shape is how something is written. It's compiled when it's needed first.
type shape struct {
	text string
	once sync.Once
	expr *regexp.Regexp
}

func (s *shape) compiled() *regexp.Regexp {
	s.once.Do(func() {
		s.expr = regexp.MustCompile("^(?:" + strings.ReplaceAll(s.text, "LETTER", `\w\x{80}-\x{10FFFF}`) + ")")
	})
	return s.expr
}

// Some have parts: a quote the word before it and, perhaps behind blanks, itself; code in a text what opens it, if
// it isn't a variable with entries behind it; a here-document its quotes and what ends it.
var (
	numbers       = &shape{text: `\.?\d\w*(?:\.\d\w*)*`}
	charNumbers   = &shape{text: `\\(?:[xu]\{[[:xdigit:]]+\}|x[[:xdigit:]]{1,2}|u[[:xdigit:]]{1,4}|U[[:xdigit:]]{1,8}|[0-7]{1,3})`}
	fileNames     = &shape{text: `<[^\n;=]{0,80}>`}
	hereMarks     = &shape{text: "<<<?[~-]?(?:([\"'`])([ -~]*?)[\"'`]|([A-Za-z_]\\w*))"}
	comments      = &shape{text: lineGoesOn + `|#.*`}
	jsComments    = &shape{text: lineGoesOn + `|#!.*|//.*|/\*(?s:.*?)(?:\*/|$)`}
	perlComments  = &shape{text: lineGoesOn + `|#.*|=[A-Za-z](?s:.*?)(?:\n=cut|$)|__(?:END|DATA)__\b(?s:.*)`}
	rubyComments  = &shape{text: lineGoesOn + `|#.*|=begin(?s:.*?)(?:\n=end|$)|__END__\n(?s:.*)`}
	phpComments   = &shape{text: lineGoesOn + `|#\[.*?\]|(?:#|//)(?:[^?\n]|\?[^>\n])*(?:\?\n)?|/\*(?s:.*?)(?:\*/|$)|\?>` + markup}
	rubyVariables = &shape{text: `@@?[LETTER]+|\$(?:[LETTER]+|[!?~&;,/@])`}
	awkVariables  = &shape{text: `[$@]\w*`}
	phpVariables  = &shape{text: `\$[LETTER]+`}
	perlVariables = &shape{text: `\$#?(?:::)?[LETTER]+(?:::\w+)*|\$[&!@/\\,;.|"'\x60?~]|[@%](?:::)?[LETTER]+(?:::\w+)*|(?:[$@%&]|\$#)[{$]`}
	quotes        = &shape{text: "()([\"'`])"}
	pythonQuotes  = &shape{text: `([rbuftRBUFT]{0,2})("""|'''|["'])`}
	perlQuotes    = &shape{text: `(q[qwxr]?|m|s|tr|y|)( *[^\w\s,;)=}#]|#)`}
	rubyQuotes    = &shape{text: "(%\\w?|)([^\\w\\s,;)=}%])"}
	pythonCode    = &shape{text: `(\{)`}
	jsCode        = &shape{text: `(\$\{)`}
	rubyCode      = &shape{text: `(#\{)`}
	phpCode       = &shape{text: `(\$\{)|(\{)\$|\$[A-Za-z_]\w*(?:->[A-Za-z_]\w*|\[[^\]]*\])*`}
	perlCode      = &shape{text: `([$@]\{)|(?:\$\w+|@[A-Za-z_]\w*)(?:::[A-Za-z_]\w*)*(?:(?:->)?(?:\[[-$\d][^\]]*\]|\{[^}]*\}))*`}
	regexes       = &shape{text: `/(?:[^\\/\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])*/\w*`}
)

const (
	lineGoesOn = `\\\r?\n`
	markup     = `(?s:.*?)(?:<\?(?:php|=)?|$)`
	longSigns  = `>>>=|\.\.\.?|<=>|(?:\*\*|\|\||&&|\?\?|<<|>>)=?|[=!]==?|[-+*/.|&%^:<>]=|[-=]>|\+\+|--|[=!]~`
)

// match returns what of that shape stands here, and its parts.
func (x *lexer) match(of *shape) []string {
	return of.compiled().FindStringSubmatch(x.source[x.at:min(len(x.source), x.at+1000)])
}

// matched adds a token of what has that shape here.
func (x *lexer) matched(kind tokenKind, of *shape) bool {
	m := x.match(of)
	if m != nil {
		x.at += len(m[0])
		x.add(kind, m[0])
	}
	return m != nil
}

// form is a way to read strings.
type form struct {
	languages string
	opens     string // quotes, or words before any quote
	kind      tokenKind
	escapes   bool // \n is an end of line
	code      bool // there may be code in it
}

// The first of them that has a language and what opens a string counts.
var forms = [...]form{
	{" python javascript awk ", ` " """ ' ''' b B u U `, tokenText, true, false},
	{" perl ruby php ", ` " qq `, tokenText, true, true},
	{" ruby ", " % %Q ", tokenText, true, true},
	{" perl ruby php python ", " ' q %q %s r R br rb Rb bR ", tokenText, false, false},
	{" perl ruby php ", " ` qx %x ", tokenShell, true, true},
	{" perl ruby ", " qw %w %i ", tokenWords, false, false},
	{" ruby ", " %W %I ", tokenWords, true, true},
	{" perl ruby ", " qr m s tr y %r ", tokenRegex, false, false},
	{" perl ", " < ", tokenGlob, false, true},
	{" python javascript ", " ` f F t T ", tokenText, true, true},
	{" python ", " fr rf tr rt fR Rf ", tokenText, false, true},
}

// form returns how a string is read that begins so, nil for none.
func (l *language) form(open string) *form {
	for i := range forms {
		if f := &forms[i]; oneOf(f.languages, l.name) && oneOf(f.opens, open) {
			return f
		}
	}
	return nil
}

// quoted reads a string. It returns false where none begins.
func (x *lexer) quoted(c byte) bool {
	m := x.match(x.quotes)
	if m == nil {
		return false
	}
	open := strings.TrimLeft(m[2], " ")
	f := x.form(cmp.Or(m[1], open))
	if f == nil || isNameStart(c) && oneOf(" -> sub - ", x.last().text) || (c == '%' || c == '<') && x.operand() ||
		f.kind == tokenGlob && x.match(fileNames) == nil {
		return false
	}
	x.at += len(m[0])
	pieces := x.pieces(open, closer(open), f)
	if f.kind == tokenRegex {
		pieces = x.replacement(m[1], open)
	}
	x.add(f.kind, x.source[x.start:x.at]).pieces = pieces
	return true
}

// replacement reads what stands behind the first part of a regular expression.
// It returns the code of s/x/code/e, and of s/x/code/ee as what has a raw text.
func (x *lexer) replacement(word, open string) (all []piece) {
	from := x.at
	if oneOf(" s tr y ", word) {
		if closer(open) != open {
			x.at = len(x.source) - len(strings.TrimLeft(x.source[x.at:], " \t\n"))
			open = x.source[x.at:min(x.at+1, len(x.source))]
			x.at += len(open)
		}
		from = x.at
		x.pieces(open, closer(open), &form{})
	}
	to, end := max(from, x.at-1), len(x.source)-len(strings.TrimLeft(x.source[x.at:], "acdegilmnoprsux"))
	if count := strings.Count(x.source[x.at:end], "e"); word == "s" && count > 0 {
		x.at = from
		all = []piece{{code: x.nested(0, to)}}
		if count > 1 {
			all[0].raw = x.source[from:to]
		}
	}
	x.at = end
	return all
}

// pieces reads the pieces of a string up to end. Of brackets those inside count.
func (x *lexer) pieces(open, end string, f *form) (all []piece) {
	var b strings.Builder
	for depth := 0; x.at < len(x.source) && !*x.complex; {
		c, from := x.source[x.at], x.at
		if depth == 0 && end != "" && x.has(end) || c == '\n' && len(end) == 1 && x.pythonic { // nobody closes it
			x.at += len(end)
			break
		}
		if c == '\\' && x.at+1 < len(x.source) {
			x.escape(&b, open+end, f)
			continue
		}
		if f.code && x.pythonic && (x.has("{{") || x.has("}}")) {
			x.at++
		} else if code := x.interpolation(c, f); code != nil {
			all = append(all, piece{text: b.String()}, piece{raw: x.source[from:x.at], code: code})
			b.Reset()
			continue
		}
		if open != end && c == open[0] {
			depth++
		} else if depth > 0 && c == end[0] {
			depth--
		}
		b.WriteByte(c)
		x.at++
	}
	return append(all, piece{text: b.String()})
}

// escape reads a backslash and what stands behind it.
func (x *lexer) escape(b *strings.Builder, quotes string, f *form) {
	c, number, letter := x.peek(1), x.match(charNumbers), strings.IndexByte("ntreabfv", x.peek(1))
	stays := (x.pythonic || x.name == "php") && strings.IndexByte("\\\"'$`", c) < 0
	if !f.escapes {
		stays = x.pythonic || c != '\\' && strings.IndexByte(quotes, c) < 0
	}
	switch {
	case f.escapes && c == '\n':
	case f.escapes && letter >= 0:
		b.WriteByte("\n\t\r\x1b    "[letter])
	case f.escapes && number != nil:
		base := 16
		if isDigit(c) {
			base = 8
		}
		code, _ := strconv.ParseUint(strings.Trim(number[0], `\xuU{}`), base, 32)
		b.WriteRune(cmp.Or(rune(code), utf8.RuneError)) // no path or argument has a 0
		x.at += len(number[0]) - 2
	case stays:
		b.WriteString(x.source[x.at : x.at+2])
	default:
		b.WriteByte(c)
	}
	x.at += 2
}

// interpolation reads code in a string. It returns nil where none begins.
func (x *lexer) interpolation(c byte, f *form) *unit {
	if !f.code || strings.IndexByte("${#@", c) < 0 {
		return nil
	}
	m := x.match(x.codes)
	if m == nil {
		return nil
	}
	opening := strings.Join(m[1:], "")
	if opening == "" {
		return x.nested(0, x.at+len(m[0]))
	}
	x.at += len(opening)
	code := x.nested('}', len(x.source))
	if first := code.tokens; x.join == "." && len(first) == 2 && first[0].kind == tokenName && isNameStart(first[0].text[0]) { // ${name}
		first[0].text = string(c) + first[0].text
	}
	x.pieces("{", "}", &form{}) // of Python, a format is left
	return code
}

// hereDocument reads the mark of a here-document, and its text behind the line. It returns false where none begins.
func (x *lexer) hereDocument() bool {
	m := x.match(x.here)
	function := x.name == "perl" && x.last().kind == tokenName && isNameStart(x.last().text[0])
	if m == nil || x.name != "php" && x.operand() && !function && x.peek(2) != '~' {
		return false
	}
	x.at += len(m[0])
	t, f, source, behind := x.add(tokenRegex, m[0]), x.form(cmp.Or(m[1], `"`)), x.source, x.at
	line := strings.IndexByte(source[x.at:], '\n') + 1
	if line == 0 { // the text doesn't come
		return true
	}
	before, after := `(?m)^`, `[ \t\r]*(?:\n|\z)`
	if x.name == "php" { // the end of line before the tag doesn't belong to the text
		before, after = `(?:^|\n)`, `\b`
	}
	x.at = min(max(x.at+line, x.after), len(source))
	tag := regexp.MustCompile(before + `[ \t]*` + regexp.QuoteMeta(m[2]+m[3]) + after + `|\z`).FindStringIndex(source[x.at:])
	end := x.at + tag[1]
	x.source = source[:x.at+tag[0]]
	t.kind, t.pieces = f.kind, x.pieces("", "", f)
	x.source, x.at, x.after = source, behind, end
	return true
}
