package script

import "strings"

// tokenKind says what a token is.
type tokenKind uint8

const (
	tokenEnd     tokenKind = iota
	tokenName              // a name, with its sigil: x, $x, @x
	tokenNumber            // as it's written
	tokenText              // a string, in pieces
	tokenShell             // a text between command quotes, in pieces
	tokenWords             // qw(a b), %w[a b], in pieces
	tokenRegex             // a regular expression, or a substitution, with the code in it
	tokenGlob              // <*.o> of Perl, in pieces
	tokenSign              // an operator or a bracket
	tokenNewline           // where it ends a statement
	tokenIndent            // of Python: a block begins
	tokenDedent            // and ends
)

// token is one word of a program.
type token struct {
	kind           tokenKind
	text           string
	pieces         []piece
	start, end     int // in the source
	line           int
	match          int  // of a bracket: the token of the other one, 0 for none
	each           int  // of an opening bracket of Python: the token of the "for" in it
	space, newline bool // there is a blank, or an end of line, before it
}

// piece is a part of a string: a text, or code whose value stands there.
type piece struct {
	text string
	raw  string // how the code is written
	code *unit
}

// unit is a program, or a part of one that stands in a string.
type unit struct {
	source string
	tokens []token
}

// The bounds of one program.
const (
	maxSource  = 64 << 10 // bytes
	maxNesting = 100      // of brackets, blocks and operators
	maxInner   = 12       // of code in strings
	maxChain   = 500      // links in a row: a.b.c()
)

// lexer reads the tokens of a program.
type lexer struct {
	*language
	unit
	at, start      int   // start is that of the token that is read
	line, counted  int   // the line of what is at counted
	inner          int   // how deep it is in strings
	stack, indents []int // the tokens of open brackets, and those that begin blocks of Python
	after          int   // where the last here-document ends
	complex        *bool
	stop           byte // an unmatched bracket of this kind ends the unit
	blank, broken  bool // a blank, and an end of line, since the last token
}

// lex reads source, which begins in the given line.
func (l *language) lex(source string, line int, complex *bool) *unit {
	tokens := make([]token, 0, 8+min(len(source), maxSource)/4)
	x := &lexer{language: l, unit: unit{source: source, tokens: tokens}, line: line, complex: complex, broken: true}
	*complex = *complex || len(source) > maxSource
	if l.name == "php" && (x.has("#!") || x.has("<") && !x.has("<<<")) {
		x.at = len((&shape{text: markup}).compiled().FindString(source))
	}
	x.read()
	return &x.unit
}

// nested reads the code in a string, up to an unmatched stop or the end of the source.
func (x *lexer) nested(stop byte, end int) *unit {
	sub := &lexer{language: x.language, unit: unit{source: x.source[:end]}, at: x.at, line: x.line, counted: x.counted,
		inner: x.inner + 1, after: x.after, complex: x.complex, stop: stop}
	*x.complex = *x.complex || sub.inner > maxInner
	sub.read()
	x.at, x.after = sub.at, sub.after
	return &sub.unit
}

func (x *lexer) peek(n int) byte {
	if x.at+n < len(x.source) {
		return x.source[x.at+n]
	}
	return 0
}

func (x *lexer) has(text string) bool { return strings.HasPrefix(x.source[x.at:], text) }

func (x *lexer) last() *token {
	if len(x.tokens) == 0 {
		return &token{}
	}
	return &x.tokens[len(x.tokens)-1]
}

func (x *lexer) add(kind tokenKind, text string) *token {
	if x.name == "ruby" && (text == "." || text == "&.") && x.last().kind == tokenNewline { // a chain goes on
		x.tokens = x.tokens[:len(x.tokens)-1]
	}
	x.line += strings.Count(x.source[x.counted:x.start], "\n")
	x.counted = x.start
	x.tokens = append(x.tokens, token{kind: kind, text: text, start: x.start, end: x.at, line: x.line, space: x.blank, newline: x.broken})
	x.blank, x.broken = false, false
	return x.last()
}

