package script

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// form is a way to write strings.
type form struct {
	languages string
	open      string // the quotes, or the words that stand before any quote
	kind      tokenKind
	escapes   bool // \n is an end of line
	code      bool // there may be code in it
}

// forms are the strings of all languages but Python.
var forms = [...]form{
	{" perl ruby php ", "\"", tokenText, true, true},
	{" javascript awk ", "\"", tokenText, true, false},
	{" perl ruby php ", "'", tokenText, false, false},
	{" javascript ", "'", tokenText, true, false},
	{" perl ruby php ", "`", tokenShell, true, true},
	{" javascript ", "`", tokenText, true, true},
	{" perl ", " q ", tokenText, false, false},
	{" perl ", " qq ", tokenText, true, true},
	{" perl ", " qw ", tokenWords, false, false},
	{" perl ", " qx ", tokenShell, true, true},
	{" perl ", " m qr s tr y ", tokenRegex, false, false},
	{" perl ", "<", tokenGlob, false, true},
	{" ruby ", " %q %s ", tokenText, false, false},
	{" ruby ", " % %Q ", tokenText, true, true},
	{" ruby ", " %w %i ", tokenWords, false, false},
	{" ruby ", " %W %I ", tokenWords, true, true},
	{" ruby ", " %x ", tokenShell, true, true},
	{" ruby ", " %r ", tokenRegex, false, false},
	{" ruby ", " : ", tokenText, true, true},
}

// form returns how a string is read that begins with a quote or word.
func (l *language) form(open string) *form {
	for i := range forms {
		if f := &forms[i]; oneOf(f.languages, l.name) && (f.open == open || oneOf(f.open, open)) {
			return f
		}
	}
	return nil
}

// quoted reads a string of any form. It returns false where none begins.
func (x *lexer) quoted() bool {
	c, i := x.source[x.at], x.at+1 // where the quote stands, which ends the word before it if there is one
	switch {
	case x.pythonic:
		return x.pythonText()
	case c == '"' || c == '\'' || c == '`':
		i = x.at
	case x.name == "ruby" && c == ':' && x.peek(1) == '"' && !x.operand():
	case x.name == "ruby" && c == '%' && (!x.operand() || x.blank && x.last().kind == tokenName && x.peek(1) != ' '):
		i = x.nameEnd(i)
	case x.name == "perl" && c == '<' && !x.value():
		end := strings.IndexByte(x.source[x.at:min(len(x.source), x.at+200)], '>')
		if end < 0 || strings.ContainsAny(x.source[x.at:x.at+end], "\n;=") {
			return false
		}
		i = x.at
	case x.name == "perl" && isNameStart(c) && !oneOf(" -> sub - ", x.last().text):
		i = x.nameEnd(i)
	default:
		return false
	}
	word := x.source[x.at:max(i, x.at+1)]
	f := x.form(word)
	for f != nil && x.name == "perl" && i < len(x.source) && x.source[i] == ' ' {
		i++
	}
	if f == nil || i >= len(x.source) || x.source[i] <= ' ' || isNameByte(x.source[i]) || strings.IndexByte(",;)=}", x.source[i]) >= 0 ||
		x.source[i] == '#' && x.source[i-1] == ' ' {
		return false
	}
	x.at = i
	x.quotedAs(f, word)
	return true
}

// value reports whether the last token of Perl ends a value. The name of a function doesn't.
func (x *lexer) value() bool {
	t := x.last()
	return t.kind != tokenName && x.operand() || t.kind == tokenName && strings.IndexByte("$@%", t.text[0]) >= 0
}

// quotedAs reads a string from its quote on.
func (x *lexer) quotedAs(f *form, word string) {
	open := x.source[x.at]
	x.at++
	pieces := x.pieces(open, string(closer(open)), f)
	if f.kind != tokenRegex {
		t := x.add(f.kind, "")
		t.pieces = pieces
		if f.kind == tokenGlob {
			t.text = x.source[x.start:x.at]
		}
		return
	}
	// Of a regular expression, the code that is put in its place is read.
	pieces = nil
	from, to := x.at, x.at
	if oneOf(" s tr y ", word) {
		if closer(open) != open {
			for strings.IndexByte(" \t\n", x.peek(0)) >= 0 && x.at < len(x.source)-1 {
				x.at++
			}
			open = x.peek(0)
			x.at = min(x.at+1, len(x.source))
		}
		from = x.at
		x.pieces(open, string(closer(open)), f)
		to = max(from, x.at-1)
	}
	flags := x.at
	x.at = x.nameEnd(x.at)
	count := strings.Count(x.source[flags:x.at], "e")
	if end := x.at; word == "s" && count > 0 {
		x.at = from
		pieces = []piece{{code: x.nested(0, to), raw: x.source[from:to]}}
		x.at = end
	}
	t := x.add(tokenRegex, x.source[x.start:x.at])
	t.pieces, t.code = pieces, count > 1
}

