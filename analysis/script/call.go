package script

import (
	_ "embed"
	"strings"
	"sync"
)

// arguments are those of a call.
type arguments struct {
	list  []values
	named []pair
	block values // of Ruby: the block behind it
	more  bool   // there are others, which aren't known
}

// site is a call while it's read.
type site struct {
	name   string // of the function, as the language knows it
	source string
	self   *value
	args   arguments
	grows  place // the variable whose method it is
	line   int
	start  int
}

// row is what library.txt says of a function.
type row struct {
	does string // what it does; of an alias or a constant what that stands for
	args []string
}

//go:embed library.txt
var library string

// tables holds what is known of the functions of each language, read when it's needed first.
var tables sync.Map

func (l *language) table() map[string]row {
	if rows, ok := tables.Load(l.name); ok {
		return rows.(map[string]row)
	}
	rows := map[string]row{}
	section := ""
	for line := range strings.SplitSeq(library, "\n") {
		if strings.HasPrefix(line, "[") {
			section = strings.Trim(line, "[]")
		}
		names, what, ok := strings.Cut(line, ": ")
		if !ok || section != l.name && section != "all" || line[0] == '#' {
			continue
		}
		prefix := ""
		if kind, others, _ := strings.Cut(names, " "); oneOf(" alias value module global word prefix operator before kind choice sql takes neutral narrow ", kind) {
			prefix, names = kind+" ", others
		}
		words := append(strings.Fields(what), "") // an alias may stand for nothing
		for name := range strings.FieldsSeq(names) {
			rows[prefix+name] = row{does: words[0], args: words[1:max(1, len(words)-1)]}
		}
	}
	tables.Store(l.name, rows)
	return rows
}

// word returns what a word of the language begins: compound, loop, function and the like, "" for nothing.
func (f *flow) word(text string) string {
	known, _ := f.row("word " + text)
	return known.does
}

// row returns what is known of a function.
func (f *flow) row(name string) (row, bool) {
	if f.known == nil {
		f.known = f.table()
	}
	known, ok := f.known[name]
	return known, ok
}

// has reports whether the table has a function of that name.
func (f *flow) has(name string) bool {
	_, ok := f.row(name)
	return ok
}

// is reports whether name is one of those that the table lists as kind.
func (f *flow) is(kind, name string) bool { return f.has(kind + " " + name) }

// given returns the constant of that name.
func (f *flow) given(name string) (values, bool) {
	known, ok := f.row("value " + name)
	return fixed(known.does), ok
}

// fixed returns the constant that a word of the table stands for.
func fixed(word string) values { return textValue(strings.Replace(word, "home", homeMark, 1)) }

// full returns the name under which something is known here.
func (f *flow) full(name string) string {
	for range 3 {
		i := max(0, strings.LastIndexByte(name, '.'))
		if as, _ := f.row("alias " + name); as.does != "" {
			name = as.does
		} else if as, ok := f.row("alias " + name[:i]); ok {
			name = strings.TrimPrefix(as.does+name[i:], ".")
		} else {
			break
		}
	}
	return name
}

// function returns the name under which the table has a library's function.
func (f *flow) function(name string) string {
	switch f.name {
	case "javascript":
		return strings.Replace(strings.TrimSuffix(name, "Sync"), "fs.promises.", "fs.", 1)
	case "php":
		return strings.ToLower(name)
	case "ruby":
		return strings.TrimPrefix(name, "Kernel.")
	case "perl":
		if i := strings.LastIndex(name, "::"); i >= 0 && f.is("module", name[:i]) {
			return name[i+2:]
		}
	}
	return name
}

// apply calls what callee may be. What the call is named after begins at token start.
func (r *reader) apply(callee values, s *site, start int) values {
	t := &r.u.tokens[min(start, len(r.u.tokens)-1)]
	r.here(t)
	s.source, s.line, s.start = r.source(start), r.line, t.start
	r.place = place{}
	all := r.invoke(s, callee, false)
	if len(all) == 0 {
		return unknown(s.source)
	}
	return all
}

// argument returns argument n of a call, or that of the name. It's unknown where it's missing.
func (s *site) argument(n int, name string) values {
	v, _ := s.get(n, name)
	if len(v) == 0 {
		return unknown(name)
	}
	return v
}

func (s *site) get(n int, name string) (values, bool) {
	if v := s.option(" " + name + " "); name != "" && v != nil {
		return v, true
	}
	for i := 0; i <= n && i < len(s.args.list); i++ {
		if v := s.args.list[i]; i == n || v.any() {
			return v, true
		}
	}
	return nil, false
}

// option returns the named argument that has one of the names.
func (s *site) option(names string) values {
	for _, named := range s.args.named {
		if oneOf(names, named.key) {
			return named.value
		}
	}
	return nil
}

