package script

import "strings"

// function is one that the program defines. Its body is read where it's called, with what it is called with, and at the
// end of the program with parameters that aren't known if nobody calls it.
type function struct {
	u      *unit
	at     int    // where its parameters begin
	word   string // what it's defined with: function, def, sub, lambda, fn, ->, =>, block or method
	inline bool   // it has no name: it's read where it stands, and assigns to what is around it
	scope  *scope // where it's defined
	dir    *Arg
	loop   int // the id of the loop that calls it
	reads  int
	active bool
	late   bool // it's read at the end
}

// The bounds of the calls of functions that are followed.
const (
	maxReads = 8 // of one function
	maxDepth = 8 // of calls in calls
)

// define notes the function that begins here, and goes behind it.
func (r *reader) define(word, name string) values {
	fn := r.defined[r.token()]
	if fn == nil {
		fn = &function{u: r.u, at: r.at, word: word, inline: name == "", loop: r.token().start + 1}
		if r.skimming == 0 {
			r.defined[r.token()] = fn
			r.functions = append(r.functions, fn)
		}
	}
	fn.scope, fn.dir = r.scope, r.dir
	value := values{{kind: valueFunction, text: name, fn: fn}}
	if name != "" && word != "method" {
		r.assign(r.scope.declare(name), value)
	}
	r.skimming++
	in := r.inside(fn)
	if in.head(word); (in.is("{") || in.token().kind == tokenIndent) && r.name != "ruby" {
		in.skip(in.at)
	} else {
		in.body(word)
	}
	r.skimming--
	r.at, r.place = in.at, place{}
	return value
}

// inside returns a reader of a function.
func (r *reader) inside(fn *function) *reader {
	return &reader{flow: r.flow, u: fn.u, at: fn.at, scope: &scope{outer: fn.scope, fn: fn}}
}

// literal reads a function from its word on.
func (r *reader) literal(word string) values {
	r.at++
	r.accept("*")
	name := ""
	if r.token().kind == tokenName && oneOf(" def function func sub ", word) {
		name = r.dotted()
	}
	_, known := r.row(name)
	if r.name == "php" && known || r.pythonic && (r.next(1).is("self") || r.next(1).is("cls")) {
		word = "method" // of a class: its name alone doesn't call it
	}
	return r.define(word, name)
}

// head reads the parameters of a function, and goes to its body.
func (r *reader) head(word string) (all []pattern) {
	switch open := r.at; {
	case word == "block":
		r.at++
		if r.accept("|") {
			all = r.params(" | ")
			r.accept("|")
		}
		r.accept("||")
		return all
	case word == "lambda":
		all = r.params(" : ")
	case r.is("("):
		r.at++
		all = r.params(" ) ")
		r.skip(open)
	case word == "=>":
		all = []pattern{r.target()}
	case r.name == "ruby" && !oneOf(" { do = ; ", r.token().text):
		all = r.params(" ; ")
	}
	if r.pythonic {
		if r.pass(" : "); r.accept(":") && r.token().kind == tokenNewline {
			r.at++
		}
	} else if r.is(":") || r.is("use") { // a type, or variables of PHP
		r.pass(" { => ; ) ")
	}
	r.accept("=>")
	return all
}

// pass goes to one of the words and signs, or to the end of the line.
func (r *reader) pass(stops string) {
	start := r.at
	for t := r.token(); !oneOf(stops, t.text) && t.kind != tokenNewline && t.kind != tokenEnd && (!t.newline || r.at == start); t = r.token() {
		r.at = max(r.at, t.match) + 1
	}
}

// body reads what a function does. It returns the value of its last statement where that is what it returns.
func (r *reader) body(word string) (value values) {
	switch {
	case word == "lambda" || (word == "=>" || word == "fn") && !r.is("{") || word == "def" && r.name == "ruby" && r.accept("="):
		return r.expr()
	case r.pythonic:
		r.then()
	case word == "block" && r.u.tokens[r.scope.fn.at].is("{"):
		value = r.until(" } ")
		r.accept("}")
	case r.is("{"):
		if value = r.block(); r.name != "perl" && r.name != "ruby" {
			return nil
		}
	case r.name == "ruby":
		r.accept("do")
		value = r.until(" end rescue ensure ")
		for oneOf(" rescue ensure else ", r.token().text) && r.compound(r.token()) {
		}
		r.accept("end")
	}
	return value
}

