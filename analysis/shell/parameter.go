package shell

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// parameter puts $name, ${name} or ${name...} in.
func (e *expander) parameter(p *syntax.ParamExp, q quoting) {
	if list, ok := e.w.elements(p, e.s); ok {
		e.list(list, p, q)
		return
	}
	v := e.w.scalar(p, e.s)
	if q != unquoted && p.Exp != nil && isDefault(p.Exp.Op) && hasSingleQuotes(p.Exp.Word) {
		// Single quotes are text here, and what is between them is expanded.
		v = unknowable(slice(e.s.source, p), e.at)
	}
	// What a default or an alternative makes keeps its own quotes.
	if q == unquoted && e.split && p.Exp != nil && isDefault(p.Exp.Op) && v.Quoted {
		e.open, e.word.Quoted = true, true
		q = inDoubleQuotes
	}
	e.add(v, q)
}

// self is what $0 stands for.
func (w *walker) self(s *scope) argument { return w.variable("0", "$0", s) }

// scalar returns what p stands for as one value.
func (w *walker) scalar(p *syntax.ParamExp, s *scope) argument {
	source := slice(s.source, p)
	at := s.place(p.Pos())
	whole := unknowable(source, at)
	if s.seen(p) {
		return whole
	}
	if p.Param == nil || p.NestedParam != nil || p.Flags != nil || p.Width || p.IsSet || len(p.Modifiers) > 0 || p.Names != 0 {
		w.subscript(p.Index, s)
		w.operands(p, s)
		return whole
	}
	text := p.Param.Value
	if p.Excl {
		pointed := w.lookup(text, nil, s)
		if pointed == nil || pointed.Dynamic || !syntax.ValidName(pointed.Text) || pointed.Home {
			if pointed != nil {
				w.subscripted(*pointed, s)
			}
			w.subscript(p.Index, s)
			w.operands(p, s)
			return whole
		}
		text = pointed.Text
	}
	if p.Length {
		return w.length(p, whole, s)
	}
	v := w.lookup(text, p.Index, s)
	if v == nil && p.Repl == nil && p.Slice == nil && w.namesTemporary(text) {
		whole.isTemporary()
	}
	if v != nil && v.Quoted { // that is how it was written, which is over
		bare := *v
		bare.Quoted = false
		v = &bare
	}
	switch {
	case p.Exp != nil && isDefault(p.Exp.Op):
		return w.byDefault(p, text, v, whole, s)
	case v == nil:
		w.operands(p, s)
		whole.from = w.origin(text)
		return whole
	case p.Slice == nil && p.Repl == nil && p.Exp == nil:
		return *v
	case v.Dynamic || v.Home:
		w.operands(p, s)
		whole.from = v.from
		return whole
	}
	if changed, ok := w.edit(p, *v, s); ok {
		return changed
	}
	whole.from = v.from
	return whole
}

// subscript walks what stands in brackets behind a name that isn't known to be
// an array's, for the commands in it.
func (w *walker) subscript(index syntax.ArithmExpr, s *scope) {
	if index != nil && !indexIs(index, "@") && !indexIs(index, "*") {
		w.number(index, s)
	}
}

// operands walks the words behind the name and its subscript, for the commands in
// them.
func (w *walker) operands(p *syntax.ParamExp, s *scope) {
	if p.Exp != nil {
		w.operand(p, s)
	}
	if p.Repl != nil {
		w.value(p.Repl.Orig, s)
		w.value(p.Repl.With, s)
	}
	if p.Slice != nil {
		w.number(p.Slice.Offset, s)
		w.number(p.Slice.Length, s)
	}
}

// origin returns the commands whose output the value of a variable has, as far
// as that is all that's known of it.
func (w *walker) origin(text string) []*Command {
	var from []*Command
	for _, it := range w.env.get(name{variable, text}) {
		from = merge(from, it.word.from)
	}
	return from
}

// variable returns the value of a variable, with source where it isn't known.
func (w *walker) variable(text, source string, s *scope) argument {
	if v := w.lookup(text, nil, s); v != nil {
		return *v
	}
	return unknowable(source, s.at)
}

// lookup returns the value of a parameter, nil where it isn't known.
func (w *walker) lookup(text string, index syntax.ArithmExpr, s *scope) *argument {
	switch {
	case text == "":
		return nil
	case text == "0":
		if it := w.choose(nameOfParameters); it != nil && it.word.Text != "" {
			return &it.word
		}
		return nil
	case text[0] >= '1' && text[0] <= '9':
		i, err := strconv.Atoi(text)
		if it := w.choose(nameOfParameters); it != nil && err == nil {
			return w.nth(it.list, i-1, s)
		}
		return nil
	case text == "#":
		if it := w.choose(nameOfParameters); it != nil && loose(it.list) < 0 {
			v := literal(strconv.Itoa(len(it.list)), s.at)
			return &v
		}
		return nil
	case text == "@" || text == "*":
		return nil
	}
	n := name{variable, w.refersTo(text)}
	it := w.choose(n)
	if it == nil || !it.isList {
		w.subscript(index, s)
	}
	if it == nil {
		return w.special(n.text, n, s)
	}
	switch {
	case it.gone:
		return &argument{at: s.at}
	case it.isList:
		return w.element(it, index, s)
	case index != nil && !indexIs(index, "0"):
		return nil
	}
	return &it.word
}

// special returns the value that a shell itself gives a variable.
func (w *walker) special(text string, n name, s *scope) *argument {
	if _, changed := w.env.names[n]; changed {
		return nil
	}
	switch text {
	case "HOME":
		if home := w.home(); !home.Dynamic {
			return &home
		}
	case "PWD":
		if dir := w.dir(s); !dir.Dynamic && dir.Text != "." && (dir.Home || strings.HasPrefix(dir.Text, "/")) {
			return &dir
		}
	case "OLDPWD":
		if it := w.choose(name{folder, "-"}); it != nil && !it.word.Dynamic && strings.HasPrefix(it.word.Text, "/") {
			return &it.word
		}
	case "IFS":
		return &argument{Word: Word{Text: blanks}, at: s.at}
	}
	return nil
}
