package script

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// tokenKind says what a token is.
type tokenKind uint8

const (
	tokenEnd      tokenKind = iota
	tokenName               // a name, with its sigil: x, $x, @x
	tokenNumber             // as it's written
	tokenText               // a string, in pieces
	tokenShell              // a text between command quotes, in pieces
	tokenWords              // qw(a b), %w[a b]
	tokenRegex              // a regular expression, or a substitution, with the code in it
	tokenGlob               // <*.o> of Perl
	tokenSign               // an operator or a bracket
	tokenNewline            // where it ends a statement
	tokenIndent             // of Python: a block begins
	tokenDedent             // and ends
	tokenHereText           // a here-document whose text is still to come
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
	code       bool // of a text: it's code that is run (s///ee)
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
	at, line int
	inner    int // how deep it is in strings
	stack    []int
	indents  []int
	begins   []int // the tokens of the indents
	pending  []int // here-documents whose text begins at the next line
	tags     []string
	complex  *bool
	stop     byte // an unmatched bracket of this kind ends the unit
	blank    bool
	broken   bool // an end of line since the last token
	html     bool // of PHP: outside of <?php ... ?>
}

// tokens reads source, which begins in the given line.
func (l *language) lex(source string, line int, complex *bool) *unit {
	x := &lexer{language: l, unit: unit{source: source, tokens: make([]token, 0, 8+len(source)/4)}, line: line, complex: complex, broken: true}
	x.html = l.name == "php" && (strings.Contains(source, "<?") || strings.HasPrefix(source, "<") && !strings.HasPrefix(source, "<<<"))
	x.read()
	return &x.unit
}

// nested reads the code in a string from at on, up to an unmatched stop or the
// given end of the source.
func (x *lexer) nested(stop byte, end int) *unit {
	sub := &lexer{language: x.language, unit: unit{source: x.source[:end]}, at: x.at, line: x.line, inner: x.inner + 1, complex: x.complex, stop: stop}
	if sub.inner > maxInner {
		*x.complex = true
		x.at = end
		return &sub.unit
	}
	sub.read()
	x.at, x.line = sub.at, sub.line
	return &sub.unit
}

func (x *lexer) peek(n int) byte {
	if x.at+n < len(x.source) {
		return x.source[x.at+n]
	}
	return 0
}

func (x *lexer) rest() string { return x.source[x.at:] }

func (x *lexer) has(text string) bool { return strings.HasPrefix(x.source[x.at:], text) }

func (x *lexer) last() *token {
	if len(x.tokens) == 0 {
		return &token{}
	}
	return &x.tokens[len(x.tokens)-1]
}

func (x *lexer) add(kind tokenKind, text string, start, line int) *token {
	x.tokens = append(x.tokens, token{kind: kind, text: text, start: start, end: x.at, line: line, space: x.blank, newline: x.broken})
	x.blank, x.broken = false, false
	return x.last()
}

// read reads all tokens.
func (x *lexer) read() {
	if x.has("#!") {
		x.skipLine()
	}
	for x.at < len(x.source) && !*x.complex && !x.one() {
	}
	if x.pythonic && x.stop == 0 {
		x.newlineToken()
		for len(x.indents) > 0 {
			x.dedent(x.at)
		}
	}
	x.add(tokenEnd, "", x.at, x.line)
	// Brackets that nobody closes end where the text ends.
	for _, open := range x.stack {
		x.tokens[open].match = len(x.tokens) - 1
	}
}

// one reads a token, or what stands between tokens. It returns whether the
// unit ends.
func (x *lexer) one() bool {
	if x.html {
		x.skipMarkup()
		return false
	}
	start, line := x.at, x.line
	c := x.source[x.at]
	switch {
	case c == '\n':
		x.endLine()
	case c == ' ' || c == '\t' || c == '\r' || c == '\f':
		x.at++
		x.blank = true
	case c == '\\' && (x.peek(1) == '\n' || x.has("\\\r\n")) && x.name != "javascript":
		x.at += 1 + strings.IndexByte(x.rest()[1:], '\n') + 1
		x.line++
		x.blank = true
	case x.comment():
	case x.name == "perl" && x.atWord("__END__"), x.name == "perl" && x.atWord("__DATA__"), x.name == "ruby" && x.atWord("__END__"):
		x.at = len(x.source)
	case x.pythonic && x.broken && x.stop == 0 && x.indentation(start):
	case x.special(c, start, line):
	case c >= '0' && c <= '9' || c == '.' && x.peek(1) >= '0' && x.peek(1) <= '9' && x.last().kind != tokenNumber:
		x.number(start, line)
	case isNameStart(c) || c == '$' && (x.name == "javascript" || x.pythonic):
		for x.at < len(x.source) && (isNameStart(x.source[x.at]) || isNameByte(x.source[x.at]) || x.source[x.at] == '$') {
			x.at++
		}
		if x.name == "ruby" && (x.peek(0) == '?' || x.peek(0) == '!') && x.peek(1) != '=' {
			x.at++
		}
		x.add(tokenName, x.source[start:x.at], start, line)
		if x.name == "perl" || x.name == "php" {
			x.qualified()
		}
		x.noteLoop()
	default:
		return x.sign(start, line)
	}
	return false
}

