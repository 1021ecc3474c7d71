package einohook_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/compose"
	"github.com/cloudwego/eino/schema"

	"github.com/luahook/luahook/adapters/einohook"
	"github.com/luahook/luahook/hooks"
)

var agentEvents = []hooks.Event{hooks.RunStart, hooks.PreAgent, hooks.SubagentStart, hooks.OnError, hooks.SubagentStop, hooks.PostAgent, hooks.Stop, hooks.RunEnd}

// withHelper is an agent that calls another one as a tool.
func withHelper(t *testing.T, w *world, inner *played, handlers []adk.ChatModelAgentMiddleware) (*adk.ChatModelAgent, *played) {
	helper := adk.NewAgentTool(t.Context(), newAgent(t, "helper", inner, handlers, echo("echo"), echo("stopper")))
	outer := &played{answers: []*schema.Message{calls("helper", `{"request":"go"}`)}}
	return newAgent(t, "main", outer, w.handlers(), helper), outer
}

func TestSubagentThatMayNotStart(t *testing.T) {
	w := newWorld(t, `on("subagent_start", function() return deny("no helpers today") end)`)
	inner := &played{}
	agent, outer := withHelper(t, w, inner, w.handlers())
	if r := w.run(agent, false); r.err() != nil || r.final != "done" {
		t.Fatal(r.err(), r.final)
	}
	text, _ := outer.given("c1")
	has(t, "the model's answer", text, "no helpers today")
	equal(t, "requests of the helper", len(inner.requests), 0)
}

func TestHaltBelowEndsTheTurn(t *testing.T) {
	w := newWorld(t, `on("pre_tool_call", { match = "stopper" }, function() return halt("the budget is used up") end)`, agentEvents...)
	inner := &played{answers: []*schema.Message{calls("stopper", `{}`)}}
	agent, outer := withHelper(t, w, inner, w.handlers())
	r := w.run(agent, true)
	if r.err() != nil {
		t.Fatal(r.err())
	}
	equal(t, "the last word", r.final, "the budget is used up")
	equal(t, "requests", []int{len(inner.requests), len(outer.requests)}, []int{1, 1})
	equal(t, "events", w.story(), "run_start pre_agent@main subagent_start@helper subagent_stop@helper post_agent@main run_end")
}

// An agent that fails has its end, too, though Eino doesn't tell of it.
func TestAgentsThatFail(t *testing.T) {
	w := newWorld(t, "", agentEvents...)
	inner := &played{fails: errors.New("status 500")}
	agent, _ := withHelper(t, w, inner, w.handlers())
	r := w.run(agent, false)
	if r.err() == nil || !strings.Contains(r.err().Error(), "status 500") {
		t.Fatal(r.err())
	}
	equal(t, "events", w.story(), "run_start pre_agent@main subagent_start@helper on_error@helper subagent_stop@helper post_agent@main run_end")
	for _, c := range w.Of(hooks.RunEnd) {
		equal(t, "success", c.Fields["success"], false)
		has(t, "its error", c.Error.Message, "status 500")
	}
}

func TestWarningOfAgentsWithoutHooks(t *testing.T) {
	w := newWorld(t, "")
	agent, _ := withHelper(t, w, &played{answers: []*schema.Message{calls("echo", `{}`)}}, nil)
	w.run(agent, false)
	has(t, "the warnings", w.warnings(), "the agent helper runs below main without hooks")

	w = newWorld(t, "")
	w.run(newAgent(t, "main", &played{answers: []*schema.Message{calls("echo", `{}`)}}, nil, echo("echo")), false)
	has(t, "the warnings", w.warnings(), "the agent main calls tools without hooks")

	w = newWorld(t, "")
	agent, _ = withHelper(t, w, &played{answers: []*schema.Message{calls("echo", `{}`)}}, w.handlers())
	w.run(agent, false)
	equal(t, "the warnings", w.warnings(), "")
}

