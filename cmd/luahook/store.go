package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/luahook/luahook/cmd/luahook/internal/kept"
	"github.com/luahook/luahook/cmd/luahook/internal/terminal"
	"github.com/luahook/luahook/engine"
)

// storeFlags are the flags of store.
type storeFlags struct {
	engine      engineFlags
	which       kept.Which
	format      string
	prefix, yes bool
}

// newStore is "store show", with the other two below it.
func newStore() *cobra.Command {
	cmd := newStoreShow()
	cmd.Use, cmd.Short = "store", "Show and change what hooks remember"
	cmd.Long = `store shows what the hooks of the current folder's project remember between events,
and changes it. Without a verb of its own it shows all but what was kept for a session,
as "store show" does; "store show --session ID" has that, and "luahook log --format json"
the IDs.

Exit status: 0; 1 the stores can't be read.`
	cmd.Example = `  luahook store
  luahook store set pushes 0
  luahook store delete pushes`
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) == 0:
			return nil
		case args[0] == "get" || args[0] == "list" || args[0] == "ls":
			return fmt.Errorf("unknown verb %q; did you mean \"show\"? it shows the keys that begin with KEY, or all", args[0])
		}
		return unknownVerb(cmd, args[0])
	}
	cmd.AddCommand(newStoreShow(), newStoreSet(), newStoreDelete())
	return cmd
}

func newStoreShow() *cobra.Command {
	f := &storeFlags{}
	cmd := &cobra.Command{
		Use:   "show [KEY]",
		Short: "Show the keys that begin with KEY, or all, with their values",
		Long: `show prints what each script keeps for the project and for the user, with --session what
it keeps for a session, and with --shared what scripts share. The value of a single key
is printed whole. A script that is no longer loaded isn't looked for.

Exit status: 0; 1 no key begins with KEY, or the stores can't be read.`,
		Example: `  luahook store show
  luahook store show job: --script builds
  luahook store show --session 5f2c --format json`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return fmt.Errorf("show takes one KEY, got %d: %s", len(args), strings.Join(args, " "))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.format != "text" && f.format != "json" {
				return fmt.Errorf("--format is %q, want text or json", f.format)
			}
			return f.with(cmd, func(ctx context.Context, stores []engine.KeptStore) error {
				if err := kept.Show(ctx, cmd.OutOrStdout(), stores, argument(args), f.format == "json"); err != nil {
					return err
				}
				if f.format == "json" || len(args) > 0 || f.which != (kept.Which{}) {
					return nil
				}
				_, err := fmt.Fprintln(cmd.OutOrStdout(), "what is kept for a session: luahook store show --session ID (luahook log --format json has the IDs)")
				return err
			})
		},
	}
	f.add(cmd)
	cmd.Flags().StringVar(&f.format, "format", "text", "print as `FORMAT`: text or json")
	completeFrom(cmd, "format", "text", "json")
	return cmd
}

// wants refuses more or fewer arguments than these.
func wants(names string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != len(strings.Fields(names)) {
			return fmt.Errorf("%s takes %s, got %s", cmd.Name(), names, terminal.Counted(len(args), "argument"))
		}
		return nil
	}
}

// argument is the only one, "" where there is none.
func argument(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[0]
}

func newStoreSet() *cobra.Command {
	f := &storeFlags{}
	cmd := &cobra.Command{
		Use:   "set KEY VALUE",
		Short: "Keep a value, which is JSON, under a key of one script",
		Long: `set replaces the value of the one script that has the key, in the project or else in its
user's store. Where several scripts have it, --script says whose; where none has it,
the value is new, and --script is needed if there are several scripts. How long a value
lasts stays as it was. VALUE is JSON: a text has quotes.

An agent's guard refuses it this verb, and what a hook has started can't use it.

Exit status: 0 it is kept; 1 nothing has changed.`,
		Example: `  luahook store set pushes 0
  luahook store set branch '"main"' --script .hooks/push.lua
  luahook store set --scope user -- balance -5`,
		Args: wants("KEY VALUE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := notByHooks("store set"); err != nil {
				return err
			}
			return f.with(cmd, func(ctx context.Context, stores []engine.KeptStore) error {
				where, err := kept.Set(ctx, stores, args[0], args[1])
				if err != nil {
					return err
				}
				_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s is set (%s)\n", terminal.Shown(args[0]), where)
				return err
			})
		},
	}
	f.add(cmd)
	return cmd
}

