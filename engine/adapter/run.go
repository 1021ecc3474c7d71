package adapter

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// grace is what the hooks of an event have that tells of something whose context is done.
const grace = 5 * time.Second

// Run is a run of an agent under hooks, from [Adapter.BeginRun]. Its methods may be called from
// several goroutines at once.
type Run struct {
	adapter *Adapter
	event   *hooks.Context
	started time.Time
	over    sync.Once
	halted  atomic.Pointer[string]

	mu    sync.Mutex
	usage hooks.Usage
}

// BeginRun fires run_start. The error is an [*engine.DeniedError]: the run must not start, and
// no run_end follows.
func (a *Adapter) BeginRun(ctx context.Context, program string, inputs map[string]any) (*Run, error) {
	run := a.ContinueRun(ctx, program)
	start := *run.event
	if inputs != nil {
		start.Fields = map[string]any{"inputs": inputs}
		for k, v := range run.event.Fields {
			start.Fields[k] = v
		}
	}
	_, err := a.Fire(ctx, &start)
	return run, err
}

// ContinueRun goes on with a run that BeginRun has begun, here or in another process, and that
// was interrupted. It fires nothing; End fires run_end, with the time from now on.
func (a *Adapter) ContinueRun(ctx context.Context, program string) *Run {
	event := a.Event(ctx, hooks.RunStart)
	if program != "" {
		event.Fields["program_name"] = program
	}
	return &Run{adapter: a, event: event, started: time.Now()}
}

// Add counts what a call of the model has used; nil counts nothing.
func (r *Run) Add(u *hooks.Usage) {
	if u == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.usage.InputTokens += u.InputTokens
	r.usage.OutputTokens += u.OutputTokens
	r.usage.CacheTokens += u.CacheTokens
	r.usage.CostUSD += u.CostUSD
}

// Halt notes that a hook ends the turn, and why. The first one counts.
func (r *Run) Halt(reason string) { r.halted.CompareAndSwap(nil, &reason) }

// Halted is why a hook has ended the turn. ok is false where none has.
func (r *Run) Halted() (reason string, ok bool) {
	if why := r.halted.Load(); why != nil {
		return *why, true
	}
	return "", false
}

// End fires run_end once, also where ctx is done. err is why the run failed; nil: it did not.
func (r *Run) End(ctx context.Context, err error) {
	r.over.Do(func() {
		event := *r.event
		event.Event = hooks.RunEnd
		event.Fields = map[string]any{"success": err == nil, "duration": time.Since(r.started).Seconds()}
		if name, ok := r.event.Fields["program_name"]; ok {
			event.Fields["program_name"] = name
		}
		if err != nil {
			event.Error = &hooks.ErrorInfo{Message: err.Error()}
		}
		r.mu.Lock()
		usage := r.usage
		r.mu.Unlock()
		if usage != (hooks.Usage{}) {
			event.Usage = &usage
		}
		r.adapter.Observe(ctx, &event)
	})
}

// Prompt fires pre_prompt and gives the prompt as hooks leave it, and what they add to it as
// context ("": nothing). The error is an [*engine.DeniedError]: the prompt must not be given.
func (a *Adapter) Prompt(ctx context.Context, prompt string) (rewritten, added string, err error) {
	event := a.Event(ctx, hooks.PrePrompt)
	event.Prompt = prompt
	r, err := a.Fire(ctx, event)
	if err != nil {
		return "", "", err
	}
	if text, ok := r.Input["prompt"].(string); ok {
		prompt = text
	}
	return prompt, r.NewContext, nil
}

// BeginAgent fires pre_agent, or subagent_start for an agent below another one (AgentDepth > 0).
// The context is what hooks add for the agent. The error is an [*engine.DeniedError].
func (a *Adapter) BeginAgent(ctx context.Context, prompt string) (added string, err error) {
	event := a.Event(ctx, hooks.PreAgent)
	if event.AgentDepth > 0 {
		event.Event = hooks.SubagentStart
	}
	event.Prompt = prompt
	r, err := a.Fire(ctx, event)
	return r.NewContext, err
}

// EndAgent fires post_agent, or subagent_stop for an agent below another one.
func (a *Adapter) EndAgent(ctx context.Context, response string) {
	event := a.Event(ctx, hooks.PostAgent)
	if event.AgentDepth > 0 {
		event.Event = hooks.SubagentStop
	}
	event.Response = response
	a.Observe(ctx, event)
}

// Stop fires stop with what the agent has answered last. again is what it has to go on with; ""
// lets it end. loop is how often it was kept going in this turn.
func (a *Adapter) Stop(ctx context.Context, response string, loop int) (again string) {
	event := a.Event(ctx, hooks.Stop)
	event.Response, event.LoopCount = response, loop
	r, _ := a.engine.Fire(ctx, event)
	a.tell(ctx, hooks.Stop, r)
	if r.Block && !r.Halt {
		return r.Reason
	}
	return ""
}

// StartSession fires session_start. The error is an [*engine.DeniedError]: the session must not
// go on. The context is what hooks add for the model.
func (a *Adapter) StartSession(ctx context.Context, source string) (added string, err error) {
	event := a.Event(ctx, hooks.SessionStart)
	event.Fields["source"] = source
	r, err := a.Fire(ctx, event)
	return r.NewContext, err
}

// EndSession fires session_end for a session that began at started.
func (a *Adapter) EndSession(ctx context.Context, reason string, started time.Time) {
	event := a.Event(ctx, hooks.SessionEnd)
	event.Fields["reason"], event.Fields["duration"] = reason, time.Since(started).Seconds()
	a.Observe(ctx, event)
}

// SubCaller is the caller of an agent that another one starts: one deeper, with that one as its
// parent.
func SubCaller(parent engine.Caller, id, name string) engine.Caller {
	c := parent
	c.ParentAgentID, c.AgentID, c.AgentName = parent.AgentID, id, name
	if c.ParentAgentID == "" {
		c.ParentAgentID = parent.AgentName
	}
	c.AgentDepth++
	return c
}
