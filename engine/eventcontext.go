package engine

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/luahook/luahook/analysis/shell"
	"github.com/luahook/luahook/engine/store"
	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/internal/excerpt"
	"github.com/luahook/luahook/internal/userhome"
	"github.com/luahook/luahook/luabind"
	"github.com/luahook/luahook/luabind/lib"
)

// eventContext is the context of everything that is called for one event: what its
// hooks parse is parsed once. The cache is made by the first of them that asks. An async
// hook has one of its own: what it parses should not stay while others wait their turn.
type eventContext struct {
	context.Context
	lines   atomic.Pointer[shell.Cache]
	store   atomic.Pointer[storeUse]
	engine  *Engine
	plan    *plan
	effects atomic.Pointer[lib.Effects] // what its hooks do, made by the first that does something
	rewrite bool                        // the event may be rewritten, so hooks may run again
	links   atomic.Pointer[links]       // made by the first path that is looked at
}

// links are where the paths of an event lie.
type links struct {
	mu   sync.Mutex // held while one is looked at
	real map[string]string
	hang bool // the file system has kept one waiting
}

// Value answers for the cache and the use of the store, and asks the caller's context for
// everything else.
func (c *eventContext) Value(key any) any {
	switch key.(type) {
	case shell.CacheKey:
		return c.cache()
	case storeUseKey:
		return c.storeUse()
	case luabind.WaitsKey:
		return &c.storeUse().waits
	case planKey:
		return c
	case lib.ReplayKey:
		if r := c.engine.options.replay; r.withheld() {
			return r
		}
		return nil
	case lib.EffectsKey:
		return c.done()
	case luabind.JudgingKey: // of a run that this event comes from
		return nil
	}
	return c.Context.Value(key)
}

// done is what the event's hooks have done; nil where none of them runs again.
func (c *eventContext) done() *lib.Effects {
	if c.effects.Load() == nil && c.rewrite {
		c.effects.CompareAndSwap(nil, new(lib.Effects))
	}
	return c.effects.Load()
}

// againContext is the context of a run that judges an event again.
type againContext struct {
	context.Context
	again lib.Judging
}

// Value answers for what such a run needs.
func (c *againContext) Value(key any) any {
	if _, ok := key.(luabind.JudgingKey); ok {
		return &c.again
	}
	return c.Context.Value(key)
}

// storeUse is made by the first call of the store. That of an event within a hook's run is
// the hook's.
func (c *eventContext) storeUse() *storeUse {
	if use := c.store.Load(); use != nil {
		return use
	}
	use, ok := c.Context.Value(storeUseKey{}).(*storeUse)
	if !ok {
		use = new(storeUse)
	}
	c.store.CompareAndSwap(nil, use)
	return c.store.Load()
}

func (c *eventContext) cache() *shell.Cache {
	if lines := c.lines.Load(); lines != nil {
		return lines
	}
	c.lines.CompareAndSwap(nil, new(shell.Cache))
	return c.lines.Load()
}

// FilesOf tells the event's tool call which files a shell text names.
func (c *eventContext) FilesOf(text, dir, language string) []string {
	return c.cache().Parse(text, shell.Options{Cwd: dir, Home: c.engine.home(), Language: shell.Language(language)}).Files()
}

// lookTime is how long a look at the links of one path may take: a file system may hang.
const lookTime = 200 * time.Millisecond

// Real follows the links that a path leads through: whoever makes one must not get around
// the patterns of paths. Each path is looked at once in an event, and none any more once the
// file system has kept one waiting.
func (c *eventContext) Real(file string) string {
	if c.links.Load() == nil {
		c.links.CompareAndSwap(nil, &links{real: map[string]string{}})
	}
	l := c.links.Load()
	l.mu.Lock()
	defer l.mu.Unlock()
	if real, ok := l.real[file]; ok || l.hang {
		return cmp.Or(real, file)
	}
	ctx, cancel := context.WithTimeout(context.Background(), lookTime)
	defer cancel()
	root := c.engine.options.root // not in the goroutine, which may outlast the event
	real, err := luabind.Await(ctx, c.engine.stragglers, "links of "+file, func(context.Context) string {
		return lib.Real(root, file)
	})
	if l.hang = err != nil; l.hang {
		return file // nobody knows where it lies
	}
	l.real[file] = real
	return real
}

// setPlace says where the event takes place, so that paths are seen from the project's
// root wherever in it the agent stands.
func (f *firing) setPlace() {
	e, c := f.engine, f.event
	f.context.engine, f.context.plan = e, f.plan
	c.Root = e.root
	if c.ToolCall == nil {
		return
	}
	c.ToolCall.Place = hooks.Place{Dir: c.CWD, Root: e.root, Around: e.options.around, Shell: &f.context, Home: e.homeOf}
}

// homeOfUser is the home folder of a user, "" for the one who runs the engine. The account
// database may be elsewhere, so it is not waited for long; whom it doesn't tell by then
// there is not.
func (e *Engine) homeOfUser(user string) string {
	if user == "" {
		return e.home()
	}
	ctx, cancel := context.WithTimeout(context.Background(), lookTime)
	defer cancel()
	home, err := luabind.Await(ctx, e.stragglers, "the home of a user", func(context.Context) string { return userhome.Of(user) })
	if err != nil {
		return ""
	}
	return filepath.ToSlash(home)
}

// storeUse is what an event has to do with the store.
type storeUse struct {
	waits luabind.Waits // for others who use it

	mu    sync.Mutex
	notes []string         // of the store, for a person
	fails []string         // how what hooks were told of a store that can't be used begins
	lost  map[string]error // for those who were told in this event that what they had kept is lost
}

type storeUseKey struct{}

func (u *storeUse) note(text string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if !slices.Contains(u.notes, text) && len(u.notes) < 10 {
		u.notes = append(u.notes, text)
	}
}

// told are the notes of the event; u may be nil.
func (u *storeUse) told() []string {
	if u == nil {
		return nil
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	return slices.Clone(u.notes)
}

// hasLost is the error of who was told of a loss in this event, and goes on all the same.
func (u *storeUse) hasLost(owner string) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.lost[owner]
}

func (u *storeUse) learn(owner string, err error) {
	var unavailable *store.UnavailableError
	if !errors.As(err, &unavailable) {
		return
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if start := excerpt.Beginning(unavailable.Message, 100); !slices.Contains(u.fails, start) {
		u.fails = append(u.fails, start)
	}
	if !unavailable.Lost {
		return
	}
	if u.lost == nil {
		u.lost = map[string]error{}
	}
	u.lost[owner] = err
}

// explains reports whether a hook has failed as the store can't be used, which its error tells; u may be nil.
func (u *storeUse) explains(failure *hooks.Error) bool {
	if u == nil {
		return false
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	return slices.ContainsFunc(u.fails, func(start string) bool { return strings.Contains(failure.Message, start) })
}
