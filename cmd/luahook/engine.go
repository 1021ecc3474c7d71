package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/luahook/luahook/builtins"
	"github.com/luahook/luahook/cmd/luahook/internal/ownprocess"
	"github.com/luahook/luahook/cmd/luahook/internal/replay"
	"github.com/luahook/luahook/cmd/luahook/internal/terminal"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/audit"
	"github.com/luahook/luahook/engine/config"
	"github.com/luahook/luahook/engine/override"
	"github.com/luahook/luahook/engine/spill"
	"github.com/luahook/luahook/engine/store"
	"github.com/luahook/luahook/engine/store/file"
	"github.com/luahook/luahook/engine/store/redis"
	"github.com/luahook/luahook/engine/task"
	"github.com/luahook/luahook/hooks"
	"github.com/spf13/cobra"
)

// engineFlags are the flags of verbs that judge events.
type engineFlags struct {
	hooks      []string
	builtin    []string
	cwd        string
	noUser     bool
	noBuiltins bool
	defaults   []string // built-ins that are on where no configuration names them
	record     bool
	recordOut  io.Writer // in the place of the log's folder; or nil
	host       string    // the agent whose events are judged, as its name in package wire; "": it isn't known
	observers  []engine.Observer
	edited     map[string]string // texts of files by their path, for hooks that judge and do nothing else; nil: all are as they are
	replay     *engine.Replay    // hooks judge apart from what there is: nothing is recorded, kept or lifted; or nil
	looks      bool              // the hooks are looked at, and not fired: nothing is granted to them
	tries      bool              // events are made up: none leaves a blocked call, and none uses a pass
}

func (f *engineFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVar(&f.hooks, "hooks", nil, "read `DIR` as a .hooks folder, which is trusted, instead of the project's (repeatable)")
	flags.StringArrayVar(&f.builtin, "builtin", nil, "add the built-in hook `NAME` (repeatable)")
	flags.StringVar(&f.cwd, "cwd", "", "find the project from `DIR` instead of the current folder")
	flags.BoolVar(&f.noUser, "no-user", false, "leave out the user's own hooks and hooks.yaml")
	flags.BoolVar(&f.noBuiltins, "no-builtins", false, "leave out the default guard and the configured built-ins, except managed ones")
	complete(cmd, "builtin", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return builtins.Names(), cobra.ShellCompDirectiveNoFileComp
	})
}

// localEngine is an engine with the hooks, stores and logs of this machine, its user and
// the project of a folder.
type localEngine struct {
	*engine.Engine
	cwd       string          // where the project was looked for from
	project   engine.Project  // that was found
	log       *audit.Log      // nil: there is none
	overrides *override.Store // nil: there is none
}

// absolute is a path from the current folder, or why there is no such folder.
func absolute(path string) (string, error) {
	at, err := filepath.Abs(path)
	if err != nil {
		return "", fmt.Errorf("the current folder can't be found (%w): start luahook in a folder that exists", err)
	}
	return at, nil
}

// startFolder is the folder of --cwd, or the current one where that is "".
func startFolder(cwd string) (string, error) {
	at, err := absolute(cwd)
	if err != nil {
		return "", fmt.Errorf("%w, or name one with --cwd", err)
	}
	return at, nil
}

// open makes the engine that the flags describe. What is worth a warning is told on stderr.
func (f *engineFlags) open(stderr io.Writer) (*localEngine, error) {
	cwd, err := startFolder(f.cwd)
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(cwd); err != nil {
		return nil, fmt.Errorf("--cwd %s: %w", cwd, reason(err))
	} else if !info.IsDir() {
		return nil, fmt.Errorf("--cwd %s: not a folder", cwd)
	}
	e := &localEngine{cwd: cwd}
	project, err := engine.FindProject(cwd)
	if err != nil {
		return nil, err
	}
	e.project = project
	options, err := managedOptions(os.Getenv("LUAHOOK_MANAGED"))
	if err != nil {
		return nil, err
	}
	options = append(options, engine.WithLogger(slog.New(&hookLog{out: stderr})))
	if !f.noUser {
		options = append(options, engine.WithUserDir(engine.UserDir()))
	}
	if file := engine.TrustFile(); file != "" {
		options = append(options, engine.WithTrust(file))
	}
	if f.replay != nil {
		options = append(options, engine.WithReplay(*f.replay), engine.WithStore(store.NewMemory(0)), engine.WithTasks(replay.NoTasks{}))
	} else if kept, err := e.keeping(f, project, stderr); err != nil {
		return nil, err
	} else {
		options = append(options, kept...)
	}
	if f.edited != nil {
		options = append(options, engine.WithEdited(f.edited))
	}
	if f.looks {
		options = append(options, engine.WithoutGrants())
	}
	for _, o := range f.observers {
		options = append(options, engine.WithObserver(o))
	}
	if len(f.hooks) == 0 {
		options = append(options, engine.WithProject(project))
	}
	for _, dir := range f.hooks {
		options = append(options, engine.WithHooksDir(dir, project.Root))
	}
	if f.noBuiltins {
		options = append(options, engine.WithoutBuiltins())
	}
	for _, name := range f.defaults {
		options = append(options, engine.WithBuiltinByDefault(name))
	}
	for _, name := range f.builtin {
		options = append(options, engine.WithBuiltin(name, nil))
	}
	if e.Engine, err = engine.New(options...); err == nil && e.overrides != nil {
		e.overrides.Shared = e.SharedStore
	}
	return e, err
}

