package replay

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"github.com/luahook/luahook/cmd/luahook/internal/terminal"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// Bounds of a bench.
const (
	warmUp     = 3               // times that each event is fired before anything is measured
	timedFires = 1000            // events that are fired at least for the times
	memFires   = 100             // and for the allocations
	benchTime  = 2 * time.Second // after which no event is fired again for the same figure, once each was fired
)

// Cost is what a hook costs over the events of a bench.
type Cost struct {
	Hook         string        `json:"hook"`
	Event        hooks.Event   `json:"event"`
	Scope        hooks.Scope   `json:"scope"`
	Source       string        `json:"source,omitempty"`
	Handler      hooks.Handler `json:"handler"`
	Mode         hooks.Mode    `json:"mode,omitempty"`
	Runs         int           `json:"runs"` // that were timed
	Failed       int           `json:"failed,omitempty"`
	Error        string        `json:"error,omitempty"` // of the first that failed
	P50NS        int64         `json:"p50_ns"`
	P99NS        int64         `json:"p99_ns"`
	Instructions int64         `json:"instructions"` // median
	Allocations  int64         `json:"allocations"`  // median
	Bytes        int64         `json:"bytes"`        // that these take; median
	OverBudget   bool          `json:"over_budget,omitempty"`
	NotRun       string        `json:"not_run,omitempty"` // why there are no runs

	order                            int
	times, instructions, mallocs, of []int64
}

// Meter measures the runs of an engine's hooks. It is an observer of that engine.
type Meter struct {
	mu     sync.Mutex
	what   measured
	costs  map[meterKey]*Cost
	began  map[hooks.RunID]start
	memory runtime.MemStats
}

type measured int

const (
	nothing measured = iota
	times
	allocations
)

type meterKey struct {
	event hooks.Event
	order int
}

type start struct {
	at             time.Time
	mallocs, bytes uint64
}

// NewMeter is a meter that measures nothing yet.
func NewMeter() *Meter {
	return &Meter{costs: map[meterKey]*Cost{}, began: map[hooks.RunID]start{}}
}

// RunStarted implements [engine.Observer].
func (m *Meter) RunStarted(_ context.Context, run hooks.Run) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.what == nothing {
		return
	}
	m.began[run.ID] = start{} // so that it grows before
	s := start{}
	if m.what == allocations {
		runtime.ReadMemStats(&m.memory)
		s.mallocs, s.bytes = m.memory.Mallocs, m.memory.TotalAlloc
	}
	s.at = time.Now()
	m.began[run.ID] = s
}

// RunCompleted implements [engine.Observer].
func (m *Meter) RunCompleted(_ context.Context, run hooks.Run) {
	ended := time.Now()
	m.mu.Lock()
	defer m.mu.Unlock()
	c := m.costs[meterKey{run.Event, run.Order}]
	s, known := m.began[run.ID]
	delete(m.began, run.ID)
	if c == nil || !known {
		return
	}
	switch {
	case run.Status == hooks.StatusSkipped:
		if c.NotRun == "" && len(run.Entries) > 0 {
			c.NotRun = strings.TrimPrefix(run.Entries[0].Text, "skipped: ")
		}
	case m.what == allocations:
		runtime.ReadMemStats(&m.memory)
		c.mallocs = append(c.mallocs, int64(m.memory.Mallocs-s.mallocs))
		c.of = append(c.of, int64(m.memory.TotalAlloc-s.bytes))
	default:
		c.times = append(c.times, ended.Sub(s.at).Nanoseconds())
		c.instructions = append(c.instructions, run.Instructions)
		if run.Status == hooks.StatusFailed {
			if c.Failed++; c.Error == "" && run.Error != nil {
				c.Error = run.Error.Message
			}
		}
	}
}

func (m *Meter) measure(what measured) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.what = what
	clear(m.began)
}

