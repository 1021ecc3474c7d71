package schema_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/hooks/schema"
)

// object is what the tests read of the schema of an object.
type object struct {
	Properties map[string]object
	Required   []string
	Enum       []string
	AnyOf      []object
	Items      *object
	Defs       map[string]object `json:"$defs"`
	Examples   []json.RawMessage
}

func resultSchema(t *testing.T) object {
	t.Helper()
	var s object
	if err := json.Unmarshal(schema.Result(), &s); err != nil {
		t.Fatal(err)
	}
	return s
}

// The schema has the keys that the types have, and demands those that are always written.
func TestResultSchemaHasTheKeysOfTheTypes(t *testing.T) {
	s := resultSchema(t)
	run := s.Defs["run"]
	for _, c := range []struct {
		of   reflect.Type
		got  object
		also []string // keys of lines that are no event
	}{
		{reflect.TypeFor[hooks.Result](), s, []string{"line", "error", "summary"}}, // which a method makes
		{reflect.TypeFor[hooks.ContextEntry](), s.Defs["context"], nil},
		{reflect.TypeFor[hooks.RunSummary](), s.Defs["summary"], nil},
		{reflect.TypeFor[hooks.Run](), run, nil},
		{reflect.TypeFor[hooks.Entry](), *run.Properties["entries"].Items, nil},
		{reflect.TypeFor[hooks.RunError](), run.Properties["error"], nil},
		{reflect.TypeFor[hooks.CommandRun](), run.Properties["command"], nil},
	} {
		keys, required := c.also, []string{}
		for i := range c.of.NumField() {
			name, options, _ := strings.Cut(c.of.Field(i).Tag.Get("json"), ",")
			if name == "-" {
				continue
			}
			keys = append(keys, name)
			if options == "" {
				required = append(required, name)
			}
		}
		if diff := cmp.Diff(slices.Sorted(slices.Values(keys)), slices.Sorted(maps.Keys(c.got.Properties))); diff != "" {
			t.Errorf("%s: keys of the type (-) and of the schema (+)\n%s", c.of, diff)
		}
		if diff := cmp.Diff(required, c.got.Required); diff != "" {
			t.Errorf("%s: keys that are always there (-), that the schema demands (+)\n%s", c.of, diff)
		}
	}
}

// The schemas have all the constants of a type, in their order.
func TestSchemasHaveTheConstants(t *testing.T) {
	constants := constantsOf(t, "..")
	s := resultSchema(t)
	run := s.Defs["run"]
	var event object
	if err := json.Unmarshal(eventText(t, hooks.Stop), &event); err != nil {
		t.Fatal(err)
	}
	call := event.Defs["tool_call"]
	for name, got := range map[string]object{
		"Decision": s.Properties["decision"], "Handler": run.Properties["handler"], "Mode": run.Properties["mode"], "Scope": run.Properties["scope"], "Status": run.Properties["status"],
		"EntryKind": run.Properties["entries"].Items.Properties["kind"], "ErrorKind": run.Properties["error"].Properties["kind"], "Limit": run.Properties["error"].Properties["limit"],
		"Kind": call.Properties["kind"].AnyOf[0], "Outcome": call.Properties["outcome"],
	} {
		absent := func(word string) bool { return word == "" && name != "Decision" }
		want := slices.DeleteFunc(constants[name], func(word string) bool { return word == string(hooks.StatusRunning) })
		if diff := cmp.Diff(want, slices.DeleteFunc(got.Enum, absent)); diff != "" {
			t.Errorf("%s: constants (-), words of the schema (+)\n%s", name, diff)
		}
	}
}

// constantsOf lists the constants of a package's types of text.
func constantsOf(t *testing.T, folder string) map[string][]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string][]string{}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || len(spec.Values) != 1 {
				return true
			}
			kind, isName := spec.Type.(*ast.Ident)
			text, isText := spec.Values[0].(*ast.BasicLit)
			if isName && isText && text.Kind == token.STRING {
				word, err := strconv.Unquote(text.Value)
				if err != nil {
					t.Fatal(err)
				}
				found[kind.Name] = append(found[kind.Name], word)
			}
			return true
		})
	}
	return found
}

func TestResultSchemaRefuses(t *testing.T) {
	s := compiled(t, schema.Result())
	const summary = `"summary":{"event":"stop","generation":1,"started_at":"2026-02-03T04:05:06.789+01:00","duration_ms":0,"runs":[]}`
	run := func(more string) string {
		return `{"decision":"","block":false,"summary":{"event":"stop","generation":1,"started_at":"2026-02-03T04:05:06Z","duration_ms":0.5,"runs":[` +
			`{"id":"1.1","hook":"a","event":"stop","handler":"lua","mode":"sync","scope":"user","order":1,"duration_us":3` + more + `}]}}`
	}
	for _, text := range []string{
		`{"decision":"","block":false,` + summary + `}`, `{"decision":"deny","block":true,"reason":"r",` + summary + `}`,
		`{"decision":"allow","block":false,"halt":true,"stop_reason":"r","input":{},"output":false,"modified":true,` + summary + `}`,
		`{"line":3,"error":"e","decision":"deny","block":true,"reason":"e"}`,
		run(`,"status":"completed"`), run(`,"status":"failed","error":{"kind":"limit","limit":"time","message":""},"command":{"exit_code":-1,"timed_out":true},"entries":[{"kind":"error","text":""}]`),
	} {
		if !accepts(t, s, []byte(text)) {
			t.Errorf("refuses %s", text)
		}
	}
	for _, text := range []string{
		`{}`, `[]`, `{"decision":"","block":false}`, `{"decision":"deny","block":false,` + summary + `}`, `{"decision":"ask","block":true,` + summary + `}`, `{"block":true,` + summary + `}`,
		`{"decision":"block","block":true,` + summary + `}`, `{"decision":"","block":false,"reason":"",` + summary + `}`, `{"decision":"","block":false,"halt":false,` + summary + `}`,
		`{"decision":"","block":false,"stop_reason":"r",` + summary + `}`, `{"decision":"","block":false,"output":null,` + summary + `}`, `{"decision":"","block":false,"warnings":[],` + summary + `}`,
		`{"decision":"","block":false,"permission":"deny",` + summary + `}`, `{"decision":"","block":false,"summary":null}`, `{"decision":"","block":false,"line":1,` + summary + `}`,
		`{"line":0,"error":"e","decision":"deny","block":true,"reason":"e"}`, `{"line":1,"error":"e","decision":"","block":false,"reason":"e"}`, `{"line":1,"error":"e","decision":"deny","block":true}`,
		`{"line":1,"error":"e","decision":"deny","block":true,"reason":"e","halt":true}`,
		`{"decision":"","block":false,"summary":{"event":"stop","generation":1,"started_at":"yesterday","duration_ms":0,"runs":[]}}`,
		`{"decision":"","block":false,"summary":{"event":"stop","generation":1,"started_at":"2026-02-03T04:05:06Z","duration_ms":0,"runs":null}}`,
		run(``), run(`,"status":"running"`), run(`,"status":"failed","error":{"message":"m"}`), run(`,"status":"completed","entries":[]`), run(`,"status":"completed","instructions":0`),
	} {
		if accepts(t, s, []byte(text)) {
			t.Errorf("accepts %s", text)
		}
	}
	for _, example := range resultSchema(t).Examples {
		if !accepts(t, s, example) {
			t.Errorf("refuses its example %s", example)
		}
	}
}
