package script

import (
	"slices"
	"strings"
)

// tokenKind says what a token is.
type tokenKind uint8

const (
	tokenEnd      tokenKind = iota
	tokenName               // a name, with its sigil: x, $x, @x
	tokenNumber             // as it's written
	tokenText               // a string, in pieces
	tokenShell              // a text between command quotes, in pieces
	tokenWords              // qw(a b), %w[a b], in pieces
	tokenRegex              // a regular expression, or a substitution, with the code in it
	tokenGlob               // <*.o> of Perl, in pieces
	tokenSign               // an operator or a bracket
	tokenHereText           // a here-document whose text is still to come
	tokenNewline            // where it ends a statement
	tokenIndent             // of Python: a block begins
	tokenDedent             // and ends
)

// token is one word of a program.
type token struct {
	kind       tokenKind
	text       string
	pieces     []piece
	start, end int // in the source
	line       int
	match      int  // of a bracket: the token of the other one, 0 for none
	each       int  // of an opening bracket of Python: the token of the "for" in it
	space      bool // there is a blank before it
	newline    bool // there is an end of line before it
}

// piece is a part of a string: a text, or code whose value stands there.
type piece struct {
	text string
	raw  string // how the code is written
	code *unit
}

// unit is a program, or a part of one that stands in a string.
type unit struct {
	source    string
	tokens    []token
	functions map[int]*function // by the token that they begin at
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
	at            int
	start         int // of the token that is read
	startLine     int
	line, counted int // the line of what is at counted
	inner         int // how deep it is in strings
	stack         []int
	indents       []indent
	pending       []here
	complex       *bool
	stop          byte // an unmatched bracket of this kind ends the unit
	blank         bool
	broken        bool // an end of line since the last token
}

// indent is a block of Python.
type indent struct{ depth, token int }

// lex reads source, which begins in the given line.
func (l *language) lex(source string, line int, complex *bool) *unit {
	x := &lexer{language: l, unit: unit{source: source, tokens: make([]token, 0, 8+len(source)/4)}, line: line, complex: complex, broken: true}
	file := strings.HasPrefix(source, "#!") || strings.HasPrefix(source, "<") && !strings.HasPrefix(source, "<<<")
	if l.name == "php" && file {
		x.skipMarkup()
	}
	x.read()
	return &x.unit
}

// nested reads the code in a string from at on, up to an unmatched stop or the
// given end of the source.
func (x *lexer) nested(stop byte, end int) *unit {
	x.countLines()
	sub := &lexer{language: x.language, unit: unit{source: x.source[:end]}, at: x.at, line: x.line, counted: x.at,
		inner: x.inner + 1, complex: x.complex, stop: stop}
	if sub.inner > maxInner {
		*x.complex = true
		x.at = end
		return &sub.unit
	}
	sub.read()
	x.at = sub.at
	return &sub.unit
}

func (x *lexer) countLines() {
	x.line += strings.Count(x.source[x.counted:x.at], "\n")
	x.counted = x.at
}

func (x *lexer) peek(n int) byte {
	if x.at+n < len(x.source) {
		return x.source[x.at+n]
	}
	return 0
}

func (x *lexer) has(text string) bool { return strings.HasPrefix(x.source[x.at:], text) }

// skipTo goes behind the next end, or to the end of the source.
func (x *lexer) skipTo(end string) {
	_, after, _ := strings.Cut(x.source[x.at:], end)
	x.at = len(x.source) - len(after)
}

func (x *lexer) last() *token {
	if len(x.tokens) == 0 {
		return &token{}
	}
	return &x.tokens[len(x.tokens)-1]
}

func (x *lexer) add(kind tokenKind, text string) *token {
	x.tokens = append(x.tokens, token{kind: kind, text: text, start: x.start, end: x.at, line: x.startLine, space: x.blank, newline: x.broken})
	x.blank, x.broken = false, false
	return x.last()
}

// begin notes that a token begins here.
func (x *lexer) begin() {
	x.countLines()
	x.start, x.startLine = x.at, x.line
}

// read reads all tokens.
func (x *lexer) read() {
	for x.at < len(x.source) && !*x.complex && !x.one() {
	}
	x.begin()
	x.dedent(0)
	x.add(tokenEnd, "")
	// Brackets that nobody closes end where the text ends.
	for _, open := range x.stack {
		x.tokens[open].match = len(x.tokens) - 1
	}
}