func (x *lexer) read() {
	for x.at < len(x.source) && !*x.complex && !x.one() {
	}
	x.start = x.at
	x.indent("")
	x.add(tokenEnd, "")
	for _, open := range x.stack { // that nobody closes
		x.tokens[open].match = len(x.tokens) - 1
	}
}

// one reads a token, or what is between tokens. It returns whether the unit ends.
func (x *lexer) one() bool {
	x.start = x.at
	switch c := x.source[x.at]; {
	case c == '\n':
		x.endLine()
	case c == ' ' || c == '\t' || c == '\r' || c == '\f':
		x.at++
		x.blank = true
	case x.comment(c):
		x.blank = true
	case x.pythonic && x.broken && x.stop == 0 && len(x.stack) == 0:
		line := strings.LastIndexByte(x.source[:x.at], '\n') + 1
		x.indent(strings.ReplaceAll(x.source[line:x.at], "\t", "        "))
	case c == '<' && x.here != nil && x.hereDocument():
	case strings.IndexByte("\"'`%<qmstyrbufRBUFT", c) >= 0 && x.quoted(c):
	case x.variable(c):
	case c == '/' && x.regexes != nil && !x.operand() && x.matched(tokenRegex, x.regexes):
	case isDigit(c) || c == '.' && isDigit(x.peek(1)):
		x.matched(tokenNumber, numbers)
	case c == '\\' && x.name == "php",
		(c == ':' && x.name == "ruby" || c == '&' && x.name == "perl") && (x.peek(1) == '"' || isNameStart(x.peek(1))) && !x.operand():
		if x.at++; c == ':' && x.readName(tokenText) { // \f and &f are f, and :f and :"f" are "f"
			x.last().pieces = []piece{{text: x.last().text}}
		}
	case x.readName(tokenName):
		if n := len(x.stack); n > 0 && x.pythonic && x.last().text == "for" && x.tokens[x.stack[n-1]].each == 0 {
			x.tokens[x.stack[n-1]].each = len(x.tokens) - 1
		}
	case strings.IndexByte("=<>&|?.:+-*/~", x.peek(1)) >= 0 && x.matched(tokenSign, x.signs):
	default:
		return x.sign(c)
	}
	return false
}

// readName reads a name.
func (x *lexer) readName(kind tokenKind) bool {
	if c := x.peek(0); !isNameStart(c) && (c != '$' || x.parts != "$") {
		return false
	}
	for more := true; more; {
		for c := x.peek(0); isNameByte(c) || c >= 0x80; c = x.peek(0) {
			x.at++
		}
		if more = x.parts != "" && x.has(x.parts); more {
			x.at += len(x.parts)
		}
	}
	if x.name == "ruby" && (x.peek(0) == '?' || x.peek(0) == '!') && x.peek(1) != '=' {
		x.at++
	}
	x.add(kind, strings.Trim(x.source[x.start:x.at], ":"))
	return true
}

// comment skips a comment, and what else isn't read.
func (x *lexer) comment(c byte) bool {
	first := x.at == 0 || x.source[x.at-1] == '\n'
	if strings.IndexByte("#/\\?", c) < 0 && !(c == '_' && (first || x.name == "perl")) && !(c == '=' && first && strings.Contains("{};\n", x.last().text)) {
		return false
	}
	text := x.comments.compiled().FindString(x.source[x.at:])
	x.at += len(text)
	return text != ""
}

// endLine goes behind the end of a line, which perhaps ends a statement, and the here-documents behind it.
func (x *lexer) endLine() {
	last, n := x.last(), len(x.stack)
	inside := n > 0 && (x.pythonic || x.tokens[x.stack[n-1]].text != "{")
	if x.lines && !inside && last.kind != tokenEnd && last.kind < tokenNewline &&
		(last.kind != tokenSign || x.pythonic || oneOf(" ) ] } ; | ", last.text)) {
		x.add(tokenNewline, "\n")
	}
	x.at = max(x.at+1, min(x.after, len(x.source)))
	x.broken, x.blank = true, true
}

