package engine_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// Whatever a model sends, a tool either doesn't run, or runs with the bytes that came
// in, and what encoding/json reads from them as the command is what the guards have
// judged.
func FuzzWrapToolInput(f *testing.F) {
	for _, input := range []string{
		`{"command":"ls"}`, `{"Command":"rm -rf /"}`, `{"command":"ls","COMMAND":"rm"}`, `{"command":"ls","command":"rm"}`, `{"cmd":"rm","command":null}`,
		`{"command":["rm","-rf"]}`, `{"command":"ls","args":["-l"]}`, `{"command":"a\ud800b"}`, "\ufeff{\"command\":\"ls\"}", `{"command":" ls ","n":1e400}`, `{"comma\u006ed":"rm"}`, `[]`, `null`, ``, `{`,
	} {
		f.Add([]byte(input))
	}
	e, err := engine.New(engine.WithoutBuiltins())
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { _ = e.Close(context.Background()) })
	judged, fired := "", 0
	for _, event := range []hooks.Event{hooks.PreToolCall, hooks.PostToolCall} {
		if _, err := e.RegisterHook(event, hooks.Options{}, func(_ context.Context, c *hooks.Context) (*hooks.Result, error) {
			judged = c.ToolCall.Command
			fired++
			return nil, nil
		}); err != nil {
			f.Fatal(err)
		}
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		fired = 0
		got, ran := json.RawMessage(nil), false
		text, err := e.WrapTool("bash", func(_ context.Context, input json.RawMessage) (string, error) {
			got, ran = input, true
			return "ran", nil
		})(context.Background(), input)
		if ran != (err == nil) || text == "" || ran && fired != 2 || !ran && fired != 0 {
			t.Fatalf("ran: %t, %d events: %q, %v", ran, fired, text, err)
		}
		if ran && string(got) != string(input) {
			t.Fatalf("the body got %q", got)
		}
		var read struct{ Command string }
		if ran && json.Unmarshal(got, &read) == nil && !strings.Contains(judged, strings.TrimSpace(read.Command)) {
			t.Fatalf("the body runs %q, the guards have judged %q", read.Command, judged)
		}
	})
}
