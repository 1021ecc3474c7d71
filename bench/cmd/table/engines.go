package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/luahook/luahook/bench/engines"
	"github.com/luahook/luahook/bench/measure"
	"github.com/luahook/luahook/bench/policy"
)

// control is the name of the reference compared with itself.
const control = engines.Reference + " (control)"

var caseTitles = []struct{ name, title, text string }{
	{policy.Allow, "Allow", "Four harmless commands in turn; all five patterns are looked for."},
	{policy.Block, "Block", "Four dangerous commands in turn; the third pattern is found and stands in the reason."},
	{policy.OtherTool, "Another tool", "A call of `read`, which no rule for commands is about. luahook's matcher says no before Lua is entered; the other engines' guards ask for the name themselves."},
	{policy.Truncate, "Cut 256 KiB to 8 KiB", "The head and the tail of a tool's output are kept."},
	{policy.Length, "The length of 4 MiB", "The guard looks at the length of the output only. goja, Expr, CEL and OPA count characters, for which they read it."},
}

// engineTables compares all engines in each case.
func engineTables(c config, f *figures, w io.Writer) error {
	defer measure.Quiet()()
	part(w, "One hook", "")
	for _, t := range caseTitles {
		timings, err := compareEngines(c, policy.Named(t.name))
		if err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
		subpart(w, t.title, t.text)
		columns(w, "engine", "limits", "CPU ns/op", "p10", "B/op", "allocs", "x "+engines.Reference)
		for _, timing := range timings {
			cells(w, timing.Name, limits(timing.Name), number(timing.NS.Median), number(timing.NS.P10), count(timing.Bytes), count(timing.Allocs), ratio(timing.Ratio))
			f.engine(t.name, timing)
		}
	}
	return nil
}

func limits(name string) string {
	for _, e := range engines.All() {
		if e.Name == name {
			return e.Limits
		}
	}
	return ""
}

// compareEngines times the engines that have a rule for the case.
func compareEngines(c config, of policy.Case) ([]measure.Timing, error) {
	var rows []measure.Row
	var guards []engines.Guard
	defer func() {
		for _, g := range guards {
			g.Close()
		}
	}()
	add := func(name string, e engines.Engine) error {
		guard, err := e.New()
		if err != nil {
			return err
		}
		guards = append(guards, guard)
		run, err := engines.InTurn(guard, of)
		if errors.Is(err, engines.ErrNoRule) {
			return nil
		}
		rows = append(rows, measure.Row{Name: name, Run: run})
		return err
	}
	reference := engines.Named(engines.Reference)
	if err := add(control, reference); err != nil {
		return nil, err
	}
	for _, e := range engines.All() {
		if err := add(e.Name, e); err != nil {
			return nil, err
		}
	}
	beside, err := reference.New()
	if err != nil {
		return nil, err
	}
	guards = append(guards, beside)
	run, err := engines.InTurn(beside, of)
	if err != nil {
		return nil, err
	}
	return measure.Compare(measure.Row{Name: engines.Reference, Run: run}, rows, c.rounds, c.rng)
}
