package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/luahook/luahook/bench/measure"
	"github.com/luahook/luahook/bench/policy"
	"github.com/luahook/luahook/bench/process"
)

// processTiming is the result for a command.
type processTiming struct {
	name  string
	cpu   measure.Spread // microseconds
	ratio measure.Spread // to a Go hello world right before
	eval  measure.Spread // to `luahook eval` in the same round
	peak  float64        // bytes, the median
}

// command is a program that judges one event per process.
type command struct {
	name   string
	argv   []string // nil: not installed
	judges bool     // false: it just says hello
	claude bool     // it's told and answers in the form of Claude Code
}

// hookEvents are the events of the processes, by case.
var hookEvents = map[string]string{policy.Allow: "ls -la", policy.Block: "rm -rf /"}

// processTable runs each command on one event, in a random order, each right after a hello world.
func processTable(c config, f *figures, w io.Writer) error {
	b, err := newBooth()
	if errors.Is(err, exec.ErrNotFound) {
		part(w, "One event per process", "Not measured: "+err.Error()+".")
		return nil
	}
	if err != nil {
		return err
	}
	defer os.RemoveAll(b.dir)
	f.eval, f.run = map[string]processTiming{}, map[string]processTiming{}
	part(w, "One event per process", "One event as JSON on stdin, a decision on stdout; user and system time, those of children included. "+
		"luahook runs its default guard, which parses the command line; the scripts look for five texts.")
	for _, name := range []string{policy.Allow, policy.Block} {
		subpart(w, "`"+hookEvents[name]+"`", "")
		columns(w, "command", "CPU ms", "p10", "peak resident MiB", "x hello", "x eval")
		timings, err := b.compare(c, name)
		if err != nil {
			return err
		}
		for _, t := range timings {
			cells(w, t.name, number(t.cpu.Median/1000), number(t.cpu.P10/1000), number(t.peak/(1<<20)), ratio(t.ratio), ratio(t.eval))
			switch t.name {
			case b.eval().name:
				f.eval[name] = t
			case b.run().name:
				f.run[name] = t
			}
		}
		for _, missing := range b.commands {
			if missing.argv == nil {
				cells(w, missing.name, "not installed", "", "", "", "")
			}
		}
	}
	return nil
}

// booth is a folder with everything that the processes need.
type booth struct {
	dir, spawn string
	commands   []command // hello, eval, run, and others
}

func (b *booth) hello() command { return b.commands[0] }
func (b *booth) eval() command  { return b.commands[1] }
func (b *booth) run() command   { return b.commands[2] }

// event is the file with the event of a case, in the form that a command reads.
func (b *booth) event(c command, name string) string {
	if c.claude {
		name += ".claude"
	}
	return b.input(name)
}

func newBooth() (*booth, error) {
	dir, err := os.MkdirTemp("", "luahook-bench-process-")
	if err != nil {
		return nil, err
	}
	b := &booth{dir: dir}
	if err := b.furnish(); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	return b, nil
}

func (b *booth) furnish() error {
	files := map[string]string{}
	for command, module := range map[string]string{"hello": benchModule, "luahook": mainModule} {
		file, err := build(b.dir, module, command)
		if err != nil {
			return err
		}
		files[command] = file
	}
	var err error
	if b.spawn, err = compile(b.dir, "spawn", process.Spawn); err != nil {
		return err
	}
	if err := os.CopyFS(b.dir, process.Scripts); err != nil {
		return err
	}
	if err := os.Mkdir(filepath.Join(b.dir, "project"), 0o755); err != nil {
		return err
	}
	for name, text := range hookEvents {
		event, err := json.Marshal(map[string]any{
			"session_id": "s-1", "cwd": filepath.Join(b.dir, "project"),
			"tool_call": map[string]any{"id": "call-1", "name": "bash", "command": text},
		})
		if err != nil {
			return err
		}
		if err := os.WriteFile(b.input(name), event, 0o644); err != nil {
			return err
		}
		event, err = json.Marshal(map[string]any{
			"session_id": "s-1", "cwd": filepath.Join(b.dir, "project"), "hook_event_name": "PreToolUse",
			"tool_name": "Bash", "tool_input": map[string]any{"command": text}, "tool_use_id": "call-1",
		})
		if err != nil {
			return err
		}
		if err := os.WriteFile(b.input(name+".claude"), event, 0o644); err != nil {
			return err
		}
	}
	b.commands = []command{
		{name: "Go hello world", argv: []string{files["hello"]}},
		{name: "`luahook eval pre_tool_call`", argv: []string{files["luahook"], "eval", "pre_tool_call"}, judges: true},
		{name: "`luahook run --agent claude`", argv: []string{files["luahook"], "run", "--agent", "claude"}, judges: true, claude: true},
		{name: "`bash guard.sh`, with jq", argv: b.interpreted("guard.sh", "bash", "jq"), judges: true},
		{name: "`python3 guard.py`", argv: b.interpreted("guard.py", "python3"), judges: true},
		{name: "`node guard.js`", argv: b.interpreted("guard.js", "node"), judges: true},
	}
	return nil
}

