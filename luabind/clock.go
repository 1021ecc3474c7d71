package luabind

import (
	"runtime"
	"runtime/metrics"
	"sync"
	"time"
)

// clock is the account of a run's time. It is the run's own time alone: what passes while
// thousands of other goroutines want the processor, or others use what the run needs, isn't
// charged. Go doesn't say how long a goroutine has had the processor, so that is concluded from
// what the run has done.
type clock struct {
	began   time.Time // of the run, later by all that isn't charged to it
	timeout time.Duration
	seen    time.Duration // since began, when the clock was last looked at
	looked  int64         // units of work by then
	waits   bool          // something that waits was called since
	idle    time.Duration // that passed without work to show for it
	excused int           // how often such time wasn't charged
	waited  time.Duration // for others; see [WaitUncharged]
}

// What a run may take at most between two looks at the clock, if it has the processor for
// itself. Many times what it does take.
const (
	slackTime = time.Millisecond // whatever it does
	unitTime  = time.Microsecond // for a unit of work
)

// look notes the time since the last look, in which the run has gone on to used units of work,
// and reports whether the run's time is over. Time that is much longer than the work can take
// may have gone to other goroutines or the collector of garbage, or to work that isn't charged. It
// is the run's own unless others have waited for the processor.
func (c *clock) look(used int64) (over bool) {
	elapsed := time.Since(c.began)
	gap, work := elapsed-c.seen, used-c.looked
	c.seen, c.looked = elapsed, used
	switch {
	case gap <= slackTime || work >= int64(gap/unitTime):
	case c.waits:
		c.waits = false
	default:
		c.idle += gap - slackTime - time.Duration(work)*unitTime
	}
	return c.seen >= c.timeout && (c.seen-c.idle >= c.timeout || !c.excuse())
}

// maxExcused is how often idle time isn't charged.
const maxExcused = 10

// excuse takes idle time out of the account where goroutines have waited long for the processor.
func (c *clock) excuse() bool {
	if c.excused == maxExcused || !othersWaited(c.idle/10, c.began) {
		return false
	}
	c.excused++
	c.skip(c.idle)
	c.idle = 0
	return true
}

// skip takes time out of the account.
func (c *clock) skip(d time.Duration) {
	c.began = c.began.Add(d)
	c.seen -= d
}

// charged is how long the run has taken by the last look.
func (c *clock) charged() time.Duration {
	if c.idle > 20*slackTime {
		c.excuse()
	}
	return c.seen
}

// latest is the time of the last look.
func (c *clock) latest() time.Time { return c.began.Add(c.seen) }

func (c *clock) deadline() time.Time { return c.began.Add(c.timeout) }

// othersWaited reports whether others wait for the processor; see [scheduler.waited].
var othersWaited = new(scheduler).waited

// scheduler remembers what Go's scheduler said last of all goroutines of the process.
type scheduler struct {
	mu   sync.Mutex
	seen []uint64    // how often a goroutine that could run has waited for how long
	when []time.Time // that was last seen to be more often than before
}

// waited reports whether goroutines have waited so long for a processor since then, or whether
// more do now than there are processors.
func (s *scheduler) waited(long time.Duration, since time.Time) bool {
	samples := [...]metrics.Sample{{Name: "/sched/goroutines/runnable:goroutines"}, {Name: "/sched/latencies:seconds"}}
	metrics.Read(samples[:])
	busy := samples[0].Value.Kind() == metrics.KindUint64 && samples[0].Value.Uint64() > uint64(runtime.GOMAXPROCS(0))
	if samples[1].Value.Kind() != metrics.KindFloat64Histogram {
		return busy
	}
	h := samples[1].Value.Float64Histogram()
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.seen) != len(h.Counts) {
		s.seen, s.when = make([]uint64, len(h.Counts)), make([]time.Time, len(h.Counts))
	}
	now := time.Now()
	for i, n := range h.Counts {
		if n > s.seen[i] {
			s.seen[i], s.when[i] = n, now
		}
		if h.Buckets[i] >= long.Seconds() && s.when[i].After(since) {
			busy = true
		}
	}
	return busy
}
