package einohook

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/compose"
	"github.com/cloudwego/eino/schema"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// form is what one kind of a tool's output is made of: text, or parts.
type form[T any] struct {
	join   func([]T) (any, error)                // what hooks see
	answer func(output any, original any) T      // what stands in the tool's place
	note   func(text string, after bool) T       // what hooks add; after another chunk
	one    func(chunks []T) (whole T, err error) // chunks as one
}

var texts = form[string]{
	join:   func(chunks []string) (any, error) { return strings.Join(chunks, ""), nil },
	answer: func(output, _ any) string { return engine.TextOf(output) },
	note: func(text string, after bool) string {
		if after {
			return "\n\n" + text
		}
		return text
	},
	one: func(chunks []string) (string, error) { return strings.Join(chunks, ""), nil },
}

var parts = form[*schema.ToolResult]{
	join:   plainParts,
	answer: partsOf,
	note:   func(text string, _ bool) *schema.ToolResult { return textPart(text) },
	one:    schema.ConcatToolResults,
}

func textPart(text string) *schema.ToolResult {
	return &schema.ToolResult{Parts: []schema.ToolOutputPart{{Type: schema.ToolPartTypeText, Text: text}}}
}

// plainParts gives hooks a text where all parts are, and the parts as their JSON has them else.
func plainParts(chunks []*schema.ToolResult) (any, error) {
	whole, err := schema.ConcatToolResults(chunks)
	if err != nil {
		return nil, err
	}
	var text strings.Builder
	for _, part := range whole.Parts {
		if part.Type != schema.ToolPartTypeText {
			return hooks.PlainValue(whole)
		}
		text.WriteString(part.Text)
	}
	return text.String(), nil
}

// partsOf makes parts of what a hook puts in their place: of a value that looks as plainParts
// gave it, the parts that it has; of others one text.
func partsOf(output, original any) *schema.ToolResult {
	if _, structured := original.(map[string]any); structured {
		if raw, err := hooks.EncodeJSON(output); err == nil {
			result := &schema.ToolResult{}
			if json.Unmarshal(raw, result) == nil && len(result.Parts) > 0 {
				return result
			}
		}
	}
	return textPart(engine.TextOf(output))
}

// chunks is what the model gets of a call: the tool's own chunks, or what stands in their place,
// and what hooks add.
func (f form[T]) chunks(own []T, output any, a *engine.ToolAnswer) []T {
	if a.Replaced {
		own = []T{f.answer(a.Output, output)}
	}
	return append(own, f.notes(a, len(own) > 0)...)
}

func (f form[T]) notes(a *engine.ToolAnswer, after bool) (list []T) {
	for _, note := range a.Notes() {
		list = append(list, f.note(note, after))
		after = true
	}
	return list
}

// invoke is a call of a tool that answers at once.
func invoke[T any](ctx context.Context, h *hook, f form[T], name, id, args string, next func(ctx context.Context, args string) (T, error)) (answer T, err error) {
	c, refusal, err := h.begin(ctx, name, id, args)
	if err != nil {
		return answer, err
	}
	if c == nil {
		return f.answer(refusal, nil), nil
	}
	var own []T
	output, err, suspended := c.do(ctx, func(ctx context.Context, args string) (any, error) {
		whole, err := next(ctx, args)
		if err != nil {
			return nil, err
		}
		own = []T{whole}
		return f.join(own)
	})
	if suspended != nil {
		return answer, suspended
	}
	a, err := c.finish(ctx, output, err)
	if err != nil {
		return answer, err
	}
	return f.one(f.chunks(own, output, a))
}

// stream is a call of a tool that answers bit by bit. It is held back where hooks may have a
// say about it.
func stream[T any](ctx context.Context, h *hook, f form[T], name, id, args string, next func(ctx context.Context, args string) (*schema.StreamReader[T], error)) (*schema.StreamReader[T], error) {
	c, refusal, err := h.begin(ctx, name, id, args)
	if err != nil {
		return nil, err
	}
	if c == nil {
		return schema.StreamReaderFromArray([]T{f.answer(refusal, nil)}), nil
	}
	if !h.adapter.HoldsStream(*c.run.Event().ToolCall) {
		return passThrough(ctx, c, f, next)
	}
	var own []T
	output, err, suspended := c.do(ctx, func(ctx context.Context, args string) (any, error) {
		reader, err := next(ctx, args)
		if err != nil {
			return nil, err
		}
		defer reader.Close()
		return receive(f, reader, func(chunk T) error {
			own = append(own, chunk)
			return nil
		})
	})
	if suspended != nil {
		return nil, suspended
	}
	a, err := c.finish(ctx, output, err)
	if err != nil {
		return nil, err
	}
	return schema.StreamReaderFromArray(f.chunks(own, output, a)), nil
}

