package mcphook

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The keys of the output of a tool whose text says something other than its structured content.
const (
	contentKey    = "content"
	structuredKey = "structured_content"
)

// view is a result as hooks see it.
type view struct {
	output     any  // its text; its structured content, where the text only repeats that; or both by their names
	structured any  // its structured content; nil: it has none
	apart      bool // output has both by their names
}

func viewOf(res *mcp.CallToolResult) (v view, err error) {
	text := textOf(res.Content)
	if res.StructuredContent == nil {
		return view{output: text}, nil
	}
	if v.structured, err = plain(res.StructuredContent); err != nil {
		return view{}, fmt.Errorf("its structured content is no JSON: %w", err)
	}
	v.output = v.structured
	said, err := hooks.DecodeJSON([]byte(text))
	if text != "" && (err != nil || !reflect.DeepEqual(said, v.structured)) {
		v.output, v.apart = map[string]any{contentKey: text, structuredKey: v.structured}, true
	}
	return v, nil
}

// plain is a value as it reads when it has been sent.
func plain(v any) (any, error) {
	value, err := hooks.PlainValue(v)
	if err != nil {
		return nil, err
	}
	text, err := hooks.EncodeJSON(value)
	if err != nil {
		return nil, err
	}
	return hooks.DecodeJSON(text)
}

// textOf is what a model reads of a tool's content. What isn't text is named, without its bytes.
func textOf(content []mcp.Content) string {
	parts := make([]string, 0, len(content))
	for _, c := range content {
		switch c := c.(type) {
		case *mcp.TextContent:
			parts = append(parts, c.Text)
		case *mcp.ImageContent:
			parts = append(parts, fmt.Sprintf("[image %s, %d bytes]", c.MIMEType, len(c.Data)))
		case *mcp.AudioContent:
			parts = append(parts, fmt.Sprintf("[audio %s, %d bytes]", c.MIMEType, len(c.Data)))
		case *mcp.EmbeddedResource:
			switch r := c.Resource; {
			case r == nil:
			case r.Text != "":
				parts = append(parts, fmt.Sprintf("[resource %s]\n%s", r.URI, r.Text))
			default:
				parts = append(parts, fmt.Sprintf("[resource %s, %s, %d bytes]", r.URI, r.MIMEType, len(r.Blob)))
			}
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

// made is a result with a text.
func (c *call) made(text string, isError bool) *mcp.CallToolResult {
	res := c.empty()
	res.Content, res.IsError = []mcp.Content{&mcp.TextContent{Text: text}}, isError
	return res
}

// empty is a result that says that it is complete, where the protocol wants that.
func (c *call) empty() *mcp.CallToolResult {
	if c.version < sinceInputRequired {
		return &mcp.CallToolResult{}
	}
	return resultOfType("complete")
}

// resultOfType is an empty result of a type, for which the SDK has no setter.
func resultOfType(name string) *mcp.CallToolResult {
	res := &mcp.CallToolResult{}
	if err := json.Unmarshal([]byte(`{"content":[],"resultType":"`+name+`"}`), res); err != nil {
		panic(err) // it reads the SDK's own form
	}
	res.Content = nil
	return res
}

// replaced is a result with the answer's output, and nothing else. before is what the tool came
// back with.
func (c *call) replaced(before view, a *engine.ToolAnswer) *mcp.CallToolResult {
	res := c.made(engine.TextOf(a.Output), a.Err != nil)
	value, err := plain(a.Output)
	if err != nil {
		return res
	}
	if parts, ok := value.(map[string]any); ok && before.apart && isParts(parts) {
		value = parts[structuredKey]
		text, given := parts[contentKey]
		if !given {
			text = value
		}
		res.Content = []mcp.Content{&mcp.TextContent{Text: engine.TextOf(text)}}
	}
	_, isObject := value.(map[string]any)
	_, wasObject := before.structured.(map[string]any)
	switch {
	case isObject, before.structured != nil && !wasObject:
		res.StructuredContent = value
	case wasObject:
		// The tool's schema may promise an object. Clients refuse a result without one, unless it
		// is an error.
		res.IsError = true
	}
	return res
}

// isParts reports whether an output names text and structured content, and nothing else.
func isParts(output map[string]any) bool {
	for key := range output {
		if key != contentKey && key != structuredKey {
			return false
		}
	}
	return len(output) > 0
}
