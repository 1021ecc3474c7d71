package wire

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/luahook/luahook/hooks"
)

// gemini is Gemini CLI, as of 0.61.0. It takes JSON from standard error where standard output is empty, and plain text
// there for an allow. So nothing is ever written there, and the exit status is always 0.
var gemini = Agent{
	Name: "gemini", Title: "Gemini CLI", Silent: true, Folder: "GEMINI_PROJECT_DIR", shellFolder: []string{"directory", "dirpath"},
	Events: []Event{
		{Name: "BeforeTool", Event: hooks.PreToolCall, Can: Deny | Ask | Allow | Rewrite | Halt | Message},
		{Name: "AfterTool", Event: hooks.PostToolCall, Can: Deny | Replace | Context | Halt | Message},
		{Name: "BeforeAgent", Event: hooks.PrePrompt, Can: Deny | Context | Halt | Message},
		{Name: "AfterAgent", Event: hooks.Stop, Can: Deny | Halt | Message},
		{Name: "SessionStart", Event: hooks.SessionStart, Can: Context | Message},
		{Name: "SessionEnd", Event: hooks.SessionEnd, Can: Message, Timeout: 5 * time.Second}, // doesn't wait for it
		{Name: "Notification", Event: hooks.Notification, Can: Message},
		{Name: "BeforeModel", Event: hooks.PreModelCall, Can: Deny | Rewrite | Halt | Message, Costly: true},
		{Name: "BeforeToolSelection", Event: hooks.PreToolSelection, Can: Deny | Rewrite, Costly: true},
		{Name: "AfterModel", Event: hooks.PostModelCall, Can: Halt | Message, Costly: true}, // for every chunk
		{Name: "PreCompress", Event: hooks.PreCompact, Can: Message, Costly: true},          // before every request
	},
	prepare: prepareGemini,
	write:   writeGemini,
}

func prepareGemini(event *Event, in object) {
	switch event.Event {
	case hooks.PreToolCall, hooks.PostToolCall:
		name, _ := in["tool_name"].(string)
		mcp, _ := in["mcp_context"].(map[string]any)
		server, tool := mcp["server_name"], mcp["tool_name"]
		if _, kind := hooks.CanonicalTool(name); kind == hooks.KindMCP && server != nil && tool != nil {
			in["tool_name"] = mcpTool(asText(server), asText(tool)) // in mcp_a_b_c either may have the b
		}
		response, _ := in["tool_response"].(map[string]any)
		switch e := response["error"].(type) {
		case string:
			in["error"] = e
		case map[string]any:
			in["error"] = maps.Clone(e) // as the output keeps its own
		}
	case hooks.PreModelCall, hooks.PostModelCall, hooks.PreToolSelection:
		takeModelRequest(event, in)
		takeModelResponse(in)
	}
}

// takeModelRequest moves what hooks know of a request to their fields.
func takeModelRequest(event *Event, in object) {
	info, request := hooks.Lookup(event.Event), in.inner("llm_request")
	config, choice := request.inner("config"), request.inner("toolConfig")
	for _, from := range []struct {
		object
		key, field string
	}{
		{request, "model", "model"}, {request, "messages", "messages"}, {request, "tools", "tools"},
		{choice, "allowedFunctionNames", "tools"}, {config, "temperature", "temperature"}, {config, "maxOutputTokens", "max_tokens"},
	} {
		if v, ok := from.object[from.key]; ok && !in.has(from.field) && info.Field(from.field) != nil {
			in[from.field] = v
			delete(from.object, from.key)
		}
	}
	request.putBack("config", config)
	request.putBack("toolConfig", choice)
	in.putBack("llm_request", request)
}

// takeModelResponse copies what hooks know of a response to their fields.
func takeModelResponse(in object) {
	response, ok := in["llm_response"].(map[string]any)
	if !ok {
		return
	}
	text, _ := response["text"].(string)
	if list, _ := response["candidates"].([]any); len(list) > 0 {
		first, _ := list[0].(map[string]any)
		if text == "" {
			content, _ := first["content"].(map[string]any)
			parts, _ := content["parts"].([]any)
			for _, part := range parts {
				s, _ := part.(string)
				text += s
			}
		}
		if reason, ok := first["finishReason"].(string); ok {
			in["finish_reason"] = reason
		}
	}
	set(in, "response", text)
	if counts, ok := response["usageMetadata"].(map[string]any); ok {
		in["usage"] = map[string]any{
			"input_tokens": counts["promptTokenCount"], "output_tokens": counts["candidatesTokenCount"],
			"cache_tokens": counts["cachedContentTokenCount"],
		}
	}
}

