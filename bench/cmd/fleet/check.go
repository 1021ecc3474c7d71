package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"
	"time"
)

// phase is something that is done to the fleet under load.
type phase struct {
	name    string
	kills   int  // servers that are killed: each may forget that a hook of a session has run
	empties bool // Redis loses what it has
	do      func(context.Context) error
}

// rehearsal is the fleet, and what came of it so far.
type rehearsal struct {
	machine  *machine
	length   time.Duration
	sessions int
	rate     float64

	mu         sync.Mutex
	reloaded   map[string]time.Time // when a server has taken over the latest policy, by its name in the proxy
	lost, back time.Time            // when Redis was killed, and when it began anew

	unnoted  int             // times that servers couldn't note in this phase what they keep for themselves
	kills    int             // of servers, so far
	versions map[string]int  // of policies, by their digest
	calls    map[string]bool // answered and counted, by their ids
	rows     []row
	broken   []string
}

// row is what clients saw in one phase.
type row struct {
	name                                       string
	events, counted, failed, refused, noAnswer int
	p50, p99, longest                          time.Duration
	again, rounds, passes, late                int
}

func (r *rehearsal) breaks(phase, format string, args ...any) {
	r.broken = append(r.broken, phase+": "+fmt.Sprintf(format, args...))
}

func (r *rehearsal) emptied(lost, back time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.lost = max2(r.lost, lost); !back.IsZero() {
		r.back = back
	}
}

