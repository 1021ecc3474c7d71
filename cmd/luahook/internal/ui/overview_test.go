package ui

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/luahook/luahook/cmd/luahook/internal/logindex"
	"github.com/luahook/luahook/cmd/luahook/internal/logindex/logindextest"
	. "github.com/luahook/luahook/cmd/luahook/internal/markup"
)

// written is a log of lines.
func written(t *testing.T, lines ...string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "decisions.jsonl"), []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// textOf is a page without its markup, with blanks in the places of elements.
func textOf(page string) string {
	text := regexp.MustCompile(`<[^>]*>`).ReplaceAllString(page, " ")
	return regexp.MustCompile(`\s+`).ReplaceAllString(text, " ")
}

// The numbers are those of the log, counted by hand.
func TestOverview(t *testing.T) {
	s := newServer(t, "log", "")
	var events, denied, asked, failed int
	var times []uint32
	runs := map[string]int{}
	files, err := filepath.Glob("testdata/log/*.jsonl")
	if err != nil || len(files) < 2 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			var r struct {
				Kind, Decision string
				DurationUS     uint32 `json:"duration_us"`
				Runs           []struct{ Hook, Status string }
			}
			if err := json.Unmarshal([]byte(line), &r); err != nil {
				t.Fatal(err)
			}
			bad := false
			for _, run := range r.Runs {
				bad = bad || run.Status == "failed"
				if run.Status != "queued" && run.Status != "skipped" {
					runs[run.Hook]++
				}
			}
			if bad {
				failed++
			}
			if r.Kind == "decision" {
				events++
				times = append(times, r.DurationUS)
				switch r.Decision {
				case "deny":
					denied++
				case "ask":
					asked++
				}
			}
		}
	}
	slices.Sort(times)
	page := get(t, s, "overview")
	text := textOf(page)
	contains(t, text, fmt.Sprintf("Events %d ", events), fmt.Sprintf("Denied %d ", denied), fmt.Sprintf("Asked %d ", asked), fmt.Sprintf("Failures %d ", failed),
		"Event time, p50 "+took(times[(len(times)+1)/2-1]), "Event time, p99 "+took(times[(len(times)*99+99)/100-1]),
		"safety-guard: git.push-force 1 0", "limit: instructions", "By sub-agent", "the main agent", "a-sql",
		"4 May 2026", "1 hour each", "gpt-5.5-codex 37 3,372,570", "Money, added up")
	for hook, n := range runs {
		contains(t, text, fmt.Sprintf(" %s %d ", hook, n))
	}
	// What is counted is found: each link of a column leads to as many events as it says.
	rows := regexp.MustCompile(`<tr><th scope="row"><a href="([^"]*kind=decision[^"]*)">.*?</tr>`).FindAllStringSubmatch(page, -1)
	if len(rows) < 10 {
		t.Fatalf("%d columns have numbers", len(rows))
	}
	all := 0
	for _, row := range rows {
		cells := regexp.MustCompile(`>(\d+)</td>`).FindAllStringSubmatch(row[0], -1)
		path := strings.TrimPrefix(strings.ReplaceAll(row[1], "&amp;", "&"), "/"+testToken+"/")
		found := len(rowsOf(get(t, s, path)))
		if fmt.Sprint(found) != cells[4][1] {
			t.Errorf("%s has %d records, the table says %s", path, found, cells[4][1])
		}
		all += found
	}
	if all != events {
		t.Errorf("the columns have %d events of %d", all, events)
	}
	for _, name := range []string{"deny", "ask", "failed"} {
		want := map[string]int{"deny": denied, "ask": asked, "failed": failed}[name]
		if found := len(rowsOf(get(t, s, "now?decision="+name))); found != want {
			t.Errorf("%d records are found by %s, %d are counted", found, name, want)
		}
	}
}

// All that a page leads to is there, also where names are hostile.
func TestOverviewLinks(t *testing.T) {
	for _, log := range []string{"log", "hostile"} {
		s := newServer(t, log, "")
		for _, query := range []string{"", "?range=hour", "?range=day", "?range=week", "?host=plain", "?decision=deny", "?hook=safety-guard&range=day"} {
			page := get(t, s, "overview"+query)
			seen := map[string]bool{}
			for _, path := range links(page, "/"+testToken+"/[^\"]*") {
				if !seen[path] && !strings.HasPrefix(path, "static/") {
					seen[path] = true
					get(t, s, strings.ReplaceAll(path, "&#39;", "'"))
				}
			}
		}
	}
}

