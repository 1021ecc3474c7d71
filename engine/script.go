package engine

import (
	"context"
	"sync/atomic"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
)

// script is one loading of a program: a file, or an entry of hooks.yaml with its
// options. Its states are made on demand and share the compiled program.
type script struct {
	program       *luabind.Program
	environment   luabind.Environment
	registrations []luabind.Registration
	builtin       bool // it may ask for passes

	states  atomic.Pointer[[]*pooled] // all of them; the pool changes it
	retired atomic.Bool               // by the pool
}

// newState loads the program into a new state, for a run that needs one.
func (s *script) newState(ctx context.Context) (*luabind.State, error) {
	return s.same(luabind.NewState(ctx, s.program, s.environment))
}

// firstState does so to learn what the script registers.
func (s *script) firstState(ctx context.Context, allowance *luabind.Allowance) (*luabind.State, error) {
	return s.same(luabind.LoadState(ctx, s.program, s.environment, allowance))
}

// same refuses a state that has registered something else than an earlier one.
func (s *script) same(state *luabind.State, err error) (*luabind.State, error) {
	if err != nil {
		return nil, err
	}
	if s.registrations != nil && !luabind.Same(s.registrations, state.Registrations()) {
		state.Close()
		return nil, &hooks.Error{Kind: hooks.KindLoad, Source: s.differs(state.Registrations()), Message: "it registered other hooks than when it was first loaded; on(...) must not depend on time, chance, state or capabilities"}
	}
	return state, nil
}

// survey loads the program once without capabilities, as trusting a project does, to see
// what it registers then.
func (s *script) survey(ctx context.Context, allowance *luabind.Allowance) error {
	bare := script{program: s.program, environment: s.environment}
	bare.environment.Grants, bare.environment.Withheld = hooks.Grants{}, luabind.Withheld{}
	bare.environment.Logger = nil // it will print when it loads in earnest
	state, err := bare.firstState(ctx, allowance)
	if err != nil {
		return err
	}
	s.registrations = append([]luabind.Registration{}, state.Registrations()...) // not nil: there may be none
	state.Close()
	return nil
}

// differs is where the script registered something else than when it was first
// loaded.
func (s *script) differs(now []luabind.Registration) string {
	for i, r := range now {
		if i >= len(s.registrations) || !luabind.Same(s.registrations[i:i+1], now[i:i+1]) {
			return r.Source
		}
	}
	return s.registrations[len(now)].Source // the first that is missing
}
