package engine

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/luahook/luahook/builtins"
	"github.com/luahook/luahook/engine/audit"
	"github.com/luahook/luahook/engine/config"
	"github.com/luahook/luahook/engine/internal/source"
	"github.com/luahook/luahook/engine/store"
	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
	"github.com/luahook/luahook/luabind/lib"
)

// Limits bound one run of a hook: VM instructions, wall clock, and memory in bytes.
// Zero means the default: 5,000,000 instructions, 1 s and 64 MiB.
type Limits = luabind.Limits

// Option is a setting of [New].
type Option func(*options) error

type options struct {
	logger        *slog.Logger
	limits        Limits        // complete
	given         Limits        // what of them WithLimits has said; zero: nothing
	within        time.Duration // of all hooks of an event; 0: not said
	followups     int           // -1: not said
	loading       int64         // work of loading a project; 0: not said
	onFailure     hooks.Policy
	store         store.Store       // or nil
	openStore     OpenStore         // or nil
	overrides     Overrides         // or nil
	tasks         TaskSink          // or nil
	replay        *Replay           // nil: what hooks do is done
	edited        map[string]string // texts of files by their path; nil: all are as they are
	spill         Spiller           // or nil
	log           *audit.Log        // or nil
	recording     Recording         // to the log
	root          string            // the project's; commands run there
	around        []string          // roots of the projects that it lies in
	trust         string            // file of what the user has trusted; "": nothing is
	grants        hooks.Grants      // of the embedder's own scripts
	withhold      bool              // no script is granted anything
	maxStates     int
	builtins      bool
	added         []builtinEntry
	defaults      []string // built-ins of WithBuiltinByDefault
	folders       []source.Folder
	scripts       []inlineScript
	commands      []hook // of WithCommand
	objects       []luabind.Object
	objectNames   []string
	observers     []Observer
	fireObservers []FireObserver                     // of them
	ask           AskFunc                            // nil: an ask about a wrapped tool is a deny
	onError       OnErrorFunc                        // or nil
	onReload      func(generation uint64, err error) // or nil
	vanished      time.Duration                      // how long what has vanished stays in force
	rehearsal     *Rehearsal                         // nil: events are real
}

type builtinEntry struct {
	name string
	with map[string]any
}

type inlineScript struct{ name, source string }

func defaultOptions() options {
	return options{folders: []source.Folder{managedFolder(managedFile)}, logger: slog.New(slog.DiscardHandler), limits: luabind.DefaultLimits, followups: -1, maxStates: 1280, builtins: true, vanished: vanishedFor}
}

// WithProject reads a project's hooks: the scripts and hooks.yaml of its .hooks
// folder, in project scope, and before them those of the projects around it. [FindProject] finds it.
// The root must be there; a relative one is settled when the engine is made. A hooks folder that
// isn't there is no error, one that can't be used blocks as [New] describes.
func WithProject(p Project) Option {
	return func(o *options) error {
		if p.Root == "" {
			return errors.New("WithProject: the project has no root; FindProject finds it")
		}
		root, err := filepath.Abs(p.Root)
		if err != nil {
			return err
		}
		if info, err := os.Stat(root); err != nil {
			return fmt.Errorf("WithProject: the root %s: %w; FindProject finds a project's", root, source.Cause(err))
		} else if !info.IsDir() {
			return fmt.Errorf("WithProject: the root %s is not a folder; FindProject finds a project's", root)
		}
		dir := filepath.Join(root, ".hooks")
		if p.Hooks != "" {
			if dir, err = filepath.Abs(p.Hooks); err != nil {
				return err
			}
		}
		var outer []source.Folder
		for around := p.Around; around != nil; around = around.Around {
			if !filepath.IsAbs(around.Root) || (around.Hooks != "" && !filepath.IsAbs(around.Hooks)) {
				return fmt.Errorf("WithProject: the project %s around it has a relative path; FindProject finds it", around.Root)
			}
			if around.Root != root {
				o.around = append(o.around, filepath.ToSlash(around.Root))
			}
			if around.Hooks != "" {
				outer = append(outer, source.Folder{
					Scope: hooks.ScopeProject, Dir: around.Hooks, Scripts: around.Hooks, Root: around.Root, Confined: true, Refused: around.Refused, Around: len(outer) + 1,
				})
			}
		}
		slices.Reverse(outer)
		o.folders = append(o.folders, outer...)
		o.root = cmp.Or(o.root, root)
		o.folders = append(o.folders, source.Folder{Scope: hooks.ScopeProject, Dir: dir, Scripts: dir, Root: root, Confined: true, Refused: p.Refused})
		return nil
	}
}

