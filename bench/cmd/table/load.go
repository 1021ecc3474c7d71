package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"time"

	"github.com/luahook/luahook/bench/engines"
)

// loading is the output of command load.
type loading struct {
	CPU        time.Duration
	Heap, Peak float64
}

// loadTable loads many files, each time in a new process.
func loadTable(c config, f *figures, w io.Writer) error {
	dir, err := os.MkdirTemp("", "luahook-bench-load-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	load, err := build(dir, benchModule, "load")
	if err != nil {
		return err
	}
	part(w, "Loading", "A process that makes an engine from a folder: processor time of the whole process, the heap after a collection, "+
		"and the most memory that was resident. Medians.")
	columns(w, "hooks, each in a file", "CPU ms", "heap MB", "peak resident MB")
	for _, n := range []int{1, 100, 1000} {
		l, err := loadFiles(load, n, min(c.rounds, 11))
		if err != nil {
			return err
		}
		cells(w, count(float64(n)), number(l.CPU.Seconds()*1000), number(l.Heap/1e6), number(l.Peak/1e6))
		if n == 1000 {
			f.loaded = &l
		}
	}
	return nil
}

func loadFiles(load string, n, rounds int) (loading, error) {
	root, err := engines.WriteHooks(engines.HookSet{Running: n, OwnFiles: true}.Scripts())
	if err != nil {
		return loading{}, err
	}
	defer os.RemoveAll(root)
	var all []loading
	for range rounds {
		cmd := exec.Command(load, root)
		cmd.Env = bare(root)
		var complaint bytes.Buffer
		cmd.Stderr = &complaint
		out, err := cmd.Output()
		if err != nil {
			return loading{}, fmt.Errorf("%w: %s", err, &complaint)
		}
		var l loading
		if err := json.Unmarshal(out, &l); err != nil {
			return loading{}, err
		}
		all = append(all, l)
	}
	middle := func(field func(loading) float64) float64 {
		values := make([]float64, len(all))
		for i, l := range all {
			values[i] = field(l)
		}
		slices.Sort(values)
		return values[len(values)/2]
	}
	return loading{
		CPU:  time.Duration(middle(func(l loading) float64 { return float64(l.CPU) })),
		Heap: middle(func(l loading) float64 { return l.Heap }),
		Peak: middle(func(l loading) float64 { return l.Peak }),
	}, nil
}
