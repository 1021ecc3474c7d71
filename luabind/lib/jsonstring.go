package lib

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/luahook/luahook/luabind"
)

// text reads a string, at its opening quote.
func (r *jsonReader) text() string {
	begin := r.pos + 1
	escaped, ascii := false, true
	for i := begin; ; i++ {
		switch c := r.at(i); {
		case c == '"':
			r.pos = i + 1
			if raw := r.s[begin:i]; escaped || (!ascii && !utf8.ValidString(raw)) {
				return r.unescape(raw, begin)
			}
			return r.s[begin:i]
		case c == '\\':
			escaped = true
			i++
			r.at(i)
		case c < ' ':
			r.invalid(i, "in string literal")
		case c >= utf8.RuneSelf:
			ascii = false
		}
	}
}

// escapes are the characters that a backslash makes of another.
var escapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// unescape resolves the escapes in a string that begins at an offset. What is no
// UTF-8, and halves of surrogate pairs, become U+FFFD.
func (r *jsonReader) unescape(raw string, begin int) string {
	room := len(raw)
	if !utf8.ValidString(raw) {
		room *= 3
	}
	luabind.Spend(r.LState, 1+len(raw)/8)
	luabind.Allocate(r.LState, room)
	var b strings.Builder
	b.Grow(room)
	for i := 0; i < len(raw); {
		c := raw[i]
		switch {
		case c >= utf8.RuneSelf:
			char, width := utf8.DecodeRuneInString(raw[i:])
			b.WriteRune(char)
			i += width
			continue
		case c != '\\':
			b.WriteByte(c)
			i++
			continue
		}
		if c = raw[i+1]; c != 'u' {
			if escapes[c] == 0 {
				r.invalid(begin+i+1, "in string escape code")
			}
			b.WriteByte(escapes[c])
			i += 2
			continue
		}
		char := r.unit(raw, i, begin)
		i += 6
		if utf16.IsSurrogate(char) {
			pair := rune(utf8.RuneError)
			if strings.HasPrefix(raw[i:], `\u`) {
				pair = utf16.DecodeRune(char, r.unit(raw, i, begin))
			}
			if char = pair; pair != utf8.RuneError {
				i += 6
			}
		}
		b.WriteRune(char)
	}
	return b.String()
}

// unit is the number in the \u1234 at i.
func (r *jsonReader) unit(raw string, i, begin int) rune {
	for j := i + 2; j < i+6; j++ {
		if j == len(raw) || !isHex(raw[j]) {
			r.invalid(begin+j, `in \u hexadecimal character escape`)
		}
	}
	n, _ := strconv.ParseUint(raw[i+2:i+6], 16, 32)
	return rune(n)
}

func isHex(c byte) bool {
	return (c >= '0' && c <= '9') || (c|0x20 >= 'a' && c|0x20 <= 'f')
}
