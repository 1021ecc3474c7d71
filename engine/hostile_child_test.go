package engine_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// hostileVariable names the script that this process is to run and to report on,
// instead of the tests. A script that gets through the sandbox harms only its own
// process.
const hostileVariable = "LUAHOOK_HOSTILE_SCRIPT"

func init() {
	name := os.Getenv(hostileVariable)
	if name == "" {
		return
	}
	boundMemory()
	r, err := runHostile(name)
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(r)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// hostileReport is what a child tells of one script.
type hostileReport struct {
	Wall       time.Duration // of loading and the longest fire
	Peak       int64         // bytes of memory at the most
	PeakOf     string        // what Peak is
	Goroutines int           // more than before
	Logged     int64         // bytes of the hook log

	Phase   string          // "load" or "fire": where it failed
	Status  hooks.Status    // of its last run
	Kind    hooks.ErrorKind // of the error; empty: none
	Limit   hooks.Limit
	Message string
	Length  int    // of the message, or of the traceback where that is longer
	Told    string // what the engine says of the failure, with the source
	Block   bool
	Context string
	Address bool   // Told shows where something lies in the process
	Good    string // what is wrong with the good hook's answer; empty: nothing
}

// goodHook must answer right in the same engine, whatever the hostile one does. It
// uses what a hostile one may have tampered with.
const goodHook = `
local function report(title)
  local words = {}
  for word in title:gmatch("%a+") do words[#words + 1] = word:upper() end
  table.sort(words)
  local total = 0
  for i, word in ipairs(words) do total = total + i * #word end
  local ok, why = pcall(error, { code = 7 })
  assert(not ok and why.code == 7 and select("#", unpack(words)) == #words)
  assert(json.encode({ a = json.array(), n = math.max(1, 2) }) == '{"a":[],"n":2}')
  assert(re.match(title, "^Round") and path.base("/a/b") == "b" and hash.crc32("123456789") == "cbf43926")
  assert(shell.parse("git push -f").commands[1]:flag("-f"))
  return string.format("%s %d %s", table.concat(words, "-"), total, tostring(type(io)))
end
on("on_claim", { name = "good" }, function(ev) return deny(report(ev.title) .. " " .. ev.issue_id) end)
`

const goodReason = "EVEN-HALF-ROUND-TO-TOTALS 65 nil SHOP-41"

func runHostile(name string) (*hostileReport, error) {
	s, err := readHostile(name)
	if err != nil {
		return nil, err
	}
	goroutines := runtime.NumGoroutine()
	var logged countedLog
	options := []engine.Option{engine.WithoutBuiltins(), engine.WithScript("good.lua", goodHook), engine.WithLogger(slog.New(slog.NewTextHandler(&logged, nil)))}
	if s.libraries == nil {
		options = append(options, engine.WithScript("hostile.lua", s.source))
	} else {
		root, err := s.project()
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(root)
		options = append(options, engine.WithProject(engine.Project{Root: root}))
	}
	r := &hostileReport{}
	started := time.Now()
	e, err := engine.New(options...)
	if err != nil {
		return nil, err
	}
	loading := time.Since(started)
	results, failures := make([]*hooks.Result, s.goroutines), make([]error, s.goroutines)
	longest := make([]time.Duration, s.goroutines)
	var all sync.WaitGroup
	for n := range s.goroutines {
		all.Go(func() {
			for i := range s.fires { // each event is gone when the next is fired, unless a hook keeps it
				started := time.Now()
				results[n], failures[n] = s.fire(e, i+1)
				longest[n] = max(longest[n], time.Since(started))
			}
		})
	}
	all.Wait()
	r.Wall = loading + slices.Max(longest)
	if err := errors.Join(failures...); err != nil {
		return nil, err
	}
	r.outcome(e, results)
	for range 2 {
		if r.Good == "" {
			r.Good = wrongAnswer(e)
		}
	}
	for range 400 { // those that are about to end
		if r.Goroutines = runtime.NumGoroutine() - goroutines; r.Goroutines <= 0 {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	r.Logged = logged.bytes.Load()
	r.Peak, r.PeakOf = peakMemory()
	return r, e.Close(context.Background())
}

func (s *hostileScript) fire(e *engine.Engine, n int) (*hooks.Result, error) {
	c, err := s.context(n)
	if err != nil {
		return nil, err
	}
	return e.Fire(context.Background(), c)
}

// countedLog counts what is written to the log.
type countedLog struct{ bytes atomic.Int64 }

func (l *countedLog) Write(b []byte) (int, error) {
	l.bytes.Add(int64(len(b)))
	return len(b), nil
}

// project writes the script and its libraries as a project's.
func (s *hostileScript) project() (root string, err error) {
	if root, err = os.MkdirTemp("", "hostile"); err != nil {
		return "", err
	}
	lib := filepath.Join(root, ".hooks", "lib")
	if err := os.MkdirAll(lib, 0o755); err != nil {
		return "", err
	}
	for name, source := range s.libraries {
		if err := os.WriteFile(filepath.Join(lib, name), []byte(source), 0o644); err != nil {
			return "", err
		}
	}
	return root, os.WriteFile(filepath.Join(root, ".hooks", "hostile.lua"), []byte(s.source), 0o644)
}

// outcome notes how it ended: with the first failure of the last fires, if there is
// one.
func (r *hostileReport) outcome(e *engine.Engine, results []*hooks.Result) {
	for _, err := range e.LoadErrors() {
		load := hooks.AsError(err, hooks.KindHost)
		r.Phase, r.Kind, r.Limit = "load", load.Kind, load.Limit
		r.Message, r.Length, r.Told = clip(load.Message), max(len(load.Message), len(load.Traceback)), clip(load.Error())
		return
	}
	r.Phase = "fire"
	for _, result := range results {
		r.Block, r.Context = result.Block, clip(result.NewContext)
		for _, run := range result.Summary().Runs {
			r.Status = run.Status
			if run.Error == nil {
				continue
			}
			r.Kind, r.Limit = run.Error.Kind, run.Error.Limit
			r.Message, r.Length = clip(run.Error.Message), max(len(run.Error.Message), len(run.Error.Traceback))
			r.Told = clip(result.Reason + "\n" + strings.Join(result.Warnings, "\n"))
			r.Address = strings.Contains(r.Told, heapPrefix())
			return
		}
	}
}

// heapPrefix is how addresses of this process's heap begin: Go places it at random.
func heapPrefix() string { return fmt.Sprintf("%p", new([1 << 10]int))[:len("0x12345")] }

func clip(s string) string { return s[:min(len(s), 4000)] }

// wrongAnswer fires at the good hook.
func wrongAnswer(e *engine.Engine) string {
	c, err := hooks.DecodeContext(hooks.Sample(hooks.Lookup(hooks.OnClaim)), hooks.OnClaim)
	if err != nil {
		return err.Error()
	}
	result, err := e.Fire(context.Background(), c)
	switch {
	case err != nil:
		return err.Error()
	case result.Reason != goodReason || !result.Block:
		return fmt.Sprintf("%q, warnings %q, want %q", clip(result.Reason), result.Warnings, goodReason)
	}
	return ""
}

var peakLine = regexp.MustCompile(`(?m)^VmHWM:\s+(\d+) kB`)

// peakMemory is the most that this process has held, or where the system doesn't
// say, what the Go runtime has got from it.
func peakMemory() (bytes int64, what string) {
	if status, err := os.ReadFile("/proc/self/status"); err == nil {
		if found := peakLine.FindSubmatch(status); found != nil {
			kilobytes, _ := strconv.ParseInt(string(found[1]), 10, 64)
			return kilobytes << 10, "resident memory"
		}
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.Sys), "memory from the system"
}
