package adkhook

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"strings"
	"sync/atomic"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/adapter"
	"github.com/luahook/luahook/hooks"
	"google.golang.org/adk/v2/agent"
	"google.golang.org/adk/v2/tool"
	"google.golang.org/adk/v2/tool/agenttool"
	"google.golang.org/adk/v2/workflow"
)

// call is a tool call between the callbacks before and after it.
type call struct {
	ctx     context.Context // with its caller
	run     *engine.ToolRun // nil: the tool that is called judges itself
	tool    tool.Tool
	settled atomic.Bool // post_tool_call has been fired, or the call waits
}

func (r *run) put(ctx agent.Context, c *call) *call {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.calls[ctx] = c
	return c
}

func (r *run) get(ctx agent.Context) *call {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.calls[ctx]
}

func (r *run) take(ctx agent.Context) *call {
	r.mu.Lock()
	defer r.mu.Unlock()
	c := r.calls[ctx]
	delete(r.calls, ctx)
	return c
}

// body is what a tool does.
type body func(ctx agent.Context, args map[string]any) (map[string]any, error)

// judge runs a tool call under hooks. changed says that result and err aren't the body's own.
func (g *guard) judge(ctx agent.Context, t tool.Tool, args map[string]any, b body) (result map[string]any, err error, changed bool) {
	hctx, run := g.begin(ctx, t, args)
	_, err = run.Do(hctx, func(c context.Context) (any, error) {
		if refused(ctx) {
			return nil, fmt.Errorf("tool %q: %w", t.Name(), tool.ErrConfirmationRejected)
		}
		input, err := inputOf(run, args)
		if err != nil {
			return nil, err
		}
		result, err = b(g.below(ctx, c, t), input)
		return nil, err
	})
	return g.end(ctx, hctx, t, run, result, err)
}

// begin fires pre_tool_call, and asks a person ADK's way where a hook asks.
func (g *guard) begin(ctx agent.Context, t tool.Tool, args map[string]any) (context.Context, *engine.ToolRun) {
	hctx := g.context(ctx)
	answer := ctx.ToolConfirmation()
	run := g.a.BeginTool(hctx, hooks.ToolCall{ID: ctx.FunctionCallID(), Name: t.Name(), Input: maps.Clone(args), Resumed: answer != nil})
	if run.Verdict() != engine.ToolAsks {
		return hctx, run
	}
	switch {
	case !g.a.AsksNatively():
		run.Ask(hctx)
	case answer != nil && answer.Confirmed:
		run.Allow()
	case answer != nil:
		comment, _ := answer.Payload.(string)
		run.Refuse(hctx, comment)
	case !g.canConfirm(ctx, t):
		run.Ask(hctx)
	default:
		var payload any
		if run.Rewritten() { // ADK shows the person the input that the model gave
			payload = map[string]any{"input": run.Input()}
		}
		if err := ctx.RequestConfirmation(run.Reason(), payload); err != nil {
			run.Unanswered(hctx, err)
			break
		}
		run.Suspend()
	}
	return hctx, run
}

// canConfirm reports whether ADK would put a confirmation to a person, and begin the call again
// in a way that hooks see. A live run, a run within a tool and a node of a workflow ask nobody;
// a stream is begun again without the plugin.
func (g *guard) canConfirm(ctx agent.Context, t tool.Tool) bool {
	if s, streams := t.(*hookedStream); streams && !s.own {
		return false
	}
	r := g.runOf(ctx)
	return r.events != nil && !r.live && g.insideOf(ctx) == nil
}

// refused reports whether a person has said no to the call, whoever has asked them.
func refused(ctx agent.Context) bool {
	answer := ctx.ToolConfirmation()
	return answer != nil && !answer.Confirmed
}

// inputOf is the tool's input: the model's own, or the rewritten one with the types that JSON
// has in Go, as tools expect them.
func inputOf(run *engine.ToolRun, args map[string]any) (map[string]any, error) {
	if !run.Rewritten() {
		return args, nil
	}
	text, err := hooks.EncodeJSON(run.Input())
	if err != nil {
		return nil, err
	}
	var input map[string]any
	return input, json.Unmarshal(text, &input)
}

