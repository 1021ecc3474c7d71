package install

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/luahook/luahook/hooks/wire"
)

// host is what is known of an agent's settings.
type host struct {
	programs []string                          // by which it's found on PATH
	home     func(t *Target) (string, error)   // the folder of the user's settings
	folder   string                            // that of a project's, below its root
	files    []string                          // in the folder: the last one that exists is taken, else the first
	form     form                              // of the files
	script   func(*Target, *wire.Event) []byte // writes a file for each event, where the agent wants that; then there are no others
	sign     string                            // a folder in the user's home that says it's there; "": home

	alone      bool                           // the file that is taken is the only one that it reads
	off        func(root *node) string        // why it runs no hooks of a JSON file, or of any; nil: nothing is known
	runsAnyway bool                           // it runs the tool where luahook can't be started
	namesEvent bool                           // its command lines name the event, which its input doesn't
	notes      func(t *Target) (all []string) // what the user has to know or to do, a sentence or two each
}

// form is how a file says what its hooks are. A text that is nil stands for a file that isn't there.
type form interface {
	// entries are our hooks in a file, in its order.
	entries(t *Target, text []byte) ([]found, error)
	// install gives the file with our hooks for these events. Hooks that are there only get a new command line.
	install(t *Target, text []byte, events []*wire.Event) ([]byte, error)
	// remove gives the file without our hooks for the events that which is true for.
	remove(t *Target, text []byte, which func(event string) bool) ([]byte, error)
}

// host looks the agent up. It's never nil for an agent of [wire.Agents].
func (t *Target) host() *host {
	switch t.Agent.Name {
	case "claude":
		return &host{
			programs: []string{"claude"}, home: inEnv("CLAUDE_CONFIG_DIR", "", ".claude"), folder: ".claude", files: []string{"settings.json"},
			form: &jsonForm{nested: true, hook: claudeHook}, off: isTrue("disableAllHooks"),
			notes: always("Claude Code runs hooks in a folder once it trusts that: answer its question when it starts there."),
		}
	case "codex":
		return &host{
			runsAnyway: true, programs: []string{"codex"}, home: inEnv("CODEX_HOME", "", ".codex"), folder: ".codex", files: []string{"hooks.json", "config.toml"},
			form: &jsonForm{nested: true, hook: timedHook(wholeSeconds, "timeout")}, notes: codexNotes, off: offInCodex,
		}
	case "gemini":
		return &host{
			programs: []string{"gemini"}, home: inEnv("GEMINI_CLI_HOME", ".gemini", ".gemini"), folder: ".gemini", files: []string{"settings.json"},
			form: &jsonForm{nested: true, hook: timedHook(milliseconds, "timeout")}, off: offInGemini,
			notes: inProject("Gemini CLI skips a project's hooks without a word where it doesn't trust the folder: type /permissions in it, and trust the folder."),
		}
	case "qwen":
		return &host{
			runsAnyway: true, programs: []string{"qwen"}, home: inEnv("QWEN_HOME", "", ".qwen"), folder: ".qwen", files: []string{"settings.json"},
			form: &jsonForm{nested: true, hook: timedHook(wholeSeconds, "timeout")}, off: isTrue("disableAllHooks"),
			notes: inProject("Qwen Code skips a project's hooks without a word where it doesn't trust the folder: type /permissions in it, and trust the folder."),
		}
	case "droid":
		return &host{
			runsAnyway: true, programs: []string{"droid"}, home: inHome(".factory"), folder: ".factory", files: []string{"settings.json", "hooks.json"}, alone: true,
			form:  &jsonForm{nested: true, bare: true, hook: timedHook(wholeSeconds, "timeout")},
			notes: always("Droid reads its hooks when it starts, and asks about those that have changed: start it anew, and look at /hooks."),
		}
	case "cursor":
		return &host{
			programs: []string{"cursor", "cursor-agent"}, home: inHome(".cursor"), folder: ".cursor", files: []string{"hooks.json"},
			form: &jsonForm{version: 1, hook: cursorHook}, notes: cursorNotes,
		}
	case "copilot":
		return &host{
			programs: []string{"copilot"}, home: inEnv("COPILOT_HOME", "hooks", ".copilot/hooks"), folder: ".github/hooks", files: []string{"luahook.json"},
			form: &jsonForm{version: 1, hook: copilotHook}, namesEvent: true, off: offInCopilot,
			notes: always("VS Code reads the hooks of this folder too, and doesn't understand what luahook tells Copilot: its own are put there by `luahook install vscode`."),
		}
	case "vscode":
		return &host{
			runsAnyway: true, programs: []string{"code"}, home: inHome(".copilot/hooks"), folder: ".github/hooks", files: []string{"luahook-vscode.json"}, sign: ".vscode",
			form:  &jsonForm{hook: timedHook(wholeSeconds, "timeout")},
			notes: always("VS Code runs hooks in workspaces that it trusts, and where chat.hookFilesLocations doesn't leave this folder out."),
		}
	case "windsurf":
		return &host{
			runsAnyway: true, programs: []string{"windsurf"}, home: inHome(".codeium/windsurf"), folder: ".windsurf", files: []string{"hooks.json"},
			form: &jsonForm{hook: func(_ *wire.Event, words []string) object { return object{{"command", commandLine(words)}} }},
		}
	case "kiro":
		return &host{
			runsAnyway: true, programs: []string{"kiro", "kiro-cli"}, home: inHome(".kiro/hooks"), folder: ".kiro/hooks", files: []string{"luahook.json"},
			form: &jsonForm{version: "v1", list: true, hook: kiroHook},
		}
	case "crush":
		return &host{
			runsAnyway: true, programs: []string{"crush"}, home: crushHome, files: []string{"crush.json", ".crush.json"},
			form:  &jsonForm{hook: crushHook},
			notes: always("Crush asks hooks about the tools of its main agent, not about those of its sub-agents."),
		}
	case "cline":
		return &host{
			programs: []string{"cline"}, home: inHome("Documents/Cline/Hooks"), folder: ".clinerules/hooks", script: clineScript, sign: ".cline", namesEvent: true,
			notes: always("In an editor Cline runs hooks only where they are switched on in its settings."),
		}
	case "opencode":
		return &host{
			programs: []string{"opencode"}, home: inConfig("opencode/plugins"), folder: ".opencode/plugins", files: []string{"luahook.js"},
			form:  &wholeForm{mode: 0o644, write: opencodePlugin},
			notes: always("opencode loads plugins when it starts: start it anew."),
		}
	}
	return nil
}

