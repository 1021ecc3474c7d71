package command

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"mvdan.cc/sh/v3/syntax"
)

// mention is how a shell text speaks of one of our variables. The groups are the
// prefix and the name.
var mention = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\$\{?[#!]?(` + prefix + `)?(` + strings.Join(Names(), "|") + `)\b`)
})

// placeError is a place in a shell text that can't be used, from 1.
type placeError struct {
	line, column uint
	message      string
}

func (e *placeError) Error() string {
	return fmt.Sprintf("%d:%d: %s", e.line, e.column, e.message)
}

// edit replaces a part of a text, by bytes.
type edit struct {
	start, end int
	with       string
}

// quoteNames rewrites a shell text so that each plain $NAME and ${NAME} of ours is
// "${LUAHOOK_NAME}", in quotes wherever the shell would split its value into words.
// Everything else stays byte for byte. sh may be bash or less than it, so the text is
// read as both would.
func quoteNames(text string) (string, error) {
	if !mention().MatchString(text) {
		return text, nil
	}
	own := map[string]bool{}
	var files []*syntax.File
	var unreadable error
	for _, lang := range []syntax.LangVariant{syntax.LangPOSIX, syntax.LangBash} {
		file, err := parse(text, lang)
		if err != nil {
			unreadable = err
			continue
		}
		ownNames(own, file)
		files = append(files, file)
	}
	if len(files) == 0 {
		return "", unreadable
	}
	edits, err := editsOf(text, files[0], own)
	if err != nil {
		return "", err
	}
	for _, file := range files[1:] {
		others, err := editsOf(text, file, own)
		if err != nil {
			return "", err
		}
		if !slices.Equal(edits, others) {
			return "", &placeError{1, 1, "sh and bash read this text differently, and there are values of the event in it; put it into a file and run that"}
		}
	}
	var b strings.Builder
	end := 0
	for _, e := range edits {
		b.WriteString(text[end:e.start])
		b.WriteString(e.with)
		end = e.end
	}
	b.WriteString(text[end:])
	return b.String(), nil
}

// parse reads a text as one of the shells does. The error is a *placeError.
func parse(text string, lang syntax.LangVariant) (*syntax.File, error) {
	file, err := syntax.NewParser(syntax.Variant(lang)).Parse(strings.NewReader(text), "")
	if err == nil {
		return file, nil
	}
	e := &placeError{1, 1, err.Error()}
	var syntactic syntax.ParseError
	var foreign syntax.LangError
	switch {
	case errors.As(err, &syntactic):
		e.line, e.column, e.message = syntactic.Pos.Line(), syntactic.Pos.Col(), syntactic.Text
	case errors.As(err, &foreign):
		e.line, e.column, e.message = foreign.Pos.Line(), foreign.Pos.Col(), foreign.Feature+" is not in the shell's language"
	}
	e.message += "; sh would fail at it, so fix it, or put it into a file"
	return nil, e
}

// editsOf lists what is to be replaced, in the text's order. The error is a
// *placeError where a value would not stay a value. own are the names that the text
// sets itself.
func editsOf(text string, file *syntax.File, own map[string]bool) ([]edit, error) {
	r := &reader{text: text, own: own}
	syntax.Walk(file, r.visit)
	if r.err != nil {
		return nil, r.err
	}
	slices.SortFunc(r.edits, func(a, b edit) int { return a.start - b.start })
	return r.edits, nil
}

// reader goes through a parsed text.
type reader struct {
	text  string
	own   map[string]bool // names that the text sets itself
	stack []syntax.Node   // from the file down to the node that is visited
	edits []edit
	err   *placeError // the first
}

func (r *reader) visit(n syntax.Node) bool {
	if n == nil {
		r.stack = r.stack[:len(r.stack)-1]
		return true
	}
	r.stack = append(r.stack, n)
	switch n := n.(type) {
	case *syntax.ParamExp:
		r.parameter(n)
	case *syntax.CallExpr:
		r.call(n.Args)
	case *syntax.Stmt:
		r.statement(n)
	case *syntax.DeclClause:
		r.declaration(n)
	case *syntax.ExtGlob:
		r.refuseIn(n.Pattern, "isn't replaced in a pattern list; compare with == instead")
	}
	return true
}

func (r *reader) refuse(at syntax.Pos, format string, args ...any) {
	if r.err == nil {
		r.err = &placeError{at.Line(), at.Col(), fmt.Sprintf(format, args...)}
	}
}

// refuseIn refuses a node whose source speaks of one of our variables without the
// prefix, unless the text sets it itself.
func (r *reader) refuseIn(n syntax.Node, format string, args ...any) {
	if name := r.mentioned(n); name != "" {
		r.refuse(n.Pos(), "$"+name+" "+format, args...)
	}
}

func (r *reader) mentioned(n syntax.Node) string {
	for _, m := range mention().FindAllStringSubmatch(r.source(n), -1) {
		if m[1] == "" && !r.own[m[2]] {
			return m[2]
		}
	}
	return ""
}

// source is the text of a node, "" of an empty one.
func (r *reader) source(n syntax.Node) string {
	if w, ok := n.(*syntax.Word); ok && (w == nil || len(w.Parts) == 0) {
		return ""
	}
	return r.text[n.Pos().Offset():n.End().Offset()]
}

// parameter quotes a plain $NAME or ${NAME}.
func (r *reader) parameter(p *syntax.ParamExp) {
	if p.Param == nil {
		return
	}
	v, prefixed, ok := variableOf(p.Param.Value)
	if !ok || r.own[p.Param.Value] {
		return
	}
	start, end, source := int(p.Pos().Offset()), int(p.End().Offset()), r.source(p)
	plain := source == "$"+p.Param.Value || source == "${"+p.Param.Value+"}"
	where := r.place(p)
	switch {
	case prefixed && (!plain || where != unquoted):
		return // an ordinary variable of the shell, which the author has quoted or not
	case where == heading:
		return
	case where == backquoted:
		r.refuse(p.Pos(), "$%s can't be replaced between backquotes; write $(...) in their place", v.name)
		return
	case !plain:
		at := int(p.Param.Pos().Offset()) - start
		r.refuse(p.Pos(), "only $%s and ${%s} are replaced; write %s", v.name, v.name, source[:at]+prefix+source[at:])
		return
	case where == computed && !v.number:
		r.refuse(p.Pos(), "$%s would be evaluated here, and bash runs commands that stand in such a text", v.name)
		return
	}
	with := "${" + prefix + v.name + "}"
	if where == unquoted {
		with = `"` + with + `"`
	}
	r.edits = append(r.edits, edit{start, end, with})
}
