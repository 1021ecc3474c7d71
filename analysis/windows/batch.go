package windows

import (
	"slices"
	"strings"
)

// batch walks lines of cmd.exe.
func (w *walker) batch(text string, s scope) {
	if s.depth > maxDepth || len(text) > maxText || !w.spend(100+textCost*len(text)) {
		w.program.TooComplex = true
		return
	}
	if s.source == nil {
		s.source = &source{text: text}
	}
	b := &batchReader{w: w, text: strings.ReplaceAll(text, "^\r\n", ""), loops: map[byte]Word{}}
	b.text = strings.ReplaceAll(b.text, "^\n", "")
	b.commands(s, 0)
}

// batchReader reads a text of cmd.exe from left to right.
type batchReader struct {
	w     *walker
	text  string
	at    int
	loops map[byte]Word // of for
	plain int           // up to here text has been put in for variables
	out   *[]Word       // what the commands of a group write
}

// commands walks commands up to the end, or up to the ) of a group.
func (b *batchReader) commands(s scope, depth int) {
	if depth > maxDepth {
		b.w.program.TooComplex = true
		return
	}
	context := s.context
	for b.at < len(b.text) && !b.w.program.TooComplex {
		for b.at < len(b.text) && strings.IndexByte(" \t\r\n@,;=", b.text[b.at]) >= 0 {
			b.at++
		}
		if b.at >= len(b.text) {
			return
		}
		switch c := b.text[b.at]; {
		case c == ')' && depth > 0:
			b.at++
			return
		case c == ')' || c == '|':
			b.at++
		case c == '&':
			b.at++
			s.context = context
			if b.at < len(b.text) && b.text[b.at] == '&' {
				b.at++
				s.context = "and"
			}
		default:
			before := b.at
			b.pipeline(s, depth)
			if b.at == before {
				b.at++
			}
			if s.context == "and" || s.context == "or" {
				s.context = context
			}
			if strings.HasPrefix(b.text[b.at:], "||") {
				b.at += 2
				s.context = "or"
			}
		}
	}
}

func (b *batchReader) pipeline(s scope, depth int) {
	var input *Word
	numbered := false
	for {
		for b.at < len(b.text) && (b.text[b.at] == ' ' || b.text[b.at] == '\t' || b.text[b.at] == '@') {
			b.at++
		}
		out := b.command(s, input, depth)
		if b.at >= len(b.text) || b.text[b.at] != '|' || strings.HasPrefix(b.text[b.at:], "||") {
			if b.out != nil && out != nil && len(*b.out) < maxItems {
				*b.out = append(*b.out, *out)
			}
			return
		}
		b.at++
		if !numbered {
			b.w.pipes++
			s.pipe, numbered = b.w.pipes, true
			if s.context == "" {
				s.context = "pipe"
			}
			if calls := b.w.program.Calls; len(calls) > 0 {
				calls[len(calls)-1].Pipe = s.pipe
			}
		}
		input = out
	}
}

