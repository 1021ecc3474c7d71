package anthropichook_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"
	"github.com/luahook/luahook/adapters/anthropichook"
	"github.com/luahook/luahook/hooks"
)

func TestCallsHaveTheIDsOfTheModel(t *testing.T) {
	e, events := newEngine(t, "")
	p := serve(t, says("done", use("c1", "echo", object{"text": "same"}), use("c2", "echo", object{"text": "same"}), use("c3", "other", object{"n": 1.5, "list": []any{}})))
	tools := []anthropic.BetaTool{echo("echo"), echo("other")}
	if _, err := run(t, e, p, tools); err != nil {
		t.Fatal(err)
	}
	for _, err := range anthropichook.RunStreaming(t.Context(), e, &p.client().Beta.Messages, tools, params("please")) {
		if err != nil {
			t.Fatal(err)
		}
	}
	times := map[string]int{}
	for _, c := range events.Of(hooks.PreToolCall) {
		times[c.ToolCall.ID+" "+c.ToolCall.Name]++
	}
	equal(t, "the calls", times, map[string]int{"c1 echo": 2, "c2 echo": 2, "c3 other": 2})
}

func TestRequestsOfAToolTakeNoIDsAway(t *testing.T) {
	e, events := newEngine(t, "")
	p := serve(t, says("done", use("c1", "asks", object{"text": "x"}), use("c2", "waits", object{"text": "x"})))
	client := p.client(option.WithMiddleware(anthropichook.Middleware(e)))
	asked := make(chan struct{})
	asks := newTool("asks", func(ctx context.Context, _ map[string]any) (string, error) {
		defer close(asked)
		_, err := client.Messages.New(ctx, anthropic.MessageNewParams{Model: "other", MaxTokens: 1, Messages: []anthropic.MessageParam{
			anthropic.NewUserMessage(anthropic.NewToolResultBlock("c0", "so that it answers with a text", false))}})
		return "asked", err
	})
	late := &lateTool{BetaTool: echo("waits"), until: asked}
	// The call of the second tool begins once the first one's body has asked the model.
	tools := anthropichook.Tools(e, []anthropic.BetaTool{asks, echo("waits")})
	late.BetaTool = tools[1]
	runner := client.Beta.Messages.NewToolRunner([]anthropic.BetaTool{tools[0], late}, params("please"))
	if _, err := runner.RunToCompletion(anthropichook.RunContext(t.Context())); err != nil {
		t.Fatal(err)
	}
	for _, c := range events.Of(hooks.PostToolCall) {
		equal(t, "the id of "+c.ToolCall.Name, c.ToolCall.ID, map[string]string{"asks": "c1", "waits": "c2"}[c.ToolCall.Name])
	}
	equal(t, "calls of the model", len(events.Of(hooks.PostModelCall)), 3)
}

// lateTool begins when a channel is closed.
type lateTool struct {
	anthropic.BetaTool
	until chan struct{}
}

func (l *lateTool) Execute(ctx context.Context, input json.RawMessage) ([]anthropic.BetaToolResultBlockParamContentUnion, error) {
	<-l.until
	return l.BetaTool.Execute(ctx, input)
}

// pictureTool answers with a text and an image, and can be closed.
type pictureTool struct {
	anthropic.BetaTool
	closed int
}

func (p *pictureTool) Close() error {
	p.closed++
	return errors.New("it jams")
}

func (*pictureTool) Execute(context.Context, json.RawMessage) ([]anthropic.BetaToolResultBlockParamContentUnion, error) {
	return []anthropic.BetaToolResultBlockParamContentUnion{
		{OfText: &anthropic.BetaTextBlockParam{Text: "the password is hunter2"}},
		{OfImage: &anthropic.BetaImageBlockParam{Source: anthropic.BetaImageBlockParamSourceUnion{OfURL: &anthropic.BetaURLImageSourceParam{URL: "https://example.com/cat.png"}}}},
	}, nil
}

