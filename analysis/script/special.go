package script

import "strings"

// What only one of the languages has.

// exec reports os.execv and its relatives: the program, then what it's told
// that it is called, then its arguments.
func (r *reader) exec(s *site, words []string) values {
	n := number(words[0])
	how := ""
	if len(words) > 1 {
		how = words[1]
	}
	program, ok := s.get(n, "path")
	if !ok {
		return unknown(s.source)
	}
	args := []values{program}
	if how == "list" {
		argv, ok := s.get(n+1, "argv")
		if items, isList := argv.list(); isList {
			args = append(args, items[min(1, len(items)):]...)
		} else if ok {
			args = append(args, values{{text: firstText(argv), rest: true}})
		}
	} else if rest := s.args.list[min(n+2, len(s.args.list)):]; len(rest) > 0 {
		if how == "env" {
			rest = rest[:len(rest)-1]
		}
		args = append(args, rest...)
	}
	return r.started(s, Run, args...)
}

// system reports what Perl's and Ruby's system start: one text is for a shell,
// several are words. The environment may come first, options last.
func (r *reader) system(s *site, how []string) values {
	args := s.args.list
	if r.name == "perl" {
		s.name = strings.TrimPrefix(s.name, "CORE.")
	}
	if len(args) == 0 && r.name == "perl" {
		args = []values{r.named("$_")}
	}
	if len(args) > 1 && args[0].has(valueMap) {
		args = args[1:]
	}
	if n := len(args) - 1; n > 0 && args[n].has(valueMap) {
		args = args[:n]
	}
	if len(args) == 0 {
		return unknown(s.source)
	}
	if items, ok := args[0].list(); ok && r.name == "ruby" && len(items) > 0 {
		switch {
		case len(how) == 0: // ["/bin/rm", "rm"]: the file, and what it's told that it is
			args = append([]values{items[0]}, args[1:]...)
		case items[0].has(valueMap):
			args = items[1:]
		default:
			args = items
		}
		return r.started(s, Run, args...)
	}
	if len(how) > 0 || len(args) == 1 && len(args[0]) > 0 && !args[0][0].rest {
		return r.started(s, Shell, args[0])
	}
	return r.started(s, Run, args...)
}

// perlOpen reports an open that starts a program, or that writes to a file.
func (r *reader) perlOpen(s *site, how string) values {
	args := s.args.list
	switch {
	case how == "sysopen":
		if len(args) > 2 && !strings.Contains(s.source, "O_RDONLY") {
			s.args.list = args[1:2]
			return r.effect(s, Write, []string{"0"})
		}
		return unknown(s.source)
	case how == "perlfile" && len(args) > 1:
		mode, known := args[1].constant()
		s.args.list = args[:1]
		if known && strings.HasPrefix(mode, "a") {
			return r.effect(s, Append, []string{"0"})
		} else if !known || strings.ContainsAny(mode, "w>+") {
			return r.effect(s, Write, []string{"0"})
		}
		return unknown(s.source)
	case how == "perlfile":
		args = append([]values{nil}, args...)
	}
	if len(args) < 2 {
		return unknown(s.source)
	}
	for i := range args[1] {
		mode := args[1][i]
		text := strings.TrimSpace(mode.text)
		part := func(text string) values {
			return values{{kind: valueText, text: strings.TrimSpace(text), dynamic: mode.dynamic, parts: mode.parts}}
		}
		rest := args[2:]
		switch {
		case mode.kind != valueText:
			if len(rest) == 0 { // it may begin with ">" or "|"
				r.started(s, Shell, values{mode})
			}
		case len(rest) == 0 && strings.HasPrefix(text, "|"):
			r.started(s, Shell, part(text[1:]))
		case len(rest) == 0 && strings.HasSuffix(text, "|"):
			r.started(s, Shell, part(text[:len(text)-1]))
		case text == "-|" || text == "|-":
			if len(rest) == 1 && len(rest[0]) > 0 && !rest[0][0].rest {
				r.started(s, Shell, rest[0])
			} else if len(rest) > 0 {
				r.started(s, Run, rest...)
			}
		case strings.HasPrefix(text, ">") || strings.HasPrefix(text, "+"):
			call := Call{Func: s.name, Kind: Write, Line: s.line}
			if strings.HasPrefix(text, ">>") {
				call.Kind = Append
			}
			name := strings.TrimLeft(text, "+<>")
			if strings.HasPrefix(name, "&") || len(rest) > 0 && strings.Contains(s.source, "\\") { // a copy of a handle, a text in memory
				continue
			}
			if len(rest) > 0 {
				r.report(call, rest[0])
			} else if strings.TrimSpace(name) != "" {
				r.report(call, part(name))
			}
		}
	}
	return unknown(s.source)
}

