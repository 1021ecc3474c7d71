package shell

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// assign lets a variable stand for it, nil for what isn't known. A variable
// that was exported stays so.
func (w *walker) assign(text string, it *binding) {
	n := name{variable, text}
	if attribute, ok := w.attributes[text]; ok {
		if attribute.target != "" {
			w.assign(attribute.target, it)
			return
		}
		if it != nil && attribute.changes { // it may be evaluated as a number
			w.reexpand(it.word, "$(())", scope{at: it.word.at})
		}
		it = nil
	}
	if it == nil {
		w.env.forget(n)
		return
	}
	if !it.exported && w.exported(n) {
		it.exported = true
	}
	w.env.set(n, it)
}

func (w *walker) exported(n name) bool {
	if n.text == "HOME" || n.text == "PATH" {
		return true
	}
	for _, it := range w.env.get(n) {
		if it.exported {
			return true
		}
	}
	return false
}

// assignments carries those out that stand before a command or alone, and
// returns them. Those before a command hold for it only: keep isn't set then.
func (w *walker) assignments(list []*syntax.Assign, keep bool, s *scope) []Assignment {
	if len(list) == 0 {
		return nil
	}
	assigned := make([]Assignment, 0, len(list))
	for _, node := range list {
		if node.Name == nil {
			continue
		}
		it := w.assigned(node, s)
		a := Assignment{Name: node.Name.Value, Append: node.Append, Value: it.word.Word}
		switch {
		case node.Array != nil || node.Index != nil:
			a.Value = Word{Text: sourceOf(s.source, node), Dynamic: true}
		default: // what is written, not what it makes
			a.Value = w.lastValue.Word
		}
		assigned = append(assigned, a)
		if isPrompt(node.Name.Value) {
			w.reexpand(w.lastValue, node.Name.Value, *s)
		}
		if keep {
			w.assignNode(node, it)
		}
	}
	return assigned
}

func (w *walker) assignNode(node *syntax.Assign, it *binding) {
	if it.unknown {
		it = nil
	}
	w.assign(node.Name.Value, it)
}

// assigned returns what the variable of node stands for once it's assigned.
func (w *walker) assigned(node *syntax.Assign, s *scope) *binding {
	at := s.place(node.Pos())
	text := node.Name.Value
	switch {
	case node.Array != nil:
		return w.array(node, s)
	case node.Index != nil:
		return w.indexed(node, s)
	}
	v := w.assignedValue(node.Value, s)
	v.at = at
	if v.Glob { // a variable holds the pattern, which is one where it's used
		v.Glob = false
	}
	w.lastValue = v
	if it := w.choose(name{variable, text}); it != nil && it.isList {
		return w.firstElement(it, v, node.Append)
	}
	if !node.Append {
		return &binding{word: v}
	}
	before := w.lookup(text, nil, s)
	if before == nil {
		unknown := unknowable("$"+text, at)
		before = &unknown
	}
	joined, _ := concatenate([]argument{*before, v}, "")
	joined.Home = before.Home
	if len(joined.Text) > maxText || !w.spend(len(joined.Text)/16) {
		return unknownBinding
	}
	return &binding{word: joined}
}

