package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/luahook/luahook/hooks"
)

// ToolFunc is a tool of an agent: it gets the arguments that the model gave, a JSON
// object, and returns what the model is to read. Of a wrapped tool the text is what
// the model is to read in every case, beside an error, too.
type ToolFunc func(ctx context.Context, input json.RawMessage) (string, error)

// ToolError is why a wrapped tool did not run, why its output is kept back, or why the
// turn ends. Other errors of a wrapped tool are the tool's own.
type ToolError struct {
	Tool    string
	Message string        // one line or more, for the model, without what hooks add to it
	Outcome hooks.Outcome // what post_tool_call was told; "" where the call was no event at all
	Halt    bool          // a hook ends the whole turn; Message says why
	Result  *hooks.Result // of the event that it comes from; nil where there is none. Shared, don't change it
	Err     error         // the cause, where there is one: of the tool, the engine or ctx
}

// Error is "tool NAME: MESSAGE".
func (e *ToolError) Error() string { return "tool " + e.Tool + ": " + e.Message }

// Unwrap returns the cause.
func (e *ToolError) Unwrap() error { return e.Err }

// PanicError is the panic of a wrapped tool.
type PanicError struct {
	Tool  string
	Value any    // what it panicked with
	Stack []byte // of the goroutine, as debug.Stack gives it
}

// Error is "tool NAME: it panicked: VALUE".
func (e *PanicError) Error() string { return fmt.Sprintf("tool %s: it panicked: %v", e.Tool, e.Value) }

// Unwrap returns what the tool panicked with, where that is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// ToolOption is a setting of one wrapped tool.
type ToolOption func(*toolSettings)

// ToolKind says what the tool does, where its name doesn't tell. A wrong kind is an
// error of every call.
func ToolKind(k hooks.Kind) ToolOption { return func(t *toolSettings) { t.kind = k } }

// ToolTimeout ends the context of the tool's body after that time, hooks and person
// not counted; 0 or less is no end of its own. A body has to heed it: it isn't left
// behind.
func ToolTimeout(d time.Duration) ToolOption { return func(t *toolSettings) { t.timeout = d } }

// ToolContexts hands over what hooks add for the model, by hook, in place of adding it
// to the text. take is called once for each event that has contexts, before the
// wrapped tool returns.
func ToolContexts(take func(ctx context.Context, contexts []hooks.ContextEntry)) ToolOption {
	return func(t *toolSettings) { t.contexts = take }
}

// ToolResults shows the result of each of the tool's events, pre_tool_call, post_tool_call
// and those of an ask between them (permission_request, permission_denied), for what a text can't hold: SystemMessage, Warnings, Data, Summary.
// The result is shared: don't change it.
func ToolResults(show func(ctx context.Context, event hooks.Event, r *hooks.Result)) ToolOption {
	return func(t *toolSettings) { t.results = show }
}

// toolSettings are what [ToolOption]s say.
type toolSettings struct {
	kind     hooks.Kind
	timeout  time.Duration
	contexts func(ctx context.Context, contexts []hooks.ContextEntry)
	results  func(ctx context.Context, event hooks.Event, r *hooks.Result)
}

func newToolSettings(o []ToolOption) (s toolSettings) {
	for _, option := range o {
		if option != nil {
			option(&s)
		}
	}
	return s
}

// WrapTool is [Engine.WrapTool] with the engine that the context of each call carries
// ([NewContext]). Where it carries none, the tool doesn't run: the error is
// [ErrNoEngine].
func WrapTool(name string, body ToolFunc, o ...ToolOption) ToolFunc {
	settings := newToolSettings(o)
	return func(ctx context.Context, input json.RawMessage) (string, error) {
		e, ok := FromContext(ctx)
		if !ok {
			return refuseTool(name, "it can't be called, because no hook could judge the call", ErrNoEngine)
		}
		return e.callTool(ctx, name, body, settings, input)
	}
}

// WrapTool puts a tool under the engine's hooks. A call of what it returns
//
//  1. fires pre_tool_call, with the caller ([WithCaller]) and the id of the call
//     ([WithToolCallID]) that ctx names;
//  2. runs body, on the same goroutine and with the input as the hooks have rewritten
//     it; where they haven't, with the very bytes that came in. It doesn't run where a
//     hook denies, where one asks and the function of [WithAsk] doesn't say yes, where
//     ctx is done, and where a hook responds, whose answer is then the output;
//  3. fires post_tool_call, once for each pre_tool_call, with the output, the outcome
//     and the duration: ok, error (panics and runtime.Goexit as well), denied, or
//     timeout (body failed when its context's deadline was over). It is fired where ctx
//     is done, too, with 5 s for all its hooks.
//
// The text is what the model is to read: the output, or what a hook of post_tool_call
// puts in its place (a value that is no text as JSON); the error's text where body
// failed without an output; the reason of a deny. What hooks add comes after it, each
// after an empty line: the reason of a post_tool_call that was denied, as "[hook]
// REASON", and contexts, as "[hook NAME] TEXT" (but see [ToolContexts]). Where a hook
// of post_tool_call failed that must not (on_failure: block), the output is kept back.
//
// The error is nil where body ran without one, or a hook responded. Else it is the one
// of body as it is, a [*PanicError], or a [*ToolError]: for what did not run, for an
// output that is kept back, and where Halt is set, which ends the turn and may come
// after body has run. Input that is no JSON object is an error before anything is
// fired.
//
// Body's context carries the engine.
func (e *Engine) WrapTool(name string, body ToolFunc, o ...ToolOption) ToolFunc {
	settings := newToolSettings(o)
	return func(ctx context.Context, input json.RawMessage) (string, error) {
		return e.callTool(ctx, name, body, settings, input)
	}
}

// callTool is one call of a wrapped tool; see WrapTool.
func (e *Engine) callTool(ctx context.Context, name string, body ToolFunc, s toolSettings, input json.RawMessage) (string, error) {
	if err := e.checkUse(ctx); err != nil {
		return refuseTool(name, "it can't be called, because no hook could judge the call", err)
	}
	if body == nil {
		return refuseTool(name, "it has no body", errors.New("luahook: WrapTool: the body is nil"))
	}
	object, err := decodeInput(input)
	if err != nil {
		return refuseTool(name, "its input can't be used: "+strings.TrimPrefix(err.Error(), "event: "), err)
	}
	run := e.beginTool(ctx, hooks.ToolCall{Name: name, Input: object}, s)
	output, err := run.Do(ctx, func(ctx context.Context) (any, error) {
		if run.Rewritten() {
			var err error
			if input, err = hooks.EncodeJSON(run.Input()); err != nil {
				return nil, &ToolError{Tool: name, Message: "its rewritten input can't be used: " + err.Error(), Err: err}
			}
		}
		return body(ctx, input)
	})
	a := run.End(ctx, output, err)
	return a.Text(), a.Err
}

// refuseTool is the answer of a tool that fires nothing.
func refuseTool(name, message string, err error) (string, error) {
	return message, &ToolError{Tool: name, Message: message, Err: err}
}

// decodeInput reads the arguments of a tool.
func decodeInput(input json.RawMessage) (map[string]any, error) {
	if len(input) > hooks.MaxEventBytes {
		return nil, &hooks.InputError{Offset: -1, Message: "it is larger than 16 MiB"}
	}
	value, err := hooks.DecodeJSON(input)
	if err != nil {
		return nil, err
	}
	object, ok := value.(map[string]any)
	if !ok {
		return nil, &hooks.InputError{Offset: -1, Message: "want a JSON object"}
	}
	return object, nil
}