// perlFind reports File::Find's find: its function is called for all that is
// below the folders.
func (r *reader) perlFind(s *site) values {
	callee := s.argument(0, "")
	if wanted := s.option("wanted"); len(wanted) > 0 {
		callee = wanted
	} else if v, ok := callee.entry("wanted"); ok {
		callee = v
	}
	for i := range callee {
		if fn := callee[i].fn; fn != nil {
			var found values
			for _, root := range s.args.list[min(1, len(s.args.list)):] {
				found = r.union(found, r.foundIn(root, false, "/**")[0].items[0])
			}
			found = r.looped(found, fn.loop)
			r.bind(pattern{name: "$_"}, found, false)
			r.bind(pattern{name: "$File::Find::name"}, found, false)
			r.call(fn, &arguments{}, true)
		}
	}
	return unknown(s.source)
}

// shift is what a function of Perl takes from its arguments.
func (r *reader) shift(s *site) values {
	in := r.scope
	if v, ok := s.get(0, ""); ok {
		if items, isList := v.list(); isList && len(items) > 0 {
			return items[0]
		}
	} else if in.fn == nil {
		return unknown("$ARGV[0]")
	} else if in.known && len(in.args) > 0 && !in.args[0].any() {
		first := in.args[0]
		in.args = in.args[1:]
		return first
	}
	return unknown(s.source)
}

// perlArguments is @_ in a function of Perl.
func (r *reader) perlArguments() values {
	if !r.scope.known {
		return values{{text: "@_", rest: true}}
	}
	return listValue(r.scope.args)
}

// flat spreads the lists among the values into one.
func (r *reader) flat(all []values) values {
	var items []values
	for _, v := range all {
		if more, ok := v.list(); ok && r.spend(1+len(more)) {
			items = append(items, more...)
		} else {
			items = append(items, v)
		}
	}
	return listValue(items)
}

// flatPerl spreads the lists in a list of Perl.
func (r *reader) flatPerl(v values) values {
	if items, ok := v.list(); ok && r.name == "perl" {
		return r.flat(items)
	}
	return v
}

// pairsOf makes a map of a list with keys and values in turn.
func (r *reader) pairsOf(v values) values {
	items, ok := v.list()
	if !ok || !r.spend(len(items)) {
		return v
	}
	m := value{kind: valueMap}
	for i := 0; i+1 < len(items); i += 2 {
		if key, known := r.constant(items[i]); known {
			m.pairs = append(m.pairs, pair{key, items[i+1]})
		}
	}
	return values{m}
}

// declaration reads what stands behind my, our and local.
func (r *reader) declaration(local bool) values {
	start := r.at
	if r.token().kind == tokenName && isNameStart(r.token().text[0]) { // a type
		r.at++
	}
	if local {
		return r.postfix()
	}
	p := r.target()
	if r.is("=") {
		r.at++
		v := r.expr()
		if p.name != "" && p.name[0] == '$' {
			p.rest = false
			if items, ok := v.list(); ok && len(items) > 0 && r.u.tokens[start].kind == tokenName && !strings.HasPrefix(r.source(start), "(") && r.next(-1).is(")") {
				v = items[len(items)-1]
			}
		} else if p.name != "" && p.name[0] == '%' {
			v = r.pairsOf(v)
		}
		r.bind(p, v, true)
		return v
	}
	if p.name != "" {
		r.scope.declare(p.name)
		r.place = place{name: p.name}
		return unknown(p.name)
	}
	return unknown(r.source(start))
}

// perlList reads the list that a loop goes through.
func (r *reader) perlList() values {
	first := r.expr()
	if more := r.list(""); len(more) > 0 {
		return r.flat(append([]values{first}, more...))
	}
	return first
}

