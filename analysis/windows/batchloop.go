package windows

import (
	"maps"
	"strings"
)

// condition goes behind the condition of if.
func (b *batchReader) condition() (known value) {
	negated := 0
	for {
		b.space()
		switch name := strings.ToLower(b.name()); {
		case name == "not", name == "exist", name == "defined", name == "errorlevel":
			b.at += len(name)
			if name == "not" {
				negated = 1 - negated
				continue
			}
			b.space()
			start := b.at
			b.operand()
			word, _ := b.w.percent(strings.ReplaceAll(b.text[start:b.at], `"`, ""), b.loops)
			if file := path(word); name == "exist" && !file.Dynamic && !strings.ContainsAny(file.Text, "*?") {
				known.missing[negated] = []absent{{file, b.w.env.dirs}}
			}
			b.space()
			return known
		case strings.HasPrefix(strings.ToLower(b.text[b.at:]), "/i"):
			b.at += 2
			continue
		}
		b.operand()
		b.space()
		if name := strings.ToLower(b.name()); name == "equ" || name == "neq" || name == "lss" || name == "leq" || name == "gtr" || name == "geq" {
			b.at += len(name)
			b.space()
			b.operand()
		} else if strings.HasPrefix(b.text[b.at:], "==") {
			b.at += 2
			b.space()
			b.operand()
		}
		b.space()
		return known
	}
}

// operand goes behind a word, or a quoted text.
func (b *batchReader) operand() {
	quoted := false
	for b.at < len(b.text) {
		c := b.text[b.at]
		if c == '"' {
			quoted = !quoted
		}
		if !quoted && (c == ' ' || c == '\t' || c == '(' || c == '\n' || c == '=' && strings.HasPrefix(b.text[b.at:], "==")) {
			if c == '=' && b.text[b.at-1] != '=' {
				b.at += 2
				continue
			}
			return
		}
		b.at++
	}
}

// loop walks for %i in (...) do ...
func (b *batchReader) loop(s scope, depth int) {
	var option, reading, letters string
	for {
		b.space()
		from := b.at
		for b.at < len(b.text) && strings.IndexByte(" \t\r\n(", b.text[b.at]) < 0 {
			if b.text[b.at] == '"' {
				if end := strings.IndexByte(b.text[b.at+1:], '"'); end >= 0 {
					b.at += end + 1
				}
			}
			b.at++
		}
		word := b.text[from:b.at]
		switch {
		case word == "":
			return
		case word[0] == '%':
			letters = strings.TrimLeft(word, "%")
		case strings.EqualFold(word, "in"):
		default:
			if option == "" {
				option = strings.ToLower(word)
			} else if !strings.HasPrefix(word, `"`) {
				option += " " + word
			} else {
				reading = strings.ToLower(strings.Trim(word, `"`))
			}
			continue
		}
		if strings.EqualFold(word, "in") {
			break
		}
	}
	b.space()
	if b.at >= len(b.text) || b.text[b.at] != '(' {
		return
	}
	set := b.group()
	b.space()
	if !strings.EqualFold(b.name(), "do") {
		return
	}
	b.at += len("do")
	b.space()
	if s.context == "" {
		s.context = "loop"
	}
	kind, where, _ := strings.Cut(option, " ")
	if letters == "" {
		b.line()
		return
	}
	var values []Word
	rows := [][]Word{}
	switch kind {
	case "/f":
		rows = b.rows(set, reading, letters[0], s, depth)
	case "/l":
		values = []Word{{Text: "%" + letters, Dynamic: true, Parts: []string{"%" + letters}}}
	default:
		for _, item := range strings.FieldsFunc(set, func(r rune) bool { return strings.ContainsRune(" \t\r\n,;", r) }) {
			word, _ := b.w.percent(strings.Trim(item, `"`), b.loops)
			if kind == "/r" {
				if where == "" {
					where = "."
				}
				word = Word{Text: strings.TrimRight(strings.Trim(where, `"`), `\/`) + "/" + word.Text}
			}
			word.Glob = strings.ContainsAny(word.Text, "*?")
			if len(values) < maxItems {
				values = append(values, word)
			}
		}
	}
	body := b.at
	end := body
	for _, word := range values {
		rows = append(rows, []Word{word})
	}
	outer := b.loops
	for _, row := range rows {
		if b.w.program.TooComplex || !b.w.spend(64) {
			break
		}
		b.at = body
		b.loops = maps.Clone(outer)
		for i, word := range row {
			b.loops[letters[0]+byte(i)] = word
		}
		out := b.command(s, nil, depth+1)
		if b.out != nil && out != nil && len(*b.out) < maxItems {
			*b.out = append(*b.out, *out)
		}
		end = b.at
	}
	b.loops = outer
	if b.at = end; len(rows) == 0 {
		b.line()
	}
}

