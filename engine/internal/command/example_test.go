//go:build unix

package command_test

import (
	"context"
	"fmt"
	"os"

	"github.com/luahook/luahook/engine/internal/command"
	"github.com/luahook/luahook/hooks"
)

func ExampleCommand_Run() {
	c, err := command.New(`case $TOOL_COMMAND in rm*) echo "no $TOOL_NAME with rm" >&2; exit 2;; esac`, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	event := &hooks.Context{Event: hooks.PreToolCall, ToolCall: &hooks.ToolCall{Name: "bash", Command: "rm -rf '; echo pwned'"}}
	out := c.Run(context.Background(), command.Call{Event: event, Hook: "no-rm", ProjectDir: os.TempDir()})
	fmt.Println(out.Result.Decision, out.Result.Reason)
	// Output: deny no bash with rm
}