// command walks one command, and returns what it writes.
func (b *batchReader) command(s scope, input *Word, depth int) *Word {
	call := &Call{Line: 1, Column: 1} // the redirections of a group, before it or behind
	if back := b.at; b.at < len(b.text) && b.text[b.at] == '>' {
		b.redirect(s, call, "")
		if b.blank(); b.at >= len(b.text) || b.text[b.at] != '(' {
			b.at = back
		}
	}
	if b.at < len(b.text) && b.text[b.at] == '(' {
		b.at++
		var lines []Word
		outer := b.out
		b.out = &lines
		b.commands(s, depth+1)
		b.out = outer
		out := joinWords(lines, "\n")
		for b.blank(); b.at < len(b.text) && (b.text[b.at] == '>' || b.text[b.at] == '<'); b.blank() {
			b.redirect(s, call, "")
		}
		if len(call.Acts)+len(call.Redirects) > 0 {
			redirected := writes(call.Acts, &out)
			call.Acts = b.w.noted(call.Acts)
			if b.w.add(call, &s); redirected {
				return nil
			}
		}
		if len(lines) == 0 {
			return nil
		}
		return &out
	}
	for b.at < len(b.text) && (b.text[b.at] == '@' || b.text[b.at] == ' ') {
		b.at++
	}
	start := b.at
	first := strings.ToLower(b.name())
	switch first {
	case "rem":
		b.line()
		return nil
	case "else":
		b.at += len(first)
		return b.command(s, nil, depth+1)
	case "if":
		b.at += len(first)
		known := b.condition()
		if s.context == "" {
			s.context = "branch"
		}
		b.command(s.where(&known, true), nil, depth+1)
		b.space()
		if strings.EqualFold(b.name(), "else") {
			b.at += len("else")
			b.space()
			b.command(s.where(&known, false), nil, depth+1)
		}
		return nil
	case "for":
		b.at += len(first)
		b.loop(s, depth)
		return nil
	}
	if b.at < len(b.text) && b.text[b.at] == ':' {
		b.line()
		return nil
	}
	line, column := 1, 1
	if s.source.line > 0 {
		line, column = s.source.line, s.source.column
	} else if len(s.source.text) == len(b.text) {
		line, column = position(b.text, start)
	}
	call = &Call{Line: line, Column: column, Input: input}
	words := b.words(s, call)
	if len(words) == 0 {
		if len(call.Acts)+len(call.Redirects) > 0 {
			b.w.add(call, &s)
		}
		return nil
	}
	return b.builtin(call, words, s)
}

func (b *batchReader) blank() {
	for b.at < len(b.text) && (b.text[b.at] == ' ' || b.text[b.at] == '\t') {
		b.at++
	}
}

func (b *batchReader) space() {
	for b.at < len(b.text) && strings.IndexByte(" \t\r\n", b.text[b.at]) >= 0 {
		b.at++
	}
}

func (b *batchReader) line() {
	for b.at < len(b.text) && b.text[b.at] != '\n' {
		b.at++
	}
}

// name is the word at which the reader stands.
func (b *batchReader) name() string {
	end := b.at
	for end < len(b.text) && isLetter(b.text[end]) {
		end++
	}
	return b.text[b.at:end]
}

