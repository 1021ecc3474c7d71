package script

import (
	"strings"
)

// primary reads a value without what stands behind it.
func (r *reader) primary() values {
	start, t := r.at, r.token()
	r.here(t)
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
		text := r.text(t)
		if _, known := text.constant(); !known {
			return listValue(r.fields(text))
		}
		var items []values
		for word := range strings.FieldsSeq(text[0].text) {
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
			return listValue([]values{r.glob(r.text(t), nil, t.text)})
		}
		return values{{text: t.text, rest: true}}
	case tokenName:
		return r.nameValue(t)
	case tokenSign:
	default:
		return nil
	}
	if t.each > 0 {
		return r.comprehension()
	}
	switch t.text {
	case "(":
		if v, ok := r.arrow(); ok {
			return v
		}
		if r.name == "php" && oneOf(" int string bool array float object ", r.next(1).text) && r.next(2).is(")") {
			r.at += 3
			return r.unary()
		}
		if r.name == "ruby" {
			return r.block()
		}
		all := r.items(")").list
		if len(all) == 0 || r.pythonic && (len(all) > 1 || r.next(-2).is(",")) || r.name == "perl" && (len(all) > 1 || !all[0].has(valueList)) {
			return listValue(all)
		}
		return all[len(all)-1]
	case "[", "{":
		return r.collection(r.items(closers(t.text)), t.text)
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
				return r.apply(v, &site{args: r.arguments()}, start)
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
			args := r.rubyBlock(arguments{})
			if args.block != nil {
				return args.block
			}
			return unknown(t.text)
		}
	case "async":
		if r.at++; r.name == "javascript" && r.is("(") {
			if v, ok := r.arrow(); ok {
				return v
			}
		}
		r.at--
	case "class":
		if r.name == "javascript" || r.name == "php" {
			r.class()
			return unknown("class")
		}
	case "if", "unless", "case", "while", "until", "begin", "match", "switch":
		if r.name == "ruby" && t.text != "match" && t.text != "switch" || r.name == "php" && t.text == "match" && r.next(1).is("(") {
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
			r.at++
			return r.perlEach(t.text)
		}
	case "print", "printf", "say":
		if r.name == "awk" {
			return r.print()
		}
	case "getline":
		if r.name == "awk" {
			return r.getline(nil, start)
		}
	case "my", "our", "local", "state":
		if r.name == "perl" {
			if r.at++; t.text == "local" {
				return r.postfix()
			}
			return r.declaration()
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
	if r.name == "awk" && name[0] == '@' && len(name) > 1 {
		v := r.named(name[1:])
		if text, ok := v.constant(); ok {
			return libraryValue(text)
		}
		return unknown(name)
	}
	r.place = place{name: name}
	if r.name == "perl" && strings.Contains("$@%", name[:1]) || r.name == "ruby" && name[0] == '@' {
		return r.named(name)
	}
	value := r.named(name)
	switch r.name {
	case "perl":
		if !r.is("(") && !r.is("->") && !r.is("::") || name == "push" {
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
			return r.collection(r.items(")"), "(")
		}
	}
	return value
}

// arrow reads x => ... and (x, y) => ... of JavaScript.
func (r *reader) arrow() (values, bool) {
	if r.name != "javascript" {
		return nil, false
	}
	if start := r.at; r.is("(") {
		r.skip(start)
		r.untyped(" => ")
		arrow := r.is("=>")
		if r.at = start; !arrow {
			return nil, false
		}
	}
	return r.define("=>", ""), true
}

// comprehension reads [x for y in z] of Python, in brackets of any kind.
func (r *reader) comprehension() (value values) {
	open, tests, id := r.at, r.tests, r.token().start+1
	t := r.token()
	filtered := false
	r.repeat(id, func() {
		for r.at = t.each; r.at < t.match && r.token().kind != tokenEnd; {
			before := r.at
			switch {
			case r.accept("async"):
			case r.accept("for"):
				p := r.targets("in")
				r.accept("in")
				r.bind(p, r.elements(r.binary(1), id, p.name), false)
			case r.accept("if"):
				r.condition(r.expr)
			}
			r.advance(before)
		}
		r.at = open + 1
		r.accept("*")
		value = r.expr()
		if r.accept(":") {
			value = r.expr()
		}
		filtered = r.tests > tests
		r.tests = tests
	})
	r.at = open
	r.skip(open)
	if value = anyLength(value); filtered {
		value = r.unfound(value)
	}
	return listValue([]values{value})
}

func closers(open string) string { return string(closer(open[0])) }