func TestImagesSurvive(t *testing.T) {
	const script = `
on("post_tool_call", { match = "picture" }, function(ev) return context("a nice one") end)
on("post_tool_call", { match = "redacted" }, function(ev)
  local out = ev.tool_call.output
  out[1].text = out[1].text:gsub("hunter2", "***")
  return output(out)
end)
on("post_tool_call", { match = "replaced" }, function(ev) return output("nothing to see") end)`
	for name, want := range map[string]struct{ kinds, text string }{
		"picture":  {"[text image text]", "hunter2"},
		"redacted": {"[text image]", "the password is ***"},
		"replaced": {"[text]", "nothing to see"},
	} {
		t.Run(name, func(t *testing.T) {
			e, events := newEngine(t, script)
			p := serve(t, says("done", use("c1", name, object{})))
			if _, err := run(t, e, p, []anthropic.BetaTool{&pictureTool{BetaTool: echo(name)}}); err != nil {
				t.Fatal(err)
			}
			got := p.requests[1].results()["c1"]
			equal(t, "the blocks", got.kinds, want.kinds)
			has(t, "the answer", got.text, want.text)
			if name != "picture" && strings.Contains(got.text, "hunter2") {
				t.Errorf("the password reached the model: %s", got.text)
			}
			blocks, _ := events.Of(hooks.PostToolCall)[0].ToolCall.Output.([]any)
			equal(t, "the blocks that hooks see", len(blocks), 2)
		})
	}
}

func TestErrorsReachTheModelAsErrors(t *testing.T) {
	e, _ := newEngine(t, `
on("pre_tool_call", { match = "danger" }, function() return deny("not here") end)
on("post_tool_call", { match = "leaks" }, function() return output("it failed") end)`)
	tools := []anthropic.BetaTool{echo("danger"),
		newTool("leaks", func(context.Context, map[string]any) (string, error) { return "", errors.New("hunter2 is wrong") })}
	p := serve(t, says("done", use("c1", "danger", object{}), use("c2", "leaks", object{})))
	if _, err := run(t, e, p, tools); err != nil {
		t.Fatal(err)
	}
	equal(t, "the answers", p.requests[1].results(), map[string]result{
		"c1": {"Error: not here", true, []string{"text"}},
		"c2": {"Error: it failed", true, []string{"text"}},
	})
}

func TestToolsCanBeClosed(t *testing.T) {
	e, _ := newEngine(t, "")
	picture := &pictureTool{BetaTool: echo("picture")}
	tools := anthropichook.Tools(e, []anthropic.BetaTool{picture, echo("echo")})
	if err := tools[0].(io.Closer).Close(); err == nil || err.Error() != "it jams" {
		t.Errorf("closing: got %v, want the tool's own error", err)
	}
	equal(t, "the tool was closed", picture.closed, 1)
	if err := tools[1].(io.Closer).Close(); err != nil {
		t.Errorf("closing a tool that can't be: %v", err)
	}
}

func TestToolsUnderHooksStayAsTheyAre(t *testing.T) {
	e, events := newEngine(t, "")
	p := serve(t, says("done", use("c1", "echo", object{"text": "x"})))
	if _, err := run(t, e, p, anthropichook.Tools(e, []anthropic.BetaTool{echo("echo")})); err != nil {
		t.Fatal(err)
	}
	equal(t, "events", len(events.Of(hooks.PreToolCall)), 1)
}

func TestWithoutAnEngineNoToolRuns(t *testing.T) {
	ran := false
	tools := anthropichook.Tools(nil, []anthropic.BetaTool{newTool("echo", func(context.Context, map[string]any) (string, error) {
		ran = true
		return "", nil
	})})
	if _, err := tools[0].Execute(t.Context(), []byte(`{}`)); err == nil || ran {
		t.Errorf("got %v, and that it ran is %v", err, ran)
	}
}

func TestWithoutAnEngineNothingRuns(t *testing.T) {
	p := serve(t, says("done"))
	if _, err := anthropichook.Run(t.Context(), nil, &p.client().Beta.Messages, nil, params("please")); err == nil {
		t.Error("the agent ran")
	}
	_, _ = p.client(option.WithMiddleware(anthropichook.Middleware(nil))).Messages.New(t.Context(), messageParams("hi"))
	equal(t, "requests", len(p.texts()), 0)
}

func TestInputThatCantBeJudgedIsRefused(t *testing.T) {
	e, events := newEngine(t, "")
	tools := anthropichook.Tools(e, []anthropic.BetaTool{echo("echo")})
	for _, input := range []string{`[]`, `{"command":"ls","command":"rm"}`, `{`} {
		if _, err := tools[0].Execute(t.Context(), []byte(input)); err == nil {
			t.Errorf("%s: the tool ran", input)
		}
	}
	equal(t, "events", events.Names(), "")
}
