package script

import (
	"slices"
	"strings"
)

// primary reads a value without what stands behind it.
func (r *reader) primary() values {
	start, t := r.at, r.token()
	r.line = max(t.line, 1)
	switch t.kind {
	case tokenNumber:
		r.at++
		return plainValue(t.text)
	case tokenText:
		value := r.text(t)
		r.at++
		for r.token().kind == tokenText && (r.pythonic || r.name == "ruby" && !r.token().newline) {
			value = r.concat([]values{value, r.text(r.token())}, "")
			r.at++
		}
		return value
	case tokenShell:
		r.at++
		name := "qx"
		switch r.name {
		case "ruby":
			name = "%x"
		case "php":
			name = "shell_exec"
		}
		r.report(Call{Func: name, Kind: Shell, Line: t.line}, r.text(t))
		return unknown(r.source(start))
	case tokenWords:
		r.at++
		var items []values
		for word := range strings.FieldsSeq(t.text) {
			items = append(items, textValue(word))
		}
		return listValue(items)
	case tokenRegex:
		r.at++
		for _, p := range t.pieces {
			if p.code == nil {
				continue
			}
			v := r.inner(p.code)
			if t.code {
				r.evaluate(v, "eval", p.raw)
			}
		}
		return unknown(t.text)
	case tokenGlob:
		r.at++
		if strings.ContainsAny(t.text, "*?/") {
			return r.glob(textValue(t.text[1:len(t.text)-1]), nil, t.text)
		}
		return values{{text: t.text, rest: true}}
	case tokenName:
		return r.nameValue(t)
	case tokenSign:
	default:
		return nil
	}
	switch t.text {
	case "(":
		if v, ok := r.arrow(); ok {
			return v
		}
		if t.each > 0 {
			return r.comprehension()
		}
		if r.name == "php" && oneOf(" int string bool array float object ", r.next(1).text) && r.next(2).is(")") {
			r.at += 3
			return r.unary()
		}
		plain, noIn, low := r.plain, r.noIn, r.low
		r.plain, r.noIn, r.low = false, false, false
		r.at++
		var all []values
		if r.pythonic || r.name == "perl" || r.name == "awk" {
			all = r.list(")")
		} else {
			for !r.is(")") && r.token().kind != tokenEnd {
				before := r.at
				if v := r.statement(); v != nil {
					all = []values{v}
				}
				r.accept(",")
				r.advance(before)
			}
		}
		tuple := r.pythonic && (len(all) != 1 || r.next(-1).is(",")) || r.name == "perl" && !(len(all) == 1 && len(all[0]) > 0 && all[0][0].kind == valueList)
		if place := r.place; len(all) == 1 && !tuple {
			defer func() { r.place = place }()
		}
		r.skip(start)
		r.plain, r.noIn, r.low, r.place = plain, noIn, low, place{}
		if tuple {
			return listValue(all)
		}
		if len(all) > 0 {
			return all[len(all)-1]
		}
		return listValue(nil)
	case "[":
		if t.each > 0 {
			return r.comprehension()
		}
		plain := r.plain
		r.plain = false
		r.at++
		all := r.list("]")
		r.skip(start)
		r.plain = plain
		if r.name == "php" && len(all) == 1 && len(all[0]) == 1 && all[0][0].kind == valueMap {
			return all[0]
		}
		return r.flatPerl(listValue(all))
	case "{":
		if t.each > 0 {
			return r.comprehension()
		}
		return r.mapping()
	case "::":
		r.at++
		return r.postfix()
	case "|": // of Ruby, out of place
		return nil
	case "->":
		if r.name == "ruby" {
			return r.literal("->")
		}
	}
	if strings.HasSuffix(t.text, "deref") { // @{...}, $$x
		r.at++
		sigil := t.text[:1]
		if r.is("{") {
			open := r.at
			r.at++
			v := r.statement()
			r.skip(open)
			return v
		}
		if r.token().kind == tokenName {
			v := r.postfix()
			if sigil == "&" {
				return r.apply(v, &site{args: r.arguments(nil)}, start)
			}
			return anyLength(v)
		}
	}
	return nil
}

