package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"

	"github.com/luahook/luahook/bench/engines"
	"github.com/luahook/luahook/bench/measure"
	"github.com/luahook/luahook/bench/policy"
	"github.com/luahook/luahook/engine"
)

// memoryTable measures the memory of an idle state: as many hooks as states are wanted are stopped in the middle
// at once, and after they have finished, the heap has grown by their states.
func memoryTable(_ config, f *figures, w io.Writer) error {
	part(w, "Memory of idle states", "Events at once make states; when they are over, the states wait for the next.")
	columns(w, "states", "bytes for each further state")
	for _, states := range []int{8, 32, 128} {
		per, err := stateBytes(states)
		if err != nil {
			return err
		}
		f.perState = per
		cells(w, fmt.Sprint(states), count(per))
	}
	return nil
}

func stateBytes(states int) (float64, error) {
	gate := newGate(states)
	set := engines.HookSet{Running: 1}
	source := set.Scripts()[0] + `on("pre_tool_call", function() print("at the gate") end)`
	l, err := engines.NewLuahook([]string{source}, engine.WithLogger(slog.New(gate)), engines.Patient)
	if err != nil {
		return 0, err
	}
	defer l.Close()
	event := engines.HookEvent(policy.Named(policy.Allow).Events[0])
	if _, err := l.Fire(context.Background(), event); err != nil { // the first state
		return 0, err
	}
	before := float64(measure.HeapInUse())
	gate.shut()
	failed := make(chan error, states)
	var wait sync.WaitGroup
	for range states {
		wait.Go(func() {
			if r, err := l.Fire(context.Background(), event); err != nil || r.Block {
				failed <- fmt.Errorf("an event at the gate: %v, %v", r.Reason, err)
			}
		})
	}
	wait.Wait()
	select {
	case err := <-failed:
		return 0, err
	default:
	}
	return (float64(measure.HeapInUse()) - before) / float64(states-1), nil
}

// gate is a log that, while it is shut, holds its lines until a number of them have arrived: then that many
// hooks run at once.
type gate struct {
	slog.Handler
	wanted int

	mu      sync.Mutex
	closed  bool
	waiting int
	open    chan struct{}
}

func newGate(wanted int) *gate {
	return &gate{Handler: slog.DiscardHandler, wanted: wanted, open: make(chan struct{})}
}

func (g *gate) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelInfo }

func (g *gate) Handle(context.Context, slog.Record) error {
	g.mu.Lock()
	if !g.closed {
		g.mu.Unlock()
		return nil
	}
	if g.waiting++; g.waiting == g.wanted {
		close(g.open)
	}
	g.mu.Unlock()
	select {
	case <-g.open:
	case <-time.After(30 * time.Second): // the others have failed, which their events show
	}
	return nil
}

func (g *gate) shut() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.closed = true
}

// WithAttrs and WithGroup keep the gate: the content of lines doesn't matter.
func (g *gate) WithAttrs([]slog.Attr) slog.Handler { return g }
func (g *gate) WithGroup(string) slog.Handler      { return g }
