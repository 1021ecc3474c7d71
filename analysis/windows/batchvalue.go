package windows

import (
	"slices"
	"strings"
)

// isPart reports whether a command is a part of cmd.exe that takes commas, semicolons and equals signs for blanks.
func isPart(name string) bool {
	switch strings.ToLower(name) {
	case "del", "erase", "rd", "rmdir", "md", "mkdir", "copy", "move", "ren", "rename", "type", "cd", "chdir", "pushd", "start", "call", "dir":
		return true
	}
	return false
}

// isSplit reports whether a letter that may stand for a blank ends the word that begins with text.
func isSplit(words []Word, text string, c byte) bool {
	if len(words) > 0 {
		text = words[0].Text
	}
	return isPart(text) || len(words) == 0 && c != '=' && text != ""
}

// switchAhead reports whether /x stands here, and no more of a path.
func (b *batchReader) switchAhead() bool {
	rest := b.text[b.at+1:]
	return rest != "" && isLetter(rest[0]) && (len(rest) == 1 || strings.IndexByte(" \t\r\n/&|\"", rest[1]) >= 0)
}

// isSilent reports whether a part of cmd.exe writes nothing that matters.
func isSilent(name string, call *Call) bool {
	switch name {
	case "echo", "echo.":
		return len(call.Words) == 2 && (strings.EqualFold(call.Words[1].Text, "off") || strings.EqualFold(call.Words[1].Text, "on"))
	case "type", "more", "dir", "ver", "vol", "date", "time", "path":
		return false
	case "set":
		return len(call.Words) > 1
	}
	return true
}

// writes gives the redirections of what a command writes that text, and reports whether there are any.
func writes(acts []Act, text *Word) bool {
	found := false
	for i := range acts {
		if acts[i].Via == ">" || acts[i].Via == ">>" {
			acts[i].Text, found = text, true
		}
	}
	return found
}

// set returns a variable that the text itself has set.
func (w *walker) set(name string) (Word, bool) {
	i := slices.IndexFunc(w.env.settings, func(s Setting) bool { return strings.EqualFold(s.Name, name) })
	if i < 0 || w.env.settings[i].Value.Dynamic || w.env.settings[i].Value.Home {
		return Word{}, false
	}
	return w.env.settings[i].Value, true
}

// undelayed writes variables that are put in late, !X!, like others.
func (w *walker) undelayed(text string) string {
	for from := 0; ; {
		at := strings.IndexByte(text[from:], '!')
		if at < 0 {
			return text
		}
		at += from
		end := strings.IndexByte(text[at+1:], '!')
		if end < 0 {
			return text
		}
		name, _, _ := strings.Cut(text[at+1:at+1+end], ":")
		if _, ok := w.set(name); ok {
			text = text[:at] + "%" + text[at+1:at+1+end] + "%" + text[at+2+end:]
		}
		from = at + 1 + end
	}
}

// splice puts in the value of the variable at which the reader stands, where that is more than a part of a word.
func (b *batchReader) splice() bool {
	if b.at < b.plain {
		return false
	}
	mark := b.text[b.at]
	end := strings.IndexByte(b.text[b.at+1:], mark)
	if end <= 0 {
		return false
	}
	inner := b.text[b.at+1 : b.at+1+end]
	name, how, cutOut := strings.Cut(inner, ":")
	word, ok := b.w.set(name)
	if !ok {
		return false
	}
	if cutOut {
		v := cut(wordValue(word), how, inner)
		if word = v.word; word.Dynamic {
			return false
		}
	}
	if !cutOut && !strings.ContainsAny(word.Text, " \t&|<>\"^,;=/") || !b.w.spend(len(b.text)/16) || len(b.text)+len(word.Text) > maxText {
		return false
	}
	b.text = b.text[:b.at] + word.Text + b.text[b.at+end+2:]
	b.plain = b.at + len(word.Text)
	return true
}

