package engine

import "context"

// first tells whether a hook that runs once per session has not run in it yet, and
// notes that now it has. Without a session it is once in the engine's life. Where that
// can't be known, it runs.
func (f *firing) first(ctx context.Context, e *entry) bool {
	first := true
	f.update(ctx, f.onceKey(e), func(old []byte) []byte {
		first = old == nil
		return []byte{1}
	})
	return first
}

// forget lets a hook that runs once per session run again in it: its run has failed, or
// was ended, which must not keep that from being noted.
func (f *firing) forget(ctx context.Context, e *entry) {
	if e.options.Once {
		f.update(context.WithoutCancel(ctx), f.onceKey(e), func([]byte) []byte { return nil })
	}
}

func (f *firing) onceKey(e *entry) string {
	session := "session\x00" + f.event.SessionID
	if f.event.SessionID == "" {
		session = "engine\x00" + f.engine.token()
	}
	return "once\x00" + digest(session+"\x00"+e.key)
}