// pick returns what a word of a row says: a text =x, the value itself, or the arguments 0, 0:path, 1*, 0[].
func (s *site) pick(word string) (all []values, ok bool) {
	place, name, _ := strings.Cut(word, ":")
	n := number(strings.TrimRight(place, "*[]"))
	v, ok := s.get(n, name)
	switch all = []values{v}; {
	case strings.HasPrefix(word, "="):
		return []values{fixed(word[1:])}, true
	case strings.Contains(place, "*"):
		all, ok = nil, false
		for i, v := range s.args.list {
			if i == n || i > n && (len(v) != 1 || v[0].kind != valueMap) {
				all, ok = append(all, v), true
			}
		}
	case strings.HasPrefix(place, "self") && s.self != nil:
		all[0], ok = values{*s.self}, true
	case !ok && s.args.more:
		all[0], ok = unknown(name), true
	}
	for i, v := range all {
		if strings.HasSuffix(place, "[]") {
			all[i] = anyLength(v)
		}
	}
	return all, ok
}

// evaluate reads code in a text that the program runs.
func (r *reader) evaluate(code values, name, source string) values {
	return r.collect(code, func(one *value) values {
		switch {
		case one.kind == valuePlain || one.kind == valueFunction:
			return nil
		case one.kind != valueText || one.dynamic:
			r.report(Call{Func: name, Kind: Code}, values{*one})
			return unknown(source)
		case r.codes >= maxCode || !r.spend(16+len(one.text)) || len(one.text) > maxSource:
			r.complex = true
			return unknown(source)
		}
		u := r.units[one.text]
		if u == nil {
			u = r.lex(one.text, r.line, &r.complex)
			r.units[one.text] = u
		}
		for i := range u.tokens {
			u.tokens[i].line = r.line
		}
		r.codes++
		defer func() { r.codes-- }()
		return r.inner(u)
	})
}

// feed adds to what a program or a file is given.
func (r *reader) feed(s *site) values {
	text, ok := s.get(0, "input")
	if s.self == nil || s.self.call == 0 || s.self.call > len(r.calls) || !ok || !text.may() {
		return unknown(s.source)
	}
	call := &r.calls[s.self.call-1]
	given := r.one(text, Code)
	if oneOf(" sendline puts print ", s.name) {
		given.Text += "\n"
	}
	if before := call.Input; before != nil && before.Text != "subprocess.PIPE" {
		given.Text, given.Dynamic = before.Text+given.Text, given.Dynamic || before.Dynamic
		given.Parts = append(before.Parts, given.Parts...)
	}
	r.spend(len(given.Text) / 16)
	call.Input = given
	return unknown(s.source)
}

// perlCall reads a call of Perl without brackets.
func (r *reader) perlCall(value values, name string, start int) values {
	t := r.token()
	switch {
	case t.is("{") && name == "map":
		return r.mapped(start)
	case t.is("{") && oneOf(" grep sort first any ", name):
		tests := r.tests
		r.condition(r.block)
		list := r.flat(r.arguments().list)
		if r.tests > tests {
			list = r.looped(list, 0)
		}
		r.tests = tests
		return list
	case name == "push" || name == "unshift":
		r.accept("(")
		v := r.scope.place(r.token().text, false)
		grown := listValue(r.arguments().list) // what was in it comes first
		if name == "unshift" {
			grown = values{{text: name, rest: true}}
		}
		r.assign(v, grown)
		return value
	case t.is("&"), t.is("*"), t.is("-") && t.space && r.next(1).space,
		!value.has(valueLibrary) && !value.has(valueFunction) && !r.flow.is("takes", name):
		return value
	case t.is("{"): // the program, then what it's told that it is
		program, args := r.block(), r.arguments()
		if len(args.list) > 1 {
			args.list[0] = program
		}
		return r.apply(value, &site{args: args}, start)
	}
	return r.apply(value, &site{args: r.arguments()}, start)
}

// mapped reads map { ... } list of Perl behind its name: the block runs for each element.
func (r *reader) mapped(start int) values {
	open, id := r.at, r.token().start+1
	r.skip(open)
	list := r.flat(r.arguments().list)
	end := r.at
	r.repeat(true, id, func() {
		r.bind(pattern{name: "$_"}, r.elements(list, id, "$_"), false)
		r.at = open
		r.block()
	})
	r.at = end
	return values{{text: r.source(start), rest: true}}
}

// rubyCall reads the call of a method of Ruby behind its name.
func (r *reader) rubyCall(value values, name string, start int) values {
	t, old := r.token(), r.place
	full := firstText(value)
	defined := value.has(valueFunction) || value.has(valueLibrary) || value.has(valueMethod)
	switch {
	case t.is("(") && !t.space || !defined && r.scope.find(name) != nil || t.kind == tokenSign && oneOf(assigning, t.text):
	case (t.is("{") || t.is("do")) && !r.plain:
		return r.apply(value, &site{args: arguments{block: r.define("block", "")}}, start)
	case !t.newline && t.space && r.beginsOperand(t) && !t.is("{") && !t.is("->") &&
		(t.kind != tokenSign || !r.next(1).space || oneOf(" [ ( :: ", t.text)) && (!t.is("[") || defined) &&
		(r.scope.find(name) == nil || value.has(valueFunction)):
		return r.apply(value, &site{args: r.arguments()}, start)
	case value.has(valueMethod) || value.has(valueFunction) && old.name == name && !t.is("."),
		value.has(valueLibrary) && strings.Contains(full, ".") && full[strings.LastIndexByte(full, '.')+1] >= 'a':
		return r.apply(value, &site{}, start)
	}
	r.place = old
	return value
}
