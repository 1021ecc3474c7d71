package engine

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/luahook/luahook/hooks"
)

// firstInSession reports whether a hook that runs once per session has not run in it yet: whether it
// has answered, and its answer was out. Where that can't be known, it runs; so it does where
// it is just running for another event, unless it is async: what it does beside the events
// can't be missed in one of them.
func (f *firing) firstInSession(ctx context.Context, e *hook) bool {
	key := f.onceKey(e)
	if e.mode == hooks.ModeAsync && !f.engine.once.claim(key) {
		return false
	}
	ran, ok := f.readState(ctx, key)
	f.look()
	if ok && ran != nil && hasRun(ran) {
		f.engine.once.release(key)
		return false
	}
	if e.mode == hooks.ModeAsync && !f.claimAmongAll(ctx, key) {
		f.engine.once.release(key)
		return false
	}
	return true
}

// claimTime is how long an async hook that runs once per session has to itself, among all processes that share a store,
// until it has run: longer than it waits and runs. Where its process is killed it runs again in the session after that.
const claimTime = 5 * time.Minute

// claimAmongAll reports whether no other process has the hook queued or at work. Where that can't be known it runs.
func (f *firing) claimAmongAll(ctx context.Context, key string) bool {
	if f.engine.memoryStore(ctx) != nil { // which no other process has
		return true
	}
	mine, taken := f.engine.token(), false
	f.updateState(ctx, claimKey(key), func(old []byte) []byte {
		var c claim
		now := time.Now()
		taken = json.Unmarshal(old, &c) == nil && c.Of != mine && now.Before(c.Until) && c.Until.Sub(now) <= claimTime
		if taken {
			return old
		}
		value, err := json.Marshal(claim{mine, now.Add(claimTime)})
		if err != nil { // a text and a time have no reason to
			return old
		}
		return value
	})
	return !taken
}

// unclaimAmongAll takes back what claimAmongAll has noted.
func (f *firing) unclaimAmongAll(key string) {
	e := f.engine
	if e.memoryStore(&f.context) != nil {
		return
	}
	f.stateUsable(e.updateState(context.WithoutCancel(&f.context), f.stateWaits(), claimKey(key), func(old []byte) []byte {
		var c claim
		if json.Unmarshal(old, &c) == nil && c.Of != e.token() { // who has waited for longer than claimTime has lost it
			return old
		}
		return nil
	}))
}

// claim is who has an async hook queued or at work, and until when at the latest.
type claim struct {
	Of    string    `json:"of,omitempty"` // the token of the engine
	Until time.Time `json:"until"`
}

func claimKey(key string) string {
	if rest, is := strings.CutPrefix(key, strangerState); is {
		return strangerState + "claim\x00" + rest
	}
	return "claim\x00" + key
}

// noteOnceRun notes that a hook has answered, or had nothing to say, which is to count as its
// run in the session once the result is out. A run that has failed is none, and a judging
// one changes nothing about that.
func (f *firing) noteOnceRun(e *hook) {
	if e.options.Once && (f.ranBefore == nil || !f.ranBefore[e.order-1]) {
		f.once = append(f.once, f.onceKey(e))
	}
}

// settleOnce notes which hooks have run in the session, or leaves that to whoever has put it off
// with [Delivering]. Where the caller has given up nobody gets the result, so they run again.
func (f *firing) settleOnce() {
	if len(f.once) == 0 || f.context.Context.Err() != nil {
		return
	}
	if d, ok := f.context.Context.Value(deliveryKey{}).(*Delivery); ok {
		f.claimDelivery()
		d.owe(f.plan, f.engine, f.once)
		return
	}
	f.escaped = true // the store gets the event's context
	f.stateUsable(f.engine.noteOnce(context.WithoutCancel(&f.context), f.once, f.stateWaits()))
}

// deliveryTime is how long an answer may be on its way before the hooks that gave it run again in the session.
const deliveryTime = 5 * time.Second

// claimDelivery notes that hooks have answered where several machines keep that: the next event of the session may be
// fired at another one the moment that the answer is out, which is noted only after that. If the answer never gets out,
// they run again once deliveryTime is over.
func (f *firing) claimDelivery() {
	if !isShared(f.plan.store) {
		return
	}
	f.escaped = true // the store gets the event's context
	value, err := json.Marshal(claim{Until: time.Now().Add(deliveryTime)})
	if err != nil { // a time has no reason to
		return
	}
	for _, key := range f.once {
		if !f.updateState(context.WithoutCancel(&f.context), key, func(old []byte) []byte {
			if old != nil && hasRun(old) {
				return old
			}
			return value
		}) {
			return
		}
	}
}

// hasRun reports whether what is kept of a hook says that it has run, or that its answer is on its way.
func hasRun(value []byte) bool {
	var c claim
	if bytes.HasPrefix(value, []byte("{")) && json.Unmarshal(value, &c) == nil {
		left := time.Until(c.Until)
		return left > 0 && left <= deliveryTime
	}
	return true
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

func (f *firing) onceKey(e *hook) string {
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

// claim reports whether nobody else has it.
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

// Owes reports whether there is anything that Done would note.
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
		if !o.engine.active.begin(&o.engine.active.rest) {
			continue
		}
		if err := o.engine.noteOnce(&eventContext{Context: context.Background(), engine: o.engine, plan: o.plan}, o.keys, stateWait); err != nil {
			o.engine.options.logger.Warn(stateFailed + err.Error())
		}
		o.engine.active.end(&o.engine.active.rest)
	}
}

