package engine_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// A hook is told its event as it calls it itself, and its name in the catalogue beside it.
// Whatever spelling of the event a script compares it with is the same event.
func TestHooksAreToldTheirEventAsTheySpellIt(t *testing.T) {
	for _, spelling := range []string{"pre_tool_call", "pre-tool-call", "PreToolUse", "before_tool"} {
		e := newEngine(t, engine.WithScript("a.lua", `
on("`+spelling+`", {name = "a"}, function(ev)
  assert(ev.event == "`+spelling+`" and ev.canonical_event == "pre_tool_call")
  local names = { ["`+spelling+`"] = true }
  assert(names[ev.event], ev.event)
  local name = ev.event
  for _, same in ipairs{ ev.event == "pre_tool_call", ev.event == "pre-tool-call", "PreToolUse" == ev.event, name == "BeforeTool", not (ev.event ~= "preToolUse"), name ~= "post_tool_call" } do
    assert(same)
  end
  assert(ev.event ~= "post-tool-call" and ev.event ~= "nonsense" and name ~= "stop")
  if ev.event == "pre-tool-call" and ev.tool_call.command == "rm" then return deny("seen") end
end)`))
		r := fire(t, e, bash("rm"))
		equal(t, spelling, r.Reason, "seen")
		equal(t, spelling+": the summary's event", r.Summary.Event, hooks.PreToolCall)
	}
}

// A command is told the key of hooks.yaml that it stands under.
func TestCommandsAreToldTheirEventAsHooksYAMLSpellsIt(t *testing.T) {
	root := tree(t, `-- .hooks/hooks.yaml --
hooks:
  pre-tool-call:
    - {name: a, command: "cat > event.json; echo $EVENT $CANONICAL_EVENT > names"}
`)
	e := newEngine(t, engine.WithHooksDir(filepath.Join(root, ".hooks"), root))
	fire(t, e, bash("ls"))
	text, err := os.ReadFile(filepath.Join(root, "event.json"))
	if err != nil {
		t.Fatal(err)
	}
	contains(t, string(text), `"event":"pre-tool-call"`, `"canonical_event":"pre_tool_call"`)
	names, _ := os.ReadFile(filepath.Join(root, "names"))
	equal(t, "names", string(names), "pre-tool-call pre_tool_call\n")
}

// Other systems' words for a decision mean the same here, and what they say is kept.
func TestDecisionsInTheWordsOfOtherSystems(t *testing.T) {
	e := newEngine(t, engine.WithScript("a.lua", `
on("pre_tool_call", {name = "a"}, function(ev) return { decision = "block", reason = "no" } end)
on("stop", {name = "b"}, function(ev) return { decision = "block", reason = "run the tests" } end)
on("session_end", {name = "c"}, function(ev) return allow("fine") end)
on("permission_request", {name = "d"}, function(ev) return { decision = "approve", reason = "known" } end)`))
	r := fire(t, e, bash("ls"))
	equal(t, "pre_tool_call", string(r.Decision)+" "+r.Reason, "deny no")
	r = fire(t, e, event(t, "stop", `{}`))
	equal(t, "stop", string(r.Decision)+" "+r.Reason, "deny run the tests")
	r = fire(t, e, event(t, "session_end", `{}`))
	equal(t, "session_end", string(r.Decision), "")
	equal(t, "its run", string(r.Summary.Runs[0].Status), "completed")
	contains(t, asJSON(t, r.Summary), "fine")
	r = fire(t, e, event(t, "permission_request", `{"tool_call":{"name":"bash","command":"ls"}}`))
	equal(t, "permission_request", string(r.Decision)+" "+r.Reason, "allow known")
}
