package logindex_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/luahook/luahook/cmd/luahook/internal/logindex"
	"github.com/luahook/luahook/cmd/luahook/internal/logindex/logindextest"
)

// Walking passes the rows that Row returns, in order, whatever the bounds are.
func TestWalk(t *testing.T) {
	dir := t.TempDir()
	const records = 20_000 // which is more than one segment
	if err := logindextest.Write(dir, records); err != nil {
		t.Fatal(err)
	}
	x, _ := run(t, dir, logindex.Options{})
	v := until(t, x, has(records))
	for _, bounds := range [][2]int{{0, records}, {-5, 10}, {records - 3, records + 3}, {7, 7}, {9, 3}, {4_321, 17_654}} {
		next := max(bounds[0], 0)
		v.Walk(bounds[0], bounds[1], func(i int, r *logindex.Row) {
			if i != next {
				t.Fatalf("row %d comes after row %d", i, next-1)
			}
			next++
			got, want := *r, v.Row(i)
			if got.Runs = slices.Clone(r.Runs); !reflect.DeepEqual(got, want) {
				t.Fatalf("row %d: %+v, want %+v", i, got, want)
			}
		})
		if want := max(min(bounds[1], records), max(bounds[0], 0)); next != want {
			t.Errorf("%v: walked up to %d, want %d", bounds, next, want)
		}
	}
}
