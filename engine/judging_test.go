package engine_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/task"
	"github.com/luahook/luahook/hooks"
)

// rewrittenAfter is the source of a hook that is followed by one which rewrites "ls" into
// "ls -l", so that the hook judges again.
func rewrittenAfter(source string) string {
	return source + `
on("pre_tool_call", {name="rewriter", match={command="ls"}}, function() return modify{command="ls -l"} end)`
}

// What a hook keeps in the store it keeps once for an event, however often it judges it; and
// it judges by the same.
func TestJudgingWritesNothing(t *testing.T) {
	const guard = `local function guard(what) on("pre_tool_call", {name="guard"}, what) end
local function told(ev, n) if ev.judging then return deny(tostring(n)) end end
`
	tests := []struct {
		name, source string
		judged       string // what the hook that judges again denies with
		after        string // an expression, after the event
		kept         string
	}{
		{"a counter", `guard(function(ev) return told(ev, store.incr("n")) end)`, "1", `store.get("n")`, "1"},
		{"a counter that goes on", `guard(function(ev) store.incr("n") return told(ev, store.incr("n")) end)`, "2", `store.get("n")`, "2"},
		{"a counter by what is called", `guard(function(ev) return told(ev, store.incr("n", #ev.tool_call.command)) end)`, "5", `store.get("n")`, "2"},
		{"a counter that is read later", `guard(function(ev) store.incr("n") return told(ev, store.get("n")) end)`, "1", `store.get("n")`, "1"},
		{"a counter of the session", `guard(function(ev) return told(ev, store.session.incr("n")) end)`, "1", `store.session.get("n")`, "1"},
		{"a counter of the user", `guard(function(ev) return told(ev, store.user.incr("n")) end)`, "1", `store.user.get("n")`, "1"},
		{"a shared counter", `guard(function(ev) return told(ev, store.shared("x").incr("n")) end)`, "1", `store.shared("x").get("n")`, "1"},
		{"stores are told apart", `guard(function(ev) store.incr("n", 5) return told(ev, store.session.incr("n") .. store.incr("n")) end)`, "16", `store.get("n") .. store.session.get("n")`, "61"},
		{"a counter by update", `guard(function(ev) return told(ev, store.update("n", function(old) return (old or 0) + 1 end)) end)`, "1", `store.get("n")`, "1"},
		{"two updates", `guard(function(ev) local function more(old) return (old or "") .. "x" end store.update("n", more) return told(ev, store.update("n", more)) end)`, "xx", `store.get("n")`, "xx"},
		{"a list by update", `guard(function(ev) return told(ev, #store.update("l", function(old) old = old or json.array() old[#old + 1] = ev.tool_call.command return old end)) end)`, "1", `table.concat(store.get("l"), " ")`, "ls"},
		{"what the first run wrote is read", `guard(function(ev) if not ev.judging then store.set("seen", ev.tool_call.command) end return told(ev, store.get("seen")) end)`, "ls", `store.get("seen")`, "ls"},
		{"a write is seen by the run, and gone with it", `guard(function(ev) store.set("last", ev.tool_call.command) return told(ev, store.get("last")) end)`, "ls -l", `store.get("last")`, "ls"},
		{"a delete", `guard(function(ev) if ev.judging then store.delete("k") else store.set("k", "v") end return told(ev, store.get("k")) end)`, "nil", `store.get("k")`, "v"},
		{"set to nil", `guard(function(ev) if ev.judging then store.set("k", nil) else store.set("k", "v") end return told(ev, #store.list()) end)`, "0", `store.get("k")`, "v"},
		{"a list of keys", `guard(function(ev) store.set(ev.tool_call.command, 1) return told(ev, table.concat(store.list("ls"), ",")) end)`, "ls,ls -l", `table.concat(store.list(), ",")`, "ls"},
		{"a counter that only the judge counts", `guard(function(ev) if ev.judging then store.incr("m") return told(ev, store.incr("m")) end end)`, "2", `store.get("m")`, "nil"},
		{"a text is no number", `guard(function(ev) if ev.judging then return told(ev, (pcall(store.incr, "t"))) end store.set("t", "x") end)`, "false", `store.get("t")`, "x"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := lua(t, guard+rewrittenAfter(tt.source)+`
on("post_tool_call", function() return context(tostring(`+tt.after+`)) end)`)
			c := bash("ls")
			c.SessionID = "s"
			r := fire(t, e, c)
			equal(t, "runs", runs(r), "guard rewriter guard*")
			equal(t, "the judge", r.Reason, tt.judged)
			equal(t, "kept", fire(t, e, &hooks.Context{Event: hooks.PostToolCall, SessionID: "s", ToolCall: &hooks.ToolCall{Name: "bash"}}).NewContext, tt.kept)
		})
	}
}

