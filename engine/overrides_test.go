package engine_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/override"
	"github.com/luahook/luahook/hooks"
)

// askingGuard blocks commands by their first word, as a built-in guard does.
const askingGuard = `
local with = ...
local function guard(ev)
  local word = (ev.tool_call.command or ""):match("^%w+")
  if word ~= "lose" and word ~= "unguard" then return end
  local decision = with.decision or "deny"
  local note = passes.lifts({ rule = "t." .. word, class = word == "unguard" and "self" or "git", decision = decision, reason = with.reason or "it is lost then" })
  if note then return message(note) end
  if decision == "ask" then return ask(with.reason or "it is lost then") end
  return deny(with.reason or "it is lost then")
end
on("pre_tool_call", { name = "safety-guard" }, guard)
on("permission_request", { name = "safety-guard" }, guard)
`

const (
	byPass = "let through once by a person at 10:03 UTC"
	byOff  = "off until 10:13 UTC, a person's word"
)

// passing is a project's store, at a time of its own.
type passing struct {
	*override.Store
	now time.Time
}

func newPassing(t testing.TB) *passing {
	t.Helper()
	engine.SetBuiltin(t, "safety-guard", askingGuard)
	p := &passing{Store: override.NewStore(filepath.Join(t.TempDir(), "state"), t.TempDir()), now: time.Date(2030, 1, 2, 10, 3, 0, 0, time.UTC)}
	p.Clock = func() time.Time { return p.now }
	t.Cleanup(func() { _ = p.Close() }) // a test may have broken its files
	return p
}

// guarded is an engine with the guard and the store.
func (p *passing) guarded(t testing.TB, options ...engine.Option) *engine.Engine {
	t.Helper()
	return newEngine(t, append(options, engine.WithBuiltin("safety-guard", nil), engine.WithOverrides(p))...)
}

// lines are the rules by which calls were blocked, the latest first.
func (p *passing) lines(t testing.TB) string {
	t.Helper()
	list, err := p.Blocked()
	if err != nil {
		t.Fatal(err)
	}
	var rules []string
	for _, b := range list {
		rules = append(rules, b.Rule+": "+b.Asked)
	}
	return strings.Join(rules, "\n")
}

// give lets the call that was blocked last through.
func (p *passing) give(t testing.TB) {
	t.Helper()
	list, err := p.Blocked()
	if err != nil || len(list) == 0 {
		t.Fatalf("%d blocked, %v", len(list), err)
	}
	if _, err := p.AllowOnce(list[0]); err != nil {
		t.Fatal(err)
	}
}

// called is a new call.
func called(command, id string) *hooks.Context {
	c := bash(command)
	c.SessionID, c.CWD, c.ToolCall.ID = "s", "/work", id
	return c
}

func asRequest(c *hooks.Context) *hooks.Context {
	r, call := *c, *c.ToolCall
	call.ID = ""
	r.Event, r.ToolCall = hooks.PermissionRequest, &call
	return &r
}

// saying is what became of an event: what the user is told, or why it was blocked.
func saying(t testing.TB, e *engine.Engine, c *hooks.Context) string {
	t.Helper()
	r := fire(t, e, c)
	if r.Decision == hooks.NoOpinion {
		return r.SystemMessage
	}
	return string(r.Decision) + ": " + r.Reason
}

const lost = "deny: it is lost then"

func TestPassLetsOneCallThrough(t *testing.T) {
	p := newPassing(t)
	e := p.guarded(t)
	equal(t, "at first", saying(t, e, called("lose it", "1")), lost)
	p.give(t)
	equal(t, "another command", saying(t, e, called("lose all", "2")), lost)
	elsewhere, tool := called("lose it", "3"), called("lose it", "4")
	elsewhere.CWD, tool.ToolCall.Input = "/else", map[string]any{"command": "lose it", "timeout": int64(1)}
	equal(t, "in another folder", saying(t, e, elsewhere), lost)
	equal(t, "with another input", saying(t, e, tool), lost)
	equal(t, "the same again", saying(t, e, called("lose it", "5")), byPass)
	equal(t, "its permission_request", saying(t, e, asRequest(called("lose it", "5"))), byPass)
	equal(t, "the next call", saying(t, e, called("lose it", "6")), lost)
	equal(t, "the call itself", saying(t, e, called("lose it", "5")), byPass)
	p.now = p.now.Add(override.OnceTime)
	equal(t, "too late", saying(t, e, called("lose it", "5")), lost)
}

