package logindex

import (
	"bytes"
	stdjson "encoding/json"
	"strings"
	"time"

	"github.com/segmentio/encoding/json"

	"github.com/luahook/luahook/engine/audit"
	"github.com/luahook/luahook/hooks"
)

// record is a line as far as rows need it. What they don't need has its type nevertheless, so that what can be decoded
// is a record for package audit too.
type record struct {
	Time       stamp    `json:"time"`
	V          int      `json:"v"`
	Luahook    string   `json:"luahook"`
	Host       string   `json:"host"`
	Kind       string   `json:"kind"`
	Event      string   `json:"event"`
	Session    string   `json:"session"`
	Agent      string   `json:"agent"`
	Issue      string   `json:"issue"`
	Project    string   `json:"project"`
	CWD        string   `json:"cwd"`
	Tool       string   `json:"tool"`
	CallID     string   `json:"call_id"`
	Turn       string   `json:"turn"`
	Decision   string   `json:"decision"`
	Reason     string   `json:"reason"`
	Halt       bool     `json:"halt"`
	StopReason string   `json:"stop_reason"`
	Modified   bool     `json:"modified"`
	Input      *object  `json:"input"`
	Generation uint64   `json:"generation"`
	DurationUS int64    `json:"duration_us"`
	Runs       []run    `json:"runs"`
	Warnings   []string `json:"warnings"`
	Hook       string   `json:"hook"`
	Note       string   `json:"note"`
	Text       string   `json:"text"`
	Context    *object  `json:"context"`
	Cut        bool     `json:"cut"`

	Data struct {
		Cost struct {
			USD    float64 `json:"session_usd"`
			Tokens int64   `json:"session_tokens"`
		} `json:"cost"`
	} `json:"data"`

	rule string
}

// stamp is a time that decodes itself, because the fast decoder's own way with times is lenient.
type stamp struct{ time.Time }

// object is any object.
type object struct{}

type run struct {
	ID           string    `json:"id"`
	Hook         string    `json:"hook"`
	Scope        string    `json:"scope"`
	Source       string    `json:"source"`
	Handler      string    `json:"handler"`
	Order        int       `json:"order"`
	Mode         string    `json:"mode"`
	Judging      bool      `json:"judging"`
	Status       string    `json:"status"`
	Decision     string    `json:"decision"`
	Modified     bool      `json:"modified"`
	DurationUS   int64     `json:"duration_us"`
	Instructions int64     `json:"instructions"`
	Entries      []entry   `json:"entries"`
	Error        *runError `json:"error"`
}

type runError struct {
	Kind    string `json:"kind"`
	Limit   string `json:"limit"`
	Message string `json:"message"`
}

type entry struct {
	Kind string `json:"kind"`
	Text string `json:"text"`
}

func (r *run) failure() string {
	switch {
	case r.Error == nil:
		return ""
	case r.Error.Limit == "":
		return r.Error.Kind
	}
	return r.Error.Kind + "/" + r.Error.Limit
}

// read reports whether a line is a record. The record shares the line's memory.
func (r *record) read(line []byte) bool {
	runs := r.Runs[:0]
	clear(runs[:cap(runs)])
	*r = record{Runs: runs}
	if !isPlain(line) || !r.decode(line) {
		if _, ok := audit.ParseLine(line); !ok {
			return false
		}
		*r = record{}
		// What isn't as it should be now is in data, and left out.
		_ = stdjson.NewDecoder(bytes.NewReader(line)).Decode(r)
	}
	r.rule = r.ruleOf(line)
	return true
}

func (r *record) decode(line []byte) bool {
	_, err := json.Parse(bytes.TrimSpace(line), r, json.ZeroCopy)
	return err == nil && r.V != 0 && !r.Time.IsZero()
}

// isPlain reports whether the fast decoder reads a line as encoding/json does. It has no bound for the depth, and
// doesn't take the letters ſ and K for s and k in the names of keys.
func isPlain(line []byte) bool {
	return !bytes.Contains(line, []byte(`\u`)) && !bytes.Contains(line, []byte("ſ")) && !bytes.Contains(line, []byte("\u212a")) &&
		bytes.Count(line, []byte("["))+bytes.Count(line, []byte("{")) < 5000
}

func (r *record) flags() Flags {
	f := flag(Halt, r.Halt) | flag(Modified, r.Modified) | flag(Warned, len(r.Warnings) > 0) | flag(Cut, r.Cut)
	for i := range r.Runs {
		f |= flag(Failed, r.Runs[i].Status == string(hooks.StatusFailed))
	}
	return f
}

func (r *run) flags() RunFlags {
	return flag(Judging, r.Judging) | flag(Rewrote, r.Modified) |
		flag(Async, r.Mode == string(hooks.ModeAsync)) | flag(Parallel, r.Mode == string(hooks.ModeParallel))
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
func (r *record) ruleOf(line []byte) string {
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
	e, _ := audit.ParseLine(line)
	if hook := e.Decider(); hook != "" {
		return strings.TrimSuffix(hook+": "+reason, ": ")
	}
	return reason
}

func isWord(s string) bool { return s != "" && !strings.ContainsAny(s, " \t\r\n") }
