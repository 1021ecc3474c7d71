package einohook_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/compose"
	"github.com/cloudwego/eino/schema"

	"github.com/luahook/luahook/adapters/einohook"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

const askPolicy = `on("pre_tool_call", { match = "deploy|helper" }, function() return ask("is that all right?") end)`

var toolEvents = []hooks.Event{hooks.PreToolCall, hooks.PermissionRequest, hooks.PermissionDenied, hooks.PostToolCall}

// counted is a tool that counts how often it runs.
func counted(name string) (tool.BaseTool, *atomic.Int32) {
	n := new(atomic.Int32)
	return kinds["invokable"](name, n), n
}

// sitting is a run that may be interrupted and resumed.
type sitting struct {
	*testing.T
	world  *world
	runner *adk.Runner
	*ran
}

func sit(t *testing.T, w *world, a adk.Agent) *sitting {
	s := &sitting{T: t, world: w, runner: adk.NewRunner(t.Context(), adk.RunnerConfig{Agent: a, CheckPointStore: &memory{}})}
	s.ran = drain(einohook.Run(t.Context(), w.engine, s.runner, []adk.Message{schema.UserMessage("go")}, adk.WithCheckPointID("x")))
	return s
}

func (s *sitting) resume(p *adk.ResumeParams) {
	s.Helper()
	events, err := einohook.Resume(s.Context(), s.world.engine, s.runner, "x", p, adk.WithCheckPointID("x"))
	if err != nil {
		s.Fatal(err)
	}
	s.ran = drain(events)
}

// question is the only one of the stop.
func (s *sitting) question() *einohook.Question {
	s.Helper()
	if s.interrupt == nil {
		s.Fatalf("the run has not stopped: %v %q", s.err(), s.final)
	}
	var found *einohook.Question
	for _, c := range s.interrupt.InterruptContexts {
		if q, ok := c.Info.(*einohook.Question); ok && c.IsRootCause {
			found = q
		}
	}
	if found == nil {
		s.Fatalf("the run has stopped without a question: %v", s.interrupt.InterruptContexts)
	}
	return found
}

func TestAskSaysWhatItIsAbout(t *testing.T) {
	w := newWorld(t, askPolicy+`on("pre_tool_call", { match = "deploy", priority = 5 }, function() return replace{ to = "staging" } end)`)
	deploy, ran := counted("deploy")
	m := &played{answers: []*schema.Message{calls("deploy", `{"to":"prod"}`)}}
	s := sit(t, w, newAgent(t, "main", m, w.handlers(), deploy))
	equal(t, "question", *s.question(), einohook.Question{CallID: "c1", Tool: "deploy", Input: `{"to":"staging"}`, Reason: "is that all right?"})
	s.resume(s.targets(einohook.Approval{Approved: true})) // by value, too
	text, _ := m.given("c1")
	equal(t, "the tool got", text, `{"to":"staging"}`)
	equal(t, "runs of the tool", ran.Load(), 1)
}

// Only the questions that are answered count: the others are asked again, and what has run beside
// them doesn't run again.
func TestAskForTwoCallsAtOnce(t *testing.T) {
	w := newWorld(t, askPolicy, toolEvents...)
	deploy, deployed := counted("deploy")
	other, ran := counted("other")
	m := &played{answers: []*schema.Message{calls("deploy", `{"n":1}`, "deploy", `{"n":2}`, "other", `{}`)}}
	s := sit(t, w, newAgent(t, "main", m, w.handlers(), deploy, other))
	targets := s.targets(nil)
	equal(t, "questions", len(targets.Targets), 2)
	for _, c := range s.interrupt.InterruptContexts {
		if q := c.Info.(*einohook.Question); q.CallID == "c1" {
			targets.Targets = map[string]any{c.ID: &einohook.Approval{Comment: "not on a Friday"}}
		}
	}
	s.resume(targets)
	equal(t, "the question left", s.question().CallID, "c2")
	s.resume(s.targets(&einohook.Approval{Approved: true}))
	if s.err() != nil || s.final != "done" {
		t.Fatal(s.err(), s.final)
	}
	first, _ := m.given("c1")
	has(t, "the refused call", first, "a person was asked and said no: not on a Friday")
	equal(t, "runs", []int32{deployed.Load(), ran.Load()}, []int32{1, 1})
	equal(t, "post_tool_call", len(w.Of(hooks.PostToolCall)), 3)
	equal(t, "permission_request", len(w.Of(hooks.PermissionRequest)), 2)
	equal(t, "permission_denied", len(w.Of(hooks.PermissionDenied)), 1)
}

