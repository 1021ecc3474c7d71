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

// However many scripts a project has: those that aren't trusted have the time of five runs, and then fail by their
// policy. Others don't wait for more, and aren't held to it.
func TestScriptsOfAnUntrustedProjectShareTheirTime(t *testing.T) {
	const atOnce, scripts = 10, 25
	var files strings.Builder
	for i := range scripts {
		options := "{}"
		if i < atOnce {
			options = "{mode = 'parallel', priority = 1}"
		}
		fmt.Fprintf(&files, "-- .hooks/s%02d.lua --\non('stop', %s, function() while true do end end)\n", i, options)
	}
	root, store := realTree(t, files.String())
	usedUp := func(limits engine.Limits) (n int, r *hooks.Result) {
		e := newEngine(t, engine.WithLimits(limits), engine.WithTrust(store), engine.WithProject(engine.Project{Root: root}),
			engine.WithScript("own.lua", `on("stop", { priority = -1 }, function() return context("own") end)`))
		r = fire(t, e, &hooks.Context{Event: hooks.Stop})
		for _, run := range r.Summary().Runs {
			if run.Error != nil && strings.Contains(run.Error.Message, "the scripts of projects that aren't trusted have used up the 100ms that they have together for an event") {
				n++
				if run.Error.Kind != hooks.KindLimit || run.Error.Limit != hooks.LimitTime {
					t.Errorf("the failure is %+v", run.Error)
				}
			}
		}
		return n, r
	}
	limits := engine.Limits{Instructions: 1 << 50, Timeout: 20 * time.Millisecond}
	n, r := usedUp(limits)
	if n < scripts-atOnce || n == scripts {
		t.Errorf("%d of %d scripts had no time left", n, scripts)
	}
	if r.NewContext != "own" {
		t.Errorf("the embedder's hook: %s", asJSON(t, r))
	}
	fileTrusted(t, store, root)
	if n, _ := usedUp(limits); n != 0 {
		t.Errorf("%d of %d trusted scripts had no time left", n, scripts)
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
