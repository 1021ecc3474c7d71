package redis_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"github.com/luahook/luahook/engine/store"
	"github.com/luahook/luahook/engine/store/redis"
	"github.com/luahook/luahook/engine/store/storetest"
)

// log is what go-redis writes to its logger, which is global.
var log logged

type logged struct {
	mu   sync.Mutex
	said []string
}

func (l *logged) Printf(_ context.Context, format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.said = append(l.said, fmt.Sprintf(format, args...))
}

func (l *logged) lines() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.said)
}

func TestMain(m *testing.M) {
	goredis.SetLogger(&log)
	storetest.Child(func(where string) (store.Store, error) { return redis.Open(where) })
	os.Exit(m.Run())
}

func open(t *testing.T, url string) *redis.Store {
	t.Helper()
	s, err := redis.Open(url)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestStore(t *testing.T) {
	storetest.Run(t, func(t *testing.T) (store.Store, func(time.Duration)) {
		return open(t, storetest.StartRedis(t).URL), nil
	})
}

func TestManyProcesses(t *testing.T) {
	server := storetest.StartRedis(t)
	s := open(t, server.URL)
	defer s.Close()
	storetest.RunProcesses(t, server.URL, s)
}