// To resume is no yes.
func TestAskIsNotAnsweredByResuming(t *testing.T) {
	w := newWorld(t, askPolicy)
	deploy, ran := counted("deploy")
	m := &played{answers: []*schema.Message{calls("deploy", `{}`)}}
	s := sit(t, w, newAgent(t, "main", m, w.handlers(), deploy))
	s.question()
	s.resume(nil)
	s.question()
	s.resume(s.targets(true)) // which is no einohook.Approval
	text, _ := m.given("c1")
	has(t, "the model's answer", text, "without an einohook.Approval")
	equal(t, "runs", ran.Load(), 0)
}

// waiting is a tool that waits for an answer of its own when it runs for the first time.
func waiting(name string, n *atomic.Int32) tool.BaseTool {
	return invokable{toolOf{name}, func(ctx context.Context, _ string) (string, error) {
		n.Add(1)
		if before, _, state := tool.GetInterruptState[string](ctx); before {
			_, _, answer := tool.GetResumeContext[string](ctx)
			return state + answer, nil
		}
		return "", tool.StatefulInterrupt(ctx, "which one?", "chosen: ")
	}}
}

// A tool that waits itself, after a person has allowed it: nobody is asked twice, and the call has
// one end.
func TestToolThatWaitsItself(t *testing.T) {
	for policy, want := range map[string]string{
		"": "pre_tool_call:deploy pre_tool_call:deploy post_tool_call:deploy=ok",
		askPolicy: "pre_tool_call:deploy permission_request:deploy pre_tool_call:deploy(resumed) " +
			"pre_tool_call:deploy(resumed) post_tool_call:deploy=ok",
	} {
		w := newWorld(t, policy, toolEvents...)
		n := new(atomic.Int32)
		m := &played{answers: []*schema.Message{calls("deploy", `{}`)}}
		s := sit(t, w, newAgent(t, "main", m, w.handlers(), waiting("deploy", n)))
		if policy != "" {
			s.question()
			s.resume(s.targets(&einohook.Approval{Approved: true}))
		}
		if s.interrupt == nil {
			t.Fatal("the tool does not wait", s.err())
		}
		equal(t, "what it waits for", s.interrupt.InterruptContexts[0].Info, "which one?")
		s.resume(s.targets("the red one"))
		text, _ := m.given("c1")
		equal(t, "the model's answer", text, "chosen: the red one")
		equal(t, "runs of the body", n.Load(), 2)
		equal(t, "events", w.story(), want)
	}
}

// A hook that asks only when the tool has begun isn't answered by what went before.
func TestAskAfterTheToolHasBegun(t *testing.T) {
	w := newWorld(t, "", toolEvents...)
	n, seen := new(atomic.Int32), 0
	if _, err := w.engine.RegisterHook(hooks.PreToolCall, hooks.Options{Name: "second thoughts"}, func(context.Context, *hooks.Context) (*hooks.Result, error) {
		if seen++; seen == 2 {
			return &hooks.Result{Decision: hooks.Ask, Reason: "again?"}, nil
		}
		return nil, nil
	}); err != nil {
		t.Fatal(err)
	}
	m := &played{answers: []*schema.Message{calls("deploy", `{}`)}}
	s := sit(t, w, newAgent(t, "main", m, w.handlers(), waiting("deploy", n)))
	s.resume(s.targets("the red one"))
	text, _ := m.given("c1")
	has(t, "the model's answer", text, "the tool has begun before a hook asked", "again?")
	equal(t, "runs of the body", n.Load(), 1)
	equal(t, "post_tool_call", len(w.Of(hooks.PostToolCall)), 1)
}

