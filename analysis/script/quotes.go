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
type shape func() *regexp.Regexp

func shaped(text string) shape {
	text = strings.ReplaceAll(text, "LETTER", `\w\x{80}-\x{10FFFF}`)
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("^(?:" + text + ")") })
}

// Of some there are parts: of a quote the word before it and, perhaps behind
// blanks, itself; of code in a text what opens it, if it isn't a variable with
// the entries behind it; of a here-document its quotes and what ends it.
var (
	numbers       = shaped(`\.?\d\w*(?:\.\d\w*)*`)
	charNumbers   = shaped(`\\(?:[xu]\{[[:xdigit:]]+\}|x[[:xdigit:]]{1,2}|u[[:xdigit:]]{1,4}|U[[:xdigit:]]{1,8}|[0-7]{1,3})`)
	fileNames     = shaped(`<[^\n;=]*>`)
	hereDocuments = shaped("<<<?[~-]?(?:([\"'`])(.*?)[\"'`]|([A-Za-z_]\\w*))")

	names     = shaped(`[LETTER]+`)
	nameParts = shaped(`[LETTER$]+`)
	perlNames = shaped(`[LETTER]+(?:::\w+)*`)
	phpNames  = shaped(`[LETTER]+(?:\\[LETTER]+)*`)
	rubyNames = shaped(`[LETTER]+[?!]?`)

	rubyVariables = shaped(`@@?[LETTER]+|\$(?:[LETTER]+|[!?~&;,/@])`)
	awkVariables  = shaped(`[$@]\w*`)
	phpVariables  = shaped(`\$[LETTER]+`)
	perlVariables = shaped(`\$#?(?:::)?[LETTER]+(?:::\w+)*|\$[&!@/\\,;.|"'\x60?~]|[@%](?:::)?[LETTER]+(?:::\w+)*|(?:[$@%&]|\$#)[{$]`)

	quotes       = shaped("()([\"'`])")
	pythonQuotes = shaped(`([rbuftRBUFT]{0,2})("""|'''|["'])`)
	perlQuotes   = shaped(`(q[qwxr]?|m|s|tr|y|)( *[^\w\s,;)=}#]|#)`)
	rubyQuotes   = shaped("(%\\w?|)([^\\w\\s,;)=}%])")

	pythonCode = shaped(`(\{)`)
	jsCode     = shaped(`(\$\{)`)
	rubyCode   = shaped(`(#\{)`)
	phpCode    = shaped(`(\$\{)|(\{)\$|\$[A-Za-z_]\w*(?:->[A-Za-z_]\w*|\[[^\]]*\])*`)
	perlCode   = shaped(`([$@]\{)|(?:\$\w+|@[A-Za-z_]\w*)(?:::[A-Za-z_]\w*)*(?:(?:->)?(?:\[[-$\d][^\]]*\]|\{[^}]*\}))*`)

	regexes     = shaped(`/(?:[^\\/\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])*/\w*`)
	perlRegexes = shaped(`/(?:[^\\/\n]|\\.)*/\w*`)
)

// match returns what of that shape stands here, and its parts.
func (x *lexer) match(of shape) []string {
	const most = 1000
	if of == nil {
		return nil
	}
	return of().FindStringSubmatch(x.source[x.at:min(len(x.source), x.at+most)])
}

