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
		{"an object with a module's name", engine.WithHostObject("shell", &counter{}, "Add"), `host object "shell": scripts have a module or function of that name; choose another one`},
		{"an object with a library's name", engine.WithHostObject("string", &counter{}, "Add"), `host object "string": scripts have a module or function of that name; choose another one`},
		{"an object with a function's name", engine.WithHostObject("pairs", &counter{}, "Add"), `host object "pairs": scripts have a module or function of that name; choose another one`},
		{"all variables", engine.WithGrants(hooks.Grants{Env: []string{"*"}}), `WithGrants: Env: "*" would grant all variables; name them, or begin the glob as in "GITHUB_*"`},
		{"no variable", engine.WithGrants(hooks.Grants{Env: []string{""}}), `WithGrants: Env: "" is neither the name of a variable nor a glob such as "GITHUB_*"`},
		{"relative program", engine.WithGrants(hooks.Grants{Exec: []string{"./x"}}), `WithGrants: Exec: "./x" is relative; want a name such as "make" or an absolute path`},
		{"program with arguments", engine.WithGrants(hooks.Grants{Exec: []string{"ls -la"}}), `WithGrants: Exec: "ls -la": name the program alone; its arguments can't be granted`},
		{"all programs", engine.WithGrants(hooks.Grants{Exec: []string{"*"}}), `WithGrants: Exec: "*": programs are granted one by one, without * and ?`},
		{"no program", engine.WithGrants(hooks.Grants{Exec: []string{""}}), `WithGrants: Exec: "" is not the name of a program`},
		{"address", engine.WithGrants(hooks.Grants{HTTP: []string{"http://x/"}}), `WithGrants: HTTP: "http://x/": write the host without "http://"`},
		{"all hosts", engine.WithGrants(hooks.Grants{HTTP: []string{"*"}}), `WithGrants: HTTP: "*" would grant all hosts; name them, as in "api.github.com" or "*.example.com"`},
		{"no host", engine.WithGrants(hooks.Grants{HTTP: []string{""}}), `WithGrants: HTTP: "" is not a host; want host, host:port or *.host`},
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

// Two host objects of one name would be one.
func TestHostObjectsHaveNamesOfTheirOwn(t *testing.T) {
	_, err := engine.New(engine.WithHostObject("desk", &counter{}, "Add"), engine.WithHostObject("desk", &counter{}, "Add"))
	if err == nil || err.Error() != `luahook: host object "desk" is given twice; choose another name for one of the two` {
		t.Errorf("the error is %v", err)
	}
}

// A script of the program's own is told what the program has to grant: it has no hooks.yaml.
func TestNotGrantedToTheEmbeddersScript(t *testing.T) {
	for call, want := range map[string]string{
		`fs.read("a")`:           `fs.read: not granted; the program that has this script gives it engine.WithGrants(hooks.Grants{FSRead: true})`,
		`exec.run("make")`:       `exec.run: not granted; the program that has this script gives it engine.WithGrants(hooks.Grants{Exec: []string{"PROGRAM"}})`,
		`env.get("OTHER")`:       `env.get: not granted; the program that has this script gives it engine.WithGrants(hooks.Grants{Env: []string{"OTHER"}})`,
		`env.get("OWN_TOKEN")`:   `give its exact name: engine.WithGrants(hooks.Grants{Env: []string{"OWN_TOKEN"}})`,
		`http.get("https://a/")`: `http.get: not granted; the program that has this script gives it engine.WithGrants(hooks.Grants{HTTP: []string{"HOST"}})`,
	} {
		e := lua(t, `on("pre_tool_call", function() `+call+` end)`, engine.WithGrants(hooks.Grants{Env: []string{"OWN_*"}}))
		contains(t, fire(t, e, bash("ls")).Reason, want)
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
	account(t, "")
	t.Setenv("HOME", "")
	t.Setenv("XDG_CONFIG_HOME", "")
	e := newEngine(t, engine.WithUserDir(""))
	equal(t, "data", asJSON(t, fire(t, e, &hooks.Context{Event: hooks.Stop}).Data), "null")
	r := fire(t, e, bash("ls"))
	equal(t, "a call", r.Decision, "deny")
	contains(t, r.Reason, "nobody knows where the user's home folder is", "set one of them")
	// Where the home is known, the program has forgotten to say which folder it is.
	t.Setenv("HOME", t.TempDir())
	r = fire(t, newEngine(t, engine.WithUserDir("")), bash("ls"))
	equal(t, "a call", r.Decision, "deny")
	contains(t, r.Reason, "has given no folder for the user's (engine.WithUserDir): engine.UserDir says which one is usual")
}
