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
	"github.com/invopop/jsonschema"

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
func makeSchema() *jsonschema.Schema {
	r := jsonschema.Reflector{
		RequiredFromJSONSchemaTags: true, // of which there are none: no key is required by itself
		ExpandedStruct:             true,
		Mapper:                     valueSchema,
		Anonymous:                  true,
	}
	s := r.ReflectFromType(reflect.TypeFor[document]())
	s.ID = "https://luahook.dev/hooks.schema.json"
	s.Title = "hooks.yaml of luahook"
	orEmpty(s, "object")

	section := s.Definitions["section"]
	section.PatternProperties = map[string]*jsonschema.Schema{}
	event := &jsonschema.Schema{Items: &jsonschema.Schema{Ref: "#/$defs/entry"}}
	orEmpty(event, "array")
	s.Definitions["event"] = event
	for _, info := range hooks.Events() {
		section.Properties.Set(string(info.Name), &jsonschema.Schema{Ref: "#/$defs/event", Description: "Hooks of this event: " + info.Help + "."})
		var spellings []string
		for _, name := range append([]string{string(info.Name)}, info.Aliases...) {
			spelling := regexp.MustCompile(`[-_]`).ReplaceAllString(name, "[-_]?")
			if !strings.Contains("|"+strings.Join(spellings, "|")+"|", "|"+spelling+"|") {
				spellings = append(spellings, spelling)
			}
		}
		section.PatternProperties["^("+strings.Join(spellings, "|")+")$"] = &jsonschema.Schema{
			Ref: "#/$defs/event", Description: "Hooks of " + string(info.Name) + ".",
		}
	}
	section.PatternProperties[`^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)+$`] = &jsonschema.Schema{
		Ref: "#/$defs/event", Description: "Hooks of an event of the embedder's own.",
	}
	for _, name := range []string{"section", "limits", "grant"} {
		orEmpty(s.Definitions[name], "object")
	}
	entry := r.ReflectFromType(reflect.TypeFor[entry]())
	entry.Version, entry.Definitions = "", nil // grant is there already
	restrict(entry)
	s.Definitions["entry"] = entry
	return s
}

// orEmpty lets a key stand without a value, as YAML has it where everything below it is
// commented out.
func orEmpty(s *jsonschema.Schema, kind string) {
	s.Type = ""
	s.Extras = map[string]any{"type": []string{kind, "null"}}
}

// restrict says which keys of a hook go together, as problem in entry.go does.
func restrict(entry *jsonschema.Schema) {
	require := func(keys ...string) *jsonschema.Schema { return &jsonschema.Schema{Required: keys} }
	with := func(key string, value *jsonschema.Schema) *jsonschema.Schema {
		p := jsonschema.NewProperties()
		p.Set(key, value)
		return &jsonschema.Schema{Required: []string{key}, Properties: p}
	}
	lua := &jsonschema.Schema{AnyOf: []*jsonschema.Schema{require("builtin"), with("script", &jsonschema.Schema{Pattern: `\.lua$`})}}
	command := &jsonschema.Schema{Not: lua}
	misspelt := with("script", &jsonschema.Schema{Pattern: `\.([Ll][Uu]A|[Ll]U[Aa]|L[Uu][Aa])$`})
	async := with("mode", &jsonschema.Schema{Const: "async"})
	entry.OneOf = []*jsonschema.Schema{require("builtin"), require("script"), require("command")}
	entry.DependentRequired = map[string][]string{"args": {"command"}}
	entry.AllOf = []*jsonschema.Schema{
		{Not: misspelt},
		{If: require("inject_output"), Then: command},
		{If: require("with"), Then: lua},
		{If: require("grant"), Then: lua},
		{If: async, Then: &jsonschema.Schema{Not: &jsonschema.Schema{AnyOf: []*jsonschema.Schema{
			with("on_failure", &jsonschema.Schema{Const: "block"}), with("inject_output", &jsonschema.Schema{Const: true}),
		}}}},
	}
}

// valueSchema is the schema of the kinds of values that have a reader of their own.
func valueSchema(t reflect.Type) *jsonschema.Schema {
	like := func(pattern string) *jsonschema.Schema { return &jsonschema.Schema{Type: "string", Pattern: pattern} }
	enum := func(values ...any) *jsonschema.Schema { return &jsonschema.Schema{Type: "string", Enum: values} }
	number := func(from json.Number) *jsonschema.Schema { return &jsonschema.Schema{Type: "integer", Minimum: from} }
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
		return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{number("1048576"), like(`^[0-9]+ *(([KMGkmg]i?)?[Bb])?$`)}}
	case reflect.TypeFor[hooks.Matcher]():
		one, longest := uint64(1), uint64(maxPattern)
		pattern := &jsonschema.Schema{Type: "string", MaxLength: &longest}
		return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{pattern, {Type: "object", AdditionalProperties: pattern, MinProperties: &one}}}
	case reflect.TypeFor[storeURL]():
		return like(`^(file|memory|rediss?://.+|unix://.+)$`)
	case reflect.TypeFor[Tasks]():
		path := jsonschema.NewProperties()
		path.Set("file", like(`^[^~].*[^/]$|^[^~/]$`))
		return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{
			enum(TasksFile, TasksBeads), {Type: "object", Properties: path, Required: []string{"file"}, AdditionalProperties: jsonschema.FalseSchema},
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
