package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/luahook/luahook/engine/store"
	"github.com/luahook/luahook/engine/store/redis"
)

// measure prints what docs/fleet.md calculates with: what a session and a key take in Redis, how long Redis is at work
// for a call, how many calls an event needs, and how many calls one Redis answers here.
func measure(luahook string) error {
	dir, err := os.MkdirTemp("", "luahook-fleet-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	m := &machine{dir: dir, luahook: luahook}
	defer m.end()
	if err := m.start(ctx); err != nil {
		return err
	}
	s, err := redis.Open(fmt.Sprint("redis://127.0.0.1:", m.redisPort))
	if err != nil {
		return err
	}
	defer s.Close()

	const sessions, keys = 10_000, 10_000
	session := func(i int) store.Space {
		return store.Space{Name: fmt.Sprintf("hook\x00session\x00/srv/project\x00user\x00/etc/luahook/hooks/policy.lua\x007c1f0b5e-3a44-4c0e-9f57-%012d", i), MaxKeys: 10_000, MaxBytes: 16 << 20, TTL: 7 * 24 * time.Hour}
	}
	before, err := m.info("memory", "used_memory")
	if err != nil {
		return err
	}
	if err := each(sessions, func(i int) error { _, err := s.Incr(ctx, session(i), "calls", 1, store.Keep); return err }); err != nil {
		return err
	}
	with, err := m.info("memory", "used_memory")
	if err != nil {
		return err
	}
	if err := each(keys, func(i int) error {
		return s.Set(ctx, session(i%100), fmt.Sprintf("a key of 20 bytes %d", i), []byte("a value of twenty by"), store.Keep)
	}); err != nil {
		return err
	}
	more, err := m.info("memory", "used_memory")
	if err != nil {
		return err
	}
	fmt.Printf("bytes of a session with one counter: %.0f\nbytes of a further key of 20 bytes with a value of 20 bytes: %.0f\n", (with-before)/sessions, (more-with)/keys)

	for _, kind := range []struct {
		name string
		do   func(i int) error
	}{
		{"incr", func(i int) error { _, err := s.Incr(ctx, session(i%sessions), "calls", 1, store.Keep); return err }},
		{"get", func(i int) error { _, err := s.Get(ctx, session(i%sessions), "calls"); return err }},
	} {
		if _, err := m.ask("CONFIG", "RESETSTAT"); err != nil {
			return err
		}
		began, n := time.Now(), 20_000
		if err := each(n, kind.do); err != nil {
			return err
		}
		took := time.Since(began)
		stats, err := m.info("commandstats", "cmdstat_"+map[string]string{"incr": "evalsha", "get": "get"}[kind.name])
		if err != nil {
			return err
		}
		fmt.Printf("%s: Redis is at work for %.0f µs a call, without the network; %.0f calls/s here, with the clients\n", kind.name, stats, float64(n)/took.Seconds())
	}

	if _, err := m.ask("CONFIG", "RESETSTAT"); err != nil {
		return err
	}
	agents, all := make([]*agent, 16), 4000
	for i := range agents {
		agents[i] = newAgent(fmt.Sprint("measured ", i), m.listen)
	}
	began := m.processorTimes()
	var failed sync.Map
	var work sync.WaitGroup
	for _, a := range agents {
		work.Go(func() {
			for i := range all / len(agents) {
				if one := a.fire(ctx, "call", fmt.Sprint(i), nil); !one.lets() {
					failed.Store("event", fmt.Errorf("event %d: %v %s", i, one.err, one.body))
				}
			}
		})
	}
	work.Wait()
	ended := m.processorTimes()
	if err, is := failed.Load("event"); is {
		return err.(error)
	}
	changes, err := m.calls("evalsha")
	if err != nil {
		return err
	}
	reads, err := m.calls("get") // of which each script of a change makes one
	if err != nil {
		return err
	}
	fmt.Printf("an event (the guard, an incr, a hook that runs once, the loop guard, a task at every fifth) asks Redis %.1f times, of which %.1f change something\n",
		reads/float64(all), changes/float64(all))
	for i, name := range [...]string{"the servers", "Redis", "HAProxy"} {
		fmt.Printf("processor time of %s for an event: %.0f µs\n", name, (ended[i]-began[i]).Seconds()*1e6/float64(all))
	}
	return nil
}

// processorTimes are those of the servers together, of Redis and of HAProxy, so far; 0 where there is no /proc.
func (m *machine) processorTimes() (times [3]time.Duration) {
	of := func(p *program) time.Duration {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.cmd.Process.Pid))
		if err != nil {
			return 0
		}
		fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
		ticks := 0
		for _, f := range fields[11:13] { // of user and system, a hundredth of a second each
			n, err := strconv.Atoi(f)
			if err != nil {
				return 0
			}
			ticks += n
		}
		return time.Duration(ticks) * 10 * time.Millisecond
	}
	for i := range m.servers {
		times[0] += of(&m.servers[i].program)
	}
	times[1], times[2] = of(&m.redis), of(&m.proxy)
	return times
}

// calls is how often Redis was asked a command.
func (m *machine) calls(command string) (float64, error) {
	said, err := m.ask("INFO", "commandstats")
	if err != nil {
		return 0, err
	}
	found := regexp.MustCompile(`(?m)^cmdstat_` + command + `:calls=(\d+)`).FindStringSubmatch(fmt.Sprint(said))
	if found == nil {
		return 0, nil
	}
	return strconv.ParseFloat(found[1], 64)
}

// each does something n times, by 16 at once.
func each(n int, do func(i int) error) error {
	var next atomic.Int64
	var work sync.WaitGroup
	errs := make([]error, 16)
	for w := range errs {
		work.Go(func() {
			for errs[w] == nil {
				i := next.Add(1) - 1
				if i >= int64(n) {
					return
				}
				errs[w] = do(int(i))
			}
		})
	}
	work.Wait()
	return errors.Join(errs...)
}

// info is a number of Redis's INFO: of a command, how many microseconds a call takes.
func (m *machine) info(section, name string) (float64, error) {
	said, err := m.ask("INFO", section)
	if err != nil {
		return 0, err
	}
	found := regexp.MustCompile(`(?m)^` + name + `:(?:.*usec_per_call=)?([0-9.]+)`).FindStringSubmatch(fmt.Sprint(said))
	if found == nil {
		return 0, fmt.Errorf("INFO %s says no %s", section, name)
	}
	return strconv.ParseFloat(found[1], 64)
}
