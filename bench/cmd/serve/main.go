// Command serve puts luahook serve under load over loopback TCP: how many events it answers, how long that takes, and
// whether one is lost while hooks are read again and while the server ends.
//
//	go run ./cmd/serve [-connections N] [-time T] [-guard]
//
// Client and server share the machine's processors. It exits with 1 if an event is lost or answered wrongly.
package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

func main() {
	connections := flag.Int("connections", 32, "clients that fire without a pause, each on a connection of its own")
	length := flag.Duration("time", 10*time.Second, "of each part")
	guard := flag.Bool("guard", false, "with the default guard besides")
	flag.Parse()
	lost, err := run(*connections, *length, *guard)
	if err != nil {
		fmt.Fprintln(os.Stderr, "serve:", err)
		os.Exit(1)
	}
	if lost > 0 {
		os.Exit(1)
	}
}

// policy is what the server decides with. Its second version decides the same.
const policy = `on("pre_tool_call", {match = "bash"}, function(ev)
	if ev.tool_call.command:find("rm -rf", 1, true) then return deny("no rm -rf here") end
end) -- %d`

func run(connections int, length time.Duration, guard bool) (lost uint64, err error) {
	dir, err := os.MkdirTemp("", "luahook-bench-serve-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	luahook := filepath.Join(dir, "luahook")
	where, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/luahook/luahook").Output()
	if err != nil {
		return 0, fmt.Errorf("finding luahook (run this in bench/): %w", err)
	}
	build := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", luahook, "./cmd/luahook")
	build.Dir = strings.TrimSpace(string(where))
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return 0, fmt.Errorf("building luahook: %w: %s", err, out)
	}
	hooks := filepath.Join(dir, "hooks")
	if err := errors.Join(os.Mkdir(hooks, 0o700), writePolicy(hooks, 0)); err != nil {
		return 0, err
	}
	arguments := []string{"serve", "--listen", "127.0.0.1:0", "--hooks", hooks, "--no-user"}
	if !guard {
		arguments = append(arguments, "--no-builtins")
	}
	server := exec.Command(luahook, arguments...)
	server.Env = []string{"HOME=" + dir, "PATH=" + os.Getenv("PATH")}
	said, err := server.StderrPipe()
	if err != nil {
		return 0, err
	}
	if err := server.Start(); err != nil {
		return 0, err
	}
	defer server.Process.Kill() // an error: it has ended
	log := bufio.NewReader(said)
	address := ""
	for address == "" {
		line, err := log.ReadString('\n')
		if err != nil {
			return 0, fmt.Errorf("luahook serve has ended: %q, %w", line, err)
		}
		_, address, _ = strings.Cut(strings.TrimSpace(line), "serving on http://")
	}
	go io.Copy(io.Discard, log)

	fmt.Printf("%d connections, %d processors for client and server, default guard: %v\n", connections, runtime.NumCPU(), guard)
	all := &load{address: address}
	if _, err := all.part(connections, time.Second, nil); err != nil { // warm
		return 0, err
	}
	steady, err := all.part(connections, length, nil)
	if err != nil {
		return 0, err
	}
	fmt.Println("steady:       ", steady)
	version := 0
	reloaded, err := all.part(connections, length, func(ctx context.Context) error {
		for {
			select {
			case <-ctx.Done():
				return nil
			case <-time.After(200 * time.Millisecond):
				version++
				if err := writePolicy(hooks, version); err != nil {
					return err
				}
			}
		}
	})
	if err != nil {
		return 0, err
	}
	fmt.Printf("with reloads:  %v; %d changes\n", reloaded, version)
	fires, generation, err := counted(address)
	if err != nil {
		return 0, err
	}
	fmt.Printf("so far:        %d answers, of which the server has counted %d; generation %s\n", all.answered.Load(), fires, generation)
	if fires != all.answered.Load() {
		all.lost.Add(1)
	}
	drained, err := all.part(connections, time.Minute, func(context.Context) error {
		time.Sleep(length / 4)
		return server.Process.Signal(syscall.SIGTERM)
	})
	if err != nil {
		return 0, err
	}
	fmt.Println("until the end: ", drained)
	err = server.Wait()
	fmt.Printf("lost: %d; answered: %d; the server's end: %v\n", all.lost.Load(), all.answered.Load(), server.ProcessState)
	return all.lost.Load(), err
}

