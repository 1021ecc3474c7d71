package genkithook_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/firebase/genkit/go/ai"
	"github.com/firebase/genkit/go/genkit"
	"github.com/luahook/luahook/adapters/genkithook"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

func TestAToolsErrorEndsTheGenerateAsItDoesWithoutHooks(t *testing.T) {
	w := newWorld(t, "", calls(call("c1", "fail", map[string]any{})), say("done"))
	full := errors.New("disk full")
	fail := textTool(w, "fail", func(any) (string, error) { return "", full })
	if _, err := w.generate(ai.WithPrompt("please"), ai.WithTools(fail)); !errors.Is(err, full) {
		t.Errorf("got %v", err)
	}
	w.want("run_end", w.Of(hooks.RunEnd)[0].Fields["success"], any(false))

	// What a hook puts in the error's place is for the model.
	w = newWorld(t, `on("post_tool_call", function(ev) return output((ev.tool_call.output:gsub("hunter2", "***"))) end)`,
		calls(call("c1", "fail", map[string]any{})), say("done"))
	fail = textTool(w, "fail", func(any) (string, error) { return "", errors.New("no login with hunter2") })
	w.want("the answer", w.must(w.generate(ai.WithPrompt("please"), ai.WithTools(fail))).Text(), "done")
	if got := w.model.answers["c1"]; !strings.HasSuffix(got, "no login with ***") {
		t.Errorf("the model read %q", got)
	}
}

func TestPartsOfAMultipartResponse(t *testing.T) {
	photo := "data:image/png;base64," + strings.Repeat("A", 5000)
	multipart := func(w *world) ai.ToolRef {
		return genkit.DefineMultipartTool(w.g, "camera", "camera", func(*ai.ToolContext, any) (*ai.MultipartToolResponse, error) {
			return &ai.MultipartToolResponse{Output: "a photo", Content: []*ai.Part{ai.NewTextPart("of hunter2"), ai.NewMediaPart("image/png", photo)}}, nil
		})
	}
	last := func(w *world) *ai.ToolResponse {
		messages := w.model.requests[1].Messages
		return messages[len(messages)-1].Content[0].ToolResponse
	}

	w := newWorld(t, "", calls(call("c1", "camera", map[string]any{})), say("done"))
	w.must(w.generate(ai.WithPrompt("please"), ai.WithTools(multipart(w))))
	if got := last(w); got.Output != "a photo" || len(got.Content) != 2 || got.Content[1].Text != photo {
		t.Errorf("the model got %v", got)
	}
	seen := engine.TextOf(w.Of(hooks.PostToolCall)[0].ToolCall.Output)
	if !strings.Contains(seen, "a photo") || !strings.Contains(seen, "of hunter2") || !strings.Contains(seen, "5022 bytes") || strings.Contains(seen, "AAAA") {
		t.Errorf("hooks saw %s", seen)
	}

	w = newWorld(t, `on("post_tool_call", function() return output("nothing to see") end)`, calls(call("c1", "camera", map[string]any{})), say("done"))
	w.must(w.generate(ai.WithPrompt("please"), ai.WithTools(multipart(w))))
	if got := last(w); got.Output != "nothing to see" || len(got.Content) != 0 {
		t.Errorf("the model got %v", got)
	}
}

func TestInputsThatAreNoObjects(t *testing.T) {
	w := newWorld(t, `on("pre_tool_call", { match = "shout" }, function(ev) return modify{ input = ev.tool_call.input.input .. "!" } end)
		on("pre_tool_call", { match = "field" }, function(ev) return modify{ input = "x" } end)`,
		calls(call("c1", "shout", "hello"), call("c2", "plain", []any{"a", 1.5}), call("c3", "field", map[string]any{"input": "y", "n": 1.0}),
			call("c4", "only", map[string]any{"input": "y"})), say("done"))
	var tools []ai.ToolRef
	for _, name := range []string{"shout", "plain", "field", "only"} {
		tools = append(tools, textTool(w, name, func(input any) (string, error) {
			text, err := json.Marshal(input)
			return string(text), err
		}))
	}
	w.must(w.generate(ai.WithPrompt("please"), ai.WithTools(tools...)))
	for ref, want := range map[string]string{"c1": `"hello!"`, "c2": `["a",1.5]`, "c3": `{"input":"x","n":1}`, "c4": `{"input":"y"}`} {
		w.want(ref, w.model.answers[ref], want)
	}
}

func TestNotesStandBesideAStructuredOutput(t *testing.T) {
	w := newWorld(t, `on("post_tool_call", function() return context("see the style guide") end)`,
		calls(call("c1", "count", map[string]any{})), say("done"))
	count := genkit.DefineTool(w.g, "count", "count", func(*ai.ToolContext, any) (map[string]int, error) { return map[string]int{"n": 3}, nil })
	w.must(w.generate(ai.WithPrompt("please"), ai.WithTools(count)))
	w.want("the model read", w.model.answers["c1"], `{"notes":["[hook policy] see the style guide"],"output":{"n":3}}`)
}

