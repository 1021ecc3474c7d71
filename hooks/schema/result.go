package schema

import (
	"encoding/json"

	"github.com/luahook/luahook/hooks"
)

// Result returns the schema of what luahook eval prints: a [hooks.Result], and with --jsonl also the answer to a line
// that is no event. No other keys are allowed.
func Result() []byte {
	decision := oneOfTexts(hooks.NoOpinion, hooks.Allow, hooks.Ask, hooks.Deny)
	n := closed(properties{
		{"decision", decision.described(`What the hooks decide together; "" is no opinion.`)},
		{"block", ofType("boolean").described("Whether the decision is deny.")},
		{"reason", someText().described("Why.")},
		{"modified", isTrue().described("Something that the agent is about to use has changed.")},
		{"input", ofType("object").described("The whole rewritten input of the tool; on other events the rewritten fields by name.")},
		{"output", ofType("string", "number", "boolean", "object", "array").described("What replaces the tool's output; on pre_tool_call what stands in for the call.")},
		{"new_context", someText().described("Text for the model: contexts, joined by newlines.")},
		{"contexts", someOf(ref("context")).described("Text for the model, with the hooks that it comes from.")},
		{"halt", isTrue().described("The whole turn ends.")},
		{"stop_reason", someText().described("Why the turn ends.")},
		{"system_message", someText().described("Text for the user, not for the model.")},
		{"suppress_output", isTrue().described("The user needn't see the output.")},
		{"data", ofType("object").described("What hooks tell the agent's program.")},
		{"warnings", someOf(ofType("string")).described("What the user should know about the hooks.")},
		{"summary", ref("summary").described("What ran.")},
		{"line", whole("1").described("The number of a line that is no event; only with --jsonl.")},
		{"error", ofType("string").described("What is wrong with that line.")},
	}, "decision", "block")
	n.Schema, n.ID, n.Title = dialect, folder+"result.json", "What luahook eval prints"
	n.DependentRequired = map[string][]string{"stop_reason": {"halt"}}
	n.OneOf = []*node{
		{Required: []string{"summary"}, PropertyNames: &node{Not: &node{Enum: []any{"line", "error"}}}},
		{
			Properties: properties{{"decision", &node{Const: string(hooks.Deny)}}}, Required: []string{"line", "error", "reason"},
			PropertyNames: &node{Enum: []any{"line", "error", "decision", "block", "reason"}},
		},
	}
	n.If = &node{Properties: properties{{"decision", &node{Const: string(hooks.Deny)}}}}
	n.Then = &node{Properties: properties{{"block", &node{Const: true}}}}
	n.Else = &node{Properties: properties{{"block", &node{Const: false}}}}
	n.Defs = properties{
		{"context", closed(properties{
			{"hook", ofType("string").described("The hook that the text comes from.")},
			{"text", ofType("string")},
		}, "hook", "text")},
		{"summary", summary()}, {"run", run()},
	}
	n.Examples = []json.RawMessage{json.RawMessage(`{"decision":"deny","block":true,"reason":"not on this branch","summary":{` +
		`"event":"pre_tool_call","generation":1,"started_at":"2026-02-03T04:05:06Z","duration_ms":0.4,"runs":[{"id":"1.1","hook":"branch-guard",` +
		`"event":"pre_tool_call","handler":"lua","mode":"sync","scope":"project","source":".hooks/branch.lua:1","order":1,"status":"blocked","duration_us":310,"instructions":95}]}}`)}
	return n.text()
}

func summary() *node {
	started := ofType("string")
	started.Format = "date-time"
	return closed(properties{
		{"event", ofType("string").described(`The event's name in the catalogue; "" if it isn't known.`)},
		{"generation", whole("0").described("Counts up when hooks are loaded anew.")},
		{"started_at", started.described("When the first hook began; if no hook ran, when the hooks were loaded.")},
		{"duration_ms", &node{Type: types{"number"}, Minimum: "0", Description: "Until the last hook was over."}},
		{"runs", (&node{Type: types{"array"}, Items: ref("run")}).described("The calls of hooks, in their order.")},
	}, "event", "generation", "started_at", "duration_ms", "runs")
}

