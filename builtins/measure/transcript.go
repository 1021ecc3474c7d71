package main

import "encoding/json"

// record reads a line of JSON. It knows
//
//	{"command": ..., "cwd": ..., "tool": ..., "input": {...}}         what is written for this program
//	{"event": ..., "cwd": ..., "tool_call": {"name": ..., "input"}}   events of luahook
//	{"cwd": ..., "tool_name": ..., "tool_input": {...}}               what agents tell hooks
//	{"cwd": ..., "message": {"content": [{"type": "tool_use"}]}}      transcripts of Claude Code
//	{"type": "response_item", "payload": {"type": "function_call"}}   transcripts of Codex
//
// Lines without a call are passed over.
func (r *reading) record(text string) {
	if text == "" {
		return
	}
	var line map[string]any
	if err := json.Unmarshal([]byte(text), &line); err != nil {
		r.unread(r.where(r.number), "no JSON object: "+err.Error())
		return
	}
	if payload := object(line, "payload"); payload != nil {
		r.codex(payload)
		return
	}
	cwd := word(line, "cwd")
	input := object(line, "input")
	content, _ := object(line, "message")["content"].([]any)
	switch made := object(line, "tool_call"); {
	case len(content) > 0:
		for _, part := range content {
			if block, _ := part.(map[string]any); word(block, "type") == "tool_use" {
				r.call(word(block, "name"), object(block, "input"), cwd)
			}
		}
	case made != nil:
		input := object(made, "input")
		if input == nil && made["command"] != nil {
			input = map[string]any{"command": made["command"]}
		}
		r.call(word(made, "name"), input, cwd)
	case word(line, "tool_name") != "":
		r.call(word(line, "tool_name"), object(line, "tool_input"), cwd)
	case input != nil && word(line, "tool") != "":
		r.call(word(line, "tool"), input, cwd)
	case line["command"] != nil:
		tool := word(line, "tool")
		if tool == "" {
			tool = "bash"
		}
		r.call(tool, map[string]any{"command": line["command"]}, cwd)
	default:
		r.codex(line) // its old transcripts have no payloads
	}
}

// codex reads an item of a transcript of Codex, which says where it works in lines of their own.
func (r *reading) codex(item map[string]any) {
	if cwd := word(item, "cwd"); cwd != "" {
		r.cwd = cwd
	}
	switch word(item, "type") {
	case "function_call":
		var input map[string]any
		if err := json.Unmarshal([]byte(word(item, "arguments")), &input); err != nil {
			r.unread(r.where(r.number), "arguments that are no JSON object: "+err.Error())
			return
		}
		r.call(word(item, "name"), input, r.cwd)
	case "custom_tool_call":
		r.call(word(item, "name"), map[string]any{"input": item["input"]}, r.cwd)
	case "local_shell_call":
		action := object(item, "action")
		input := map[string]any{"command": action["command"]}
		if folder := word(action, "working_directory"); folder != "" {
			input["workdir"] = folder
		}
		r.call("shell", input, r.cwd)
	}
}

func (r *reading) call(tool string, input map[string]any, cwd string) {
	if tool != "" && input != nil {
		r.take(call{tool: tool, input: input, cwd: cwd, where: r.where(r.number)})
	}
}

// object returns the object that o has under a key, nil if there is none.
func object(o map[string]any, key string) map[string]any {
	found, _ := o[key].(map[string]any)
	return found
}

// word returns the text that o has under a key, "" if there is none.
func word(o map[string]any, key string) string {
	found, _ := o[key].(string)
	return found
}
