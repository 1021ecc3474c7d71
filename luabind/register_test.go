package luabind_test

import (
	"slices"
	"testing"
	"time"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
	"github.com/luahook/luahook/luabind/compile"
)

func TestOnTakesEveryOption(t *testing.T) {
	s := load(t, `
on("PreToolUse", { name = "guard", match = "bash|edit*", priority = -5, timeout = "200ms", on_failure = "warn", mode = "sync", once = true, enabled = false },
  function() end)

on("stop", function() end)
on("deploy.requested", { enabled = true, match = { cwd = "*/shop" } }, function() end)
on("on_error", { match = { ["error.kind"] = "network" } }, function() end)
on("pre_tool_call", { match = { kind = "shell", path = "src/**" } }, function() end)
on("pre_tool_call", { match = "*" }, function() end)
`, luabind.Environment{})
	got := s.Registrations()
	want := []luabind.Registration{
		{Event: hooks.PreToolCall, Spelling: "PreToolUse", Source: file + ":2", Options: hooks.Options{Name: "guard", Match: hooks.MustMatch("bash|edit*"), Priority: -5,
			Timeout: 200 * time.Millisecond, OnFailure: hooks.Warn, Mode: hooks.ModeSync, Once: true, Disabled: true}},
		{Event: hooks.Stop, Source: file + ":5"},
		{Event: "deploy.requested", Source: file + ":6"},
		{Event: hooks.OnError, Source: file + ":7"},
		{Event: hooks.PreToolCall, Source: file + ":8"},
		{Event: hooks.PreToolCall, Source: file + ":9"},
	}
	matchers := []string{"bash|edit*", "*", `{cwd="*/shop"}`, `{error.kind="network"}`, `{kind="shell", path="src/**"}`, "*"}
	if len(got) != len(want) {
		t.Fatalf("%d registrations, want %d", len(got), len(want))
	}
	for i := range got {
		if m := got[i].Options.Match.String(); m != matchers[i] {
			t.Errorf("%s: the matcher is %s, want %s", got[i].Source, m, matchers[i])
		}
		a, b := got[i], want[i]
		a.Options.Match, b.Options.Match = nil, nil
		equal(t, a.Source, a, b)
	}
}

// TestOnTakesSeveralEvents: a list of them, in any spelling, and "*", of which those are left out that a match can't fit.
func TestOnTakesSeveralEvents(t *testing.T) {
	s := load(t, `
on({ "PreToolUse", "post_tool_call" }, { name = "both", match = "bash" }, function(ev) return context(ev.event) end)
on("*", { match = "bash" }, function() end)
on("*", { name = "all" }, function() end)`, luabind.Environment{})
	list := s.Registrations()
	var both, tools, all []hooks.Event
	for _, r := range list {
		switch {
		case r.Options.Name == "both":
			both = append(both, r.Event)
		case r.Options.Name == "all":
			all = append(all, r.Event)
		default:
			tools = append(tools, r.Event)
		}
	}
	equal(t, "both", both, []hooks.Event{hooks.PreToolCall, hooks.PostToolCall})
	equal(t, "the spelling of the first", list[0].Spelling, "PreToolUse")
	if len(all) != len(hooks.Events()) {
		t.Errorf("%d of %d events", len(all), len(hooks.Events()))
	}
	for _, info := range hooks.Events() {
		if got, want := slices.Contains(tools, info.Name), info.MatchOn != ""; got != want {
			t.Errorf("%s, whose match looks at %q: %v", info.Name, info.MatchOn, got)
		}
	}
	out := s.Call(t.Context(), 0, sample(t, hooks.PreToolCall), luabind.Limits{})
	if out.Err != nil || out.Result.NewContext != "PreToolUse" {
		t.Errorf("%+v", out)
	}
	out = s.Call(t.Context(), 1, sample(t, hooks.PostToolCall), luabind.Limits{})
	if out.Err != nil || out.Result.NewContext != "post_tool_call" {
		t.Errorf("%+v", out)
	}
}

