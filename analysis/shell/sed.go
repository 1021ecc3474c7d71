package shell

import "strings"

// sed reports what the e command and the e flag of s run, which only GNU has.
func (w *walker) sed(c *Command, args []argument, s scope) {
	g := grammar{short: "e:f:l:i::nrEsuz", long: "expression= file= line-length= in-place? quiet silent regexp-extended follow-symlinks posix debug sandbox separate unbuffered null-data zero-terminated help version", closed: true}
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
