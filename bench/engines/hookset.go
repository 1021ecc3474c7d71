package engines

import (
	"context"
	"fmt"
	"strings"

	"github.com/luahook/luahook/bench/policy"
)

// HookSet is a number of luahook's hooks for one event: Running ones, which are the guard for commands, and
// others whose matcher rejects every command.
type HookSet struct {
	Running, Others int
	OwnFiles        bool // each hook in a file of its own; else all in one
}

// HookSets are the sets that are measured.
func HookSets() []HookSet {
	return []HookSet{
		{Running: 1}, {Running: 10}, {Running: 100}, {Running: 1000},
		{Running: 10, OwnFiles: true}, {Running: 100, OwnFiles: true}, {Running: 1000, OwnFiles: true},
		{Running: 1, Others: 9}, {Running: 10, Others: 90}, {Running: 100, Others: 900},
		{Running: 1, Others: 999},
	}
}

// Name returns the set's name in tables and benchmarks.
func (s HookSet) Name() string {
	files := "one"
	if s.OwnFiles {
		files = "own"
	}
	return fmt.Sprintf("hooks=%d/running=%d/files=%s", s.Running+s.Others, s.Running, files)
}

const hookHead = `local patterns = {"mkfs.", ":(){ :|:& };:", "rm -rf /", "dd if=/dev/zero", "> /dev/sda"}
`

const hookBody = `on("pre_tool_call", {name = %q, match = %q}, function(ev)
  local command = ev.tool_call.command
  for i = 1, #patterns do
    if string.find(command, patterns[i], 1, true) then
      return deny("matches " .. patterns[i])
    end
  end
end)
`

// Scripts returns the set's files. The running hooks are between the others.
func (s HookSet) Scripts() []string {
	all := s.Running + s.Others
	var bodies []string
	running := 0
	for i := range all {
		match := "deploy" // not a tool of the events
		if running*all <= i*s.Running && running < s.Running {
			match = policy.Bash
			running++
		}
		bodies = append(bodies, fmt.Sprintf(hookBody, fmt.Sprintf("hook%d", i), match))
	}
	if !s.OwnFiles {
		return []string{hookHead + strings.Join(bodies, "")}
	}
	for i := range bodies {
		bodies[i] = hookHead + bodies[i]
	}
	return bodies
}

// Load makes an engine with the set, and checks that exactly the running hooks run.
func (s HookSet) Load() (*Luahook, error) {
	l, err := NewLuahook(s.Scripts(), Patient)
	if err != nil {
		return nil, err
	}
	r, err := l.Fire(context.Background(), HookEvent(policy.Named(policy.Allow).Events[0]))
	if err == nil && (r.Block || len(r.Summary().Runs) != s.Running) {
		err = fmt.Errorf("%s: %d hooks ran, want %d", s.Name(), len(r.Summary().Runs), s.Running)
	}
	if err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}
