package config_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/luahook/luahook/engine/config"
	"github.com/luahook/luahook/hooks"
)

// judge is the published schema.
func judge(t *testing.T) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(config.Schema()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("hooks.schema.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("hooks.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// asJSON reads a file as editors do that hold it against a schema.
func asJSON(t *testing.T, text string) any {
	t.Helper()
	var v any
	if err := yaml.Unmarshal([]byte(strings.TrimPrefix(text, "\ufeff")), &v); err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func TestSchemaAcceptsWhatTheDecoderReads(t *testing.T) {
	files := []string{
		good, "", "hooks:\n", "hooks:\n  stop:\n  limits:\n  grant:\n", "hooks: {stop: [{command: a, args: []}]}\n",
		hook("match: {path: 'src/**', kind: write}"), hook("match: ''"), hook("timeout: 1h2m3.5s"), hook("priority: -3"), hook("with: {}"),
		"hooks: {limits: {memory: 2097152}}", "hooks: {limits: {memory: 64 MB}}", "hooks: {limits: {memory: 5mib}}", "hooks: {limits: {memory: \"2097152\"}}",
		"hooks: {tasks: file}", "hooks: {tasks: bd}", "hooks: {tasks: {file: a}}", "hooks: {tasks: {file: /var/tasks.jsonl}}",
		"hooks: {store: file}", "hooks: {store: memory}", "hooks: {store: 'rediss://kim:word@redis.example.com:6380/2'}", "hooks: {store: 'unix:///run/redis.sock?db=1'}",
		"hooks: {record: events}", "hooks: {record: decisions}", "hooks: {max_followups: 0}", handler("script: a.lua, mode: async, on_failure: warn"), handler("command: a, mode: async, inject_output: false"),
		handler("builtin: safety-guard, grant: {exec: [make]}"), handler("script: a.py, inject_output: true"), "hooks: {deploy.requested: [{command: a}]}",
		grant(`exec: [g++, python3.12, /usr/bin/go]`), grant(`http: [a, a.b, "10.0.0.1:80", "*.b", "[2001:db8::1]", a_b.c, API.GitHub.com]`), grant(`env: [A, "A_*", "?B", "ProgramFiles(x86)"]`),
	}
	for _, info := range hooks.Events() {
		for _, spelling := range append([]string{string(info.Name), strings.ReplaceAll(string(info.Name), "_", "-"), strings.ReplaceAll(string(info.Name), "_", "")}, info.Aliases...) {
			files = append(files, "hooks: {"+spelling+": [{command: a}]}\n")
		}
	}
	s := judge(t)
	for _, text := range files {
		if _, problems := config.Decode("hooks.yaml", []byte(text)); problems != nil {
			t.Errorf("%s\nthe decoder: %v", text, problems)
		}
		if err := s.Validate(asJSON(t, text)); err != nil {
			t.Errorf("%s\nthe schema: %v", text, err)
		}
	}
}

func TestSchemaRefusesWhatTheDecoderRefuses(t *testing.T) {
	s := judge(t)
	for _, test := range mistakes {
		if test.lax {
			continue
		}
		t.Run(test.name, func(t *testing.T) {
			if s.Validate(asJSON(t, test.yaml)) == nil {
				t.Errorf("the schema accepts\n%s", test.yaml)
			}
		})
	}
}

// The keys that the decoder says it knows are those of the schema, and all have help.
func TestSchemaHasTheKeysOfTheDecoder(t *testing.T) {
	var schema struct {
		Properties map[string]any
		Defs       map[string]struct {
			Properties map[string]struct{ Description string }
		} `json:"$defs"`
	}
	if err := json.Unmarshal(config.Schema(), &schema); err != nil {
		t.Fatal(err)
	}
	for def, yaml := range map[string]string{
		"section": "hooks: {zzzzzzzzzzzzzzz: 1}", "limits": "hooks: {limits: {zzzzzzzzzzzzzzz: 1}}",
		"grant": grant("zzzzzzzzzzzzzzz: 1"), "entry": handler("zzzzzzzzzzzzzzz: 1"),
	} {
		_, problems := config.Decode("hooks.yaml", []byte(yaml))
		message := asError(t, problems[0]).Message
		_, list, _ := strings.Cut(message, " are ")
		known := strings.Split(list, ", ")
		slices.Sort(known)
		var published []string
		for key, p := range schema.Defs[def].Properties {
			if p.Description == "" {
				t.Errorf("%s: %s has no description", def, key)
			}
			if def == "section" && hooks.Lookup(hooks.Event(key)) != nil {
				continue
			}
			published = append(published, key)
		}
		slices.Sort(published)
		if diff := cmp.Diff(known, published); diff != "" {
			t.Errorf("%s: the decoder (-) and the schema (+) know other keys\n%s", def, diff)
		}
	}
}