// qualified reads the rest of a name such as A::B of Perl and A\B of PHP.
func (x *lexer) qualified() {
	mark := "::"
	if x.name == "php" {
		mark = "\\"
	}
	t := x.last()
	for x.has(mark) && x.at+len(mark) < len(x.source) && isNameStart(x.source[x.at+len(mark)]) {
		x.at += len(mark)
		for x.at < len(x.source) && (isNameByte(x.source[x.at]) || x.source[x.at] >= 0x80) {
			x.at++
		}
	}
	t.text, t.end = x.source[t.start:x.at], x.at
}

// noteLoop notes the "for" of a comprehension at the bracket that it stands in.
func (x *lexer) noteLoop() {
	if x.pythonic && len(x.stack) > 0 && x.last().text == "for" {
		if open := &x.tokens[x.stack[len(x.stack)-1]]; open.each == 0 && open.text != "" {
			open.each = len(x.tokens) - 1
		}
	}
}

func (x *lexer) atWord(word string) bool {
	return x.has(word) && !isNameByte(x.peek(len(word)))
}

func (x *lexer) skipLine() {
	if i := strings.IndexByte(x.rest(), '\n'); i >= 0 {
		x.at += i
	} else {
		x.at = len(x.source)
	}
}

// skipTo goes behind the next end, or to the end of the source.
func (x *lexer) skipTo(end string) {
	i := strings.Index(x.rest(), end)
	next := len(x.source)
	if i >= 0 {
		next = x.at + i + len(end)
	}
	x.line += strings.Count(x.source[x.at:next], "\n")
	x.at = next
}

// endLine goes behind the end of a line, and the here-documents behind it.
func (x *lexer) endLine() {
	x.newlineToken()
	x.at++
	x.line++
	x.broken, x.blank = true, true
	pending, tags := x.pending, x.tags
	x.pending, x.tags = nil, nil
	for i, at := range pending {
		x.hereText(at, tags[i])
	}
}

// newlineToken adds an end of line where one ends a statement.
func (x *lexer) newlineToken() {
	if !x.lines || len(x.tokens) == 0 {
		return
	}
	last := x.last()
	if n := len(x.stack); n > 0 && x.tokens[x.stack[n-1]].text != "{" || n > 0 && x.pythonic {
		return
	}
	switch last.kind {
	case tokenNewline, tokenIndent, tokenDedent:
		return
	case tokenSign:
		if !x.pythonic && !strings.Contains(" ) ] } ; | ", " "+last.text+" ") {
			return
		}
		if last.text == "|" && x.name == "awk" {
			return
		}
	}
	if x.name == "ruby" {
		next := strings.TrimLeft(x.rest(), " \t\r\n")
		if strings.HasPrefix(next, ".") && !strings.HasPrefix(next, "..") || strings.HasPrefix(next, "&.") {
			return
		}
	}
	x.add(tokenNewline, "\n", x.at, x.line)
	x.broken = true
}

// indentation begins and ends the blocks of Python at the first token of a line.
func (x *lexer) indentation(start int) bool {
	if len(x.stack) > 0 {
		return false
	}
	from := strings.LastIndexByte(x.source[:start], '\n') + 1
	depth := 0
	for i := from; i < start; i++ {
		if depth++; x.source[i] == '\t' {
			depth = (depth + 7) / 8 * 8
		}
	}
	now := 0
	if n := len(x.indents); n > 0 {
		now = x.indents[n-1]
	}
	x.broken = false
	switch {
	case len(x.tokens) == 0 && len(x.indents) == 0: // the program itself may be indented
	case depth > now:
		if x.indents = append(x.indents, depth); len(x.indents) > maxNesting {
			*x.complex = true
		}
		x.begins = append(x.begins, len(x.tokens))
		x.add(tokenIndent, "", start, x.line)
	default:
		for n := len(x.indents); n > 0 && x.indents[n-1] > depth; n-- {
			x.dedent(start)
		}
	}
	return false
}

// dedent ends a block of Python.
func (x *lexer) dedent(start int) {
	n := len(x.indents) - 1
	x.tokens[x.begins[n]].match = len(x.tokens)
	x.indents, x.begins = x.indents[:n], x.begins[:n]
	x.add(tokenDedent, "", start, x.line)
}

