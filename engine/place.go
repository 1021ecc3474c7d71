package engine

import (
	"context"
	"path/filepath"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/internal/userhome"
	"github.com/luahook/luahook/luabind"
)

// locate says where the event takes place, so that paths are seen from the project's
// root wherever in it the agent stands.
func (f *firing) locate() {
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
