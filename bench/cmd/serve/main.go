//go:build linux

// Command serve puts luahook serve under load, over loopback TCP and over a Unix socket: how many events it answers and
// how long that takes, what it takes of the processors and of memory, and whether an event is lost while hooks are read
// again and while the server ends.
//
//	go run ./cmd/serve [-over tcp,unix] [-servers control,plain,guard] [-parts full,rate,reloads,end] [-time T] [-rate N] [-connections N]
//
// The control is Go's net/http, which gives the same answers without luahook: what it takes, no server in Go saves, and
// its times say what the machine's other work does to them. The plain server has one small hook, guard has the default
// guard besides.
//
// Its parts are
//
//	full     each connection fires its next event when the last one is answered
//	rate     events are due at a rate, at random times; a time counts from when the event was due
//	reloads  as full, while the policy changes five times a second
//	end      as full, while the server is told to end
//
// Client and server share the machine's processors; each one's time is told apart. It exits with 1 if an event is lost
// or answered wrongly. For a server's memory over ten minutes:
//
//	go run ./cmd/serve -over tcp -servers plain -parts rate -time 10m
package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// goals are how many events a second are wanted of the kinds of servers.
var goals = map[string]float64{kindControl: 25_000, kindPlain: 25_000, kindGuard: 6_000}

func main() {
	if len(os.Args) == 3 && os.Args[1] == controlName {
		if err := control(os.Args[2]); err != nil {
			fmt.Fprintln(os.Stderr, "serve:", err)
			os.Exit(1)
		}
		return
	}
	o := options{}
	over := flag.String("over", "tcp,unix", "networks")
	servers := flag.String("servers", "control,plain,guard", "kinds of servers")
	parts := flag.String("parts", "full,rate,reloads,end", "what is done with each server")
	flag.IntVar(&o.connections, "connections", 32, "that events are fired on")
	flag.DurationVar(&o.length, "time", 10*time.Second, "of each part")
	flag.Float64Var(&o.rate, "rate", 0, "events a second that are due in the part rate (0: 70 % of the goal, which is 25000, and 6000 with the guard)")
	flag.StringVar(&o.luahook, "luahook", "", "the program to measure; none: it is built")
	flag.Parse()
	o.over, o.servers, o.parts = strings.Split(*over, ","), strings.Split(*servers, ","), strings.Split(*parts, ",")
	lost, err := o.run()
	if err != nil {
		fmt.Fprintln(os.Stderr, "serve:", err)
	}
	if err != nil || lost > 0 {
		os.Exit(1)
	}
}

type options struct {
	over, servers, parts []string
	connections          int
	length               time.Duration
	rate                 float64
	luahook              string
}

func (o *options) run() (lost uint64, err error) {
	if err := o.check(); err != nil {
		return 0, err
	}
	dir, err := os.MkdirTemp("", "luahook-bench-serve-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	if o.luahook == "" {
		o.luahook = filepath.Join(dir, "luahook")
		if err := build(o.luahook); err != nil {
			return 0, err
		}
	}
	fmt.Printf("%d connections, %d processors for client and server\n", o.connections, runtime.NumCPU())
	for _, kind := range o.servers {
		for _, network := range o.over {
			own := filepath.Join(dir, network+kind)
			if err := os.Mkdir(own, 0o700); err != nil {
				return lost, err
			}
			s, err := start(o.luahook, own, network, kind)
			if err != nil {
				return lost, err
			}
			fmt.Printf("%s over %s\n", kind, network)
			l := &load{}
			err = o.measure(s, l, kind, cmp.Or(o.rate, .7*goals[kind]))
			_ = s.process.Process.Kill() // an error: it has ended
			lost += l.lost
			if err != nil {
				return lost, err
			}
		}
	}
	fmt.Printf("lost: %d\n", lost)
	return lost, nil
}

// check reports what makes no sense.
func (o *options) check() error {
	for _, list := range []struct {
		flag, known string
		given       []string
	}{{"servers", "control,plain,guard", o.servers}, {"over", "tcp,unix", o.over}, {"parts", "full,rate,reloads,end", o.parts}} {
		for _, name := range list.given {
			if !slices.Contains(strings.Split(list.known, ","), name) {
				return fmt.Errorf("-%s has %q, want some of %s", list.flag, name, list.known)
			}
		}
	}
	if o.connections < 1 || o.length <= 0 || o.rate < 0 {
		return errors.New("-connections and -time are more than 0, and -rate isn't less")
	}
	return nil
}

// measure puts one server under load.
func (o *options) measure(s *server, l *load, kind string, rate float64) error {
	if _, err := l.part(s, o.connections, time.Second, 0, nil); err != nil { // warm
		return err
	}
	if slices.Contains(o.parts, "full") {
		f, err := l.part(s, o.connections, o.length, 0, nil)
		if err != nil {
			return err
		}
		fmt.Println("  full:   ", f)
	}
	if slices.Contains(o.parts, "rate") {
		m := newMemory(s, o.length)
		f, err := l.part(s, o.connections, o.length, rate, m.note)
		if err != nil {
			return err
		}
		fmt.Printf("  %s %v\n", "rate:   ", f)
		fmt.Println("  memory:  ", m)
	}
	if kind == kindControl {
		return nil // it has nothing to read again
	}
	if slices.Contains(o.parts, "reloads") {
		next := time.Now()
		f, err := l.part(s, o.connections, o.length, 0, func(now time.Time) error {
			if now.Before(next) {
				return nil
			}
			next = now.Add(200 * time.Millisecond)
			return s.writePolicy()
		})
		if err != nil {
			return err
		}
		fmt.Printf("  reloads:  %v; %d versions\n", f, s.version)
	}
	fires, generation, err := s.counted()
	if err != nil {
		return err
	}
	fmt.Printf("  so far:   %d answers, of which the server has counted %d; generation %s\n", l.total, fires, generation)
	if fires != l.total {
		l.lost++
	}
	if !slices.Contains(o.parts, "end") {
		return nil
	}
	told, after := false, time.Now().Add(o.length/4)
	f, err := l.part(s, o.connections, time.Minute, 0, func(now time.Time) error {
		if told || now.Before(after) {
			return nil
		}
		told = true
		return s.process.Process.Signal(unix.SIGTERM)
	})
	if err != nil {
		return err
	}
	err = s.process.Wait()
	fmt.Printf("  end:      %.0f fires/s, longest %v; %d answered in all; %v\n", f.rate, round(f.max), l.total, s.process.ProcessState)
	if err != nil {
		return errors.Join(errors.New("the server has not ended well"), err)
	}
	return nil
}
