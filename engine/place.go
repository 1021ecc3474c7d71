package engine

import "github.com/luahook/luahook/hooks"

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
}