// group returns what is in the brackets at which the reader stands.
func (b *batchReader) group() string {
	from, quoted := b.at+1, false
	for b.at++; b.at < len(b.text); b.at++ {
		switch b.text[b.at] {
		case '"', '\'':
			quoted = !quoted
		case ')':
			if !quoted {
				b.at++
				return b.text[from : b.at-1]
			}
		}
	}
	return b.text[min(from, len(b.text)):]
}

// percent puts in what variables of the environment stand for.
func (w *walker) percent(text string, loops map[byte]Word) (Word, bool) {
	if strings.IndexByte(text, '%') < 0 && strings.IndexByte(text, '!') < 0 {
		return Word{Text: text}, true
	}
	text = w.undelayed(text)
	var parts []Word
	for text != "" {
		at := strings.IndexByte(text, '%')
		if at < 0 {
			break
		}
		if at > 0 {
			parts = append(parts, Word{Text: text[:at]})
		}
		text = text[at:]
		rest := strings.TrimLeft(text, "%")
		if strings.HasPrefix(rest, "~") { // %~dpi
			end := 1
			for end < len(rest) && isLetter(rest[end]) {
				end++
			}
			if word, ok := loops[rest[end-1]]; ok && end > 1 {
				if word.Dynamic || end == 2 || strings.ContainsAny(rest[1:end-1], "f") {
					parts = append(parts, word)
				} else {
					parts = append(parts, unknown("%"+rest[:end], nil).word)
				}
				text = rest[end:]
				continue
			}
			if strings.HasPrefix(rest, "~dp0") {
				parts = append(parts, unknown("%~dp0", nil).word)
				text = rest[4:]
				continue
			}
		}
		if rest != "" {
			if word, ok := loops[rest[0]]; ok {
				parts = append(parts, word)
				text = rest[1:]
				continue
			}
		}
		end := strings.IndexByte(text[1:], '%')
		if end <= 0 || strings.ContainsAny(text[1:end+1], " \t/\\\"") && !strings.Contains(text[1:end+1], "(x86)") {
			if len(rest) > 0 && isDigit(rest[0]) {
				parts = append(parts, unknown(text[:2], nil).word)
				text = text[2:]
				continue
			}
			parts = append(parts, Word{Text: text[:1]})
			text = text[1:]
			continue
		}
		source := text[:end+2]
		name, _, _ := strings.Cut(text[1:end+1], ":")
		switch strings.ToLower(name) {
		case "cd", "__cd__":
			parts = append(parts, Word{Text: "."})
		default:
			v := w.environmentValue(name, source)
			if name != text[1:end+1] {
				v = cut(v, text[len(name)+2:end+1], source)
			}
			parts = append(parts, v.word)
		}
		text = text[end+2:]
		if len(parts) > 4*maxItems {
			break
		}
	}
	if text != "" {
		parts = append(parts, Word{Text: text})
	}
	size := 0
	for _, part := range parts {
		size += len(part.Text)
	}
	if !w.spend(len(parts) + min(size, maxText)/8) { // a variable may stand for more at each command
		return unknown("...", nil).word, false
	}
	joined := joinWords(parts, "")
	if at := strings.IndexByte(joined.Text, '!'); at >= 0 {
		if end := strings.IndexByte(joined.Text[at+1:], '!'); end > 0 && !strings.ContainsAny(joined.Text[at+1:at+1+end], " \t\\/") {
			joined.Dynamic, joined.Parts = true, append(joined.Parts, joined.Text[at:at+end+2])
		}
	}
	return joined, !joined.Dynamic
}
