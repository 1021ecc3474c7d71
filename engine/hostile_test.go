package engine_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// What no script may pass. They are far above what a run is limited to, and hold on a
// busy machine.
const (
	hostileWall    = 2 * time.Second
	hostileMemory  = 256 << 20 // more than a script that does nothing
	hostileRun     = 64 << 20  // for each run where many run at once: what one may build
	hostileMessage = 64 << 10  // bytes of an error's message, and of its traceback
	hostileLog     = 8 << 20   // bytes of the log that a run writes
	hostileKill    = 20 * time.Second
)

// Every hostile script ends, soon and small, as its head says, by an error that the
// engine reports; the process goes on and a good hook beside it answers right. But for every
// night these are a sample: the first script of each folder, and every thirtieth.
func TestHostileScripts(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a process for each of some hundred scripts")
	}
	names, err := hostileNames()
	if err != nil {
		t.Fatal(err)
	}
	if !engine.Nightly {
		names = sampleOf(names)
	}
	empty, err := fireHostile(emptyScript)
	if err != nil {
		t.Fatal(err)
	}
	if bad := empty.Good; bad != "" {
		t.Fatalf("without a hostile script the good hook answers %s", bad)
	}
	worst := &worstCases{empty: empty.Peak}
	var slow []string
	var mu sync.Mutex
	t.Run("script", func(t *testing.T) {
		for _, name := range names {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				r := checkHostile(t, name, empty)
				mu.Lock()
				defer mu.Unlock()
				if r != nil && r.Wall > scaled(hostileWall) { // alone it may be fast enough
					slow = append(slow, name)
				} else if r != nil {
					worst.note(name, r)
				}
			})
		}
	})
	for _, name := range slow {
		t.Run("alone/"+name, func(t *testing.T) {
			r := checkHostile(t, name, empty)
			if r == nil {
				return
			}
			if worst.note(name, r); r.Wall > scaled(hostileWall) {
				t.Errorf("it took %s, want less than %s", r.Wall, hostileWall)
			}
		})
	}
	t.Logf("%d scripts; slowest %s; largest %s, over the %d MiB of an empty one (%s)", len(names), worst.wall, worst.peak, empty.Peak>>20, empty.PeakOf)
}

func sampleOf(names []string) (sample []string) {
	for i, name := range names {
		if i%30 == 0 || path.Dir(name) != path.Dir(names[i-1]) {
			sample = append(sample, name)
		}
	}
	return sample
}

// scaled gives the race detector its time.
func scaled(d time.Duration) time.Duration {
	if raceEnabled {
		return 8 * d
	}
	return d
}

// worstCases remembers the slowest and the largest script.
type worstCases struct {
	empty      int64
	slowest    time.Duration
	largest    int64
	wall, peak string
}

func (w *worstCases) note(name string, r *hostileReport) {
	if r.Wall > w.slowest {
		w.slowest, w.wall = r.Wall, fmt.Sprintf("%s, %s", name, r.Wall.Round(time.Millisecond))
	}
	if r.Peak > w.largest {
		w.largest, w.peak = r.Peak, fmt.Sprintf("%s, %d MiB", name, (r.Peak-w.empty)>>20)
	}
}

// fireHostile runs one script in a process of its own.
func fireHostile(name string) (*hostileReport, error) {
	ctx, cancel := context.WithTimeout(context.Background(), scaled(hostileKill))
	defer cancel()
	child := exec.CommandContext(ctx, os.Args[0])
	child.Env = append(os.Environ(), hostileVariable+"="+name, "GORACE=atexit_sleep_ms=0") // else the race detector sleeps a second at each exit
	var out, diagnosis bytes.Buffer
	child.Stdout, child.Stderr = &out, &diagnosis
	child.WaitDelay = time.Second
	if err := child.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("it was still running after %s", scaled(hostileKill))
		}
		return nil, fmt.Errorf("its process died: %w\n%s", err, clip(diagnosis.String()))
	}
	r := &hostileReport{}
	if err := json.Unmarshal(out.Bytes(), r); err != nil {
		return nil, fmt.Errorf("it wrote to stdout: %q", clip(out.String()))
	}
	return r, nil
}

