package shell

import (
	"strings"

	"github.com/luahook/luahook/analysis/shell/programs"
)

// calledByOptions reports what the options of c run.
func (w *walker) calledByOptions(c *Command, args []argument, s scope) {
	p := programs.Of(c.Name)
	if p == nil || p.Calls == nil {
		return
	}
	calls, g := p.Calls, optionsOr(&p.Calls.Options, p)
	items, _ := g.scan(c.Args, "")
	for _, o := range items {
		if o.name == "" || !o.valued {
			continue
		}
		name := o.name
		if g.Whole && name == "--TT" {
			name = "-TT"
		}
		value := valueFrom(args, o.source, o.value)
		inner := s
		if inner.input = nil; calls.Input {
			inner.input = &argument{Word: Word{Dynamic: true}, at: value.at, from: []*Command{c}}
		}
		switch {
		case g.isOneOf(calls.Text, name):
			if text, ok := calledText(name, value); ok {
				w.text(text, c.Name+" "+o.name, inner)
			}
		case g.isOneOf(calls.Program, name):
			inner = inner.through(c.Name + " " + o.name)
			inner.external, inner.redirects = true, nil
			w.runSplit(value, inner)
		}
	}
}

// isOneOf reports whether an option is one of the names, also where it is shortened.
func (g *grammar) isOneOf(names, name string) bool {
	if listed(names, name) {
		return true
	}
	if len(name) < len("--xxx") || name[:2] != "--" {
		return false
	}
	if _, full := g.word(name[2:]); full == name[2:] {
		return false // another option
	}
	for candidate := range strings.FieldsSeq(names) {
		if strings.HasPrefix(candidate, name) {
			return true
		}
	}
	return false
}

// calledText is the text in the value of an option that doesn't have to be one.
func calledText(name string, value argument) (argument, bool) {
	switch name {
	case "--checkpoint-action":
		text, ok := strings.CutPrefix(value.Text, "exec=")
		value.Text = text
		return value, ok
	case "-o", "--option": // of apt
		key, text, ok := strings.Cut(value.Text, "=")
		key = strings.TrimRight(strings.ToLower(key), ":")
		value.Text = text
		return value, ok && (strings.HasSuffix(key, "-invoke") || strings.HasSuffix(key, "pre-install-pkgs"))
	}
	return value, true
}

// texts reports the operands of a program that runs each of them in a shell, and the
// values of the options that are such texts too.
func (w *walker) texts(c *Command, args []argument, s scope) {
	runs := programs.Of(c.Name).Runs
	items, _ := runsBy(c.Name).scan(c.Args, "")
	for _, o := range items {
		switch {
		case o.name == "":
			w.text(args[o.index], c.Name, s)
		case listed(runs.Stops, o.name):
			return
		case o.valued && listed(runs.Text, o.name):
			w.text(valueFrom(args, o.source, o.value), c.Name+" "+o.name, s)
		}
	}
}

// sed reports what the e command and the e flag of s run, which only GNU has.
func (w *walker) sed(c *Command, args []argument, s scope) {
	g := runsBy(c.Name)
	items, _ := g.scan(c.Args, "")
	var scripts []argument
	var first *argument
	given := false
	for _, o := range items {
		switch o.name {
		case "":
			if first == nil {
				first = &args[o.index]
			}
		case "-e", "--expression":
			given = true
			scripts = append(scripts, valueFrom(args, o.source, o.value))
		case "-f", "--file":
			given = true
			scripts = append(scripts, w.contents(valueFrom(args, o.source, o.value), &s)...)
		case "--sandbox", "--posix", "--help", "--version":
			return
		}
	}
	if !given && first != nil {
		scripts = append(scripts, *first)
	}
	s.input = nil
	for _, script := range scripts {
		if strings.IndexByte(script.Text, 'e') < 0 || !w.spend(len(script.Text)) {
			continue
		}
		reader := sedReader{text: script.Text}
		for reader.next() {
			switch {
			case reader.run == "": // the line that is edited
				w.text(unknowable("$LINE", script.at), c.Name+" e", s)
			default:
				text := script
				text.Text = reader.run
				w.text(text, c.Name+" e", s)
			}
		}
	}
}

