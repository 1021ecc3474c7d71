package engine

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"sync"

	"github.com/luahook/luahook/hooks"
)

// Policy names what an engine decides with.
type Policy struct {
	Generation uint64 // counts up in this engine; see [Engine.Generation]
	Digest     string // 16 hexadecimal digits; "": the generation is too long ago
}

// keptPolicies is how many generations an engine can name beside the one in force: those in whose events a Reload may
// have come.
const keptPolicies = 64

// Policy names the policy in force. The digest is that of the texts of all hooks with their paths, of what is trusted
// of them, of the engine's options as far as they are no functions, and of the version of the program: engines with
// the same digest decide alike, on whatever machine. The projects' hooks are part of it once an event, or LoadErrors,
// has loaded them. Several goroutines may call it.
func (e *Engine) Policy() Policy {
	if !e.made() {
		return Policy{}
	}
	p := e.currentPlan()
	return Policy{p.generation, p.policy()}
}

// PolicyOf names the policy by which a result of this engine was decided; the zero Policy is that of an event which
// none has judged.
func (e *Engine) PolicyOf(r *hooks.Result) Policy {
	generation := uint64(0)
	if r != nil {
		switch s := r.Summarizer.(type) { // a summary needn't be made for it
		case *outcome:
			generation = s.generation
		case *hooks.RunSummary:
			generation = s.Generation
		}
	}
	if !e.made() || generation == 0 {
		return Policy{}
	}
	if p := e.plan.Load(); p.generation == generation {
		return Policy{generation, p.policy()}
	}
	e.mu.Lock()
	digest := e.policies[generation%keptPolicies]
	e.mu.Unlock()
	if digest.generation != generation {
		return Policy{Generation: generation}
	}
	return Policy{generation, digest.policy()}
}

// pastPolicy is what is kept of a plan.
type pastPolicy struct {
	generation uint64
	policy     func() string
}

// keepPolicy keeps what a plan is called. e.mu is held.
func (e *Engine) keepPolicy(p *plan) {
	e.policies[p.generation%keptPolicies] = pastPolicy{p.generation, p.policy}
}

// policyOf says what the plan of l and goHooks is called, when somebody asks. It holds nothing of them.
func (e *Engine) policyOf(l *loaded, goHooks []*hook) func() string {
	content, trusted, problems, store, record := l.content, l.trusted, l.problems(), l.store, l.record
	var registered []string
	for _, h := range goHooks {
		registered = append(registered, string(h.event)+" "+h.options.Name+" "+h.source)
	}
	return sync.OnceValue(func() string {
		h := sha256.New()
		add := func(values ...any) {
			for _, v := range values {
				text := fmt.Sprint(v)
				fmt.Fprintf(h, "%d %s\n", len(text), text)
			}
		}
		add(programVersion())
		for _, scope := range slices.Sorted(maps.Keys(content)) {
			add(scope, content[scope])
		}
		o := &e.options
		add(trusted, problems, store, record, registered, o.root, o.around, o.given, o.within, o.followups, o.loading, o.onFailure,
			o.builtins, o.defaults, o.scripts, o.withhold)
		for _, b := range o.added {
			add(b.name)
			if with, err := hooks.EncodeJSON(b.with); err == nil { // a map in the order of its keys
				add(string(with))
			}
		}
		return hex.EncodeToString(h.Sum(nil)[:8])
	})
}

// programVersion is the version of the module that has this package, and of the program.
var programVersion = sync.OnceValue(func() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	text := info.Main.Path + " " + info.Main.Version + " " + info.GoVersion
	for _, m := range info.Deps {
		if m.Path == "github.com/luahook/luahook" {
			text += " " + m.Version
		}
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" || s.Key == "vcs.modified" {
			text += " " + s.Value
		}
	}
	return text
})