func max2(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// phase runs one phase with sessions of its own, and checks what came of it.
func (r *rehearsal) phase(ctx context.Context, p phase) error {
	number, unnoted := len(r.rows), r.machine.unnoted()
	var agents []*agent
	for i := range r.sessions {
		agents = append(agents, newAgent(fmt.Sprintf("p%d-s%d-%d", number, i, os.Getpid()), r.machine.listen))
	}
	person := newPerson(r.machine, number)
	during, stop := context.WithCancel(ctx)
	var aside sync.WaitGroup
	aside.Go(func() { person.run(during) })
	err := load(ctx, agents, r.rate, r.length, p.do)
	stop()
	aside.Wait()
	if err := person.close(); err != nil {
		r.breaks(p.name, "passes: %v", err)
	}
	if err != nil {
		return err
	}
	r.unnoted = r.machine.unnoted() - unnoted
	r.kills += p.kills
	one := row{name: p.name, passes: person.let, late: person.late}
	for _, why := range person.broken {
		r.breaks(p.name, "%s", why)
	}
	var times []time.Duration
	for _, a := range agents {
		for i := range a.done {
			r.attempt(p.name, &a.done[i], &one)
			times = append(times, a.done[i].took)
		}
		r.session(p, a, &one)
	}
	if err := r.counters(p, agents); err != nil {
		return err
	}
	slices.Sort(times)
	if n := len(times); n > 0 {
		one.p50, one.p99, one.longest = times[n/2], times[n*99/100], times[n-1]
	}
	r.rows = append(r.rows, one)
	fmt.Printf("%-46s %5d events, %d promises broken so far\n", p.name, one.events, len(r.broken))
	return nil
}

// attempt checks one answer, and counts it.
func (r *rehearsal) attempt(phase string, a *attempt, one *row) {
	one.events++
	switch {
	case a.err != nil:
		one.noAnswer++
	case a.status != http.StatusOK:
		one.refused++
	case (a.kind == "call" || a.kind == "forbidden") && a.count == 0:
		one.failed++
	case a.count > 0:
		one.counted++
		r.calls[a.id] = true
	}
	if a.kind == "forbidden" && a.lets() {
		r.breaks(phase, "a call that must be denied was let through: %.300s", a.body)
	}
	if a.kind == "call" && a.lets() && a.count == 0 {
		r.breaks(phase, "a call was let through that no hook has counted: %.300s", a.body)
	}
	if a.err != nil || a.status != http.StatusOK {
		return
	}
	if a.digest == "" || a.server == "" {
		r.breaks(phase, "an answer names no policy or no server")
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if at, since := r.reloaded[a.server]; since && a.began.After(at) && a.version > 0 && a.version < r.machine.version {
		r.breaks(phase, "server %s answered by policy %d an event that began %v after it had taken over policy %d", a.server, a.version, a.began.Sub(at), r.machine.version)
	}
	if a.version > 0 {
		if known, is := r.versions[a.digest]; is && known != a.version {
			r.breaks(phase, "policy %s is version %d and version %d", a.digest, known, a.version)
		}
		r.versions[a.digest] = a.version
	}
}

// session checks what must hold of one session whatever servers have answered it.
func (r *rehearsal) session(p phase, a *agent, one *row) {
	welcomes, excuses, answered := 0, 0, 0
	for i := 0; i < len(a.done); i++ {
		e := &a.done[i]
		if e.kind == "call" || e.kind == "forbidden" {
			if e.welcome {
				welcomes++
			}
			if e.err != nil || e.status != http.StatusOK || e.uncertain {
				excuses++ // nobody knows whether it was welcomed
			}
			if e.lets() {
				answered++
			}
		}
		if e.kind == "prompt" && i+5 < len(a.done) {
			r.round(p, a.done[i:i+6], one)
		}
	}
	if welcomes > 1 {
		one.again += welcomes - 1
	}
	allowed := 1 + excuses + p.kills + r.unnoted
	if p.empties {
		allowed++
	}
	switch {
	case welcomes > allowed:
		r.breaks(p.name, "session %s was welcomed %d times, at most %d are excused", a.session, welcomes, allowed)
	case welcomes == 0 && answered > 0 && excuses == 0:
		r.breaks(p.name, "session %s was never welcomed", a.session)
	}
}

// round checks the loop guard: of five stops after a prompt three are blocked.
func (r *rehearsal) round(p phase, events []attempt, one *row) {
	blocked := 0
	for i := range events {
		e := &events[i]
		if e.err != nil || e.status != http.StatusOK || e.uncertain || strings.Contains(e.body, "store") {
			return // nobody knows whether it was counted
		}
		if r.overlaps(p, e) {
			return
		}
		if e.kind == "stop" && e.decision == "deny" {
			blocked++
		}
	}
	if one.rounds++; blocked != 3 && r.unnoted == 0 { // else a prompt may not have been noted
		r.breaks(p.name, "the loop guard let a hook keep the agent going %d times, want 3", blocked)
	}
}

// overlaps reports whether an event may have been counted before Redis began anew.
func (r *rehearsal) overlaps(p phase, e *attempt) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return p.empties && e.began.Before(r.back)
}

// counters holds what answers have said against what Redis has.
func (r *rehearsal) counters(p phase, agents []*agent) error {
	kept, err := r.machine.values("calls")
	if err != nil {
		return err
	}
	tasks, err := r.machine.values("task:*")
	if err != nil {
		return err
	}
	made := map[string]int{}
	for _, text := range tasks {
		var t struct{ Key string }
		if err := json.Unmarshal([]byte(text), &t); err != nil {
			return fmt.Errorf("a task: %w", err)
		}
		made[t.Key]++
	}
	for key, n := range made {
		if n > 1 {
			r.breaks(p.name, "there are %d tasks of the key %q", n, key)
		}
	}
	for _, a := range agents {
		seen := map[int]bool{}
		sure, unsure := 0, 0
		for i := range a.done {
			e := &a.done[i]
			switch {
			case e.kind != "call" && e.kind != "forbidden", p.empties && e.began.Add(e.took).Before(r.lost):
			case e.count == 0, r.overlaps(p, e):
				unsure++
			default:
				if sure++; seen[e.count] {
					r.breaks(p.name, "session %s: two answers have counted %d", a.session, e.count)
				}
				seen[e.count] = true
				key := fmt.Sprint(a.session, " ", e.count/10)
				if e.count%5 == 0 && !strings.Contains(e.body, "no task") && made[key] == 0 {
					r.breaks(p.name, "the task %q was made, and isn't there", key)
				}
			}
		}
		n := 0
		for key, value := range kept {
			if strings.Contains(key, a.session+"%") || strings.Contains(key, a.session+"}") {
				if _, err := fmt.Sscan(value, &n); err != nil {
					return fmt.Errorf("%s holds %q", key, value)
				}
			}
		}
		if n < sure || n > sure+unsure {
			r.breaks(p.name, "session %s: Redis has %d, %d answers have counted, and %d may have", a.session, n, sure, unsure)
		}
	}
	return nil
}

// reloadAll gives the servers a new policy, one after the other.
func (r *rehearsal) reloadAll(ctx context.Context) error {
	r.mu.Lock() // what was taken over before is no longer the latest
	r.reloaded = map[string]time.Time{}
	err := r.machine.writePolicy()
	r.mu.Unlock()
	if err != nil {
		return err
	}
	digests := map[string]bool{}
	for i := range r.machine.servers {
		digest, err := r.machine.servers[i].reload(ctx)
		if err != nil {
			return err
		}
		digests[digest] = true
		r.mu.Lock()
		r.reloaded[[]string{"one", "two", "three"}[i]] = time.Now()
		r.mu.Unlock()
		if err := pause(ctx, r.length/6); err != nil {
			return err
		}
	}
	if len(digests) != 1 {
		return fmt.Errorf("three servers with one policy call it %d names", len(digests))
	}
	return nil
}

// checkAgentsAreDenied asks as agents do while no server is there.
func (r *rehearsal) checkAgentsAreDenied(ctx context.Context) error {
	for _, agent := range []string{"claude", "copilot", "qwen"} {
		q, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+r.machine.listen+"/v1/agents/"+agent, strings.NewReader("{}"))
		if err != nil {
			return err
		}
		a, err := http.DefaultClient.Do(q)
		if err != nil {
			return err
		}
		body, err := io.ReadAll(a.Body)
		a.Body.Close()
		if err != nil {
			return err
		}
		if a.StatusCode != http.StatusOK || !strings.Contains(string(body), `"permissionDecision":"deny"`) {
			r.breaks("all servers down", "%s is told %d %.200s", agent, a.StatusCode, body)
		}
	}
	return nil
}

