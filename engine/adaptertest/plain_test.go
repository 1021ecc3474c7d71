package adaptertest_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/adapter"
	"github.com/luahook/luahook/engine/adaptertest"
	"github.com/luahook/luahook/hooks"
)

// mutant is what the plain agent does wrong on purpose, see TestTheListFindsWhatIsWrong.
var mutant = os.Getenv("ADAPTERTEST_MUTANT")

// TestPlain runs the list with the smallest agent there is: a loop around a played model.
func TestPlain(t *testing.T) {
	adaptertest.Run(t, adaptertest.Adapter{Name: "plain", Run: runPlain})
}

// TestTheListFindsWhatIsWrong has the plain agent do one thing wrong at a time: checks that are
// about it must fail, and others must not.
func TestTheListFindsWhatIsWrong(t *testing.T) {
	for mutant, want := range map[string]string{
		"no post":          "deny",
		"two posts":        "deny",
		"no rewrite":       "modify",
		"own output":       "output",
		"own structure":    "structured",
		"no notes":         "context",
		"runs denied":      "deny",
		"post of suspend":  "ask_native",
		"not resumed":      "ask_native",
		"no usage":         "model",
		"no messages":      "messages",
		"no subagent":      "subagent",
		"two runs":         "run",
		"one session each": "session",
	} {
		t.Run(mutant, func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command(os.Args[0], "-test.run", "^TestPlain$")
			cmd.Env = append(os.Environ(), "ADAPTERTEST_MUTANT="+mutant)
			out, err := cmd.CombinedOutput()
			if failed := "--- FAIL: TestPlain/" + want + " "; err == nil || !strings.Contains(string(out), failed) {
				t.Errorf("want %q in the output, got %v\n%s", failed, err, out)
			}
		})
	}
}

func TestChecksHaveNamesAndSayWhatTheyHold(t *testing.T) {
	var names []string
	for _, c := range adaptertest.Checks() {
		if c.Says == "" || slices.Contains(names, c.Check) {
			t.Errorf("check %q: says %q", c.Check, c.Says)
		}
		names = append(names, c.Check)
	}
}

// plain is the agent.
type plain struct {
	adaptertest.Scenario
	a   *adapter.Adapter
	run *adapter.Run
	mu  sync.Mutex
	out adaptertest.Outcome
}

func runPlain(_ testing.TB, s adaptertest.Scenario) adaptertest.Outcome {
	p := &plain{Scenario: s, a: adapter.New(s.Engine, s.Options...), out: adaptertest.Outcome{Answers: map[string]string{}}}
	if mutant == "no messages" {
		p.a = adapter.New(s.Engine, append(s.Options, adapter.WithMessages(nil))...)
	}
	p.out.Final, p.out.Err = p.whole()
	return p.out
}

// whole is a session with one run.
func (p *plain) whole() (final string, err error) {
	ctx := p.a.Context(p.Context, func(c *engine.Caller) {
		c.SessionID, c.AgentID, c.AgentName, c.Model = p.Session, p.Agent, p.Agent, adaptertest.Model
	})
	if _, err := p.a.StartSession(ctx, "startup"); err != nil {
		return "", err
	}
	if mutant == "one session each" {
		_, _ = p.a.StartSession(ctx, "startup")
	}
	run, err := p.a.BeginRun(ctx, "plain", nil)
	if err != nil {
		return "", err
	}
	if mutant == "two runs" {
		_, _ = p.a.BeginRun(ctx, "plain", nil)
	}
	p.run = run
	defer func() { run.End(ctx, err) }()
	prompt, _, err := p.a.Prompt(ctx, p.Prompt)
	if err != nil {
		return "", err
	}
	calls, last := p.Calls, "done"
	if p.Sub {
		calls = []adaptertest.Call{{ID: "sub", Tool: "helper", Input: map[string]any{"request": "go"}}}
	}
	return p.agent(ctx, prompt, calls, last)
}

// agent is one agent's loop.
func (p *plain) agent(ctx context.Context, prompt string, calls []adaptertest.Call, last string) (string, error) {
	first, err := p.model(ctx, prompt, "calls", len(calls) == 0, last)
	if err != nil || len(calls) == 0 || first != "calls" {
		return first, err
	}
	answers := make([]string, len(calls))
	errs := make([]error, len(calls))
	var wait sync.WaitGroup
	for i, c := range calls {
		wait.Add(1)
		go func() {
			defer wait.Done()
			answers[i], errs[i] = p.call(ctx, c)
		}()
	}
	wait.Wait()
	if err := errors.Join(errs...); err != nil {
		return "", err
	}
	if why, halted := p.run.Halted(); halted {
		return why, nil
	}
	return p.model(ctx, strings.Join(answers, "\n"), last, true, last)
}

