package builtins_test

import (
	"context"
	"errors"
	"time"

	"github.com/luahook/luahook/engine/store"
	"github.com/luahook/luahook/hooks"
)

// brokenStore can't be reached.
type brokenStore struct{ store.Store }

var errBroken = errors.New("it is broken")

func (brokenStore) Get(context.Context, store.Space, string) ([]byte, error) { return nil, errBroken }

func (brokenStore) Set(context.Context, store.Space, string, []byte, time.Duration) error {
	return errBroken
}

func (brokenStore) Incr(context.Context, store.Space, string, float64, time.Duration) (float64, error) {
	return 0, errBroken
}

func (brokenStore) Update(context.Context, store.Space, string, time.Duration, func([]byte) ([]byte, error)) error {
	return errBroken
}

func (brokenStore) Delete(context.Context, store.Space, string) error { return errBroken }

func (brokenStore) List(context.Context, store.Space, string) ([]string, error) {
	return nil, errBroken
}

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