// matched adds a token of what has that shape here.
func (x *lexer) matched(kind tokenKind, of shape) bool {
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

var forms = [...]form{
	{" perl ruby php ", ` " `, tokenText, true, true},
	{" perl ruby php ", " ' ", tokenText, false, false},
	{" perl ruby php ", " ` ", tokenShell, true, true},
	{" javascript awk ", ` " `, tokenText, true, false},
	{" javascript ", " ' ", tokenText, true, false},
	{" javascript ", " ` ", tokenText, true, true},
	{" python ", ` " """ ' ''' b u `, tokenText, true, false},
	{" python ", " r br rb ", tokenText, false, false},
	{" python ", " f t ", tokenText, true, true},
	{" python ", " fr rf tr rt ", tokenText, false, true},
	{" perl ", " q ", tokenText, false, false},
	{" perl ", " qq ", tokenText, true, true},
	{" perl ", " qw ", tokenWords, false, false},
	{" perl ", " qx ", tokenShell, true, true},
	{" perl ", " qr m s tr y ", tokenRegex, false, false},
	{" perl ", " < ", tokenGlob, false, true},
	{" ruby ", " %q %s ", tokenText, false, false},
	{" ruby ", " % %Q ", tokenText, true, true},
	{" ruby ", " %w %i ", tokenWords, false, false},
	{" ruby ", " %W %I ", tokenWords, true, true},
	{" ruby ", " %x ", tokenShell, true, true},
	{" ruby ", " %r ", tokenRegex, false, false},
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
	end := strings.TrimLeft(m[2], " ")
	f := x.form(cmp.Or(strings.ToLower(m[1]), end))
	if f == nil || isNameStart(c) && oneOf(" -> sub - ", x.last().text) || (c == '%' || c == '<') && x.operand() ||
		f.kind == tokenGlob && x.match(fileNames) == nil {
		return false
	}
	x.at += len(m[0])
	open := end[0]
	if len(end) > 1 {
		open = 0
	} else {
		end = string(closer(open))
	}
	pieces := x.pieces(open, end, f)
	if f.kind == tokenRegex {
		pieces = x.replacement(m[1], open)
	}
	x.add(f.kind, x.source[x.start:x.at]).pieces = pieces
	return true
}

// replacement reads what stands behind the first part of a regular expression.
// It returns the code of s/x/code/e, and of s/x/code/ee as what has a raw text.
func (x *lexer) replacement(word string, open byte) (all []piece) {
	from, to := x.at, x.at
	if oneOf(" s tr y ", word) {
		if closer(open) != open {
			x.at = len(x.source) - len(strings.TrimLeft(x.source[x.at:], " \t\n"))
			open = x.peek(0)
			x.at = min(x.at+1, len(x.source))
		}
		from = x.at
		x.pieces(open, string(closer(open)), &form{})
		to = max(from, x.at-1)
	}
	flags := x.at
	for isNameByte(x.peek(0)) {
		x.at++
	}
	if count, end := strings.Count(x.source[flags:x.at], "e"), x.at; word == "s" && count > 0 {
		x.at = from
		all = []piece{{code: x.nested(0, to)}}
		if x.at = end; count > 1 {
			all[0].raw = x.source[from:to]
		}
	}
	return all
}

// pieces reads the pieces of a string up to end. Of brackets those inside count.
func (x *lexer) pieces(open byte, end string, f *form) (all []piece) {
	var b strings.Builder
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
		} else if code := x.interpolation(c, f); code != nil {
			all = append(all, piece{text: b.String()}, piece{raw: x.source[from:x.at], code: code})
			b.Reset()
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
	return append(all, piece{text: b.String()})
}

// escape reads a backslash and what stands behind it.
func (x *lexer) escape(b *strings.Builder, open byte, end string, f *form) {
	const letters, meant = "ntreabfv", "\n\t\r\x1b    "
	c := x.peek(1)
	i := strings.IndexByte(letters, c)
	size := 2
	switch {
	case !f.escapes:
		if x.pythonic || c != '\\' && c != open && strings.IndexByte(end, c) < 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(c)
	case i >= 0:
		b.WriteByte(meant[i])
	case c == '\n':
	default:
		if number := x.match(charNumbers); number != nil {
			base := 16
			if isDigit(c) {
				base = 8
			}
			code, _ := strconv.ParseUint(strings.Trim(number[0], `\xuU{}`), base, 32)
			b.WriteRune(cmp.Or(rune(code), utf8.RuneError)) // no path or argument has a 0
			size = len(number[0])
			break
		}
		if (x.pythonic || x.name == "php") && strings.IndexByte("\\\"'$`", c) < 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(c)
	}
	x.at += size
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
		end := x.at + len(m[0])
		code := x.nested(0, end)
		x.at = end
		return code
	}
	x.at += len(opening)
	code := x.nested('}', len(x.source))
	if first := code.tokens; x.join == "." && len(first) == 2 && first[0].kind == tokenName && isNameStart(first[0].text[0]) { // ${name}
		first[0].text = string(c) + first[0].text
	}
	x.pieces('{', "}", &form{}) // of Python, a format is left
	return code
}

// here is a here-document whose text is still to come.
type here struct {
	token int
	tag   string
	form  *form
}

// hereMark reads the beginning of a here-document. It returns false where none begins.
func (x *lexer) hereMark() bool {
	last := x.last()
	function := x.name == "perl" && last.kind == tokenName && isNameStart(last.text[0])
	if x.here == "" || !x.has(x.here) || x.name != "php" && x.operand() && !function && x.peek(2) != '~' {
		return false
	}
	m := x.match(hereDocuments)
	if m == nil {
		return false
	}
	x.at += len(m[0])
	x.add(tokenHereText, m[0])
	x.pending = append(x.pending, here{len(x.tokens) - 1, m[2] + m[3], x.form(cmp.Or(m[1], `"`))})
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
	if x.source = source[:end]; x.name == "php" {
		x.source = source[:max(x.at, end-1)]
	}
	t := &x.tokens[doc.token]
	t.kind, t.pieces = doc.form.kind, x.pieces(0, "", doc.form)
	x.source, x.at = source, next
}
