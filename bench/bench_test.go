// Package bench measures luahook and other engines on the same guard; see ../docs/performance.md. The benchmarks
// here are for benchstat; cmd/table prints the table.
package bench

import (
	"errors"
	"testing"

	"github.com/luahook/luahook/bench/engines"
	"github.com/luahook/luahook/bench/policy"
)

// BenchmarkGuard is one hook, each case in each engine.
func BenchmarkGuard(b *testing.B) {
	for _, e := range engines.All() {
		b.Run("engine="+e.Name, func(b *testing.B) {
			guard, err := e.New()
			if err != nil {
				b.Fatal(err)
			}
			defer guard.Close()
			for _, c := range policy.Cases() {
				run, err := engines.InTurn(guard, c)
				if errors.Is(err, engines.ErrNoRule) {
					continue
				}
				if err != nil {
					b.Fatal(err)
				}
				b.Run("case="+c.Name, func(b *testing.B) { benchmark(b, run) })
			}
		})
	}
}

// BenchmarkHooks is one event that many hooks of luahook are registered for.
func BenchmarkHooks(b *testing.B) {
	for _, set := range engines.HookSets() {
		b.Run(set.Name(), func(b *testing.B) {
			l, err := set.Load()
			if err != nil {
				b.Fatal(err)
			}
			defer l.Close()
			run, err := engines.InTurn(l, policy.Named(policy.Allow))
			if err != nil {
				b.Fatal(err)
			}
			benchmark(b, run)
		})
	}
}

// BenchmarkNoHook is an event that no hook is registered for.
func BenchmarkNoHook(b *testing.B) {
	l, err := engines.HookSet{Running: 1}.Load()
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	benchmark(b, l.NoHook())
}

// BenchmarkParallel is one hook under as many goroutines as -cpu says.
func BenchmarkParallel(b *testing.B) {
	l, err := engines.HookSet{Running: 1}.Load()
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		run, err := engines.InTurn(l, policy.Named(policy.Allow))
		for err == nil && pb.Next() {
			err = run()
		}
		if err != nil {
			b.Error(err)
		}
	})
}

func benchmark(b *testing.B, run func() error) {
	b.ReportAllocs()
	for b.Loop() {
		if err := run(); err != nil {
			b.Fatal(err)
		}
	}
}
