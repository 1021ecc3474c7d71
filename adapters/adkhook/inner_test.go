package adkhook_test

import (
	"context"
	"iter"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/luahook/luahook/adapters/adkhook"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
	"google.golang.org/adk/v2/agent"
	"google.golang.org/adk/v2/agent/llmagent"
	"google.golang.org/adk/v2/platform"
	"google.golang.org/adk/v2/plugin"
	"google.golang.org/adk/v2/runner"
	"google.golang.org/adk/v2/session"
	"google.golang.org/adk/v2/tool"
	"google.golang.org/adk/v2/tool/agenttool"
	"google.golang.org/adk/v2/tool/functiontool"
	"google.golang.org/genai"
)

// helper is an agent tool whose agent makes the turns.
func helper(t testing.TB, name string, tools []tool.Tool, turns ...*genai.Content) tool.Tool {
	a, _ := newAgent(t, llmagent.Config{Name: name, Description: name, Tools: tools}, turns...)
	return agenttool.New(a, nil)
}

func helping(name string) *genai.Content {
	return calls(callPart("h-"+name, name, map[string]any{"request": "go"}))
}

func (w *world) stream(t testing.TB, name string) tool.Tool {
	t.Helper()
	made, err := functiontool.NewStreaming(functiontool.Config{Name: name, Description: name}, func(agent.Context, map[string]any) iter.Seq2[string, error] {
		return func(yield func(string, error) bool) {
			w.note(name)
			_ = yield("the password is hun", nil) && yield("ter2", nil)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func TestAgentToolWithinAnAgentTool(t *testing.T) {
	w := newWorld(t, policy)
	deep := helper(t, "deep", []tool.Tool{w.tool(t, "danger"), w.tool(t, "echo")}, call("danger", nil), call("echo", map[string]any{"text": "hi"}), say("deep done"))
	sub := helper(t, "sub", []tool.Tool{deep}, helping("deep"), say("sub done"))
	a, _ := newAgent(t, llmagent.Config{Tools: []tool.Tool{sub}}, helping("sub"))
	r := converse(t, a, adkhook.Plugin(w.engine, w.messages())).ask("go")
	contains(t, "the answer", r.answers["h-sub"], "sub done")
	w.got(t, "echo", "pre sub", "pre deep", "pre danger", "post danger denied", "pre echo", "post echo ok", "post deep ok", "post sub ok")
	w.warned(t, "")
	c := w.about(hooks.PreToolCall, "danger")[0]
	if c.AgentName != "deep" || c.ParentAgentID != "sub" || c.AgentDepth != 2 || c.SessionID != "session-1" {
		t.Errorf("agent %q below %q, depth %d, session %q", c.AgentName, c.ParentAgentID, c.AgentDepth, c.SessionID)
	}
}

func TestAHaltBelowAnAgentToolEndsTheTurn(t *testing.T) {
	w := newWorld(t, policy)
	a, m := newAgent(t, llmagent.Config{Tools: []tool.Tool{helper(t, "sub", []tool.Tool{w.tool(t, "stopper")}, call("stopper", nil))}}, helping("sub"))
	converse(t, a, adkhook.Plugin(w.engine)).ask("go")
	if m.asked() != 1 {
		t.Errorf("the model was asked %d times", m.asked())
	}
	w.got(t, "", "pre sub", "pre stopper", "post stopper denied", "post sub ok")
}

// The runner of an agent tool asks nobody, so that the engine's function has to.
func TestAnAskBelowAnAgentTool(t *testing.T) {
	for _, yes := range []bool{true, false} {
		w := newWorld(t, policy)
		a, _ := newAgent(t, llmagent.Config{Tools: []tool.Tool{helper(t, "sub", []tool.Tool{w.tool(t, "approve")}, call("approve", nil), say("sub done"))}}, helping("sub"))
		ctx := context.Background()
		if yes {
			ctx = engine.AskWith(ctx, func(context.Context, *hooks.Context, *hooks.Result) (bool, error) { return true, nil })
		}
		r := converse(t, a, adkhook.Plugin(w.engine)).say(ctx, genai.NewContentFromText("go", genai.RoleUser))
		if len(r.asks) > 0 || r.final != "done" {
			t.Error(r)
		}
		if yes {
			w.got(t, "approve", "pre sub", "pre approve", "post approve ok", "post sub ok")
		} else {
			w.got(t, "", "pre sub", "pre approve", "post approve denied", "post sub ok")
		}
	}
}

// An agent tool that a person has let run is called by ADK without the plugin's wrapper.
func TestAnAgentToolThatWasConfirmedIsStillUnderHooks(t *testing.T) {
	w := newWorld(t, policy)
	a, _ := newAgent(t, llmagent.Config{Tools: []tool.Tool{helper(t, "approve", []tool.Tool{w.tool(t, "danger")}, call("danger", nil), say("sub done"))}}, helping("approve"))
	c := converse(t, a, adkhook.Plugin(w.engine))
	r := c.say(context.Background(), confirm(true, c.ask("go").asks...))
	contains(t, "the answer", r.answers["h-approve"], "sub done")
	w.got(t, "", "pre approve", "pre approve", "pre danger", "post danger denied", "post approve ok")
}

func TestStreamingToolsBelowAnAgentTool(t *testing.T) {
	w := newWorld(t, policy)
	a, _ := newAgent(t, llmagent.Config{Tools: []tool.Tool{helper(t, "sub", []tool.Tool{w.stream(t, "danger"), adkhook.Tool(w.engine, w.stream(t, "secret"))},
		call("secret", nil), call("danger", nil), say("sub done"))}}, helping("sub"))
	converse(t, a, adkhook.Plugin(w.engine, w.messages())).ask("go")
	w.got(t, "secret danger", "pre sub", "pre secret", "post secret ok", "post sub ok") // the one without Tool isn't seen
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.warnings) != 1 || !strings.Contains(w.warnings[0], "put it into adkhook.Tool") {
		t.Errorf("warnings %q", w.warnings)
	}
}

// A tool's own runner may have the plugin, too, and its caller a task runner.
func TestARunnerWithinATool(t *testing.T) {
	w := newWorld(t, policy)
	p := adkhook.Plugin(w.engine, w.messages())
	sub, _ := newAgent(t, llmagent.Config{Name: "sub", Tools: []tool.Tool{w.tool(t, "danger"), w.tool(t, "echo")}}, call("danger", nil), call("echo", nil), say("sub done"))
	own := &rawTool{"own", func(ctx agent.Context, _ map[string]any) (map[string]any, error) {
		r, err := runner.New(runner.Config{AppName: "inner", Agent: sub, SessionService: session.InMemoryService(), AutoCreateSession: true,
			PluginConfig: runner.PluginConfig{Plugins: []*plugin.Plugin{p}}})
		if err != nil {
			return nil, err
		}
		for _, err := range r.Run(ctx, "u", "inner", genai.NewContentFromText("go", genai.RoleUser), agent.RunConfig{}) {
			if err != nil {
				return nil, err
			}
		}
		return map[string]any{"result": "ok"}, nil
	}}
	a, _ := newAgent(t, llmagent.Config{Tools: []tool.Tool{own}}, call("own", nil))
	var tasks atomic.Int64
	ctx := platform.WithTaskRunner(context.Background(), func(ctx context.Context, list []func(context.Context)) {
		tasks.Add(int64(len(list)))
		for _, task := range list {
			task(ctx)
		}
	})
	r := converse(t, a, p).say(ctx, genai.NewContentFromText("go", genai.RoleUser))
	if r.err != nil || tasks.Load() != 3 {
		t.Error(r, tasks.Load())
	}
	w.got(t, "echo", "pre own", "pre danger", "post danger denied", "pre echo", "post echo ok", "post own ok")
	w.warned(t, "")
	if c := w.about(hooks.PreToolCall, "echo")[0]; c.AgentName != "sub" || c.AgentDepth != 1 || c.ParentAgentID != "main" {
		t.Errorf("agent %q below %q, depth %d", c.AgentName, c.ParentAgentID, c.AgentDepth)
	}
}

func TestStreamingToolsAskNobodyUnlessWrapped(t *testing.T) {
	for _, wrapped := range []bool{false, true} {
		w := newWorld(t, policy)
		st := w.stream(t, "approve")
		if wrapped {
			st = adkhook.Tool(w.engine, st)
		}
		a, _ := newAgent(t, llmagent.Config{Tools: []tool.Tool{st}}, call("approve", nil))
		c := converse(t, a, adkhook.Plugin(w.engine))
		r := c.ask("go")
		if !wrapped {
			contains(t, "the answer", r.answers["c1"], "there is nobody to ask")
			w.got(t, "", "pre approve", "post approve denied")
			continue
		}
		w.got(t, "", "pre approve")
		r = c.say(context.Background(), confirm(true, r.asks...))
		contains(t, "the answer", r.answers["c1"], "hunter2")
		w.got(t, "approve", "pre approve", "pre approve", "post approve ok")
	}
}

// In a live run ADK calls a stream as it is here: with a context, and no callback.
func TestStreamsThatAreCalledAlone(t *testing.T) {
	for name, want := range map[string]string{"secret": "the password is ***", "danger": "not danger", "passing": "the password is hun|ter2", "approve": "a person would have to allow this, and there is nobody to ask: needs a person"} {
		w := newWorld(t, policy)
		var options []adkhook.Option
		if name == "passing" {
			options = append(options, adkhook.WithStreamsPassedThrough())
		}
		stream := adkhook.Tool(w.engine, w.stream(t, name), options...).(interface {
			RunStream(ctx agent.Context, args any) iter.Seq2[string, error]
		})
		var parts []string
		own := &rawTool{"own", func(ctx agent.Context, _ map[string]any) (map[string]any, error) {
			for part, err := range stream.RunStream(ctx, map[string]any{}) {
				if err != nil {
					return nil, err
				}
				parts = append(parts, part)
			}
			return nil, nil
		}}
		a, _ := newAgent(t, llmagent.Config{Tools: []tool.Tool{own}}, call("own", nil))
		converse(t, a).ask("go")
		if got := strings.Join(parts, "|"); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
		outcome := map[bool]string{true: "denied", false: "ok"}[name == "danger" || name == "approve"]
		ran := map[bool]string{true: "", false: name}[outcome == "denied"]
		w.got(t, ran, "pre "+name, "post "+name+" "+outcome)
	}
}
