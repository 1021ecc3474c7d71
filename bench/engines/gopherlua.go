package engines

import (
	"context"
	_ "embed"
	"fmt"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/bench/policy"
)

//go:embed gopherlua.lua
var gopherLuaScript string

// gopherLua is plain gopher-lua: one kept state, tables of the right size built for each event, a protected
// call, a table as the answer.
type gopherLua struct {
	state *lua.LState
	judge lua.LValue
}

// newGopherLua makes the reference of all rows: nothing bounds a run.
func newGopherLua() (Guard, error) {
	g, err := loadGopherLua()
	if err != nil {
		return nil, err
	}
	return &g, nil
}

func loadGopherLua() (gopherLua, error) {
	l := lua.NewState()
	if err := l.DoString(gopherLuaScript); err != nil {
		l.Close()
		return gopherLua{}, err
	}
	judge := l.Get(-1)
	l.Pop(1)
	return gopherLua{l, judge}, nil
}

func (g *gopherLua) Prepare(e *policy.Event) (Judge, error) {
	return func() (policy.Decision, error) { return g.run(e) }, nil
}

func (g *gopherLua) Close() error { g.state.Close(); return nil }

func (g *gopherLua) run(e *policy.Event) (policy.Decision, error) {
	l := g.state
	if err := l.CallByParam(lua.P{Fn: g.judge, NRet: 1, Protect: true}, g.event(e)); err != nil {
		return policy.Decision{}, err
	}
	answer := l.Get(-1)
	l.Pop(1)
	switch t := answer.(type) {
	case *lua.LNilType:
		return policy.Decision{}, nil
	case *lua.LTable:
		return policy.Decision{
			Block:  lua.LVAsBool(t.RawGetString("block")),
			Reason: lua.LVAsString(t.RawGetString("reason")),
			Output: lua.LVAsString(t.RawGetString("output")),
		}, nil
	}
	return policy.Decision{}, fmt.Errorf("the guard answered with a %s", answer.Type())
}

// event builds the table for the script.
func (g *gopherLua) event(e *policy.Event) *lua.LTable {
	l := g.state
	input := l.CreateTable(0, len(e.Tool.Input))
	for name, v := range e.Tool.Input {
		if text, ok := v.(string); ok {
			input.RawSetString(name, lua.LString(text))
		}
	}
	call := l.CreateTable(0, 5)
	call.RawSetString("id", lua.LString(e.Tool.ID))
	call.RawSetString("name", lua.LString(e.Tool.Name))
	call.RawSetString("command", lua.LString(e.Tool.Command))
	call.RawSetString("input", input)
	if e.Tool.Output != "" {
		call.RawSetString("output", lua.LString(e.Tool.Output))
	}
	event := l.CreateTable(0, 2)
	event.RawSetString("event", lua.LString(e.Name))
	event.RawSetString("tool_call", call)
	return event
}

// gopherLuaTimeout is the same with a time limit of a second, by gopher-lua's own means: a context.
type gopherLuaTimeout struct{ gopherLua }

func newGopherLuaTimeout() (Guard, error) {
	g, err := loadGopherLua()
	if err != nil {
		return nil, err
	}
	return &gopherLuaTimeout{g}, nil
}

func (g *gopherLuaTimeout) Prepare(e *policy.Event) (Judge, error) {
	return func() (policy.Decision, error) {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		g.state.SetContext(ctx)
		defer g.state.RemoveContext()
		return g.run(e)
	}, nil
}
