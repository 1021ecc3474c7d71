package install_test

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// settings are files as people and programs write them. agent is whose they are, where it's not all those that have
// this form.
var settings = []struct{ name, agent, text string }{
	{"empty", "", ""},
	{"only blanks", "", " \n\n"},
	{"only a byte order mark", "", "\ufeff"},
	{"an empty object", "", "{}"},
	{"an empty object and a newline", "", "{}\n"},
	{"an empty object of two lines", "", "{\n}\n"},
	{"an empty object with a comment", "", "{\n  // nothing yet\n}\n"},
	{"an empty object with a block comment", "", "{ /* nothing yet */ }"},
	{"comments around the object", "", "// mine\n{}\n/* the end */\n"},
	{"no final newline", "", "{\n  \"a\": 1\n}"},
	{"several final newlines", "", "{\n  \"a\": 1\n}\n\n\n"},
	{"four blanks", "", "{\n    \"a\": {\n        \"b\": 1\n    }\n}\n"},
	{"tabs", "", "{\n\t\"a\": {\n\t\t\"b\": [1, 2]\n\t}\n}\n"},
	{"CRLF", "", "{\r\n  \"a\": 1,\r\n  \"b\": [\r\n    2\r\n  ]\r\n}\r\n"},
	{"a byte order mark", "", "\ufeff{\n  \"a\": 1\n}\n"},
	{"minified", "", `{"a":1,"b":{"c":[1,2,{"d":null}]}}`},
	{"one line with blanks", "", "{ \"a\": 1, \"b\": [ 2 ] }\n"},
	{"trailing commas", "", "{\n  \"a\": 1,\n  \"b\": [1, 2,],\n}\n"},
	{"a trailing comma in one line", "", `{"a":1,}`},
	{"a comma on a line of its own", "", "{\n  \"a\": 1\n  , \"b\": 2\n  ,\n}\n"},
	{"comments everywhere", "", "// top\n{\n  // before a\n  \"a\" /* key */ : /* value */ 1, // after a\n  /* before b */ \"b\": 2 // after b\n  // the last\n}\n// bottom\n"},
	{"a comment after the last comma", "", "{\n  \"a\": 1, // one\n  /* the\n     end */\n}\n"},
	{"no indentation", "", "{\n\"a\": 1,\n\"b\": {\n\"c\": 2\n}\n}\n"},
	{"crooked indentation", "", "{\n \"a\": 1,\n      \"b\": 2,\n   \"c\": 3 }\n"},
	{"unicode and escapes", "", "{\n  \"ключ\": \"значение 🦊\",\n  \"\\u00e4\\ud83e\\udd8a\": \"\\\"//\\\\\\\"/*\",\n  \"</script>\": \"\u2028\"\n}\n"},
	{"an empty hooks", "nested", "{\"hooks\": {}}\n"},
	{"an empty hooks of lines", "nested", "{\n  \"hooks\": {\n  },\n  \"z\": 0\n}\n"},
	{"hooks with a comment only", "nested", "{\n  \"hooks\": {\n    // none\n  }\n}\n"},
	{"an empty event", "claude", "{\n  \"hooks\": {\n    \"PreToolUse\": []\n  }\n}\n"},
	{"hooks of others", "claude", "{\n  \"hooks\": {\n    \"Notification\": [\n      {\n        \"hooks\": [\n          {\n            \"type\": \"command\",\n            \"command\": \"say hello\"\n          }\n        ]\n      }\n    ]\n  },\n  \"model\": \"opus\"\n}\n"},
	{"hooks of the same event", "claude", "{\n  \"hooks\": {\n    \"PreToolUse\": [\n      {\n        \"matcher\": \"Bash\",\n        \"hooks\": [\n          { \"type\": \"command\", \"command\": \"./check.sh\" }\n        ]\n      },\n    ], // mine\n  },\n}\n"},
	{"hooks in one line", "claude", "{\n  \"hooks\": {\n    \"PreToolUse\": [{\"matcher\": \"Bash\", \"hooks\": [{\"type\": \"command\", \"command\": \"x\"}]}],\n    \"Stop\": [ { \"hooks\": [] } ]\n  }\n}\n"},
	{"hugging brackets", "claude", "{\n  \"hooks\": {\n    \"PreToolUse\": [{\n      \"hooks\": [{\n        \"type\": \"command\",\n        \"command\": \"x\"\n      }]\n    }]\n  }\n}\n"},
	{"a minified hook", "claude", `{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"x"}]}]},"permissions":{"deny":["Read(.env)"]}}`},
	{"luahook within another command", "claude", "{\n  \"hooks\": {\n    \"PreToolUse\": [\n      {\"hooks\": [{\"type\": \"command\", \"command\": \"timeout 5 luahook run --agent claude\"}]},\n      {\"hooks\": [{\"type\": \"command\", \"command\": \"luahook run --agent claude | tee log\"}]},\n      {\"hooks\": [{\"type\": \"command\", \"command\": \"luahook eval pre_tool_call\"}]},\n      {\"hooks\": [{\"type\": \"http\", \"url\": \"http://127.0.0.1:7070\"}]},\n      {\"hooks\": [{\"type\": \"command\", \"command\": \"luahook run --agent cursor\"}]}\n    ]\n  }\n}\n"},
	{"a file of Codex", "codex", "{\"description\": \"ours\", \"hooks\": {\"PreToolUse\": [{\"matcher\": \"^Bash$\", \"hooks\": [{\"type\": \"command\", \"command\": \"a\", \"timeout\": 5}]}]}}\n"},
	{"a file of Cursor", "cursor", "{\n  \"version\": 1,\n  \"hooks\": {\n    \"preToolUse\": [\n      { \"command\": \"./a.sh\", \"matcher\": \"Shell\" }\n    ]\n  }\n}\n"},
	{"a version alone", "cursor", "{\"version\": 1}"},
	{"a file of Crush", "crush", "{\n  \"$schema\": \"https://charm.land/crush.json\",\n  \"hooks\": {\n    \"PreToolUse\": [\n      {\n        \"matcher\": \"^bash$\", // only that\n        \"command\": \"./no.sh\",\n      },\n    ],\n  },\n}\n"},
	{"a file of Kiro", "kiro", "{\n  \"version\": \"v1\",\n  \"hooks\": [\n    {\"name\": \"lint\", \"trigger\": \"PostFileSave\", \"matcher\": \"\\\\.ts$\", \"action\": {\"type\": \"command\", \"command\": \"npm run lint\"}}\n  ]\n}\n"},
	{"a file of Windsurf", "windsurf", "{\n  \"hooks\": {\n    \"pre_run_command\": [\n      {\n        \"command\": \"python3 a.py\",\n        \"show_output\": true\n      }\n    ]\n  }\n}\n"},
	{"a large file", "claude", "{\n  \"permissions\": {\n    \"allow\": [\n" + strings.Repeat("      \"Bash(npm run some:script)\",\n", 30_000) + "      \"last\"\n    ]\n  }\n}\n"},
	{"TOML", "codex toml", "model = \"gpt\"\n\n[hooks]\n\n[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = \"command\"\ncommand = \"say done\"\n"},
	{"TOML with a hook of the same event", "codex toml", "[[hooks.PreToolUse]] # mine\nmatcher = \"Bash\"\n\n[[hooks.PreToolUse.hooks]]\ntype = \"command\"\ncommand = '''\nx'''\n\n# the end\n[profiles.a]\nmodel = \"b\"\n"},
	{"TOML with CRLF and no final newline", "codex toml", "[[hooks.Stop]]\r\n[[hooks.Stop.hooks]]\r\ntype = \"command\"\r\ncommand = \"a\""},
	{"TOML with inline tables", "codex toml", "# c\nmodel_providers = { fake = { base_url = \"http://[::1]/\", wire_api = \"responses\" } }\nnotify = [\n  \"a\", # b\n]\n[[hooks.Stop]]\nhooks = [{ type = \"command\", command = \"x\" }]\n"},
	{"TOML with a byte order mark", "codex toml", "\ufeff[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ncommand = \"x\"\n"},
	{"TOML with trust after the hooks", "codex toml", "[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ncommand = \"x\"\n\n[hooks.state.\"/h/.codex/config.toml:stop:0:0\"]\ntrusted_hash = \"sha256:00\"\nenabled = true\n\n\n"},
}

