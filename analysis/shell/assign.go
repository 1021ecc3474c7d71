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
	if attribute, ok := w.attributes[text]; ok && !attribute.isPlain() {
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
	it.exported = it.exported || w.exported(n) || w.exportsAll()
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

// exportsAll reports whether set -a may be in force.
func (w *walker) exportsAll() bool { return len(w.env.get(name{kind: exportsAll})) > 0 }

// exportFunctions is export -f, by which a nested shell has the functions too.
func (w *walker) exportFunctions(args []argument) {
	exported := true
	for _, arg := range args {
		if strings.HasPrefix(arg.Text, "-") {
			exported = exported && !strings.Contains(arg.Text, "n")
			continue
		}
		n := name{function, arg.Text}
		var items []*binding
		for _, it := range w.env.get(n) {
			copied := *it
			copied.exported = exported
			items = append(items, &copied)
		}
		if items != nil {
			w.env.set(n, items...)
		}
	}
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
			a.Value, a.from, a.file = w.lastValue.Word, w.lastValue.from, w.lastValue.file
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
	exports, removes, global, functions := c.Variant.Value == "export", false, false, false
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
					functions = functions || strings.Contains(option.Text, "f")
					removes = removes || strings.ContainsAny(option.Text, "fFp") || exports && strings.Contains(option.Text, "n")
					attribute.read(option.Text)
				} else if strings.HasPrefix(option.Text, "+") {
					attribute.read(option.Text)
				} else if text, v, ok := strings.Cut(option.Text, "="); ok && syntax.ValidName(text) {
					v := argument{Word: Word{Text: v, Dynamic: option.Dynamic}, at: option.at, dynamic: option.dynamic}
					later(func() { w.assign(text, &binding{word: v, exported: exports}) })
				} else if ok {
					v := argument{Word: Word{Text: v, Dynamic: option.Dynamic}, at: option.at, dynamic: option.dynamic}
					scope := *s // so that only this one is kept
					later(func() { w.assignElement(text, v, true, &scope) })
				}
			}
		case node.Naked:
			w.attribute(node.Name.Value, attribute, s)
			args = append(args, literal(node.Name.Value, s.place(node.Pos())))
			later(func() {
				if !functions {
					w.declare(c.Variant.Value, node.Name.Value, exports, removes)
				}
			})
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
	if functions && exports {
		w.exportFunctions(args)
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
	case removes && exports: // export -n
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
	keyed   bool   // it is an associative array
}

// isPlain reports whether a variable keeps what is assigned to it.
func (a attribute) isPlain() bool { return !a.refers && !a.changes && a.target == "" }

// read notes the attributes among the options of declare.
func (a *attribute) read(option string) {
	a.refers = a.refers || strings.Contains(option, "n")
	a.changes = a.changes || option[0] == '+' || strings.ContainsAny(option, "lui")
	a.keyed = a.keyed || option[0] == '-' && strings.Contains(option, "A")
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
	a.changes = a.changes || !a.isPlain() && (s.context != "" || w.inFunction())
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
	if p.Excl && p.Param != nil && (indexIs(p.Index, "@") || indexIs(p.Index, "*")) && !s.isExpanded(p) { // ${!name[@]}
		it := w.choose(name{variable, p.Param.Value})
		if it == nil || !it.isList || firstUncertain(it.list) >= 0 || !w.spend(listCost*len(it.list)) {
			return nil, false
		}
		return it.subscripts(s), true
	}
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
		it := w.choose(name{variable, w.referredName(p.Param.Value)})
		sparse := it != nil && it.at != nil
		length := len(list)
		if sparse {
			length = it.next()
		}
		from, to, ok := w.bounds(p.Slice, length, s)
		if !ok || from < 0 || to < from {
			return nil, false
		}
		if sparse { // it begins at a number, and counts elements from there
			first, _ := it.find(subscript{number: from})
			from, to = first, min(first+to-from, len(list))
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