// WithTrust reads from a file which projects the user has trusted, and with which
// content; [TrustFile] names the usual one, [SurveyProject] writes it. Without it, and
// with no file at all (""), which is what TrustFile gives where there is no home, no
// project is trusted: its Lua hooks may deny, ask and inform, and its commands don't run.
// What is trusted is settled when the hooks are loaded; Reload looks again.
func WithTrust(file string) Option {
	return func(o *options) error {
		if file == "" {
			return nil
		}
		if !filepath.IsAbs(file) {
			return fmt.Errorf("WithTrust: %s is a relative path; whose word the file is must not depend on the current folder", file)
		}
		o.trust = file
		return nil
	}
}

// WithHooksDir reads dir as a .hooks folder is read, hooks.yaml included, in
// project scope. Relative paths in its hooks.yaml start at dir, then at root.
func WithHooksDir(dir, root string) Option {
	return func(o *options) error {
		if dir == "" || root == "" {
			return errors.New("WithHooksDir: name the folder and the root")
		}
		if err := source.IsFolder(dir); err != nil {
			return err
		}
		dir, err := filepath.Abs(dir)
		if err != nil {
			return err
		}
		if root, err = filepath.Abs(root); err != nil {
			return err
		}
		o.root = cmp.Or(o.root, root)
		o.folders = append(o.folders, source.Folder{Scope: hooks.ScopeProject, Dir: dir, Scripts: dir, Root: root, Explicit: true})
		return nil
	}
}

// WithUserDir reads the user's configuration folder, dir/hooks.yaml and
// dir/hooks/*.lua, in user scope. [UserDir] names the usual one. A folder that isn't
// there is no error. No folder at all (""), which is what UserDir gives where nothing says
// where the user's home is, is one that can't be used, and blocks as [New] describes: there
// may be guards that nobody finds. So is one in the project of [WithProject], which could
// have brought it along, unless the user's home folder lies there as well, by the account
// database.
func WithUserDir(dir string) Option {
	return func(o *options) error {
		if dir == "" {
			// Not the current folder, which anybody may have filled.
			why := errNoHome
			if UserDir() != "" {
				why = errNoUserDir
			}
			o.folders = append(o.folders, source.Folder{Scope: hooks.ScopeUser, Dir: "~/.config/luahook", Refused: why})
			return nil
		}
		dir, err := filepath.Abs(dir)
		if err != nil {
			return err
		}
		o.folders = append(o.folders, source.Folder{Scope: hooks.ScopeUser, Dir: dir, Scripts: filepath.Join(dir, "hooks"), Root: dir})
		return nil
	}
}

// relateFolders tells the user's folders which projects they must not lie in, and the
// managed ones which project they are about.
func (o *options) relateFolders() {
	roots := slices.Clone(o.around)
	for _, f := range o.folders {
		if f.Confined && !slices.Contains(roots, f.Root) {
			roots = append(roots, f.Root)
		}
	}
	for i := range o.folders {
		switch f := &o.folders[i]; f.Scope {
		case hooks.ScopeUser:
			f.Outside = roots
		case hooks.ScopeManaged:
			f.Root = o.root
		}
	}
}

var errNoUserDir = errors.New("the program that runs the hooks has given no folder for the user's (engine.WithUserDir): engine.UserDir says which one is usual")

var errNoHome = errors.New("nobody knows where the user's home folder is: neither HOME nor XDG_CONFIG_HOME is an absolute path, and the account database has no home for this user; set one of them")

// WithScript adds a hook script by its source, in the embedder's scope. name is
// what messages call it.
func WithScript(name, source string) Option {
	return func(o *options) error {
		if name == "" {
			return fmt.Errorf("WithScript: the script has no name")
		}
		o.scripts = append(o.scripts, inlineScript{name, source})
		return nil
	}
}

// WithGrants gives the scripts of WithScript capabilities. fs and git are about the
// project's root, see [WithProject]. What hooks.yaml would refuse, such as all hosts, is
// an error here, too.
func WithGrants(g hooks.Grants) Option {
	return func(o *options) error {
		checked, err := config.CheckGrants(g)
		if err != nil {
			return fmt.Errorf("WithGrants: %w", err)
		}
		o.grants = o.grants.With(checked)
		return nil
	}
}

