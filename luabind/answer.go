package luabind

import (
	"fmt"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/hooks"
)

// answer is what the constructors make; scripts see it as an opaque value that is
// good for being returned.
type answer struct {
	kind  string // the constructor: "deny", "modify" ...
	text  string
	value any // of modify, replace, output and respond
	size  int // about what it holds, in bytes

	returned bool          // in the run that is on
	shown    lua.LUserData // as the script has it
}

// Bounds of what one run of a hook answers.
const (
	maxAnswers     = 32      // values that it may return
	maxAnswerBytes = 8 << 20 // of texts and data in all of them
	maxShownAnswer = 1000    // bytes of the text that tostring shows
)

var errLargeAnswer = fmt.Errorf("answer: what it holds is larger than %s", size(maxAnswerBytes))

func (a *answer) typeName() string { return a.kind + "() answer" }

func (a *answer) String() string {
	switch {
	case a.text == "":
		return a.kind + "()"
	case len(a.text) > maxShownAnswer:
		return fmt.Sprintf("%s(%q...)", a.kind, strings.ToValidUTF8(a.text[:maxShownAnswer], ""))
	}
	return fmt.Sprintf("%s(%q)", a.kind, a.text)
}

// textAnswer constructs the answers that hold text: optional reports whether it may
// be left out.
func textAnswer(kind string, optional bool) lua.LGFunction {
	return func(L *lua.LState) int {
		var text string
		switch v := L.Get(1).(type) {
		case *lua.LNilType:
			if !optional {
				L.ArgError(1, "want a text, got nil")
			}
		case lua.LString, lua.LNumber:
			text = v.String()
		default:
			L.ArgError(1, "want a text, got "+v.Type().String())
		}
		return pushAnswer(L, &answer{kind: kind, text: text, size: len(text)})
	}
}

// valueAnswer constructs the answers that hold data.
func valueAnswer(kind string, tableOnly bool) lua.LGFunction {
	return func(L *lua.LState) int {
		v := L.Get(1)
		value, size, err := sizedFromLua(L, v)
		if err != nil {
			L.ArgError(1, err.Error())
		}
		if list, ok := value.([]any); tableOnly && ok && len(list) == 0 {
			value = map[string]any{} // an empty list and an empty object look alike in Lua
		}
		switch value.(type) {
		case nil: // an answer can't hold null as a whole
			L.ArgError(1, "want a "+wanted(tableOnly)+", got "+typeName(v))
		case map[string]any:
		case []any:
			if tableOnly {
				L.ArgError(1, "want a table with names as keys, got a list")
			}
		default:
			if tableOnly {
				L.ArgError(1, "want a table, got "+typeName(v))
			}
		}
		if patch, ok := value.(map[string]any); kind == "modify" && ok && len(patch) == 0 {
			L.ArgError(1, "the table is empty: a key with nil is none at all; name what changes, or deny")
		}
		return pushAnswer(L, &answer{kind: kind, value: value, size: size})
	}
}

// answerBytes is about what an answer takes, without its text and value.
const answerBytes = 160

func wanted(table bool) string {
	if table {
		return "table"
	}
	return "value"
}

func pushAnswer(L *lua.LState, a *answer) int {
	if a.size > maxAnswerBytes {
		L.RaiseError("%s", errLargeAnswer)
	}
	Spend(L, 4)
	Allocate(L, answerBytes)
	s := stateOf(L)
	if len(s.built) < 100 { // enough to warn of one; a loop may make many
		s.built = append(s.built, a)
	}
	a.shown.Value, a.shown.Metatable = a, s.answerMeta()
	L.Push(&a.shown)
	return 1
}

