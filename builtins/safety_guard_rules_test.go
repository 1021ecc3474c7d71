package builtins_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/yuin/gopher-lua/ast"
	"github.com/yuin/gopher-lua/parse"

	"github.com/luahook/luahook/builtins"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
	"github.com/luahook/luahook/luabind/compile"
	"github.com/luahook/luahook/luabind/lib"
)

// rule is a rule of safety-guard, as in its file.
type rule struct {
	ID         string   `json:"id"`
	Class      string   `json:"class"`
	Title      string   `json:"title"` // of its class
	Pack       string   `json:"pack"`  // that it belongs to, "" for the core
	Severity   string   `json:"severity"`
	Level      string   `json:"level"`
	LooksAt    string   `json:"looks_at"`
	Reason     string   `json:"reason"`
	Advice     string   `json:"advice"`
	Suggestion string   `json:"suggestion"`
	Blocked    []string `json:"blocked"`
	Passes     []string `json:"passes"`
	On         string   `json:"on"`
	File       string   `json:"file"`   // that it stands in, as it is required
	Tags       []string `json:"tags"`   // by which the index has it
	Always     []string `json:"always"` // the tags by which the index has it while its pack is off
	Tool       bool     `json:"tool"`   // its examples are calls of tools that aren't shells
}

// readRules loads all rules as the guard does.
func readRules(t testing.TB) []rule {
	t.Helper()
	return rulesOf(t, func(_, source string) string { return source })
}

// rulesOf loads the rules of changed sources.
func rulesOf(t testing.TB, change func(name, source string) string) []rule {
	t.Helper()
	const chunk = `
local rulebook = require("rulebook")
local files = rulebook.files(require("options").packs)
on("session_start", function()
  local list = {}
  for _, file in ipairs(files) do
    for _, rule in ipairs(file.rules) do
      local copy = {}
      for k, v in pairs(rule) do
        if type(v) ~= "function" and k ~= "when" then copy[k] = v end
        if k == "always" then copy.always = rulebook.tags(rule, rule.always_for) end
      end
      copy.title, copy.pack, copy.file, copy.tags = file.title, file.pack, file.name, rulebook.tags(rule)
      list[#list + 1] = copy
    end
  end
  return context(json.encode(list))
end)`
	libraries := map[string]*luabind.Library{}
	for name, source := range builtins.Libraries(builtins.Default) {
		libraries[name] = luabind.LazyLibrary(name, func() (*compile.Program, error) { return compile.Script(name, change(name, source)) })
	}
	program, err := compile.Script("rules", chunk)
	if err != nil {
		t.Fatal(err)
	}
	limits := luabind.Limits{Instructions: 1e9, Memory: 1 << 30, Timeout: time.Minute}
	state, err := luabind.NewState(t.Context(), program, luabind.Environment{
		Modules: append(lib.Modules(), lib.HostModule(lib.Host{Home: "/home/kim"}), eagerPatterns(), lib.RulesModule()), Libraries: libraries, Limits: limits,
	})
	if err != nil {
		t.Fatal(err)
	}
	out := state.Call(t.Context(), 0, &hooks.Context{Event: hooks.SessionStart}, limits)
	if out.Err != nil || out.Result == nil || len(out.Result.Contexts) == 0 {
		t.Fatalf("%+v", out)
	}
	var rules []rule
	if err := json.Unmarshal([]byte(out.Result.Contexts[0].Text), &rules); err != nil {
		t.Fatal(err)
	}
	return rules
}

// eagerPatterns compiles patterns at once: one with a mistake would only be found by a call
// that needs it.
func eagerPatterns() luabind.Module {
	m := lib.PatternsModule()
	for _, other := range lib.Modules() {
		for _, f := range other.Functions {
			if other.Name == "re" && f.Name == "compile" {
				m.Functions[0].Go = f.Go
			}
		}
	}
	return m
}

// guardWith is an engine that runs safety-guard with options, and nothing else.
func guardWith(t testing.TB, with map[string]any) *engine.Engine {
	t.Helper()
	e, err := engine.New(ample, engine.WithoutBuiltins(), engine.WithBuiltin(builtins.Default, with))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close(t.Context()) })
	return e
}

// verdictOf fires a command and returns the rule that stops it, "" for none.
func verdictOf(t testing.TB, e *engine.Engine, command string) (rule string, r *hooks.Result) {
	t.Helper()
	r = fire(t, e, hooks.PreToolCall, "Bash", command)
	return stoppedBy(t, r), r
}

// stoppedBy returns the rule that an answer names, "" if nothing was stopped.
func stoppedBy(t testing.TB, r *hooks.Result) (rule string) {
	t.Helper()
	if r.Decision == hooks.NoOpinion {
		return ""
	}
	_, id, ok := strings.Cut(r.Reason, "(safety-guard: ")
	if !ok {
		t.Fatalf("the reason names no rule: %q", r.Reason)
	}
	return strings.TrimSuffix(id, ")")
}

