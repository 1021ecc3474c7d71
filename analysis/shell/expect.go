package shell

import (
	"slices"
	"strings"
)

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
	s.input, s.redirects, s.assigned = nil, nil, nil
	for _, script := range scripts {
		switch {
		case script.Dynamic && strings.TrimSpace(script.Text) == "":
			w.text(script, c.Name, s)
		default:
			w.tcl(script, c.Name, s)
		}
	}
}

// tcl reports what the commands of a script in Tcl run. A brace or bracket begins
// another command wherever it stands, so that those of loops and branches are found; as
// the word of a command that runs something it counts as unknown.
func (w *walker) tcl(script argument, via string, s scope) {
	if !w.spend(len(script.Text)) {
		return
	}
	r := tclReader{text: script.Text, at: script.at, unknown: script.Dynamic}
	for words := r.command(); words != nil; words = r.command() {
		w.tclCommand(words[0].Text, words[1:], via, s)
	}
}

func (w *walker) tclCommand(name string, args []argument, via string, s scope) {
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
		for len(args) > 0 { // the stages of a pipeline
			end := slices.IndexFunc(args, func(arg argument) bool { return arg.Text == "|" || arg.Text == "|&" })
			if end < 0 {
				end = len(args)
			}
			if end > 0 {
				w.run(args[:end], inner)
			}
			args = args[min(end+1, len(args)):]
		}
	case "system":
		text, _ := joinWords(args)
		w.text(text, via+" "+name, s)
	case "send", "exp_send":
		text := args[0]
		text.Text = strings.ReplaceAll(text.Text, "\r", "\n")
		if strings.TrimSpace(text.Text) != "" {
			w.typedText(text, via+" "+name, s)
		}
	}
}

// tclReader takes a script apart.
type tclReader struct {
	text    string
	offset  int
	at      place
	unknown bool // parts of the text aren't known
}

// command returns the words of the next command, nil at the end.
func (r *tclReader) command() (words []argument) {
	for r.offset < len(r.text) {
		switch c := r.text[r.offset]; {
		case c == ' ' || c == '\t' || c == '\r':
			r.offset++
		case strings.HasPrefix(r.text[r.offset:], "\\\n"):
			r.offset += 2
		case c == '#' && words == nil:
			r.word("\n")
		case c == '"':
			r.offset++
			words = append(words, r.word("\""))
			r.offset++
		case strings.IndexByte("\n;{}[]", c) >= 0:
			if r.offset++; words == nil {
				continue
			}
			if c == '{' || c == '[' {
				words = append(words, unknowable(r.text[r.offset-1:r.offset], r.at))
			}
			return words
		default:
			words = append(words, r.word(" \t\r\n;{}[]"))
		}
	}
	return words
}

// word returns a word that ends before one of the ends.
func (r *tclReader) word(ends string) argument {
	word := literal("", r.at)
	var b strings.Builder
	for r.offset < len(r.text) && strings.IndexByte(ends, r.text[r.offset]) < 0 {
		start := r.offset
		switch r.offset++; r.text[start] {
		case '\\':
			if r.offset < len(r.text) {
				r.offset++
				escape := decodeANSI(r.text[start:r.offset])
				if len(escape) == 2 { // none of C's
					escape = escape[1:]
				}
				b.WriteString(escape)
			}
			continue
		case '$':
			for r.offset < len(r.text) && isNameByte(r.text[r.offset]) {
				r.offset++
			}
			if len(word.dynamic) < maxSources { // each is noted in a copy
				word = word.marked(r.text[start:r.offset])
			}
		case '[':
			if len(word.dynamic) < maxSources {
				word = word.marked("[")
			}
		}
		b.WriteString(r.text[start:r.offset])
	}
	word.Text = b.String()
	word.Dynamic = word.Dynamic || r.unknown && word.Text == ""
	return word
}

func isNameByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
