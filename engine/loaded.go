package engine

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/luahook/luahook/engine/internal/pool"
	"github.com/luahook/luahook/engine/internal/source"
	"github.com/luahook/luahook/engine/internal/trust"
	"github.com/luahook/luahook/hooks"
)

// loaded is what one reading of the sources gave.
type loaded struct {
	projects *projects // that are not in the rest yet; nil: all is

	hooks       []*hook
	loadErrors  []*loadError
	scripts     []*pool.Script
	left        []HookInfo // what hooks.yaml files name and switch off
	warnings    []string
	content     map[hooks.Scope]string // what each scope's files say, as a hash
	store       string                 // that the highest scope's hooks.yaml names
	record      string                 // what the log keeps of events, likewise
	tasks       TaskSink               // or nil
	trusted     string                 // what of the projects is trusted, on whatever machine and since whenever, as a hash
	pins        string                 // what is pinned of the projects, likewise
	differences string                 // what of the projects isn't as it was pinned, likewise
	unsure      bool                   // what is pinned, or whether it is as pinned, couldn't be read
	folders     []*source.Content      // what was read of each of the options' folders; nil: not yet
	sums        []string               // hashes of that, without what has vanished
	gone        []*hooks.Error         // of what has vanished and is in force all the same
	until       time.Time              // when the first of that goes; zero: nothing has vanished
}

func newLoaded(folders int) *loaded {
	return &loaded{folders: make([]*source.Content, folders), sums: make([]string, folders)}
}

// reading is a hash of what was read.
func (l *loaded) reading() string { return source.JoinSums(l.sums) }

func (l *loaded) err() error {
	var list []error
	for _, f := range l.loadErrors {
		list = append(list, f.err)
	}
	for _, err := range l.gone {
		list = append(list, err)
	}
	return errors.Join(list...)
}

// retire frees what was loaded, and what of it is still being loaded.
func (l *loaded) retire(p *pool.Pool) {
	for _, s := range l.scripts {
		p.Retire(s)
	}
	if l.projects != nil {
		l.projects.retire(p)
	}
}

// fail notes what can't be used; a script that is listed twice fails once, by the
// stricter policy.
func (l *loaded) fail(scope hooks.Scope, policy hooks.Policy, err error, paths ...string) *loadError {
	e := hooks.AsError(err, hooks.KindLoad)
	for _, f := range l.loadErrors {
		if f.scope == scope && f.err.Error() == e.Error() {
			if policy == hooks.Block || f.policy == hooks.Ignore {
				f.policy = policy
			}
			return f
		}
	}
	f := &loadError{scope: scope, paths: paths, err: e, policy: policy}
	l.loadErrors = append(l.loadErrors, f)
	return f
}

// failed reports whether what stands at a place couldn't be loaded.
func (l *loaded) failed(source string) bool {
	return slices.ContainsFunc(l.loadErrors, func(f *loadError) bool { return at(source, f.err.Source) })
}

// projects are the hooks of projects that belong to a reading. What they are is a
// stranger's word, so their files are not touched before the guards of the higher scopes
// have decided on an event: the first event that gets as far has them loaded, once, while
// others that need them wait with their own contexts.
type projects struct {
	load  func() *loaded
	begin sync.Once
	done  chan struct{} // closed when they are loaded
	whole *loaded       // the reading with them; not before done is closed

	mu      sync.Mutex
	retired *pool.Pool // where the reading was retired before they were loaded
}

func newProjects(load func() *loaded) *projects {
	return &projects{load: load, done: make(chan struct{})}
}

