package script

import "slices"

// function is one that the program defines. Its body is read where it's
// called, with what it is called with, and at the end of the program with
// parameters that aren't known if nobody calls it.
type function struct {
	u      *unit
	at     int    // where its parameters begin
	word   string // what it's defined with: function, def, sub, lambda, fn, ->, =>, block or method
	inline bool   // it has no name: it's read where it stands, and assigns to what is around it
	scope  *scope // where it's defined
	dir    *Arg
	loop   int // the id of the loop that calls it
	reads  int
	noted  bool
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
	fn := r.u.functions[r.at]
	if fn == nil {
		if r.u.functions == nil {
			r.u.functions = map[int]*function{}
		}
		fn = &function{u: r.u, at: r.at, word: word, inline: name == "", loop: r.token().start + 1}
		r.u.functions[r.at] = fn
	}
	fn.scope, fn.dir = r.scope, r.dir
	if r.skimming == 0 && !fn.noted {
		fn.noted = true
		r.functions = append(r.functions, fn)
	}
	value := values{{kind: valueFunction, text: name, fn: fn}}
	if name != "" && word != "method" {
		r.assign(r.scope.declare(name), value)
	}
	outer, plain := r.scope, r.plain
	r.scope = &scope{outer: outer, fn: fn}
	r.skimming++
	if r.head(word); (r.is("{") || r.token().kind == tokenIndent) && r.name != "ruby" {
		r.skip(r.at)
	} else {
		r.body(word)
	}
	r.skimming--
	r.scope, r.plain, r.place = outer, plain, place{}
	return value
}

// literal reads a function from its word on.
func (r *reader) literal(word string) values {
	r.at++
	r.accept("*")
	name := ""
	if t := r.token(); t.kind == tokenName && word != "lambda" && word != "->" && word != "fn" {
		name = t.text
		r.at++
		if r.name == "ruby" && r.accept(".") { // def self.x
			name = "self." + r.token().text
			r.at++
		}
	}
	_, known := r.row(name)
	if r.name == "php" && known || r.pythonic && (r.next(1).is("self") || r.next(1).is("cls")) {
		return r.define("method", name) // of a class: its name alone doesn't call it
	}
	return r.define(word, name)
}

// head reads the parameters of a function.
func (r *reader) head(word string) (all []pattern) {
	switch {
	case word == "block":
		r.at++
		if r.accept("|") {
			all = r.params("|", false)
			r.accept("|")
		} else {
			r.accept("||")
		}
		return all
	case word == "lambda":
		all = r.params(":", false)
		r.accept(":")
		return all
	case r.is("("):
		open := r.at
		r.at++
		all = r.params(")", false)
		r.skip(open)
	case word == "=>":
		all = []pattern{{name: r.token().text}}
		r.at++
	case r.name == "ruby" && !r.is("{") && !r.is("do"):
		all = r.params("", false)
	}
	if r.name == "php" && r.accept("use") && r.is("(") {
		r.skip(r.at)
	}
	if !r.pythonic {
		r.untyped(" { => : ")
	}
	for r.pythonic && !r.is(":") && r.token().kind != tokenNewline && r.token().kind != tokenEnd {
		r.at++
	}
	if r.pythonic && r.accept(":") && r.token().kind == tokenNewline {
		r.at++
	}
	r.accept("=>")
	return all
}

// body reads what a function does. It returns the value of its last statement
// where that is what it returns.
func (r *reader) body(word string) (value values) {
	r.plain = false
	switch {
	case word == "lambda" || (word == "=>" || word == "fn") && !r.is("{") || word == "def" && r.name == "ruby" && r.accept("="):
		return r.expr()
	case r.pythonic:
		r.then()
	case word == "block" && r.u.tokens[r.scope.fn.at].is("{"):
		value = r.until(" } ")
		r.accept("}")
	case r.is("{"):
		if v := r.block(); r.name == "perl" || r.name == "ruby" {
			value = v
		}
	case r.name == "ruby":
		r.accept("do")
		value = r.until(" end rescue ensure ")
		r.rescued()
	}
	return value
}

// call reads the body of a function with what it's called with, and returns
// what it returns. Without args nothing is known of them.
func (r *reader) call(fn *function, args *arguments, loop bool) values {
	if r.skimming > 0 || fn.active {
		return nil
	}
	if fn.reads >= maxReads || r.calling >= maxDepth {
		fn.late = true
		return nil
	}
	at, u, outer, line, mode := r.at, r.u, r.scope, r.line, r.mode
	r.at, r.u, r.toFile, r.low = fn.at, fn.u, false, false
	s := &scope{outer: fn.scope, fn: fn}
	if args != nil {
		s.args, s.known = args.list, true
	}
	r.scope = s
	fn.active = true
	fn.reads++
	r.calling++
	read := func() {
		for i, p := range r.head(fn.word) {
			r.bind(p, r.argumentFor(&p, i, args), true)
		}
		v := r.body(fn.word)
		s.result = r.union(s.result, v)
	}
	if loop {
		r.repeat(true, fn.loop, read)
	} else {
		read()
	}
	r.calling--
	fn.active = false
	r.at, r.u, r.scope, r.line, r.mode, r.place = at, u, outer, line, mode, place{}
	return s.result
}

