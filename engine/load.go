package engine

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/luahook/luahook/builtins"
	"github.com/luahook/luahook/engine/config"
	"github.com/luahook/luahook/engine/internal/pool"
	"github.com/luahook/luahook/engine/internal/source"
	"github.com/luahook/luahook/engine/internal/trust"
	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
	"github.com/luahook/luahook/luabind/compile"
	"github.com/luahook/luahook/luabind/lib"
)

// load reads and compiles what the options name. e.reloading is held, but by New, where old
// is nil: then the hooks of projects are left out, and are loaded when they are asked for.
func (e *Engine) load(ctx context.Context, old *loaded, why reason) *loaded {
	r := e.newLoader(ctx)
	r.old, r.why = old, why
	for i, f := range e.options.folders {
		if !f.Confined {
			r.read(i, f, source.NewBudget(source.OwnBudget))
		}
	}
	if e.options.rehearsal == nil {
		r.result.store = highest(r.contents, func(c *config.Config) string { return c.Store })
	}
	r.result.record = highest(r.contents, func(c *config.Config) string { return c.Record })
	r.tasks = r.tracker()
	r.result.tasks = r.tasks
	for _, s := range e.options.scripts {
		in := scriptSpec{scope: hooks.ScopeEmbedder, file: s.name, objects: e.options.objects, grants: e.options.grants,
			withheld: luabind.Withheld{ByProgram: true}}
		if e.options.withhold {
			in.grants, in.withheld = hooks.Grants{}, luabind.Withheld{Grants: e.options.grants, Off: onlyLookedAt}
		}
		r.source(s.name, s.source, in)
	}
	r.goCommands()
	for _, c := range r.contents {
		r.folder(c)
	}
	r.defaultBuiltins()
	switch {
	case old != nil:
		return r.projects(ctx)
	case slices.ContainsFunc(e.options.folders, func(f source.Folder) bool { return f.Confined }):
		r.result.projects = newProjects(func() *loaded { return r.projects(context.Background()) })
	}
	return r.result
}

// newLoader is a loader of hooks for the engine, which has read nothing so far.
func (e *Engine) newLoader(ctx context.Context) *loader {
	return &loader{engine: e, ctx: e.replaying(ctx), result: newLoaded(len(e.options.folders)), modules: lib.LazyModules(), words: lib.Words()}
}

// read takes in a folder, whose hooks are to be loaded with the same loading.
func (r *loader) read(i int, f source.Folder, l *source.Budget) *source.Content {
	var old *source.Content
	if r.old != nil {
		old = r.old.folders[i] // nil where nothing of it is in force so far
	}
	c, sum, gone, until := f.ReadAgain(l, old, r.engine.vanished[i], r.engine.options.vanished, r.why == asked)
	r.result.folders[i], r.result.sums[i] = c, sum
	if gone != nil {
		r.result.gone = append(r.result.gone, gone)
	}
	r.result.until = source.Earlier(r.result.until, until)
	for _, bad := range c.Errors {
		r.result.fail(f.Scope, cmp.Or(bad.Policy, c.Config.OnFailure, r.engine.options.onFailure, hooks.Block), bad.Err, bad.Paths...)
	}
	c = c.Edited(r.engine.options.edited)
	r.contents = append(r.contents, c)
	return c
}

// highest is a setting of hooks.yaml, as the highest scope has it that says it.
func highest[T comparable](contents []*source.Content, setting func(*config.Config) T) (value T) {
	var unsaid T
	first := 0
	for _, c := range contents {
		if rank := c.Folder.Scope.Rank(); setting(&c.Config) != unsaid && (value == unsaid || rank < first) {
			value, first = setting(&c.Config), rank
		}
	}
	return value
}

// loader turns sources into entries.
type loader struct {
	engine   *Engine
	ctx      context.Context
	old      *loaded // that is in force; nil: nothing is so far
	why      reason
	result   *loaded
	modules  []luabind.Module
	words    []luabind.Function
	contents []*source.Content
	skipped  int                    // command hooks of a folder that are not trusted
	warned   int                    // warnings of what can never run
	changed  string                 // what of a folder is no longer as it was trusted
	loading  *source.Budget         // of the folder that is being loaded; nil: it is none
	latest   string                 // what was loaded last of what shares that
	before   int                    // hooks before the folder
	builtins int                    // that projects list, so far
	stopped  bool                   // the folder took too much
	compiled map[[2]string]compiled // by name and source; hooks.yaml may list a file often
	tasks    TaskSink               // or nil
}

