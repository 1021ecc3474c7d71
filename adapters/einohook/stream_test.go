package einohook_test

import (
	"context"
	"errors"
	"io"
	"testing"

	"github.com/cloudwego/eino/compose"
	"github.com/cloudwego/eino/schema"

	"github.com/luahook/luahook/adapters/einohook"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// slow is a tool that says its second word when it is told to.
func slow(goOn <-chan struct{}, end error) streamable {
	return streamable{toolOf{"slow"}, func(ctx context.Context, _ string) (*schema.StreamReader[string], error) {
		reader, writer := schema.Pipe[string](0)
		go func() {
			defer writer.Close()
			writer.Send("one ", nil)
			select {
			case <-goOn:
			case <-ctx.Done():
			}
			if end != nil {
				writer.Send("", end)
			} else {
				writer.Send("two", nil)
			}
		}()
		return reader, nil
	}}
}

// open begins a call of slow by a ToolsNode with hooks.
func open(t *testing.T, w *world, tool streamable, o ...einohook.Option) *schema.StreamReader[[]*schema.Message] {
	t.Helper()
	node, err := compose.NewToolNode(t.Context(), &compose.ToolsNodeConfig{
		Tools: toolList(tool), ToolCallMiddlewares: []compose.ToolMiddleware{einohook.ToolMiddleware(w.engine, o...)},
	})
	if err != nil {
		t.Fatal(err)
	}
	reader, err := node.Stream(t.Context(), calls("slow", `{}`))
	if err != nil {
		t.Fatal(err)
	}
	return reader
}

func next(t *testing.T, reader *schema.StreamReader[[]*schema.Message]) (string, error) {
	t.Helper()
	list, err := reader.Recv()
	if err != nil {
		return "", err
	}
	return list[0].Content, nil
}

// Without a hook that could change it, a stream isn't held back: the first word arrives before
// the tool says the second.
func TestStreamPassesWhereNobodyListens(t *testing.T) {
	w := newWorld(t, `on("post_tool_call", { match = "other" }, function() end)`)
	goOn := make(chan struct{})
	reader := open(t, w, slow(goOn, nil))
	first, _ := next(t, reader)
	equal(t, "the first chunk", first, "one ")
	close(goOn)
	second, _ := next(t, reader)
	equal(t, "the second chunk", second, "two")
	if _, err := next(t, reader); !errors.Is(err, io.EOF) {
		t.Errorf("then got %v", err)
	}
}

// With WithStreamsPassedThrough hooks see all of it at the end, and what they add follows.
func TestStreamPassesWhereItShould(t *testing.T) {
	w := newWorld(t, `on("post_tool_call", function() return context("mind the gap") end)`, hooks.PostToolCall)
	goOn := make(chan struct{})
	reader := open(t, w, slow(goOn, nil), einohook.WithStreamsPassedThrough())
	first, _ := next(t, reader)
	equal(t, "the first chunk", first, "one ")
	if len(w.Of(hooks.PostToolCall)) != 0 {
		t.Error("post_tool_call was fired before the end")
	}
	close(goOn)
	next(t, reader)
	note, _ := next(t, reader)
	has(t, "the last chunk", note, "mind the gap")
	for _, c := range w.Of(hooks.PostToolCall) {
		equal(t, "its output", engine.TextOf(c.ToolCall.Output), "one two")
	}
	equal(t, "events", w.story(), "post_tool_call:slow=ok")
}

func TestStreamThatBreaks(t *testing.T) {
	broken := errors.New("the line went dead")
	for _, o := range [][]einohook.Option{nil, {einohook.WithStreamsPassedThrough()}} {
		w := newWorld(t, "", hooks.PostToolCall)
		goOn := make(chan struct{})
		close(goOn)
		var err error
		if o == nil { // held back, so that the call fails
			_, err = toolsNode(t, w, slow(goOn, broken)).Stream(t.Context(), calls("slow", `{}`))
		} else {
			reader := open(t, w, slow(goOn, broken), o...)
			first, _ := next(t, reader)
			equal(t, "the first chunk", first, "one ")
			_, err = next(t, reader)
		}
		if !errors.Is(err, broken) {
			t.Errorf("got %v, want the tool's error", err)
		}
		equal(t, "events", w.story(), "post_tool_call:slow=error")
		for _, c := range w.Of(hooks.PostToolCall) {
			equal(t, "its output", engine.TextOf(c.ToolCall.Output), "one ")
		}
	}
}

// Who doesn't want to hear more closes the stream: the tool is told, and the call has its end.
func TestStreamThatIsClosed(t *testing.T) {
	done := make(chan struct{})
	w := newWorld(t, "")
	if _, err := w.engine.RegisterHook(hooks.PostToolCall, hooks.Options{Name: "end"}, func(_ context.Context, c *hooks.Context) (*hooks.Result, error) {
		equal(t, "outcome", c.ToolCall.Outcome, hooks.OutcomeError)
		close(done)
		return nil, nil
	}); err != nil {
		t.Fatal(err)
	}
	told := make(chan struct{})
	endless := streamable{toolOf{"slow"}, func(context.Context, string) (*schema.StreamReader[string], error) {
		reader, writer := schema.Pipe[string](0)
		go func() {
			for !writer.Send("more ", nil) {
			}
			close(told)
		}()
		return reader, nil
	}}
	reader := open(t, w, endless, einohook.WithStreamsPassedThrough())
	next(t, reader)
	reader.Close()
	<-told
	<-done
}

// A refused call of a stream that would pass is refused at once.
func TestStreamThatIsRefused(t *testing.T) {
	w := newWorld(t, `on("pre_tool_call", function() return deny("not now") end)`, hooks.PostToolCall)
	reader := open(t, w, slow(nil, nil), einohook.WithStreamsPassedThrough())
	text, _ := next(t, reader)
	has(t, "the answer", text, "not now")
	equal(t, "events", w.story(), "post_tool_call:slow=denied")
}
