package main

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
	"unicode/utf8"

	"github.com/luahook/luahook/internal/excerpt"
	"github.com/luahook/luahook/internal/redact"
)

// Bounds of what is kept. What goes beyond is counted all the same.
const (
	mostKnown  = 2 << 20  // calls that are known when they come again
	mostTimes  = 1 << 20  // times
	mostPassed = 10_000   // calls that pass, for the list
	mostUnread = 20       // lines that can't be read, by name
	keptBytes  = 64 << 10 // of an example
	shownBytes = 240      // of an example in the text
)

// report is what comes of the calls. Its fields are those of the JSON form.
type report struct {
	Calls     int       `json:"calls"`
	Distinct  int       `json:"distinct"`
	Denied    int       `json:"denied"`
	Asked     int       `json:"asked"`
	Errors    int       `json:"errors"`
	MedianUS  float64   `json:"median_us"` // of one judgement; calls that come again are judged once
	P95US     float64   `json:"p95_us"`
	Stops     []*stop   `json:"stops"`
	Passed    []example `json:"passed,omitempty"`
	LeftOff   int       `json:"passed_left_off,omitempty"`
	Unread    int       `json:"unread,omitempty"`
	UnreadAre []unread  `json:"unread_lines,omitempty"`

	o      options
	judge  func(call) verdict
	known  map[[16]byte]*stop // nil for those that pass
	stops  map[string]*stop
	times  []time.Duration
	hidden *redact.Redactor
}

// stop is what a rule stops, or what can't be judged.
type stop struct {
	Rule     string    `json:"rule"`
	Decision string    `json:"decision"`
	Calls    int       `json:"calls"`
	Distinct int       `json:"distinct"`
	Examples []example `json:"examples,omitempty"`
}

// example is a call without its secrets.
type example struct {
	Where  string `json:"where"`
	Tool   string `json:"tool,omitempty"` // if it is no shell
	Text   string `json:"command"`        // or the input of a tool that is no shell
	Reason string `json:"reason,omitempty"`
}

type unread struct {
	Where string `json:"where"`
	Why   string `json:"why"`
}

func newReport(o options, judge func(call) verdict) *report {
	return &report{
		o: o, judge: judge, known: map[[16]byte]*stop{}, stops: map[string]*stop{},
		hidden: redact.New(os.Environ()),
	}
}

// take judges a call, and counts it.
func (r *report) take(c call) {
	r.Calls++
	input, _ := json.Marshal([]any{c.tool, c.cwd, c.input})
	sum := sha256.Sum256(input)
	key := [16]byte(sum[:16])
	s, known := r.known[key]
	if !known {
		r.Distinct++
		s = r.first(c)
		if len(r.known) < mostKnown {
			r.known[key] = s
		}
	}
	if s == nil {
		return
	}
	s.Calls++
	switch s.Decision {
	case denies:
		r.Denied++
	case asks:
		r.Asked++
	default:
		r.Errors++
	}
}

// first judges a call that hasn't come before. It returns nil if the call passes.
func (r *report) first(c call) *stop {
	v := r.judge(c)
	if len(r.times) < mostTimes {
		r.times = append(r.times, v.took)
	}
	if v.decision == passes {
		if !r.listsPassed() {
		} else if len(r.Passed) < mostPassed {
			r.Passed = append(r.Passed, r.example(c, v))
		} else {
			r.LeftOff++
		}
		return nil
	}
	s := r.stops[v.decision+" "+v.rule]
	if s == nil {
		s = &stop{Rule: v.rule, Decision: v.decision}
		r.stops[v.decision+" "+v.rule] = s
	}
	s.Distinct++
	if len(s.Examples) < r.o.examples {
		s.Examples = append(s.Examples, r.example(c, v))
	}
	return s
}

func (r *report) listsPassed() bool { return r.o.passed || r.o.expect == "block" }

// example redacts a call: commands have secrets in them.
func (r *report) example(c call, v verdict) example {
	e := example{Where: c.where}
	if command, ok := c.input["command"].(string); ok {
		e.Text = command
	} else {
		input, _ := json.Marshal(c.input)
		e.Text = string(input)
	}
	if c.tool != "bash" && c.tool != "Bash" {
		e.Tool = c.tool
	}
	e.Text, _ = r.hidden.Text(e.Text) // before it is cut: half a secret isn't recognised
	e.Text = cut(e.Text, keptBytes)
	e.Reason, _ = r.hidden.Text(v.reason)
	return e
}

