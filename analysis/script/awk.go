package script

import "strings"

// awkStop reports whether a value doesn't go on with t in awk.
func (r *reader) awkStop(t *token) bool {
	return t.newline && t.kind != tokenText || t.is("getline") || t.is("{") || t.is("[") || t.is("-") || t.is("+") || t.is("*") || t.is("!") || t.is("&") || t.is("++") && !r.next(1).is("(") && r.next(1).kind != tokenName || t.is("--") || t.is("...") ||
		t.is("func") || t.is("function")
}

// print reads print and printf of awk.
func (r *reader) print() values {
	start := r.at
	t := r.token()
	r.at++
	r.noIn = true
	var args []values
	if r.is("(") && r.u.tokens[r.at].match > 0 {
		after := &r.u.tokens[min(r.u.tokens[r.at].match+1, len(r.u.tokens)-1)]
		if after.kind != tokenSign || oneOf(" > >> | |& ; } ", after.text) {
			args = r.arguments(nil).list
		}
	}
	if args == nil && r.beginsOperand(r.token()) && !r.is("&") {
		args = append(args, r.expr())
		args = append(args, r.list("")...)
	}
	r.noIn = false
	if len(args) == 0 {
		args = []values{unknown("$0")}
	}
	var text values
	if t.text == "printf" {
		text = r.format(args[0], listValue(args[1:]), r.source(start))
		if len(args) == 1 {
			text = args[0]
		}
	} else {
		text = r.concat(append([]values{r.concat(args, " ")}, textValue("\n")), "")
	}
	operator := r.token().text
	if !r.is(">") && !r.is(">>") && !r.is("|") && !r.is("|&") {
		if r.skimming == 0 {
			r.prints = append(r.prints, text)
		}
		return nil
	}
	r.at++
	target := r.binary(7)
	call := Call{Func: t.text + " " + operator, Line: t.line, Kind: Shell}
	switch operator {
	case ">":
		call.Kind = Write
	case ">>":
		call.Kind = Append
	}
	if file, _ := target.constant(); call.Kind != Shell && (file == "/dev/stderr" || file == "/dev/stdout") {
		return nil
	}
	if call.Kind == Shell {
		for i := range r.calls { // the same command is given more
			if c := &r.calls[i]; c.Func == call.Func && len(target) == 1 && c.Args[0].Text == target[0].text {
				r.feed(&site{self: &value{call: i + 1}, args: arguments{list: []values{text}}, name: "write"})
				return nil
			}
		}
	}
	if id := r.report(call, target); call.Kind == Shell && id > 0 {
		r.feed(&site{self: &value{call: id}, args: arguments{list: []values{text}}, name: "write"})
	}
	return nil
}

// getline reads getline of awk, which may read from a command.
func (r *reader) getline(command values, start int) values {
	operator := "|"
	if command != nil {
		operator = r.token().text
		r.at++
	}
	line := r.token().line
	r.accept("getline")
	to := "$0"
	if t := r.token(); t.kind == tokenName && !oneOf(" in ", t.text) && !t.newline {
		to = t.text
		r.at++
		if r.is("[") {
			r.skip(r.at)
		}
		r.put(place{name: to}, unknown(to))
	}
	if command == nil {
		if r.accept("<") {
			r.binary(8)
		}
	} else {
		r.report(Call{Func: operator + " getline", Kind: Shell, Line: line}, command)
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