// writePolicy writes a version of the policy at once.
func writePolicy(dir string, version int) error {
	made := filepath.Join(dir, ".new")
	if err := os.WriteFile(made, fmt.Appendf(nil, policy, version), 0o600); err != nil {
		return err
	}
	return os.Rename(made, filepath.Join(dir, "policy.lua"))
}

// counted reads what the server says of itself.
func counted(address string) (fires uint64, generation string, err error) {
	a, err := http.Get("http://" + address + "/metrics")
	if err != nil {
		return 0, "", err
	}
	defer a.Body.Close()
	page, err := io.ReadAll(a.Body)
	if err != nil {
		return 0, "", err
	}
	for _, line := range regexp.MustCompile(`(?m)^luahook_fires_total\{.*\} (\S+)$`).FindAllSubmatch(page, -1) {
		var n float64
		if _, err := fmt.Sscan(string(line[1]), &n); err != nil {
			return 0, "", err
		}
		fires += uint64(n)
	}
	if m := regexp.MustCompile(`(?m)^luahook_generation (\S+)$`).FindSubmatch(page); m != nil {
		generation = string(m[1])
	}
	return fires, generation, nil
}

// load fires events and counts what becomes of them.
type load struct {
	address        string
	answered, lost atomic.Uint64
}

// figures are what came of one part of the load.
type figures struct {
	rate     float64
	p50, p99 time.Duration
	max      time.Duration
	answers  int
}

func (f figures) String() string {
	return fmt.Sprintf("%.0f fires/s, p50 %v, p99 %v, longest %v (%d answers)", f.rate, f.p50.Round(time.Microsecond), f.p99.Round(time.Microsecond), f.max.Round(time.Microsecond), f.answers)
}

// part has clients fire for some time, or until nobody listens any more, while something else is done.
func (l *load) part(connections int, length time.Duration, beside func(context.Context) error) (figures, error) {
	ctx, cancel := context.WithTimeout(context.Background(), length)
	defer cancel()
	var clients, other sync.WaitGroup
	var failed error
	times := make([][]time.Duration, connections)
	started := time.Now()
	for i := range times {
		clients.Go(func() { times[i] = l.client(ctx, i) })
	}
	if beside != nil {
		other.Go(func() { failed = beside(ctx) })
	}
	clients.Wait()
	took := time.Since(started)
	cancel()
	other.Wait()
	all := slices.Concat(times...)
	slices.Sort(all)
	if len(all) == 0 {
		return figures{}, errors.Join(failed, errors.New("no event was answered"))
	}
	return figures{
		rate: float64(len(all)) / took.Seconds(), answers: len(all),
		p50: all[len(all)/2], p99: all[len(all)*99/100], max: all[len(all)-1],
	}, failed
}

// client fires one event after the other until ctx is done or nobody listens any more. Every other one must be denied.
func (l *load) client(ctx context.Context, number int) (times []time.Duration) {
	requests := [2][]byte{request("go test ./..."), request("rm -rf build")}
	wanted := [2][]byte{[]byte(`{"decision":"",`), []byte(`{"decision":"deny","block":true,"reason":"no rm -rf here"`)}
	for ctx.Err() == nil {
		c, err := net.Dial("tcp", l.address)
		if err != nil {
			return times // nothing was sent
		}
		reader := bufio.NewReader(c)
		for i := number; ctx.Err() == nil; i++ {
			began := time.Now()
			if _, err = c.Write(requests[i%2]); err != nil {
				break
			}
			var a *http.Response
			if a, err = http.ReadResponse(reader, nil); err != nil {
				break
			}
			var body []byte
			if body, err = io.ReadAll(a.Body); err != nil {
				break
			}
			if a.StatusCode != http.StatusOK || !bytes.HasPrefix(body, wanted[i%2]) {
				err = fmt.Errorf("status %d: %s", a.StatusCode, body)
				break
			}
			times = append(times, time.Since(began))
			l.answered.Add(1)
			if a.Close {
				break
			}
		}
		c.Close()
		if err != nil {
			l.lost.Add(1)
			fmt.Fprintln(os.Stderr, "serve: an event was lost:", err)
		}
	}
	return times
}

func request(command string) []byte {
	body := `{"event":"pre_tool_call","session_id":"s-1","cwd":"/work/shop","tool_call":{"id":"c","name":"bash","input":{"command":"` + command + `"}}}`
	return fmt.Appendf(nil, "POST /v1/fire HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
}