// end fires post_tool_call and says what the call has come to, as judge does.
func (g *guard) end(ctx agent.Context, hctx context.Context, t tool.Tool, run *engine.ToolRun, result map[string]any, err error) (map[string]any, error, bool) {
	if run.Verdict() == engine.ToolRuns && interrupted(ctx, err) {
		run.Suspend() // and be begun again
		return result, err, false
	}
	suspended := run.Verdict() == engine.ToolSuspended
	output := outputOf(result)
	if err != nil { // ADK gives the model the error alone
		output = nil
	}
	a := run.End(hctx, output, err)
	r := g.runOf(ctx)
	if a.Halt {
		r.halt(a.StopReason)
	}
	if _, halted := r.halted(); halted {
		ctx.Actions().SkipSummarization = true // the model isn't asked again
	}
	notes := a.Notes()
	switch {
	case suspended:
		return map[string]any{"error": "this call waits for a person: " + engine.TextOf(a.Output)}, nil, true
	case run.Verdict() == engine.ToolRefused: // a map, because other plugins may take an error for theirs
		result = map[string]any{"error": engine.TextOf(a.Output)}
	case err != nil && engine.TextOf(a.Output) != err.Error():
		return nil, errors.New(a.Text()), true
	case err != nil && len(notes) > 0:
		return nil, fmt.Errorf("%w\n\n%s", err, strings.Join(notes, "\n\n")), true
	case err != nil:
		return result, err, false
	case a.Replaced && a.Err != nil: // it is kept back
		result = map[string]any{"error": engine.TextOf(a.Output)}
	case a.Replaced:
		result = resultOf(a.Output)
	case len(notes) == 0:
		return result, nil, false
	case result == nil && defers(t):
		g.a.Warn(hctx, hooks.PostToolCall, "what hooks add to %s doesn't reach the model, because its answer comes later: %s", t.Name(), strings.Join(notes, " "))
		return nil, nil, false
	}
	return withNotes(result, notes), nil, true
}

// interrupted reports whether the body itself waits for a person.
func interrupted(ctx agent.Context, err error) bool {
	_, asks := ctx.Actions().RequestedToolConfirmations[ctx.FunctionCallID()]
	return asks || errors.Is(err, workflow.ErrNodeInterrupted)
}

// defers reports whether a nil result of the tool means that its answer comes later.
func defers(t tool.Tool) bool {
	d, ok := t.(interface{ DefersResponse() bool })
	return t.IsLongRunning() || ok && d.DefersResponse()
}

// outputOf is what hooks see of a result: the text of one that is nothing else.
func outputOf(result map[string]any) any {
	if text, ok := result["result"].(string); ok && len(result) == 1 {
		return text
	}
	if result == nil {
		return nil
	}
	return result
}

// resultOf is the result with the output of a hook.
func resultOf(output any) map[string]any {
	if m, ok := output.(map[string]any); ok {
		return m
	}
	return map[string]any{"result": output}
}

// withNotes is a copy with what hooks add.
func withNotes(result map[string]any, notes []string) map[string]any {
	if len(notes) == 0 {
		return result
	}
	if _, taken := result["hooks"]; taken {
		result = map[string]any{"result": result}
	}
	with := map[string]any{"hooks": strings.Join(notes, "\n\n")}
	maps.Copy(with, result)
	return with
}

// beforeTool judges a call of a tool that no wrapper is around. ADK gives those where it begins
// a call again, in live runs, and where a runner within a tool runs.
func (g *guard) beforeTool(ctx agent.Context, t tool.Tool, args map[string]any) (map[string]any, error) {
	r := g.runOf(ctx)
	if h, ok := t.(*hookedTool); ok && h.guard.a.Engine() == g.a.Engine() {
		if h.guard != g {
			h.guard.adopt(ctx, g)
		}
		r.put(ctx, &call{tool: t})
		return nil, nil
	}
	body, runs := t.(runner)
	if runs && ctx.ToolConfirmation() != nil && !t.IsLongRunning() {
		// All other callbacks have seen this call the first time, and it has waited behind them.
		c := r.put(ctx, &call{tool: t})
		result, err, _ := g.judge(ctx, t, args, g.bodyOf(body))
		c.settled.Store(true)
		if result == nil && err == nil {
			result = map[string]any{}
		}
		return result, err
	}
	hctx, run := g.begin(ctx, t, args)
	c := r.put(ctx, &call{ctx: hctx, run: run, tool: t})
	if run.Verdict() == engine.ToolRuns && !refused(ctx) && (args != nil || !run.Rewritten()) {
		input, err := inputOf(run, args)
		if err == nil {
			if run.Rewritten() { // which ADK takes from the map that it gave
				clear(args)
				maps.Copy(args, input)
			}
			if in := g.insideOf(ctx); in != nil {
				in.caller.Store(new(engine.CallerFrom(hctx)))
			}
			return nil, nil
		}
	}
	c.settled.Store(true)
	var err error
	switch {
	case run.Verdict() != engine.ToolRuns:
	case refused(ctx):
		err = fmt.Errorf("tool %q: %w", t.Name(), tool.ErrConfirmationRejected)
	default:
		err = errors.New("its rewritten input can't be given to it")
	}
	result, err, _ := g.end(ctx, hctx, t, run, nil, err)
	return result, err
}

