package engine

import "testing"

// TestRunsStayWhereTheyAre notes runs of one event, as many as there may be and more: they
// come in their order, and what was handed out for one is what is told of it.
func TestRunsStayWhereTheyAre(t *testing.T) {
	for _, hooks := range []int{1, 2, 17, 18, 1000} {
		o := &outcome{}
		var given []*hookRun
		for i := range hooks + 20 { // the judging round comes on top
			given = append(given, o.add(max(hooks-i, 1)))
		}
		for i, run := range given {
			run.number = int32(i)
		}
		told := 0
		for run := range o.runs {
			if run != given[told] || run.number != int32(told) {
				t.Fatalf("%d hooks: run %d isn't where it was", hooks, told)
			}
			told++
		}
		if told != len(given) {
			t.Errorf("%d hooks: %d of %d runs are told of", hooks, told, len(given))
		}
		for range o.runs {
			break // which ends it
		}
	}
}
