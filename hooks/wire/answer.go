package wire

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"

	"github.com/luahook/luahook/hooks"
)

// answer is what an event delivers of a result.
type answer struct {
	decision hooks.Decision
	reason   string         // of a decision; never empty for deny and ask
	input    map[string]any // the whole arguments; nil: they stay
	output   any            // what takes the place of the tool's output; nil: it stays
	context  string
	halt     bool
	stop     string // why, for the user
	message  string // for the user
	lost     []string
}

// Encode writes a result as the agent reads it. A call that couldn't be decoded is answered, too. What the agent
// can't do becomes the nearest thing that it can, never less than was decided:
//
//   - ask is deny where nobody can be asked; where the agent is about to ask anyway, it's silence
//   - other arguments, or a result in place of the call, are deny, with what the hook wanted as the reason; where the
//     agent is about to ask, other arguments go with allow alone
//   - deny is halt where only that is possible, and halt is deny where only that is possible
//   - context goes with the reason of a denial
//   - allow is silence where the agent has no question to leave out
//
// What is left is in Lost. No opinion is silence: it doesn't allow anything.
func (c *Call) Encode(r *hooks.Result) Output {
	a := c.settle(r)
	var out Output
	if a.decision == hooks.Deny && c.guessed && c.Agent.status2 && !c.http { // JSON would have to name the event
		out = byStatus(a)
	} else {
		out = c.Agent.write(c, a)
	}
	out.Lost = a.lost
	if !c.Agent.Silent && out.Stderr == "" {
		for _, text := range a.lost {
			out.Stderr += "luahook: " + text + "\n"
		}
	}
	return out
}

// settle makes of a result what the event can deliver.
func (c *Call) settle(r *hooks.Result) *answer {
	can := c.Event.Can
	a := &answer{decision: r.Decision, reason: r.Reason, context: r.NewContext}
	if r.Halt {
		a.halt, a.stop = true, r.StopReason
	}
	c.settleRewrites(r, a)
	if a.decision == hooks.Ask && can&Ask == 0 {
		if c.Event.Event == hooks.PermissionRequest {
			a.decision = hooks.NoOpinion
		} else {
			a.deny(join("\n", a.reason, "(a hook wants a person to decide, and "+c.Agent.Title+" asks nobody here)"))
		}
	}
	if a.decision == hooks.Allow && can&Allow == 0 {
		a.decision = hooks.NoOpinion
	}
	if a.halt && a.decision != hooks.Deny && can&Deny != 0 && c.haltDenies() {
		a.deny(a.stop)
	}
	if a.decision == hooks.Deny && can&Deny == 0 {
		a.decision = hooks.NoOpinion
		if can&Halt != 0 {
			if a.halt = true; a.stop != a.reason { // a halt's reason is that of its denial, too
				a.stop = join("\n", a.stop, a.reason)
			}
		} else {
			c.notTold(a, "can't be denied", a.reason)
		}
	}
	if a.halt && can&Halt == 0 {
		a.halt = false
		if a.decision != hooks.Deny {
			c.notTold(a, "can't end the turn", a.stop)
		}
	}
	if a.context != "" && can&Context == 0 {
		if a.decision == hooks.Deny {
			a.reason = join("\n", a.reason, a.context)
		} else {
			c.notTold(a, "takes no context", a.context)
		}
		a.context = ""
	}
	if a.decision == hooks.NoOpinion {
		a.reason = ""
	} else if strings.TrimSpace(a.reason) == "" && a.decision != hooks.Allow { // blanks are no reason to Codex
		a.reason = "a hook has decided so, without a reason"
	}
	if a.message = join("\n", r.SystemMessage, strings.Join(r.Warnings, "\n")); a.message != "" && can&Message == 0 {
		a.lost = append(a.lost, a.message)
		a.message = ""
	}
	for _, text := range []*string{&a.reason, &a.context, &a.stop, &a.message} {
		*text = shorten(visible(*text), c.Agent.MaxText)
	}
	for i, text := range a.lost {
		a.lost[i] = visible(text)
	}
	return a
}

// settleRewrites sees to what takes the place of arguments and outputs.
func (c *Call) settleRewrites(r *hooks.Result, a *answer) {
	can, before := c.Event.Can, c.Event.Event == hooks.PreToolCall
	switch {
	case r.Output == nil, before && a.decision == hooks.Deny:
	case before:
		a.deny("a hook has answered in place of the tool: " + asText(r.Output))
	case can&Replace != 0 && c.Context != nil:
		a.output = r.Output
	default:
		c.notTold(a, "can't replace the output of a tool", "")
	}
	switch why := c.whyNotRewritten(r.Input, a.decision); {
	case r.Input == nil, a.decision == hooks.Deny:
	case why == "":
		a.input = r.Input
	case can&Deny != 0:
		a.deny(fmt.Sprintf("a hook wants it changed, %s. It wants: %s", why, asText(r.Input)))
	default:
		c.notTold(a, "can't change anything", asText(r.Input))
	}
}

