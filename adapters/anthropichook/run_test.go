package anthropichook_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"
	"github.com/luahook/luahook/adapters/anthropichook"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/adaptertest"
	"github.com/luahook/luahook/hooks"
)

func TestStopSendsTheAgentBack(t *testing.T) {
	const script = `on("stop", function(ev) if ev.loop_count < 2 then return deny("run the tests " .. ev.loop_count) end end)`
	for name, c := range map[string]struct {
		iterations int
		requests   int
		warning    string
	}{
		"as often as the hook says":   {0, 4, ""},
		"as far as MaxIterations let": {3, 3, "MaxIterations"},
	} {
		t.Run(name, func(t *testing.T) {
			e, events := newEngine(t, script)
			p := serve(t, says("done", use("c1", "echo", object{"text": "x"})))
			sent := params("please")
			sent.MaxIterations = c.iterations
			var w warnings
			m, err := anthropichook.Run(t.Context(), e, &p.client().Beta.Messages, []anthropic.BetaTool{echo("echo")}, sent, w.option())
			if err != nil || finalText(m) != "done" {
				t.Fatal(finalText(m), err)
			}
			equal(t, "requests", len(p.texts()), c.requests)
			has(t, "the third request", p.texts()[2], `"text":"please"`, "said x", `"text":"run the tests 0"`)
			has(t, "the warnings", w.text, c.warning)
			equal(t, "the response of stop", events.Of(hooks.Stop)[0].Response, "done")
			end := events.Of(hooks.RunEnd)
			equal(t, "run_end", len(end), 1)
			equal(t, "the tokens of the run", end[0].Usage.InputTokens, 11*c.requests)
			if len(sent.Messages) != 1 {
				t.Error("the caller's messages were changed")
			}
		})
	}
}

func TestStopIsOfTheModelsOwnEnd(t *testing.T) {
	e, events := newEngine(t, `
on("pre_model_call", function() return deny("no") end)
on("stop", function() return deny("go on") end)`)
	p := serve(t, says("done"))
	if text, err := run(t, e, p, nil); err != nil || text != "no" {
		t.Error(text, err)
	}
	equal(t, "the events", events.Names(), "run_start pre_prompt pre_model_call run_end")
}

func TestHaltEndsTheTurn(t *testing.T) {
	const script = `
on("post_tool_call", { match = "spend" }, function() return halt("the budget is used up") end)
on("stop", function() return deny("go on") end)`
	spend := []anthropic.BetaTool{echo("spend")}
	answer := says("done", use("c1", "spend", object{"text": "x"}))

	t.Run("Run", func(t *testing.T) {
		e, events := newEngine(t, script)
		p := serve(t, answer)
		text, err := run(t, e, p, spend)
		halted(t, err)
		equal(t, "the text", text, "the budget is used up")
		equal(t, "requests", len(p.texts()), 1)
		equal(t, "success", events.Of(hooks.RunEnd)[0].Fields["success"], false)
	})
	t.Run("RunStreaming", func(t *testing.T) {
		e, events := newEngine(t, script)
		p := serve(t, answer)
		var last error
		text := ""
		for event, err := range anthropichook.RunStreaming(t.Context(), e, &p.client().Beta.Messages, spend, params("please")) {
			last, text = err, text+event.Delta.Text
		}
		halted(t, last)
		equal(t, "the text", text, "the budget is used up")
		equal(t, "requests", len(p.texts()), 1)
		equal(t, "run_end", len(events.Of(hooks.RunEnd)), 1)
	})
	t.Run("by hand", func(t *testing.T) {
		e, _ := newEngine(t, script)
		p := serve(t, answer)
		runner := p.client().Beta.Messages.NewToolRunner(anthropichook.Tools(e, spend), params("please"), option.WithMiddleware(anthropichook.Middleware(e)))
		m, err := runner.RunToCompletion(anthropichook.RunContext(t.Context()))
		if err != nil || finalText(m) != "the budget is used up" {
			t.Error(finalText(m), err)
		}
		equal(t, "requests", len(p.texts()), 1)
	})
	t.Run("by hand, without its context", func(t *testing.T) {
		e, _ := newEngine(t, script)
		var w warnings
		if _, err := anthropichook.Tools(e, spend, w.option())[0].Execute(t.Context(), []byte(`{}`)); err == nil {
			t.Error("the call is no error")
		}
		has(t, "the warnings", w.text, "RunContext")
	})
	t.Run("in a sub-agent", func(t *testing.T) {
		e, events := newEngine(t, script)
		p := serve(t, func(r request) reply {
			if strings.Contains(r.text, "inner") {
				return answer(r)
			}
			return says("done", use("c0", "helper", object{}))(r)
		})
		service := &p.client().Beta.Messages
		helper := newTool("helper", func(ctx context.Context, _ map[string]any) (string, error) {
			m, err := anthropichook.Run(ctx, e, service, spend, params("inner"))
			return finalText(m), err
		})
		_, err := anthropichook.Run(t.Context(), e, service, []anthropic.BetaTool{helper}, params("outer"))
		halted(t, err)
		equal(t, "requests", len(p.texts()), 2)
		equal(t, "sub-agents that ended", len(events.Of(hooks.SubagentStop)), 1)
	})
}

func halted(t *testing.T, err error) {
	t.Helper()
	var denied *engine.DeniedError
	if !errors.As(err, &denied) || !denied.Halt || denied.Reason != "the budget is used up" || denied.Event != hooks.PostToolCall {
		t.Errorf("the error: got %#v, want why the turn was ended", err)
	}
}

