package engine

import (
	"context"
	"fmt"
	"os"
	"strconv"

	"github.com/luahook/luahook/hooks"
)

// maxDepth is how many events may lie within one another: hooks that fire events,
// and programs that hooks start and that have hooks themselves.
const maxDepth = 8

// depthVariable tells the children of hooks how deep they are.
const depthVariable = "LUAHOOK_DEPTH"

// depthOfProcess reads how many hooks lie above this process. What isn't a number is
// not from us, and counts as none.
func depthOfProcess() int {
	n, err := strconv.Atoi(os.Getenv(depthVariable))
	if err != nil || n < 0 {
		return 0
	}
	return min(n, 1<<20)
}

// frame is a hook that is running, as its context tells. Events that are fired with
// that context, or one made from it, come from inside it.
type frame struct {
	engine *Engine
	key    string
	above  *frame
	depth  int
}

type frameKey struct{}

// frameOf is the hook that ctx comes from, or nil.
func frameOf(ctx context.Context) *frame {
	f, _ := ctx.Value(frameKey{}).(*frame)
	return f
}

// within is the context of a hook's run.
func (f *firing) within(ctx context.Context, e *entry) context.Context {
	return context.WithValue(ctx, frameKey{}, &frame{engine: f.engine, key: e.key, above: f.frame, depth: f.depth + 1 - f.engine.depth})
}

// skips tells why the hook is not to run for this event, or nil. It is skipped where
// the event comes from inside of it, which would go on for ever; and a command or
// async hook where this process is the child of a hook.
func (f *firing) skips(e *entry) *hooks.Error {
	for above := f.frame; above != nil; above = above.above {
		if above.engine == f.engine && above.key == e.key {
			return &hooks.Error{Kind: hooks.KindHost, Message: "skipped: this event comes from inside this hook's own run"}
		}
	}
	if f.engine.depth > 0 && (e.command != nil || e.mode == hooks.ModeAsync) {
		return &hooks.Error{Kind: hooks.KindHost, Message: fmt.Sprintf("skipped: this process was started by a hook (%s=%d), where command and async hooks don't run", depthVariable, f.engine.depth)}
	}
	return e.skip
}

// trustError is the error that the run of a hook shows which was skipped for lack of
// trust; to be skipped for another reason is no error.
func trustError(skip *hooks.Error) *hooks.RunError {
	if skip.Kind != hooks.KindTrust {
		return nil
	}
	return skip.RunError()
}
