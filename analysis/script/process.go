package script

import (
	"slices"
	"strings"
)

// launch reports the program that a call starts, with what the words of its row
// say that it's given. Maps and functions among the arguments are options.
func (r *reader) launch(s *site, kind Kind, words []string) values {
	var all, args []values
	alone, own := "", false
	for _, word := range words {
		switch word {
		case "shell", "split", "list":
			alone = word
		case "own":
			own = true
		case "cwd": // of proc_open
			dir, _ := s.get(3, "")
			s.args.named = append(slices.Clip(s.args.named), pair{word, dir})
		case "name":
			all = append(all, textValue(s.name[strings.LastIndexByte(s.name, '.')+1:]))
		default:
			got, _ := s.pick(word)
			all = append(all, got...)
		}
	}
	first, isList := append(all, nil)[0].list()
	if len(first) > 0 && r.name == "ruby" && len(all) > 1 { // the file, and what it's told that it is
		all[0] = first[0]
	}
	items, _ := r.flat(all).list()
	for _, v := range items {
		v = slices.DeleteFunc(slices.Clone(v), func(one value) bool { return one.kind == valueMap || one.kind == valueFunction })
		if len(v) > 0 && !(v[0].rest && len(args) > 0 && args[len(args)-1][0].text == v[0].text) { // it was spread over both
			args = append(args, v)
		}
	}
	if len(args) == 0 || alone == "list" && !isList {
		return unknown(s.source)
	}
	if own && len(args) > 1 && (args[1].has(valueList) || args[1].any()) {
		args[1] = values{{text: args[1][0].text, rest: true}}
	} else if own && len(args) > 1 {
		args = append(args[:1], args[2:]...)
	}
	single := len(args) == 1 && !isList
	one := single && !args[0].has(valueList) && !args[0][0].rest
	shell, program := s.option(" shell "), s.option(" executable ")
	switch {
	case shell.may() && (single || !shell.has(valueUnknown)):
		if kind = Shell; !r.pythonic { // in Python the others are the shell's own
			args[0] = r.words(args)
		}
	case one && alone == "shell":
		kind = Shell
	case one && alone == "split":
		args = r.fields(args[0], `'"`)
	case isList && len(program) > 0:
		args[0] = program
	}
	return r.started(s, kind, args...)
}

// started reports a call that starts a program, and returns what feeds it.
func (r *reader) started(s *site, kind Kind, args ...values) values {
	if len(args) == 0 || len(args[0]) == 1 && args[0][0].kind == valueText && args[0][0].text == "" {
		return unknown(s.source)
	}
	if kind == Shell {
		args = args[:1]
	}
	call := Call{Func: s.name, Kind: kind, Line: s.line}
	for _, option := range s.args.named {
		switch v := option.value; {
		case !v.may():
		case oneOf(" cwd chdir ", option.key):
			call.Dir = r.folder(v)
		case oneOf(" input stdin_data ", option.key), option.key == "stdin" && r.pythonic:
			call.Input = r.one(v, Code)
		}
	}
	return values{{text: s.source, call: r.report(call, args...)}}
}

// folder returns the folder that a path is, seen from where the program is.
func (f *flow) folder(path values) *Arg {
	dir := f.one(path, Delete)
	if !strings.HasPrefix(dir.Text, "/") && !dir.Home && f.dir != nil {
		dir.Text, dir.Dynamic, dir.Home = f.dir.Text+"/"+dir.Text, dir.Dynamic || f.dir.Dynamic, f.dir.Home
	}
	return dir
}

// fields splits a text at blanks as a shell does, without its expansions. What is quoted in several ways isn't known.
func (r *reader) fields(text values, quotes string) (all []values) {
	one := append(text, value{})[0]
	if len(text) != 1 || one.kind != valueText || !r.spend(1+len(one.text)/4) || strings.Contains(one.text, "\\") ||
		len(quotes) > 1 && strings.Contains(one.text, quotes[:1]) && strings.Contains(one.text, quotes[1:]) ||
		strings.ContainsAny(strings.Join(one.parts, ""), " \t\n"+quotes) {
		return []values{{{text: one.text, rest: true}}}
	}
	isQuote, quoted := func(c rune) bool { return strings.ContainsRune(quotes, c) }, false
	for word := range strings.FieldsFuncSeq(one.text, func(c rune) bool {
		quoted = quoted != isQuote(c)
		return !quoted && strings.ContainsRune(" \t\n", c)
	}) {
		field := value{kind: valueText, text: strings.Join(strings.FieldsFunc(word, isQuote), "")}
		for _, part := range one.parts {
			if r.spend(1); strings.Contains(word, part) {
				field.dynamic, field.parts = true, append(field.parts, part)
			}
		}
		all = append(all, values{field})
	}
	return all
}