// Bench fires the events, in their order and again and again, and gives what each hook in list costs, in that order.
// m observes e. Each time over, all are events of other sessions. progress may be nil.
func Bench(ctx context.Context, e Firer, m *Meter, list []engine.HookInfo, events []*hooks.Context, progress *terminal.Progress) ([]*Cost, error) {
	var costs []*Cost
	for _, h := range list {
		c := &Cost{Hook: h.Name, Event: h.Event, Scope: h.Scope, Source: h.Source, Handler: h.Handler, order: h.Order, NotRun: strings.TrimPrefix(h.Left, "skipped: ")}
		if h.Mode != hooks.ModeSync {
			c.Mode = h.Mode
		}
		costs = append(costs, c)
		if h.Left == "" {
			m.costs[meterKey{h.Event, h.Order}] = c
		}
	}
	round := 0
	for _, part := range []struct {
		what  measured
		fires int
		name  string
	}{{nothing, warmUp * len(events), "warming up"}, {times, timedFires, "measuring times"}, {allocations, memFires, "measuring memory"}} {
		m.measure(part.what)
		started := time.Now()
		for fired := 0; fired < part.fires && (fired < len(events) || time.Since(started) < benchTime); {
			round++
			for _, c := range events {
				again := *c
				again.SessionID = fmt.Sprintf("%s bench %d", c.SessionID, round)
				if _, err := e.Fire(ctx, &again); ctx.Err() != nil {
					return nil, ctx.Err()
				} else if err != nil {
					return nil, err
				}
				fired++
				progress.Show("%s: %s", part.name, terminal.Counted(fired, "event"))
			}
		}
	}
	m.measure(nothing)
	for _, c := range costs {
		c.finish()
	}
	return costs, nil
}

// finish sums up what was measured.
func (c *Cost) finish() {
	c.Runs = len(c.times)
	c.P50NS, c.P99NS = percentile(c.times, 50), percentile(c.times, 99)
	c.Instructions = percentile(c.instructions, 50)
	if c.Mode != hooks.ModeParallel { // of which others run at the same time
		c.Allocations, c.Bytes = percentile(c.mallocs, 50), percentile(c.of, 50)
	}
	switch {
	case c.Runs > 0:
		c.NotRun = ""
	case c.NotRun == "":
		c.NotRun = "no event of these was for it: its match didn't fit, or a hook before it denied"
	}
}

// Hold marks the hooks of which half of the runs took longer than the budget, and counts them.
func Hold(costs []*Cost, budget time.Duration) (over int) {
	for _, c := range costs {
		if c.OverBudget = c.Runs > 0 && c.P50NS > budget.Nanoseconds(); c.OverBudget {
			over++
		}
	}
	return over
}

// WriteCosts prints a table for people.
func WriteCosts(w io.Writer, costs []*Cost) error {
	c := terminal.ColourOf(w)
	var b, notes strings.Builder
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "p50\tp99\tinstructions\tallocations\tbytes\truns\t  hook")
	for _, h := range costs {
		name := fmt.Sprintf("%s %s (%s, %s)", terminal.OneLine(string(h.Event)), terminal.OneLine(h.Hook), h.Scope, terminal.OneLine(h.Source))
		if h.Runs == 0 {
			fmt.Fprintf(&notes, "not measured: %s: %s\n", name, terminal.OneLine(h.NotRun))
			continue
		}
		allocs, bytes := fmt.Sprint(h.Allocations), fmt.Sprint(h.Bytes)
		if h.Mode == hooks.ModeParallel {
			allocs, bytes = "-", "-"
		}
		fmt.Fprintf(t, "%s\t%s\t%d\t%s\t%s\t%d\t  %s\n", inUnits(time.Duration(h.P50NS)), inUnits(time.Duration(h.P99NS)), h.Instructions, allocs, bytes, h.Runs, name)
		if h.Failed > 0 {
			fmt.Fprintf(&notes, "%s %s failed in %d of %d runs: %s\n", c.Care("warning:"), name, h.Failed, h.Runs, terminal.OneLine(h.Error))
		}
		if h.OverBudget {
			fmt.Fprintf(&notes, "%s %s is over the budget: p50 %s\n", c.Care("warning:"), name, inUnits(time.Duration(h.P50NS)))
		}
	}
	_ = t.Flush() // a builder takes all
	_, err := io.WriteString(w, b.String()+notes.String())
	return err
}