// Context for an agent stays in its conversation, and is given once.
func TestContextForAnAgent(t *testing.T) {
	w := newWorld(t, `on("pre_agent", function() return context("the build is broken") end)`)
	m := &played{answers: []*schema.Message{calls("echo", `{}`)}}
	w.run(newAgent(t, "main", m, w.handlers(), echo("echo")), false)
	for n := range 2 {
		equal(t, "how often the model reads it", strings.Count(m.text(n), "the build is broken"), 1)
	}
}

func TestTransfer(t *testing.T) {
	w := newWorld(t, "", append(agentEvents, hooks.PostToolCall)...)
	first := &played{answers: []*schema.Message{calls("transfer_to_agent", `{"agent_name":"second"}`)}}
	second := &played{answers: []*schema.Message{calls("echo", `{}`)}}
	agent, err := adk.SetSubAgents(t.Context(), newAgent(t, "first", first, w.handlers()), []adk.Agent{newAgent(t, "second", second, w.handlers(), echo("echo"))})
	if err != nil {
		t.Fatal(err)
	}
	r := w.run(agent, false)
	if r.err() != nil || r.final != "done" {
		t.Fatal(r.err(), r.final)
	}
	equal(t, "events", w.story(), "run_start pre_agent@first post_tool_call:transfer_to_agent=ok post_agent@first "+
		"pre_agent@second post_tool_call:echo=ok post_agent@second stop@second run_end")
	equal(t, "the warnings", w.warnings(), "")
}

// agentic is a model for agents of the other kind of message.
type agentic struct{ answers []*schema.AgenticMessage }

func (a *agentic) Generate(context.Context, []*schema.AgenticMessage, ...model.Option) (*schema.AgenticMessage, error) {
	m := a.answers[0]
	a.answers = a.answers[1:]
	return m, nil
}

func (a *agentic) Stream(ctx context.Context, in []*schema.AgenticMessage, o ...model.Option) (*schema.StreamReader[*schema.AgenticMessage], error) {
	m, err := a.Generate(ctx, in, o...)
	return schema.StreamReaderFromArray([]*schema.AgenticMessage{m}), err
}

// Agents of agentic messages have no Handler, but tools that can be put under hooks.
func TestAgenticAgent(t *testing.T) {
	w := newWorld(t, `on("pre_tool_call", function() return deny("not this one") end)`, hooks.PostToolCall)
	deploy, ran := counted("deploy")
	m := &agentic{answers: []*schema.AgenticMessage{
		{Role: schema.AgenticRoleTypeAssistant, ContentBlocks: []*schema.ContentBlock{schema.NewContentBlock(&schema.FunctionToolCall{CallID: "c1", Name: "deploy", Arguments: `{}`})}},
		{Role: schema.AgenticRoleTypeAssistant, ContentBlocks: []*schema.ContentBlock{schema.NewContentBlock(&schema.AssistantGenText{Text: "done"})}},
	}}
	a, err := adk.NewTypedChatModelAgent(t.Context(), &adk.TypedChatModelAgentConfig[*schema.AgenticMessage]{Name: "main", Description: "main", Model: m,
		ToolsConfig: adk.ToolsConfig{ToolsNodeConfig: compose.ToolsNodeConfig{Tools: toolList(deploy), ToolCallMiddlewares: []compose.ToolMiddleware{einohook.ToolMiddleware(w.engine)}}}})
	if err != nil {
		t.Fatal(err)
	}
	events := adk.NewTypedRunner(adk.TypedRunnerConfig[*schema.AgenticMessage]{Agent: a}).Query(t.Context(), "go")
	for {
		event, more := events.Next()
		if !more {
			break
		}
		if event.Err != nil {
			t.Fatal(event.Err)
		}
	}
	equal(t, "runs", ran.Load(), 0)
	equal(t, "events", w.story(), "post_tool_call:deploy=denied")
}