// scriptSpec is how one script is to be loaded.
type scriptSpec struct {
	scope     hooks.Scope
	file      string   // display name
	order     string   // orders the hooks; "": file
	paths     []string // absolute: the files that make it up
	with      map[string]any
	folder    *source.Content // that it lies in
	libraries map[string]*luabind.Library
	objects   []luabind.Object
	modules   []luabind.Module // beside those that every script has
	builtin   bool
	known     []luabind.Registration // what it is known to register; nil: loading it tells
	onFailure hooks.Policy           // of the file it belongs to
	listed    *source.Hook           // its entry in hooks.yaml; nil: loaded by itself
	except    map[hooks.Event]bool   // what it registers for these is left out
	grants    hooks.Grants
	withheld  luabind.Withheld
	trust     *trust.Evaluation // of the folder
	untrusted string            // why it may only deny, ask and inform
}

// folder loads the scripts and listed hooks of one folder.
func (r *loader) folder(c *source.Content) {
	if c.Config.Disabled {
		r.result.noteContent(c, nil)
		r.result.leave(c, nil, "hooks.enabled is false, so nothing of this folder runs")
		return
	}
	r.skipped, r.changed = 0, "" // else a folder would tell those of the one before
	r.loading = c.Budget()
	r.before, r.stopped = len(r.result.hooks), false
	if !c.Folder.Confined { // else the folders share what they may take
		r.latest = ""
	}
	defer func() { r.loading = nil }()
	libraries := map[string]*luabind.Library{}
	for name, f := range c.Libraries {
		if !r.goesOn(c, source.CompileWork(f.Source)) {
			break
		}
		r.latest = f.Display
		p, err := compile.Script(f.Display, f.Source)
		libraries[name] = &luabind.Library{Program: p, Err: err}
	}
	base := scriptSpec{scope: c.Folder.Scope, folder: c, libraries: libraries, onFailure: c.Config.OnFailure}
	var err error
	if base.trust, err = r.engine.evaluateTrust(c); err != nil {
		r.result.warnings = append(r.result.warnings, "nothing of this project is trusted: "+err.Error())
		r.result.unsure = true
	}
	r.result.noteContent(c, base.trust)
	for _, f := range c.Scripts {
		if !r.goesOn(c, 0) {
			break
		}
		in := base
		in.file, in.paths = f.Display, []string{f.Path}
		r.grant(&in, f, c.Config.Grants)
		r.source(f.Display, f.Source, in)
	}
	for _, h := range c.Hooks {
		switch {
		case h.Options.Disabled:
			why := "enabled is false"
			if !h.Set["enabled"] { // see readListed
				why = "its script can't be used"
			}
			r.result.leave(c, h, why)
			continue
		case h.Builtin != "" && !r.runsBuiltins(c):
			r.result.leave(c, h, "built-in hooks are left out")
			continue
		}
		if h.Builtin != "" && c.Folder.Confined {
			r.builtins++
		}
		if !r.goesOn(c, 0) {
			break
		}
		in := base
		in.listed, in.with, in.paths, in.order = h, h.With, []string{c.Path}, c.Folder.Display(c.Path)
		grants := c.Config.Grants.With(h.Grants)
		switch {
		case h.IsCommand() && r.engine.options.rehearsal != nil && !r.engine.options.rehearsal.Commands:
			r.result.leave(c, h, "command hooks don't run in tests")
		case h.IsCommand():
			if h.Script != "" {
				in.paths = append(in.paths, h.File.Path)
			}
			r.command(h, in)
		case h.Builtin != "":
			r.grant(&in, source.File{Path: c.Path}, grants)
			if in.scope == hooks.ScopeProject {
				in.grants = hooks.Grants{}
			}
			in.grants = in.grants.With(builtinGrants)
			r.builtin(builtinEntry{h.Builtin, h.With}, in)
		default:
			in.file, in.paths = h.File.Display, append(in.paths, h.File.Path)
			r.grant(&in, h.File, grants)
			r.source(h.File.Display, h.File.Source, in)
		}
	}
	r.goesOn(c, 0) // else it is said now
	for _, path := range c.UnreadScripts() {
		r.warn("%s is not loaded, so no hook of it ever runs: scripts lie in the folder itself, libraries in lib/, and others are listed in hooks.yaml", c.Folder.Display(path))
	}
	r.warnUntrusted(c)
}

const onlyLookedAt = "nothing is granted to hooks that are only looked at"

