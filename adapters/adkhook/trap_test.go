package adkhook_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/luahook/luahook/adapters/adkhook"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
	"google.golang.org/adk/v2/agent"
	"google.golang.org/adk/v2/agent/llmagent"
	"google.golang.org/adk/v2/agent/workflowagent"
	"google.golang.org/adk/v2/agent/workflowagents/sequentialagent"
	"google.golang.org/adk/v2/plugin"
	"google.golang.org/adk/v2/tool"
	"google.golang.org/adk/v2/tool/functiontool"
	"google.golang.org/adk/v2/workflow"
	"google.golang.org/genai"
)

const policy = `
on("pre_tool_call", { match = "danger" }, function() return deny("not danger") end)
on("post_tool_call", { match = "secret" }, function(ev)
  if type(ev.tool_call.output) == "string" then return output((ev.tool_call.output:gsub("hunter2", "***"))) end
end)
on("pre_tool_call", { match = "approve" }, function(ev)
  if ev.tool_call.input.text == "rewrite" then return ask("needs a person"), modify{ text = "rewritten" } end
  return ask("needs a person")
end)
on("pre_tool_call", { match = "once" }, function(ev)
  if not ev.tool_call.resumed then return ask("needs a person") end
end)
on("pre_tool_call", { match = "stopper" }, function() return halt("enough") end)
`

