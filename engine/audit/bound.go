package audit

import (
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/internal/redact"
)

// MaxRecord bounds one line of the log, in bytes.
const MaxRecord = 256 << 10

// longest are how long a text in a record may be, in bytes: the first with which the line
// isn't too long is taken.
var longest = []int{64 << 10, 8 << 10, 1 << 10, 200}

// margin is how much more of a text is searched for secrets than is kept of it, so that
// none is kept whose end was cut off.
const margin = 8 << 10

const (
	maxRuns     = 200
	maxWarnings = 50
)

// line is the record in one line, redacted and within the bound, with a newline.
func (r Record) line(redactor *redact.Redactor) ([]byte, error) {
	for _, limit := range longest {
		b := bounder{limit: limit, redactor: redactor}
		text, err := hooks.EncodeJSON(b.record(r))
		if err != nil {
			return nil, fmt.Errorf("a record that can't be written as JSON: %w", err)
		}
		if len(text) < MaxRecord {
			return append(text, '\n'), nil
		}
	}
	// Thousands of small things. What was decided still fits.
	b := bounder{limit: longest[len(longest)-1], redactor: redactor, cut: true}
	r.Context, r.Data, r.Runs, r.Warnings = nil, nil, nil, nil
	text, err := hooks.EncodeJSON(b.record(r))
	return append(text, '\n'), err
}

// bounder makes a copy of a record in which no text is too long and none holds a secret.
type bounder struct {
	limit    int
	redactor *redact.Redactor
	cut      bool
}

func (b *bounder) record(r Record) Record {
	for _, text := range []*string{
		(*string)(&r.Event), &r.Session, &r.Agent, &r.Issue, &r.Project, &r.CWD, &r.Tool, &r.CallID, &r.Reason, &r.StopReason, &r.Hook, &r.Note, &r.Text,
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
	r.Data, r.Context = b.object(r.Data), b.object(r.Context)
	r.Cut = r.Cut || b.cut
	return r
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

// value cuts the texts that are too long.
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

// text is a text without secrets, up to the limit; what is cut off says so.
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
