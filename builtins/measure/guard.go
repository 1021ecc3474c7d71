package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/luahook/luahook/builtins"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// guard is safety-guard alone, with the limits that it has in earnest. It has no store, no log and no one's
// configuration.
type guard struct {
	engine *engine.Engine
	cwd    string
}

func newGuard(o options) (*guard, error) {
	with := map[string]any{"level": o.level}
	if o.packs == "all" {
		with["packs"] = "all"
	} else if o.packs != "" {
		var packs []any
		for pack := range strings.SplitSeq(o.packs, ",") {
			packs = append(packs, strings.TrimSpace(pack))
		}
		with["packs"] = packs
	}
	e, err := engine.New(engine.WithoutBuiltins(), engine.WithBuiltin(builtins.Default, with))
	if err != nil {
		return nil, err
	}
	if errs := e.LoadErrors(); len(errs) > 0 {
		return nil, errs[0]
	}
	return &guard{engine: e, cwd: o.cwd}, nil
}

func (g *guard) close() {
	g.engine.Close(background)
}

// Decisions on calls. One that can't be judged is a failure, although the guard blocks it then.
const (
	passes = ""
	asks   = "ask"
	denies = "deny"
	fails  = "error"
)

// verdict is what the guard makes of a call.
type verdict struct {
	decision string
	rule     string // that stops it
	reason   string // of the rule, or of the failure
	took     time.Duration
}

func (g *guard) judge(c call) verdict {
	cwd := c.cwd
	if cwd == "" {
		cwd = g.cwd
	}
	began := time.Now()
	r, err := g.engine.Fire(background, &hooks.Context{
		Event: hooks.PreToolCall, CWD: cwd,
		ToolCall: &hooks.ToolCall{Name: c.tool, Input: c.input},
	})
	v := verdict{took: time.Since(began)}
	if err != nil {
		v.decision, v.rule, v.reason = fails, "no valid call", err.Error()
		return v
	}
	for _, run := range r.Summary().Runs {
		if run.Error != nil {
			v.decision, v.rule, v.reason = fails, run.Hook+" failed", fmt.Sprint(run.Error.Message)
			return v
		}
	}
	switch r.Decision {
	case hooks.Deny:
		v.decision = denies
	case hooks.Ask:
		v.decision = asks
	default:
		return v
	}
	v.reason, v.rule = r.Reason, "another hook" // such as one of those who manage the machine
	if reason, rule, ok := strings.Cut(r.Reason, " (safety-guard: "); ok {
		v.reason, v.rule = reason, strings.TrimSuffix(rule, ")")
	}
	return v
}
