package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/luahook/luahook/bench/measure"
	"github.com/luahook/luahook/internal/prose"
)

// The markers around the table in a file.
const (
	beginMark = "<!-- table: go run ./cmd/table -o ../docs/performance.md -->"
	endMark   = "<!-- end of table -->"
)

// insert puts the table between the markers of a file.
func insert(file, table string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	page, err := between(string(text), table)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return os.WriteFile(file, []byte(page), 0o644)
}

func between(page, table string) (string, error) {
	head, rest, found := strings.Cut(page, beginMark)
	_, tail, ended := strings.Cut(rest, endMark)
	if !found || !ended {
		return "", fmt.Errorf("the markers %q and %q are not there", beginMark, endMark)
	}
	return head + beginMark + "\n\n" + strings.TrimSpace(table) + "\n\n" + endMark + tail, nil
}

// writeMachine writes where and when the table was made.
func writeMachine(w io.Writer, c config, seed uint64) {
	fmt.Fprintf(w, "Measured on %s: %s, %d cores, %s, %s/%s; %d rounds, seed %d.\n",
		time.Now().UTC().Format(time.DateOnly), cpuModel(), runtime.NumCPU(), runtime.Version(), runtime.GOOS, runtime.GOARCH, c.rounds, seed)
}

// cpuModel returns Linux' name of the processor.
func cpuModel() string {
	if f, err := os.Open("/proc/cpuinfo"); err == nil {
		defer f.Close()
		for lines := bufio.NewScanner(f); lines.Scan(); {
			if name, value, _ := strings.Cut(lines.Text(), ":"); strings.TrimSpace(name) == "model name" {
				return strings.TrimSpace(value)
			}
		}
	}
	return "a processor that doesn't say its name"
}

// part begins a part of the table; text may be empty.
func part(w io.Writer, title, text string) { heading(w, "###", title, text) }

// subpart begins a part of a part.
func subpart(w io.Writer, title, text string) { heading(w, "####", title, text) }

func heading(w io.Writer, marks, title, text string) {
	fmt.Fprintf(w, "\n%s %s\n", marks, title)
	if text != "" {
		fmt.Fprintf(w, "\n%s\n", prose.Wrap(text, ""))
	}
}

// columns begins a Markdown table; all columns but the first are figures.
func columns(w io.Writer, names ...string) {
	fmt.Fprintf(w, "\n| %s |\n|---%s|\n", strings.Join(names, " | "), strings.Repeat("|--:", len(names)-1))
}

// cells writes a row.
func cells(w io.Writer, texts ...string) {
	fmt.Fprintf(w, "| %s |\n", strings.Join(texts, " | "))
}

// number returns a figure with about three significant digits, and commas.
func number(f float64) string {
	switch {
	case f < 10:
		return fmt.Sprintf("%.2f", f)
	case f < 100:
		return fmt.Sprintf("%.1f", f)
	}
	return count(f)
}

// count returns a whole number, with commas.
func count(f float64) string {
	text := fmt.Sprintf("%.0f", f)
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}

// ratio returns a median with its quartiles.
func ratio(s measure.Spread) string {
	return fmt.Sprintf("%s [%s, %s]", number(s.Median), number(s.Q1), number(s.Q3))
}
