package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/luahook/luahook/cmd/luahook/internal/terminal"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/override"
	"github.com/luahook/luahook/engine/store"
)

// forPeople finds the store of the current project, for a verb that is a person's word
// and that neither a hook nor what it has started may say.
func forPeople(verb string) (*override.Store, engine.Project, error) {
	if err := notByHooks(verb); err != nil {
		return nil, engine.Project{}, err
	}
	project, err := findProject(".")
	if err != nil {
		return nil, engine.Project{}, err
	}
	words := overridesOf(project)
	if words == nil {
		return nil, engine.Project{}, errNowhere
	}
	open := sync.OnceValues(func() (*localEngine, error) { return (&engineFlags{looks: true}).open(io.Discard) })
	words.Shared = func(ctx context.Context) (store.Store, error) {
		e, err := open() // which is there until the verb ends
		if err != nil {
			return nil, err
		}
		return e.SharedStore(ctx)
	}
	return words, project, nil
}

var errNowhere = errors.New("there is nowhere to keep it: set HOME or XDG_STATE_HOME to an absolute path")

// notByHooks refuses what neither a hook nor what it has started may say.
func notByHooks(verb string) error {
	if depth := os.Getenv("LUAHOOK_DEPTH"); depth != "" {
		return fmt.Errorf("%s is for a person, and a hook has started this (LUAHOOK_DEPTH=%s)", verb, terminal.Shown(depth))
	}
	return nil
}