// comment skips a comment.
func (x *lexer) comment() bool {
	lineStart := x.at == 0 || x.source[x.at-1] == '\n'
	switch {
	case x.name == "php" && x.has("?>"):
		x.at += 2
		x.add(tokenSign, ";", x.at-2, x.line)
		x.html = true
	case x.name == "php" && x.has("#["):
		x.skipTo("]")
	case x.hashes && x.source[x.at] == '#', x.slashes && x.has("//"):
		if i := strings.Index(x.rest(), "?>"); x.name == "php" && i >= 0 && !strings.Contains(x.rest()[:i], "\n") {
			x.at += i
			break
		}
		x.skipLine()
	case x.slashes && x.has("/*"):
		x.at += 2
		x.skipTo("*/")
	case x.name == "javascript" && (x.has("<!--") || lineStart && x.has("-->")):
		x.skipLine()
	case x.name == "ruby" && lineStart && x.has("=begin"):
		x.skipTo("\n=end")
		x.skipLine()
	case x.name == "perl" && lineStart && x.source[x.at] == '=' && isNameStart(x.peek(1)):
		if i := strings.Index(x.rest(), "\n=cut"); i < 0 {
			x.at = len(x.source)
		} else {
			x.skipTo("\n=cut")
			x.skipLine()
		}
	default:
		return false
	}
	x.blank = true
	return true
}

// skipMarkup goes to the next code of PHP.
func (x *lexer) skipMarkup() {
	x.html = false
	i := strings.Index(x.rest(), "<?")
	if i < 0 {
		x.at = len(x.source)
		return
	}
	x.skipTo("<?")
	for _, word := range []string{"php", "="} {
		if x.has(word) {
			x.at += len(word)
			return
		}
	}
}

func (x *lexer) number(start, line int) {
	for x.at < len(x.source) {
		c := x.source[x.at]
		if c == '.' && (x.peek(1) == '.' || isNameStart(x.peek(1)) || x.peek(1) == '(') || c != '.' && !isNameByte(c) {
			break
		}
		x.at++
	}
	x.add(tokenNumber, strings.ReplaceAll(x.source[start:x.at], "_", ""), start, line)
}

// signs are the operators of more than one letter, the longest first.
const signs = ">>>= ... <=> **= ||= &&= //= ??= === !== <<= >>= |& ?-> == != <= >= && || // ?? ?. ?: => -> :: := += -= *= /= .= |= &= %= ^= ++ -- ** << >> .. =~ !~ &. "

func (x *lexer) sign(start, line int) bool {
	for n := min(4, len(x.source)-x.at); n > 1; n-- {
		if text := x.source[x.at : x.at+n]; strings.Contains(signs, text+" ") && (strings.HasPrefix(signs, text) || strings.Contains(signs, " "+text+" ")) {
			if text == "//" && (x.name == "ruby" || x.name == "awk") || text == "?." && x.peek(2) >= '0' && x.peek(2) <= '9' || text == "|&" && x.name != "awk" ||
				text == "?:" && x.name != "php" || text == "::" && x.pythonic || text == "&." && x.name != "ruby" || text == "?->" && x.name != "php" ||
				text == "**" && x.name == "php" && false {
				continue
			}
			x.at += n
			x.add(tokenSign, text, start, line)
			return false
		}
	}
	_, size := utf8.DecodeRuneInString(x.rest())
	text := x.source[x.at : x.at+size]
	switch text {
	case "(", "[", "{":
		if len(x.stack) >= maxNesting {
			*x.complex = true
			return true
		}
		x.stack = append(x.stack, len(x.tokens))
	case ")", "]", "}":
		if len(x.stack) == 0 && text[0] == x.stop {
			return true
		}
		// What was opened inside and not closed ends here as well.
		for n := len(x.stack) - 1; n >= max(0, len(x.stack)-8); n-- {
			if x.tokens[x.stack[n]].text[0] == opener(text[0]) {
				for _, open := range x.stack[n:] {
					x.tokens[open].match = len(x.tokens)
				}
				x.at++
				x.add(tokenSign, text, start, line).match = x.stack[n]
				x.stack = x.stack[:n]
				return false
			}
		}
	case ":", "!":
		if x.pythonic && x.stop != 0 && len(x.stack) == 0 && x.peek(1) != '=' { // the format behind a value
			return true
		}
	}
	x.at += size
	x.add(tokenSign, text, start, line)
	return false
}

func opener(c byte) byte {
	switch c {
	case ')':
		return '('
	case ']':
		return '['
	}
	return '{'
}

func closer(c byte) byte {
	switch c {
	case '(':
		return ')'
	case '[':
		return ']'
	case '{':
		return '}'
	case '<':
		return '>'
	}
	return c
}