// perlEach reads map {...} @list and its relatives.
func (r *reader) perlEach() values {
	start, word := r.at, r.token()
	r.at++
	outer := -1
	if r.is("(") {
		outer = r.at
		r.at++
	}
	open := r.at
	r.skip(open)
	r.accept(",")
	list := r.flat(r.arguments(nil).list)
	end, tests, chosen := max(r.at, open+1), r.tests, false
	var value values
	r.repeat(word.start+1, func() {
		r.bind(pattern{name: "$_"}, r.elements(list, word.start+1, "$_"), false)
		if r.at = open; word.text == "grep" || word.text == "first" {
			r.at++
			r.condition(r.expr)
		} else {
			value = r.block()
		}
		chosen = r.tests > tests
		r.tests = tests
	})
	if r.at = end; outer >= 0 {
		r.skip(outer)
	}
	switch {
	case word.text == "map":
		return values{{text: r.source(start), rest: true, found: onlyFound(value)}}
	case chosen:
		return values{{text: r.source(start), rest: true}}
	}
	return list
}

func onlyFound(v values) *found {
	if len(v) == 1 {
		return v[0].found
	}
	return nil
}

// perlCall reads a call of Perl without brackets.
func (r *reader) perlCall(value values, name string, start int) values {
	t := r.token()
	if value.has(valueUnknown) && !value.has(valueFunction) {
		if oneOf(" die warn return exists each wantarray bless splice ", name) && r.beginsOperand(t) {
			args := r.arguments(nil)
			r.handOn(&site{args: args}, true)
			return unknown(r.source(start))
		}
		return value
	}
	if !value.has(valueLibrary) && !value.has(valueFunction) {
		return value
	}
	if (name == "system" || name == "exec") && t.is("{") { // the program, then what it's told that it is
		r.at++
		program := r.expr()
		r.at = start + 1
		r.skip(r.at)
		args := r.arguments(nil).list
		if len(args) > 0 && (len(args[0]) != 1 || !args[0][0].rest) {
			args = args[1:]
		}
		return r.started(&site{name: name + "{}", source: r.source(start), line: r.u.tokens[start].line}, Run, append([]values{program}, args...)...)
	}
	if name == "shift" && (t.is(";") || t.is(",") || t.is("||") || t.is("//") || !r.beginsOperand(t)) {
		return r.apply(value, &site{}, start)
	}
	if known, _ := r.row(name); oneOf(" lower upper chr shift str base64 ", known.does) { // takes one argument
		v := r.binary(8)
		return r.apply(value, &site{args: arguments{list: []values{v}}}, start)
	}
	if t.is("&") || t.is("*") || t.is("-") && t.space && r.next(1).space {
		return value
	}
	if (name == "push" || name == "unshift") && (t.kind == tokenName) {
		return r.pushed(t.text, start)
	}
	if !value.has(valueLibrary) && !r.beginsOperand(t) && !t.is(";") && !t.is("}") {
		return value
	}
	args := r.arguments(nil)
	return r.apply(value, &site{args: args}, start)
}

// pushed reads the arguments of push.
func (r *reader) pushed(name string, start int) values {
	args := r.arguments(nil)
	v := r.scope.place(name, false)
	old, _ := r.read(v).list()
	if len(args.list) > 0 {
		grown := append(old[:len(old):len(old)], args.list[1:]...)
		if items, ok := args.list[0].list(); ok && r.spend(len(items)) { // the list was spread
			grown = append(items[:len(items):len(items)], args.list[1:]...)
			if len(args.list) >= len(old) && len(old) > 0 {
				grown = args.list
			}
		} else if len(old) > 0 && len(args.list) >= len(old) {
			grown = args.list
		}
		if r.spend(1 + len(grown)/8) {
			r.assign(v, listValue(grown))
		}
	}
	return unknown(r.source(start))
}