// keeping are the options for what outlasts an event: stores, tasks, a person's word and the log.
func (e *localEngine) keeping(f *engineFlags, project engine.Project, stderr io.Writer) (options []engine.Option, err error) {
	options = append(storeOptions(), taskOptions(project)...)
	if e.overrides = overridesOf(project); e.overrides != nil {
		var asked engine.Overrides = e.overrides
		if f.tries {
			asked = triedOverrides{e.overrides}
		}
		options = append(options, engine.WithOverrides(asked))
	}
	if f.recordOut != nil {
		e.log, err = audit.NewStream(f.recordOut, audit.Options{Host: f.host})
	} else {
		e.log, err = decisionLog(f.host)
	}
	if err != nil {
		return nil, err
	}
	switch {
	case e.log == nil && f.record: // which changes no decision, as where it can't be written
		fmt.Fprintln(stderr, "luahook: warning: --record:", errNowhere)
	case f.record:
		options = append(options, engine.WithAudit(e.log, engine.RecordDecisions))
	case e.log != nil:
		options = append(options, engine.WithAudit(e.log, engine.RecordNotes))
	}
	return options, nil
}

// drainTime is how long the command waits for async hooks once the result is written.
const drainTime = 10 * time.Second

// leaveTime is how long the command waits for what should have ended by then: when
// drainTime is over, or somebody has ended the command.
const leaveTime = 5 * time.Second

// close waits for async hooks, no longer than drainTime and until somebody ends the command,
// and closes what the engine has used. What has been delivered by then, but for the exit
// status, is noted between the two; nil: nothing was.
func (e *localEngine) close(ctx context.Context, delivered *engine.Delivery) error {
	s := ownprocess.CatchSignals(context.WithoutCancel(ctx))
	defer s.Stop()
	within, cancel := context.WithTimeout(s, drainTime)
	defer cancel()
	closed := make(chan error, 1)
	go func() { closed <- e.closeWithin(within, delivered) }()
	select {
	case err := <-closed:
		return err
	case <-within.Done():
	}
	select {
	case err := <-closed:
		return err
	case <-time.After(leaveTime):
		return errors.New("something that hooks have started doesn't end; it is left behind")
	}
}

func (e *localEngine) closeWithin(ctx context.Context, delivered *engine.Delivery) error {
	if delivered != nil && delivered.Owes() {
		_ = e.Drain(ctx) // Close says what of it was in vain
		delivered.Done()
	}
	var unkept error
	if e.overrides != nil { // while the store is open that they may lie in
		unkept = e.overrides.Close()
	}
	err := e.Close(ctx)
	if err != nil { // programs that are being ended get a moment for it
		again, cancel := context.WithTimeout(context.WithoutCancel(ctx), leaveTime/2)
		defer cancel()
		_ = e.Close(again)
	}
	if e.log != nil {
		err = errors.Join(err, e.log.Close())
	}
	if e.overrides != nil && errors.Join(unkept, e.overrides.Close()) != nil && err == nil {
		err = errors.New("some blocked calls could not be kept for a person to look at") // where, is nothing for agents
	}
	return err
}

// managedOptions read the managed files that LUAHOOK_MANAGED names, beside the one of
// the machine, which is read in any case.
func managedOptions(list string) ([]engine.Option, error) {
	var options []engine.Option
	for _, file := range filepath.SplitList(list) {
		if !filepath.IsAbs(file) {
			return nil, fmt.Errorf("LUAHOOK_MANAGED is %q: %q is not an absolute path; the variable is a list of files, separated by %q", list, file, filepath.ListSeparator)
		}
		options = append(options, engine.WithManagedEnv(file))
	}
	return options, nil
}

