package otelhook_test

import (
	"context"
	"fmt"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/luahook/luahook/adapters/otelhook"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

func Example() {
	exporter := tracetest.NewInMemoryExporter() // in place of one that sends spans somewhere
	provider := sdktrace.NewTracerProvider(sdktrace.WithSyncer(exporter))
	e, err := engine.New(otelhook.Observe(otelhook.WithTracerProvider(provider)))
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	defer func() {
		_ = e.Close(ctx)
		_ = provider.Shutdown(ctx)
	}()

	_, _ = e.Fire(ctx, &hooks.Context{
		Event:    hooks.PreToolCall,
		ToolCall: &hooks.ToolCall{ID: "call_1", Name: "bash", Input: map[string]any{"command": "rm -rf /"}},
	})

	for _, span := range exporter.GetSpans() {
		fmt.Println(span.Name)
		for _, a := range span.Attributes {
			switch a.Key {
			case "gen_ai.tool.name", "luahook.decision", "luahook.hook.name":
				fmt.Printf("  %s: %s\n", a.Key, a.Value.AsString())
			}
		}
	}
	// Output:
	// luahook pre_tool_call
	//   gen_ai.tool.name: bash
	//   luahook.decision: deny
	//   luahook.hook.name: safety-guard
}
