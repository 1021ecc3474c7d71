package engine

import (
	"fmt"
	"slices"

	"github.com/luahook/luahook/engine/internal/pool"
	"github.com/luahook/luahook/luabind"
)

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
		r.result.warnings = append(r.result.warnings, "there are more such warnings of hooks and scripts; mend these first")
	}
}

// otherSpellings warns of texts in a script that ev.event may be compared with in vain.
func (r *loader) otherSpellings(s *pool.Script, entries []*entry, in instance) {
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

// neverRuns warns of a hook that no event can match.
func (r *loader) neverRuns(e *entry) {
	if why := e.options.Match.Never(); why != "" && !e.options.Disabled {
		r.warn("the hook at %s never runs, as its match fits no event: %s", e.source, why)
	}
}