// one reads a token, or what stands between tokens. It returns whether the
// unit ends.
func (x *lexer) one() bool {
	x.begin()
	switch c := x.source[x.at]; {
	case c == '\n':
		x.endLine()
	case c == ' ' || c == '\t' || c == '\r' || c == '\f':
		x.at++
		x.blank = true
	case x.comment():
		x.blank = true
	case x.pythonic && x.broken && x.stop == 0 && len(x.stack) == 0:
		x.indent()
	case x.hereMark() || x.quoted(c) || x.variable(c):
	case c == '/' && !x.operand() && !(x.peek(1) == '=' && x.last().kind == tokenName) && x.matched(tokenRegex, x.regexes):
	case isDigit(c) || c == '.' && isDigit(x.peek(1)) && x.last().kind != tokenNumber:
		x.matched(tokenNumber, numbers)
	case c == '\\' && x.name == "php", c == '&' && x.name == "perl" && isNameStart(x.peek(1)) && !x.operand(),
		c == ':' && x.name == "ruby" && x.peek(1) == '"' && !x.operand(): // \f and &f are f, and :"f" is "f"
		x.at++
	case c == ':' && x.name == "ruby" && isNameStart(x.peek(1)) && !x.operand():
		x.at++
		x.word(tokenText)
		x.last().pieces = []piece{{text: x.last().text}}
	case x.word(tokenName):
		name := x.last().text
		if x.name == "perl" && (name == "__END__" || name == "__DATA__") {
			x.at = len(x.source)
		}
		if n := len(x.stack); n > 0 && x.pythonic && name == "for" {
			if open := &x.tokens[x.stack[n-1]]; open.each == 0 {
				open.each = len(x.tokens) - 1
			}
		}
	default:
		return x.sign(c)
	}
	return false
}

// word reads a name. It returns false where none begins.
func (x *lexer) word(kind tokenKind) bool {
	if !x.matched(kind, x.names) {
		return false
	}
	if t := x.last(); x.name == "ruby" && x.peek(0) == '=' && strings.ContainsAny(t.text, "?!") { // a!=b
		t.text = t.text[:len(t.text)-1]
		x.at--
	}
	return true
}

// comment skips a comment, and what else isn't read.
func (x *lexer) comment() bool {
	c, first := x.source[x.at], x.at == 0 || x.source[x.at-1] == '\n'
	switch {
	case x.has("\\\n") || x.has("\\\r\n"): // the line goes on
		x.skipTo("\n")
	case x.name == "php" && x.has("#["):
		x.skipTo("]")
	case x.hashes && c == '#', x.slashes && x.has("//"), x.at == 0 && x.has("#!"):
		line, _, _ := strings.Cut(x.source[x.at:], "\n")
		if x.name == "php" {
			line, _, _ = strings.Cut(line, "?>")
		}
		x.at += len(line)
	case x.slashes && x.has("/*"):
		x.at += 2
		x.skipTo("*/")
	case x.name == "ruby" && first && x.has("=begin"):
		x.skipTo("\n=end")
	case x.name == "perl" && first && c == '=' && isNameStart(x.peek(1)) && strings.Contains("{};", x.last().text):
		x.skipTo("\n=cut")
	case x.name == "ruby" && first && x.has("__END__\n"):
		x.at = len(x.source)
	case x.name == "php" && x.has("?>"):
		x.at += 2
		x.add(tokenSign, ";")
		x.skipMarkup()
	default:
		return false
	}
	return true
}

// skipMarkup goes to the next code of PHP.
func (x *lexer) skipMarkup() {
	x.skipTo("<?")
	for _, word := range [...]string{"php", "="} {
		if x.has(word) {
			x.at += len(word)
		}
	}
}

// endLine goes behind the end of a line, and the here-documents behind it.
func (x *lexer) endLine() {
	x.newlineToken()
	pending := x.pending
	x.pending = nil
	for _, doc := range pending {
		x.skipTo("\n")
		x.hereText(doc)
	}
	if len(pending) == 0 {
		x.at++
	}
	x.broken, x.blank = true, true
}

// newlineToken adds an end of line where one ends a statement.
func (x *lexer) newlineToken() {
	last, n := x.last(), len(x.stack)
	if !x.lines || last.kind == tokenEnd || last.kind >= tokenNewline || n > 0 && (x.pythonic || x.tokens[x.stack[n-1]].text != "{") {
		return
	}
	if last.kind != tokenSign || x.pythonic || oneOf(" ) ] } ; | ", last.text) {
		x.add(tokenNewline, "\n")
	}
}

// indent begins and ends the blocks of Python at the first token of a line.
func (x *lexer) indent() {
	line := strings.LastIndexByte(x.source[:x.at], '\n') + 1
	depth := len(strings.ReplaceAll(x.source[line:x.at], "\t", "        "))
	x.broken = false
	x.dedent(depth)
	if n := len(x.indents); depth > 0 && (n == 0 || depth > x.indents[n-1].depth) {
		*x.complex = *x.complex || n >= maxNesting
		x.indents = append(x.indents, indent{depth, len(x.tokens)})
		x.add(tokenIndent, "")
	}
}