// get loads the projects' hooks, unless that was done, and gives the reading with them. It
// waits as long as ctx lets it. The loading doesn't end with ctx, or a host with little
// patience would begin it again with each event; it has bounds of its own, and Close waits
// for it.
func (p *projects) get(ctx context.Context, a *activity) (*loaded, error) {
	p.begin.Do(func() {
		if !a.begin(&a.rest) { // then Close waits for who asks
			p.run()
			return
		}
		go func() {
			defer a.end(&a.rest)
			p.run()
		}()
	})
	select {
	case <-p.done:
		return p.whole, nil
	default:
	}
	select {
	case <-p.done:
		return p.whole, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// loaded is the reading with the projects' hooks, nil where nobody has needed them yet.
func (p *projects) loaded() *loaded {
	select {
	case <-p.done:
		return p.whole
	default:
		return nil
	}
}

func (p *projects) run() {
	whole := p.load()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.whole = whole
	if p.retired != nil {
		whole.retire(p.retired)
	}
	close(p.done)
}

// retire frees the hooks; those that are still being loaded go as soon as they are.
func (p *projects) retire(from *pool.Pool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.whole != nil {
		p.whole.retire(from)
	}
	p.retired = from
}

// with is what was loaded together with the hooks of projects.
func (l *loaded) with(projects *loaded) *loaded {
	whole := *l
	whole.projects = nil
	whole.hooks = slices.Concat(l.hooks, projects.hooks)
	whole.loadErrors = slices.Concat(l.loadErrors, projects.loadErrors)
	whole.scripts = slices.Concat(l.scripts, projects.scripts)
	whole.left = slices.Concat(l.left, projects.left)
	whole.warnings = slices.Concat(l.warnings, projects.warnings)
	whole.gone = slices.Concat(l.gone, projects.gone)
	whole.until = source.Earlier(l.until, projects.until)
	whole.trusted = projects.trusted
	whole.pins, whole.differences, whole.unsure = projects.pins, projects.differences, l.unsure || projects.unsure
	whole.folders, whole.sums = slices.Clone(l.folders), slices.Clone(l.sums)
	for i, c := range projects.folders {
		if c != nil {
			whole.folders[i], whole.sums[i] = c, projects.sums[i]
		}
	}
	whole.content = map[hooks.Scope]string{} // that of l may be nil: no folder but a project's was read
	maps.Copy(whole.content, l.content)
	for scope, content := range projects.content {
		whole.content[scope] = trust.Hash([]byte(whole.content[scope] + content))
	}
	return &whole
}

// now is the reading with the projects' hooks, where they are loaded.
func (l *loaded) now() *loaded {
	if l.projects != nil {
		if whole := l.projects.loaded(); whole != nil {
			return whole
		}
	}
	return l
}

// all is the reading with the projects' hooks, which are loaded for that.
func (l *loaded) all(ctx context.Context, a *activity) (*loaded, error) {
	if l.projects == nil {
		return l, ctx.Err()
	}
	return l.projects.get(ctx, a)
}

// breaks reports whether a file is at fault here that was not in old, and old may stay in
// force for that. It may not where the files of a higher scope have changed, or the
// trust in a project: a lower scope would keep that from taking effect.
func (l *loaded) breaks(old *loaded) bool {
	known := map[string]bool{}
	for _, f := range old.loadErrors {
		for _, name := range f.files() {
			known[name] = true
		}
	}
	breaks, highest := false, hooks.ScopeProject
	for _, f := range l.loadErrors {
		if old.projects != nil && f.scope == hooks.ScopeProject { // none of them is in force yet
			continue
		}
		for _, name := range f.files() {
			if !known[name] {
				breaks = true
				if f.scope.Rank() < highest.Rank() {
					highest = f.scope
				}
			}
		}
	}
	if !breaks || (old.projects == nil && l.pins != old.pins) {
		return false
	}
	for scope, content := range l.content {
		if scope.Rank() < highest.Rank() && content != old.content[scope] {
			return false
		}
	}
	return true
}

// same reports that l would do what old does.
func (l *loaded) same(old *loaded) bool {
	return maps.Equal(l.content, old.content) && l.pins == old.pins && l.differences == old.differences && l.problems() == old.problems()
}

func (l *loaded) problems() string {
	text := strings.Join(l.warnings, "\n")
	for _, f := range l.loadErrors {
		text += "\n" + f.err.Error()
	}
	return text
}

// noteContent takes down what a folder holds and how far it is trusted; s is nil where
// its hooks are switched off.
func (l *loaded) noteContent(c *source.Content, s *trust.Evaluation) {
	if l.content == nil {
		l.content = map[hooks.Scope]string{}
	}
	scope := c.Folder.Scope
	l.content[scope] = trust.Hash([]byte(l.content[scope] + c.Sum()))
	if c.Folder.Confined && s != nil {
		pin, _ := json.Marshal(s.Pin) // texts and a time: there is nothing to fail
		l.pins = trust.Hash(append([]byte(l.pins), pin...))
		everywhere, _ := json.Marshal(s.Pin.Everywhere()) // likewise
		l.trusted = trust.Hash(append([]byte(l.trusted+s.Difference), everywhere...))
		l.differences = trust.Hash([]byte(l.differences + s.Difference))
		l.unsure = l.unsure || s.Unsure
	}
}

// notices is what the latest reading of the sources has left to tell and to do.
type notices struct {
	errs     []*hooks.Error // beside the faults of what is in force
	warnings []string       // for every result
	until    time.Time      // when the hooks are to be read again; zero: that needn't be
	unsure   bool           // the hooks are to be read again soon
	reading  string         // see loaded
}

// noticesInForce is what is to be told where l is in force.
func (l *loaded) noticesInForce() notices {
	p := notices{errs: l.gone, until: l.until, reading: l.reading(), unsure: l.unsure || len(l.loadErrors) > 0 || len(l.gone) > 0}
	for _, err := range l.gone {
		p.warnings = append(p.warnings, err.Brief())
	}
	return p
}

// noticesRefused is what is to be told where old stays in force.
func (l *loaded) noticesRefused(old *loaded) notices {
	known := map[string]bool{}
	for _, f := range old.loadErrors {
		known[f.err.Error()] = true
	}
	p := l.noticesInForce()
	p.errs = nil
	for _, f := range l.loadErrors {
		if known[f.err.Error()] {
			continue
		}
		p.errs = append(p.errs, f.err)
		p.warnings = append(p.warnings, "not reloaded, the last good hooks stay in force: "+f.err.Brief())
	}
	p.errs = append(p.errs, l.gone...)
	return p
}

// reason is why the hooks are read again.
type reason int

const (
	asked   reason = iota // somebody has called Reload, who knows that the files are whole
	changed               // a file has changed, and may be in the middle of being written
	again                 // the last try has failed; one with the same outcome makes no new generation
)
