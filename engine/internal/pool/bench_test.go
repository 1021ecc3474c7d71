package pool

import (
	"context"
	"testing"
	"time"
)

// BenchmarkAcquire measures what it takes to have a script's state for a run and to put
// it back.
func BenchmarkAcquire(b *testing.B) {
	p, scripts := newPool(b, 1, 64)
	ctx, s, now := context.Background(), scripts[0], time.Now()
	once := func(b *testing.B) {
		state, _, _, err := p.Acquire(ctx, s, nil, now, time.Second)
		if err != nil {
			b.Fatal(err)
		}
		p.Release(state, true)
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
