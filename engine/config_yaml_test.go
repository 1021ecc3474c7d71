package engine_test

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

func TestConfigErrors(t *testing.T) {
	hook := func(keys string) string { return "hooks:\n  pre_tool_call:\n    - {script: x.lua, " + keys + "}\n" }
	tests := []struct{ name, yaml, want string }{
		{"unknown key of the file", "hook:\n  enabled: true\n", `1:1: unknown key "hook"; did you mean "hooks"?`},
		{"unknown key under hooks", "hooks:\n  on_failur: block\n", `2:3: unknown key "on_failur"; did you mean "on_failure"?`},
		{"misspelt event", "hooks:\n  pre_tol_call: []\n", `2:3: unknown event "pre_tol_call"; did you mean "pre_tool_call"?`},
		{"nothing near", "hooks:\n  qqqqqqqqqqqq: []\n", "2:3: unknown event \"qqqqqqqqqqqq\"; `luahook events` lists the known ones"},
		{"unknown key of a hook", hook("priorty: 5"), `3:23: unknown key "priorty"; did you mean "priority"?`},
		{"unknown limit", "hooks:\n  limits:\n    instuctions: 5\n", `3:5: unknown limit "instuctions"; did you mean "instructions"?`},
		{"an event at the top", "PreToolUse:\n- script: a.lua\n", `1:1: unknown key "PreToolUse"; the event pre_tool_call belongs under "hooks"`},
		{"the file is text", "x\n", "1:1: the file: want a mapping of keys to values"},
		{"hooks is a list", "hooks: [1]\n", "1:8: hooks: want a mapping of keys to values"},
		{"limits is text", "hooks:\n  limits: x\n", "2:11: limits: want a mapping of keys to values"},
		{"an event is a mapping", "hooks:\n  stop: {script: a.lua}\n", "2:9: stop: want a list of hooks, each with builtin or script"},
		{"an event is text", "hooks:\n  stop: a.lua\n", "2:9: stop: want a list of hooks, each with builtin or script"},
		{"a hook is text", "hooks:\n  stop:\n  - a.lua\n", "3:5: a hook: want a mapping of keys to values"},
		{"enabled", "hooks:\n  enabled: maybe\n", "2:12: enabled: want true or false"},
		{"on_failure", "hooks:\n  on_failure: blck\n", `2:15: on_failure is "blck", want block, warn or ignore; did you mean "block"?`},
		{"on_failure is a list", "hooks:\n  on_failure: []\n", "2:15: on_failure: want text"},
		{"limits.instructions", "hooks:\n  limits: {instructions: many}\n", "2:26: limits.instructions: want a whole number above 0"},
		{"limits.instructions is 0", "hooks:\n  limits: {instructions: 0}\n", "2:26: limits.instructions: want a whole number above 0"},
		{"limits.timeout", "hooks:\n  limits: {timeout: soon}\n", `2:21: timeout is "soon", want a duration like "200ms" or "2s"`},
		{"limits.memory", "hooks:\n  limits: {memory: much}\n", `2:20: limits.memory is "much", want a size like "64MiB" or "100MB"`},
		{"limits.memory of a unit that could be two", "hooks:\n  limits: {memory: 64M}\n", `2:20: limits.memory is "64M", want a size like`},
		{"limits.memory with a part", "hooks:\n  limits: {memory: 1.5GiB}\n", `2:20: limits.memory is "1.5GiB", want a size like`},
		{"limits.memory, two units", "hooks:\n  limits: {memory: 1GiBMiB}\n", `2:20: limits.memory is "1GiBMiB", want a size like`},
		{"limits.memory, a unit alone", "hooks:\n  limits: {memory: MiB}\n", `2:20: limits.memory is "MiB", want a size like`},
		{"limits.memory below nothing", "hooks:\n  limits: {memory: -64MiB}\n", `2:20: limits.memory is "-64MiB", want a size like`},
		{"limits.memory beyond all numbers", "hooks:\n  limits: {memory: 9999999999GiB}\n", `2:20: limits.memory is "9999999999GiB", want a size like`},
		{"limits.memory without its unit", "hooks:\n  limits: {memory: 64}\n", `2:20: limits.memory is "64", want at least 1MiB`},
		{"limits.memory is too little", "hooks:\n  limits: {memory: 1023KiB}\n", `2:20: limits.memory is "1023KiB", want at least 1MiB`},
		{"limits.memory is a list", "hooks:\n  limits: {memory: [1]}\n", "2:20: limits.memory is "},
		{"limits.memory is misspelt", "hooks:\n  limits: {memroy: 64MiB}\n", `2:12: unknown limit "memroy"; did you mean "memory"?`},
		{"name", hook("name: ''"), "3:29: name: want text"},
		{"name is a number", hook("name: 5"), "3:29: name: want text"},
		{"priority", hook("priority: 1.5"), "3:33: priority: want a whole number"},
		{"priority is text", hook("priority: high"), "3:33: priority: want a whole number"},
		{"a hook's timeout", hook("timeout: 5"), `3:32: timeout is "5", want a duration like "200ms" or "2s"`},
		{"a hook's negative timeout", hook("timeout: -5s"), `3:32: timeout is "-5s", want a duration like "200ms" or "2s"`},
		{"a hook's on_failure", hook("on_failure: warm"), `3:35: on_failure is "warm", want block, warn or ignore; did you mean "warn"?`},
		{"a hook's enabled", hook("enabled: 1"), "3:32: enabled: want true or false"},
		{"with", hook("with: 3"), "3:29: with: want a mapping of options"},
		{"match is a list", hook("match: [bash]"), "3:30: match: want a pattern or a mapping of fields to patterns"},
		{"match is no pattern", hook("match: '/(/'"), "3:30: match: \"/(/\" is not a regular expression (RE2): "},
		{"match of a number", hook("match: {kind: 3}"), "3:30: match.kind: want a pattern"},
		{"match of nothing", hook("match: {}"), "3:30: match: the table is empty"},
		{"match of an unknown field", hook("match: {cdw: x}"), "3: match: pre_tool_call has no field \"cdw\"; did you mean \"cwd\"?"},
		{"neither builtin nor script", "hooks:\n  stop:\n  - name: x\n", "3:9: the hook has neither builtin nor script"},
		{"nothing", "hooks:\n  stop:\n  -\n", "3:5: the hook has neither builtin nor script"},
		{"both", hook("builtin: safety-guard"), "3:7: the hook has both builtin and script; write two hooks"},
		{"unknown built-in", "hooks:\n  stop:\n  - builtin: safty-guard\n", `3:14: unknown built-in "safty-guard"; did you mean "safety-guard"?`},
		{"unknown built-in, nothing near", "hooks:\n  stop:\n  - builtin: x\n", `3:14: unknown built-in "x"; there is `},
		{"a script that isn't Lua", "hooks:\n  stop:\n  - script: a.sh\n", `3:13: script "a.sh" is not a .lua file; commands as hooks are not in this version`},
		{"a command", "hooks:\n  stop:\n  - command: a.sh\n", "3:5: command is not in this version; a hook here is a builtin or a Lua script"},
		{"mode", hook("mode: async"), "3:23: mode is not in this version"},
		{"a key twice", "hooks:\n  enabled: true\n  enabled: false\n", `3:3: not YAML: mapping key "enabled" already defined at [2:3]`},
		{"a key twice, in two forms", "hooks:\n  ? enabled\n  : true\n  enabled: false\n", `4:3: not YAML: mapping key "enabled" already defined at [2:3]`},
		{"an event twice in one spelling", "hooks:\n  stop: []\n  stop: []\n", `3:3: not YAML: mapping key "stop" already defined at [2:3]`},
		{"an anchor", "hooks:\n  stop: &x []\n", "2:9: anchors and aliases (&name, *name, <<) are not read here; write the value out"},
		{"a merge", "hooks:\n  <<: {enabled: true}\n", "2:3: anchors and aliases"},
		{"not YAML", "a: [\n", "1:4: not YAML: sequence end token ']' not found"},
		{"a tab", "hooks:\n\tx: 1\n", "2:1: not YAML: found character '\t' that cannot start any token"},
		{"two documents", "hooks:\n---\nhooks:\n", "2:1: a second document; hooks.yaml has one"},
		{"two documents, the first empty", "---\n---\nhooks:\n", "2:1: a second document; hooks.yaml has one"},
		{"two documents, the first ended", "---\n...\nhooks:\n", "3:1: a second document; hooks.yaml has one"},
		{"two documents, the first a comment", "---\n# nothing\n---\nhooks:\n", "3:1: a second document; hooks.yaml has one"},
		{"a byte order mark", "\ufeffhook: {}\n", `1:1: unknown key "hook"`},
		{"nested beyond reason", "hooks: " + strings.Repeat("[", 5000), ": not YAML for hooks: more than 100 open brackets"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			e, _ := project(t, "-- .hooks/hooks.yaml --\n"+test.yaml+"-- x.lua --\non('pre_tool_call', function() end)\n")
			told := problems(e)
			if !strings.HasPrefix(strings.TrimPrefix(told, ".hooks/hooks.yaml:"), strings.TrimPrefix(test.want, ":")) || strings.Contains(told, "\n") {
				t.Errorf("\n got %s\nwant .hooks/hooks.yaml:%s", told, test.want)
			}
			r := fire(t, e, bash("ls"))
			equal(t, "decision", r.Decision, hooks.Deny)
			contains(t, r.Reason, ".hooks/hooks.yaml", "can't be loaded")
		})
	}
}

