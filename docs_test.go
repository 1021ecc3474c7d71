package luahook_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/luahook/luahook/hooks"
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
	b.WriteString("# What scripts can call\n\nThis page is made from the functions' own descriptions (`go test . -update`).\n\n## Words of hooks\n\n")
	functions(&b, slices.Concat(luabind.Globals, lib.Words()))
	for _, m := range lib.Modules() {
		fmt.Fprintf(&b, "## %s\n\n%s\n\n", m.Name, m.Help)
		for _, c := range m.Constants {
			fmt.Fprintf(&b, "### `%s.%s: %s`\n\n%s\n\n", m.Name, c.Name, c.Type, c.Help)
		}
		functions(&b, m.Functions)
		for _, inner := range m.Modules {
			fmt.Fprintf(&b, "### `%s`\n\n%s.\n\n", inner.Name, inner.Help)
		}
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

func functions(b *strings.Builder, list []luabind.Function) {
	for _, f := range list {
		fmt.Fprintf(b, "### `%s`\n\n%s\n\n```lua\n%s\n```\n\n", f.Signature, f.Help, strings.TrimSpace(f.Example))
	}
}

func eventsPage() string {
	var b strings.Builder
	b.WriteString("# The events\n\nThis page is made from the catalogue in hooks/event.go (`go test . -update`); `luahook events` prints it.\n\nEvery spelling is understood in any case and with `_`, `-` or nothing between words; `BeforeAgent` and `AfterAgent` are read to the letter.\n\nWhere an event can be blocked, \"yes\" means that the pending action doesn't happen, and \"feedback\" that the reason is what the agent goes on with (deny and allow mean something there, ask doesn't).\n\n")
	for _, info := range hooks.Events() {
		fmt.Fprintf(&b, "## %s\n\n%s.\n\n", info.Name, info.Help)
		line := func(name, text string) {
			if text != "" {
				fmt.Fprintf(&b, "- %s: %s\n", name, text)
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
	return b.String()
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
