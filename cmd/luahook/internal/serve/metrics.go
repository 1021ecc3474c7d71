package serve

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/luahook/luahook/hooks"
)

// otherEvents stands for events that the catalogue doesn't have: everybody can make names up.
const otherEvents hooks.Event = "other"

// What is counted apart.
var (
	decisions     = [...]hooks.Decision{hooks.NoOpinion, hooks.Allow, hooks.Ask, hooks.Deny}
	decisionNames = [...]string{"none", "allow", "ask", "deny"}
	bounds        = [...]float64{.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 5, 30, 60} // seconds, upper ones
)

// metrics count what is served. Several goroutines may use them.
type metrics struct {
	version string
	fires   map[hooks.Event]*[len(decisions)]atomic.Uint64 // by the place in decisions; no event is added
	times   [len(bounds) + 1]atomic.Uint64                 // by the place in bounds; the last is for what is above
	took    atomic.Int64                                   // ns
	atWork  atomic.Int64
	refused [causes]atomic.Uint64
	reloads [2]atomic.Uint64 // those that took over, those that didn't
}

func newMetrics(version string) *metrics {
	m := &metrics{version: version, fires: map[hooks.Event]*[len(decisions)]atomic.Uint64{otherEvents: {}}}
	for _, info := range hooks.Events() {
		m.fires[info.Name] = &[len(decisions)]atomic.Uint64{}
	}
	return m
}

// fired counts an event.
func (m *metrics) fired(event hooks.Event, decision hooks.Decision, took time.Duration) {
	counts, known := m.fires[event]
	if !known {
		counts = m.fires[otherEvents]
	}
	counts[max(slices.Index(decisions[:], decision), 0)].Add(1)
	at, _ := slices.BinarySearch(bounds[:], took.Seconds())
	m.times[at].Add(1)
	m.took.Add(int64(took))
}

// writeMetrics writes all of it in the text format of Prometheus, 0.0.4.
func (s *Server) writeMetrics(w http.ResponseWriter, _ *http.Request) *refusal {
	var p page
	m := s.metrics
	p.family("luahook_fires_total", "counter", "Events fired, by event and decision.")
	for _, event := range slices.Sorted(maps.Keys(m.fires)) {
		for i, name := range decisionNames {
			if n := m.fires[event][i].Load(); n > 0 {
				p.sample("", float64(n), "event", string(event), "decision", name)
			}
		}
	}
	p.family("luahook_fire_duration_seconds", "histogram", "How long events were judged.")
	sum, below := time.Duration(m.took.Load()), uint64(0)
	for i, bound := range bounds {
		below += m.times[i].Load()
		p.sample("_bucket", float64(below), "le", strconv.FormatFloat(bound, 'g', -1, 64))
	}
	below += m.times[len(bounds)].Load()
	p.sample("_bucket", float64(below), "le", "+Inf")
	p.sample("_sum", sum.Seconds())
	p.sample("_count", float64(below))
	p.family("luahook_requests_at_work", "gauge", "Events being read, judged and answered.")
	p.sample("", float64(m.atWork.Load()))
	p.family("luahook_requests_refused_total", "counter", "Requests that were refused, by cause.")
	for c := range causes {
		p.sample("", float64(m.refused[c].Load()), "cause", c.String())
	}
	counted := s.engine.Counters()
	p.family("luahook_hook_failures_total", "counter", "Runs of hooks that failed, by the kind of their error.")
	for _, kind := range slices.Sorted(maps.Keys(counted.Failures)) {
		p.sample("", float64(counted.Failures[kind]), "kind", string(kind))
	}
	p.family("luahook_async_dropped_total", "counter", "Runs of async hooks that didn't fit.")
	p.sample("", float64(counted.AsyncDropped))
	p.family("luahook_reloads_total", "counter", "Reloads that somebody has asked for, by how they ended.")
	p.sample("", float64(m.reloads[0].Load()), "outcome", "done")
	p.sample("", float64(m.reloads[1].Load()), "outcome", "failed")
	p.family("luahook_generation", "gauge", "How often hooks were loaded.")
	policy := s.engine.Policy()
	p.sample("", float64(policy.Generation))
	p.family("luahook_policy_info", "gauge", "The policy in force; always 1.")
	p.sample("", 1, "policy", policy.Digest)
	p.family("luahook_build_info", "gauge", "The program; always 1.")
	p.sample("", 1, "version", cmp.Or(m.version, "unknown"), "goversion", runtime.Version())
	s.write(w, http.StatusOK, "text/plain; version=0.0.4; charset=utf-8", []byte(p.text.String()))
	return nil
}

// page is a text of metrics as it grows.
type page struct {
	text strings.Builder
	name string // of the family
}

func (p *page) family(name, kind, help string) {
	p.name = name
	fmt.Fprintf(&p.text, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
}

// sample adds a value; labels are names and values in turn.
func (p *page) sample(suffix string, value float64, labels ...string) {
	p.text.WriteString(p.name + suffix)
	between := "{"
	for pair := range slices.Chunk(labels, 2) {
		escaped := strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`).Replace(pair[1])
		p.text.WriteString(between + pair[0] + `="` + escaped + `"`)
		between = ","
	}
	if len(labels) > 0 {
		p.text.WriteString("}")
	}
	p.text.WriteString(" " + strconv.FormatFloat(value, 'g', -1, 64) + "\n")
}
