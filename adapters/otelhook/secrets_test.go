package otelhook_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/luahook/luahook/hooks"
)

// Nothing that is exported has a secret, wherever in an event or in what hooks say about it that is, and nothing
// has what tools were given and gave back.
func TestNoSecretIsExported(t *testing.T) {
	const (
		token    = "ghp_16C7e42F292c6912E7710c838347Ae178B4a" // of a known format
		inherits = "9f8a7b6c5d4e3f2a1b0c"                     // of the environment
	)
	t.Setenv("DEPLOY_API_KEY", inherits)
	secrets := token + " " + inherits
	tel := newTelemetry()
	e := tel.engine(t, fmt.Sprintf(`
local secrets = %q
on("pre_tool_call", {name="warns", on_failure="warn"}, function() error("can't log in with " .. secrets) end)
on("pre_tool_call", {name="informs"}, function() return context("use " .. secrets .. " from the context") end)
on("pre_tool_call", {name="tells"}, function() return message("the key is " .. secrets) end)
on("pre_tool_call", {name="denies"}, function(ev) return deny("don't run " .. ev.tool_call.command) end)
on("post_tool_call", {name="replaces"}, function() return output("replaced: " .. secrets) end)
on("post_tool_call", {name="stops"}, function() return halt("stop: " .. secrets) end)
on("stop", {name="later " .. secrets, mode="async"}, function() error("async: " .. secrets) end)`, secrets))
	_, err := e.RegisterHook(hooks.PrePrompt, hooks.Options{Name: "go"}, func(context.Context, *hooks.Context) (*hooks.Result, error) {
		return nil, errors.New("refused: " + secrets)
	})
	if err != nil {
		t.Fatal(err)
	}
	call := &hooks.ToolCall{ID: "call " + secrets, Name: "bash", Input: map[string]any{"command": "curl -u " + secrets + " inputs.example", "key": secrets}}
	after := *call
	after.Output = "the tool's output: " + secrets
	base := hooks.Context{SessionID: secrets, AgentID: secrets, AgentName: secrets, Metadata: map[string]any{"key": secrets}}
	for _, c := range []hooks.Context{
		{Event: hooks.PreToolCall, ToolCall: call},
		{Event: hooks.PostToolCall, ToolCall: &after},
		{Event: hooks.PrePrompt, Prompt: "the prompt: " + secrets},
		{Event: hooks.Stop, Response: "the response: " + secrets},
		{Event: hooks.OnError, Error: &hooks.ErrorInfo{Message: "the agent's error: " + secrets}},
		{Event: hooks.Event("unknown " + secrets)},
		{Event: hooks.Event("deploy." + token)},
	} {
		c.SessionID, c.AgentID, c.AgentName, c.Metadata = base.SessionID, base.AgentID, base.AgentName, base.Metadata
		_, _ = e.Fire(context.Background(), &c)
	}
	if err := e.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	said := tel.metrics(t)
	for _, s := range tel.spans.GetSpans() {
		said += fmt.Sprintf("\n%s: %s; %s\n%s", s.Name, words(s.Attributes), s.Status.Description, events(s))
	}
	for _, part := range []string{token, inherits, token[4:], "from the context", "the key is", "inputs.example\"", "replaced:", "the tool's output", "the prompt", "the response", "the agent's error"} {
		if strings.Contains(said, part) {
			t.Errorf("%q is exported", part)
		}
	}
	// What was looked through is there.
	for _, part := range []string{"can't log in with [redacted: github token]", "don't run curl", "stop: [redacted", "async: [redacted", "refused: [redacted", "luahook async stop", "[redacted: environment: DEPLOY_API_KEY]"} {
		if !strings.Contains(said, part) {
			t.Errorf("%q is missing", part)
		}
	}
	if t.Failed() {
		t.Log(said)
	}
}