// ahead is how many chunks a tool may be ahead of who reads them.
const ahead = 64

// passThrough hands the tool's chunks on while it speaks. The goroutine ends with the tool's
// stream, or when who reads closes it.
func passThrough[T any](ctx context.Context, c *call, f form[T], next func(ctx context.Context, args string) (*schema.StreamReader[T], error)) (*schema.StreamReader[T], error) {
	type outcome struct {
		reader *schema.StreamReader[T]
		err    error
	}
	begun := make(chan outcome, 1) // what is returned here: once, by whatever comes first
	go func() {
		reader, writer := schema.Pipe[T](ahead)
		handed := false
		hand := func(r *schema.StreamReader[T], err error) {
			if !handed {
				handed = true
				begun <- outcome{r, err}
			}
		}
		defer writer.Close()
		defer hand(nil, errGoroutine)
		output, err, suspended := c.do(ctx, func(ctx context.Context, args string) (any, error) {
			source, err := next(ctx, args)
			if err != nil {
				return nil, err
			}
			defer source.Close()
			hand(reader, nil)
			return receive(f, source, func(chunk T) error {
				if writer.Send(chunk, nil) {
					return errNoReader
				}
				return nil
			})
		})
		var a *engine.ToolAnswer
		if err = cause(suspended, err); suspended == nil {
			a, err = c.finish(ctx, output, err)
		}
		switch streams := handed; {
		case !streams && err != nil:
			hand(nil, err)
		case !streams:
			hand(schema.StreamReaderFromArray(f.chunks(nil, output, a)), nil)
		case err != nil:
			var none T
			writer.Send(none, err)
		default:
			for _, note := range f.notes(a, true) {
				writer.Send(note, nil)
			}
		}
	}()
	o := <-begun
	return o.reader, o.err
}

func cause(suspended, err error) error {
	if suspended != nil {
		return suspended
	}
	return err
}

// receive takes all chunks of a stream, and gives what hooks see of them; beside an error, of
// those until then.
func receive[T any](f form[T], source *schema.StreamReader[T], take func(chunk T) error) (any, error) {
	var all []T
	for {
		chunk, err := source.Recv()
		if err == nil {
			all = append(all, chunk)
			if err = take(chunk); err == nil {
				continue
			}
		}
		seen, joined := f.join(all)
		if errors.Is(err, io.EOF) {
			return seen, joined
		}
		if len(all) == 0 {
			seen = nil
		}
		return seen, err
	}
}

// WrapInvokableToolCall puts a tool that answers with a text under hooks.
func (h *handler) WrapInvokableToolCall(_ context.Context, next adk.InvokableToolCallEndpoint, t *adk.ToolContext) (adk.InvokableToolCallEndpoint, error) {
	return func(ctx context.Context, args string, o ...tool.Option) (string, error) {
		return invoke(ctx, h.hook, texts, t.Name, t.CallID, args, func(ctx context.Context, args string) (string, error) { return next(ctx, args, o...) })
	}, nil
}

// WrapStreamableToolCall puts a tool that streams a text under hooks.
func (h *handler) WrapStreamableToolCall(_ context.Context, next adk.StreamableToolCallEndpoint, t *adk.ToolContext) (adk.StreamableToolCallEndpoint, error) {
	return func(ctx context.Context, args string, o ...tool.Option) (*schema.StreamReader[string], error) {
		return stream(ctx, h.hook, texts, t.Name, t.CallID, args, func(ctx context.Context, args string) (*schema.StreamReader[string], error) {
			return next(ctx, args, o...)
		})
	}, nil
}

