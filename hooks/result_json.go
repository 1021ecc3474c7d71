package hooks

import (
	"math"
	"strconv"
	"time"
)

// appendJSON appends r as encoding/json writes it, only sooner: a server writes one for each event, and in a process
// that judges a single one, to find the fields of all the types takes longer than to judge. It must not be nil.
func (r *Result) appendJSON(b []byte) ([]byte, error) {
	o := objectWriter{b: append(b, '{')}
	o.text("decision", string(r.Decision), true)
	o.boolean("block", r.Block, true)
	o.text("reason", r.Reason, false)
	o.boolean("modified", r.Modified, false)
	o.other("input", r.Input, r.Input != nil)
	o.other("output", r.Output, r.Output != nil)
	o.text("new_context", r.NewContext, false)
	o.other("contexts", r.Contexts, len(r.Contexts) > 0)
	o.boolean("halt", r.Halt, false)
	o.text("stop_reason", r.StopReason, false)
	o.text("system_message", r.SystemMessage, false)
	o.boolean("suppress_output", r.SuppressOutput, false)
	o.other("data", r.Data, len(r.Data) > 0)
	o.other("warnings", r.Warnings, len(r.Warnings) > 0)
	o.key("summary")
	o.summary(r.Summary())
	return append(o.b, '}'), o.err
}

// summary writes the summary of a firing, as a value.
func (o *objectWriter) summary(s *RunSummary) {
	if s == nil {
		o.b = append(o.b, "null"...)
		return
	}
	o.b = append(o.b, '{')
	o.text("event", string(s.Event), true)
	o.key("generation")
	o.b = strconv.AppendUint(o.b, s.Generation, 10)
	o.time("started_at", s.StartedAt)
	o.float("duration_ms", s.DurationMS)
	o.key("runs")
	if s.Runs == nil {
		o.b = append(o.b, "null}"...)
		return
	}
	o.b = append(o.b, '[')
	for i := range s.Runs {
		if i > 0 {
			o.b = append(o.b, ',')
		}
		o.run(&s.Runs[i])
	}
	o.b = append(o.b, "]}"...)
}

// run writes a run, as a value.
func (o *objectWriter) run(r *Run) {
	o.b = append(o.b, '{')
	o.text("id", r.ID.String(), true)
	o.text("hook", r.Hook, true)
	o.text("event", string(r.Event), true)
	o.text("handler", string(r.Handler), true)
	o.text("mode", string(r.Mode), true)
	o.text("scope", string(r.Scope), true)
	o.text("source", r.Source, false)
	o.integer("order", int64(r.Order), true)
	o.boolean("judging", r.Judging, false)
	o.text("status", string(r.Status), true)
	o.integer("duration_us", r.DurationUS, true)
	o.integer("instructions", r.Instructions, false)
	o.text("decision", string(r.Decision), false)
	o.boolean("modified", r.Modified, false)
	o.entries(r.Entries)
	o.other("error", r.Error, r.Error != nil)
	o.other("command", r.Command, r.Command != nil)
	o.b = append(o.b, '}')
}

func (o *objectWriter) entries(list []Entry) {
	if len(list) == 0 {
		return
	}
	o.key("entries")
	o.b = append(o.b, '[')
	for i, e := range list {
		if i > 0 {
			o.b = append(o.b, ',')
		}
		o.b = append(o.b, '{')
		o.text("kind", string(e.Kind), true)
		o.text("text", e.Text, true)
		o.b = append(o.b, '}')
	}
	o.b = append(o.b, ']')
}

// objectWriter writes the members of objects, in which values are left out unless they are always there or say
// something.
type objectWriter struct {
	b   []byte
	err error // the first
}

// key begins a member, whose name needs no escapes.
func (o *objectWriter) key(name string) {
	if o.b[len(o.b)-1] != '{' {
		o.b = append(o.b, ',')
	}
	o.b = append(append(append(o.b, '"'), name...), '"', ':')
}

func (o *objectWriter) text(name, text string, always bool) {
	if text == "" && !always {
		return
	}
	for i := range len(text) {
		if c := text[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			o.other(name, text, true)
			return
		}
	}
	o.key(name)
	o.b = append(append(append(o.b, '"'), text...), '"')
}

func (o *objectWriter) boolean(name string, v, always bool) {
	if v || always {
		o.key(name)
		o.b = strconv.AppendBool(o.b, v)
	}
}

func (o *objectWriter) integer(name string, v int64, always bool) {
	if v != 0 || always {
		o.key(name)
		o.b = strconv.AppendInt(o.b, v, 10)
	}
}

func (o *objectWriter) float(name string, v float64) {
	if size := math.Abs(v); v != 0 && (size < 1e-6 || size >= 1e21) || v != v {
		o.other(name, v, true) // with an exponent, or it can't be written
		return
	}
	o.key(name)
	o.b = strconv.AppendFloat(o.b, v, 'f', -1, 64)
}

func (o *objectWriter) time(name string, t time.Time) {
	o.key(name)
	text, err := t.AppendText(append(o.b, '"'))
	o.b = append(text, '"')
	o.fail(err)
}

// other writes what has no way of its own.
func (o *objectWriter) other(name string, v any, there bool) {
	if !there {
		return
	}
	text, err := EncodeJSON(v)
	o.key(name)
	o.b = append(o.b, text...)
	o.fail(err)
}

func (o *objectWriter) fail(err error) {
	if o.err == nil {
		o.err = err
	}
}
