package redis_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"github.com/luahook/luahook/engine/store"
	"github.com/luahook/luahook/engine/store/redis"
	"github.com/luahook/luahook/engine/store/storetest"
)

var home = store.Space{Name: "home"}

// A wrong URL is an error before anything is asked, and no message shows its password.
func TestOpenBadURL(t *testing.T) {
	const password = "pa5s/w#rd?x=%zz"
	for _, url := range []string{
		"", "localhost:6379", "http://localhost", "redis:localhost", "unix://", "redis://localhost/one", "redis://localhost/0/1",
		"redis://localhost:port", "redis://localhost?max_retries=3", "redis://localhost?db=x",
		"redis://user:" + password + "@localhost", "redis://:12/" + password + "@localhost", "redis://:pa5s#" + password + "@localhost",
		"redis://u:pa5s@h:pa5s", "rediss://localhost?skip_verify=pa5s", "redis://localhost?pa5s=pa5s", "redis://pa5s/pa5s",
	} {
		s, err := redis.Open(url)
		if err == nil {
			t.Errorf("Open(%q): no error", url)
			_ = s.Close()
			continue
		}
		if strings.Contains(err.Error(), "pa5s") {
			t.Errorf("Open(%q) tells the password: %v", url, err)
		}
	}
}

// A server that can't be reached is an error that names it without the password, and nothing is written to
// go-redis' log.
func TestUnreachable(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	where := l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	for name, url := range map[string]string{where: "redis://user:pa5s@" + where, "/nowhere/socket": "unix://user:pa5s@/nowhere/socket", "": "rediss://:pa5s@" + where} {
		s := open(t, url)
		for range 3 {
			_, err := s.Incr(t.Context(), home, "n", 1, store.Keep)
			var unavailable *store.UnavailableError
			if !errors.As(err, &unavailable) || !strings.Contains(err.Error(), "connect: ") || !strings.Contains(err.Error(), name) || strings.Contains(err.Error(), "pa5s") {
				t.Errorf("Incr at %s: %v", url, err)
			}
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	if lines := log.lines(); len(lines) > 0 {
		t.Errorf("go-redis has logged %q", lines)
	}
}

// A password and a socket are used as the URL says.
func TestURL(t *testing.T) {
	server := storetest.StartRedis(t, "--requirepass", "pa5s/#")
	address := strings.TrimPrefix(server.URL, "redis://")
	for _, url := range []string{"redis://:pa5s%2F%23@" + address, "redis://default:pa5s%2F%23@" + address + "/1", "unix://:pa5s%2F%23@" + server.Socket + "?db=2"} {
		s := open(t, url)
		if n, err := s.Incr(t.Context(), home, "n", 1, store.Keep); n != 1 || err != nil { // each in a database of its own
			t.Errorf("Incr at %s = %v, %v", url, n, err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	for _, url := range []string{"redis://:pa5s-wrong@" + address, server.URL} {
		s := open(t, url)
		_, err := s.Get(t.Context(), home, "n")
		var unavailable *store.UnavailableError
		if !errors.As(err, &unavailable) || strings.Contains(err.Error(), "pa5s") {
			t.Errorf("Get at %s: %v", url, err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// A cancelled call no longer waits for a silent server.
func TestCancel(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	s := open(t, "redis://"+l.Addr().String())
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		_, _ = conn.Read(make([]byte, 1)) // it has been asked something
		cancel()
		<-t.Context().Done()
	}()
	_, err = s.Incr(ctx, home, "n", 1, store.Keep)
	var unavailable *store.UnavailableError
	if !errors.Is(err, context.Canceled) || !errors.As(err, &unavailable) {
		t.Errorf("Incr: %v, want that it isn't known and the context is cancelled", err)
	}
}

// With the server killed and restarted in the middle, each increment is counted once or
// reported as failed, and the same store goes on afterwards.
func TestKilledServer(t *testing.T) {
	rounds := 1000
	if testing.Short() {
		rounds = 100
	}
	server := storetest.StartRedis(t)
	s := open(t, server.URL)
	defer s.Close()
	const workers = 4
	var mu sync.Mutex
	succeeded, failed, after := 0, 0, 0
	killed := make(chan struct{})
	restarted := make(chan struct{})
	firstFailure := sync.OnceFunc(func() {
		<-killed
		server.Start(t)
		close(restarted)
	})
	kill := sync.OnceFunc(func() {
		go func() { // meanwhile the others go on
			defer close(killed)
			server.Kill()
		}()
	})
	var all sync.WaitGroup
	for range workers {
		all.Go(func() {
			for range rounds / workers {
				_, err := s.Incr(t.Context(), home, "n", 1, store.Keep)
				var unavailable *store.UnavailableError
				if err != nil && !errors.As(err, &unavailable) {
					t.Errorf("Incr: %v", err)
				}
				mu.Lock()
				if err == nil {
					succeeded++
					select {
					case <-restarted:
						after++
					default:
					}
				} else {
					failed++
				}
				now := succeeded
				mu.Unlock()
				if now == rounds/3 {
					kill()
				}
				if err != nil {
					firstFailure()
				}
			}
		})
	}
	all.Wait()
	final, err := s.Incr(t.Context(), home, "n", 0, store.Keep)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d increments: %d succeeded (%d of them after the restart), %d failed, %v counted", rounds, succeeded, after, failed, final)
	if int(final) < succeeded || int(final) > succeeded+failed {
		t.Errorf("%v are counted; %d have succeeded and %d failed", final, succeeded, failed)
	}
	if failed == 0 || after == 0 {
		t.Errorf("%d increments have failed, and %d succeeded after the restart; want some of both", failed, after)
	}
	if lines := log.lines(); len(lines) > 0 {
		t.Errorf("go-redis has logged %q", lines)
	}
}

func TestKilledProcesses(t *testing.T) {
	server := storetest.StartRedis(t)
	s := open(t, server.URL)
	defer s.Close()
	storetest.RunKilled(t, server.URL, s)
}

// The keys in Redis: names of luahook's own, one hash tag for a space, and nothing once all keys are gone.
func TestKeysInRedis(t *testing.T) {
	server := storetest.StartRedis(t)
	s := open(t, server.URL)
	defer s.Close()
	look := goredis.NewClient(&goredis.Options{Addr: strings.TrimPrefix(server.URL, "redis://"), DisableIdentity: true})
	defer look.Close()
	keys := func() []string {
		t.Helper()
		keys, err := look.Keys(t.Context(), "*").Result()
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(keys)
		return keys
	}
	odd := store.Space{Name: "a}{b c"}
	for _, key := range []string{"}", "other"} {
		if _, err := s.Incr(t.Context(), odd, key, 1, store.Keep); err != nil {
			t.Fatal(err)
		}
	}
	tag := "luahook:{/a%7D%7Bb+c}:"
	if got, want := keys(), []string{tag + "i", tag + "k:other", tag + "k:}", tag + "s"}; !slices.Equal(got, want) {
		t.Errorf("the keys are %q, want %q", got, want)
	}
	// A key that somebody has deleted, or Redis has evicted.
	if err := look.Del(t.Context(), tag+"k:other").Err(); err != nil {
		t.Fatal(err)
	}
	if list, err := s.List(t.Context(), odd, ""); err != nil || fmt.Sprint(list) != "[}]" {
		t.Errorf("List = %q, %v", list, err)
	}
	full := store.Space{Name: odd.Name, MaxKeys: 2, MaxBytes: 4}
	if err := s.Set(t.Context(), full, "ab", nil, store.Forever); err != nil {
		t.Errorf("what is gone takes room: %v", err)
	}
	for _, key := range []string{"}", "ab"} {
		if err := s.Delete(t.Context(), odd, key); err != nil {
			t.Fatal(err)
		}
	}
	if left := keys(); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
	// Keys that expire take their index with them, and their quotas.
	odd.Within = []store.Quota{{Name: "a}b", MaxKeys: 9}, {Name: "c"}}
	if err := s.Set(t.Context(), odd, "long", nil, store.Forever); err != nil {
		t.Fatal(err)
	}
	if err := s.Delete(t.Context(), odd, "long"); err != nil {
		t.Fatal(err)
	}
	if left := keys(); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
	if err := s.Set(t.Context(), odd, "short", []byte("x"), 20*time.Millisecond); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	for left := keys(); len(left) > 0; left = keys() {
		if ctx.Err() != nil {
			t.Fatalf("left behind: %q", left)
		}
	}
}