// nested are the agents whose "hooks" is an object.
var objects = []string{"claude", "codex", "gemini", "qwen", "droid", "cursor", "copilot", "vscode", "windsurf", "crush"}

// TestRoundTrip: install adds luahook and nothing else, once; the agent's schema takes the file; uninstall makes it
// what it was, byte for byte.
func TestRoundTrip(t *testing.T) {
	for _, s := range settings {
		agents := []string{s.agent}
		switch s.agent {
		case "":
			agents = append(slices.Clone(objects), "kiro")
		case "nested":
			agents = objects
		}
		for _, name := range agents {
			t.Run(s.name+"/"+name, func(t *testing.T) {
				t.Parallel()
				whose, _, isTOML := strings.Cut(name, " ")
				target := target(t, whose)
				path := put(t, target.Home, where(name), s.text)
				before := tree(t, target.Home)

				installed(t, target)
				now := text(t, path)
				if got := eventsOf(t, target); len(got) != len(planEvents(t, target.Agent.Name)) {
					t.Errorf("luahook stands at %v in\n%s", got, now)
				}
				if !isTOML {
					left, _ := without(value(t, now))
					was, _ := without(value(t, s.text))
					if diff := cmp.Diff(tidy(was), tidy(left)); diff != "" {
						t.Errorf("more than luahook has changed (-was +is):\n%s", diff)
					}
					checkSchema(t, name, value(t, now))
				}
				if !onlyMore(s.text, now) {
					t.Errorf("something that was there is gone:\n%s", now)
				}
				if strings.Contains(s.text, "\r\n") && strings.Count(now, "\n") != strings.Count(now, "\r\n") {
					t.Errorf("ends of lines are mixed: %q", now)
				}
				if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o640 {
					t.Errorf("the file's mode is %v, %v", info.Mode(), err)
				}
				if got := text(t, path+".luahook-backup"); got != s.text {
					t.Errorf("the backup is %q", got)
				}

				plan, err := target.Install(nil)
				if plan = planned(t, plan, err); !plan.Empty() || plan.Diff() != "" {
					t.Errorf("a second install changes\n%s", plan.Diff())
				}
				uninstalled(t, target)
				if diff := cmp.Diff(before, tree(t, target.Home)); diff != "" {
					t.Errorf("uninstall has left a difference (-was +is):\n%s", diff)
				}
				plan, err = target.Uninstall(nil)
				if plan = planned(t, plan, err); !plan.Empty() {
					t.Errorf("a second uninstall changes\n%s", plan.Diff())
				}
			})
		}
	}
}