// declaration carries declare, export and the like out, and returns their
// arguments, which the parser reads as assignments, as the words that they
// are.
func (w *walker) declaration(c *syntax.DeclClause, s *scope) []argument {
	args := make([]argument, 0, len(c.Args))
	exports, removes, global := c.Variant.Value == "export", false, false
	var attribute attribute
	attribute.refers = c.Variant.Value == "nameref"
	var carryOut []func() // once all words are expanded
	later := func(f func()) { carryOut = append(carryOut, f) }
	for _, node := range c.Args {
		switch {
		case node.Name == nil:
			for _, option := range w.fields(nil, node.Value, s) {
				args = append(args, option)
				if strings.HasPrefix(option.Text, "-") {
					exports = exports || strings.Contains(option.Text, "x")
					global = global || strings.Contains(option.Text, "g")
					removes = removes || strings.ContainsAny(option.Text, "fFpA") || exports && strings.Contains(option.Text, "n")
					attribute.read(option.Text)
				} else if strings.HasPrefix(option.Text, "+") {
					attribute.read(option.Text)
				} else if text, v, ok := strings.Cut(option.Text, "="); ok && syntax.ValidName(text) {
					v := argument{Word: Word{Text: v, Dynamic: option.Dynamic}, at: option.at, dynamic: option.dynamic}
					later(func() { w.assign(text, &binding{word: v, exported: exports}) })
				}
			}
		case node.Naked:
			w.attribute(node.Name.Value, attribute, s)
			args = append(args, literal(node.Name.Value, s.place(node.Pos())))
			later(func() { w.declare(c.Variant.Value, node.Name.Value, exports, removes) })
		default:
			w.attribute(node.Name.Value, attribute, s)
			it := w.assigned(node, s)
			if isPrompt(node.Name.Value) {
				w.reexpand(w.lastValue, node.Name.Value, *s)
			}
			if node.Value != nil && strings.Contains(sourceOf(s.source, node.Value), "{") && !node.Append {
				if words, ok := w.braces(node.Value, s); ok && len(words) > 1 { // a=x a=y
					it = &binding{word: w.oneWord(words[len(words)-1], s.place(node.Pos()), unquoted, s)}
				}
			}
			written := w.lastValue
			args = append(args, assignmentWord(node, written, s))
			later(func() {
				if global && w.inFunction() { // what the function may have under that name stays
					w.assign(node.Name.Value, nil)
					return
				}
				w.declareValue(c.Variant.Value, node.Name.Value, it, written, attribute.refers, exports, removes)
			})
		}
	}
	for _, f := range carryOut {
		f()
	}
	return args
}

// declareValue carries out what a declaration with a value does.
func (w *walker) declareValue(variant, text string, it *binding, written argument, refers, exports, removes bool) {
	if variant == "local" || variant != "export" && w.inFunction() {
		w.local(text)
	}
	switch {
	case refers:
		w.setReference(text, written)
	case it.unknown || removes:
		w.assign(text, nil)
	default:
		it.exported = exports
		w.assign(text, it)
	}
}

// declare carries out what a declaration does to a name without a value.
func (w *walker) declare(variant, text string, exports, removes bool) {
	n := name{variable, text}
	switch {
	case removes && exports: // export -f, or -n
		w.env.forget(n)
	case variant == "local", variant != "export" && variant != "readonly" && w.inFunction():
		if w.isLocal(text) {
			return // it keeps what the call assigned
		}
		w.local(text)
		w.env.set(n, &binding{unset: true})
	case exports:
		var items []*binding
		for _, it := range w.env.get(n) {
			copied := *it
			copied.exported = true
			items = append(items, &copied)
		}
		if items != nil {
			w.env.set(n, items...)
		}
	}
}

// assignmentWord is an assignment as the word that it is.
func assignmentWord(node *syntax.Assign, v argument, s *scope) argument {
	at := s.place(node.Pos())
	if node.Array != nil || node.Index != nil {
		return argument{Word: Word{Text: sourceOf(s.source, node), Dynamic: true}, at: at}
	}
	operator := "="
	if node.Append {
		operator = "+="
	}
	v.Text, v.at = node.Name.Value+operator+v.Text, at
	v.Home = false
	return v
}

// attribute is what declare makes of a variable beside its value.
type attribute struct {
	refers  bool   // it stands for another variable
	target  string // which one, where that is known
	changes bool   // what is assigned to it may be changed, as by declare -i
}

// read notes the attributes among the options of declare.
func (a *attribute) read(option string) {
	a.refers = a.refers || strings.Contains(option, "n")
	a.changes = a.changes || option[0] == '+' || strings.ContainsAny(option, "lui")
}

// attribute gives a variable an attribute. Once it has one, it keeps it for the rest of
// the line.
func (w *walker) attribute(text string, a attribute, s *scope) {
	if a == (attribute{}) {
		return
	}
	if w.attributes == nil {
		w.attributes = map[string]attribute{}
	}
	a.changes = a.changes || s.context != "" || w.inFunction()
	w.attributes[text] = a
}

// setReference lets a variable stand for the one that is named by to.
func (w *walker) setReference(text string, to argument) {
	a := w.attributes[text]
	w.subscripted(to, &scope{at: to.at})
	if !a.changes && !to.Dynamic && syntax.ValidName(to.Text) && to.Text != text && w.attributes[to.Text].target == "" {
		a.target = to.Text
	}
	w.attributes[text] = a
	w.env.forget(name{variable, text})
}

// referredName is the variable that a name is for.
func (w *walker) referredName(text string) string {
	if a := w.attributes[text]; a.target != "" {
		return a.target
	}
	return text
}

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
		e.word.Glob = e.word.Glob || element.Glob // what the shell has found is the element
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