func (b *booth) input(name string) string { return filepath.Join(b.dir, name+".json") }

// interpreted returns the command line of a script, or nil if a program that it needs isn't installed.
func (b *booth) interpreted(script string, programs ...string) []string {
	for _, p := range programs {
		if _, err := exec.LookPath(p); err != nil {
			return nil
		}
	}
	interpreter, err := exec.LookPath(programs[0])
	if err != nil {
		return nil
	}
	if programs[0] == "python3" { // a version manager's wrapper would be a shell script
		if real, err := exec.Command(interpreter, "-c", "import sys; print(sys.executable)").Output(); err == nil {
			interpreter = strings.TrimSpace(string(real))
		}
	}
	return []string{interpreter, filepath.Join(b.dir, script)}
}

// compare runs all commands on the event of a case.
func (b *booth) compare(c config, name string) ([]processTiming, error) {
	var present []command
	for _, command := range b.commands {
		if command.argv != nil {
			present = append(present, command)
		}
	}
	at := func(name string) int {
		return slices.IndexFunc(present, func(c command) bool { return c.name == name })
	}
	cpu, peak, ratios := make([][]float64, len(present)), make([][]float64, len(present)), make([][]float64, len(present))
	for range c.rounds {
		for _, i := range c.rng.Perm(len(present)) {
			beside, _, err := b.once(b.hello(), name)
			if err != nil {
				return nil, err
			}
			own, resident, err := b.once(present[i], name)
			if err != nil {
				return nil, err
			}
			cpu[i], peak[i], ratios[i] = append(cpu[i], own), append(peak[i], resident), append(ratios[i], own/beside)
		}
	}
	var list []processTiming
	for i, command := range present {
		beside := make([]float64, c.rounds)
		for round := range beside {
			beside[round] = cpu[i][round] / cpu[at(b.eval().name)][round]
		}
		list = append(list, processTiming{command.name, measure.NewSpread(cpu[i]), measure.NewSpread(ratios[i]), measure.NewSpread(beside), measure.NewSpread(peak[i]).Median})
	}
	return list, nil
}

// once runs a command once and checks its answer.
func (b *booth) once(c command, name string) (cpu, peak float64, err error) {
	output := filepath.Join(b.dir, "output")
	cmd := exec.Command(b.spawn, append([]string{b.event(c, name), output}, c.argv...)...)
	cmd.Dir, cmd.Env = filepath.Join(b.dir, "project"), bare(b.dir)
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	said, err := cmd.Output()
	if err != nil {
		return 0, 0, fmt.Errorf("%s: %w: %s", c.name, err, &complaint)
	}
	var status int
	if _, err := fmt.Sscan(string(said), &cpu, &peak, &status); err != nil {
		return 0, 0, fmt.Errorf("%s: %w", c.name, err)
	}
	if !c.judges {
		return cpu, peak, nil
	}
	return cpu, peak, checkAnswer(c, output, status, name == policy.Block)
}

func checkAnswer(c command, output string, status int, block bool) error {
	text, err := os.ReadFile(output)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	var answer struct {
		Block  bool
		Reason string
	}
	if c.claude {
		if denies := bytes.Contains(text, []byte(`"permissionDecision":"deny"`)); denies != block || status != 0 || !denies && len(text) > 0 {
			return fmt.Errorf("%s: exit status %d and the wrong answer %q", c.name, status, text)
		}
		return nil
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		return fmt.Errorf("%s: exit status %d, answer %q: %w", c.name, status, text, err)
	}
	if answer.Block != block || (status == 2) != block || (answer.Reason != "") != block {
		return fmt.Errorf("%s: exit status %d and the wrong answer %q", c.name, status, text)
	}
	return nil
}
