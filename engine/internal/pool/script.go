package pool

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
	"github.com/luahook/luahook/luabind/compile"
)

// Script is one loading of a program: a file, or an entry of hooks.yaml with its
// options. Its states are made on demand and share the compiled program.
type Script struct {
	Program       *compile.Program
	Environment   luabind.Environment
	Registrations []luabind.Registration // what every state must register; nil: not known yet

	states  []*State // that the pool has of it; guarded by the pool
	retired atomic.Bool
	outside atomic.Int32 // runs that wait for something outside
	places  int          // its states and those that are being loaded; guarded by the pool
	line    line         // for a state that comes back, while it is crowded; guarded by the pool
	watch   *time.Timer  // looks after the line; nil: nobody has waited yet; guarded by the pool
	watched bool         // it is running; guarded by the pool
	seen    uint64       // the line's moves when it looked last; guarded by the pool
}

// newState loads the program into a new state, for a run that needs one.
func (s *Script) newState(ctx context.Context) (*luabind.State, error) {
	return s.check(luabind.NewState(ctx, s.Program, s.Environment))
}

// FirstState does so within an allowance, to learn what the script registers.
func (s *Script) FirstState(ctx context.Context, allowance *luabind.Allowance) (*luabind.State, error) {
	return s.check(luabind.LoadState(ctx, s.Program, s.Environment, allowance))
}

// check refuses a state that has registered something else than an earlier one.
func (s *Script) check(state *luabind.State, err error) (*luabind.State, error) {
	if err != nil {
		return nil, err
	}
	if s.Registrations != nil && !luabind.SameRegistrations(s.Registrations, state.Registrations()) {
		return nil, &hooks.Error{Kind: hooks.KindLoad, Source: s.difference(state.Registrations()), Message: "it registered other hooks than when it was first loaded; on(...) must not depend on time, chance, state or capabilities"}
	}
	return state, nil
}

// RegisterBare loads the program once without capabilities, as trusting a project does, to
// learn what it registers then.
func (s *Script) RegisterBare(ctx context.Context, allowance *luabind.Allowance) error {
	bare := Script{Program: s.Program, Environment: s.Environment}
	bare.Environment.Grants, bare.Environment.Withheld = hooks.Grants{}, luabind.Withheld{}
	bare.Environment.Logger = nil // it will print when it loads in earnest
	state, err := bare.FirstState(ctx, allowance)
	if err != nil {
		return err
	}
	s.Registrations = append([]luabind.Registration{}, state.Registrations()...) // not nil: there may be none
	return nil
}

// difference is where the script registered something else than when it was first loaded.
func (s *Script) difference(now []luabind.Registration) string {
	for i, r := range now {
		if i >= len(s.Registrations) || !luabind.SameRegistrations(s.Registrations[i:i+1], now[i:i+1]) {
			return r.Source
		}
	}
	return s.Registrations[len(now)].Source // the first that is missing
}