// takeAnswers folds the values that a hook returned into one result; nil where it
// has no opinion. c is the event that was answered; room is for the result, as a rule.
func (s *State) takeAnswers(c *hooks.Context, room *hooks.Result) (*hooks.Result, []hooks.Entry, error) {
	var entries []hooks.Entry
	n := s.lua.GetTop()
	if n == 0 || (n == 1 && s.lua.Get(1) == lua.LNil) {
		return nil, s.unreturned(), nil
	}
	// The budget is not asked any more here, so what follows has bounds of its own.
	if n > maxAnswers {
		return nil, nil, fmt.Errorf("answer: %d values were returned; %d may be, so join texts into one", n, maxAnswers)
	}
	var folded *hooks.Result
	held := 0
	for i := 1; i <= n; i++ {
		if n > 1 {
			room = &hooks.Result{}
		}
		r, note, size, err := s.answer(s.lua.Get(i), c, room)
		if err != nil {
			return nil, nil, err
		}
		if held += size; held > maxAnswerBytes {
			return nil, nil, errLargeAnswer
		}
		if note != "" {
			entries = append(entries, hooks.Entry{Kind: hooks.EntryFeedback, Text: note})
		}
		if r == nil {
			continue
		}
		if i < n && (r.Input != nil || (r.Output != nil && c.Event != hooks.PreToolCall)) {
			if c, err = c.Rewrite(r); err != nil { // the next answer builds on this one
				return nil, nil, err
			}
		}
		if n == 1 && r.NewContext == "" { // there is nothing to fold
			return r, append(entries, s.unreturned()...), nil
		}
		if folded == nil {
			folded = &hooks.Result{}
		}
		hooks.Merge(folded, "", r)
	}
	if folded == nil { // nil among several values is one of them
		folded = &hooks.Result{}
	}
	return folded, append(entries, s.unreturned()...), nil
}

// unreturned warns of an answer that was constructed and never returned, which is
// how a guard with a missing return looks.
func (s *State) unreturned() []hooks.Entry {
	for _, a := range s.built {
		if !a.returned {
			return []hooks.Entry{{Kind: hooks.EntryWarning, Text: fmt.Sprintf("%s(...) was called but what it made was not returned; write return %s(...)", a.kind, a.kind)}}
		}
	}
	return nil
}

// answer decodes one returned value, into room as a rule; size is about the bytes that it holds.
func (s *State) answer(v lua.LValue, c *hooks.Context, room *hooks.Result) (r *hooks.Result, note string, size int, err error) {
	switch v := v.(type) {
	case *lua.LNilType:
		return nil, "", 0, nil
	case lua.LBool:
		if v {
			return nil, "", 0, fmt.Errorf("answer: true is no answer; return allow() to allow, or nothing")
		}
		r = room
		r.Decision = hooks.Deny
	case lua.LString:
		info := hooks.Lookup(c.Event)
		if info == nil || !info.Guards {
			return nil, "", 0, fmt.Errorf("answer: a bare string denies on pre_tool_call and permission_request only; on %s return context(text) or deny(reason)", c.Event)
		}
		if size = len(v); size > maxAnswerBytes {
			return nil, "", 0, errLargeAnswer
		}
		r = room
		r.Decision, r.Reason = hooks.Deny, string(v)
	case *lua.LUserData:
		a, ok := v.Value.(*answer)
		if !ok {
			return nil, "", 0, fmt.Errorf("answer: got %s, want deny(...), ask(...), context(...) or a table", typeName(v))
		}
		a.returned, size = true, a.size
		if a.kind == "allow" {
			if info := hooks.Lookup(c.Event); info != nil && info.Blocking == hooks.BlockNever {
				note = a.text // there is nothing to allow
			}
		}
		r = room
		if err = a.put(r, c); err != nil {
			return nil, "", 0, err
		}
	case *lua.LTable:
		if v.Metatable != lua.LNil && !isList(v) {
			return nil, "", 0, fmt.Errorf("answer: got a table with a metatable, of which only the keys of its own would count; return a plain one")
		}
		data, size, err := s.fromLua(v)
		if err == nil && size > maxAnswerBytes {
			return nil, "", 0, errLargeAnswer
		}
		if err != nil {
			return nil, "", 0, fmt.Errorf("answer: %w", err)
		}
		object, ok := data.(map[string]any)
		if !ok {
			return nil, "", 0, fmt.Errorf("answer: got a list; return several answers as return a, b")
		}
		r, note, err := hooks.DecodeAnswer(object, c)
		return r, note, size, err
	default:
		return nil, "", 0, fmt.Errorf("answer: got a %s, want deny(...), ask(...), context(...) or a table", v.Type())
	}
	return r, note, size, r.Check(c)
}

