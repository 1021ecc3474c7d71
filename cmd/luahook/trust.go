package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/luahook/luahook/cmd/luahook/internal/show"
	"github.com/luahook/luahook/cmd/luahook/internal/terminal"
	"github.com/luahook/luahook/engine"
)

// trustFlags are the flags of trust.
type trustFlags struct {
	yes    bool
	folder bool
	revoke bool
	list   bool
	check  bool
}

func newTrust() *cobra.Command {
	f := &trustFlags{}
	cmd := &cobra.Command{
		Use:   "trust [PATH]",
		Short: "Show a project's hooks and what they ask for, and trust them",
		Long: `trust shows the hooks of a project, what they ask for and their files, asks on the
terminal whether to trust them, and remembers the content of the files. Hooks that
are trusted may allow, rewrite and halt, have what hooks.yaml grants them, and run
commands, until a file changes.

PATH is the project's folder, or one in it; default: the current folder.

Exit status: 0 trusted (or taken back, or listed), 1 nothing has changed: the answer
was no, there was no terminal to ask on, or the project can't be trusted. With --check:
0 the project's hooks are trusted as they are now, or it has none; 1 they aren't.`,
		Example: `  luahook trust                  # this project
  luahook trust --yes ~/src/app  # without being asked
  luahook trust --folder         # your own project, with every later change
  luahook trust --list
  luahook trust --check          # for CI: is it trusted as it is now?`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return fmt.Errorf("trust takes one PATH, got %d: %s", len(args), strings.Join(args, " "))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return runTrust(cmd, f, args) },
	}
	flags := cmd.Flags()
	flags.BoolVar(&f.yes, "yes", false, "don't ask: the answer is yes")
	flags.BoolVar(&f.folder, "folder", false, "trust all that the project holds, now and later")
	flags.BoolVar(&f.revoke, "revoke", false, "take back the trust in the project")
	flags.BoolVar(&f.list, "list", false, "list the trusted projects")
	flags.BoolVar(&f.check, "check", false, "say whether the project is trusted as it is now, and change nothing")
	return cmd
}

func runTrust(cmd *cobra.Command, f *trustFlags, args []string) error {
	switch {
	case f.list && (f.yes || f.folder || f.revoke || len(args) > 0):
		return errors.New("--list lists all trusted projects; it goes with no other flag and no PATH")
	case f.check && (f.yes || f.folder || f.revoke):
		return errors.New("--check changes nothing; it goes with none of --yes, --folder and --revoke")
	case f.list && f.check:
		return errors.New("--list is about all projects, --check about one")
	case f.revoke && (f.yes || f.folder):
		return errors.New("--revoke takes trust back; it goes with neither --yes nor --folder")
	}
	file := engine.TrustFile()
	if file == "" {
		return errors.New("there is nowhere to keep trust: set HOME or XDG_STATE_HOME to an absolute path")
	}
	path := "."
	if len(args) == 1 {
		if path = args[0]; path == "" {
			return errors.New("PATH is empty; for the current folder leave it out")
		}
	}
	switch {
	case f.list:
		return listTrusted(cmd.OutOrStdout(), file)
	case f.revoke:
		return revoke(cmd.OutOrStdout(), path, file)
	}
	if err := notByHooks("trust"); err != nil && !f.check {
		return err
	}
	project, err := findProject(path)
	if err != nil {
		return err
	}
	if f.check {
		return checkTrust(cmd.OutOrStdout(), project, file)
	}
	survey, err := engine.SurveyProject(project, file)
	if err != nil {
		return err
	}
	return f.decide(cmd, survey)
}

// checkTrust says whether a project's hooks are trusted as they are now, and by its error whether they aren't.
func checkTrust(w io.Writer, project engine.Project, file string) error {
	if !hasHooks(project) {
		_, err := fmt.Fprintf(w, "%s has no hooks of its own\n", terminal.Shown(project.Root))
		return err
	}
	s, err := engine.SurveyProject(project, file)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(w, "%s: %s\n", terminal.Shown(show.ProjectName(s.Root, s.Hooks)), show.Standing(s)); err != nil {
		return err
	}
	for _, f := range s.Files {
		if s.State == engine.ProjectChanged && f.State != engine.FileSame {
			if _, err := fmt.Fprintf(w, "  %-7s  %s\n", f.State, terminal.Shown(f.Path)); err != nil {
				return err
			}
		}
	}
	for _, err := range s.LoadErrors {
		if _, err := fmt.Fprintf(w, "  %s\n", terminal.Indented(strings.TrimPrefix(err.Error(), "luahook: "))); err != nil {
			return err
		}
	}
	if s.State != engine.ProjectTrusted && s.State != engine.ProjectFolderTrusted || len(s.LoadErrors) > 0 {
		return exit(exitError)
	}
	return nil
}

