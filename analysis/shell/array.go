package shell

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// list puts "$@" or ${name[@]} in: every element is a word of its own, but for
// "$*".
func (e *expander) list(list []argument, p *syntax.ParamExp, q quoting) {
	if !e.w.spend(fieldCost * len(list)) {
		return
	}
	if q != unquoted && isAll(p, "*") || !e.split {
		glue := " "
		if separators, ok := e.w.separators(); ok && isAll(p, "*") {
			glue = separators[:min(1, len(separators))]
		}
		for i, element := range list {
			if i > 0 {
				e.text = append(e.text, glue...)
			}
			e.append(element, element.Text)
		}
		return
	}
	for i, element := range list {
		if i > 0 {
			e.endWord()
		}
		if q != unquoted {
			e.open, e.word.Quoted = true, true
		}
		e.add(element, q)
	}
}

// isAll reports whether p is for all elements, written with @ or *.
func isAll(p *syntax.ParamExp, sign string) bool {
	if p.Length || p.Excl || p.Param == nil {
		return false
	}
	return p.Param.Value == sign || indexIs(p.Index, sign)
}

func indexIs(index syntax.ArithmExpr, text string) bool {
	word, ok := index.(*syntax.Word)
	return ok && word.Lit() == text
}

// elements returns the words of "$@" and ${name[@]}, if they're known.
func (w *walker) elements(p *syntax.ParamExp, s *scope) ([]argument, bool) {
	if !isAll(p, "@") && !isAll(p, "*") || s.isExpanded(p) {
		return nil, false
	}
	list, ok := w.elementsOf(p.Param.Value)
	if !ok {
		return nil, false
	}
	switch {
	case p.Slice != nil && firstUncertain(list) >= 0:
		return nil, false
	case p.Slice != nil:
		if p.Param.Value == "@" || p.Param.Value == "*" {
			list = append([]argument{w.scriptName(s)}, list...) // it counts from $0
		}
		from, to, ok := w.bounds(p.Slice, len(list), s)
		if !ok || from < 0 || to < from {
			return nil, false
		}
		return list[from:to], true
	case p.Exp != nil && isDefault(p.Exp.Op):
		alternative := p.Exp.Op == syntax.AlternateUnset || p.Exp.Op == syntax.AlternateUnsetOrNull
		set := len(list) > 0
		if set && len(list) == 1 && list[0].Text == "" {
			return nil, false // with a colon it counts as unset
		}
		if alternative == set {
			list = []argument{w.operand(p, s)}
		}
		return list, true
	case p.Repl != nil || p.Exp != nil:
		changed := make([]argument, len(list))
		for i, element := range list {
			v, ok := w.edit(p, element, s)
			if !ok {
				return nil, false
			}
			changed[i] = v
		}
		return changed, w.spend(wordCost * len(list))
	case len(p.Modifiers) > 0 || p.Names != 0:
		return nil, false
	}
	return list, w.spend(listCost * len(list))
}

// elementsOf returns the elements of an array or the positional parameters.
func (w *walker) elementsOf(text string) ([]argument, bool) {
	n := name{variable, w.referredName(text)}
	if text == "@" || text == "*" {
		n = nameOfParameters
	}
	it := w.choose(n)
	switch {
	case it == nil:
		return nil, false
	case it.unset:
		return nil, true
	case it.isList:
		return it.list, true
	}
	return []argument{it.word}, true
}

// length returns ${#name}.
func (w *walker) length(p *syntax.ParamExp, whole argument, s *scope) argument {
	if text := p.Param.Value; text == "@" || text == "*" || indexIs(p.Index, "@") || indexIs(p.Index, "*") {
		if list, ok := w.elementsOf(text); ok && firstUncertain(list) < 0 {
			return literal(strconv.Itoa(len(list)), whole.at)
		}
		return whole
	}
	if v := w.lookup(p.Param.Value, p.Index, s); v != nil && !v.Dynamic && !v.Home {
		return literal(strconv.Itoa(utf8.RuneCountInString(v.Text)), whole.at)
	}
	return whole
}

// element returns an element of an array.
func (w *walker) element(it *binding, index syntax.ArithmExpr, s *scope) *argument {
	i, ok := int64(0), true
	if index != nil {
		i, ok = w.number(index, s)
	}
	switch {
	case !ok:
		return nil
	case i < 0 && firstUncertain(it.list) >= 0:
		return nil
	case i < 0:
		i += int64(len(it.list))
	}
	return w.nthElement(it.list, int(min(max(i, -1), maxText)), s)
}

// nthElement returns an element of a list, nil where it isn't known.
func (w *walker) nthElement(list []argument, i int, s *scope) *argument {
	switch at := firstUncertain(list); {
	case at >= 0 && i > at:
		return nil
	case i < 0 || i >= len(list):
		return &argument{at: s.at}
	}
	return &list[i]
}

// firstUncertain returns where in list the first word is that may be several or none,
// -1 for nowhere. What stands behind isn't known by its number.
func firstUncertain(list []argument) int {
	for i := range list {
		if word := &list[i]; word.Dynamic && !word.Quoted || word.Glob || word.Dynamic && strings.HasPrefix(word.Text, "$@") {
			return i
		}
	}
	return -1
}

func (w *walker) array(node *syntax.Assign, s *scope) *binding {
	n := name{variable, node.Name.Value}
	var list []argument
	known := true
	if node.Append {
		it := w.choose(n)
		switch {
		case it == nil:
			known = false
		case !it.isList && !it.unset:
			list = []argument{it.word}
		default:
			list = it.list[:len(it.list):len(it.list)]
		}
	}
	known = w.spend(listCost*(len(list)+len(node.Array.Elems))) && known
	for _, element := range node.Array.Elems {
		if element.Index != nil || element.Value == nil {
			known = false
			w.subscript(element.Index, s)
			if element.Value != nil {
				w.value(element.Value, s)
			}
			continue
		}
		list = w.fields(list, element.Value, s)
	}
	if !known {
		return unknownBinding
	}
	return &binding{list: list, isList: true}
}

// indexed returns an array with one more element, or with another one in its
// place.
func (w *walker) indexed(node *syntax.Assign, s *scope) *binding {
	v := w.value(node.Value, s)
	i, ok := w.number(node.Index, s)
	it := w.choose(name{variable, node.Name.Value})
	if it == nil || !ok || i < 0 || !it.isList && !it.unset || i > int64(len(it.list)) || node.Append || !w.spend(listCost*len(it.list)) {
		return unknownBinding
	}
	list := append([]argument(nil), it.list...)
	if i == int64(len(list)) {
		list = append(list, v)
	}
	list[i] = v
	return &binding{list: list, isList: true}
}

// firstElement returns an array of which the first element is assigned to,
// which is what a=x does to it.
func (w *walker) firstElement(it *binding, v argument, appends bool) *binding {
	if firstUncertain(it.list) == 0 || !w.spend(listCost*len(it.list)) {
		return unknownBinding
	}
	list := append([]argument(nil), it.list...)
	if len(list) == 0 {
		list = []argument{v}
	} else if appends {
		list[0], _ = concatenate([]argument{list[0], v}, "")
	} else {
		list[0] = v
	}
	return &binding{list: list, isList: true}
}
