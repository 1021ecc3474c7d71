package task_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/task"
	"github.com/luahook/luahook/hooks"
)

// A script that is granted tasks notes what it finds, once.
func ExampleNewFile() {
	state, err := os.MkdirTemp("", "state-")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(state)
	tracker := task.NewFile(filepath.Join(state, "tasks.jsonl"), "/work/shop")
	e, err := engine.New(
		engine.WithTasks(tracker),
		engine.WithGrants(hooks.Grants{Tasks: true}),
		engine.WithScript("todo.lua", `
			on("post_response", function(ev)
			  local todo = ev.response:match("TODO: ([^\n]+)")
			  if todo then
			    local task = assert(tasks.create{ title = todo, parent = ev.issue_id, key = todo })
			    if task.new then return message("noted: " .. task.title) end
			  end
			end)`),
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	defer e.Close(ctx)
	for range 2 {
		r, err := e.Fire(ctx, &hooks.Context{Event: hooks.PostResponse, IssueID: "shop-42", Response: "Done.\nTODO: test the retry\n"})
		fmt.Printf("%q %v\n", r.SystemMessage, err)
	}
	list, err := tracker.List(ctx, hooks.TaskQuery{Issue: "shop-42"})
	fmt.Println(len(list), list[0].Title, list[0].Status, err)
	// Output:
	// "noted: test the retry" <nil>
	// "" <nil>
	// 1 test the retry open <nil>
}
