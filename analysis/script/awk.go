package script

import (
	"slices"
	"strings"
)

// awkStop reports whether a value doesn't go on with t in awk.
func (r *reader) awkStop(t *token) bool {
	return t.newline && t.kind != tokenText || oneOf(" getline { [ - + * ! & -- ... func function ", t.text) && t.kind != tokenText ||
		t.is("++") && !r.next(1).is("(") && r.next(1).kind != tokenName
}

// print reads print and printf of awk.
func (r *reader) print() values {
	start, t := r.at, r.token()
	r.at++
	r.toFile = true
	var args []values
	if after := r.next(r.token().match + 1 - r.at); r.is("(") && (after.kind != tokenSign || oneOf(" > >> | |& ; } ", after.text)) {
		args = r.arguments().list
	} else if r.beginsOperand(r.token()) && !r.is("&") {
		args = append([]values{r.expr()}, r.list()...)
	}
	r.toFile = false
	if len(args) == 0 {
		args = []values{unknown("$0")}
	}
	text := args[0]
	if t.text != "printf" {
		text = r.concat([]values{r.concat(args, " "), textValue("\n")}, "")
	} else if len(args) > 1 {
		text = r.format("%", args[0], listValue(args[1:]), r.source(start))
	}
	call := Call{Func: t.text + " " + r.token().text, Line: t.line, Kind: Shell}
	switch {
	case r.accept(">"):
		call.Kind = Write
	case r.accept(">>"):
		call.Kind = Append
	case !r.accept("|") && !r.accept("|&"):
		if r.skimming == 0 {
			r.prints = append(r.prints, text)
		}
		return nil
	}
	target := r.binary(7)
	if file, _ := target.constant(); file == "/dev/stderr" || file == "/dev/stdout" {
		return nil
	}
	id := slices.IndexFunc(r.calls, func(c Call) bool { // the same command is given more
		return c.Kind == Shell && c.Func == call.Func && len(target) == 1 && c.Args[0].Text == target[0].text
	}) + 1
	if id == 0 {
		id = r.report(call, target)
	}
	if call.Kind == Shell {
		r.feed(&site{self: &value{call: id}, args: arguments{list: []values{text}}, name: "write"})
	}
	return nil
}

// getline reads getline of awk, which may read from a command.
func (r *reader) getline(command values, start int) values {
	call := Call{Func: r.token().text + " getline", Kind: Shell, Line: r.token().line}
	if command != nil {
		r.at++
	}
	r.accept("getline")
	to := "$0"
	if t := r.token(); t.kind == tokenName && !t.is("in") && !t.newline {
		to = t.text
		if r.at++; r.is("[") {
			r.skip(r.at)
		}
	}
	r.put(place{name: to}, unknown(to))
	if command != nil {
		r.report(call, command)
	}
	return unknown(r.source(start))
}

// AwkPrints returns what a program in awk writes to its standard output, each
// print once and whatever decides that it is reached; false where it writes
// nothing, or that is too complex to be told.
func AwkPrints(source string) (Arg, bool) {
	if len(source) > maxSource || !strings.Contains(source, "print") {
		return Arg{}, false
	}
	f, tooDeep := awk.read(source)
	if len(f.prints) == 0 || tooDeep || f.complex {
		return Arg{}, false
	}
	var all Arg
	for _, text := range f.prints {
		one := f.one(text, Code)
		all.Text += one.Text
		all.Dynamic = all.Dynamic || one.Dynamic
		all.Parts = append(all.Parts, one.Parts...)
		if len(all.Text) > maxText {
			return Arg{}, false
		}
	}
	return all, true
}
