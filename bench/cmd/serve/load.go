//go:build linux

package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"golang.org/x/sys/unix"
)

// load is what has become of the events that were fired. One goroutine may use it.
type load struct {
	sessions int // that there have been
	lost     uint64
	total    uint64 // answers, ever

	times   [longest / time.Microsecond]uint32 // of the part: how many answers took so many microseconds
	longer  uint64                             // how many took longer than that
	max     time.Duration
	answers uint64 // of the part
}

// longest is the longest time that is counted by the microsecond.
const longest = time.Second

// answered counts an answer.
func (l *load) answered(took time.Duration) {
	l.total++
	l.answers++
	l.max = max(l.max, took)
	if at := took / time.Microsecond; at < time.Duration(len(l.times)) {
		l.times[at]++
	} else {
		l.longer++
	}
}

// quantile is the time in which a share of the part's answers came.
func (l *load) quantile(share float64) time.Duration {
	rank, seen := uint64(share*float64(l.answers)), uint64(0)
	for at, n := range l.times {
		if seen += uint64(n); seen > rank {
			return time.Duration(at) * time.Microsecond
		}
	}
	return l.max
}

// figures are what came of one part of the load.
type figures struct {
	rate                float64 // answers a second
	p50, p99, max       time.Duration
	server, client      time.Duration // processor time an answer
	took, serverAll, us time.Duration
}

// room is how many events a second two processors have time for.
func (f figures) room() float64 { return 2 / (f.server + f.client).Seconds() }

func (f figures) String() string {
	return fmt.Sprintf("%6.0f fires/s, p50 %v, p99 %v, longest %v; %.1f µs of the server's time and %.1f µs of the client's a fire, room for %.0f/s",
		f.rate, round(f.p50), round(f.p99), round(f.max), f.server.Seconds()*1e6, f.client.Seconds()*1e6, f.room())
}

func round(d time.Duration) time.Duration { return d.Round(10 * time.Microsecond) }

// part fires events for some time, or until nobody listens any more. With a rate they are due at times that don't
// depend on the answers, at random, as events of many agents are; what an event waits for a connection counts. Without
// one, each connection fires its next event when the last is answered. beside is called again and again meanwhile.
func (l *load) part(s *server, connections int, length time.Duration, rate float64, beside func(now time.Time) error) (figures, error) {
	c, err := newClient(s.network, s.address, connections, l)
	if err != nil {
		return figures{}, err
	}
	defer c.close()
	clear(l.times[:])
	l.longer, l.max, l.answers = 0, 0, 0
	serverBefore, clientBefore := s.processorTime(), ownTime()
	started := time.Now()
	end, due := started.Add(length), started
	now := started
	for ; now.Before(end) && c.open(); now = time.Now() {
		if rate == 0 {
			for len(c.idle) > 0 {
				c.send(time.Now())
			}
			c.wait(100 * time.Millisecond)
		} else {
			for ; !due.After(now) && len(c.idle) > 0; due = due.Add(time.Duration(rand.ExpFloat64() / rate * 1e9)) {
				c.send(due)
			}
			pause := unix.NsecToTimespec(int64(step))
			_ = unix.Nanosleep(&pause, nil) // an error: it was shorter
			c.wait(0)
		}
		if c.failed != nil {
			return figures{}, c.failed
		}
		if beside != nil {
			if err := beside(now); err != nil {
				return figures{}, err
			}
		}
	}
	took := now.Sub(started)
	f := figures{took: took, rate: float64(l.answers) / took.Seconds(), p50: l.quantile(.5), p99: l.quantile(.99), max: l.max}
	f.serverAll, f.us = s.processorTime()-serverBefore, ownTime()-clientBefore
	if l.answers == 0 {
		return f, errors.New("no event was answered")
	}
	f.server, f.client = f.serverAll/time.Duration(l.answers), f.us/time.Duration(l.answers)
	return f, l.finish(c)
}

// step is how long the client sleeps between two looks at what is due and what is answered, where there is a rate, so
// that it takes less of the processors. It counts as time that the events have taken.
const step = 200 * time.Microsecond

// finish waits for the answers that are still to come.
func (l *load) finish(c *client) error {
	late := time.Now().Add(time.Minute)
	for c.awaits() {
		if time.Now().After(late) {
			return errors.New("an answer doesn't come")
		}
		if c.wait(time.Second); c.failed != nil {
			return c.failed
		}
	}
	return nil
}

// awaits reports whether an answer is to come.
func (c *client) awaits() bool {
	for _, at := range c.connections {
		if at.fd >= 0 && at.wanted != nil {
			return true
		}
	}
	return false
}

// ownTime is the processor time of this process.
func ownTime() time.Duration {
	var u unix.Rusage
	_ = unix.Getrusage(unix.RUSAGE_SELF, &u) // an error: it isn't asked for anybody else's
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
