package wire

import (
	"maps"
	"slices"
	"strings"
)

// What a hook puts in the place of a tool's output is a text as a rule. The agents have outputs of many shapes.

// shapedLike is an output in the shape that the tool's own has: a text takes the place of the first text in it, and
// the other texts are gone.
func shapedLike(old, replacement any) any {
	text, isText := replacement.(string)
	if _, wasText := old.(string); !isText || wasText || old == nil {
		return replacement
	}
	used := false
	shaped := replaceTexts(old, func() string {
		if used {
			return ""
		}
		used = true
		return text
	})
	if !used {
		return replacement
	}
	return shaped
}

// replaceTexts is a copy of v with other texts, but for those that say what kind of thing it is.
func replaceTexts(v any, next func() string) any {
	switch v := v.(type) {
	case string:
		return next()
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = replaceTexts(v[i], next)
		}
		return list
	case map[string]any:
		shaped := make(map[string]any, len(v))
		for _, key := range textsFirst(v) {
			if shaped[key] = v[key]; key != "type" {
				shaped[key] = replaceTexts(v[key], next)
			}
		}
		return shaped
	}
	return v
}

// textsFirst are the keys of an object, and first of all those of what a tool has printed.
func textsFirst(v map[string]any) []string {
	keys := slices.Sorted(maps.Keys(v))
	for _, main := range []string{"text", "content", "output", "stdout"} {
		if i := slices.Index(keys, main); i > 0 {
			keys = slices.Insert(slices.Delete(keys, i, i+1), 0, main)
		}
	}
	return keys
}

// textPart is a text in the content of an MCP tool's result.
func textPart(text string) map[string]any { return map[string]any{"type": "text", "text": text} }

// mcpResult is an output as an MCP tool has it: an object.
func mcpResult(output any) any {
	if output, ok := output.(map[string]any); ok {
		return output
	}
	return map[string]any{"content": []any{textPart(asText(output))}}
}

// withText is an output with what a hook has put in its place, if it has, and a text after it: a list of content if the
// old one was such a list, otherwise a text.
func withText(old, replacement any, text string) any {
	list, isList := old.([]any)
	if !isList {
		if replacement == nil {
			replacement = old
		}
		if replacement == nil {
			return text
		}
		return join("\n", asText(replacement), text)
	}
	switch replacement := replacement.(type) {
	case nil:
	case []any:
		list = replacement
	default:
		list = []any{textPart(asText(replacement))}
	}
	if text != "" {
		list = append(list[:len(list):len(list)], textPart(text))
	}
	return list
}

// outputText is what the model reads of a tool's output: the text of llmContent, if the hook kept the agent's form.
func outputText(output any) string {
	if whole, ok := output.(map[string]any); ok && whole["llmContent"] != nil {
		output = whole["llmContent"]
	}
	parts, ok := output.([]any)
	if !ok {
		parts = []any{output}
	}
	var texts []string
	for _, part := range parts {
		if p, isObject := part.(map[string]any); isObject {
			part = p["text"]
		}
		text, isText := part.(string)
		if !isText {
			return asText(output)
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, "\n")
}