// pythonText reads a string of Python.
func (x *lexer) pythonText() bool {
	prefix := x.source[x.at:min(len(x.source), x.at+3)]
	n := strings.IndexAny(prefix, "\"'")
	if n < 0 || strings.Trim(prefix[:n], "rRbBuUfFtT") != "" {
		return false
	}
	prefix = prefix[:n]
	x.at += n
	end := x.source[x.at : x.at+1]
	if triple := strings.Repeat(end, 3); x.has(triple) {
		end = triple
	}
	x.at += len(end)
	pieces := x.pieces(0, end, &form{escapes: !strings.ContainsAny(prefix, "rR"), code: strings.ContainsAny(prefix, "fFtT")})
	x.add(tokenText, "").pieces = pieces
	return true
}

// pieces reads the pieces of a string up to end. Of brackets those inside count.
func (x *lexer) pieces(open byte, end string, f *form) (all []piece) {
	var b strings.Builder
	flush := func() {
		if b.Len() > 0 {
			all = append(all, piece{text: b.String()})
			b.Reset()
		}
	}
	for depth := 0; x.at < len(x.source); {
		c, from := x.source[x.at], x.at
		if depth == 0 && end != "" && x.has(end) {
			x.at += len(end)
			break
		}
		if c == '\n' && len(end) == 1 && x.pythonic { // a string that nobody closes
			break
		}
		if c == '\\' && x.at+1 < len(x.source) {
			x.escape(&b, open, end, f)
			continue
		}
		if f.code && x.pythonic && (x.has("{{") || x.has("}}")) {
			x.at++
		} else if code := x.interpolation(f); code != nil {
			flush()
			all = append(all, piece{raw: x.source[from:x.at], code: code})
			continue
		}
		if open != 0 && c == open {
			depth++
		} else if depth > 0 && c == end[0] {
			depth--
		}
		if c != 0 {
			b.WriteByte(c)
		}
		x.at++
	}
	flush()
	return all
}

// escape reads a backslash and what stands behind it.
func (x *lexer) escape(b *strings.Builder, open byte, end string, f *form) {
	const letters, meant = "ntreabfv", "\n\t\r\x1b    "
	c := x.peek(1)
	x.at += 2
	if !f.escapes {
		if x.pythonic || c != '\\' && c != open && strings.IndexByte(end, c) < 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(c)
		return
	}
	if i := strings.IndexByte(letters, c); i >= 0 {
		b.WriteByte(meant[i])
		return
	}
	digits, base, most := "0123456789abcdefABCDEF", 16, 0
	switch {
	case c == '\n':
		return
	case c == 'x':
		most = 2
	case c == 'u':
		most = 4
	case c == 'U':
		most = 8
	case c >= '0' && c <= '7':
		x.at--
		digits, base, most = digits[:8], 8, 3
	}
	braced := most > 0 && base == 16 && x.peek(0) == '{'
	if braced {
		x.at++
		most = 8
	}
	from := x.at
	for x.at < from+most && strings.IndexByte(digits, x.peek(0)) >= 0 {
		x.at++
	}
	if code, err := strconv.ParseUint(x.source[from:x.at], base, 32); err == nil {
		writeCode(b, code)
	} else {
		if (x.pythonic || x.name == "php") && strings.IndexByte("\\\"'$`", c) < 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(c)
	}
	if braced && x.peek(0) == '}' {
		x.at++
	}
}

// writeCode writes the character with a number. That of 0, which no path or
// argument can have, isn't.
func writeCode(b *strings.Builder, code uint64) {
	if code == 0 {
		code = utf8.RuneError
	}
	b.WriteRune(rune(code))
}

