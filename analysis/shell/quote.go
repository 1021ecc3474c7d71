package shell

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// Split breaks text into words at blanks and newlines and resolves POSIX
// quotes and backslashes. It is not a parser: operators, comments, $ and
// globs are ordinary characters. The error is a *[SyntaxError] for a quote
// that isn't closed or a backslash at the end.
func Split(text string) ([]string, error) {
	var words []string
	var word []byte
	inWord := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case ' ', '\t', '\n':
			if inWord {
				words, word, inWord = append(words, string(word)), word[:0], false
			}
		case '\'':
			inWord = true
			length := strings.IndexByte(text[i+1:], '\'')
			if length < 0 {
				return nil, unfinished(text, i, "a single quote isn't closed")
			}
			word = append(word, text[i+1:i+1+length]...)
			i += length + 1
		case '"':
			inWord = true
			start := i
			for i++; ; i++ {
				if i == len(text) {
					return nil, unfinished(text, start, "a double quote isn't closed")
				}
				if text[i] == '"' {
					break
				}
				if text[i] == '\\' && i+1 < len(text) {
					if next := text[i+1]; next == '\n' {
						i++
						continue
					} else if strings.IndexByte("$`\"\\", next) >= 0 {
						i++
					}
				}
				word = append(word, text[i])
			}
		case '\\':
			if i+1 == len(text) {
				return nil, unfinished(text, i, "a backslash at the end")
			}
			if i++; text[i] != '\n' {
				inWord = true
				word = append(word, text[i])
			}
		default:
			inWord = true
			word = append(word, c)
		}
	}
	if inWord {
		words = append(words, string(word))
	}
	return words, nil
}

func unfinished(text string, offset int, message string) error {
	before := text[:offset]
	return &SyntaxError{
		Line:    1 + strings.Count(before, "\n"),
		Column:  offset - strings.LastIndexByte(before, '\n'),
		Message: message,
	}
}

// Quote joins words to a text that any POSIX shell reads as these words, and
// [Split] too. A NUL byte, which no shell can read, is left as it is.
func Quote(words ...string) string {
	var b strings.Builder
	for i, word := range words {
		if i > 0 {
			b.WriteByte(' ')
		}
		if isSafe(word) {
			b.WriteString(word)
			continue
		}
		b.WriteByte('\'')
		b.WriteString(strings.ReplaceAll(word, `'`, `'\''`))
		b.WriteByte('\'')
	}
	return b.String()
}

// isSafe reports whether word means itself wherever a word can stand.
func isSafe(word string) bool {
	for i := range len(word) {
		c := word[i]
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9':
		case strings.IndexByte("_@%+:,./-", c) >= 0:
		case c == '=' && !syntax.ValidName(word[:i]): // --a=b is no assignment
		default:
			return false
		}
	}
	return word != "" && !syntax.IsKeyword(word)
}

// decodeANSI resolves the escapes of $'...'. As in bash, the text ends where
// an escape stands for a NUL.
func decodeANSI(text string) string {
	decoded := decodeEscapes(text)
	if i := strings.IndexByte(decoded, 0); i >= 0 {
		return decoded[:i]
	}
	return decoded
}

// decodeEscapes is decodeANSI for programs that can write a NUL.
func decodeEscapes(text string) string {
	if strings.IndexByte(text, '\\') < 0 {
		return text
	}
	var b []byte
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' || i+1 == len(text) {
			b = append(b, text[i])
			continue
		}
		i++
		c := text[i]
		if at := strings.IndexByte(`abeEfnrtv\'"?`, c); at >= 0 {
			b = append(b, "\a\b\x1b\x1b\f\n\r\t\v\\'\"?"[at])
			continue
		}
		base, digits := 16, 0
		switch c {
		case 'x':
			digits = 2
		case 'u':
			digits = 4
		case 'U':
			digits = 8
		case 'c':
			if i+1 < len(text) {
				i++
				b = append(b, text[i]&0x1f)
			}
			continue
		default:
			if c >= '0' && c <= '7' {
				base, digits = 8, 3
				i--
			}
		}
		n := 0
		for n < digits && i+1+n < len(text) && isDigit(text[i+1+n], base) {
			n++
		}
		if n == 0 { // not an escape
			b = append(b, '\\', c)
			continue
		}
		value, _ := strconv.ParseUint(text[i+1:i+1+n], base, 32)
		i += n
		switch {
		case c == 'u' || c == 'U':
			b = utf8.AppendRune(b, rune(value))
		default:
			b = append(b, byte(value))
		}
	}
	return string(b)
}

func isDigit(c byte, base int) bool {
	if base == 8 {
		return c >= '0' && c <= '7'
	}
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

// backslashes resolves the escapes of echo -e and printf %b. It returns false
// where \c ends the text.
func backslashes(text string) (string, bool) {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' || i+1 == len(text) {
			b.WriteByte(text[i])
			continue
		}
		end := i + 2
		switch text[i+1] {
		case 'c':
			return b.String(), false
		case '0': // an octal escape is \0nnn here, and \nnn in $'...'
			for end < len(text) && end < i+5 && isDigit(text[end], 8) {
				end++
			}
			value, _ := strconv.ParseUint("0"+text[i+2:end], 8, 16)
			b.WriteByte(byte(value))
		default:
			for end < len(text) && end < i+10 && text[end] != '\\' && isDigit(text[end], 16) {
				end++
			}
			b.WriteString(decodeEscapes(text[i:end]))
		}
		i = end - 1
	}
	return b.String(), true
}