// Each mistake is told; what is right beside it stays.
func TestConfigErrorsLeaveTheRest(t *testing.T) {
	e, _ := project(t, `
-- .hooks/hooks.yaml --
hooks:
  pre_tool_call:
    - {script: x.lua, name: one}
    - {script: x.lua, nmae: two, priority: high}
    - {script: x.lua, name: three}
  on_failur: block
-- x.lua --
on("pre_tool_call", function() end)
`)
	equal(t, "problems", len(e.Problems()), 3)
	r := fire(t, e, bash("ls"))
	equal(t, "runs", runs(r), "one three load")
	equal(t, "warnings", len(r.Warnings), 3)
}

func TestConfigOfNothing(t *testing.T) {
	for _, yaml := range []string{"", "\n", "# only a comment\n", "---\n", "hooks:\n", "hooks: {}\n", "hooks:\n  # nothing yet\n", "hooks:\n  stop:\n", "hooks:\n  stop: []\n", "null\n", "\ufeffhooks: {}\n", "\ufeff", "# c\n---\nhooks: {}\n...\n# c\n", "hooks:\n  deploy.requested: []\n"} {
		e, _ := project(t, "-- .hooks/hooks.yaml --\n"+yaml)
		equal(t, "problems of "+yaml, problems(e), "")
	}
}

