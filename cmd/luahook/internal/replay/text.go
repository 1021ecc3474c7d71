package replay

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/luahook/luahook/cmd/luahook/internal/terminal"
	"github.com/luahook/luahook/engine/audit"
	"github.com/luahook/luahook/hooks"
)

// Difference is an outcome as programs read it.
type Difference struct {
	Time    time.Time   `json:"time"`
	Event   hooks.Event `json:"event"`
	Session string      `json:"session,omitempty"`
	Turn    string      `json:"turn,omitempty"`
	Project string      `json:"project,omitempty"`
	Tool    string      `json:"tool,omitempty"`
	CallID  string      `json:"call_id,omitempty"`
	Asked   string      `json:"asked,omitempty"` // of the tool, in words
	Changed []string    `json:"changed"`         // decision, reason, rewrite
	Was     Verdict     `json:"was"`
	Now     Verdict     `json:"now"`
}

// Verdict is what was decided about an event.
type Verdict struct {
	Decision   string         `json:"decision"` // "": no hook objected
	By         string         `json:"by,omitempty"`
	Reason     string         `json:"reason,omitempty"`
	Halt       bool           `json:"halt,omitempty"`
	StopReason string         `json:"stop_reason,omitempty"`
	Modified   bool           `json:"modified,omitempty"`
	Input      map[string]any `json:"input,omitempty"`
	DurationUS int64          `json:"duration_us"`
}

func verdictOf(r *audit.Record) Verdict {
	return Verdict{
		Decision: r.Decision, By: r.Decider(), Reason: r.Reason, Halt: r.Halt, StopReason: r.StopReason,
		Modified: r.Modified, Input: r.Input, DurationUS: r.DurationUS,
	}
}

// Difference describes an outcome that differs; asked is what the tool was called for.
func (o *Outcome) Difference(asked string) Difference {
	r := &o.Was
	d := Difference{
		Time: r.Time, Event: r.Event, Session: r.Session, Turn: r.Turn, Project: r.Project, Tool: r.Tool, CallID: r.CallID, Asked: asked,
		Was: verdictOf(&o.Was), Now: verdictOf(&o.Now), Changed: []string{},
	}
	for _, c := range []struct {
		differs bool
		name    string
	}{{o.Decision, "decision"}, {o.Reason, "reason"}, {o.Rewrite, "rewrite"}} {
		if c.differs {
			d.Changed = append(d.Changed, c.name)
		}
	}
	return d
}

// Text is a difference for people.
func (d *Difference) Text(c terminal.Colour) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %s", terminal.LocalTime(d.Time), c.Title(terminal.OneLine(string(d.Event))))
	if d.Asked != "" {
		fmt.Fprintf(&b, "  %s", terminal.OneLine(d.Asked))
	}
	b.WriteString("\n")
	if slices.Contains(d.Changed, "decision") || slices.Contains(d.Changed, "reason") {
		fmt.Fprintf(&b, "  was    %s\n", d.Was.text(c))
		fmt.Fprintf(&b, "  is now %s\n", d.Now.text(c))
	}
	if slices.Contains(d.Changed, "rewrite") {
		d.writeRewrite(&b, c)
	}
	return b.String()
}

func (v *Verdict) text(c terminal.Colour) string {
	text := "no objection"
	switch v.Decision {
	case "":
	case "deny":
		text = c.Bad(v.Decision)
	case "ask":
		text = c.Care(v.Decision)
	case "allow":
		text = c.Good(v.Decision)
	default:
		text = terminal.OneLine(v.Decision)
	}
	if v.By != "" {
		text += " by " + terminal.OneLine(v.By)
	}
	if v.Reason != "" {
		text += ": " + terminal.OneLine(v.Reason)
	}
	if v.Halt {
		text += ", and the turn ends"
		if v.StopReason != "" && v.StopReason != v.Reason {
			text += ": " + terminal.OneLine(v.StopReason)
		}
	}
	return text
}

// Change is a key of the input that is rewritten in another way.
type Change struct {
	Name     string
	Was, Now string // JSON, or a text as it is; "" where there is none
	Had, Has bool
}

