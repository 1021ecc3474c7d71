package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"time"

	"github.com/luahook/luahook/engine/override"
	"github.com/luahook/luahook/engine/store"
	"github.com/luahook/luahook/engine/store/redis"
)

// person lets a blocked command through, once, as luahook allow does on whatever machine.
type person struct {
	agent  *agent
	words  *override.Store
	redis  *redis.Store
	cwd    string
	number int

	let    int // passes that a call has used
	late   int // that none could use
	broken []string
}

func newPerson(m *machine, number int) *person {
	p := &person{agent: newAgent(fmt.Sprint("person-", number), m.listen), cwd: m.root, number: number}
	s, err := redis.Open(fmt.Sprint("redis://127.0.0.1:", m.redisPort))
	if err != nil {
		panic(err) // of a URL that we have made
	}
	p.redis = s
	p.words = override.NewStore(filepath.Join(m.dir, "person"), m.root)
	p.words.Shared = func(context.Context) (store.Store, error) { return p.redis, nil }
	return p
}

func (p *person) close() error {
	p.agent.client.CloseIdleConnections()
	return errors.Join(p.words.Close(), p.redis.Close())
}

// run lets one command through after the other, until ctx is done.
func (p *person) run(ctx context.Context) {
	for i := 0; ; i++ {
		if pause(ctx, 500*time.Millisecond) != nil {
			return
		}
		command := fmt.Sprintf("git reset --hard HEAD~%d%03d", p.number+1, i+1)
		if p.lets(ctx, command) {
			p.broken = append(p.broken, "nobody has let it through: "+command)
			continue
		}
		if !p.allow(ctx, command) {
			continue
		}
		first, again := p.lets(ctx, command), p.lets(ctx, command)
		switch {
		case first && again:
			p.broken = append(p.broken, "it was let through twice: "+command)
		case first, again:
			p.let++
		default:
			p.late++
		}
	}
}

// lets fires the command as a new call and reports whether it may go on.
func (p *person) lets(ctx context.Context, command string) bool {
	a := p.agent.fire(ctx, "other", "", map[string]any{"event": "pre_tool_call", "cwd": p.cwd, "tool_call": map[string]any{"name": "shell", "kind": "shell", "input": map[string]any{"command": command}}})
	return a.err == nil && a.status == http.StatusOK && a.decision != "deny" && a.decision != "ask"
}

// allow waits until the command is known as blocked, and lets it through once.
func (p *person) allow(ctx context.Context, command string) bool {
	for range 20 {
		list, err := p.words.Blocked()
		if err != nil {
			return false
		}
		for _, b := range list {
			if b.Asked == command {
				_, err := p.words.AllowOnce(b)
				return err == nil
			}
		}
		if pause(ctx, 50*time.Millisecond) != nil {
			return false
		}
	}
	return false
}