func opencodePlugin(t *Target, _ *wire.Event) []byte { return wire.OpencodePlugin(t.words("")) }

// inHome is a folder in the user's home.
func inHome(path string) func(t *Target) (string, error) {
	return func(t *Target) (string, error) {
		if t.Home == "" {
			return "", fmt.Errorf("the home folder isn't known: set HOME to an absolute path")
		}
		return filepath.Join(t.Home, filepath.FromSlash(path)), nil
	}
}

// inEnv is a folder below the one that a variable names, or where it isn't set one in the user's home.
func inEnv(name, below, path string) func(t *Target) (string, error) {
	return func(t *Target) (string, error) {
		dir := t.Getenv(name)
		switch {
		case dir == "":
			return inHome(path)(t)
		case !filepath.IsAbs(dir):
			return "", fmt.Errorf("%s is %q, want an absolute path", name, dir)
		}
		return filepath.Join(dir, below), nil
	}
}

// inConfig is a folder in the user's folder of settings. One that isn't absolute counts for nothing.
func inConfig(path string) func(t *Target) (string, error) {
	return func(t *Target) (string, error) {
		if dir := t.Getenv("XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
			return filepath.Join(dir, filepath.FromSlash(path)), nil
		}
		return inHome(".config/" + path)(t)
	}
}

func crushHome(t *Target) (string, error) {
	if t.Getenv("CRUSH_GLOBAL_CONFIG") != "" {
		return inEnv("CRUSH_GLOBAL_CONFIG", "", "")(t)
	}
	if dir := t.Getenv("LOCALAPPDATA"); runtime.GOOS == "windows" && filepath.IsAbs(dir) {
		return filepath.Join(dir, "crush"), nil
	}
	return inConfig("crush")(t)
}

// wholeSeconds rounds up: luahook's own deadline has to be the earlier one.
func wholeSeconds(e *wire.Event) int { return int((e.Wait() + time.Second - 1) / time.Second) }

func milliseconds(e *wire.Event) int { return int(e.Wait() / time.Millisecond) }

// timedHook makes the hook that most agents have taken from Claude Code.
func timedHook(timeout func(*wire.Event) int, key string) func(e *wire.Event, words []string) object {
	return func(e *wire.Event, words []string) object {
		return object{{"type", "command"}, {"command", commandLine(words)}, {key, timeout(e)}}
	}
}

// claudeHook blocks where luahook itself fails, on the events that have a way to block for that.
func claudeHook(e *wire.Event, words []string) object {
	o := object{{"type", "command"}, {"command", commandLine(words)}, {"timeout", e.Wait().Seconds()}}
	if e.Name == "PreToolUse" || e.Name == "UserPromptSubmit" {
		o = append(o, field{"onFailure", "block"})
	}
	return o
}

func cursorHook(e *wire.Event, words []string) object {
	o := object{{"command", commandLine(words)}, {"timeout", wholeSeconds(e)}}
	if e.Can&wire.Deny != 0 {
		o = append(o, field{"failClosed", true})
	}
	return o
}

func copilotHook(e *wire.Event, words []string) object {
	return object{{"type", "command"}, {"bash", commandLine(words)}, {"powershell", powershellLine(words)}, {"timeoutSec", wholeSeconds(e)}}
}

func crushHook(e *wire.Event, words []string) object {
	return object{{"name", "luahook"}, {"command", commandLine(words)}, {"timeout", wholeSeconds(e)}}
}

// kiroHook matches all tools and files; the other events have nothing to match.
func kiroHook(e *wire.Event, words []string) object {
	o := object{{"name", "luahook " + e.Name}, {"trigger", e.Name}}
	if strings.HasSuffix(e.Name, "ToolUse") || strings.HasPrefix(e.Name, "PostFile") {
		o = append(o, field{"matcher", ".*"})
	}
	return append(o, field{"action", object{{"type", "command"}, {"command", commandLine(words)}}},
		field{"timeout", wholeSeconds(e)}, field{"enabled", true})
}

func always(text string) func(t *Target) []string {
	return func(*Target) []string { return []string{text} }
}

func inProject(text string) func(t *Target) []string {
	return func(t *Target) []string {
		if t.Project == "" {
			return nil
		}
		return []string{text}
	}
}

func codexNotes(t *Target) []string {
	all := []string{"Codex skips hooks that it doesn't trust, without a word: start codex, type /hooks, and trust luahook's. It asks again when they have changed."}
	if t.Project != "" {
		all = append(all, "It reads .codex only in projects that it trusts.")
	}
	return all
}

func cursorNotes(t *Target) []string {
	all := []string{"Where Cursor is set to read the hooks of Claude Code too, and luahook is installed there, each event comes twice."}
	if t.Project != "" {
		all = append(all, "Cursor runs a project's hooks only in workspaces that it trusts.")
	}
	return all
}
