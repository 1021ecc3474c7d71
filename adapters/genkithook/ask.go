package genkithook

import (
	"context"
	"crypto/rand"
	"encoding/json"

	"github.com/firebase/genkit/go/ai"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// Question is what a hook asks a person.
type Question struct {
	Tool   string
	Reason string         // why the hook asks
	Input  map[string]any // with what the tool would run, all rewrites of hooks in it
}

// Asked reads a part of [ai.ModelResponse.Interrupts]. ok is false of an interrupt that isn't a
// hook's ask, but the tool's own.
func Asked(part *ai.Part) (q Question, ok bool) {
	asked := asked(part)
	if asked == nil {
		return Question{}, false
	}
	q.Tool = part.ToolRequest.Name
	q.Reason, _ = asked["reason"].(string)
	q.Input, _ = asked["input"].(map[string]any)
	return q, true
}

// Allow is a person's yes to a hook's ask, for [ai.WithToolRestarts]: the tool runs, unless a hook
// denies it by now. Of a part that isn't one it is nil, which Generate refuses.
func Allow(part *ai.Part) *ai.Part { return restart(part, answer{Approved: true}) }

// Refuse is a person's no, with what they say ("": nothing). It is for [ai.WithToolRestarts], too:
// the tool doesn't run, and the model reads why. Of a part that isn't a hook's ask it is nil,
// which Generate refuses.
func Refuse(part *ai.Part, comment string) *ai.Part { return restart(part, answer{Comment: comment}) }

// key is where luahook's values lie in Genkit's metadata.
const key = "luahook"

// answer is what a person has said. It may go through JSON on its way.
type answer struct {
	ID       string `json:"id"`   // of the ask
	Call     string `json:"call"` // the tool call's
	Approved bool   `json:"approved"`
	Comment  string `json:"comment,omitempty"`
}

// interrupt is the error by which Genkit stops for a person.
func interrupt(run *engine.ToolRun) error {
	return ai.NewToolInterruptError(map[string]any{
		key: map[string]any{"id": rand.Text(), "reason": run.Reason(), "input": run.Input()},
	})
}

// asked is what interrupt has said, or nil.
func asked(part *ai.Part) map[string]any {
	if !part.IsInterrupt() {
		return nil
	}
	said, _ := part.Metadata["interrupt"].(map[string]any)
	ours, _ := said[key].(map[string]any)
	return ours
}

func restart(part *ai.Part, a answer) *ai.Part {
	asked := asked(part)
	if asked == nil {
		return nil
	}
	a.ID, _ = asked["id"].(string)
	a.Call = part.ToolRequest.Ref
	plain, _ := hooks.PlainValue(a) // texts and a boolean
	restarted := part.Clone()
	delete(restarted.Metadata, "interrupt")
	restarted.Metadata["resumed"] = map[string]any{key: plain}
	return restarted
}

// answerOf is what a person has said about the call; nil: nothing. Genkit hands what a call is
// resumed with on to all that happens within it: that a person has allowed a tool says nothing
// about the tools of an agent in its body.
func answerOf(ctx context.Context, call string) *answer {
	value, ok := ai.ResumedValue[any](ctx, key)
	if !ok {
		return nil
	}
	var a answer
	text, err := json.Marshal(value)
	if err != nil || json.Unmarshal(text, &a) != nil || a.ID == "" || a.Call != call {
		return nil
	}
	if outer := toolBodyOf(ctx); outer != nil && outer.answer == a.ID {
		return nil
	}
	return &a
}
