package luabind

import (
	"fmt"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/hooks"
)

// answerWords are the globals that make an answer.
var answerWords = map[string]bool{
	"deny": true, "ask": true, "allow": true, "modify": true, "replace": true, "output": true,
	"respond": true, "context": true, "halt": true, "message": true,
}

// CheckAsync tells whether the hook may run with mode = "async": it only observes, so
// it can't answer, and its failure can't block. An answer that shows only when the
// hook runs is a failed run.
func (r Registration) CheckAsync(p hooks.Policy) error {
	switch {
	case r.Answers != "":
		return fmt.Errorf("an async hook observes while the event goes on, so %s() would come too late; leave out the answer, or mode = \"async\"", r.Answers)
	case p == hooks.Block:
		return fmt.Errorf("an async hook observes while the event goes on, so on_failure = \"block\" means nothing there; use warn or ignore")
	}
	return nil
}

// answersOf is the first word of an answer that a function, or one in it, uses as a
// global which the script hasn't made its own.
func answersOf(L *lua.LState, p *lua.FunctionProto) string {
	if p == nil { // a function of ours
		return ""
	}
	Spend(L, 1+len(p.Code)/16)
	for _, upvalue := range p.DbgUpvalues {
		if name, ok := boundName(upvalue); ok && answerWords[name] {
			return name
		}
	}
	for _, code := range p.Code {
		if int(code>>opShift) != lua.OP_GETGLOBAL {
			continue
		}
		name, ok := p.Constants[code&opBxMask].(lua.LString)
		if ok && answerWords[string(name)] && L.G.Global.RawGetString(string(name)) == lua.LNil {
			return string(name)
		}
	}
	for _, inner := range p.FunctionPrototypes {
		if word := answersOf(L, inner); word != "" {
			return word
		}
	}
	return ""
}
