package config_test

import (
	"errors"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/luahook/luahook/engine/config"
	"github.com/luahook/luahook/hooks"
)

// good is a file with every key in it.
const good = `# yaml-language-server: $schema=hooks.schema.json
hooks:
  enabled: true
  on_failure: block
  limits: {instructions: 2000000, timeout: 500ms, memory: 32MiB, event: 10s}
  max_followups: 5
  grant:
    fs.read: true
    fs.write: false
    git: true
    tasks: true
    env: [CI, "GITHUB_*"]
    exec: [make, /usr/bin/go]
    http: [api.github.com, "*.example.com", "localhost:8080", "[::1]:80", 127.0.0.1]
  PreToolUse:
    - name: check
      builtin: safety-guard
      with: {level: strict, depth: {max: 3}}
      match: "bash|edit*"
      priority: -5
      on_failure: warn
      timeout: 2s
      mode: parallel
      once: true
      enabled: false
      grant: {fs.read: true}
    - {command: ./validate.sh, args: [--fast, "5"], inject_output: true, match: {kind: shell}}
    - {script: tools/audit.py, mode: async}
  deploy.requested:
    - script: .hooks/mine.lua
`

func TestDecode(t *testing.T) {
	c, problems := config.Decode("hooks.yaml", []byte(good))
	if problems != nil {
		t.Fatal(problems)
	}
	five := 5
	want := &config.Config{
		OnFailure:    hooks.Block,
		Limits:       config.Limits{Instructions: 2e6, Timeout: 500 * time.Millisecond, Memory: 32 << 20, Event: 10 * time.Second},
		MaxFollowups: &five,
		Grants: hooks.Grants{
			FSRead: true, Git: true, Tasks: true, Env: []string{"CI", "GITHUB_*"}, Exec: []string{"make", "/usr/bin/go"},
			HTTP: []string{"api.github.com", "*.example.com", "localhost:8080", "[::1]:80", "127.0.0.1"},
		},
		Hooks: []config.Hook{
			{
				Event: "pre_tool_call", Key: "PreToolUse", Builtin: "safety-guard", Grants: hooks.Grants{FSRead: true}, Source: "hooks.yaml:16",
				With: map[string]any{"level": "strict", "depth": map[string]any{"max": int64(3)}},
				Options: hooks.Options{
					Name: "check", Match: hooks.MustMatch("bash|edit*"), Priority: -5, OnFailure: hooks.Warn,
					Timeout: 2 * time.Second, Mode: hooks.ModeParallel, Once: true, Disabled: true,
				},
				Set: keys("name", "builtin", "with", "match", "priority", "on_failure", "timeout", "mode", "once", "enabled", "grant"),
			},
			{
				Event: "pre_tool_call", Key: "PreToolUse", Command: "./validate.sh", Args: []string{"--fast", "5"}, InjectOutput: true, Source: "hooks.yaml:27",
				Options: hooks.Options{Match: fields(t, "kind", "shell")}, Set: keys("command", "args", "inject_output", "match"),
			},
			{
				Event: "pre_tool_call", Key: "PreToolUse", Script: "tools/audit.py", Source: "hooks.yaml:28",
				Options: hooks.Options{Mode: hooks.ModeAsync}, Set: keys("script", "mode"),
			},
			{Event: "deploy.requested", Key: "deploy.requested", Script: ".hooks/mine.lua", Source: "hooks.yaml:30", Set: keys("script")},
		},
	}
	matchers := cmp.Transformer("match", (*hooks.Matcher).String)
	if diff := cmp.Diff(want, c, matchers, cmpopts.IgnoreUnexported(config.Config{}, config.Hook{})); diff != "" {
		t.Error(diff)
	}
	var commands []bool
	for _, h := range c.Hooks {
		commands = append(commands, h.IsCommand())
	}
	if !cmp.Equal(commands, []bool{false, true, true, false}) {
		t.Errorf("commands: %v", commands)
	}
}

func keys(list ...string) map[string]bool {
	set := map[string]bool{}
	for _, k := range list {
		set[k] = true
	}
	return set
}

