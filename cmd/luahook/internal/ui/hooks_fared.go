package ui

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/luahook/luahook/cmd/luahook/internal/logindex"
	"github.com/luahook/luahook/cmd/luahook/internal/show"
	"github.com/luahook/luahook/hooks"
)

// hookKey tells the hooks of the log apart. The line isn't part of it, as it is another one after each edit of the file.
type hookKey struct{ event, name, scope, file string }

// tally is how a hook fared.
type tally struct {
	runs, denied, asked, allowed, rewrote, failed int

	last     int         // row of the latest run
	lines    map[int]int // runs by the line that the hook stood in
	took     []uint32    // of each run, in µs; nil once p50 and p99 are known
	p50, p99 time.Duration
}

// counted is what a part of the log says of hooks.
type counted struct {
	hooks   map[hookKey]*tally
	events  map[string]int // recorded, by name
	own     map[string]int // those of them in the project
	since   time.Time      // where the part begins; zero: with the log
	until   time.Time      // of the newest record; zero: there is none
	foreign int            // runs of hooks of other projects
	untold  int            // runs of hooks beyond maxTold
}

// maxTold bounds how many hooks of the log are told apart: whoever can write the log chooses their names.
const maxTold = 20_000

// fared remembers what was counted last. Several goroutines may use it; they take turns.
type fared struct {
	mu   sync.Mutex
	view *logindex.View
	of   map[time.Duration]*counted
}

// count goes through the rows of a view once for each part of the log. root is that of the project.
func (f *fared) count(ctx context.Context, v *logindex.View, back time.Duration, root string) (*counted, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.view != v {
		f.view, f.of = v, map[time.Duration]*counted{}
	}
	if known := f.of[back]; known != nil {
		return known, nil
	}
	c, err := count(ctx, v, back, root)
	if err == nil {
		f.of[back] = c
	}
	return c, err
}

func count(ctx context.Context, v *logindex.View, back time.Duration, root string) (*counted, error) {
	type key struct {
		event, hook, scope, source logindex.ID
		own                        bool
	}
	type events struct{ all, own int }
	c := &counted{hooks: map[hookKey]*tally{}, events: map[string]int{}, own: map[string]int{}}
	since := int64(-1 << 63)
	if v.Len() > 0 {
		c.until = time.UnixMilli(v.Row(v.Len() - 1).Time)
		if back > 0 {
			c.since = c.until.Add(-back)
			since = c.since.UnixMilli()
		}
	}
	rootID, known := v.ID(root)
	seen, told := map[key]*tally{}, map[logindex.ID]*events{}
	for i := range v.Len() {
		if i%10_000 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		row := v.Row(i)
		if row.Time < since {
			continue
		}
		own := known && row.Project == rootID
		if row.Kind == logindex.KindDecision {
			e := told[row.Event]
			if e == nil {
				e = &events{}
				told[row.Event] = e
			}
			e.all++
			if own {
				e.own++
			}
		}
		for j := range row.Runs {
			run := &row.Runs[j]
			if run.Status == logindex.StatusSkipped || run.Status == logindex.StatusQueued { // it hasn't run, or not yet
				continue
			}
			k := key{row.Event, run.Hook, run.Scope, run.Source, own}
			t := seen[k]
			if t == nil {
				if len(seen) == maxTold {
					c.untold++
					continue
				}
				t = &tally{}
				seen[k] = t
			}
			t.add(run, i)
		}
	}
	for id, e := range told {
		c.events[v.Name(id)], c.own[v.Name(id)] = e.all, e.own
	}
	for k, t := range seen {
		file, line := show.Place(v.Name(k.source))
		to := hookKey{v.Name(k.event), v.Name(k.hook), v.Name(k.scope), file}
		if to.bound() && !k.own { // each project has its own by such a name
			c.foreign += t.runs
			continue
		}
		whole := c.hooks[to]
		if whole == nil {
			whole = &tally{lines: map[int]int{}}
			c.hooks[to] = whole
		}
		whole.join(t, line)
	}
	for t := range maps.Values(c.hooks) {
		t.finish()
	}
	return c, nil
}

// bound reports whether the name of the file stands for it within one project alone.
func (k *hookKey) bound() bool {
	absolute := strings.HasPrefix(k.file, "/") || strings.HasPrefix(k.file, "~/") || len(k.file) > 2 && k.file[1:3] == ":/"
	return k.scope == string(hooks.ScopeProject) && !absolute
}

// keyOf is what a hook in force is called in the log.
func keyOf(h *show.ListedHook) hookKey {
	file, _ := show.Place(h.Source)
	return hookKey{string(h.Event), h.Name, string(h.Scope), file}
}

func (t *tally) add(run *logindex.Run, row int) {
	t.runs++
	t.last = row
	t.took = append(t.took, run.DurationUS)
	if run.Flags&logindex.Rewrote != 0 {
		t.rewrote++
	}
	switch {
	case run.Status == logindex.StatusFailed:
		t.failed++
	case run.Status == logindex.StatusBlocked:
		t.denied++
	case run.Status != logindex.StatusCompleted: // its answer didn't count
	case run.Decision == logindex.Ask:
		t.asked++
	case run.Decision == logindex.Allow:
		t.allowed++
	case run.Decision == logindex.Deny:
		t.denied++
	}
}

// join adds the runs of the same hook in a certain line.
func (t *tally) join(o *tally, line int) {
	t.runs, t.denied, t.asked, t.allowed = t.runs+o.runs, t.denied+o.denied, t.asked+o.asked, t.allowed+o.allowed
	t.rewrote, t.failed = t.rewrote+o.rewrote, t.failed+o.failed
	t.last = max(t.last, o.last)
	t.lines[line] += o.runs
	if t.took == nil {
		t.took = o.took
	} else {
		t.took = append(t.took, o.took...)
	}
}

// finish works out the percentiles, exactly.
func (t *tally) finish() {
	slices.Sort(t.took)
	at := func(percent int) time.Duration { // the nearest rank
		return time.Duration(t.took[(len(t.took)*percent+99)/100-1]) * time.Microsecond
	}
	t.p50, t.p99, t.took = at(50), at(99), nil
}

// elsewhere is how many runs are from when the hook stood in another line.
func (t *tally) elsewhere(line int) int { return t.runs - t.lines[line] }

// rest lists the hooks of the log that aren't in force, the most used first.
func (c *counted) rest(inForce map[hookKey]int) []hookKey {
	var list []hookKey
	for k := range c.hooks {
		if inForce[k] == 0 {
			list = append(list, k)
		}
	}
	slices.SortFunc(list, func(a, b hookKey) int {
		return cmp.Or(c.hooks[b].runs-c.hooks[a].runs, strings.Compare(a.name, b.name), strings.Compare(a.event, b.event), strings.Compare(a.file, b.file), strings.Compare(a.scope, b.scope))
	})
	return list
}
