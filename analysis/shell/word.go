package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// words returns what list expands to, as far as it can be known: there may be
// more or fewer words than in list.
func (w *walker) words(list []*syntax.Word, s *scope) []argument {
	// Lists are cut from a larger one, because there are many short ones.
	if len(list) > len(w.spare) {
		w.chunk = min(2*w.chunk+8, 64)
		w.spare = make([]argument, max(len(list), w.chunk))
	}
	args := w.spare[:0:len(list)]
	w.spare = w.spare[len(list):]
	for _, word := range list {
		if w.line.TooComplex {
			break
		}
		args = w.fields(args, word, s)
	}
	return args
}

// fields appends what x expands to as words of a command.
func (w *walker) fields(args []argument, x *syntax.Word, s *scope) []argument {
	if len(x.Parts) == 1 {
		if lit, ok := x.Parts[0].(*syntax.Lit); ok && len(s.walked) == 0 && plain(lit.Value) {
			return append(args, argument{Word: Word{Text: lit.Value}, at: s.place(x.Pos())})
		}
	}
	words, ok := w.braces(x, s)
	if !ok {
		kept := w.value(x, s)
		kept.Dynamic = true
		kept.dynamic = append(kept.dynamic, kept.Text)
		return append(args, kept)
	}
	for _, parts := range words {
		e := expander{w: w, s: s, at: s.place(x.Pos()), split: true, bracket: -1, fields: args}
		e.parts(parts, unquoted)
		args = e.finish()
	}
	return args
}

// plain reports whether a literal stands for itself.
func plain(text string) bool { return !strings.ContainsAny(text, "\\*?[~{}") }

// value returns x as one word, as in an assignment: it isn't split, and its
// braces and globs mean nothing.
func (w *walker) value(x *syntax.Word, s *scope) argument {
	if x == nil || len(x.Parts) == 0 {
		return argument{at: s.at}
	}
	return w.joined(x.Parts, s.place(x.Pos()), unquoted, s)
}

// assignedValue is value with the home folder put in behind each ":" too.
func (w *walker) assignedValue(x *syntax.Word, s *scope) argument {
	if x == nil || len(x.Parts) == 0 {
		return argument{at: s.at}
	}
	e := expander{w: w, s: s, at: s.place(x.Pos()), bracket: -1, open: true, assigns: true}
	e.parts(x.Parts, unquoted)
	return e.finish()[0]
}

// joined expands parts to one word.
func (w *walker) joined(parts []syntax.WordPart, at place, q quoting, s *scope) argument {
	e := expander{w: w, s: s, at: at, bracket: -1, open: true}
	e.parts(parts, q)
	return e.finish()[0]
}