// put writes the answer in the words of package hooks into an empty result.
func (a *answer) put(r *hooks.Result, c *hooks.Context) error {
	value := hooks.CloneValue(a.value) // a script may keep the answer for the next event
	patch, _ := value.(map[string]any)
	switch a.kind {
	case "deny":
		r.Decision, r.Reason = hooks.Deny, a.text
	case "ask":
		r.Decision, r.Reason = hooks.Ask, a.text
	case "allow":
		r.Decision, r.Reason = hooks.Allow, a.text
	case "context":
		r.NewContext = a.text
	case "message":
		r.SystemMessage = a.text
	case "halt":
		r.Halt, r.StopReason = true, a.text
	case "modify":
		r.Input = c.Modify(patch)
	case "replace":
		r.Input = patch
	case "output":
		if c.Event == hooks.PreToolCall {
			return fmt.Errorf("answer: the tool has not run yet on pre_tool_call; respond() gives a result in its place")
		}
		r.Output = value
	default:
		if c.Event != hooks.PreToolCall {
			return fmt.Errorf("answer: respond() stands in for a tool call and means nothing on %s", c.Event)
		}
		r.Output = value
	}
	return nil
}

// denies reports whether one of the returned values is a deny by itself, whatever is
// wrong with the answer as a whole.
func (s *State) denies(c *hooks.Context) bool {
	info := hooks.Lookup(c.Event)
	for i := 1; i <= s.lua.GetTop(); i++ {
		switch v := s.lua.Get(i).(type) {
		case lua.LBool:
			if !v {
				return true
			}
		case lua.LString:
			if info != nil && info.Guards {
				return true
			}
		case *lua.LUserData:
			if a, ok := v.Value.(*answer); ok && a.kind == "deny" {
				return true
			}
		case *lua.LTable:
			decision, _ := v.RawGetString("decision").(lua.LString)
			if v.RawGetString("block") == lua.LTrue || hooks.MeansDeny(string(decision)) {
				return true
			}
		}
	}
	return false
}

// messages is what the returned values have to say to the user, whatever is wrong with the
// answer as a whole; a line each, as far as there is room.
func (s *State) messages() string {
	var all []string
	for i := 1; i <= min(s.lua.GetTop(), maxAnswers); i++ {
		switch v := s.lua.Get(i).(type) {
		case *lua.LUserData:
			if a, ok := v.Value.(*answer); ok && a.kind == "message" {
				all = append(all, shorten(a.text, maxMessage))
			}
		case *lua.LTable:
			if text, ok := v.RawGetString("system_message").(lua.LString); ok {
				all = append(all, shorten(string(text), maxMessage))
			}
		}
	}
	return shorten(strings.Join(all, "\n"), maxMessage)
}

// dropped is an answer that was not taken.
type dropped struct {
	answer *answer
	at     string // file:line
}

const maxDropped = 100

// drop looks for answers among values that are not taken.
func (s *State) drop(L *lua.LState) int {
	for i := L.GetTop(); i > 0; i-- {
		u, ok := L.Get(i).(*lua.LUserData)
		if !ok {
			continue
		}
		if a, ok := u.Value.(*answer); ok && len(s.dropped) < maxDropped {
			at, _, ok := s.position(L.Where(1))
			if !ok {
				at = s.program.Name()
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
