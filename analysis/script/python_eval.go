package script

import (
	"slices"
	"strconv"
	"strings"
)

// eval returns what is known of the value of e, and notes the calls in it.
func (in *pyInterpreter) eval(e *pyExpr) pySet {
	if !in.spend(1) {
		return pySet{{text: e.source}}
	}
	switch e.op {
	case pyVariable:
		return in.variable(e)
	case pyText:
		return pySet{{kind: pyStr, text: e.text, dynamic: e.dynamic}}
	case pyNumeral:
		return pySet{pyNumber(e.text)}
	case pyFormat:
		return in.combine(e.parts, e.source, in.concatenate)
	case pyAttribute:
		if values, ok := in.lookup(e.source); ok {
			return values
		}
		return in.each(in.eval(e.parts[0]), e.source, func(v pyValue) pySet { return in.member(v, e.text, e.source) })
	case pyCall:
		return in.call(e)
	case pyIndex:
		return in.combine(e.parts, e.source, func(parts []pyValue) pyValue { return in.index(parts[0], parts[1], e.source) })
	case pySlice:
		return in.combine(e.parts, e.source, func(parts []pyValue) pyValue { return in.slice(parts[0], e) })
	case pyBinary:
		return in.binary(e)
	case pyList:
		return in.list(e)
	case pyDict:
		return in.combine(e.parts, e.source, func(parts []pyValue) pyValue {
			return pyValue{kind: pyPairs, text: e.source, items: slices.Clone(parts)}
		})
	case pyEach:
		return in.comprehension(e)
	case pyLambda:
		f := &pyFunction{name: "lambda", params: e.params, value: e.parts[0], env: in.env}
		in.define(f)
		return pySet{{kind: pyOwn, text: e.source, function: f}}
	case pyChoice:
		var values pySet
		for _, part := range e.parts {
			if part.op == pyOther && part.text == "if" {
				in.eval(part)
				continue
			}
			values = values.union(in.eval(part), e.source)
		}
		return values.or(e.source)
	case pyWalrus:
		values := in.eval(e.parts[1])
		in.store(e.parts[0], values)
		return values
	}
	for _, part := range e.parts {
		in.eval(part)
	}
	return pySet{{text: e.source}}
}

// or returns s, or an unknown value where s is empty.
func (s pySet) or(source string) pySet {
	if len(s) == 0 {
		return pySet{{text: source}}
	}
	return s
}

// each returns what f makes of the values.
func (in *pyInterpreter) each(values pySet, source string, f func(pyValue) pySet) pySet {
	if len(values) == 1 {
		return f(values[0]).or(source)
	}
	var result pySet
	for _, value := range values {
		result = result.union(f(value), source)
	}
	return result.or(source)
}

// combine returns what f makes of every combination of the values of parts.
func (in *pyInterpreter) combine(parts []*pyExpr, source string, f func([]pyValue) pyValue) pySet {
	rows := in.rows(parts)
	if len(rows) == 1 {
		return pySet{f(rows[0])}
	}
	var result pySet
	for _, row := range rows {
		result = result.union(pySet{f(row)}, source)
	}
	return result.or(source)
}

// rows returns the combinations of the values of parts. There are few: what
// would make too many counts as unknown.
func (in *pyInterpreter) rows(parts []*pyExpr) [][]pyValue {
	rows := [][]pyValue{make([]pyValue, 0, len(parts))}
	for _, part := range parts {
		values := in.eval(part)
		if len(values)*len(rows) > maxValues+1 { // one may stand for all others
			values = pySet{{text: part.source}}
		}
		if len(values) == 1 {
			for i := range rows {
				rows[i] = append(rows[i], values[0])
			}
			continue
		}
		before := rows
		rows = make([][]pyValue, 0, len(before)*len(values))
		for _, row := range before {
			in.spend(len(row))
			for _, value := range values {
				rows = append(rows, append(row[:len(row):len(row)], value))
			}
		}
	}
	return rows
}

// variable returns the values of a variable, or of what Python knows by itself. A
// module counts as imported: the import may be where it isn't seen.
func (in *pyInterpreter) variable(e *pyExpr) pySet {
	if values, ok := in.lookup(e.text); ok {
		return values
	}
	switch e.text {
	case "True", "False", "None":
		return pySet{{kind: pyConst, text: e.text}}
	}
	switch {
	case pyModules()[e.text]:
		return pySet{{kind: pyLibrary, text: e.text}}
	case pyBuiltins()[e.text]:
		return pySet{{kind: pyLibrary, text: "builtins." + e.text}}
	}
	return pySet{{text: e.source}}
}

// pyNumber returns the value of a numeral.
func pyNumber(text string) pyValue {
	clean := strings.ReplaceAll(text, "_", "")
	if len(clean) > 1 && clean[0] == '0' && isDigit(clean[1]) {
		clean = "0o" + clean[1:] // Python 2
	}
	if n, err := strconv.ParseInt(clean, 0, 64); err == nil {
		return pyValue{kind: pyInt, text: strconv.FormatInt(n, 10), number: int(n)}
	}
	return pyValue{text: text}
}

// list returns the values of a list, into which the elements of those with a
// star go.
func (in *pyInterpreter) list(e *pyExpr) pySet {
	parts := e.parts
	starred := false
	for i, part := range e.parts {
		if part.op == pyStarred {
			if !starred {
				parts, starred = slices.Clone(parts), true
			}
			parts[i] = part.parts[0]
		}
	}
	return in.combine(parts, e.source, func(row []pyValue) pyValue {
		items := row
		if starred {
			items = nil
			for i, v := range row {
				if e.parts[i].op == pyStarred {
					items = append(items, spread(v)...)
				} else {
					items = append(items, v)
				}
			}
			in.spend(len(items))
		}
		return pyValue{kind: pyItems, text: e.source, items: items}
	})
}

// spread returns the elements of v, as arguments.
func spread(v pyValue) []pyValue {
	if v.kind == pyItems {
		return v.items
	}
	return []pyValue{{text: v.text, rest: true}}
}

// comprehension returns the list that e makes.
func (in *pyInterpreter) comprehension(e *pyExpr) pySet {
	env := in.env
	in.env = &pyEnv{parent: env}
	items := in.clauses(e, 0)
	in.env = env
	return pySet{{kind: pyItems, text: e.source, items: items}}
}

func (in *pyInterpreter) clauses(e *pyExpr, n int) (items []pyValue) {
	if n == len(e.clauses) {
		for _, value := range in.eval(e.parts[0]) {
			items = append(items, value)
		}
		return items
	}
	clause := &e.clauses[n]
	values := in.eval(clause.iterated)
	each := func(element pySet) {
		in.store(clause.target, element)
		for _, condition := range clause.conditions {
			in.eval(condition)
		}
		items = append(items, in.clauses(e, n+1)...)
	}
	if elements, ok := values.few(); ok && !in.unrolled {
		in.unrolled = len(e.clauses) > 1
		for _, element := range elements {
			each(pySet{element})
		}
		in.unrolled = false
		return items
	}
	each(in.elements(values, clause.target.source))
	for i := range items {
		items[i].rest = true
	}
	return items
}
