package storetest

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"
)

// RedisCluster is a cluster of three masters for one test, on this machine.
type RedisCluster struct {
	URL   string // redis+cluster://, with all three
	Nodes []*RedisServer
}

// StartCluster starts a cluster, which ends with the test. The test is skipped if redis-server or redis-cli isn't
// installed.
func StartCluster(t *testing.T) *RedisCluster {
	t.Helper()
	if _, err := exec.LookPath("redis-cli"); err != nil {
		t.Skip("redis-cli isn't installed (Debian's package redis-tools); the store in a cluster of Redis isn't tested")
	}
	c := &RedisCluster{}
	args := []string{"--cluster", "create"}
	for range 3 {
		// The bus has a port of its own: by default 10000 above, which there may not be.
		bus := freePort(t)
		node := StartRedis(t, "--cluster-enabled", "yes", "--cluster-port", strconv.Itoa(bus), "--appendfsync", "no", "--cluster-node-timeout", "2000")
		c.Nodes = append(c.Nodes, node)
		args = append(args, strings.TrimPrefix(node.URL, "redis://"))
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	args = append(args, "--cluster-replicas", "0", "--cluster-yes")
	if out, err := exec.CommandContext(ctx, "redis-cli", args...).CombinedOutput(); err != nil {
		t.Fatalf("making the cluster: %v\n%s", err, out)
	}
	first, more := strings.TrimPrefix(c.Nodes[0].URL, "redis://"), ""
	for _, node := range c.Nodes[1:] {
		more += "&addr=" + strings.TrimPrefix(node.URL, "redis://")
	}
	c.URL = "redis+cluster://" + first + "?" + more[1:]
	for _, node := range c.Nodes {
		for !strings.Contains(node.ask(ctx, t, "CLUSTER INFO"), "cluster_state:ok") {
			timer := time.NewTimer(20 * time.Millisecond)
			select {
			case <-ctx.Done():
				t.Fatal("the cluster isn't ready")
			case <-timer.C:
			}
		}
	}
	return c
}

// Flush empties the cluster.
func (c *RedisCluster) Flush(t *testing.T) {
	t.Helper()
	for _, node := range c.Nodes {
		if said := node.ask(t.Context(), t, "FLUSHALL"); said != "+OK\r\n" {
			t.Fatalf("FLUSHALL: %q", said)
		}
	}
}

// Keys returns how many keys each node has.
func (c *RedisCluster) Keys(t *testing.T) (counts []int) {
	t.Helper()
	for _, node := range c.Nodes {
		said := node.ask(t.Context(), t, "DBSIZE")
		n, err := strconv.Atoi(strings.Trim(said, ":\r\n"))
		if err != nil {
			t.Fatalf("DBSIZE: %q", said)
		}
		counts = append(counts, n)
	}
	return counts
}

// ask asks a server and returns its answer as it comes: a line, or a text.
func (r *RedisServer) ask(ctx context.Context, t *testing.T, question string) string {
	t.Helper()
	conn, err := (&net.Dialer{Timeout: time.Second}).DialContext(ctx, "unix", r.Socket)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(5 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Fprint(conn, question, "\r\n"); err != nil {
		t.Fatal(err)
	}
	in := bufio.NewReader(conn)
	line, err := in.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	if size, err := strconv.Atoi(strings.Trim(line, "$\r\n")); err == nil && line[0] == '$' {
		text := make([]byte, size)
		for n := 0; n < size; {
			more, err := in.Read(text[n:])
			if err != nil {
				t.Fatal(err)
			}
			n += more
		}
		return string(text)
	}
	return line
}
