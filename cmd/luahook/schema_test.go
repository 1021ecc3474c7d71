package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/hooks/schema"
)

var resultSchema = sync.OnceValues(func() (*jsonschema.Schema, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema.Result()))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("result.json", doc); err != nil {
		return nil, err
	}
	return c.Compile("result.json")
})

// fitsSchema holds what eval prints against the published schema.
func fitsSchema(line []byte) error {
	s, err := resultSchema()
	if err != nil {
		return err
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(line))
	if err != nil {
		return err
	}
	return s.Validate(doc)
}

// What eval prints fits the schema, whatever the hooks do.
func TestResultsFitTheirSchema(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"XDG_CONFIG_HOME", "XDG_STATE_HOME", "HOME"} {
		t.Setenv(name, t.TempDir())
	}
	seen := map[string]bool{} // that there was such a line, so that the test says something
	events := append(hooks.Events(), slices.Repeat([]*hooks.EventInfo{hooks.Lookup(hooks.PreToolCall)}, len(hooks.Events()))...)
	check := func(t *rapid.T) {
		info := rapid.SampledFrom(events).Draw(t, "event")
		var script strings.Builder
		for i, body := range rapid.SliceOfN(rapid.SampledFrom(hookBodies), 0, 6).Draw(t, "hooks") {
			mode := rapid.SampledFrom([]string{"sync", "sync", "parallel", "async"}).Draw(t, "mode")
			policy := rapid.SampledFrom([]string{"block", "warn", "ignore"}).Draw(t, "policy")
			if mode == "async" {
				policy = "warn"
			}
			fmt.Fprintf(&script, "on(%q, {name=\"h%d\", mode=%q, on_failure=%q}, function(ev) %s end)\n", info.Name, i, mode, policy, body)
		}
		if rapid.IntRange(0, 9).Draw(t, "broken") == 0 {
			script.WriteString("on(")
		}
		writeScript(t, filepath.Join(dir, "a.lua"), script.String())
		commands := ""
		if runtime.GOOS != "windows" && rapid.IntRange(0, 4).Draw(t, "with a command") == 0 {
			command := rapid.SampledFrom([]string{"echo note", "echo no >&2; exit 2", "exit 1", "echo '{\"decision\":\"block\"}'", "kill -9 $$"}).Draw(t, "command")
			commands = fmt.Sprintf("hooks: {%s: [{command: %q}]}\n", info.Name, command)
		}
		writeScript(t, filepath.Join(dir, "hooks.yaml"), commands)
		event := string(hooks.Sample(info))
		if rapid.IntRange(0, 9).Draw(t, "bad event") == 0 {
			event = rapid.SampledFrom([]string{`{`, `[]`, `{"session_id":1}`, ``}).Draw(t, "bad")
		}
		args := []string{"eval", string(info.Name), "--no-user", "--hooks", dir}
		if rapid.Bool().Draw(t, "jsonl") {
			args, event = append(args, "--jsonl"), event+"\n"
		}
		var stdout, stderr bytes.Buffer
		run(context.Background(), args, strings.NewReader(event), &stdout, &stderr)
		if stdout.Len() == 0 {
			t.Fatalf("nothing is printed: %s", stderr.String())
		}
		if err := fitsSchema(stdout.Bytes()); err != nil {
			t.Fatalf("%v\n%s\n%s", err, stdout.String(), script.String())
		}
		for _, mark := range marks {
			seen[mark] = seen[mark] || strings.Contains(stdout.String(), mark)
		}
	}
	for range 8 {
		rapid.Check(t, check)
	}
	for _, mark := range marks {
		if !seen[mark] {
			t.Logf("no result had %s", mark)
		}
	}
	if !seen[`"status":"failed"`] || !seen[`"decision":"deny"`] || !seen[`"contexts"`] {
		t.Error("the results say too little")
	}
}

var marks = []string{`"decision":"deny"`, `"decision":"ask"`, `"decision":"allow"`, `"input"`, `"output"`, `"contexts"`, `"halt"`, `"data"`, `"warnings"`, `"status":"failed"`,
	`"status":"queued"`, `"status":"uncounted"`, `"limit"`, `"traceback"`, `"command"`, `"judging"`, `"line"`, `"suppress_output"`}

var hookBodies = []string{
	`return deny("no")`, `return deny()`, `return ask("sure?")`, `return ask()`, `return allow("fine")`, `return allow()`, `return halt("over")`, `return halt()`,
	`return context("note")`, `return context("")`, `return message("hello")`, `return message("")`, `return modify{}`, `return modify{command = "ls"}`, `return modify{prompt = ""}`,
	`return replace{command = "ls"}`, `return replace{}`, `return output("short")`, `return output("")`, `return output(false)`, `return output{}`, `return respond("made up")`,
	`return {data = {}}`, `return {data = {a = {1, false, {}}}}`, `return {suppress_output = true}`, `return {block = false}`, `return {decision = "block", reason = "no"}`,
	`return "text"`, `return 5`, `return {nonsense = 1}`, `error("boom")`, `error({})`, `while true do end`, `local function f() return 1 + f() end f()`, `print("x")`, ``,
}

func writeScript(t *rapid.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// What a line is answered that is no event fits, too.
func TestSchemaOfRefusedLines(t *testing.T) {
	line, err := hooks.EncodeJSON(refuseLine(3, os.ErrInvalid))
	if err != nil {
		t.Fatal(err)
	}
	if err := fitsSchema(line); err != nil {
		t.Errorf("%v\n%s", err, line)
	}
}
