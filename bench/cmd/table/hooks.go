package main

import (
	"io"

	"github.com/luahook/luahook/bench/engines"
	"github.com/luahook/luahook/bench/measure"
	"github.com/luahook/luahook/bench/policy"
)

// hookTable measures luahook with many hooks, and with none.
func hookTable(c config, f *figures, w io.Writer) error {
	defer measure.Quiet()()
	allow := policy.Named(policy.Allow)
	guard, err := engines.Named(engines.Reference).New()
	if err != nil {
		return err
	}
	defer guard.Close()
	run, err := engines.InTurn(guard, allow)
	if err != nil {
		return err
	}
	reference := measure.Row{Name: engines.Reference, Run: run}
	rows := []measure.Row{{Name: control, Run: run}}
	sets := engines.HookSets()
	for i, set := range sets {
		l, err := set.Load()
		if err != nil {
			return err
		}
		defer l.Close()
		if i == 0 {
			rows = append(rows, measure.Row{Name: "no hook", Run: l.NoHook()})
		}
		run, err := engines.InTurn(l, allow)
		if err != nil {
			return err
		}
		rows = append(rows, measure.Row{Name: set.Name(), Run: run})
	}
	timings, err := measure.Compare(reference, rows, c.rounds, c.rng)
	if err != nil {
		return err
	}
	part(w, "Many hooks in luahook", "One event, N hooks registered for it. \"Running\" ones are the guard; the matcher of all others says no. "+
		"The ratio is to one call of one hook in plain gopher-lua.")
	columns(w, "hooks", "running", "files", "CPU ns/op", "p10", "ns per running hook", "B/op", "allocs", "x "+engines.Reference)
	for i, t := range timings {
		if i < 2 { // the control and the event without hooks
			cells(w, t.Name, "", "", number(t.NS.Median), number(t.NS.P10), "", count(t.Bytes), count(t.Allocs), ratio(t.Ratio))
			continue
		}
		set := sets[i-2]
		files := "one"
		if set.OwnFiles {
			files = "own"
		}
		cells(w, count(float64(set.Running+set.Others)), count(float64(set.Running)), files, number(t.NS.Median), number(t.NS.P10),
			number(t.NS.Median/float64(set.Running)), count(t.Bytes), count(t.Allocs), ratio(t.Ratio))
	}
	f.none = &timings[1]
	f.sets = map[engines.HookSet]measure.Timing{}
	for i, set := range sets {
		f.sets[set] = timings[i+2]
	}
	return nil
}