// FuzzConfig: no hooks.yaml makes the engine panic, and each complaint has a place.
func FuzzConfig(f *testing.F) {
	for _, seed := range []string{
		"", "#", "hooks: {enabled: false, on_failure: warn, limits: {instructions: 5, timeout: 1s, memory: 2 MB}}", "hooks:\n  PreToolUse:\n  - {name: a, script: x.lua, with: {a: [1, 2.5, null, {b: c}]}, match: {kind: shell}, priority: -1, timeout: 1ms, on_failure: block, enabled: true}\n",
		"hooks: &a {stop: *a}", "hooks: !!map {}", "? [a]\n: b", "- -\n  -", "hooks: {<<: 1}", "%YAML 1.2\n---\n", "hooks: |\n  x", "\"hooks\": 'x'", "hooks:\n  stop: [{builtin: safety-guard}]", "1: 2\n1: 3", "hooks: [", "\xff\xfe", "? a\n: 1\n? a\n: 2", "hooks: {1.5: x, true: y, null: z}",
	} {
		f.Add(seed)
	}
	place := regexp.MustCompile(`^(\.hooks/hooks\.yaml|x\.lua)(:\d+)*$`)
	f.Fuzz(func(t *testing.T, yaml string) {
		root := tree(t, "-- x.lua --\non('pre_tool_call', function() end)\n-- .hooks/hooks.yaml --\n")
		writeFile(t, root+"/.hooks/hooks.yaml", yaml)
		e := newEngine(t, engine.WithProject(engine.Project{Root: root}))
		for _, err := range e.Problems() {
			var fault *hooks.Error
			if !errors.As(err, &fault) || !place.MatchString(fault.Source) || fault.Message == "" {
				t.Errorf("%q: %#v", yaml, err)
			}
		}
		if r := fire(t, e, bash("ls")); len(e.Problems()) > 0 && r.Decision != hooks.Deny {
			t.Errorf("%q: not blocked", yaml)
		}
	})
}
