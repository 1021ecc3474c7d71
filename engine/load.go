package engine

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/luahook/luahook/builtins"
	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
	"github.com/luahook/luahook/luabind/lib"
)

// loaded is everything that one reading of the sources gave.
type loaded struct {
	entries []*entry
	faults  []*fault
	scripts []*script
}

func (l *loaded) err() error {
	var list []error
	for _, f := range l.faults {
		list = append(list, f.err)
	}
	return errors.Join(list...)
}

func (l *loaded) retire(p *pool) {
	for _, s := range l.scripts {
		p.retire(s)
	}
}

// breaks tells whether a file is at fault here that was not in old.
func (l *loaded) breaks(old *loaded) bool {
	known := map[string]bool{}
	for _, f := range old.faults {
		for _, name := range f.files() {
			known[name] = true
		}
	}
	for _, f := range l.faults {
		for _, name := range f.files() {
			if !known[name] {
				return true
			}
		}
	}
	return false
}

// fail notes what can't be used; a script that is listed twice fails once.
func (l *loaded) fail(scope hooks.Scope, err error, paths ...string) {
	e := hooks.AsError(err, hooks.KindLoad)
	for _, f := range l.faults {
		if f.scope == scope && f.err.Error() == e.Error() {
			return
		}
	}
	l.faults = append(l.faults, &fault{scope: scope, paths: paths, err: e})
}

// load reads and compiles everything that the options name.
func (e *Engine) load(ctx context.Context) *loaded {
	r := &loader{engine: e, ctx: ctx, result: &loaded{}, modules: lib.Modules()}
	for _, f := range e.options.folders {
		c := f.read()
		for _, bad := range c.faults {
			r.result.fail(f.scope, bad.err, bad.paths...)
		}
		r.contents = append(r.contents, c)
	}
	for _, s := range e.options.scripts {
		r.source(s.name, s.source, instance{scope: hooks.ScopeEmbedder, file: s.name, objects: e.options.objects})
	}
	r.defaultBuiltins()
	for _, c := range r.contents {
		r.folder(c)
	}
	return r.result
}

// loader turns sources into entries.
type loader struct {
	engine   *Engine
	ctx      context.Context
	result   *loaded
	modules  []luabind.Module
	contents []*folderContent
}

// limits are those of one script: the tightest of what the engine, the files of the
// higher scopes and those of its own scope say. A lower scope's don't reach up: a
// project could break the user's guards with them. A project is held to the defaults
// as well; the user's own configuration, and a folder that the user names, may go
// above them where WithLimits leaves that open.
func (r *loader) limits(in instance) Limits {
	limits := r.engine.options.given
	for _, c := range r.contents {
		if c.folder.scope.Rank() <= in.scope.Rank() {
			limits = c.config.limits.Within(limits)
		}
	}
	if in.folder != nil && in.folder.folder.confined {
		limits = limits.Within(r.engine.options.limits)
	}
	return orDefaults(limits)
}

// instance is how one script is to be loaded.
type instance struct {
	scope     hooks.Scope
	file      string   // display name, orders the hooks
	paths     []string // absolute: the files that make it up
	with      map[string]any
	folder    *folderContent // that it lies in
	libraries map[string]*luabind.Library
	objects   []luabind.HostObject
	onFailure hooks.Policy         // of the file it belongs to
	listed    *listedHook          // its entry in hooks.yaml; nil: loaded by itself
	except    map[hooks.Event]bool // what it registers for these is left out
}

// defaultBuiltins adds the guard that is on without any configuration, and what
// WithBuiltin adds. Where the user's own configuration names the guard under an event,
// that entry stands in for it there; one that is not enabled takes it away altogether,
// and so does switching all hooks off.
func (r *loader) defaultBuiltins() {
	var running []builtinEntry
	guard, except := r.engine.options.builtins, map[hooks.Event]bool{}
	for _, c := range r.contents {
		if c.folder.scope != hooks.ScopeUser {
			continue
		}
		guard = guard && !c.config.disabled
		for _, h := range c.config.hooks {
			if h.builtin == builtins.Default {
				guard = guard && !h.options.Disabled
				except[h.event] = true
			}
			if h.builtin != "" && !h.options.Disabled && r.engine.options.builtins && !c.config.disabled {
				running = append(running, builtinEntry{h.builtin, h.with})
			}
		}
	}
	if _, ok := builtins.Source(builtins.Default); guard && ok {
		r.builtin(builtinEntry{name: builtins.Default}, instance{scope: hooks.ScopeUser, except: except})
		if len(except) == 0 {
			running = append(running, builtinEntry{name: builtins.Default})
		}
	}
	for _, b := range r.engine.options.added {
		if !contains(running, b) {
			r.builtin(b, instance{scope: hooks.ScopeUser})
			running = append(running, b)
		}
	}
}

