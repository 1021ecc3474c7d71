package engine_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
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
  assert(rawequal(ev.event, "`+spelling+`") and rawequal(ev.canonical_event, "pre_tool_call"))
  local name = ev.event
  for _, same in ipairs{ ev.event == "pre_tool_call", ev.event == "pre-tool-call", "PreToolUse" == ev.event, name == "BeforeTool", not (ev.event ~= "preToolUse"), name ~= "post_tool_call" } do
    assert(same)
  end
  assert(ev.event ~= "post-tool-call" and ev.event ~= "nonsense" and name ~= "stop")
  if ev.event == "pre-tool-call" and ev.tool_call.command == "rm" then return deny("seen") end
end)`))
		r := fire(t, e, bash("rm"))
		equal(t, spelling, r.Reason, "seen")
		equal(t, spelling+": the summary's event", r.Summary().Event, hooks.PreToolCall)
	}
}

// However a script takes ev.event for one of its names, the spelling doesn't matter.
func TestEventsAreTheSameInEverySpelling(t *testing.T) {
	tests := []struct{ before, condition string }{ // NAME: another spelling than that of on
		{"local function is(ev, name) return ev.event == name end", `is(ev, NAME)`},
		{"local function is(name, ev) return not (name ~= ev.event) end", `is(NAME, ev)`},
		{"local WANT = NAME", `ev.event == WANT`},
		{"WANT = NAME", `WANT == ev["event"]`},
		{"local want = {NAME}", `want[1] == ev.event`},
		{"local handlers = {[NAME] = function(ev) return true end}", `handlers[ev.event](ev)`},
		{"local names = {} names[NAME] = true", `names[ev.event]`},
		{"local names = {[NAME] = {sure = true}}", `names[ev["event"]].sure`},
		{"local M = {} function M:run(ev) return self.on[ev.event] end M.on = {[NAME] = true}", `M:run(ev)`},
		{"local names = setmetatable({}, {__index = {[NAME] = true}})", `names[ev.event]`},
		{"local names = setmetatable({[NAME] = true}, {__index = function() return false end})", `names[ev.event]`},
		{"local names = setmetatable({}, {__index = function(_, k) return k:find('tool') end})", `names[ev.canonical_event]`},
		{"local function find(list, ev) for _, name in ipairs(list) do if ev.event == name then return true end end end", `find({"stop", NAME}, ev)`},
		{"local function find(list, ev) local event = ev.event for i = 1, #list do if list[i] == event then return true end end end", `find({"stop", NAME}, ev)`},
		{"local e local function is(name) return e == name end", `(function() e = ev.event return is(NAME) end)()`},
		{"local function is(name) return current == name end", `(function() current = ev.event return is(NAME) end)()`},
		{"", `(function() local e = ev return e.event == NAME end)()`},
		{"", `(function() local a = "x" a = ev.event local b = a return b == NAME end)()`},
		{"", `(function() local a, b = 1, ev.event return b == NAME end)()`},
		{"", `(function() local e = ev.event or "none" return e == NAME end)()`},
		{"", `(ev.event or "none") == NAME`},
		{"", `ev.event:lower() == LOWER`},
		{"", `string.upper(ev.event) == UPPER`},
		{"", `(function() local e = tostring(ev.event) return e == NAME end)()`},
		{"", `ev.canonical_event == NAME`},
		{"", `({[NAME] = true})[ev.event]`},
		{"local n = {[NAME] = 1}", `(function() n[ev.event] = (n[ev.event] or 0) + 1 return n[ev.event] == 2 end)()`},
	}
	spellings := []string{"pre_tool_call", "pre-tool-call", "PreToolUse", "before_tool"}
	for _, test := range tests {
		for i, spelling := range spellings {
			source := test.before + "\non('" + spelling + "', {name = 'a'}, function(ev) if " + test.condition + " then return deny('seen') end end)"
			other := "'" + spellings[(i+1)%len(spellings)] + "'"
			script := strings.NewReplacer("NAME", other, "LOWER", strings.ToLower(other), "UPPER", strings.ToUpper(other)).Replace(source)
			e := newEngine(t, engine.WithScript("a.lua", script))
			r := fire(t, e, bash("rm"))
			equal(t, script, r.Reason, "seen")
			equal(t, "warnings of "+script, strings.Join(r.Warnings, "\n"), "")
		}
	}
}

// Where the name of the event goes where its spelling matters, a text that names the event in
// another spelling is told with every result.
func TestTextsThatNameAnEventInAnotherSpellingAreSaid(t *testing.T) {
	on := "on('pre_tool_call', function(ev) %s end)"
	tests := []struct{ name, files, want string }{ // want: of the warning; "": there is none
		{"a function of its own", "local function is(name, want) return name == want end\n" + fmt.Sprintf(on, `if is(ev.event, "PreToolUse") then return deny("") end`), `a.lua:2: "PreToolUse"`},
		{"a variable", fmt.Sprintf(on, "local e = ev.event\nif is(e, 'pre-tool-call') then end"), `a.lua:2: "pre-tool-call"`},
		{"an upvalue", "local e\n" + fmt.Sprintf(on, "e = ev.event if is(e) == 'x' then end") + "\nlocal N = 'BeforeTool'", `a.lua:3: "BeforeTool"`},
		{"in a local function", "local is = function(ev) return same(ev.event, 'PreToolUse') end\n" + fmt.Sprintf(on, ""), `a.lua:1: "PreToolUse"`},
		{"string.find", fmt.Sprintf(on, `if string.find(ev.event, "PreToolUse") then return deny("") end`), `a.lua:1: "PreToolUse"`},
		{"a table that a function looks into", "local t = {['pre-tool-call'] = 1}\nlocal function get(t, k) return t[k] end\n" + fmt.Sprintf(on, `if get(t, ev.event) then return deny("") end`), `a.lua:1: "pre-tool-call"`},
		{"functions in a table", "local M = {}\nfunction M.PreToolUse() end\nlocal function get(k) return M[k] end\n" + fmt.Sprintf(on, `get(ev.event)`), `a.lua:2: "PreToolUse"`},
		{"rawget", "local t = {PreToolUse = 1}\n" + fmt.Sprintf(on, `if rawget(t, ev.event) then return deny("") end`), `a.lua:1: "PreToolUse"`},
		{"a field", fmt.Sprintf(on, `local t = {name = ev.event} if t.name == "PreToolUse" then return deny("") end`), `a.lua:1: "PreToolUse"`},
		{"a field of an object", fmt.Sprintf(on, `local t = {} t.name = ev.event if t.name == "PreToolUse" then return deny("") end`), `a.lua:1: "PreToolUse"`},
		{"what a function returns", "local function name(ev) return ev.event end\n" + fmt.Sprintf(on, `if name(ev) == "PreToolUse" then return deny("") end`), `a.lua:2: "PreToolUse"`},
		{"a field that is named elsewhere", fmt.Sprintf(on, `local k = "event" if ev[k] == "PreToolUse" then return deny("") end`), `a.lua:1: "PreToolUse"`},
		{"the catalogue's name", "on('PreToolUse', function(ev) if is(ev.event, 'pre_tool_call') then return deny('') end end)", `a.lua:1: "pre_tool_call"`},
		{"one of several events", "local is\nfor _, e in ipairs{'stop', 'PostToolUse', 'PreToolUse'} do on(e, function(ev) if is(ev.event, 'post-tool-call') then end end) end", `a.lua:2: "post-tool-call"`},
		{"a library", "local lib = require('names')\n" + fmt.Sprintf(on, `if lib.is(ev.event) then return deny("") end`) + "\n-- .hooks/lib/names.lua --\nlocal M = {}\nfunction M.is(name) return name == 'PreToolUse' end\nreturn M", `lib/names.lua:2: "PreToolUse"`},
		{"through a library", fmt.Sprintf(on, `local lib = require('names') if lib.name(ev) == 'PreToolUse' then return deny("") end`) + "\n-- .hooks/lib/names.lua --\nlocal M = {}\nfunction M.name(ev) return ev.event end\nreturn M", `a.lua:1: "PreToolUse"`},

		{"a part of the spelling of on", fmt.Sprintf(on, `if ev.event:find("^pre_") or ev.event:match("tool") or ev.event:sub(1, 4) == "post" then return deny("") end`), ""},
		{"a list with the spelling of on", fmt.Sprintf(on, `if ("stop pre_tool_call"):find(ev.event, 1, true) then return deny("") end`), ""},
		{"parts of both", fmt.Sprintf(on, `if re.match(ev.event, "(?i)^pre[-_]?tool") or re.match(ev.event, "^Pre|^pre") or ev.event:match("[Tt]ool") then return deny("") end`), ""},
		{"parts of other names", fmt.Sprintf(on, `local name = ev.event if name == "stop" then end`) + "\nlocal function writes(name) return name == 'Write' or name:find('Edit') or name:find('Read') end", ""},
		{"a part in lower case", "on('PreToolUse', function(ev) if ev.event:lower():find('tool', 1, true) then return deny('') end end)", ""},
		{"normalised", "on('PreToolUse', function(ev) if ev.event:gsub('%u', '_%0'):lower():gsub('use$', 'call') == '_pre_tool_call' then return deny('') end end)", ""},
		{"the spelling of on", "local function is(name, want) return name == want end\n" + fmt.Sprintf(on, `if is(ev.event, "pre_tool_call") then return deny("") end`), ""},
		{"both spellings are registered", "local is\nfor _, e in ipairs{'PreToolUse', 'pre_tool_call'} do on(e, function(ev) if is(ev.event, 'PreToolUse') then end end) end", ""},
		{"another event", fmt.Sprintf(on, `if is(ev.event, "PostToolUse") then return deny("") end`), ""},
		{"canonical_event", "on('PreToolUse', function(ev) if is(ev.canonical_event, 'pre_tool_call') then return deny('') end end)", ""},
		{"canonical_event in a variable", "on('PreToolUse', function(ev) local e = ev.canonical_event if is(e, 'pre_tool_call') then return deny('') end end)", ""},
		{"compared directly", fmt.Sprintf(on, `print(ev.event) log.info("x " .. ev.event) if ev.event == "PreToolUse" or ev.event:lower() == "pretooluse" then return deny("no " .. ev.event) end store.set("last:" .. ev.event, 1)`), ""},
		{"looked up", "local handlers = {PreToolUse = print, ['post-tool-call'] = print}\nfunction handlers.BeforeTool() end\n" + fmt.Sprintf(on, `store.set("last:" .. ev.event, 1) return handlers[ev.event](ev)`), ""},
		{"a prefix and the spelling of on", "local M = {}\nfunction M.on_pre_tool_call() end\nfunction on_pre_tool_call() end\n" + fmt.Sprintf(on, `return M["on_" .. ev.event](ev)`), ""},
		{"messages and paths", fmt.Sprintf(on, `exec.run{"hooks/pre-tool-call.sh", ev.event} return deny("PreToolUse: refused", ev.event)`), ""},
		{"nothing is compared", fmt.Sprintf(on, `print(ev.event, "PreToolUse") local x = "PreToolUse"`), ""},
		{"a word", "on('Stop', function(ev) exec.run{'systemctl', ev.stop, ev.event} x.stop() end)", ""},
		{"lists", "local LIST = {'PreToolUse'}\n" + fmt.Sprintf(on, `for _, n in ipairs(LIST) do if ev.event == n then return deny(n) end end`), ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			e, _ := project(t, "-- .hooks/a.lua --\n"+test.files+"\n")
			for _, event := range []*hooks.Context{{Event: hooks.SessionEnd}, {Event: hooks.SessionEnd}} {
				warnings := strings.Join(fire(t, e, event).Warnings, "\n")
				if test.want == "" {
					equal(t, "warnings", warnings, "")
					continue
				}
				contains(t, warnings, ".hooks/"+test.want, "ev.event says", "ev.canonical_event")
				equal(t, "warnings", strings.Count(warnings, "\n"), 0)
			}
		})
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
	equal(t, "its run", string(r.Summary().Runs[0].Status), "completed")
	contains(t, asJSON(t, r.Summary()), "fine")
	r = fire(t, e, event(t, "permission_request", `{"tool_call":{"name":"bash","command":"ls"}}`))
	equal(t, "permission_request", string(r.Decision)+" "+r.Reason, "allow known")
}
