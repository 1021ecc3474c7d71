package logindex_test

import (
	"context"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/luahook/luahook/cmd/luahook/internal/logindex"
	"github.com/luahook/luahook/cmd/luahook/internal/logindex/logindextest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// run opens an index and runs it until the test ends, or the function that it returns is called.
func run(t testing.TB, path string, o logindex.Options) (x *logindex.Index, stop func()) {
	t.Helper()
	x, err := logindex.Open(path, o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- x.Run(ctx); close(ended) }()
	stop = func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("Run: %v", err)
		}
	}
	t.Cleanup(stop)
	return x, stop
}

// until waits for a view.
func until(t testing.TB, x *logindex.Index, is func(v *logindex.View) bool) *logindex.View {
	t.Helper()
	end := time.After(time.Minute)
	for {
		v := x.View()
		if is(v) {
			return v
		}
		select {
		case <-v.Newer():
		case <-end:
			done, total := v.Progress()
			t.Fatalf("not within a minute; there are %d records, %d of %d bytes, %v", v.Len(), done, total, v.Err())
		}
	}
}

func has(records int) func(v *logindex.View) bool {
	return func(v *logindex.View) bool { return v.Len() == records }
}

func TestRows(t *testing.T) {
	dir := t.TempDir()
	if err := logindextest.Write(dir, 30000); err != nil {
		t.Fatal(err)
	}
	x, _ := run(t, dir, logindex.Options{})
	v := until(t, x, has(30000))
	for _, i := range []int{0, 1, 14999, 15000, 29999} {
		r := v.Row(i)
		if want := logindextest.Begin.Add(time.Duration(i) * time.Second).UnixMilli(); r.Time != want || len(r.Runs) != 2 {
			t.Errorf("row %d: %+v", i, r)
		}
		e, err := v.Read(i)
		if err != nil || e.Time.UnixMilli() != r.Time {
			t.Errorf("record %d: %v, %v", i, e.Time, err)
		}
		if k, ok := v.Find(v.Ref(i)); k != i || !ok {
			t.Errorf("Find(%s) = %d, %t, want %d", v.Ref(i), k, ok, i)
		}
	}
	p, err := v.Search(context.Background(), logindex.Query{Text: "NEEDLE in a Haystack"}, v.Len(), 10)
	t.Log(p, err)
	p, err = v.Search(context.Background(), logindex.Query{Decision: "deny"}, v.Len(), 3)
	t.Log(p, err, v.Name(v.Row(p.Rows[0]).Rule))
}