// hasHooks reports whether a project has a hooks folder.
func hasHooks(project engine.Project) bool {
	_, err := os.Stat(cmp.Or(project.Hooks, filepath.Join(project.Root, ".hooks")))
	return !errors.Is(err, fs.ErrNotExist)
}

// findProject finds the project that a folder lies in.
func findProject(path string) (engine.Project, error) {
	switch info, err := os.Stat(path); {
	case err != nil:
		return engine.Project{}, fmt.Errorf("%s: %w", path, reason(err))
	case !info.IsDir():
		return engine.Project{}, fmt.Errorf("%s: not a folder; PATH is the folder of a project", path)
	}
	at, err := absolute(path)
	if err != nil {
		return engine.Project{}, err
	}
	return engine.FindProject(at)
}

// decide shows a survey, has it judged, and pins it.
func (f *trustFlags) decide(cmd *cobra.Command, s *engine.Survey) error {
	text := show.Survey(s)
	if _, err := io.WriteString(cmd.OutOrStdout(), text); err != nil {
		return fmt.Errorf("the project's hooks can't be shown: %w", err)
	}
	switch {
	case slices.ContainsFunc(s.LoadErrors, func(err error) bool { return strings.Contains(err.Error(), "though hooks.yaml grants it") }):
		return errors.New("nothing was trusted: a script uses what hooks.yaml grants while it loads, which is before anybody has trusted it; use it within a hook")
	case len(s.LoadErrors) > 0:
		return errors.New("nothing was trusted: the project's hooks don't load; fix them first")
	case s.Unfit != nil && !f.folder:
		return fmt.Errorf("nothing was trusted: %s. Fix that, or trust the whole project with --folder", terminal.Shown(s.Unfit.Error()))
	case !f.folder && s.State == engine.ProjectTrusted, f.folder && s.State == engine.ProjectFolderTrusted:
		_, err := fmt.Fprintln(cmd.OutOrStdout(), "nothing to do: this is trusted already")
		return err
	}
	if !f.yes {
		question := "Trust these hooks? [y/N] "
		if f.folder {
			question = "Trust all hooks of this project, now and later? [y/N] "
		}
		if err := terminal.Ask(terminal.Unseen(cmd.OutOrStdout(), text) + question); err != nil {
			return fmt.Errorf("nothing was trusted: %w", err)
		}
	}
	if err := s.Trust(f.folder); err != nil {
		return err
	}
	what := fmt.Sprintf("its files as they are now (%d)", len(s.Files)-show.Removed(s))
	if f.folder {
		what = "all its hooks, now and later"
	}
	_, err := fmt.Fprintf(cmd.OutOrStdout(), "trusted: %s, %s\n", terminal.Shown(show.ProjectName(s.Root, s.Hooks)), what)
	return err
}

// revoke takes trust back. A project that is gone, or whose root is another by now, is
// taken by its path.
func revoke(w io.Writer, path, file string) error {
	at, err := absolute(path)
	if err != nil {
		return err
	}
	project, err := findProject(path)
	if errors.Is(err, fs.ErrNotExist) {
		project, err = engine.Project{Root: at}, nil
	}
	if err != nil {
		return err
	}
	removed, err := engine.RevokeTrust(project, file)
	if err == nil && !removed {
		removed, err = engine.RevokeTrust(engine.Project{Root: at}, file)
	}
	if err != nil {
		return err
	}
	text := "was not trusted: " + project.Root
	if removed {
		text = "not trusted any more: " + project.Root
	}
	_, err = fmt.Fprintln(w, terminal.Shown(text))
	return err
}

func listTrusted(w io.Writer, file string) error {
	projects, err := engine.TrustedProjects(file)
	if err != nil {
		return err
	}
	if len(projects) == 0 {
		_, err := fmt.Fprintln(w, "no project is trusted")
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "PROJECT\tSINCE\tWHAT\tNOW")
	for _, p := range projects {
		what, now := fmt.Sprintf("%d files", p.Files), "unchanged"
		if p.Files == 1 {
			what = "1 file"
		}
		switch {
		case p.State == engine.ProjectFolderTrusted:
			what, now = "folder", "trusted with every change"
		case p.State == engine.ProjectGone:
			now = "gone"
		case p.Why != nil:
			now = "changed: " + p.Why.Error()
		case p.State == engine.ProjectChanged:
			now = "changed"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", terminal.Shown(show.ProjectName(p.Root, p.Hooks)), p.Since.Local().Format(time.DateTime), what, terminal.Shown(now))
	}
	return t.Flush()
}
