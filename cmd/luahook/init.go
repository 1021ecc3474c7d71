package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/luahook/luahook/analysis/shell"
	"github.com/luahook/luahook/cmd/luahook/internal/scaffold"
	"github.com/luahook/luahook/cmd/luahook/internal/terminal"
	"github.com/luahook/luahook/internal/openfile"
)

func newInit() *cobra.Command {
	const listAll = "list" // which help shows
	example := ""
	cmd := &cobra.Command{
		Use:   "init [--example [NAME]]",
		Short: "Make a folder of hooks: a first hook, its test, hooks.yaml, and files for editors",
		Long: `init makes .hooks in the project of the current folder: a first hook with its test, a
hooks.yaml, and what an editor needs to complete and check hooks (.luarc.json and the
file that "luahook types" prints). It asks nothing.

--example NAME puts a hook of the cookbook there, with its test; without NAME it lists
them. If the hook needs something of hooks.yaml, init makes one, adds it to one that is
still as init has made it, or says what to add to yours.

Nothing else is replaced: if one of the files is there already, none is written.

Exit status: 0; 1 nothing was written.`,
		Example: `  luahook init
  luahook init --example
  luahook init --example protect-main`,
		Args: func(cmd *cobra.Command, args []string) error {
			switch given := cmd.Flags().Changed("example"); {
			case len(args) > 0 && !given:
				return fmt.Errorf("init takes no arguments; a hook of the cookbook is named by: luahook init --example %s", shell.Quote(args[0]))
			case len(args) > 1 || len(args) == 1 && example != listAll:
				return errors.New("--example takes one NAME")
			}
			return nil
		},
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 || !cmd.Flags().Changed("example") {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return exampleNames(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			out := cmd.OutOrStdout()
			switch {
			case !cmd.Flags().Changed("example"):
				return initFirst(out)
			case example == listAll && len(args) == 0:
				return listExamples(out)
			case len(args) == 1:
				example = args[0]
			}
			return initExample(out, example)
		},
	}
	cmd.Flags().StringVar(&example, "example", "", "put the hook `NAME` of the cookbook there; without NAME, list them")
	cmd.Flags().Lookup("example").NoOptDefVal = listAll
	completeFrom(cmd, "example", exampleNames()...)
	return cmd
}

// initFirst makes the first files, and says what to do next.
func initFirst(out io.Writer) error {
	files, err := scaffold.First()
	if err != nil {
		return err
	}
	return makeHooks(out, files, firstSteps, "", "git push origin main")
}

// initExample makes the files of a hook of the cookbook.
func initExample(out io.Writer, name string) error {
	x, err := scaffold.ExampleNamed(name)
	if err != nil {
		return err
	}
	hooks, err := hooksFolder()
	if err != nil {
		return err
	}
	steps := firstSteps
	if _, err := os.Lstat(hooks); err == nil && x.Config == "" {
		steps = steps[:3]
	} else if err == nil {
		steps = steps[:4]
	}
	if x.Config == "" {
		return makeHooks(out, x.Files, steps, "", x.Try())
	}
	config := scaffold.File{Name: "hooks.yaml", Text: x.Config, About: "what it needs"}
	path := filepath.Join(hooks, config.Name)
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return makeHooks(out, append(x.Files, config), steps, "", x.Try())
	}
	there, err := openfile.Read(path, 1<<20)
	if err != nil {
		return fmt.Errorf("nothing was written: %w", err)
	}
	text, untouched := x.Added(string(there))
	if untouched {
		if err := makeHooks(io.Discard, x.Files, nil, "", ""); err != nil {
			return err
		}
		config.Text, config.About = text, "with what it needs added: it was as init had made it"
		if err := scaffold.Replace(hooks, config); err != nil {
			return fmt.Errorf("%s has its files, but not what they need of hooks.yaml: %w", name, err)
		}
		return sayMade(out, hooks, append(x.Files, config), steps, "", x.Try())
	}
	add := "add to .hooks/hooks.yaml, below its line \"hooks:\"; where " + strings.Join(x.Keys(), ": or ") + ": stands there already, put into it what it lacks"
	if slices.Contains(x.Keys(), "limits") {
		add += ", of two timeouts the longer"
	}
	return makeHooks(out, x.Files, steps, add+"\n"+strings.TrimPrefix(x.Config, "hooks:\n"), x.Try())
}

// firstSteps are what to do next, with %s for a command to try: three for any hook, one for hooks that need hooks.yaml,
// and one that is done once.
var firstSteps = [][2]string{
	{"find mistakes in the hooks", "luahook check"},
	{"run their tests", "luahook test"},
	{"see what they say about a command, and why", "luahook explain %s"},
	{"let them do more than deny, ask and inform", "luahook trust"},
	{"have an agent call them (luahook install lists the agents here)", "luahook install claude"},
}

// makeHooks makes files, and says what to do next: what to add to hooks.yaml, and which command to try.
func makeHooks(out io.Writer, files []scaffold.File, steps [][2]string, add, try string) error {
	hooks, err := hooksFolder()
	if err != nil {
		return err
	}
	if err := scaffold.Make(hooks, files); err != nil {
		return err
	}
	return sayMade(out, hooks, files, steps, add, try)
}

func sayMade(out io.Writer, hooks string, files []scaffold.File, steps [][2]string, add, try string) error {
	c := terminal.ColourOf(out)
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\n", c.Title("wrote into"), terminal.Shown(hooks))
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, f := range files {
		fmt.Fprintf(t, "  %s\t%s\n", f.Name, f.About)
	}
	_ = t.Flush() // a builder takes all
	if add != "" {
		title, lines, _ := strings.Cut(add, "\n")
		fmt.Fprintf(&b, "\n%s\n%s", c.Title(title), lines)
	}
	fmt.Fprintf(&b, "\n%s\n", c.Title("next"))
	for _, step := range steps {
		fmt.Fprintf(&b, "  %s\n    %s\n", c.Faint(step[0]), strings.Replace(step[1], "%s", shell.Quote(try), 1))
	}
	_, err := io.WriteString(out, b.String())
	return err
}

func listExamples(out io.Writer) error {
	all, err := scaffold.Examples()
	if err != nil {
		return err
	}
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, x := range all {
		fmt.Fprintf(t, "%s\t%s\n", x.Name, x.About)
	}
	return t.Flush()
}

func exampleNames() (names []string) {
	all, _ := scaffold.Examples() // a mistake in them shows when one is asked for
	for _, x := range all {
		names = append(names, x.Name)
	}
	return names
}
