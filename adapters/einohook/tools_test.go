package einohook_test

import (
	"context"
	"errors"
	"fmt"
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

const toolPolicy = `
on("pre_tool_call", { match = "denied" }, function() return deny("not this one") end)
on("pre_tool_call", { match = "rewritten" }, function() return replace{ text = "by a hook" } end)
on("post_tool_call", { match = "secret" }, function(ev) return output((ev.tool_call.output:gsub("hunter2", "***"))) end)
on("post_tool_call", { match = "noted" }, function() return context("mind the gap") end)
`

// kinds are Eino's four kinds of tools, each answering with its arguments.
var kinds = map[string]func(name string, ran *atomic.Int32) tool.BaseTool{
	"invokable": func(name string, ran *atomic.Int32) tool.BaseTool {
		return invokable{toolOf{name}, func(_ context.Context, args string) (string, error) {
			ran.Add(1)
			return args, nil
		}}
	},
	"streamable": func(name string, ran *atomic.Int32) tool.BaseTool {
		return streamable{toolOf{name}, func(_ context.Context, args string) (*schema.StreamReader[string], error) {
			ran.Add(1)
			return schema.StreamReaderFromArray([]string{args[:3], args[3:]}), nil
		}}
	},
	"enhanced": func(name string, ran *atomic.Int32) tool.BaseTool {
		return enhanced{toolOf{name}, func(_ context.Context, args string) (*schema.ToolResult, error) {
			ran.Add(1)
			return textResult(args), nil
		}}
	},
	"enhanced streamable": func(name string, ran *atomic.Int32) tool.BaseTool {
		return enhancedStreamable{toolOf{name}, func(_ context.Context, args string) (*schema.StreamReader[*schema.ToolResult], error) {
			ran.Add(1)
			return schema.StreamReaderFromArray([]*schema.ToolResult{textResult(args[:3]), textResult(args[3:])}), nil
		}}
	},
}

func textResult(text string) *schema.ToolResult {
	return &schema.ToolResult{Parts: []schema.ToolOutputPart{{Type: schema.ToolPartTypeText, Text: text}}}
}

// toolNames are those that toolPolicy is about, and what their callers give them.
var toolNames = []string{"denied", "rewritten", "secret", "noted"}

// toolCalls are answers that call them, one at a time: where several enhanced tools stream at
// once, ToolsNode.Stream of Eino 0.9.12 has a data race of its own.
func toolCalls() (list []*schema.Message) {
	for i, name := range toolNames {
		m := calls(name, `{"text":"hunter2"}`)
		m.ToolCalls[0].ID = fmt.Sprintf("c%d", i+1)
		list = append(list, m)
	}
	return list
}

func checkTools(t *testing.T, w *world, ran map[string]*atomic.Int32, given func(id string) string) {
	t.Helper()
	if ran["denied"].Load() != 0 {
		t.Error("the denied tool ran")
	}
	has(t, "denied", given("c1"), "not this one")
	lacks(t, "denied", given("c1"), "hunter2")
	has(t, "rewritten", given("c2"), "by a hook")
	lacks(t, "rewritten", given("c2"), "hunter2")
	has(t, "secret", given("c3"), "***")
	lacks(t, "secret", given("c3"), "hunter2")
	has(t, "noted", given("c4"), "hunter2", "mind the gap")
	if n := len(w.Of(hooks.PostToolCall)); n != len(toolNames) {
		t.Errorf("post_tool_call was fired %d times", n)
	}
}

func eachKind(t *testing.T, f func(t *testing.T, stream bool, tools []tool.BaseTool, ran map[string]*atomic.Int32)) {
	for kind, make := range kinds {
		for _, stream := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/stream=%v", kind, stream), func(t *testing.T) {
				ran := map[string]*atomic.Int32{}
				var tools []tool.BaseTool
				for _, name := range toolNames {
					ran[name] = new(atomic.Int32)
					tools = append(tools, make(name, ran[name]))
				}
				f(t, stream, tools, ran)
			})
		}
	}
}

