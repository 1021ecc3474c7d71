package shell

import "strings"

// foreignOptions are for the programs that run a text in a language that isn't read
// here: the options whose value it is. What such a text does isn't known.
func foreignOptions(name string) (string, bool) {
	switch name {
	case "cmd":
		return "/c /k /C /K", true
	case "fish":
		return "-c --command -C --init-command", true
	case "csh", "tcsh":
		return "-c", true
	case "nu":
		return "-c --commands -e --execute", true
	case "xonsh", "elvish", "rc", "es":
		return "-c", true
	case "Rscript", "R":
		return "-e", true
	case "julia":
		return "-e -E --eval --print", true
	case "groovy":
		return "-e", true
	case "elixir":
		return "-e --eval --rpc-eval", true
	case "iex":
		return "-e --eval", true
	case "erl":
		return "-eval", true
	case "octave", "sbcl":
		return "--eval", true
	case "racket":
		return "-e --eval", true
	case "guile":
		return "-c", true
	case "ghc":
		return "-e", true
	case "emacs":
		return "--eval --execute --load -l --script", true
	case "clojure":
		return "-e --eval -M:e", true
	case "clj", "bb":
		return "-e --eval", true
	case "scala":
		return "-e -execute", true
	case "raku":
		return "-e", true
	case "tclsh", "wish", "m4", "jshell":
		return "", true
	case "gnuplot":
		return "-e", true
	case "maxima":
		return "--batch-string", true
	case "sage":
		return "-c", true
	}
	return "", false
}

// shellLike are those of them whose commands mostly look as in a shell.
const shellLike = "cmd fish csh tcsh nu xonsh elvish rc es"

// foreignText reports that a text is run in a language that isn't read here: that of
// an option, or of the standard input. It returns whether c runs such texts.
func (w *walker) foreignText(c *Command, args []argument, s scope) bool {
	options, ok := foreignOptions(c.Name)
	if !ok {
		return false
	}
	for i, arg := range args {
		option, value, joined := strings.Cut(arg.Text, "=")
		switch {
		case !listed(options, option):
		case joined:
			w.unknownText(c.Name, option, []argument{{Word: Word{Text: value}, at: arg.at}}, s)
			return true
		case i+1 < len(args):
			w.unknownText(c.Name, option, args[i+1:], s)
			return true
		}
	}
	if s.input != nil && (len(args) == 0 || args[len(args)-1].Text == "-") {
		w.unknownText(c.Name, "<", []argument{s.input.unread()}, s)
	}
	return true
}

// unknownText reports a text in a language that isn't read here.
func (w *walker) unknownText(program, option string, words []argument, s scope) {
	via := program + " " + option
	if !listed(shellLike, program) {
		w.unreadable(words[:1], s.through(via))
		return
	}
	text := words[0]
	if program == "cmd" {
		text, _ = joined(words)
	}
	text.Dynamic = true // it isn't read as the program would
	w.text(text, via, s)
}