func TestASubAgentIsSentBack(t *testing.T) {
	e, events := newEngine(t, `on("subagent_stop", function(ev) if ev.loop_count == 0 then return deny("be thorough") end end)`)
	p := serve(t, func(r request) reply {
		if strings.Contains(r.text, "inner") {
			return says("helped")(r)
		}
		return says("done", use("c0", "helper", object{}))(r)
	})
	service := &p.client().Beta.Messages
	helper := newTool("helper", func(ctx context.Context, _ map[string]any) (string, error) {
		m, err := anthropichook.Run(ctx, e, service, nil, params("inner"))
		return finalText(m), err
	})
	ctx := engine.WithCaller(t.Context(), engine.Caller{AgentName: "main"})
	if _, err := anthropichook.Run(ctx, e, service, []anthropic.BetaTool{helper}, params("outer")); err != nil {
		t.Fatal(err)
	}
	has(t, "the third request", p.texts()[2], "be thorough")
	for _, c := range events.Of(hooks.SubagentStop) {
		equal(t, "who stops", []any{c.AgentName, c.AgentID, c.ParentAgentID, c.AgentDepth, c.Response}, []any{"helper", "c0", "main", 1, "helped"})
	}
	equal(t, "the events", events.Names(), "run_start pre_prompt pre_model_call post_model_call pre_tool_call subagent_start pre_model_call post_model_call "+
		"subagent_stop pre_model_call post_model_call subagent_stop post_tool_call pre_model_call post_model_call stop run_end")
}

func TestAReaderThatStopsEndsTheRun(t *testing.T) {
	e, events := newEngine(t, "")
	p := serve(t, says("done", use("c1", "echo", object{"text": "x"})))
	for range anthropichook.RunStreaming(t.Context(), e, &p.client().Beta.Messages, []anthropic.BetaTool{echo("echo")}, params("please")) {
		break
	}
	equal(t, "the events", events.Names(), "run_start pre_prompt pre_model_call post_model_call run_end")
	equal(t, "success", events.Of(hooks.RunEnd)[0].Fields["success"], false)
}

func TestAFailedStreamIsTheLastThing(t *testing.T) {
	e, events := newEngine(t, "")
	p := serve(t, func(request) reply { return reply{status: 400, message: "no such model"} })
	var all []error
	for _, err := range anthropichook.RunStreaming(t.Context(), e, &p.client().Beta.Messages, nil, params("please")) {
		all = append(all, err)
	}
	if len(all) != 1 || all[0] == nil || !strings.Contains(all[0].Error(), "no such model") {
		t.Errorf("got %v", all)
	}
	equal(t, "the events", events.Names(), "run_start pre_prompt pre_model_call on_error run_end")
}

func TestAMiddlewareOfTheClientComesFirst(t *testing.T) {
	e, events := newEngine(t, "")
	p := serve(t, says("done"))
	service := &p.client(option.WithMiddleware(anthropichook.Middleware(e))).Beta.Messages
	if _, err := anthropichook.Run(t.Context(), e, service, nil, params("please")); err != nil {
		t.Fatal(err)
	}
	equal(t, "the events", events.Names(), "run_start pre_prompt pre_model_call post_model_call stop run_end")
}

// elsewhere makes a request one of another service, as those for Bedrock and Vertex do.
func elsewhere(req *http.Request, next option.MiddlewareNext) (*http.Response, error) {
	req.URL.Path = "/model/played-1/invoke"
	return next(req)
}

func TestRequestsOfAnotherService(t *testing.T) {
	const script = `on("pre_model_call", function() return deny("no") end)`
	p := serve(t, says("done"))
	behind := &p.client(option.WithMiddleware(elsewhere)).Beta.Messages
	if _, err := anthropichook.Run(t.Context(), adaptertest.NewEngine(t, script), behind, nil, params("please")); err == nil || !strings.Contains(err.Error(), "before that service's option") {
		t.Errorf("got %v, want what to do", err)
	}
	equal(t, "requests", len(p.texts()), 0)

	e := adaptertest.NewEngine(t, script)
	before := &p.client(option.WithMiddleware(anthropichook.Middleware(e)), option.WithMiddleware(elsewhere)).Beta.Messages
	if m, err := anthropichook.Run(t.Context(), e, before, nil, params("please")); err != nil || finalText(m) != "no" {
		t.Error(finalText(m), err)
	}

	var w warnings
	if m, err := anthropichook.Run(t.Context(), adaptertest.NewEngine(t, ""), behind, nil, params("please"), w.option()); err != nil || finalText(m) != "done" {
		t.Error(finalText(m), err)
	}
	has(t, "the warnings", w.text, "can't see a request")
}

func TestAPromptKeepsItsPictures(t *testing.T) {
	e, _ := newEngine(t, `on("pre_prompt", function(ev) return modify{ prompt = (ev.prompt:gsub("hunter2", "***")) } end)
on("pre_prompt", function() return context("it is Friday") end)`)
	p := serve(t, says("done"))
	sent := params("my password is hunter2")
	sent.Messages[0].Content = append(sent.Messages[0].Content, anthropic.NewBetaImageBlock(anthropic.BetaURLImageSourceParam{URL: "https://example.com/cat.png"}))
	if _, err := anthropichook.Run(t.Context(), e, &p.client().Beta.Messages, nil, sent); err != nil {
		t.Fatal(err)
	}
	has(t, "the request", p.texts()[0], "my password is ***", "cat.png", "it is Friday")
	if strings.Contains(p.texts()[0], "hunter2") || sent.Messages[0].Content[0].OfText.Text != "my password is hunter2" {
		t.Error("the prompt that was sent, or the caller's own, is wrong:", p.texts()[0])
	}
}
