package luahook_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/hooks/schema"
)

// TestPublishedSchemas holds the files of docs/schemas/ against the code, and finds those
// of events that are no more; `go test . -update` writes them.
func TestPublishedSchemas(t *testing.T) {
	want := map[string]string{"result.json": string(schema.Result())}
	for _, info := range hooks.Events() {
		text, err := schema.Event(info.Name)
		if err != nil {
			t.Fatal(err)
		}
		want["event."+string(info.Name)+".json"] = string(text)
	}
	const folder = "docs/schemas"
	if *update {
		if err := os.RemoveAll(folder); err != nil {
			t.Fatal(err)
		}
		if err := os.Mkdir(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		for name, text := range want {
			if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	files, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		got, err := os.ReadFile(filepath.Join(folder, file.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != want[file.Name()] {
			t.Errorf("%s/%s is not what the code says; run `go test . -update`", folder, file.Name())
		}
		delete(want, file.Name())
	}
	for name := range want {
		t.Errorf("%s/%s is missing; run `go test . -update`", folder, name)
	}
}
