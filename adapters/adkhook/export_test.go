package adkhook

import (
	"github.com/luahook/luahook/engine"
	"google.golang.org/adk/v2/plugin"
	"google.golang.org/adk/v2/tool"
)

// PluginAndKept is Plugin, and how much it keeps of runs and calls.
func PluginAndKept(e *engine.Engine, o ...Option) (*plugin.Plugin, func() int) {
	g := newGuard(e, o)
	return g.plugin(), g.kept
}

// ToolAndKept is Tool, likewise.
func ToolAndKept(e *engine.Engine, t tool.Tool) (tool.Tool, func() int) {
	own := Tool(e, t).(*hookedTool)
	return own, own.guard.kept
}

func (g *guard) kept() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.runs) + len(g.adopted)
}
