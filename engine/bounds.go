package engine

import "time"

// bounds are what the engine and the configurations let a hook do.
type bounds struct {
	run       Limits
	event     time.Duration // 0: not said
	followups int
}

// bounds are the tightest of what the engine, the files of the higher scopes and those
// of the hook's own scope say. A lower scope's don't reach up: a project could break
// the user's guards with them. So does none of another project's. A project that isn't trusted is held to the defaults as
// well; others may go above them where the options leave that open.
func (r *loader) bounds(in instance) bounds {
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
	b.run = orDefaults(b.run)
	return b
}

// builtinTimeout is the time of a run of a built-in where nobody says anything: more than
// that of other scripts, since ours don't run on by intent, and a machine that is busy
// must not make a guard block everything.
const builtinTimeout = 5 * time.Second
