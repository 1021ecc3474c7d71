package shell

import (
	"strings"

	"github.com/luahook/luahook/analysis/shell/programs"
	"sync"
)

// calls says which options name commands that a program runs beside its work.
type calls struct {
	*programs.Calls
	options *grammar
}

// calledByOptions reports what the options of c run.
func (w *walker) calledByOptions(c *Command, args []argument, s scope) {
	p := programs.Of(c.Name)
	if p == nil || p.Calls == nil {
		return
	}
	h := calls{p.Calls, optionsOr(&p.Calls.Options, p)}
	if strings.HasSuffix(c.Name, "tar") && len(args) > 0 {
		args = dashedBundle(h.options, args)
	}
	items, _ := h.options.scan(wordsOf(args), "")
	for _, o := range items {
		if o.name == "" || !o.valued {
			continue
		}
		name := o.name
		if h.Whole && name == "--TT" {
			name = "-TT"
		}
		value := valueFrom(args, o.source, o.value)
		inner := s
		if inner.input = nil; h.Input {
			inner.input = &argument{Word: Word{Dynamic: true}, at: value.at, from: []*Command{c}}
		}
		switch {
		case h.has(h.Text, name):
			if text, ok := hookText(name, value); ok {
				w.text(text, c.Name+" "+o.name, inner)
			}
		case h.has(h.Program, name):
			inner = inner.through(c.Name + " " + o.name)
			inner.external, inner.shared = true, nil
			w.runSplit(value, inner)
		}
	}
}

// has is listed, also for a long name that is shortened.
func (h *calls) has(names, name string) bool {
	if listed(names, name) {
		return true
	}
	if len(name) < len("--xxx") || name[:2] != "--" {
		return false
	}
	if _, full := h.options.word(name[2:]); full == name[2:] {
		return false // another option
	}
	for candidate := range strings.FieldsSeq(names) {
		if strings.HasPrefix(candidate, name) {
			return true
		}
	}
	return false
}