// operand reports whether the last token ends a value, so that a "/" divides.
func (x *lexer) operand() bool {
	t := x.last()
	switch t.kind {
	case tokenName:
		if strings.Contains(" return typeof case in of and or not if unless while until elsif when then do split grep map join push print x delete void await yield puts ", " "+t.text+" ") {
			return false
		}
		// A blank on one side only: an argument without brackets.
		return x.name != "ruby" && x.name != "perl" || !x.blank || x.peek(1) == ' ' || x.peek(1) == '=' || !isNameStart(t.text[0])
	case tokenNumber, tokenText, tokenShell, tokenWords, tokenRegex, tokenGlob:
		return true
	case tokenSign:
		if t.text == ")" && x.name == "javascript" && t.match > 0 {
			before := &x.tokens[t.match-1]
			return before.kind != tokenName || before.text != "if" && before.text != "while" && before.text != "for"
		}
		return t.text == ")" || t.text == "]" || t.text == "}" && x.name != "javascript" && x.name != "awk" || t.text == "++" || t.text == "--"
	}
	return false
}

// regex reads a regular expression in slashes.
func (x *lexer) regex(start, line int) bool {
	class := false
	for i := x.at + 1; i < len(x.source); i++ {
		switch c := x.source[i]; {
		case c == '\n':
			return false
		case c == '\\':
			i++
		case c == '[' && x.name != "perl":
			class = true
		case c == ']':
			class = false
		case c == '/' && !class:
			for i++; i < len(x.source) && isNameByte(x.source[i]); i++ {
			}
			x.at = i
			x.add(tokenRegex, x.source[start:i], start, line)
			return true
		}
	}
	return false
}

// special reads what only some languages have: strings, regular expressions
// and variables.
func (x *lexer) special(c byte, start, line int) bool {
	switch {
	case c == '/' && x.slashRegex && !x.operand() && x.peek(1) != '=' || c == '/' && x.slashRegex && x.last().kind != tokenName && !x.operand():
		return x.regex(start, line)
	case x.pythonic && (c == '"' || c == '\'' || x.prefixed()):
		x.pythonText(start, line)
	case c == '"' && x.name != "python":
		x.at++
		x.text(tokenText, '"', '"', x.interpolates, true, start, line)
	case c == '\'' && x.name != "awk":
		x.at++
		x.text(tokenText, '\'', '\'', false, x.name == "javascript", start, line)
	case c == '`' && (x.name == "javascript"):
		x.at++
		x.text(tokenText, '`', '`', true, true, start, line)
	case c == '`' && x.name != "awk":
		x.at++
		x.text(tokenShell, '`', '`', true, true, start, line)
	case x.name == "perl":
		return x.perlToken(c, start, line)
	case x.name == "ruby":
		return x.rubyToken(c, start, line)
	case x.name == "php":
		return x.phpToken(c, start, line)
	case x.name == "awk" && c == '$' || x.name == "awk" && c == '@':
		x.at++
		for x.at < len(x.source) && isNameByte(x.source[x.at]) {
			x.at++
		}
		x.add(tokenName, x.source[start:x.at], start, line)
	default:
		return false
	}
	return true
}

// prefixed reports whether a string with a prefix begins here.
func (x *lexer) prefixed() bool {
	for i := range 3 {
		c := x.peek(i)
		if c == '"' || c == '\'' {
			return i > 0
		}
		if strings.IndexByte("rRbBuUfFtT$", c) < 0 || c == 0 || c == '$' {
			return false
		}
	}
	return false
}

func (x *lexer) pythonText(start, line int) {
	raw, formatted := false, false
	for ; x.source[x.at] != '"' && x.source[x.at] != '\''; x.at++ {
		raw = raw || x.source[x.at]|0x20 == 'r'
		formatted = formatted || x.source[x.at]|0x20 == 'f'
	}
	quote := x.source[x.at]
	end := string(quote)
	if triple := strings.Repeat(end, 3); x.has(triple) {
		end = triple
	}
	x.at += len(end)
	x.pieces(tokenText, end, 0, formatted, !raw, start, line)
}

// text reads a string up to close. Of brackets those inside count.
func (x *lexer) text(kind tokenKind, open, close byte, interpolate, escapes bool, start, line int) {
	if open == close {
		open = 0
	}
	x.pieces(kind, string(close), open, interpolate, escapes, start, line)
}

