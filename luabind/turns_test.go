package luabind

import (
	"testing"
	"time"

	"github.com/luahook/luahook/hooks"
)

// TestWaitingForATurnIsNotCharged has time pass without work, once while goroutines wait
// for a processor and once while none does.
func TestWaitingForATurnIsNotCharged(t *testing.T) {
	before := turns
	defer func() { turns = before }()
	for _, others := range []bool{true, false} {
		turns = func(time.Duration, time.Time) bool { return others }
		var b Budget
		b.start(t.Context(), Limits{Timeout: time.Second}, time.Now().Add(-10*time.Second))
		b.used = 100
		b.checkClock()
		if over := b.spent != nil; over == others || over && b.limit != hooks.LimitTime {
			t.Errorf("others wait: %v, and the run is over: %v, %v", others, over, b.spent)
		}
		if left := time.Until(b.deadline()); others && (left < 900*time.Millisecond || left > time.Second) {
			t.Errorf("%s are left of a second", left)
		}
		for range 20 { // there is an end to it
			b.began = b.began.Add(-10 * time.Second)
			b.checkClock()
		}
		if b.spent == nil {
			t.Error("time without work is pardoned for ever")
		}
	}
	turns = func(time.Duration, time.Time) bool { return true }
	var b Budget
	b.start(t.Context(), Limits{Timeout: time.Second, Instructions: 1 << 40}, time.Now().Add(-10*time.Second))
	b.used = 10_000_000 // which may well take so long
	b.checkClock()
	if b.spent == nil {
		t.Error("work is taken for waiting")
	}
}
