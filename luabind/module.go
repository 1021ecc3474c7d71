package luabind

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/hooks"
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

	lenient bool           // as those of Lua: what it doesn't have is nil
	later   func() *Module // of [LazyModule]
}

// LazyModule is a module of that name that is made when a script first uses it: a process that judges one
// event needs few. It may be shared by states that run at the same time. Until then only its name is known.
func LazyModule(name string, make func() Module) Module {
	return Module{Name: name, later: sync.OnceValue(func() *Module {
		m := make()
		return &m
	})}
}

// whole is the module with all that it has.
func (m *Module) whole() *Module {
	if m.later != nil {
		return m.later()
	}
	return m
}

// Context is the context that a library function should wait with: the run's
// deadline and the caller's cancellation, without counting instructions. The run counts as
// waiting for something outside until cancel is called.
func Context(L *lua.LState) (context.Context, context.CancelFunc) {
	b, ok := L.Context().(*budget)
	if !ok {
		return context.WithCancel(context.Background())
	}
	b.escaped, b.clock.waits = true, true
	ctx, cancel := context.WithDeadline(b.parent, b.clock.deadline())
	told := b.state.onWait
	if told == nil {
		return ctx, cancel
	}
	told(true)
	return ctx, sync.OnceFunc(func() { cancel(); told(false) })
}

// logger is where print and the log module write.
func logger(L *lua.LState) *slog.Logger {
	if s := stateOf(L); s != nil {
		return s.logger
	}
	return slog.New(slog.DiscardHandler)
}

// maxWarnings is how many warnings of modules a run shows.
const maxWarnings = 10

// Warn notes something that the reader of a run's answer should know, once in a run
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

// module is a module's table as scripts see it: read-only, and strict about names.
func (s *State) module(m *Module) *lua.LTable { return s.showModule(m, s.table(m)) }

// showModule freezes the table of a module.
func (s *State) showModule(m *Module, t *lua.LTable) *lua.LTable {
	return s.showReadOnly(readOnlyTable{m.Name, t, func() *lua.LTable { return s.complete(m, t) }, func(name string) lua.LValue { return s.fill(t, m, name) }})
}

// table makes a module's table, which is filled as it is read.
func (s *State) table(m *Module) *lua.LTable {
	t := s.lua.CreateTable(0, fewNames)
	s.onMissing(t, func(L *lua.LState, key lua.LValue) lua.LValue {
		if name, ok := key.(lua.LString); ok {
			if v := s.fill(t, m, string(name)); v != lua.LNil {
				return v
			}
		}
		if m.lenient {
			return lua.LNil
		}
		return refuseUnknown(L, m.Name, key, m.names())
	})
	return t
}

// complete is a table of all that a module has, in its order; t holds what has been
// read of it.
func (s *State) complete(m *Module, t *lua.LTable) *lua.LTable {
	names := m.names()
	all := s.lua.CreateTable(0, len(names))
	for _, name := range names {
		all.RawSetString(name, s.fill(t, m, name))
	}
	return all
}

// fill gives what a module has under a name, and puts it into its table.
func (s *State) fill(t *lua.LTable, m *Module, name string) lua.LValue {
	if v := t.RawGetString(name); v != lua.LNil {
		return v
	}
	v := s.member(m, name)
	if v != lua.LNil {
		t.RawSetString(name, v)
	}
	return v
}

// names lists what the module has.
func (m *Module) names() (names []string) {
	for _, inner := range m.Modules {
		names = append(names, strings.TrimPrefix(inner.Name, m.Name+"."))
	}
	for _, f := range m.Functions {
		names = append(names, f.Name)
	}
	for _, c := range m.Constants {
		names = append(names, c.Name)
	}
	return names
}

