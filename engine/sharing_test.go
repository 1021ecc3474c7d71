package engine_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// Many slow hooks in one file take no longer than one of them may; those of other
// files have their own time.
func TestHooksOfAFileShareItsTime(t *testing.T) {
	const endless = `on("stop", function() while true do end end)`
	e := newEngine(t, engine.WithLimits(engine.Limits{Instructions: 1 << 50, Timeout: 20 * time.Millisecond}),
		engine.WithScript("a.lua", endless+endless+endless), engine.WithScript("b.lua", `on("stop", function() return context("b") end)`))
	r := fire(t, e, &hooks.Context{Event: hooks.Stop})
	for i, want := range []string{"it ran longer than its 20ms", "the hooks of its file have used up the time that one of them may take", "the hooks of its file have used up"} {
		if run := r.Summary().Runs[i]; run.Error == nil || run.Error.Kind != hooks.KindLimit || run.Error.Limit != hooks.LimitTime || !strings.Contains(run.Error.Message, want) {
			t.Errorf("run %d: %+v", i, run.Error)
		}
	}
	if r.NewContext != "b" {
		t.Errorf("the other file's hook: %s", asJSON(t, r))
	}
}

// A file may have many hooks, and each may answer at length; what comes of all of
// them together is bounded.
func TestAnswersAreBoundedTogether(t *testing.T) {
	const many = `for i = 1, 100 do on("pre_prompt", { on_failure = "warn" }, function() return %s end) end`
	for _, answer := range []string{`context(("x"):rep(2^18))`, `message(("x"):rep(2^18))`, `ask(("x"):rep(2^18))`, `{ data = { ["k" .. i] = ("x"):rep(2^18) } }`} {
		e := newEngine(t, engine.WithLimits(engine.Limits{Timeout: time.Minute}), engine.WithScript("a.lua", fmt.Sprintf(many, answer)),
			engine.WithScript("b.lua", `on("pre_prompt", { priority = -1 }, function() return deny("no") end)`))
		r := fire(t, e, &hooks.Context{Event: hooks.PrePrompt, Prompt: "x"})
		failed := 0
		for _, run := range r.Summary().Runs {
			if run.Error != nil && run.Error.Kind == hooks.KindResult && strings.Contains(run.Error.Message, "add up to more than 4 MiB") {
				failed++
			}
		}
		if failed < 80 || failed > 90 {
			t.Errorf("%s: %d of 100 answers were too much", answer, failed)
		}
	}
	// A deny that is too much denies all the same.
	e := newEngine(t, engine.WithScript("a.lua", `on("pre_prompt", { on_failure = "ignore" }, function() return deny(("x"):rep(5 * 2^20)) end)`))
	if r := fire(t, e, &hooks.Context{Event: hooks.PrePrompt, Prompt: "x"}); r.Decision != hooks.Deny {
		t.Errorf("decision %q", r.Decision)
	}
}
