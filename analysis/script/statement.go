package script

import "strings"

// statements reads statements up to where done says so, or to the end. It returns the value of the last one.
func (r *reader) statements(done func() bool) (value values) {
	defer func(known []missing) { r.missing = known }(r.missing)
	for r.token().kind != tokenEnd && (done == nil || !done()) {
		before := r.at
		if v := r.statement(); v != nil {
			value = v
		}
		r.advance(before)
	}
	return value
}

// advance goes behind a token that nothing was made of.
func (r *reader) advance(before int) {
	if r.at == before {
		r.at++
	}
}

// until reads statements up to one of the words or signs.
func (r *reader) until(words string) values {
	return r.statements(func() bool {
		t := r.token()
		return oneOf(words, t.text) && (t.kind == tokenSign || t.kind == tokenName && !r.next(1).is(":"))
	})
}

// block reads the statements in brackets, and returns the value of the last one.
func (r *reader) block() values {
	open, outer := r.at, r.mode
	r.mode = mode{}
	r.at++
	value := r.statements(func() bool { return r.at >= r.u.tokens[open].match })
	r.skip(open)
	r.mode = outer
	return value
}

// condition reads a condition with read, and notes whether it chooses among
// files: it doesn't if it only asks what kind of file something is.
func (r *reader) condition(read func() values) values {
	start, kinds, other := r.at, false, false
	r.plain = true
	value := read()
	r.plain = false
	for i := start; i < r.at && i < len(r.u.tokens); i++ {
		switch t := &r.u.tokens[i]; t.kind {
		case tokenName:
			kinds = kinds || r.flow.is("kind", strings.TrimSuffix(t.text, "_"))
			other = other || r.flow.is("choice", t.text)
		case tokenText, tokenRegex:
			text := strings.Trim(r.u.source[t.start:t.end], `'"`)
			dots := text == "." || text == ".." || strings.Contains(text, `^\.`)
			kinds, other = kinds || dots, other || !dots
		case tokenNumber:
			other = true
		}
	}
	if other || !kinds {
		r.tests++
	}
	return value
}

// then reads a block, an indented one, or a statement.
func (r *reader) then() {
	_ = r.pythonic && r.accept(":")
	for r.token().kind == tokenNewline {
		r.at++
	}
	switch {
	case r.token().kind == tokenIndent, r.is("{"):
		r.block()
	case r.pythonic:
		r.statements(func() bool { return r.token().kind == tokenNewline || r.token().kind == tokenDedent })
	case r.name == "ruby":
		_ = r.accept("then") || r.accept("do")
		r.until(" end else elsif when in rescue ensure ")
	case r.accept(":"):
		r.until(" case default } endif endforeach endwhile endfor endswitch ")
	default:
		r.statement()
	}
}

// statement reads a statement, and returns its value if it is an expression.
func (r *reader) statement() (value values) {
	defer func(depth int) { r.depth = depth }(r.depth)
	if !r.deeper() {
		return nil
	}
	for oneOf(" async static get set public private protected ", r.token().text) && r.next(1).kind == tokenName && r.name == "javascript" {
		r.at++
	}
	start, t, next := r.at, r.token(), r.next(1)
	if r.here(t); t.kind == tokenNewline || t.is(";") { // which says nothing
		return nil
	}
	r.leaves = false
	switch {
	case t.kind == tokenIndent, t.is("{") && r.name != "python" && r.name != "ruby":
		r.repeat(false, 0, r.then)
		return nil
	case oneOf(" jump return ", r.word(t.text)) && r.modifier() > 0: // exit if x
		r.modified(r.modifier())
		return nil
	case t.kind == tokenName && !next.is("=") && !next.is(".") && !next.is("=>") &&
		(!next.is(":") || r.pythonic || oneOf(" default else ", t.text)) && r.keyword(t):
		return nil
	}
	if m := r.modifier(); m > 0 {
		r.modified(m)
		return nil
	}
	value = r.expr()
	r.leaves = r.leavesBehind(value)
	if len(value) == 1 && value[0].call > 0 && value[0].text == r.source(start) {
		r.emptied(value)
	}
	if end := r.at; r.is(",") && (r.pythonic || r.name == "ruby") || r.is("=") && r.place.name == "" { // a, b =
		r.at = start
		if p := r.targets(); r.accept("=") {
			r.bind(p, r.listed(), false)
			return nil
		}
		r.at = end
	}
	if to := r.place; r.pythonic && to.name != "" && r.is(":") {
		if r.pass(" = ; "); r.is("=") {
			r.place = to
			return r.assignment(nil)
		}
	}
	return value
}

