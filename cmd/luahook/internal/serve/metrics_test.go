package serve

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/luahook/luahook/hooks"
)

// TestMetrics holds what is counted against what was sent.
func TestMetrics(t *testing.T) {
	s := newServer(t, newEngine(t, noRm+`
on("pre_prompt", {on_failure = "warn"}, function() error("broken") end)`), func(o *Options) { o.Version = "v1\"\\\n" })
	for _, body := range []string{bash("rm"), bash("rm"), bash("ls"), bash("ask"), `{"event":"a.b"}`, `{"event":"c.d"}`, `{"event":"PrePrompt","prompt":"x"}`, "nonsense"} {
		post(s, "/v1/fire", body)
	}
	post(s, "/v1/agents/claude", claudeBash("rm"))
	post(s, "/v1/fire", bash("ls"), "Host", "evil.example")
	page := text(t, send(s, http.MethodGet, "/metrics", ""))
	for _, line := range []string{
		`luahook_fires_total{event="pre_tool_call",decision="deny"} 3`,
		`luahook_fires_total{event="pre_tool_call",decision="none"} 1`,
		`luahook_fires_total{event="pre_tool_call",decision="ask"} 1`,
		`luahook_fires_total{event="other",decision="none"} 2`, // so that nobody makes lines up
		`luahook_fire_duration_seconds_bucket{le="+Inf"} 8`,
		`luahook_fire_duration_seconds_count 8`,
		`luahook_requests_at_work 0`,
		`luahook_requests_refused_total{cause="host"} 1`,
		`luahook_requests_refused_total{cause="event"} 1`,
		`luahook_requests_refused_total{cause="token"} 0`,
		`luahook_hook_failures_total{kind="script"} 1`,
		`luahook_async_dropped_total 0`,
		`luahook_build_info{version="v1\"\\\n",goversion="`,
	} {
		if !strings.Contains(page, line) {
			t.Errorf("there is no %s in\n%s", line, page)
		}
	}
	// Each line is one of the format, and each sample belongs to the family above it.
	help, kind := regexp.MustCompile(`^# HELP (\w+) \S.*$`), regexp.MustCompile(`^# TYPE (\w+) (counter|gauge|histogram)$`)
	sample := regexp.MustCompile(`^(\w+?)(_bucket|_sum|_count)?(\{\w+="([^"\\]|\\.)*"(,\w+="([^"\\]|\\.)*")*\})? ([0-9.e+-]+)$`)
	family := ""
	for line := range strings.Lines(page) {
		line = strings.TrimSuffix(line, "\n")
		if m := help.FindStringSubmatch(line); m != nil {
			family = m[1]
		} else if m := kind.FindStringSubmatch(line); m != nil {
			if m[1] != family {
				t.Errorf("%q stands below the help of %s", line, family)
			}
		} else if m := sample.FindStringSubmatch(line); m == nil || m[1] != family && m[1]+m[2] != family {
			t.Errorf("%q is no sample of %s", line, family)
		}
	}
}

// Each bucket of the histogram counts those below it, too.
func TestHistogram(t *testing.T) {
	s := newServer(t, newEngine(t, ""), nil)
	for _, d := range []time.Duration{0, 100 * time.Microsecond, 101 * time.Microsecond, 3 * time.Millisecond, time.Hour} {
		s.metrics.fired(hooks.Stop, hooks.NoOpinion, d)
	}
	page := text(t, send(s, http.MethodGet, "/metrics", ""))
	for le, want := range map[string]int{"0.0001": 2, "0.00025": 3, "0.0025": 3, "0.005": 4, "60": 4, "+Inf": 5} {
		if line := fmt.Sprintf("_bucket{le=%q} %d\n", le, want); !strings.Contains(page, line) {
			t.Errorf("there is no %s in\n%s", line, page)
		}
	}
	if !strings.Contains(page, "luahook_fire_duration_seconds_sum 3600.003201\n") {
		t.Errorf("the sum is wrong:\n%s", page)
	}
}