// indent begins and ends blocks of Python at a line that begins with blanks.
func (x *lexer) indent(blanks string) {
	n := len(x.indents)
	for ; n > 0 && len(x.tokens[x.indents[n-1]].text) > len(blanks); n-- {
		x.tokens[x.indents[n-1]].match = len(x.tokens)
		x.add(tokenDedent, "")
	}
	x.indents = x.indents[:n]
	if blanks != "" && (n == 0 || len(x.tokens[x.indents[n-1]].text) < len(blanks)) {
		*x.complex = *x.complex || n >= maxNesting
		x.indents = append(x.indents, len(x.tokens))
		x.add(tokenIndent, blanks)
	}
	x.broken = false
}

// variable reads a name with its sigil, or the sigil of ${...} and $$x in Perl.
func (x *lexer) variable(c byte) bool {
	before := x.last().text
	if x.variables == nil || strings.IndexByte("$@%&", c) < 0 || (c == '%' || c == '&') && x.operand() || !x.matched(tokenName, x.variables) {
		return false
	}
	t := x.last()
	switch entry := strings.IndexByte("[{", x.peek(0)); {
	case x.name != "perl":
	case strings.HasSuffix(t.text, "{") || strings.HasSuffix(t.text, "$"):
		x.at--
		t.kind, t.text, t.end = tokenSign, t.text[:1]+"deref", x.at
	case c == '%' || strings.HasSuffix(before, "deref"):
	case entry >= 0: // it's one of the list or map of that name
		t.text = "@%"[entry:entry+1] + t.text[1:]
	}
	return true
}

// sign reads an operator or a bracket. It returns whether the unit ends there instead.
func (x *lexer) sign(c byte) bool {
	match := 0
	switch {
	case x.stop != 0 && len(x.stack) == 0 && (c == x.stop || x.pythonic && (c == ':' || c == '!')): // a format stands behind the value
		return true
	case c == '(' || c == '[' || c == '{':
		*x.complex = *x.complex || len(x.stack) >= maxNesting
		x.stack = append(x.stack, len(x.tokens))
	case c == ')' || c == ']' || c == '}':
		if n := len(x.stack) - 1; n >= 0 && closer(x.tokens[x.stack[n]].text) == string(c) {
			match = x.stack[n]
			x.tokens[match].match = len(x.tokens)
			x.stack = x.stack[:n]
		}
	}
	x.at++
	x.add(tokenSign, x.source[x.start:x.at]).match = match
	return false
}

func closer(open string) string {
	if i := strings.Index("([{<", open); i >= 0 && len(open) == 1 {
		return ")]}>"[i : i+1]
	}
	return open
}

// operand reports whether the last token ends a value, so that a "/" divides.
func (x *lexer) operand() bool {
	t := x.last()
	switch {
	case t.kind == tokenName: // a blank on one side only: an argument without brackets
		_, before := x.table()["before "+t.text]
		return !before && (x.name != "ruby" && x.name != "perl" || !x.blank || x.peek(1) == ' ' || x.peek(1) == '=' || !isNameStart(t.text[0]))
	case t.is(")") && x.name == "javascript" && t.match > 0:
		return !oneOf(" if while for ", x.tokens[t.match-1].text)
	case t.kind == tokenSign:
		return oneOf(" ) ] ++ -- ", t.text) || t.text == "}" && x.name != "javascript" && x.name != "awk"
	}
	return t.kind != tokenEnd && t.kind < tokenNewline
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isNameByte(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || isDigit(c)
}

// isNameStart reports whether c may begin a name, as letters beyond ASCII may.
func isNameStart(c byte) bool { return isNameByte(c) && !isDigit(c) || c >= 0x80 }

// oneOf reports whether list, which has blanks around its words, has word.
func oneOf(list, word string) bool {
	return word != "" && !strings.ContainsAny(word, " \n") && strings.Contains(list, " "+word+" ")
}

// constant returns the text of a string that has no code in it.
func (t *token) constant() (string, bool) {
	if len(t.pieces) != 1 || t.pieces[0].code != nil {
		return "", false
	}
	return t.pieces[0].text, t.kind == tokenText
}
