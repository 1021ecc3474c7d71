package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/luahook/luahook/bench/engines"
	"github.com/luahook/luahook/bench/measure"
	"github.com/luahook/luahook/bench/policy"
)

// figures are the results of the sections that goals are about.
type figures struct {
	cases    map[string]measure.Timing // luahook's, by case
	none     *measure.Timing           // no hook on the event
	sets     map[engines.HookSet]measure.Timing
	two      *scaling
	perState float64 // bytes
	loaded   *loading
	eval     map[string]processTiming // by case
	run      map[string]processTiming // likewise
}

func (f *figures) engine(name string, t measure.Timing) {
	if t.Name != "luahook" {
		return
	}
	if f.cases == nil {
		f.cases = map[string]measure.Timing{}
	}
	f.cases[name] = t
}

// further returns the cost of each hook after the first, as a ratio to one call of plain gopher-lua.
func (f *figures) further(set engines.HookSet) (float64, bool) {
	one, ok := f.sets[engines.HookSet{Running: 1}]
	many := f.sets[set]
	return (many.Ratio.Median - one.Ratio.Median) / float64(set.Running-1), ok
}

// idle returns the cost of a hook whose matcher rejects the event, in nanoseconds.
func (f *figures) idle() (float64, bool) {
	one, ok := f.sets[engines.HookSet{Running: 1}]
	set := engines.HookSet{Running: 1, Others: 999}
	return max(0, f.sets[set].NS.P10-one.NS.P10) / float64(set.Others), ok
}

// goal is a figure with its upper or lower bound.
type goal struct {
	what    string
	bound   float64
	atLeast bool
	unit    string
	figure  float64
	known   bool
}

func (g goal) met() string {
	switch {
	case !g.known:
		return "not measured"
	case g.atLeast == (g.figure >= g.bound), g.figure == g.bound:
		return "yes"
	}
	return "**no**"
}

// writeGoals compares the figures with the goals.
func writeGoals(w io.Writer, f *figures) {
	part(w, "Goals", "")
	columns(w, "goal", "at most", "reached", "met")
	for _, g := range f.goals() {
		bound, reached := plain(g.bound)+g.unit, plain(g.figure)+g.unit
		if g.atLeast {
			bound = "at least " + bound
		}
		if !g.known {
			reached = "-"
		}
		cells(w, g.what, bound, reached, g.met())
	}
}

// plain returns number without trailing zeros after the point.
func plain(f float64) string {
	return strings.TrimSuffix(strings.TrimSuffix(number(f), ".00"), ".0")
}

func (f *figures) goals() []goal {
	allow, hasAllow := f.cases[policy.Allow]
	block, hasBlock := f.cases[policy.Block]
	cut, hasCut := f.cases[policy.Truncate]
	length, hasLength := f.cases[policy.Length]
	goals := []goal{
		{what: "one hook, allow: x glua-raw", bound: 0.6, figure: allow.Ratio.Median, known: hasAllow},
		{what: "one hook, allow: allocations", bound: 4, figure: allow.Allocs, known: hasAllow},
		{what: "one hook, block: x glua-raw", bound: 0.5, figure: block.Ratio.Median, known: hasBlock},
		{what: "one hook, block: allocations", bound: 10, figure: block.Allocs, known: hasBlock},
		{what: "one hook, a cut of 256 KiB: x glua-raw", bound: 0.8, figure: cut.Ratio.Median, known: hasCut},
	}
	for _, set := range []engines.HookSet{{Running: 10}, {Running: 100}, {Running: 1000}, {Running: 10, OwnFiles: true}, {Running: 100, OwnFiles: true}, {Running: 1000, OwnFiles: true}} {
		where, bound := "in one file", 0.45
		if set.OwnFiles {
			where, bound = "in files of their own", map[int]float64{10: 0.6, 100: 0.7, 1000: 1}[set.Running]
		}
		further, known := f.further(set)
		goals = append(goals, goal{what: fmt.Sprintf("each further of %s hooks that run, %s: x glua-raw", count(float64(set.Running)), where), bound: bound, figure: further, known: known})
	}
	idle, hasIdle := f.idle()
	goals = append(goals, goal{what: "a hook that doesn't match", bound: 25, unit: " ns", figure: idle, known: hasIdle})
	var none measure.Timing
	if f.none != nil {
		none = *f.none
	}
	goals = append(goals,
		goal{what: "no hook on the event", bound: 20, unit: " ns", figure: none.NS.P10, known: f.none != nil},
		goal{what: "no hook on the event: allocations", bound: 0, figure: none.Allocs, known: f.none != nil},
		goal{what: "4 MiB of which the length is looked at: bytes allocated", bound: 16 << 10, unit: " B", figure: length.Bytes, known: hasLength})
	return append(goals, f.goalsBeyondOneEvent()...)
}

func (f *figures) goalsBeyondOneEvent() []goal {
	var two scaling
	if f.two != nil {
		two = *f.two
	}
	var loaded loading
	if f.loaded != nil {
		loaded = *f.loaded
	}
	goals := []goal{
		{what: "two goroutines, events a second: x one", bound: 1.7, atLeast: true, figure: two.gain, known: f.two != nil},
		{what: "memory of an idle pooled state", bound: 100, unit: " KB", figure: f.perState / 1000, known: f.perState != 0},
		{what: "1,000 hooks in 1,000 files: CPU to load", bound: 1, unit: " s", figure: loaded.CPU.Seconds(), known: f.loaded != nil},
		{what: "1,000 hooks in 1,000 files: peak resident", bound: 150, unit: " MB", figure: loaded.Peak / 1e6, known: f.loaded != nil},
	}
	for _, name := range []string{policy.Allow, policy.Block} {
		bound := map[string]float64{policy.Allow: 2.4, policy.Block: 3.5}[name]
		t, known := f.eval[name]
		goals = append(goals,
			goal{what: "`luahook eval`, " + name + ": x the CPU of a Go hello world", bound: bound, figure: t.ratio.Median, known: known},
			goal{what: "`luahook eval`, " + name + ": peak resident", bound: 12, unit: " MiB", figure: t.peak / (1 << 20), known: known},
			goal{what: "`luahook run`, " + name + ": x `luahook eval`", bound: 1.15, figure: f.run[name].eval.Median, known: known})
	}
	return goals
}