// Each rule is complete. With the packs that it needs, and no others, it stops its examples, and leaves similar
// ones alone. Its suggestion passes the guard with all packs, in its level.
func TestRules(t *testing.T) {
	all := guardWith(t, map[string]any{"packs": "all"})
	strict := guardWith(t, map[string]any{"packs": "all", "level": "strict"})
	engines := map[[2]string]*engine.Engine{}
	guard := func(pack, level string) *engine.Engine {
		key := [2]string{pack, level}
		if engines[key] == nil {
			with := map[string]any{"level": cmp.Or(level, "standard")}
			if pack != "" {
				with["packs"] = pack
			}
			engines[key] = guardWith(t, with)
		}
		return engines[key]
	}
	seen := map[string]bool{}
	for _, rule := range readRules(t) {
		t.Run(rule.ID, func(t *testing.T) {
			if seen[rule.ID] || !strings.HasPrefix(rule.ID, rule.Class+".") {
				t.Errorf("%q is there twice, or doesn't begin with its class %q", rule.ID, rule.Class)
			}
			seen[rule.ID] = true
			if !slices.Contains([]string{"critical", "high", "medium"}, rule.Severity) {
				t.Errorf("severity %q", rule.Severity)
			}
			for what, value := range map[string]string{"looks_at": rule.LooksAt, "reason": rule.Reason, "advice": rule.Advice, "suggestion": rule.Suggestion} {
				if value == "" {
					t.Errorf("it has no %s", what)
				}
			}
			if len(rule.Blocked) == 0 || len(rule.Passes) == 0 {
				t.Error("it has no example that is blocked, or none that passes")
			}
			e := guard(rule.Pack, rule.Level)
			if rule.Tool {
				return // see TestToolRules
			}
			for _, command := range rule.Blocked {
				if id, r := verdictOf(t, e, command); id != rule.ID {
					t.Errorf("%s: stopped by %q, want %s: %s", command, id, rule.ID, r.Reason)
				}
			}
			for _, command := range rule.Passes {
				if id, r := verdictOf(t, e, command); id != "" && rule.Level != "strict" || id == rule.ID {
					t.Errorf("%s: stopped by %s: %s", command, id, r.Reason)
				}
			}
			e = all
			if rule.Level == "strict" {
				e = strict
			}
			if id, r := verdictOf(t, e, rule.Suggestion); id != "" {
				t.Errorf("the suggestion %s is stopped by %s: %s", rule.Suggestion, id, r.Reason)
			}
		})
	}
}

// A rule judges what a command does: the same command in another form is judged alike, and its text alone, as a
// message or in a comment, never is.
func TestRulesSeeNoText(t *testing.T) {
	all := guardWith(t, map[string]any{"packs": "all"})
	for _, rule := range readRules(t) {
		if rule.Level == "strict" || rule.Tool {
			continue
		}
		for _, command := range rule.Blocked {
			quoted := "'" + strings.ReplaceAll(command, "'", `'\''`) + "'"
			for _, same := range []string{"bash -c " + quoted, "true && eval " + quoted} {
				if id, _ := verdictOf(t, all, same); id == "" {
					t.Errorf("%s: not stopped, but %s is", same, command)
				}
			}
			for _, text := range []string{"git commit -m " + quoted, "echo " + quoted, ": # " + strings.ReplaceAll(command, "\n", " ")} {
				if id, r := verdictOf(t, all, text); id != "" {
					t.Errorf("%s: stopped by %s: %s", text, id, r.Reason)
				}
			}
		}
	}
}

// The files of rules, and the libraries that they use, reach the call through the model only: none of them
// touches the event, parses text again, or reads anything that it isn't given.
func TestRulesConsultTheModel(t *testing.T) {
	frame := []string{"shellcall", "folders", "judge", "code", "handed", "stored", "sqlline", "options", "scene", "tools", "cells"} // these make the model of a call
	for name, source := range builtins.Libraries(builtins.Default) {
		_, err := os.Stat(filepath.Join(builtins.Default, strings.ReplaceAll(name, ".", "/")+".lua")) // not what all built-ins share
		if err == nil && !slices.Contains(frame, name) {
			for _, use := range forbidden(t, name, source) {
				t.Error(use)
			}
		}
	}
	const peeks = "local m = {}\nfunction m.when(cmd, scene)\n  local line = shell.parse(scene.event.tool_call.command)\nend\nreturn m"
	if found := forbidden(t, "peeks", peeks); len(found) != 4 {
		t.Errorf("of a rule that parses the call's text: %q", found)
	}
}

// forbidden lists where a file of rules uses something that it mustn't.
func forbidden(t testing.TB, name, source string) []string {
	t.Helper()
	chunk, err := parse.Parse(strings.NewReader(source), name)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Interface:
			walk(v.Elem())
		case reflect.Pointer:
			switch node := v.Interface().(type) {
			case *ast.IdentExpr:
				if slices.Contains([]string{"shell", "sql", "fs", "exec", "http", "ev", "on"}, node.Value) {
					found = append(found, fmt.Sprintf("%s:%d uses %s", name, node.Line(), node.Value))
				}
			case *ast.AttrGetExpr:
				if key, ok := node.Key.(*ast.StringExpr); ok && slices.Contains([]string{"tool_call", "command", "event"}, key.Value) {
					found = append(found, fmt.Sprintf("%s:%d uses .%s", name, node.Line(), key.Value))
				}
			}
			walk(v.Elem())
		case reflect.Struct:
			for i := range v.NumField() {
				if v.Type().Field(i).IsExported() {
					walk(v.Field(i))
				}
			}
		case reflect.Slice:
			for i := range v.Len() {
				walk(v.Index(i))
			}
		}
	}
	walk(reflect.ValueOf(chunk))
	return found
}
