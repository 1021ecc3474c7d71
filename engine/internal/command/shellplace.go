package command

import "mvdan.cc/sh/v3/syntax"

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

// computes tells whether a node evaluates the text of a parameter in it.
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

// within tells whether a parameter stands in a node, which may be absent.
func within(p *syntax.ParamExp, n syntax.Node) bool {
	if w, ok := n.(*syntax.Word); n == nil || (ok && (w == nil || len(w.Parts) == 0)) {
		return false
	}
	at := p.Pos().Offset()
	return n.Pos().Offset() <= at && at < n.End().Offset()
}