// A time is counted back from the newest record, not from today.
func TestOverviewRange(t *testing.T) {
	at := func(ago time.Duration, decision string) string {
		return fmt.Sprintf(`{"time":%q,"v":1,"kind":"decision","event":"pre_tool_call","host":"h","decision":%q}`, time.Date(2026, 5, 7, 12, 0, 0, 0, time.UTC).Add(-ago).Format(time.RFC3339), decision)
	}
	s := newServer(t, written(t, at(8*24*time.Hour, "deny"), at(3*24*time.Hour, "deny"), at(5*time.Hour, "ask"), at(30*time.Minute, "allow"), at(0, "")), "")
	for query, want := range map[string]string{
		"":                           "Events 5 Denied 2 40 % Asked 1 20 %",
		"?range=all":                 "Events 5 Denied 2",
		"?range=week":                "Events 4 Denied 1 25 % Asked 1",
		"?range=day":                 "Events 3 Denied 0 Asked 1 33 %",
		"?range=hour":                "Events 2 Denied 0 Asked 0",
		"?range=hour&decision=allow": "Events 1 Denied 0",
		"?range=hour&decision=deny":  "No record of this time passes the filter",
		"?host=nobody":               "No record of this time passes the filter",
		"?decision=no%20such":        "No record of this time passes the filter",
	} {
		contains(t, textOf(get(t, s, "overview"+query)), want)
	}
	for query, want := range map[string]string{
		"overview?range=year":            "There is no range &#34;year&#34;",
		"overview?range=%3Cscript%3E":    "&lt;script&gt;",
		"overview?text=x":                "can&#39;t be filtered by &#34;text&#34;",
		"overview?since=2026-05-07":      "can&#39;t be filtered by &#34;since&#34;",
		"now?since=yesterday":            "since is no time",
		"now?until=99999999999999999999": "until is no time",
		"now/stream?since=2026-05-07":    "since is no time",
		"now?since=%3Cimg%20src%3Dx%3E":  "&lt;img",
	} {
		r := ask(s, http.MethodGet, "/"+testToken+"/"+query, "")
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Fatal(err)
		}
		if r.StatusCode != http.StatusBadRequest || !strings.Contains(string(body), want) {
			t.Errorf("%s: %d %s", query, r.StatusCode, body)
		}
	}
	for query, want := range map[string]int{
		"since=2026-05-07T07:00:00Z":                                   3,
		"since=2026-05-07T07:00:00Z&until=2026-05-07T12:00:00%2B00:00": 2,
		"since=1778155200000":                                          1,
		"until=0":                                                      0,
		"since=-9223372036854775808&until=9223372036854775807":         5,
	} {
		page := get(t, s, "now?"+query)
		if n := len(rowsOf(page)); n != want {
			t.Errorf("now?%s has %d records, want %d", query, n, want)
		}
		if strings.Contains(query, "since") && !strings.Contains(page, `name="since"`) {
			t.Errorf("the form of now?%s forgets the time", query)
		}
	}
}

