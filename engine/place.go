package engine

import (
	"strings"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind/lib"
)

// locate says where the event takes place, so that paths are seen from the project's
// root wherever in it the agent stands.
func (f *firing) locate() {
	e, c := f.engine, f.event
	f.context.engine = e
	c.Root = e.root
	if c.ToolCall == nil {
		return
	}
	c.ToolCall.Place = hooks.Place{Dir: c.CWD, Root: e.root, Shell: &f.context}
	if e.root != "" && c.CWD != "" && c.CWD != e.root && !strings.HasPrefix(c.CWD, e.rootPrefix) {
		c.ToolCall.Place.Dir, c.ToolCall.Place.Alias = e.spelled(c.CWD)
	}
}

// spelling is how an event wrote a folder that may lie in the project.
type spelling struct{ cwd, dir, alias string }

// spelled is [lib.SpellRoot] for the engine's root. The latest folder is kept, as it is the
// next event's, too.
func (e *Engine) spelled(cwd string) (dir, alias string) {
	if last := e.spelling.Load(); last != nil && last.cwd == cwd {
		return last.dir, last.alias
	}
	dir, alias = lib.SpellRoot(e.options.root, cwd)
	e.spelling.Store(&spelling{cwd, dir, alias})
	return dir, alias
}