// haltDenies reports whether the end of the turn has to be told as a denial: of an action that hasn't happened yet,
// and where the agent can't be told otherwise or reads a decision only.
func (c *Call) haltDenies() bool {
	info := hooks.Lookup(c.Event.Event)
	return info != nil && info.Blocking == hooks.BlockAction &&
		(c.Event.Can&Halt == 0 || c.Event.Event == hooks.PermissionRequest)
}

// whyNotRewritten says why other arguments would not arrive as they are; "" if they do, or if there are none.
func (c *Call) whyNotRewritten(input map[string]any, decision hooks.Decision) string {
	switch asked := c.Event.Event == hooks.PermissionRequest; {
	case input == nil:
		return ""
	case c.Event.Can&Rewrite == 0, c.wrapped, c.Context == nil, asked && decision != hooks.Allow:
		return "which " + c.Agent.Title + " doesn't do here"
	case c.Agent.whyNotRewritten != nil:
		return c.Agent.whyNotRewritten(c, input)
	}
	return ""
}

// cannotRemoveKeys says that an agent puts other arguments on top of the old ones, so that it can't take one away.
func cannotRemoveKeys(c *Call, input map[string]any) string {
	for _, key := range slices.Sorted(maps.Keys(c.Context.ToolCall.Input)) {
		if _, stays := input[key]; !stays {
			return "and " + c.Agent.Title + " can't take " + key + " away"
		}
	}
	return ""
}

// byStatus is a denial as most agents take it of a program that doesn't know their JSON.
func byStatus(a *answer) Output {
	return Output{Stderr: join("\n", a.reason, a.context) + "\n", Exit: 2}
}

// deny makes a denial of the answer; nothing runs, with other arguments neither.
func (a *answer) deny(reason string) { a.decision, a.reason, a.input = hooks.Deny, reason, nil }

// feedback is what the model is told about a tool that has run: the reason of a denial, and context.
func (c *Call) feedback(a *answer) string {
	return shorten(join("\n", a.reason, a.context), c.Agent.MaxText)
}

// denialIsFeedback makes context of a denial, where the agent has no other way to tell the model about it.
func (c *Call) denialIsFeedback(a *answer) {
	if a.decision == hooks.Deny {
		a.context = c.feedback(a)
		a.decision, a.reason = hooks.NoOpinion, ""
	}
}

// notTold notes what the agent can't be told.
func (c *Call) notTold(a *answer, what, text string) {
	a.lost = append(a.lost, join(": ", c.Event.Name+" of "+c.Agent.Title+" "+what, shorten(text, 500)))
}

// join joins the texts that aren't empty.
func join(separator string, texts ...string) string {
	var all []string
	for _, text := range texts {
		if text != "" {
			all = append(all, text)
		}
	}
	return strings.Join(all, separator)
}

// visible replaces what a terminal would act on and what makes a text look like another one: control characters but
// tabs and line ends, and characters that turn the direction or can't be seen. Many scripts need joiners.
func visible(text string) string {
	var before rune
	return strings.Map(func(r rune) rune {
		joins := (r == '\u200c' || r == '\u200d') && before > unicode.MaxASCII
		before = r
		if !joins && r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp)) {
			return unicode.ReplacementChar
		}
		return r
	}, strings.ReplaceAll(text, "\r\n", "\n"))
}

// shorten cuts a text to most characters, and says so in it. 0: there is no bound.
func shorten(text string, most int) string {
	if most == 0 || len(text) <= most {
		return text
	}
	const room = 80 // for the mark
	n, keep, cut := 0, 0, 0
	for at, r := range text {
		if n <= most-room {
			keep, cut = n, at
		}
		n += max(utf16.RuneLen(r), 1)
	}
	if n <= most {
		return text
	}
	return text[:cut] + fmt.Sprintf("\n[... luahook has cut %d of %d characters ...]", n-keep, n)
}

// asText is a value as a model reads it.
func asText(v any) string {
	if text, ok := v.(string); ok {
		return text
	}
	line, err := hooks.EncodeJSON(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(line)
}

// silence is the answer of a hook that has no opinion.
var silence = Output{}

// asJSON writes an answer as JSON; an empty one is silence.
func asJSON(o object) Output {
	if len(o) == 0 {
		return silence
	}
	line, err := hooks.EncodeJSON(map[string]any(o))
	if err != nil { // a result holds plain values, so that only one that isn't the engine's comes here
		return Output{Stderr: "luahook: the answer can't be written: " + err.Error() + "\n", Exit: 2}
	}
	return Output{Stdout: append(line, '\n')}
}

// orDenial is an answer that can't be written as a denial that can: for agents that don't look at the exit status.
func orDenial(out Output, denial func(reason string) object) Output {
	if out.Exit == 0 {
		return out
	}
	return asJSON(denial(strings.TrimSpace(out.Stderr)))
}
