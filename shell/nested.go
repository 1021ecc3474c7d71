package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// nested reports what a command that runs text in a shell runs: a shell
// itself, eval, source and trap.
func (w *walker) nested(c *Command, args []argument, s scope) bool {
	switch {
	case shells[c.Name]:
		w.shell(c, args, s)
	case c.Name == "eval":
		if text, ok := joined(args); ok {
			w.text(text, "eval", s)
		}
	case c.Name == "source" || c.Name == ".":
		if len(args) > 0 {
			w.script(args[0], c.Name, s)
		}
	case c.Name == "trap":
		if len(args) > 1 && !strings.HasPrefix(args[0].Text, "-") {
			w.text(args[0], "trap", s)
		}
	default:
		return false
	}
	return true
}

// shell reports the commands in the text that a shell is given.
func (w *walker) shell(c *Command, args []argument, s scope) {
	items, rest := shellGrammar.scan(c.Args, "")
	text, standardInput := false, rest == len(args)
	noExec, interactive := false, false
	for _, o := range items {
		switch o.name {
		case "-n":
			noExec = true
		case "-i":
			interactive = true
		case "-c":
			text = true
		case "-s":
			standardInput = true
		case "--version", "--help":
			return
		}
	}
	if noExec && !interactive { // it only checks the syntax
		return
	}
	switch {
	case text && rest < len(args):
		w.text(args[rest], c.Name+" -c", s)
	case text:
	case standardInput:
		if s.input != nil {
			w.text(*s.input, c.Name+" <", s)
		}
	default:
		w.script(args[rest], c.Name, s)
	}
}

// script reports the commands in a file, if the file is one of the line's own
// making: its standard input or a process substitution.
func (w *walker) script(file argument, name string, s scope) {
	switch {
	case file.Text == "/dev/stdin" || file.Text == "/dev/fd/0" || file.Text == "/proc/self/fd/0":
		if s.input != nil {
			w.text(*s.input, name+" <", s)
		}
	case file.Dynamic && strings.HasPrefix(file.Text, "<("):
		w.text(argument{Word: Word{Dynamic: true}, at: file.at}, name+" <", s)
	}
}

// joined returns words as one text with blanks between them.
func joined(words []argument) (argument, bool) {
	if len(words) == 0 {
		return argument{}, false
	}
	text := argument{at: words[0].at}
	texts := make([]string, len(words))
	for i, word := range words {
		texts[i] = word.Text
		text.Dynamic = text.Dynamic || word.Dynamic
		text.Glob = text.Glob || word.Glob
		text.dynamic = append(text.dynamic, word.dynamic...)
	}
	text.Text = strings.Join(texts, " ")
	return text, true
}

// text reports the commands in text, which is run by a shell.
func (w *walker) text(text argument, via string, s scope) {
	s = s.through(via)
	s.assigned, s.shared, s.input = nil, nil, nil
	if s.depth > maxDepth || !w.spend(len(text.Text)) {
		w.line.TooComplex = true
		return
	}
	if text.Dynamic {
		w.add(&Command{Path: text.Text, Dynamic: true, NameDynamic: true, Line: text.at.line, Column: text.at.column}, &s)
	}
	if len(text.Text) > maxText {
		w.line.TooComplex = true
		return
	}
	file, failure := w.parse(text.Text)
	if failure != nil && !text.Dynamic && w.line.Err == nil {
		w.line.Err = &SyntaxError{text.at.line, text.at.column, "in the text of " + via + ": " + failure.Error()}
	}
	if text.Dynamic && isVariable(file) {
		return // the command above says it all
	}
	s.source, s.at, s.nested, s.walked = text.Text, text.at, true, text.dynamic
	w.stmts(file.Stmts, s)
}

// isVariable reports whether file is a single dynamic word.
func isVariable(file *syntax.File) bool {
	if len(file.Stmts) != 1 {
		return false
	}
	call, ok := file.Stmts[0].Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) != 1 || len(call.Args[0].Parts) != 1 || len(call.Assigns)+len(file.Stmts[0].Redirs) > 0 {
		return false
	}
	switch call.Args[0].Parts[0].(type) {
	case *syntax.ParamExp, *syntax.CmdSubst, *syntax.ArithmExp:
		return true
	}
	return false
}