// storeOptions say where hooks keep what they remember: in a file of the user's, unless a
// hooks.yaml names another place. Nothing is opened before a hook uses it. Where there is
// no folder for the file, hooks that want to remember something fail: a guard that forgets
// what it has counted is none.
func storeOptions() []engine.Option {
	options := []engine.Option{engine.WithStores(openStore)}
	if name := storeFile(); name != "" {
		return append(options, engine.WithStore(file.New(name)))
	}
	return append(options, engine.WithStore(noStore{}))
}

var errNoStore = &store.UnavailableError{Message: "there is nowhere to keep the store's file: set HOME or XDG_STATE_HOME to an absolute path"}

// noStore is a store that can't be used.
type noStore struct{}

func (noStore) Get(context.Context, store.Space, string) ([]byte, error) { return nil, errNoStore }
func (noStore) Set(context.Context, store.Space, string, []byte, time.Duration) error {
	return errNoStore
}
func (noStore) Incr(context.Context, store.Space, string, float64, time.Duration) (float64, error) {
	return 0, errNoStore
}
func (noStore) Update(context.Context, store.Space, string, time.Duration, func([]byte) ([]byte, error)) error {
	return errNoStore
}
func (noStore) Delete(context.Context, store.Space, string) error           { return errNoStore }
func (noStore) List(context.Context, store.Space, string) ([]string, error) { return nil, errNoStore }
func (noStore) Close() error                                                { return nil }

func storeFile() string {
	dir := engine.StateDir()
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, "store.db")
}

func openStore(name string) (store.Store, error) {
	if name != config.StoreFile {
		return redis.Open(name)
	}
	if at := storeFile(); at != "" {
		return file.New(at), nil
	}
	return nil, errNoStore
}

// taskOptions say where hooks keep tasks, unless hooks.yaml does, and long texts. Where there
// is no place for one of the two, hooks that want it are told so.
func taskOptions(p engine.Project) (options []engine.Option) {
	if dir := engine.StateDir(); dir != "" {
		options = append(options, engine.WithTasks(task.NewFile(task.DefaultPath(dir, p.Root), p.Root)))
	}
	if dir := engine.CacheDir(); dir != "" {
		options = append(options, engine.WithSpill(spill.New(filepath.Join(dir, "spill"), p.Root)))
	}
	return options
}

// overridesOf is where what was blocked in a project is kept, and what a person has said
// about it; nil where there is nowhere to keep it.
func overridesOf(p engine.Project) *override.Store {
	dir := engine.StateDir()
	if dir == "" {
		return nil
	}
	return override.NewStore(dir, p.Root)
}

// triedOverrides tells what a person has said about blocked calls, and keeps nothing of them.
type triedOverrides struct{ store *override.Store }

// Overridden implements [engine.Overrides].
func (t triedOverrides) Overridden(ctx context.Context, c hooks.BlockedCall) (note string, err error) {
	return t.store.WouldOverride(ctx, c)
}

// hookLog writes what hooks print and log to standard error, a line each, with the
// place it comes from.
type hookLog struct{ out io.Writer }

func (h *hookLog) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelInfo }
func (h *hookLog) WithAttrs([]slog.Attr) slog.Handler               { return h }
func (h *hookLog) WithGroup(string) slog.Handler                    { return h }

func (h *hookLog) Handle(_ context.Context, r slog.Record) error {
	attrs := map[string]string{}
	r.Attrs(func(a slog.Attr) bool {
		attrs[a.Key] = a.Value.String()
		return true
	})
	place, message := cmp.Or(attrs["source"], "luahook"), r.Message
	if attrs["event"] != "" { // the engine's account of a run or a decision
		if attrs["mode"] != string(hooks.ModeAsync) {
			return nil // which is in the result
		}
		place, message = "luahook", fmt.Sprintf("hook %s (%s) failed in the background: %s", attrs["hook"], attrs["source"], attrs["message"])
	}
	if err := attrs["error"]; err != "" {
		message += ": " + err
	}
	level := ""
	if r.Level != slog.LevelInfo {
		level = strings.ToLower(r.Level.String()) + ": "
	}
	// Further lines are set off, so that none passes for a line of luahook's own.
	message = strings.ReplaceAll(terminal.Printable(message), "\n", "\n  ")
	_, err := fmt.Fprintf(h.out, "%s: %s%s\n", terminal.OneLine(place), level, message)
	return err
}