// A hook that matches the rewritten input alone runs for the first time then, with all that
// it does; and so does each hook of the next event.
func TestJudgingForTheFirstTime(t *testing.T) {
	e := lua(t, rewrittenAfter(`
on("pre_tool_call", {name="late", match={command="ls -l"}}, function(ev) return context("late " .. store.incr("n")) end)
on("pre_tool_call", {name="both"}, function(ev) store.incr("both") end)`)+`
on("post_tool_call", function() return context(store.get("n") .. " " .. store.get("both")) end)`)
	for n := range 3 {
		r := fire(t, e, bash("ls"))
		equal(t, "runs", runs(r), "both rewriter late* both*")
		equal(t, "kept", fire(t, e, &hooks.Context{Event: hooks.PostToolCall, ToolCall: &hooks.ToolCall{Name: "bash"}}).NewContext, fmt.Sprintf("%d %d", n+1, n+1))
	}
}

// The hook that has made the last rewrite doesn't judge it; those of earlier ones do.
func TestRewritersDontJudgeThemselves(t *testing.T) {
	e := lua(t, `
on("pre_tool_call", {name="one"}, function(ev) store.incr("one") return modify{command=ev.tool_call.command .. " 1"} end)
on("pre_tool_call", {name="two"}, function(ev) store.incr("two") return modify{command=ev.tool_call.command .. " 2"} end)
on("post_tool_call", {name="writes"}, function(ev) return output(ev.tool_call.output .. "!") end)
on("post_tool_call", {name="counts"}, function() return context(store.get("one") .. store.get("two")) end)`)
	r := fire(t, e, bash("ls"))
	equal(t, "runs", runs(r), "one two one*")
	equal(t, "input", r.Input["command"], any("ls 1 2"))
	r = fire(t, e, event(t, hooks.PostToolCall, `{"tool_call":{"name":"bash","input":{"command":"ls"},"output":"old","outcome":"ok"}}`))
	equal(t, "runs", runs(r), "writes counts")
	equal(t, "counted", r.NewContext, "11")
}

