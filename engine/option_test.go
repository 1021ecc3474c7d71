package engine_test

import (
	"bytes"
	"log/slog"
	"testing"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

func TestOptionsThatMakeNoSense(t *testing.T) {
	tests := []struct {
		name   string
		option engine.Option
		want   string
	}{
		{"script", engine.WithScript("", "x"), "WithScript: the script has no name"},
		{"built-in", engine.WithBuiltin("safty-guard", nil), `unknown built-in "safty-guard"; did you mean "safety-guard"?`},
		{"logger", engine.WithLogger(nil), "WithLogger: the logger is nil"},
		{"tasks", engine.WithTasks(nil), "WithTasks: there is none (nil)"},
		{"spill", engine.WithSpill(nil), "WithSpill: there is none (nil)"},
		{"instructions", engine.WithLimits(engine.Limits{Instructions: -1}), "WithLimits: a limit is negative"},
		{"timeout", engine.WithLimits(engine.Limits{Timeout: -1}), "WithLimits: a limit is negative"},
		{"memory", engine.WithLimits(engine.Limits{Memory: -1}), "WithLimits: a limit is negative"},
		{"little memory", engine.WithLimits(engine.Limits{Memory: 64}), "WithLimits: Memory is 64 bytes, want at least 1 MiB (1 << 20)"},
		{"policy", engine.WithOnFailure("blok"), `on_failure is "blok", want block, warn or ignore; did you mean "block"?`},
		{"states", engine.WithMaxStates(0), "WithMaxStates: 0, want at least 1"},
		{"project", engine.WithProject(engine.Project{}), "WithProject: the project has no root; FindProject finds it"},
		{"folder", engine.WithHooksDir("", "x"), "WithHooksDir: name the folder and the root"},
		{"folder's root", engine.WithHooksDir(".", ""), "WithHooksDir: name the folder and the root"},
		{"option", nil, "New: option 1 is nil"},
		{"no object", engine.WithHostObject("x", nil), `host object "x" is nil`},
		{"no method", engine.WithHostObject("x", &counter{}, "Sub"), `host object "x": *engine_test.counter has no method Sub`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			e, err := engine.New(test.option)
			if err == nil || e != nil {
				t.Fatal("no error")
			}
			equal(t, "error", err.Error(), "luahook: "+test.want)
		})
	}
}

// Host objects are for the embedder's own scripts.
func TestHostObjectsStayWithTheEmbedder(t *testing.T) {
	c := &counter{}
	user := tree(t, "-- hooks/u.lua --\n"+`on("stop", function() return {data={user=count ~= nil}} end)`)
	e, _ := project(t, "-- .hooks/p.lua --\n"+`on("stop", function() return {data={project=count ~= nil}} end)`,
		engine.WithUserDir(user), engine.WithHostObject("count", c, "Add"), engine.WithScript("own", `on("stop", function() count.Add("x"); return {data={own=count.Add("x")}} end)`))
	r := fire(t, e, &hooks.Context{Event: hooks.Stop})
	equal(t, "data", problems(e)+asJSON(t, r.Data)+asJSON(t, r.Warnings), `{"own":2,"project":false,"user":false}null`)
}

func TestLogger(t *testing.T) {
	var log bytes.Buffer
	e := lua(t, `print("loading") on("stop", function(ev) print("stopping", ev.loop_count) end)`, engine.WithLogger(slog.New(slog.NewTextHandler(&log, nil))))
	fire(t, e, &hooks.Context{Event: hooks.Stop})
	contains(t, log.String(), "msg=loading", `msg="stopping\t0"`, "hook=a.lua", "source=a.lua:1")
	// Without one nothing is written, and nothing fails.
	e = lua(t, `on("stop", function(ev) print("x") end)`)
	equal(t, "warnings", len(fire(t, e, &hooks.Context{Event: hooks.Stop}).Warnings), 0)
}

// Where nobody knows the home, the user's folder is one that can't be used; the current one
// is not it.
func TestNoUserDirIsNotTheCurrentFolder(t *testing.T) {
	t.Chdir(tree(t, "-- hooks/u.lua --\n"+`on("stop", function() return {data={ran=true}} end)`))
	e := newEngine(t, engine.WithUserDir(""))
	equal(t, "data", asJSON(t, fire(t, e, &hooks.Context{Event: hooks.Stop}).Data), "null")
	r := fire(t, e, bash("ls"))
	equal(t, "a call", r.Decision, "deny")
	contains(t, r.Reason, "nobody knows where the user's home folder is", "set one of them")
}