// document returns the body of a here-document as the program gets it.
func (w *walker) document(redirect *syntax.Redirect, s *scope) argument {
	at := s.place(redirect.OpPos)
	if redirect.Hdoc == nil {
		return argument{at: at}
	}
	q := inHereDocument
	for _, part := range redirect.Word.Parts {
		lit, ok := part.(*syntax.Lit)
		if !ok || strings.Contains(lit.Value, `\`) {
			q = verbatim // a delimiter with a quoted part: nothing is expanded
		}
	}
	body := w.joined(redirect.Hdoc.Parts, at, q, s)
	if redirect.Op == syntax.DashHdoc {
		lines := strings.Split(body.Text, "\n")
		for i := range lines {
			lines[i] = strings.TrimLeft(lines[i], "\t")
		}
		body.Text = strings.Join(lines, "\n")
	}
	return body
}

// quoting is what a literal stands in, which decides what a backslash means.
type quoting int

const (
	unquoted quoting = iota
	inDoubleQuotes
	inHereDocument
	verbatim
)

// expander makes words of the parts of one.
type expander struct {
	w       *walker
	s       *scope
	at      place
	split   bool // unquoted values are split into words
	assigns bool // it's assigned to a variable
	fields  []argument
	text    []byte
	word    argument // what is known of the word under way but its text
	open    bool     // there is a word under way, even if it's empty
	bracket int      // where in text an unquoted "[" is, -1 for nowhere
}

// cut ends the word under way.
func (e *expander) cut() {
	if !e.open && len(e.text) == 0 {
		return
	}
	word := e.word
	word.Text, word.at = string(e.text), e.at
	if len(e.s.walked) > 0 && e.w.spend(len(e.s.walked)) {
		for _, source := range e.s.walked {
			if !word.Dynamic && strings.Contains(word.Text, source) {
				word.leadsTo(source)
				word.Dynamic = true
				word.dynamic = append(word.dynamic, source)
			}
		}
	}
	e.fields = append(e.fields, word)
	e.text, e.word, e.open, e.bracket = e.text[:0], argument{}, false, -1
}

func (e *expander) finish() []argument {
	e.cut()
	return e.fields
}

func (e *expander) parts(parts []syntax.WordPart, q quoting) {
	for i, part := range parts {
		if e.w.line.TooComplex {
			return
		}
		switch part := part.(type) {
		case *syntax.Lit:
			text := part.Value
			if i == 0 && q == unquoted && len(e.text) == 0 && strings.HasPrefix(text, "~") {
				text = e.tilde(text, len(parts) == 1)
			}
			if q == unquoted && strings.Contains(text, "~") {
				text = e.innerTildes(text, i == 0, i == len(parts)-1)
			}
			e.literal(text, q)
		case *syntax.SglQuoted:
			e.open, e.word.Quoted = true, true
			if part.Dollar {
				e.text = append(e.text, decodeANSI(part.Value)...)
			} else {
				e.text = append(e.text, part.Value...)
			}
		case *syntax.DblQuoted:
			e.word.Quoted = true
			if !onlyList(part.Parts) {
				e.open = true
			}
			e.parts(part.Parts, inDoubleQuotes)
		case *syntax.ParamExp:
			e.parameter(part, q)
		case *syntax.CmdSubst:
			e.add(e.w.substitute(part, e.s), q)
		case *syntax.ArithmExp:
			e.add(e.w.arithmetic(part, e.s), q)
		case *syntax.ProcSubst:
			e.process(part)
		case *syntax.ExtGlob:
			e.w.pattern(part.Pattern, *e.s)
			e.word.Glob = true
			source := slice(e.s.source, part)
			if strings.ContainsAny(part.Pattern.Value, "$`") {
				e.word.Dynamic = true
			}
			e.text = append(e.text, source...)
		default:
			e.add(unknowable(slice(e.s.source, part), e.at), inDoubleQuotes)
		}
	}
}

// onlyList reports whether quotes hold "$@" alone, which may be no word at all.
func onlyList(parts []syntax.WordPart) bool {
	if len(parts) != 1 {
		return false
	}
	p, ok := parts[0].(*syntax.ParamExp)
	return ok && isAll(p, "@")
}

// literal adds text that the parser left as written.
func (e *expander) literal(text string, q quoting) {
	if q == verbatim {
		e.text = append(e.text, text...)
		return
	}
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c == '\\' && i+1 < len(text) {
			next := text[i+1]
			switch {
			case next == '\n': // a continued line
				i++
				continue
			case q == unquoted,
				strings.IndexByte("$`\\", next) >= 0,
				next == '"' && q == inDoubleQuotes:
				e.open, e.word.Quoted = true, true
				e.text = append(e.text, next)
				i++
				continue
			}
		}
		if q == unquoted {
			e.pattern(c)
		}
		e.text = append(e.text, c)
	}
}

// pattern notes what an unquoted character means in a file name pattern.
func (e *expander) pattern(c byte) {
	switch c {
	case '*', '?':
		e.word.Glob = true
	case '[':
		if e.bracket < 0 {
			e.bracket = len(e.text)
		}
	case ']':
		// "[]" and a lone "[", the command, aren't patterns.
		if e.bracket >= 0 && len(e.text) > e.bracket+1 {
			e.word.Glob = true
		}
	}
}

// slice returns the source of node. It is careful because the parser's
// positions are unknown where it recovered from an error.
func slice(source string, node syntax.Node) string {
	start, end := node.Pos(), node.End()
	from, to := int(start.Offset()), int(end.Offset())
	if !start.IsValid() || !end.IsValid() || from > to || to > len(source) {
		return "$"
	}
	return source[from:to]
}
