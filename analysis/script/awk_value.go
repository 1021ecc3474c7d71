package script

import (
	"slices"
	"strings"
)

// one returns the value of e, unknown where there are several.
func (a *awkReader) one(e *awkExpr) pyValue {
	values := a.eval(e)
	if len(values) != 1 {
		return pyValue{text: e.source}
	}
	return values[0]
}

// eval returns the values that e may have.
func (a *awkReader) eval(e *awkExpr) pySet {
	unknown := pySet{{text: e.source}}
	if a.depth++; a.depth > 4*pyMaxDepth || !a.in.spend(1) {
		a.depth--
		a.in.program.TooComplex = true
		return unknown
	}
	defer func() { a.depth-- }()
	switch e.op {
	case awkText:
		return pySet{pyKnown(e.text)}
	case awkVariable:
		return a.variable(e.text, e.source)
	case awkElement:
		if name, _, _ := strings.Cut(e.source, "["); name == "ENVIRON" {
			if strings.ReplaceAll(e.source, " ", "") == `ENVIRON["HOME"]` {
				return pySet{{kind: pyStr, text: "~", home: true}}
			}
			return unknown
		}
		return a.variable(e.text+"[]", e.source)
	case awkAssigned:
		return a.eval(e.parts[0])
	case awkConcat:
		return a.concat(e)
	case awkChoice:
		var values pySet
		for _, part := range e.parts {
			values = values.union(a.eval(part), e.source)
		}
		return values
	case awkCalled:
		return a.called(e)
	}
	return unknown
}

// awkSpecial are the variables that awk sets itself.
var awkSpecial = wordSet("NR NF FNR FILENAME FS OFS ORS RS RT RSTART RLENGTH SUBSEP ENVIRON[] ENVIRON ARGV[] ARGV ARGC PROCINFO[] CONVFMT OFMT ERRNO ARGIND")

// variable returns the values of a variable. It's empty if nothing sets it.
func (a *awkReader) variable(name, source string) pySet {
	if values, ok := a.values[name]; ok {
		return values.or(source) // empty where it's made of itself
	}
	if awkSpecial()[name] {
		return pySet{{text: source}}
	}
	a.values[name] = nil
	var values pySet
	for _, e := range a.parser.assigned[name] {
		part := pySet{{text: source}}
		if e != nil {
			part = a.eval(e)
		}
		values = values.union(part, source)
		a.values[name] = values
		if len(values) > maxValues {
			break
		}
	}
	if len(values) == 0 {
		values = pySet{pyKnown("")}
		if strings.HasSuffix(name, "[]") {
			values = pySet{{text: source}}
		}
	}
	a.values[name] = values
	return values
}

// concat returns every combination of the values of the parts.
func (a *awkReader) concat(e *awkExpr) pySet {
	rows := [][]pyValue{make([]pyValue, 0, len(e.parts))}
	for _, part := range e.parts {
		values := a.eval(part)
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
		rows = nil
		for _, row := range before {
			a.in.spend(len(row))
			for _, value := range values {
				rows = append(rows, append(slices.Clip(slices.Clone(row)), value))
			}
		}
	}
	var values pySet
	for _, row := range rows {
		values = values.union(pySet{a.in.concatenate(row)}, e.source)
	}
	return values
}

// called returns what a function returns.
func (a *awkReader) called(e *awkExpr) pySet {
	unknown := pySet{{text: e.source}}
	if returns, ok := a.parser.returns[e.text]; ok {
		name := e.text + "()"
		if values, ok := a.values[name]; ok {
			if values == nil {
				return unknown
			}
			return values
		}
		a.values[name] = nil
		var values pySet
		for _, value := range returns {
			values = values.union(a.eval(value), e.source)
		}
		a.values[name] = values
		return values
	}
	if len(e.parts) == 0 {
		return unknown
	}
	first := a.one(e.parts[0])
	switch {
	case e.text == "sprintf" && first.kind == pyStr:
		var values []pyValue
		for _, part := range e.parts[1:] {
			values = append(values, a.one(part))
		}
		return pySet{a.in.percent(first, pyValue{kind: pyItems, items: values})}
	case !first.whole():
	case e.text == "tolower":
		return pySet{pyKnown(strings.ToLower(first.text))}
	case e.text == "toupper":
		return pySet{pyKnown(strings.ToUpper(first.text))}
	}
	return unknown
}