// words reads the words of a command, and its redirections into call.
func (b *batchReader) words(s scope, call *Call) (words []Word) {
	var text strings.Builder
	quoted, begun, wasQuoted := false, false, false
	flush := func() {
		if begun {
			word, _ := b.w.percent(text.String(), b.loops)
			word.Quoted = wasQuoted
			word.Glob = word.Glob || strings.ContainsAny(word.Text, "*?") && !wasQuoted
			isLoop := text.Len() > 0 && text.Len() < 4 && text.String()[0] == '%'
			if (len(words) == 0 || isLoop) && !wasQuoted && !word.Dynamic && strings.Contains(word.Text, " ") { // %i, for a whole command
				for part := range strings.FieldsSeq(word.Text) {
					words = append(words, Word{Text: part})
				}
			} else {
				words = append(words, word)
			}
		}
		text.Reset()
		begun, wasQuoted = false, false
	}
	for b.at < len(b.text) {
		switch c := b.text[b.at]; {
		case c == '"':
			quoted, begun, wasQuoted = !quoted, true, true
			b.at++
		case quoted && (c == '%' || c == '!') && b.splice():
		case quoted && c != '\n':
			text.WriteByte(c)
			b.at++
		case c == '^' && b.at+1 < len(b.text):
			text.WriteByte(b.text[b.at+1])
			begun = true
			b.at += 2
		case (c == '%' || c == '!') && b.splice():
		case c == ' ' || c == '\t' || c == '\r' || (c == ',' || c == ';' || c == '=') && isSplit(words, text.String(), c):
			flush()
			b.at++
		case c == '/' && len(words) > 0 && isPart(words[0].Text) && strings.Contains(text.String(), `\`) && b.switchAhead(): // C:\x/s
			flush()
			text.WriteByte(c)
			begun = true
			b.at++
		case c == '/' && len(words) == 0 && text.Len() > 0 && !strings.ContainsAny(text.String(), `/\:.-%`): // del/s
			flush()
			text.WriteByte(c)
			begun = true
			b.at++
		case c == '/' && len(words) > 0 && text.Len() > 1 && text.String()[0] == '/' && text.Len() <= 3: // /s/q
			flush()
			text.WriteByte(c)
			begun = true
			b.at++
		case c == '&' || c == '|' || c == '\n' || c == ')':
			flush()
			return words
		case c == '>' || c == '<':
			descriptor := ""
			if t := text.String(); len(t) == 1 && isDigit(t[0]) {
				descriptor = t
				text.Reset()
				begun = false
			}
			flush()
			b.redirect(s, call, descriptor)
		default:
			text.WriteByte(c)
			begun = true
			b.at++
		}
	}
	flush()
	return words
}

// redirect reads a redirection.
func (b *batchReader) redirect(s scope, call *Call, descriptor string) {
	operator := b.text[b.at : b.at+1]
	b.at++
	if b.at < len(b.text) && operator == ">" && b.text[b.at] == '>' {
		operator = ">>"
		b.at++
	}
	if b.at < len(b.text) && b.text[b.at] == '&' {
		for b.at++; b.at < len(b.text) && isDigit(b.text[b.at]); b.at++ {
		}
		return
	}
	for b.at < len(b.text) && b.text[b.at] == ' ' {
		b.at++
	}
	from, quoted := b.at, false
	for b.at < len(b.text) && (quoted || strings.IndexByte(" \t\r\n&|<>)", b.text[b.at]) < 0) {
		if b.text[b.at] == '"' {
			quoted = !quoted
		}
		b.at++
	}
	word, _ := b.w.percent(strings.ReplaceAll(b.text[from:b.at], `"`, ""), b.loops)
	file := path(word)
	switch {
	case file.Text == "" || strings.EqualFold(file.Text, "nul"):
	case operator == "<":
		call.Redirects = append(call.Redirects, Redirect{"<", file})
	default:
		call.Acts = append(call.Acts, Act{File: &file, Add: operator == ">>", Via: descriptor + operator})
	}
}

// builtin does what a command of cmd.exe does, or reports a program.
func (b *batchReader) builtin(call *Call, words []Word, s scope) *Word {
	w := b.w
	call.Words = words
	name := strings.ToLower(words[0].Text)
	var switches []string
	var operands []Word
	for i, word := range words[1:] {
		if len(word.Text) > 1 && word.Text[0] == '/' && !word.Quoted {
			switches = append(switches, strings.ToLower(word.Text))
			call.Parameters = append(call.Parameters, Parameter{Name: strings.ToLower(word.Text), Word: i + 1})
			continue
		}
		operands = append(operands, word)
		call.Operands = append(call.Operands, i+1)
	}
	has := func(name string) bool { return slices.Contains(switches, name) }
	files := paths(operands)
	acts := call.Acts
	call.Acts = nil
	does := func(words ...Word) { call.Acts = append(call.Acts, Act{Words: words}) }
	known := true
	out := Word{Text: "$(" + name + ")", Dynamic: true, Parts: []string{"$(" + name + ")"}, From: []*Call{call}}
	switch name {
	case "del", "erase":
		if len(files) == 0 || has("/p") {
			break
		}
		if !has("/s") {
			does(append(texts("rm", "-f", "--"), files...)...)
			break
		}
		for _, file := range files { // in all folders below
			f := &found{starts: []Word{file}, recurse: true, files: true}
			if at := strings.LastIndexByte(file.Text, '/'); !file.Dynamic {
				if base := file.Text[at+1:]; strings.ContainsAny(base, "*?.") {
					f.starts = []Word{parentOf(file)}
					if base != "*" && base != "*.*" {
						f.names = []string{base}
					}
				}
			}
			call.Acts = append(call.Acts, removal([]*found{f}, false, true)...)
		}
	case "rd", "rmdir":
		switch {
		case len(files) == 0:
		case has("/s"):
			does(append(texts("rm", "-rf", "--"), files...)...)
		default:
			does(append(texts("rmdir", "--"), files...)...)
		}
	case "deltree":
		does(append(texts("rm", "-rf", "--"), files...)...)
	case "copy":
		if len(files) > 0 {
			if len(files) == 1 {
				files = append(files, Word{Text: "."})
			}
			does(append(texts("cp", "--"), files...)...)
		}
	case "move":
		if len(files) > 0 {
			if len(files) == 1 {
				files = append(files, Word{Text: "."})
			}
			does(append(texts("mv", "--"), files...)...)
		}
	case "ren", "rename":
		if len(files) > 1 {
			target := files[1]
			if at := strings.LastIndexByte(files[0].Text, '/'); at >= 0 && !target.Dynamic {
				target.Text = files[0].Text[:at+1] + target.Text
			}
			does(append(texts("mv", "--"), files[0], target)...)
		}
	case "type", "more":
		if len(files) > 0 {
			does(append(texts("cat", "--"), files...)...)
			if v, ok := w.contents(files, true); ok {
				out = joinWords(v.words(), "\n")
			}
		}
	case "md", "mkdir":
		if len(files) > 0 {
			does(append(texts("mkdir", "-p", "--"), files...)...)
		}
	case "mklink":
		if len(files) > 1 {
			does(append(texts("ln", "-s"), files[1], files[0])...)
		}
	case "dir":
		does(append(texts("ls", "--"), files...)...)
	case "cd", "chdir", "pushd":
		if name == "pushd" && len(w.env.pushed) < maxItems {
			w.env.pushed = append(w.env.pushed[:len(w.env.pushed):len(w.env.pushed)], w.env.dirs)
		}
		if len(files) > 0 {
			defer w.chdir(files[0])
		}
	case "popd":
		defer w.popLocation(nil)
	case "set":
		if len(words) > 1 && !strings.HasPrefix(words[1].Text, "/") {
			line := joinWords(words[1:], " ")
			if name, value, ok := strings.Cut(line.Text, "="); ok {
				line.Text = value
				defer w.setEnvironment(name, line)
			}
		} else if len(words) == 1 {
			does(texts("printenv")...)
		}
	case "echo", "echo.":
		said := slices.Clone(words[1:])
		for i := range said {
			if said[i].Quoted && !said[i].Dynamic {
				said[i].Text = `"` + said[i].Text + `"`
			}
		}
		out = joinWords(said, " ")
	case "setlocal", "endlocal", "cls", "exit", "pause", "title", "color", "ver", "vol", "path", "prompt", "assoc", "ftype", "shift", "goto", "date", "time", "verify", "break":
	case "start", "call":
		rest := words[1:]
		for len(rest) > 0 && (rest[0].Quoted && name == "start" && len(rest) > 1 && !strings.ContainsAny(rest[0].Text, `\.`) || strings.HasPrefix(rest[0].Text, "/") && !rest[0].Quoted) {
			rest = rest[1:]
		}
		if len(rest) == 0 || strings.HasPrefix(rest[0].Text, ":") {
			break
		}
		call.Name = name
		call.Acts = acts
		if !w.add(call, &s) {
			return nil
		}
		inner := &Call{Line: call.Line, Column: call.Column}
		return b.builtin(inner, rest, s.through(name, call))
	default:
		known = false
		words[0] = slashed(words[0])
	}
	if !known {
		if found, ok := w.whereIs(call); ok {
			out = found
		}
	}
	redirected := writes(acts, &out)
	if known {
		call.Name = name
	} else {
		call.Parameters, call.Operands = nil, nil
	}
	call.Acts = w.noted(append(call.Acts, acts...))
	if w.add(call, &s); call.Input != nil && !known {
		out.From = merge(out.From, call.Input.From)
	}
	if redirected || known && isSilent(name, call) {
		return nil
	}
	return &out
}
