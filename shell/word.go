package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// words returns what list expands to, as far as it can be known: braces are
// expanded, so there may be more words than in list.
func (w *walker) words(list []*syntax.Word, s *scope) []argument {
	args := make([]argument, 0, len(list))
	for _, word := range list {
		args = w.expandBraces(args, word, s)
	}
	return args
}

// word returns x without expanding braces.
func word(x *syntax.Word, s *scope) argument {
	if x == nil || len(x.Parts) == 0 {
		return argument{at: s.at}
	}
	return render(x.Parts, s.place(x.Pos()), s)
}

func render(parts []syntax.WordPart, at place, s *scope) argument {
	arg := renderParts(parts, at, s)
	if s.mark != "" && strings.Contains(arg.Text, s.mark) {
		arg.Dynamic = true
		arg.dynamic = append(arg.dynamic, s.mark)
	}
	return arg
}

func renderParts(parts []syntax.WordPart, at place, s *scope) argument {
	if len(parts) == 1 {
		if lit, ok := parts[0].(*syntax.Lit); ok && !strings.ContainsAny(lit.Value, `\*?[`) {
			return argument{Word: Word{Text: lit.Value}, at: at}
		}
	}
	r := renderer{source: s.source, bracket: -1}
	r.parts(parts, unquoted)
	r.word.Text = r.text.String()
	return argument{Word: r.word, at: at, dynamic: r.dynamic}
}

// hereDocument returns the body of redirect as the program gets it.
func hereDocument(redirect *syntax.Redirect, s *scope) argument {
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
	r := renderer{source: s.source, bracket: -1}
	r.parts(redirect.Hdoc.Parts, q)
	r.word.Text = r.text.String()
	if redirect.Op == syntax.DashHdoc {
		lines := strings.Split(r.word.Text, "\n")
		for i := range lines {
			lines[i] = strings.TrimLeft(lines[i], "\t")
		}
		r.word.Text = strings.Join(lines, "\n")
	}
	return argument{Word: r.word, at: at, dynamic: r.dynamic}
}

// quoting is what a literal stands in, which decides what a backslash means.
type quoting int

const (
	unquoted quoting = iota
	inDoubleQuotes
	inHereDocument
	verbatim
)

// renderer collects the parts of one word.
type renderer struct {
	source  string
	text    strings.Builder
	word    Word
	dynamic []string
	bracket int // where in text an unquoted "[" is, -1 for nowhere
}

func (r *renderer) parts(parts []syntax.WordPart, q quoting) {
	for _, part := range parts {
		switch part := part.(type) {
		case *syntax.Lit:
			r.literal(part.Value, q)
		case *syntax.SglQuoted:
			r.word.Quoted = true
			if part.Dollar {
				r.text.WriteString(decodeANSI(part.Value))
			} else {
				r.text.WriteString(part.Value)
			}
		case *syntax.DblQuoted:
			r.word.Quoted = true
			r.parts(part.Parts, inDoubleQuotes)
		case *syntax.ExtGlob:
			r.word.Glob = true
			source := slice(r.source, part)
			r.text.WriteString(source)
			if strings.ContainsAny(part.Pattern.Value, "$`") {
				r.word.Dynamic = true
			}
		default:
			source := slice(r.source, part)
			r.text.WriteString(source)
			r.word.Dynamic = true
			r.dynamic = append(r.dynamic, source)
		}
	}
}

// literal adds text that the parser left as written.
func (r *renderer) literal(text string, q quoting) {
	if q == verbatim {
		r.text.WriteString(text)
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
				r.word.Quoted = true
				r.text.WriteByte(next)
				i++
				continue
			}
		}
		if q == unquoted {
			switch c {
			case '*', '?':
				r.word.Glob = true
			case '[':
				if r.bracket < 0 {
					r.bracket = r.text.Len()
				}
			case ']':
				// "[]" and a lone "[", the command, aren't patterns.
				if r.bracket >= 0 && r.text.Len() > r.bracket+1 {
					r.word.Glob = true
				}
			}
		}
		r.text.WriteByte(c)
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
