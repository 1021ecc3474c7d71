package engine

import (
	"slices"
	"sync"
	"testing"
)

// An event has a number of its own, whoever else is numbered meanwhile; one after the other they count up.
func TestEventsHaveNumbersOfTheirOwn(t *testing.T) {
	const lanes, users, each = 2, 4, 50_000
	a := &activity{}
	for want := range uint64(3 * numberBlock) {
		if got := a.nextNumber(&a.lanes[lanes]); got != want+1 {
			t.Fatalf("got %d, want %d", got, want+1)
		}
	}
	var numbers [lanes * users][]uint64
	var all sync.WaitGroup
	for i := range numbers {
		all.Go(func() {
			for range each {
				numbers[i] = append(numbers[i], a.nextNumber(&a.lanes[i/users]))
			}
		})
	}
	all.Wait()
	given := slices.Sorted(slices.Values(slices.Concat(numbers[:]...)))
	if len(slices.Compact(slices.Clone(given))) != lanes*users*each || given[0] != 3*numberBlock+1 {
		t.Errorf("%d of %d numbers, from %d", len(slices.Compact(given)), lanes*users*each, given[0])
	}
}
