package storetest

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/luahook/luahook/engine/store"
)

// childJob is the variable that makes a test binary do a job instead of its tests: the job, a blank, and the
// place of the store.
const childJob = "LUAHOOK_STORETEST_JOB"

// Child does the job of a process that a test of this package has started, and exits; otherwise it does nothing.
// TestMain calls it first. open opens the store that the test has named.
func Child(open func(where string) (store.Store, error)) {
	job, where, ok := strings.Cut(os.Getenv(childJob), " ")
	if !ok {
		return
	}
	s, err := open(where)
	if err == nil {
		err = map[string]func(store.Store) error{"incr": incrOnce, "write": writeForEver}[job](s)
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	os.Exit(0)
}

func child(ctx context.Context, t *testing.T, job, where string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(ctx, self)
	cmd.Env = append(os.Environ(), childJob+"="+job+" "+where)
	return cmd
}

// RunProcesses has many processes call Incr on one key of an empty store at once: none fails, and each is
// counted.
func RunProcesses(t *testing.T, where string, s store.Store) {
	n := 200
	if testing.Short() {
		n = 20
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	gate, open, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	ready, waiting, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	var failed atomic.Int64
	for range n {
		cmd, said := child(ctx, t, "incr", where), &strings.Builder{}
		cmd.Stdin, cmd.Stdout, cmd.Stderr = gate, said, waiting
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		all.Go(func() {
			if err := cmd.Wait(); err != nil && failed.Add(1) <= 3 {
				t.Errorf("a process: %v: %s", err, said)
			}
		})
	}
	_ = waiting.Close()
	if _, err := io.CopyN(io.Discard, ready, int64(n)); err != nil { // all of them wait for the start
		t.Errorf("not all processes have started: %v", err)
	}
	began := time.Now()
	_ = open.Close()
	all.Wait()
	t.Logf("%d processes took %v; %d failed", n, time.Since(began), failed.Load())
	got, err := s.Get(ctx, home, "n")
	if err != nil || string(got) != strconv.Itoa(n) {
		t.Errorf("%d processes have counted to %s, %v", n, show(got), err)
	}
	_ = gate.Close()
	_ = ready.Close()
}

func incrOnce(s store.Store) error {
	if _, err := os.Stderr.WriteString("."); err != nil {
		return err
	}
	if _, err := io.Copy(io.Discard, os.Stdin); err != nil {
		return err
	}
	_, err := s.Incr(context.Background(), home, "n", 1, store.Keep)
	return err
}

// RunKilled repeatedly kills a process while it writes: the store opens, written values are there, and every
// value is complete.
func RunKilled(t *testing.T, where string, s store.Store) {
	rounds := 20
	if testing.Short() {
		rounds = 3
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	last := 0
	for round := range rounds {
		cmd := child(ctx, t, "write", where)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		for range 3 + round { // at another place each time
			if !lines.Scan() {
				t.Fatal("the process has ended by itself")
			}
			read(t, lines.Text(), &last)
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		for lines.Scan() { // what it has said before that
			read(t, lines.Text(), &last)
		}
		_ = cmd.Wait() // it was killed
		last = whole(ctx, t, s, last)
	}
}

func read(t *testing.T, line string, n *int) {
	t.Helper()
	got, err := strconv.Atoi(line)
	if err != nil {
		t.Fatalf("the process says %q", line)
	}
	*n = got
}

// whole checks what a killed process has left against what it said, and returns how far it came.
func whole(ctx context.Context, t *testing.T, s store.Store, said int) int {
	t.Helper()
	kept, err := s.Get(ctx, home, "n")
	if err != nil {
		t.Fatal(err)
	}
	n, err := strconv.Atoi(string(kept))
	if err != nil || n < said {
		t.Fatalf("n is %s after the process has said %d", show(kept), said)
	}
	keys, err := s.List(ctx, home, "value ")
	if err != nil {
		t.Fatal(err)
	}
	newest := 0
	for _, key := range keys {
		value, err := s.Get(ctx, home, key)
		if err != nil {
			t.Fatal(err)
		}
		number, _, _ := strings.Cut(string(value), ",")
		at, err := strconv.Atoi(number)
		if err != nil || string(value) != string(largeValue(at)) {
			t.Errorf("%s isn't complete: %d bytes, %.30q", key, len(value), value)
		}
		newest = max(newest, at)
	}
	if newest < said || newest > n {
		t.Errorf("the newest value is %d; the process has said %d, and begun %d", newest, said, n)
	}
	return n
}

// writeForEver counts, writes a value of that number, and says so.
func writeForEver(s store.Store) error {
	ctx := context.Background()
	for {
		n, err := s.Incr(ctx, home, "n", 1, store.Keep)
		if err != nil {
			return err
		}
		at := int(n)
		if err := s.Set(ctx, home, fmt.Sprint("value ", at%7), largeValue(at), store.Forever); err != nil {
			return err
		}
		if _, err := fmt.Println(at); err != nil {
			return err
		}
	}
}

// largeValue returns a value of several pages, with another length than the next.
func largeValue(n int) []byte {
	return []byte(strings.Repeat(strconv.Itoa(n)+",", 500+n%5*700))
}
