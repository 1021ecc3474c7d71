package luabind

import (
	"errors"
	"regexp"
	"strconv"
	"strings"
	"sync"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/hooks"
)

// aboutNil tells messages that a nil could have caused from the others.
var aboutNil = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\bnil\b`) })

// runError is the error of a failed call in the words of package hooks. The budget
// is asked what happened, not the message.
func (s *State) runError(err error, source string) *hooks.Error {
	s.judge(err)
	mask(err)
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
		s.judge(err)
		mask(err)
		e = s.scriptError(err, hooks.KindLoad, s.program.name)
	}
	if s.budget.spent != nil {
		limit := s.limitError(e.Source)
		if limit.Kind == hooks.KindLimit {
			limit.Message = "loading: " + limit.Message
			return limit
		}
		e = limit
	}
	e.Kind = hooks.KindLoad
	return e
}

// limitError is the error of a run that a limit has ended, or a panic.
func (s *State) limitError(source string) *hooks.Error {
	kind := hooks.KindLimit
	if s.budget.limit == "" {
		kind = hooks.KindScript
	}
	return &hooks.Error{Kind: kind, Limit: s.budget.limit, Source: source, Message: s.budget.spent.Error(), Err: s.budget.spent}
}

func (s *State) scriptError(err error, kind hooks.ErrorKind, source string) *hooks.Error {
	e := &hooks.Error{Kind: kind, Source: source}
	var api *lua.ApiError
	if !errors.As(err, &api) {
		e.Message = shorten(err.Error(), maxMessage)
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
	case *lua.LNilType:
		e.Message = "it failed without a message"
	case lua.LNumber, lua.LBool:
		e.Message = "error object: " + object.String()
	default:
		e.Message = "error object: a " + object.Type().String()
	}
	e.Message, e.Traceback = shorten(e.Message, maxMessage), shorten(e.Traceback, maxTraceback)
	if at, message, ok := s.position(e.Message); ok {
		e.Source, e.Message = at, message
	}
	if e.Message == "attempt to call a non-function object" {
		e.Message = notCallable
	}
	if e.Message == notCallable || aboutNil().MatchString(e.Message) {
		e.Message += s.view.hint()
	}
	if e.Message == "" {
		e.Message = "it failed without a message"
	}
	return e
}

// Bounds of the texts in an error, which scripts can make as long as they like.
const (
	maxName      = 100 // of a key or a name, as messages quote it
	maxMessage   = 4 << 10
	maxTraceback = 8 << 10
)

// shorten cuts text to so many bytes.
func shorten(text string, bytes int) string {
	if len(text) <= bytes {
		return text
	}
	return strings.ToValidUTF8(text[:bytes], "") + "..."
}

// position splits the "file:line: " off that gopher-lua puts before a message,
// where the file is the script or one that it required.
func (s *State) position(message string) (at, rest string, ok bool) {
	if at, rest, ok = cutPosition(message, s.program.name); ok {
		return at, rest, true
	}
	for _, l := range s.env.Libraries {
		if l.file() == "" {
			continue
		}
		if at, rest, ok = cutPosition(message, l.file()); ok {
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
