package storetest

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// RedisServer is a redis-server for one test, on a free port of this machine, with its own folder, to which it
// writes each change at once.
type RedisServer struct {
	URL    string // redis://127.0.0.1:port
	Socket string // path of its socket

	folder string
	port   int
	args   []string
	output bytes.Buffer
	cmd    *exec.Cmd
}

// StartRedis starts a server, which ends with the test. The test is skipped if redis-server isn't installed.
// args are further options of redis-server.
func StartRedis(t *testing.T, args ...string) *RedisServer {
	t.Helper()
	if _, err := exec.LookPath("redis-server"); err != nil {
		t.Skip("redis-server isn't installed (Debian's package redis-server); the store in Redis isn't tested")
	}
	folder, err := os.MkdirTemp("", "redis") // a socket's path must be short
	if err != nil {
		t.Fatal(err)
	}
	r := &RedisServer{folder: folder, Socket: filepath.Join(folder, "s"), args: args}
	t.Cleanup(func() {
		r.Kill()
		if err := os.RemoveAll(folder); err != nil {
			t.Error(err)
		}
	})
	for range 10 { // another process may take the port meanwhile
		r.port = freePort(t)
		r.URL = "redis://127.0.0.1:" + strconv.Itoa(r.port)
		if err = r.start(t.Context()); err == nil {
			return r
		}
	}
	t.Fatal(err)
	return nil
}

// Start starts the server again after Kill, at the same place, and waits until it answers.
func (r *RedisServer) Start(t *testing.T) {
	t.Helper()
	if err := r.start(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// Kill kills the server (SIGKILL).
func (r *RedisServer) Kill() {
	if r.cmd != nil {
		_ = r.cmd.Process.Kill()
		_ = r.cmd.Wait()
		r.cmd = nil
	}
}

func (r *RedisServer) start(ctx context.Context) error {
	args := append([]string{
		"--port", strconv.Itoa(r.port), "--bind", "127.0.0.1", "--unixsocket", r.Socket, "--dir", r.folder,
		"--save", "", "--appendonly", "yes", "--appendfsync", "always", "--daemonize", "no",
	}, r.args...)
	cmd := exec.Command("redis-server", args...)
	r.output.Reset()
	cmd.Stdout, cmd.Stderr = &r.output, &r.output
	if err := cmd.Start(); err != nil {
		return err
	}
	r.cmd = cmd
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	for {
		err := r.ping(ctx)
		if err == nil {
			return nil
		}
		timer := time.NewTimer(5 * time.Millisecond)
		select {
		case <-ctx.Done():
			timer.Stop()
			r.Kill()
			return fmt.Errorf("redis-server doesn't answer: %w\n%s", err, r.output.String())
		case <-timer.C:
		}
	}
}

func (r *RedisServer) ping(ctx context.Context) error {
	conn, err := (&net.Dialer{Timeout: time.Second}).DialContext(ctx, "unix", r.Socket)
	if err != nil {
		return err
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(time.Second)); err != nil {
		return err
	}
	if _, err := fmt.Fprint(conn, "PING\r\n"); err != nil {
		return err
	}
	line, err := bufio.NewReader(conn).ReadString('\n')
	if err != nil {
		return err
	}
	if !strings.HasPrefix(line, "+PONG") && !strings.HasPrefix(line, "-NOAUTH") {
		return fmt.Errorf("it says %q", line)
	}
	return nil
}

func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}
