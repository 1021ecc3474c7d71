package adaptertest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/adapter"
	"github.com/luahook/luahook/hooks"
)

// checks is the list.
var checks = []struct {
	name string
	says string
	run  func(t *trial)
}{
	{"deny", "a deny keeps the tool from running, and the model gets the reason", checkDeny},
	{"modify", "a rewritten input reaches the tool whole", checkModify},
	{"output", "what a hook puts in a text's place reaches the model, and nothing of the text", checkOutput},
	{"structured", "so for structured output, Go structs included", checkStructured},
	{"respond", "a hook answers in the tool's place", checkRespond},
	{"context", "context and feedback of hooks reach the model beside the output", checkContext},
	{"error", "a tool's error gives exactly one post_tool_call", checkError},
	{"panic", "so does a tool's panic, which ends nothing else", checkPanic},
	{"failing_hooks", "a guard that fails refuses the call, a filter that fails withholds the output", checkFailingHooks},
	{"halt", "a halt ends the turn before the tool runs", checkHalt},
	{"parallel", "50 calls at once keep their inputs, outputs and events apart", checkParallel},
	{"cancel", "a call whose caller gives up gets its post_tool_call", checkCancel},
	{"caller", "events say who calls: call id, session, agent, and what WithCaller says", checkCaller},
	{"messages", "messages for the user and warnings reach WithMessages", checkMessages},
	{"ask_blocking", "a hook's ask is put to the engine's function, with permission_request and permission_denied", checkAskBlocking},
	{"ask_nobody", "an ask that nobody answers is a deny", checkAskNobody},
	{"ask_native", "an ask stops the run the framework's way; a yes runs the tool once, with one post_tool_call", checkAskNative},
	{"ask_refused", "a no there refuses the call", checkAskRefused},
	{"model", "each model call has its two events, with usage", checkModel},
	{"model_deny", "a deny of a model call answers in the model's place", checkModelDeny},
	{"model_context", "context of pre_model_call reaches the model", checkModelContext},
	{"model_error", "a model's error is an on_error", checkModelError},
	{"model_off", "WithoutModelEvents fires none", checkModelOff},
	{"run", "run_start and run_end once, in order; a deny of run_start runs nothing", checkRun},
	{"session", "session_start once a session", checkSession},
	{"prompt", "pre_prompt has the prompt, and its rewrite reaches the model", checkPrompt},
	{"stream", "the same where the run streams", checkStream},
	{"tool_stream", "a streaming tool is held back where hooks look at it, and its output replaced", checkToolStream},
	{"subagent", "tools of a sub-agent are judged, with its name, its parent and its depth", checkSubagent},
}

func say(text string) func(context.Context, map[string]any) (any, error) {
	return func(context.Context, map[string]any) (any, error) { return text, nil }
}

func checkDeny(t *trial) {
	t.tool("danger", say("boom"))
	t.tool("echo", say("echoed"))
	id, other := t.call("danger", map[string]any{"x": "y"}), t.call("echo", map[string]any{})
	o := t.finished()
	t.ran("danger", 0)
	t.ran("echo", 1)
	t.says("the model's answer", o.Answers[id], "danger is not allowed")
	t.silent("the model's answer", o.Answers[id], "boom")
	t.says("the other answer", o.Answers[other], "echoed")
	t.posts("danger", hooks.OutcomeDenied)
	for _, c := range t.posts("echo", hooks.OutcomeOK) {
		t.says("its output", engine.TextOf(c.ToolCall.Output), "echoed")
	}
}

func checkModify(t *trial) {
	t.tool("rewrite", func(_ context.Context, input map[string]any) (any, error) { return engine.TextOf(input), nil })
	id := t.call("rewrite", map[string]any{"text": "hello", "gone": "old"})
	o := t.finished()
	for _, input := range t.bodies.of("rewrite") {
		if got, want := engine.TextOf(input), `{"added":{"list":["a","b"],"n":7},"text":"hello (rewritten)"}`; got != want {
			t.Errorf("the body got %s, want %s", got, want)
		}
	}
	t.ran("rewrite", 1)
	t.says("the model's answer", o.Answers[id], "hello (rewritten)")
	for _, c := range t.posts("rewrite", hooks.OutcomeOK) {
		t.says("the input of post_tool_call", engine.TextOf(c.ToolCall.Input), "(rewritten)")
	}
}

