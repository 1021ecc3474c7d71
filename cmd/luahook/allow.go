package main

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/luahook/luahook/cmd/luahook/internal/terminal"
	"github.com/luahook/luahook/engine/override"
)

// allowFlags are the flags of allow.
type allowFlags struct {
	list   bool
	revoke bool
}

func newAllow() *cobra.Command {
	f := &allowFlags{}
	cmd := &cobra.Command{
		Use:   "allow",
		Short: "Let one blocked command through once, for 10 minutes",
		Long: `allow shows the last calls that the built-in guard has blocked in the project of the
current folder, asks on the terminal which of them to let through, and remembers the
answer. The next call that is the same to the letter (tool, input, folder) goes
through, once, within 10 minutes; have the agent try again.

allow can't let through a call that concerns luahook itself, nor one that the guard of
those who manage the machine has blocked.

Exit status: 0 the call may go through (or was taken back, or listed), 1 nothing has
changed: you chose none, the answer was no, or there was no terminal to ask on.`,
		Example: `  luahook allow           # choose from what was blocked
  luahook allow --list    # list what was let through, and whether a call used it
  luahook allow --revoke  # take back what no call has used yet`,
		Args: noFurther,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	flags := cmd.Flags()
	flags.BoolVar(&f.list, "list", false, "list what was let through, and when the guard was off")
	flags.BoolVar(&f.revoke, "revoke", false, "take back what no call has used yet")
	return cmd
}

// noFurther refuses arguments.
func noFurther(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("%s takes no arguments, got %d: %s", cmd.Name(), len(args), strings.Join(args, " "))
	}
	return nil
}

func (f *allowFlags) run(cmd *cobra.Command) error {
	if f.list && f.revoke {
		return errors.New("--list and --revoke exclude each other")
	}
	store, project, err := forPeople("allow")
	if err != nil {
		return err
	}
	switch {
	case f.list:
		return listWords(cmd.OutOrStdout(), store)
	case f.revoke:
		return revokePermissions(cmd.OutOrStdout(), store)
	}
	blocked, err := store.Blocked()
	if err != nil {
		return err
	}
	if len(blocked) == 0 {
		return fmt.Errorf("nothing was let through: no call was blocked lately in the project %s", terminal.Shown(project.Root))
	}
	if err := letThrough(cmd, store, project.Root, attempts(blocked)); err != nil {
		return fmt.Errorf("nothing was let through: %w", err)
	}
	return nil
}

// letThrough has a person choose one of the blocked calls and say yes to it.
func letThrough(cmd *cobra.Command, store *override.Store, root string, list []attempt) error {
	chosen, err := choose(cmd, root, list)
	if err != nil {
		return err
	}
	if chosen.Final {
		return errors.New("that call concerns luahook itself, or the machine's guard has blocked it")
	}
	text := describeCall(&chosen)
	if _, err := io.WriteString(cmd.OutOrStdout(), text); err != nil {
		return fmt.Errorf("the call can't be shown: %w", err)
	}
	if err := terminal.Ask(terminal.Unseen(cmd.OutOrStdout(), text) + "Let it through once, within 10 minutes? [y/N] "); err != nil {
		return err
	}
	word, err := store.AllowOnce(chosen.Blocked)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "let through once, until %s: have it tried again\n", word.Until.Local().Format(time.TimeOnly))
	return err
}

// choose shows what was blocked and asks for a number.
func choose(cmd *cobra.Command, root string, list []attempt) (attempt, error) {
	text := describeBlocked(root, list, time.Now())
	if _, err := io.WriteString(cmd.OutOrStdout(), text); err != nil {
		return attempt{}, fmt.Errorf("the blocked calls can't be shown: %w", err)
	}
	numbers := "1"
	if len(list) > 1 {
		numbers = fmt.Sprintf("1-%d", len(list))
	}
	answer, err := terminal.Answer(terminal.Unseen(cmd.OutOrStdout(), text) + fmt.Sprintf("Which one? [%s, nothing for none] ", numbers))
	if err != nil {
		return attempt{}, err
	}
	if answer == "" {
		return attempt{}, errors.New("none was chosen")
	}
	number, err := strconv.Atoi(answer)
	if err != nil || number < 1 || number > len(list) {
		return attempt{}, fmt.Errorf("%q is not a number from 1 to %d", terminal.Shown(answer), len(list))
	}
	return list[number-1], nil
}

// revokePermissions takes back what no call has used.
func revokePermissions(w io.Writer, store *override.Store) error {
	taken, err := store.Revoke()
	if err != nil {
		return err
	}
	for _, word := range taken {
		if _, err := fmt.Fprintf(w, "taken back: %s\n", oneLineOf(word.Asked)); err != nil {
			return err
		}
	}
	if len(taken) == 0 {
		_, err = fmt.Fprintln(w, "nothing to take back")
	}
	return err
}
