package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/luahook/luahook/cmd/luahook/internal/check"
	"github.com/luahook/luahook/cmd/luahook/internal/terminal"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/internal/spelling"
)

// checkFlags are the flags of check.
type checkFlags struct {
	engine engineFlags
	format string
	strict bool
}

var checkFormats = []string{"text", "json", "sarif"}

func newCheck() *cobra.Command {
	f := &checkFlags{engine: engineFlags{looks: true}}
	cmd := &cobra.Command{
		Use:   "check [PATH...]",
		Short: "Find mistakes in hooks without running them",
		Long: `check loads the hooks of the user and the project, fires no event, and reads the scripts:
misspelt events, fields and names, answers that are dropped or mean nothing, hooks that
never match, capabilities that aren't granted, files that nothing loads. Each problem is
shown with its place, its line and a caret.

A PATH is a file or folder of hooks, or a folder with .hooks in it; without one all are
checked. Nothing of a script reaches outside of its sandbox, and no trust is needed.

Exit status: 0 no errors; 1 errors, or warnings with --strict, or there are no hooks, or they can't be read.`,
		Example: `  luahook check
  luahook check .hooks/push.lua --strict
  luahook check --no-user --format sarif > luahook.sarif`,
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&f.engine.hooks, "hooks", nil, "read `DIR` as a .hooks folder instead of the project's (repeatable)")
	flags.StringVar(&f.engine.cwd, "cwd", "", "find the project from `DIR` instead of the current folder")
	flags.BoolVar(&f.engine.noUser, "no-user", false, "leave out the user's own hooks and hooks.yaml")
	flags.StringVar(&f.format, "format", "text", "print as `FORMAT`: text, json or sarif")
	flags.BoolVar(&f.strict, "strict", false, "let warnings count as errors")
	completeFrom(cmd, "format", checkFormats...)
	return cmd
}

func (f *checkFlags) run(cmd *cobra.Command, args []string) error {
	if f.format != "text" && f.format != "json" && f.format != "sarif" {
		return fmt.Errorf("--format is %q, want text, json or sarif%s", f.format, spelling.DidYouMean(f.format, checkFormats))
	}
	only, err := f.places(args)
	if err != nil {
		return err
	}
	e, err := f.engine.open(io.Discard)
	if err != nil {
		return err
	}
	folders, around, err := f.folders(e.cwd)
	if err != nil {
		return err
	}
	loaded := check.Loaded{Hooks: e.Hooks(), Errors: e.LoadErrors(), Around: around}
	loaded.Root, loaded.Commands = f.commands(e, loaded.Hooks)
	report := check.Folders(folders, loaded, only)
	if err := e.close(cmd.Context(), nil); err != nil {
		return err
	}
	if report.Files == 0 && len(report.Problems) == 0 {
		return nothingToCheck(args, folders)
	}
	switch out := cmd.OutOrStdout(); f.format {
	case "json":
		err = report.JSON(out)
	case "sarif":
		err = report.SARIF(out, version())
	default:
		err = report.Text(out)
	}
	if err != nil {
		return fmt.Errorf("the report can't be written: %w", reason(err))
	}
	if check.Failed(report.Problems, f.strict) {
		return exit(exitError)
	}
	return nil
}

// commands are the command hooks of the project, and its root; none where it isn't read, or can't be.
func (f *checkFlags) commands(e *localEngine, all []engine.HookInfo) (root string, list []engine.SurveyedHook) {
	ofProject := func(h engine.HookInfo) bool {
		return h.Handler == hooks.HandlerCommand && h.Scope == hooks.ScopeProject
	}
	if len(f.engine.hooks) > 0 || !slices.ContainsFunc(all, ofProject) {
		return "", nil
	}
	survey, err := engine.SurveyProject(e.project, engine.TrustFile())
	if err != nil { // which loading the project has told
		return "", nil
	}
	for _, h := range survey.Handlers {
		if h.Handler == hooks.HandlerCommand {
			list = append(list, h)
		}
	}
	return survey.Root, list
}

// nothingToCheck is the error of a check that has found no file of hooks.
func nothingToCheck(args []string, folders []check.Folder) error {
	if len(args) == 0 {
		for _, folder := range folders {
			args = append(args, atHome(folder.Dir))
		}
		return fmt.Errorf("nothing to check: no hooks lie in %s; luahook init makes some, and a PATH names others", terminal.Shown(strings.Join(args, " or ")))
	}
	return fmt.Errorf("nothing to check: no hooks lie in %s; name a file or folder of hooks, or a folder with .hooks in it", terminal.Shown(strings.Join(args, " or ")))
}

// places are the files and folders that are meant, absolute. A folder that holds .hooks is a project, one that is no folder of
// hooks yet is read as one, and so is that of a file.
func (f *checkFlags) places(args []string) (only []string, err error) {
	base, err := startFolder(f.engine.cwd)
	if err != nil {
		return nil, err
	}
	for _, arg := range args {
		if arg == "" {
			return nil, fmt.Errorf("a PATH is empty; name a file or folder of hooks")
		}
		p := arg
		if !filepath.IsAbs(p) {
			p = filepath.Join(base, p)
		}
		info, err := os.Stat(p)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", arg, reason(err))
		}
		if real, err := filepath.EvalSymlinks(p); err == nil {
			p = real
		}
		dir := p
		switch {
		case !info.IsDir():
			dir = filepath.Dir(p)
		case len(args) == 1 && isFolder(filepath.Join(p, ".hooks")):
			f.engine.cwd = p
			return []string{p}, nil
		}
		folders, _, err := f.folders(base)
		if err != nil {
			return nil, err
		}
		if !check.Holds(folders, dir) {
			f.engine.hooks = append(f.engine.hooks, dir)
		}
		only = append(only, p)
	}
	return only, nil
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// folders are those of the user and the project, or that --hooks names, and around those of the projects around it.
func (f *checkFlags) folders(cwd string) (list []check.Folder, around []string, err error) {
	project, err := engine.FindProject(cwd)
	if err != nil {
		return nil, nil, err
	}
	for outer := project.Around; outer != nil; outer = outer.Around {
		around = append(around, outer.Hooks)
	}
	if dir := engine.UserDir(); dir != "" && !f.engine.noUser {
		list = append(list, check.Folder{Dir: dir, Scripts: filepath.Join(dir, "hooks")})
	}
	dirs := f.engine.hooks
	if len(dirs) == 0 {
		dirs = []string{cmp.Or(project.Hooks, filepath.Join(project.Root, ".hooks"))}
	}
	for _, dir := range dirs {
		if dir, err = absolute(dir); err != nil {
			return nil, nil, err
		}
		list = append(list, check.Folder{Dir: dir, Scripts: dir, Root: project.Root})
	}
	return list, around, nil
}