func fields(t *testing.T, key, pattern string) *hooks.Matcher {
	t.Helper()
	m, err := hooks.MatchFields(map[string]string{key: pattern})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// An absent key is distinguished from a given one.
func TestWhatIsNotSaid(t *testing.T) {
	for _, test := range []struct {
		yaml string
		want config.Config
	}{
		{"", config.Config{}},
		{"hooks:\n", config.Config{}},
		{"hooks: {enabled: false}\n", config.Config{Disabled: true}},
		{"hooks: {max_followups: 0}\n", config.Config{MaxFollowups: new(int)}},
		{"hooks: {store: file}\n", config.Config{Store: "file"}},
		{"hooks: {tasks: bd}\n", config.Config{Tasks: config.Tasks{Tracker: "bd"}}},
		{"hooks: {tasks: {file: a/b}}\n", config.Config{Tasks: config.Tasks{Tracker: "file", Path: "a/b"}}},
		{"hooks: {record: events}\n", config.Config{Record: "events"}},
		{"hooks: {record: off}\n", config.Config{Record: "off"}},
		{"hooks: {grant: }\n", config.Config{}},
		{"hooks: {grant: {fs.read: false, exec: []}}\n", config.Config{}},
		{"hooks:\n  grant:\n  limits:\n  stop:\n", config.Config{}},
	} {
		c, problems := config.Decode("hooks.yaml", []byte(test.yaml))
		if problems != nil {
			t.Errorf("%q: %v", test.yaml, problems)
		}
		if diff := cmp.Diff(&test.want, c, cmpopts.IgnoreUnexported(config.Config{}, config.Hook{})); diff != "" {
			t.Errorf("%q: %s", test.yaml, diff)
		}
	}
}

// Arguments, be there none of them, are what keeps a command from the shell.
func TestArgs(t *testing.T) {
	c, problems := config.Decode("hooks.yaml", []byte("hooks: {stop: [{command: a}, {command: a, args: []}]}"))
	if problems != nil {
		t.Fatal(problems)
	}
	if c.Hooks[0].Args != nil || c.Hooks[1].Args == nil {
		t.Errorf("%#v, %#v", c.Hooks[0].Args, c.Hooks[1].Args)
	}
}

func TestFilesOfNothing(t *testing.T) {
	for _, yaml := range []string{"", "\n", "# only a comment\n", "---\n", "hooks:\n", "hooks: {}\n", "hooks:\n  # nothing yet\n", "hooks:\n  stop:\n", "hooks:\n  stop: []\n", "null\n", "\ufeffhooks: {}\n", "\ufeff", "# c\n---\nhooks: {}\n...\n# c\n", "hooks:\n  deploy.requested: []\n"} {
		if _, problems := config.Decode("hooks.yaml", []byte(yaml)); problems != nil {
			t.Errorf("%q: %v", yaml, problems)
		}
	}
}

func TestMistakes(t *testing.T) {
	for _, test := range mistakes {
		t.Run(test.name, func(t *testing.T) {
			_, problems := config.Decode("hooks.yaml", []byte(test.yaml))
			if len(problems) != 1 {
				t.Fatalf("%d problems: %v", len(problems), problems)
			}
			e := asError(t, problems[0])
			if got := strings.TrimPrefix(e.Brief(), "hooks.yaml:"); !strings.HasPrefix(got, test.want) {
				t.Errorf("\n got %s\nwant %s", got, test.want)
			}
			checkSnippet(t, test.yaml, e)
		})
	}
}

func asError(t *testing.T, err error) *hooks.Error {
	t.Helper()
	var e *hooks.Error
	if !errors.As(err, &e) || e.Kind != hooks.KindLoad {
		t.Fatalf("%#v", err)
	}
	return e
}

var placed = regexp.MustCompile(`^hooks\.yaml:(\d+):(\d+)$`)

// checkSnippet holds the annotated source of an error against its place, in a file of
// plain characters.
func checkSnippet(t *testing.T, yaml string, e *hooks.Error) {
	t.Helper()
	at := placed.FindStringSubmatch(e.Source)
	if at == nil {
		t.Fatalf("source %q", e.Source)
	}
	line, _ := strconv.Atoi(at[1])
	column, _ := strconv.Atoi(at[2])
	shown, mark, ok := strings.Cut(e.Snippet, "\n")
	if !ok || strings.Contains(mark, "\n") {
		t.Fatalf("snippet %q", e.Snippet)
	}
	if lines := strings.Split(strings.TrimPrefix(yaml, "\ufeff"), "\n"); line <= len(lines) && len(lines[line-1]) <= 160 {
		want := strings.NewReplacer("\t", "→", "\r", "").Replace(lines[line-1])
		got := shown[len("  1 | "):]
		if strings.Contains(e.Snippet+e.Error(), "pa%zz") {
			t.Errorf("the error shows a password: %v\n%s", e, e.Snippet)
		}
		if hidden, ok := strings.CutSuffix(got, "…"); ok && strings.Contains(e.Message, "store: ") {
			got, want = hidden, want[:column-1]
		}
		if got != strings.TrimRight(want, " ") && got != want {
			t.Errorf("line %d is shown as %q, want %q", line, got, want)
		}
		if got := strings.Index(mark, "^") - len("  1 | ") + 1; got != min(column, len(want)+1) {
			t.Errorf("the mark stands at %d, want %d:\n%s", got, column, e.Snippet)
		}
	}
}

// Each mistake is reported; the correct rest stays.
func TestMistakesLeaveTheRest(t *testing.T) {
	c, problems := config.Decode("hooks.yaml", []byte(`
hooks:
  limits: {instructions: many, timeout: 5s}
  grant: {exec: [make, "*"], git: true}
  pre_tool_call:
    - {script: x.lua, name: one}
    - {script: x.lua, nmae: two, priority: high}
    - {script: x.lua, name: three}
  stopp:
    - {script: x.lua}
  on_failur: block
`))
	var told []string
	for _, err := range problems {
		told = append(told, asError(t, err).Source)
	}
	if got, want := strings.Join(told, " "), "hooks.yaml:3:26 hooks.yaml:4:24 hooks.yaml:7:23 hooks.yaml:7:44 hooks.yaml:9:3 hooks.yaml:11:3"; got != want {
		t.Errorf("problems at %s, want %s", got, want)
	}
	var names []string
	for _, h := range c.Hooks {
		names = append(names, h.Options.Name)
	}
	if got := strings.Join(names, " "); got != "one three" {
		t.Errorf("hooks: %s", got)
	}
	if c.Limits.Timeout != 5*time.Second || !cmp.Equal(c.Grants, hooks.Grants{Git: true, Exec: []string{"make"}}) {
		t.Errorf("%+v", c)
	}
}

func TestErrorsOfAHook(t *testing.T) {
	c, _ := config.Decode("hooks.yaml", []byte("hooks:\n  stop:\n    - name: mine\n      script: x.lua\n"))
	h := &c.Hooks[0]
	for key, want := range map[string]string{
		"script": "hook mine (hooks.yaml:4:15): no \"x\"\n    4 |       script: x.lua\n      |               ^",
		"":       "hook mine (hooks.yaml:3:7): no \"x\"\n    3 |     - name: mine\n      |       ^",
		"match":  "hook mine (hooks.yaml:3:7): no \"x\"\n    3 |     - name: mine\n      |       ^",
	} {
		if got := h.Errorf(key, "no %q", "x").Error(); got != want {
			t.Errorf("%s:\n got %s\nwant %s", key, got, want)
		}
	}
}

func TestRefuseGrants(t *testing.T) {
	for _, test := range []struct{ yaml, want string }{
		{"hooks: {}", ""},
		{"hooks: {grant: {git: false}}", ""},
		{"hooks:\n  grant: {git: true}\n  stop:\n  - {script: a.lua, grant: {fs.read: true}}\n", "2:10"},
		{"hooks:\n  stop:\n  - {script: a.lua, grant: {fs.read: true}}\n", "3:28"},
		{"hooks:\n  stop:\n  - script: a.lua\n    grant:\n      exec: [make]\n", "5:7"},
	} {
		c, problems := config.Decode("hooks.yaml", []byte(test.yaml))
		if problems != nil {
			t.Fatal(problems)
		}
		err := c.RefuseGrants("not here")
		switch {
		case err == nil && test.want != "", err != nil && err.Brief() != "hooks.yaml:"+test.want+": grant: not here":
			t.Errorf("%q: %v, want %s", test.yaml, err, test.want)
		}
		for _, h := range c.Hooks {
			if test.want != "" && (!c.Grants.None() || !h.Grants.None()) {
				t.Errorf("%q still grants", test.yaml)
			}
		}
	}
}
