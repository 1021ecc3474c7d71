package engine

import (
	"context"
	"sync"
	"time"

	"github.com/luahook/luahook/hooks"
)

// first tells whether a hook that runs once per session has not run in it yet: whether it
// has answered, and its answer was out. Where that can't be known, it runs; so it does where
// it is just running for another event, unless it is async: what it does beside the events
// can't be missed in one of them.
func (f *firing) first(ctx context.Context, e *entry) bool {
	key := f.onceKey(e)
	if e.mode == hooks.ModeAsync && !f.engine.once.claim(key) {
		return false
	}
	ran, ok := f.read(ctx, key)
	if ok && ran != nil {
		f.engine.once.release(key)
		return false
	}
	return true
}

// answered notes that a hook has answered, or had nothing to say, which is to count as its
// run in the session once the result is out. A run that has failed is none, and a judging
// one changes nothing about that.
func (f *firing) answered(e *entry) {
	if e.options.Once && (f.again == nil || !f.again[e.order-1]) {
		f.once = append(f.once, f.onceKey(e))
	}
}

// settle notes which hooks have run in the session, or leaves that to whoever has put it off
// with [Delivering]. Where the caller has given up nobody gets the result, so they run again.
func (f *firing) settle() {
	if len(f.once) == 0 || f.context.Context.Err() != nil {
		return
	}
	if d, ok := f.context.Context.Value(deliveryKey{}).(*Delivery); ok {
		d.owe(f.plan, f.engine, f.once)
		return
	}
	f.lent = true // the store gets the event's context
	f.kept(f.engine.noteOnce(context.WithoutCancel(&f.context), f.once, f.stateWaits()))
}

// noteOnce notes that hooks have run in their session. It waits so long for each.
func (e *Engine) noteOnce(ctx context.Context, keys []string, wait time.Duration) error {
	for _, key := range keys {
		if err := e.updateState(ctx, wait, key, func([]byte) []byte { return []byte{1} }); err != nil {
			return err
		}
	}
	return nil
}

func (f *firing) onceKey(e *entry) string {
	session := "session\x00" + f.event.SessionID
	if f.event.SessionID == "" {
		session = "engine\x00" + f.engine.token()
	}
	key := "once\x00" + digest(session+"\x00"+e.key)
	if e.untrusted != "" {
		return strangerState + key
	}
	return key
}

// claims are the async hooks that run once per session and are queued or at work.
type claims struct {
	mu   sync.Mutex
	keys map[string]bool
}

// claim tells whether nobody else has it.
func (c *claims) claim(key string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.keys[key] {
		return false
	}
	if c.keys == nil {
		c.keys = map[string]bool{}
	}
	c.keys[key] = true
	return true
}

func (c *claims) release(key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.keys, key)
}

// Delivery is what may be noted of events only when their results are out: that hooks which
// run once per session have run in it. Where a program ends before it has handed a result
// on, they judge again. See [Delivering].
type Delivery struct {
	mu   sync.Mutex
	owed []owed
}

type owed struct {
	plan   *plan
	engine *Engine
	keys   []string
}

type deliveryKey struct{}

// Delivering gives a context for [Engine.Fire] with which the hooks that run once per
// session count as having run when [Delivery.Done] is called, rather than when Fire returns.
// That is for programs that hand results on to others.
func Delivering(ctx context.Context) (context.Context, *Delivery) {
	d := &Delivery{}
	return with(ctx, deliveryKey{}, d), d
}

func (d *Delivery) owe(p *plan, e *Engine, keys []string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.owed = append(d.owed, owed{p, e, keys})
}

// Owes tells whether there is anything that Done would note.
func (d *Delivery) Owes() bool {
	if d == nil {
		return false
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.owed) > 0
}

// Done says that the results of all events that were fired with the context are out. It has
// to come before the engine is closed. It waits some seconds at most for the store; what
// can't be noted is told to the logger, and those hooks run once more.
func (d *Delivery) Done() {
	if d == nil {
		return
	}
	d.mu.Lock()
	list := d.owed
	d.owed = nil
	d.mu.Unlock()
	for _, o := range list {
		if !o.engine.active.begin() {
			continue
		}
		if err := o.engine.noteOnce(&eventContext{Context: context.Background(), engine: o.engine, plan: o.plan}, o.keys, stateWait); err != nil {
			o.engine.options.logger.Warn(stateFailed + err.Error())
		}
		o.engine.active.end()
	}
}
