package shell

import "strings"

// foreign are the programs that run a text in a language that isn't read here,
// with the options whose value it is. What such a text does isn't known.
var foreign = map[string]string{
	"cmd": "/c /k /C /K", "fish": "-c --command -C --init-command", "csh": "-c", "tcsh": "-c", "nu": "-c --commands -e --execute",
	"xonsh": "-c", "elvish": "-c", "rc": "-c", "es": "-c",
	"Rscript": "-e", "R": "-e", "julia": "-e -E --eval --print", "groovy": "-e", "elixir": "-e --eval --rpc-eval", "iex": "-e --eval",
	"erl": "-eval", "octave": "--eval", "sbcl": "--eval", "racket": "-e --eval", "guile": "-c", "ghc": "-e",
	"emacs": "--eval --execute --load -l --script", "clojure": "-e --eval -M:e", "clj": "-e --eval", "bb": "-e --eval", "scala": "-e -execute",
	"raku": "-e", "tclsh": "", "wish": "", "m4": "", "jshell": "", "gnuplot": "-e", "maxima": "--batch-string", "sage": "-c",
}

// shellLike are those of them whose commands mostly look as in a shell.
const shellLike = "cmd fish csh tcsh nu xonsh elvish rc es"

// foreignText reports that a text is run in a language that isn't read here: that of
// an option, or of the standard input. It returns whether c runs such texts.
func (w *walker) foreignText(c *Command, args []argument, s scope) bool {
	options, ok := foreign[c.Name]
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
