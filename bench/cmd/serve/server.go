//go:build linux

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// policy is what the server decides with. All its versions decide the same.
const policy = `on("pre_tool_call", {match = "bash"}, function(ev)
	if ev.tool_call.command:find("rm -rf", 1, true) then return deny("no rm -rf here") end
end) -- %d`

// build makes luahook of the sources beside this module.
func build(name string) error {
	where, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/luahook/luahook").Output()
	if err != nil {
		return fmt.Errorf("finding luahook (run this in bench/): %w", err)
	}
	c := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", name, "./cmd/luahook")
	c.Dir = strings.TrimSpace(string(where))
	c.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("building luahook: %w: %s", err, out)
	}
	return nil
}

// server is a luahook serve that runs.
type server struct {
	network, address string
	dir              string // of its own
	process          *exec.Cmd
	version          int // of the policy
}

// The kinds of servers.
const (
	kindControl = "control" // Go's net/http, which answers the same without luahook
	kindPlain   = "plain"   // luahook serve without the default guard
	kindGuard   = "guard"   // with it
)

// start starts a server of some kind over a network, with a folder of its own. Whoever calls it ends it.
func start(luahook, dir, network, kind string) (s *server, err error) {
	s = &server{network: network, dir: dir}
	if err := errors.Join(os.MkdirAll(s.hooks(), 0o700), s.writePolicy()); err != nil {
		return nil, err
	}
	listen, said := "127.0.0.1:0", "serving on http://"
	if network == "unix" {
		listen, said = "unix:"+filepath.Join(dir, "s"), "serving on unix:"
	}
	switch kind {
	case kindControl:
		own, err := os.Executable()
		if err != nil {
			return nil, err
		}
		s.process = exec.Command(own, controlName, listen)
	case kindPlain, kindGuard:
		s.process = exec.Command(luahook, "serve", "--listen", listen, "--hooks", s.hooks(), "--no-user")
		if kind == kindPlain {
			s.process.Args = append(s.process.Args, "--no-builtins")
		}
	}
	s.process.Env = []string{"HOME=" + dir, "PATH=" + os.Getenv("PATH")}
	for _, name := range []string{"GOGC", "GOMEMLIMIT", "GOMAXPROCS", "GODEBUG"} {
		if v, ok := os.LookupEnv(name); ok {
			s.process.Env = append(s.process.Env, name+"="+v)
		}
	}
	log, err := s.process.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := s.process.Start(); err != nil {
		return nil, err
	}
	lines := bufio.NewReader(log)
	for s.address == "" {
		line, err := lines.ReadString('\n')
		if err != nil {
			return nil, errors.Join(fmt.Errorf("the server has ended: %q, %w", line, err), s.process.Process.Kill(), s.process.Wait())
		}
		_, s.address, _ = strings.Cut(strings.TrimSpace(line), said)
	}
	go io.Copy(io.Discard, lines) // until the server ends
	return s, nil
}

func (s *server) hooks() string { return filepath.Join(s.dir, "hooks") }

// writePolicy writes the next version of the policy at once.
func (s *server) writePolicy() error {
	s.version++
	made := filepath.Join(s.hooks(), ".new")
	if err := os.WriteFile(made, fmt.Appendf(nil, policy, s.version), 0o600); err != nil {
		return err
	}
	return os.Rename(made, filepath.Join(s.hooks(), "policy.lua"))
}

// processorTime is what the server has taken of the processors so far.
func (s *server) processorTime() time.Duration {
	const schedulerClock = 2 // of the time of all its threads
	var t unix.Timespec
	if err := unix.ClockGettime(int32(^s.process.Process.Pid<<3|schedulerClock), &t); err != nil {
		return 0 // it has ended
	}
	return time.Duration(t.Nano())
}

// resident is the server's memory in bytes.
func (s *server) resident() (int64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.process.Process.Pid))
	if err != nil {
		return 0, err
	}
	m := regexp.MustCompile(`(?m)^VmRSS:\s+(\d+) kB$`).FindSubmatch(status)
	if m == nil {
		return 0, errors.New("the system doesn't say how much memory the server has")
	}
	kib, err := strconv.ParseInt(string(m[1]), 10, 64)
	return kib << 10, err
}

// counted reads what the server says of itself.
func (s *server) counted() (fires uint64, generation string, err error) {
	t := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, s.network, s.address)
	}}
	defer t.CloseIdleConnections()
	a, err := (&http.Client{Transport: t}).Get("http://localhost/metrics")
	if err != nil {
		return 0, "", err
	}
	defer a.Body.Close()
	page, err := io.ReadAll(a.Body)
	if err != nil {
		return 0, "", err
	}
	for _, line := range regexp.MustCompile(`(?m)^luahook_fires_total\{.*\} (\S+)$`).FindAllSubmatch(page, -1) {
		n, err := strconv.ParseFloat(string(line[1]), 64)
		if err != nil {
			return 0, "", err
		}
		fires += uint64(n)
	}
	if m := regexp.MustCompile(`(?m)^luahook_generation (\S+)$`).FindSubmatch(page); m != nil {
		generation = string(m[1])
	}
	return fires, generation, nil
}
