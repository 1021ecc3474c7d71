package engine

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/luahook/luahook/engine/internal/pool"
	"github.com/luahook/luahook/engine/internal/source"
	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
)

// entries makes the plan's entries of a script's registrations.
func (r *loader) entries(s *pool.Script, in instance) ([]*entry, error) {
	var entries []*entry
	count := map[string]int{}
	wanted := 0 // hooks of the event that the script is listed under
	for i, reg := range s.Registrations {
		beside := in.listed != nil && reg.Event != in.listed.Event
		if in.except[reg.Event] || (beside && !r.always(reg, in)) {
			continue
		}
		e := &entry{
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
		r.neverRuns(e)
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
		return nil, in.listed.Mistake("%s registers nothing for %s", in.file, in.listed.Event)
	}
	return entries, nil
}

// always tells whether a registration stands though the script is listed under another
// event: the first entry of the folder that lists the script brings it along, unless the
// script is listed under its event as well.
func (r *loader) always(reg luabind.Registration, in instance) bool {
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
func (r *loader) finish(e *entry, in instance) {
	b := r.bounds(in)
	e.within, e.followups = b.event, b.followups
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