// model is one call of the played model.
func (p *plain) model(ctx context.Context, request, answer string, final bool, last string) (string, error) {
	if final {
		answer = last
	}
	m := p.a.BeginModel(ctx, adapter.ModelCall{Model: adaptertest.Model, Messages: []any{map[string]any{"role": "user", "content": request}}})
	if m.Denied != nil {
		return m.Denied.Error(), nil
	}
	p.mu.Lock()
	p.out.Requests = append(p.out.Requests, request+m.Context)
	p.mu.Unlock()
	if p.ModelFails != "" {
		err := errors.New(p.ModelFails)
		m.Fail(ctx, err)
		return "", err
	}
	usage := &hooks.Usage{InputTokens: adaptertest.UsageInput, OutputTokens: adaptertest.UsageOutput}
	if mutant == "no usage" {
		usage = nil
	}
	m.End(ctx, adapter.ModelAnswer{Response: answer, Usage: usage})
	p.run.Add(usage)
	return answer, nil
}

// call is one tool call; where a person has to be asked it waits, and is begun again.
func (p *plain) call(ctx context.Context, c adaptertest.Call) (string, error) {
	if c.Tool == "helper" {
		sub := engine.CallerFrom(ctx)
		if mutant != "no subagent" {
			sub = adapter.SubCaller(sub, "helper", "helper")
		}
		ctx := engine.WithCaller(ctx, sub)
		if _, err := p.a.BeginAgent(ctx, "go"); err != nil {
			return "", err
		}
		text, err := p.agent(ctx, "go", p.Calls, "helped")
		p.a.EndAgent(ctx, text)
		return text, err
	}
	text, err := p.tool(ctx, c, false)
	if errors.Is(err, engine.ErrSuspended) && p.Answer != nil {
		p.mu.Lock()
		p.out.Stopped++
		p.mu.Unlock()
		text, err = p.tool(ctx, c, mutant != "not resumed")
	}
	p.mu.Lock()
	p.out.Answers[c.ID] = text
	p.mu.Unlock()
	return text, err
}

func (p *plain) tool(ctx context.Context, c adaptertest.Call, resumed bool) (string, error) {
	again := p.out.Stopped > 0
	tool := p.Tools[slices.IndexFunc(p.Tools, func(t adaptertest.Tool) bool { return t.Name == c.Tool })]
	run := p.a.BeginTool(ctx, hooks.ToolCall{ID: c.ID, Name: c.Tool, Input: c.Input, Resumed: resumed})
	if run.Verdict() == engine.ToolAsks && p.a.AsksNatively() {
		switch {
		case !again && mutant == "post of suspend":
			run.End(ctx, nil, nil)
			return "", engine.ErrSuspended
		case !again:
			run.Suspend()
			return "", engine.ErrSuspended
		case p.Answer == nil:
			run.Unanswered(ctx, nil)
		case *p.Answer:
			run.Allow()
		default:
			run.Refuse(ctx, "")
		}
	}
	input := run.Input()
	if mutant == "no rewrite" {
		input = c.Input
	}
	if mutant == "runs denied" && run.Verdict() == engine.ToolRefused {
		_, _ = tool.Run(ctx, input)
	}
	output, err := run.Do(ctx, func(ctx context.Context) (any, error) {
		output, err := tool.Run(ctx, input)
		if text, ok := output.(string); ok {
			output = strings.ReplaceAll(text, "|", "")
		}
		return output, err
	})
	if mutant == "no post" {
		if run.Verdict() == engine.ToolRefused {
			return run.Reason(), nil
		}
		return fmt.Sprint(output), nil
	}
	a := run.End(ctx, output, err)
	if mutant == "two posts" {
		again := p.a.BeginTool(ctx, hooks.ToolCall{ID: c.ID, Name: c.Tool, Input: c.Input})
		again.End(ctx, nil, nil)
	}
	if a.Halt {
		p.run.Halt(a.Output.(string))
	}
	text := a.Text()
	switch {
	case mutant == "own output" && output != nil, mutant == "own structure" && output != nil && engine.TextOf(output)[0] == '{':
		text = engine.TextOf(output) + text
	case mutant == "no notes":
		text = engine.TextOf(a.Output)
	}
	return text, nil
}
