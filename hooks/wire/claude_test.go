package wire

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Every field of an answer to Claude Code is one that it has for the event.
func TestClaudeAnswersHaveKnownFields(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(shared(t, "schemas"), "claude-2.1.329-hook-fields.json"))
	if err != nil {
		t.Fatal(err)
	}
	var fields struct {
		Events map[string]struct {
			Output map[string]any `json:"hookSpecificOutput"`
		}
	}
	if err := json.Unmarshal(data, &fields); err != nil || len(fields.Events) == 0 {
		t.Fatal("no events", err)
	}
	noContinue := strings.Fields("Notification StopFailure PreCompact PostCompact InstructionsLoaded WorktreeCreate WorktreeRemove " +
		"SessionEnd Elicitation ElicitationResult ConfigChange MessageDisplay TaskCreated")
	decides := strings.Fields("UserPromptSubmit UserPromptExpansion PostToolUse PostToolUseFailure PostToolBatch Stop " +
		"SubagentStop ConfigChange PreCompact TaskCreated")
	goldens := goldensOf(t, &claude)
	rapid.Check(t, func(rt *rapid.T) {
		call := goldens[rapid.IntRange(0, len(goldens)-1).Draw(rt, "event")].call(t)
		r := anyResult(rt)
		out := call.Encode(r)
		if len(out.Stdout) == 0 {
			return
		}
		name := call.Event.Name
		var written map[string]any
		if err := json.Unmarshal(out.Stdout, &written); err != nil {
			rt.Fatalf("%s: %v: %s", name, err, out.Stdout)
		}
		for _, key := range slices.Sorted(maps.Keys(written)) {
			ok := slices.Contains([]string{"systemMessage", "hookSpecificOutput", "continue", "stopReason"}, key)
			switch key {
			case "continue":
				ok = !slices.Contains(noContinue, name)
			case "decision", "reason":
				ok = slices.Contains(decides, name)
			}
			if !ok {
				rt.Fatalf("%s has no %s: %s", name, key, out.Stdout)
			}
		}
		specific, _ := written["hookSpecificOutput"].(map[string]any)
		known, listed := fields.Events[name]
		if !listed {
			known = fields.Events["PreToolUse"] // an event that isn't known yet is answered as a tool call
		}
		for _, key := range slices.Sorted(maps.Keys(specific)) {
			if _, ok := known.Output[key]; !ok {
				rt.Fatalf("%s has no %s: %s", name, key, out.Stdout)
			}
		}
		if specific != nil && specific["hookEventName"] != name {
			rt.Fatalf("%s: %s", name, out.Stdout)
		}
		decision, _ := specific["decision"].(map[string]any)
		for key := range decision {
			if _, ok := known.Output[key]; !ok {
				rt.Fatalf("the decision has no %s: %s", key, out.Stdout)
			}
		}
	})
}