// cut is %X:~1,2% or %X:a=b%.
func cut(v value, how, source string) value {
	text, ok := v.known()
	if !ok || v.word.Home {
		return unknown(source, v.from())
	}
	if places, ok := strings.CutPrefix(how, "~"); ok {
		first, size, sized := strings.Cut(places, ",")
		from, isNumber := number(first)
		if first == "" {
			from, isNumber = 0, true
		}
		length, isLength := number(size)
		if !isNumber || sized && !isLength {
			return unknown(source, v.from())
		}
		if from < 0 {
			from += len(text)
		}
		from = min(max(from, 0), len(text))
		end := len(text)
		switch {
		case sized && length < 0:
			end = max(len(text)+length, from)
		case sized:
			end = min(from+length, len(text))
		}
		return textValue(text[from:max(from, end)])
	}
	old, by, ok := strings.Cut(how, "=")
	rest, isStar := strings.CutPrefix(old, "*")
	if !ok || rest == "" || len(text)*(1+len(by)) > maxText {
		return unknown(source, v.from())
	}
	var out strings.Builder
	for at := 0; at < len(text); {
		if at+len(rest) <= len(text) && strings.EqualFold(text[at:at+len(rest)], rest) {
			if isStar {
				return textValue(by + text[at+len(rest):])
			}
			out.WriteString(by)
			at += len(rest)
			continue
		}
		out.WriteByte(text[at])
		at++
	}
	if isStar {
		return textValue(text)
	}
	return textValue(out.String())
}

// rows are what for /f reads, a line in each: the words for its variables.
func (b *batchReader) rows(set, reading string, letter byte, s scope, depth int) [][]Word {
	text := strings.TrimSpace(set)
	first := byte(0)
	if text != "" {
		first = text[0]
	}
	back := strings.Contains(reading, "usebackq")
	unknownWord := Word{Text: "%" + string(letter), Dynamic: true, Parts: []string{"%" + string(letter)}}
	var out Word
	switch {
	case first == '`', first == '\'' && !back:
		calls := len(b.w.program.Calls)
		var lines []Word
		inner := &batchReader{w: b.w, text: strings.Trim(text, "'`"), loops: b.loops, out: &lines}
		inner.commands(s.in("substitution"), depth+1)
		if out = joinWords(lines, "\n"); len(lines) == 0 || out.Dynamic {
			out = unknownWord
			if len(b.w.program.Calls) > calls {
				out.From = b.w.program.Calls[calls : calls+1]
			}
		}
	case first == '"' && !back, first == '\'':
		out, _ = b.w.percent(strings.Trim(text, `"'`), b.loops)
	default:
		var ok bool
		if out, ok = b.w.content(path(Word{Text: strings.Trim(text, `"`)})); !ok {
			out = unknownWord
		}
	}
	places := tokens(reading)
	if out.Dynamic {
		row := make([]Word, len(places))
		for i := range row {
			row[i] = unknownWord
			row[i].From = out.From
		}
		return [][]Word{row}
	}
	delims := " \t"
	if at := strings.Index(reading, "delims="); at >= 0 {
		if delims = reading[at+len("delims="):]; strings.Contains(delims, " ") && strings.Contains(delims, "=") {
			delims, _, _ = strings.Cut(delims, " ")
		}
	}
	var rows [][]Word
	for line := range strings.SplitSeq(out.Text, "\n") {
		if len(rows) < maxItems && strings.TrimSpace(line) != "" {
			rows = append(rows, fields(strings.TrimSuffix(line, "\r"), delims, places))
		}
	}
	return rows
}

// tokens are the places of the words that for /f is to read; 0 is the rest.
func tokens(reading string) []int {
	at := strings.Index(reading, "tokens=")
	if at < 0 {
		return []int{1}
	}
	list, _, _ := strings.Cut(reading[at+len("tokens="):], " ")
	var places []int
	for item := range strings.SplitSeq(list, ",") {
		item, rest := strings.CutSuffix(item, "*")
		first, last, isRange := strings.Cut(item, "-")
		from, ok := number(first)
		to, _ := number(last)
		if !isRange {
			to = from
		}
		for i := from; ok && i <= to && len(places) < 26; i++ {
			places = append(places, i)
		}
		if rest {
			places = append(places, 0)
		}
	}
	return places
}

// fields are the words of a line at the places.
func fields(line, delims string, places []int) []Word {
	row := make([]Word, len(places))
	last := 0
	for i, place := range places {
		rest := line
		skip := place - 1
		if place == 0 {
			skip = last
		}
		for ; skip >= 0; skip-- {
			rest = strings.TrimLeft(rest, delims)
			if skip == 0 {
				break
			}
			end := strings.IndexAny(rest, delims)
			if delims == "" || end < 0 {
				rest = ""
				break
			}
			rest = rest[end:]
		}
		if end := strings.IndexAny(rest, delims); place > 0 && delims != "" && end >= 0 {
			rest = rest[:end]
		}
		row[i] = Word{Text: rest}
		last = place
	}
	return row
}
