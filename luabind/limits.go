package luabind

import "time"

// Limits bound one run of a hook. Zero values mean the defaults.
type Limits struct {
	Instructions int64         // VM instructions, and the work of library functions in such units; default 5,000,000
	Timeout      time.Duration // wall clock; default 1 s
	Memory       int64         // bytes that the run builds in all, and by which the heap may grow; default 64 MiB
}

// DefaultLimits are the limits of a run that nobody has said anything about.
var DefaultLimits = Limits{Instructions: 5_000_000, Timeout: time.Second, Memory: 64 << 20}

// Within returns the tighter of two limits, each on its own.
func (l Limits) Within(outer Limits) Limits {
	return Limits{
		Instructions: tighter(l.Instructions, outer.Instructions),
		Timeout:      tighter(l.Timeout, outer.Timeout),
		Memory:       tighter(l.Memory, outer.Memory),
	}
}

// tighter is the smaller of two limits of which zero says nothing.
func tighter[T int64 | time.Duration](a, b T) T {
	if a <= 0 || (b > 0 && b < a) {
		return b
	}
	return a
}

func (l Limits) orDefault() Limits {
	if l.Instructions <= 0 {
		l.Instructions = DefaultLimits.Instructions
	}
	if l.Timeout <= 0 {
		l.Timeout = DefaultLimits.Timeout
	}
	if l.Memory <= 0 {
		l.Memory = DefaultLimits.Memory
	}
	return l
}

// loadingTime is how long the first loading of a script may take by the clock.
const loadingTime = 5 * time.Second

// forLoading are the limits of loading a script for a run, which has half the time of a run,
// but 500 ms where a run has that: the first event pays for both.
func (l Limits) forLoading() Limits {
	l = l.orDefault()
	l.Timeout = min(l.Timeout, max(l.Timeout/2, 500*time.Millisecond))
	return l
}