func checkOutput(t *trial) {
	t.tool("secret", say("the password is hunter2"))
	id := t.call("secret", map[string]any{})
	o := t.finished()
	t.says("the model's answer", o.Answers[id], "the password is ***")
	t.silent("the model's answer", o.Answers[id], "hunter2")
	t.silent("the requests", strings.Join(o.Requests, "\n"), "hunter2")
}

// Login is the structured output of a tool.
type Login struct {
	User     string `json:"user"`
	Password string `json:"password"`
}

func checkStructured(t *trial) {
	t.tool("secret_struct", func(context.Context, map[string]any) (any, error) { return Login{"ana", "hunter2"}, nil })
	t.tool("secret_map", func(context.Context, map[string]any) (any, error) {
		return map[string]any{"user": "bob", "password": "hunter2"}, nil
	})
	one, two := t.call("secret_struct", map[string]any{}), t.call("secret_map", map[string]any{})
	o := t.finished()
	for _, id := range []string{one, two} {
		t.says("the model's answer", o.Answers[id], "***")
		t.silent("the model's answer", o.Answers[id], "hunter2")
	}
	t.silent("the requests", strings.Join(o.Requests, "\n"), "hunter2")
}

func checkRespond(t *trial) {
	t.tool("cached", say("fresh"))
	id := t.call("cached", map[string]any{})
	o := t.finished()
	t.ran("cached", 0)
	t.says("the model's answer", o.Answers[id], "from the cache")
	t.posts("cached", hooks.OutcomeOK)
}

func checkContext(t *trial) {
	t.tool("hint", say("hinted"))
	t.tool("object", say("changed"))
	one, two := t.call("hint", map[string]any{}), t.call("object", map[string]any{})
	o := t.finished()
	t.says("the model's answer", o.Answers[one], "hinted", "remember the style guide")
	t.says("the model's answer", o.Answers[two], "changed", "run the tests first")
}

func checkError(t *trial) {
	t.tool("fail", func(context.Context, map[string]any) (any, error) { return nil, errors.New("disk full") })
	id := t.call("fail", map[string]any{})
	o := t.run() // which a framework may end with the error
	if o.Err == nil {
		t.says("the model's answer", o.Answers[id], "disk full")
	}
	for _, c := range t.posts("fail", hooks.OutcomeError) {
		t.says("post_tool_call", c.Error.Message, "disk full")
	}
}

func checkPanic(t *trial) {
	t.tool("panics", func(context.Context, map[string]any) (any, error) { panic("out of cheese") })
	t.call("panics", map[string]any{})
	t.run()
	for _, c := range t.posts("panics", hooks.OutcomeError) {
		t.says("post_tool_call", c.Error.Message, "out of cheese")
	}
}

func checkFailingHooks(t *trial) {
	t.tool("failing_guard", say("ran"))
	t.tool("failing_filter", say("the secret is hunter2"))
	one, two := t.call("failing_guard", map[string]any{}), t.call("failing_filter", map[string]any{})
	o := t.run()
	t.ran("failing_guard", 0)
	t.silent("the model's answer", o.Answers[two], "hunter2")
	t.silent("the requests", strings.Join(o.Requests, "\n"), "hunter2")
	if o.Err == nil {
		t.says("the model's answer", o.Answers[one], "the guard broke")
		t.says("the model's answer", o.Answers[two], "kept back")
	}
	t.posts("failing_guard", hooks.OutcomeDenied)
	t.posts("failing_filter", hooks.OutcomeOK)
}

func checkHalt(t *trial) {
	t.tool("stopper", say("ran"))
	id := t.call("stopper", map[string]any{})
	o := t.run()
	t.ran("stopper", 0)
	if len(o.Requests) > 1 {
		t.Errorf("the model was asked %d times, want once", len(o.Requests))
	}
	text := o.Answers[id] + o.Final
	if o.Err != nil {
		text += o.Err.Error()
	}
	t.says("the outcome", text, "the budget is used up")
	t.posts("stopper", hooks.OutcomeDenied)
}

