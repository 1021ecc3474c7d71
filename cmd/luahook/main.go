// Command luahook fires events at Lua hooks; see `luahook help`.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
)

func main() {
	// Signals are caught while hooks run, for the programs that they have started, and
	// not otherwise: Ctrl-C has to end a read that blocks.
	os.Exit(run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// Exit statuses of eval; every other verb uses the first two.
const (
	exitOK    = 0
	exitError = 1
	exitBlock = 2
	exitAsk   = 3
)

// exit is an error that carries its own status and has been reported already.
type exit int

func (e exit) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

// run is main with its surroundings as arguments.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := newRoot()
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
	}
	fmt.Fprintf(stderr, "luahook: %s\n", printable(strings.TrimPrefix(err.Error(), "luahook: ")))
	return exitError
}

func newRoot() *cobra.Command {
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
	root.AddCommand(newAllow(), newEval(), newEvents(), newLog(), newOff(), newSchema(), newTrust(), newVersion())
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	needVerb(root)
	return root
}