// checkHostile runs one script and compares all but its wall clock; nil where there is
// nothing to compare.
func checkHostile(t *testing.T, name string, empty *hostileReport) *hostileReport {
	s, err := readHostile(name)
	if err != nil {
		t.Fatal(err)
	}
	r, err := fireHostile(name)
	if err != nil {
		t.Errorf("%s: %s", s.title, err)
		return nil
	}
	t.Logf("%s: %s, %d MiB, %s %s %s: %.300s", s.title, r.Wall.Round(time.Millisecond), (r.Peak-empty.Peak)>>20, r.Phase, r.Kind, r.Limit, r.Message)
	if !slices.ContainsFunc(s.expect, r.ended) {
		t.Errorf("it ended with %s, want %s", r, strings.Join(s.expect, " or "))
	}
	for _, text := range s.says {
		contains(t, r.Message, text)
	}
	if r.Kind != "" {
		r.checkError(t)
	}
	ceiling := max(hostileMemory, int64(s.goroutines)*hostileRun)
	if more := r.Peak - empty.Peak; more > ceiling && !raceEnabled {
		t.Errorf("it took %d MiB of %s, want less than %d", more>>20, r.PeakOf, ceiling>>20)
	}
	if ceiling := hostileLog * int64(s.fires*s.goroutines); r.Logged > ceiling {
		t.Errorf("it wrote %d MiB to the log, want at most %d", r.Logged>>20, ceiling>>20)
	}
	if r.Goroutines > 0 {
		t.Errorf("%d goroutines are left", r.Goroutines)
	}
	if r.Good != "" {
		t.Errorf("the good hook answers %s", r.Good)
	}
	return r
}

// ended reports whether the outcome is the one that a script's head names.
func (r *hostileReport) ended(want string) bool {
	switch limit, named := strings.CutPrefix(want, "limit "); {
	case named:
		// On a slow machine, and under the race detector, the time is over first.
		return r.Limit == hooks.Limit(limit) || (r.Limit == hooks.LimitTime && (raceEnabled || limit == string(hooks.LimitInstructions)))
	case want == "limit":
		return r.Limit != ""
	case want == "error":
		return r.Kind != "" && r.Limit == ""
	case want == "load error":
		return r.Phase == "load" && r.Kind == hooks.KindLoad && r.Limit == ""
	case want == "denied":
		return r.Kind == "" && r.Status == hooks.StatusBlocked && r.Block
	case want == "ok":
		return r.Kind == "" && r.Status == hooks.StatusCompleted && strings.Contains(r.Context, "held")
	case want == "held": // whatever became of other hooks of the script
		return strings.Contains(r.Context, "held")
	}
	return want == "any"
}

func (r *hostileReport) String() string {
	if r.Kind == "" {
		return fmt.Sprintf("status %q, context %q", r.Status, r.Context)
	}
	return strings.TrimRight(fmt.Sprintf("%s error (kind %s, limit %q): %s", r.Phase, r.Kind, r.Limit, r.Message), "\n")
}

var (
	scriptName = regexp.MustCompile(`(?:hostile|lib/\w+)\.lua`)
	scriptLine = regexp.MustCompile(`(?:hostile|lib/\w+)\.lua:\d+`)
)

// checkError looks at how the engine reports the failure.
func (r *hostileReport) checkError(t *testing.T) {
	place := scriptLine
	if r.Phase == "load" { // a file that is too large has no line
		place = scriptName
	}
	if strings.TrimSpace(r.Told) != "" && !place.MatchString(r.Told) { // nothing is told where on_failure is ignore
		t.Errorf("the report doesn't name the script and its line: %q", r.Told)
	}
	switch {
	case r.Message == "":
		t.Error("the error has no message")
	case r.Length > hostileMessage:
		t.Errorf("the error's message or traceback has %d bytes, want at most %d", r.Length, hostileMessage)
	case r.Kind == hooks.KindHost, strings.Contains(r.Message, "panicked"), strings.Contains(r.Message, "runtime error"):
		t.Errorf("Go panicked: %s", r.Message)
	case r.Address:
		t.Errorf("the report shows an address: %s", r.Told)
	}
}
