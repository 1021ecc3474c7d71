package engine

import (
	"context"
	"testing"
	"time"
)

// BenchmarkAcquire measures what it takes to have a script's state for a run and to put
// it back.
func BenchmarkAcquire(b *testing.B) {
	e, err := New(WithoutBuiltins(), WithScript("a.lua", `on("stop", function() end)`))
	if err != nil {
		b.Fatal(err)
	}
	defer e.Close(context.Background())
	ctx, s := context.Background(), e.loaded.scripts[0]
	now := time.Now()
	once := func(b *testing.B) {
		state, _, _, err := e.pool.acquire(ctx, s, now, time.Second)
		if err != nil {
			b.Fatal(err)
		}
		e.pool.release(state, true)
	}
	b.Run("alone", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			once(b)
		}
	})
	b.Run("side_by_side", func(b *testing.B) {
		b.ReportAllocs()
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				once(b)
			}
		})
	})
}
