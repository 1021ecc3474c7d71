package engine_test

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// sleepy is a host object whose method takes its time, on the clock of a bubble.
type sleepy struct{ naps int }

func (s *sleepy) Nap() {
	if s.naps++; s.naps > 1 { // not when it is first loaded
		time.Sleep(400 * time.Millisecond)
	}
}

// A state that has to be loaded for an event costs its hook the time that it took.
func TestLoadingIsPartOfTheTime(t *testing.T) {
	bubble(t, "", func(t *testing.T) {
		b := &blocked{release: make(chan bool)}
		e := newEngine(t, withBlocked(b), engine.WithHostObject("sleepy", &sleepy{}, "Nap"), engine.WithScript("a.lua", `sleepy.Nap()
on("pre_tool_call", function(ev) if ev.tool_call.command == "fail" then error("x") end wait.For() end)`))
		fire(t, e, bash("fail")) // the state is not used again
		began := time.Now()
		r := fire(t, e, bash("block"))
		equal(t, "time", time.Since(began), time.Second)
		contains(t, r.Reason, "wait.For had not come back when the 600ms of the run were over")
		close(b.release)
		synctest.Wait()
	})
}

// A matcher that would work long on an event lets its hook look, which has a budget.
func TestMatchersWorkIsBounded(t *testing.T) {
	const ran = `on("pre_tool_call", { match = { command = "/(x?y?z?){100}q$/" } }, function() return context("ran") end)`
	e := lua(t, ran, patient)
	equal(t, "a short command", fire(t, e, bash(strings.Repeat("xyz", 100))).NewContext, "")
	equal(t, "a long one", fire(t, e, bash(strings.Repeat("xyz", 20_000))).NewContext, "ran")
}

// What matchers take is time of their script: many of them can't hold an event up.
func TestMatchersTimeIsTheirScripts(t *testing.T) {
	const slow = `on("pre_tool_call", { match = { command = "/(x?y?z?){100}q$/" } }, function() return context("ran") end)` + "\n"
	e := lua(t, strings.Repeat(slow, 3), engine.WithLimits(engine.Limits{Timeout: 20 * time.Millisecond}))
	r, err := e.Fire(context.Background(), bash(strings.Repeat("xyz", 3_000)))
	if err != nil || len(r.Summary().Runs) == 0 || r.Summary().Runs[0].Error == nil || r.Summary().Runs[0].Error.Limit != hooks.LimitTime {
		t.Errorf("%s, %v", asJSON(t, r), err)
	}
}

// What a call of a module takes is charged though its result is small, and what its
// error quotes is short though the script's argument isn't.
func TestModulesAreFrugal(t *testing.T) {
	e := lua(t, `on("pre_tool_call", function() shell.parse("#" .. ("x"):rep(60000)) end)
on("stop", function()
  local ok, e = pcall(re.replace, "a", "a", "${" .. ("x"):rep(60000) .. "}")
  return context(#e < 3000 and "short" or "long")
end)`, engine.WithLimits(engine.Limits{Memory: 2 << 20}))
	contains(t, fire(t, e, bash("ls")).Reason, "would have built more than its 2 MiB of memory")
	equal(t, "the error", fire(t, e, &hooks.Context{Event: hooks.Stop}).NewContext, "short")
}

// A search ends when the time is over, not when it is through: nothing is done after it.
func TestALongSearchEndsInside(t *testing.T) {
	var log bytes.Buffer
	e := lua(t, `on("pre_tool_call", function(ev) re.match(ev.tool_call.command, "(?:[a-z]?){500}[a-z]{500}0") print("went on") end)`,
		engine.WithLogger(slog.New(slog.NewTextHandler(&log, nil))), engine.WithLimits(engine.Limits{Timeout: 20 * time.Millisecond}))
	r := fire(t, e, bash(strings.Repeat("abc", 10_000)+"-0"))
	contains(t, r.Reason, "it ran longer than its 20ms")
	equal(t, "it went on", strings.Contains(log.String(), "went on"), false)
}