// hookText is the text in the value of an option that doesn't have to be one.
func hookText(name string, value argument) (argument, bool) {
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

// dashedBundle writes the old form of tar's options, tar xf FILE, in the new
// one: the values of the letters follow the word in their order.
func dashedBundle(g *grammar, args []argument) []argument {
	first := args[0]
	if first.Text == "" || first.Text[0] == '-' || first.Dynamic {
		return args
	}
	rest := args[1:]
	var written []argument
	for i := range len(first.Text) {
		letter := first
		letter.Text = "-" + first.Text[i:i+1]
		written = append(written, letter)
		if g.letter(first.Text[i]) == required && len(rest) > 0 {
			written, rest = append(written, rest[0]), rest[1:]
		}
	}
	return append(written, rest...)
}

// counted says how many words the options of a program take, where some take
// two or more.
type counted map[string]int

// bwrapOptions are those of bwrap(1) that take words.
var bwrapOptions = sync.OnceValue(func() counted {
	return counted{
		"--args": 1, "--argv0": 1, "--userns": 1, "--userns2": 1, "--pidns": 1, "--uid": 1, "--gid": 1, "--hostname": 1, "--chdir": 1, "--setenv": 2, "--unsetenv": 1,
		"--lock-file": 1, "--sync-fd": 1, "--perms": 1, "--size": 1, "--bind": 2, "--bind-try": 2, "--bind-fd": 2, "--dev-bind": 2, "--dev-bind-try": 2, "--ro-bind": 2,
		"--ro-bind-try": 2, "--ro-bind-fd": 2, "--remount-ro": 1, "--overlay-src": 1, "--overlay": 3, "--tmp-overlay": 1, "--ro-overlay": 1, "--proc": 1, "--dev": 1, "--tmpfs": 1,
		"--mqueue": 1, "--dir": 1, "--file": 2, "--bind-data": 2, "--ro-bind-data": 2, "--symlink": 2, "--chmod": 2, "--seccomp": 1, "--add-seccomp-fd": 1, "--exec-label": 1,
		"--file-label": 1, "--block-fd": 1, "--userns-block-fd": 1, "--info-fd": 1, "--json-status-fd": 1, "--cap-add": 1, "--cap-drop": 1,
		"--unshare-user": 0, "--unshare-user-try": 0, "--unshare-ipc": 0, "--unshare-pid": 0, "--unshare-net": 0, "--unshare-uts": 0, "--unshare-cgroup": 0, "--unshare-cgroup-try": 0,
		"--unshare-all": 0, "--share-net": 0, "--disable-userns": 0, "--assert-userns-disabled": 0, "--clearenv": 0, "--new-session": 0, "--die-with-parent": 0, "--as-pid-1": 0,
	}
})

// bwrap reports the command behind the options of bwrap.
func (w *walker) bwrap(c *Command, args []argument, s scope) {
	inner := s.through(c.Name)
	inner.external = true
	var sets []argument
	for i := 0; i < len(args); {
		text := args[i].Text
		if len(text) < 2 || text[0] != '-' || text == "--" {
			if text == "--" {
				i++
			}
			if i < len(args) {
				inner.set(sets)
				w.run(args[i:], inner)
			}
			return
		}
		if text == "--help" || text == "--version" {
			return
		}
		words, ok := bwrapOptions()[text]
		if !ok || text == "--args" { // those are options from elsewhere
			w.unreadable(args[i+1:], inner)
			return
		}
		switch {
		case text == "--chdir" && i+1 < len(args):
			inner.chdir(args[i+1])
		case text == "--setenv" && i+2 < len(args):
			assignment := args[i+2]
			assignment.Text = args[i+1].Text + "=" + assignment.Text
			sets = append(sets, assignment)
		}
		i += 1 + words
	}
}

// hyperfineOptions are those of hyperfine(1) that take words; -P and -L take
// several words.
var hyperfineOptions = sync.OnceValue(func() counted {
	return counted{
		"-w": 1, "--warmup": 1, "-m": 1, "--min-runs": 1, "-M": 1, "--max-runs": 1, "-r": 1, "--runs": 1, "-s": 1, "--setup": 1, "-p": 1, "--prepare": 1, "-C": 1, "--conclude": 1,
		"-c": 1, "--cleanup": 1, "-P": 3, "--parameter-scan": 3, "-D": 1, "--parameter-step-size": 1, "-L": 2, "--parameter-list": 2, "--style": 1, "-S": 1, "--shell": 1,
		"-u": 1, "--time-unit": 1, "--sort": 1, "--export-asciidoc": 1, "--export-csv": 1, "--export-json": 1, "--export-markdown": 1, "--export-orgmode": 1, "--output": 1,
		"--input": 1, "-n": 1, "--command-name": 1, "--reference": 1, "--reference-name": 1, "--min-benchmarking-time": 1,
	}
})

// concurrentlyOptions are those of concurrently that take a word.
var concurrentlyOptions = sync.OnceValue(func() counted {
	return counted{
		"-n": 1, "--names": 1, "-m": 1, "--max-processes": 1, "--name-separator": 1, "-s": 1, "--success": 1, "--hide": 1, "-P": 0, "-p": 1, "--prefix": 1, "-c": 1,
		"--prefix-colors": 1, "-l": 1, "--prefix-length": 1, "-t": 1, "--timestamp-format": 1, "-k": 0, "--restart-tries": 1, "--restart-after": 1, "--kill-signal": 1,
		"--default-input-target": 1, "--teardown": 1, "--kill-timeout": 1, "--cwd": 1,
	}
})

// texts reports the operands of a program that runs each of them in a shell,
// and the values of the options that are such texts too.
func (w *walker) texts(c *Command, args []argument, options counted, also string, s scope) {
	for i := 0; i < len(args); i++ {
		text := args[i].Text
		name, value, attached := cutOption(text)
		switch {
		case text == "--":
			options = nil
		case options == nil || len(text) < 2 || text[0] != '-':
			w.text(args[i], c.Name, s)
		case text == "--help" || text == "-h" || text == "--version" || text == "-V":
			return
		case listed(also, name):
			if !attached {
				if i++; i == len(args) {
					return
				}
				value = args[i].Text
			}
			w.text(valueFrom(args, i, value), c.Name+" "+name, s)
		case !attached:
			i += options[name]
		}
	}
}

// cutOption cuts --name=value.
func cutOption(text string) (name, value string, attached bool) {
	for i := range len(text) {
		if text[i] == '=' {
			return text[:i], text[i+1:], true
		}
	}
	return text, "", false
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