// pieces reads the pieces of a string.
func (x *lexer) pieces(kind tokenKind, end string, open byte, interpolate, escapes bool, start, line int) {
	var all []piece
	var b strings.Builder
	depth := 0
	flush := func() {
		if b.Len() > 0 {
			all = append(all, piece{text: b.String()})
			b.Reset()
		}
	}
	for x.at < len(x.source) {
		c := x.source[x.at]
		switch {
		case end != "" && x.has(end) && depth == 0:
			x.at += len(end)
			flush()
			x.add(kind, "", start, line).pieces = all
			return
		case c == '\n' && len(end) == 1 && x.pythonic: // a string that nobody closes
			flush()
			x.add(kind, "", start, line).pieces = all
			return
		case c == '\\' && x.at+1 < len(x.source):
			x.escape(&b, end, open, escapes)
			continue
		case interpolate && !*x.complex:
			from := x.at
			if code, raw, ok := x.interpolation(); ok {
				flush()
				all = append(all, piece{raw: raw, code: code})
				continue
			}
			if x.at > from { // what stands for itself, as {{ does
				b.WriteString(x.source[from : from+1])
				continue
			}
		}
		if open != 0 && c == open {
			depth++
		} else if depth > 0 && c == end[0] {
			depth--
		}
		if c == '\n' {
			x.line++
		}
		if c != 0 {
			b.WriteByte(c)
		}
		x.at++
	}
	flush()
	x.add(kind, "", start, line).pieces = all
}

// escape reads what stands behind a backslash.
func (x *lexer) escape(b *strings.Builder, end string, open byte, escapes bool) {
	c := x.source[x.at+1]
	if c == '\n' {
		x.line++
	}
	if !escapes {
		if c == '\\' && !x.pythonic || strings.IndexByte(end, c) >= 0 && !x.pythonic || open != 0 && c == open {
			b.WriteByte(c)
		} else {
			b.WriteString(x.source[x.at : x.at+2])
		}
		x.at += 2
		return
	}
	x.at += 2
	switch c {
	case 'n':
		b.WriteByte('\n')
	case 't':
		b.WriteByte('\t')
	case 'r':
		b.WriteByte('\r')
	case 'e':
		b.WriteByte(27)
	case 'b', 'f', 'v', 'a':
		b.WriteByte(' ')
	case '\n':
	case '\r':
		if x.peek(0) == '\n' {
			x.at++
			x.line++
		}
	case 'x', 'u', 'U':
		x.at--
		x.at += writeEscape(x.rest(), b)
	case '0', '1', '2', '3', '4', '5', '6', '7':
		x.at--
		n := 1
		for n < 3 && x.peek(n) >= '0' && x.peek(n) <= '7' {
			n++
		}
		code, _ := strconv.ParseUint(x.rest()[:n], 8, 16)
		writeCode(b, code)
		x.at += n
	default:
		if (x.pythonic || x.name == "php") && c != '\\' && c != '"' && c != '\'' && c != '$' && c != '`' {
			b.WriteByte('\\')
		}
		b.WriteByte(c)
	}
}

// writeEscape writes the character of an escape such as x41, u0041 or u{41}, and
// returns how long that is.
func writeEscape(text string, b *strings.Builder) int {
	end, from := 3, 1
	switch text[0] {
	case 'u':
		end = 5
	case 'U':
		end = 9
	}
	if len(text) > 1 && text[1] == '{' {
		if end = strings.IndexByte(text[:min(len(text), 12)], '}'); end > 0 {
			from = 2
		}
	}
	if end < 0 || end > len(text) {
		b.WriteByte(text[0])
		return 1
	}
	code, err := strconv.ParseUint(text[from:end], 16, 32)
	if err != nil {
		b.WriteByte(text[0])
		return 1
	}
	writeCode(b, code)
	return end + from - 1
}

// writeCode writes the character with a number. That of 0, which no path or
// argument can have, isn't.
func writeCode(b *strings.Builder, code uint64) {
	if code == 0 || code > utf8.MaxRune {
		b.WriteRune(utf8.RuneError)
		return
	}
	b.WriteRune(rune(code))
}

// interpolation reads code in a string. Where at has moved and there is none,
// the letter before at stands for itself.
func (x *lexer) interpolation() (code *unit, raw string, ok bool) {
	start := x.at
	opens := 0
	switch x.name {
	case "python":
		if x.has("{{") || x.has("}}") {
			x.at += 2
			return nil, "", false
		}
		if x.source[x.at] == '{' {
			opens = 1
		}
	case "javascript":
		if x.has("${") {
			opens = 2
		}
	case "ruby":
		if x.has("#{") {
			opens = 2
		}
	case "php":
		if x.has("{$") {
			opens = 1
		} else if x.has("${") {
			x.at += 2
			code = x.nested('}', len(x.source))
			if len(code.tokens) > 0 && code.tokens[0].kind == tokenName {
				code.tokens[0].text = "$" + code.tokens[0].text
			}
			x.closeNested()
			return code, x.source[start:x.at], true
		}
	case "perl":
		if x.has("@{[") || x.has("${\\") {
			opens = 2
		} else if x.has("${") || x.has("@{") {
			return x.variableInBraces(start)
		}
	}
	if opens > 0 {
		x.at += opens
		code = x.nested('}', len(x.source))
		x.closeNested()
		return code, x.source[start:x.at], true
	}
	if end := x.variableEnd(); end > x.at {
		code = x.nested(0, end)
		x.at = end
		return code, x.source[start:end], true
	}
	return nil, "", false
}

