package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// machine is the fleet.
type machine struct {
	dir       string
	luahook   string // the program; "": it is built
	root      string // the project
	redisPort int
	redis     program
	proxy     program
	servers   [3]server
	listen    string // of the proxy
	version   int    // of the policy that was written last
}

// program is a process, and what it writes.
type program struct {
	name string
	cmd  *exec.Cmd
	done chan struct{} // closed when it has ended
	err  error         // of its end
}

// server is one of the servers, at the same place whenever it is started.
type server struct {
	program
	address string
}

func (p *program) start(dir, name string, env []string, command string, args ...string) error {
	p.name = name
	out, err := os.OpenFile(filepath.Join(dir, name+".out"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer out.Close()
	said, err := os.OpenFile(filepath.Join(dir, name+".err"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer said.Close()
	cmd := exec.Command(command, args...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = dir, env, out, said
	if err := cmd.Start(); err != nil {
		return err
	}
	p.cmd, p.done = cmd, make(chan struct{})
	go func(done chan struct{}) {
		p.err = cmd.Wait()
		close(done)
	}(p.done)
	return nil
}

// kill ends it at once (SIGKILL), and waits for that.
func (p *program) kill() {
	if p.cmd == nil {
		return
	}
	_ = p.cmd.Process.Kill() // an error: it has ended
	<-p.done
	p.cmd = nil
}

// terminate has it end by itself, and says if it doesn't do so well.
func (p *program) terminate(ctx context.Context) error {
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	select {
	case <-p.done:
		p.cmd = nil
		return p.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (m *machine) end() {
	m.proxy.kill()
	for i := range m.servers {
		m.servers[i].kill()
	}
	m.redis.kill()
}

// start builds luahook and starts everything.
func (m *machine) start(ctx context.Context) error {
	where, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", "github.com/luahook/luahook").Output()
	if err != nil {
		return fmt.Errorf("finding luahook (run this in bench/): %w", err)
	}
	repository := strings.TrimSpace(string(where))
	m.root = filepath.Join(m.dir, "project")
	if m.luahook == "" {
		m.luahook = filepath.Join(m.dir, "luahook")
		build := exec.CommandContext(ctx, "go", "build", "-o", m.luahook, "./cmd/luahook")
		build.Dir = repository
		if out, err := build.CombinedOutput(); err != nil {
			return fmt.Errorf("building luahook: %w: %s", err, out)
		}
	}
	for _, dir := range []string{m.root, m.config("hooks"), filepath.Join(m.dir, "redis")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
	}
	ports, err := freePorts(5)
	if err != nil {
		return err
	}
	m.redisPort, m.listen = ports[0], fmt.Sprint("127.0.0.1:", ports[1])
	settings := fmt.Sprintf("hooks:\n  store: redis://127.0.0.1:%d\n  grant: {tasks: true}\n", m.redisPort)
	if err := errors.Join(os.WriteFile(m.config("hooks.yaml"), []byte(settings), 0o600), m.writePolicy()); err != nil {
		return err
	}
	if err := m.startRedis(ctx); err != nil {
		return err
	}
	env := []string{"LUAHOOK_LISTEN=" + m.listen, "LUAHOOK_DENIALS=" + filepath.Join(repository, "deploy", "fleet"), "PATH=" + os.Getenv("PATH")}
	for i := range m.servers {
		m.servers[i].address = fmt.Sprint("127.0.0.1:", ports[2+i])
		env = append(env, "LUAHOOK_"+[]string{"ONE", "TWO", "THREE"}[i]+"="+m.servers[i].address)
		if err := m.startServer(ctx, i); err != nil {
			return err
		}
	}
	if err := m.proxy.start(m.dir, "haproxy", env, "haproxy", "-db", "-f", filepath.Join(repository, "deploy", "fleet", "haproxy.cfg")); err != nil {
		return err
	}
	return until(ctx, "the proxy answers", &m.proxy, func() bool {
		a, err := http.Get("http://" + m.listen + "/v1/events")
		if err != nil {
			return false
		}
		a.Body.Close()
		return a.StatusCode == http.StatusOK
	})
}

// config is a path in the user's configuration, which all servers have.
func (m *machine) config(name string) string { return filepath.Join(m.dir, "config", "luahook", name) }

func (m *machine) startServer(ctx context.Context, i int) error {
	s := &m.servers[i]
	env := []string{"HOME=" + m.dir, "XDG_CONFIG_HOME=" + filepath.Join(m.dir, "config"), "XDG_STATE_HOME=" + filepath.Join(m.dir, fmt.Sprint("state", i)), "PATH=" + os.Getenv("PATH")}
	err := s.start(m.dir, fmt.Sprint("server", i+1), env, m.luahook, "serve", "--listen", s.address, "--cwd", m.root, "--no-watch", "--record=stdout")
	if err != nil {
		return err
	}
	return until(ctx, s.name+" is ready", &s.program, func() bool { _, _, err := s.policy(ctx); return err == nil })
}

// policy asks a server what is in force.
func (s *server) policy(ctx context.Context) (generation uint64, digest string, err error) {
	q, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+s.address+"/readyz", nil)
	if err != nil {
		return 0, "", err
	}
	a, err := http.DefaultClient.Do(q)
	if err != nil {
		return 0, "", err
	}
	a.Body.Close()
	generation, err = strconv.ParseUint(a.Header.Get("Luahook-Generation"), 10, 64)
	return generation, a.Header.Get("Luahook-Policy"), err
}

// reload has a server read its hooks again, and returns once it has.
func (s *server) reload(ctx context.Context) (digest string, err error) {
	before, _, err := s.policy(ctx)
	if err != nil {
		return "", err
	}
	if err := s.cmd.Process.Signal(syscall.SIGHUP); err != nil {
		return "", err
	}
	err = until(ctx, s.name+" has reloaded", &s.program, func() bool {
		var now uint64
		var err error
		now, digest, err = s.policy(ctx)
		return err == nil && now > before
	})
	return digest, err
}

func (m *machine) startRedis(ctx context.Context) error {
	err := m.redis.start(m.dir, "redis", os.Environ(), "redis-server", "--port", strconv.Itoa(m.redisPort), "--bind", "127.0.0.1",
		"--dir", filepath.Join(m.dir, "redis"), "--save", "", "--appendonly", "yes", "--appendfsync", "always")
	if err != nil {
		return err
	}
	return until(ctx, "Redis answers", &m.redis, func() bool {
		said, err := m.ask("PING")
		return err == nil && fmt.Sprint(said) == "PONG"
	})
}

// emptyRedis takes Redis's files away, which must not be running.
func (m *machine) emptyRedis() error {
	dir := filepath.Join(m.dir, "redis")
	return errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o700))
}

func (m *machine) pauseRedis(d time.Duration) error {
	_, err := m.ask("CLIENT", "PAUSE", strconv.FormatInt(d.Milliseconds(), 10), "ALL")
	return err
}

// ask asks Redis over a connection of its own.
func (m *machine) ask(words ...string) (any, error) {
	c, err := m.connect()
	if err != nil {
		return nil, err
	}
	defer c.Close()
	return c.ask(words...)
}

// redisConn is a connection to Redis.
type redisConn struct {
	net.Conn
	in *bufio.Reader
}

func (m *machine) connect() (*redisConn, error) {
	c, err := net.DialTimeout("tcp", fmt.Sprint("127.0.0.1:", m.redisPort), time.Second)
	if err != nil {
		return nil, err
	}
	return &redisConn{c, bufio.NewReader(c)}, nil
}

func (c *redisConn) ask(words ...string) (any, error) {
	if err := c.SetDeadline(time.Now().Add(10 * time.Second)); err != nil {
		return nil, err
	}
	var q bytes.Buffer
	fmt.Fprintf(&q, "*%d\r\n", len(words))
	for _, w := range words {
		fmt.Fprintf(&q, "$%d\r\n%s\r\n", len(w), w)
	}
	if _, err := c.Write(q.Bytes()); err != nil {
		return nil, err
	}
	return readAnswer(c.in)
}

func readAnswer(in *bufio.Reader) (any, error) {
	line, err := in.ReadString('\n')
	if err != nil {
		return nil, err
	}
	text := strings.TrimRight(line[1:], "\r\n")
	switch line[0] {
	case '+', ':':
		return text, nil
	case '-':
		return nil, errors.New(text)
	}
	n, err := strconv.Atoi(text)
	switch {
	case err != nil || n < 0:
		return nil, err
	case line[0] == '$':
		value := make([]byte, n+2)
		_, err := io.ReadFull(in, value)
		return string(value[:n]), err
	}
	list := make([]any, n)
	for i := range list {
		if list[i], err = readAnswer(in); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// values are what hooks and luahook keep in Redis under a key of this name, by the whole key.
func (m *machine) values(name string) (map[string]string, error) {
	found := map[string]string{}
	c, err := m.connect()
	if err != nil {
		return nil, err
	}
	defer c.Close()
	for cursor := "0"; ; {
		said, err := c.ask("SCAN", cursor, "MATCH", "luahook:*:k:"+name, "COUNT", "1000")
		if err != nil {
			return nil, err
		}
		page := said.([]any)
		for _, key := range page[1].([]any) {
			value, err := c.ask("GET", key.(string))
			if err != nil {
				return nil, err
			}
			if text, ok := value.(string); ok {
				found[key.(string)] = text
			}
		}
		if cursor = page[0].(string); cursor == "0" {
			return found, nil
		}
	}
}

// unnoted is how often servers have told their logs that they couldn't note what they keep for themselves.
func (m *machine) unnoted() (n int) {
	for i := range m.servers {
		text, err := os.ReadFile(filepath.Join(m.dir, fmt.Sprint("server", i+1, ".err")))
		if err == nil {
			n += bytes.Count(text, []byte("state can't be used"))
		}
	}
	return n
}

// writePolicy writes the next version of the policy at once.
func (m *machine) writePolicy() error {
	m.version++
	made := m.config("new")
	if err := os.WriteFile(made, fmt.Appendf(nil, policy, m.version), 0o600); err != nil {
		return err
	}
	return os.Rename(made, m.config("hooks/fleet.lua"))
}

// until waits for something that a running program will do.
func until(ctx context.Context, what string, p *program, done func() bool) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for !done() {
		select {
		case <-p.done:
			return fmt.Errorf("%s: it has ended: %v", what, p.err)
		case <-ctx.Done():
			return fmt.Errorf("%s: %w", what, ctx.Err())
		case <-time.After(5 * time.Millisecond):
		}
	}
	return nil
}

func freePorts(n int) (ports []int, err error) {
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		defer l.Close()
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports, nil
}