// modifier returns where "if x" and the like stand behind a statement of Perl or Ruby, 0 for nowhere.
func (r *reader) modifier() int {
	const words = " if unless while until for foreach "
	for i := r.at; i < len(r.u.tokens) && (r.name == "perl" || r.name == "ruby") && r.spend(1); i++ {
		t := &r.u.tokens[i]
		switch {
		case t.kind == tokenNewline || t.kind == tokenEnd || oneOf(" ; } ) ] ", t.text) && t.kind == tokenSign || t.is("do") && r.name == "ruby":
			return 0
		case (t.is("(") || t.is("[") || t.is("{")) && t.match > i:
			i = t.match
		case i > r.at && t.kind == tokenName && oneOf(words, t.text):
			before, next := &r.u.tokens[i-1], r.next(i+1-r.at)
			if before.kind == tokenSign && !oneOf(" ) ] } ", before.text) || next.is("=>") ||
				next.is(":") && !next.space || r.name == "ruby" && t.is("for") {
				continue
			}
			return i
		}
	}
	return 0
}

// modified reads a statement whose condition or loop stands behind it, at token m.
func (r *reader) modified(m int) {
	start, tests, t, id := r.at, r.tests, &r.u.tokens[m], r.token().start+1
	each := t.is("for") || t.is("foreach")
	var list, condition values
	if r.at = m + 1; each {
		list = r.listed()
	} else {
		condition = r.condition(r.expr)
	}
	truth, end := !oneOf(" unless until ", t.text), max(r.at, m+1)
	t.kind = tokenNewline // the statement ends before it
	r.repeat(each || oneOf(" while until ", t.text), id, func() {
		if each {
			r.bind(pattern{name: "$_"}, r.elements(list, id, "$_"), false)
		}
		r.at = start
		r.knowing(condition, truth, func() { r.statements(func() bool { return r.at >= m }) })
	})
	if r.leaves {
		r.know(proofOf(condition), !truth)
	}
	t.kind = tokenName
	r.at, r.tests, r.leaves = end, tests, false
}

// keyword reads a statement that begins with a word of the language. It returns false where t is none.
func (r *reader) keyword(t *token) bool {
	start, next := r.at, r.next(1)
	switch r.word(t.text) {
	case "compound":
		return r.compound(t)
	case "loop":
		r.at++
		r.loop(start)
	case "function":
		r.literal(t.text)
	case "return":
		r.returned()
		r.choose()
		r.leaves = true
	case "jump":
		r.at++
		r.choose()
		r.leaves = true
	case "import":
		return r.importing(t)
	case "declare":
		r.at++
		for again := true; again; again = r.accept(",") {
			p, v := r.target(), values(nil)
			if r.is(":") {
				r.pass(" = ; , of ")
			}
			if r.accept("=") {
				v = r.expr()
			}
			r.bind(p, v, true)
		}
	case "global":
		for r.at++; ; r.at += 2 {
			r.scope.declare(r.token().text)
			r.scope.names[r.token().text] = r.global.declare(r.token().text)
			if !r.next(1).is(",") {
				break
			}
		}
	default:
		if t.is("include") {
			r.include(next.text)
		}
		return false
	}
	return true
}

// returned reads a return.
func (r *reader) returned() values {
	r.at++
	v := r.expr()
	r.list()
	r.scope.result = r.union(r.scope.result, v)
	return v
}

