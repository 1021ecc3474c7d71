package show

import (
	"strconv"

	"github.com/luahook/luahook/hooks"
)

// JSON is what hooks.EncodeJSON makes of a result. It is written field by field:
// to find the fields of all the types in it once takes longer than to judge an event,
// and most processes print one result.
func JSON(r *hooks.Result) ([]byte, error) {
	l := &jsonLine{}
	l.open('{')
	l.text("decision", string(r.Decision))
	l.key("block")
	l.line = strconv.AppendBool(l.line, r.Block)
	l.textIfAny("reason", r.Reason)
	l.ifTrue("modified", r.Modified)
	if r.Input != nil {
		l.value("input", r.Input)
	}
	if r.Output != nil {
		l.value("output", r.Output)
	}
	l.textIfAny("new_context", r.NewContext)
	if len(r.Contexts) > 0 {
		l.value("contexts", r.Contexts)
	}
	l.ifTrue("halt", r.Halt)
	l.textIfAny("stop_reason", r.StopReason)
	l.textIfAny("system_message", r.SystemMessage)
	l.ifTrue("suppress_output", r.SuppressOutput)
	if len(r.Data) > 0 {
		l.value("data", r.Data)
	}
	if len(r.Warnings) > 0 {
		l.value("warnings", r.Warnings)
	}
	if summary := r.Summary(); summary == nil {
		l.value("summary", nil)
	} else {
		l.summary(summary)
	}
	l.close('}')
	return l.line, l.err
}

// jsonLine is a line of JSON as it grows. err is the first of the errors.
type jsonLine struct {
	line []byte
	err  error
}

func (l *jsonLine) summary(s *hooks.RunSummary) {
	l.key("summary")
	l.open('{')
	l.text("event", string(s.Event))
	l.key("generation")
	l.line = strconv.AppendUint(l.line, s.Generation, 10)
	at, err := s.StartedAt.MarshalJSON()
	l.key("started_at")
	l.add(at, err)
	l.value("duration_ms", s.DurationMS)
	if s.Runs == nil {
		l.value("runs", nil)
	} else {
		l.key("runs")
		l.open('[')
		for i := range s.Runs {
			l.next()
			l.run(&s.Runs[i])
		}
		l.close(']')
	}
	l.close('}')
}

func (l *jsonLine) run(r *hooks.Run) {
	l.open('{')
	l.text("id", r.ID.String())
	l.text("hook", r.Hook)
	l.text("event", string(r.Event))
	l.text("handler", string(r.Handler))
	l.text("mode", string(r.Mode))
	l.text("scope", string(r.Scope))
	l.textIfAny("source", r.Source)
	l.number("order", int64(r.Order))
	l.ifTrue("judging", r.Judging)
	l.text("status", string(r.Status))
	l.number("duration_us", r.DurationUS)
	if r.Instructions != 0 {
		l.number("instructions", r.Instructions)
	}
	l.textIfAny("decision", string(r.Decision))
	l.ifTrue("modified", r.Modified)
	if len(r.Entries) > 0 {
		l.key("entries")
		l.open('[')
		for _, e := range r.Entries {
			l.next()
			l.open('{')
			l.text("kind", string(e.Kind))
			l.text("text", e.Text)
			l.close('}')
		}
		l.close(']')
	}
	if r.Error != nil {
		l.value("error", r.Error)
	}
	if r.Command != nil {
		l.value("command", r.Command)
	}
	l.close('}')
}

func (l *jsonLine) open(bracket byte)  { l.line = append(l.line, bracket) }
func (l *jsonLine) close(bracket byte) { l.line = append(l.line, bracket) }

// next sets what follows off from what stands before it.
func (l *jsonLine) next() {
	if last := l.line[len(l.line)-1]; last != '{' && last != '[' {
		l.line = append(l.line, ',')
	}
}

func (l *jsonLine) key(name string) {
	l.next()
	l.line = append(l.line, '"')
	l.line = append(l.line, name...)
	l.line = append(l.line, `":`...)
}

func (l *jsonLine) add(text []byte, err error) {
	l.line = append(l.line, text...)
	if l.err == nil {
		l.err = err
	}
}

func (l *jsonLine) value(key string, v any) {
	text, err := hooks.EncodeJSON(v)
	l.key(key)
	l.add(text, err)
}

func (l *jsonLine) number(key string, n int64) {
	l.key(key)
	l.line = strconv.AppendInt(l.line, n, 10)
}

func (l *jsonLine) ifTrue(key string, v bool) {
	if v {
		l.key(key)
		l.line = append(l.line, "true"...)
	}
}

func (l *jsonLine) textIfAny(key, text string) {
	if text != "" {
		l.text(key, text)
	}
}

func (l *jsonLine) text(key, text string) {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			l.value(key, text) // which knows how such are written
			return
		}
	}
	l.key(key)
	l.line = append(l.line, '"')
	l.line = append(l.line, text...)
	l.line = append(l.line, '"')
}
