package command

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"

	"github.com/luahook/luahook/internal/spelling"
)

// Commands of the shell that take names of variables.
var (
	setters  = []string{"read", "export", "readonly", "local", "declare", "typeset", "getopts", "mapfile", "readarray", "let"}
	naming   = []string{"read", "unset", "getopts", "mapfile", "readarray", "let"} // which evaluate their words as names or numbers
	declares = []string{"export", "readonly", "local", "declare", "typeset"}
)

// comparisons are the operators of [[ that evaluate their operands.
var comparisons = []string{"-eq", "-ne", "-lt", "-le", "-gt", "-ge"}

// ownNames adds the names that a text sets itself; they are the shell's then.
func ownNames(own map[string]bool, file *syntax.File) {
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Assign:
			if n.Name != nil {
				own[n.Name.Value] = true
			}
		case *syntax.WordIter:
			own[n.Name.Value] = true
		case *syntax.ParamExp:
			if n.Exp != nil && (n.Exp.Op == syntax.AssignUnset || n.Exp.Op == syntax.AssignUnsetOrNull) && n.Param != nil {
				own[n.Param.Value] = true
			}
		case *syntax.BinaryArithm:
			if n.Op >= syntax.AddAssgn && n.Op <= syntax.PowAssgn || n.Op == syntax.Assgn {
				own[arithmeticName(n.X)] = true
			}
		case *syntax.UnaryArithm:
			if n.Op == syntax.Inc || n.Op == syntax.Dec {
				own[arithmeticName(n.X)] = true
			}
		case *syntax.CallExpr:
			words := literals(n.Args)
			first := firstWord(words)
			printf := first < len(words) && words[first] == "printf"
			if first == len(words) || !(printf || slices.Contains(setters, words[first])) {
				break
			}
			for i, word := range words[first+1:] {
				if printf && words[first+i] != "-v" {
					continue
				}
				name, _, _ := strings.Cut(word, "=")
				own[strings.TrimSuffix(name, "+")] = true
			}
		}
		return true
	})
}

func arithmeticName(x syntax.ArithmExpr) string {
	if w, ok := x.(*syntax.Word); ok {
		return w.Lit()
	}
	return ""
}

// literals are the words as far as their text is known before they are expanded.
func literals(words []*syntax.Word) []string {
	list := make([]string, len(words))
	for i, w := range words {
		list[i], _ = literal(w.Parts)
	}
	return list
}

