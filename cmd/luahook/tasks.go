package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/luahook/luahook/cmd/luahook/internal/kept"
	"github.com/luahook/luahook/cmd/luahook/internal/terminal"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// tasksFlags are the flags of tasks.
type tasksFlags struct {
	engine engineFlags
	query  hooks.TaskQuery
	format string
}

// newTasks is "tasks list", with the other two below it.
func newTasks() *cobra.Command {
	cmd := newTasksList()
	cmd.Use, cmd.Short = "tasks", "List, show and close the tasks that hooks have noted"
	cmd.Long = `tasks shows the tasks that hooks have noted for the current folder's project, where they
keep them (hooks.tasks in hooks.yaml), and closes them. Without a verb of its own it
lists those that aren't closed, as "tasks list" does.

Exit status: 0, also if there is none; 1 the tracker can't be used.`
	cmd.Example = `  luahook tasks
  luahook tasks show t-5t3kpzq4
  luahook tasks close t-5t3kpzq4`
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return unknownVerb(cmd, args[0])
		}
		return nil
	}
	cmd.AddCommand(newTasksList(), newTasksShow(), newTasksClose())
	return cmd
}

func newTasksList() *cobra.Command {
	f := &tasksFlags{}
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the tasks of the project, the newest first",
		Long: `list prints the tasks that hooks have noted for the current folder's project, the newest
first, where they keep them (hooks.tasks in hooks.yaml): those that aren't closed, unless
--status says otherwise.

Exit status: 0, also if there is none; 1 the tracker can't be used.`,
		Example: `  luahook tasks list
  luahook tasks list --status all --label todo
  luahook tasks list --format json | jq -r '.[].title'`,
		Args: noFurther,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.query.Limit < 0 {
				return fmt.Errorf("--limit is %d, want a number of 1 or more", f.query.Limit)
			}
			return f.with(cmd, func(ctx context.Context, e *engine.Engine) error {
				return kept.ListTasks(ctx, cmd.OutOrStdout(), e, f.query, f.format == "json")
			})
		},
	}
	f.add(cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.query.Status, "status", "", "only tasks of this `STATUS`: open, closed, another word of the tracker, or all")
	flags.StringVar(&f.query.Label, "label", "", "only tasks with the label `NAME`")
	flags.StringVar(&f.query.Parent, "parent", "", "only tasks whose parent is `ID`")
	flags.StringVar(&f.query.Issue, "issue", "", "only tasks that concern the issue `ID`")
	flags.IntVar(&f.query.Limit, "limit", 0, "only the newest `N`")
	completeFrom(cmd, "status", hooks.TaskOpen, hooks.TaskClosed, hooks.AnyStatus)
	for _, free := range []string{"label", "parent", "issue", "limit"} { // no names of files
		completeFrom(cmd, free)
	}
	return cmd
}

func newTasksShow() *cobra.Command {
	f := &tasksFlags{}
	cmd := &cobra.Command{
		Use:   "show ID",
		Short: "Show all of one task",
		Long: `show prints a task with its text, links and comments.

Exit status: 0; 1 there is no such task, or the tracker can't be used.`,
		Example: `  luahook tasks show t-5t3kpzq4
  luahook tasks show t-5t3kpzq4 --format json`,
		Args: wants("ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.with(cmd, func(ctx context.Context, e *engine.Engine) error {
				return kept.ShowTask(ctx, cmd.OutOrStdout(), e, args[0], f.format == "json")
			})
		},
	}
	f.add(cmd)
	return cmd
}

func newTasksClose() *cobra.Command {
	f := &tasksFlags{}
	cmd := &cobra.Command{
		Use:   "close ID",
		Short: "Close a task",
		Long: `close says that a task is done, or won't be. Hooks can't do so, an agent's guard refuses
it this verb, and what a hook has started can't use it.

Exit status: 0 it is closed, also if it was before; 1 nothing has changed.`,
		Example: "  luahook tasks close t-5t3kpzq4",
		Args:    wants("ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := notByHooks("tasks close"); err != nil {
				return err
			}
			return f.with(cmd, func(ctx context.Context, e *engine.Engine) error {
				task, err := kept.CloseTask(ctx, e, args[0])
				if err != nil {
					return err
				}
				was := "closed"
				if task.Status == hooks.TaskClosed {
					was = "was closed already"
				}
				if f.format == "json" {
					task.Status = hooks.TaskClosed
					return terminal.WriteJSON(cmd.OutOrStdout(), task)
				}
				_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s %s: %s\n", terminal.OneLine(task.ID), was, terminal.OneLine(task.Title))
				return err
			})
		},
	}
	f.add(cmd)
	return cmd
}

func (f *tasksFlags) add(cmd *cobra.Command) {
	f.engine.add(cmd)
	cmd.Flags().StringVar(&f.format, "format", "text", "print as `FORMAT`: text or json")
	completeFrom(cmd, "format", "text", "json")
}

// with does something with the engine, whose tracker it is.
func (f *tasksFlags) with(cmd *cobra.Command, do func(context.Context, *engine.Engine) error) error {
	if f.format != "text" && f.format != "json" {
		return fmt.Errorf("--format is %q, want text or json", f.format)
	}
	e, err := f.engine.open(io.Discard)
	if err != nil {
		return err
	}
	err = do(cmd.Context(), e.Engine)
	return errors.Join(err, e.close(cmd.Context(), nil))
}
