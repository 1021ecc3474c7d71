// Command luahook fires events at Lua hooks; see `luahook help`.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/luahook/luahook/cmd/luahook/internal/ownprocess"
	"github.com/luahook/luahook/cmd/luahook/internal/terminal"
	"github.com/spf13/cobra"
)

func main() {
	os.Exit(execute(os.Args[1:]))
}

// execute is what the process does. Signals are caught once somebody waits for something,
// and not before: to catch them takes longer than most hooks.
func execute(args []string) int {
	if !judges(args) && (len(args) == 0 || args[0] != "serve" && args[0] != "mcp" && args[0] != "ui") { // which others wait for, too
		return run(context.Background(), args, os.Stdin, os.Stdout, os.Stderr)
	}
	return run(context.Background(), args, os.Stdin, ownprocess.Surviving(os.Stdout), ownprocess.Surviving(os.Stderr))
}

// Exit statuses. Only eval asks; a verb that isn't eval never blocks.
const (
	exitOK    = 0
	exitError = 1
	exitBlock = 2
	exitAsk   = 3

	exitFailed = 2 // of replay
)

// judges reports whether a command line is that of eval or run, or may have been meant to be: it
// stands in the settings of an agent, which takes an exit status of 1 for that of a hook
// that has nothing to say.
func judges(args []string) bool {
	if len(args) == 0 || args[0] == "eval" || args[0] == "run" {
		return true
	}
	switch args[0] {
	case "help", "completion", cobra.ShellCompRequestCmd, cobra.ShellCompNoDescRequestCmd:
		return false
	}
	for _, v := range verbs {
		if args[0] == v.name {
			return false
		}
	}
	return true
}

// exit is an error that carries its own status and has been reported already.
type exit int

func (e exit) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

// run is main with its surroundings as arguments.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if len(args) == 1 && slices.Contains([]string{"--version", "-version", "-V", "-v"}, args[0]) {
		args = []string{"version"}
	}
	root := newRoot(args)
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	var status exit
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &status):
		return int(status)
	case len(args) > 0 && args[0] == "eval": // a flag that isn't one, say: of which event isn't known
		return refuse(stdout, stderr, "", "json", err)
	}
	fmt.Fprintf(stderr, "luahook: %s\n", terminal.Printable(strings.TrimPrefix(err.Error(), "luahook: ")))
	if judges(args) {
		return exitBlock
	}
	if args[0] == "replay" { // whose status 1 says that decisions differ
		return exitFailed
	}
	return exitError
}

// verbs are what the command does, in the order of the alphabet.
var verbs = [...]struct {
	name string
	make func() *cobra.Command
}{
	{"allow", newAllow}, {"bench", newBench}, {"check", newCheck}, {"doctor", newDoctor}, {"eval", newEval}, {"events", newEvents}, {"explain", newExplain}, {"init", newInit}, {"install", newInstall}, {"list", newList}, {"log", newLog}, {"mcp", newMCP}, {"off", newOff}, {"replay", newReplay}, {"run", newRun}, {"schema", newSchema}, {"serve", newServe}, {"store", newStore}, {"tasks", newTasks}, {"test", newTest}, {"trust", newTrust}, {"types", newTypes}, {"ui", newUI}, {"version", newVersion},
}

// newRoot makes the command for a command line. One that begins with a verb gets that
// verb alone: an agent waits for eval before each tool call, and most of what the
// others are made of is help that isn't shown.
func newRoot(args []string) *cobra.Command {
	root := &cobra.Command{
		Use:   "luahook",
		Short: "Hooks for AI agents, written in Lua",
		Long: `luahook decides over the events of an AI agent: it runs the Lua hooks of a
project (.hooks/*.lua), of the user and the built-in ones, and prints what they
decide together.`,
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.SetFlagErrorFunc(flagError)
	for _, v := range verbs {
		if len(args) > 0 && args[0] == v.name {
			root.AddCommand(v.make())
			root.CompletionOptions.DisableDefaultCmd = true
			return root
		}
	}
	for _, v := range verbs {
		root.AddCommand(v.make())
	}
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	needVerb(root)
	return root
}
