package fakemodel

import (
	"fmt"
	"net/http"
)

// writeResponse answers a request to OpenAI's responses, as a stream.
func writeResponse(w http.ResponseWriter, a *answer) {
	id := fmt.Sprintf("resp_%d", a.number)
	item := object{
		"type": "message", "role": "assistant", "id": fmt.Sprintf("msg_%d", a.number), "status": "completed",
		"content": []any{object{"type": "output_text", "text": a.text, "annotations": []any{}}},
	}
	if a.command != "" {
		item = object{
			"type": "function_call", "id": fmt.Sprintf("fc_%d", a.number), "status": "completed",
			"call_id": a.call(), "name": a.tool.Name, "arguments": a.arguments(),
		}
	}
	usage := object{"input_tokens": 100, "input_tokens_details": object{"cached_tokens": 0},
		"output_tokens": 10, "output_tokens_details": object{"reasoning_tokens": 0}, "total_tokens": 110}
	event := func(name string, fields object) [2]string {
		fields["type"] = name
		return [2]string{name, encode(fields)}
	}
	writeEvents(w,
		event("response.created", object{"response": object{"id": id}}),
		event("response.output_item.added", object{"output_index": 0, "item": item}),
		event("response.output_item.done", object{"output_index": 0, "item": item}),
		event("response.completed", object{"response": object{"id": id, "output": []any{item}, "usage": usage}}),
	)
}
