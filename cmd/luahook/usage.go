package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/internal/spelling"
)

// needVerb makes a missing or misspelt verb an error of luahook, help and completion.
// cobra would print its help and succeed, and in an agent's settings success reads as
// approval.
func needVerb(root *cobra.Command) {
	groups := []*cobra.Command{root}
	for _, cmd := range root.Commands() {
		switch cmd.Name() {
		case "completion":
			groups = append(groups, cmd)
		case "help":
			cmd.Args = func(_ *cobra.Command, args []string) error {
				if len(args) == 0 {
					return nil
				}
				if _, rest, err := root.Find(args); err != nil || len(rest) > 0 {
					return unknownVerb(root, args[0])
				}
				return nil
			}
		}
	}
	for _, cmd := range groups {
		cmd.Args = func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownVerb(cmd, args[0])
			}
			return nil
		}
		cmd.RunE = func(cmd *cobra.Command, _ []string) error {
			cmd.SetOut(cmd.ErrOrStderr())
			if cmd.HasParent() {
				return errors.Join(cmd.Help(), exit(exitError))
			}
			return errors.Join(cmd.Help(), exit(exitBlock))
		}
	}
}

// habits are the verbs by which other tools try hooks out.
var habits = []string{"exec", "fire", "try", "hook", "hooks", "handle", "dispatch", "trigger", "simulate", "dry-run", "dryrun", "debug", "invoke", "call", "judge"}

func unknownVerb(cmd *cobra.Command, verb string) error {
	event, err := hooks.ParseEvent(verb)
	switch known := err == nil && hooks.IsKnown(event); {
	case cmd.HasParent():
	case slices.Contains([]string{"uninstall", "remove"}, strings.ToLower(verb)):
		return fmt.Errorf("unknown verb %q; `luahook install --uninstall AGENT` takes luahook out of an agent's settings", verb)
	case slices.Contains([]string{"validate", "lint", "vet", "verify", "fmt"}, strings.ToLower(verb)):
		return fmt.Errorf("unknown verb %q; `luahook check` finds mistakes in hooks", verb)
	case known:
		return fmt.Errorf("%q is an event, not a verb; `luahook eval %s` reads one from standard input, and with --sample it makes one up", verb, event)
	case slices.Contains(habits, strings.ToLower(verb)), strings.HasSuffix(strings.ToLower(verb), ".lua"), strings.HasSuffix(strings.ToLower(verb), ".json"):
		return fmt.Errorf("unknown verb %q; `luahook eval EVENT --sample` tries the hooks with a made-up event, `luahook eval EVENT --trace < event.json` with a real one", verb)
	}
	var known []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			known = append(known, c.Name())
		}
	}
	// Nobody who means another verb should be led to trusting a project.
	if near := spelling.Nearest(verb, known); near != "" && (near != "trust" || strings.HasPrefix(verb, "tru")) {
		return fmt.Errorf("unknown verb %q; did you mean %q?", verb, near)
	}
	return fmt.Errorf("unknown verb %q; %s has %s", verb, cmd.CommandPath(), strings.Join(known, ", "))
}

// atMostOneEvent refuses further arguments of eval and events.
func atMostOneEvent(cmd *cobra.Command, args []string) error {
	if len(args) > 1 {
		return fmt.Errorf("%s takes one EVENT, got %d: %s", cmd.Name(), len(args), strings.Join(args, " "))
	}
	return nil
}

// flagError names the flag that was meant, or where the flags are listed.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) {
		return fmt.Errorf("--%s is %q, want %s", invalid.GetFlag().Name, invalid.GetValue(), wanted(invalid.GetFlag().Value.Type()))
	}
	if !errors.As(err, &unknown) {
		return err
	}
	var known []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, f.Name) })
	if near := spelling.Nearest(unknown.GetSpecifiedName(), known); near != "" {
		return fmt.Errorf("%w; did you mean --%s?", err, near)
	}
	return fmt.Errorf("%w; see %s --help", err, cmd.CommandPath())
}

// wanted is what a flag of a type takes.
func wanted(kind string) string {
	switch kind {
	case "duration":
		return "a time such as 90s, 30m or 2h"
	case "int":
		return "a whole number"
	case "float64":
		return "a number"
	case "bool":
		return "true or false"
	}
	return "a " + kind
}
