package script

import (
	"strings"
)

// statements reads statements up to where done says so, or to the end of the
// unit. It returns the value of the last one.
func (r *reader) statements(done func() bool) (value values) {
	for r.token().kind != tokenEnd && !done() {
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

func never() bool { return false }

// block reads the statements in curly brackets.
func (r *reader) block() { r.blockValue(false) }

// blockValue reads the statements in curly brackets. It returns the value of
// the last one where that is the value of the block.
func (r *reader) blockValue(implicit bool) (value values) {
	open := r.at
	plain := r.plain
	r.plain = false
	r.at++
	value = r.statements(func() bool { return r.is("}") })
	r.skip(open)
	r.plain = plain
	if !implicit {
		return nil
	}
	return value
}

// until reads statements up to one of the words.
func (r *reader) until(words string) values {
	return r.statements(func() bool {
		return r.token().kind == tokenName && oneOf(words, r.token().text) && !r.next(1).is(":")
	})
}

// condition reads a condition, and notes whether it chooses among files: it
// doesn't if it only asks what kind of file something is.
func (r *reader) condition() { r.test(r.expr) }

// test reads a condition with read.
func (r *reader) test(read func() values) {
	start := r.at
	r.plain = true
	read()
	for r.pythonic && r.accept(",") {
		r.expr()
	}
	r.plain = false
	kinds, other := false, false
	for i := start; i < r.at && i < len(r.u.tokens); i++ {
		t := &r.u.tokens[i]
		switch t.kind {
		case tokenName:
			kinds = kinds || oneOf(" is_file isfile isFile is_dir isdir isDir isDirectory exists existsSync islink is_symlink isSymbolicLink isDot file_exists is_link file? directory? exist? f d e ", strings.TrimSuffix(t.text, "_"))
			other = other || oneOf(" endswith startswith match search suffix fnmatch in endsWith startsWith includes test end_with? start_with? ", t.text)
		case tokenText:
			text, _ := t.constant()
			kinds = kinds || text == "." || text == ".."
			other = other || text != "." && text != ".."
		case tokenNumber:
			other = true
		case tokenRegex:
			kinds = kinds || strings.Contains(t.text, `^\.`) || t.text == "regex" && strings.Contains(r.u.source[t.start:t.end], `^\.`)
			other = other || !strings.Contains(r.u.source[t.start:t.end], `^\.`)
		}
	}
	if other || !kinds {
		r.tests++
	}
}

// under reads what a statement has run: a block, an indented one, or a statement.
func (r *reader) under(loop bool) {
	tests := r.tests
	if loop {
		r.repeat(r.token().start+1, r.then)
	} else {
		r.perhaps(r.then)
	}
	r.tests = tests
}

func (r *reader) then() {
	switch {
	case r.pythonic:
		r.accept(":")
		if r.token().kind == tokenNewline {
			r.at++
		}
		if r.token().kind != tokenIndent {
			r.statements(func() bool { return r.token().kind == tokenNewline || r.token().kind == tokenDedent })
			return
		}
		r.at++
		r.statements(func() bool { return r.token().kind == tokenDedent })
		r.at++
	case r.is("{"):
		r.block()
	case r.name == "ruby":
		if !r.accept("then") {
			r.accept("do")
		}
		r.until(" end else elsif when in rescue ensure ")
	case r.name == "php" && r.accept(":"):
		r.until(" endif else elseif endforeach endwhile endfor endswitch ")
		if r.token().kind == tokenName && strings.HasPrefix(r.token().text, "end") {
			r.at++
		}
	default:
		for r.token().kind == tokenNewline {
			r.at++
		}
		r.statement()
	}
}

// statement reads a statement, and returns its value if it is an expression.
func (r *reader) statement() values {
	defer func(depth int) { r.depth = depth }(r.depth)
	if !r.deeper() {
		return nil
	}
	start, t := r.at, r.token()
	r.here(t)
	switch {
	case t.kind == tokenNewline || t.kind == tokenIndent || t.kind == tokenDedent || t.is(";") || t.is(","):
		r.at++
		return nil
	case t.is("{") && r.name != "python" && r.name != "ruby" && !r.mapAhead():
		r.under(false)
		return nil
	case t.kind == tokenName && !r.next(1).is("=") && !r.next(1).is(".") && !r.next(1).is("=>") && !(r.next(1).is(":") && r.name != "python" && t.text != "default" && t.text != "else"):
		if r.keyword(t) {
			return nil
		}
	}
	if m := r.modifier(); m > 0 {
		return r.modified(m)
	}
	if p, ok := r.manyTargets(); ok {
		r.at++ // =
		first := r.expr()
		all := append([]values{first}, r.list("")...)
		if len(all) > 1 {
			first = listValue(all)
		}
		r.bind(p, first, false)
		return nil
	}
	value := r.expr()
	if r.pythonic {
		if r.is(":") && r.place.name != "" && r.next(1).kind == tokenName { // a type
			name := r.place
			for !r.is("=") && r.token().kind != tokenNewline && r.token().kind != tokenEnd && !r.is(";") {
				r.at++
			}
			if r.is("=") {
				r.place = name
				value = r.assignment(start, nil)
			}
		}
		if r.is(",") {
			value = listValue(append([]values{value}, r.list("")...))
		}
	} else if r.name == "ruby" && r.is("=>") && r.next(1).kind == tokenName || r.is("as") && r.name == "javascript" {
		r.at++
	}
	if (r.name == "ruby" || r.name == "perl") && r.token().kind == tokenName && oneOf(" if unless while until for foreach rescue ", r.token().text) && !r.token().newline {
		r.at++
		r.expr()
	}
	return value
}

// mapAhead reports whether a "{" at the beginning of a statement begins a map.
func (r *reader) mapAhead() bool {
	a, b := r.next(1), r.next(2)
	return r.name == "javascript" && (a.kind == tokenText || a.kind == tokenName) && b.is(":") && r.u.tokens[r.at].match > 0 && r.u.tokens[r.at].match < len(r.u.tokens)-1 && r.u.tokens[r.u.tokens[r.at].match+1].is(".") ||
		(r.name == "perl") && (a.kind == tokenText || a.kind == tokenName) && (b.is("=>") || b.is(","))
}

// manyTargets reads a, b = of Python and Ruby, and x = of several targets.
func (r *reader) manyTargets() (pattern, bool) {
	if !r.pythonic && r.name != "ruby" && r.name != "javascript" && r.name != "php" {
		return pattern{}, false
	}
	comma := false
	for i := r.at; i < min(len(r.u.tokens), r.at+40); i++ {
		t := &r.u.tokens[i]
		switch {
		case t.is("="):
			if !comma && !(i > r.at && r.u.tokens[i-1].is("]") && r.u.tokens[i-1].match == r.at || i > r.at && r.u.tokens[i-1].is(")") && r.u.tokens[i-1].match == r.at) {
				return pattern{}, false
			}
			p := r.targets("=")
			if !r.is("=") {
				r.at = i
			}
			return p, true
		case t.is("(") || t.is("["):
			if t.match <= i || i > r.at && t.is("(") {
				return pattern{}, false
			}
			i = t.match
		case t.is(",") && (r.pythonic || r.name == "ruby"):
			comma = true
		case t.kind == tokenName && !oneOf(" if for in and or not ", t.text) || t.is(".") || t.is("*"):
		default:
			return pattern{}, false
		}
	}
	return pattern{}, false
}

// modifier returns where "if x" and the like stand behind a statement of Perl
// or Ruby, 0 for nowhere.
func (r *reader) modifier() int {
	if r.name != "perl" && r.name != "ruby" {
		return 0
	}
	for i := r.at; i < len(r.u.tokens); i++ {
		t := &r.u.tokens[i]
		r.spend(1)
		switch {
		case t.kind == tokenNewline || t.kind == tokenEnd || t.is(";") || t.is("}") || t.is(")") || t.is("]") || t.is("do") && r.name == "ruby":
			return 0
		case (t.is("(") || t.is("[") || t.is("{")) && t.match > i:
			i = t.match
		case i > r.at && t.kind == tokenName && oneOf(" if unless while until for foreach ", t.text):
			before := &r.u.tokens[i-1]
			if before.kind == tokenSign && !before.is(")") && !before.is("]") && !before.is("}") || before.is("=") || r.u.tokens[i+1].is("=>") || r.u.tokens[i+1].is(":") && !r.u.tokens[i+1].space || r.name == "ruby" && t.is("for") {
				continue
			}
			return i
		case i == r.at && t.kind == tokenName && oneOf(" if unless while until for foreach case def class module begin sub ", t.text):
			return 0
		}
	}
	return 0
}

// modified reads a statement whose condition or loop stands behind it, at token m.
func (r *reader) modified(m int) values {
	start, tests, end := r.at, r.tests, 0
	word, id := r.u.tokens[m].text, r.token().start+1
	r.at = m + 1
	var list values
	each := word == "for" || word == "foreach"
	if each {
		list = r.perlList()
	} else {
		r.condition()
	}
	end = max(r.at, m+1)
	read := func() {
		if each {
			r.bind(pattern{name: "$_"}, r.elements(list, id, "$_"), false)
		}
		for r.at = start; r.at < m && r.token().kind != tokenEnd; {
			before := r.at
			if word := r.token(); word.kind == tokenName && r.keyword(word) {
				continue
			}
			r.expr()
			r.list("")
			r.advance(before)
		}
	}
	if each || word == "while" || word == "until" {
		r.repeat(id, read)
	} else {
		r.perhaps(read)
	}
	r.at, r.tests = end, tests
	return nil
}

// keyword reads a statement that begins with a word of the language. It returns
// false where t is none.
func (r *reader) keyword(t *token) bool {
	start := r.at
	switch t.text {
	case "if", "elif", "elsif", "elseif", "unless", "while", "until", "switch", "when", "case", "match", "default":
		return r.branch(t)
	case "else", "try", "finally", "do", "begin", "ensure", "except", "rescue", "catch", "with", "BEGIN", "END", "then":
		return r.part(t)
	case "for", "foreach":
		if r.pythonic && !r.beginsOperand(r.next(1)) {
			return false
		}
		r.at++
		if r.name == "javascript" {
			r.accept("await")
		}
		r.loop(start)
		return true
	case "async":
		r.at++
		return true
	case "def":
		if r.name == "python" || r.name == "ruby" {
			r.literal("def")
			return true
		}
	case "function", "func", "sub":
		if (t.text != "sub" || r.name == "perl") && (t.text != "func" || r.name == "awk") && r.name != "python" && r.name != "ruby" && (r.next(1).kind == tokenName || r.next(1).is("*")) && !r.next(1).newline {
			r.literal(t.text)
			return true
		}
	case "class", "interface", "trait", "enum", "module":
		if r.next(1).kind != tokenName && !r.next(1).is("{") && !r.next(1).is("<<") || r.name == "perl" || r.name == "awk" {
			return false
		}
		if r.name == "javascript" || r.name == "php" {
			if t.text == "module" {
				return false
			}
			if name := r.next(1); name.kind == tokenName {
				r.assign(r.scope.declare(name.text), unknown(name.text))
			}
			r.class()
			return true
		}
		r.assign(r.scope.declare(r.next(1).text), unknown(r.next(1).text))
		for !r.is(":") && r.token().kind != tokenNewline && !r.is(";") && r.token().kind != tokenEnd {
			r.at++
		}
		outer := r.scope
		r.scope = &scope{outer: outer}
		r.then()
		r.accept("end")
		r.scope = outer
		return true
	case "return", "next", "last", "break", "continue", "redo", "exit", "raise", "throw":
		if t.text == "return" {
			r.returned()
		} else if r.at++; (t.text == "raise" || t.text == "throw") && r.beginsOperand(r.token()) {
			r.expr()
			r.list("")
		}
		r.choose()
		return true
	case "import", "from", "use", "no", "require", "export", "package", "namespace":
		return r.importing(t)
	case "var", "let", "const", "static":
		if r.name == "javascript" && t.text != "static" || r.name == "php" && t.text == "const" {
			r.at++
			r.declarations()
			return true
		}
	case "global", "nonlocal":
		if r.name == "python" || r.name == "php" {
			for r.at++; r.token().kind == tokenName; r.at++ {
				v := r.global.declare(r.token().text)
				if r.scope.names == nil {
					r.scope.names = map[string]*variable{}
				}
				r.scope.names[r.token().text] = v
				if !r.next(1).is(",") {
					r.at++
					break
				}
				r.at++
			}
			return true
		}
	case "assert", "del":
		if r.name == "python" {
			r.at++
			r.expr()
			r.list("")
			return true
		}
	case "echo", "puts":
		if r.name == "php" {
			r.at++
			r.expr()
			r.list("")
			return true
		}
	case "include":
		if r.name == "ruby" && r.next(1).is("FileUtils") {
			r.included = true
		}
	}
	return false
}

// returned reads a return.
func (r *reader) returned() values {
	r.at++
	if !r.beginsOperand(r.token()) || r.token().newline && r.name == "javascript" {
		return nil
	}
	v := r.expr()
	r.list("")
	r.scope.result = r.union(r.scope.result, v)
	return v
}

// branch reads what runs under a condition.
func (r *reader) branch(t *token) bool {
	if r.pythonic && oneOf(" match case switch unless until when default ", t.text) && !r.beginsOperand(r.next(1)) {
		return false
	}
	if r.name == "perl" && oneOf(" switch when case match default ", t.text) || (r.name == "javascript" || r.name == "awk") && t.text == "match" {
		return false
	}
	tests, chosen := r.tests, 0
	r.at++
	switch t.text {
	case "case", "when", "default":
		if r.name == "ruby" && t.text == "case" {
			r.cases()
			return true
		}
		if t.text != "default" {
			r.condition()
			r.list("")
		}
		r.tests++
		if r.pythonic || r.name == "ruby" {
			r.under(false)
		} else {
			r.accept(":")
			r.perhaps(func() {
				r.statements(func() bool { return r.is("case") || r.is("default") || r.is("}") || r.is("endswitch") })
			})
		}
		r.tests = tests
		return true
	case "switch", "match":
		r.condition()
		r.tests = tests
		if r.pythonic || !r.is("{") {
			r.under(false)
			return true
		}
		open := r.at
		r.at++
		for !r.is("}") && r.token().kind != tokenEnd {
			before := r.at
			r.perhaps(func() {
				if t.text == "match" {
					r.expr()
					r.accept("=>")
				} else {
					r.statement()
				}
			})
			r.advance(before)
		}
		r.skip(open)
		return true
	}
	loop := t.text == "while" || t.text == "until"
	read := func() {
		if r.is("(") && !r.pythonic && r.name != "ruby" {
			r.test(r.primary)
		} else {
			r.condition()
		}
		if loop {
			r.tests = tests
		}
		chosen = r.tests
		r.then()
	}
	if loop {
		r.repeat(t.start+1, read)
	} else {
		r.perhaps(read)
	}
	r.tests = chosen
	if r.name == "awk" && (r.token().kind == tokenNewline || r.is(";")) && r.next(1).is("else") {
		r.at++
	}
	if word := r.token(); word.is("else") {
		r.part(word)
	} else if word.is("elif") || word.is("elsif") || word.is("elseif") {
		r.tests = tests
		r.branch(word)
	}
	if r.name == "ruby" && t.text != "elsif" {
		r.accept("end")
	}
	r.tests = tests
	return true
}

// cases reads case x ... when y ... end of Ruby.
func (r *reader) cases() {
	if r.beginsOperand(r.token()) {
		r.expr()
	}
	r.until(" when in else end ")
	for r.is("when") || r.is("else") || r.is("in") {
		if !r.keyword(r.token()) {
			r.at++
		}
	}
	r.accept("end")
}

// part reads else, try and the like, with what stands between the word and the
// block.
func (r *reader) part(t *token) bool {
	if r.next(1).is("=") || r.next(1).is(",") || r.next(1).is(")") || t.text == "with" && !r.pythonic || t.text == "then" && r.name != "ruby" ||
		r.name != "ruby" && (t.text == "begin" || t.text == "ensure" || t.text == "rescue") {
		return false
	}
	r.at++
	tests := r.tests
	switch t.text {
	case "BEGIN", "END":
		if !r.is("{") {
			return false
		}
		r.block()
		return true
	case "else":
		if r.name != "python" && r.name != "ruby" && (r.is("if")) {
			r.branch(r.token())
			r.tests = tests
			return true
		}
	case "with":
		for {
			open := r.at
			grouped := r.is("(") && r.u.tokens[open].match > open && r.u.tokens[min(r.u.tokens[open].match+1, len(r.u.tokens)-1)].is(":")
			if grouped {
				r.at++
			}
			v := r.expr()
			if r.accept("as") {
				r.bind(r.target(), v, false)
			}
			if grouped {
				r.accept(")")
			}
			if !r.accept(",") {
				break
			}
		}
		r.accept(")")
		r.then()
		return true
	case "except", "rescue", "catch":
		if r.is("(") {
			r.skip(r.at)
		}
		for !r.is(":") && !r.is("{") && r.token().kind != tokenNewline && !r.is("then") && !r.is(";") && r.token().kind != tokenEnd {
			r.at++
		}
	case "begin":
		r.until(" end rescue ensure else ")
		for r.is("rescue") || r.is("ensure") || r.is("else") {
			if !r.part(r.token()) {
				r.at++
			}
		}
		r.accept("end")
		return true
	}
	r.under(t.text == "do")
	if t.text == "do" && r.accept("while") {
		r.expr()
	}
	r.tests = tests
	return true
}

// loop reads a for loop behind its word.
func (r *reader) loop(start int) {
	id := r.u.tokens[start].start + 1
	open := -1
	declare := false
	if r.is("(") && r.name != "python" && r.name != "ruby" && r.name != "perl" {
		open = r.at
		r.at++
	}
	for r.is("const") || r.is("let") || r.is("var") || r.is("my") || r.is("our") {
		r.at++
		declare = true
	}
	p := pattern{name: "$_"}
	var list values
	if r.name == "perl" {
		if r.token().kind == tokenName {
			p = r.target()
			declare = true
		}
		if open = r.at; r.is("(") {
			r.at++
		}
	}
	switch {
	case open >= 0 && r.semicolons(open):
		if declare {
			r.at--
		}
		r.cStyle(id, open)
		return
	case r.name == "perl":
		r.at = open
		list = r.perlList()
		open = -1
	case r.name == "php":
		list = r.expr()
		r.accept("as")
		r.accept("&")
		p = r.target()
		if r.accept("=>") {
			r.accept("&")
			p = r.target()
		}
	default:
		p = r.targets("in")
		if r.name == "javascript" && r.accept("of") {
			list = r.expr()
		} else if r.accept("in"); r.name == "javascript" || r.name == "awk" {
			r.expr()
			list = unknown(p.name)
		} else {
			r.plain = true
			list = r.expr()
			if more := r.list(""); len(more) > 0 {
				list = listValue(append([]values{list}, more...))
			}
			r.plain = false
		}
	}
	if open >= 0 {
		r.at = open
		r.skip(open)
	}
	r.repeat(id, func() {
		r.bind(p, r.elements(list, id, p.name), declare)
		r.then()
	})
	if r.name == "ruby" {
		r.accept("end")
	}
	if r.is("else") && r.pythonic {
		r.part(r.token())
	}
}

// semicolons reports whether there are any in the brackets at token open.
func (r *reader) semicolons(open int) bool {
	if open < 0 {
		return false
	}
	for i := open + 1; i < r.u.tokens[open].match && r.spend(1); i++ {
		t := &r.u.tokens[i]
		if t.is(";") {
			return true
		}
		if t.is("(") || t.is("[") || t.is("{") {
			i = max(i, t.match)
		}
	}
	return false
}

// cStyle reads for (a; b; c) from a on.
func (r *reader) cStyle(id, open int) {
	for !r.is(";") && r.at < r.u.tokens[open].match {
		before := r.at
		r.statement()
		r.advance(before)
	}
	r.repeat(id, func() {
		for r.at < r.u.tokens[open].match && r.token().kind != tokenEnd {
			before := r.at
			r.statement()
			r.advance(before)
		}
		r.skip(open)
		r.then()
	})
}

// declarations reads what stands behind let, const and var.
func (r *reader) declarations() {
	for r.token().kind != tokenEnd {
		if r.name == "javascript" && (r.is("function") || r.is("class") || r.is("enum")) {
			return
		}
		p := r.target()
		r.untyped("=", ";", ",", "of")
		if !r.accept("=") {
			if p.name != "" {
				r.assign(r.scope.declare(p.name), nil)
			}
		} else {
			r.bind(p, r.expr(), true)
		}
		if !r.accept(",") {
			return
		}
	}
}

// importing reads import, use and require.
func (r *reader) importing(t *token) bool {
	start := r.at
	switch {
	case r.name == "python" && t.text == "import":
		for r.at++; r.token().kind == tokenName; {
			name := r.dotted()
			if r.accept("as") {
				r.assign(r.scope.declare(r.token().text), libraryValue(r.full(name)))
				r.at++
			} else {
				first, _, _ := strings.Cut(name, ".")
				r.assign(r.scope.declare(first), libraryValue(r.full(first)))
			}
			if !r.accept(",") {
				break
			}
		}
		return true
	case r.name == "python" && t.text == "from":
		r.at++
		module := r.dotted()
		if !r.accept("import") {
			r.at = start
			return false
		}
		r.accept("(")
		for r.token().kind == tokenName || r.is("*") {
			name := r.token().text
			r.at++
			if name == "*" {
				for _, exported := range r.exports(r.full(module)) {
					r.assign(r.scope.declare(exported), libraryValue(module+"."+exported))
				}
				break
			}
			value := r.member(libraryValue(r.full(module)), name, name)
			if r.accept("as") {
				name = r.token().text
				r.at++
			}
			r.assign(r.scope.declare(name), value)
			r.accept(",")
		}
		r.accept(")")
		return true
	case r.name == "javascript" && t.text == "import" && !r.next(1).is("("):
		r.at++
		var p []pattern
		for !r.is("from") && r.token().kind != tokenText && r.token().kind != tokenEnd && !r.is(";") {
			switch {
			case r.is("{"):
				open := r.at
				q := pattern{}
				for r.at++; !r.is("}") && r.token().kind != tokenEnd; {
					key := r.token().text
					r.at++
					if r.accept("as") {
						r.at++
					}
					q.keys = append(q.keys, key)
					q.items = append(q.items, pattern{name: r.next(-1).text})
					r.accept(",")
				}
				r.skip(open)
				p = append(p, q)
			case r.token().kind == tokenName && r.token().text != "as" && r.token().text != "type":
				p = append(p, pattern{name: r.token().text})
				r.at++
			default:
				r.at++
			}
		}
		r.accept("from")
		if text, ok := r.token().constant(); ok {
			r.at++
			module := r.module(textValue(text), text)
			for _, q := range p {
				r.bind(q, module, true)
			}
		}
		return true
	case r.name == "javascript" && t.text == "export":
		r.at++
		r.accept("default")
		return true
	case r.name == "perl" && (t.text == "use" || t.text == "no"):
		r.at++
		if r.accept("constant") {
			r.accept("{")
			for r.token().kind == tokenName {
				name := r.token()
				r.at++
				if !r.accept("=>") && !r.accept(",") {
					break
				}
				r.assign(r.scope.declare(name.text), r.expr())
				r.accept(",")
			}
			r.accept("}")
			return true
		}
		for r.token().kind != tokenEnd && !r.is(";") && !r.is("}") {
			r.at++
		}
		return true
	case r.name == "php" && (t.text == "use" || t.text == "namespace"), r.name == "perl" && t.text == "package":
		for r.at++; !r.is(";") && !r.is("{") && r.token().kind != tokenEnd; r.at++ {
		}
		return true
	}
	return false
}

// dotted reads a name with its dots.
func (r *reader) dotted() string {
	start := r.at
	for r.token().kind == tokenName && r.next(1).is(".") {
		r.at += 2
	}
	r.at++
	return strings.ReplaceAll(r.source(start), " ", "")
}