// nameValue reads what begins with a name.
func (r *reader) nameValue(t *token) values {
	start := r.at
	switch t.text {
	case "None", "null", "nil", "undefined", "True", "False", "true", "false", "NULL", "TRUE", "FALSE", "undef":
		r.at++
		if strings.ToUpper(t.text) == t.text {
			return plainValue(strings.ToLower(t.text))
		}
		return plainValue(t.text)
	case "lambda", "function", "fn", "sub", "def", "proc":
		if t.text == "lambda" && r.pythonic || t.text == "function" && !r.next(1).is("=>") || t.text == "fn" && r.name == "php" || t.text == "sub" && r.name == "perl" || t.text == "def" {
			return r.literal(t.text)
		}
		if (t.text == "lambda" || t.text == "proc") && r.name == "ruby" {
			r.at++
			args := r.rubyBlock(nil, arguments{})
			if args.block != nil {
				return args.block
			}
			return unknown(t.text)
		}
	case "class":
		if r.name == "javascript" || r.name == "php" {
			r.class()
			return unknown("class")
		}
	case "if", "unless", "case", "while", "until", "begin", "match", "switch":
		if r.name == "ruby" || r.name == "php" && t.text == "match" && r.next(1).is("(") {
			return r.statement()
		}
	case "do", "eval":
		if r.name == "perl" && r.next(1).is("{") {
			r.at++
			r.block()
			return unknown(t.text)
		}
	case "map", "grep", "sort", "first", "any":
		if r.name == "perl" && (r.next(1).is("{") || r.next(1).is("(") && r.next(2).is("{")) {
			return r.perlEach()
		}
	case "print", "printf", "say":
		if r.name == "perl" || r.name == "awk" {
			return r.print()
		}
	case "getline":
		if r.name == "awk" {
			return r.getline(nil, start)
		}
	case "my", "our", "local", "state":
		if r.name == "perl" {
			r.at++
			return r.declaration(t.text == "local")
		}
	case "import":
		if r.name == "javascript" && r.next(1).is(".") {
			r.at += 2
			r.at++
			return libraryValue("import.meta")
		}
	}
	if r.name == "javascript" && r.next(1).is("=>") {
		v, _ := r.arrow()
		return v
	}
	r.at++
	if (r.name == "ruby" || r.name == "perl") && (r.is("=>") || r.name == "ruby" && r.is(":") && !r.token().space && !r.next(1).is(":")) && r.next(0).kind == tokenSign {
		return textValue(t.text)
	}
	name := t.text
	switch {
	case r.name == "perl" && name[0] == '&' && len(name) > 1:
		name = name[1:]
	case r.name == "awk" && name[0] == '@' && len(name) > 1:
		v := r.named(name[1:], t.start)
		if text, ok := v.constant(); ok {
			return libraryValue(text)
		}
		return unknown(name)
	}
	if r.name == "perl" && (r.is("[") || r.is("{") && !r.token().space) && name[0] == '$' {
		r.place = place{name: name}
		return unknown(name)
	}
	r.place = place{name: name}
	if r.name == "perl" && strings.Contains("$@%", name[:1]) || r.name == "ruby" && name[0] == '@' {
		return r.named(name, t.start)
	}
	value := r.named(name, t.start)
	switch r.name {
	case "perl":
		if !r.is("(") && !r.is("->") && !r.is("::") {
			return r.perlCall(value, name, start)
		}
	case "ruby":
		return r.rubyCall(value, name, start)
	case "python":
		if (name == "exec" || name == "print") && r.token().kind == tokenText { // Python 2
			r.apply(value, &site{args: arguments{list: append([]values{r.expr()}, r.list("")...)}}, start)
		}
	case "php":
		if oneOf(" echo print include require include_once require_once isset empty exit die ", name) && !r.is("(") && r.beginsOperand(r.token()) {
			r.expr()
			r.list("")
		}
		if name == "list" && r.is("(") || name == "array" && r.is("(") {
			open := r.at
			r.at++
			all := r.list(")")
			r.skip(open)
			if len(all) == 1 && len(all[0]) == 1 && all[0][0].kind == valueMap {
				return all[0]
			}
			return listValue(all)
		}
	}
	return value
}