func newStoreDelete() *cobra.Command {
	f := &storeFlags{}
	cmd := &cobra.Command{
		Use:   "delete KEY",
		Short: "Delete a key, or all that begin with it",
		Long: `delete takes a key away, with --prefix all that begin with KEY. Where that is more than
one, also since several scripts have the key, it shows them and asks on the terminal.

An agent's guard refuses it this verb, and what a hook has started can't use it.

Exit status: 0 they are gone; 1 there is no such key, the answer was no, or there was no
terminal to ask on.`,
		Example: `  luahook store delete pushes
  luahook store delete --prefix job: --yes
  luahook store delete --prefix '' --session 5f2c`,
		Args: wants("KEY"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := notByHooks("store delete"); err != nil {
				return err
			}
			return f.with(cmd, func(ctx context.Context, stores []engine.KeptStore) error {
				return f.delete(ctx, cmd.OutOrStdout(), stores, args[0])
			})
		},
	}
	f.add(cmd)
	cmd.Flags().BoolVar(&f.prefix, "prefix", false, "delete all keys that begin with KEY")
	cmd.Flags().BoolVar(&f.yes, "yes", false, "don't ask, however many they are")
	return cmd
}

// mostNamed is how many keys are named before a person is asked about all of them.
const mostNamed = 50

func (f *storeFlags) delete(ctx context.Context, w io.Writer, stores []engine.KeptStore, key string) error {
	found, err := kept.Find(ctx, stores, key, f.prefix)
	if err != nil {
		return err
	}
	if len(found) > 1 && !f.yes {
		text := ""
		for i := range found[:min(len(found), mostNamed)] {
			text += "  " + found[i].String() + "\n"
		}
		if more := len(found) - mostNamed; more > 0 {
			text += fmt.Sprintf("  ... and %d more\n", more)
		}
		if _, err := io.WriteString(w, text); err != nil {
			return fmt.Errorf("the keys can't be shown: %w", err)
		}
		if err := terminal.Ask(terminal.Unseen(w, text) + fmt.Sprintf("Delete %s? [y/N] ", terminal.Counted(len(found), "key"))); err != nil {
			return fmt.Errorf("nothing was deleted: %w", err)
		}
	}
	for i := range found {
		if err := found[i].Delete(ctx); err != nil {
			return fmt.Errorf("%s of %d deleted: %w", terminal.Counted(i, "key"), len(found), err)
		}
	}
	_, err = fmt.Fprintf(w, "%s deleted\n", terminal.Counted(len(found), "key"))
	return err
}

func (f *storeFlags) add(cmd *cobra.Command) {
	f.engine.add(cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.which.Scope, "scope", "", "only the stores of `SCOPE`: project or user")
	flags.StringVar(&f.which.Script, "script", "", "only the stores of the script `FILE`")
	flags.StringVar(&f.which.Session, "session", "", "the stores of the session `ID` instead")
	flags.StringVar(&f.which.Shared, "shared", "", "the shared store `NAME` instead")
	completeFrom(cmd, "scope", kept.Scopes...)
	for _, free := range []string{"script", "session", "shared"} { // no names of files
		completeFrom(cmd, free)
	}
}

// with does something with the stores that are meant.
func (f *storeFlags) with(cmd *cobra.Command, do func(context.Context, []engine.KeptStore) error) error {
	e, err := f.engine.open(io.Discard)
	if err != nil {
		return err
	}
	stores, err := f.which.Stores(cmd.Context(), e.Engine)
	if err == nil {
		err = do(cmd.Context(), stores)
	}
	return errors.Join(err, e.close(cmd.Context(), nil))
}