const asks = `on("pre_tool_call", { match = "approve" }, function() return ask("needs a person") end)`

// askedWorld generates until a person is asked.
func askedWorld(t *testing.T, policy string) (w *world, resp *ai.ModelResponse, ran *[]any, options []ai.GenerateOption) {
	w = newWorld(t, policy, calls(call("c1", "approve", map[string]any{"path": "/"}), call("c2", "echo", map[string]any{})), say("done"))
	ran = new([]any)
	approve := textTool(w, "approve", func(input any) (string, error) {
		*ran = append(*ran, input)
		return "approved", nil
	})
	echo := textTool(w, "echo", func(any) (string, error) { return "echoed", nil })
	options = []ai.GenerateOption{ai.WithTools(approve, echo)}
	resp = w.must(w.generate(append(options, ai.WithPrompt("please"))...))
	w.want("interrupts", len(resp.Interrupts()), 1)
	w.want("the reason to finish", resp.FinishReason, ai.FinishReasonInterrupted)
	w.want("stop", len(w.Of(hooks.Stop)), 0)
	return w, resp, ran, options
}

func TestAQuestionSaysWhatWouldRun(t *testing.T) {
	_, resp, _, _ := askedWorld(t, asks+`
		on("pre_tool_call", { match = "approve" }, function(ev) return modify{ safely = true } end)`)
	q, ok := genkithook.Asked(resp.Interrupts()[0])
	if !ok || q.Tool != "approve" || q.Reason != "needs a person" || q.Input["path"] != "/" || q.Input["safely"] != true {
		t.Errorf("got %v, %v", q, ok)
	}
	if _, ok := genkithook.Asked(ai.NewTextPart("hello")); ok {
		t.Error("a text is a question")
	}
}

func TestAnAnswerMayGoThroughJSON(t *testing.T) {
	w, resp, ran, options := askedWorld(t, asks)
	text, err := json.Marshal(genkithook.Allow(resp.Interrupts()[0]))
	if err != nil {
		t.Fatal(err)
	}
	var part ai.Part
	if err := json.Unmarshal(text, &part); err != nil {
		t.Fatal(err)
	}
	resp = w.must(w.generate(append(options, ai.WithMessages(resp.History()...), ai.WithToolRestarts(&part))...))
	w.want("the answer", resp.Text(), "done")
	w.want("times that it ran", len(*ran), 1)
	w.want("what the others had answered", w.model.answers["c2"], "echoed")
	w.want("post_tool_call", len(w.Of(hooks.PostToolCall)), 2) // of echo and of approve
}

