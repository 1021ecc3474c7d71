package replay

import (
	"context"
	"fmt"
	"slices"

	"github.com/luahook/luahook/engine/audit"
)

// Summary is what a replay came to.
type Summary struct {
	Records  int       `json:"records"`  // of events that were selected
	Compared int       `json:"compared"` // of them
	Differ   Differ    `json:"differ"`
	Left     []LeftOut `json:"left_out"`
	Broken   int       `json:"broken_lines"`
	Was      Times     `json:"time_was"`
	Now      Times     `json:"time_now"`

	was, now []int64
	left     map[Left]*LeftOut
}

// Differ counts records by what differs.
type Differ struct {
	Decision int `json:"decision"`
	Reason   int `json:"reason"` // where the decision doesn't
	Rewrite  int `json:"rewrite"`
}

// Times are of whole events, in microseconds.
type Times struct {
	P50US int64 `json:"p50_us"`
	P99US int64 `json:"p99_us"`
}

// LeftOut counts the records that couldn't be compared, by the reason.
type LeftOut struct {
	Why     Left     `json:"why"`
	Records int      `json:"records"`
	What    []string `json:"what,omitempty"` // the first few of them: events, projects, functions
	Text    string   `json:"text"`
	Remedy  string   `json:"remedy,omitempty"`
}

// maxWhat is how many examples a summary has of what was left out.
const maxWhat = 5

// Records passes records to yield until it returns false, and counts lines that are none.
type Records func(yield func(audit.Entry) bool) (broken int, err error)

// Run judges the records one after another, in their order, so that hooks which count do so as they did. judge gives
// the judge of a record's project, or why there is none. each is called for each outcome, and ends the replay with
// false. The error is that of the log, of judge, or ctx's.
func Run(ctx context.Context, records Records, judge func(r *audit.Record) (*Judge, Left, error), each func(*Outcome) bool) (*Summary, error) {
	s := &Summary{left: map[Left]*LeftOut{}}
	var failed error
	broken, err := records(func(e audit.Entry) bool {
		if e.Kind != audit.KindDecision {
			return true
		}
		j, left, err := judge(&e.Record)
		o := Outcome{Was: e.Record, Left: left, What: e.Project}
		if err == nil && left == "" {
			o, err = j.Judge(ctx, e.Record)
		}
		if err != nil {
			failed = err
			return false
		}
		s.add(&o)
		return each(&o)
	})
	s.finish(broken)
	if failed == nil {
		failed = err
	}
	return s, failed
}

func (s *Summary) add(o *Outcome) {
	s.Records++
	if o.Left != "" {
		l := s.left[o.Left]
		if l == nil {
			l = &LeftOut{Why: o.Left}
			s.left[o.Left] = l
		}
		l.Records++
		if o.What != "" && len(l.What) < maxWhat && !slices.Contains(l.What, o.What) {
			l.What = append(l.What, o.What)
		}
		return
	}
	s.Compared++
	if o.Now.DurationUS > 0 { // else no hook is registered for the event
		s.was, s.now = append(s.was, o.Was.DurationUS), append(s.now, o.Now.DurationUS)
	}
	for _, c := range []struct {
		differs bool
		count   *int
	}{{o.Decision, &s.Differ.Decision}, {o.Reason, &s.Differ.Reason}, {o.Rewrite, &s.Differ.Rewrite}} {
		if c.differs {
			*c.count++
		}
	}
}

func (s *Summary) finish(broken int) {
	s.Broken = broken
	s.Was, s.Now = timesOf(s.was), timesOf(s.now)
	s.Left = []LeftOut{}
	for _, why := range []Left{Text, Secret, Cut, Effect, Unknown, Unreadable, OtherProject, Untrusted, Gone} {
		if l := s.left[why]; l != nil {
			l.Text, l.Remedy = why.InWords()
			s.Left = append(s.Left, *l)
		}
	}
}

func timesOf(us []int64) Times { return Times{percentile(us, 50), percentile(us, 99)} }

// percentile is the least value that so many percent of all don't exceed; 0 where there are none. It sorts them.
func percentile(values []int64, p int) int64 {
	if len(values) == 0 {
		return 0
	}
	slices.Sort(values)
	return values[(len(values)*p+99)/100-1]
}

// InWords is why records were left out, and what helps.
func (l Left) InWords() (text, remedy string) {
	switch l {
	case Text:
		return "the log keeps only the length of their text", `set "record: events" in your own hooks.yaml, and later events are kept whole`
	case Secret:
		return "a secret was redacted in what hooks judge", ""
	case Cut:
		return "the event was too long for the log, and was cut", ""
	case Effect:
		return "a hook needs something to be done for its decision", "--run-commands does it"
	case Unknown:
		return "this version doesn't know the event", "a newer luahook does"
	case Unreadable:
		return "what was recorded can't be judged", ""
	case OtherProject:
		return "they belong to other projects", "--all-projects takes them in, --recorded-in DIR takes those of one as this project's"
	case Untrusted:
		return "their project isn't trusted", "luahook trust, in its folder"
	case Gone:
		return "their project isn't there any more", ""
	}
	return fmt.Sprintf("%q", l), ""
}