func contains(list []builtinEntry, b builtinEntry) bool {
	for _, other := range list {
		if other.name == b.name && fmt.Sprint(other.with) == fmt.Sprint(b.with) {
			return true
		}
	}
	return false
}

func (r *loader) builtin(b builtinEntry, in instance) {
	source, _ := builtins.Source(b.name) // that it is there was checked where it was named
	in.file, in.with = "builtin:"+b.name, b.with
	r.source(in.file, source, in)
}

// folder loads the scripts and listed hooks of one folder.
func (r *loader) folder(c *folderContent) {
	if c.config.disabled {
		return
	}
	libraries := map[string]*luabind.Library{}
	for name, f := range c.libraries {
		p, err := luabind.Compile(f.display, f.source)
		libraries[name] = &luabind.Library{Program: p, Err: err}
	}
	base := instance{scope: c.folder.scope, folder: c, libraries: libraries, onFailure: c.config.onFailure}
	for _, f := range c.scripts {
		in := base
		in.file, in.paths = f.display, []string{f.path}
		r.source(f.display, f.source, in)
	}
	for i := range c.config.hooks {
		h := &c.config.hooks[i]
		if h.options.Disabled || (h.builtin != "" && !r.engine.options.builtins) {
			continue
		}
		in := base
		in.listed, in.with, in.paths = h, h.with, []string{c.config.path}
		if h.builtin != "" {
			r.builtin(builtinEntry{h.builtin, h.with}, in)
			continue
		}
		in.file, in.paths = h.file.display, append(in.paths, h.file.path)
		r.source(h.file.display, h.file.source, in)
	}
}

// source compiles one script, loads it once and makes entries of what it
// registered.
func (r *loader) source(name, source string, in instance) {
	program, err := luabind.Compile(name, source)
	if err != nil {
		r.fail(in, err)
		return
	}
	s := &script{program: program, environment: luabind.Environment{
		Modules: r.modules, Libraries: in.libraries, With: in.with, Objects: in.objects,
		Logger: r.engine.options.logger.With("hook", name), Limits: r.limits(in), Stragglers: r.engine.stragglers,
	}}
	state, err := s.newState(r.ctx)
	if err != nil {
		r.fail(in, err)
		return
	}
	s.registrations = state.Registrations()
	entries, err := r.entries(s, in)
	if err != nil {
		state.Close()
		r.fail(in, err)
		return
	}
	r.result.entries = append(r.result.entries, entries...)
	r.result.scripts = append(r.result.scripts, s)
	if len(entries) == 0 {
		state.Close()
		return
	}
	r.engine.pool.add(s, state)
}

// fail notes that a script can't be used, whatever the kind of the error is. Beside
// the script itself, the libraries that may be to blame may be mended.
func (r *loader) fail(in instance, err error) {
	e := *hooks.AsError(err, hooks.KindLoad)
	e.Kind = hooks.KindLoad
	if in.listed != nil && in.listed.builtin != "" { // what is to be mended is its entry, not our script
		e.Message = e.Source + ": " + e.Message
		e.Source, e.Traceback = in.listed.source, ""
	}
	paths := in.paths
	for name, l := range in.libraries {
		if f := in.folder.libraries[name]; l.Err != nil || strings.HasPrefix(e.Source, f.display+":") {
			paths = append(paths, f.path)
		}
	}
	r.result.fail(in.scope, &e, paths...)
}

// entries makes the plan's entries of a script's registrations.
func (r *loader) entries(s *script, in instance) ([]*entry, error) {
	var entries []*entry
	count := map[string]int{}
	for i, reg := range s.registrations {
		if in.except[reg.Event] || (in.listed != nil && reg.Event != in.listed.event) {
			continue
		}
		e := &entry{
			event: reg.Event, options: reg.Options, scope: in.scope, file: in.file, source: reg.Source,
			handler: hooks.HandlerLua, script: s, index: i,
		}
		if in.listed != nil {
			if err := in.listed.override(&e.options); err != nil {
				return nil, err
			}
		}
		if e.options.OnFailure == "" {
			e.options.OnFailure = in.onFailure
		}
		if e.options.OnFailure == "" {
			e.options.OnFailure = r.engine.options.onFailure
		}
		if e.options.Name == "" {
			e.options.Name = scriptName(in.file)
		}
		key := string(e.event) + " " + e.options.Name
		if count[key]++; count[key] > 1 {
			e.options.Name = fmt.Sprintf("%s#%d", e.options.Name, count[key])
		}
		entries = append(entries, e)
	}
	if in.listed != nil && len(entries) == 0 {
		return nil, in.listed.errorf("%s registers nothing for %s", in.file, in.listed.event)
	}
	return entries, nil
}

// scriptName is what a hook is called that has no name of its own.
func scriptName(file string) string {
	name := strings.TrimPrefix(file, "builtin:")
	return strings.TrimSuffix(filepath.Base(filepath.ToSlash(name)), ".lua")
}