// grant gives a script what its file asks for, where that is trusted. What was edited has a text that nobody can have
// trusted, and gets nothing.
func (r *loader) grant(in *scriptSpec, f source.File, grants hooks.Grants) {
	if v := in.trust.Script(f); !v.Trusted && !f.Edited {
		r.noteChange(v)
		in.untrusted = v.Why
		if in.withheld = (luabind.Withheld{Grants: grants, Why: v.Why}); !v.Changed {
			in.withheld.Why += trust.OnlyTheUser
		}
		return
	}
	if f.FromProject { // though a file of a higher scope names it
		in.untrusted = "it lies in the project"
		in.withheld = luabind.Withheld{Grants: grants, Why: in.untrusted + ", and what lies there is the project's own"}
		return
	}
	if f.Edited || in.folder.EditedLibrary {
		in.withheld = luabind.Withheld{Grants: grants, Off: "capabilities are off where a text is edited and not saved"}
		return
	}
	if r.engine.options.withhold {
		in.withheld = luabind.Withheld{Grants: grants, Why: onlyLookedAt}
		return
	}
	in.grants = grants
}

// root is that of the project which what is loaded is about.
func (in *scriptSpec) root(o *options) string {
	if in.folder != nil && in.folder.Folder.Around > 0 {
		return in.folder.Folder.Root
	}
	return o.root
}

// surveyed reports whether a person has seen what the script registers when it has no
// capabilities: it must not register anything else now that it has some.
func (in *scriptSpec) surveyed() bool {
	return in.trust != nil && in.trust.Pin != nil && !in.trust.Pin.Folder && !in.grants.None() && (in.listed == nil || in.listed.Builtin == "")
}

// source compiles one script and loads it.
func (r *loader) source(name, text string, in scriptSpec) {
	file := [2]string{name, text}
	p, again := r.compiled[file]
	if !again {
		if in.folder != nil && !r.goesOn(in.folder, source.CompileWork(text)) {
			return
		}
		p.program, p.err = compile.Script(name, text)
		if r.compiled == nil {
			r.compiled = map[[2]string]compiled{}
		}
		r.compiled[file] = p
	}
	r.script(p.program, p.err, in)
}

// compiled is what came of compiling a file.
type compiled struct {
	program *compile.Program
	err     error
}

// script loads a program once, unless it is known what it registers, and makes entries of
// that. err is why there is no program.
func (r *loader) script(program *compile.Program, err error, in scriptSpec) {
	if err != nil {
		r.fail(in, err)
		return
	}
	modules := r.modules // shared by most scripts
	if len(in.modules) > 0 {
		modules = slices.Concat(modules, in.modules)
	}
	s := &pool.Script{Program: program, Environment: luabind.Environment{
		Modules: modules, Words: r.words, Libraries: in.libraries, With: in.with, Objects: in.objects,
		Logger: r.engine.options.logger.With("hook", in.file), Limits: r.bounds(in).run, Stragglers: r.engine.stragglers,
		Grants: in.grants, Withheld: in.withheld, Root: in.root(&r.engine.options), Depth: r.engine.depth + 1, Tidy: in.builtin,
		Services: r.services(in),
	}}
	if rehearsal := r.engine.options.rehearsal; rehearsal != nil && !in.builtin {
		s.Environment.Coverage = rehearsal.Coverage
	}
	var allowance *luabind.Allowance
	if r.loading != nil {
		allowance, r.latest = &r.loading.Allowance, in.file
	}
	if in.surveyed() {
		if err := s.RegisterBare(r.ctx, allowance); err != nil {
			r.fail(in, err)
			return
		}
	}
	var state *luabind.State // nil: made by the first event that needs one
	registrations := in.known
	if registrations == nil {
		if state, err = s.FirstState(r.ctx, allowance); err != nil {
			r.fail(in, err)
			return
		}
		registrations = state.Registrations()
	}
	s.Registrations = registrations // not before: a state is held against what a survey has seen
	entries, err := r.hooksOf(s, in)
	if err != nil {
		r.fail(in, err)
		return
	}
	if len(registrations) == 0 && in.listed == nil && !in.builtin {
		r.warn("%s registers no hook, so nothing of it ever runs: call on(...), move a library to lib/, or begin its name with _", in.file)
	}
	r.warnOtherSpellings(s, entries, in)
	r.result.hooks = append(r.result.hooks, entries...)
	r.result.scripts = append(r.result.scripts, s)
	if state != nil && len(entries) > 0 {
		r.engine.pool.Add(s, state)
	}
}

