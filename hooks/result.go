package hooks

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/luahook/luahook/internal/spelling"
)

// Decision is a hook's opinion on an event that can be blocked.
type Decision string

// These are the decisions, weakest first.
const (
	NoOpinion Decision = ""
	Allow     Decision = "allow"
	Ask       Decision = "ask"
	Deny      Decision = "deny"
)

// rank orders the decisions; it is -1 for an unknown one.
func (d Decision) rank() int {
	switch d {
	case NoOpinion:
		return 0
	case Allow:
		return 1
	case Ask:
		return 2
	case Deny:
		return 3
	}
	return -1
}

// Result is a hook's answer, and also all hooks' answers merged. The zero value is no opinion. A Result that the
// engine returns may be shared: don't change it.
type Result struct {
	Decision Decision `json:"decision"`
	Block    bool     `json:"block"`            // Decision == Deny
	Reason   string   `json:"reason,omitempty"` // of the decision

	// Modified is true if something that the host is about to use has changed: Input, Output, or (if a hook says
	// so) NewContext.
	Modified bool           `json:"modified,omitempty"`
	Input    map[string]any `json:"input,omitzero"`   // the full rewritten tool input; on other events the rewritten fields by name
	Output   any            `json:"output,omitempty"` // replacement tool output; on pre_tool_call the result that stands in for the call

	NewContext string         `json:"new_context,omitempty"` // Contexts, joined by newlines
	Contexts   []ContextEntry `json:"contexts,omitempty"`

	Halt           bool           `json:"halt,omitempty"` // end the whole turn
	StopReason     string         `json:"stop_reason,omitempty"`
	SystemMessage  string         `json:"system_message,omitempty"` // for the user, not for the model
	SuppressOutput bool           `json:"suppress_output,omitempty"`
	Data           map[string]any `json:"data,omitempty"`
	Warnings       []string       `json:"warnings,omitempty"`

	Summarizer Summarizer `json:"-"` // makes the Summary; nil: there is none
}

// Summarizer makes summaries. One that an engine gives to a Result may be asked by several goroutines at once. A
// [*RunSummary] makes itself.
type Summarizer interface{ Summarize() *RunSummary }

// Summary describes the firing that the result is of: which hooks ran, for how long, and what each had to say. It is
// made when it is asked for, and each time anew, so keep it where it is needed twice. It is nil for a result that no
// engine has given.
func (r *Result) Summary() *RunSummary {
	if r.Summarizer == nil {
		return nil
	}
	return r.Summarizer.Summarize()
}

// resultJSON is a Result as JSON has it.
type resultJSON struct {
	*plainResult
	Summary *RunSummary `json:"summary"`
}

type plainResult Result

// MarshalJSON implements [json.Marshaler]. The summary is there under that name.
func (r Result) MarshalJSON() ([]byte, error) { return r.appendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler].
func (r *Result) UnmarshalJSON(text []byte) error {
	read := resultJSON{plainResult: (*plainResult)(r)}
	if err := json.Unmarshal(text, &read); err != nil {
		return err
	}
	r.Summarizer = nil
	if read.Summary != nil {
		r.Summarizer = read.Summary
	}
	return nil
}

// ContextEntry is text for the model, with the hook that it comes from.
type ContextEntry struct {
	Hook string `json:"hook"`
	Text string `json:"text"`
}

// answerKeys are the keys of a Result that a hook may set.
var answerKeys = []string{"decision", "block", "reason", "modified", "input", "output", "new_context", "halt", "stop_reason", "system_message", "suppress_output", "data"}

// AnswerKeys lists the keys of a table that a hook may answer with.
func AnswerKeys() []string { return slices.Clone(answerKeys) }

