package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// substitute reports the commands of $(...), and returns what they write.
func (w *walker) substitute(x *syntax.CmdSubst, s *scope) argument {
	at, source := s.place(x.Pos()), slice(s.source, x)
	whole := unknowable(source, at)
	if s.seen(x) {
		return whole
	}
	if text, ok := w.readsFile(x, s); ok {
		return trimmed(text, whole)
	}
	out := w.inside("$()", x.Stmts, nil, s)
	return trimmed(out.value(at), whole)
}

// trimmed is what a substitution puts in: the output without the newlines at
// its end, or the source where that isn't known.
func trimmed(text, whole argument) argument {
	if text.Dynamic && len(text.dynamic) == 0 || strings.IndexByte(text.Text, 0) >= 0 {
		whole.from = text.from
		if text.Text == "" && onlyMktemp(text.from) {
			whole.isTemporary()
		}
		return whole
	}
	text.Text = strings.TrimRight(text.Text, "\n")
	text.at = whole.at
	return text
}

// readsFile is $(<file).
func (w *walker) readsFile(x *syntax.CmdSubst, s *scope) (argument, bool) {
	if len(x.Stmts) != 1 || x.Stmts[0].Cmd != nil || len(x.Stmts[0].Redirs) != 1 || x.Stmts[0].Redirs[0].Op != syntax.RdrIn {
		return argument{}, false
	}
	text := w.fileInput(w.value(x.Stmts[0].Redirs[0].Word, s), s)
	if text == nil {
		return argument{}, false
	}
	return *text, true
}

// inside walks the commands of a substitution, and returns what they write.
func (w *walker) inside(via string, stmts []*syntax.Stmt, input *argument, s *scope) *capture {
	inner := s.through(via)
	inner.depth-- // bounded by the parser, unlike wrappers
	inner.context, inner.pipe = "substitution", 0
	inner.assigned, inner.shared, inner.input = nil, nil, input
	inner.external = false
	out := &capture{}
	inner.out = out
	w.capturing(func() { w.subshell(func() { w.stmts(stmts, &inner) }) })
	return out
}

// process puts <(...) or >(...) in: the name of a file that is only known at
// run time, but not what is in it.
func (e *expander) process(x *syntax.ProcSubst) {
	v := unknowable(slice(e.s.source, x), e.at)
	if !e.s.seen(x) {
		reads := x.Op == syntax.CmdIn || x.Op == syntax.CmdInTemp
		var input *argument // what is written to the file, which comes later
		if !reads {
			input = &argument{Word: Word{Dynamic: true}, at: e.at}
		}
		out := e.w.inside(x.Op.String()+")", x.Stmts, input, e.s).value(e.at)
		if reads {
			v.file, v.from = &out, out.from
		}
	}
	e.add(v, inDoubleQuotes)
	e.word.file = v.file
}

// pattern walks the substitutions in an extended glob, which the parser leaves
// as text.
func (w *walker) pattern(pattern *syntax.Lit, s scope) {
	if !strings.ContainsAny(pattern.Value, "$`") || !w.spend(textCost*len(pattern.Value)) {
		return
	}
	s.at, s.nested = s.place(pattern.Pos()), true
	s.source = pattern.Value
	// Read as a here-document, in which quotes mean nothing, this finds
	// substitutions in single quotes too: better too many than too few.
	if document := w.parseDocument(pattern.Value); document != nil {
		w.value(document, &s)
	}
}
