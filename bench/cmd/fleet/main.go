// Command fleet rehearses what docs/fleet.md describes on this machine: three luahook servers with one Redis behind
// HAProxy, under a steady load of sessions, while servers are killed and ended, Redis is killed, emptied and made slow,
// and the policy is changed on one server after the other. It prints what clients saw in each phase, and exits with 1 if
// a promise was broken: a counter that isn't exact, a denial that got lost, an answer by a policy that was older than it
// could be.
//
//	go run ./cmd/fleet [-phase T] [-sessions N] [-rate R]
//	go run ./cmd/fleet -measure
//
// It needs redis-server and haproxy, and refuses without them with status 2. Run it in bench/.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"time"
)

func main() {
	phase := flag.Duration("phase", 10*time.Second, "how long each phase lasts, 2s at least")
	sessions := flag.Int("sessions", 24, "sessions that fire at once")
	rate := flag.Float64("rate", 8, "events a second of each session")
	keep := flag.Bool("keep", false, "keep the folder with the logs of all programs")
	luahook := flag.String("luahook", "", "the luahook `PROGRAM` to rehearse with; it is built by default")
	sizes := flag.Bool("measure", false, "measure what docs/fleet.md calculates with, and rehearse nothing")
	flag.Parse()
	for _, program := range []string{"redis-server", "haproxy"} {
		if _, err := exec.LookPath(program); err != nil {
			fmt.Fprintf(os.Stderr, "fleet: there is no %s (Debian's package of that name), so nothing is rehearsed\n", program)
			os.Exit(2)
		}
	}
	if *phase < 2*time.Second || *sessions < 1 || *rate <= 0 {
		fmt.Fprintln(os.Stderr, "fleet: -phase is 2s or more, -sessions and -rate are more than 0")
		os.Exit(2)
	}
	if *sizes {
		if err := measure(*luahook); err != nil {
			fmt.Fprintln(os.Stderr, "fleet:", err)
			os.Exit(1)
		}
		return
	}
	broken, err := run(*luahook, *phase, *sessions, *rate, *keep)
	if err != nil {
		fmt.Fprintln(os.Stderr, "fleet:", err)
	}
	if err != nil || broken > 0 {
		os.Exit(1)
	}
}

func run(luahook string, phase time.Duration, sessions int, rate float64, keep bool) (broken int, err error) {
	dir, err := os.MkdirTemp("", "luahook-fleet-")
	if err != nil {
		return 0, err
	}
	if keep {
		fmt.Println("logs:", dir)
	} else {
		defer os.RemoveAll(dir)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute+20*phase)
	defer cancel()
	m := &machine{dir: dir, luahook: luahook}
	defer m.end()
	if err := m.start(ctx); err != nil {
		return 0, err
	}
	fmt.Printf("three servers, one Redis, HAProxy and the clients on %d processors; %d sessions, %.0f events/s wanted; %s a phase\n\n",
		runtime.NumCPU(), sessions, rate*float64(sessions), phase)
	r := &rehearsal{machine: m, length: phase, sessions: sessions, rate: rate, versions: map[string]int{}, calls: map[string]bool{}}
	for _, p := range r.phases() {
		if err := r.phase(ctx, p); err != nil {
			return 0, fmt.Errorf("%s: %w", p.name, err)
		}
	}
	r.checkLog()
	r.print(os.Stdout)
	return len(r.broken), nil
}

// phases are what is done to the fleet, one after the other.
func (r *rehearsal) phases() []phase {
	m := r.machine
	list := []phase{{name: "nothing happens"}}
	for i := range m.servers {
		list = append(list, phase{name: fmt.Sprintf("kill -9 server %d, start it again", i+1), kills: 1, do: func(ctx context.Context) error {
			m.servers[i].kill()
			if err := pause(ctx, r.length/2); err != nil {
				return err
			}
			return m.startServer(ctx, i)
		}})
	}
	return append(list,
		phase{name: "SIGTERM server 1, start it again", do: func(ctx context.Context) error {
			if err := m.servers[0].terminate(ctx); err != nil {
				return err
			}
			if err := pause(ctx, r.length/3); err != nil {
				return err
			}
			return m.startServer(ctx, 0)
		}},
		phase{name: "new policy on one server after the other", do: r.reloadAll},
		phase{name: "Redis answers late (0.3 s, then 3 s)", do: func(ctx context.Context) error {
			if err := m.pauseRedis(300 * time.Millisecond); err != nil {
				return err
			}
			if err := pause(ctx, r.length/3); err != nil {
				return err
			}
			return m.pauseRedis(3 * time.Second)
		}},
		phase{name: "kill -9 Redis, start it with its data", do: func(ctx context.Context) error {
			m.redis.kill()
			if err := pause(ctx, r.length/4); err != nil {
				return err
			}
			return m.startRedis(ctx)
		}},
		phase{name: "kill -9 Redis, start it empty", empties: true, do: func(ctx context.Context) error {
			m.redis.kill()
			r.emptied(time.Now(), time.Time{})
			if err := pause(ctx, r.length/4); err != nil {
				return err
			}
			if err := m.emptyRedis(); err != nil {
				return err
			}
			back := time.Now()
			if err := m.startRedis(ctx); err != nil {
				return err
			}
			r.emptied(time.Time{}, back)
			return nil
		}},
		phase{name: "all servers down, then up", kills: 3, do: func(ctx context.Context) error {
			for _, s := range m.servers {
				s.kill()
			}
			if err := pause(ctx, r.length/3); err != nil {
				return err
			}
			if err := r.checkAgentsAreDenied(ctx); err != nil {
				return err
			}
			for i := range m.servers {
				if err := m.startServer(ctx, i); err != nil {
					return err
				}
			}
			return nil
		}},
		phase{name: "nothing happens any more"},
	)
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