// literal is the text at the beginning of the parts that is known; whole reports whether
// that is all.
func literal(parts []syntax.WordPart) (text string, whole bool) {
	for _, p := range parts {
		switch p := p.(type) {
		case *syntax.Lit:
			text += strings.ReplaceAll(p.Value, `\`, "")
		case *syntax.SglQuoted:
			text += p.Value
		case *syntax.DblQuoted:
			inner, whole := literal(p.Parts)
			if text += inner; !whole {
				return text, false
			}
		default:
			return text, false
		}
	}
	return text, true
}

// call refuses the places of a command where the value of a variable would be run or
// evaluated by what reads it.
func (r *reader) call(args []*syntax.Word) {
	words := literals(args)
	first := firstWord(words)
	if first == len(args) {
		return
	}
	if name := r.parameterIn(args[first]); name != "" {
		r.refuse(args[first].Pos(), "the event would say which program is run here, as $%s; only $PROJECT_DIR may stand in a program's name", name)
	}
	for i := first + 1; i < len(args) && r.err == nil; i++ {
		if r.mentioned(args[i]) == "" {
			continue // as in most of a long list
		}
		before := words[i-1]
		program, code := codeOf(words, i)
		source := r.source(args[i])
		switch {
		case code:
			r.refuseIn(args[i], "would be run by %s as a part of its text; let that text read $"+prefix+r.mentioned(args[i])+" from the environment, in single quotes", program)
		case words[first] == "." || words[first] == "source":
			r.refuseIn(args[i], "would say which file is run here")
		case slices.Contains(naming, words[first]):
			r.refuseIn(args[i], "would be evaluated by %s as a name", words[first])
		case slices.Contains(declares, words[first]):
			r.assignment(args[i], source)
		case before == "-v" && slices.Contains([]string{"printf", "test", "["}, words[first]), before == "-R" && words[first] == "test":
			r.refuseIn(args[i], "would be evaluated by %s -v as a name", words[first])
		case words[first] == "[[" && (slices.Contains(comparisons, before) || (i+1 < len(words) && slices.Contains(comparisons, words[i+1]))):
			r.refuseIn(args[i], "would be evaluated as a number")
		}
	}
	if slices.ContainsFunc(words[first+1:], func(w string) bool { return isInteger(words[first], w) }) {
		for _, a := range args[first+1:] {
			r.refuseIn(a, "would be evaluated by %s as a number", words[first])
		}
	}
}

// isInteger reports whether an option of a declaration makes it evaluate values.
func isInteger(command, word string) bool {
	return slices.Contains(declares, command) && isOption(word) && strings.ContainsAny(word, "in")
}

// assignment refuses a word of a declaration in which the value would be a name.
func (r *reader) assignment(at syntax.Node, source string) {
	if dollar, equals := strings.IndexByte(source, '$'), strings.IndexByte(source, '='); dollar >= 0 && (equals < 0 || dollar < equals) {
		r.refuseIn(at, "would say which variable is set here")
	}
}

// declaration is call for bash's own reading of export, local and the like.
func (r *reader) declaration(d *syntax.DeclClause) {
	evaluates := false
	for _, a := range d.Args {
		if a.Naked && a.Name == nil && a.Value != nil {
			r.refuseIn(a.Value, "would say which variable is set here")
			option, _ := literal(a.Value.Parts)
			evaluates = evaluates || isInteger(d.Variant.Value, option)
		}
	}
	for _, a := range d.Args {
		if evaluates {
			r.refuseIn(a, "would be evaluated by %s as a number", d.Variant.Value)
		}
	}
}

// statement refuses values in a here-document that is the program of what reads it.
func (r *reader) statement(s *syntax.Stmt) {
	call, ok := s.Cmd.(*syntax.CallExpr)
	if !ok {
		return
	}
	program, reads := readsProgram(literals(call.Args))
	if !reads {
		return
	}
	for _, d := range s.Redirs {
		if d.Hdoc != nil {
			r.refuseIn(d.Hdoc, "would be run by %s as a part of its text; quote the word after << and let the text read the environment", program)
		}
		if d.Op == syntax.WordHdoc {
			r.refuseIn(d.Word, "would be run by %s as a part of its text", program)
		}
	}
}

// parameterIn is the first of the event's variables in a word that the word itself
// expands, not a command in it.
func (r *reader) parameterIn(w *syntax.Word) (name string) {
	syntax.Walk(w, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CmdSubst, *syntax.ProcSubst:
			return false
		case *syntax.ParamExp:
			if n.Param != nil && name == "" {
				if v, prefixed, ok := variableOf(n.Param.Value); ok && !prefixed && !v.path && !r.own[n.Param.Value] {
					name = v.name
				}
			}
		}
		return true
	})
	return name
}

// place is where in a shell text a parameter stands.
type place int

const (
	unquoted   place = iota // the shell splits the value into words
	quoted                  // within double quotes, or in the text of a here-document
	computed                // in arithmetic, or where a text is evaluated as such
	backquoted              // between backquotes, whose text is unescaped before it is read
	heading                 // in the word that ends a here-document, where nothing is expanded
)

// place finds out where the parameter on top of the stack stands.
func (r *reader) place(p *syntax.ParamExp) place {
	found, settled := unquoted, false
	for i := len(r.stack) - 2; i >= 0; i-- {
		if s, ok := r.stack[i].(*syntax.CmdSubst); ok && s.Backquotes {
			return backquoted
		}
		if settled {
			continue
		}
		switch n := r.stack[i].(type) {
		case *syntax.CmdSubst, *syntax.ProcSubst: // whose text is read anew
			settled = true
		case *syntax.DblQuoted:
			found = quoted
		case *syntax.Redirect:
			if within(p, n.Hdoc) {
				found = quoted
			} else if n.Op == syntax.Hdoc || n.Op == syntax.DashHdoc {
				found, settled = heading, true
			}
		default:
			if computes(n, p) { // whether there are quotes or not
				found, settled = computed, true
			}
		}
	}
	return found
}

// computes reports whether a node evaluates the text of a parameter in it.
func computes(n syntax.Node, p *syntax.ParamExp) bool {
	switch n := n.(type) {
	case *syntax.ArithmExp, *syntax.ArithmCmd, *syntax.LetClause, *syntax.CStyleLoop, *syntax.BinaryArithm, *syntax.UnaryArithm, *syntax.ParenArithm:
		return true
	case *syntax.ParamExp:
		return within(p, n.Index) || (n.Slice != nil && (within(p, n.Slice.Offset) || within(p, n.Slice.Length)))
	case *syntax.Assign:
		return within(p, n.Index)
	case *syntax.ArrayElem:
		return within(p, n.Index)
	case *syntax.BinaryTest:
		return n.Op >= syntax.TsEql && n.Op <= syntax.TsGtr
	case *syntax.UnaryTest:
		return n.Op == syntax.TsVarSet || n.Op == syntax.TsRefVar
	}
	return false
}

// within reports whether a parameter stands in a node, which may be absent.
func within(p *syntax.ParamExp, n syntax.Node) bool {
	if w, ok := n.(*syntax.Word); n == nil || (ok && (w == nil || len(w.Parts) == 0)) {
		return false
	}
	at := p.Pos().Offset()
	return n.Pos().Offset() <= at && at < n.End().Offset()
}

// checkText finds what would make a guard agree to everything without a word: a test
// that sh doesn't know, whose failure "if" takes for a no, and a variable of ours that
// is misspelt, which is empty. A text that is no shell text at all is an error as well:
// the status with which sh fails at it is that of a deny.
func checkText(text string) error {
	if !utf8.ValidString(text) { // which can't be read here, and by sh can
		return nil
	}
	file, err := parse(text, syntax.LangBash)
	if err != nil {
		if file, err = parse(text, syntax.LangPOSIX); err != nil {
			return err
		}
	}
	own := map[string]bool{}
	ownNames(own, file)
	var found *placeError
	fail := func(n syntax.Node, format string, args ...any) {
		if found == nil {
			found = &placeError{n.Pos().Line(), n.Pos().Col(), fmt.Sprintf(format, args...)}
		}
	}
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.TestClause:
			fail(n, "sh has no [[, and takes it for a program that isn't there; write case or [, or put the text into a file with #!/bin/bash")
		case *syntax.ArithmCmd:
			fail(n, "sh has no ((; write [ $((...)) -gt 0 ], or put the text into a file with #!/bin/bash")
		case *syntax.ParamExp:
			if n.Param != nil && !own[n.Param.Value] && misspelt(n.Param.Value) {
				fail(n, "there is no variable %s%s", n.Param.Value, spelling.DidYouMean(n.Param.Value, alike(n.Param.Value)))
			}
		}
		return found == nil
	})
	if found == nil {
		return nil
	}
	return found
}

// misspelt reports whether a name is in our part of the names and none of ours.
func misspelt(name string) bool {
	if name == "LUAHOOK_MANAGED" || name == "LUAHOOK_RUN" {
		return false
	}
	_, _, known := variableOf(name)
	return !known && (strings.HasPrefix(name, prefix) || strings.HasPrefix(name, "TOOL_"))
}

// alike lists our names as somebody would write them who has written this one.
func alike(name string) []string {
	list := slices.Clone(Names())
	if strings.HasPrefix(name, prefix) {
		for i := range list {
			list[i] = prefix + list[i]
		}
	}
	return list
}
