package measure_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/luahook/luahook/bench/measure"
)

func TestSpread(t *testing.T) {
	got := measure.NewSpread([]float64{5, 1, 4, 2, 3})
	want := measure.Spread{Min: 1, P10: 1.4, Q1: 2, Median: 3, Q3: 4, Max: 5}
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

var sink []byte

func TestAllocations(t *testing.T) {
	allocs, bytes, err := measure.Allocations(100, func() error { sink = make([]byte, 1024); return nil })
	if err != nil || allocs != 1 || bytes < 1024 || bytes > 1100 {
		t.Errorf("%v allocations of %v bytes, %v; want 1 of 1024", allocs, bytes, err)
	}
}

func TestCompareFillsRowsInOrder(t *testing.T) {
	count := [2]int{}
	row := func(i int) measure.Row {
		return measure.Row{Name: string(rune('a' + i)), Run: func() error {
			count[i]++
			for range 1000 {
				sink = append(sink[:0], 'x')
			}
			return nil
		}}
	}
	timings, err := measure.Compare(row(0), []measure.Row{row(0), row(1)}, 3, rand.New(rand.NewPCG(1, 1)))
	if err != nil {
		t.Fatal(err)
	}
	if len(timings) != 2 || timings[0].Name != "a" || timings[1].Name != "b" || count[0] <= count[1] {
		t.Errorf("%+v after %v calls", timings, count)
	}
}

func TestCompareStopsAtAnError(t *testing.T) {
	broken := errors.New("broken")
	fine := measure.Row{Name: "fine", Run: func() error { return nil }}
	_, err := measure.Compare(fine, []measure.Row{{Name: "b", Run: func() error { return broken }}}, 1, rand.New(rand.NewPCG(1, 1)))
	if !errors.Is(err, broken) {
		t.Errorf("the error is %v, want the row's", err)
	}
}