func run() *node {
	id := ofType("string")
	id.Pattern = `^[0-9]+\.[0-9]+$`
	kinds := oneOfTexts(hooks.KindLoad, hooks.KindScript, hooks.KindLimit, hooks.KindResult, hooks.KindCommand, hooks.KindHost, hooks.KindTrust)
	limits := oneOfTexts(hooks.LimitInstructions, hooks.LimitTime, hooks.LimitMemory, hooks.LimitStack)
	entries := oneOfTexts(hooks.EntryWarning, hooks.EntryStop, hooks.EntryFeedback, hooks.EntryContext, hooks.EntryMessage, hooks.EntryError)
	statuses := oneOfTexts(hooks.StatusCompleted, hooks.StatusBlocked, hooks.StatusFailed, hooks.StatusUncounted, hooks.StatusSkipped, hooks.StatusQueued)
	return closed(properties{
		{"id", id.described("Unique within a process.")},
		{"hook", ofType("string").described("The hook's name.")},
		{"event", ofType("string")},
		{"handler", oneOfTexts(hooks.HandlerLua, hooks.HandlerGo, hooks.HandlerCommand)},
		{"mode", oneOfTexts(hooks.ModeSync, hooks.ModeParallel, hooks.ModeAsync)},
		{"scope", oneOfTexts(hooks.ScopeManaged, hooks.ScopeEmbedder, hooks.ScopeUser, hooks.ScopeProject).described("Who put the hook there.")},
		{"source", someText().described("Where the hook is registered: file:line.")},
		{"order", whole("1").described("The hook's place in the order of hooks.")},
		{"judging", isTrue().described("The hook judged again, because a later one has rewritten the input.")},
		{"status", statuses.described("How the run ended. The answer of an uncounted run doesn't count, because a hook beside it denied.")},
		{"duration_us", whole("0").described("How long it took, in microseconds.")},
		{"instructions", whole("1").described("What a Lua hook has used of its budget.")},
		{"decision", oneOfTexts(hooks.Allow, hooks.Ask, hooks.Deny).described("What the hook has decided.")},
		{"modified", isTrue().described("The hook has rewritten the input or the output.")},
		{"entries", someOf(closed(properties{{"kind", entries}, {"text", ofType("string")}}, "kind", "text")).described("What the run had to say.")},
		{"error", closed(properties{
			{"kind", kinds},
			{"limit", limits.described("The budget that was spent.")},
			{"message", ofType("string")},
			{"source", someText().described("Where it failed: file:line, and the column where that is known.")},
			{"snippet", someText().described("That line with its number, and below it a mark under the column.")},
			{"traceback", someText().described("How it was come to, where that is more than one place.")},
		}, "kind", "message").described("Why it failed.")},
		{"command", closed(properties{
			{"stdout", someText().described("Up to 16 KiB.")},
			{"stderr", someText().described("Up to 16 KiB.")},
			{"exit_code", ofType("integer").described("-1 if a signal ended it.")},
			{"timed_out", isTrue()},
		}, "exit_code").described("The process of a command hook.")},
	}, "id", "hook", "event", "handler", "mode", "scope", "order", "status", "duration_us")
}

// closed is an object with these keys and no others.
func closed(keys properties, required ...string) *node {
	return &node{Type: types{"object"}, Properties: keys, AdditionalProperties: false, Required: required}
}

// someText, someOf and isTrue are values that are left out if they are empty or false.
func someText() *node         { return &node{Type: types{"string"}, MinLength: 1} }
func someOf(item *node) *node { return &node{Type: types{"array"}, Items: item, MinItems: 1} }
func isTrue() *node           { return &node{Type: types{"boolean"}, Const: true} }

func whole(least json.Number) *node { return &node{Type: types{"integer"}, Minimum: least} }