// Asks of an agent that is a tool, and about it.
func TestAskBelowAnAskedAgent(t *testing.T) {
	w := newWorld(t, askPolicy, append(toolEvents, hooks.PreAgent, hooks.PostAgent, hooks.SubagentStart, hooks.SubagentStop, hooks.RunStart, hooks.RunEnd)...)
	deploy, ran := counted("deploy")
	inner := &played{answers: []*schema.Message{calls("deploy", `{}`), schema.AssistantMessage("helped", nil)}}
	helper := adk.NewAgentTool(t.Context(), newAgent(t, "helper", inner, w.handlers(), deploy))
	outer := &played{answers: []*schema.Message{calls("helper", `{"request":"go"}`)}}
	s := sit(t, w, newAgent(t, "main", outer, w.handlers(), helper))
	equal(t, "first question", s.question().Tool, "helper")
	s.resume(s.targets(&einohook.Approval{Approved: true}))
	equal(t, "second question", s.question().Tool, "deploy")
	s.resume(s.targets(&einohook.Approval{Approved: true}))
	if s.err() != nil || s.interrupt != nil {
		t.Fatal(s.err(), s.interrupt)
	}
	text, _ := outer.given("c1")
	equal(t, "what the helper said", text, "helped")
	equal(t, "runs", ran.Load(), 1)
	equal(t, "events", w.story(), strings.Join([]string{
		"run_start pre_agent@main pre_tool_call:helper permission_request:helper",
		"pre_tool_call:helper(resumed) subagent_start@helper pre_tool_call:deploy permission_request:deploy",
		"pre_tool_call:helper(resumed) pre_tool_call:deploy(resumed) post_tool_call:deploy=ok",
		"subagent_stop@helper post_tool_call:helper=ok post_agent@main run_end",
	}, " "))
	if warnings := w.warnings(); warnings != "" {
		t.Error(warnings)
	}
}

// In a graph without an agent the interrupt is the graph's.
func TestAskOfAToolsNode(t *testing.T) {
	w := newWorld(t, askPolicy, toolEvents...)
	deploy, ran := counted("deploy")
	chain := compose.NewChain[*schema.Message, []*schema.Message]()
	chain.AppendToolsNode(toolsNode(t, w, deploy))
	graph, err := chain.Compile(t.Context(), compose.WithCheckPointStore(&memory{}))
	if err != nil {
		t.Fatal(err)
	}
	_, err = graph.Invoke(t.Context(), calls("deploy", `{}`), compose.WithCheckPointID("x"))
	info, interrupted := compose.ExtractInterruptInfo(err)
	if !interrupted {
		t.Fatal(err)
	}
	ctx := compose.ResumeWithData(t.Context(), info.InterruptContexts[0].ID, &einohook.Approval{Approved: true})
	list, err := graph.Invoke(ctx, nil, compose.WithCheckPointID("x"))
	if err != nil || list[0].Content != "{}" {
		t.Fatal(list, err)
	}
	equal(t, "runs", ran.Load(), 1)
	equal(t, "events", w.story(), "pre_tool_call:deploy permission_request:deploy pre_tool_call:deploy(resumed) post_tool_call:deploy=ok")
}

// A function that says that the answer comes later makes an interrupt of a blocking ask, and is
// asked again.
func TestBlockingAskThatIsAnsweredLater(t *testing.T) {
	w := newWorld(t, askPolicy, toolEvents...)
	deploy, ran := counted("deploy")
	m := &played{answers: []*schema.Message{calls("deploy", `{}`)}}
	handlers := []adk.ChatModelAgentMiddleware{einohook.Handler(w.engine, einohook.WithBlockingAsk())}
	runner := adk.NewRunner(t.Context(), adk.RunnerConfig{Agent: newAgent(t, "main", m, handlers, deploy), CheckPointStore: &memory{}})
	asked := 0
	ctx := engine.AskWith(t.Context(), func(context.Context, *hooks.Context, *hooks.Result) (bool, error) {
		if asked++; asked == 1 {
			return false, engine.ErrSuspended
		}
		return true, nil
	})
	r := drain(runner.Run(ctx, []adk.Message{schema.UserMessage("go")}, adk.WithCheckPointID("x")))
	if r.interrupt == nil || ran.Load() != 0 {
		t.Fatal("the run has not stopped", r.err())
	}
	events, err := runner.Resume(ctx, "x")
	if err != nil {
		t.Fatal(err)
	}
	if r = drain(events); r.err() != nil || r.interrupt != nil {
		t.Fatal(r.err(), r.interrupt)
	}
	equal(t, "asked and ran", []int{asked, int(ran.Load())}, []int{2, 1})
	equal(t, "post_tool_call", len(w.Of(hooks.PostToolCall)), 1)
}
