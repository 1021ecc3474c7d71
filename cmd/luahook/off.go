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

// offFlags are the flags of off.
type offFlags struct {
	long time.Duration
	end  bool
}

func newOff() *cobra.Command {
	f := &offFlags{}
	cmd := &cobra.Command{
		Use:   "off",
		Short: "Switch the built-in guard off in a project for a while",
		Long: `off asks on the terminal whether to switch the built-in safety-guard off in the
project of the current folder, and remembers the answer. All other hooks stay.

luahook's own files and settings stay guarded. So does what the guard of those who
manage the machine blocks. "luahook allow" lets a single command through.

Exit status: 0 it is off (or on again, with --end), 1 nothing has changed: the answer
was no, or there was no terminal to ask on.`,
		Example: `  luahook off            # for 10 minutes
  luahook off --for 2h
  luahook off --end      # on again`,
		Args: noFurther,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	flags := cmd.Flags()
	f.long = 10 * time.Minute
	flags.Var((*days)(&f.long), "for", "how `LONG`: 10m, 2h, at most 24h")
	flags.BoolVar(&f.end, "end", false, "switch it on again")
	return cmd
}

func (f *offFlags) run(cmd *cobra.Command) error {
	switch {
	case f.end && cmd.Flags().Changed("for"):
		return errors.New("--end switches it on again; it doesn't go with --for")
	case f.long < time.Second || f.long > override.MaxOff:
		return fmt.Errorf("--for is %s, want from 1s to %s", terminal.Duration(f.long), terminal.Duration(override.MaxOff))
	}
	store, project, err := forPeople("off")
	if err != nil {
		return err
	}
	root := terminal.Shown(project.Root)
	if f.end {
		return endOff(cmd.OutOrStdout(), store, root)
	}
	question := fmt.Sprintf("Switch safety-guard off in %s for %s? [y/N] ", root, terminal.Duration(f.long))
	if err := terminal.Ask(question); err != nil {
		return fmt.Errorf("nothing was switched off: %w", err)
	}
	word, err := store.TurnOff(f.long)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "safety-guard is off in %s until %s\n", root, terminal.LocalTime(word.Until))
	return err
}

// days is a flag's duration, which may also be written in days: 1d.
type days time.Duration

func (d *days) String() string { return terminal.Duration(time.Duration(*d)) }
func (d *days) Type() string   { return "duration" }

func (d *days) Set(text string) error {
	if n, isDays := strings.CutSuffix(text, "d"); isDays {
		if count, err := strconv.Atoi(n); err == nil && count >= 0 && count < 10_000 {
			*d = days(time.Duration(count) * 24 * time.Hour)
			return nil
		}
	}
	long, err := time.ParseDuration(text)
	*d = days(long)
	return err
}

// endOff switches the guard on again.
func endOff(w io.Writer, store *override.Store, root string) error {
	ended, err := store.TurnOn()
	if err != nil {
		return err
	}
	text := "safety-guard is on again in "
	if len(ended) == 0 {
		text = "safety-guard was not off in "
	}
	_, err = fmt.Fprintln(w, text+root)
	return err
}
