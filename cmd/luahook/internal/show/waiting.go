package show

import (
	"context"
	"io"

	"github.com/luahook/luahook/cmd/luahook/internal/terminal"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// Waiting are the observers that tell whoever watches a terminal which hook keeps them waiting.
func Waiting(stderr io.Writer) []engine.Observer {
	if !terminal.Is(stderr) {
		return nil
	}
	return []engine.Observer{waiting{terminal.NewWaiting(stderr)}}
}

type waiting struct{ terminal *terminal.Waiting }

func (w waiting) RunStarted(_ context.Context, run hooks.Run) {
	if run.Handler == hooks.HandlerCommand || run.Handler == hooks.HandlerLua {
		w.terminal.Begin(run.ID.String(), "hook "+run.Hook)
	}
}

func (w waiting) RunCompleted(_ context.Context, run hooks.Run) { w.terminal.End(run.ID.String()) }
