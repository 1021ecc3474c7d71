package schema_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/hooks/schema"
)

const own = "deploy.requested" // an event of an embedder's own

func eventText(t testing.TB, event hooks.Event) []byte {
	t.Helper()
	text, err := schema.Event(event)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// compiled reads a schema, which the compiler holds against the schema of schemas.
func compiled(t testing.TB, text []byte) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	id := doc.(map[string]any)["$id"].(string)
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource(id, doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile(id)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// events are the names of all events, and one of an embedder's own.
func events() []hooks.Event {
	names := []hooks.Event{own}
	for _, info := range hooks.Events() {
		names = append(names, info.Name)
	}
	return names
}

// records are the keys that the decoder knows of each record.
func records() map[string][]string {
	return map[string][]string{"tool_call": new(hooks.ToolCall).Keys(), "error": new(hooks.ErrorInfo).Keys(), "usage": new(hooks.Usage).Keys()}
}

func judges(t testing.TB) map[hooks.Event]*jsonschema.Schema {
	all := map[hooks.Event]*jsonschema.Schema{}
	for _, event := range events() {
		all[event] = compiled(t, eventText(t, event))
	}
	return all
}

// accepts reports whether a schema accepts a JSON text.
func accepts(t rapid.TB, s *jsonschema.Schema, text []byte) bool {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return s.Validate(doc) == nil
}

// decoded reads a text as an event; one that is another event is an error.
func decoded(text []byte, event hooks.Event) error {
	c, err := hooks.DecodeContext(text, event)
	if err == nil && c.Event != event {
		err = errors.New("is the event " + string(c.Event))
	}
	return err
}

func TestEventsOfAnySpelling(t *testing.T) {
	if !bytes.Equal(eventText(t, "PreToolUse"), eventText(t, "pre_tool_call")) {
		t.Error("another spelling has another schema")
	}
	var unknown *hooks.UnknownEventError
	if text, err := schema.Event("pre_tol_call"); text != nil || !errors.As(err, &unknown) || unknown.Nearest != hooks.PreToolCall {
		t.Errorf("%s, %v", text, err)
	}
	ids := map[string]bool{}
	for _, event := range events() {
		var head struct {
			ID          string `json:"$id"`
			Title       string
			Description string
		}
		if err := json.Unmarshal(eventText(t, event), &head); err != nil {
			t.Fatal(err)
		}
		if ids[head.ID] || !strings.HasSuffix(head.ID, "/event."+string(event)+".json") || !strings.Contains(head.Title, string(event)) || head.Description == "" {
			t.Errorf("%s: %+v", event, head)
		}
		ids[head.ID] = true
	}
}

// What the decoder accepts: the samples, the events in testdata and odd ones.
func TestEventSchemasAccept(t *testing.T) {
	all := judges(t)
	check := func(event hooks.Event, text string) {
		t.Helper()
		if err := decoded([]byte(text), event); err != nil {
			t.Errorf("%s, by the decoder: %v\n%s", event, err, text)
		}
		if !accepts(t, all[event], []byte(text)) {
			t.Errorf("the schema of %s refuses %s", event, text)
		}
	}
	for _, event := range events() {
		check(event, string(hooks.Sample(hooks.Lookup(event))))
	}
	files, err := filepath.Glob("../../testdata/events/*.json")
	if err != nil || len(files) < len(hooks.Events()) {
		t.Fatalf("%d events: %v", len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name, _, _ := strings.Cut(filepath.Base(file), ".")
		check(hooks.Event(name), string(text))
	}
	for _, text := range []string{
		`{}`, `{"event":null}`, `{"event":""}`, `{"event":" S_t-o p"}`, `{"event":"AfterAgent"}`, `{"event":" AfterAgent "}`, `{"event":"AGENTSTOP"}`,
		`{"toolCall":1,"Event":2,"agent":3}`, `{"loop_count":1.0,"agent_depth":-9223372036854775808}`, `{"loop_count":1e3}`, `{"metadata":null,"error":null,"usage":{}}`,
		`{"error":{"code":1,"":2}}`, `{"tool_call":null}`, `{"tool_call":{"name":"x","toolinput":null}}`,
		`{"tool_call":{"command":"ls"}}`, `{"tool_call":{"host_name":"Bash","name":null}}`, `{"tool_call":{"name":"x","kind":"MCP","outcome":""}}`,
		`{"tool_call":{"name":"x","kind":"","input":null,"args":"{\"a\":1}"}}`, `{"tool_call":{"name":"x","params":{},"args":null,"TOOL_INPUT":{}}}`,
		`{"tool_call":{"name":"x","paths":["a"],"files":[1],"duration_ms":-0.5,"output":[null]}}`,
	} {
		check(hooks.Stop, text)
	}
	for record, keys := range records() {
		for _, key := range keys {
			name := "name"
			if key == name {
				name = "host_name"
			}
			check(hooks.Stop, `{"`+record+`":{"`+name+`":"x","`+key+`":null}}`)
		}
	}
	check(hooks.PreAgent, `{"event":"beforeAgent","agent":"a"}`)
	check(hooks.PrePrompt, `{"event":"BeforeAgent"}`)
	check(own, `{"event":" deploy.requested "}`)
}

// What both the decoder and the schema refuse.
func TestEventSchemasRefuse(t *testing.T) {
	all := judges(t)
	check := func(event hooks.Event, text string) {
		t.Helper()
		if decoded([]byte(text), event) == nil {
			t.Errorf("the decoder accepts %s: %s", event, text)
		}
		if accepts(t, all[event], []byte(text)) {
			t.Errorf("the schema of %s accepts %s", event, text)
		}
	}
	for _, event := range events() {
		info := hooks.Lookup(event)
		for _, name := range info.FieldNames() {
			for _, wrong := range []string{`"x"`, `0.5`, `7`, `true`, `{}`, `[]`} {
				text := `{"tool_call":{"name":"bash"},"` + name + `":` + wrong + `}`
				if name == "tool_call" {
					text = `{"tool_call":` + wrong + `}`
				}
				if v, _ := hooks.DecodeJSON([]byte(wrong)); !info.Field(name).Type.Holds(v) {
					check(event, text)
				}
			}
			if info.Field(name).Required {
				check(event, `{}`)
				check(event, `{"`+name+`":null}`)
			}
		}
		for _, other := range events() {
			if other != event {
				check(event, `{"tool_call":{"name":"bash"},"event":"`+string(other)+`"}`)
			}
		}
	}
	for _, text := range []string{
		`[]`, `null`, `"stop"`, `{"event":"stpo"}`, `{"event":"_"}`, `{"event":"afterAgent"}`, `{"event":"stop."}`, `{"loop_count":9223372036854775808}`, `{"loop_count":1.5}`,
		`{"tool_call":{}}`, `{"tool_call":{"name":""}}`, `{"tool_call":{"name":null,"input":{"command":"ls"}}}`, `{"tool_call":{"name":"x","kind":"shel"}}`,
		`{"tool_call":{"name":"x","outcome":"OK"}}`, `{"tool_call":{"name":"x","paths":[null]}}`, `{"tool_call":{"name":"x","input":{},"args":{}}}`,
		`{"tool_call":{"name":"x","params":{},"toolArgs":"{}"}}`, `{"tool_call":{"name":"x","arguments":[]}}`, `{"tool_call":{"name":"x","files":""}}`,
		`{"tool_call":{"name":"x","hostName":"y"}}`, `{"tool_call":{"name":"x"," Name":null}}`, `{"error":{"isRetryable":true}}`, `{"error":{"message":1}}`,
		`{"usage":{"Cost-USD":1}}`, `{"usage":{"input_tokens":0.5}}`, `{"usage":{"cost_usd":"1"}}`,
	} {
		check(hooks.Stop, text)
	}
	check(hooks.PreAgent, `{"event":"BeforeAgent"}`)
	check(hooks.PostAgent, `{"event":" AfterAgent"}`)
	check(own, `{"event":"deploy_requested"}`)
	check(own, `{"event":"deployXrequested"}`)
}

// differences are the reasons why the decoder refuses what the schema accepts, with an event
// for each. The rest of each row recognises the decoder's error.
var differences = []struct{ reason, event, text, field, message string }{
	{"a tool's kind is known from its name", "stop", `{"tool_call":{"name":"bash","kind":"read"}}`, "tool_call.kind", "is a shell tool"},
	{"two names may be two tools", "stop", `{"tool_call":{"name":"read","host_name":"bash"}}`, "tool_call.name", "is a shell tool"},
	{"only a shell tool has a command", "stop", `{"tool_call":{"name":"read","command":"ls"}}`, "tool_call.command", "only a shell tool has one"},
	{"the command is in the input too", "stop", `{"tool_call":{"name":"bash","command":"ls","input":{"command":"rm"}}}`, "tool_call.command", "differs from"},
	{"a shell's input says two things", "stop", `{"tool_call":{"name":"bash","input":{"cmd":"ls","command":"rm"}}}`, "tool_call.input.", "differs from"},
	{"a shell's input is no text", "stop", `{"tool_call":{"name":"bash","input":{"command":1}}}`, "tool_call.input.", "want text or a list of words"},
	{"a text of arguments is no JSON object", "stop", `{"tool_call":{"name":"x","args":"{"}}`, "tool_call.", "want an object, got string"},
	{"a text of arguments is a JSON list", "stop", `{"tool_call":{"name":"x","args":"[{}]"}}`, "tool_call.", "want an object, got list"},
	{"a text of arguments is a JSON number", "stop", `{"tool_call":{"name":"x","args":"1"}}`, "tool_call.", "want an object, got number"},
	{"a text of arguments is null", "stop", `{"tool_call":{"name":"x","args":"null"}}`, "tool_call.", "want an object, got null"},
	{"a float64 doesn't hold the number", "stop", `{"usage":{"cost_usd":1e400}}`, "usage.cost_usd", "want number, got number"},
	{"a float64 doesn't hold the whole number", "stop", `{"loop_count":123456789012345678.0}`, "loop_count", "want integer, got number"},
	{"a key appears twice", "stop", `{"model":"a","model":"b"}`, "", "appears twice"},
	{"the event is too large", "stop", `{"metadata":{"a":` + strings.Repeat("[", 1001) + strings.Repeat("]", 1001) + `}}`, "", "nested deeper than"},
}

func TestEventSchemasAreLaxer(t *testing.T) {
	all := judges(t)
	for _, d := range differences {
		err := decoded([]byte(d.text), hooks.Event(d.event))
		if !excused(err) || !strings.Contains(err.Error(), d.message) {
			t.Errorf("%s: the decoder says %v", d.reason, err)
		}
		if !accepts(t, all[hooks.Event(d.event)], []byte(d.text)) {
			t.Errorf("%s: the schema refuses it as well, so it is no difference", d.reason)
		}
	}
	for _, text := range []string{"{\"event\":\"\\tstop\"}", `{"event":"\u00a0stop"}`} {
		if decoded([]byte(text), "stop") != nil || accepts(t, all["stop"], []byte(text)) {
			t.Errorf("%s: white space around the name is no difference any more", text)
		}
	}
}

// excused reports whether the decoder's error is one of the listed differences.
func excused(err error) bool {
	var input *hooks.InputError
	return errors.As(err, &input) && slices.ContainsFunc(differences, func(d struct{ reason, event, text, field, message string }) bool {
		return strings.HasPrefix(input.Field, d.field) && (d.field != "" || input.Field == "") && strings.Contains(input.Message, d.message)
	})
}

// Over random events the schema says what the decoder says, but for the listed differences.
func TestEventSchemasSayWhatTheDecoderSays(t *testing.T) {
	all := judges(t)
	accepted, refused, excuses := 0, 0, 0
	check := func(t *rapid.T) {
		event := rapid.SampledFrom(events()).Draw(t, "event")
		object := randomEvent(t, hooks.Lookup(event))
		text, err := hooks.EncodeJSON(object)
		if err != nil {
			t.Fatal(err)
		}
		err = decoded(text, event)
		switch bySchema := accepts(t, all[event], text); {
		case err == nil && !bySchema:
			t.Fatalf("the schema of %s refuses %s", event, text)
		case err == nil:
			accepted++
		case bySchema && excused(err):
			excuses++
		case bySchema:
			t.Fatalf("the schema of %s accepts %s, the decoder says %v", event, text, err)
		default:
			refused++
		}
	}
	for range 20 {
		rapid.Check(t, check)
	}
	t.Logf("%d events accepted, %d refused and %d excused", accepted, refused, excuses)
	if accepted < 100 || refused < 100 {
		t.Errorf("%d events accepted, %d refused and %d excused say little", accepted, refused, excuses)
	}
}

// randomEvent is an object that may be an event: most of its values fit.
func randomEvent(t *rapid.T, info *hooks.EventInfo) map[string]any {
	object := map[string]any{}
	if rapid.Bool().Draw(t, "names itself") {
		names := append([]string{string(info.Name), "", "stop", "BeforeAgent", "beforeAgent", "after_agent", "AfterAgent", "nope"}, info.Aliases...)
		object["event"] = respelled(t, rapid.SampledFrom(names).Draw(t, "name"))
	}
	for _, name := range rapid.SliceOfN(rapid.SampledFrom(info.FieldNames()), 0, 4).Draw(t, "fields") {
		if name != "event" {
			object[name] = fieldValue(t, name, info.Field(name).Type)
		}
	}
	for _, f := range info.Fields {
		if f.Required && rapid.IntRange(0, 9).Draw(t, "leave out") > 0 {
			object[f.Name] = fieldValue(t, f.Name, f.Type)
		}
	}
	for range rapid.IntRange(0, 2).Draw(t, "unknown keys") {
		key := respelled(t, rapid.SampledFrom(append(info.FieldNames(), "agent", "tool_name", "")).Draw(t, "key"))
		if info.Field(key) == nil {
			object[key] = anyValue(t)
		}
	}
	return object
}

// respelled changes the spelling of a name, or doesn't.
func respelled(t *rapid.T, name string) string {
	switch rapid.IntRange(0, 9).Draw(t, "spelling") {
	case 0:
		return strings.ToUpper(name)
	case 1:
		return strings.ReplaceAll(name, "_", "-")
	case 2:
		return strings.ReplaceAll(name, "_", "")
	case 3:
		return " " + name + "_ "
	}
	return name
}

func fieldValue(t *rapid.T, name string, kind hooks.Type) any {
	if rapid.IntRange(0, 19).Draw(t, "any value") == 0 {
		return anyValue(t)
	}
	switch {
	case name == "tool_call":
		return randomRecord(t, toolCallValues)
	case name == "error":
		return randomRecord(t, errorValues)
	case name == "usage":
		return randomRecord(t, usageValues)
	}
	return rapid.SampledFrom(map[hooks.Type][]any{
		hooks.String: {"", "text"}, hooks.Integer: {0, -7, 1e3, int64(1) << 62}, hooks.Number: {0.5, 2, -1e300}, hooks.Boolean: {true, false},
		hooks.Object: {map[string]any{}, map[string]any{"a": 1}}, hooks.List: {[]any{}, []any{"a", nil}}, hooks.Any: {"text", 1, nil, []any{}},
	}[kind]).Draw(t, name)
}

func anyValue(t *rapid.T) any {
	return rapid.SampledFrom([]any{nil, "", "text", "{}", "shell", 0, 1.5, json.Number("9223372036854775808"), true, map[string]any{}, map[string]any{"name": "x"}, []any{}, []any{"a", 1}}).Draw(t, "value")
}

// The keys of records with values, of which most fit.
var (
	toolNames      = []any{"bash", "Bash", "run_shell_command", "read", "apply_patch", "mcp__a__b", "mcp__shell__run", "deploy", "", nil}
	toolInputs     = []any{map[string]any{}, map[string]any{"command": "ls"}, map[string]any{"cmd": []any{"ls", "a"}}, map[string]any{"command": 1}, map[string]any{"file_path": "a"}, nil}
	toolCallValues = map[string][]any{
		"id": {"1", nil}, "name": toolNames, "host_name": toolNames, "kind": {"shell", "READ", "Mcp", "other", "", nil, "shel"}, "command": {"ls", "", nil},
		"paths": {[]any{"a"}, []any{}, []any{1}, nil}, "files": {[]any{1}, nil}, "input": toolInputs, "arguments": append(toolInputs, `{"command":"ls"}`, `[`), "toolArgs": toolInputs,
		"tool_input": {map[string]any{}, nil, "{}"}, "output": {"x", nil, []any{}}, "outcome": {"ok", "error", "", "fine", nil}, "duration_ms": {1, 0.5, -1, nil},
	}
	errorValues = map[string][]any{"message": {"m", nil}, "kind": {"network", ""}, "is_retryable": {true, nil}, "hook": {"h"}, "source": {"a:1"}, "event": {"stop", "nope"}, "code": {1}}
	usageValues = map[string][]any{"input_tokens": {1, 1e3, nil}, "output_tokens": {-1, 0.5}, "cache_tokens": {0}, "cost_usd": {0.5, 1}, "reasoning_tokens": {"many"}}
)

func randomRecord(t *rapid.T, values map[string][]any) map[string]any {
	record := map[string]any{}
	keys := slices.Sorted(maps.Keys(values))
	picked := rapid.SliceOfN(rapid.SampledFrom(keys), 0, 4).Draw(t, "keys")
	if _, isToolCall := values["outcome"]; isToolCall {
		picked = append(picked, "name")
	}
	for _, key := range picked {
		v := rapid.SampledFrom(values[key]).Draw(t, key)
		if rapid.IntRange(0, 19).Draw(t, "any value") == 0 {
			v = anyValue(t)
		}
		if rapid.IntRange(0, 19).Draw(t, "respell") == 0 {
			key = respelled(t, key)
		}
		record[key] = v
	}
	return record
}

// The records have the keys that the decoder knows, all fields have help, and the examples are
// accepted.
func TestEventSchemasAreWhole(t *testing.T) {
	type part struct {
		Description string
		Properties  map[string]part
		Defs        map[string]part `json:"$defs"`
		Examples    []json.RawMessage
	}
	for _, event := range events() {
		text := eventText(t, event)
		var s part
		if err := json.Unmarshal(text, &s); err != nil {
			t.Fatal(err)
		}
		fields := hooks.Lookup(event).FieldNames()
		if got := slices.Sorted(maps.Keys(s.Properties)); !slices.Equal(got, slices.Sorted(slices.Values(fields))) {
			t.Errorf("%s has the fields %v, want %v", event, got, fields)
		}
		for record, known := range records() {
			for _, key := range known {
				if _, ok := s.Defs[record].Properties[key]; !ok {
					t.Errorf("%s: %s has no %s", event, record, key)
				}
			}
			for key, p := range s.Defs[record].Properties {
				if p.Description == "" {
					t.Errorf("%s: %s.%s has no description", event, record, key)
				}
			}
		}
		for name, p := range s.Properties {
			if p.Description == "" {
				t.Errorf("%s: %s has no description", event, name)
			}
		}
		if len(s.Examples) != 1 || !accepts(t, compiled(t, text), s.Examples[0]) {
			t.Errorf("%s: the examples are %s", event, s.Examples)
		}
	}
}
