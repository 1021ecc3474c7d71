package script

import (
	"encoding/base64"
	"encoding/hex"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// reversed returns text from its end to its beginning.
func reversed(text string) string {
	runes := []rune(text)
	slices.Reverse(runes)
	return string(runes)
}

// sprintf puts texts in the places of %s. Anything else isn't known.
func sprintf(f *flow, s *site) facts {
	format, known := f.argument(s, 0).constant()
	if !known || !f.spend(len(format)) {
		return f.unknown(s.tree)
	}
	var parts []facts
	next := 1
	for {
		before, after, found := strings.Cut(format, "%")
		parts = append(parts, textFact(before))
		if !found {
			return f.concat(parts, "")
		}
		switch {
		case strings.HasPrefix(after, "s") || strings.HasPrefix(after, "d"):
			parts = append(parts, f.argument(s, next))
			next++
		case strings.HasPrefix(after, "%"):
			parts = append(parts, textFact("%"))
		default:
			return f.unknown(s.tree)
		}
		format = after[1:]
	}
}

// mapText returns what a function makes of a call's first argument.
func (f *flow) mapText(s *site, change func(string) string) facts {
	return f.changeText(s, f.argument(s, 0), change)
}

func (f *flow) changeText(s *site, of facts, change func(string) string) (all facts) {
	for _, one := range of {
		if one.kind != factText || one.dynamic || !f.spend(len(one.text)/4) {
			all = f.union(all, f.unknown(s.tree))
			continue
		}
		all = f.union(all, textFact(strings.ReplaceAll(change(one.text), "\xff", "")))
	}
	return all
}

// decoded returns what text encodes, as lenient as the languages' libraries.
func decoded(text, encoding string) string {
	if encoding == "hex" {
		data, _ := hex.DecodeString(text)
		return strings.ReplaceAll(string(data), homeMark, " ")
	}
	text = strings.NewReplacer("-", "+", "_", "/", "\n", "", "\r", "", " ", "", "=", "").Replace(text)
	data, _ := base64.RawStdEncoding.DecodeString(text)
	return strings.ReplaceAll(string(data), homeMark, " ")
}

func percentDecoded(f *flow, s *site) facts {
	return f.mapText(s, func(text string) string {
		if plain, err := url.PathUnescape(text); err == nil {
			return strings.ReplaceAll(plain, homeMark, " ")
		}
		return text
	})
}

func characters(f *flow, s *site) facts {
	var b strings.Builder
	if !f.spend(len(s.args)) {
		return f.unknown(s.tree)
	}
	for _, arg := range s.args {
		if len(arg) != 1 || arg[0].kind != factPlain {
			return f.unknown(s.tree)
		}
		code, err := strconv.ParseUint(strings.ToLower(arg[0].text), 0, 32)
		if err != nil {
			return f.unknown(s.tree)
		}
		writeCode(&b, code)
	}
	return textFact(b.String())
}

// anyLength says of a list that isn't known that it may have any length.
func anyLength(list facts) facts {
	all := make(facts, len(list))
	for i, one := range list {
		if one.kind != factList && one.kind != factText && one.kind != factPlain {
			one = fact{text: one.text, rest: true}
		}
		all[i] = one
	}
	return all
}

// words returns the text that args are with blanks between them.
func (f *flow) words(args []facts) facts {
	var parts []facts
	for _, arg := range args {
		if len(arg) == 1 && arg[0].kind == factList && f.spend(len(arg[0].items)) {
			parts = append(parts, arg[0].items...)
			continue
		}
		parts = append(parts, arg)
	}
	return f.concat(parts, " ")
}

// rotated returns text with each letter moved by 13 places.
func rotated(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return 'a' + (r-'a'+13)%26
		case r >= 'A' && r <= 'Z':
			return 'A' + (r-'A'+13)%26
		}
		return r
	}, text)
}

// unescaped resolves the escapes of a text.
func unescaped(text string) string {
	if !strings.Contains(text, "\\") {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' || i+1 == len(text) {
			b.WriteByte(text[i])
			continue
		}
		i++
		switch c := text[i]; c {
		case 'n':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		case 'r':
			b.WriteByte('\r')
		case 'b', 'f', 'v':
			b.WriteByte(' ')
		case '\n':
		case '\r':
			if i+1 < len(text) && text[i+1] == '\n' {
				i++
			}
		case 'x', 'u':
			i += writeEscape(text[i:], &b) - 1
		case '0', '1', '2', '3', '4', '5', '6', '7':
			digits := 1
			for digits < 3 && i+digits < len(text) && text[i+digits] >= '0' && text[i+digits] <= '7' {
				digits++
			}
			code, _ := strconv.ParseUint(text[i:i+digits], 8, 16)
			writeCode(&b, code)
			i += digits - 1
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// writeEscape writes the character of an escape such as x41, u0041 or u{41}, and
// returns how long that is.
func writeEscape(text string, b *strings.Builder) int {
	end, from := 3, 1
	if text[0] == 'u' {
		end = 5
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
	if from == 2 {
		end++
	}
	return end
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

// singleQuoted resolves the escapes of single quotes.
func singleQuoted(text string) string {
	if !strings.Contains(text, "\\") {
		return text
	}
	return strings.NewReplacer(`\\`, `\`, `\'`, `'`).Replace(text)
}
