package audit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/internal/redact"
)

// Version is the version of the format. It increases when a reader of the previous one would misread a record,
// not for additional keys.
const Version = 1

// Kind is the kind of a record.
type Kind string

// The kinds.
const (
	// KindDecision is one event and its decision, also if no hook ran, or if the event couldn't be judged.
	KindDecision Kind = "decision"
	// KindRun is the run of an async hook, which ends after its event was decided. In the event's record it is
	// queued.
	KindRun Kind = "run"
	// KindNote is a note of a built-in hook.
	KindNote Kind = "note"
)

// Kinds lists the kinds.
func Kinds() []string { return []string{string(KindDecision), string(KindRun), string(KindNote)} }

// Record is one line of the log. JSON leaves out what doesn't apply.
type Record struct {
	Time     time.Time   `json:"time"` // when the event arrived or the note was made; UTC, in milliseconds
	V        int         `json:"v"`    // [Version]
	Luahook  string      `json:"luahook,omitempty"`
	Host     string      `json:"host,omitempty"` // the agent as a program: claude, codex ...
	Kind     Kind        `json:"kind"`
	Event    hooks.Event `json:"event"`
	Session  string      `json:"session,omitempty"`
	Agent    string      `json:"agent,omitempty"`
	Issue    string      `json:"issue,omitempty"`
	Project  string      `json:"project,omitempty"` // the project's root
	CWD      string      `json:"cwd,omitempty"`
	Tool     string      `json:"tool,omitempty"`     // canonical name
	CallID   string      `json:"call_id,omitempty"`  // of the tool call
	Turn     string      `json:"turn,omitempty"`     // the agent's own name or number of it
	Decision string      `json:"decision,omitempty"` // "": no opinion
	Reason   string      `json:"reason,omitempty"`   // of the decision

	Halt       bool   `json:"halt,omitempty"`
	StopReason string `json:"stop_reason,omitempty"`
	Modified   bool   `json:"modified,omitempty"` // a hook has rewritten something

	Input map[string]any `json:"input,omitempty"` // of the tool, as hooks have rewritten it

	Generation uint64   `json:"generation,omitempty"` // of the hooks
	DurationUS int64    `json:"duration_us,omitempty"`
	Runs       []Run    `json:"runs,omitempty"` // in order
	Warnings   []string `json:"warnings,omitempty"`

	Hook string         `json:"hook,omitempty"` // the hook that made the note
	Note string         `json:"note,omitempty"` // the kind of the note
	Text string         `json:"text,omitempty"`
	Data map[string]any `json:"data,omitempty"` // of a note, or what hooks have answered as data

	// Context is the event as it arrived, with the names of [hooks.DecodeContext], as far as it is kept; see
	// [Given].
	Context map[string]any `json:"context,omitempty"`

	// Cut says that something was too long and was shortened; the texts say by how much.
	Cut bool `json:"cut,omitempty"`
}

// Run is one run of one hook.
type Run struct {
	ID           string        `json:"id,omitempty"` // unique within the engine, "17.2"
	Hook         string        `json:"hook"`
	Scope        string        `json:"scope"`
	Source       string        `json:"source,omitempty"`
	Handler      string        `json:"handler,omitempty"` // lua, go or command
	Order        int           `json:"order,omitempty"`   // place among the hooks of the event, from 1
	Mode         string        `json:"mode,omitempty"`    // parallel or async; "": sync
	Judging      bool          `json:"judging,omitempty"` // of the round that judges rewritten events
	Status       string        `json:"status"`
	Decision     string        `json:"decision,omitempty"` // what it has decided
	Modified     bool          `json:"modified,omitempty"` // it has rewritten the input or the output
	DurationUS   int64         `json:"duration_us"`
	Instructions int64         `json:"instructions,omitempty"` // of Lua's virtual machine
	Entries      []hooks.Entry `json:"entries,omitempty"`      // what it had to say: reasons, contexts, warnings
	Error        *Error        `json:"error,omitempty"`
}

// Error is the cause of a failed run.
type Error struct {
	Kind    string `json:"kind"`
	Limit   string `json:"limit,omitempty"`
	Message string `json:"message"`
}

// RunOf returns the record of a run.
func RunOf(r *hooks.Run) Run {
	if r == nil {
		return Run{}
	}
	run := Run{
		Hook: r.Hook, Scope: string(r.Scope), Source: r.Source, Handler: string(r.Handler), Order: r.Order, Judging: r.Judging,
		Status: string(r.Status), Decision: string(r.Decision), Modified: r.Modified, DurationUS: r.DurationUS, Instructions: r.Instructions, Entries: r.Entries,
	}
	if r.ID != (hooks.RunID{}) {
		run.ID = r.ID.String()
	}
	if r.Mode != hooks.ModeSync {
		run.Mode = string(r.Mode)
	}
	if r.Error != nil {
		run.Error = &Error{Kind: string(r.Error.Kind), Limit: string(r.Error.Limit), Message: r.Error.Message}
	}
	return run
}

