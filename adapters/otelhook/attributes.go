package otelhook

import (
	"context"
	"errors"
	"strings"
	"unicode/utf8"

	"go.opentelemetry.io/otel/attribute"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// runEvent is the span event of a run. Its name and attributes follow the conventions for events, which are the same
// for those of spans and those of logs.
const runEvent = "luahook.hook.run"

// Attributes of OpenTelemetry's conventions.
const (
	errorTypeKey    = attribute.Key("error.type")
	conversationKey = attribute.Key("gen_ai.conversation.id")
	agentIDKey      = attribute.Key("gen_ai.agent.id")
	agentNameKey    = attribute.Key("gen_ai.agent.name")
	toolNameKey     = attribute.Key("gen_ai.tool.name")
	toolCallKey     = attribute.Key("gen_ai.tool.call.id")
)

// Attributes of our own.
const (
	eventKey      = attribute.Key("luahook.event")
	decisionKey   = attribute.Key("luahook.decision")
	reasonKey     = attribute.Key("luahook.reason")
	modifiedKey   = attribute.Key("luahook.modified")
	haltKey       = attribute.Key("luahook.halt")
	stopReasonKey = attribute.Key("luahook.stop_reason")
	warningsKey   = attribute.Key("luahook.warnings")
	generationKey = attribute.Key("luahook.generation")

	hookNameKey    = attribute.Key("luahook.hook.name")
	hookScopeKey   = attribute.Key("luahook.hook.scope")
	hookSourceKey  = attribute.Key("luahook.hook.source")
	hookHandlerKey = attribute.Key("luahook.hook.handler")
	hookModeKey    = attribute.Key("luahook.hook.mode")

	runIDKey       = attribute.Key("luahook.run.id")
	runStatusKey   = attribute.Key("luahook.run.status")
	runDurationKey = attribute.Key("luahook.run.duration") // seconds
	runJudgingKey  = attribute.Key("luahook.run.judging")

	errorMessageKey = attribute.Key("luahook.error.message")
	errorLimitKey   = attribute.Key("luahook.error.limit")
)

// other stands for what has no name that is known: everybody can make names up.
const other = "_OTHER"

// Bounds of what one span or event has of texts.
const (
	maxText     = 2 << 10 // bytes of one
	maxWarnings = 16
)

// list is a list of attributes. It leaves out texts that are empty.
type list struct {
	of    *observer
	attrs []attribute.KeyValue
}

// text adds a text of the host, the agent or a hook.
func (l *list) text(key attribute.Key, s string) {
	if s != "" {
		l.attrs = append(l.attrs, key.String(l.of.text(s)))
	}
}

// word adds one of few words that we make ourselves.
func (l *list) word(key attribute.Key, s string) {
	if s != "" {
		l.attrs = append(l.attrs, key.String(s))
	}
}

func (l *list) flag(key attribute.Key, set bool) {
	if set {
		l.attrs = append(l.attrs, key.Bool(true))
	}
}

func (l *list) warnings(texts []string) {
	if len(texts) == 0 {
		return
	}
	kept := make([]string, min(len(texts), maxWarnings))
	for i := range kept {
		kept[i] = l.of.text(texts[i])
	}
	l.attrs = append(l.attrs, warningsKey.StringSlice(kept))
}

// text is a text as it is exported: without secrets, of bounded length, and in UTF-8, as a batch of spans is lost
// where one text of it isn't.
func (o *observer) text(s string) string {
	s, _ = o.redactor().Text(s)
	s = strings.ToValidUTF8(s, "\uFFFD")
	if len(s) <= maxText {
		return s
	}
	kept := maxText
	for !utf8.RuneStart(s[kept]) {
		kept--
	}
	return s[:kept] + "…"
}

// eventName is the canonical name of an event.
func (o *observer) eventName(e hooks.Event) string {
	if hooks.IsKnown(e) {
		return string(e)
	}
	name, err := hooks.ParseEvent(string(e))
	switch {
	case err != nil:
		return other
	case hooks.IsKnown(name):
		return string(name)
	}
	return o.text(string(name)) // the embedder's own
}

func (o *observer) aboutEvent(event string, c *hooks.Context) []attribute.KeyValue {
	l := list{o, make([]attribute.KeyValue, 0, 8)}
	l.word(eventKey, event)
	l.text(conversationKey, c.SessionID)
	l.text(agentIDKey, c.AgentID)
	l.text(agentNameKey, c.AgentName)
	if c.ToolCall != nil {
		l.text(toolNameKey, c.ToolCall.Name)
		l.text(toolCallKey, c.ToolCall.ID)
	}
	return l.attrs
}

func (o *observer) aboutResult(r *hooks.Result, summary *hooks.RunSummary) []attribute.KeyValue {
	l := list{o, make([]attribute.KeyValue, 0, 12)}
	l.word(decisionKey, decisionName(r.Decision))
	l.text(reasonKey, r.Reason)
	if run := decider(r, summary); run != nil {
		l.text(hookNameKey, run.Hook)
		l.word(hookScopeKey, string(run.Scope))
		l.text(hookSourceKey, run.Source)
	}
	l.flag(modifiedKey, r.Modified)
	l.flag(haltKey, r.Halt)
	l.text(stopReasonKey, r.StopReason)
	l.warnings(r.Warnings)
	if summary.Generation > 0 { // else no hooks were looked at
		l.attrs = append(l.attrs, generationKey.Int64(int64(summary.Generation)))
	}
	return l.attrs
}

// decider is the run whose decision, or whose failure, the result has; nil where there is none.
func decider(r *hooks.Result, summary *hooks.RunSummary) *hooks.Run {
	if r.Decision == hooks.NoOpinion {
		return nil
	}
	var failed *hooks.Run
	for i := range summary.Runs {
		switch run := &summary.Runs[i]; {
		case run.Decision == r.Decision:
			return run
		case run.Status == hooks.StatusFailed:
			failed = run
		}
	}
	if r.Decision == hooks.Deny {
		return failed
	}
	return nil
}

func (o *observer) aboutRun(run *hooks.Run) []attribute.KeyValue {
	l := list{o, make([]attribute.KeyValue, 0, 16)}
	l.text(hookNameKey, run.Hook)
	l.word(hookScopeKey, string(run.Scope))
	l.text(hookSourceKey, run.Source)
	l.word(hookHandlerKey, string(run.Handler))
	l.word(hookModeKey, string(run.Mode))
	l.word(runIDKey, run.ID.String())
	l.word(runStatusKey, string(run.Status))
	if run.Status != hooks.StatusQueued {
		l.attrs = append(l.attrs, runDurationKey.Float64(float64(run.DurationUS)/1e6))
	}
	l.flag(runJudgingKey, run.Judging)
	l.word(decisionKey, string(run.Decision))
	l.flag(modifiedKey, run.Modified)
	var reason string
	var warnings []string
	for _, e := range run.Entries { // contexts and messages are content
		switch e.Kind {
		case hooks.EntryFeedback:
			reason = e.Text
		case hooks.EntryStop:
			l.flag(haltKey, true)
			l.text(stopReasonKey, e.Text)
		case hooks.EntryWarning:
			warnings = append(warnings, e.Text)
		}
	}
	l.text(reasonKey, reason)
	l.warnings(warnings)
	if run.Error != nil {
		l.word(errorTypeKey, kindName(run.Error.Kind))
		l.word(errorLimitKey, string(run.Error.Limit))
		l.text(errorMessageKey, run.Error.Message)
	}
	return l.attrs
}

func decisionName(d hooks.Decision) string {
	if d == hooks.NoOpinion {
		return "none"
	}
	return string(d)
}

// kindName is the kind of a failure. A Go hook can make kinds up.
func kindName(kind hooks.ErrorKind) string {
	switch kind {
	case hooks.KindLoad, hooks.KindScript, hooks.KindLimit, hooks.KindResult, hooks.KindCommand, hooks.KindHost, hooks.KindTrust:
		return string(kind)
	}
	return other
}

// typeOfError says why an event couldn't be judged.
func typeOfError(err error) string {
	var (
		unknown *hooks.UnknownEventError
		input   *hooks.InputError
	)
	switch {
	case errors.As(err, &unknown):
		return "unknown_event"
	case errors.As(err, &input):
		return "invalid_event"
	case errors.Is(err, engine.ErrClosed):
		return "closed"
	case errors.Is(err, context.DeadlineExceeded):
		return "timeout"
	case errors.Is(err, context.Canceled):
		return "cancelled"
	}
	return other
}
