package builtins_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/luahook/luahook/builtins"
	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/internal/prose"
	"github.com/luahook/luahook/luabind"
	"github.com/luahook/luahook/luabind/compile"
	"github.com/luahook/luahook/luabind/lib"
)

// declared is what the library "options" of a built-in says of it; see shared/settings.lua.
type declared struct {
	Name    string   `json:"name"`
	Help    string   `json:"help"`
	Events  []string `json:"events"`
	Options []struct {
		Name    string   `json:"name"`
		Type    string   `json:"type"`
		Default any      `json:"default"`
		Of      []string `json:"of"`
		Least   any      `json:"least"`
		Most    any      `json:"most"`
		Needed  bool     `json:"needed"`
		Help    string   `json:"help"`
	} `json:"options"`
	Data []struct {
		Name string `json:"name"`
		Type string `json:"type"`
		Help string `json:"help"`
	} `json:"data"`
	Examples []example `json:"examples"`
}

// example is a hooks.yaml (the part under "hooks"), an event, and the expected parts of the Result: of a table
// the named keys, of a text a part of it, other values completely. Before is fired first; files are those of the
// project.
type example struct {
	Text   string            `json:"text"`
	YAML   string            `json:"yaml"`
	Files  map[string]string `json:"files"`
	Before []map[string]any  `json:"before"`
	Event  map[string]any    `json:"event"`
	Gives  map[string]any    `json:"gives"`
}

// declarations reads what each built-in declares, in the order of their names.
func declarations(t *testing.T) []declared {
	t.Helper()
	var list []declared
	for _, name := range builtins.Names() {
		libraries := map[string]*luabind.Library{}
		for library, source := range builtins.Libraries(name) {
			libraries[library] = luabind.LazyLibrary(name+"/"+library, func() (*compile.Program, error) { return compile.Script(name+"/"+library, source) })
		}
		program, err := compile.Script(name, `local declared = require("options")
on("notification", function() return context(json.encode({
  name = declared.name, help = declared.help, events = declared.events, options = declared.options, data = declared.data, examples = declared.examples,
})) end)`)
		if err != nil {
			t.Fatal(err)
		}
		limits := luabind.Limits{Instructions: 1e9, Memory: 1 << 30, Timeout: time.Minute}
		state, err := luabind.NewState(t.Context(), program, luabind.Environment{
			Modules: append(lib.Modules(), lib.HostModule(lib.Host{}), eagerPatterns(), lib.RulesModule()), Libraries: libraries, Limits: limits,
		})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		out := state.Call(t.Context(), 0, &hooks.Context{Event: hooks.Notification}, limits)
		if out.Err != nil || out.Result == nil {
			t.Fatalf("%s: %+v", name, out)
		}
		var d declared
		if err := json.Unmarshal([]byte(emptyLists.Replace(out.Result.Contexts[0].Text)), &d); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if d.Name != name {
			t.Errorf("%s calls itself %q", name, d.Name)
		}
		list = append(list, d)
	}
	return list
}

// An empty table of Lua may be a list.
var emptyLists = strings.NewReplacer(`"data":{}`, `"data":[]`, `"options":{}`, `"options":[]`, `"default":{}`, `"default":[]`, `"of":{}`, `"of":[]`)

// TestBuiltinsPage compares docs/builtins.md with the declarations of the built-ins; `go test ./builtins
// -update` writes it.
func TestBuiltinsPage(t *testing.T) {
	const file = "../docs/builtins.md"
	want := builtinsPage(declarations(t))
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s is not what the built-ins declare; run `go test ./builtins -update`", file)
	}
}

// Every example of the page gives what the page says.
func TestBuiltinsExamples(t *testing.T) {
	for _, d := range declarations(t) {
		if len(d.Examples) == 0 {
			t.Errorf("%s has no example", d.Name)
		}
		for i, ex := range d.Examples {
			t.Run(fmt.Sprintf("%s/%d", d.Name, i+1), func(t *testing.T) {
				root := t.TempDir()
				for name, text := range ex.Files {
					writeIn(t, root, name, text)
				}
				e := start(t, homeElsewhere(t), root, ex.YAML)
				for _, event := range ex.Before {
					e.fire(t, event)
				}
				r := e.fire(t, ex.Event)
				if problem := differs("", r, ex.Gives); problem != "" {
					t.Errorf("%s\nall of it: %v", problem, r)
				}
			})
		}
	}
}