// fail notes that a script can't be used, whatever the kind of the error is. Beside
// the script itself, the libraries that may be to blame may be fixed.
func (r *loader) fail(in scriptSpec, err error) {
	if r.loading != nil && r.loading.Problem() != "" { // which is said of the folder
		return
	}
	e := *hooks.AsError(err, hooks.KindLoad)
	e.Kind = hooks.KindLoad
	policy, events := cmp.Or(in.onFailure, r.engine.options.onFailure, hooks.Block), blockedWithout(in)
	if len(events) > 0 && in.builtin {
		policy = hooks.Block
	}
	if in.listed != nil {
		policy = cmp.Or(in.listed.Options.OnFailure, policy)
		if in.listed.Builtin != "" && !at(in.listed.Source, e.Source) { // what is to be fixed is its entry, not our script
			e = *builtinMistake(in.listed, &e)
		}
	}
	paths := in.paths
	for name, l := range in.libraries {
		if in.folder == nil { // those of a built-in are ours
			break
		}
		if f := in.folder.Libraries[name]; l.Err != nil || strings.HasPrefix(e.Source, f.Display+":") {
			paths = append(paths, f.Path)
		}
	}
	f := r.result.fail(in.scope, policy, &e, paths...)
	f.events = append(f.events, events...)
}

// builtinMistake is an error of a built-in hook at its entry in hooks.yaml: at its options, where it has some.
func builtinMistake(h *source.Hook, e *hooks.Error) *hooks.Error {
	text := e.Message
	if where := strings.TrimPrefix(e.Source, "builtin:"); !strings.HasPrefix(text, where+": ") { // else it says so itself
		text = where + ": " + text
	}
	if h.Set["with"] {
		return h.Errorf("with", "%s", text)
	}
	return h.Mistake("%s", text)
}

// at reports whether a source is that of an entry of hooks.yaml, or a column of it.
func at(entry, source string) bool { return source == entry || strings.HasPrefix(source, entry+":") }

// blockedWithout are the events that must not go on without a script: of a built-in those for
// which it says so itself, of others the one under which it is listed, where failures block
// that.
func blockedWithout(in scriptSpec) (events []hooks.Event) {
	if !in.builtin {
		if in.listed != nil {
			if info := hooks.Lookup(in.listed.Event); info != nil && info.OnFailure == hooks.Block {
				events = append(events, info.Name)
			}
		}
		return events
	}
	for _, h := range builtins.Hooks(strings.TrimPrefix(in.file, "builtin:")) {
		event := hooks.Event(h.Event)
		if hooks.Policy(h.OnFailure) == hooks.Block && (in.listed == nil || in.listed.Event == event) {
			events = append(events, event)
		}
	}
	return events
}

// evaluateTrust is trust.Evaluate by the engine's file.
func (e *Engine) evaluateTrust(c *source.Content) (*trust.Evaluation, error) {
	c = c.AsRead()
	if e.options.rehearsal != nil {
		return &trust.Evaluation{Pin: &trust.Pin{Folder: true}}, nil
	}
	if err := trust.CheckFile(e.options.trust, c.Folder); err != nil {
		s, _ := trust.Evaluate(trust.NewStore(""), c) // which holds nothing
		return s, err
	}
	return trust.Evaluate(trust.NewStore(e.options.trust), c)
}

// maxProjectHooks bounds the hooks of one folder.
const maxProjectHooks = 4000

// maxProjectBuiltins bounds the built-ins that the projects of an engine list: each has the time of
// a built-in, however often it is listed, which is more than a script of theirs has.
const maxProjectBuiltins = 32

// goesOn reports whether more of the folder may be loaded, which takes so much work. Where
// it may not the folder can't be used as a whole, which is said once.
func (r *loader) goesOn(c *source.Content, units int64) bool {
	problem, ok := "", r.loading.Spend(units)
	switch {
	case r.stopped:
		return false
	case !ok:
		problem = r.loading.Problem()
	case len(r.result.hooks)-r.before > maxProjectHooks:
		problem = fmt.Sprintf("it has more than %d hooks", maxProjectHooks)
	case r.builtins > maxProjectBuiltins:
		problem = fmt.Sprintf("it lists more than %d built-in hooks; list each once", maxProjectBuiltins)
	default:
		return true
	}
	r.stopped = true
	if r.latest != "" {
		problem += "; that was reached at " + r.latest
	}
	err := &hooks.Error{Kind: hooks.KindLoad, Source: c.Folder.Display(c.Folder.Dir), Message: problem + "; what comes after that isn't loaded"}
	r.result.fail(c.Folder.Scope, cmp.Or(c.Config.OnFailure, r.engine.options.onFailure, hooks.Block), err)
	return false
}

// loadingLimit is how much work a project may take: what the highest files and the options
// say, the tightest of it; see bounds.
func (r *loader) loadingLimit() int64 {
	limit := r.engine.options.loading
	for _, c := range r.contents {
		if said := c.Config.Limits.Loading; said > 0 && (limit == 0 || said < limit) {
			limit = said
		}
	}
	return cmp.Or(limit, source.DefaultBudget)
}