// About begins a record about an event, which may be incomplete or nil.
func About(kind Kind, c *hooks.Context) Record {
	r := Record{Time: time.Now(), Kind: kind}
	if c == nil {
		return r
	}
	r.Event, r.Session, r.Agent, r.Issue, r.CWD = c.Event, c.SessionID, c.AgentID, c.IssueID, c.CWD
	if c.ToolCall != nil {
		r.Tool, r.CallID = c.ToolCall.Name, c.ToolCall.ID
	}
	r.Turn = turnOf(c.Metadata)
	return r
}

// turnOf is what agents call a turn, or the prompt that began it; "" where the event doesn't say.
func turnOf(metadata map[string]any) string {
	for _, name := range []string{"turn_id", "turn", "turn_number", "prompt_id", "generation_id"} {
		switch v := metadata[name].(type) {
		case string:
			if v != "" && len(v) <= maxTurn {
				return v
			}
		case int64, float64, json.Number:
			return fmt.Sprint(v)
		}
	}
	return ""
}

// Decided returns the record of an event and its result. event is complete, unless it couldn't be judged; nil: there
// is none. With everything it keeps the texts of the event, too; see [Given].
func Decided(event *hooks.Context, r *hooks.Result, everything bool) Record {
	record := About(KindDecision, event)
	record.Decision, record.Reason, record.Modified = string(r.Decision), r.Reason, r.Modified
	record.Halt, record.StopReason, record.Warnings = r.Halt, r.StopReason, r.Warnings
	summary := r.Summary()
	record.Generation, record.Data = summary.Generation, r.Data
	if event == nil || event.Event == "" {
		record.Event = summary.Event
	} else if event.ToolCall != nil {
		record.Input = r.Input
	}
	for i := range summary.Runs {
		record.Runs = append(record.Runs, RunOf(&summary.Runs[i]))
	}
	record.Context = Given(event, everything)
	return record
}

// Decider returns the hook that has decided, as far as the record tells; "" where none has.
func (r *Record) Decider() string {
	said := ""
	for i := range r.Runs {
		run := &r.Runs[i]
		if run.Status == string(hooks.StatusBlocked) {
			return run.Hook
		}
		for _, e := range run.Entries {
			if said == "" && e.Text != "" && e.Text == r.Reason && (e.Kind == hooks.EntryFeedback || e.Kind == hooks.EntryStop) {
				said = run.Hook
			}
		}
	}
	if said == "" && r.Decision != "" {
		for i := range r.Runs {
			if r.Runs[i].Status == string(hooks.StatusFailed) {
				return r.Runs[i].Hook
			}
		}
	}
	if r.Decision == "" {
		return ""
	}
	return said
}

// Kept returns a record as [Read] would give it after [Log.Append]: without the secrets that redactor knows, and
// within the bounds.
func (r Record) Kept(redactor *redact.Redactor) (Record, error) {
	line, err := r.line(redactor)
	if err != nil {
		return Record{}, err
	}
	var kept Record
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	return kept, d.Decode(&kept)
}

// MaxRecord bounds one line of the log, in bytes.
const MaxRecord = 256 << 10

// longest are the limits of a text in a record, in bytes: the first one that makes the line short enough is
// used.
var longest = []int{64 << 10, 8 << 10, 1 << 10, 200}

// margin is how much more of a text is searched for secrets than is kept, so that no secret stays whose end was
// cut off.
const margin = 8 << 10

const (
	maxTurn     = 200 // bytes; what is longer is no name
	maxRuns     = 200
	maxWarnings = 50
	maxEntries  = 16      // of a run
	maxEntry    = 2 << 10 // bytes of its text
)

// line returns the record as one line, redacted and within the bound, with a newline.
func (r Record) line(redactor *redact.Redactor) ([]byte, error) {
	for _, limit := range longest {
		if !r.mayFit(limit) {
			continue
		}
		b := bounder{limit: limit, redactor: redactor}
		text, err := hooks.EncodeJSON(b.record(r))
		if err != nil {
			return nil, fmt.Errorf("the record can't be written as JSON: %w", err)
		}
		if len(text) < MaxRecord {
			return append(text, '\n'), nil
		}
	}
	// The record has thousands of small values. What was decided still fits.
	b := bounder{limit: longest[len(longest)-1], redactor: redactor, cut: true}
	r.Context, r.Data, r.Input, r.Runs, r.Warnings = nil, nil, nil, nil, nil
	text, err := hooks.EncodeJSON(b.record(r))
	return append(text, '\n'), err
}

