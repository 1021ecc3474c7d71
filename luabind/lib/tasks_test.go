package lib

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
)

// memoryTasks is a tracker that keeps what it is told.
type memoryTasks struct {
	tasks []hooks.Task
	asked hooks.TaskQuery
	told  []string
	err   error
}

func (m *memoryTasks) Create(_ context.Context, t hooks.Task) (hooks.Task, bool, error) {
	for _, old := range m.tasks {
		if t.Key != "" && old.Key == t.Key {
			return old, false, m.err
		}
	}
	t.ID, t.Status, t.Created = fmt.Sprintf("t-%d", len(m.tasks)+1), hooks.TaskOpen, time.Date(2026, 3, 4, 5, 6, 7, 8, time.UTC)
	m.tasks = append(m.tasks, t)
	return t, true, m.err
}

func (m *memoryTasks) List(_ context.Context, q hooks.TaskQuery) ([]hooks.Task, error) {
	m.asked = q
	return m.tasks, m.err
}

func (m *memoryTasks) Link(_ context.Context, id, other, kind string) error {
	m.told = append(m.told, "link "+id+" "+other+" "+kind)
	return m.err
}

func (m *memoryTasks) Comment(_ context.Context, id, text string) error {
	m.told = append(m.told, "comment "+id+" "+text)
	return m.err
}

func (m *memoryTasks) Update(_ context.Context, id string, change hooks.TaskChange) error {
	m.told = append(m.told, fmt.Sprint("update ", id, " ", *change.Priority))
	return m.err
}

// plainTasks is a tracker that can't change its tasks.
type plainTasks struct{ Tasks }

func TestTaskPriorities(t *testing.T) {
	m := &memoryTasks{}
	if err := runTasks(t, m, `
local task = tasks.create{ title = "one", priority = 0 }
assert(task.priority == 0 and tasks.create{ title = "two" }.priority == nil)
assert(tasks.update(task.id, { priority = 4 }) == true)
for _, wrong in ipairs{ -1, 5, 1.5, "1", 0/0, true } do
  local ok, problem = pcall(tasks.create, { title = "x", priority = wrong })
  assert(not ok and tostring(problem):find("priority: ", 1, true), tostring(problem))
  ok, problem = pcall(tasks.update, task.id, { priority = wrong })
  assert(not ok and tostring(problem):find("priority: ", 1, true), tostring(problem))
end
assert(not pcall(tasks.update, task.id, {}))
assert(not pcall(tasks.update, task.id, { status = "closed" }))`, luabind.Limits{}); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(m.told, ","); got != "update t-1 4" || len(m.tasks) != 2 {
		t.Errorf("%q, %d tasks", got, len(m.tasks))
	}
	if err := runTasks(t, plainTasks{m}, `
local ok, problem = tasks.update("t-1", { priority = 1 })
assert(ok == nil and problem:find("can't change tasks", 1, true), problem)`, luabind.Limits{}); err != nil {
		t.Error(err)
	}
	if err := runTasks(t, nil, `
local ok, problem = tasks.update("t-1", { priority = 1 })
assert(ok == nil and problem:find("no tracker", 1, true), problem)`, luabind.Limits{}); err != nil {
		t.Error(err)
	}
}

func runTasks(t *testing.T, tracker Tasks, lua string, limits luabind.Limits) error {
	t.Helper()
	env := luabind.Environment{Modules: Modules(), Limits: limits, Grants: hooks.Grants{Tasks: true}, Services: &Services{Tasks: tracker}}
	_, err := load(t, env, strings.ReplaceAll(prelude, "\n", " ")+lua)
	return err
}

func isLimit(err error, limit hooks.Limit) bool {
	var e *hooks.Error
	return errors.As(err, &e) && e.Limit == limit
}

