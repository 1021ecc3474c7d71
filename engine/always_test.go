package engine_test

import (
	"errors"
	"testing"

	"github.com/luahook/luahook/hooks"
)

// A hook that is always there comes along with the first entry that lists its script, as
// the script says it, and isn't doubled where it is listed itself.
func TestAlways(t *testing.T) {
	const script = `
-- lib/pair.lua --
local with = ...
on("stop", {name = "judge"}, function() return context((with.word or "?") .. store.incr("n", 0)) end)
on("notification", {name = "judge"}, function() return context("told") end)
on("pre_prompt", {name = "count", always = true}, function() store.incr("n") end)
on("session_start", {name = "greet"}, function() return context("hello") end)
`
	prompt := &hooks.Context{Event: hooks.PrePrompt, Prompt: "x"}
	stop := &hooks.Context{Event: hooks.Stop}
	for _, test := range []struct{ name, yaml, prompt, session, context string }{
		{"under another event", `
  stop: [{script: lib/pair.lua, with: {word: a}, match: ""}]`, "count", "", "a1"},
		{"under two others", `
  stop: [{script: lib/pair.lua, with: {word: a}}]
  notification: [{script: lib/pair.lua}]`, "count", "", "a1"},
		{"under its own", `
  stop: [{script: lib/pair.lua}]
  pre_prompt: [{name: mine, script: lib/pair.lua}]`, "mine", "", "?1"},
		{"twice", `
  stop: [{name: one, script: lib/pair.lua}, {name: two, script: lib/pair.lua, with: {word: b}}]`, "count", "", "?1\nb1"},
		{"only where its entry is on", `
  stop: [{script: lib/pair.lua, enabled: false}]`, "", "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			e, _ := project(t, script+"-- .hooks/hooks.yaml --\nhooks:"+test.yaml+"\n")
			if problems := e.LoadErrors(); len(problems) > 0 {
				t.Fatal(errors.Join(problems...))
			}
			equal(t, "runs of the prompt", runs(fire(t, e, prompt)), test.prompt)
			equal(t, "runs of the session", runs(fire(t, e, &hooks.Context{Event: hooks.SessionStart})), test.session)
			equal(t, "context", fire(t, e, stop).NewContext, test.context)
		})
	}
}

// One that is always there doesn't make up for the hook that hooks.yaml asks for.
func TestAlwaysIsNotTheHookThatWasMeant(t *testing.T) {
	e, _ := project(t, `
-- lib/count.lua --
on("pre_prompt", {always = true}, function() end)
-- .hooks/hooks.yaml --
hooks: {stop: [{script: lib/count.lua}]}
`)
	contains(t, errors.Join(e.LoadErrors()...).Error(), "lib/count.lua registers nothing for stop")
}

// Where nothing lists the script, always says nothing.
func TestAlwaysByItself(t *testing.T) {
	e := lua(t, `on("pre_prompt", {always = true}, function() return context("x") end)`)
	equal(t, "context", fire(t, e, &hooks.Context{Event: hooks.PrePrompt, Prompt: "x"}).NewContext, "x")
	e = lua(t, `on("pre_prompt", {always = 1}, function() end)`)
	contains(t, errors.Join(e.LoadErrors()...).Error(), "always: want a boolean, got number")
}
