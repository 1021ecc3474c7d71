package kept

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/luahook/luahook/cmd/luahook/internal/terminal"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// tracker is the tracker of an engine.
func tracker(e *engine.Engine) (engine.TaskSink, error) {
	if t := e.Tasks(); t != nil {
		return t, nil
	}
	return nil, errors.New("there is nowhere to keep tasks: set HOME or XDG_STATE_HOME to an absolute path")
}

// ListTasks prints the tasks that q describes, the newest first, for people or as a list in JSON.
func ListTasks(ctx context.Context, w io.Writer, e *engine.Engine, q hooks.TaskQuery, asJSON bool) error {
	t, err := tracker(e)
	if err != nil {
		return err
	}
	list, err := t.List(ctx, q)
	if err != nil {
		return err
	}
	if asJSON {
		return terminal.WriteJSON(w, append([]hooks.Task{}, list...))
	}
	var b strings.Builder
	columns := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for i := range list {
		task := &list[i]
		fmt.Fprintf(columns, "%s\t%s\t%s\t%s\n", terminal.OneLine(task.ID), terminal.OneLine(task.Status), priority(task), terminal.OneLine(task.Title))
	}
	_ = columns.Flush() // a builder takes all
	fmt.Fprintln(&b, terminal.Counted(len(list), "task"))
	_, err = io.WriteString(w, b.String())
	return err
}

func priority(t *hooks.Task) string {
	if t.Priority == nil {
		return "-"
	}
	return fmt.Sprintf("P%d", *t.Priority)
}

// find gives the task of that id.
func find(ctx context.Context, t engine.TaskSink, id string) (hooks.Task, error) {
	list, err := t.List(ctx, hooks.TaskQuery{Issue: id, Status: hooks.AnyStatus})
	if err != nil {
		return hooks.Task{}, err
	}
	if at := slices.IndexFunc(list, func(t hooks.Task) bool { return t.ID == id }); at >= 0 {
		return list[at], nil
	}
	return hooks.Task{}, fmt.Errorf("there is no task %q in this project; `luahook tasks list --status all` lists them", terminal.Shown(id))
}

// ShowTask prints all that is known of a task.
func ShowTask(ctx context.Context, w io.Writer, e *engine.Engine, id string, asJSON bool) error {
	t, err := tracker(e)
	if err != nil {
		return err
	}
	task, err := find(ctx, t, id)
	if err != nil {
		return err
	}
	if asJSON {
		return terminal.WriteJSON(w, task)
	}
	var b strings.Builder
	fmt.Fprintln(&b, terminal.ColourOf(w).Title(terminal.OneLine(task.Title)))
	line := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&b, "%-9s %s\n", name, terminal.OneLine(value))
		}
	}
	line("id", task.ID)
	line("status", task.Status)
	if !task.Created.IsZero() {
		line("created", terminal.LocalTime(task.Created))
	}
	line("kind", task.Kind)
	if task.Priority != nil {
		line("priority", fmt.Sprint(*task.Priority))
	}
	line("parent", task.Parent)
	line("labels", strings.Join(task.Labels, ", "))
	line("source", task.Source)
	line("key", task.Key)
	for _, l := range task.Links {
		line("link", l.Kind+" "+l.ID)
	}
	if task.Body != "" {
		fmt.Fprintf(&b, "          | %s\n", terminal.Indented(task.Body))
	}
	for _, c := range task.Comments {
		line("comment", terminal.LocalTime(c.At))
		fmt.Fprintf(&b, "          | %s\n", terminal.Indented(c.Text))
	}
	_, err = io.WriteString(w, b.String())
	return err
}

// statusSetter is a tracker in which a person can close tasks.
type statusSetter interface {
	SetStatus(ctx context.Context, id, status string) error
}

// CloseTask closes a task and gives it as it was before.
func CloseTask(ctx context.Context, e *engine.Engine, id string) (hooks.Task, error) {
	t, err := tracker(e)
	if err != nil {
		return hooks.Task{}, err
	}
	task, err := find(ctx, t, id)
	if err != nil || task.Status == hooks.TaskClosed {
		return task, err
	}
	setter, ok := t.(statusSetter)
	if !ok {
		return task, errors.New("this tracker can't close tasks")
	}
	return task, setter.SetStatus(ctx, id, hooks.TaskClosed)
}
