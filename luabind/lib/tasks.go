package lib

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
)

// Tasks is the tracker of tasks that an engine has; its contract is that of
// engine.TaskSink.
type Tasks interface {
	Create(ctx context.Context, t hooks.Task) (made hooks.Task, fresh bool, err error)
	List(ctx context.Context, q hooks.TaskQuery) ([]hooks.Task, error)
	Link(ctx context.Context, id, other, kind string) error
	Comment(ctx context.Context, id, text string) error
}

// tasksUpdater is a tracker whose tasks can be changed; its contract is that of
// engine.TaskUpdater.
type tasksUpdater interface {
	Update(ctx context.Context, id string, change hooks.TaskChange) error
}

// Bounds of what scripts say of tasks, in bytes of UTF-8, and of what they are given.
const (
	maxTitle     = 500
	maxTaskText  = 64 << 10 // of a body and of a comment
	maxTaskWord  = 200      // of ids, kinds, labels and keys
	maxSource    = 1000
	maxTaskList  = 20 // labels
	maxTasks     = 1000
	defaultTasks = 50
)

const aTask = "{id: string, title: string, status: string, created: string?, body: string?, kind: string?, priority: integer?, parent: string?, labels: string[], source: string?, key: string?, links: {id: string, kind: string}[], comments: {at: string, text: string}[]}"

func tasksModule() luabind.Module {
	return module("tasks", "tasks for later, in the tracker that the user has configured: a file of luahook's own, or beads. "+
		"The result is nil and a message if the tracker refuses or isn't there",
		function{
			"create", "(task: {title: string, body: string?, kind: string?, priority: integer?, parent: string?, labels: string[]?, source: string?, key: string?}): " + strings.TrimSuffix(aTask, "}") + ", new: boolean}|nil, string?",
			"makes a task, and gives it, with new = true. If there is a task of that key already, which may be closed since, it gives that one, with new = false. " +
				"parent is the id of the task or issue above it, source says where it was found. " +
				fmt.Sprintf("priority is a whole number from 0, the most urgent, to %d. title has one line; line ends in it become blanks. ", hooks.LeastPriority) +
				fmt.Sprintf("Limits: %d bytes of title, %d of body, %d labels", maxTitle, maxTaskText, maxTaskList),
			`local task = assert(tasks.create{ title = "add a test for the retry", parent = "shop-42", labels = { "test" }, key = "retry-test" })
assert(task.new == true)
local same = tasks.create{ title = "add a test for the retry", key = "retry-test" }
assert(same.id == task.id and same.new == false)`,
			createTask,
		},
		function{
			"list", "(query?: {parent: string, issue: string, status: string, label: string, limit: integer, timeout: string}): " + aTask + "[]|nil, string?",
			fmt.Sprintf(`tasks that aren't closed, the newest first. parent: the tasks below it; issue: all that concerns it, by parent or link, and the issue itself; `+
				`status: "open", "closed" or another that the tracker has, "all" for all; limit: the most tasks, %d by default and %d at most. It gives nil and a message after timeout, if given`, defaultTasks, maxTasks),
			`tasks.create{ title = "add a test for the retry", parent = "shop-42" }
local list = assert(tasks.list{ issue = "shop-42" })
assert(list[1].title == "add a test for the retry" and list[1].status == "open")`,
			listTasks,
		},
		function{
			"link", "(id: string, other: string, kind?: string): boolean|nil, string?",
			`notes how a task relates to another task or issue: "related" by default, "blocks" (other waits for id), "blocked-by", or another that the tracker has`,
			`local task = assert(tasks.create{ title = "add a test for the retry" })
assert(tasks.link(task.id, "shop-42"))`,
			linkTask,
		},
		function{
			"comment", "(id: string, text: string): boolean|nil, string?",
			"adds a text to a task",
			`local task = assert(tasks.create{ title = "add a test for the retry" })
assert(tasks.comment(task.id, "it failed again"))`,
			commentTask,
		},
		function{
			"update", "(id: string, change: {priority: integer}): boolean|nil, string?",
			fmt.Sprintf("gives a task another priority, from 0, the most urgent, to %d; nil and a message if the tracker can't", hooks.LeastPriority),
			`local task = assert(tasks.create{ title = "add a test for the retry", priority = 3 })
assert(tasks.update(task.id, { priority = 0 }))`,
			updateTask,
		})
}

// tracker is what the tasks module works with. It raises an error where the script
// has no right to it; nil stands for none.
func (c call) tracker() Tasks {
	c.need(luabind.GrantsOf(c.LState).Tasks, "tasks: true")
	return c.services().Tasks
}