func checkParallel(t *trial) {
	const n = 50
	t.tool("echo", func(_ context.Context, input map[string]any) (any, error) {
		return fmt.Sprint("said ", input["text"]), nil
	})
	t.tool("rewrite", func(_ context.Context, input map[string]any) (any, error) { return input["text"], nil })
	for i := range n {
		t.call([]string{"echo", "rewrite"}[i%2], map[string]any{"text": fmt.Sprintf("<%d>", i)})
	}
	o := t.finished()
	for i, c := range t.scenario.Calls {
		want := []string{fmt.Sprintf("said <%d>", i), fmt.Sprintf("<%d> (rewritten)", i)}[i%2]
		if !contains(o.Answers[c.ID], want) {
			t.Errorf("the answer of call %d: got %q, want %q in it", i, o.Answers[c.ID], want)
		}
	}
	for _, event := range []hooks.Event{hooks.PreToolCall, hooks.PostToolCall} {
		seen := map[string]int{}
		for _, c := range t.events(event, n) {
			seen[fmt.Sprint(c.ToolCall.Input["text"])]++
		}
		if len(seen) != n {
			t.Errorf("%s had %d different inputs, want %d", event, len(seen), n)
		}
	}
}

// contains looks for a text, also in one that stands in JSON, where < and > may be escaped.
func contains(text, part string) bool {
	escaped, _ := json.Marshal(part)
	return strings.Contains(text, part) || strings.Contains(text, strings.Trim(string(escaped), `"`))
}

func checkCancel(t *trial) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	t.tool("slow", func(ctx context.Context, _ map[string]any) (any, error) {
		cancel() // the caller gives up while it runs
		<-ctx.Done()
		return nil, ctx.Err()
	})
	t.scenario.Context = ctx
	t.call("slow", map[string]any{})
	t.run()
	t.ran("slow", 1)
	t.posts("slow", hooks.OutcomeError)
}

func checkCaller(t *trial) {
	t.tool("echo", say("echoed"))
	t.call("echo", map[string]any{"text": "x"})
	t.finished()
	for _, event := range []hooks.Event{hooks.PreToolCall, hooks.PostToolCall} {
		for _, c := range t.events(event, 1) {
			if c.CWD != "/work" || c.Metadata["team"] != "blue" {
				t.Errorf("%s: cwd %q and metadata %v, want what WithCaller says", event, c.CWD, c.Metadata)
			}
			if c.SessionID == "" && c.AgentName == "" {
				t.Errorf("%s has neither a session nor an agent's name", event)
			}
		}
	}
}

