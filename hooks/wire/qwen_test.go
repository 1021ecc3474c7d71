package wire

import (
	"strings"
	"testing"

	"github.com/luahook/luahook/hooks"
)

// Qwen Code reads 1 MiB of an answer. What is longer would be no JSON, and allow.
func TestQwenReadsWholeAnswers(t *testing.T) {
	long := strings.Repeat("\x01", 1<<20)
	for golden, r := range map[string]hooks.Result{
		"pre_tool_use":       {Decision: hooks.Deny, Reason: long, SystemMessage: long},
		"post_tool_use":      {Output: map[string]any{"llmContent": long}, NewContext: long, SystemMessage: long},
		"user_prompt_submit": {Decision: hooks.Deny, Reason: long, NewContext: long, Halt: true, StopReason: long, SystemMessage: long},
	} {
		out := callOfGolden(t, &qwen, golden).Encode(&r)
		if len(out.Stdout) >= 1<<20 || !strings.Contains(string(out.Stdout), "luahook has cut") {
			t.Errorf("%s: %d bytes", golden, len(out.Stdout))
		}
	}
}