// afterTool ends what beforeTool has begun. Where another callback has answered in the tool's
// place, hooks judge the call now, before the model reads the answer.
func (g *guard) afterTool(ctx agent.Context, t tool.Tool, args, result map[string]any, err error) (map[string]any, error) {
	c := g.runOf(ctx).take(ctx)
	if h, ok := t.(*hookedTool); ok {
		h.guard.adopter(ctx)
	}
	var changed bool
	switch {
	case c != nil && c.settled.Load():
	case c != nil && c.run != nil:
		if now, plainErr := hooks.PlainValue(args); plainErr == nil && engine.TextOf(now) != engine.TextOf(c.run.Input()) {
			g.a.Warn(c.ctx, hooks.PostToolCall, "the input of %s was changed after hooks had seen it; luahook has to be the last one to see it", t.Name())
		}
		result, err, changed = g.end(ctx, c.ctx, t, c.run, result, err)
	default:
		if c == nil {
			g.a.Warn(g.context(ctx), hooks.PreToolCall, "a plugin before luahook has answered the call of %s; luahook has to be the first of Plugins", t.Name())
		}
		given, givenErr := result, err
		result, err, changed = g.judge(ctx, t, args, func(agent.Context, map[string]any) (map[string]any, error) { return given, givenErr })
	}
	if !changed {
		return nil, nil
	}
	return result, err
}

// abandon is the end of a call whose callback afterwards another plugin has kept from us.
func (g *guard) abandon(ctx context.Context, c *call) {
	if c.settled.Load() {
		return
	}
	g.a.Warn(ctx, hooks.PostToolCall, "a plugin before luahook has taken the result of %s; luahook has to be the first of Plugins", c.tool.Name())
	if c.run != nil {
		c.run.End(c.ctx, nil, errors.New("its result was taken by another plugin"))
	}
}

// adopt has the next call with ctx judged by a plugin's guard.
func (g *guard) adopt(ctx agent.Context, by *guard) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.adopted[ctx] = by
}

// adopter is who judges the call with ctx.
func (g *guard) adopter(ctx agent.Context) *guard {
	g.mu.Lock()
	defer g.mu.Unlock()
	by, ok := g.adopted[ctx]
	if !ok {
		return g
	}
	delete(g.adopted, ctx)
	return by
}

// toolError hears of tools that don't exist. Of others post_tool_call tells.
func (g *guard) toolError(ctx agent.Context, t tool.Tool, _ map[string]any, err error) (map[string]any, error) {
	switch t.(type) {
	case runner, streamer:
	default:
		g.a.ReportError(g.context(ctx), err)
	}
	return nil, nil
}

// agentToolType is the type of tools that are agents with a runner of their own.
var agentToolType = reflect.TypeOf(agenttool.New(nil, nil))

// bodyOf runs a tool. An agent that is one is announced, as its runner doesn't know the plugin.
func (g *guard) bodyOf(t runner) body {
	if reflect.TypeOf(t) != agentToolType {
		return func(ctx agent.Context, args map[string]any) (map[string]any, error) { return t.Run(ctx, args) }
	}
	return func(ctx agent.Context, args map[string]any) (result map[string]any, err error) {
		hctx := engine.WithCaller(ctx, adapter.SubCaller(engine.CallerFrom(ctx), t.Name(), t.Name()))
		prompt, isText := args["request"].(string)
		if !isText {
			prompt = engine.TextOf(args)
		}
		added, err := g.a.BeginAgent(hctx, prompt)
		if err != nil {
			return nil, errors.New(reasonOf(err))
		}
		defer func() { g.a.EndAgent(hctx, engine.TextOf(outputOf(result))) }()
		if added != "" && isText {
			args = maps.Clone(args)
			args["request"] = prompt + "\n\n" + added
		}
		return t.Run(ctx, args)
	}
}