// WithoutGrants withholds all capabilities from scripts, those that are trusted and those of WithScript included, whatever
// WithGrants gives them, before or after it: nothing of a script reaches outside of its sandbox while it loads. It is for programs
// that look at hooks and fire no event. [HookInfo] says what would be granted.
func WithoutGrants() Option {
	return func(o *options) error { o.withhold = true; return nil }
}

// WithBuiltin adds a built-in hook with options, in user scope. Where the same one
// runs in that scope with the same options already, it adds none.
func WithBuiltin(name string, with map[string]any) Option {
	return func(o *options) error {
		if _, ok := builtins.Find(name); !ok {
			return config.CheckBuiltin(name)
		}
		o.added = append(o.added, builtinEntry{name, with})
		return nil
	}
}

// WithBuiltinByDefault adds a built-in hook without options, in user scope, as safety-guard is
// there without any configuration. An entry of the user's or the managed hooks.yaml that names it
// takes its place, also one that is not enabled.
func WithBuiltinByDefault(name string) Option {
	return func(o *options) error {
		if _, ok := builtins.Find(name); !ok {
			return config.CheckBuiltin(name)
		}
		o.defaults = append(o.defaults, name)
		return nil
	}
}

// WithoutBuiltins removes the default safety-guard, what WithBuiltinByDefault adds and the built-ins that the
// user's and the project's hooks.yaml name; scripts stay, and so does what
// WithBuiltin adds.
func WithoutBuiltins() Option {
	return func(o *options) error { o.builtins = false; return nil }
}

// WithHostObject lets the scripts of WithScript call the named methods of a Go
// value, as name.Method(...). Project and user scripts never see it. A method may
// block; one that outlasts its run is left behind, see [Engine.Stragglers]. See
// [luabind.HostObject] for what may cross. The name must be one that scripts have for
// nothing else.
func WithHostObject(name string, value any, methods ...string) Option {
	return func(o *options) error {
		object := luabind.HostObject{Name: name, Value: value, Methods: methods}
		if err := object.Check(); err != nil {
			return err
		}
		if _, taken := luabind.Names(lib.Modules(), lib.Words())[name]; taken {
			return fmt.Errorf("host object %q: scripts have a module or function of that name; choose another one", name)
		}
		if slices.Contains(o.objectNames, name) {
			return fmt.Errorf("host object %q is given twice; choose another name for one of the two", name)
		}
		o.objectNames = append(o.objectNames, name)
		o.objects = append(o.objects, object)
		return nil
	}
}

// WithLogger is where print and the log module of scripts write, and what the engine
// tells of runs, decisions and failures; see [Engine.Counters]. Default: nowhere.
func WithLogger(l *slog.Logger) Option {
	return func(o *options) error {
		if l == nil {
			return fmt.Errorf("WithLogger: the logger is nil")
		}
		o.logger = l
		return nil
	}
}

// WithLimits bounds every run; configuration and hooks can only tighten what it says.
// Where it says nothing (zero) the defaults hold, above which the user's own
// hooks.yaml may go for the user's hooks, a project's may not. Memory is at least
// 1 MiB.
func WithLimits(l Limits) Option {
	return func(o *options) error {
		switch {
		case l.Instructions < 0 || l.Timeout < 0 || l.Memory < 0:
			return fmt.Errorf("WithLimits: a limit is negative")
		case l.Memory > 0 && l.Memory < config.MinMemory:
			return fmt.Errorf("WithLimits: Memory is %d bytes, want at least 1 MiB (1 << 20)", l.Memory)
		}
		o.given, o.limits = l, orDefaults(l)
		return nil
	}
}

func orDefaults(l Limits) Limits {
	return Limits{
		Instructions: cmp.Or(l.Instructions, luabind.DefaultLimits.Instructions),
		Timeout:      cmp.Or(l.Timeout, luabind.DefaultLimits.Timeout),
		Memory:       cmp.Or(l.Memory, luabind.DefaultLimits.Memory),
	}
}

// WithEventTimeout bounds the time that all hooks of one event have together, beside
// the timeout of each. Those that are left when it is over fail by the limit on time,
// about which on_failure decides. Default: 1 minute, or the longest timeout of one of
// the event's hooks where that is more. Configuration can only tighten it.
func WithEventTimeout(d time.Duration) Option {
	return func(o *options) error {
		if d <= 0 {
			return fmt.Errorf("WithEventTimeout: %s, want more than nothing", d)
		}
		o.within = d
		return nil
	}
}