// argumentFor returns what a parameter is.
func (r *reader) argumentFor(p *pattern, i int, args *arguments) values {
	missing := values{{text: p.name, rest: p.rest}}
	switch {
	case args == nil && p.has:
		return r.union(missing, p.value)
	case args == nil || slices.ContainsFunc(args.list[:min(i+1, len(args.list))], values.any):
		return missing
	case p.rest:
		return listValue(args.list[min(i, len(args.list)):])
	case i < len(args.list) && len(args.list[i]) > 0:
		return args.list[i]
	}
	for _, named := range args.named {
		if named.key == p.name {
			return named.value
		}
	}
	if p.has {
		return p.value
	}
	return missing
}

// uncalled reads the functions that nobody calls, or that are handed to what
// isn't known.
func (r *reader) uncalled() {
	for i := 0; i < len(r.functions); i++ {
		if fn := r.functions[i]; fn.reads == 0 || fn.late {
			r.dir, r.tests, r.blocks, fn.reads = fn.dir, 0, nil, 0
			r.tick++
			r.late = r.tick
			r.call(fn, nil, true)
		}
	}
}

// handOn reads functions that are handed to somebody who may call them with anything.
func (r *reader) handOn(s *site, everybody bool) {
	for _, arg := range append(s.args.list, s.args.block) {
		for i := range arg {
			switch fn := arg[i].fn; {
			case fn == nil:
			case fn.inline && fn.reads == 0:
				r.call(fn, nil, true)
			case everybody:
				fn.late = true
			}
		}
	}
}

// params reads the parameters of a function up to close, or the items of a
// pattern, whose keys stand before a ":".
func (r *reader) params(close string, keyed bool) (all []pattern) {
	ends := func() bool {
		t := r.token()
		return t.kind == tokenEnd || t.kind == tokenNewline && close == "" || close != "" && t.is(close) || close == "" && (t.is(";") || t.is("="))
	}
	for !ends() {
		before := r.at
		for r.name == "php" && r.token().kind == tokenName && r.token().text[0] != '$' || r.is("&") || r.is("?") || r.is("/") || r.token().kind == tokenNewline {
			r.at++ // a type of PHP
		}
		p := pattern{}
		key := r.token().word()
		if !r.is(",") && !ends() {
			p = r.target()
		}
		if r.accept("=>") || r.accept("as") || keyed && r.accept(":") {
			p = r.target()
		} else if close != ":" && r.accept(":") { // a type, or a keyword of Ruby
			if r.name == "ruby" && !r.is(",") && !ends() {
				p.has, p.value = true, r.expr()
			}
			for !r.is("=") && !r.is(",") && !ends() {
				r.at = max(r.at, r.token().match) + 1
			}
		}
		if r.accept("=") {
			p.has, p.value = true, r.expr()
		}
		p.key = key
		all = append(all, p)
		r.accept(",")
		r.advance(before)
	}
	return all
}

// untyped skips a type behind a ":" up to one of the signs.
func (r *reader) untyped(stops string) {
	if r.name == "ruby" || !r.is(":") {
		return
	}
	for i := r.at + 1; i < min(r.at+30, len(r.u.tokens)); i++ {
		t := &r.u.tokens[i]
		switch {
		case oneOf(stops, t.text):
			r.at = i
			return
		case t.is(";") || t.is("=") || t.is(")") || t.kind == tokenNewline:
			return
		}
		i = max(i, t.match)
	}
}

// target reads a pattern that values are assigned to.
func (r *reader) target() (p pattern) {
	t, open := r.token(), r.at
	if !r.deeper() {
		return p
	}
	defer func() { r.depth-- }()
	r.at++
	switch {
	case t.is("*") || t.is("...") || t.is("**"):
		p = r.target()
		p.rest = true
	case t.is("[") || t.is("(") || t.is("{"):
		p.list = !t.is("{")
		p.items = r.params(closer(t.text), !p.list)
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

// targets reads patterns with commas between them, up to stop.
func (r *reader) targets(stop string) pattern {
	p, comma := pattern{list: true}, true
	for several := false; comma && !r.is(stop) && r.token().kind != tokenEnd && r.token().kind != tokenNewline; {
		p.items = append(p.items, r.target())
		if comma = r.accept(","); !comma && !several {
			return p.items[0]
		}
		several = true
	}
	return p
}