// errNoTracker is what a script is told where there is none.
var errNoTracker = errors.New("no tracker of tasks is configured here: the user's hooks.yaml can name one (tasks: file), or the program that runs the hooks (engine.WithTasks)")

func createTask(c call) int {
	tracker := c.tracker()
	c.table(1)
	o := c.options(1, "title", "body", "kind", "priority", "parent", "labels", "source", "key")
	t := hooks.Task{
		Title: o.plain("title", maxTitle, true), Body: o.plain("body", maxTaskText, false),
		Kind: o.plain("kind", maxTaskWord, true), Parent: o.plain("parent", maxTaskWord, true),
		Source: o.plain("source", maxSource, true), Key: o.plain("key", maxTaskWord, true), Labels: o.labels(), Priority: o.priority(),
	}
	if t.Title == "" {
		c.bad(1, "title expected, a text")
	}
	if tracker == nil {
		return c.failed(errNoTracker)
	}
	type outcome struct {
		task  hooks.Task
		fresh bool
		err   error
	}
	given := append([]string{t.Title, t.Body, t.Kind, t.Parent, t.Source, t.Key, priorityText(t.Priority)}, t.Labels...)
	wouldBe := func() (outcome, bool) {
		t.ID, t.Status = "judging", "open"
		return outcome{task: t, fresh: true}, true
	}
	made := doOnce(c, given, func(o outcome) int { return len(o.task.Body) }, wouldBe, func() outcome {
		return luabind.Wait(c.LState, "tasks.create", func(ctx context.Context) (out outcome) {
			out.task, out.fresh, out.err = tracker.Create(ctx, t)
			return out
		})
	})
	if made.err != nil {
		return c.failed(made.err)
	}
	task := c.task(&made.task)
	task.RawSetString("new", lua.LBool(made.fresh))
	return c.give(task)
}

func listTasks(c call) int {
	tracker := c.tracker()
	o := c.options(1, "parent", "issue", "status", "label", "limit", "timeout")
	q := hooks.TaskQuery{
		Parent: o.plain("parent", maxTaskWord, true), Issue: o.plain("issue", maxTaskWord, true),
		Status: o.plain("status", maxTaskWord, true), Label: o.plain("label", maxTaskWord, true),
		Limit: o.whole("limit", defaultTasks, maxTasks),
	}
	within, limited := o.duration("timeout")
	if tracker == nil {
		return c.failed(errNoTracker)
	}
	type outcome struct {
		tasks []hooks.Task
		err   error
	}
	found := luabind.Wait(c.LState, "tasks.list", func(ctx context.Context) (out outcome) {
		if !limited {
			out.tasks, out.err = tracker.List(ctx, q)
			return out
		}
		own, cancel := context.WithTimeout(ctx, within)
		defer cancel()
		out.tasks, out.err = tracker.List(own, q)
		if out.err != nil && own.Err() != nil && ctx.Err() == nil {
			out.err = fmt.Errorf("the tracker took longer than %s", within)
		}
		return out
	})
	if found.err != nil {
		return c.failed(found.err)
	}
	list := c.list(min(len(found.tasks), q.Limit))
	for i := range found.tasks[:min(len(found.tasks), q.Limit)] {
		list.Append(c.task(&found.tasks[i]))
	}
	return c.give(list)
}

func linkTask(c call) int {
	tracker := c.tracker()
	id, other, kind := c.plain(1, maxTaskWord, true), c.plain(2, maxTaskWord, true), "related"
	if c.Get(3) != lua.LNil {
		kind = c.plain(3, maxTaskWord, true)
	}
	return c.changeTracker("tasks.link", []string{id, other, kind}, tracker, func(ctx context.Context) error { return tracker.Link(ctx, id, other, kind) })
}

func commentTask(c call) int {
	tracker := c.tracker()
	id, text := c.plain(1, maxTaskWord, true), c.plain(2, maxTaskText, false)
	return c.changeTracker("tasks.comment", []string{id, text}, tracker, func(ctx context.Context) error { return tracker.Comment(ctx, id, text) })
}

func updateTask(c call) int {
	tracker := c.tracker()
	id := c.plain(1, maxTaskWord, true)
	c.table(2)
	change := hooks.TaskChange{Priority: c.options(2, "priority").priority()}
	if change.Priority == nil {
		c.bad(2, "priority expected, what is to be another")
	}
	updater, ok := tracker.(tasksUpdater)
	if tracker != nil && !ok {
		return c.failed(errors.New("the tracker that is configured here can't change tasks"))
	}
	return c.changeTracker("tasks.update", []string{id, priorityText(change.Priority)}, tracker, func(ctx context.Context) error { return updater.Update(ctx, id, change) })
}

