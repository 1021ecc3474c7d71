package show

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/luahook/luahook/hooks"
)

// The tree, line by line, with everything that a run can be.
func TestPrintTrace(t *testing.T) {
	run := func(hook string, status hooks.Status) hooks.Run {
		return hooks.Run{Hook: hook, Handler: hooks.HandlerLua, Mode: hooks.ModeSync, Scope: hooks.ScopeProject, Source: ".hooks/a.lua:1", Status: status, DurationUS: 12}
	}
	completed := run("notes", hooks.StatusCompleted)
	completed.Instructions, completed.DurationUS = 57, 1234
	completed.Entries = []hooks.Entry{{Kind: hooks.EntryContext, Text: "two\nlines\t\x1b[31mred \u202egnol"}, {Kind: hooks.EntryWarning, Text: "careful"}}
	failed := run("check", hooks.StatusFailed)
	failed.Handler, failed.Mode, failed.Source, failed.DurationUS = hooks.HandlerCommand, hooks.ModeParallel, "", 2_500_000
	failed.Command = &hooks.CommandRun{ExitCode: -1, TimedOut: true, Stderr: "not\nfound\n"}
	failed.Error = &hooks.RunError{Kind: hooks.KindLimit, Limit: hooks.LimitTime, Message: "it ran longer than its 2s"}
	long := run("long", hooks.StatusCompleted)
	long.Entries = []hooks.Entry{{Kind: hooks.EntryFeedback, Text: strings.Repeat("ä", 1000)}}
	judged := run("notes", hooks.StatusBlocked)
	judged.Judging = true
	tests := []struct {
		name string
		r    hooks.Result
		want string
	}{
		{"nothing", summarized(hooks.Result{}, &hooks.RunSummary{Event: hooks.Stop, Generation: 3}), `stop: no objection in 0 µs, generation 3
└─ no hook ran
`},
		{"runs", summarized(hooks.Result{Decision: hooks.Ask}, &hooks.RunSummary{Event: hooks.PreToolCall, Generation: 1, DurationMS: 12.345, Runs: []hooks.Run{completed, failed, run("later", hooks.StatusSkipped), run("behind", hooks.StatusQueued)}}),
			`pre_tool_call: ask in 12.3 ms, generation 1
├─ ✓ notes (project, .hooks/a.lua:1) 1.2 ms, lua, 57 instructions
│    context: two lines �[31mred �gnol
│    warning: careful
├─ ! check (project) 2.50 s, command, parallel, failed
│    exit status -1, its time was over; stderr: not found
│    error (limit, time): it ran longer than its 2s
├─ - later (project, .hooks/a.lua:1) 12 µs, lua, skipped
└─ … behind (project, .hooks/a.lua:1) 12 µs, lua, queued
`},
		{"judging", summarized(hooks.Result{Decision: hooks.Deny}, &hooks.RunSummary{Event: hooks.PreToolCall, Runs: []hooks.Run{completed, run("rewrites", hooks.StatusCompleted), judged}}),
			`pre_tool_call: deny in 0 µs, generation 0
├─ ✓ notes (project, .hooks/a.lua:1) 1.2 ms, lua, 57 instructions
│    context: two lines �[31mred �gnol
│    warning: careful
├─ ✓ rewrites (project, .hooks/a.lua:1) 12 µs, lua
└─ judging what was rewritten
   └─ ✗ notes (project, .hooks/a.lua:1) 12 µs, lua
`},
		{"a long line", summarized(hooks.Result{}, &hooks.RunSummary{Event: hooks.Stop, Runs: []hooks.Run{long}}), `stop: no objection in 0 µs, generation 0
└─ ✓ long (project, .hooks/a.lua:1) 12 µs, lua
     feedback: ` + strings.Repeat("ä", 144) + "…\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var b strings.Builder
			Trace(&b, &test.r)
			if b.String() != test.want {
				t.Errorf("got\n%s\nwant\n%s", b.String(), test.want)
			}
			for line := range strings.Lines(b.String()) {
				if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > traceWidth {
					t.Errorf("a line of %d characters", n)
				}
			}
		})
	}
}

func summarized(r hooks.Result, s *hooks.RunSummary) hooks.Result {
	r.Summarizer = s
	return r
}
