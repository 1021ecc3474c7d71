package script

import "slices"

// awkStop reports whether a value doesn't go on with t in awk.
func (r *reader) awkStop(t *token) bool {
	return t.newline && t.kind != tokenText || oneOf(" getline { [ - + * ! & -- ... func function ", t.text) && t.kind != tokenText ||
		t.is("++") && !r.next(1).is("(") && r.next(1).kind != tokenName
}

// print reads print and printf of awk.
func (r *reader) print() values {
	start, t, close := r.at, r.token(), ""
	r.at++
	if after := r.next(r.token().match + 1 - r.at); r.is("(") && (after.kind != tokenSign || oneOf(" > >> | |& ; } ", after.text)) {
		close = ")"
	}
	r.toFile = true
	args := r.items(close).list
	r.toFile = false
	if len(args) == 0 {
		args = []values{unknown("$0")}
	}
	text := r.concat([]values{r.concat(args, " "), textValue("\n")}, "")
	if t.text == "printf" {
		text = r.format("%", args[0], listValue(args[1:]), r.source(start))
	}
	kind, given := map[string]Kind{">": Write, ">>": Append, "|": Shell, "|&": Shell}[r.token().text]
	if !given {
		r.prints = append(r.prints, text)
		return nil
	}
	call := Call{Func: t.text + " " + r.token().text, Line: t.line, Kind: kind}
	r.at++
	target := r.binary(levelJoin - 1)
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
	if command != nil {
		r.report(Call{Func: r.token().text + " getline", Kind: Shell, Line: r.token().line}, command)
		r.at++
	}
	r.at++
	to := place{name: "$0"}
	if t := r.token(); t.kind == tokenName && !t.newline {
		r.postfix()
		to = r.place
	}
	r.put(to, unknown(to.name))
	return unknown(r.source(start))
}

// AwkPrints returns what a program in awk writes to its standard output, each print once and whatever decides that
// it is reached; false where it writes nothing, or that is too complex to be told.
func AwkPrints(source string) (Arg, bool) {
	f := awk.read(source)
	all := f.one(f.concat(f.prints, ""), Code)
	return *all, len(f.prints) > 0 && !f.complex
}
