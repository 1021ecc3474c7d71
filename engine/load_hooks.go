package engine

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/luahook/luahook/engine/internal/command"
	"github.com/luahook/luahook/engine/internal/pool"
	"github.com/luahook/luahook/engine/internal/source"
	"github.com/luahook/luahook/engine/internal/trust"
	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
)

// command makes an entry of a command hook.
func (r *loader) command(h *source.Hook, in scriptSpec) {
	e := &hook{
		event: h.Event, options: h.Options, scope: in.scope, file: in.order, source: h.Source,
		handler: hooks.HandlerCommand, inject: h.InjectOutput, spelling: h.Key,
	}
	text, args, err := in.folder.CommandProgram(h)
	if err == nil {
		e.command, err = command.New(text, args)
	}
	if err != nil {
		r.fail(in, h.Mistake("%v", err))
		return
	}
	if e.options.Timeout == 0 {
		e.options.Timeout = commandTimeout
	}
	if e.options.Name == "" {
		e.options.Name = commandName(h)
	}
	e.options.Name = source.Plain(e.options.Name)
	r.finish(e, in)
	r.warnNeverRuns(e)
	switch v := in.trust.Command(h); {
	case v.Trusted:
		e.still = v.Recheck
	case v.Changed:
		r.noteChange(v)
		e.still = func() error { return errors.New(v.Why) }
		if again := v.Recheck; again != nil { // it may be as it was trusted by then
			e.still = again
		}
	default:
		e.skip = &hooks.Error{Kind: hooks.KindTrust, Hook: e.options.Name, Source: e.source, Message: "skipped: " + v.Why}
		r.skipped++
	}
	r.result.hooks = append(r.result.hooks, e)
}

// commandName is what a command hook is called that has no name of its own: its
// program, or the file that it gives an interpreter.
func commandName(h *source.Hook) string {
	if h.Script != "" {
		return filepath.Base(filepath.ToSlash(h.Script))
	}
	words := strings.Fields(h.Command)
	if h.Args != nil {
		words = append([]string{h.Command}, h.Args...)
	}
	for i, w := range words {
		w = filepath.Base(filepath.ToSlash(strings.Trim(w, `"'`)))
		next := i + 1
		if slices.Contains(interpreters, w) && next < len(words) && !strings.HasPrefix(words[next], "-") {
			continue
		}
		return w
	}
	return "command"
}

var interpreters = []string{"sh", "bash", "dash", "zsh", "python", "python3", "node", "ruby", "perl", "env", "exec"}

// noteChange remembers why something that was trusted is so no more.
func (r *loader) noteChange(v trust.Result) {
	if v.Changed && r.changed == "" {
		r.changed = v.Why
	}
}

// warnUntrusted are the warnings, for every result, that hooks of a folder are held back. They
// are for the user, who can change that.
func (r *loader) warnUntrusted(c *source.Content) {
	if r.skipped > 0 {
		project, how := "this project", "luahook trust"
		if c.Folder.Around > 0 {
			project = fmt.Sprintf("the project %s, which this one lies in,", source.Plain(c.Folder.Root))
			how = "luahook trust DIR, where DIR is " + source.Plain(c.Folder.Dir[:len(c.Folder.Dir)-len("/.hooks")])
		}
		r.result.warnings = append(r.result.warnings, fmt.Sprintf("%s isn't trusted, so its command hooks (%d) don't run: see what they do with \"%s\"", project, r.skipped, how))
	}
	if r.changed != "" {
		r.result.warnings = append(r.result.warnings, r.changed)
	}
}

