package redis_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/luahook/luahook/engine/store"
	"github.com/luahook/luahook/engine/store/redis"
	"github.com/luahook/luahook/engine/store/storetest"
)

func TestCluster(t *testing.T) {
	cluster := storetest.StartCluster(t)
	t.Run("Store", func(t *testing.T) {
		storetest.Run(t, func(t *testing.T) (store.Store, func(time.Duration)) {
			cluster.Flush(t)
			return open(t, cluster.URL), nil
		})
	})
	t.Run("ManyProcesses", func(t *testing.T) {
		cluster.Flush(t)
		s := open(t, cluster.URL)
		defer s.Close()
		storetest.RunProcesses(t, cluster.URL, s)
	})
	t.Run("SpacesAreSpread", func(t *testing.T) {
		cluster.Flush(t)
		s := open(t, cluster.URL)
		defer s.Close()
		for i := range 60 {
			if _, err := s.Incr(t.Context(), store.Space{Name: fmt.Sprint("session ", i)}, "n", 1, store.Forever); err != nil {
				t.Fatal(err)
			}
		}
		for i, n := range cluster.Keys(t) {
			if n == 0 {
				t.Errorf("node %d has no keys", i)
			}
		}
		values, err := s.Values(t.Context(), store.Space{Name: "session 1"}, []string{"n", "none"})
		if err != nil || len(values) != 2 || string(values[0]) != "1" || values[1] != nil {
			t.Errorf("Values: %q, %v", values, err)
		}
	})
	t.Run("OneNodeIsLost", func(t *testing.T) {
		cluster.Flush(t)
		s := open(t, cluster.URL)
		defer s.Close()
		incr := func(i int) error {
			_, err := s.Incr(t.Context(), store.Space{Name: fmt.Sprint("session ", i)}, "n", 1, store.Forever)
			return err
		}
		for i := range 20 {
			if err := incr(i); err != nil {
				t.Fatal(err)
			}
		}
		cluster.Nodes[2].Kill()
		failed := 0
		for i := range 20 {
			var unavailable *store.UnavailableError
			switch err := incr(i); {
			case errors.As(err, &unavailable):
				failed++
			case err != nil:
				t.Errorf("session %d: %v", i, err)
			}
		}
		if failed == 0 {
			t.Error("no call has failed")
		}
	})
	if lines := log.lines(); len(lines) > 0 {
		t.Errorf("go-redis has logged %q", lines)
	}
}

func TestOpenBadClusterURL(t *testing.T) {
	for _, u := range []string{
		"redis+cluster://", "redis+cluster://a:1?addr=b", "redis+cluster://a:1/2", "redis+cluster://a:1?db=2", "unix+cluster:///x", "redis://a:1?addr=b:2",
	} {
		if s, err := redis.Open(u); err == nil {
			t.Errorf("%s was opened", u)
			_ = s.Close()
		}
	}
}
