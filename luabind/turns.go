package luabind

import (
	"runtime"
	"runtime/metrics"
	"sync"
	"time"
)

// A run's time is its own: what passes while it waits for its turn, because thousands of
// other goroutines or processes want the processor, is no reason to end it. Go doesn't say
// how long a goroutine has had the processor, so it is told from what the run has done.

// What a run may take at most between two looks at the clock, if it has the processor for
// itself. Many times what it does take.
const (
	slackTime = time.Millisecond // whatever it does
	unitTime  = time.Microsecond // for a unit of work
)

// passed notes the time since the last look. What is much longer than the run's work can
// take is in doubt: it may have gone to other goroutines, the collector of garbage or other
// processes, or to work that nobody charges for.
func (b *Budget) passed(elapsed time.Duration) {
	gap, work := elapsed-b.seen, b.used-b.looked
	b.seen, b.looked = elapsed, b.used
	if gap <= slackTime || work >= int64(gap/unitTime) {
		return
	}
	if b.waits {
		b.waits = false
		return
	}
	if b.doubt == 0 {
		b.process, b.since = processTime(), elapsed
	}
	b.doubt += gap - slackTime - time.Duration(work)*unitTime
}

// over tells whether the run's time is over. Time in doubt is the run's own unless there
// are signs that it had to wait for its turn.
func (b *Budget) over() bool {
	ran := b.seen - b.lost
	return ran >= b.allowed && (ran-b.doubt >= b.allowed || !b.pardon())
}

// maxPardons is how often time in doubt isn't charged.
const maxPardons = 10

// pardon looks for signs that others had the processor during the time in doubt, which
// isn't charged then: that goroutines have waited long for their turn, or that the whole
// process hadn't the processor for most of the time.
func (b *Budget) pardon() bool {
	if b.pardons == maxPardons {
		return false
	}
	known := b.seen - b.since
	starved := known > slackTime && b.process > 0 && processTime()-b.process < known/2
	if !starved && !turns(b.doubt/10, b.began) {
		return false
	}
	b.pardons++
	b.lost += b.doubt
	b.doubt = 0
	return true
}

// ran is how long the run has had the processor or has waited for what it needs.
func (b *Budget) ran() time.Duration {
	if b.doubt > 20*slackTime {
		b.pardon()
	}
	return b.seen - b.lost
}

// turns tells whether others wait for their turn; see [scheduler.waited].
var turns = new(scheduler).waited

// scheduler remembers what Go's scheduler said last of all goroutines of the process.
type scheduler struct {
	mu   sync.Mutex
	seen []uint64    // how often a goroutine that could run has waited for how long
	when []time.Time // that was last seen to be more often than before
}

// waited tells whether goroutines have waited so long for their turn since then, or whether
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