// WithLoading bounds the work of reading and loading a project's hooks: hooks.yaml, scripts,
// libraries and all, in instructions. Past it the project counts as one that can't be used,
// and blocks as [New] describes. It is counted for each reading, and not measured by the
// clock. Default: 50,000,000, which is about a second. The managed and the user's hooks.yaml
// can only tighten what it says; where it isn't given, they may say more.
func WithLoading(instructions int64) Option {
	return func(o *options) error {
		if instructions <= 0 {
			return fmt.Errorf("WithLoading: %d, want more than nothing", instructions)
		}
		o.loading = instructions
		return nil
	}
}

// WithMaxFollowups is how often a hook may keep the agent from stopping (a deny of stop
// or subagent_stop) between two prompts of a session. Further blocks are dropped, and so
// is one with the reason of the one before it where no tool was called in between.
// Default: 3. Configuration can only tighten what it says; where it isn't given, the
// user's own may say more.
func WithMaxFollowups(n int) Option {
	return func(o *options) error {
		if n < 0 {
			return fmt.Errorf("WithMaxFollowups: %d, want 0 or more", n)
		}
		o.followups = n
		return nil
	}
}

// WithOnFailure is the policy of hooks whose file and registration say nothing.
// Default: that of the event, see [hooks.EventInfo].
func WithOnFailure(p hooks.Policy) Option {
	return func(o *options) error {
		if _, err := hooks.ParsePolicy(string(p)); err != nil {
			return err
		}
		o.onFailure = p
		return nil
	}
}

// WithMaxStates bounds the Lua states over the whole engine, those at work and
// those kept for the next event. Default 1280; one of a small script takes about 8 KB, one of
// safety-guard 250 KB. States are made as runs need them, for each script two at work for each
// processor, beside those whose runs wait for something outside. One that none has used for a
// minute is freed.
func WithMaxStates(n int) Option {
	return func(o *options) error {
		if n < 1 {
			return fmt.Errorf("WithMaxStates: %d, want at least 1", n)
		}
		o.maxStates = n
		return nil
	}
}

// vanishedFor is how long the hooks of files that have vanished stay in force where
// nobody says anything.
const vanishedFor = 30 * time.Second

// WithVanishedFor says how long hooks stay in force whose files were there and are gone
// when the hooks are read again: a script that loads by itself, a library, hooks.yaml, or
// the whole folder. For [Engine.Watch] a file that is empty now, but for comments, is gone, too. For that time [Engine.Reload] fails and every result has a warning;
// then they go, without another Reload. An editor that saves a file, git that checks out
// another branch and a folder that is moved take no hook out of force in this way. 0 has
// them go at once. Default: 30 s.
func WithVanishedFor(d time.Duration) Option {
	return func(o *options) error {
		if d < 0 {
			return fmt.Errorf("WithVanishedFor: %s, want 0 or more", d)
		}
		o.vanished = d
		return nil
	}
}

// managedFile is where the managed configuration lies; tests put it elsewhere.
var managedFile = source.ManagedFile()

// ManagedFile is the hooks.yaml of those who manage the machine, which [New] always
// reads: /etc/luahook/hooks.yaml, on Windows luahook\hooks.yaml in %ProgramData%. Its
// hooks run before all others, and nothing switches them off.
func ManagedFile() string { return managedFile }

// WithManaged reads one more file in the managed scope, beside [ManagedFile]. It must
// be there; as any managed file it must not be writable by its group or by others.
// Relative paths in it start at its folder, then at the project's root.
func WithManaged(file string) Option { return withManaged(file, "") }

// WithManagedEnv is WithManaged for a file that an environment variable has named: a
// grant in it is an error, as no environment variable grants anything.
func WithManagedEnv(file string) Option {
	return withManaged(file, "an environment variable has named this file, and none grants anything; grant it in the managed file ("+ManagedFile()+") or in the user's hooks.yaml")
}

func withManaged(file, ungranted string) Option {
	return func(o *options) error {
		if !filepath.IsAbs(file) {
			return fmt.Errorf("WithManaged: %q is no absolute path; a relative one would name another file in each folder", file)
		}
		f := managedFolder(filepath.Clean(file))
		f.Required, f.Ungranted = true, ungranted
		o.folders = append(o.folders, f)
		return nil
	}
}

// managedFolder is the folder of a managed file, of which that file alone is read.
func managedFolder(file string) source.Folder {
	return source.Folder{Scope: hooks.ScopeManaged, Dir: filepath.Dir(file), File: file}
}
