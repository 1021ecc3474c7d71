package mcpgohook

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/adapter"
	"github.com/luahook/luahook/hooks"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// call is one call of a tool, or one round of it where somebody has to be asked. task: it runs
// as a task. The server ends the context of a task with the request that has created it, so that
// hooks get one that doesn't end, and the tool the one that it would have had without them. The
// client of a task has its answer already, and can't be asked.
func (g *gate) call(ctx context.Context, req mcp.CallToolRequest, task bool, next server.ToolHandlerFunc) (*mcp.CallToolResult, error) {
	input, err := arguments(&req.Params)
	if err != nil {
		return mcp.NewToolResultError("its input can't be used: " + err.Error()), nil
	}
	own := g.caller(ctx, server.ClientSessionFromContext(ctx))
	if ctx = own; task {
		ctx = context.WithoutCancel(own)
	}
	round := openRound(&req.Params, input)
	run := g.BeginTool(ctx, hooks.ToolCall{ID: round.ID, Name: req.Params.Name, Input: input, Resumed: round.asked()})
	asks := run.Verdict() == engine.ToolAsks
	if asks {
		shown := fingerprint(req.Params.Name, run.Input())
		switch {
		case round.Allowed && round.Shown == shown:
			run.Allow()
		case g.AsksNatively() && !task && canElicit(ctx): // else Do asks
			if question := ask(ctx, run, round, shown); question != nil {
				return question, nil
			}
		}
		round.Shown = shown
	}

	var result *mcp.CallToolResult
	output, err := run.Do(ctx, func(ctx context.Context) (any, error) {
		if run.Rewritten() {
			if err := setArguments(&req.Params, run.Input()); err != nil {
				return nil, err
			}
		}
		if task {
			ctx = own
		}
		r, err := next(ctx, req)
		if err == nil && r == nil {
			err = errors.New("the tool gave neither a result nor an error")
		}
		if err != nil {
			return nil, err
		}
		if result = r; r.NeedsInput() {
			return nil, nil
		}
		return outputOf(r), failureOf(r)
	})
	switch {
	case needsURL(err):
		run.Suspend()
		return nil, err
	case result.NeedsInput():
		run.Suspend()
		round.Allowed = asks
		return keepRound(result, round), nil
	}
	return answerOf(run.End(ctx, output, err), result, err)
}

// needsURL reports whether a tool waits until the user has been to a page.
func needsURL(err error) bool {
	var value mcp.URLElicitationRequiredError
	var pointer *mcp.URLElicitationRequiredError
	return errors.As(err, &value) || errors.As(err, &pointer)
}

// arguments is the input of a call. Where a middleware has changed Arguments and left the bytes
// from which they came, Arguments count, and the bytes are made to follow: a tool may read either.
func arguments(p *mcp.CallToolParams) (map[string]any, error) {
	raw := []byte(p.RawArguments)
	var same any
	if len(raw) == 0 || json.Unmarshal(raw, &same) != nil || !reflect.DeepEqual(same, p.Arguments) {
		changed, err := json.Marshal(p.Arguments)
		if err != nil {
			return nil, err
		}
		if raw = changed; len(p.RawArguments) > 0 {
			p.RawArguments = changed
		}
	}
	return adapter.DecodeInput(raw)
}

// setArguments puts a rewritten input where tools read it: in Arguments as JSON's own types, which
// the accessors of mcp-go want, and in RawArguments, which BindArguments reads.
func setArguments(p *mcp.CallToolParams, input map[string]any) error {
	raw, err := hooks.EncodeJSON(input)
	if err != nil {
		return fmt.Errorf("the rewritten input can't be used: %w", err)
	}
	p.Arguments, p.RawArguments = nil, raw
	return json.Unmarshal(raw, &p.Arguments)
}

// answerOf is what the client gets: the tool's own result or error where hooks leave it alone,
// else one of its own. The result of the tool is not changed, as it may be one that it keeps.
func answerOf(a *engine.ToolAnswer, result *mcp.CallToolResult, err error) (*mcp.CallToolResult, error) {
	notes := a.Notes()
	if a.Halt {
		notes = append(notes, "[hook] this turn is over, stop here: "+a.StopReason)
	}
	var panicked *engine.PanicError
	switch {
	case result == nil && err != nil && len(notes) == 0 && a.Output == err.Error() && !errors.As(err, &panicked):
		return nil, err
	case result == nil, a.Replaced:
		result = resultOf(a.Output, result, a.Err != nil)
	case len(notes) == 0:
		return result, nil
	}
	return withNotes(result, notes...), nil
}

// withNotes is a copy of a result with texts after its content.
func withNotes(result *mcp.CallToolResult, notes ...string) *mcp.CallToolResult {
	noted := *result
	noted.Content = slices.Clip(noted.Content)
	for _, note := range notes {
		noted.Content = append(noted.Content, mcp.NewTextContent(note))
	}
	return &noted
}
