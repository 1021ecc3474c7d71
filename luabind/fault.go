package luabind

import (
	"errors"
	"regexp"
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/hooks"
)

// aboutNil tells messages that a nil could have caused from the others.
var aboutNil = regexp.MustCompile(`\bnil\b`)

// runError is the error of a failed call in the words of package hooks. The budget
// is asked what happened, not the message.
func (s *State) runError(err error, source string) *hooks.Error {
	e := s.scriptError(err, hooks.KindScript, source)
	if s.budget.spent != nil {
		limit := s.limitError(e.Source)
		limit.Traceback = e.Traceback
		return limit
	}
	return e
}

// notCallable is the message for a call of nil, or of what else is no function.
const notCallable = "attempt to call what is no function; is its name misspelt?"

// loadError is the error of a chunk that failed while it loaded.
// err is nil where it caught the error of a limit itself.
func (s *State) loadError(err error) *hooks.Error {
	e := &hooks.Error{Source: s.program.name}
	if err != nil {
		e = s.scriptError(err, hooks.KindLoad, s.program.name)
	}
	if s.budget.spent != nil {
		limit := s.limitError(e.Source)
		limit.Message = "loading: " + limit.Message
		return limit
	}
	if e.Limit == "" {
		e.Kind = hooks.KindLoad
	}
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
	case *lua.LTable:
		e.Message = "error object: a table"
		if m, ok := object.RawGetString("message").(lua.LString); ok {
			e.Message = string(m)
		}
	case *lua.LUserData:
		e.Message = "error object: " + typeName(object)
	default:
		e.Message = "error object: " + object.String()
	}
	if at, message, ok := s.position(e.Message); ok {
		e.Source, e.Message = at, message
	}
	switch {
	case e.Message == "stack overflow", e.Message == "registry overflow":
		e.Kind, e.Limit = hooks.KindLimit, hooks.LimitStack
		e.Message = "it recurses too deep (" + e.Message + ")"
	case e.Message == "attempt to call a non-function object":
		e.Message = notCallable
	case api.Type == lua.ApiErrorPanic:
		e.Message = "a library function panicked: " + e.Message
	}
	if e.Limit == "" && (aboutNil.MatchString(e.Message) || e.Message == notCallable) {
		e.Message += s.view.hint()
	}
	if e.Message == "" {
		e.Message = "it failed without a message"
	}
	return e
}

// position splits the "file:line: " off that gopher-lua puts before a message,
// where the file is the script or one that it required.
func (s *State) position(message string) (at, rest string, ok bool) {
	if at, rest, ok = cutPosition(message, s.program.name); ok {
		return at, rest, true
	}
	for _, l := range s.env.Libraries {
		if l.Program == nil {
			continue
		}
		if at, rest, ok = cutPosition(message, l.Program.name); ok {
			return at, rest, true
		}
	}
	return "", message, false
}

func cutPosition(message, file string) (at, rest string, ok bool) {
	after, ok := strings.CutPrefix(message, file+":")
	if !ok {
		return "", message, false
	}
	line, rest, ok := strings.Cut(after, ":")
	if _, err := strconv.Atoi(line); !ok || err != nil {
		return "", message, false
	}
	return file + ":" + line, strings.TrimLeft(rest, " "), true
}
