package script

import (
	"slices"
	"strconv"
	"strings"
)

// index returns value[key].
func (in *pyInterpreter) index(value, key pyValue, source string) pyValue {
	switch value.kind {
	case pyItems:
		n := key.number
		if key.kind != pyInt {
			break
		}
		if n < 0 {
			n += len(value.items)
		}
		if n < 0 || n >= len(value.items) {
			break
		}
		for _, item := range value.items {
			if item.rest {
				return pyValue{text: source}
			}
		}
		return value.items[n]
	case pyPairs:
		for i := 0; i+1 < len(value.items) && in.spend(1); i += 2 {
			if value.items[i].equal(&key, 0) {
				return value.items[i+1]
			}
		}
	case pyStr:
		if key.kind == pyInt && value.whole() {
			n := key.number
			if n < 0 {
				n += len(value.text)
			}
			if n >= 0 && n < len(value.text) {
				return pyKnown(value.text[n : n+1])
			}
		}
	case pyLibrary:
		if !key.whole() {
			break
		}
		switch value.text {
		case "builtins.globals", "builtins.locals":
			if values, ok := in.lookup(key.text); ok {
				return values[0]
			}
			return pyNamed(pyFullName(key.text))
		case "sys.modules":
			return pyNamed(pyFullName(key.text))
		case "os.environ":
			return pyEnvironment(key, source)
		}
		return in.member(value, key.text, source)[0]
	}
	return pyValue{text: source}
}

// slice returns value[from:to:step] for what is often written: reversed, or
// without some at the ends.
func (in *pyInterpreter) slice(value pyValue, e *pyExpr) pyValue {
	unknown := pyValue{text: e.source, rest: value.kind == pyItems}
	bounds := strings.Split(e.text, ":")
	size := len(value.items)
	if value.kind == pyStr {
		size = len(value.text)
	}
	if value.kind == pyLibrary && value.text == "sys.argv" {
		return pyValue{kind: pyItems, text: e.source, items: []pyValue{{text: e.source, rest: true}}}
	}
	if value.kind != pyItems && !value.whole() || len(bounds) > 3 {
		return unknown
	}
	from, okFrom := sliceBound(bounds[0], 0, size)
	to, okTo := sliceBound(bounds[1%len(bounds)], size, size)
	step := strings.Join(bounds[min(2, len(bounds)):], "")
	if !okFrom || !okTo || len(bounds) < 2 || !in.spend(1+size/16) {
		return unknown
	}
	to = max(from, to)
	switch {
	case step == "-1" && bounds[0] == "" && bounds[1] == "" && value.kind == pyStr:
		letters := []rune(value.text)
		slices.Reverse(letters)
		return pyKnown(string(letters))
	case step != "" && step != "1":
		return unknown
	case value.kind == pyStr:
		return pyKnown(value.text[from:to])
	}
	for _, item := range value.items {
		if item.rest {
			return pyValue{kind: pyItems, text: e.source, items: []pyValue{{text: e.source, rest: true}}}
		}
	}
	value.items = value.items[from:to]
	return value
}

func sliceBound(text string, missing, size int) (int, bool) {
	if text == "" {
		return missing, true
	}
	n, err := strconv.Atoi(text)
	if n < 0 {
		n += size
	}
	return min(max(n, 0), size), err == nil
}

// binary returns the values of an operator's result. Chains of + may be long.
func (in *pyInterpreter) binary(e *pyExpr) pySet {
	if e.text != "+" {
		left := in.eval(e.parts[0])
		return in.operate(e.text, left, in.eval(e.parts[1]), e)
	}
	var operands []*pyExpr
	at := e
	for at.op == pyBinary && at.text == "+" {
		operands = append(operands, at.parts[1])
		at = at.parts[0]
	}
	operands = append(operands, at)
	slices.Reverse(operands)
	return in.combine(operands, e.source, func(parts []pyValue) pyValue { return in.sum(parts, e.source) })
}

// operate returns the values of an operator's result.
func (in *pyInterpreter) operate(operator string, left, right pySet, e *pyExpr) pySet {
	var result pySet
	for _, a := range left {
		for _, b := range right {
			result = result.union(pySet{in.operation(operator, a, b, e)}, e.source)
		}
	}
	return result
}

func (in *pyInterpreter) operation(operator string, a, b pyValue, e *pyExpr) pyValue {
	switch operator {
	case "+":
		return in.sum([]pyValue{a, b}, e.source)
	case "%":
		if a.kind == pyStr {
			return in.percent(a, b)
		}
	case "/":
		if a.kind == pyPath || b.kind == pyPath {
			return pyJoin(pyPath, a, b)
		}
	case "*":
		if a.kind == pyInt {
			a, b = b, a
		}
		return in.multiply(a, b, e)
	case "|":
		return pyValue{text: a.text + "|" + b.text}
	}
	return pyValue{text: e.source}
}

func (in *pyInterpreter) multiply(a, b pyValue, e *pyExpr) pyValue {
	switch n := b.number; {
	case b.kind != pyInt || n < 0:
	case a.kind == pyStr && n*max(len(a.text), 1) <= maxSource && n <= maxSource && in.spend(n*len(a.text)/16):
		a.text = strings.Repeat(a.text, n)
		return a
	case a.kind == pyItems && n <= 64 && n*len(a.items) <= 256:
		a.items = slices.Repeat(a.items, n)
		return a
	}
	return pyValue{text: e.source}
}

// sum returns what + makes of texts, or of lists.
func (in *pyInterpreter) sum(parts []pyValue, source string) pyValue {
	lists, texts, numbers := false, false, true
	total := 0
	for i := range parts {
		lists = lists || parts[i].kind == pyItems
		texts = texts || parts[i].kind == pyStr
		numbers = numbers && parts[i].kind == pyInt
		total += parts[i].number
	}
	switch {
	case lists:
		var items []pyValue
		for _, part := range parts {
			items = append(items, spread(part)...)
		}
		in.spend(len(items))
		return pyValue{kind: pyItems, text: source, items: items}
	case texts:
		return in.concatenate(parts)
	case numbers:
		return pyValue{kind: pyInt, text: strconv.Itoa(total), number: total}
	}
	return pyValue{text: source}
}

// concatenate returns the text made of parts.
func (in *pyInterpreter) concatenate(parts []pyValue) pyValue {
	result := pyValue{kind: pyStr}
	var b strings.Builder
	for i := range parts {
		text, unknown := parts[i].piece()
		if i == 0 {
			result.home = parts[i].home
		}
		if b.Len()+len(text) > maxSource || !in.spend(len(text)/16+len(unknown)) {
			result.dynamic, result.parts = true, nil
			break
		}
		b.WriteString(text)
		result.dynamic = result.dynamic || len(unknown) > 0
		result.parts = append(result.parts, unknown...)
	}
	result.text = b.String()
	return result
}
