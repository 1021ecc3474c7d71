package adkhook

import (
	"context"
	"strings"
	"sync"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/adapter"
	"google.golang.org/adk/v2/agent"
	"google.golang.org/genai"
)

// run is one invocation, and what is kept while it lasts.
type run struct {
	events *adapter.Run // nil: no plugin has its events
	ic     agent.InvocationContext
	live   bool

	mu     sync.Mutex
	err    error                        // of the last call of a model
	agents map[string]*openAgent        // by branch and name
	models map[string]*adapter.ModelRun // likewise
	calls  map[agent.Context]*call
}

// openAgent is an agent that has begun.
type openAgent struct {
	ctx   context.Context // with its caller
	added string          // by hooks, for its next request
	said  string          // its last text
}

func newRun() *run {
	return &run{agents: map[string]*openAgent{}, models: map[string]*adapter.ModelRun{}, calls: map[agent.Context]*call{}}
}

// runOf is the run that a context belongs to, or one that nobody else knows.
func (g *guard) runOf(s scene) *run {
	g.mu.Lock()
	list := g.runs[s.InvocationID()]
	g.mu.Unlock()
	if len(list) > 0 {
		return list[len(list)-1]
	}
	if in := g.insideOf(s); in != nil && in.guard == g {
		return in.run
	}
	return newRun()
}

// halt notes that a hook ends the turn.
func (r *run) halt(reason string) {
	if r.events != nil {
		r.events.Halt(reason)
	}
}

func (r *run) halted() (reason string, ok bool) {
	if r.events == nil {
		return "", false
	}
	return r.events.Halted()
}

// place says which agent a callback is about. The same agent may run in several branches.
func place(ctx agent.Context) string { return ctx.Branch() + "\x00" + ctx.AgentName() }

func (g *guard) userMessage(ic agent.InvocationContext, message *genai.Content) (*genai.Content, error) {
	s := invocation{ic}
	g.learn(s.AppName(), ic.Agent())
	ctx := g.context(s)
	var notes []string
	if ic.Session().Events().Len() == 0 {
		added, err := g.a.StartSession(ctx, "startup")
		if err != nil {
			return nil, err
		}
		notes = append(notes, added)
	}
	prompt := textOf(message)
	rewritten := prompt
	if prompt != "" { // else it is an answer to a call, such as a confirmation
		var added string
		var err error
		if rewritten, added, err = g.a.Prompt(ctx, prompt); err != nil {
			return nil, err
		}
		notes = append(notes, added)
	}
	notes = notEmpty(notes)
	if rewritten == prompt && len(notes) == 0 {
		return nil, nil
	}
	changed := *message
	if rewritten != prompt {
		changed.Parts = []*genai.Part{genai.NewPartFromText(rewritten)}
		for _, part := range message.Parts {
			if part != nil && !isText(part) { // files and answers stay
				changed.Parts = append(changed.Parts, part)
			}
		}
	} else {
		changed.Parts = append([]*genai.Part{}, message.Parts...)
	}
	for _, note := range notes {
		changed.Parts = append(changed.Parts, genai.NewPartFromText(note))
	}
	return &changed, nil
}

func (g *guard) beforeRun(ic agent.InvocationContext) (*genai.Content, error) {
	s := invocation{ic}
	g.learn(s.AppName(), ic.Agent())
	ctx := g.context(s)
	r := newRun()
	r.ic = ic
	r.live = ic.RunConfig() == nil // ADK gives a live run none
	if r.live && ic.Session().Events().Len() == 0 {
		if _, err := g.a.StartSession(ctx, "startup"); err != nil {
			return nil, err
		}
	}
	var err error
	if r.events, err = g.a.BeginRun(ctx, s.AppName(), nil); err != nil {
		return nil, err // what a callback of this kind returns instead is not shown to anybody
	}
	g.mu.Lock()
	g.runs[ic.InvocationID()] = append(g.runs[ic.InvocationID()], r)
	var unread []*run
	for _, list := range g.runs {
		for _, other := range list {
			if other.live && other.ic.Err() != nil {
				unread = append(unread, other)
			}
		}
	}
	g.mu.Unlock()
	for _, other := range unread { // ADK ends a live run where its events are read, and only there
		g.afterRun(other.ic)
	}
	return nil, nil
}

func (g *guard) afterRun(ic agent.InvocationContext) {
	r := g.forget(ic)
	if r == nil {
		return
	}
	ctx := g.context(invocation{ic})
	r.mu.Lock()
	calls, agents, err := r.calls, r.agents, r.err
	r.calls, r.agents = map[agent.Context]*call{}, map[string]*openAgent{}
	r.mu.Unlock()
	for of, c := range calls {
		if h, ok := c.tool.(*hookedTool); ok {
			h.guard.adopter(of)
		}
		g.abandon(ctx, c)
	}
	for _, a := range agents { // what follows an agent is left out where it fails
		g.a.EndAgent(a.ctx, a.said)
	}
	if err == nil {
		err = context.Cause(ic)
	}
	r.events.End(ctx, err)
}

// forget takes the run that began with a context out of the list.
func (g *guard) forget(ic agent.InvocationContext) *run {
	g.mu.Lock()
	defer g.mu.Unlock()
	id := ic.InvocationID()
	for i, r := range g.runs[id] {
		if r.ic != ic {
			continue
		}
		g.runs[id] = append(g.runs[id][:i:i], g.runs[id][i+1:]...)
		if len(g.runs[id]) == 0 {
			delete(g.runs, id)
		}
		return r
	}
	return nil
}

func (g *guard) beforeAgent(ctx agent.Context) (*genai.Content, error) {
	r := g.runOf(ctx)
	if reason, halted := r.halted(); halted {
		return genai.NewContentFromText(haltText(reason), genai.RoleModel), nil
	}
	hctx := g.context(ctx)
	added, err := g.a.BeginAgent(hctx, textOf(ctx.UserContent()))
	if err != nil {
		return genai.NewContentFromText(reasonOf(err), genai.RoleModel), nil
	}
	r.mu.Lock()
	r.agents[place(ctx)] = &openAgent{ctx: hctx, added: added}
	r.mu.Unlock()
	return nil, nil
}

func (g *guard) afterAgent(ctx agent.Context) (*genai.Content, error) {
	r := g.runOf(ctx)
	r.mu.Lock()
	a := r.agents[place(ctx)]
	delete(r.agents, place(ctx))
	r.mu.Unlock()
	if a != nil {
		g.a.EndAgent(a.ctx, a.said)
	}
	return nil, nil
}

// reasonOf is what a model or a user reads of a deny.
func reasonOf(err error) string {
	if denied, ok := err.(*engine.DeniedError); ok && denied.Reason != "" {
		return denied.Reason
	}
	return err.Error()
}

func haltText(reason string) string {
	if reason == "" {
		return "a hook ended the turn"
	}
	return reason
}

// textOf is the text of a content, without thoughts.
func textOf(c *genai.Content) string {
	if c == nil {
		return ""
	}
	var b strings.Builder
	for _, part := range c.Parts {
		if part != nil && isText(part) {
			b.WriteString(part.Text)
		}
	}
	return b.String()
}

func isText(p *genai.Part) bool { return p.Text != "" && !p.Thought }

func notEmpty(list []string) (kept []string) {
	for _, text := range list {
		if text != "" {
			kept = append(kept, text)
		}
	}
	return kept
}