func TestEveryKindOfToolOfAnAgent(t *testing.T) {
	eachKind(t, func(t *testing.T, stream bool, tools []tool.BaseTool, ran map[string]*atomic.Int32) {
		w := newWorld(t, toolPolicy, hooks.PostToolCall)
		m := &played{answers: toolCalls()}
		if r := w.run(newAgent(t, "main", m, w.handlers(), tools...), stream); r.err() != nil {
			t.Fatal(r.err())
		}
		checkTools(t, w, ran, func(id string) string { text, _ := m.given(id); return text })
	})
}

func TestEveryKindOfToolOfAToolsNode(t *testing.T) {
	eachKind(t, func(t *testing.T, stream bool, tools []tool.BaseTool, ran map[string]*atomic.Int32) {
		w := newWorld(t, toolPolicy, hooks.PostToolCall)
		node := toolsNode(t, w, tools...)
		answers := map[string]string{}
		note := func(list []*schema.Message) {
			for _, m := range list {
				if m == nil {
					continue
				}
				answers[m.ToolCallID] += m.Content
				for _, part := range m.UserInputMultiContent {
					answers[m.ToolCallID] += part.Text
				}
			}
		}
		for _, m := range toolCalls() {
			if !stream {
				list, err := node.Invoke(t.Context(), m)
				if err != nil {
					t.Fatal(err)
				}
				note(list)
				continue
			}
			source, err := node.Stream(t.Context(), m)
			if err != nil {
				t.Fatal(err)
			}
			for list, err := source.Recv(); err == nil; list, err = source.Recv() {
				note(list)
			}
		}
		checkTools(t, w, ran, func(id string) string { return answers[id] })
	})
}

func toolsNode(t *testing.T, w *world, tools ...tool.BaseTool) *compose.ToolsNode {
	t.Helper()
	node, err := compose.NewToolNode(t.Context(), &compose.ToolsNodeConfig{
		Tools: tools, ToolCallMiddlewares: []compose.ToolMiddleware{einohook.ToolMiddleware(w.engine, einohook.WithMessages(w.take))},
	})
	if err != nil {
		t.Fatal(err)
	}
	return node
}

// Hooks see parts that are no text as JSON, and may change one without losing the others.
func TestPartsThatAreNoText(t *testing.T) {
	url := "https://example.test/cat.png"
	picture := enhanced{toolOf{"picture"}, func(context.Context, string) (*schema.ToolResult, error) {
		return &schema.ToolResult{Parts: []schema.ToolOutputPart{
			{Type: schema.ToolPartTypeText, Text: "hunter2"},
			{Type: schema.ToolPartTypeImage, Image: &schema.ToolOutputImage{MessagePartCommon: schema.MessagePartCommon{URL: &url}}},
		}}, nil
	}}
	for policy, want := range map[string][2]string{
		`on("post_tool_call", function(ev) return context("a cat") end)`:                                                        {"hunter2", url},
		`on("post_tool_call", function(ev) local out = ev.tool_call.output; out.parts[1].text = "***"; return output(out) end)`: {"***", url},
		`on("post_tool_call", function(ev) return output("no pictures") end)`:                                                   {"no pictures", ""},
	} {
		w := newWorld(t, policy)
		m := &played{answers: []*schema.Message{calls("picture", `{}`)}}
		if r := w.run(newAgent(t, "main", m, w.handlers(), picture), false); r.err() != nil {
			t.Fatal(r.err())
		}
		has(t, policy, m.text(-1), want[0], want[1])
		if want[0] != "hunter2" {
			lacks(t, policy, m.text(-1), "hunter2")
		}
		if want[1] == "" {
			lacks(t, policy, m.text(-1), url)
		}
	}
}

