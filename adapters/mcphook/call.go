package mcphook

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/adapter"
	"github.com/luahook/luahook/hooks"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// sinceInputRequired is the first protocol version in which a server puts its questions into the
// result of a call, and in which a result says whether it is complete.
const sinceInputRequired = "2026-07-28"

// call is one tools/call under hooks.
type call struct {
	adapter *adapter.Adapter
	name    string // of the tool, as hooks see it
	version string // of the protocol, as far as it is known
	resumed bool   // a person was asked about this very call before
	// ask settles a call that asks, by Allow, Refuse, Unanswered or Suspend, and gives what the
	// client is told where it suspends the call. Where it settles nothing, or is nil, the function
	// of [engine.WithAsk] is asked.
	ask func(ctx context.Context, run *engine.ToolRun) *mcp.CallToolResult
	// next makes the call. Nothing of what it returns is changed: results may be shared.
	next func(ctx context.Context, arguments json.RawMessage) (*mcp.CallToolResult, error)
}

// do makes the call as far as hooks let it. The answer is nil where no post_tool_call was fired
// and there is no result of a tool: the call waits, or its arguments can't be judged. The error
// is the one of next.
func (c *call) do(ctx context.Context, arguments json.RawMessage) (*mcp.CallToolResult, *engine.ToolAnswer, error) {
	input, err := adapter.DecodeInput(arguments)
	if err != nil {
		return c.made("the call can't be judged: "+err.Error(), true), nil, nil
	}
	run := c.adapter.BeginTool(ctx, hooks.ToolCall{Name: c.name, Input: input, Resumed: c.resumed})
	if run.Verdict() == engine.ToolAsks && c.ask != nil && c.adapter.AsksNatively() {
		if pending := c.ask(ctx, run); run.Verdict() == engine.ToolSuspended {
			return pending, nil, nil
		}
	}
	var res *mcp.CallToolResult
	var failed error
	var seen view
	output, err := run.Do(ctx, func(ctx context.Context) (output any, err error) {
		if run.Rewritten() {
			if arguments, err = hooks.EncodeJSON(run.Input()); err != nil {
				return nil, err
			}
		}
		if res, failed = c.next(ctx, arguments); failed != nil {
			res = nil
			return nil, failed
		}
		if res == nil {
			return nil, errors.New("the tool came back with nothing")
		}
		if seen, err = viewOf(res); err == nil && res.IsError {
			if err = res.GetError(); err == nil {
				err = errors.New(engine.TextOf(seen.output))
			}
		}
		return seen.output, err
	})
	if waits(res, failed) {
		run.Suspend()
		return question(res), nil, failed
	}
	a := run.End(ctx, output, err)
	if failed != nil && !a.Halt && len(a.Notes()) == 0 && engine.TextOf(a.Output) == failed.Error() {
		return nil, a, failed // an error of the protocol, which hooks have left alone
	}
	return c.answer(res, seen, a), a, nil
}

// answer is what the client is given.
func (c *call) answer(res *mcp.CallToolResult, seen view, a *engine.ToolAnswer) *mcp.CallToolResult {
	notes := a.Notes()
	if a.Halt && a.Outcome != hooks.OutcomeDenied {
		notes = append(notes, "[hook] a hook ended the turn: "+a.StopReason)
	}
	if res != nil && !a.Replaced && len(notes) == 0 {
		return res
	}
	if res == nil || a.Replaced {
		res = c.replaced(seen, a)
	} else {
		copied := *res
		copied.Content = append([]mcp.Content(nil), res.Content...)
		res = &copied
	}
	for _, note := range notes {
		res.Content = append(res.Content, &mcp.TextContent{Text: note})
	}
	return res
}

// waits reports whether a tool has come back with a question in place of an answer. It is called
// again with what it asks for.
func waits(res *mcp.CallToolResult, err error) bool {
	if res != nil {
		return res.InputRequests != nil || res.NeedsInput()
	}
	var e *jsonrpc.Error
	return errors.As(err, &e) && e.Code == mcp.CodeURLElicitationRequired
}

// question is the result of a tool that waits, without the content that it must not have: no
// hook has seen it.
func question(res *mcp.CallToolResult) *mcp.CallToolResult {
	if res == nil || len(res.Content) == 0 && res.StructuredContent == nil {
		return res
	}
	copied := *res
	copied.Content, copied.StructuredContent = nil, nil
	return &copied
}
