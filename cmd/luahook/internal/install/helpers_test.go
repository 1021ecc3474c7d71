package install_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/luahook/luahook/cmd/luahook/internal/install"
	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/hooks/wire"
)

// agent is an agent with a table of events of its own: what these tests compare with doesn't change when the real one
// gets another event.
func agent(name string) *wire.Agent {
	before := func(name string) wire.Event {
		return wire.Event{Name: name, Event: hooks.PreToolCall, Can: wire.Deny}
	}
	stop := func(name string) wire.Event {
		return wire.Event{Name: name, Event: hooks.Stop, Timeout: 10 * time.Minute}
	}
	a := &wire.Agent{Name: name, Title: "The " + name}
	switch name {
	case "claude", "codex", "qwen", "droid", "vscode", "kiro":
		a.Events = []wire.Event{before("PreToolUse"), stop("Stop"), {Name: "SessionEnd", Timeout: 1500 * time.Millisecond}, {Name: "Costly", Costly: true}}
	case "gemini":
		a.Events = []wire.Event{before("BeforeTool"), stop("AfterAgent")}
	case "cursor", "copilot":
		a.Events = []wire.Event{before("preToolUse"), stop("stop")}
	case "crush":
		a.Events = []wire.Event{before("PreToolUse")}
	case "windsurf":
		a.Events = []wire.Event{before("pre_run_command"), {Name: "post_run_command"}}
	case "cline":
		a.Events = []wire.Event{before("PreToolUse"), {Name: "TaskStart"}}
	case "opencode":
		a.Events = []wire.Event{before("tool.execute.before")}
	}
	return a
}

// target is the user's settings of an agent in a home folder of its own.
func target(t testing.TB, name string) *install.Target {
	t.Helper()
	return &install.Target{Agent: agent(name), Home: t.TempDir(), Getenv: func(string) string { return "" }, Program: "luahook"}
}

// where is the settings file of an agent, below the home folder.
func where(name string) string {
	return map[string]string{
		"claude": ".claude/settings.json", "codex": ".codex/hooks.json", "codex toml": ".codex/config.toml", "gemini": ".gemini/settings.json",
		"qwen": ".qwen/settings.json", "droid": ".factory/settings.json", "cursor": ".cursor/hooks.json", "copilot": ".copilot/hooks/luahook.json",
		"vscode": ".copilot/hooks/luahook-vscode.json", "windsurf": ".codeium/windsurf/hooks.json", "kiro": ".kiro/hooks/luahook.json",
		"crush": ".config/crush/crush.json", "opencode": ".config/opencode/plugins/luahook.js", "cline": "Documents/Cline/Hooks/PreToolUse",
	}[name]
}

// put writes a file below a folder and gives its path.
func put(t testing.TB, dir, path, text string) string {
	t.Helper()
	full := filepath.Join(dir, filepath.FromSlash(path))
	if err := os.MkdirAll(filepath.Dir(full), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(text), 0o640); err != nil {
		t.Fatal(err)
	}
	return full
}

func text(t testing.TB, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// tree is all that a folder holds: its folders, and its files with their texts.
func tree(t testing.TB, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		switch {
		case d.IsDir():
			all[name+"/"] = ""
		case d.Type()&os.ModeSymlink != 0:
			all[name], err = os.Readlink(path)
		default:
			all[name] = text(t, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func planned(t testing.TB, plan *install.Plan, err error) *install.Plan {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

func apply(t testing.TB, plan *install.Plan, err error) {
	t.Helper()
	if err := planned(t, plan, err).Apply(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func installed(t testing.TB, target *install.Target, events ...string) {
	t.Helper()
	plan, err := target.Install(events)
	apply(t, plan, err)
}

func uninstalled(t testing.TB, target *install.Target, events ...string) {
	t.Helper()
	plan, err := target.Uninstall(events)
	apply(t, plan, err)
}

// eventsOf are the events that luahook stands at, in order.
func eventsOf(t testing.TB, target *install.Target) []string {
	t.Helper()
	state, err := target.Look()
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range state.Entries {
		all = append(all, e.Event)
	}
	slices.Sort(all)
	return all
}

// plainJSON is a JSON text without comments and trailing commas, by a way of its own.
func plainJSON(text string) string {
	var b strings.Builder
	comma := false // one was read, and not what comes after it
	for text = strings.TrimPrefix(text, "\ufeff"); text != ""; {
		switch {
		case strings.HasPrefix(text, "//"):
			_, text, _ = strings.Cut(text, "\n")
			continue
		case strings.HasPrefix(text, "/*"):
			_, text, _ = strings.Cut(text[2:], "*/")
			continue
		case strings.ContainsAny(text[:1], " \t\r\n"):
			text = text[1:]
			continue
		}
		if comma && text[0] != '}' && text[0] != ']' {
			b.WriteByte(',')
		}
		end := 1
		if comma = text[0] == ','; text[0] == '"' {
			for text[end] != '"' {
				if text[end] == '\\' {
					end++
				}
				end++
			}
			end++
		}
		if !comma {
			b.WriteString(text[:end])
		}
		text = text[end:]
	}
	return b.String()
}

// value is what a JSON text says.
func value(t testing.TB, text string) any {
	t.Helper()
	if strings.TrimSpace(plainJSON(text)) == "" {
		return map[string]any{}
	}
	var v any
	if err := json.Unmarshal([]byte(plainJSON(text)), &v); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return v
}

// without is a value without what has luahook's command, and what holds nothing else.
func without(v any) (left any, empty bool) {
	switch v := v.(type) {
	case map[string]any:
		out, took := map[string]any{}, false
		for name, inner := range v {
			line, _ := inner.(string)
			if (name == "command" || name == "bash") && strings.Contains(line, "luahook") && strings.Contains(line, " run --agent") {
				return nil, true
			}
			kept, empty := without(inner)
			if took = took || empty; !empty {
				out[name] = kept
			}
		}
		// A hook of Kiro's is named by its action, and a group by its hooks.
		_, action := v["action"]
		return out, took && (len(out) == 0 || action || out["matcher"] != nil)
	case []any:
		out, took := []any{}, false
		for _, inner := range v {
			kept, empty := without(inner)
			if took = took || empty; !empty {
				out = append(out, kept)
			}
		}
		return out, took && len(out) == 0
	}
	return v, false
}