// interpolation reads code in a string. It returns nil where none begins.
func (x *lexer) interpolation(f *form) *unit {
	c := x.source[x.at]
	if !f.code {
		return nil
	}
	opening := 0
	if x.peek(1) == '{' && strings.IndexByte(x.holes, c) >= 0 {
		opening = 2
	} else if c == '{' && (x.pythonic || x.name == "php" && x.peek(1) == '$') {
		opening = 1
	}
	if opening == 0 {
		end := x.variableEnd()
		if end == x.at {
			return nil
		}
		code := x.nested(0, end)
		x.at = end
		return code
	}
	x.at += opening
	code := x.nested('}', len(x.source))
	if first := code.tokens; x.join == "." && len(first) == 2 && first[0].kind == tokenName && isNameStart(first[0].text[0]) { // ${name}
		first[0].text = string(c) + first[0].text
	}
	x.pieces('{', "}", &form{}) // of Python, a format is left
	return code
}

// variableEnd returns where the variable of Perl or PHP that begins here in a string ends.
func (x *lexer) variableEnd() int {
	c, i := x.source[x.at], x.nameEnd(x.at+1)
	if x.join != "." || c != '$' && (c != '@' || x.name == "php") || i == x.at+1 || isDigit(x.peek(1)) && (c == '@' || x.name == "php") {
		return x.at
	}
	for range 4 {
		rest := x.source[i:min(len(x.source), i+80)]
		arrow := strings.HasPrefix(rest, "->")
		if end := x.nameEnd(i + 2); arrow && x.name == "php" && end > i+2 {
			i = end
			continue
		}
		rest = strings.TrimPrefix(rest, "->")
		if rest == "" || rest[0] != '[' && (rest[0] != '{' || x.name == "php") {
			break
		}
		length := strings.IndexByte(rest, closer(rest[0]))
		if length < 0 || rest[0] == '[' && x.name == "perl" && length > 1 && strings.IndexByte("$-0123456789", rest[1]) < 0 {
			break // it's a set of letters
		}
		if i += length + 1; arrow {
			i += 2
		}
	}
	return i
}

// here is a here-document whose text is still to come.
type here struct {
	token int
	tag   string
	form  *form
}

// hereMark reads the beginning of a here-document.
func (x *lexer) hereMark() bool {
	if x.here == "" || !x.has(x.here) || x.name == "perl" && x.value() || x.name == "ruby" && x.operand() && !x.blank && x.peek(2) != '~' {
		return false
	}
	at := x.at + len(x.here)
	for at < len(x.source) && (x.source[at] == '~' || x.source[at] == '-') {
		at++
	}
	quote, tag := "\"", x.source[at:x.nameEnd(at)]
	end := at + len(tag)
	if rest := x.source[at:min(len(x.source), at+80)]; tag == "" && rest != "" && strings.Contains("'\"`", rest[:1]) {
		var ok bool
		quote = rest[:1]
		if tag, _, ok = strings.Cut(rest[1:], quote); !ok {
			return false
		}
		end = at + len(tag) + 2
	} else if tag == "" || isDigit(tag[0]) || tag[0] >= 'a' && x.name != "php" && x.operand() {
		return false
	}
	x.at = end
	x.add(tokenHereText, "")
	x.pending = append(x.pending, here{len(x.tokens) - 1, tag, x.form(quote)})
	return true
}

// hereText reads the text of a here-document.
func (x *lexer) hereText(doc here) {
	source, end, next := x.source, len(x.source), len(x.source)
	for at := x.at; at < len(source); {
		line, _, _ := strings.Cut(source[at:], "\n")
		after, ok := strings.CutPrefix(strings.TrimLeft(line, " \t"), doc.tag)
		if ok && (strings.TrimSpace(after) == "" || x.name == "php" && !isNameByte(after[0])) {
			end, next = at, at+len(line)-len(after)
			break
		}
		at += len(line) + 1
	}
	if x.name == "php" && end > x.at {
		x.source = source[:end-1]
	} else {
		x.source = source[:end]
	}
	t := &x.tokens[doc.token]
	t.kind, t.pieces = doc.form.kind, x.pieces(0, "", doc.form)
	x.source, x.at = source, next
}

// regex reads a regular expression in slashes. It returns false where none begins.
func (x *lexer) regex() bool {
	if !x.has("/") || !x.slashRegex || x.operand() || x.peek(1) == '=' && x.last().kind == tokenName {
		return false
	}
	class := false
	for i := x.at + 1; i < len(x.source) && x.source[i] != '\n'; i++ {
		switch c := x.source[i]; {
		case c == '\\':
			i++
		case c == '[' && x.name != "perl" || c == ']':
			class = c == '['
		case c == '/' && !class:
			x.at = x.nameEnd(i + 1)
			x.add(tokenRegex, x.source[x.start:x.at])
			return true
		}
	}
	return false
}