// Rewrite says how the input is rewritten in another way: in words, and by its keys. They are in order.
func (d *Difference) Rewrite() (text string, changes []Change) {
	was, now := d.Was.Input, d.Now.Input
	switch {
	case !d.Was.Modified:
		text = "is now rewritten, and was not"
	case !d.Now.Modified:
		text = "was rewritten, and is not now"
	default:
		text = "is rewritten in another way"
	}
	names := map[string]bool{}
	for _, input := range []map[string]any{was, now} {
		for name := range input {
			names[name] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		c := Change{Name: name}
		c.Was, c.Had = shown(was, name)
		c.Now, c.Has = shown(now, name)
		if c.Had != c.Has || c.Was != c.Now {
			changes = append(changes, c)
		}
	}
	return text, changes
}

// writeRewrite says which keys of the input are rewritten in another way.
func (d *Difference) writeRewrite(b *strings.Builder, colour terminal.Colour) {
	text, changes := d.Rewrite()
	fmt.Fprintf(b, "  %s\n", text)
	for _, c := range changes {
		if c.Had {
			fmt.Fprintf(b, "    %s\n", colour.Bad(terminal.OneLine("- "+c.Name+": "+c.Was)))
		}
		if c.Has {
			fmt.Fprintf(b, "    %s\n", colour.Good(terminal.OneLine("+ "+c.Name+": "+c.Now)))
		}
	}
}

// maxShown bounds a value in a line, in characters.
const maxShown = 300

func shown(input map[string]any, name string) (text string, ok bool) {
	v, ok := input[name]
	if !ok {
		return "", false
	}
	if text, ok = v.(string); !ok {
		line, err := json.Marshal(v)
		if err != nil {
			return err.Error(), true
		}
		text = string(line)
	}
	if runes := []rune(text); len(runes) > maxShown {
		text = string(runes[:maxShown]) + " ..."
	}
	return text, true
}

// Text is the summary for people.
func (s *Summary) Text(c terminal.Colour) string {
	var b strings.Builder
	head := fmt.Sprintf("%d of %d decisions differ", s.Differ.Decision, s.Compared)
	if s.Compared == 1 {
		head = fmt.Sprintf("%d of 1 decision differs", s.Differ.Decision)
	}
	if s.Differ.Decision > 0 {
		head = c.Bad(head)
	} else if s.Compared > 0 {
		head = c.Good(head)
	}
	b.WriteString(head)
	if n := s.Differ.Reason; n > 0 {
		fmt.Fprintf(&b, "; %d more in the reason alone", n)
	}
	if n := s.Differ.Rewrite; n > 0 {
		fmt.Fprintf(&b, "; %s of the input", differ(n, "rewrite"))
	}
	b.WriteString("\n")
	if len(s.now) > 0 {
		fmt.Fprintf(&b, "time: p50 %s, was %s; p99 %s, was %s\n", us(s.Now.P50US), us(s.Was.P50US), us(s.Now.P99US), us(s.Was.P99US))
	}
	for _, l := range s.Left {
		fmt.Fprintf(&b, "not compared: %s: %s", terminal.Counted(l.Records, "event"), l.Text)
		if len(l.What) > 0 {
			fmt.Fprintf(&b, " (%s)", terminal.OneLine(strings.Join(l.What, ", ")))
		}
		if l.Remedy != "" {
			b.WriteString("; " + l.Remedy)
		}
		b.WriteString("\n")
	}
	if missed := slices.ContainsFunc(s.Left, func(l LeftOut) bool { return l.Why != OtherProject && l.Why != Untrusted && l.Why != Gone }); missed && s.Differ.Decision > 0 {
		b.WriteString("a hook that remembers what has happened (store) hasn't seen the events that weren't compared, and may decide otherwise for that alone\n")
	}
	return b.String()
}

func differ(n int, noun string) string {
	if n == 1 {
		return "1 " + noun + " differs"
	}
	return fmt.Sprintf("%s differ", terminal.Counted(n, noun))
}

// us is a time as people read it.
func us(n int64) string {
	d := time.Duration(n) * time.Microsecond
	return cmp.Or(inUnits(d), "0")
}

func inUnits(d time.Duration) string {
	switch {
	case d <= 0:
		return ""
	case d < 100*time.Microsecond:
		return fmt.Sprintf("%.1f µs", float64(d)/float64(time.Microsecond))
	case d < time.Millisecond:
		return fmt.Sprintf("%d µs", d.Microseconds())
	case d < 100*time.Millisecond:
		return fmt.Sprintf("%.1f ms", float64(d)/float64(time.Millisecond))
	}
	return d.Round(time.Millisecond).String()
}