// Clocks that are wrong, few records and many names leave the page sane.
func TestOverviewStrangeLogs(t *testing.T) {
	line := func(at string) string {
		return fmt.Sprintf(`{"time":%q,"v":1,"kind":"decision","event":"pre_tool_call","decision":"deny"}`, at)
	}
	const good = "2026-05-07T12:00:00.5Z"
	manyHooks := make([]string, 300)
	for i := range manyHooks {
		manyHooks[i] = fmt.Sprintf(`{"time":%q,"v":1,"kind":"decision","event":"stop","host":"host %d","decision":"ask","reason":"reason %d","runs":[{"hook":"hook %d","scope":"user","status":"failed","duration_us":%d,"error":{"kind":"script"}}]}`, good, i, i, i, i)
	}
	for name, test := range map[string]struct {
		lines []string
		want  []string
	}{
		"one record":           {[]string{line(good)}, []string{"Events 1 ", "1 second each", "p50 0 µs", "No run of a hook has failed", "No hook ran", "No record here has costs"}},
		"one millisecond":      {[]string{line(good), line(good), line(good)}, []string{"Events 3 ", "1 second each"}},
		"backwards":            {[]string{line(good), line("2026-05-07T11:00:00Z"), line("2026-05-07T12:00:00Z")}, []string{"Events 3 ", "1 minute each"}},
		"year 1 and 9999":      {[]string{line("0001-01-02T00:00:00Z"), line("9999-12-31T23:59:59.999Z"), line(good), line("1970-01-01T00:00:00Z")}, []string{"Events 4 ", "3 events can't be drawn"}},
		"no time is right":     {[]string{line("0001-01-02T00:00:00Z"), line("9999-12-31T23:59:59.999Z")}, []string{"Events 2 ", "No record has a time that can be drawn"}},
		"a century":            {[]string{line("2000-01-01T00:00:00Z"), line("2099-12-31T23:59:59.999Z")}, []string{"Events 2 ", "2 years each"}},
		"notes alone":          {[]string{`{"time":"2026-05-07T12:00:00Z","v":1,"kind":"note","hook":"error-logger","note":"n","text":"t"}`}, []string{"Events 0 "}},
		"many names":           {manyHooks, []string{"285 further rules", "285 further agents", "280 further kinds", "250 further hooks", "Failures 300 "}},
		"a kind of its own":    {[]string{`{"time":"2026-05-07T12:00:00Z","v":1,"kind":"new","event":"x"}`}, []string{"Events 0 "}},
		"durations at the end": {[]string{`{"time":"2026-05-07T12:00:00Z","v":1,"kind":"decision","event":"x","duration_us":99999999999,"runs":[{"hook":"h","status":"completed","duration_us":99999999999,"instructions":99999999999},{"hook":"h","status":"completed","duration_us":-5}]}`}, []string{"h 2 0 µs 1 h 11 min", "Events 1 "}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newServer(t, written(t, test.lines...), "")
			for _, r := range ranges {
				page := get(t, s, "overview?range="+r.name)
				if n := len(page); n > 1<<20 {
					t.Errorf("%d bytes", n)
				}
				for _, word := range []string{"NaN", "Inf", "panic", "%!"} {
					if strings.Contains(page, word) {
						t.Errorf("the page of range %s has %q", r.name, word)
					}
				}
			}
			contains(t, strings.ReplaceAll(textOf(get(t, s, "overview")), "&#39;", "'"), test.want...)
		})
	}
}

// What hooks use is held against their limits of today.
func TestOverviewLimits(t *testing.T) {
	line := `{"time":"2026-05-07T12:00:00Z","v":1,"kind":"decision","event":"pre_tool_call","runs":[{"hook":"guard","status":"completed","duration_us":850000,"instructions":4600000},{"hook":"gone","status":"completed","duration_us":850000,"instructions":4600000},{"hook":"quick","status":"completed","duration_us":200000,"instructions":50000},{"hook":"guard","status":"queued"},{"hook":"guard","status":"skipped"}]}`
	s := newServer(t, written(t, line), `on("pre_tool_call", {name = "guard"}, function() end)
on("pre_tool_call", {name = "quick", timeout = "500ms"}, function() end)`)
	contains(t, textOf(get(t, s, "overview")), "guard 1 850.0 ms 850.0 ms 850.0 ms", "! 92 % of 5,000,000", "! 85 % of 1 s", " 1.0 % of 5,000,000 40 % of 500 ms", "gone 1 850.0 ms 850.0 ms 850.0 ms 850.0 ms 45 % Times of gone: 100 % of runs took 500 ms to 1 s, the others up to 850.0 ms – –")
}

// A record that is newer than the page is in the next one; until then the page isn't made twice.
func TestOverviewIsKept(t *testing.T) {
	a, b := &logindex.View{}, &logindex.View{}
	var o overviews
	made := 0
	body := func(v *logindex.View, generation uint64, key string) {
		if _, err := o.get(v, generation, key, func() (Node, error) { made++; return Node{}, nil }); err != nil {
			t.Fatal(err)
		}
	}
	for _, step := range []struct {
		v          *logindex.View
		generation uint64
		key        string
		want       int
	}{{a, 1, "", 1}, {a, 1, "", 1}, {a, 1, "range=day", 2}, {a, 1, "", 2}, {a, 2, "", 3}, {b, 2, "", 4}, {b, 2, "", 4}} {
		if body(step.v, step.generation, step.key); made != step.want {
			t.Errorf("%+v: made %d times", step, made)
		}
	}
	for i := range 100 {
		body(b, 2, fmt.Sprint(i))
	}
	if len(o.bodies) > maxOverviews {
		t.Errorf("%d are kept", len(o.bodies))
	}
}

