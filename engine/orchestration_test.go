package engine_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// A deny takes a response to the call back, and nothing else that was rewritten.
func TestWhatADenyLeaves(t *testing.T) {
	tests := []struct{ name, script, want string }{
		{"a rewritten input beside a response", `
on("pre_tool_call", {name="a"}, function() return modify{command="x"} end)
on("pre_tool_call", {name="b"}, function() return respond("cached") end)
on("pre_tool_call", {name="c"}, function() return deny("no") end)`, `{"decision":"deny","block":true,"reason":"no","modified":true,"input":{"command":"x"}}`},
		{"the output that a call had", `
on("post_tool_call", {name="a"}, function() return output("short") end)
on("post_tool_call", {name="b"}, function() return deny("run the tests") end)`, `{"decision":"deny","block":true,"reason":"run the tests","modified":true,"output":"short"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := bash("ls")
			if strings.Contains(tt.script, "post_tool_call") {
				c = &hooks.Context{Event: hooks.PostToolCall, ToolCall: &hooks.ToolCall{Name: "bash", Output: "long"}}
			}
			r := *fire(t, lua(t, tt.script), c)
			r.Summarizer = nil
			equal(t, "result", strings.Replace(asJSON(t, r), `,"summary":null`, "", 1), tt.want)
		})
	}
}

// What was denied is not judged again, though the other scopes have rewritten it.
func TestNoJudgingOfWhatIsDenied(t *testing.T) {
	user := tree(t, "-- hooks/broken.lua --\nx x\n")
	e, _ := project(t, `
-- .hooks/a.lua --
on("pre_tool_call", {name="guard", priority=1}, function() end)
on("pre_tool_call", {name="rewrites"}, function() return modify{command="x"} end)
`, engine.WithUserDir(user))
	r := fire(t, e, bash("ls"))
	equal(t, "runs", runs(r), "load guard rewrites")
	equal(t, "decision", r.Decision, hooks.Deny)
}

// What isn't loaded is told first and once, whatever its policy made of it.
func TestWarningsOfWhatDoesNotLoad(t *testing.T) {
	e, _ := project(t, `
-- .hooks/hooks.yaml --
hooks: {on_failure: warn}
-- .hooks/a.lua --
on("pre_tool_call", {name="fails"}, function() error("boom") end)
-- .hooks/b.lua --
x x
`)
	r := fire(t, e, bash("ls"))
	equal(t, "runs", runs(r), "fails load")
	equal(t, "warnings", len(r.Warnings), 2)
	contains(t, r.Warnings[0], "not loaded: .hooks/b.lua:1")
	contains(t, r.Warnings[1], "hook fails (.hooks/a.lua:1): boom")
}

// Where the caller gave up there is nothing to fix.
func TestReasonWhereTheCallerGaveUp(t *testing.T) {
	e := lua(t, `on("pre_tool_call", {name="guard"}, function() end)`)
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	expired, cancel := context.WithDeadline(context.Background(), time.Unix(0, 0))
	defer cancel()
	for _, ctx := range []context.Context{canceled, expired} {
		r, err := e.Fire(ctx, bash("ls"))
		if err != ctx.Err() {
			t.Errorf("error: %v", err)
		}
		equal(t, "reason", r.Reason, "hook guard failed at a.lua:1: the caller gave up before it ran: "+ctx.Err().Error()+". It is a guard (on_failure: block), so nothing goes on without it.")
	}
}

// A relative path without a cwd names no file: where this process happens to be says
// nothing about the agent.
func TestMendingWithoutACWD(t *testing.T) {
	e, root := project(t, "-- .hooks/a.lua --\nx x\n")
	t.Chdir(root)
	equal(t, "relative", fire(t, e, edit("", ".hooks/a.lua")).Decision, hooks.Deny)
	equal(t, "absolute", fire(t, e, edit("", filepath.Join(root, ".hooks", "a.lua"))).Decision, hooks.Ask)
}

// limitsEvent is what the message of a hook says that had no time left.
func limitsEvent(t *testing.T, run hooks.Run) string {
	t.Helper()
	if run.Error == nil || run.Error.Limit != hooks.LimitTime {
		t.Fatalf("run: %s", asJSON(t, run))
	}
	_, rest, _ := strings.Cut(run.Error.Message, "used up their ")
	within, _, _ := strings.Cut(rest, " (limits.event)")
	return within
}

// limits.event is the tightest of the scopes above a hook and its own.
func TestLimitsOfTheUserDontReachManagedHooks(t *testing.T) {
	file := managed(t, "-- m.lua --\non('stop', {name='managed'}, function() for i = 1, 10000 do local x = i end end)\n-- hooks.yaml --\nhooks: {stop: [{name: managed, script: m.lua}]}\n")
	e := newEngine(t, engine.WithManaged(file), engine.WithUserDir(tree(t, "-- hooks.yaml --\nhooks: {limits: {instructions: 1000}}\n")))
	r := fire(t, e, &hooks.Context{Event: hooks.Stop})
	equal(t, "runs", len(r.Summary().Runs), 1)
	equal(t, "status", r.Summary().Runs[0].Status, hooks.StatusCompleted)
}

func TestEventTimeoutOfScopes(t *testing.T) {
	const hour = "2h0m0s" // that the longest hook has
	tests := []struct {
		name                   string
		embedder               time.Duration
		managed, user, project string
		want                   string // of the user's hook, of the project's, of the project's if it isn't trusted
	}{
		{"nobody says anything", 0, "", "", "", hour + " " + hour + " " + hour},
		{"the user's holds the project", 0, "", "40s", "", "40s 40s 40s"},
		{"a project can't raise it", 0, "", "40s", "50s", "40s 40s 40s"},
		{"a project's is its own", 0, "", "", "40s", hour + " 40s 40s"},
		{"the managed one holds both", 0, "30s", "40s", "50s", "30s 30s 30s"},
		{"the embedder's holds all", 20 * time.Second, "30s", "40s", "50s", "20s 20s 20s"},
		{"above the default", 0, "", "", "90s", hour + " 1m30s 1m0s"},
		{"above the default, by the user", 0, "", "90s", "", "1m30s 1m30s 1m0s"},
		{"above the default, by the embedder", 100 * time.Second, "", "", "2m", "1m40s 1m40s 1m40s"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			yaml := func(event string) string {
				if event == "" {
					return "hooks:\n"
				}
				return "hooks: {limits: {event: " + event + "}}\n"
			}
			user := tree(t, "-- hooks.yaml --\n"+yaml(tt.user)+"-- hooks/u.lua --\non('stop', {name='user'}, function() end)\n")
			root := tree(t, "-- .hooks/hooks.yaml --\n"+yaml(tt.project)+"-- .hooks/p.lua --\non('stop', {name='project'}, function() end)\n")
			trust, file := trusted(t, root), managed(t, "-- hooks.yaml --\n"+yaml(tt.managed))
			var got []string
			for _, isTrusted := range []bool{true, false} {
				options := []engine.Option{engine.WithoutBuiltins(), engine.WithManaged(file), engine.WithUserDir(user), engine.WithProject(engine.Project{Root: root})}
				if isTrusted {
					options = append(options, trust)
				}
				if tt.embedder > 0 {
					options = append(options, engine.WithEventTimeout(tt.embedder))
				}
				synctest.Test(t, func(t *testing.T) {
					e, err := engine.New(options...)
					if err != nil {
						t.Fatal(err)
					}
					equal(t, "problems", problems(e), "")
					register(t, e, hooks.Stop, hooks.Options{Name: "slow", Timeout: 2 * time.Hour}, sleeps(3*time.Hour))
					r := fire(t, e, &hooks.Context{Event: hooks.Stop})
					equal(t, "runs", runs(r), "slow user project")
					if isTrusted {
						got = append(got, limitsEvent(t, r.Summary().Runs[1]))
					}
					got = append(got, limitsEvent(t, r.Summary().Runs[2]))
					if err := e.Close(context.Background()); err != nil {
						t.Error(err)
					}
				})
			}
			equal(t, "limits.event", strings.Join(got, " "), tt.want)
		})
	}
}

// So is max_followups.
func TestFollowupsOfScopes(t *testing.T) {
	tests := []struct {
		name                   string
		embedder               string
		managed, user, project string
		want                   string // of the user's hook, of the project's, of the project's if it isn't trusted
	}{
		{"nobody says anything", "", "", "", "", "3 3 3"},
		{"the user's holds the project", "", "", "1", "", "1 1 1"},
		{"a project can't raise it", "", "", "1", "5", "1 1 1"},
		{"a project's is its own", "", "", "", "1", "3 1 1"},
		{"none of a project's", "", "", "", "0", "3 0 0"},
		{"the managed one holds both", "", "1", "2", "5", "1 1 1"},
		{"above the default", "", "", "", "5", "3 5 3"},
		{"above the default, by the user", "", "", "5", "", "5 5 3"},
		{"the embedder's holds all", "2", "", "5", "5", "2 2 2"},
		{"more, by the embedder", "6", "", "5", "", "5 5 3"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			yaml := func(n string) string {
				if n == "" {
					return "hooks:\n"
				}
				return "hooks: {max_followups: " + n + "}\n"
			}
			script := func(name string) string {
				return "on('stop', {match={['metadata." + name + "']='true'}}, function(ev) return deny(ev.metadata.n) end)\n"
			}
			user := tree(t, "-- hooks.yaml --\n"+yaml(tt.user)+"-- hooks/u.lua --\n"+script("user"))
			root := tree(t, "-- .hooks/hooks.yaml --\n"+yaml(tt.project)+"-- .hooks/p.lua --\n"+script("project"))
			options := []engine.Option{engine.WithManaged(managed(t, "-- hooks.yaml --\n"+yaml(tt.managed))), engine.WithUserDir(user), engine.WithProject(engine.Project{Root: root})}
			if tt.embedder != "" {
				options = append(options, engine.WithMaxFollowups(int(tt.embedder[0]-'0')))
			}
			e := newEngine(t, append(options, trusted(t, root))...)
			equal(t, "blocks", fmt.Sprint(stops(t, e, "user", 8), " ", stops(t, e, "project", 8), " ", stops(t, newEngine(t, options...), "project", 8)), tt.want)
		})
	}
}

// A managed file that the environment names only tightens.
func TestEnvironmentOnlyTightens(t *testing.T) {
	root := tree(t, "-- .hooks/p.lua --\non('stop', {match={['metadata.project']='true'}}, function(ev) return deny(ev.metadata.n) end)\non('pre_tool_call', function() while true do end end)\n")
	for _, tt := range []struct {
		name, yaml   string
		blocks       int
		instructions string
	}{
		{"more than the defaults", "hooks: {max_followups: 9, limits: {instructions: 6000000, timeout: 1h, event: 10h}}\n", 3, "5,000,000"},
		{"less", "hooks: {max_followups: 1, limits: {instructions: 1000}}\n", 1, "1,000"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := newEngine(t, engine.WithLimits(engine.Limits{Timeout: time.Hour}), engine.WithManagedEnv(managed(t, "-- hooks.yaml --\n"+tt.yaml)), engine.WithProject(engine.Project{Root: root}), trusted(t, root))
			equal(t, "problems", problems(e), "")
			equal(t, "blocks", stops(t, e, "project", 5), tt.blocks)
			contains(t, fire(t, e, bash("ls")).Reason, "used up its "+tt.instructions+" instructions")
		})
	}
}

// What neither has a say in isn't let go on for longer by what they ask for.
func TestWhoMayNotLengthenAnEvent(t *testing.T) {
	user := tree(t, "-- hooks/u.lua --\non('stop', {name='user'}, function() end)\n")
	script := tree(t, "-- .hooks/p.lua --\non('stop', {timeout='10h'}, function() end)\n")
	command := tree(t, "-- .hooks/hooks.yaml --\nhooks: {stop: [{command: exit, timeout: 10h}]}\n")
	tests := []struct {
		name   string
		option engine.Option
	}{
		{"a script of an untrusted project", engine.WithProject(engine.Project{Root: script})},
		{"a command of an untrusted project", engine.WithProject(engine.Project{Root: command})},
		{"a file that the environment names", engine.WithManagedEnv(managed(t, "-- hooks.yaml --\nhooks: {limits: {event: 10h}}\n"))},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				e, err := engine.New(engine.WithoutBuiltins(), engine.WithUserDir(user), tt.option)
				if err != nil {
					t.Fatal(err)
				}
				equal(t, "problems", problems(e), "")
				for range 3 {
					register(t, e, hooks.Stop, hooks.Options{Timeout: time.Minute}, sleeps(time.Hour))
				}
				equal(t, "limits.event", limitsEvent(t, fire(t, e, &hooks.Context{Event: hooks.Stop}).Summary().Runs[3]), "1m0s")
				if err := e.Close(context.Background()); err != nil {
					t.Error(err)
				}
			})
		})
	}
}