func TestOnRefuses(t *testing.T) {
	const fn = "function() end"
	tests := []struct{ call, want string }{
		{`on()`, "bad argument #1 to on (string expected, got nil)"},
		{`on({}, ` + fn + `)`, "on: the list of events is empty; want names"},
		{`on({ "stop", 1 }, ` + fn + `)`, "on: the list of events has a number in it, want names"},
		{`on({ "stop", "Stop" }, ` + fn + `)`, "on: the list of events has stop twice"},
		{`on({ "stop", "stpo" }, ` + fn + `)`, `on: unknown event "stpo"; did you mean "stop"?`},
		{`on({ "pre_tool_call", "interrupt" }, { match = "bash" }, ` + fn + `)`, "on: match: interrupt has nothing that a name could match"},
		{`on("*", { match = { nonesuch = "x" } }, ` + fn + `)`, "on: no event fits: match: "},
		{`for i = 1, 50 do on("*", ` + fn + `) end`, "on: more than 1000 hooks in one script"},
		{`on("pre_tool_cal", ` + fn + `)`, `on: unknown event "pre_tool_cal"; did you mean "pre_tool_call"?`},
		{`on("frobnicate", ` + fn + `)`, "on: unknown event \"frobnicate\"; `luahook events` lists the known ones"},
		{`on("stop")`, "on: want on(event, function) or on(event, {options}, function), got nil where the function should be"},
		{`on("stop", "x")`, "got string where the function should be"},
		{`on("stop", {})`, "got nil where the function should be"},
		{`on("stop", {}, deny("x"))`, "got userdata where the function should be"},
		{`on("stop", ` + fn + `, { name = "x" })`, "on: a table after the function, which comes last; options stand before it"},
		{`on("stop", { name = "x" }, ` + fn + `, 1)`, "on: a number after the function"},
		{`on("stop", { "x" }, ` + fn + `)`, "on: options: the key 1; options have names"},
		{`on("stop", { prio = 1 }, ` + fn + `)`, `on: unknown option "prio"`},
		{`on("stop", { timout = "1s" }, ` + fn + `)`, `on: unknown option "timout"; did you mean "timeout"?`},
		{`on("stop", { name = 1 }, ` + fn + `)`, "on: name: want a string, got number"},
		{`on("stop", { name = " " }, ` + fn + `)`, "on: name is empty"},
		{`on("stop", { priority = "high" }, ` + fn + `)`, "on: priority: want a whole number, got string"},
		{`on("stop", { priority = 1.5 }, ` + fn + `)`, "on: priority: want a whole number, got 1.5"},
		{`on("stop", { priority = 0/0 }, ` + fn + `)`, "on: priority: want a whole number, got NaN"},
		{`on("stop", { timeout = 200 }, ` + fn + `)`, `on: timeout: want a string like "200ms", got number`},
		{`on("stop", { timeout = "soon" }, ` + fn + `)`, `on: timeout is "soon", want a duration like "200ms" or "2s"`},
		{`on("stop", { timeout = "-1s" }, ` + fn + `)`, `on: timeout is "-1s", want a duration`},
		{`on("stop", { on_failure = "blok" }, ` + fn + `)`, `on: on_failure is "blok", want block, warn or ignore; did you mean "block"?`},
		{`on("stop", { on_failure = true }, ` + fn + `)`, `on: on_failure is "true", want block, warn or ignore`},
		{`on("stop", { mode = "async" }, function() return deny("x") end)`, `on: an async hook observes while the event goes on, so deny() would come too late`},
		{`on("stop", { mode = "async", on_failure = "block" }, ` + fn + `)`, `on: an async hook observes while the event goes on, so on_failure = "block" means nothing there`},
		{`on("stop", { mode = "snyc" }, ` + fn + `)`, `on: mode is "snyc", want sync, parallel or async; did you mean "sync"?`},
		{`on("stop", { once = 1 }, ` + fn + `)`, "on: once: want a boolean, got number"},
		{`on("stop", { enabled = "yes" }, ` + fn + `)`, "on: enabled: want a boolean, got string"},
		{`on("pre_tool_call", { match = 1 }, ` + fn + `)`, "on: match: want a string or a table, got number"},
		{`on("pre_tool_call", { match = {} }, ` + fn + `)`, "on: match: the table is empty"},
		{`on("pre_tool_call", { match = { "bash", "edit" } }, ` + fn + `)`, `on: match: want fields with a pattern each, like {kind="shell"}; for several names write "a|b"`},
		{`on("pre_tool_call", { match = { kind = 1 } }, ` + fn + `)`, "on: match: want fields with a pattern each"},
		{`on("pre_tool_call", { match = "a||b" }, ` + fn + `)`, "on: match: an empty name"},
		{`on("pre_tool_call", { match = "/(/" }, ` + fn + `)`, "is not a regular expression"},
		{`on("pre_tool_call", { match = { tol = "bash" } }, ` + fn + `)`, `on: match: pre_tool_call has no field "tol"`},
		{`on("stop", { match = "bash" }, ` + fn + `)`, "on: match: stop has nothing that a name could match"},
		{`on("stop", { match = { branches = "x" } }, ` + fn + `)`, `on: match: stop has no field "branches"`},
		{`on("stop", { name = 1, once = 1, mode = 1 }, ` + fn + `)`, "on: name: want a string, got number"}, // the first of several
	}
	for _, tt := range tests {
		t.Run(tt.call, func(t *testing.T) {
			e := loadError(t, "\n"+tt.call, luabind.Environment{})
			wantError(t, e, hooks.KindLoad, file+":2: ", tt.want)
		})
	}
}

