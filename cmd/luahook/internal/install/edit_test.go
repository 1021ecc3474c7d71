package install_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/luahook/luahook/cmd/luahook/internal/install"
)

// TestMistakes: settings that can't be read safely are an error that names the place, and nothing is written.
func TestMistakes(t *testing.T) {
	deep := strings.Repeat("[", 100_000)
	for _, c := range []struct{ name, agent, text, want string }{
		{"a key twice", "claude", "{\n  \"hooks\": {},\n  \"a\": 1,\n  \"hooks\": {}\n}", `settings.json:4: the key "hooks" stands here and in line 2; remove one`},
		{"a key twice within", "claude", `{"a": {"b": 1, "\u0062": 2}}`, `settings.json:1: the key "b" stands here and in line 1`},
		{"hooks is a list", "claude", "{\n\"hooks\": []}", `settings.json:2: "hooks" is a list, want an object`},
		{"hooks is nothing", "cursor", `{"hooks": null}`, `hooks.json:1: "hooks" is "null", want an object`},
		{"hooks is an object", "kiro", `{"version": "v1", "hooks": {}}`, `luahook.json:1: "hooks" is an object, want a list`},
		{"an event is an object", "claude", "{\"hooks\": {\n\n\"PreToolUse\": {}}}", `settings.json:3: "PreToolUse" is an object, want a list`},
		{"the file is a list", "claude", "\n[]", "settings.json:2: the file is a list, want an object"},
		{"the file is a text", "gemini", `"x"`, "settings.json:1: the file is a string, want an object"},
		{"no end", "claude", "{\n\"a\": {", `settings.json:2: the '{' of this line is never closed`},
		{"no colon", "claude", "{\n\"a\" 1}", `settings.json:2: want a colon after the key "a"`},
		{"no comma", "claude", "{\"a\": 1\n\"b\": 2}", `settings.json:2: want a comma or '}', got "\""`},
		{"two commas", "claude", `{"a": [1,,2]}`, `settings.json:1: want a value, got ","`},
		{"a comma alone", "claude", `{,}`, `settings.json:1: want a key in quotes, got ","`},
		{"a bare key", "claude", `{a: 1}`, `settings.json:1: want a key in quotes, got "a"`},
		{"a bare word", "claude", `{"a": yes}`, `settings.json:1: want a value, got "yes"`},
		{"a string over two lines", "claude", "{\"a\": \"x\ny\"}", "settings.json:1: a string has no end"},
		{"a wrong escape", "claude", `{"a": "\x"}`, `settings.json:1: a string is malformed: "\"\\x\""`},
		{"an endless comment", "claude", "{}\n/* x", "settings.json:2: a comment has no end"},
		{"two values", "claude", "{}\n{}", "settings.json:2: there is more after the end of the value"},
		{"a conflict of git", "claude", "{\n<<<<<<< HEAD\n\"a\": 1\n}", `settings.json:2: want a key in quotes, got "<"`},
		{"UTF-16", "claude", "\xff\xfe{\x00}\x00", "settings.json:1: this is not UTF-8"},
		{"too deep", "claude", deep, "settings.json:1: values are nested more than 500 deep"},
		{"luahook all over", "claude", `{"hooks": {"Stop": [` + strings.Repeat(`{"hooks": [{"command": "/x/luahook run --agent claude"}]},`, 501) + "]}}", "settings.json: luahook stands there more than 500 times"},
		{"TOML with very many keys", "codex toml", strings.Repeat("a = 1\n", 20_001), "config.toml: it has more than 20000 keys and tables"},
		{"TOML that isn't", "codex toml", "a = 1\nb = \n", "config.toml:2: "},
		{"TOML with a key twice", "codex toml", "a = 1\n\na = 2\n", "config.toml:3: "},
		{"TOML with hooks as a value", "codex toml", "x = 1\nhooks = { Stop = [] }\n", "config.toml:2: hooks are written as a value here, to which no table can be added; rewrite it as [[hooks.PreToolUse]] tables"},
		{"TOML with an event as a value", "codex toml", "[hooks]\nPreToolUse = []\n", "config.toml:2: hooks are written as a value here"},
		{"TOML with luahook in a value", "codex toml", "[[hooks.Stop]]\nhooks = [{type = \"command\", command = \"luahook run --agent codex\"}]\n", "config.toml:2: luahook stands in hooks that aren't written as [[hooks.EVENT.hooks]] tables"},
		{"TOML with hooks as a list", "codex toml", "\n[[hooks]]\n", "config.toml:2: hooks is a list, want a table"},
		{"TOML with hooks as a list in one line", "codex toml", "\nhooks = [1]\n", "config.toml:2: hooks is a list, want a table"},
		{"TOML with a table for an event", "codex toml", "[hooks.PreToolUse]\nx = 1\n", "config.toml:1: hooks.PreToolUse is a table, want [[hooks.PreToolUse]] tables"},
	} {
		t.Run(c.name, func(t *testing.T) {
			whose, _, _ := strings.Cut(c.agent, " ")
			target := target(t, whose)
			put(t, target.Home, where(c.agent), c.text)
			before := tree(t, target.Home)
			_, err := target.Install(nil)
			var at *install.FileError
			if !errors.As(err, &at) || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%v\nwant %s", err, c.want)
			}
			if diff := cmp.Diff(before, tree(t, target.Home)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestUninstallKeepsEdits: what was changed since luahook was installed stays, and luahook goes.
func TestUninstallKeepsEdits(t *testing.T) {
	const small = "{\n  \"a\": 1\n}\n"
	for _, c := range []struct {
		name, agent, text string
		old, new          string // the edit
		want              string
	}{
		{"another key", "crush", small, "\"a\": 1", "\"a\": 2", "{\n  \"a\": 2\n}\n"},
		{"a comment", "crush", small, "\"a\"", "// see\n  \"a\"", "{\n  // see\n  \"a\": 1\n}\n"},
		{"a key after", "crush", small, "  }\n}\n", "  },\n  \"z\": 0\n}\n", "{\n  \"a\": 1,\n  \"z\": 0\n}\n"},
		{"an event after", "crush", small, "    ]\n  }\n}\n", "    ],\n    \"Stop\": []\n  }\n}\n", "{\n  \"a\": 1,\n  \"hooks\": {\n    \"Stop\": []\n  }\n}\n"},
		{"a hook before", "crush", small, "\"PreToolUse\": [", "\"PreToolUse\": [\n      {\"command\": \"x\"},", "{\n  \"a\": 1,\n  \"hooks\": {\n    \"PreToolUse\": [\n      {\"command\": \"x\"}\n    ]\n  }\n}\n"},
		{"a hook after", "crush", small, "      }\n    ]", "      }, // ours?\n      {\"command\": \"x\"}\n    ]", "{\n  \"a\": 1,\n  \"hooks\": {\n    \"PreToolUse\": [\n      // ours?\n      {\"command\": \"x\"}\n    ]\n  }\n}\n"},
		{"a comment in our list", "crush", small, "\"PreToolUse\": [", "\"PreToolUse\": [ // mine", "{\n  \"a\": 1,\n  \"hooks\": {\n    \"PreToolUse\": [ // mine\n    ]\n  }\n}\n"},
		{"a closing bracket after a comment", "crush", small, "\n      }\n    ]", "\n      } ]", "{\n  \"a\": 1\n}\n"},
		{"our timeout", "crush", small, "60", "5", "{\n  \"a\": 1\n}\n"},
		{"our matcher", "claude", small, "      {\n        \"hooks\"", "      {\n        \"matcher\": \"Bash\",\n        \"hooks\"", "{\n  \"a\": 1\n}\n"},
		{"a hook beside ours in the group", "claude", small, "\"hooks\": [\n          {", "\"hooks\": [\n          {\"type\": \"command\", \"command\": \"x\"},\n          {",
			"{\n  \"a\": 1,\n  \"hooks\": {\n    \"PreToolUse\": [\n      {\n        \"hooks\": [\n          {\"type\": \"command\", \"command\": \"x\"}\n        ]\n      }\n    ]\n  }\n}\n"},
		{"in one line", "crush", `{"a":1}`, `"a":1`, `"a":1,"b":2`, `{"a":1,"b":2}`},
		{"nothing else than ours", "crush", "{}\n", "60", "61", "{}\n"},
		{"TOML", "codex toml", "[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ncommand = \"x\"\n", "timeout = 60\n", "timeout = 60\n\n# mine\n[tui]\n",
			"[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ncommand = \"x\"\n\n# mine\n[tui]\n"},
		{"TOML with a hook in our group", "codex toml", "[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ncommand = \"x\"\n", "timeout = 60\n", "timeout = 60\n[[hooks.PreToolUse.hooks]]\ncommand = \"y\"\n",
			"[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ncommand = \"x\"\n\n[[hooks.PreToolUse]]\n[[hooks.PreToolUse.hooks]]\ncommand = \"y\"\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			whose, _, _ := strings.Cut(c.agent, " ")
			target := target(t, whose)
			path := put(t, target.Home, where(c.agent), c.text)
			installed(t, target)
			now := text(t, path)
			if !strings.Contains(now, c.old) {
				t.Fatalf("%q isn't in\n%s", c.old, now)
			}
			put(t, target.Home, where(c.agent), strings.Replace(now, c.old, c.new, 1))
			uninstalled(t, target)
			if diff := cmp.Diff(c.want, text(t, path)); diff != "" {
				t.Error(diff)
			}
			if backup, err := os.ReadFile(path + ".luahook-backup"); string(backup) != c.text && c.text != c.want || (err != nil) != (c.text == c.want) {
				t.Errorf("the backup is %q, %v", backup, err)
			}
			// It's installed and taken out again, with a second backup.
			edited := tree(t, target.Home)
			installed(t, target)
			uninstalled(t, target)
			if diff := cmp.Diff(edited, tree(t, target.Home)); diff != "" {
				t.Errorf("the second time (-was +is):\n%s", diff)
			}
		})
	}
}

// TestOldCommandLine: a command line of an older install gets the new one in its place, and the rest of the hook stays.
func TestOldCommandLine(t *testing.T) {
	for _, c := range []struct{ agent, before, after string }{
		{"crush", `{"hooks": {"PreToolUse": [{"matcher": "bash", "command": "/old/bin/luahook run --agent crush", "timeout": 5}]}}`,
			`{"hooks": {"PreToolUse": [{"matcher": "bash", "command": "luahook run --agent crush", "timeout": 5}]}}`},
		{"crush", `{"hooks": {"PreToolUse": [{"command": "'/a b/it'\\''s/luahook' run --agent=Crush --record"}]}}`,
			`{"hooks": {"PreToolUse": [{"command": "luahook run --agent crush"}]}}`},
		{"crush", `{"hooks": {"PreToolUse": [{"command": "C:\\bin\\luahook.exe run --agent auto"}]}}`,
			`{"hooks": {"PreToolUse": [{"command": "luahook run --agent crush"}]}}`},
		{"gemini", `{"hooks":{"BeforeTool":[{"hooks":[{"type":"command","command":"/a b/luahook","args":["run","--agent","gemini"]}]}],"AfterAgent":[{"hooks":[{"command":"luahook","args":["run","--agent","gemini"]}]}]}}`,
			`{"hooks":{"BeforeTool":[{"hooks":[{"type":"command","command":"luahook run --agent gemini","timeout":60000}]}],"AfterAgent":[{"hooks":[{"command":"luahook","args":["run","--agent","gemini"]}]}]}}`},
		{"copilot", `{"version":1,"hooks":{"preToolUse":[{"bash":"/x/luahook run --agent copilot --event preToolUse","powershell":"& '/x/luahook' run --agent copilot --event preToolUse"}],"stop":[{"bash":"luahook run --agent copilot --event stop","powershell":"luahook run --agent copilot --event stop"}]}}`,
			`{"version":1,"hooks":{"preToolUse":[{"bash":"luahook run --agent copilot --event preToolUse","powershell":"luahook run --agent copilot --event preToolUse"}],"stop":[{"bash":"luahook run --agent copilot --event stop","powershell":"luahook run --agent copilot --event stop"}]}}`},
		{"codex toml", "[[hooks.PreToolUse]]\n[[hooks.PreToolUse.hooks]]\ncommand = '/old/luahook run --agent codex' # ours\ntimeout = 5\n[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ncommand = \"luahook run --agent codex\"\n[[hooks.SessionEnd]]\n[[hooks.SessionEnd.hooks]]\ncommand = \"luahook run --agent codex\"\n",
			"[[hooks.PreToolUse]]\n[[hooks.PreToolUse.hooks]]\ncommand = \"luahook run --agent codex\" # ours\ntimeout = 5\n[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ncommand = \"luahook run --agent codex\"\n[[hooks.SessionEnd]]\n[[hooks.SessionEnd.hooks]]\ncommand = \"luahook run --agent codex\"\n"},
	} {
		whose, _, _ := strings.Cut(c.agent, " ")
		target := target(t, whose)
		path := put(t, target.Home, where(c.agent), c.before)
		state, err := target.Look()
		if err != nil || len(state.Entries) == 0 || state.Entries[0].Current {
			t.Errorf("%+v, %v; want an entry that isn't current", state, err)
		}
		installed(t, target)
		if diff := cmp.Diff(c.after, text(t, path)); diff != "" {
			t.Error(diff)
		}
		if state, err = target.Look(); err != nil || !state.Entries[0].Current {
			t.Errorf("%+v, %v; want an entry that is current", state, err)
		}
	}
}

// TestEvents: --events adds, and with --uninstall takes away; costly events come only when they are asked for.
func TestEvents(t *testing.T) {
	target := target(t, "claude")
	path := put(t, target.Home, where("claude"), "{}")
	installed(t, target, "pre_tool_use")
	if got := eventsOf(t, target); !cmp.Equal(got, []string{"PreToolUse"}) {
		t.Error(got)
	}
	first := text(t, path)
	installed(t, target, "costly", "Stop")
	installed(t, target)
	if got := eventsOf(t, target); !cmp.Equal(got, []string{"Costly", "PreToolUse", "SessionEnd", "Stop"}) {
		t.Error(got)
	}
	uninstalled(t, target, "Stop", "Costly", "SessionEnd")
	if diff := cmp.Diff(first, text(t, path)); diff != "" {
		t.Error(diff)
	}
	uninstalled(t, target, "PreToolUse")
	if got := text(t, path); got != "{}" {
		t.Errorf("%q", got)
	}
	for _, uninstall := range []bool{false, true} {
		_, err := target.Install([]string{"PreTolUse"})
		if uninstall {
			_, err = target.Uninstall([]string{"PreTolUse"})
		}
		if err == nil || err.Error() != `The claude has no event "PreTolUse"; did you mean "PreToolUse"?` {
			t.Error(err)
		}
	}
}

// TestCodexFile: hooks in both of Codex's files run twice, so luahook goes to the file that has some.
func TestCodexFile(t *testing.T) {
	const hook = "[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ncommand = \"x\"\n"
	for _, c := range []struct {
		name, json, toml string
		want             string
	}{
		{"nothing there", "", "", "hooks.json"},
		{"a config without hooks", "", "model = \"x\"\n[hooks.state.\"a\"]\nenabled = true\n", "hooks.json"},
		{"a config with hooks", "", hook, "config.toml"},
		{"hooks.json", `{"hooks": {}}`, "model = \"x\"\n", "hooks.json"},
		{"luahook in hooks.json", `{"hooks": {"Stop": [{"hooks": [{"command": "luahook run --agent codex"}]}]}}`, hook, "hooks.json"},
	} {
		target := target(t, "codex")
		for name, content := range map[string]string{"hooks.json": c.json, "config.toml": c.toml} {
			if content != "" {
				put(t, target.Home, ".codex/"+name, content)
			}
		}
		plan, err := target.Install(nil)
		if plan = planned(t, plan, err); len(plan.Files()) != 1 || filepath.Base(plan.Files()[0]) != c.want {
			t.Errorf("%s: %v, want %s", c.name, plan.Files(), c.want)
		}
	}
}

// TestDroidFile: where Droid has a hooks.json, it's that which it reads.
func TestDroidFile(t *testing.T) {
	for _, before := range []string{`{"hooks": {"Stop": []}}`, "{\n  \"Stop\": []\n}\n"} {
		target := target(t, "droid")
		path := put(t, target.Home, ".factory/hooks.json", before)
		put(t, target.Home, ".factory/settings.json", "{}")
		installed(t, target)
		events := value(t, text(t, path)).(map[string]any)
		if inner, wrapped := events["hooks"].(map[string]any); wrapped {
			events = inner
		}
		if events["PreToolUse"] == nil || text(t, filepath.Join(target.Home, ".factory/settings.json")) != "{}" {
			t.Error(text(t, path))
		}
		uninstalled(t, target)
		if got := text(t, path); got != before {
			t.Error(got)
		}
	}
}

// TestWhere: the agents' own variables say where their settings lie, and a project's lie in it.
func TestWhere(t *testing.T) {
	elsewhere := t.TempDir()
	for _, c := range []struct{ agent, variable, want string }{
		{"claude", "CLAUDE_CONFIG_DIR", "settings.json"}, {"codex", "CODEX_HOME", "hooks.json"}, {"gemini", "GEMINI_CLI_HOME", ".gemini/settings.json"},
		{"qwen", "QWEN_HOME", "settings.json"}, {"copilot", "COPILOT_HOME", "hooks/luahook.json"}, {"crush", "CRUSH_GLOBAL_CONFIG", "crush.json"},
		{"crush", "XDG_CONFIG_HOME", "crush/crush.json"},
	} {
		target := target(t, c.agent)
		target.Getenv = func(name string) string { return map[string]string{c.variable: elsewhere}[name] }
		plan, err := target.Install(nil)
		if plan = planned(t, plan, err); plan.Files()[0] != filepath.Join(elsewhere, filepath.FromSlash(c.want)) {
			t.Errorf("%s: %v", c.variable, plan.Files())
		}
		installed(t, target)
		uninstalled(t, target)
		target.Getenv = func(name string) string { return map[string]string{c.variable: "relative"}[name] }
		if _, err := target.Install(nil); (err == nil) != (c.variable == "XDG_CONFIG_HOME") {
			t.Errorf("%s is relative: %v", c.variable, err)
		}
	}
	if left := tree(t, elsewhere); len(left) != 1 {
		t.Errorf("left: %v", left)
	}
	for name, want := range map[string]string{
		"claude": ".claude/settings.json", "codex": ".codex/hooks.json", "gemini": ".gemini/settings.json", "qwen": ".qwen/settings.json",
		"droid": ".factory/settings.json", "cursor": ".cursor/hooks.json", "copilot": ".github/hooks/luahook.json", "crush": "crush.json",
		"vscode": ".github/hooks/luahook-vscode.json", "windsurf": ".windsurf/hooks.json", "kiro": ".kiro/hooks/luahook.json", "cline": ".clinerules/hooks/PreToolUse",
	} {
		target := target(t, name)
		target.Project, target.Home = t.TempDir(), "" // which isn't needed
		before := tree(t, target.Project)
		installed(t, target)
		text(t, filepath.Join(target.Project, filepath.FromSlash(want)))
		uninstalled(t, target)
		if diff := cmp.Diff(before, tree(t, target.Project)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	lost := target(t, "claude")
	lost.Home = ""
	if _, err := lost.Install(nil); err == nil || !strings.Contains(err.Error(), "HOME") {
		t.Error(err)
	}
}

// TestScripts: Cline's files are all ours. One that somebody else has written is left alone.
func TestScripts(t *testing.T) {
	target := target(t, "cline")
	target.Program = "/o'pt/l h/luahook"
	installed(t, target)
	path := filepath.Join(target.Home, where("cline"))
	want := "#!/bin/sh\n# `luahook install cline` has written this; `luahook install cline --uninstall` takes it away.\n" +
		`command -v '/o'\''pt/l h/luahook' >/dev/null || { echo '{"cancel":true,"errorMessage":"luahook, which guards this, can'\''t be found"}'; exit 0; }` + "\n" +
		`exec '/o'\''pt/l h/luahook' run --agent cline --event PreToolUse` + "\n"
	if diff := cmp.Diff(want, text(t, path)); diff != "" {
		t.Error(diff)
	}
	if info, err := os.Stat(path); err != nil || info.Mode()&0o100 == 0 {
		t.Errorf("the script can't be run: %v %v", info.Mode(), err)
	}
	put(t, target.Home, "Documents/Cline/Hooks/mine", "#!/bin/sh\n")
	moved := *target
	moved.Program = "luahook"
	if state, err := moved.Look(); err != nil || len(state.Entries) != 2 || state.Entries[0].Current {
		t.Errorf("%+v, %v", state, err)
	}
	installed(t, &moved)
	if !strings.Contains(text(t, path), "\nexec luahook run ") {
		t.Error(text(t, path))
	}
	uninstalled(t, target) // by the old one, even
	if left := tree(t, target.Home); len(left) != 6 || left["Documents/Cline/Hooks/mine"] == "" {
		t.Errorf("%v", left)
	}
	put(t, target.Home, where("cline"), "#!/bin/sh\n")
	if _, err := target.Install(nil); err == nil || !strings.Contains(err.Error(), "PreToolUse: this file is there already, and luahook hasn't written it") {
		t.Error(err)
	}
	plan, err := target.Uninstall(nil)
	if !planned(t, plan, err).Empty() {
		t.Error(plan.Diff())
	}
}
