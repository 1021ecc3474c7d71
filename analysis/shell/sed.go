package shell

import (
	"slices"
	"strconv"
	"strings"
)

// sed reports what the e command and the e flag of s run, which only GNU has.
func (w *walker) sed(c *Command, args []argument, s scope) {
	g := runsBy(c.Name)
	items, _ := g.scan(c.Args, "")
	var scripts, files []argument
	given, extended := false, false
	for _, o := range items {
		switch o.name {
		case "":
			files = append(files, args[o.index])
		case "-e", "--expression":
			given = true
			scripts = append(scripts, valueFrom(args, o.source, o.value))
		case "-f", "--file":
			given = true
			scripts = append(scripts, w.contents(valueFrom(args, o.source, o.value), &s)...)
		case "-E", "-r", "--regexp-extended":
			extended = true
		case "--sandbox", "--posix", "--help", "--version":
			return
		}
	}
	if !given && len(files) > 0 {
		scripts, files = files[:1], files[1:]
	}
	edits, isKnown := argument{}, false
	if slices.ContainsFunc(scripts, func(script argument) bool { return strings.IndexByte(script.Text, 'e') >= 0 }) {
		edits, isKnown = w.known(files, s)
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
				w.text(w.evaluated(&reader, script, edits, isKnown, extended), c.Name+" e", s)
			default:
				text := script
				text.Text = reader.run
				w.text(text, c.Name+" e", s)
			}
		}
	}
}

// evaluated is the line that e, or the flag of s, runs: what comes of the edits where these are known, or else what is
// put in.
func (w *walker) evaluated(reader *sedReader, script, edits argument, isKnown, extended bool) argument {
	if isKnown && !script.Dynamic {
		if list, ok := replacements(script.Text, extended); ok {
			if _, run, ok := w.replaceLines(list, edits.Text); ok {
				edits.Text = run
				return edits
			}
		}
		edits.Dynamic = true // it may be any of the lines
		return edits
	}
	line := unknowable("{}", script.at)
	with := replacement{with: reader.with}
	template, ok := with.template()
	if !ok || strings.TrimSpace(reader.with) == "" {
		return unknowable("$LINE", script.at)
	}
	text := strings.ReplaceAll(template, "$$", "$")
	for i := range 10 {
		text = strings.ReplaceAll(text, "${"+strconv.Itoa(i)+"}", "{}")
	}
	if pattern := strings.Trim(reader.pattern, `^$()\`); pattern != ".*" && pattern != ".+" {
		text += "{}"
	}
	if strings.Trim(text, "{} ") == "" {
		return unknowable("$LINE", script.at)
	}
	line.Text = text
	line.dynamic = append(line.dynamic, script.dynamic...)
	line.Dynamic = strings.Contains(text, "{}") || script.Dynamic
	if !strings.Contains(text, "{}") {
		line.dynamic = script.dynamic
	}
	return line
}

// sedReader finds what a sed script runs.
type sedReader struct {
	text string
	at   int
	run  string // what is run; "" for the line that sed has in hand

	pattern, with string // of the last s

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
			if r.run = r.file(); r.run == "" {
				r.pattern, r.with = "", ""
			}
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
	for _, part := range [...]*string{&r.pattern, &r.with} {
		start := r.at
		if !r.until(end) {
			return false, false
		}
		*part = r.text[start : r.at-1]
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