// hooksOf makes the plan's entries of a script's registrations.
func (r *loader) hooksOf(s *pool.Script, in scriptSpec) ([]*hook, error) {
	var entries []*hook
	count := map[string]int{}
	wanted := 0 // hooks of the event that the script is listed under
	for i, reg := range s.Registrations {
		beside := in.listed != nil && reg.Event != in.listed.Event
		if in.except[reg.Event] || (beside && !r.always(reg, in)) {
			continue
		}
		e := &hook{
			event: reg.Event, options: reg.Options, scope: in.scope, file: cmp.Or(in.order, in.file), source: reg.Source,
			handler: hooks.HandlerLua, script: s, index: i, untrusted: in.untrusted, builtin: in.builtin,
		}
		if in.listed != nil && !beside {
			wanted++
			in.listed.Apply(&e.options)
		}
		if e.options.Mode == hooks.ModeAsync && in.listed != nil { // else it was checked when it registered
			if err := reg.CheckAsync(e.options.OnFailure); err != nil {
				return nil, in.listed.Mistake("%s: %v", reg.Source, err)
			}
		}
		r.finish(e, in)
		r.warnNeverRuns(e)
		if info := hooks.Lookup(reg.Event); reg.Answers == "allow" && info != nil && info.Blocking == hooks.BlockNever {
			r.engine.options.logger.Info(fmt.Sprintf("allow() means nothing on %s, which can't be blocked: it counts as no opinion", reg.Event), "hook", in.file, "source", reg.Source)
		}
		if e.options.Name == "" {
			e.options.Name = scriptName(in.file)
		}
		e.options.Name = source.Plain(e.options.Name)
		key := string(e.event) + " " + e.options.Name
		if count[key]++; count[key] > 1 {
			e.options.Name = fmt.Sprintf("%s#%d", e.options.Name, count[key])
		}
		entries = append(entries, e)
	}
	if in.listed != nil && wanted == 0 {
		return nil, in.listed.Mistake("%s registers nothing for %s%s", in.file, in.listed.Event, eventsOf(s.Registrations))
	}
	return entries, nil
}

// eventsOf says which events a script is for, behind a sentence that it isn't for another one.
func eventsOf(registrations []luabind.Registration) string {
	var names []string
	for _, reg := range registrations {
		if name := string(reg.Event); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return "; it registers no hook at all"
	}
	return "; it is for " + strings.Join(names, ", ") + ": list it there"
}

// always reports whether a registration stands though the script is listed under another
// event: the first entry of the folder that lists the script brings it along, unless the
// script is listed under its event as well.
func (r *loader) always(reg luabind.Registration, in scriptSpec) bool {
	if !reg.Options.Always {
		return false
	}
	var first *source.Hook
	for _, other := range in.folder.Hooks {
		if other.Builtin != in.listed.Builtin || other.Script != in.listed.Script || other.IsCommand() || other.Options.Disabled {
			continue
		}
		if other.Event == reg.Event {
			return false
		}
		if first == nil {
			first = other
		}
	}
	return first == in.listed
}

// finish gives an entry what its file and the engine say where it says nothing itself.
func (r *loader) finish(e *hook, in scriptSpec) {
	b := r.bounds(in)
	e.within, e.followups = b.event, b.followups
	in.untrusted = ""
	trusted := r.bounds(in)
	e.trustedMax, e.maxFrom = trusted.run.Timeout, trusted.timeFrom
	if in.folder != nil && in.folder.Folder.Around > 0 {
		e.root, e.around = in.folder.Folder.Root, in.folder.Folder.Around
	}
	e.options.Match = e.options.Match.In(in.folder.PatternRoot(r.engine.options.root))
	e.options.OnFailure = cmp.Or(e.options.OnFailure, in.onFailure, r.engine.options.onFailure)
}

// scriptName is what a hook is called that has no name of its own.
func scriptName(file string) string {
	name := strings.TrimPrefix(file, "builtin:")
	return strings.TrimSuffix(filepath.Base(filepath.ToSlash(name)), ".lua")
}

// warn adds a warning to every result. Where there are very many only the first are told.
func (r *loader) warn(format string, args ...any) {
	const most = 20
	text := fmt.Sprintf(format, args...)
	if slices.Contains(r.result.warnings, text) { // a script may be listed often
		return
	}
	if r.warned++; r.warned <= most {
		r.result.warnings = append(r.result.warnings, text)
	}
	if r.warned == most+1 {
		r.result.warnings = append(r.result.warnings, "there are more such warnings of hooks and scripts; fix these first")
	}
}