// compound reads if, while, case, try and the like: the word, what stands behind it, and what it has run.
func (r *reader) compound(t *token) bool {
	asks := oneOf(" if elif elsif elseif unless while until switch match case when with ", t.text)
	tests, loop := r.tests, oneOf(" while until do ", t.text)
	chosen, condition, leaves := tests, values(nil), false
	truth := !oneOf(" unless until ", t.text)
	r.at++
	r.repeat(loop, t.start+1, func() {
		switch {
		case asks && r.is("(") && !r.pythonic && r.name != "ruby":
			condition = r.condition(r.primary)
		case asks && r.beginsOperand(r.token()):
			condition = r.condition(r.expr)
			r.list()
		}
		if loop || oneOf(" switch match with case when ", t.text) {
			condition = nil
		}
		if loop || oneOf(" switch match with ", t.text) {
			r.tests = tests
		}
		chosen = r.tests
		r.knowing(condition, truth, r.then)
		leaves = r.leaves
	})
	opens := r.name == "ruby" && oneOf(" if unless while until case begin ", t.text)
	goesOn := func(word *token) bool {
		return oneOf(" else elif elsif elseif ", word.text) && asks || opens && oneOf(" else elsif when in rescue ensure ", word.text)
	}
	for word := r.token(); goesOn(word); word = r.token() {
		if r.tests = tests; word.is("else") {
			r.tests = chosen
		}
		goes := false
		r.knowing(condition, !truth, func() { goes = r.compound(word) })
		leaves = false // of what follows more than the condition would have to be known
		if !goes {
			break
		}
	}
	if r.leaves = false; leaves {
		r.know(proofOf(condition), !truth)
	}
	_ = opens && r.accept("end")
	r.tests = tests
	return true
}

// loop reads a for loop behind its word, which is token start.
func (r *reader) loop(start int) {
	id, declare := r.u.tokens[start].start+1, false
	r.accept("await")
	open := r.at
	bracket := oneOf(" javascript php awk ", r.name) && r.accept("(")
	for oneOf(" const let var my our ", r.token().text) {
		r.at++
		declare = true
	}
	p, list := pattern{name: "$_"}, values(nil)
	switch {
	case r.name == "perl":
		if !r.is("(") {
			p, declare = r.target(), true
		}
		list = r.listed()
	case r.name == "php":
		all := r.expr()
		for r.accept("as") || r.accept("=>") {
			r.accept("&")
			p, list = r.target(), all
		}
	default:
		p = r.targets()
		if r.accept("of") || r.accept("in") && !bracket {
			r.plain = true
			list = r.listed()
			r.plain = false
		}
	}
	if list == nil { // for (a; b; c), or for (a in b) whose keys aren't known
		r.at = open + 1
		r.until(" ) ")
		list = unknown(p.name)
	}
	if bracket {
		r.skip(open)
	}
	r.repeat(true, id, func() {
		r.bind(p, r.elements(list, id, p.name), declare)
		r.then()
	})
	_ = r.name == "ruby" && r.accept("end")
}

// importing reads import and from.
func (r *reader) importing(t *token) bool {
	r.at++
	if r.name == "javascript" {
		return r.importedModule()
	}
	module := ""
	if t.text == "from" {
		module = r.full(r.dotted())
		_ = r.accept("import") && r.accept("(")
	}
	if r.accept("*") {
		r.include(module)
	}
	for again := r.token().kind == tokenName; again; again = r.accept(",") {
		name := r.dotted()
		local, _, _ := strings.Cut(name, ".")
		value := libraryValue(r.full(local))
		if r.accept("as") {
			local, value = r.token().text, libraryValue(r.full(name))
			r.at++
		}
		if module != "" {
			value = r.member(libraryValue(module), name, name)
		}
		r.assign(r.scope.declare(local), value)
	}
	r.accept(")")
	return true
}

// importedModule reads import a, {b, c as d} from "x" of JavaScript.
func (r *reader) importedModule() bool {
	if r.is("(") || r.is(".") {
		r.at--
		return false
	}
	var all []pattern
	for r.token().kind != tokenText && r.token().kind != tokenEnd && !r.is(";") && !r.accept("from") {
		if _ = r.accept("*") && r.accept("as"); !r.accept(",") {
			all = append(all, r.target())
		}
	}
	text, _ := r.token().constant()
	for _, p := range all {
		r.bind(p, r.module(textValue(text), text), true)
	}
	r.at++
	return true
}

// dotted reads a name with its dots.
func (r *reader) dotted() string {
	name := r.token().text
	for r.at++; r.is(".") && r.next(1).kind == tokenName; r.at++ {
		r.at++
		name += "." + r.token().text
	}
	return name
}

// declaration reads what stands behind my and our.
func (r *reader) declaration() values {
	p := r.target()
	if p.name != "" {
		r.scope.declare(p.name)
		r.place = place{name: p.name}
		return unknown(p.name)
	}
	var v values
	if r.accept("=") {
		v = r.expr()
	}
	r.bind(p, v, true)
	return v
}

// listed reads the list that a loop goes through.
func (r *reader) listed() values {
	first := r.expr()
	if more := r.list(); len(more) > 0 {
		return listValue(append([]values{first}, more...))
	}
	return first
}
