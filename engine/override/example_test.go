package override_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/override"
	"github.com/luahook/luahook/hooks"
)

// A person lets one call through, that was blocked.
func ExampleStore() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	store := override.NewStore(filepath.Join(dir, "state"), filepath.Join(dir, "shop"))
	store.Clock = func() time.Time { return time.Date(2030, 1, 2, 10, 3, 0, 0, time.UTC) }
	defer store.Close()
	e, err := engine.New(engine.WithOverrides(store))
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close(context.Background())

	try := func(id string) {
		result, err := e.Fire(context.Background(), &hooks.Context{
			Event:    hooks.PreToolCall,
			CWD:      "/work/shop",
			ToolCall: &hooks.ToolCall{ID: id, Name: "bash", Input: map[string]any{"command": "git reset --hard"}},
		})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("blocked: %t; for the user: %q\n", result.Block, result.SystemMessage)
	}
	try("1")
	blocked, err := store.Blocked()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(blocked[0].Rule, blocked[0].Asked)
	if _, err := store.AllowOnce(blocked[0]); err != nil {
		log.Fatal(err)
	}
	try("2")
	try("3")
	// Output:
	// blocked: true; for the user: ""
	// git.reset-hard git reset --hard
	// blocked: false; for the user: "safety-guard: let through once by a person at 10:03 UTC"
	// blocked: true; for the user: ""
}