// mayFit reports whether the line can be short enough with texts up to a limit: to redact and encode what doesn't fit
// takes long. It doesn't know how much shorter the secrets make it, as a rule not by half.
func (r *Record) mayFit(limit int) bool {
	room := 2 * MaxRecord
	for _, object := range []map[string]any{r.Data, r.Context, r.Input} {
		takeRoom(&room, object, limit)
	}
	return room >= 0
}

// takeRoom takes about what a value needs in JSON from room, as long as there is some.
func takeRoom(room *int, v any, limit int) {
	const signs = 4 // quotes and a comma or a colon
	if *room -= signs; *room < 0 {
		return
	}
	switch v := v.(type) {
	case string:
		*room -= min(len(v), limit)
	case map[string]any:
		for key, e := range v {
			*room -= min(len(key), limit) + signs
			if takeRoom(room, e, limit); *room < 0 {
				return
			}
		}
	case []any:
		for _, e := range v {
			if takeRoom(room, e, limit); *room < 0 {
				return
			}
		}
	}
}

// bounder copies a record so that no text is too long and none holds a secret.
type bounder struct {
	limit    int
	redactor *redact.Redactor
	cut      bool
}

func (b *bounder) record(r Record) Record {
	for _, text := range []*string{
		(*string)(&r.Event), &r.Session, &r.Agent, &r.Issue, &r.Project, &r.CWD, &r.Tool, &r.CallID, &r.Turn, &r.Reason, &r.StopReason, &r.Hook, &r.Note, &r.Text,
	} {
		*text = b.text(*text)
	}
	if len(r.Runs) > maxRuns {
		r.Runs, b.cut = r.Runs[:maxRuns], true
	}
	r.Runs = slices.Clone(r.Runs)
	for i := range r.Runs {
		run := &r.Runs[i]
		run.Hook, run.Source = b.text(run.Hook), b.text(run.Source)
		run.Entries = b.entries(run.Entries)
		if run.Error != nil {
			e := *run.Error
			e.Kind, e.Message = b.text(e.Kind), b.text(e.Message)
			run.Error = &e
		}
	}
	if len(r.Warnings) > maxWarnings {
		r.Warnings, b.cut = r.Warnings[:maxWarnings], true
	}
	r.Warnings = slices.Clone(r.Warnings)
	for i := range r.Warnings {
		r.Warnings[i] = b.text(r.Warnings[i])
	}
	r.Data, r.Context, r.Input = b.object(r.Data), b.object(r.Context), b.object(r.Input)
	r.Cut = r.Cut || b.cut
	return r
}

func (b *bounder) entries(list []hooks.Entry) []hooks.Entry {
	if len(list) > maxEntries {
		list, b.cut = list[:maxEntries], true
	}
	fresh := slices.Clone(list)
	whole := b.limit
	b.limit = min(whole, maxEntry)
	for i := range fresh {
		fresh[i].Text = b.text(fresh[i].Text)
	}
	b.limit = whole
	return fresh
}

func (b *bounder) object(object map[string]any) map[string]any {
	if object == nil {
		return nil
	}
	short, _ := b.value(object).(map[string]any)
	redacted, _ := b.redactor.Value(short)
	object, _ = redacted.(map[string]any)
	return object
}

// value shortens texts that are too long.
func (b *bounder) value(v any) any {
	switch v := v.(type) {
	case string:
		if len(v) > b.limit {
			return b.text(v)
		}
	case map[string]any:
		fresh := make(map[string]any, len(v))
		for key, e := range v {
			if len(key) > b.limit {
				key = b.text(key)
			}
			fresh[key] = b.value(e)
		}
		return fresh
	case []any:
		fresh := make([]any, len(v))
		for i, e := range v {
			fresh[i] = b.value(e)
		}
		return fresh
	}
	return v
}

// text returns a text without secrets, up to the limit; a shortened text says so.
func (b *bounder) text(s string) string {
	if len(s) <= b.limit {
		s, _ = b.redactor.Text(s)
		return s
	}
	b.cut = true
	head, _ := b.redactor.Text(s[:min(len(s), b.limit+margin)])
	kept := max(0, len(head)-margin)
	if len(s) < b.limit+margin {
		kept = min(len(head), b.limit)
	}
	for kept > 0 && kept < len(head) && !utf8.RuneStart(head[kept]) {
		kept--
	}
	return fmt.Sprintf("%s… [cut: %d bytes]", head[:kept], len(s)-min(kept, len(s)))
}
