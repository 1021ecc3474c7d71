package luabind_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
	"github.com/luahook/luahook/luabind/compile"
)

const file = ".hooks/a.lua"

// probe is a module through which scripts show Go what they see.
type probe struct {
	kept  []any
	grown [][]byte
}

func (p *probe) module() luabind.Module {
	return luabind.Module{Name: "probe", Functions: []luabind.Function{
		{Name: "keep", Go: func(L *lua.LState) int { // keep(v) takes v out of Lua
			v, err := luabind.FromLua(L, L.Get(1))
			if err != nil {
				L.RaiseError("%s", err)
			}
			p.kept = append(p.kept, v)
			return 0
		}},
		{Name: "give", Go: func(L *lua.LState) int { // give(json) makes a Lua value
			v, err := hooks.DecodeJSON([]byte(L.CheckString(1)))
			if err != nil {
				L.RaiseError("%s", err)
			}
			l, err := luabind.ToLua(L, v)
			if err != nil {
				L.RaiseError("%s", err)
			}
			L.Push(l)
			return 1
		}},
		{Name: "list", Go: func(L *lua.LState) int { t := L.NewTable(); luabind.MarkList(L, t); L.Push(t); return 1 }},
		{Name: "mark", Go: func(L *lua.LState) int { luabind.MarkList(L, L.CheckTable(1)); return 0 }},
		{Name: "spend", Go: func(L *lua.LState) int { luabind.Spend(L, L.CheckInt(1)); return 0 }},
		{Name: "allocate", Go: func(L *lua.LState) int { // allocate(n) charges n bytes
			luabind.Allocate(L, L.CheckInt(1))
			return 0
		}},
		{Name: "grow", Go: func(*lua.LState) int { p.grown = append(p.grown, make([]byte, 16<<10)); return 0 }}, // charged to nobody
		{Name: "panic", Go: func(*lua.LState) int { panic("boom") }},
		{Name: "nap", Go: func(L *lua.LState) int { // waits likewise, and doesn't say so
			ctx, cancel := luabind.Context(L)
			defer cancel()
			<-ctx.Done()
			return 0
		}},
		{Name: "work", Go: func(L *lua.LState) int { // works for 100 ms and charges for it
			for range 100 {
				time.Sleep(time.Millisecond)
				luabind.Spend(L, 128)
			}
			p.kept = append(p.kept, "all of it")
			return 0
		}},
		{Name: "wait", Go: func(L *lua.LState) int { // waits until the run is over
			ctx, cancel := luabind.Context(L)
			defer cancel()
			<-ctx.Done()
			L.RaiseError("it waited: %s", ctx.Err())
			return 0
		}},
		{Name: "caller", Go: func(L *lua.LState) int { // what the caller's context holds
			v, _ := L.Context().Value(callerKey{}).(string)
			L.Push(lua.LString(v))
			return 1
		}},
		{Name: "log", Go: func(L *lua.LState) int { luabind.LogLine(L, L.CheckString(1), L.CheckString(2)); return 0 }},
	}, Constants: []luabind.Constant{{Name: "null", Value: luabind.Null}}}
}

type callerKey struct{}

func compiled(t testing.TB, name, source string) *compile.Program {
	t.Helper()
	p, err := compile.Script(name, source)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// load makes a state of a script that is meant to load. Its runs have a minute, where
// the environment says nothing: how fast a machine is, is not what tests are about.
func load(t testing.TB, source string, env luabind.Environment) *luabind.State {
	t.Helper()
	if env.Limits.Timeout == 0 {
		env.Limits.Timeout = time.Minute
	}
	s, err := luabind.NewState(context.Background(), compiled(t, file, source), env)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// loadError loads a script that is meant to fail.
func loadError(t testing.TB, source string, env luabind.Environment) *hooks.Error {
	t.Helper()
	_, err := luabind.NewState(context.Background(), compiled(t, file, source), env)
	if err == nil {
		t.Fatalf("this script loads:\n%s", source)
	}
	var e *hooks.Error
	if !errors.As(err, &e) {
		t.Fatalf("the error is a %T, want *hooks.Error", err)
	}
	return e
}

// event decodes an event; text may be anything that DecodeContext takes.
func event(t testing.TB, name hooks.Event, text string) *hooks.Context {
	t.Helper()
	c, err := hooks.DecodeContext([]byte(text), name)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// sample is the event of the catalogue's examples.
func sample(t testing.TB, name hooks.Event) *hooks.Context {
	t.Helper()
	return event(t, name, string(hooks.Sample(hooks.Lookup(name))))
}

func shellCall(t testing.TB) *hooks.Context {
	return event(t, hooks.PreToolCall, `{"tool_call":{"name":"Bash","input":{"command":"git push","timeout":5}}}`)
}

// run runs the body of one hook over an event, in a state of its own that has the
// probe.
func run(t testing.TB, body string, c *hooks.Context) (luabind.Outcome, *probe) {
	t.Helper()
	p := &probe{}
	s := load(t, `on("`+string(c.Event)+`", function(ev) `+body+"\nend)", luabind.Environment{Modules: []luabind.Module{p.module()}})
	return s.Call(context.Background(), 0, c, luabind.Limits{}), p
}

// passes runs Lua that checks itself with assert and error.
func passes(t testing.TB, body string, c *hooks.Context) {
	t.Helper()
	if out, _ := run(t, body, c); out.Err != nil {
		t.Errorf("%s\n%s", out.Err, body)
	}
}

// calls runs hook n of a state that is meant to work.
func calls(t testing.TB, s *luabind.State, n int, c *hooks.Context) *hooks.Result {
	t.Helper()
	out := s.Call(context.Background(), n, c, luabind.Limits{})
	if out.Err != nil {
		t.Fatal(out.Err)
	}
	return out.Result
}

// wantError checks kind and text of an error; want may be several parts.
func wantError(t testing.TB, e *hooks.Error, kind hooks.ErrorKind, want ...string) {
	t.Helper()
	if e == nil {
		t.Fatalf("no error, want %q", want)
	}
	if e.Kind != kind {
		t.Errorf("the error is of kind %q, want %q: %s", e.Kind, kind, e)
	}
	for _, part := range want {
		if !strings.Contains(e.Error(), part) {
			t.Errorf("the error is\n  %s\nand lacks\n  %s", e, part)
		}
	}
}

// show is a result as JSON, without the summary.
func show(t testing.TB, r *hooks.Result) string {
	t.Helper()
	if r == nil {
		return "nil"
	}
	data, err := hooks.EncodeJSON(r)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Replace(string(data), `,"summary":null`, "", 1)
}

func equal(t testing.TB, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// logBook is a logger that remembers its lines.
type logBook struct{ strings.Builder }

func (b *logBook) logger() *slog.Logger {
	return slog.New(slog.NewTextHandler(b, &slog.HandlerOptions{Level: slog.LevelDebug, ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}}))
}

// series joins what f gives for the numbers below n.
func series(n int, f func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(f(i))
	}
	return b.String()
}
