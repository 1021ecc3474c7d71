package engine

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/luahook/luahook/engine/internal/source"
	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
	"github.com/luahook/luahook/luabind/lib"
)

// Rehearsal is what hooks are tested with: an engine in which they run as in life, but for
// what they reach outside of their sandbox. Package luatest makes tests in Lua of it.
type Rehearsal struct {
	// Root is the folder that hooks take for the project's root, an absolute path: what they
	// read and write, and where programs run. "": the project's own.
	Root string
	// Outside stands in for programs, requests, git and the clock; nil: all are real.
	Outside lib.Outside
	// Commands says that command hooks run. Else they are left out.
	Commands bool
	// Coverage notes which lines of scripts run, but for those of built-in hooks; nil: nobody
	// wants to know.
	Coverage *luabind.Coverage
	// Skip reports whether a hook is left out now, by the file:line of its registration. It is
	// asked for each event, from several goroutines; nil: none is.
	Skip func(source string) bool
}

// WithRehearsal makes an engine for tests. The machine's own managed file ([ManagedFile]) and
// the projects around that of [WithProject] are left out, as a test should not depend on where
// it runs; the project counts as trusted; and scripts are loaded anew for each event, as they
// are where each event is a process of its own. Nothing that such an engine decides should be
// relied on for anything else.
func WithRehearsal(r Rehearsal) Option {
	return func(o *options) error {
		if r.Root != "" && !filepath.IsAbs(r.Root) {
			return errors.New("WithRehearsal: Root is a relative path")
		}
		o.rehearsal = &r
		return nil
	}
}

// rehearse has the options follow from those of [WithRehearsal].
func (o *options) rehearse() {
	r := o.rehearsal
	if r == nil {
		return
	}
	if r.Root != "" {
		o.root = r.Root
	}
	o.around = nil
	o.folders = slices.DeleteFunc(slices.Clone(o.folders), func(f source.Folder) bool {
		return f.Around > 0 || f.Scope == hooks.ScopeManaged && f.File == managedFile && !f.Required
	})
}

// skips reports whether a hook is left out for now.
func (r *Rehearsal) skips(e *hook) bool { return r != nil && r.Skip != nil && r.Skip(e.source) }

// inRoot is a path of a project's as it is in the rehearsal's root.
func (r *Rehearsal) inRoot(root, path string) string {
	if r == nil || r.Root == "" {
		return path
	}
	if rel, err := filepath.Rel(root, path); err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return filepath.Join(r.Root, rel)
	}
	return path
}
