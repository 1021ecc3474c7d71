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

func (l *loaded) fail(scope hooks.Scope, path string, err error) {
	l.faults = append(l.faults, &fault{scope: scope, path: path, err: hooks.AsError(err, hooks.KindLoad)})
}

// load reads and compiles everything that the options name.
func (e *Engine) load(ctx context.Context) *loaded {
	r := &loader{engine: e, ctx: ctx, result: &loaded{}, modules: lib.Modules(), limits: e.options.limits}
	var contents []*folderContent
	for _, f := range e.options.folders {
		c := f.read()
		for _, bad := range c.faults {
			r.result.fail(f.scope, bad.path, bad.err)
		}
		r.limits = c.config.limits.Within(r.limits)
		contents = append(contents, c)
	}
	for _, s := range e.options.scripts {
		r.source(s.name, s.source, instance{scope: hooks.ScopeEmbedder, file: s.name, objects: e.options.objects})
	}
	r.defaultBuiltins(contents)
	for _, c := range contents {
		r.folder(c)
	}
	return r.result
}

// loader turns sources into entries.
type loader struct {
	engine  *Engine
	ctx     context.Context
	result  *loaded
	modules []luabind.Module
	limits  Limits // the tightest of engine and files
}

// instance is how one script is to be loaded.
type instance struct {
	scope     hooks.Scope
	file      string // display name, orders the hooks
	path      string // absolute, of a fault
	with      map[string]any
	libraries map[string]*luabind.Library
	objects   []luabind.HostObject
	onFailure hooks.Policy // of the file it belongs to
	listed    *listedHook  // its entry in hooks.yaml; nil: loaded by itself
}

// defaultBuiltins adds the guard that is on without any configuration, unless the
// user's own configuration names it or switches hooks off, and what WithBuiltin
// adds.
func (r *loader) defaultBuiltins(contents []*folderContent) {
	var running []builtinEntry
	guard := r.engine.options.builtins
	for _, c := range contents {
		if c.folder.scope != hooks.ScopeUser {
			continue
		}
		guard = guard && !c.config.disabled
		for _, h := range c.config.hooks {
			guard = guard && h.builtin != builtins.Default
			if h.builtin != "" && !h.options.Disabled && r.engine.options.builtins && !c.config.disabled {
				running = append(running, builtinEntry{h.builtin, h.with})
			}
		}
	}
	if _, ok := builtins.Source(builtins.Default); guard && ok {
		r.builtin(builtinEntry{name: builtins.Default}, instance{scope: hooks.ScopeUser})
		running = append(running, builtinEntry{name: builtins.Default})
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
	source, ok := builtins.Source(b.name)
	if !ok {
		r.result.fail(in.scope, in.path, unknownBuiltin(b.name))
		return
	}
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
	base := instance{scope: c.folder.scope, libraries: libraries, onFailure: c.config.onFailure}
	for _, f := range c.scripts {
		in := base
		in.file, in.path = f.display, f.path
		r.source(f.display, f.source, in)
	}
	for i := range c.config.hooks {
		h := &c.config.hooks[i]
		if h.options.Disabled || (h.builtin != "" && !r.engine.options.builtins) {
			continue
		}
		in := base
		in.listed, in.with, in.path = h, h.with, c.config.path
		if h.builtin != "" {
			r.builtin(builtinEntry{h.builtin, h.with}, in)
			continue
		}
		in.file, in.path = h.file.display, h.file.path
		r.source(h.file.display, h.file.source, in)
	}
}

// source compiles one script, loads it once and makes entries of what it
// registered.
func (r *loader) source(name, source string, in instance) {
	program, err := luabind.Compile(name, source)
	if err != nil {
		r.result.fail(in.scope, in.path, err)
		return
	}
	s := &script{program: program, environment: luabind.Environment{
		Modules: r.modules, Libraries: in.libraries, With: in.with, Objects: in.objects,
		Logger: r.engine.options.logger.With("hook", name), Limits: r.limits,
	}}
	state, err := s.newState(r.ctx)
	if err != nil {
		r.result.fail(in.scope, in.path, loadFault(err))
		return
	}
	s.registrations = state.Registrations()
	entries, err := r.entries(s, in)
	if err != nil {
		state.Close()
		r.result.fail(in.scope, in.path, err)
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

// loadFault is the error of a script that failed while it loaded, whatever the
// kind of the failure was.
func loadFault(err error) error {
	e := *hooks.AsError(err, hooks.KindLoad)
	e.Kind = hooks.KindLoad
	return &e
}

// entries makes the plan's entries of a script's registrations.
func (r *loader) entries(s *script, in instance) ([]*entry, error) {
	var entries []*entry
	count := map[string]int{}
	for i, reg := range s.registrations {
		if in.listed != nil && reg.Event != in.listed.event {
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
		if count[e.options.Name]++; count[e.options.Name] > 1 {
			e.options.Name = fmt.Sprintf("%s#%d", e.options.Name, count[e.options.Name])
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