// Counting in parts, with and without a filter, comes to the same as counting row by row.
func TestSumOf(t *testing.T) {
	dir := t.TempDir()
	const records = 40_000
	if err := logindextest.Write(dir, records); err != nil {
		t.Fatal(err)
	}
	v := newServer(t, dir, "").Index.View()
	for _, q := range []logindex.Query{{}, {Host: "codex"}, {Decision: "deny"}, {Since: logindextest.Begin.Add(time.Hour), Until: logindextest.Begin.Add(9 * time.Hour)}} {
		got, err := sumOf(context.Background(), v, q)
		if err != nil {
			t.Fatal(err)
		}
		want := newSum(0)
		for i := range v.Len() {
			r := v.Row(i)
			pass := (q.Host == "" || v.Name(r.Host) == q.Host) && (q.Decision == "" || r.Decision == logindex.Deny) &&
				(q.Since.IsZero() || r.Time >= q.Since.UnixMilli() && r.Time < q.Until.UnixMilli())
			if r.Cost != nil {
				want.costs = append(want.costs, costRow{i, r.Session, r.Project, r.Host, r.Time, *r.Cost, pass})
			}
			if pass {
				want.add(i, &r)
			}
		}
		if got.records != want.records || got.events != want.events || got.failed != want.failed || got.first != want.first || got.last != want.last {
			t.Errorf("%+v: %d records, %v; want %d, %v", q, got.records, got.events, want.records, want.events)
		}
		if !slices.Equal(got.costs, want.costs) || !slices.Equal(slices.Concat(got.times...), want.times[0]) || !alike(&got.durations, &want.durations) {
			t.Errorf("%+v: costs, times or durations differ", q)
		}
		for id := range want.runs {
			if g, w := got.runs.of(logindex.ID(id)), want.runs[id]; !alike(&g.durations, &w.durations) || !alike(&g.instructions, &w.instructions) {
				t.Errorf("%+v: the runs of %s differ", q, v.Name(logindex.ID(id)))
			}
		}
		for of, w := range want.failures {
			if g := got.failures[of]; g == nil || *g != *w {
				t.Errorf("%+v: failures of %s: %v, want %v", q, v.Name(of.hook), g, w)
			}
		}
	}
	ended, stop := context.WithCancel(context.Background())
	stop()
	if _, err := sumOf(ended, v, logindex.Query{}); err == nil {
		t.Error("it goes on when nobody waits any more")
	}
}

// alike reports whether two have counted the same.
func alike(a, b *distribution) bool {
	same := a.n == b.n && a.total == b.total && a.highest == b.highest && slices.Equal(a.histogram(), b.histogram())
	for part := 0.; part <= 1; part += .01 {
		same = same && a.percentile(part) == b.percentile(part)
	}
	return same
}

// Percentiles are those of the sorted values: exactly while they are few, and else at most 1/256 more.
func TestDistribution(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{0, 1, 2, 100, maxFew, maxFew + 1, 3*maxFew - 100, 5 * maxFew} {
		var one distribution
		var parts [3]distribution
		var values []uint32
		for range n {
			v := random.Uint32() >> random.IntN(32)
			if random.IntN(50) == 0 {
				v = []uint32{0, 1, 255, 256, 511, 512, 513, 1<<32 - 1}[random.IntN(8)]
			}
			values = append(values, v)
			one.add(v)
			parts[random.IntN(3)].add(v)
		}
		parts[0].join(&parts[1])
		parts[0].join(&parts[2])
		slices.Sort(values)
		for _, d := range []*distribution{&one, &parts[0]} {
			for _, part := range []float64{0, .01, .5, .9, .99, .999, 1} {
				want := uint32(0)
				if n > 0 {
					want = values[max(int(math.Ceil(part*float64(n))), 1)-1]
				}
				got := d.percentile(part)
				if got < want || uint64(got) > uint64(want)+uint64(want)/256 || n <= maxFew && got != want {
					t.Errorf("of %d values, %v is %d, want %d", n, part, got, want)
				}
			}
			counts, all := d.histogram(), 0
			for i, count := range counts {
				all += count
				below := 0
				for _, v := range values {
					if v <= timeSteps[i] {
						below++
					}
				}
				if off := all - below; n <= maxFew && off != 0 || off > 0 || -off > n/50 {
					t.Errorf("of %d values, %d are up to %d, want %d", n, all, timeSteps[i], below)
				}
			}
			if all != n || d.n != n {
				t.Errorf("of %d values, %d are counted", n, all)
			}
		}
	}
}
