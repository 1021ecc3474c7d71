package genkithook

import (
	"cmp"
	"context"
	"fmt"
	"hash/crc32"
	"strings"

	"github.com/firebase/genkit/go/ai"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/adapter"
	"github.com/luahook/luahook/hooks"
)

// toolBody is the body of a tool on its way, for a Generate in it.
type toolBody struct {
	run    *adapter.Run
	id     string // of the call
	tool   string
	answer string // the id of the ask that a person has answered for it, or for a tool around it
}

type toolBodyKey struct{}

func toolBodyOf(ctx context.Context) *toolBody {
	b, _ := ctx.Value(toolBodyKey{}).(*toolBody)
	return b
}

// tool is one tool call. Several may come at once.
func (m *middleware) tool(ctx context.Context, p *ai.ToolParams, next ai.ToolNext) (*ai.MultipartToolResponse, error) {
	s, said := scopeOf(ctx), answerOf(ctx, p.Request.Ref)
	run := m.a.BeginTool(ctx, hooks.ToolCall{
		ID: p.Request.Ref, Name: p.Tool.Name(), Input: objectOf(p.Request.Input), Resumed: said != nil,
	})
	if run.Verdict() == engine.ToolAsks {
		switch {
		case said == nil && m.a.AsksNatively():
			run.Suspend()
		case said == nil: // Do asks
		case said.Approved:
			run.Allow()
		default:
			run.Refuse(ctx, said.Comment)
		}
	}
	var resp *ai.MultipartToolResponse
	output, err := run.Do(ctx, func(ctx context.Context) (_ any, err error) {
		body := &toolBody{run: s.run, id: p.Request.Ref, tool: p.Tool.Name()}
		if said != nil {
			body.answer = said.ID
		} else if outer := toolBodyOf(ctx); outer != nil {
			body.answer = outer.answer
		}
		q := *p
		if run.Rewritten() {
			request := *p.Request
			request.Input, q.Request = inputOf(run.Input(), p.Request.Input), &request
		}
		resp, err = next(context.WithValue(ctx, toolBodyKey{}, body), &q)
		return shown(resp), err
	})
	if run.Verdict() == engine.ToolSuspended {
		return nil, interrupt(run)
	}
	if waits, _ := ai.IsToolInterruptError(err); waits {
		run.Suspend()
		return nil, err
	}
	if err != nil {
		resp, output = nil, err.Error() // so that the answer says whether a hook has replaced that
	}
	answer := run.End(ctx, output, err)
	if answer.Halt {
		s.run.Halt(cmp.Or(answer.StopReason, engine.TextOf(answer.Output)))
	}
	if err != nil && !answer.Replaced && !answer.Halt {
		return nil, err // which ends the Generate, as it does without hooks
	}
	if resp == nil || answer.Replaced {
		resp = &ai.MultipartToolResponse{Output: answer.Output}
	}
	return withNotes(resp, answer.Notes()), nil
}

// objectOf is a tool's input as hooks see it: tools may take any JSON, and what is no object is
// {"input": ...} for them. What can't be made plain is refused by the engine.
func objectOf(input any) map[string]any {
	if input == nil {
		return map[string]any{}
	}
	plain, err := hooks.PlainValue(input)
	if object, ok := plain.(map[string]any); ok && err == nil {
		return object
	}
	return map[string]any{"input": input}
}

// inputOf is the way back.
func inputOf(object map[string]any, was any) any {
	inner, wrapped := object["input"]
	plain, _ := hooks.PlainValue(was)
	if _, isObject := plain.(map[string]any); !isObject && was != nil && wrapped && len(object) == 1 {
		return inner
	}
	return object
}

// shown is what hooks see of a tool's response: its output, and with it the further parts, where
// there are some.
func shown(resp *ai.MultipartToolResponse) any {
	switch {
	case resp == nil:
		return nil
	case len(resp.Content) == 0:
		return resp.Output
	}
	return map[string]any{"output": resp.Output, "content": shownParts(resp.Content)}
}

// shownParts are parts without what is for Genkit alone, and without the bytes of media.
func shownParts(parts []*ai.Part) []any {
	list := make([]any, len(parts))
	for i, part := range parts {
		copied := *part
		copied.Metadata = nil
		if head, _, ok := strings.Cut(part.Text, ","); ok && strings.HasPrefix(head, "data:") && (part.IsMedia() || part.IsData()) {
			copied.Text = fmt.Sprintf("%s (%d bytes, crc32 %08x)", head, len(part.Text), crc32.ChecksumIEEE([]byte(part.Text)))
		}
		list[i] = &copied
	}
	return list
}

// withNotes adds what hooks say to the model to the output, the only place that all of Genkit's
// model plugins hand on.
func withNotes(resp *ai.MultipartToolResponse, notes []string) *ai.MultipartToolResponse {
	if len(notes) == 0 {
		return resp
	}
	noted := *resp
	switch output := resp.Output.(type) {
	case nil:
		noted.Output = strings.Join(notes, "\n\n")
	case string:
		noted.Output = strings.Join(append([]string{output}, notes...), "\n\n")
	default:
		noted.Output = map[string]any{"output": output, "notes": notes}
	}
	return &noted
}