func checkMessages(t *trial) {
	_, err := t.engine.RegisterHook(hooks.PreToolCall, hooks.Options{Name: "teller"}, func(context.Context, *hooks.Context) (*hooks.Result, error) {
		return &hooks.Result{SystemMessage: "for the user"}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	_, err = t.engine.RegisterHook(hooks.PreToolCall, hooks.Options{Name: "broken", OnFailure: hooks.Warn}, func(context.Context, *hooks.Context) (*hooks.Result, error) {
		return nil, errors.New("the observer broke")
	})
	if err != nil {
		t.Fatal(err)
	}
	t.tool("echo", say("echoed"))
	t.call("echo", map[string]any{})
	t.finished()
	t.says("the messages", t.messages.text(), "for the user", "the observer broke")
}

func checkAskBlocking(t *trial) {
	var yes atomic.Bool
	t.scenario.Context = engine.AskWith(t.scenario.Context, func(_ context.Context, event *hooks.Context, r *hooks.Result) (bool, error) {
		if event.ToolCall == nil || !strings.Contains(r.Reason, "needs a person") {
			t.Errorf("asked about %v for %q", event, r.Reason)
		}
		return yes.Load(), nil
	})
	t.scenario.Options = append(t.scenario.Options, adapter.WithBlockingAsk())
	t.tool("approve", say("approved"))
	id := t.call("approve", map[string]any{})
	o := t.finished()
	t.ran("approve", 0)
	t.says("the model's answer", o.Answers[id], "said no", "needs a person")
	t.posts("approve", hooks.OutcomeDenied)
	t.events(hooks.PermissionRequest, 1)
	t.events(hooks.PermissionDenied, 1)

	yes.Store(true)
	o = t.finished()
	t.ran("approve", 1)
	t.says("the model's answer", o.Answers[id], "approved")
	t.posts("approve", hooks.OutcomeDenied, hooks.OutcomeOK)
	t.events(hooks.PermissionRequest, 2)
	t.events(hooks.PermissionDenied, 1)
}

func checkAskNobody(t *trial) {
	t.scenario.Options = append(t.scenario.Options, adapter.WithBlockingAsk())
	checkRefused(t)
}

// checkRefused has a call refused that a hook asks about.
func checkRefused(t *trial) {
	t.tool("approve", say("approved"))
	id := t.call("approve", map[string]any{})
	o := t.finished()
	t.ran("approve", 0)
	t.says("the model's answer", o.Answers[id], "needs a person")
	t.posts("approve", hooks.OutcomeDenied)
	t.events(hooks.PermissionRequest, 1)
	t.events(hooks.PermissionDenied, 1)
}

func checkAskNative(t *trial) {
	yes := true
	t.scenario.Answer = &yes
	t.tool("approve", say("approved"))
	id := t.call("approve", map[string]any{})
	o := t.finished()
	t.ran("approve", 1)
	t.says("the model's answer", o.Answers[id], "approved")
	t.posts("approve", hooks.OutcomeOK)
	t.events(hooks.PermissionRequest, 1)
	t.events(hooks.PermissionDenied, 0)
	pre := t.recorder.About(hooks.PreToolCall, "approve")
	if o.Stopped == 0 {
		t.Errorf("the run has not stopped for a person")
	}
	if len(pre) > 1 && !pre[len(pre)-1].ToolCall.Resumed {
		t.Errorf("the call that was begun again doesn't say so (tool_call.resumed)")
	}
	if pre[0].ToolCall.Resumed {
		t.Errorf("the first call says that it is one begun again")
	}
}

func checkAskRefused(t *trial) {
	no := false
	t.scenario.Answer = &no
	checkRefused(t)
}

func checkModel(t *trial) {
	t.tool("echo", say("echoed"))
	t.call("echo", map[string]any{})
	o := t.finished()
	for _, c := range t.events(hooks.PreModelCall, len(o.Requests)) {
		if messages, _ := c.Fields["messages"].([]any); len(messages) == 0 {
			t.Errorf("pre_model_call has no messages")
		}
	}
	last := ""
	for _, c := range t.events(hooks.PostModelCall, len(o.Requests)) {
		if c.Usage == nil || c.Usage.InputTokens != UsageInput || c.Usage.OutputTokens != UsageOutput {
			t.Errorf("post_model_call has usage %v, want %d and %d tokens", c.Usage, UsageInput, UsageOutput)
		}
		last = c.Response
	}
	t.says("the last answer", last, "done")
}

func checkModelDeny(t *trial) {
	t.mark("deny")
	t.tool("echo", say("echoed"))
	t.call("echo", map[string]any{})
	o := t.run()
	t.ran("echo", 0)
	if len(o.Requests) > 0 {
		t.Errorf("the model was asked %d times", len(o.Requests))
	}
	text := o.Final
	if o.Err != nil {
		text += o.Err.Error()
	}
	t.says("the outcome", text, "the model is off")
	t.events(hooks.PostModelCall, 0)
}

func checkModelContext(t *trial) {
	t.mark("context")
	o := t.finished()
	if len(o.Requests) == 0 {
		t.Fatal("the model was not asked")
	}
	t.says("the request", o.Requests[0], "answer in French")
}

func checkModelError(t *trial) {
	t.scenario.ModelFails = "the model is on fire"
	t.run()
	list := t.recorder.Of(hooks.OnError)
	if len(list) == 0 {
		t.Fatal("on_error was not fired")
	}
	t.says("on_error", list[0].Error.Message, "on fire")
	t.events(hooks.PostModelCall, 0)
}

func checkModelOff(t *trial) {
	t.scenario.Options = append(t.scenario.Options, adapter.WithoutModelEvents())
	t.tool("echo", say("echoed"))
	t.call("echo", map[string]any{})
	t.finished()
	t.events(hooks.PreModelCall, 0)
	t.events(hooks.PostModelCall, 0)
	t.posts("echo", hooks.OutcomeOK)
}

func checkRun(t *trial) {
	t.tool("echo", say("echoed"))
	t.call("echo", map[string]any{})
	t.finished()
	t.events(hooks.RunStart, 1)
	for _, c := range t.events(hooks.RunEnd, 1) {
		if c.Fields["success"] != true {
			t.Errorf("run_end says success = %v", c.Fields["success"])
		}
	}
	var order []string
	for _, c := range t.recorder.All() {
		switch c.Event {
		case hooks.RunStart, hooks.PreToolCall, hooks.RunEnd:
			order = append(order, string(c.Event))
		}
	}
	if got := strings.Join(order, " "); got != "run_start pre_tool_call run_end" {
		t.Errorf("the order was %s", got)
	}

	t.mark("no run")
	o := t.run()
	t.ran("echo", 1) // of the run before
	if o.Err == nil {
		t.says("the outcome", o.Final, "not today")
	} else {
		t.says("the error", o.Err.Error(), "not today")
	}
	t.events(hooks.RunStart, 2)
	t.events(hooks.RunEnd, 1)
}

func checkSession(t *trial) {
	t.tool("echo", say("echoed"))
	t.call("echo", map[string]any{})
	t.call("echo", map[string]any{"again": true})
	t.finished()
	t.events(hooks.SessionStart, 1)
}

func checkPrompt(t *trial) {
	_, err := t.engine.RegisterHook(hooks.PrePrompt, hooks.Options{Name: "polite"}, func(_ context.Context, c *hooks.Context) (*hooks.Result, error) {
		return &hooks.Result{Input: map[string]any{"prompt": c.Prompt + ", kindly"}}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	o := t.finished()
	for _, c := range t.events(hooks.PrePrompt, 1) {
		t.says("the prompt", c.Prompt, "please")
	}
	if len(o.Requests) == 0 {
		t.Fatal("the model was not asked")
	}
	t.says("the request", o.Requests[0], "please, kindly")
}

func checkStream(t *trial) {
	t.scenario.Stream = true
	t.tool("danger", say("boom"))
	t.tool("secret", say("the password is hunter2"))
	one, two := t.call("danger", map[string]any{}), t.call("secret", map[string]any{})
	o := t.finished()
	t.ran("danger", 0)
	t.says("the model's answer", o.Answers[one], "danger is not allowed")
	t.says("the model's answer", o.Answers[two], "the password is ***")
	t.silent("the requests", strings.Join(o.Requests, "\n"), "hunter2")
	t.says("the final text", o.Final, "done")
	t.posts("danger", hooks.OutcomeDenied)
	t.posts("secret", hooks.OutcomeOK)
	if t.adapter.Lacks["model"] == "" {
		for _, c := range t.events(hooks.PostModelCall, len(o.Requests)) {
			if c.Usage == nil || c.Usage.InputTokens != UsageInput {
				t.Errorf("post_model_call has usage %v", c.Usage)
			}
		}
	}
}

func checkToolStream(t *trial) {
	t.tool("secret", say("the password| is hun|ter2"))
	t.tool("echo", say("one|two"))
	for i := range t.scenario.Tools {
		t.scenario.Tools[i].Streams = true
	}
	one, two := t.call("secret", map[string]any{}), t.call("echo", map[string]any{})
	o := t.finished()
	t.says("the model's answer", o.Answers[one], "the password is ***")
	t.silent("the requests", strings.Join(o.Requests, "\n"), "hunter2", "hun|ter2")
	t.says("the model's answer", o.Answers[two], "one", "two")
	t.posts("secret", hooks.OutcomeOK)
	for _, c := range t.posts("echo", hooks.OutcomeOK) {
		t.says("its output", engine.TextOf(c.ToolCall.Output), "onetwo")
	}
}

func checkSubagent(t *trial) {
	t.scenario.Sub = true
	t.tool("danger", say("boom"))
	t.tool("echo", say("echoed"))
	one, two := t.call("danger", map[string]any{}), t.call("echo", map[string]any{})
	o := t.finished()
	t.ran("danger", 0)
	t.says("the model's answer", o.Answers[one], "danger is not allowed")
	t.says("the model's answer", o.Answers[two], "echoed")
	for _, c := range t.recorder.About(hooks.PreToolCall, "echo") {
		if c.AgentName != "helper" || c.ParentAgentID == "" || c.AgentDepth != 1 {
			t.Errorf("agent %q, parent %q, depth %d; want helper, its parent, and 1", c.AgentName, c.ParentAgentID, c.AgentDepth)
		}
	}
	t.posts("danger", hooks.OutcomeDenied)
	t.posts("echo", hooks.OutcomeOK)
	t.events(hooks.SubagentStart, 1)
	t.events(hooks.SubagentStop, 1)
}
