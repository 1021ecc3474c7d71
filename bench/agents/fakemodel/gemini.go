package fakemodel

import "net/http"

// writeContent answers a request to Gemini's content.
func writeContent(w http.ResponseWriter, a *answer, stream bool) {
	part := object{"text": a.text}
	if a.command != "" {
		part = object{"functionCall": object{"name": a.tool.Name, "args": a.tool.Input(a.command)}}
	}
	out := object{
		"candidates": []any{object{
			"index": 0, "finishReason": "STOP", "content": object{"role": "model", "parts": []any{part}},
		}},
		"usageMetadata": object{"promptTokenCount": 100, "candidatesTokenCount": 10, "totalTokenCount": 110},
		"modelVersion":  "fake-1",
	}
	if !stream {
		writeJSON(w, out)
		return
	}
	writeEvents(w, [2]string{"", encode(out)})
}