// call reads the body of a function with what it's called with, nil for unknown args, and returns what it returns.
func (r *reader) call(fn *function, args *arguments, loop bool) values {
	if r.skimming > 0 || fn.active {
		return nil
	}
	if fn.reads >= maxReads || r.calling >= maxDepth {
		fn.late = true
		return nil
	}
	if args == nil {
		args = &arguments{list: []values{{{text: "@_", rest: true}}}}
	}
	in, line := r.inside(fn), r.line
	in.scope.args = args.list
	fn.active = true
	fn.reads++
	r.calling++
	read := func() {
		all := in.head(fn.word)
		for i := range all {
			if v, ok := (values{{pairs: args.named}}).entry(all[i].name); ok {
				all[i].value = v
			}
		}
		in.bind(pattern{list: true, items: all}, listValue(args.list), true)
		in.scope.result = r.union(in.scope.result, in.body(fn.word))
	}
	if loop {
		in.repeat(true, fn.loop, read)
	} else {
		read()
	}
	r.calling--
	fn.active = false
	r.line, r.place = line, place{}
	return in.scope.result
}

// handOn reads functions that are handed to somebody who may call them with anything.
func (r *reader) handOn(s *site) {
	for _, arg := range append(s.args.list, s.args.block) {
		for i := range arg {
			if fn := arg[i].fn; fn != nil && fn.inline && fn.reads == 0 {
				r.call(fn, nil, true)
			} else if fn != nil {
				fn.late = true
			}
		}
	}
}

// params reads the parameters of a function, or what values are assigned to, up
// to one of the signs. In a pattern of a map the keys stand before a ":".
func (r *reader) params(stops string) (all []pattern) {
	ends := func() bool {
		t := r.token()
		return t.kind == tokenEnd || t.kind == tokenNewline && strings.Contains(stops, ";") || oneOf(stops, t.text)
	}
	for comma := true; comma && !ends(); comma = r.accept(",") {
		for r.name == "php" && r.token().kind == tokenName && r.token().text[0] != '$' || r.is("&") || r.is("?") || r.token().kind == tokenNewline {
			r.at++ // a type of PHP
		}
		if r.accept("/") { // those before it can't be named
			continue
		}
		p, key := pattern{}, r.token().word()
		if !r.is(",") && !ends() {
			p = r.target()
		}
		switch {
		case r.accept("=>") || r.accept("as") || stops == " } " && r.accept(":"):
			p = r.target()
		case !ends() && (r.is(":") || r.is("?")): // a type, or what a keyword of Ruby is else
			r.pass(stops + ", = ")
		}
		if !ends() && r.accept("=") {
			p.value = r.expr()
		}
		p.key = key
		all = append(all, p)
	}
	return all
}

// target reads a pattern that values are assigned to.
func (r *reader) target() (p pattern) {
	defer func(depth int) { r.depth = depth }(r.depth)
	if !r.deeper() {
		return p
	}
	t, open := r.token(), r.at
	r.at++
	switch {
	case t.is("*") || t.is("...") || t.is("**"):
		if !r.is(",") {
			p = r.target()
		}
		p.rest = true
	case t.is("[") || t.is("(") || t.is("{"):
		p.list = !t.is("{")
		p.items = r.params(" " + closer(t.text) + " ")
		r.skip(open)
	default:
		if t.kind == tokenName {
			p.name, p.rest = t.text, t.text[0] == '@'
		}
		for r.is(".") || r.is("[") && !r.token().newline { // a member, which isn't followed
			p.name = ""
			r.at = max(r.at+1, r.token().match) + 1
		}
	}
	return p
}

// targets reads one pattern, or several with commas between them.
func (r *reader) targets() pattern {
	all := r.params(" = in of ; ")
	if len(all) == 1 && !r.next(-1).is(",") {
		return all[0]
	}
	return pattern{list: true, items: all}
}