// defaultFollowups is how often a hook may keep an agent from stopping between two
// prompts.
const defaultFollowups = 3

// loopCount is what the loop guard keeps of one hook in one session.
type loopCount struct {
	Blocks int    `json:"n"`           // since the last prompt
	Reason string `json:"r,omitempty"` // hash of the latest reason; "" once a tool was called after it
	Prompt bool   `json:"p,omitempty"` // a prompt has come after it, of which the next stop says whether it was a new one
}

// loopKey is where the counts of a session are, or of the project where the host gives
// no session.
func (f *firing) loopKey() string {
	return "loop\x00" + short(f.event.SessionID)
}

// short is a session id as part of a key: a long one by its hash.
func short(session string) string {
	if len(session) <= 128 {
		return session
	}
	return "sha256:" + digest(session)
}

// digest is a text of any length as part of a key.
func digest(text string) string {
	return fmt.Sprintf("%x", sha256.Sum256([]byte(text)))
}

// capped counts a block of stop or subagent_stop. Such a block makes the agent go on,
// so a hook that always blocks would keep it going for ever: over the hook's
// max_followups since the last prompt, or with the same reason again and no tool call
// in between, the block is dropped. Where the engine's state can't be used, the host's own
// count has to do, if it gives one.
func (f *firing) capped(ctx context.Context, e *hook, r *hooks.Result, run *hookRun) bool {
	sum := sha256.Sum256([]byte(r.Reason))
	reason := fmt.Sprintf("%x", sum[:8])
	key := e.key
	if e.untrusted != "" { // all of them together: a stranger's project may have thousands
		key = "untrusted\x00" + string(e.event)
	}
	var why string
	ok := f.updateState(ctx, f.loopKey(), func(old []byte) []byte {
		counts := decodeLoop(old)
		c := counts[key]
		switch {
		case c.Blocks >= e.followups:
			why = fmt.Sprintf("capped: it has kept the agent from stopping %d times since the last prompt (max_followups is %d)", c.Blocks, e.followups)
			return old
		case c.Reason == reason:
			why = "capped: it gave the same reason again, and no tool was called in between"
			return old
		}
		why = ""
		counts[key] = loopCount{Blocks: c.Blocks + 1, Reason: reason}
		return encodeLoop(counts)
	})
	if n := f.event.LoopCount; !ok && n >= e.followups {
		why = fmt.Sprintf("capped: the host says that the agent was kept from stopping %d times (max_followups is %d), and the engine can't count", n, e.followups)
	}
	if why == "" {
		return false
	}
	run.warn(why)
	f.look()
	f.warn("hook %s (%s): %s", e.options.Name, e.source, why)
	return true
}

// resetLoopCounts tells the loop guard what goes on. After a tool call a reason may be given again. A prompt begins
// anew, unless it's what a hook has kept the agent going with: Gemini and Qwen fire an event for that, too. The host
// says so at the stop that follows: whether it was kept from stopping since the user's own prompt.
func (f *firing) resetLoopCounts(ctx context.Context) {
	if !f.plan.countsLoops {
		return
	}
	switch f.info.Name {
	case hooks.PrePrompt, hooks.Stop, hooks.SubagentStop, hooks.PreToolCall, hooks.PostToolCall:
	default:
		return
	}
	if counts, ok := f.readState(ctx, f.loopKey()); ok && counts != nil { // mostly: nobody has kept it going
		f.changeLoopCounts(ctx, counts, f.info.Name, f.given.LoopCount > 0)
	}
	f.look()
}

// changeLoopCounts changes the counts by an event. keptOn says that the host has kept the agent from stopping before.
func (f *firing) changeLoopCounts(ctx context.Context, counts []byte, event hooks.Event, keptOn bool) {
	changed := func(old []byte) []byte {
		counts := map[string]loopCount{}
		for k, c := range decodeLoop(old) {
			switch event {
			case hooks.PrePrompt:
				c.Prompt = true
			case hooks.PreToolCall, hooks.PostToolCall:
				c.Reason = ""
			default:
				if c.Prompt && !keptOn {
					continue
				}
				c.Prompt = false
			}
			counts[k] = c
		}
		if len(counts) == 0 {
			return nil
		}
		return encodeLoop(counts)
	}
	if bytes.Equal(counts, changed(counts)) {
		return
	}
	f.updateState(ctx, f.loopKey(), func(old []byte) []byte {
		if old == nil {
			return nil
		}
		return changed(old)
	})
}

// decodeLoop reads what is kept; what can't be read counts as nothing.
func decodeLoop(data []byte) map[string]loopCount {
	counts := map[string]loopCount{}
	if json.Unmarshal(data, &counts) != nil {
		return map[string]loopCount{}
	}
	return counts
}

func encodeLoop(counts map[string]loopCount) []byte {
	data, err := json.Marshal(counts)
	if err != nil { // a map of numbers and texts has no reason to
		return nil
	}
	return data
}
