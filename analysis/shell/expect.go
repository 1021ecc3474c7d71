package shell

import "strings"

// expect reports what a script for expect(1) runs and types: in -c, on the
// standard input, or in a file that the line wrote.
func (w *walker) expect(c *Command, args []argument, s scope) {
	items, rest := runsBy(c.Name).scan(c.Args, "")
	var scripts []argument
	for _, o := range items {
		switch {
		case o.name == "-v":
			return
		case o.name == "-c" && o.valued:
			scripts = append(scripts, valueFrom(args, o.source, o.value))
		case (o.name == "-f" || o.name == "-b") && o.valued && o.value != "-":
			scripts = append(scripts, w.contents(valueFrom(args, o.source, o.value), &s)...)
		}
	}
	switch {
	case rest < len(args) && args[rest].Text != "-":
		scripts = append(scripts, w.contents(args[rest], &s)...)
	case len(scripts) == 0 && s.input != nil || rest < len(args) && s.input != nil:
		scripts = append(scripts, s.input.unread())
	}
	s.input, s.shared, s.assigned = nil, nil, nil
	for _, script := range scripts {
		switch {
		case script.Dynamic && strings.TrimSpace(script.Text) == "":
			w.text(script, c.Name, s)
		default:
			w.tcl(script, c.Name, s, 0)
		}
	}
}

// tcl reports what the commands of a script in Tcl run, also those in braces
// and brackets.
func (w *walker) tcl(script argument, via string, s scope, depth int) {
	if depth > maxDepth || !w.spend(len(script.Text)) {
		w.line.TooComplex = true
		return
	}
	r := tclReader{text: script.Text, at: script.at, unknown: script.Dynamic}
	for words := r.command(); words != nil; words = r.command() {
		w.tclCommand(words, via, s)
		for _, word := range words {
			for _, inner := range word.inner {
				text := script
				text.Text = inner
				w.tcl(text, via, s, depth+1)
			}
		}
	}
}

func (w *walker) tclCommand(words []tclWord, via string, s scope) {
	name, args := words[0].Text, make([]argument, 0, len(words))
	for _, word := range words[1:] {
		args = append(args, word.argument)
	}
	for len(args) > 0 && strings.HasPrefix(args[0].Text, "-") && name != "system" {
		skip := 1
		if name == "send" && args[0].Text == "-i" {
			skip = 2
		}
		args = args[min(skip, len(args)):]
	}
	if len(args) == 0 {
		return
	}
	inner := s.through(via + " " + name)
	inner.external = true
	switch name {
	case "spawn":
		w.run(args, inner)
	case "exec":
		var stage []argument // of a pipeline
		for _, arg := range args {
			if arg.Text != "|" && arg.Text != "|&" {
				stage = append(stage, arg)
				continue
			}
			if len(stage) > 0 {
				w.run(stage, inner)
			}
			stage = nil
		}
		if len(stage) > 0 {
			w.run(stage, inner)
		}
	case "system":
		text, _ := joined(args)
		w.text(text, via+" "+name, s)
	case "send", "exp_send":
		text := args[0]
		text.Text = strings.NewReplacer("\r", "\n").Replace(text.Text)
		if strings.TrimSpace(text.Text) != "" {
			w.typing(text, via+" "+name, s)
		}
	}
}

// tclWord is a word, with the scripts in its braces or brackets.
type tclWord struct {
	argument
	inner []string
}

// tclReader takes a script apart.
type tclReader struct {
	text    string
	offset  int
	at      place
	unknown bool // parts of the text aren't known
}

// command returns the words of the next command, nil at the end.
func (r *tclReader) command() []tclWord {
	for r.offset < len(r.text) {
		var words []tclWord
		for r.offset < len(r.text) && !r.ended() {
			if word, ok := r.word(); ok {
				words = append(words, word)
			}
		}
		if len(words) > 0 && strings.HasPrefix(words[0].Text, "#") {
			words = nil
		}
		if words != nil {
			return words
		}
	}
	return nil
}

// ended goes behind blanks, and reports whether the command ends there.
func (r *tclReader) ended() bool {
	for r.offset < len(r.text) {
		switch c := r.text[r.offset]; {
		case c == ' ' || c == '\t' || c == '\r':
			r.offset++
		case strings.HasPrefix(r.text[r.offset:], "\\\n"):
			r.offset += 2
		case c == '\n' || c == ';':
			r.offset++
			return true
		default:
			return false
		}
	}
	return true
}

func (r *tclReader) word() (tclWord, bool) {
	switch r.text[r.offset] {
	case '{':
		text := r.bracketed('{', '}')
		word := tclWord{argument: literal(text, r.at)}
		if strings.ContainsAny(text, " \t\n") {
			word.inner = []string{text}
		}
		return word, true
	case '"':
		r.offset++
		return r.parts("\""), true
	}
	return r.parts(" \t\r\n;"), true
}

// bracketed returns the text between a bracket and the one that closes it.
func (r *tclReader) bracketed(open, end byte) string {
	depth, start := 0, r.offset+1
	for ; r.offset < len(r.text); r.offset++ {
		switch r.text[r.offset] {
		case '\\':
			r.offset++
		case open:
			depth++
		case end:
			if depth--; depth == 0 {
				r.offset++
				return r.text[start : r.offset-1]
			}
		}
	}
	r.offset = len(r.text)
	return r.text[min(start, len(r.text)):]
}

// parts returns a word that ends before one of the ends; the quote is dropped.
func (r *tclReader) parts(ends string) tclWord {
	word := tclWord{argument: literal("", r.at)}
	var b strings.Builder
	for r.offset < len(r.text) && strings.IndexByte(ends, r.text[r.offset]) < 0 {
		switch c := r.text[r.offset]; c {
		case '\\':
			if r.offset++; r.offset < len(r.text) {
				escape := decodeANSI(r.text[r.offset-1 : r.offset+1])
				if len(escape) == 2 { // none of C's
					escape = escape[1:]
				}
				b.WriteString(escape)
				r.offset++
			}
		case '[':
			start := r.offset
			word.inner = append(word.inner, r.bracketed('[', ']'))
			word.argument = word.marked(r.text[start:r.offset])
			b.WriteString(r.text[start:r.offset])
		case '$':
			start := r.offset
			for r.offset++; r.offset < len(r.text) && isNameByte(r.text[r.offset]); r.offset++ {
			}
			word.argument = word.marked(r.text[start:r.offset])
			b.WriteString(r.text[start:r.offset])
		default:
			b.WriteByte(c)
			r.offset++
		}
	}
	if ends == "\"" && r.offset < len(r.text) {
		r.offset++
	}
	word.Text = b.String()
	word.Dynamic = word.Dynamic || r.unknown && word.Text == ""
	return word
}

func isNameByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
