package shell

import (
	"strings"
	"sync"

	"github.com/luahook/luahook/analysis/script"
)

// effect reports a call as the command that does the same.
func (w *walker) effect(p *program, call *script.Call, s scope) {
	if call.Dir != nil {
		s.chdir(w.word(p, call.Dir))
	}
	words := w.wordsOf(p, call.Args)
	if len(words) == 0 {
		return
	}
	var input *argument
	if call.Input != nil {
		text := w.shellText(p, call.Input)
		input = &text
	}
	inner := s.through(call.Func)
	switch call.Kind {
	case script.Run:
		if input != nil {
			inner.input = input
		}
		w.run(words, inner)
	case script.Shell:
		if input != nil {
			s.input = input
		}
		text := w.shellText(p, &call.Args[0])
		if text.Text == "" && text.Dynamic {
			inner.input = s.input
			at := p.at
			w.add(&Command{Path: call.Args[0].Text, Dynamic: true, NameDynamic: true, From: text.from, Line: at.line, Column: at.column}, &inner)
			return
		}
		w.text(text, call.Func, s)
	case script.Write:
		for _, word := range words {
			w.overwrite(word, ">", input, inner)
		}
	case script.Append:
		for _, word := range words {
			w.overwrite(word, ">>", input, inner)
		}
	case script.SQL:
		text := w.shellText(p, &call.Args[0])
		w.add(&Command{SQL: &text.Word, Dynamic: text.Dynamic, Line: p.at.line, Column: p.at.column}, &inner)
	case script.Code:
		w.unreadable(words, inner)
	default:
		w.same(call, words, inner)
	}
}

// shellText returns an argument of a call as a text that a shell may read. What
// isn't known in it must not mean anything to the shell; of a text of which
// nothing is known nothing is left.
func (w *walker) shellText(p *program, arg *script.Arg) argument {
	text := w.word(p, arg)
	text.Quoted = false
	if !arg.Dynamic || len(arg.Parts) == 0 && !p.Parts {
		return text
	}
	if len(arg.Parts) == 0 || len(arg.Parts) == 1 && arg.Parts[0] == arg.Text {
		if passed, ok := p.passed(arg.Text); ok && len(passed) == 1 {
			return passed[0]
		}
		text.Text = ""
		return text
	}
	for i, part := range arg.Parts {
		if strings.Trim(part, "{}") != "" && strings.IndexFunc(part, notPlain) < 0 || !w.spend(len(text.Text)) {
			continue
		}
		text.Text = strings.ReplaceAll(text.Text, part, "{}")
		text.dynamic[i] = "{}"
	}
	return text
}

// notPlain reports whether a letter may mean something to a shell.
func notPlain(r rune) bool {
	return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '.' || r == '{' || r == '}')
}

// sameCommands are the commands that do what calls do, with an option for all
// that is below.
var sameCommands = sync.OnceValue(func() map[script.Kind]struct{ name, option, recursive string } {
	return map[script.Kind]struct{ name, option, recursive string }{
		script.Delete: {"rm", "-f", "-rf"},
		script.Move:   {"mv", "", ""},
		script.Copy:   {"cp", "", "-r"},
		script.Mode:   {"chmod", "", "-R"},
		script.Owner:  {"chown", "", "-R"},
		script.Link:   {"ln", "-s", "-s"},
	}
})

// same reports the command that does what call does with files.
func (w *walker) same(call *script.Call, words []argument, s scope) {
	command, ok := sameCommands()[call.Kind]
	if !ok {
		w.unreadable(words, s)
		return
	}
	option := command.option
	if call.Recursive {
		option = command.recursive
	}
	switch {
	case call.Kind == script.Delete && !call.Recursive && deletesFolder(call.Func):
		command.name, option = "rmdir", ""
	case call.Kind == script.Link && linksHard(call.Func):
		option = ""
	}
	line := []argument{literal(command.name, words[0].at)}
	if option != "" {
		line = append(line, literal(option, words[0].at))
	}
	for i, word := range words {
		first := i == 0 && (call.Kind == script.Mode || call.Kind == script.Owner)
		if strings.HasPrefix(word.Text, "-") && !first {
			word.Text = "./" + word.Text // not an option
		}
		line = append(line, word)
	}
	w.run(line, s)
}

// deletesFolder reports whether a function only deletes folders with nothing in
// them.
func deletesFolder(function string) bool {
	switch function[strings.LastIndexByte(function, '.')+1:] {
	case "rmdir", "rmdirSync", "removedirs":
		return true
	}
	return function == "Dir.delete" || function == "Dir.unlink"
}

// linksHard reports whether a function makes a link that isn't symbolic.
func linksHard(function string) bool {
	switch function[strings.LastIndexByte(function, '.')+1:] {
	case "link", "linkSync", "hardlink_to", "ln":
		return true
	}
	return false
}

// overwrite reports that file is written, with text where it's known.
func (w *walker) overwrite(file argument, operator string, text *argument, s scope) {
	r := Redirect{Op: operator, Fd: -1, Target: file.Word, Dynamic: file.Dynamic}
	c := &Command{Redirects: []Redirect{r}, Dynamic: file.Dynamic, Line: file.at.line, Column: file.at.column}
	if !w.add(c, &s) {
		return
	}
	if text == nil {
		text = &argument{Word: Word{Dynamic: true}, at: file.at, from: []*Command{s.parent}}
	}
	w.keepFile(file, *text, operator == ">>", &s)
}