func TestTasks(t *testing.T) {
	m := &memoryTasks{}
	err := runTasks(t, m, `
local made = tasks.create{ title = " a title\nof two lines ", body = "a body\n\27[31mof\0 two\226\128\174 lines\n\n", kind = "bug", parent = "shop-1", labels = { "a", " b " }, source = "main.go:3", key = "k" }
assert(made.id == "t-1" and made.title == "a title of two lines" and made.status == "open" and made.new == true)
assert(made.created == "2026-03-04T05:06:07Z" and made.labels[2] == "b" and #made.links == 0 and #made.comments == 0)
local same = tasks.create{ title = "x", key = "k" }
assert(same.id == "t-1" and same.new == false)
local list = tasks.list{ parent = "p", issue = "i", status = "all", label = "l", limit = 7 }
assert(#list == 1 and list[1].id == "t-1")
assert(tasks.link("t-1", "t-2") == true and tasks.link("t-1", "t-2", "blocks") == true)
assert(tasks.comment("t-1", "one\ntwo") == true)
list[1].title = "mine"
assert(tasks.list()[1].title == "a title of two lines")
`, wide)
	if err != nil {
		t.Fatal(err)
	}
	want := hooks.Task{
		ID: "t-1", Title: "a title of two lines", Body: "a body\n[31mof two lines", Kind: "bug", Parent: "shop-1", Labels: []string{"a", "b"},
		Source: "main.go:3", Key: "k", Status: hooks.TaskOpen, Created: m.tasks[0].Created,
	}
	if !reflect.DeepEqual(m.tasks, []hooks.Task{want}) {
		t.Errorf("got  %+v\nwant %+v", m.tasks, want)
	}
	if m.asked != (hooks.TaskQuery{Limit: defaultTasks}) {
		t.Errorf("the last query: %+v", m.asked)
	}
	if got := strings.Join(m.told, "; "); got != "link t-1 t-2 related; link t-1 t-2 blocks; comment t-1 one\ntwo" {
		t.Error(got)
	}
	if err := runTasks(t, m, `tasks.list{ parent = "p", issue = "i", status = "all", label = "l", limit = 7 }`, wide); err != nil || m.asked != (hooks.TaskQuery{Parent: "p", Issue: "i", Status: "all", Label: "l", Limit: 7}) {
		t.Errorf("%+v, %v", m.asked, err)
	}
}

func TestTasksThatAreLinked(t *testing.T) {
	m := &memoryTasks{tasks: []hooks.Task{{
		ID: "t-1", Title: "x", Status: "open", Links: []hooks.TaskLink{{ID: "t-2", Kind: "blocks"}},
		Comments: []hooks.TaskComment{{At: time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC), Text: "note"}},
	}}}
	err := runTasks(t, m, `
local one = tasks.list()[1]
same(one.links, { { id = "t-2", kind = "blocks" } })
same(one.comments, { { at = "2026-03-04T05:06:07Z", text = "note" } })
assert(one.created == nil and one.body == nil)
same(one.labels, json.decode("[]"))
`, wide)
	if err != nil {
		t.Error(err)
	}
}

// What the tracker refuses, and that there is none, is nil and a message.
func TestTasksThatAreRefused(t *testing.T) {
	for want, tracker := range map[string]Tasks{
		"it is full: make room":                  &memoryTasks{err: errors.New("it is full:\nmake room")},
		"no tracker of tasks is configured here": nil,
	} {
		for _, lua := range []string{`tasks.create{ title = "x" }`, `tasks.list()`, `tasks.link("a", "b")`, `tasks.comment("a", "b")`} {
			err := runTasks(t, tracker, `local ok, problem = `+lua+` assert(ok == nil and text.contains(problem, "`+want+`"), problem)`, wide)
			if err != nil {
				t.Errorf("%s: %v", lua, err)
			}
		}
	}
}