// Nothing that is felt outside happens twice: programs, requests, tasks, files, spilled texts,
// lines of the log. What the judge asks anew it is told anew.
func TestJudgingDoesNothingTwice(t *testing.T) {
	var asked atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "%d %s", asked.Add(1), r.URL.Query().Get("q"))
	}))
	t.Cleanup(server.Close)
	const judge = ` if ev.judging then return deny(tostring(said)) end end)`
	tests := []struct {
		name, source string
		judged, log  string // what the judge says, and what programs have written
		requests     int64
	}{
		{"a program", `local said = exec.run("note", {"x"}).stdout`, "said x\n", "x\n", 0},
		{"a program, twice", `exec.run("note", {"x"}) local said = exec.run("note", {"x"}).stdout`, "said x\n", "x\nx\n", 0},
		{"a program about the call, whose answer nobody wants", `exec.run("note", {ev.tool_call.command}) local said = "-"`, "-", "ls\n", 0},
		{"a program that is asked about the call", `local said = exec.run("note", {ev.tool_call.command}).stdout`, "said ls -l\n", "ls\nls -l\n", 0},
		{"a program that gets it by stdin", `local said = exec.run("note", {"x"}, {stdin = ev.tool_call.command}).code`, "0", "x\nx\n", 0},
		{"one that fails", `local said = exec.run("note", {"fail"}).code`, "3", "fail\n", 0},
		{"one that isn't there", `local _, said = exec.run("nothere")`, "nothere is in no folder of PATH", "", 0},
		{"a caught one", `local _, a = pcall(exec.run, "note", {ev.tool_call.command}) local said = a.stdout`, "said ls -l\n", "ls\nls -l\n", 0},
		{"a request", `local said = http.get(URL .. "?q=x").body`, "1 x", "", 1},
		{"a post about the call, whose answer nobody wants", `http.post(URL, ev.tool_call.command) local said = "-"`, "-", "", 1},
		{"a request that asks about the call", `local said = http.get(URL .. "?q=" .. #ev.tool_call.command).body`, "2 5", "", 2},
		{"a request with other headers", `local said = http.get(URL .. "?q=x", {headers = {A = ev.tool_call.command}}).body`, "2 x", "", 2},
		{"a task", `local made = tasks.create{title = "look"} local said = made.title .. tostring(made.new) .. #tasks.list()`, "looktrue1", "", 0},
		{"a task about the call", `local made = tasks.create{title = ev.tool_call.command} local said = made.title .. #tasks.list()`, "ls -l1", "", 0},
		{"a comment", `local made = tasks.create{title = "look", key = "k"} assert(tasks.comment(made.id, ev.tool_call.command)) local said = #tasks.list()[1].comments`, "1", "", 0},
		{"a link", `local made = tasks.create{title = "look", key = "k"} assert(tasks.link(made.id, ev.tool_call.command)) local said = #tasks.list()[1].links`, "1", "", 0},
		{"a file", `assert(fs.append("log", ev.tool_call.command .. "\n")) local said = fs.read("log")`, "ls\n", "ls\n", 0},
		{"a file that is written, and gone", `assert(fs.write("log", ev.tool_call.command .. "\n")) fs.mkdir("d" .. #ev.tool_call.command) local said = #fs.list()`, "2", "ls\n", 0},
		{"one that can't be written", `local ok, problem = fs.write("no/log", "x") local said = problem`, "no/log: there is no folder no; fs.mkdir makes it", "", 0},
		{"a long text", `local said = spill("x")`, "spilled 1", "", 0},
		{"another long text", `local _, said = spill(ev.tool_call.command)`, "this run judges again what was rewritten, and keeps nothing that the one before has not kept", "", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			asked.Store(0)
			bin, root := t.TempDir(), t.TempDir()
			program := "#!/bin/sh\necho \"$1\" >> " + filepath.Join(root, "log") + "\necho \"said $1\"\n[ \"$1\" != fail ] || exit 3\n"
			if err := os.WriteFile(filepath.Join(bin, "note"), []byte(program), 0o755); err != nil {
				t.Fatal(err)
			}
			t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
			source := `local URL = "` + server.URL + `"
on("pre_tool_call", {name="guard", timeout="30s"}, function(ev) ` + tt.source + judge
			tasksFile := filepath.Join(t.TempDir(), "tasks.jsonl")
			spills := &spiller{}
			var log bytes.Buffer
			e := lua(t, rewrittenAfter(source), patient, engine.WithProject(engine.Project{Root: root}), engine.WithTasks(task.NewFile(tasksFile, root)),
				engine.WithSpill(spills), engine.WithLogger(slog.New(slog.NewTextHandler(&log, nil))),
				engine.WithGrants(hooks.Grants{Exec: []string{"note", "nothere"}, HTTP: []string{strings.TrimPrefix(server.URL, "http://")}, Tasks: true, FSRead: true, FSWrite: true}))
			r := fire(t, e, bash("ls"))
			equal(t, "runs", runs(r), "guard rewriter guard*")
			equal(t, "the judge", r.Reason, tt.judged)
			written, _ := os.ReadFile(filepath.Join(root, "log"))
			equal(t, "what was written", string(written), tt.log)
			equal(t, "requests", asked.Load(), tt.requests)
			if spills.n > 1 {
				t.Errorf("spilled %d times", spills.n)
			}
		})
	}
}