// variableInBraces reads ${name} and @{name} of Perl, or code in such brackets.
func (x *lexer) variableInBraces(start int) (*unit, string, bool) {
	sigil := x.source[x.at]
	x.at += 2
	code := x.nested('}', len(x.source))
	x.closeNested()
	if len(code.tokens) == 2 && code.tokens[0].kind == tokenName && isNameStart(code.tokens[0].text[0]) {
		code.tokens[0].text = string(sigil) + code.tokens[0].text
	}
	return code, x.source[start:x.at], true
}

// closeNested goes behind the bracket that ends code in a string, and the
// format of Python before it.
func (x *lexer) closeNested() {
	if x.pythonic && (x.peek(0) == '!' || x.peek(0) == ':') {
		depth := 0
		for ; x.at < len(x.source) && (depth > 0 || x.source[x.at] != '}') && x.source[x.at] != '\n'; x.at++ {
			switch x.source[x.at] {
			case '{':
				depth++
			case '}':
				depth--
			}
		}
	}
	if x.peek(0) == '}' {
		x.at++
	}
}

// variableEnd is where a variable of Perl or PHP in a string ends.
func (x *lexer) variableEnd() int {
	c := x.source[x.at]
	if x.name != "perl" && x.name != "php" || c != '$' && (c != '@' || x.name == "php") {
		return x.at
	}
	i := x.at + 1
	from := i
	for i < len(x.source) && (isNameByte(x.source[i]) || x.name == "perl" && strings.HasPrefix(x.source[i:], "::") && i+2 < len(x.source) && isNameStart(x.source[i+2])) {
		if x.source[i] == ':' {
			i++
		}
		i++
	}
	if i == from || x.name == "php" && x.source[from] <= '9' || c == '@' && x.source[from] <= '9' {
		return x.at
	}
	for n := 0; n < 4 && i < len(x.source); n++ {
		at := i
		if strings.HasPrefix(x.source[at:], "->") {
			at += 2
			if x.name == "php" && at < len(x.source) && isNameStart(x.source[at]) {
				for at < len(x.source) && isNameByte(x.source[at]) {
					at++
				}
				i = at
				continue
			}
		}
		if at >= len(x.source) || x.source[at] != '[' && (x.source[at] != '{' || x.name == "php") {
			break
		}
		length := strings.IndexByte(x.source[at:min(len(x.source), at+80)], closer(x.source[at]))
		if length < 0 || x.source[at] == '[' && x.name == "perl" && length > 1 && !strings.ContainsAny(x.source[at+1:at+2], "$-0123456789") {
			break
		}
		i = at + length + 1
	}
	return i
}

// hereMark reads the beginning of a here-document.
func (x *lexer) hereMark(start, line int, mark string) bool {
	i := x.at + len(mark)
	tag := ""
	for i < len(x.source) && (x.source[i] == '~' || x.source[i] == '-' || mark == "<<<" && x.source[i] == ' ') {
		i++
	}
	quote := byte(0)
	if i < len(x.source) && (x.source[i] == '\'' || x.source[i] == '"' || x.source[i] == '`') {
		quote = x.source[i]
		end := strings.IndexByte(x.source[i+1:min(len(x.source), i+80)], quote)
		if end < 0 {
			return false
		}
		tag = x.source[i+1 : i+1+end]
		i += end + 2
	} else {
		from := i
		for i < len(x.source) && isNameByte(x.source[i]) {
			i++
		}
		if tag = x.source[from:i]; tag == "" || tag[0] >= '0' && tag[0] <= '9' || mark == "<<" && tag[0] >= 'a' && x.operand() {
			return false
		}
	}
	x.at = i
	kind := ""
	switch quote {
	case '\'':
		kind = "'"
	case '`':
		kind = "`"
	}
	x.add(tokenHereText, kind, start, line)
	x.pending, x.tags = append(x.pending, len(x.tokens)-1), append(x.tags, tag)
	return true
}

