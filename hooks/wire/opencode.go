package wire

import (
	"bytes"
	_ "embed" // the plugin
	"encoding/json"
	"strings"

	"github.com/luahook/luahook/hooks"
)

// opencode is opencode, as of 1.18.33. It calls no commands, but plugins in its own process; ours, opencode_plugin.js,
// calls luahook with --event and what the plugin was given: {"cwd", "input", "output"} or {"cwd", "event"}. The answer
// is an object with one or more of these keys; silence changes nothing:
//
//	deny     why the tool doesn't run, or the prompt isn't taken: the plugin throws it, or sets the status deny
//	args     the tool's arguments, whole
//	output   the tool's output: a text, or the list of an MCP tool's content
//	prompt   what takes the place of the prompt's text
//	context  text that is put after the prompt
//	status   allow or ask, of permission.ask
//	message  text for the user
var opencode = Agent{
	Name: "opencode", Title: "opencode", shellFolder: []string{"workdir"},
	Events: []Event{
		{Name: "tool.execute.before", Event: hooks.PreToolCall, Can: Deny | Rewrite | Message},
		{Name: "tool.execute.after", Event: hooks.PostToolCall, Can: Deny | Replace | Context | Message},
		{Name: "permission.ask", Event: hooks.PermissionRequest, Can: Deny | Ask | Allow | Message}, // 1.18 has it and never calls it
		{Name: "chat.message", Event: hooks.PrePrompt, Can: Deny | Rewrite | Context | Message},
		{Name: "session.created", Event: hooks.SessionStart, Can: Message},
		{Name: "session.deleted", Event: hooks.SessionEnd, Can: Message},
		{Name: "session.idle", Event: hooks.Stop, Can: Message},
		{Name: "session.error", Event: hooks.StopFailure, Can: Message},
		{Name: "session.compacted", Event: hooks.PostCompact, Can: Message},
	},
	prepare: prepareOpencode, write: writeOpencode, whyNotRewritten: onlyPrompt,
}

//go:embed opencode_plugin.js
var opencodePlugin []byte

// OpencodePlugin is the text of the plugin for opencode, which runs the command: the program and its arguments, to
// which it adds --event and the event's name.
func OpencodePlugin(command []string) []byte {
	words, _ := json.Marshal(command) // texts can always be written
	return bytes.Replace(opencodePlugin, []byte(`"the command"`), words, 1)
}

// prepareOpencode takes what the plugin was given apart.
func prepareOpencode(event *Event, in object) {
	input, output, happened := in.inner("input"), in.inner("output"), in.inner("event")
	set(in, "session_id", input.text("sessionID"))
	set(in, "tool_use_id", input.text("callID"))
	switch event.Event {
	case hooks.PreToolCall, hooks.PostToolCall:
		set(in, "tool_name", input.text("tool"))
		in.moveFrom("tool_input", output, "args")
		in.moveFrom("tool_input", input, "args")
		if isCodeMode(in) {
			in["tool_name"] = "execute_javascript"
		}
		if event.Event == hooks.PostToolCall {
			prepareOutput(in, output)
		}
	case hooks.PermissionRequest:
		preparePermission(in, input)
	case hooks.PrePrompt:
		set(in, "prompt", strings.Join(promptTexts(output), "\n"))
		message, _ := output["message"].(map[string]any)
		for _, from := range []object{input, message} {
			if model, _ := from["model"].(map[string]any); !in.has("model") {
				name, _ := model["modelID"].(string)
				set(in, "model", name)
			}
		}
	}
	properties := happened.inner("properties")
	info, _ := properties["info"].(map[string]any)
	set(in, "session_id", properties.text("sessionID"))
	if id, _ := info["id"].(string); !in.has("session_id") {
		set(in, "session_id", id)
	}
	if folder, _ := info["directory"].(string); !in.has(folderKeys...) {
		set(in, "cwd", folder)
	}
	if failed, ok := properties["error"].(map[string]any); ok {
		data, _ := failed["data"].(map[string]any)
		in["error"] = map[string]any{"message": data["message"], "name": failed["name"]}
	}
	happened.putBack("properties", properties)
	in.putBack("input", input)
	in.putBack("output", output)
	in.putBack("event", happened)
}

// isCodeMode reports whether a tool call is opencode's code mode: a script that can call nothing but tools of MCP servers,
// about each of which opencode asks plugins. Elsewhere execute is a shell.
func isCodeMode(in object) bool {
	arguments, _ := in["tool_input"].(map[string]any)
	_, isText := arguments["code"].(string)
	return in["tool_name"] == "execute" && isText && len(arguments) == 1
}

// prepareOutput takes a tool's output: a text, or what an MCP tool has answered. A shell's exit status says whether
// it has failed.
func prepareOutput(in, output object) {
	if content, ok := output["content"].([]any); ok {
		in["tool_response"] = content
		delete(output, "content")
	} else {
		in.moveFrom("tool_response", output, "output")
	}
	metadata, _ := output["metadata"].(map[string]any)
	if status, ok := metadata["exit"].(int64); ok && status != 0 {
		in["error"] = "exit status " + asText(status)
	}
}

// preparePermission takes the tool call that somebody is to be asked about. The commands of a shell may stand in the
// patterns alone.
func preparePermission(in, input object) {
	set(in, "tool_name", input.text("type", "permission"))
	arguments := input.inner("metadata")
	if arguments == nil {
		arguments = object{}
	}
	name, _ := in["tool_name"].(string)
	if _, kind := hooks.CanonicalTool(name); kind == hooks.KindShell && !arguments.has("command") {
		var commands []string
		for _, key := range []string{"pattern", "patterns"} {
			switch v := input[key].(type) {
			case string:
				commands = append(commands, v)
			case []any:
				for _, command := range v {
					commands = append(commands, asText(command))
				}
			}
		}
		arguments["command"] = strings.Join(commands, "\n")
	}
	in["tool_input"] = map[string]any(arguments)
}

// promptTexts are the texts of a prompt that the user has written.
func promptTexts(output object) []string {
	var texts []string
	parts, _ := output["parts"].([]any)
	for _, p := range parts {
		part, _ := p.(map[string]any)
		text, isText := part["text"].(string)
		if synthetic, _ := part["synthetic"].(bool); isText && !synthetic && part["type"] == "text" {
			texts = append(texts, text)
		}
	}
	return texts
}

func writeOpencode(c *Call, a *answer) Output {
	out := object{}
	set(out, "message", a.message)
	switch {
	case c.Event.Event == hooks.PostToolCall && c.Context != nil: // the output is all that the model sees of it
		if text := join("\n", a.reason, a.context); a.output != nil || text != "" {
			out["output"] = withText(c.Context.ToolCall.Output, a.output, text)
		}
	case a.decision == hooks.Deny:
		out["deny"] = join("\n", a.reason, a.context)
	case c.Event.Event == hooks.PrePrompt:
		set(out, "context", a.context)
		if a.input != nil {
			out["prompt"] = a.input["prompt"]
		}
	case a.input != nil:
		out["args"] = a.input
	default:
		set(out, "status", string(a.decision))
	}
	return asJSON(out)
}

// onlyPrompt says that a prompt's text can be replaced where there is some.
func onlyPrompt(c *Call, input map[string]any) string {
	if _, ok := input["prompt"].(string); c.Event.Event == hooks.PrePrompt && (!ok || c.Context.Prompt == "") {
		return "which opencode doesn't do with a prompt without text"
	}
	return ""
}
