package luabind

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// Function is a function that scripts can call, with what is needed to document
// it. Go runs on the state's goroutine; it reports wrong arguments with
// L.ArgError or L.RaiseError, charges work that grows with its input with
// [Spend], and keeps no Lua value after it returns.
type Function struct {
	Name      string // "parse"
	Signature string // "shell.parse(text: string): ShellLine"
	Help      string // one line
	Example   string // Lua
	Go        lua.LGFunction
}

// Constant is a value that a module holds beside its functions.
type Constant struct {
	Name  string
	Type  string
	Help  string
	Value func(*lua.LState) lua.LValue
}

// Module is a library that scripts see as a global table of that name and can
// require by it.
type Module struct {
	Name      string
	Help      string // one line
	Functions []Function
	Constants []Constant
	Modules   []Module // tables within this one; their names begin with its own and a dot
}

// Context is the context that a library function should wait with: the run's
// deadline and the caller's cancellation, without counting instructions.
func Context(L *lua.LState) (context.Context, context.CancelFunc) {
	b, ok := L.Context().(*Budget)
	if !ok {
		return context.WithCancel(context.Background())
	}
	b.lent = true
	return context.WithDeadline(b.parent, b.deadline())
}

// Logger is where print and the log module write.
func Logger(L *lua.LState) *slog.Logger {
	if s := stateOf(L); s != nil {
		return s.logger
	}
	return slog.New(slog.DiscardHandler)
}

// maxWarnings is how many warnings of modules a run shows.
const maxWarnings = 10

// Warn notes something that whoever reads the answer of a run should know, once in a run
// however often it is said. While a script loads, it goes to the log.
func Warn(L *lua.LState, text string) {
	s := stateOf(L)
	switch {
	case s == nil:
	case s.event == nil:
		s.logger.Warn(text)
	case len(s.warnings) < maxWarnings && !slices.Contains(s.warnings, text):
		s.warnings = append(s.warnings, text)
	}
}

// table makes the module's table in a state.
func (s *State) table(m Module) *lua.LTable {
	L := s.L
	t := L.CreateTable(0, len(m.Functions)+len(m.Constants)+len(m.Modules))
	for _, inner := range m.Modules {
		t.RawSetString(strings.TrimPrefix(inner.Name, m.Name+"."), s.module(inner))
	}
	for _, f := range m.Functions {
		t.RawSetString(f.Name, L.NewFunction(guarded(m.Name+"."+f.Name, f.Go)))
	}
	for _, c := range m.Constants {
		t.RawSetString(c.Name, c.Value(L))
	}
	return t
}

// module is a module's table as scripts see it: read-only, and strict about names.
func (s *State) module(m Module) *lua.LTable {
	return s.freeze(m.Name, s.strict(m.Name, s.table(m)))
}

// NewFunction makes a function that a module gives to a script.
func NewFunction(L *lua.LState, name string, f lua.LGFunction) *lua.LFunction {
	return L.NewFunction(guarded(name, f))
}

// guarded makes Lua errors of the Go panics of a function. One that pcall
// recovered by itself would leave the caller's upvalues open: closures would then
// read what the registers hold next. The run is over with it, even where the script
// catches the error.
func guarded(name string, f lua.LGFunction) lua.LGFunction {
	return func(L *lua.LState) int {
		defer func() {
			if r := recover(); r != nil {
				if _, isError := r.(*lua.ApiError); isError {
					panic(r)
				}
				cause := fmt.Errorf("%s panicked: %v", name, r)
				if s := stateOf(L); s != nil {
					s.panicked(cause)
				}
				L.RaiseError("%s", cause)
			}
		}()
		return f(L)
	}
}