// writeGemini writes an answer. A denial of what is over takes the place of the result.
func writeGemini(c *Call, a *answer) Output {
	out, specific := object{}, object{}
	if a.input != nil {
		rewriteGemini(c, a, specific)
	}
	if a.output != nil {
		a.decision, a.reason = hooks.Deny, join("\n", a.reason, outputText(a.output))
	}
	switch {
	case c.Event.Event == hooks.PreToolSelection: // nothing else can be said there
		if a.decision == hooks.Deny {
			specific["toolConfig"] = map[string]any{"mode": "NONE"}
			c.notTold(a, "takes no reason", a.reason)
		}
		a.decision = hooks.NoOpinion
	case a.decision == hooks.Deny:
		out["reason"] = join("\n", a.reason, a.context) // context alone would be dropped
		a.context = ""
	case a.decision == hooks.Ask:
		out["reason"] = a.reason
		a.message = join("\n", a.reason, a.message) // which stands beside the question
	}
	set(out, "decision", string(a.decision))
	if a.halt {
		out["continue"] = false
		set(out, "stopReason", a.stop)
	}
	set(out, "systemMessage", a.message)
	set(specific, "additionalContext", a.context)
	if len(specific) > 0 {
		specific["hookEventName"] = c.Event.Name
		out["hookSpecificOutput"] = map[string]any(specific)
	}
	return orDenial(asJSON(out), func(reason string) object { return object{"decision": "deny", "reason": reason} })
}

// rewriteGemini writes what takes the place of arguments, or denies what can't be said: arguments are merged into
// those of the model, and of a request only some parts can be replaced.
func rewriteGemini(c *Call, a *answer, specific object) {
	var before, request map[string]any
	if c.Context != nil {
		before = c.Context.Input()
		request, _ = c.Context.Metadata["llm_request"].(map[string]any)
	}
	var not []string
	switch c.Event.Event {
	case hooks.PreToolCall:
		specific["tool_input"] = a.input
		for key, v := range before {
			if _, kept := a.input[key]; !kept && v != nil {
				not = append(not, key)
			}
		}
	case hooks.PreToolSelection:
		names, ok := toolNames(a.input["tools"])
		switch {
		case !ok:
			not = append(not, "tools")
		case len(names) == 0:
			specific["toolConfig"] = map[string]any{"mode": "NONE"}
		default: // names go with no other mode
			specific["toolConfig"] = map[string]any{"mode": "ANY", "allowedFunctionNames": names}
		}
	case hooks.PreModelCall:
		changed := map[string]any{}
		for key := range before {
			if _, kept := a.input[key]; !kept {
				not = append(not, key)
			}
		}
		for key, v := range a.input {
			switch {
			case asText(v) == asText(before[key]):
			case key == "model", key == "messages":
				changed[key] = v
			case key == "temperature": // the others of its object would be forgotten
				config := map[string]any{key: v}
				if old, ok := request["config"].(map[string]any); ok {
					config = maps.Clone(old)
					config[key] = v
				}
				if most := before["max_tokens"]; most != nil {
					config["maxOutputTokens"] = most
				}
				changed["config"] = config
			default:
				not = append(not, key)
			}
		}
		if len(changed) > 0 {
			specific["llm_request"] = changed
		}
	}
	if len(not) > 0 {
		slices.Sort(not)
		clear(specific)
		a.deny(join("\n", a.reason, "a hook wants it changed in a way that "+c.Agent.Title+" can't be told: "+strings.Join(not, ", ")))
	}
}

// toolNames are the names of tools, each a text or an object with a name.
func toolNames(v any) (names []any, ok bool) {
	list, ok := v.([]any)
	for _, v := range list {
		if tool, isObject := v.(map[string]any); isObject {
			v = tool["name"]
		}
		if name, _ := v.(string); name == "" {
			return nil, false
		}
		names = append(names, v)
	}
	return names, ok
}
