package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/luahook/luahook/engine/store"
	"github.com/luahook/luahook/engine/store/redis"
)

// measure prints what docs/fleet.md calculates with: what a session and a key take in Redis, how long Redis is at work
// for a call, how many calls an event needs, and how many calls one Redis answers here.
func measure() error {
	dir, err := os.MkdirTemp("", "luahook-fleet-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	m := &machine{dir: dir}
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
	a := newAgent("measured", m.listen)
	for i := range 1000 {
		if one := a.fire(ctx, "call", fmt.Sprint(i), nil); !one.lets() {
			return fmt.Errorf("event %d: %v %s", i, one.err, one.body)
		}
	}
	said, err := m.ask("INFO", "commandstats")
	if err != nil {
		return err
	}
	calls := 0.0
	for _, c := range regexp.MustCompile(`(?m)^cmdstat_(?:evalsha|get|mget):calls=(\d+)`).FindAllStringSubmatch(fmt.Sprint(said), -1) {
		n, err := strconv.ParseFloat(c[1], 64)
		if err != nil {
			return err
		}
		calls += n
	}
	fmt.Printf("questions to Redis per event (an incr, a hook that runs once, the loop guard, a task at every fifth): %.1f and those within scripts\n", calls/1000)
	return nil
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
