package luahook_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/internal/prose"
	"github.com/luahook/luahook/luabind"
	"github.com/luahook/luahook/luabind/lib"
)

var update = flag.Bool("update", false, "write the generated pages of docs/ anew")

// TestGeneratedPages holds the pages that are made from the code's own tables
// against the code; `go test . -update` writes them.
func TestGeneratedPages(t *testing.T) {
	for file, want := range map[string]string{"docs/modules.md": modulesPage(), "docs/events.md": eventsPage()} {
		if *update {
			if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		got, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != want {
			t.Errorf("%s is not what the code says; run `go test . -update`", file)
		}
	}
}

func modulesPage() string {
	var b strings.Builder
	b.WriteString("# What scripts can call\n\n`go test . -update` makes this page from the functions' own descriptions.\n\n## Words of hooks\n\n")
	functions(&b, slices.Concat(luabind.Globals, lib.Words()))
	for _, m := range lib.Modules() {
		fmt.Fprintf(&b, "## %s\n\n%s\n\n", m.Name, prose.Wrap(m.Help, ""))
		for _, c := range m.Constants {
			fmt.Fprintf(&b, "### `%s.%s: %s`\n\n%s\n\n", m.Name, c.Name, c.Type, prose.Wrap(c.Help, ""))
		}
		functions(&b, m.Functions)
		for _, inner := range m.Modules {
			fmt.Fprintf(&b, "### `%s`\n\n%s\n\n", inner.Name, prose.Wrap(inner.Help+".", ""))
		}
	}
	b.WriteString("## Types\n\nWhat functions return, where it has a name. What begins with a parenthesis is a method.\n\n")
	for _, t := range lib.Types() {
		fmt.Fprintf(&b, "### `%s`\n\n%s\n\n", t.Name, t.Help)
		for i, f := range t.Fields {
			if i == 0 {
				b.WriteString("| | type | |\n|---|---|---|\n")
			}
			fmt.Fprintf(&b, "| %s | `%s` | %s |\n", f.Name, strings.ReplaceAll(f.Type, "|", `\|`), strings.ReplaceAll(f.Help, "|", `\|`))
		}
		b.WriteString("\n")
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

func functions(b *strings.Builder, list []luabind.Function) {
	for _, f := range list {
		fmt.Fprintf(b, "### `%s`\n\n%s\n\n```lua\n%s\n```\n\n", f.Signature, prose.Wrap(f.Help, ""), strings.TrimSpace(f.Example))
	}
}

func eventsPage() string {
	var b strings.Builder
	b.WriteString("# The events\n\n" + prose.Wrap("`go test . -update` makes this page from the catalogue in hooks/event.go; `luahook events` prints it.\n\n"+
		"luahook understands every spelling in any case and with `_`, `-` or nothing between words. It reads `BeforeAgent` and `AfterAgent` to the letter.\n\n"+
		"\"can be blocked: yes\" means that a deny keeps the pending action from happening. \"feedback\" means that the agent goes on with the reason; deny and allow mean something there, ask doesn't.\n\n", ""))
	for _, info := range hooks.Events() {
		fmt.Fprintf(&b, "## %s\n\n%s\n\n", info.Name, prose.Wrap(info.Help+".", ""))
		line := func(name, text string) {
			if text != "" {
				b.WriteString(prose.Wrap("- "+name+": "+text, "  ") + "\n")
			}
		}
		line("also known as", strings.Join(info.Aliases, ", "))
		line("can be blocked", string(info.Blocking))
		line("a failed hook means", string(info.OnFailure))
		line("`match = \"...\"` looks at", info.MatchOn)
		line("`modify` and `replace` change", strings.Join(info.Modify, ", "))
		line("`output` replaces", info.Output)
		b.WriteString("\n| field | type | what it is |\n|---|---|---|\n")
		for _, f := range info.Fields {
			need := ""
			if f.Required {
				need = " (required)"
			}
			fmt.Fprintf(&b, "| %s | %s | %s%s |\n", f.Name, f.Type, f.Help, need)
		}
		b.WriteString("\n")
	}
	b.WriteString("## Fields that every event may have\n\n| field | type | what it is |\n|---|---|---|\n")
	custom := hooks.Lookup("an.embedders.own")
	for _, f := range custom.Fields {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", f.Name, f.Type, f.Help)
	}
	b.WriteString("\n## Names of tools\n\n" + prose.Wrap("Agents call the same tool by many names. `tool_call.name` is the one that hooks know, `tool_call.kind` what it does, `tool_call.host_name` what the agent said. A match on a tool takes either name. Case and separators make no difference. MCP tools are `mcp__server__tool`, of kind mcp. Tools that nobody knows keep their name, with the kind other. `luahook events --tools` prints this.", "") + "\n\n| name | kind | agents call it |\n|---|---|---|\n")
	for _, tool := range hooks.Tools() {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", tool.Name, tool.Kind, strings.Join(tool.Hosts, ", "))
	}
	b.WriteString("\n## The result as JSON\n\n" + prose.Wrap("What `luahook eval` prints, and `luahook serve` answers, for one event: one line, in which a key that has nothing to say is left out. [result.json](schemas/result.json) is its schema, in more detail; `luahook schema result` prints it.", "") + "\n")
	b.WriteString(resultTables())
	return b.String()
}

// resultTables describes the result by its schema: itself, then each part that it has.
func resultTables() string {
	text, err := os.ReadFile("docs/schemas/result.json")
	if err != nil {
		panic(err)
	}
	type part struct {
		Properties ordered
		Required   []string
	}
	var result struct {
		part
		Defs ordered `json:"$defs"`
	}
	if err := json.Unmarshal(text, &result); err != nil {
		panic(err)
	}
	var b strings.Builder
	write := func(title string, p part) {
		b.WriteString(title + "\n| key | type | what it is |\n|---|---|---|\n")
		for _, key := range p.Properties {
			var v struct {
				Description string
				Type        any
				Ref         string `json:"$ref"`
				Enum        []any
				Items       struct {
					Ref  string `json:"$ref"`
					Type string
				}
			}
			if err := json.Unmarshal(key.value, &v); err != nil {
				panic(err)
			}
			kind := strings.TrimPrefix(v.Ref, "#/$defs/")
			if list, ok := v.Type.([]any); ok {
				kind = strings.Trim(fmt.Sprint(list), "[]")
				kind = strings.ReplaceAll(kind, " ", ", ")
			} else if v.Type == "array" {
				kind = "list of " + cmp.Or(strings.TrimPrefix(v.Items.Ref, "#/$defs/"), v.Items.Type)
			} else if v.Type != nil {
				kind = fmt.Sprint(v.Type)
			}
			var words []string
			for _, e := range v.Enum {
				words = append(words, fmt.Sprintf("`%v`", e))
			}
			about := v.Description
			if len(words) > 0 {
				about = strings.TrimSpace(about + " " + strings.ReplaceAll(strings.Join(words, ", "), "``", `""`))
			}
			if slices.Contains(p.Required, key.name) {
				about = strings.TrimSpace(about + " (always there)")
			}
			fmt.Fprintf(&b, "| %s | %s | %s |\n", key.name, kind, about)
		}
	}
	write("", result.part)
	for _, def := range result.Defs {
		var p part
		if err := json.Unmarshal(def.value, &p); err != nil {
			panic(err)
		}
		write("\n"+strings.ToUpper(def.name[:1])+def.name[1:]+":\n", p)
	}
	return b.String()
}

// ordered is a JSON object whose keys keep their order.
type ordered []struct {
	name  string
	value json.RawMessage
}

func (o *ordered) UnmarshalJSON(text []byte) error {
	d := json.NewDecoder(bytes.NewReader(text))
	if _, err := d.Token(); err != nil {
		return err
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return err
		}
		*o = append(*o, struct {
			name  string
			value json.RawMessage
		}{name.(string), value})
	}
	return nil
}

// TestReadmeExampleIsTested holds the Go example of README.md against the example
// function that is run.
func TestReadmeExampleIsTested(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(readme), "```go\n")
	block, _, ended := strings.Cut(rest, "// deny")
	if !found || !ended {
		t.Fatal("README.md has no Go example")
	}
	source, err := os.ReadFile("engine/readme_test.go")
	if err != nil {
		t.Fatal(err)
	}
	var code strings.Builder
	inScript := false
	for line := range strings.Lines(string(source)) {
		if !inScript {
			line = strings.TrimPrefix(line, "\t")
		}
		if strings.Count(line, "`")%2 == 1 {
			inScript = !inScript
		}
		code.WriteString(line)
	}
	if !strings.Contains(code.String(), block) {
		t.Error("the Go example of README.md is not the code of ExampleEngine_readme")
	}
}

var codeItem = regexp.MustCompile("^(- [a-z ]+:| ) `.*`\n$")

// TestPagesAreWrapped finds lines of prose that are too long. Tables, headings, code and an
// item that is code may be.
func TestPagesAreWrapped(t *testing.T) {
	pages, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range append(pages, "README.md", "CONTRIBUTING.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		number, inCode := 0, false
		for line := range strings.Lines(string(text)) {
			number++
			if strings.HasPrefix(strings.TrimSpace(line), "```") {
				inCode = !inCode
			}
			other := inCode || strings.HasPrefix(line, "|") || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "    ") || codeItem.MatchString(line)
			if !other && utf8.RuneCountInString(line) > 120 { // with its end
				t.Errorf("%s:%d: a line of %d characters; break it below 120", page, number, utf8.RuneCountInString(line)-1)
			}
		}
	}
}