func TestPassWithoutIDs(t *testing.T) {
	p := newPassing(t)
	e := p.guarded(t)
	equal(t, "at first", saying(t, e, called("lose it", "")), lost)
	p.give(t)
	equal(t, "the call", saying(t, e, called("lose it", "")), byPass)
	equal(t, "its permission_request", saying(t, e, asRequest(called("lose it", ""))), byPass)
	equal(t, "the next call", saying(t, e, called("lose it", "")), lost)
}

// An unused pass lasts for ten minutes.
func TestPassExpires(t *testing.T) {
	p := newPassing(t)
	e := p.guarded(t)
	saying(t, e, called("lose it", "1"))
	p.give(t)
	p.now = p.now.Add(override.OnceTime)
	equal(t, "too late", saying(t, e, called("lose it", "2")), lost)
}

func TestOffLetsThrough(t *testing.T) {
	p := newPassing(t)
	e := p.guarded(t)
	if _, err := p.TurnOff(10 * time.Minute); err != nil {
		t.Fatal(err)
	}
	equal(t, "off", saying(t, e, called("lose it", "1")), byOff)
	equal(t, "what concerns luahook itself", saying(t, e, called("unguard", "2")), lost)
	if _, err := p.TurnOn(); err != nil {
		t.Fatal(err)
	}
	equal(t, "on", saying(t, e, called("lose it", "3")), lost)
	equal(t, "kept", p.lines(t), "t.lose: lose it\nt.unguard: unguard")
}

// What concerns luahook itself is kept, and no store can lift it.
func TestSelfIsNeverLifted(t *testing.T) {
	p := newPassing(t)
	equal(t, "self", saying(t, p.guarded(t), called("unguard", "1")), lost)
	list, err := p.Blocked()
	if err != nil || len(list) != 1 || !list[0].Final {
		t.Errorf("%+v, %v", list, err)
	}
	yes := newEngine(t, engine.WithBuiltin("safety-guard", nil), engine.WithOverrides(lifting{note: "yes"}))
	equal(t, "another", saying(t, yes, called("lose it", "1")), "yes")
	equal(t, "self", saying(t, yes, called("unguard", "1")), lost)
}

// lifting is a store that says the same to all.
type lifting struct {
	note string
	err  error
}

func (l lifting) Overridden(context.Context, hooks.BlockedCall) (string, error) { return l.note, l.err }

// The guard of those who manage the machine is not the user's to lift.
func TestManagedGuardIsNeverLifted(t *testing.T) {
	p := newPassing(t)
	file := managed(t, "-- hooks.yaml --\nhooks: {pre_tool_call: [{builtin: safety-guard}]}\n")
	if _, err := p.TurnOff(time.Hour); err != nil {
		t.Fatal(err)
	}
	for _, option := range []engine.Option{engine.WithManaged(file), engine.WithManagedEnv(file)} {
		e := newEngine(t, option, engine.WithOverrides(p))
		equal(t, "problems", problems(e), "")
		equal(t, "off", saying(t, e, called("lose it", "1")), lost)
	}
	list, err := p.Blocked()
	if err != nil || len(list) != 1 || !list[0].Final {
		t.Errorf("%+v, %v", list, err)
	}
	yes := newEngine(t, engine.WithManaged(file), engine.WithOverrides(lifting{note: "yes"}))
	equal(t, "a store that lifts all", saying(t, yes, called("lose it", "2")), lost)
}

// The guard that a project names is lifted as the user's is, trusted or not.
func TestProjectsGuardIsLifted(t *testing.T) {
	p := newPassing(t)
	root := tree(t, "-- .hooks/hooks.yaml --\nhooks: {pre_tool_call: [{builtin: safety-guard, with: {reason: project}}]}\n")
	// WithoutBuiltins, which newEngine says, would leave the project's out.
	e, err := engine.New(engine.WithOverrides(p), engine.WithProject(engine.Project{Root: root}))
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close(context.Background())
	equal(t, "blocked", saying(t, e, called("lose it", "1")), lost)
	p.give(t)
	r := fire(t, e, called("lose it", "2"))
	equal(t, "decision", r.Decision, hooks.NoOpinion)
	equal(t, "both", runs(r), "safety-guard safety-guard")
	equal(t, "blocked", saying(t, e, called("lose it", "3")), lost)
}

