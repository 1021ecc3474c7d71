package adkhook

import (
	"errors"
	"fmt"
	"iter"
	"strings"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
	"google.golang.org/adk/v2/agent"
	"google.golang.org/adk/v2/model"
	"google.golang.org/adk/v2/tool"
	"google.golang.org/adk/v2/tool/toolutils"
	"google.golang.org/genai"
)

// Tool puts one tool under the engine's hooks, for where no plugin reaches it: a node of a
// workflow (workflow.NewToolNode), a streaming tool of a live run, of an agent within an agent
// tool, or one that may have to be confirmed. An agent under a [Plugin] of the same engine has it
// judged once. Where no plugin has the run, an ask is put to the function of [engine.WithAsk].
//
// A tool that has no function to run, such as those that the model's provider runs, is returned
// as it is.
func Tool(e *engine.Engine, t tool.Tool, o ...Option) tool.Tool {
	g := newGuard(e, o)
	switch t := t.(type) {
	case streamer:
		return &hookedStream{streamer: t, guard: g, own: true}
	case runner:
		return &hookedTool{runner: t, guard: g}
	}
	return t
}

// runner is a tool with a function.
type runner interface {
	tool.Tool
	Declaration() *genai.FunctionDeclaration
	Run(ctx agent.Context, args any) (map[string]any, error)
}

// streamer is a streaming tool.
type streamer interface {
	tool.Tool
	Declaration() *genai.FunctionDeclaration
	RunStream(ctx agent.Context, args any) iter.Seq2[string, error]
}

// wrap is what a request's tool is replaced by. ADK calls the request's tools after all
// callbacks, so that hooks see what the tool gets.
func (g *guard) wrap(t any) any {
	switch own := t.(type) {
	case *hookedTool:
		if own.guard.a.Engine() == g.a.Engine() {
			return &hookedTool{runner: own.runner, guard: g}
		}
	case *hookedStream:
		if own.guard.a.Engine() == g.a.Engine() {
			return &hookedStream{streamer: own.streamer, guard: g, own: own.own}
		}
	}
	switch t := t.(type) {
	case streamer:
		return &hookedStream{streamer: t, guard: g}
	case runner:
		return &hookedTool{runner: t, guard: g}
	}
	return t
}

// hookedTool is a tool under hooks.
type hookedTool struct {
	runner
	guard *guard
}

// DefersResponse passes on what some of ADK's tools say of themselves.
func (h *hookedTool) DefersResponse() bool {
	d, ok := h.runner.(interface{ DefersResponse() bool })
	return ok && d.DefersResponse()
}

// ProcessRequest adds the tool to a request.
func (h *hookedTool) ProcessRequest(ctx agent.Context, req *model.LLMRequest) error {
	return process(ctx, req, h.runner, h)
}

// Run runs one call.
func (h *hookedTool) Run(ctx agent.Context, args any) (map[string]any, error) {
	if c, ok := ctx.(*toolContext); ok && c.of(h.guard, h.Name()) {
		return h.runner.Run(ctx, args)
	}
	input, err := inputObject(h, args)
	if err != nil {
		return nil, err
	}
	g := h.guard.adopter(ctx)
	if c := g.runOf(ctx).get(ctx); c != nil {
		c.settled.Store(true)
	}
	result, err, _ := g.judge(ctx, h, input, g.bodyOf(h.runner))
	return result, err
}

// process has a tool add itself to a request, with another one in its place.
func process(ctx agent.Context, req *model.LLMRequest, inner tool.Tool, outer toolutils.Tool) error {
	p, ok := inner.(interface {
		ProcessRequest(ctx agent.Context, req *model.LLMRequest) error
	})
	if !ok {
		return toolutils.PackTool(req, outer)
	}
	if err := p.ProcessRequest(ctx, req); err != nil {
		return err
	}
	if req.Tools[inner.Name()] == any(inner) {
		req.Tools[inner.Name()] = outer
	}
	return nil
}

func inputObject(t tool.Tool, args any) (map[string]any, error) {
	input, ok := args.(map[string]any)
	if !ok && args != nil {
		return nil, fmt.Errorf("tool %s: its input is %T, want an object", t.Name(), args)
	}
	return input, nil
}

// hookedStream is a streaming tool under hooks.
type hookedStream struct {
	streamer
	guard *guard
	own   bool // it is what the agent has, so that a call that is begun again is judged too
}

// ProcessRequest adds the tool to a request.
func (h *hookedStream) ProcessRequest(ctx agent.Context, req *model.LLMRequest) error {
	return process(ctx, req, h.streamer, h)
}

// RunStream runs one call. What the tool says is held back where hooks may replace it.
func (h *hookedStream) RunStream(ctx agent.Context, args any) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		input, err := inputObject(h, args)
		if err != nil {
			yield("", err)
			return
		}
		if in := h.guard.insideOf(ctx); in != nil {
			in.judged.Store(true)
		}
		passes := !h.guard.a.HoldsStream(hooks.ToolCall{Name: h.Name(), Input: input})
		spoke, left := false, false // to who listens, who has left
		result, err, changed := h.guard.judge(ctx, h, input, func(ctx agent.Context, args map[string]any) (map[string]any, error) {
			spoke = passes
			var said strings.Builder
			for part, err := range h.streamer.RunStream(ctx, args) {
				if err != nil {
					return nil, err
				}
				said.WriteString(part)
				if passes && !yield(part, nil) {
					left = true
					break
				}
			}
			return map[string]any{"result": said.String()}, nil
		})
		_, failed := result["error"]
		switch {
		case left, spoke && err == nil && !changed:
		case err != nil:
			yield("", err)
		case failed && h.guard.runOf(ctx).events != nil:
			yield("", errors.New(streamText(result, "error")))
		case failed: // of a live run, where errors don't reach the model
			yield(streamText(result, "error"), nil)
		case spoke:
			if notes := noteText(result); notes != "" {
				yield(notes, nil)
			}
		default:
			yield(streamText(result, "result"), nil)
		}
	}
}

// streamText is a result as the one text that a streaming tool can say.
func streamText(result map[string]any, key string) string {
	text := engine.TextOf(result[key])
	if _, ok := result[key]; !ok {
		return engine.TextOf(result)
	}
	return text + noteText(result)
}

func noteText(result map[string]any) string {
	if notes, ok := result["hooks"].(string); ok {
		return "\n\n" + notes
	}
	return ""
}
