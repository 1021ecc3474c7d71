package script

import "strings"

// primary reads a value without what stands behind it.
func (r *reader) primary() values {
	start, t := r.at, r.token()
	r.here(t)
	switch {
	case r.name == "javascript" && (t.is("(") || t.kind == tokenName) && r.next(max(r.at, t.match)+1-r.at).is("=>"):
		return r.define("=>", "")
	case t.kind == tokenName, t.is("->") && r.name == "ruby":
		return r.nameValue(t)
	case t.kind == tokenSign && t.each > 0:
		return r.comprehension()
	case t.is("(") && r.name == "ruby":
		return r.block()
	case t.is("(") && r.name == "php" && oneOf(" int string bool array float object ", r.next(1).text) && r.next(2).is(")"):
		r.at += 3
		return r.unary()
	case t.is("(") || t.is("[") || t.is("{"):
		return r.collection(r.items(closer(t.text)), t.text)
	case t.kind == tokenSign && strings.HasSuffix(t.text, "deref"): // @{...}, $$x
		if r.at++; r.is("{") {
			return anyLength(r.block())
		}
		return anyLength(r.postfix())
	case t.kind == tokenEnd || t.kind >= tokenSign:
		return nil
	}
	r.at++
	switch t.kind {
	case tokenNumber:
		return plainValue(t.text)
	case tokenText:
		value := r.text(t)
		for next := r.token(); next.kind == tokenText && (r.pythonic || r.name == "ruby" && !next.newline); next = r.token() {
			value = r.concat([]values{value, r.text(next)}, "")
			r.at++
		}
		return value
	case tokenShell:
		r.report(Call{Func: r.backticks, Kind: Shell, Line: t.line}, r.text(t))
	case tokenWords:
		return listValue(r.fields(r.text(t), ""))
	case tokenRegex:
		if v := r.text(t); len(t.pieces) > 0 && t.pieces[0].raw != "" {
			r.evaluate(v, "eval", t.pieces[0].raw)
		}
	case tokenGlob:
		if strings.ContainsAny(t.text, "*?/") {
			return listValue([]values{r.glob(r.text(t), nil, t.text)})
		}
		return values{{text: t.text, rest: true}}
	}
	return unknown(r.source(start))
}

// nameValue reads what begins with a name.
func (r *reader) nameValue(t *token) values {
	start, next, word := r.at, r.next(1), r.word(t.text)
	switch {
	case word == "function":
		return r.literal(t.text)
	case word == "return":
		return r.returned()
	case word == "getline":
		return r.getline(nil, start)
	case word == "print":
		return r.print()
	case r.name == "ruby" && oneOf(" if unless case while until begin ", t.text), r.name == "php" && t.text == "match":
		return r.statement()
	}
	r.at++
	switch {
	case word == "constant":
		return plainValue(t.text)
	case word == "my":
		return r.declaration()
	case r.name == "ruby" && (next.is("{") || next.is("do")) && oneOf(" lambda proc ", t.text):
		return r.define("block", "")
	case r.name == "perl" && next.is("=>"):
		return textValue(t.text)
	}
	r.place = place{name: t.text}
	value := r.named(t.text)
	switch {
	case !isNameStart(t.text[0]): // a variable
	case r.name == "perl" && (!r.is("(") && !r.is("->") && !r.is("::") || t.text == "push"):
		return r.perlCall(value, t.text, start)
	case r.name == "ruby":
		return r.rubyCall(value, t.text, start)
	case r.name == "python" && t.text == "exec" && r.token().kind == tokenText: // Python 2
		r.apply(value, &site{args: arguments{list: []values{r.expr()}}}, start)
	}
	return value
}

// comprehension reads [x for y in z] of Python, in brackets of any kind.
func (r *reader) comprehension() (value values) {
	open, t, tests := r.at, r.token(), r.tests
	r.repeat(true, t.start+1, func() {
		for r.at = t.each; r.at < t.match && r.token().kind != tokenEnd; {
			before := r.at
			if r.accept("for") {
				p := r.targets()
				r.accept("in")
				r.bind(p, r.elements(r.binary(1), t.start+1, p.name), false)
			} else if r.accept("if") {
				r.condition(r.expr)
			}
			r.advance(before)
		}
		r.at = open + 1
		if value = r.expr(); r.accept(":") {
			value = r.expr()
		}
	})
	if value = anyLength(value); r.tests > tests {
		value = r.looped(value, 0)
	}
	r.tests = tests
	r.skip(open)
	return listValue([]values{value})
}