// DecodeAnswer reads a hook's answer from an object with the JSON names of [Result], strictly: an unknown key, a
// value of the wrong type and two keys that contradict one another are errors that name the key and what was
// expected. c is the event. {block = false} is no opinion; note is then the reason given with it, which decides
// nothing.
func DecodeAnswer(object map[string]any, c *Context) (r *Result, note string, err error) {
	if c == nil {
		return nil, "", errNoEvent
	}
	unknown, isUnknown := "", false
	for key := range object {
		if contains([]string{"contexts", "warnings", "summary"}, key) {
			return nil, "", fmt.Errorf("answer: %q is written by the engine; use new_context or system_message", key)
		}
		if !contains(answerKeys, key) && (!isUnknown || key < unknown) { // the same key in each run
			unknown, isUnknown = key, true
		}
	}
	if isUnknown {
		if word := ownDecision(unknown); Decision(word).rank() > 0 {
			return nil, "", fmt.Errorf("answer: unknown key %q; return %s(reason), or a table with decision = %q", unknown, word, word)
		}
		return nil, "", fmt.Errorf("answer: unknown key %q%s", unknown, spelling.DidYouMean(foreignKey(unknown), answerKeys))
	}
	in := &fieldReader{object: object, prefix: "answer."}
	hasBlock, hasModified, hasDecision := object["block"] != nil, object["modified"] != nil, object["decision"] != nil
	r = &Result{Decision: Decision(ownDecision(in.text("decision"))), Block: in.boolean("block"), Reason: in.text("reason"), Modified: in.boolean("modified"),
		Input: in.object_("input"), Output: in.take("output", Any), NewContext: in.text("new_context"), Halt: in.boolean("halt"), StopReason: in.text("stop_reason"),
		SystemMessage: in.text("system_message"), SuppressOutput: in.boolean("suppress_output"), Data: in.object_("data")}
	if bad, ok := in.err.(*InputError); ok {
		return nil, "", fmt.Errorf("%s: %s", bad.Field, bad.Message)
	}
	switch {
	case r.Decision.rank() < 0:
		return nil, "", fmt.Errorf("answer.decision: %q is none of allow, ask, deny%s", r.Decision, spelling.DidYouMean(string(r.Decision), []string{"allow", "ask", "deny"}))
	case hasBlock && r.Block && r.Decision != NoOpinion && r.Decision != Deny, hasBlock && !r.Block && r.Decision == Deny:
		return nil, "", fmt.Errorf("answer: block = %t contradicts decision = %q", r.Block, r.Decision)
	case hasModified && !r.Modified && (r.Input != nil || r.Output != nil):
		return nil, "", fmt.Errorf("answer: modified = false contradicts input or output")
	case r.Modified && r.Input == nil && r.Output == nil && r.NewContext == "":
		return nil, "", fmt.Errorf("answer: modified = true needs input, output or new_context")
	case r.StopReason != "" && !r.Halt:
		return nil, "", fmt.Errorf("answer.stop_reason: needs halt = true")
	}
	if r.Block {
		r.Decision = Deny
	}
	if info := Lookup(c.Event); r.Decision == Allow && info != nil && info.Blocking == BlockNever {
		r.Decision = NoOpinion // there is nothing to allow; the reason is kept as a note
	}
	if r.Decision == NoOpinion {
		if r.Reason != "" && !hasBlock && !hasDecision {
			return nil, "", fmt.Errorf("answer.reason: there is nothing to give a reason for; set block or decision too")
		}
		note, r.Reason = r.Reason, ""
	}
	return r, note, r.Check(c)
}

// foreignKey translates the keys of other hook systems for a suggestion.
func foreignKey(key string) string {
	switch key {
	case "hookSpecificOutput", "permissionDecision", "permission":
		return "decision"
	case "permissionDecisionReason", "message":
		return "reason"
	case "continue":
		return "halt"
	case "additionalContext":
		return "new_context"
	case "updatedInput":
		return "input"
	}
	return key
}

// MeansDeny reports whether a decision is deny in the words of any hook system. An answer that can't be used but
// means deny still denies.
func MeansDeny(decision string) bool { return ownDecision(decision) == string(Deny) }

// ownDecision translates other hook systems' decisions: they say block and approve.
func ownDecision(word string) string {
	switch word {
	case "block", "reject", "refuse":
		return "deny"
	case "approve", "accept", "ok":
		return "allow"
	}
	return word
}