// member makes what a module has under a name, nil where it has nothing.
func (s *State) member(m *Module, name string) lua.LValue {
	for i := range m.Constants {
		if c := &m.Constants[i]; c.Name == name {
			return c.Value(s.lua)
		}
	}
	for i := range m.Functions {
		if f := &m.Functions[i]; f.Name == name {
			return s.lua.NewFunction(guarded(m.Name+"."+name, f.Go))
		}
	}
	for i := range m.Modules {
		if inner := &m.Modules[i]; inner.Name == m.Name+"."+name {
			return s.module(inner)
		}
	}
	return lua.LNil
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

// GrantsOf is what the script of a state may reach outside of its sandbox: nothing,
// unless its [Environment] says so. A module asks for each call, on the state's
// goroutine.
func GrantsOf(L *lua.LState) hooks.Grants {
	if s := stateOf(L); s != nil {
		return s.env.Grants
	}
	return hooks.Grants{}
}

// Withheld is what a script's file grants it and it hasn't got.
type Withheld struct {
	Grants hooks.Grants
	Why    string // a sentence without its full stop
	Off    string // why there would be nothing whatever the file granted, likewise; "": there would

	ByProgram bool // what the script is granted an embedder says, with engine.WithGrants, and no file
}

// WithheldOf is what is withheld from the script of a state.
func WithheldOf(L *lua.LState) Withheld {
	if s := stateOf(L); s != nil {
		return s.env.Withheld
	}
	return Withheld{}
}

// RootOf is the project's root, an absolute path, or "" where there is no project.
func RootOf(L *lua.LState) string {
	if s := stateOf(L); s != nil {
		return s.env.Root
	}
	return ""
}

// DepthOf is what the programs that a script starts get as LUAHOOK_DEPTH.
func DepthOf(L *lua.LState) int {
	if s := stateOf(L); s != nil {
		return s.env.Depth
	}
	return 0
}

// ServicesOf is what the [Environment] of a script has for the modules that need more of
// the engine than a state; a module knows by the type whether it is for it.
func ServicesOf(L *lua.LState) any {
	if s := stateOf(L); s != nil {
		return s.env.Services
	}
	return nil
}

// EventOf is the event of the run under way, nil while the script loads. A module must
// not change it, and a call that outlasts its run must not read it.
func EventOf(L *lua.LState) *hooks.Context {
	if s := stateOf(L); s != nil {
		return s.event
	}
	return nil
}

// JudgingKey is the key under which the context of a run has what it is for where the hook
// ran in the same event before and judges what was rewritten since. Such a run decides, and
// does nothing else: what it would do beside that was done by the run before.
type JudgingKey struct{}

// JudgingOf is what the context has under [JudgingKey]; nil: the run is the hook's first.
func JudgingOf(L *lua.LState) any {
	if event := EventOf(L); event == nil || !event.Judging {
		return nil
	}
	return ValueOf(L, JudgingKey{})
}

// ValueOf is what the context of the run under way has under a key.
func ValueOf(L *lua.LState, key any) any {
	if b, ok := L.Context().(*budget); ok {
		return b.parent.Value(key)
	}
	return nil
}

// HookOf is the number of the registration whose run is under way.
func HookOf(L *lua.LState) int {
	if s := stateOf(L); s != nil {
		return s.hook
	}
	return 0
}

// Bounds of what scripts write to the log.
const (
	maxLine   = 8 << 10 // bytes of one line; the rest is cut off
	maxLogged = 1 << 20 // bytes of one run
)

// lineBytes is about what a line takes beside its text.
const lineBytes = 128

// LogLine writes one line to the hook log, with the place it comes from. level is
// debug, info, warn or error. A run may write 1 MiB; what comes after is left out,
// and the log says so once. A run that judges an event again writes none.
func LogLine(L *lua.LState, level, text string) {
	b, ok := L.Context().(*budget)
	if !ok || b.logged > maxLogged || JudgingOf(L) != nil {
		return
	}
	if len(text) > maxLine {
		text = strings.ToValidUTF8(text[:maxLine], "") + "..."
	}
	b.spend(L, lineBytes/2+len(text)/16)
	var at slog.Level
	if at.UnmarshalText([]byte(level)) != nil {
		at = slog.LevelInfo
	}
	if b.logged += lineBytes + len(text); b.logged > maxLogged {
		at, text = slog.LevelWarn, "this run has written 1 MiB to the log; the rest is left out"
	}
	b.escaped = true // a handler may keep it
	logger(L).Log(b.parent, at, text, "source", where(L))
}

// stock are the functions of a library of gopher-lua. They keep nothing of the state
// that calls them, so that all states have the same.
func stock(open lua.LGFunction) map[string]lua.LGFunction {
	L := lua.NewState(lua.Options{SkipOpenLibs: true, CallStackSize: 1, RegistrySize: 32})
	defer L.Close()
	open(L)
	functions := map[string]lua.LGFunction{}
	library, _ := L.Get(-1).(*lua.LTable)
	library.ForEach(func(k, v lua.LValue) {
		if f, ok := v.(*lua.LFunction); ok {
			functions[k.String()] = f.GFunction
		}
	})
	return functions
}