// WrapEnhancedInvokableToolCall puts a tool that answers with parts under hooks.
func (h *handler) WrapEnhancedInvokableToolCall(_ context.Context, next adk.EnhancedInvokableToolCallEndpoint, t *adk.ToolContext) (adk.EnhancedInvokableToolCallEndpoint, error) {
	return func(ctx context.Context, args *schema.ToolArgument, o ...tool.Option) (*schema.ToolResult, error) {
		return invoke(ctx, h.hook, parts, t.Name, t.CallID, args.Text, func(ctx context.Context, args string) (*schema.ToolResult, error) {
			return next(ctx, &schema.ToolArgument{Text: args}, o...)
		})
	}, nil
}

// WrapEnhancedStreamableToolCall puts a tool that streams parts under hooks.
func (h *handler) WrapEnhancedStreamableToolCall(_ context.Context, next adk.EnhancedStreamableToolCallEndpoint, t *adk.ToolContext) (adk.EnhancedStreamableToolCallEndpoint, error) {
	return func(ctx context.Context, args *schema.ToolArgument, o ...tool.Option) (*schema.StreamReader[*schema.ToolResult], error) {
		return stream(ctx, h.hook, parts, t.Name, t.CallID, args.Text, func(ctx context.Context, args string) (*schema.StreamReader[*schema.ToolResult], error) {
			return next(ctx, &schema.ToolArgument{Text: args}, o...)
		})
	}, nil
}

// middleware is the same for a ToolsNode.
func (h *hook) middleware() compose.ToolMiddleware {
	with := func(in *compose.ToolInput, args string) *compose.ToolInput {
		changed := *in
		changed.Arguments = args
		return &changed
	}
	return compose.ToolMiddleware{
		Invokable: func(next compose.InvokableToolEndpoint) compose.InvokableToolEndpoint {
			return func(ctx context.Context, in *compose.ToolInput) (*compose.ToolOutput, error) {
				text, err := invoke(ctx, h, texts, in.Name, in.CallID, in.Arguments, func(ctx context.Context, args string) (string, error) {
					out, err := next(ctx, with(in, args))
					if err != nil {
						return "", err
					}
					return out.Result, nil
				})
				if err != nil {
					return nil, err
				}
				return &compose.ToolOutput{Result: text}, nil
			}
		},
		Streamable: func(next compose.StreamableToolEndpoint) compose.StreamableToolEndpoint {
			return func(ctx context.Context, in *compose.ToolInput) (*compose.StreamToolOutput, error) {
				reader, err := stream(ctx, h, texts, in.Name, in.CallID, in.Arguments, func(ctx context.Context, args string) (*schema.StreamReader[string], error) {
					out, err := next(ctx, with(in, args))
					if err != nil {
						return nil, err
					}
					return out.Result, nil
				})
				if err != nil {
					return nil, err
				}
				return &compose.StreamToolOutput{Result: reader}, nil
			}
		},
		EnhancedInvokable: func(next compose.EnhancedInvokableToolEndpoint) compose.EnhancedInvokableToolEndpoint {
			return func(ctx context.Context, in *compose.ToolInput) (*compose.EnhancedInvokableToolOutput, error) {
				result, err := invoke(ctx, h, parts, in.Name, in.CallID, in.Arguments, func(ctx context.Context, args string) (*schema.ToolResult, error) {
					out, err := next(ctx, with(in, args))
					if err != nil {
						return nil, err
					}
					return out.Result, nil
				})
				if err != nil {
					return nil, err
				}
				return &compose.EnhancedInvokableToolOutput{Result: result}, nil
			}
		},
		EnhancedStreamable: func(next compose.EnhancedStreamableToolEndpoint) compose.EnhancedStreamableToolEndpoint {
			return func(ctx context.Context, in *compose.ToolInput) (*compose.EnhancedStreamableToolOutput, error) {
				reader, err := stream(ctx, h, parts, in.Name, in.CallID, in.Arguments, func(ctx context.Context, args string) (*schema.StreamReader[*schema.ToolResult], error) {
					out, err := next(ctx, with(in, args))
					if err != nil {
						return nil, err
					}
					return out.Result, nil
				})
				if err != nil {
					return nil, err
				}
				return &compose.EnhancedStreamableToolOutput{Result: reader}, nil
			}
		},
	}
}