// Check reports whether the answer is valid for the event: whether it can be blocked, asked about, rewritten. It
// also sets Block, Modified and, if a halt stops the pending action, Decision.
func (r *Result) Check(c *Context) error {
	if c == nil {
		return errNoEvent
	}
	info := Lookup(c.Event)
	if info == nil {
		return fmt.Errorf("unknown event %q", c.Event)
	}
	if r.Decision == Allow && info.Blocking == BlockNever {
		r.Decision, r.Reason = NoOpinion, "" // handlers end with allow out of habit
	}
	switch {
	case r.Decision.rank() < 0:
		return fmt.Errorf("answer.decision: %q is none of allow, ask, deny", r.Decision)
	case r.Decision != NoOpinion && info.Blocking == BlockNever:
		return fmt.Errorf("answer: %s can't be blocked, so %s means nothing there; use context(), message() or data", info.Name, r.Decision)
	case r.Decision == Ask && info.Blocking == BlockFeedback:
		return fmt.Errorf("answer: %s can't ask for approval; use deny() or context()", info.Name)
	case r.Decision == Deny && r.Reason == "" && info.Continues:
		return fmt.Errorf("answer.reason: missing; on %s it is what the agent goes on with", info.Name)
	}
	if r.Halt && info.Blocking == BlockAction && r.Decision != Deny {
		r.Decision, r.Reason = Deny, r.StopReason
	}
	r.Block = r.Decision == Deny
	if r.Input != nil {
		if err := info.checkInput(c, r.Input); err != nil {
			return err
		}
	}
	if r.Output != nil && info.Output == "" && info.Name != PreToolCall {
		return fmt.Errorf("answer: %s has no output to replace", info.Name)
	}
	if r.Input != nil || r.Output != nil {
		r.Modified = true
	}
	return nil
}

// Merge folds the answer of one hook into the result of those before it:
//
//   - the stronger decision wins with its reason, deny > ask > allow > none; of two
//     equal ones the first that gives a reason keeps it
//   - a nil answer changes nothing, nor does an empty key
//   - Input and Output are replaced by the later one (each hook saw the one before)
//   - contexts are appended, tagged with the hook; texts are joined by newlines
//   - data merges key by key, the later value wins
//   - halt stays, with the reason of the first
//
// Merge takes an answer that Check has accepted, and can't fail. It leaves the summary of into alone.
func Merge(into *Result, hook string, answer *Result) {
	if answer == nil {
		return
	}
	switch a, b := answer.Decision.rank(), into.Decision.rank(); {
	case a > b, a == b && a > 0 && into.Reason == "": // without a decision a reason is ignored
		into.Decision, into.Reason = answer.Decision, answer.Reason
	}
	into.Block = into.Decision == Deny
	into.Modified = into.Modified || answer.Modified || answer.Input != nil || answer.Output != nil
	if answer.Input != nil {
		into.Input = answer.Input
	}
	if answer.Output != nil {
		into.Output = answer.Output
	}
	switch {
	case len(answer.Contexts) > 0:
		for _, c := range answer.Contexts {
			if c.Hook == "" {
				c.Hook = hook
			}
			into.addContext(c)
		}
	case answer.NewContext != "":
		into.addContext(ContextEntry{Hook: hook, Text: answer.NewContext})
	}
	if answer.Halt && !into.Halt {
		into.Halt, into.StopReason = true, answer.StopReason
	}
	into.SystemMessage = joinLines(into.SystemMessage, answer.SystemMessage)
	into.SuppressOutput = into.SuppressOutput || answer.SuppressOutput
	for k, v := range answer.Data {
		if into.Data == nil {
			into.Data = make(map[string]any, len(answer.Data))
		}
		into.Data[k] = v
	}
	into.Warnings = append(into.Warnings, answer.Warnings...)
}

func (r *Result) addContext(c ContextEntry) {
	r.Contexts = append(r.Contexts, c)
	r.NewContext = joinLines(r.NewContext, c.Text)
}

func joinLines(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n" + b
}

