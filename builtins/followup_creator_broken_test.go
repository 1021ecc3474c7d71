package builtins_test

import (
	"context"
	"errors"

	"github.com/luahook/luahook/hooks"
)

var errBroken = errors.New("it is broken")

// brokenTasks is a tracker that fails.
type brokenTasks struct{}

func (brokenTasks) Create(context.Context, hooks.Task) (hooks.Task, bool, error) {
	return hooks.Task{}, false, errBroken
}

func (brokenTasks) List(context.Context, hooks.TaskQuery) ([]hooks.Task, error) {
	return nil, errBroken
}

func (brokenTasks) Link(context.Context, string, string, string) error { return errBroken }

func (brokenTasks) Comment(context.Context, string, string) error { return errBroken }