// Two guards that ask are one line, with the reason of the first.
func TestOneLineForTwoGuards(t *testing.T) {
	p := newPassing(t)
	e := newEngine(t, engine.WithOverrides(p),
		engine.WithBuiltin("safety-guard", map[string]any{"decision": "ask", "reason": "first"}),
		engine.WithBuiltin("safety-guard", map[string]any{"decision": "ask", "reason": "second"}))
	c := called("lose it", "")
	equal(t, "asked", fire(t, e, c).Decision, hooks.Ask)
	equal(t, "asked", fire(t, e, asRequest(c)).Decision, hooks.Ask)
	list, err := p.Blocked()
	if err != nil || len(list) != 1 || list[0].Reason != "first" || list[0].Decision != hooks.Ask || list[0].Event != hooks.PreToolCall {
		t.Errorf("%+v, %v", list, err)
	}
	p.give(t)
	c = called("lose it", "")
	equal(t, "let through", saying(t, e, c), byPass+"\n"+byPass)
	equal(t, "let through", saying(t, e, asRequest(c)), byPass+"\n"+byPass)
	equal(t, "the next", fire(t, e, called("lose it", "")).Decision, hooks.Ask)
}

// What counts is the call as it would be made.
func TestPassIsForTheFinalInput(t *testing.T) {
	p := newPassing(t)
	root := tree(t, `-- .hooks/z.lua --
on("pre_tool_call", function(ev) if ev.tool_call.command == "harmless" then return modify{ command = "lose it" } end end)
`)
	e := p.guarded(t, trusted(t, root), engine.WithProject(engine.Project{Root: root}))
	equal(t, "blocked", saying(t, e, called("harmless", "1")), lost)
	equal(t, "kept", p.lines(t), "t.lose: lose it")
	p.give(t)
	r := fire(t, e, called("harmless", "2"))
	equal(t, "runs", runs(r), "safety-guard z safety-guard*")
	equal(t, "decision", r.Decision, hooks.NoOpinion)
	equal(t, "input", asJSON(t, r.Input), `{"command":"lose it"}`)
	contains(t, strings.Join(r.Warnings, "\n"), byPass)
	equal(t, "the next", saying(t, e, called("harmless", "3")), lost)
}

// A pass for one command isn't one for another that JSON writes alike.
func TestPassIsForExactBytes(t *testing.T) {
	p := newPassing(t)
	e := p.guarded(t)
	equal(t, "at first", saying(t, e, called("lose \xfe", "1")), lost)
	p.give(t)
	equal(t, "with other bytes", saying(t, e, called("lose \xff", "2")), lost)
	equal(t, "with the same", saying(t, e, called("lose \xfe", "3")), byPass)
}

// Of a long command the beginning is kept, up to the end of a character.
func TestPassesAreBounded(t *testing.T) {
	newPassing(t)
	var got hooks.BlockedCall
	e := newEngine(t, engine.WithBuiltin("safety-guard", nil), engine.WithOverrides(recording{&got}))
	command := "lose " + strings.Repeat("é", 5000)
	fire(t, e, called(command, "1"))
	equal(t, "length", got.Length, len(command))
	if kept := len(got.Asked); kept > 2<<10 || kept < 2000 || !utf8.ValidString(got.Asked) {
		t.Errorf("%d bytes are kept", kept)
	}
}

// Only built-ins have the module.
func TestScriptsHaveNoPasses(t *testing.T) {
	p := newPassing(t)
	const script = `on("pre_tool_call", function(ev) return context(type(passes) .. " " .. tostring(pcall(require, "passes"))) end)`
	e := newEngine(t, engine.WithOverrides(p), engine.WithScript("a.lua", script))
	equal(t, "script", fire(t, e, bash("ls")).NewContext, "nil false")
	e, _ = project(t, "-- .hooks/a.lua --\n"+script, engine.WithOverrides(p))
	equal(t, "project", fire(t, e, bash("ls")).NewContext, "nil false")
}

