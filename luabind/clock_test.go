package luabind

import (
	"testing"
	"time"

	"github.com/luahook/luahook/hooks"
)

// TestWaitingForTheProcessorIsNotCharged has time pass without work, once while goroutines wait
// for a processor and once while none does.
func TestWaitingForTheProcessorIsNotCharged(t *testing.T) {
	before := othersWaited
	defer func() { othersWaited = before }()
	for _, others := range []bool{true, false} {
		othersWaited = func(time.Duration, time.Time) bool { return others }
		var b budget
		b.start(t.Context(), Limits{Timeout: time.Second}, time.Now().Add(-10*time.Second))
		b.used = 100
		b.checkClock()
		if over := b.spent != nil; over == others || over && b.limit != hooks.LimitTime {
			t.Errorf("others wait: %v, and the run is over: %v, %v", others, over, b.spent)
		}
		if left := time.Until(b.clock.deadline()); others && (left < 900*time.Millisecond || left > time.Second) {
			t.Errorf("%s are left of a second", left)
		}
		for range 20 { // there is an end to it
			b.clock.began = b.clock.began.Add(-10 * time.Second)
			b.checkClock()
		}
		if b.spent == nil {
			t.Error("time without work is excused for ever")
		}
	}
	othersWaited = func(time.Duration, time.Time) bool { return true }
	var b budget
	b.start(t.Context(), Limits{Timeout: time.Second, Instructions: 1 << 40}, time.Now().Add(-10*time.Second))
	b.used = 10_000_000 // which may well take so long
	b.checkClock()
	if b.spent == nil {
		t.Error("work is taken for waiting")
	}
}
