// Command load loads the hooks of a folder and prints the cost as JSON. It is a separate process so that its
// memory holds nothing else.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/luahook/luahook/bench/measure"
	"github.com/luahook/luahook/engine"
)

// report is the printed result; the sizes are in bytes.
type report struct {
	CPU  time.Duration // of the whole process
	Heap float64       // reachable afterwards
	Peak float64       // resident, while loading
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "load:", err)
		os.Exit(1)
	}
}

func run() error {
	if len(os.Args) != 2 {
		return errors.New("usage: load ROOT, which has a folder .hooks")
	}
	root := os.Args[1]
	patient := engine.WithLimits(engine.Limits{Timeout: time.Minute}) // see engines.Patient
	e, err := engine.New(engine.WithoutBuiltins(), engine.WithHooksDir(filepath.Join(root, ".hooks"), root), patient)
	if err != nil {
		return err
	}
	r := report{CPU: measure.CPU()}
	if err := errors.Join(e.LoadErrors()...); err != nil {
		return err
	}
	if r.Peak, err = peak(); err != nil {
		return err
	}
	r.Heap = float64(measure.HeapInUse())
	if err := e.Close(context.Background()); err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(r)
}

// peak returns the peak resident memory of this process. Linux' getrusage would include that of the process that
// started this one.
func peak() (float64, error) {
	f, err := os.Open("/proc/self/status")
	if err != nil {
		return 0, err
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if value, ok := strings.CutPrefix(lines.Text(), "VmHWM:"); ok {
			kib, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(value), "kB")), 64)
			return kib * 1024, err
		}
	}
	return 0, errors.New("/proc/self/status has no VmHWM")
}