// Without WithOverrides nothing is kept and nothing let through.
func TestWithoutPasses(t *testing.T) {
	newPassing(t)
	e := newEngine(t, engine.WithBuiltin("safety-guard", nil))
	equal(t, "blocked", saying(t, e, called("lose it", "1")), lost)
	if _, err := engine.New(engine.WithOverrides(nil)); err == nil {
		t.Error("WithOverrides(nil) is no error")
	}
}

// What can't be read or written, blocks as it is, and the answer says so without
// saying where to look: agents read it.
func TestPassesThatFail(t *testing.T) {
	p := newPassing(t)
	e := p.guarded(t)
	saying(t, e, called("lose it", "1"))
	p.give(t)
	broken := newEngine(t, engine.WithBuiltin("safety-guard", nil), engine.WithOverrides(lifting{note: "yes", err: errors.New("/state/secret place")}))
	r := fire(t, broken, called("lose it", "2"))
	equal(t, "reason", r.Reason, "it is lost then")
	equal(t, "warnings", len(r.Warnings), 1)
	contains(t, r.Warnings[0], "can't be read or kept, so the block stands")
	if text := asJSON(t, r); strings.Contains(text, "/state") || strings.Contains(text, "luahook allow") || strings.Contains(text, "luahook off") {
		t.Errorf("it says too much: %s", text)
	}
	e = newEngine(t, engine.WithBuiltin("safety-guard", nil), engine.WithOverrides(panicking{}))
	equal(t, "a panic", fire(t, e, called("lose it", "2")).Decision, hooks.Deny)
}

type panicking struct{}

func (panicking) Overridden(context.Context, hooks.BlockedCall) (string, error) { panic("a mistake") }

// A store that doesn't answer in time lets nothing through.
func TestPassesThatHang(t *testing.T) {
	newPassing(t)
	e := newEngine(t, engine.WithBuiltin("safety-guard", nil), engine.WithOverrides(hanging{}), engine.WithLimits(engine.Limits{Timeout: time.Millisecond}))
	r := fire(t, e, called("lose it", "1"))
	equal(t, "decision", r.Decision, hooks.Deny)
	equal(t, "limit", r.Summary().Runs[0].Error.Limit, hooks.LimitTime)
}

type hanging struct{}

func (hanging) Overridden(ctx context.Context, _ hooks.BlockedCall) (string, error) {
	<-ctx.Done()
	return "yes", nil
}

// What the model reads never holds what would lift the block.
func TestBlocksSayNothingOfPasses(t *testing.T) {
	p := newPassing(t)
	e := p.guarded(t)
	r := fire(t, e, called("lose it", "1"))
	list, err := p.Blocked()
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range []string{"luahook", "allow", list[0].Identity, os.TempDir()} {
		if text := r.Reason + strings.Join(r.Warnings, " ") + r.NewContext; strings.Contains(text, word) {
			t.Errorf("%q holds %q", text, word)
		}
	}
}

// Other tools than shells, and calls without any input.
func TestPassesOfOtherTools(t *testing.T) {
	engine.SetBuiltin(t, "safety-guard", `on("pre_tool_call", function(ev)
  return message(passes.lifts({ rule = "t.any", class = "files", decision = "deny", reason = "no" }) or "") , deny("no")
end)`)
	for _, c := range []struct {
		call *hooks.ToolCall
		want string
	}{
		{&hooks.ToolCall{Name: "Write", Input: map[string]any{"file_path": "/etc/passwd", "content": "x"}}, "/etc/passwd"},
		{&hooks.ToolCall{Name: "mcp__db__query", Input: map[string]any{"statement": "drop"}}, `{"statement":"drop"}`},
		{&hooks.ToolCall{Name: "other"}, "null"},
	} {
		var got hooks.BlockedCall
		e := newEngine(t, engine.WithBuiltin("safety-guard", nil), engine.WithOverrides(recording{&got}))
		fire(t, e, &hooks.Context{Event: hooks.PreToolCall, ToolCall: c.call})
		equal(t, "asked", got.Asked, c.want)
		equal(t, "identity", len(got.Identity), 64)
	}
}

type recording struct{ call *hooks.BlockedCall }

func (w recording) Overridden(_ context.Context, c hooks.BlockedCall) (string, error) {
	*w.call = c
	return "", nil
}