// dedent ends the blocks of Python that are deeper.
func (x *lexer) dedent(depth int) {
	for n := len(x.indents) - 1; n >= 0 && x.indents[n].depth > depth; n-- {
		x.tokens[x.indents[n].token].match = len(x.tokens)
		x.indents = x.indents[:n]
		x.add(tokenDedent, "")
	}
}

// variable reads a name with its sigil, or the sigil of ${...} and $$x in Perl.
func (x *lexer) variable(c byte) bool {
	before := x.last().text
	if strings.IndexByte("$@%&", c) < 0 || (c == '%' || c == '&') && x.operand() || !x.matched(tokenName, x.variables) {
		return false
	}
	t := x.last()
	switch next := x.peek(0); {
	case x.name != "perl":
	case strings.HasSuffix(t.text, "{") || strings.HasSuffix(t.text, "$"):
		x.at--
		t.kind, t.text, t.end = tokenSign, t.text[:1]+"deref", x.at
	case c == '%' || strings.HasSuffix(before, "deref"):
	case next == '[': // an element is one of the list or map of that name
		t.text = "@" + t.text[1:]
	case next == '{':
		t.text = "%" + t.text[1:]
	}
	return true
}

// signs are the operators of more than one letter that all languages may have.
const signs = " >>>= ... <=> **= ||= &&= ??= === !== <<= >>= == != <= >= && || ?? => -> := += -= *= /= .= |= &= %= ^= ++ -- ** << >> .. =~ !~ "

// sign reads an operator or a bracket. It returns whether the unit ends there instead.
func (x *lexer) sign(c byte) bool {
	size, match := 1, 0
	for n := min(4, len(x.source)-x.at); n > 1; n-- {
		if text := x.source[x.at : x.at+n]; oneOf(signs, text) || oneOf(x.signs, text) {
			size = n
			break
		}
	}
	switch {
	case size > 1:
	case len(x.stack) == 0 && (c == x.stop || x.stop != 0 && x.pythonic && (c == ':' || c == '!')): // a format stands behind the value
		return true
	case c == '(' || c == '[' || c == '{':
		if len(x.stack) >= maxNesting {
			*x.complex = true
			return true
		}
		x.stack = append(x.stack, len(x.tokens))
	case c == ')' || c == ']' || c == '}':
		for n := len(x.stack) - 1; n >= max(0, len(x.stack)-8); n-- {
			if match = x.stack[n]; closer(x.tokens[match].text[0]) == c {
				for _, open := range x.stack[n:] { // what was opened inside and not closed ends here as well
					x.tokens[open].match = len(x.tokens)
				}
				x.stack = x.stack[:n]
				break
			}
			match = 0
		}
	}
	x.at += size
	text := x.source[x.start:x.at]
	if x.name == "ruby" && (text == "." || text == "&.") && x.last().kind == tokenNewline { // a chain goes on
		x.tokens = x.tokens[:len(x.tokens)-1]
	}
	x.add(tokenSign, text).match = match
	return false
}

func closer(c byte) byte {
	if i := strings.IndexByte("([{<", c); i >= 0 {
		return ")]}>"[i]
	}
	return c
}

// operand reports whether the last token ends a value, so that a "/" divides.
func (x *lexer) operand() bool {
	t := x.last()
	switch t.kind {
	case tokenName:
		if oneOf(" return typeof case in of and or not if unless while until elsif when then do split grep map join push print x delete void await yield puts ", t.text) {
			return false
		}
		// A blank on one side only: an argument without brackets.
		return x.name != "ruby" && x.name != "perl" || !x.blank || x.peek(1) == ' ' || x.peek(1) == '=' || !isNameStart(t.text[0])
	case tokenSign:
		if t.text == ")" && x.name == "javascript" && t.match > 0 {
			return !oneOf(" if while for ", x.tokens[t.match-1].text)
		}
		return oneOf(" ) ] ++ -- ", t.text) || t.text == "}" && x.name != "javascript" && x.name != "awk"
	}
	return t.kind != tokenEnd && t.kind < tokenNewline
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isNameByte(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || isDigit(c)
}

// isNameStart reports whether c may begin a name; bytes of letters beyond
// ASCII may.
func isNameStart(c byte) bool {
	return isNameByte(c) && !isDigit(c) || c >= 0x80
}

// oneOf reports whether list, which has blanks around its words, has word.
func oneOf(list, word string) bool {
	return word != "" && !strings.ContainsAny(word, " \n") && strings.Contains(list, " "+word+" ")
}

// constant returns the text of a string that has no code in it.
func (t *token) constant() (string, bool) {
	if t.kind != tokenText || slices.ContainsFunc(t.pieces, func(p piece) bool { return p.code != nil }) {
		return "", false
	}
	var b strings.Builder
	for i := range t.pieces {
		b.WriteString(t.pieces[i].text)
	}
	return b.String(), true
}