// literal reads a function: from "function", "lambda", "sub" or "->" on, or its name.
func (r *reader) literal(word string) values {
	fn := r.define("", true)
	begin := r.token().start
	r.at++
	r.accept("*")
	name := ""
	if t := r.token(); t.kind == tokenName && word != "lambda" && word != "->" && word != "fn" {
		name = t.text
		r.at++
		if r.name == "ruby" && r.is(".") { // def self.x
			r.at++
			name = "self." + r.token().text
			r.at++
		}
		fn.lambda = false
		v := r.scope.declare(name)
		v.all = r.union(v.all, values{{kind: valueFunction, code: fn, text: name}})
		r.assign(v, values{{kind: valueFunction, code: fn, text: name}}, begin)
	}
	fn.params = nil
	switch {
	case word == "lambda":
		outer := r.scope
		r.scope = fn.scope
		fn.params = r.params(":")
		r.scope = outer
		r.accept(":")
	case r.is("("):
		open := r.at
		r.at++
		fn.params = r.params(")")
		r.skip(open)
	case r.name == "ruby" && !r.is("{") && !r.is("do"):
		fn.params = r.params("")
	}
	if r.name == "php" && r.accept("use") && r.is("(") {
		r.skip(r.at)
	}
	r.untyped("{", "=>")
	quiet := r.plain
	r.plain = false
	switch {
	case word == "lambda" || word == "fn" || r.is("=>"):
		r.accept("=>")
		r.body(fn, begin, r.expr)
	case r.name == "ruby" && word == "def" && r.accept("="):
		r.body(fn, begin, r.expr)
	case r.is("{"):
		r.body(fn, begin, func() values { return r.blockValue(r.name == "perl" || r.name == "ruby") })
	case r.name == "ruby":
		r.accept("do")
		r.body(fn, begin, func() values {
			v := r.until(" end ")
			r.accept("end")
			return v
		})
	}
	r.plain = quiet
	return values{{kind: valueFunction, code: fn, text: name}}
}

// untyped skips a type behind a ":" up to one of the signs.
func (r *reader) untyped(stops ...string) {
	if r.name != "javascript" && r.name != "php" && !r.pythonic || !r.is(":") && !r.is("->") {
		return
	}
	for i := r.at; i < min(r.at+30, len(r.u.tokens)); i++ {
		t := &r.u.tokens[i]
		if i > r.at && slices.ContainsFunc(stops, t.is) {
			r.at = i
			return
		}
		if t.is("(") || t.is("[") || t.is("{") {
			i = max(i, t.match)
		} else if t.is(";") || t.is("=") || t.is(")") || t.kind == tokenNewline {
			return
		}
	}
}

// arrow reads x => ... and (x, y) => ... of JavaScript.
func (r *reader) arrow() (values, bool) {
	if r.name != "javascript" {
		return nil, false
	}
	start := r.at
	if r.is("(") {
		r.skip(start)
		r.untyped("=>")
		if !r.is("=>") {
			r.at = start
			return nil, false
		}
		r.at = start
	}
	begin := r.token().start
	fn := r.define("", true)
	outer := r.scope
	r.scope = fn.scope
	if r.is("(") {
		r.at++
		fn.params = r.params(")")
		r.at = start
		r.skip(start)
		r.untyped("=>")
	} else {
		fn.params = []pattern{{name: r.token().text}}
		r.at++
	}
	r.scope = outer
	r.accept("=>")
	plain := r.plain
	r.plain = false
	r.body(fn, begin, func() values {
		if r.is("{") {
			return r.blockValue(false)
		}
		return r.expr()
	})
	r.plain = plain
	return values{{kind: valueFunction, code: fn}}, true
}

