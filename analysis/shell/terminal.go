package shell

import (
	"strings"

	"github.com/luahook/luahook/analysis/shell/programs"
)

// behindOption reports the command behind the first of the options.
func (w *walker) behindOption(a *programs.Behind, via string, args []argument, s scope) {
	for i, arg := range args {
		name, value, attached := strings.Cut(arg.Text, "=")
		switch {
		case arg.Dynamic && !arg.Quoted:
		case listed(a.Words, arg.Text) && i+2 == len(args):
			w.text(args[i+1], via, s) // a single word may be a whole line
			return
		case listed(a.Words, arg.Text) && i+1 < len(args):
			inner := s.through(via)
			inner.external = true
			w.run(args[i+1:], inner)
			return
		case listed(a.Text, name) && attached && strings.HasPrefix(name, "--"):
			w.text(valueFrom(args, i, value), via+" "+name, s)
			return
		case listed(a.Text, arg.Text) && i+1 < len(args):
			w.text(args[i+1], via+" "+name, s)
			return
		}
	}
}

// recorded reports what script(1) records: the text of -c, as util-linux has
// it, or the words behind the file, as the BSDs have it.
func (w *walker) recorded(c *Command, args []argument, s scope) {
	g := (*wrapper)(programs.Of(c.Name).Runs)
	anywhere := grammar(g.Options)
	anywhere.First = false
	items, _ := anywhere.scan(c.Args, "")
	operands := 0
	for _, o := range items {
		switch {
		case o.name == "":
			operands++
		case operands == 1 && listed(g.Text, o.name) && o.valued: // only util-linux takes options there
			w.text(valueFrom(args, o.source, o.value), c.Name+" "+o.name, s)
			return
		}
	}
	w.wrapped(g, c, c.Name, args, s)
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
