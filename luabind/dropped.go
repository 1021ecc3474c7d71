package luabind

import (
	"fmt"

	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"

	"github.com/luahook/luahook/hooks"
)

// A guard that forgot a return, deny("no") by itself, must not approve. What a call that stands
// as a statement gives, nobody takes; neither what goes into a variable that nothing mentions.
// Such values go through a guard of the rewritten script, which looks for answers among them.
// An answer that the script keeps, in a variable or a table, may be returned later or not.

// givesNoAnswer tells whether a call is of a library's function, as bind is sure of, and that
// gives no answer.
func (r *rewriter) givesNoAnswer(call *ast.FuncCallExpr) bool {
	bound, ok := r.bound[call]
	if !ok {
		return false
	}
	switch name, _ := boundName(bound); name {
	case "assert", "pcall", "xpcall", "select", "unpack", "rawget", "coroutine.resume":
		return false
	default:
		return !answerWords[name]
	}
}

// unused tells whether a declaration calls something for variables that nothing mentions.
func (r *rewriter) unused(st *ast.LocalAssignStmt) bool {
	for _, name := range st.Names {
		if r.called.mentioned[name] {
			return false
		}
	}
	for _, e := range st.Exprs {
		switch e.(type) {
		case *ast.FuncCallExpr, *ast.LogicalOpExpr:
			return true
		}
	}
	return false
}

// dropped is an answer that nobody took.
type dropped struct {
	answer *answer
	at     string // file:line
}

const maxDropped = 100

// drop looks for answers among values that nobody takes.
func (s *State) drop(L *lua.LState) int {
	for i := L.GetTop(); i > 0; i-- {
		u, ok := L.Get(i).(*lua.LUserData)
		if !ok {
			continue
		}
		if a, ok := u.Value.(*answer); ok && len(s.dropped) < maxDropped {
			at, _, ok := s.position(L.Where(1))
			if !ok {
				at = s.program.name
			}
			a.returned = false // which it may be from an earlier run
			s.dropped = append(s.dropped, dropped{a, at})
		}
	}
	return 0
}

// forgotten is the error of a run that has dropped an answer. It is nil where no harm is done:
// what it returned denies anyway, or nothing can be blocked; there remains a warning.
func (s *State) forgotten(r *hooks.Result, c *hooks.Context, mode hooks.Mode) *hooks.Error {
	info := hooks.Lookup(c.Event)
	if mode == hooks.ModeAsync || info != nil && info.Blocking == hooks.BlockNever || r != nil && (r.Decision == hooks.Deny || r.Halt) {
		return nil
	}
	for _, d := range s.dropped {
		if a := d.answer; !a.returned {
			return &hooks.Error{
				Kind: hooks.KindResult, Source: d.at, Denied: a.kind == "deny" || a.kind == "halt",
				Message: fmt.Sprintf("answer: %s(...) was called but what it made was not returned; write return %s(...), or return before the call of the function that made it", a.kind, a.kind),
			}
		}
	}
	return nil
}