func TestTasksArguments(t *testing.T) {
	long := func(n int) string { return `("x"):rep(` + fmt.Sprint(n) + `)` }
	for lua, want := range map[string]string{
		`tasks.create()`:                                           "bad argument #1 to create (table expected, got nil)",
		`tasks.create("x")`:                                        "bad argument #1 to create (table expected, got string)",
		`tasks.create{}`:                                           "bad argument #1 to create (title expected, a text)",
		`tasks.create{ title = " \n" }`:                            "title expected, a text",
		`tasks.create{ title = {} }`:                               "title: string expected, got table",
		`tasks.create{ titel = "x" }`:                              `unknown option titel; did you mean "title"?`,
		`tasks.create{ "x" }`:                                      "unknown option 1",
		`tasks.create{ title = ` + long(501) + ` }`:                "title: a text of more than 500 bytes",
		`tasks.create{ title = "x", body = ` + long(1<<16+1) + `}`: "body: a text of more than 65536 bytes",
		`tasks.create{ title = "x", key = ` + long(201) + `}`:      "key: a text of more than 200 bytes",
		`tasks.create{ title = "x", labels = "a" }`:                "labels: table expected, got string",
		`tasks.create{ title = "x", labels = { 1 } }`:              "labels: string expected as item 1, got number",
		`tasks.create{ title = "x", labels = { "a,b" } }`:          `labels: "a,b" is none; a label is a text without a comma`,
		`tasks.create{ title = "x", labels = { " " } }`:            "a label is a text without a comma",
		`local l = {} for i = 1, 21 do l[i] = "a" end tasks.create{ title = "x", labels = l }`: "labels: at most 20 expected, got 21",
		`tasks.list{ isue = "x" }`:                  "unknown option isue; did you mean \"issue\"?",
		`tasks.list{ limit = 0 }`:                   "limit: whole number from 1 to 1000 expected, got 0",
		`tasks.list("x")`:                           "bad argument #1 to list (table expected, got string)",
		`tasks.link("a")`:                           "bad argument #2 to link (string expected, got nil)",
		`tasks.link("", "b")`:                       "bad argument #1 to link (a text expected, it is empty)",
		`tasks.link("a", "b", {})`:                  "bad argument #3 to link (string expected, got table)",
		`tasks.comment("a", " \n")`:                 "bad argument #2 to comment (a text expected, it is empty)",
		`tasks.comment("a", ` + long(1<<16+1) + `)`: "a text of more than 65536 bytes",
	} {
		m := &memoryTasks{}
		if err := runTasks(t, m, lua, wide); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s:\n%v\nwant %s", lua, err, want)
		}
		if len(m.tasks)+len(m.told) > 0 {
			t.Errorf("%s: the tracker was told of it", lua)
		}
	}
}

func TestTasksAreACapability(t *testing.T) {
	for _, lua := range []string{`tasks.create{ title = "x" }`, `tasks.list()`, `tasks.link("a", "b")`, `tasks.comment("a", "b")`} {
		m := &memoryTasks{}
		_, err := load(t, luabind.Environment{Modules: Modules(), Services: &Services{Tasks: m}}, lua)
		if err == nil || !strings.Contains(err.Error(), `not granted; give this script "grant: {tasks: true}"`) || len(m.tasks)+len(m.told) > 0 {
			t.Errorf("%s: %v, %+v", lua, err, m)
		}
	}
}

// What a tracker gives counts as memory of the run.
func TestTasksTakeMemory(t *testing.T) {
	m := &memoryTasks{}
	for range 500 {
		m.tasks = append(m.tasks, hooks.Task{ID: "t", Title: "x", Body: strings.Repeat("x", 64<<10)})
	}
	err := runTasks(t, m, `pcall(tasks.list, { limit = 1000 })`, luabind.Limits{Memory: 4 << 20})
	if !isLimit(err, hooks.LimitMemory) {
		t.Error(err)
	}
	if err := runTasks(t, m, `assert(#tasks.list{ limit = 3 } == 3)`, luabind.Limits{Memory: 4 << 20}); err != nil {
		t.Error("a tracker that gives more than was asked for: ", err)
	}
}

// slowTasks is a tracker that doesn't answer.
type slowTasks struct{ memoryTasks }

func (s *slowTasks) Comment(ctx context.Context, _, _ string) error {
	<-ctx.Done()
	return ctx.Err()
}

func TestTasksEndWithTheRun(t *testing.T) {
	err := runTasks(t, &slowTasks{}, `pcall(tasks.comment, "a", "b") error("it went on")`, luabind.Limits{Timeout: 50 * time.Millisecond})
	if !isLimit(err, hooks.LimitTime) {
		t.Error(err)
	}
}

// waitingTasks answers when nobody waits any more.
type waitingTasks struct{ memoryTasks }

func (*waitingTasks) List(ctx context.Context, _ hooks.TaskQuery) ([]hooks.Task, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

func TestTasksTakeTooLong(t *testing.T) {
	for lua, want := range map[string]string{
		`local list, problem = tasks.list{ timeout = "10ms" } same(list, nil) same(problem, "the tracker took longer than 10ms")`: "",
		`tasks.list{ timeout = 10 }`: `timeout: a time such as "200ms" expected, got "10"`,
	} {
		wantError(t, runTasks(t, &waitingTasks{}, lua, wide), want)
	}
}