func TestOnlyAnAnswerToTheQuestionAllows(t *testing.T) {
	w, resp, ran, options := askedWorld(t, asks)
	part := resp.Interrupts()[0]
	other := part.Clone()
	other.ToolRequest = call("c9", "approve", nil)
	tool := genkit.LookupTool(w.g, "approve")
	forms := map[string]any{
		"nothing":             nil,
		"true":                map[string]any{"luahook": true},
		"no id":               map[string]any{"luahook": map[string]any{"approved": true, "call": "c1"}},
		"of another call":     genkithook.Allow(other).Metadata["resumed"],
		"somebody else's yes": map[string]any{"toolApproved": true},
	}
	for name, resumed := range forms {
		restart := tool.Restart(part, &ai.RestartOptions{ResumedMetadata: resumed})
		// Genkit doesn't stop a second time for a call that is restarted.
		if _, err := w.generate(append(options, ai.WithMessages(resp.History()...), ai.WithToolRestarts(restart))...); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	w.want("times that it ran", len(*ran), 0)

	own := part.Clone()
	own.Metadata["interrupt"] = map[string]any{"message": "the tool's own"}
	if genkithook.Allow(own) != nil || genkithook.Refuse(own, "") != nil {
		t.Error("a tool's own interrupt can be allowed")
	}
}

func TestACommentReachesTheModel(t *testing.T) {
	w, resp, ran, options := askedWorld(t, asks)
	w.must(w.generate(append(options, ai.WithMessages(resp.History()...), ai.WithToolRestarts(genkithook.Refuse(resp.Interrupts()[0], "use the trash")))...))
	w.want("times that it ran", len(*ran), 0)
	w.want("the model read", w.model.answers["c1"], "a person was asked and said no: use the trash")
}

func TestAYesIsForNothingBelow(t *testing.T) {
	for _, between := range []bool{false, true} {
		ran := 0
		w := newWorld(t, asks+` on("pre_tool_call", { match = "agent" }, function() return ask("an agent?") end)`,
			calls(call("c1", "agent", map[string]any{})))
		approve := textTool(w, "approve", func(any) (string, error) { ran++; return "approved", nil })
		inner := func(ctx context.Context, tool ai.ToolRef) (string, error) {
			resp, err := genkit.Generate(ctx, w.g, ai.WithModel(w.ref), ai.WithPrompt("go"), ai.WithTools(tool), ai.WithUse(w.hooked()))
			if err != nil {
				return "", err
			}
			if len(resp.Interrupts()) > 0 {
				return "it waits for a person", nil
			}
			return resp.Text(), nil
		}
		turns := []*ai.Message{calls(call("c1", "approve", map[string]any{})), say("done")}
		tool := approve
		if between { // an agent in an agent
			turns = append([]*ai.Message{calls(call("c2", "middle", map[string]any{}))}, append(turns, say("done"))...)
			tool = genkit.DefineTool(w.g, "middle", "middle", func(ctx *ai.ToolContext, _ any) (string, error) { return inner(ctx, approve) })
		}
		agent := genkit.DefineTool(w.g, "agent", "agent", func(ctx *ai.ToolContext, _ any) (string, error) { return inner(ctx, tool) })
		resp := w.must(w.generate(ai.WithPrompt("please"), ai.WithTools(agent)))
		w.model.turns = turns
		w.must(w.generate(ai.WithMessages(resp.History()...), ai.WithTools(agent), ai.WithToolRestarts(genkithook.Allow(resp.Interrupts()[0]))))
		w.want("times that the inner tool ran", ran, 0)
		w.want("agents", len(w.Of(hooks.SubagentStart)), map[bool]int{false: 1, true: 2}[between])
	}
}

func TestAToolsOwnInterruptIsPassedOn(t *testing.T) {
	w := newWorld(t, "", calls(call("c1", "transfer", map[string]any{"amount": 7.0})), say("done"))
	transfer := genkit.DefineTool(w.g, "transfer", "transfer", func(ctx *ai.ToolContext, _ any) (string, error) {
		if !ctx.IsResumed() {
			return "", ctx.Interrupt(&ai.InterruptOptions{Metadata: map[string]any{"question": "sure?"}})
		}
		return "transferred", nil
	})
	resp := w.must(w.generate(ai.WithPrompt("please"), ai.WithTools(transfer)))
	part := resp.Interrupts()[0]
	if _, ours := genkithook.Asked(part); ours {
		t.Error("the tool's own interrupt counts as a hook's")
	}
	w.want("post_tool_call of a call that waits", len(w.Of(hooks.PostToolCall)), 0)
	restart, err := transfer.RestartWith(part)
	if err != nil {
		t.Fatal(err)
	}
	w.must(w.generate(ai.WithMessages(resp.History()...), ai.WithTools(transfer), ai.WithToolRestarts(restart)))
	w.want("the model read", w.model.answers["c1"], "transferred")
	w.want("post_tool_call", len(w.Of(hooks.PostToolCall)), 1)
	w.want("resumed", w.Of(hooks.PreToolCall)[1].ToolCall.Resumed, false) // nobody was asked for a hook
}

func TestAnAskFunctionMayLeaveItToLater(t *testing.T) {
	w := newWorld(t, asks, calls(call("c1", "approve", map[string]any{})), say("done"))
	approve := textTool(w, "approve", func(any) (string, error) { return "approved", nil })
	ctx := engine.AskWith(t.Context(), func(context.Context, *hooks.Context, *hooks.Result) (bool, error) { return false, engine.ErrSuspended })
	options := []ai.GenerateOption{ai.WithModel(w.ref), ai.WithTools(approve), ai.WithUse(w.hooked(genkithook.WithBlockingAsk()))}
	resp := w.must(genkit.Generate(ctx, w.g, append(options, ai.WithPrompt("please"))...))
	w.must(genkit.Generate(ctx, w.g, append(options, ai.WithMessages(resp.History()...), ai.WithToolRestarts(genkithook.Allow(resp.Interrupts()[0])))...))
	w.want("the model read", w.model.answers["c1"], "approved")
}

func TestWhatIsAddedForAnAgentArrivesWhenItGoesOn(t *testing.T) {
	w, resp, _, options := askedWorld(t, asks+` on("pre_agent", function() return context("mind the gap") end)`)
	w.must(w.generate(append(options, ai.WithMessages(resp.History()...), ai.WithToolRestarts(genkithook.Allow(resp.Interrupts()[0])))...))
	asked := w.model.asked(t)
	w.want("the first request", strings.Count(asked[0], "mind the gap"), 1)
	w.want("the second request", strings.Count(asked[1], "mind the gap"), 2)
}
