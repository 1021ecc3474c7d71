package engine

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"

	"github.com/luahook/luahook/builtins"
	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
)

// Limits bound one run of a hook: VM instructions, wall clock, and memory in bytes.
// Zero means the default: 5,000,000 instructions, 1 s and 64 MiB.
type Limits = luabind.Limits

// Option is a setting of [New].
type Option func(*options) error

type options struct {
	logger    *slog.Logger
	limits    Limits // complete
	given     Limits // what of them WithLimits has said; zero: nothing
	onFailure hooks.Policy
	maxStates int
	builtins  bool
	added     []builtinEntry
	folders   []folder
	scripts   []inlineScript
	objects   []luabind.HostObject
}

type builtinEntry struct {
	name string
	with map[string]any
}

type inlineScript struct{ name, source string }

func defaultOptions() options {
	return options{logger: slog.New(slog.DiscardHandler), limits: luabind.DefaultLimits, maxStates: 512, builtins: true}
}

// WithProject reads a project's hooks: the scripts and hooks.yaml of its .hooks
// folder, in project scope. [FindProject] finds it. A folder that isn't there is no
// error, one that can't be used blocks as [New] describes.
func WithProject(p Project) Option {
	return func(o *options) error {
		if p.Root == "" {
			return errors.New("WithProject: the project has no root; FindProject finds it")
		}
		root, err := filepath.Abs(p.Root)
		if err != nil {
			return err
		}
		dir := filepath.Join(root, ".hooks")
		if p.Hooks != "" {
			if dir, err = filepath.Abs(p.Hooks); err != nil {
				return err
			}
		}
		o.folders = append(o.folders, folder{scope: hooks.ScopeProject, dir: dir, scripts: dir, root: root, confined: true, refused: p.Refused})
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
		if err := isFolder(dir); err != nil {
			return err
		}
		dir, err := filepath.Abs(dir)
		if err != nil {
			return err
		}
		if root, err = filepath.Abs(root); err != nil {
			return err
		}
		o.folders = append(o.folders, folder{scope: hooks.ScopeProject, dir: dir, scripts: dir, root: root})
		return nil
	}
}

// WithUserDir reads the user's configuration folder, dir/hooks.yaml and
// dir/hooks/*.lua, in user scope. [UserDir] names the usual one. A folder that isn't
// there is no error, and neither is no folder at all (""), which is what UserDir gives
// where there is no home.
func WithUserDir(dir string) Option {
	return func(o *options) error {
		if dir == "" {
			return nil // not the current folder, which anybody may have filled
		}
		dir, err := filepath.Abs(dir)
		if err != nil {
			return err
		}
		o.folders = append(o.folders, folder{scope: hooks.ScopeUser, dir: dir, scripts: filepath.Join(dir, "hooks"), root: dir})
		return nil
	}
}

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

// WithBuiltin adds a built-in hook with options, in user scope. Where the same one
// runs in that scope with the same options already, it adds none.
func WithBuiltin(name string, with map[string]any) Option {
	return func(o *options) error {
		if _, ok := builtins.Source(name); !ok {
			return unknownBuiltin(name)
		}
		o.added = append(o.added, builtinEntry{name, with})
		return nil
	}
}

func unknownBuiltin(name string) error {
	if near := hooks.DidYouMean(name, builtins.Names()); near != "" {
		return fmt.Errorf("unknown built-in %q%s", name, near)
	}
	return fmt.Errorf("unknown built-in %q; there is %s", name, strings.Join(builtins.Names(), ", "))
}

// WithoutBuiltins removes the default safety-guard and the built-ins that the
// user's and the project's hooks.yaml name; scripts stay, and so does what
// WithBuiltin adds.
func WithoutBuiltins() Option {
	return func(o *options) error { o.builtins = false; return nil }
}

// WithHostObject lets the scripts of WithScript call the named methods of a Go
// value, as name.Method(...). Project and user scripts never see it. A method may
// block; one that outlasts its run is left behind, see [Engine.Stragglers]. See
// [luabind.HostObject] for what may cross.
func WithHostObject(name string, value any, methods ...string) Option {
	return func(o *options) error {
		object := luabind.HostObject{Name: name, Value: value, Methods: methods}
		if err := object.Check(); err != nil {
			return err
		}
		o.objects = append(o.objects, object)
		return nil
	}
}

// WithLogger is where print and the log module of scripts write. Default: nowhere.
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
		case l.Memory > 0 && l.Memory < minMemory:
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
// those kept for the next event. Default 512; a state takes about 100 KB.
func WithMaxStates(n int) Option {
	return func(o *options) error {
		if n < 1 {
			return fmt.Errorf("WithMaxStates: %d, want at least 1", n)
		}
		o.maxStates = n
		return nil
	}
}
