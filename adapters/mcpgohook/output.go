package mcpgohook

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
	"github.com/mark3labs/mcp-go/mcp"
)

// The keys of an output whose text says something other than its structured content.
const (
	contentKey    = "content"
	structuredKey = "structured_content"
)

// outputOf is a result as hooks see it: its text; its structured content, where the text only
// repeats that; or both by their names.
func outputOf(r *mcp.CallToolResult) any {
	text := textOf(r.Content)
	structured := r.StructuredContent
	if len(r.RawStructuredContent) > 0 {
		structured = r.RawStructuredContent
	}
	if structured == nil {
		return text
	}
	encoded, err := json.Marshal(structured)
	if err != nil {
		return structured // of which no plain value can be made, so that the engine withholds it
	}
	plain, err := hooks.DecodeJSON(encoded)
	if err != nil {
		return structured
	}
	if same, err := hooks.DecodeJSON([]byte(text)); text == "" || err == nil && reflect.DeepEqual(same, plain) {
		return plain
	}
	return map[string]any{contentKey: text, structuredKey: plain}
}

// textOf is what a model reads of a tool's content. What isn't text is named, without its bytes.
func textOf(content []mcp.Content) string {
	parts := make([]string, 0, len(content))
	for _, c := range content {
		switch c := c.(type) {
		case mcp.TextContent:
			parts = append(parts, c.Text)
		case mcp.ImageContent:
			parts = append(parts, fmt.Sprintf("[image %s, %d bytes]", c.MIMEType, len(c.Data)/4*3))
		case mcp.AudioContent:
			parts = append(parts, fmt.Sprintf("[audio %s, %d bytes]", c.MIMEType, len(c.Data)/4*3))
		case mcp.EmbeddedResource:
			parts = append(parts, textOfResource(c.Resource))
		default:
			text, err := json.Marshal(c)
			if err != nil {
				text = fmt.Appendf(nil, "[%T that is no JSON]", c)
			}
			parts = append(parts, string(text))
		}
	}
	return strings.Join(parts, "\n")
}

func textOfResource(r mcp.ResourceContents) string {
	switch r := r.(type) {
	case mcp.TextResourceContents:
		return fmt.Sprintf("[resource %s]\n%s", r.URI, r.Text)
	case mcp.BlobResourceContents:
		return fmt.Sprintf("[resource %s, %s, %d bytes]", r.URI, r.MIMEType, len(r.Blob)/4*3)
	}
	return engine.TextOf(r)
}

// failureOf is the error of a result that is one.
func failureOf(r *mcp.CallToolResult) error {
	if !r.IsError {
		return nil
	}
	if text := textOf(r.Content); text != "" {
		return errors.New(text)
	}
	return errors.New("the tool says that it has failed")
}

// resultOf makes a result of what hooks put in the place of the tool's own (nil: it gave none), or
// of why there is none. Nothing of the tool's own is in it.
func resultOf(output any, own *mcp.CallToolResult, failed bool) *mcp.CallToolResult {
	had, structured := false, output
	text := engine.TextOf(output)
	if own != nil {
		had = own.StructuredContent != nil || len(own.RawStructuredContent) > 0
		before, _ := outputOf(own).(map[string]any)
		if parts, ok := output.(map[string]any); ok && had && hasBoth(before) && hasBoth(parts) {
			text, structured = engine.TextOf(parts[contentKey]), parts[structuredKey]
		}
	}
	result := &mcp.CallToolResult{Content: []mcp.Content{mcp.NewTextContent(text)}, IsError: failed}
	if _, object := structured.(map[string]any); object {
		result.StructuredContent = structured
	} else if had {
		result.IsError = true // the tool's schema may promise an object, without which clients refuse all but errors
	}
	return result
}

// hasBoth reports whether an output is text and structured content by their names.
func hasBoth(output map[string]any) bool {
	_, content := output[contentKey]
	_, structured := output[structuredKey]
	return content && structured && len(output) == 2
}