// checkInput returns an error if input can't replace the rewritable fields of this event.
func (i *EventInfo) checkInput(c *Context, input map[string]any) error {
	if len(i.Modify) == 0 {
		if i.Output != "" {
			return fmt.Errorf("answer: %s has no input to rewrite; output() replaces %s", i.Name, i.Output)
		}
		return fmt.Errorf("answer: %s can't be rewritten", i.Name)
	}
	if len(input) == 0 && len(c.Input()) > 0 {
		return fmt.Errorf("answer.input: an empty input would remove everything; replace() takes the whole input, modify() what changes")
	}
	if i.rewritesTool() {
		if c.ToolCall == nil {
			return nil
		}
		return c.ToolCall.checkToolInput(input)
	}
	for key, v := range input {
		if !contains(i.Modify, key) {
			return fmt.Errorf("answer.input: %q can't be rewritten on %s, only %s%s", key, i.Name, strings.Join(i.Modify, ", "), spelling.DidYouMean(key, i.Modify))
		}
		f := i.Field(key)
		if empty, ok := v.(map[string]any); ok && f.Type == List && len(empty) == 0 {
			v = []any{} // in Lua an empty list looks like an empty object
			input[key] = v
		}
		if !f.Type.Holds(v) {
			return fmt.Errorf("answer.input.%s: want %s, got %s", key, f.Type, typeName(v))
		}
	}
	return nil
}

func (i *EventInfo) rewritesTool() bool { return len(i.Modify) == 1 && i.Modify[0] == "tool_call" }

// Input returns what modify and replace change on this event: the tool's input, or the fields that the catalogue
// names. The map is the caller's own. It is nil if the event can't be rewritten.
func (c *Context) Input() map[string]any {
	info := Lookup(c.Event)
	if info == nil || len(info.Modify) == 0 {
		return nil
	}
	if info.rewritesTool() {
		if c.ToolCall == nil || c.ToolCall.Input == nil {
			return map[string]any{}
		}
		input, _ := CloneValue(c.ToolCall.Input).(map[string]any)
		return input
	}
	input := map[string]any{}
	for _, key := range info.Modify {
		if v, _ := c.Value(key); v != nil {
			input[key] = CloneValue(v)
		}
	}
	return input
}

// Modify merges patch shallowly into the map that [Context.Input] returns; a nil value removes the key.
func (c *Context) Modify(patch map[string]any) map[string]any {
	input := c.Input()
	if input == nil {
		input = map[string]any{}
	}
	for k, v := range patch {
		if v == nil {
			delete(input, k)
			continue
		}
		input[k] = v
	}
	return input
}

// Rewrite returns a copy of a complete event with the result's input and output put in; Command and Paths of the
// tool call are derived anew. On pre_tool_call an output doesn't change the event. The error says why the
// rewritten input can't be used.
func (c *Context) Rewrite(r *Result) (*Context, error) {
	info := Lookup(c.Event)
	d := *c
	if r == nil {
		return &d, nil
	}
	if r.Input != nil {
		if err := info.checkInput(c, r.Input); err != nil {
			return nil, err
		}
		if info.rewritesTool() {
			call := *c.ToolCall
			call.Input, call.Command, call.Paths = r.Input, "", nil
			derived := pathsOf(nil, call.Kind, c.ToolCall.Input)
			for _, p := range c.ToolCall.Paths { // paths that the host gave stay
				if !contains(derived, p) {
					call.Paths = append(call.Paths, p)
				}
			}
			if err := call.derive(nil); err != nil {
				return nil, err
			}
			d.ToolCall = &call
		} else {
			d.setFields(info, r.Input)
		}
	}
	if r.Output != nil && info.Output != "" && c.ToolCall != nil {
		call := *d.ToolCall
		call.Output = r.Output
		d.ToolCall = &call
	}
	return &d, nil
}

// setFields replaces the rewritable fields of the event with those of input.
func (c *Context) setFields(info *EventInfo, input map[string]any) {
	c.Fields = maps.Clone(c.Fields)
	for _, key := range info.Modify {
		v := input[key]
		switch key {
		case "prompt":
			c.Prompt, _ = v.(string)
		case "model":
			c.Model, _ = v.(string)
		default:
			if v == nil {
				delete(c.Fields, key)
				continue
			}
			if c.Fields == nil {
				c.Fields = map[string]any{}
			}
			c.Fields[key] = v
		}
	}
}
