package hooks_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/luahook/luahook/hooks"
)

const eventFolder = "../testdata/events"

// readEvent reads testdata/events/NAME.json.
func readEvent(t *testing.T, name string) (text []byte, c *hooks.Context) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(eventFolder, name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	c, err = hooks.DecodeContext(text, "")
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return text, c
}

func TestThereIsAnEventForEveryRow(t *testing.T) {
	for _, info := range hooks.Events() {
		t.Run(string(info.Name), func(t *testing.T) {
			text, _ := readEvent(t, string(info.Name))
			var keys map[string]json.RawMessage
			if err := json.Unmarshal(text, &keys); err != nil {
				t.Fatal(err)
			}
			for _, f := range info.Fields {
				if v, ok := keys[f.Name]; !ok || string(v) == "null" {
					t.Errorf("the field %s is missing", f.Name)
				}
			}
		})
	}
}

func TestEventsAreWhatTheirFilesAreCalled(t *testing.T) {
	entries, err := os.ReadDir(eventFolder)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		name, isJSON := strings.CutSuffix(entry.Name(), ".json")
		if !isJSON {
			t.Errorf("%s is no event", entry.Name())
			continue
		}
		t.Run(name, func(t *testing.T) {
			text, c := readEvent(t, name)
			event, _, _ := strings.Cut(name, ".")
			var file struct{ Event string }
			if err := json.Unmarshal(text, &file); err != nil {
				t.Fatal(err)
			}
			if string(c.Event) != event || file.Event != event {
				t.Errorf("holds the event %q", file.Event)
			}
			// Only metadata may hold what the catalogue doesn't know, so that a
			// misspelt field doesn't hide there.
			info := hooks.Lookup(c.Event)
			var keys map[string]any
			if err := json.Unmarshal(text, &keys); err != nil {
				t.Fatal(err)
			}
			for key := range keys {
				if info.Field(key) == nil {
					t.Errorf("%q is no field of %s", key, event)
				}
			}
			for _, record := range []string{"tool_call", "error", "usage"} {
				if _, ok := c.Metadata[record]; ok {
					t.Errorf("%s has a key that the design doesn't know: %v", record, c.Metadata[record])
				}
			}
			var pretty bytes.Buffer
			if err := json.Indent(&pretty, text, "", "  "); err != nil || pretty.String() != string(text) {
				t.Errorf("is not indented by two spaces: %v", err)
			}
			sameAgain(t, c)
		})
	}
}

func TestEventsThatGuardsAreTriedOn(t *testing.T) {
	for name, command := range map[string]string{
		"pre_tool_call.rm-rf-root":         "cd /tmp/build && make clean; rm -rf /",
		"pre_tool_call.force-push":         "git push --force origin main",
		"pre_tool_call.commit-mentions-rm": `git commit -m "explain why rm -rf / is refused"`,
	} {
		if _, c := readEvent(t, name); c.ToolCall.Command != command || c.ToolCall.Kind != hooks.KindShell {
			t.Errorf("%s runs %q", name, c.ToolCall.Command)
		}
	}
	if _, c := readEvent(t, "pre_tool_call.write"); c.ToolCall.Kind != hooks.KindWrite || len(c.ToolCall.Paths) != 1 {
		t.Errorf("pre_tool_call.write is %+v", c.ToolCall)
	}
	if _, c := readEvent(t, "pre_tool_call.mcp"); c.ToolCall.Kind != hooks.KindMCP || c.ToolCall.Name != "mcp__github__create_issue" {
		t.Errorf("pre_tool_call.mcp is %+v", c.ToolCall)
	}
	if _, c := readEvent(t, "on_retry.third"); c.Fields["attempt"] != int64(3) {
		t.Errorf("on_retry.third is attempt %v", c.Fields["attempt"])
	}
	if _, c := readEvent(t, "run_end.failed"); c.Fields["success"] != false || c.Error == nil {
		t.Errorf("run_end.failed is %+v", c)
	}
}
