package fakemodel

import (
	"fmt"
	"net/http"
)

// writeChat answers a request to OpenAI's chat completions.
func writeChat(w http.ResponseWriter, a *answer, stream bool) {
	message, reason := object{"role": "assistant", "content": a.text}, "stop"
	if a.command != "" {
		reason = "tool_calls"
		message = object{"role": "assistant", "content": nil, "tool_calls": []any{object{
			"index": 0, "id": a.call(), "type": "function",
			"function": object{"name": a.tool.Name, "arguments": a.arguments()},
		}}}
	}
	usage := object{"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
	reply := func(kind string, choices ...any) object {
		return object{"id": fmt.Sprintf("chat_%d", a.number), "object": kind, "created": 1, "model": "fake-1", "choices": choices}
	}
	if !stream {
		out := reply("chat.completion", object{"index": 0, "message": message, "finish_reason": reason})
		out["usage"] = usage
		writeJSON(w, out)
		return
	}
	const kind = "chat.completion.chunk"
	last := reply(kind, object{"index": 0, "delta": object{}, "finish_reason": reason})
	last["usage"] = usage
	writeEvents(w,
		[2]string{"", encode(reply(kind, object{"index": 0, "delta": message, "finish_reason": nil}))},
		[2]string{"", encode(last)},
		[2]string{"", "[DONE]"},
	)
}