// params reads the parameters of a function up to close, or the end of the line.
func (r *reader) params(close string) (all []pattern) {
	for r.token().kind != tokenEnd && r.token().kind != tokenNewline && (close == "" || !r.is(close)) && !(close == "" && (r.is(";") || r.is("="))) {
		before := r.at
		p := pattern{}
		for {
			t := r.token()
			switch {
			case t.is("*") || t.is("**") || t.is("..."):
				p.rest = true
			case t.is("[") || t.is("{") || t.is("(") && r.name == "ruby":
				p = r.target()
				r.at--
			case t.kind == tokenName && (!r.sigils || t.text[0] == '$') && p.name == "":
				p.name = t.text
			case t.is("=") || t.is(",") || close != "" && t.is(close) || t.kind == tokenEnd || t.is(":") && (r.name == "ruby" || r.pythonic || r.name == "javascript") || t.kind == tokenNewline || t.is(";"):
				goto named
			}
			r.at++
		}
	named:
		if r.is(":") && close != ":" { // a type, or a keyword of Ruby
			r.at++
			if r.name == "ruby" {
				if !r.is(",") && !r.is(close) {
					p.has, p.value = true, r.expr()
				}
			} else {
				for !r.is("=") && !r.is(",") && !r.is(close) && r.token().kind != tokenEnd {
					if t := r.token(); t.is("[") || t.is("(") || t.is("{") || t.is("<") {
						r.skip(r.at)
					} else {
						r.at++
					}
				}
			}
		}
		if r.accept("=") {
			p.has, p.value = true, r.expr()
		}
		all = append(all, p)
		r.accept(",")
		r.advance(before)
		for close != "" && r.token().kind == tokenNewline {
			r.at++
		}
	}
	return all
}

// target reads a pattern that values are assigned to.
func (r *reader) target() (p pattern) {
	t := r.token()
	if !r.deeper() {
		return p
	}
	defer func() { r.depth-- }()
	if t.is("*") || t.is("...") || t.is("**") {
		r.at++
		p = r.target()
		p.rest = true
		return p
	}
	if !t.is("[") && !t.is("(") && !t.is("{") {
		if t.kind == tokenName {
			p.name = t.text
			p.rest = t.text[0] == '@'
		}
		r.at++
		for r.is(".") || r.is("[") && !r.token().newline { // a member, which isn't followed
			p.name = ""
			if r.is(".") {
				r.at += 2
			} else {
				r.skip(r.at)
			}
		}
		return p
	}
	open := r.at
	p.list = !t.is("{")
	r.at++
	for !r.is(closers(t.text)) && r.token().kind != tokenEnd {
		before := r.at
		key := r.token().text
		if text, ok := r.token().constant(); ok {
			key = text
		}
		item := pattern{}
		if !r.is(",") {
			item = r.target()
			if !p.list && r.accept(":") || r.name == "php" && r.accept("=>") {
				item = r.target()
				p.keys = append(p.keys, key)
			} else if !p.list {
				p.keys = append(p.keys, key)
			}
			if r.accept("=") {
				item.has, item.value = true, r.expr()
			}
		}
		p.items = append(p.items, item)
		r.accept(",")
		r.advance(before)
	}
	r.skip(open)
	return p
}

func closers(open string) string { return string(closer(open[0])) }

// mapping reads a map in curly brackets.
func (r *reader) mapping() values {
	start := r.at
	r.at++
	var all []values
	m := value{kind: valueMap}
	for !r.is("}") && r.token().kind != tokenEnd {
		before := r.at
		for r.token().kind == tokenNewline || r.is(",") {
			r.at++
		}
		t := r.token()
		next := r.next(1)
		switch {
		case t.is("}"):
			continue
		case t.is("...") || t.is("**"):
			r.at++
			v := r.expr()
			if len(v) == 1 && v[0].kind == valueMap && r.spend(len(v[0].pairs)) {
				m.pairs = append(m.pairs, v[0].pairs...)
			}
		case r.name == "javascript" && t.kind == tokenName && (next.is(",") || next.is("}")):
			r.at++
			m.pairs = append(m.pairs, pair{t.text, r.named(t.text, t.start)})
		case r.name == "javascript" && (next.is("(") || t.kind == tokenName && next.kind == tokenName) && t.kind != tokenSign:
			for r.token().kind == tokenName && r.next(1).kind == tokenName {
				r.at++
			}
			name := r.token().text
			r.at++
			m.pairs = append(m.pairs, pair{name, r.methodBody(name)})
		default:
			var key string
			known := true
			switch {
			case t.kind == tokenName && (next.is(":") || next.is("=>")):
				key = t.text
				r.at++
			case t.is("[") && r.name == "javascript":
				r.at++
				key, known = r.expr().constant()
				r.accept("]")
			default:
				v := r.expr()
				key, known = r.constant(v)
				all = append(all, v)
			}
			if r.accept(":") || r.accept("=>") || r.name == "perl" && r.accept(",") {
				v := r.expr()
				all = append(all, v)
				if known {
					m.pairs = append(m.pairs, pair{key, v})
				}
			}
		}
		r.accept(",")
		r.advance(before)
	}
	r.skip(start)
	r.place = place{}
	if r.pythonic && len(m.pairs) == 0 && len(all) > 0 {
		return listValue(all)
	}
	return values{m}
}