// priority is how urgent a task is, nil where it isn't said.
func (o options) priority() *int {
	switch v := o.get("priority").(type) {
	case *lua.LNilType:
	case lua.LNumber:
		if f := float64(v); f == math.Trunc(f) && f >= 0 && f <= hooks.LeastPriority {
			p := int(f)
			return &p
		}
		o.c.bad(o.n, fmt.Sprintf("priority: whole number from 0 to %d expected, got %s", hooks.LeastPriority, v))
	default:
		o.wrong("priority", "number", v)
	}
	return nil
}

func priorityText(p *int) string {
	if p == nil {
		return ""
	}
	return strconv.Itoa(*p)
}

// changeTracker changes something in the tracker, and gives true.
func (c call) changeTracker(what string, given []string, tracker Tasks, tell func(context.Context) error) int {
	if tracker == nil {
		return c.failed(errNoTracker)
	}
	err := doOnce(c, given, noSize[error], func() (error, bool) { return nil, true }, func() error { return luabind.Wait(c.LState, what, tell) })
	if err != nil {
		return c.failed(err)
	}
	return c.give(lua.LTrue)
}

// task is a task as scripts see it.
func (c call) task(t *hooks.Task) *lua.LTable {
	size := len(t.ID) + len(t.Title) + len(t.Status) + len(t.Body) + len(t.Kind) + len(t.Parent) + len(t.Source) + len(t.Key)
	for _, note := range t.Comments {
		size += len(note.Text)
	}
	c.charge(size)
	c.allocate(size)
	v := c.object(13)
	for name, text := range map[string]string{
		"id": t.ID, "title": t.Title, "status": t.Status, "body": t.Body, "kind": t.Kind, "parent": t.Parent, "source": t.Source, "key": t.Key,
	} {
		if text != "" {
			v.RawSetString(name, lua.LString(text))
		}
	}
	if t.Priority != nil {
		v.RawSetString("priority", lua.LNumber(*t.Priority))
	}
	if !t.Created.IsZero() {
		v.RawSetString("created", c.moment(t.Created))
	}
	v.RawSetString("labels", c.texts(t.Labels))
	links := c.list(len(t.Links))
	for _, l := range t.Links {
		c.charge(len(l.ID) + len(l.Kind))
		c.allocate(len(l.ID) + len(l.Kind))
		link := c.object(2)
		link.RawSetString("id", lua.LString(l.ID))
		link.RawSetString("kind", lua.LString(l.Kind))
		links.Append(link)
	}
	v.RawSetString("links", links)
	comments := c.list(len(t.Comments))
	for _, note := range t.Comments {
		comment := c.object(2)
		comment.RawSetString("at", c.moment(note.At))
		comment.RawSetString("text", lua.LString(note.Text))
		comments.Append(comment)
	}
	v.RawSetString("comments", comments)
	return v
}

// moment is a time as scripts read it, RFC 3339 in UTC.
func (c call) moment(at time.Time) lua.LValue {
	c.allocate(len(time.RFC3339))
	return lua.LString(at.UTC().Format(time.RFC3339))
}

// labels is the list of labels, each without the comma at which trackers take lists
// apart.
func (o options) labels() []string {
	v := o.get("labels")
	if v == lua.LNil {
		return nil
	}
	t, ok := v.(*lua.LTable)
	if !ok {
		o.wrong("labels", "table", v)
	}
	count := luabind.Length(o.c.LState, t)
	if count > maxTaskList {
		o.c.bad(o.n, fmt.Sprintf("labels: at most %d expected, got %d", maxTaskList, count))
	}
	var labels []string
	for i := 1; i <= count; i++ {
		text, ok := t.RawGetInt(i).(lua.LString)
		switch {
		case !ok:
			o.c.bad(o.n, fmt.Sprintf("labels: string expected as item %d, got %s", i, t.RawGetInt(i).Type()))
		case len(text) > maxTaskWord:
			o.c.bad(o.n, fmt.Sprintf("labels: a text of more than %d bytes", maxTaskWord))
		}
		o.c.charge(len(text))
		o.c.allocate(len(text))
		label := plainText(string(text), true)
		if label == "" || strings.ContainsRune(label, ',') {
			o.c.bad(o.n, fmt.Sprintf("labels: %q is none; a label is a text without a comma", label))
		}
		labels = append(labels, label)
	}
	return labels
}
