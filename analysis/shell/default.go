package shell

import (
	"mvdan.cc/sh/v3/syntax"
)

func hasSingleQuotes(word *syntax.Word) bool {
	if word == nil {
		return false
	}
	for _, part := range word.Parts {
		if quoted, ok := part.(*syntax.SglQuoted); ok && !quoted.Dollar {
			return true
		}
	}
	return false
}

func isDefault(op syntax.ParExpOperator) bool {
	switch op {
	case syntax.AlternateUnset, syntax.AlternateUnsetOrNull, syntax.DefaultUnset, syntax.DefaultUnsetOrNull,
		syntax.ErrorUnset, syntax.ErrorUnsetOrNull, syntax.AssignUnset, syntax.AssignUnsetOrNull:
		return true
	}
	return false
}

// byDefault returns ${name:-word} and its kin. Where it isn't known whether the
// name is set, both values are possible.
func (w *walker) byDefault(p *syntax.ParamExp, text string, v *argument, whole argument, s *scope) argument {
	set, sure := true, v != nil
	if sure && !v.Dynamic && !v.Home {
		empty := v.Text == ""
		switch p.Exp.Op {
		case syntax.AlternateUnsetOrNull, syntax.DefaultUnsetOrNull, syntax.ErrorUnsetOrNull, syntax.AssignUnsetOrNull:
			set = !empty
		default:
			it := w.choose(name{variable, text})
			set = it == nil || !it.gone
			if it == nil && empty { // a parameter that isn't there
				set = false
			}
		}
	} else if sure && v.Dynamic {
		sure = false
	}
	value := whole
	if v != nil {
		value = *v
	}
	switch p.Exp.Op {
	case syntax.ErrorUnset, syntax.ErrorUnsetOrNull:
		if !sure || !set {
			w.operand(p, s) // of what is said then
		}
		return value
	case syntax.AlternateUnset, syntax.AlternateUnsetOrNull:
		switch {
		case !sure:
			return w.either(p, argument{at: whole.at}, w.operand(p, s))
		case set:
			return w.operand(p, s)
		}
		return argument{at: whole.at}
	}
	if sure && set {
		return value
	}
	other := w.operand(p, s)
	if p.Exp.Op == syntax.AssignUnset || p.Exp.Op == syntax.AssignUnsetOrNull {
		if !sure {
			w.env.set(name{variable, text}, &binding{word: value}, &binding{word: other})
		} else {
			w.env.set(name{variable, text}, &binding{word: other})
		}
	}
	if sure {
		return other
	}
	return w.either(p, value, other)
}

func (w *walker) operand(p *syntax.ParamExp, s *scope) argument {
	if p.Exp.Word == nil {
		return argument{at: s.at}
	}
	return w.value(p.Exp.Word, s)
}

// either returns one of two values in each walk.
func (w *walker) either(p *syntax.ParamExp, a, b argument) argument {
	items := w.both[p]
	if items == nil {
		if w.both == nil {
			w.both = map[*syntax.ParamExp][]*binding{}
		}
		items = []*binding{{word: a}, {word: b}}
		w.both[p] = items
	}
	items[0].word, items[1].word = a, b
	if it := w.chosen(items); it != nil {
		return it.word
	}
	b.Text, b.Dynamic, b.dynamic, b.Home = a.Text, true, a.dynamic, false
	return b
}