func (r *report) unread(where, why string) {
	r.Unread++
	if len(r.UnreadAre) < mostUnread {
		r.UnreadAre = append(r.UnreadAre, unread{where, why})
	}
}

// differing counts what was judged otherwise than expected. A line that can't be read wasn't judged at all.
func (r *report) differing() int {
	switch stopped := r.Denied + r.Asked; r.o.expect {
	case "pass":
		return stopped + r.Errors + r.Unread
	case "block":
		return r.Calls - stopped + r.Unread
	}
	return 0
}

func (r *report) write(out io.Writer) error {
	r.Stops = []*stop{}
	for _, s := range r.stops {
		r.Stops = append(r.Stops, s)
	}
	slices.SortFunc(r.Stops, func(a, b *stop) int {
		return cmp.Or(b.Calls-a.Calls, strings.Compare(a.Rule, b.Rule), strings.Compare(a.Decision, b.Decision))
	})
	slices.Sort(r.times)
	r.MedianUS, r.P95US = r.percentile(50), r.percentile(95)
	if r.o.json {
		e := json.NewEncoder(out)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		return e.Encode(r)
	}
	_, err := io.WriteString(out, r.text())
	return err
}

func (r *report) percentile(p int) float64 {
	if len(r.times) == 0 {
		return 0
	}
	return float64(r.times[(len(r.times)-1)*p/100].Nanoseconds()) / 1000
}

func (r *report) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d calls, %d distinct: %d denied, %d asked about (%s), %d errors\n",
		r.Calls, r.Distinct, r.Denied, r.Asked, share(r.Denied+r.Asked, r.Calls), r.Errors)
	fmt.Fprintf(&b, "time per call: median %.0f µs, 95 %% within %.0f µs\n", r.MedianUS, r.P95US)
	if r.Unread > 0 {
		fmt.Fprintf(&b, "%d lines can't be read:\n", r.Unread)
		for _, u := range r.UnreadAre {
			fmt.Fprintf(&b, "    %s: %s\n", u.Where, u.Why)
		}
	}
	if len(r.Stops) > 0 {
		b.WriteString("\n")
		w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
		for _, s := range r.Stops {
			fmt.Fprintf(w, "%d\t%s\t%s\n", s.Calls, s.Decision, s.Rule)
		}
		w.Flush()
	}
	for _, s := range r.Stops {
		if len(s.Examples) > 0 {
			fmt.Fprintf(&b, "\n%s (%s, %d calls, %d distinct)\n", s.Rule, s.Decision, s.Calls, s.Distinct)
		}
		for _, e := range s.Examples {
			fmt.Fprintf(&b, "    %s\n        %s: %s\n", e.line(), e.Where, oneLine(e.Reason))
		}
	}
	if len(r.Passed) > 0 {
		fmt.Fprintf(&b, "\npassed (%d distinct)\n", len(r.Passed)+r.LeftOff)
		for _, e := range r.Passed {
			fmt.Fprintf(&b, "    %s\n", e.line())
		}
	}
	if r.LeftOff > 0 {
		fmt.Fprintf(&b, "    ... and %d more\n", r.LeftOff)
	}
	return b.String()
}

func share(part, of int) string {
	return fmt.Sprintf("%.2f %%", 100*float64(part)/float64(max(of, 1)))
}

func (e example) line() string {
	if e.Tool != "" {
		return e.Tool + " " + oneLine(e.Text)
	}
	return oneLine(e.Text)
}

// oneLine writes a text for a terminal: on one line, not too long, and without what a terminal would obey.
func oneLine(text string) string {
	text = strings.Map(func(c rune) rune {
		switch {
		case c == '\n':
			return '⏎'
		case c < ' ' || c >= 0x7f && c < 0xa0 || c == utf8.RuneError || c >= 0x202a && c <= 0x202e || c >= 0x2066 && c <= 0x2069:
			return ' '
		}
		return c
	}, text)
	return cut(text, shownBytes)
}

func cut(text string, bytes int) string {
	if len(text) <= bytes {
		return text
	}
	return strings.Clone(excerpt.Beginning(text, bytes)) + " …"
}
