package logindex

import (
	"encoding/json"
	"strings"

	"github.com/luahook/luahook/engine/audit"
	"github.com/luahook/luahook/hooks"
)

// record is what a row keeps of a line.
type record struct {
	time     int64
	kind     Kind
	decision Decision
	flags    Flags
	duration int64
	cost     Cost
	runs     []run

	event, session, agent, host, project, tool, rule, hook, note []byte
}

type run struct {
	hook, source, scope, kind, limit []byte // the last two of an error
	status                           Status
	decision                         Decision
	flags                            RunFlags
	duration, instructions           int64
}

func (r *run) failure() []byte {
	if len(r.limit) == 0 {
		return r.kind
	}
	return append(append(append(make([]byte, 0, len(r.kind)+1+len(r.limit)), r.kind...), '/'), r.limit...)
}

// read reports whether a line is a record.
func (r *record) read(line []byte) bool {
	e, ok := audit.ParseLine(line)
	if !ok {
		return false
	}
	*r = record{
		time: e.Time.UnixMilli(), kind: kindOf(string(e.Kind)), decision: decisionOf(e.Decision), duration: e.DurationUS,
		event: []byte(e.Event), session: []byte(e.Session), agent: []byte(e.Agent), host: []byte(e.Host), project: []byte(e.Project),
		tool: []byte(e.Tool), hook: []byte(e.Hook), note: []byte(e.Note), rule: []byte(ruleOf(&e.Record)), cost: costOf(&e.Record),
	}
	r.flags = flag(Halt, e.Halt) | flag(Modified, e.Modified) | flag(Warned, len(e.Warnings) > 0) | flag(Cut, e.Cut)
	for i := range e.Runs {
		from := &e.Runs[i]
		to := run{
			hook: []byte(from.Hook), source: []byte(from.Source), scope: []byte(from.Scope), status: statusOf(from.Status),
			decision: decisionOf(from.Decision), duration: from.DurationUS, instructions: from.Instructions,
		}
		if from.Error != nil {
			to.kind, to.limit = []byte(from.Error.Kind), []byte(from.Error.Limit)
		}
		to.flags = flag(Judging, from.Judging) | flag(Rewrote, from.Modified) |
			flag(Async, from.Mode == string(hooks.ModeAsync)) | flag(Parallel, from.Mode == string(hooks.ModeParallel))
		r.runs = append(r.runs, to)
	}
	return true
}

func flag[F Flags | RunFlags](f F, is bool) F {
	if is {
		return f
	}
	return 0
}

// maxReason is how many characters of a reason are kept where no rule is named.
const maxReason = 60

// ruleOf is what has denied or asked: the rule that the reason names last, in the way of the built-in hooks, or else
// the hook that decided and how its reason begins.
func ruleOf(r *audit.Record) string {
	if d := decisionOf(r.Decision); d != Deny && d != Ask {
		return ""
	}
	if open := strings.LastIndexByte(r.Reason, '('); open >= 0 {
		inner, _, closed := strings.Cut(r.Reason[open+1:], ")")
		if name, rule, ok := strings.Cut(inner, ": "); closed && ok && isWord(name) && isWord(rule) {
			return inner
		}
	}
	reason, n := r.Reason, 0
	for at := range reason {
		if n++; n > maxReason {
			reason = reason[:at]
			break
		}
	}
	if hook := r.Decider(); hook != "" {
		return strings.TrimSuffix(hook+": "+reason, ": ")
	}
	return reason
}

func isWord(s string) bool { return s != "" && !strings.ContainsAny(s, " \t\r\n") }

// costOf is what cost-tracker says of the session.
func costOf(r *audit.Record) Cost {
	cost, _ := r.Data["cost"].(map[string]any)
	usd, _ := cost["session_usd"].(json.Number)
	tokens, _ := cost["session_tokens"].(json.Number)
	var c Cost
	c.USD, _ = usd.Float64()
	c.Tokens, _ = tokens.Int64()
	return c
}