// differs returns where got differs from want; see example.
func differs(at string, got, want any) string {
	switch want := want.(type) {
	case map[string]any:
		m, _ := got.(map[string]any)
		for key, v := range want {
			if problem := differs(at+"."+key, m[key], v); problem != "" {
				return problem
			}
		}
		return ""
	case []any:
		list, _ := got.([]any)
		if len(list) != len(want) {
			return fmt.Sprintf("%s: %d items, want %d", at, len(list), len(want))
		}
		for i := range want {
			if problem := differs(fmt.Sprintf("%s[%d]", at, i+1), list[i], want[i]); problem != "" {
				return problem
			}
		}
		return ""
	case string:
		if text, ok := got.(string); ok && strings.Contains(text, want) {
			return ""
		}
	}
	if got != want {
		return fmt.Sprintf("%s: got %v, want %v", at, got, want)
	}
	return ""
}

func builtinsPage(list []declared) string {
	var b strings.Builder
	b.WriteString("# The built-in hooks\n\n" + prose.Wrap("`go test ./builtins -update` makes this page from what the built-ins declare; its examples are tested.\n\n"+
		"A built-in is a Lua file of [builtins/](../builtins). hooks.yaml names it under an event, with its options as `with` ([configuration](configuration.md)). "+
		"A wrong option is an error when the hooks are loaded, with its place and the likely meaning. "+
		"[safety-guard](#safety-guard) is on without any configuration, the others are on where a hooks.yaml names them.\n\n"+
		"In the hooks.yaml of a project that isn't [trusted](trust.md) they deny, ask and inform; luahook drops what they rewrite, with a warning. "+
		"So put secret-redactor and output-truncator, which rewrite, into the user's hooks.yaml, or into that of a project that is trusted.\n\n", ""))
	for _, d := range list {
		first, _, _ := strings.Cut(d.Help, ". ")
		b.WriteString(prose.Wrap(fmt.Sprintf("- [%s](#%s): %s", d.Name, d.Name, strings.TrimSuffix(first, ".")), "  ") + "\n")
	}
	for _, d := range list {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n%s\n", d.Name, prose.Wrap(d.Help, ""), prose.Wrap("Stands under: `"+strings.Join(d.Events, "`, `")+"`.", ""))
		if len(d.Options) > 0 {
			b.WriteString("\n| option | is | default | |\n|---|---|---|---|\n")
		}
		for _, o := range d.Options {
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", o.Name, kindOf(o.Type, o.Of, o.Least, o.Most), defaultOf(o.Default, o.Needed), strings.ReplaceAll(o.Help, "|", `\|`))
		}
		if len(d.Data) > 0 {
			b.WriteString("\nIt adds to `data`:\n\n")
		}
		for _, v := range d.Data {
			b.WriteString(prose.Wrap(fmt.Sprintf("- `%s` (%s): %s", v.Name, v.Type, v.Help), "  ") + "\n")
		}
		for _, ex := range d.Examples {
			fmt.Fprintf(&b, "\n%s\n\n```yaml\nhooks:\n  %s\n```\n\n", prose.Wrap(ex.Text, ""), strings.ReplaceAll(strings.TrimSpace(ex.YAML), "\n", "\n  "))
			b.WriteString("```json\n")
			for _, event := range ex.Before {
				b.WriteString(asJSON(event) + "\n")
			}
			fmt.Fprintf(&b, "%s\n```\n\nanswers, among other things:\n\n```json\n%s\n```\n", asJSON(ex.Event), asJSON(ex.Gives))
		}
	}
	return b.String()
}

func kindOf(kind string, of []string, least, most any) string {
	words := map[string]string{
		"text": "text", "texts": "text or list of texts", "boolean": "true or false", "number": "number", "whole": "whole number", "duration": "time",
		"map": "mapping", "choice": strings.Join(of, ", "), "choices": "any of " + strings.Join(of, ", ") + "; or all",
	}
	text := words[kind]
	if least != nil {
		text += ", from " + defaultOf(least, false)
	}
	if most != nil {
		text += ", up to " + defaultOf(most, false)
	}
	return text
}

func defaultOf(value any, needed bool) string {
	switch value := value.(type) {
	case nil:
		if needed {
			return "must be given"
		}
		return ""
	case []any:
		var texts []string
		for _, v := range value {
			texts = append(texts, fmt.Sprint(v))
		}
		return strings.Join(texts, ", ")
	case float64:
		return fmt.Sprintf("%.10g", value)
	}
	return fmt.Sprint(value)
}

func asJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// Each built-in has Lua tests beside it.
func TestLuaTestsAreThere(t *testing.T) {
	for _, name := range builtins.Names() {
		if _, err := os.Stat(name + "_test.lua"); err != nil {
			t.Errorf("%s has no Lua tests: %v", name, err)
		}
	}
}
