package script

import "strings"

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

// pairsOf makes a map of a list with keys and values in turn.
func (r *reader) pairsOf(v values) values {
	items, ok := v.list()
	if !ok {
		return v
	}
	m := value{kind: valueMap}
	for i := 0; i+1 < len(items) && r.spend(1); i += 2 {
		if key, known := items[i].constant(); known {
			m.pairs = append(m.pairs, pair{key, items[i+1]})
		}
	}
	return values{m}
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

// perlCall reads a call of Perl without brackets.
func (r *reader) perlCall(value values, name string, start int) values {
	t := r.token()
	switch {
	case t.is("{") && oneOf(" map grep sort first any ", name):
		tests := r.tests
		r.condition(r.block)
		list := r.flat(r.arguments().list)
		if name == "map" {
			list = values{{text: r.source(start), rest: true}}
		} else if r.tests > tests {
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
	case !value.has(valueLibrary) && !value.has(valueFunction) && !oneOf(" die warn return exists each wantarray bless splice ", name), t.is("&"), t.is("*"), t.is("-") && t.space && r.next(1).space:
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

// rubyCall reads the call of a method of Ruby behind its name.
func (r *reader) rubyCall(value values, name string, start int) values {
	t, old := r.token(), r.place
	full := firstText(value)
	defined := value.has(valueFunction) || value.has(valueLibrary) || value.has(valueMethod)
	switch {
	case t.is("(") && !t.space || !defined && r.scope.find(name) != nil || t.kind == tokenSign && oneOf(assigning, t.text):
	case (t.is("{") || t.is("do")) && !r.plain:
		return r.apply(value, &site{args: arguments{block: r.define("block", "")}}, start)
	case !t.newline && t.space && r.beginsOperand(t) && !t.is("{") && !t.is("->") && (t.kind != tokenSign || !r.next(1).space || oneOf(" [ ( :: ", t.text)) &&
		(!t.is("[") || defined) && (r.scope.find(name) == nil || value.has(valueFunction)):
		return r.apply(value, &site{args: r.arguments()}, start)
	case value.has(valueMethod) || value.has(valueFunction) && old.name == name && !t.is("."),
		value.has(valueLibrary) && strings.Contains(full, ".") && full[strings.LastIndexByte(full, '.')+1] >= 'a':
		return r.apply(value, &site{}, start)
	}
	r.place = old
	return value
}