// methodBody reads a method of a class or map from its parameters on.
func (r *reader) methodBody(name string) values {
	begin := r.token().start
	fn := r.define(name, false)
	outer := r.scope
	r.scope = fn.scope
	if r.is("(") {
		open := r.at
		r.at++
		fn.params = r.params(")")
		r.skip(open)
	}
	r.scope = outer
	r.untyped("{")
	if r.is("{") {
		r.body(fn, begin, func() values { return r.blockValue(false) })
	}
	return values{{kind: valueFunction, code: fn, text: name}}
}

// class reads a class of JavaScript or PHP.
func (r *reader) class() {
	for !r.is("{") && !r.is(";") && r.token().kind != tokenEnd {
		r.at++
	}
	open := r.at
	if !r.accept("{") {
		return
	}
	for !r.is("}") && r.token().kind != tokenEnd {
		t := r.token()
		switch {
		case t.is("{"): // static
			r.block()
		case t.kind == tokenName && r.next(1).is("(") && t.text != "function":
			r.at++
			r.methodBody(t.text)
		case t.is("="):
			r.at++
			r.expr()
		default:
			r.at++
		}
	}
	r.skip(open)
}

// comprehension reads [x for y in z] of Python, in brackets of any kind.
func (r *reader) comprehension() values {
	open := r.at
	t := r.token()
	r.at = t.each
	pos := r.token().start
	r.enter(t.start, true)
	tests := r.tests
	id := t.start + 1
	for r.at < t.match && r.token().kind != tokenEnd {
		before := r.at
		switch {
		case r.accept("async"):
		case r.accept("for"):
			p := r.targets("in")
			r.accept("in")
			r.bind(p, r.elements(r.binary(1), id, p.name), pos, false)
		case r.accept("if"):
			r.condition()
		}
		r.advance(before)
	}
	r.at = open + 1
	r.accept("*")
	value := r.expr()
	if r.accept(":") {
		value = r.expr()
	}
	filtered := r.tests > tests
	r.tests = tests
	r.at = open
	r.skip(open)
	r.leave(r.next(-1).start)
	value = anyLength(value)
	for i := range value {
		if value[i].kind == valueText && !value[i].dynamic && value[i].found == nil && !filtered && len(value) == 1 {
			continue
		}
		if filtered {
			value[i].found = nil
		}
	}
	if len(value) > 1 && !value.has(valueList) && value[0].found == nil {
		return listValue([]values{values{{text: r.source(open), rest: true}}, value}[1:])
	}
	return listValue([]values{value})
}

// targets reads patterns with commas between them, up to stop.
func (r *reader) targets(stop string) pattern {
	p := pattern{list: true}
	comma := false
	for !r.is(stop) && r.token().kind != tokenEnd && r.token().kind != tokenNewline {
		before := r.at
		p.items = append(p.items, r.target())
		comma = r.accept(",") || comma
		if r.at == before || !r.next(-1).is(",") && !r.is(stop) {
			break
		}
	}
	if len(p.items) == 1 && !comma {
		return p.items[0]
	}
	return p
}