// rubyCall reads the call of a method of Ruby behind its name.
func (r *reader) rubyCall(value values, name string, start int) values {
	t := r.token()
	old := r.place
	defined := value.has(valueFunction) || value.has(valueLibrary) || value.has(valueMethod)
	switch {
	case t.is("(") && !t.space:
		return value
	case !defined && r.scope.find(name) != nil:
		return value
	case t.is("=") || t.kind == tokenSign && oneOf(assigning, t.text) && t.text != ":=":
		r.place = old
		return value
	case t.is("{") && !r.plain || t.is("do") && !r.plain:
		return r.apply(value, &site{args: r.rubyBlock(arguments{})}, start)
	case !t.newline && t.space && r.beginsOperand(t) && !t.is("{") && !t.is("->") && !(t.kind == tokenSign && r.next(1).space && !t.is("[") && !t.is("(") && !t.is("::")) && !(t.is("[") && !defined) && !(r.scope.find(name) != nil && !value.has(valueFunction)):
		if name[0] >= 'A' && name[0] <= 'Z' && !value.has(valueMethod) && !value.has(valueLibrary) {
			return value
		}
		args := r.arguments(nil)
		if (r.is("do") || r.is("{")) && !r.plain {
			args = r.rubyBlock(args)
		}
		return r.apply(value, &site{args: args}, start)
	case value.has(valueMethod) || value.has(valueFunction) && old.name == name && !t.is("."):
		if !t.is(".") || !value.has(valueFunction) {
			return r.apply(value, &site{}, start)
		}
	case value.has(valueLibrary) && strings.Contains(firstText(value), ".") && firstText(value)[strings.LastIndexByte(firstText(value), '.')+1] >= 'a':
		return r.apply(value, &site{}, start)
	}
	r.place = old
	return value
}

// rubyBlock reads the block behind a call.
func (r *reader) rubyBlock(args arguments) arguments {
	args.block = r.define("block", "")
	return args
}

// awkStop reports whether a value doesn't go on with t in awk.
func (r *reader) awkStop(t *token) bool {
	return t.newline && t.kind != tokenText || t.is("getline") || t.is("{") || t.is("[") || t.is("-") || t.is("+") || t.is("*") || t.is("!") || t.is("&") || t.is("++") && !r.next(1).is("(") && r.next(1).kind != tokenName || t.is("--") || t.is("...") ||
		t.is("func") || t.is("function")
}

// print reads print and printf of awk and Perl.
func (r *reader) print() values {
	start := r.at
	t := r.token()
	r.at++
	if r.name == "perl" {
		if r.is("{") {
			r.skip(r.at)
		}
		bracket := r.is("(")
		if bracket || r.beginsOperand(r.token()) {
			r.arguments(nil)
		}
		return unknown(r.source(start))
	}
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

// Method is a call of a method in a program.
type Method struct {
	Name   string // "drop" in db.users.drop()
	Object string // the name before it, "users"; "" where that is no name
	Bare   bool   // its first argument says nothing: there is none, or it is {}
	Key    string // "drop" in db.runCommand({drop: "users"}): the first key of the first argument, if that is an object
	Line   int    // from 1
}

// maxMethods bounds what Methods lists.
const maxMethods = 1000

// Methods returns the calls of methods in a program in JavaScript, in the order of
// their names. What stands in texts and comments is none. A name that is made
// when the program runs isn't found.
func Methods(source string) []Method {
	if len(source) > maxSource {
		return nil
	}
	deep := false
	return methodsIn(javascript.lex(source, 1, &deep), nil)
}

func methodsIn(u *unit, all []Method) []Method {
	r := &reader{flow: &flow{language: javascript}, u: u}
	for r.at = 0; r.at < len(u.tokens) && len(all) < maxMethods; r.at++ {
		t := r.token()
		for i := range t.pieces {
			if t.pieces[i].code != nil {
				all = methodsIn(t.pieces[i].code, all)
			}
		}
		name, before, open := "", r.next(-2), r.at+1
		switch last := r.next(-1); {
		case (last.is(".") || last.is("?.")) && t.kind == tokenName && r.next(1).is("("):
			name = t.text
		case last.is("[") && t.kind == tokenText && r.next(1).is("]") && r.next(2).is("("):
			name, _ = t.constant()
			open++
		}
		if name == "" || r.at < 2 {
			continue
		}
		m := Method{Name: name, Line: t.line}
		if text, ok := before.constant(); ok {
			m.Object = text
		} else if before.kind == tokenName {
			m.Object = before.text
		} else if inner, ok := r.next(-3).constant(); ok && before.is("]") {
			m.Object = inner // db["users"].drop()
		}
		n := open - r.at
		m.Bare = r.next(n+1).is(")") || r.next(n+1).is("{") && r.next(n+2).is("}")
		if key := r.next(n + 2); r.next(n+1).is("{") && r.next(n+3).is(":") {
			if text, ok := key.constant(); ok {
				m.Key = text
			} else if key.kind == tokenName {
				m.Key = key.text
			}
		}
		all = append(all, m)
	}
	return all
}
