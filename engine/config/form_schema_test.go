package config

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/luahook/luahook/builtins"
	"github.com/luahook/luahook/hooks"
)

var update = flag.Bool("update", false, "make hooks.schema.json anew")

// TestMain writes the schema anew where that is asked for. It is embedded, so the tests of
// this process couldn't see it.
func TestMain(m *testing.M) {
	flag.Parse()
	if *update {
		text, err := schemaText()
		if err == nil {
			err = os.WriteFile("hooks.schema.json", text, 0o644)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// The published schema is the one generated from the types.
func TestSchemaIsUpToDate(t *testing.T) {
	made, err := schemaText()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(made), string(Schema())); diff != "" {
		t.Errorf("hooks.schema.json is not what form.go makes; run go test ./engine/config -update\n%s", diff)
	}
}

func schemaText() ([]byte, error) {
	var made bytes.Buffer
	e := json.NewEncoder(&made)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(makeSchema())
	return made.Bytes(), err
}

// makeSchema makes the schema of the types in form.go.
func makeSchema() *schemaOf {
	defs := map[string]*schemaOf{}
	s := object(reflect.TypeFor[document](), defs)
	s.Version = "https://json-schema.org/draft/2020-12/schema"
	s.ID = "https://luahook.dev/hooks.schema.json"
	s.Definitions = defs
	s.Title = "hooks.yaml of luahook"
	orEmpty(s, "object")

	section := defs["section"]
	section.PatternProperties = map[string]*schemaOf{}
	event := &schemaOf{Items: &schemaOf{Ref: "#/$defs/entry"}}
	orEmpty(event, "array")
	defs["event"] = event
	for _, info := range hooks.Events() {
		section.Properties = append(section.Properties, property{string(info.Name), &schemaOf{Ref: "#/$defs/event", Description: "Hooks of this event: " + info.Help + "."}})
		var spellings []string
		for _, name := range append([]string{string(info.Name)}, info.Aliases...) {
			spelling := regexp.MustCompile(`[-_]`).ReplaceAllString(name, "[-_]?")
			if !strings.Contains("|"+strings.Join(spellings, "|")+"|", "|"+spelling+"|") {
				spellings = append(spellings, spelling)
			}
		}
		section.PatternProperties["^("+strings.Join(spellings, "|")+")$"] = &schemaOf{
			Ref: "#/$defs/event", Description: "Hooks of " + string(info.Name) + ".",
		}
	}
	section.PatternProperties[`^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)+$`] = &schemaOf{
		Ref: "#/$defs/event", Description: "Hooks of an event of the embedder's own.",
	}
	for _, name := range []string{"section", "limits", "grant"} {
		orEmpty(defs[name], "object")
	}
	defs["entry"] = object(reflect.TypeFor[entry](), defs)
	restrict(defs["entry"])
	return s
}

// orEmpty lets a key stand without a value, as YAML has it where everything below it is
// commented out.
func orEmpty(s *schemaOf, kind string) {
	s.Type = []string{kind, "null"}
}

// restrict says which keys of a hook go together, as problem in entry.go does.
func restrict(entry *schemaOf) {
	require := func(keys ...string) *schemaOf { return &schemaOf{Required: keys} }
	with := func(key string, value *schemaOf) *schemaOf {
		return &schemaOf{Required: []string{key}, Properties: properties{{key, value}}}
	}
	lua := &schemaOf{AnyOf: []*schemaOf{require("builtin"), with("script", &schemaOf{Pattern: `\.lua$`})}}
	command := &schemaOf{Not: lua}
	misspelt := with("script", &schemaOf{Pattern: `\.([Ll][Uu]A|[Ll]U[Aa]|L[Uu][Aa])$`})
	async := with("mode", &schemaOf{Const: "async"})
	entry.OneOf = []*schemaOf{require("builtin"), require("script"), require("command")}
	entry.DependentRequired = map[string][]string{"args": {"command"}}
	entry.AllOf = []*schemaOf{
		{Not: misspelt},
		{If: require("inject_output"), Then: command},
		{If: require("with"), Then: lua},
		{If: require("grant"), Then: lua},
		{If: async, Then: &schemaOf{Not: &schemaOf{AnyOf: []*schemaOf{
			with("on_failure", &schemaOf{Const: "block"}), with("inject_output", &schemaOf{Const: true}),
		}}}},
	}
}

// valueSchema is the schema of the kinds of values that have a reader of their own, and nil for others.
func valueSchema(t reflect.Type) *schemaOf {
	like := func(pattern string) *schemaOf { return &schemaOf{Type: "string", Pattern: pattern} }
	enum := func(values ...any) *schemaOf { return &schemaOf{Type: "string", Enum: values} }
	number := func(from json.Number) *schemaOf { return &schemaOf{Type: "integer", Minimum: from} }
	switch t {
	case reflect.TypeFor[text]():
		return like(`\S`)
	case reflect.TypeFor[builtin]():
		var names []any
		for _, name := range builtins.Names() {
			names = append(names, name)
		}
		return enum(names...)
	case reflect.TypeFor[hooks.Policy]():
		return enum(hooks.Block, hooks.Warn, hooks.Ignore)
	case reflect.TypeFor[hooks.Mode]():
		return enum(hooks.ModeSync, hooks.ModeParallel, hooks.ModeAsync)
	case reflect.TypeFor[duration]():
		return like(`^([0-9]+(\.[0-9]*)?(ns|us|µs|ms|s|m|h))+$`)
	case reflect.TypeFor[instructions]():
		return number("1")
	case reflect.TypeFor[followups]():
		s := number("0")
		s.Maximum = "2147483647"
		return s
	case reflect.TypeFor[size]():
		return &schemaOf{AnyOf: []*schemaOf{number("1048576"), like(`^[0-9]+ *(([KMGkmg]i?)?[Bb])?$`)}}
	case reflect.TypeFor[hooks.Matcher]():
		pattern := &schemaOf{Type: "string", MaxLength: maxPattern}
		return &schemaOf{AnyOf: []*schemaOf{pattern, {Type: "object", AdditionalProperties: pattern, MinProperties: 1}}}
	case reflect.TypeFor[storeURL]():
		return like(`^(file|memory|rediss?(\+cluster)?://.+|unix://.+)$`)
	case reflect.TypeFor[Tasks]():
		path := properties{{"file", like(`^[^~].*[^/]$|^[^~/]$`)}}
		return &schemaOf{AnyOf: []*schemaOf{
			enum(TasksFile, TasksBeads), {Type: "object", Properties: path, Required: []string{"file"}, AdditionalProperties: false},
		}}
	case reflect.TypeFor[recording]():
		return enum(RecordDecisions, RecordEvents, RecordOff)
	case reflect.TypeFor[variable]():
		return like(`^[^\s=$\[\]{}/\\"']*[^\s=$\[\]{}/\\"'*?][^\s=$\[\]{}/\\"']*$`)
	case reflect.TypeFor[program]():
		return like(`^([^\s/\\*?\[\]]+|(/|[A-Za-z]:[/\\])[^*?\[\]]*)$`)
	case reflect.TypeFor[host]():
		const name = `[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?(\.[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?)*`
		return like(`^(\*\.` + name + `|(` + name + `|\[[0-9A-Fa-f:.]+\])(:[1-9][0-9]{0,4})?)$`)
	}
	return nil
}