// A tool's error ends the run, as without hooks, unless a hook puts something in its place.
func TestErrorOfATool(t *testing.T) {
	broken := errors.New("no such shelf")
	shelf := invokable{toolOf{"shelf"}, func(context.Context, string) (string, error) { return "", broken }}
	w := newWorld(t, "", hooks.PostToolCall)
	m := &played{answers: []*schema.Message{calls("shelf", `{}`)}}
	if r := w.run(newAgent(t, "main", m, w.handlers(), shelf), false); !errors.Is(r.err(), broken) {
		t.Errorf("got %v, want the tool's own error", r.err())
	}
	equal(t, "events", w.story(), "post_tool_call:shelf=error")

	w = newWorld(t, `on("post_tool_call", function() return output("try another shelf") end)`)
	m = &played{answers: []*schema.Message{calls("shelf", `{}`)}}
	if r := w.run(newAgent(t, "main", m, w.handlers(), shelf), false); r.err() != nil {
		t.Fatal(r.err())
	}
	text, _ := m.given("c1")
	equal(t, "the model's answer", text, "try another shelf")
}

func TestInputThatNobodyCanJudge(t *testing.T) {
	w := newWorld(t, "", hooks.PreToolCall)
	var ran atomic.Int32
	for _, args := range []string{`{"command":"ls","command":"rm"}`, `["ls"]`, `{"command":`} {
		m := &played{answers: []*schema.Message{calls("bash", args)}}
		if r := w.run(newAgent(t, "main", m, w.handlers(), kinds["invokable"]("bash", &ran)), false); r.err() != nil {
			t.Fatal(args, r.err())
		}
		text, _ := m.given("c1")
		has(t, args, text, "the input of bash can't be used")
	}
	if ran.Load() != 0 || w.story() != "" {
		t.Errorf("the tool ran %d times; events: %s", ran.Load(), w.story())
	}
}

// Arguments that no hook has rewritten reach the tool as the model has written them.
func TestArgumentsAsTheyCame(t *testing.T) {
	const args = `{ "b": 1.50, "a": 9007199254740993 }`
	w := newWorld(t, "")
	m := &played{answers: []*schema.Message{calls("echo", args)}}
	w.run(newAgent(t, "main", m, w.handlers(), echo("echo")), false)
	text, _ := m.given("c1")
	equal(t, "the arguments", text, args)
}

func TestHaltInAToolsNodeIsItsError(t *testing.T) {
	w := newWorld(t, `on("post_tool_call", function() return halt("enough") end)`)
	_, err := toolsNode(t, w, echo("echo")).Invoke(t.Context(), calls("echo", `{}`))
	var refused *engine.ToolError
	if !errors.As(err, &refused) || !refused.Halt || !strings.Contains(refused.Message, "enough") {
		t.Errorf("got %v", err)
	}
}

// lateTools is a handler that adds a tool after hooks have been shown them.
type lateTools struct {
	*adk.BaseChatModelAgentMiddleware
	tool tool.BaseTool
}

func (l lateTools) BeforeAgent(ctx context.Context, run *adk.ChatModelAgentContext) (context.Context, *adk.ChatModelAgentContext, error) {
	run.Tools = append(run.Tools, l.tool)
	return ctx, run, nil
}

func TestWarningWhereHooksAreNotLast(t *testing.T) {
	late := lateTools{&adk.BaseChatModelAgentMiddleware{}, echo("late")}
	for _, last := range []bool{true, false} {
		w := newWorld(t, `on("pre_tool_call", function() return deny("no") end)`)
		handlers := w.handlers(late)
		if !last {
			handlers[0], handlers[1] = handlers[1], handlers[0]
		}
		m := &played{answers: []*schema.Message{calls("late", `{}`)}}
		w.run(newAgent(t, "main", m, handlers, echo("echo")), false)
		text, _ := m.given("c1")
		has(t, "the model's answer", text, "no")
		if warned := strings.Contains(w.warnings(), "put it last into Handlers"); warned == last {
			t.Errorf("last=%v: warnings %q", last, w.warnings())
		}
	}
}