func TestOnOnlyWhileLoading(t *testing.T) {
	out, _ := run(t, `on("stop", function() end)`, shellCall(t))
	wantError(t, out.Err, hooks.KindScript, "on(...) registers hooks only while the script loads, not while one runs")
}

func TestOnInALibraryAndACoroutine(t *testing.T) {
	s := load(t, `require("more")`+"\n"+`coroutine.wrap(function() on("stop", function() return context("x") end) end)()`, luabind.Environment{
		Libraries: map[string]*luabind.Library{"more": {Program: compiled(t, ".hooks/lib/more.lua", "\n\non('stop', function() end)")}},
	})
	var sources []string
	for _, r := range s.Registrations() {
		sources = append(sources, r.Source)
	}
	equal(t, "sources", sources, []string{".hooks/lib/more.lua:3", file + ":2"})
	equal(t, "the second hook", calls(t, s, 1, sample(t, hooks.Stop)).NewContext, "x")
}

func TestSame(t *testing.T) {
	const base = `on("pre_tool_call", { name = "a", match = "bash" }, function() end)`
	registrations := func(source string) []luabind.Registration {
		return load(t, source, luabind.Environment{}).Registrations()
	}
	first := registrations(base)
	tests := []struct {
		source string
		want   bool
	}{
		{base, true},
		{`on("pre_tool_call", { match = "bash", name = "a" }, function() return "other" end)`, true},
		{"", false},
		{base + base, false},
		{"\n" + base, false},
		{`on("permission_request", { name = "a", match = "bash" }, function() end)`, false},
		{`on("pre_tool_call", { name = "b", match = "bash" }, function() end)`, false},
		{`on("pre_tool_call", { name = "a", match = "edit" }, function() end)`, false},
		{`on("pre_tool_call", { name = "a" }, function() end)`, false},
		{`on("pre_tool_call", { name = "a", match = "bash", priority = 1 }, function() end)`, false},
	}
	for _, tt := range tests {
		if got := luabind.SameRegistrations(first, registrations(tt.source)); got != tt.want {
			t.Errorf("Same is %v for %s", got, tt.source)
		}
	}
	if first[0].Options.Match == nil {
		t.Error("Same took the matcher away")
	}
}

func TestGlobalsAreDocumented(t *testing.T) {
	for _, f := range luabind.Globals {
		if f.Signature == "" || f.Help == "" || f.Go == nil {
			t.Errorf("%s lacks its signature, help or function", f.Name)
		}
		if _, err := compile.Script(f.Name, "local function example(ev) "+f.Example+"\nend"); err != nil {
			t.Errorf("the example of %s: %v", f.Name, err)
		}
		passes(t, `assert(type(`+f.Name+`) == "function")`, shellCall(t))
	}
}
