package main

import (
	"fmt"
	"io"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/luahook/luahook/bench/engines"
	"github.com/luahook/luahook/bench/measure"
	"github.com/luahook/luahook/bench/policy"
)

// scaling is the result for a number of goroutines.
type scaling struct {
	goroutines int
	perSecond  measure.Spread // events by the wall clock
	cpu        measure.Spread // nanoseconds of processor time per event
	gain       float64        // the best of all rounds relative to the best of one goroutine
	machine    float64        // the same for the guard in Go, which waits for nothing
}

// parallelTable fires events at one engine from several goroutines. Only this part uses the wall clock.
func parallelTable(c config, f *figures, w io.Writer) error {
	restore := measure.Quiet()
	defer restore()
	runtime.GOMAXPROCS(runtime.NumCPU())
	l, err := engines.HookSet{Running: 1}.Load()
	if err != nil {
		return err
	}
	defer l.Close()
	native, err := engines.Named("native").New()
	if err != nil {
		return err
	}
	list := []scaling{{goroutines: 1}, {goroutines: 2}, {goroutines: 4}, {goroutines: 8}}
	rates, cpus, natives := make([][]float64, len(list)), make([][]float64, len(list)), make([][]float64, len(list))
	for range c.rounds {
		runtime.GC()
		for _, i := range c.rng.Perm(len(list)) {
			rate, cpu, err := fireFrom(l, list[i].goroutines, 4000)
			if err != nil {
				return err
			}
			free, _, err := fireFrom(native, list[i].goroutines, 200_000)
			if err != nil {
				return err
			}
			rates[i], cpus[i], natives[i] = append(rates[i], rate), append(cpus[i], cpu), append(natives[i], free)
		}
	}
	var neighbours []string
	for i := range list {
		gains := make([]float64, c.rounds)
		for round := range gains {
			gains[round] = rates[i][round] / rates[0][round]
		}
		neighbours = append(neighbours, ratio(measure.NewSpread(gains)))
	}
	for i := range list {
		list[i].perSecond, list[i].cpu = measure.NewSpread(rates[i]), measure.NewSpread(cpus[i])
		list[i].gain = list[i].perSecond.Max / list[0].perSecond.Max
		list[i].machine = slices.Max(natives[i]) / slices.Max(natives[0])
	}
	f.two = &list[1]
	part(w, "Several goroutines", fmt.Sprintf("One hook, allow, GOMAXPROCS=%d. Events a second go by the wall clock, so other work on the machine takes "+
		"from them: the best round is the one to look at, and how the guard in Go scaled, which waits for nothing, says what the machine had to give. Processor time can't show waiting, but shows what goroutines cost each other.", runtime.NumCPU()))
	columns(w, "goroutines", "events/s, best", "x one, best", "native: x one, best", "events/s, median", "x one, rounds", "CPU ns/op", "p10")
	for i, s := range list {
		cells(w, fmt.Sprint(s.goroutines), number(s.perSecond.Max), number(s.gain), number(s.machine), number(s.perSecond.Median), neighbours[i], number(s.cpu.Median), number(s.cpu.P10))
	}
	return nil
}

// fireFrom judges perGoroutine events in each of n goroutines, and returns the events per second and the
// processor time of each.
func fireFrom(g engines.Guard, n, perGoroutine int) (perSecond, cpu float64, err error) {
	runs := make([]func() error, n)
	for i := range runs {
		if runs[i], err = engines.InTurn(g, policy.Named(policy.Allow)); err != nil {
			return 0, 0, err
		}
		if err = runs[i](); err != nil {
			return 0, 0, err
		}
	}
	var wait sync.WaitGroup
	failed := make(chan error, n)
	began, used := time.Now(), measure.CPU()
	for _, run := range runs {
		wait.Go(func() {
			for range perGoroutine {
				if err := run(); err != nil {
					failed <- err
					return
				}
			}
		})
	}
	wait.Wait()
	took, used := time.Since(began), measure.CPU()-used
	select {
	case err = <-failed:
	default:
	}
	events := float64(n * perGoroutine)
	return events / took.Seconds(), float64(used) / events, err
}