// hereText reads the text of the here-document whose token is at index.
func (x *lexer) hereText(index int, tag string) {
	t := &x.tokens[index]
	start := x.at
	end := len(x.source)
	next := end
	for at := x.at; at < len(x.source); {
		stop := strings.IndexByte(x.source[at:], '\n')
		if stop < 0 {
			stop = len(x.source) - at
		}
		line := strings.TrimSpace(x.source[at : at+stop])
		if line == tag || x.name == "php" && strings.HasPrefix(line, tag) && !isNameByte((line + " ")[len(tag)]) {
			end, next = at, at+stop
			if x.name == "php" {
				next = at + strings.Index(x.source[at:], tag) + len(tag)
			} else {
				next = min(next+1, len(x.source))
			}
			break
		}
		at += stop + 1
	}
	line := x.line
	sub := &lexer{language: x.language, unit: unit{source: x.source[:end]}, at: start, line: line, inner: x.inner + 1, complex: x.complex}
	if sub.inner > maxInner {
		*x.complex = true
		return
	}
	if x.name == "php" && end > start {
		sub.source = x.source[:end-1]
	}
	sub.pieces(tokenText, "", 0, t.text != "'", t.text != "'", start, line)
	t.kind, t.pieces = tokenText, sub.last().pieces
	if t.text == "`" {
		t.kind = tokenShell
	}
	t.text = ""
	x.line += strings.Count(x.source[start:next], "\n")
	x.at = next
}

// quoteLike reads q(...), %w[...] and the like from the delimiter on.
func (x *lexer) quoteLike(kind tokenKind, interpolate, escapes bool, start, line int) bool {
	open := x.peek(0)
	if open == 0 {
		return false
	}
	x.at++
	if kind == tokenRegex {
		x.text(kind, open, closer(open), false, false, start, line)
		return true
	}
	x.text(kind, open, closer(open), interpolate, escapes, start, line)
	if kind == tokenWords {
		t := x.last()
		if len(t.pieces) > 0 {
			t.text = t.pieces[0].text
		}
	}
	return true
}

func (x *lexer) rubyToken(c byte, start, line int) bool {
	operand := x.operand()
	switch {
	case c == '%' && (!operand || x.blank && x.last().kind == tokenName && x.peek(1) != ' '):
		form, skip := byte('Q'), 1
		if strings.IndexByte("qQwWiIxrs", x.peek(1)) >= 0 && !isNameByte(x.peek(2)) && x.peek(2) > ' ' && x.peek(2) != '=' {
			form, skip = x.peek(1), 2
		} else if strings.IndexByte("([{<|!/", x.peek(1)) < 0 {
			return false
		}
		x.at += skip
		kind := tokenText
		switch form {
		case 'w', 'W', 'i', 'I':
			kind = tokenWords
		case 'x':
			kind = tokenShell
		case 'r':
			kind = tokenRegex
		}
		return x.quoteLike(kind, form == 'Q' || form == 'x', form != 'q', start, line)
	case c == '<' && x.has("<<") && x.peek(2) != ' ' && x.peek(2) != '=' && (!operand || x.blank || x.peek(2) == '~'):
		return x.hereMark(start, line, "<<")
	case c == '?' && !operand && isNameByte(x.peek(1)) && !isNameByte(x.peek(2)):
		x.at += 2
		x.add(tokenText, "", start, line).pieces = []piece{{text: x.source[start+1 : x.at]}}
	case (c == '@' || c == '$') && (isNameStart(x.peek(1)) || x.peek(1) == '@' || c == '$' && strings.IndexByte("0!?~&;,/", x.peek(1)) >= 0):
		for x.at += 2; x.at < len(x.source) && isNameByte(x.source[x.at]); x.at++ {
		}
		x.add(tokenName, x.source[start:x.at], start, line)
	case c == ':' && x.peek(1) == '"' && !operand:
		x.at += 2
		x.text(tokenText, '"', '"', true, true, start, line)
	case c == ':' && isNameStart(x.peek(1)) && (x.at == 0 || x.source[x.at-1] != ':') && (!operand || x.blank || x.last().text == "?"):
		for x.at++; x.at < len(x.source) && (isNameByte(x.source[x.at]) || strings.IndexByte("?!", x.source[x.at]) >= 0); x.at++ {
		}
		x.add(tokenText, "", start, line).pieces = []piece{{text: x.source[start+1 : x.at]}}
	default:
		return false
	}
	return true
}

func (x *lexer) phpToken(c byte, start, line int) bool {
	switch {
	case c == '$' && isNameStart(x.peek(1)):
		for x.at++; x.at < len(x.source) && (isNameByte(x.source[x.at]) || x.source[x.at] >= 0x80); x.at++ {
		}
		x.add(tokenName, x.source[start:x.at], start, line)
	case x.has("<<<"):
		return x.hereMark(start, line, "<<<")
	case c == '\\' && isNameStart(x.peek(1)): // a name from the root
		x.at++
		return true
	default:
		return false
	}
	return true
}

// quoteWords are the operators of Perl that begin a string.
const quoteWords = " q qq qw qx qr m s tr y "

