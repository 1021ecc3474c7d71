package luabind

import (
	"errors"
	"regexp"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/hooks"
)

// position is the "file:line:" that gopher-lua puts before a message; for a name
// with a colon in it the last one counts.
var position = regexp.MustCompile(`^(.+?:\d+):\s*`)

// runError is the error of a failed call in the words of package hooks. The budget
// is asked what happened, not the message.
func (s *State) runError(err error, source string) *hooks.Error {
	e := s.scriptError(err, hooks.KindScript, source)
	if s.budget.spent != nil {
		limit := s.limitError(e.Source)
		limit.Traceback = e.Traceback
		return limit
	}
	if e.Limit == "" && strings.Contains(e.Message, "nil") {
		e.Message += s.view.hint()
	}
	return e
}

// loadError is the error of a chunk that failed while it loaded.
func (s *State) loadError(err error) *hooks.Error {
	e := s.scriptError(err, hooks.KindLoad, s.program.name)
	if s.budget.spent != nil {
		limit := s.limitError(e.Source)
		limit.Message = "loading: " + limit.Message
		return limit
	}
	e.Kind = hooks.KindLoad
	return e
}

func (s *State) limitError(source string) *hooks.Error {
	return &hooks.Error{Kind: hooks.KindLimit, Limit: s.budget.limit, Source: source, Message: s.budget.spent.Error(), Err: s.budget.spent}
}

func (s *State) scriptError(err error, kind hooks.ErrorKind, source string) *hooks.Error {
	e := &hooks.Error{Kind: kind, Source: source, Message: err.Error()}
	var api *lua.ApiError
	if !errors.As(err, &api) {
		return e
	}
	e.Traceback = api.StackTrace
	switch object := api.Object.(type) {
	case lua.LString:
		e.Message = string(object)
	case nil:
	default:
		e.Message = "error object: " + object.String()
		if t, ok := object.(*lua.LTable); ok {
			e.Message = "error object: a table"
			if m, ok := t.RawGetString("message").(lua.LString); ok {
				e.Message = string(m)
			}
		}
	}
	if m := position.FindStringSubmatch(e.Message); m != nil && (strings.HasPrefix(m[1], s.program.name+":") || s.isLibrary(m[1])) {
		e.Source, e.Message = m[1], strings.TrimPrefix(e.Message, m[0])
	}
	if api.Type == lua.ApiErrorPanic && kind != hooks.KindLoad {
		e.Message = "a library function panicked: " + e.Message
	}
	if strings.HasSuffix(e.Message, "stack overflow") || strings.HasSuffix(e.Message, "registry overflow") {
		e.Kind, e.Limit = hooks.KindLimit, hooks.LimitStack
		e.Message = "it recurses too deep (" + e.Message + ")"
	}
	if e.Message == "" {
		e.Message = "it failed without a message"
	}
	return e
}

// isLibrary tells whether a position is in a file that the script required.
func (s *State) isLibrary(at string) bool {
	for _, l := range s.env.Libraries {
		if l.Program != nil && strings.HasPrefix(at, l.Program.name+":") {
			return true
		}
	}
	return false
}