// spiller counts.
type spiller struct{ n int }

func (s *spiller) Spill(context.Context, string, string, string) (string, error) {
	s.n++
	return fmt.Sprintf("spilled %d", s.n), nil
}

func TestJudgingLogsNothing(t *testing.T) {
	var log bytes.Buffer
	e := lua(t, rewrittenAfter(`on("pre_tool_call", {name="guard"}, function(ev) print("looked") log.warn("at it") end)`), engine.WithLogger(slog.New(slog.NewTextHandler(&log, nil))))
	equal(t, "runs", runs(fire(t, e, bash("ls"))), "guard rewriter guard*")
	equal(t, "looked", strings.Count(log.String(), "looked"), 1)
	equal(t, "at it", strings.Count(log.String(), "at it"), 1)
}

// A guard that asks about the call judges the new one by a new answer, and a failure to get
// one is none.
func TestJudgingAsksAboutTheNewCall(t *testing.T) {
	var down atomic.Bool
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if down.Load() {
			panic(http.ErrAbortHandler)
		}
		fmt.Fprint(w, strings.Contains(r.URL.RawQuery, "evil"))
	}))
	t.Cleanup(server.Close)
	for _, mode := range []string{"sync", "parallel"} {
		e := lua(t, `
on("pre_tool_call", {name="guard", mode="`+mode+`"}, function(ev)
  local answer = assert(http.get("`+server.URL+`?q=" .. ev.tool_call.command))
  if answer.body == "true" then return deny("evil") end
end)
on("pre_tool_call", {name="rewriter"}, function(ev) return modify{command = ev.metadata.into} end)`,
			patient, engine.WithGrants(hooks.Grants{HTTP: []string{strings.TrimPrefix(server.URL, "http://")}}))
		into := func(command string) *hooks.Result {
			c := bash("ls")
			c.Metadata = map[string]any{"into": command}
			return fire(t, e, c)
		}
		equal(t, "evil", into("evil").Reason, "evil")
		equal(t, "harmless", into("good").Decision, hooks.NoOpinion)
		unregister := register(t, e, hooks.PreToolCall, hooks.Options{Name: "breaks"}, func(context.Context, *hooks.Context) (*hooks.Result, error) {
			down.Store(true)
			return nil, nil
		})
		r := into("good")
		equal(t, "no answer for the new one", r.Decision, hooks.Deny)
		contains(t, r.Reason, "hook guard failed")
		unregister()
		down.Store(false)
	}
}

// An event that a judging run sets off is another event: its hooks do what they do.
func TestEventsWithinAJudgingRun(t *testing.T) {
	var e *engine.Engine
	fires := nested{fire: func(ctx context.Context) {
		if _, err := e.Fire(ctx, &hooks.Context{Event: hooks.PreToolCall, ToolCall: &hooks.ToolCall{Name: "read", Input: map[string]any{"path": "a"}}}); err != nil {
			t.Error(err)
		}
	}}
	e = lua(t, `
on("pre_tool_call", {name="late", match={path="b"}}, function() store.incr("late") end)
on("pre_tool_call", {name="outer", match="bash"}, function(ev) if ev.judging then desk.Fire() end end)
on("pre_tool_call", {name="rewriter", match="bash"}, function() return modify{command="ls -l"} end)
on("pre_tool_call", {name="inner", match={tool="read", path="a"}}, function() return modify{path="b"} end)
on("post_tool_call", function() return context(tostring(store.get("late"))) end)`, patient, engine.WithHostObject("desk", fires, "Fire"))
	equal(t, "runs", runs(fire(t, e, bash("ls"))), "outer rewriter outer*")
	equal(t, "the inner event's first run", fire(t, e, &hooks.Context{Event: hooks.PostToolCall, ToolCall: &hooks.ToolCall{Name: "bash"}}).NewContext, "1")
}

// nested is a host object that fires an event.
type nested struct{ fire func(ctx context.Context) }

func (n nested) Fire(ctx context.Context) { n.fire(ctx) }