// sedReader finds what a sed script runs.
type sedReader struct {
	text string
	at   int
	run  string // what is run; "" for the line that sed has in hand

	reads, writes []string // the files of r, R, w and W, so far
}

// next goes to the next command that runs something. It stops at what isn't
// sed: the script isn't run at all then.
func (r *sedReader) next() bool {
	for r.skip(" \t\n;{}"); r.at < len(r.text); r.skip(" \t\n;{}") {
		if !r.address() {
			return false
		}
		if r.at >= len(r.text) {
			return false
		}
		command := r.text[r.at]
		r.at++
		switch command {
		case '#', 'a', 'i', 'c', ':':
			r.lines(strings.IndexByte("aic", command) >= 0)
		case 'r', 'R':
			r.reads = append(r.reads, r.file())
		case 'w', 'W':
			r.writes = append(r.writes, r.file())
		case 'b', 't', 'T', 'l', 'L', 'q', 'Q', 'v', 'F':
			for r.at < len(r.text) && r.text[r.at] != '\n' && r.text[r.at] != ';' && r.text[r.at] != '}' {
				r.at++
			}
		case 's', 'y':
			found, ok := r.substitute(command == 's')
			if !ok {
				return false
			}
			if found {
				r.run = ""
				return true
			}
		case 'e':
			r.run = r.file()
			return true
		case '{', '}', '=', 'd', 'D', 'g', 'G', 'h', 'H', 'n', 'N', 'p', 'P', 'x', 'z':
		default:
			return false
		}
	}
	return false
}

func (r *sedReader) skip(set string) {
	for r.at < len(r.text) && strings.IndexByte(set, r.text[r.at]) >= 0 {
		r.at++
	}
}

// lines goes to the end of the line, or with more, of the first one that
// doesn't end with a backslash.
func (r *sedReader) lines(more bool) {
	for ; r.at < len(r.text) && r.text[r.at] != '\n'; r.at++ {
		if more && r.text[r.at] == '\\' {
			r.at++
		}
	}
	r.at = min(r.at, len(r.text))
}

// file returns the rest of the line.
func (r *sedReader) file() string {
	start := r.at
	r.lines(false)
	return strings.TrimSpace(r.text[start:r.at])
}

// address goes behind the addresses of a command.
func (r *sedReader) address() bool {
	for r.at < len(r.text) {
		switch c := r.text[r.at]; {
		case c == '/':
			r.at++
			if !r.until('/') {
				return false
			}
			r.skip("IM")
		case c == '\\' && r.at+1 < len(r.text):
			end := r.text[r.at+1]
			r.at += 2
			if !r.until(end) {
				return false
			}
			r.skip("IM")
		case c >= '0' && c <= '9', strings.IndexByte("$,~+! \t", c) >= 0:
			r.at++
		default:
			return true
		}
	}
	return true
}

// until goes behind the next end that is neither escaped nor in brackets.
func (r *sedReader) until(end byte) bool {
	for r.at < len(r.text) {
		c := r.text[r.at]
		r.at++
		switch {
		case c == end:
			return true
		case c == '\\':
			r.at++
		}
	}
	return false
}

// substitute goes behind s/x/y/flags and reports whether e is among the flags.
func (r *sedReader) substitute(flags bool) (found, ok bool) {
	if r.at >= len(r.text) {
		return false, false
	}
	end := r.text[r.at]
	r.at++
	for range 2 { // what is looked for, and what is put in its place
		if !r.until(end) {
			return false, false
		}
	}
	for flags && r.at < len(r.text) {
		c := r.text[r.at]
		switch {
		case c == 'e':
			found = true
		case c == 'w':
			r.at++
			r.writes = append(r.writes, r.file())
			return found, true
		case strings.IndexByte("gpiImM0123456789", c) < 0:
			return found, true
		}
		r.at++
	}
	return found, true
}
