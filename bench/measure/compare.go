package measure

import (
	"math/rand/v2"
	"runtime"
	"time"
)

// Row is a thing to be timed.
type Row struct {
	Name string
	Run  func() error
}

// Timing is the result for a row.
type Timing struct {
	Name   string
	NS     Spread // processor time of a call, in nanoseconds
	Ratio  Spread // of slices to the slice of the reference right before
	Allocs float64
	Bytes  float64
}

// slice is how long a row runs at a time: short enough that a disturbance of one slice mostly affects its
// neighbour, too.
const slice = 4 * time.Millisecond

// long is the longest call whose row runs in each round; others run in every eighth.
const long = 25 * slice

// Compare times rows against a reference, for a number of rounds, each in a new random order. The process should
// be [Quiet].
func Compare(reference Row, rows []Row, rounds int, rng *rand.Rand) ([]Timing, error) {
	perSlice, err := calls(reference)
	if err != nil {
		return nil, err
	}
	type series struct {
		calls      int
		long       bool
		ns, ratios []float64
	}
	all := make([]series, len(rows))
	timings := make([]Timing, len(rows))
	for i, r := range rows {
		if all[i].calls, err = calls(r); err != nil {
			return nil, err
		}
		one, err := perCall(r.Run, 1)
		if err != nil {
			return nil, err
		}
		all[i].long = one > float64(long)
		timings[i].Name = r.Name
		if timings[i].Allocs, timings[i].Bytes, err = Allocations(min(1000, 2*all[i].calls), r.Run); err != nil {
			return nil, err
		}
	}
	for round := range rounds {
		runtime.GC()
		for _, i := range rng.Perm(len(rows)) {
			if all[i].long && round%8 != 0 {
				continue
			}
			beside, err := perCall(reference.Run, perSlice)
			if err != nil {
				return nil, err
			}
			own, err := perCall(rows[i].Run, all[i].calls)
			if err != nil {
				return nil, err
			}
			all[i].ns = append(all[i].ns, own)
			all[i].ratios = append(all[i].ratios, own/beside)
		}
	}
	for i := range timings {
		timings[i].NS, timings[i].Ratio = NewSpread(all[i].ns), NewSpread(all[i].ratios)
	}
	return timings, nil
}

// calls returns how many calls fill a slice.
func calls(r Row) (int, error) {
	if err := r.Run(); err != nil { // warms up
		return 0, err
	}
	for n := 1; ; n *= 2 {
		one, err := perCall(r.Run, n)
		if err != nil {
			return 0, err
		}
		if took := one * float64(n); took >= float64(slice)/8 {
			return max(1, int(float64(slice)/one)), nil
		}
	}
}

// perCall returns the processor time of one of n calls, in nanoseconds.
func perCall(run func() error, n int) (float64, error) {
	began := CPU()
	for range n {
		if err := run(); err != nil {
			return 0, err
		}
	}
	return float64(CPU()-began) / float64(n), nil
}