// onlyMore reports whether one text comes of another by adding to it, blanks aside.
func onlyMore(before, after string) bool {
	rest := strings.Join(strings.Fields(before), "")
	for i := 0; i < len(after) && rest != ""; i++ {
		if after[i] == rest[0] {
			rest = rest[1:]
		}
	}
	return rest == ""
}

// planEvents are the events of an agent that aren't costly.
func planEvents(t *testing.T, name string) []string {
	var all []string
	for _, e := range agent(name).Events {
		if !e.Costly {
			all = append(all, e.Name)
		}
	}
	return all
}

// tidy drops what install has to add to a file beside the hooks, and hooks that are empty.
func tidy(v any) any {
	object, is := v.(map[string]any)
	if !is {
		return v
	}
	delete(object, "version")
	for _, name := range []string{"hooks"} {
		switch inner := object[name].(type) {
		case map[string]any:
			for event, list := range inner {
				if list, is := list.([]any); is && len(list) == 0 {
					delete(inner, event)
				}
			}
			if len(inner) == 0 {
				delete(object, name)
			}
		case []any:
			if len(inner) == 0 {
				delete(object, name)
			}
		}
	}
	return object
}

// checkSchema holds a file against the schema of its agent, where there is one.
func checkSchema(t *testing.T, name string, value any) {
	t.Helper()
	file := map[string]string{
		"claude": "claude-settings-hooks.derived.schema.json",
		"codex":  "codex-other/codex-hooks.config.derived.schema.json",
	}[name]
	if file == "" {
		return
	}
	path := filepath.Join("..", "..", "..", "..", "..", "shared", "reference", "schemas", file)
	if _, err := os.Stat(path); err != nil {
		t.Logf("not held against the schema, which isn't here: %v", err)
		return
	}
	schema, err := jsonschema.NewCompiler().Compile(path)
	if err != nil {
		t.Fatal(err)
	}
	if object, is := value.(map[string]any); name == "codex" && is { // its file has no other keys
		for key := range object {
			if key != "hooks" && key != "description" {
				return
			}
		}
	}
	if err := schema.Validate(value); err != nil {
		t.Errorf("the schema doesn't take it: %v", err)
	}
}

// TestRoundTripOfNothing: where there was no file and no folder there is none afterwards, and what was there stays.
func TestRoundTripOfNothing(t *testing.T) {
	for _, name := range append(slices.Clone(objects), "kiro", "cline", "opencode") {
		for _, there := range []string{"", "folder", "file beside"} {
			t.Run(name+"/"+there, func(t *testing.T) {
				t.Parallel()
				target := target(t, name)
				switch folder := filepath.Dir(where(name)); there {
				case "folder":
					if err := os.MkdirAll(filepath.Join(target.Home, folder), 0o700); err != nil {
						t.Fatal(err)
					}
				case "file beside":
					put(t, target.Home, folder+"/other.json", "{}")
				}
				before := tree(t, target.Home)
				installed(t, target)
				if name != "opencode" && !slices.Equal(eventsOf(t, target), slices.Sorted(slices.Values(planEvents(t, name)))) {
					t.Errorf("luahook stands at %v", eventsOf(t, target))
				}
				if name != "cline" && name != "opencode" {
					checkSchema(t, name, value(t, text(t, filepath.Join(target.Home, where(name)))))
				}
				uninstalled(t, target)
				if diff := cmp.Diff(before, tree(t, target.Home)); diff != "" {
					t.Errorf("uninstall has left a difference (-was +is):\n%s", diff)
				}
			})
		}
	}
}
