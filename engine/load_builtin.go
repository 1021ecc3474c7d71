package engine

import (
	"fmt"
	"sync"

	"github.com/luahook/luahook/builtins"
	"github.com/luahook/luahook/engine/internal/source"
	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
	"github.com/luahook/luahook/luabind/compile"
	"github.com/luahook/luahook/luabind/lib"
)

// defaultBuiltins adds the guard that is on without any configuration, and what
// WithBuiltin adds. Where the user's own or the managed configuration names the guard
// under an event, that entry stands in for it there, and its options hold for the events
// under which nobody names it; one that is not enabled takes it away altogether, and so
// does switching all hooks off in the user's. What WithBuiltinByDefault adds any such entry takes
// away.
func (r *loader) defaultBuiltins() {
	var running []builtinEntry
	guard, except := r.engine.options.builtins, map[hooks.Event]bool{}
	var with map[string]any
	others, named := r.engine.options.builtins, map[string]bool{}
	for _, c := range r.contents {
		if c.Folder.Scope != hooks.ScopeUser && c.Folder.Scope != hooks.ScopeManaged {
			continue
		}
		off := c.Config.Disabled && c.Folder.Scope == hooks.ScopeUser
		guard, others = guard && !off, others && !off
		for _, h := range c.Hooks {
			named[h.Builtin] = named[h.Builtin] || c.Folder.Ungranted == ""
			if h.Builtin == builtins.Default && c.Folder.Ungranted == "" { // the environment only adds
				guard = guard && !h.Options.Disabled
				except[h.Event] = true
				if with == nil && !r.result.failed(h.Source) {
					with = h.With
				}
			}
			if h.Builtin != "" && !h.Options.Disabled && r.runsBuiltins(c) && !c.Config.Disabled {
				running = append(running, builtinEntry{h.Builtin, h.With})
			}
		}
	}
	own := scriptSpec{scope: hooks.ScopeUser, grants: builtinGrants}
	if _, ok := builtins.Find(builtins.Default); guard && ok {
		in := own
		in.except = except
		r.builtin(builtinEntry{builtins.Default, with}, in)
		if len(except) == 0 {
			running = append(running, builtinEntry{name: builtins.Default})
		}
	}
	for _, name := range r.engine.options.defaults {
		if others && !named[name] {
			r.builtin(builtinEntry{name: name}, own)
			running = append(running, builtinEntry{name: name})
		}
	}
	for _, b := range r.engine.options.added {
		if !contains(running, b) {
			r.builtin(b, own)
			running = append(running, b)
		}
	}
}

// runsBuiltins reports whether the built-ins that a folder's hooks.yaml names run: those
// of the managed one always do.
func (r *loader) runsBuiltins(c *source.Content) bool {
	return r.engine.options.builtins || c.Folder.Scope == hooks.ScopeManaged
}

// builtinGrants is what every built-in may do: it is ours.
var builtinGrants = hooks.Grants{FSRead: true, Git: true, Tasks: true}

func contains(list []builtinEntry, b builtinEntry) bool {
	for _, other := range list {
		if other.name == b.name && fmt.Sprint(other.with) == fmt.Sprint(b.with) {
			return true
		}
	}
	return false
}

func (r *loader) builtin(b builtinEntry, in scriptSpec) {
	known := builtinPrograms(b.name) // that it is there was checked where it was named
	in.file, in.with = "builtin:"+b.name, b.with
	in.builtin, in.libraries = true, known.libraries
	host := r.engine.host()
	host.Root = in.root(&r.engine.options)
	host.Base = in.folder.PatternRoot(r.engine.options.root)
	in.modules = []luabind.Module{
		luabind.LazyModule("host", func() luabind.Module { return lib.HostModule(host) }),
		luabind.LazyModule("passes", lib.PassesModule), luabind.LazyModule("audit", lib.AuditModule),
		luabind.LazyModule("patterns", lib.PatternsModule), luabind.LazyModule("rules", lib.RulesModule),
	}
	if len(b.with) == 0 && r.ample(in) {
		in.known = known.registrations()
	}
	program, err := known.program()
	r.script(program, err, in)
}

// ample reports whether there is room for any built-in to load within the time of a run: then
// the first event that needs it may pay for that. Where limits are tighter, it is tried.
func (r *loader) ample(in scriptSpec) bool {
	b, defaults := r.bounds(in), orDefaults(Limits{Timeout: builtinTimeout, Instructions: builtinInstructions})
	return defaults.Within(b.run) == defaults && (b.event == 0 || b.event >= builtinTimeout) && (in.listed == nil || in.listed.Options.Timeout == 0)
}

// builtinProgram is a built-in and its libraries, which never change.
type builtinProgram struct {
	program       func() (*compile.Program, error)
	libraries     map[string]*luabind.Library
	registrations func() []luabind.Registration // without options; nil: not known ahead
}

var knownBuiltins sync.Map // of *builtinProgram, by the built-in's name

func builtinPrograms(name string) *builtinProgram {
	if known, ok := knownBuiltins.Load(name); ok {
		return known.(*builtinProgram)
	}
	file, _ := builtins.Find(name)
	own := "builtin:" + name
	files := builtins.Files(name)
	b := &builtinProgram{libraries: make(map[string]*luabind.Library, len(files))}
	b.program = sync.OnceValues(func() (*compile.Program, error) { return builtinCode(own, file) })
	b.registrations = sync.OnceValue(func() []luabind.Registration { return builtinHooks(name) })
	for library, file := range files {
		name := own + "/" + library
		b.libraries[library] = luabind.LazyLibrary(name, func() (*compile.Program, error) { return builtinCode(name, file) })
	}
	known, _ := knownBuiltins.LoadOrStore(name, b)
	return known.(*builtinProgram)
}

// builtinCode takes the compiled form of a file that comes with it, where it fits the file
// and this version of the VM.
func builtinCode(name string, file builtins.File) (*compile.Program, error) {
	if code, ok := file.Compiled(); ok {
		if p, err := compile.Decode(name, code); err == nil {
			return p, nil
		}
	}
	return compile.Script(name, file.Source())
}

// builtinHooks is what a built-in registers that has no options.
func builtinHooks(name string) []luabind.Registration {
	var list []luabind.Registration
	for _, h := range builtins.Hooks(name) {
		o := hooks.Options{Name: h.Name, OnFailure: hooks.Policy(h.OnFailure), Always: h.Always}
		if h.Match != nil {
			m, err := hooks.MatchFields(h.Match)
			if err != nil { // loading it says what is wrong
				return nil
			}
			o.Match = m
		}
		list = append(list, luabind.Registration{
			Event: hooks.Event(h.Event), Options: o, Source: "builtin:" + name + ":" + h.Line, Answers: h.Answers,
		})
	}
	return list
}
