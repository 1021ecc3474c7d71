package shell

import "strings"

// screened reports what runs in another terminal, or is typed into one. It
// returns whether c opens terminals.
func (w *walker) screened(c *Command, args []argument, s scope) bool {
	switch c.Name {
	case "tmux", "byobu":
		w.tmux(c, args, s)
	case "screen":
		w.screen(c, args, s)
	case "script":
		w.recorded(c, args, s)
	default:
		if _, ok := asideOf(c.Name); !ok {
			return false
		}
		w.aside(c.Name, c.Name, args, s)
	}
	return true
}

// aside says behind which options the command of a program stands: as words,
// up to the end, or as a text for a shell.
type aside struct{ words, text string }

func asideOf(key string) (aside, bool) {
	switch key {
	case "xterm", "uxterm", "lxterm", "rxvt", "urxvt", "urxvtc",
		"st", "eterm", "konsole", "x-terminal-emulator":
		return aside{words: "-e"}, true
	case "alacritty":
		return aside{words: "-e --command"}, true
	case "kitty", "ghostty":
		return aside{words: "-e"}, true
	case "mintty":
		return aside{words: "-e --exec"}, true
	case "foot", "qterminal":
		return aside{words: "-e"}, true
	case "tilix":
		return aside{words: "-e -x --command"}, true
	case "gnome-terminal", "mate-terminal":
		return aside{words: "-- -x --execute", text: "-e --command"}, true
	case "xfce4-terminal", "terminator":
		return aside{words: "-x --execute", text: "-e --command"}, true
	case "lxterminal":
		return aside{text: "-e --command"}, true
	case "kgx":
		return aside{words: "-- -e", text: "--command"}, true
	case "ptyxis":
		return aside{words: "--", text: "-x --execute"}, true
	case "nix develop", "nix shell", "nix-develop":
		return aside{words: "-c --command"}, true
	case "watchman-make":
		return aside{text: "--run"}, true
	}
	return aside{}, false
}

// aside reports the command behind the first such option.
func (w *walker) aside(key, via string, args []argument, s scope) {
	a, _ := asideOf(key)
	for i, arg := range args {
		name, value, attached := cutOption(arg.Text)
		switch {
		case arg.Dynamic && !arg.Quoted:
		case listed(a.words, arg.Text) && i+2 == len(args):
			w.text(args[i+1], via, s) // a single word may be a whole line
			return
		case listed(a.words, arg.Text) && i+1 < len(args):
			inner := s.through(via)
			inner.external = true
			w.run(args[i+1:], inner)
			return
		case listed(a.text, name) && attached && strings.HasPrefix(name, "--"):
			w.text(valueFrom(args, i, value), via+" "+name, s)
			return
		case listed(a.text, arg.Text) && i+1 < len(args):
			w.text(args[i+1], via+" "+name, s)
			return
		}
	}
}

// recorded reports what script(1) records: the text of -c, as util-linux has
// it, or the words behind the file, as the BSDs have it.
func (w *walker) recorded(c *Command, args []argument, s scope) {
	g := wrapper{grammar: wraps("aB:c:deE:fFhI:km:o:O:pqrt::T:V", "append command= echo= flush force help log-in= log-io= log-out= log-timing= logging-format= output-limit= quiet return timing? version"),
		operands: 1, text: "-c --command", shell: "*", stops: "-h -V --help --version -p"}
	items, _ := anywhere(g.short, g.long).scan(c.Args, "")
	operands := 0
	for _, o := range items {
		switch {
		case o.name == "":
			operands++
		case operands == 1 && listed(g.text, o.name) && o.valued: // only util-linux takes options there
			w.text(valueFrom(args, o.source, o.value), c.Name+" "+o.name, s)
			return
		}
	}
	w.wrapped(&g, c, c.Name, args, s)
}

// screen reports the command that screen(1) starts, or what -X types.
func (w *walker) screen(c *Command, args []argument, s scope) {
	const valued = "cehpsStT" // the letters that take a word
	detached, attaches := false, false
	for i := 0; i < len(args); i++ {
		text := args[i].Text
		switch {
		case text == "-X":
			w.screenCommand(c, args[i+1:], s)
			return
		case text == "-Logfile":
			i++
			continue
		case text == "-ls" || text == "-list" || text == "-wipe" || text == "-v" || text == "-help" || text == "--help" || text == "--version":
			return
		case len(text) > 1 && text[0] == '-' && text != "--":
			detached = detached || strings.ContainsAny(text, "m")
			attaches = attaches || strings.ContainsAny(text, "rRx")
			if strings.IndexByte(valued, text[len(text)-1]) >= 0 {
				i++
			}
			continue
		case text == "--":
			i++
		}
		if attaches && !detached {
			return // the word is the session
		}
		if i < len(args) {
			inner := s.through(c.Name)
			inner.external, inner.input, inner.shared = true, nil, nil
			w.run(args[i:], inner)
		}
		return
	}
}

// screenCommand reports what a command of screen's own does that -X sends.
func (w *walker) screenCommand(c *Command, words []argument, s scope) {
	if len(words) < 2 {
		return
	}
	s.input = nil
	switch words[0].Text {
	case "stuff":
		typed, _ := joined(words[1:])
		typed.Text = screenEscapes.Replace(typed.Text)
		w.typing(typed, c.Name+" -X stuff", s)
	case "exec", "screen":
		words = words[1:]
		for len(words) > 0 && (strings.HasPrefix(words[0].Text, "-") || strings.Trim(words[0].Text, ".!:|") == "") {
			words = words[1:]
		}
		if len(words) > 0 {
			inner := s.through(c.Name + " -X")
			inner.external = true
			w.run(words, inner)
		}
	case "eval":
		for _, word := range words[1:] {
			if parts, err := Split(word.Text); err == nil && !word.Dynamic && w.spend(len(word.Text)) {
				w.screenCommand(c, literals(parts, word.at), s)
			}
		}
	}
}

// screenEscapes are ways to write the end of a line for screen.
var screenEscapes = strings.NewReplacer("^M", "\n", "^m", "\n", "^J", "\n", `\015`, "\n", `\012`, "\n", `\r`, "\n", `\n`, "\n", "\r", "\n")

func literals(words []string, at place) []argument {
	args := make([]argument, len(words))
	for i, word := range words {
		args[i] = literal(word, at)
	}
	return args
}
