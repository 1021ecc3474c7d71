package shell

import (
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// edit returns v as ${name#x}, ${name/x/y} and the like change it.
func (w *walker) edit(p *syntax.ParamExp, v argument, s *scope) (argument, bool) {
	if v.Dynamic || v.Home {
		return v, false
	}
	if p.Slice != nil {
		runes := []rune(v.Text)
		from, to, ok := w.bounds(p.Slice, len(runes), s)
		if !ok || !w.spend(len(v.Text)/4) {
			return v, false
		}
		v.Text = string(runes[from:max(from, to)])
		return v, true
	}
	if p.Repl != nil {
		return w.replace(p.Repl, v, s)
	}
	if p.Exp == nil {
		return v, true
	}
	if p.Exp.Op == syntax.OtherParamOps && p.Exp.Word.Lit() == "P" {
		w.reexpand(v, "@P", *s)
		return v, false
	}
	operand := w.operand(p, s)
	if operand.Dynamic || operand.Home {
		return v, false
	}
	text, ok := trim(p.Exp.Op, v.Text, operand)
	v.Text = text
	return v, ok && w.spend(len(v.Text)/16)
}

// bounds returns the part of a value of length n that a slice is for.
func (w *walker) bounds(sl *syntax.Slice, n int, s *scope) (from, to int, ok bool) {
	read := func(x syntax.ArithmExpr, absent int) int {
		if x == nil {
			return absent
		}
		i, known := w.number(x, s)
		ok = ok && known
		return int(min(max(i, -maxText), maxText))
	}
	ok = true
	if from = read(sl.Offset, 0); from < 0 {
		if from += n; from < 0 {
			return 0, 0, ok
		}
	}
	from = min(from, n)
	length := read(sl.Length, n)
	if to = min(from+length, n); length < 0 {
		to = max(n+length, from)
	}
	return from, to, ok
}

func (w *walker) replace(r *syntax.Replace, v argument, s *scope) (argument, bool) {
	from, to := w.value(r.Orig, s), argument{}
	if r.With != nil {
		to = w.value(r.With, s)
	}
	if from.Dynamic || to.Dynamic || from.Home || to.Home || from.Text == "" || strings.ContainsAny(from.Text, `*?[\(&`) || strings.Contains(to.Text, "&") {
		return v, false
	}
	times := 1
	if r.All {
		times = -1
	}
	switch from.Text[0] {
	case '#', '%': // anchored
		return v, false
	}
	if !w.spend(len(v.Text)/4 + strings.Count(v.Text, from.Text)*len(to.Text)/4) {
		return v, false
	}
	v.Text = strings.Replace(v.Text, from.Text, to.Text, times)
	return v, true
}

// trim applies an operator such as # to text. It knows patterns that are
// literal but for a star at one end.
func trim(op syntax.ParExpOperator, text string, operand argument) (string, bool) {
	pattern := operand.Text
	switch op {
	case syntax.UpperAll, syntax.LowerAll, syntax.UpperFirst, syntax.LowerFirst:
		if pattern != "" {
			return text, false
		}
		if text == "" {
			return text, true
		}
		first, size := utf8.DecodeRuneInString(text)
		switch op {
		case syntax.UpperAll:
			return strings.ToUpper(text), true
		case syntax.LowerAll:
			return strings.ToLower(text), true
		case syntax.UpperFirst:
			return strings.ToUpper(string(first)) + text[size:], true
		}
		return strings.ToLower(string(first)) + text[size:], true
	}
	if operand.Quoted && operand.Glob {
		return text, false
	}
	prefix := op == syntax.RemSmallPrefix || op == syntax.RemLargePrefix
	suffix := op == syntax.RemSmallSuffix || op == syntax.RemLargeSuffix
	large := op == syntax.RemLargePrefix || op == syntax.RemLargeSuffix
	literal := pattern
	star := false
	if operand.Glob {
		if prefix {
			literal, star = strings.CutPrefix(pattern, "*")
		} else {
			literal, star = strings.CutSuffix(pattern, "*")
		}
		if strings.ContainsAny(literal, `*?[\`) || strings.ContainsAny(literal, "(") {
			return text, false
		}
	}
	switch {
	case !prefix && !suffix || strings.Contains(pattern, "("):
		return text, false
	case prefix && !star:
		return strings.TrimPrefix(text, literal), true
	case suffix && !star:
		return strings.TrimSuffix(text, literal), true
	}
	at := strings.Index(text, literal)
	if prefix == large {
		at = strings.LastIndex(text, literal)
	}
	switch {
	case at < 0:
		return text, true
	case prefix:
		return text[at+len(literal):], true
	}
	return text[:at], true
}
