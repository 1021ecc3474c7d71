package engine

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"

	"github.com/luahook/luahook/hooks"
)

// defaultFollowups is how often a hook may keep an agent from stopping between two
// prompts.
const defaultFollowups = 3

// loopCount is what the loop guard keeps of one hook in one session.
type loopCount struct {
	Blocks int    `json:"n"`           // since the last prompt
	Reason string `json:"r,omitempty"` // hash of the latest reason; "" once a tool was called after it
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
func (f *firing) capped(ctx context.Context, e *entry, r *hooks.Result, run *hooks.Run) bool {
	sum := sha256.Sum256([]byte(r.Reason))
	reason := fmt.Sprintf("%x", sum[:8])
	key := e.key
	if e.untrusted != "" { // all of them together: a stranger's project may have thousands
		key = "untrusted\x00" + string(e.event)
	}
	var why string
	ok := f.update(ctx, f.loopKey(), func(old []byte) []byte {
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
	run.Entries = append(run.Entries, hooks.Entry{Kind: hooks.EntryWarning, Text: why})
	f.warn("hook %s (%s): %s", e.options.Name, e.source, why)
	return true
}

// turn tells the loop guard what goes on: a prompt begins anew, and after a tool call
// a reason may be given again.
func (f *firing) turn(ctx context.Context) {
	if !f.plan.loops {
		return
	}
	switch f.event.Event {
	case hooks.PrePrompt:
		f.update(ctx, f.loopKey(), func([]byte) []byte { return nil })
	case hooks.PreToolCall, hooks.PostToolCall:
		if counts, ok := f.read(ctx, f.loopKey()); !ok || counts == nil { // mostly: nobody has kept it going
			return
		}
		f.update(ctx, f.loopKey(), func(old []byte) []byte {
			if old == nil {
				return nil
			}
			counts, told := decodeLoop(old), false
			for k, c := range counts {
				told = told || c.Reason != ""
				counts[k] = loopCount{Blocks: c.Blocks}
			}
			if !told {
				return old
			}
			return encodeLoop(counts)
		})
	}
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