func pluginOf(t testing.TB, cfg plugin.Config) *plugin.Plugin {
	t.Helper()
	p, err := plugin.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// answering is a plugin that answers for all tools.
func answering(t testing.TB) *plugin.Plugin {
	return pluginOf(t, plugin.Config{Name: "cache", BeforeToolCallback: func(agent.Context, tool.Tool, map[string]any) (map[string]any, error) {
		return map[string]any{"result": "cached hunter2"}, nil
	}})
}

func TestWhatAnotherPluginAnswersIsJudged(t *testing.T) {
	for _, first := range []bool{true, false} {
		w := newWorld(t, policy)
		a, _ := newAgent(t, llmagent.Config{Tools: []tool.Tool{w.tool(t, "danger"), w.tool(t, "secret")}},
			call("danger", nil), call("secret", nil))
		plugins := []*plugin.Plugin{adkhook.Plugin(w.engine, w.messages()), answering(t)}
		if !first {
			plugins[0], plugins[1] = plugins[1], plugins[0]
		}
		c := converse(t, a, plugins...)
		c.ask("go")
		w.got(t, "", "pre danger", "post danger denied", "pre secret", "post secret ok")
		r := c.ask("again") // the history has what the model was given
		if r.err != nil {
			t.Fatal(r.err)
		}
		if first {
			w.warned(t, "")
		} else {
			w.warned(t, "luahook has to be the first of Plugins")
		}
	}
}

func TestTheModelReadsWhatHooksMakeOfAnotherPluginsAnswer(t *testing.T) {
	w := newWorld(t, policy)
	a, m := newAgent(t, llmagent.Config{Tools: []tool.Tool{w.tool(t, "danger"), w.tool(t, "secret")}}, calls(
		callPart("c1", "danger", nil), callPart("c2", "secret", nil)))
	r := converse(t, a, adkhook.Plugin(w.engine), answering(t)).ask("go")
	contains(t, "danger", r.answers["c1"], "not danger")
	contains(t, "secret", r.answers["c2"], "cached ***")
	if all := strings.Join(m.requests, ""); strings.Contains(all, "hunter2") {
		t.Error("the model read", all)
	}
}

func TestAPluginThatTakesResultsIsFoundOut(t *testing.T) {
	w := newWorld(t, policy)
	a, _ := newAgent(t, llmagent.Config{Tools: []tool.Tool{w.tool(t, "echo")}}, call("echo", nil))
	taker := pluginOf(t, plugin.Config{Name: "taker", AfterToolCallback: func(agent.Context, tool.Tool, map[string]any, map[string]any, error) (map[string]any, error) {
		return map[string]any{"result": "mine"}, nil
	}})
	converse(t, a, taker, adkhook.Plugin(w.engine, w.messages()), answering(t)).ask("go")
	w.got(t, "") // hooks could see nothing, and nothing has run
	w.warned(t, "a plugin before luahook has taken the result of echo")
}

func TestHooksSeeTheInputThatTheToolGets(t *testing.T) {
	w := newWorld(t, policy)
	change := func(_ agent.Context, _ tool.Tool, args map[string]any) (map[string]any, error) {
		args["text"] = args["text"].(string) + " changed"
		return nil, nil
	}
	a, _ := newAgent(t, llmagent.Config{Tools: []tool.Tool{w.tool(t, "echo")}, BeforeToolCallbacks: []llmagent.BeforeToolCallback{change}},
		call("echo", map[string]any{"text": "hi"}))
	r := converse(t, a, adkhook.Plugin(w.engine), pluginOf(t, plugin.Config{Name: "other", BeforeToolCallback: change})).ask("go")
	contains(t, "the answer", r.answers["c1"], "hi changed changed")
	if got := w.about(hooks.PreToolCall, "echo")[0].ToolCall.Input["text"]; got != "hi changed changed" {
		t.Errorf("hooks saw %v", got)
	}
}

func TestCallsWithOneIDAreBothJudged(t *testing.T) {
	w := newWorld(t, policy)
	a, _ := newAgent(t, llmagent.Config{Tools: []tool.Tool{w.tool(t, "echo"), w.tool(t, "danger")}},
		calls(callPart("c1", "echo", nil), callPart("c1", "danger", nil)))
	converse(t, a, adkhook.Plugin(w.engine)).ask("go")
	w.mu.Lock()
	defer w.mu.Unlock()
	if strings.Join(w.ran, " ") != "echo" {
		t.Errorf("ran %v", w.ran)
	}
}

func TestAPanicOfAToolEndsNothingElse(t *testing.T) {
	w := newWorld(t, policy)
	boom := &rawTool{"boom", func(agent.Context, map[string]any) (map[string]any, error) { panic("kaboom") }}
	a, _ := newAgent(t, llmagent.Config{Tools: []tool.Tool{boom}}, call("boom", nil))
	r := converse(t, a, adkhook.Plugin(w.engine)).ask("go")
	contains(t, "the answer", r.answers["c1"], "kaboom")
	w.got(t, "", "pre boom", "post boom error")
	if r.final != "done" {
		t.Error(r)
	}
}

func TestAnUnknownToolIsAnError(t *testing.T) {
	w := newWorld(t, policy)
	a, _ := newAgent(t, llmagent.Config{}, call("nosuch", nil))
	converse(t, a, adkhook.Plugin(w.engine)).ask("go")
	if len(w.about(hooks.OnError, "")) != 1 {
		t.Error("want one on_error")
	}
}

func TestAnErrorOfAToolStaysOneForOtherPlugins(t *testing.T) {
	w := newWorld(t, `on("post_tool_call", function() return context("note") end)`)
	lost := errors.New("lost")
	fails := &rawTool{"fails", func(agent.Context, map[string]any) (map[string]any, error) { return nil, lost }}
	a, _ := newAgent(t, llmagent.Config{Tools: []tool.Tool{fails}}, call("fails", nil))
	var seen error
	r := converse(t, a, adkhook.Plugin(w.engine), pluginOf(t, plugin.Config{Name: "other",
		OnToolErrorCallback: func(_ agent.Context, _ tool.Tool, _ map[string]any, err error) (map[string]any, error) {
			seen = err
			return nil, nil
		}})).ask("go")
	if !errors.Is(seen, lost) {
		t.Errorf("the other plugin got %v", seen)
	}
	contains(t, "the answer", r.answers["c1"], "note")
	w.got(t, "", "pre fails", "post fails error")
}

func TestAPersonSeesTheRewrittenInput(t *testing.T) {
	w := newWorld(t, policy)
	a, _ := newAgent(t, llmagent.Config{Tools: []tool.Tool{w.tool(t, "approve")}}, call("approve", map[string]any{"text": "rewrite"}))
	c := converse(t, a, adkhook.Plugin(w.engine))
	r := c.ask("go")
	if len(r.asks) != 1 {
		t.Fatal(r)
	}
	contains(t, "the question", engine.TextOf(r.asks[0].Args["toolConfirmation"]), "needs a person")
	contains(t, "the question", engine.TextOf(r.asks[0].Args["toolConfirmation"]), "rewritten")
	r = c.say(context.Background(), confirm(true, r.asks...))
	contains(t, "the answer", r.answers["c1"], "approve said rewritten")
	w.got(t, "approve", "pre approve", "pre approve", "post approve ok")
}

// once asks the first time only, which doesn't make a yes of the person's no.
func TestANoCountsWhereNoHookAsksAgain(t *testing.T) {
	for _, yes := range []bool{false, true} {
		w := newWorld(t, policy)
		raw := &rawTool{"once", func(agent.Context, map[string]any) (map[string]any, error) {
			w.note("once")
			return map[string]any{"result": "ran"}, nil
		}}
		a, _ := newAgent(t, llmagent.Config{Tools: []tool.Tool{raw}}, call("once", nil))
		c := converse(t, a, adkhook.Plugin(w.engine))
		c.say(context.Background(), confirm(yes, c.ask("go").asks...))
		if yes {
			w.got(t, "once", "pre once", "pre once", "post once ok")
		} else {
			w.got(t, "", "pre once", "pre once", "post once error")
		}
	}
}

func TestAToolsOwnConfirmation(t *testing.T) {
	for _, yes := range []bool{true, false} {
		w := newWorld(t, policy)
		own := w.tool(t, "secret", func(c *functiontool.Config) { c.RequireConfirmation = true })
		a, _ := newAgent(t, llmagent.Config{Tools: []tool.Tool{own}}, call("secret", map[string]any{"text": "hunter2"}))
		c := converse(t, a, adkhook.Plugin(w.engine))
		r := c.ask("go")
		w.got(t, "", "pre secret") // it waits
		r = c.say(context.Background(), confirm(yes, r.asks...))
		if yes {
			contains(t, "the answer", r.answers["c1"], "said ***")
			w.got(t, "secret", "pre secret", "pre secret", "post secret ok")
		} else {
			w.got(t, "", "pre secret", "pre secret", "post secret error")
		}
	}
}

func TestToolOfAToolNode(t *testing.T) {
	w := newWorld(t, policy)
	for _, name := range []string{"danger", "approve", "echo"} {
		node, err := workflow.NewToolNode(adkhook.Tool(w.engine, w.tool(t, name)), workflow.NodeConfig{})
		if err != nil {
			t.Fatal(err)
		}
		flow, err := workflowagent.New(workflowagent.Config{Name: "flow", Edges: []workflow.Edge{{From: workflow.Start, To: node}}})
		if err != nil {
			t.Fatal(err)
		}
		if r := converse(t, flow, adkhook.Plugin(w.engine)).ask(`{"text":"hi"}`); r.err != nil {
			t.Error(r.err)
		}
	}
	w.got(t, "echo", "pre danger", "post danger denied", "pre approve", "post approve denied", "pre echo", "post echo ok")
}

func TestAToolIsJudgedOnce(t *testing.T) {
	w := newWorld(t, policy)
	set := tool.WithConfirmation(&toolset{[]tool.Tool{adkhook.Tool(w.engine, w.tool(t, "inset"))}}, false, nil)
	a, _ := newAgent(t, llmagent.Config{Tools: []tool.Tool{adkhook.Tool(w.engine, w.tool(t, "echo")), adkhook.Tool(w.engine, w.tool(t, "approve"))}, Toolsets: []tool.Toolset{set}},
		call("echo", nil), call("inset", nil), call("approve", nil))
	c := converse(t, a, adkhook.Plugin(w.engine))
	c.say(context.Background(), confirm(true, c.ask("go").asks...))
	w.got(t, "echo inset approve", "pre echo", "post echo ok", "pre inset", "post inset ok", "pre approve", "pre approve", "post approve ok")
	if depth := w.about(hooks.PostToolCall, "approve")[0].AgentDepth; depth != 0 {
		t.Error(depth)
	}
}

type toolset struct{ tools []tool.Tool }

func (*toolset) Name() string                                       { return "set" }
func (s *toolset) Tools(agent.ReadonlyContext) ([]tool.Tool, error) { return s.tools, nil }

func TestTransfer(t *testing.T) {
	w := newWorld(t, policy)
	deep, _ := newAgent(t, llmagent.Config{Name: "deep", Description: "deep", Tools: []tool.Tool{w.tool(t, "danger")}}, call("danger", nil), say("deep says"))
	sub, _ := newAgent(t, llmagent.Config{Name: "sub", Description: "sub", SubAgents: []agent.Agent{deep}}, call("transfer_to_agent", map[string]any{"agent_name": "deep"}))
	a, _ := newAgent(t, llmagent.Config{SubAgents: []agent.Agent{sub}}, call("transfer_to_agent", map[string]any{"agent_name": "sub"}))
	r := converse(t, a, adkhook.Plugin(w.engine)).ask("go")
	if r.final != "deep says" {
		t.Error(r)
	}
	c := w.about(hooks.PreToolCall, "danger")[0]
	if c.AgentName != "deep" || c.ParentAgentID != "sub" || c.AgentDepth != 2 {
		t.Errorf("agent %q below %q, depth %d", c.AgentName, c.ParentAgentID, c.AgentDepth)
	}
	if starts, stops := w.about(hooks.SubagentStart, ""), w.about(hooks.SubagentStop, ""); len(starts) != 2 || len(stops) != 2 {
		t.Errorf("%d starts, %d stops", len(starts), len(stops))
	}
	if pre, post := w.about(hooks.PreAgent, ""), w.about(hooks.PostAgent, ""); len(pre) != 1 || len(post) != 1 {
		t.Errorf("%d pre_agent, %d post_agent", len(pre), len(post))
	}
}

func TestAHaltEndsTheAgentsThatFollow(t *testing.T) {
	w := newWorld(t, policy)
	sub, subModel := newAgent(t, llmagent.Config{Name: "sub", Description: "sub", Mode: llmagent.ModeSingleTurn, Tools: []tool.Tool{w.tool(t, "stopper")}}, call("stopper", nil))
	a, m := newAgent(t, llmagent.Config{SubAgents: []agent.Agent{sub}}, calls(callPart("c9", "sub", map[string]any{"request": "go"})))
	converse(t, a, adkhook.Plugin(w.engine)).ask("go")
	if m.asked() != 1 || subModel.asked() != 1 {
		t.Errorf("the models were asked %d and %d times, want once each", m.asked(), subModel.asked())
	}
}

func TestAHaltEndsAWorkflow(t *testing.T) {
	w := newWorld(t, policy)
	one, _ := newAgent(t, llmagent.Config{Name: "one", Tools: []tool.Tool{w.tool(t, "stopper")}}, call("stopper", nil))
	two, twoModel := newAgent(t, llmagent.Config{Name: "two"})
	flow, err := sequentialagent.New(sequentialagent.Config{AgentConfig: agent.Config{Name: "flow", SubAgents: []agent.Agent{one, two}}})
	if err != nil {
		t.Fatal(err)
	}
	r := converse(t, flow, adkhook.Plugin(w.engine)).ask("go")
	if r.final != "enough" || twoModel.asked() != 0 {
		t.Errorf("the second model was asked %d times, %s", twoModel.asked(), r)
	}
	if c := w.about(hooks.PreToolCall, "stopper")[0]; c.ParentAgentID != "flow" || c.AgentDepth != 1 {
		t.Errorf("below %q, depth %d", c.ParentAgentID, c.AgentDepth)
	}
}

func TestAToolThatAsksItselfIsAskedAboutOnce(t *testing.T) {
	w := newWorld(t, policy)
	own := w.tool(t, "approve", func(c *functiontool.Config) { c.RequireConfirmation = true })
	a, _ := newAgent(t, llmagent.Config{Tools: []tool.Tool{own}}, call("approve", nil))
	c := converse(t, a, adkhook.Plugin(w.engine))
	if r := c.say(context.Background(), confirm(true, c.ask("go").asks...)); len(r.asks) > 0 {
		t.Error("asked again", r)
	}
	w.got(t, "approve", "pre approve", "pre approve", "post approve ok")
}

func TestARunThatIsNotReadToItsEndEnds(t *testing.T) {
	w := newWorld(t, policy)
	a, _ := newAgent(t, llmagent.Config{Tools: []tool.Tool{w.tool(t, "echo")}}, call("echo", nil))
	c := converse(t, a, adkhook.Plugin(w.engine))
	for range c.runner.Run(context.Background(), "user-1", "session-1", genai.NewContentFromText("go", genai.RoleUser), agent.RunConfig{}) {
		break
	}
	if ends := w.about(hooks.RunEnd, ""); len(ends) != 1 {
		t.Errorf("run_end was fired %d times", len(ends))
	}
}

func TestMessagesAndToolsAreRewritten(t *testing.T) {
	w := newWorld(t, `on("pre_model_call", function(ev)
  local m = ev.messages
  m[1].content = (m[1].content:gsub("hunter2", "***"))
  return modify{ messages = m, tools = {}, system_prompt = "be kind", temperature = 0.5 }
end)`)
	a, m := newAgent(t, llmagent.Config{Instruction: "be brief", Tools: []tool.Tool{w.tool(t, "echo")}}, call("echo", nil))
	r := converse(t, a, adkhook.Plugin(w.engine)).ask("my password is hunter2")
	contains(t, "the request", m.requests[0], "my password is ***")
	contains(t, "the request", m.requests[0], "be kind")
	if strings.Contains(m.requests[0], "hunter2") || strings.Contains(m.requests[0], "be brief") {
		t.Error(m.requests[0])
	}
	contains(t, "the answer of a tool that was taken away", r.answers["c1"], "not found")
	w.got(t, "")
}

func TestNothingIsKeptOfRunsThatAreOver(t *testing.T) {
	w := newWorld(t, policy)
	p, kept := adkhook.PluginAndKept(w.engine)
	taker := pluginOf(t, plugin.Config{Name: "taker", AfterToolCallback: func(agent.Context, tool.Tool, map[string]any, map[string]any, error) (map[string]any, error) {
		return map[string]any{"result": "mine"}, nil
	}})
	own, ownKept := adkhook.ToolAndKept(w.engine, w.tool(t, "approve"))
	a, _ := newAgent(t, llmagent.Config{Tools: []tool.Tool{own, w.tool(t, "echo")}}, call("echo", nil), call("approve", nil))
	c := converse(t, a, taker, p)
	r := c.say(context.Background(), confirm(true, c.ask("go").asks...))
	if r.err != nil || kept() != 0 || ownKept() != 0 {
		t.Errorf("kept %d and %d, %v", kept(), ownKept(), r.err)
	}
}

func TestWithoutAnEngineNothingRuns(t *testing.T) {
	w := newWorld(t, policy)
	a, m := newAgent(t, llmagent.Config{Tools: []tool.Tool{w.tool(t, "echo")}}, call("echo", nil))
	if r := converse(t, a, adkhook.Plugin(nil)).ask("go"); r.err == nil || m.asked() > 0 {
		t.Error(r)
	}
	own, _ := newAgent(t, llmagent.Config{Tools: []tool.Tool{adkhook.Tool(nil, w.tool(t, "echo"))}}, call("echo", nil))
	contains(t, "the answer", converse(t, own).ask("go").answers["c1"], "no hook could judge the call")
	w.got(t, "")
}

func TestATaskOfASubagent(t *testing.T) {
	w := newWorld(t, policy)
	sub, _ := newAgent(t, llmagent.Config{Name: "sub", Description: "sub", Mode: llmagent.ModeTask, Tools: []tool.Tool{w.tool(t, "danger")}},
		call("danger", nil), call("finish_task", map[string]any{"result": "all done"}))
	a, _ := newAgent(t, llmagent.Config{SubAgents: []agent.Agent{sub}}, calls(callPart("c9", "sub", map[string]any{"request": "go"})))
	r := converse(t, a, adkhook.Plugin(w.engine)).ask("go")
	contains(t, "the answer", r.answers["c9"], "all done")
	// ADK hands a task over without calling a tool.
	w.got(t, "", "pre danger", "post danger denied", "pre finish_task", "post finish_task ok")
	if starts, stops := w.about(hooks.SubagentStart, ""), w.about(hooks.SubagentStop, ""); len(starts) != 1 || len(stops) != 1 {
		t.Errorf("%d starts, %d stops", len(starts), len(stops))
	}
	if c := w.about(hooks.PreToolCall, "danger")[0]; c.AgentName != "sub" || c.AgentDepth != 1 {
		t.Errorf("agent %q, depth %d", c.AgentName, c.AgentDepth)
	}
}