// checkLog holds the records on the servers' standard output against the answers.
func (r *rehearsal) checkLog() {
	records, cut, recorded := 0, 0, map[string]bool{}
	for i := range r.machine.servers {
		f, err := os.Open(filepath.Join(r.machine.dir, fmt.Sprint("server", i+1, ".out")))
		if err != nil {
			r.breaks("the log", "%v", err)
			return
		}
		defer f.Close()
		lines := bufio.NewReader(f)
		for {
			line, err := lines.ReadBytes('\n')
			if err != nil {
				break
			}
			var record struct {
				Kind   string
				CallID string `json:"call_id"`
			}
			if err := json.Unmarshal(line, &record); err != nil {
				if cut++; cut > r.kills { // a server that is killed may leave half a line
					r.breaks("the log", "a line is no record: %.200s", line)
				}
				continue
			}
			if records++; record.Kind == "decision" {
				recorded[record.CallID] = true
			}
		}
	}
	missing := 0
	for id := range r.calls {
		if !recorded[id] {
			missing++
		}
	}
	if missing > 0 {
		r.breaks("the log", "%d of %d counted calls have no record", missing, len(r.calls))
	}
	fmt.Printf("\nstandard output of the servers: %d records, %d of %d counted calls are missing\n\n", records, missing, len(r.calls))
}

// print writes the table.
func (r *rehearsal) print(w io.Writer) {
	t := tabwriter.NewWriter(w, 0, 0, 1, ' ', tabwriter.Debug)
	fmt.Fprintln(t, " phase\t events\t counted\t denied: store\t status 5xx\t no answer\t p50\t p99\t longest\t welcomed again\t loops kept\t passes used (late)")
	for _, o := range r.rows {
		fmt.Fprintf(t, " %s\t %d\t %d\t %d\t %d\t %d\t %s\t %s\t %s\t %d\t %d\t %d (%d)\n", o.name, o.events, o.counted, o.failed, o.refused, o.noAnswer,
			short(o.p50), short(o.p99), short(o.longest), o.again, o.rounds, o.passes, o.late)
	}
	_ = t.Flush() // an error: nobody reads it
	if len(r.broken) == 0 {
		fmt.Fprintln(w, "\nno promise was broken")
		return
	}
	fmt.Fprintf(w, "\n%d promises were broken:\n", len(r.broken))
	for _, why := range r.broken[:min(len(r.broken), 40)] {
		fmt.Fprintln(w, "  "+why)
	}
}

func short(d time.Duration) string {
	if d < 10*time.Millisecond {
		return d.Round(10 * time.Microsecond).String()
	}
	return d.Round(time.Millisecond).String()
}