// warnOtherSpellings warns of texts in a script that ev.event may be compared with in vain.
func (r *loader) warnOtherSpellings(s *pool.Script, entries []*hook, in scriptSpec) {
	if in.builtin {
		return
	}
	registered := make([]luabind.Registration, 0, len(entries))
	for _, e := range entries {
		registered = append(registered, s.Registrations[e.index])
	}
	for _, o := range luabind.OtherSpellings(s.Program, in.libraries, registered) {
		r.warn("%s: %q is spelled otherwise than the event, for which ev.event says %q here: compared as texts the two differ; write it that way, or use ev.canonical_event", o.Source, o.Text, o.Told)
	}
}

// warnNeverRuns warns of a hook that no event can match.
func (r *loader) warnNeverRuns(e *hook) {
	if why := e.options.Match.Never(); why != "" && !e.options.Disabled {
		r.warn("the hook at %s never runs, as its match fits no event: %s", e.source, why)
	}
}

// bounds are what the engine and the configurations let a hook do.
type bounds struct {
	run       Limits
	event     time.Duration // 0: not said
	followups int
	timeFrom  string // the hooks.yaml that says run.Timeout; "": none does
}

// bounds are the tightest of what the engine, the files of the higher scopes and those
// of the hook's own scope say. A lower scope's don't reach up: a project could break
// the user's guards with them. So does none of another project's. A project that isn't trusted is held to the defaults as
// well; others may go above them where the options leave that open.
func (r *loader) bounds(in scriptSpec) bounds {
	o := r.engine.options
	b := bounds{run: o.given, event: o.within, followups: o.followups}
	lower := func(n int) { // to what is said, if less
		if b.followups < 0 || n < b.followups {
			b.followups = n
		}
	}
	for _, c := range r.contents {
		if c.Folder.Scope.Rank() > in.scope.Rank() {
			continue
		}
		if c.Folder.Confined && c != in.folder {
			continue
		}
		l := c.Config.Limits
		said := Limits{Instructions: l.Instructions, Timeout: l.Timeout, Memory: l.Memory}
		if c.Folder.Ungranted != "" { // the environment only tightens
			said = said.Within(o.limits)
			if o.within == 0 {
				l.Event = min(l.Event, defaultWithin)
			}
			lower(defaultFollowups)
		}
		if said.Timeout > 0 && (b.run.Timeout == 0 || said.Timeout < b.run.Timeout) && l.Timeout > 0 {
			b.timeFrom = c.Folder.Display(c.Path)
		}
		b.run = said.Within(b.run)
		if l.Event > 0 && (b.event == 0 || l.Event < b.event) {
			b.event = l.Event
		}
		if n := c.Config.MaxFollowups; n != nil {
			lower(*n)
		}
	}
	if in.untrusted != "" {
		most := o.limits
		if in.builtin && o.given.Timeout == 0 {
			most.Timeout = builtinTimeout
		}
		if in.builtin && o.given.Instructions == 0 {
			most.Instructions = builtinInstructions
		}
		b.run = b.run.Within(most)
		lower(defaultFollowups)
		if b.event > defaultWithin && o.within == 0 {
			b.event = defaultWithin
		}
	}
	if b.followups < 0 {
		b.followups = defaultFollowups
	}
	if in.builtin && b.run.Timeout == 0 {
		b.run.Timeout = builtinTimeout
	}
	if in.builtin && b.run.Instructions == 0 {
		b.run.Instructions = builtinInstructions
	}
	b.run = orDefaults(b.run)
	return b
}

// What a run of a built-in has where nobody says anything: more than other scripts, since ours
// don't run on by intent. A machine that is busy must not make a guard block everything, nor
// must a harmless command with thousands of files.
const (
	builtinTimeout      = 5 * time.Second
	builtinInstructions = 30_000_000
)