func (x *lexer) perlToken(c byte, start, line int) bool {
	switch {
	case c == '$' || c == '@' || (c == '%' || c == '&') && !x.operand():
		return x.perlVariable(c, start, line)
	case c == '<' && x.has("<<") && x.peek(2) != ' ' && x.peek(2) != '=' && !x.operandOrName():
		return x.hereMark(start, line, "<<")
	case c == '<' && !x.operandOrName():
		end := strings.IndexByte(x.source[x.at:min(len(x.source), x.at+200)], '>')
		if end < 0 || strings.ContainsAny(x.source[x.at:x.at+end], "\n;=") {
			return false
		}
		x.at += end + 1
		x.add(tokenGlob, x.source[start:x.at], start, line)
		return true
	case !isNameStart(c):
		return false
	}
	n := 0
	for n < 3 && isNameByte(x.peek(n)) {
		n++
	}
	word := x.source[x.at : x.at+n]
	if n > 2 || isNameByte(x.peek(n)) || !strings.Contains(quoteWords, " "+word+" ") || x.last().text == "->" || x.last().text == "sub" {
		return false
	}
	i := n
	for x.peek(i) == ' ' {
		i++
	}
	delimiter := x.peek(i)
	if delimiter == 0 || isNameByte(delimiter) || strings.IndexByte(",;)\n", delimiter) >= 0 || delimiter == '=' || i > n && delimiter == '#' ||
		delimiter == '}' && x.last().text == "{" || x.has(word+" =>") || x.has(word+"=>") {
		return false
	}
	x.at += i
	switch word {
	case "q":
		return x.quoteLike(tokenText, false, false, start, line)
	case "qq":
		return x.quoteLike(tokenText, true, true, start, line)
	case "qw":
		return x.quoteLike(tokenWords, false, false, start, line)
	case "qx":
		return x.quoteLike(tokenShell, delimiter != '\'', true, start, line)
	}
	return x.substitution(word, delimiter, start, line)
}

func (x *lexer) operandOrName() bool {
	return x.last().kind != tokenName && x.operand() || x.last().kind == tokenName && strings.IndexByte("$@%", x.last().text[0]) >= 0
}

// substitution reads m//, s/// and tr///, with the code of s///e.
func (x *lexer) substitution(word string, delimiter byte, start, line int) bool {
	x.quoteLike(tokenRegex, false, false, start, line)
	t := len(x.tokens) - 1
	x.tokens[t].pieces = nil
	from, to, fromLine := x.at, x.at, x.line
	if word == "s" || word == "tr" || word == "y" {
		open := delimiter
		if closer(delimiter) != delimiter {
			for strings.IndexByte(" \n\t", x.peek(0)) >= 0 && x.at < len(x.source) {
				x.at++
			}
			open = x.peek(0)
			x.at++
		}
		from, fromLine = min(x.at, len(x.source)), x.line
		x.at = from
		x.text(tokenRegex, open, closer(open), false, false, start, line)
		x.tokens = x.tokens[:t+1]
		to = max(from, x.at-1)
	}
	flags := x.at
	for x.at < len(x.source) && isNameByte(x.source[x.at]) {
		x.at++
	}
	count := strings.Count(x.source[flags:x.at], "e")
	if word == "s" && count > 0 {
		sub := &lexer{language: x.language, unit: unit{source: x.source[:to]}, at: from, line: fromLine, inner: x.inner + 1, complex: x.complex}
		if sub.inner <= maxInner {
			sub.read()
			x.tokens[t].pieces = []piece{{code: &sub.unit, raw: x.source[from:to]}}
			x.tokens[t].code = count > 1
		} else {
			*x.complex = true
		}
	}
	x.tokens[t].text, x.tokens[t].end = "regex", x.at
	return true
}

func (x *lexer) perlVariable(c byte, start, line int) bool {
	next := x.peek(1)
	switch {
	case c == '$' && next == '#' && (isNameStart(x.peek(2)) || x.peek(2) == '{' || x.peek(2) == '$'):
		x.at += 2
		x.add(tokenNumber, "0", start, line)
		return true
	case isNameStart(next) || next == ':' && x.peek(2) == ':':
		for x.at++; x.at < len(x.source) && (isNameByte(x.source[x.at]) || x.has("::")); x.at++ {
			if x.source[x.at] == ':' {
				x.at++
			}
		}
		x.at = min(x.at, len(x.source))
	case c == '$' && next >= '0' && next <= '9':
		for x.at++; x.at < len(x.source) && isNameByte(x.source[x.at]); x.at++ {
		}
	case c == '$' && strings.IndexByte("&!@/\\,;.0_", next) >= 0 && next != 0:
		x.at += 2
	default: // a dereference
		if next != '{' && next != '$' {
			return false
		}
		x.at++
		x.add(tokenSign, string(c)+"deref", start, line)
		return true
	}
	x.add(tokenName, x.source[start:x.at], start, line)
	return true
}

func isNameByte(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// isNameStart reports whether c may begin a name; bytes of letters beyond
// ASCII may.
func isNameStart(c byte) bool {
	return isNameByte(c) && (c < '0' || c > '9') || c >= 0x80
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
