package hooks

import "context"

// Func is a hook written in Go. It gets a copy of the event that is its own and
// answers nil for no opinion; an error, a panic or an answer that means nothing
// for the event is a failed run, about which on_failure decides. It must return
// soon after ctx is done, and may be called from several goroutines at once.
type Func func(ctx context.Context, c *Context) (*Result, error)
