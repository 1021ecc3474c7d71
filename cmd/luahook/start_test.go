package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
)

// What the initialisation of one package of ours may allocate. It is paid by every
// process, whatever the verb: a table or a pattern that takes more is built when it is
// first used (sync.OnceValue), or is a switch.
const (
	maxInitBytes  = 4 << 10
	maxInitAllocs = 64
)

// TestStart checks what the built command does before main, by what it allocates: that
// is the same on every machine.
func TestStart(t *testing.T) {
	command := filepath.Join(t.TempDir(), "luahook")
	build := exec.Command("go", "build", "-o", command, ".")
	build.Env = append(os.Environ(), "GOFLAGS=") // what measures coverage allocates, too
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}

	t.Run("initialisation", func(t *testing.T) {
		version := exec.Command(command, "version")
		version.Env = append(os.Environ(), "GODEBUG=inittrace=1")
		var trace bytes.Buffer
		version.Stderr = &trace
		if err := version.Run(); err != nil {
			t.Fatal(err)
		}
		// init PACKAGE @0.1 ms, 0.2 ms clock, 300 bytes, 4 allocs
		lines := regexp.MustCompile(`(?m)^init (\S+) @.* (\d+) bytes, (\d+) allocs$`).FindAllStringSubmatch(trace.String(), -1)
		ours := 0
		for _, line := range lines {
			if !regexp.MustCompile(`^(main$|github\.com/luahook/luahook\b)`).MatchString(line[1]) {
				continue
			}
			ours++
			size, _ := strconv.Atoi(line[2])
			allocs, _ := strconv.Atoi(line[3])
			if size > maxInitBytes || allocs > maxInitAllocs {
				t.Errorf("the initialisation of %s allocates %d bytes in %d pieces; want at most %d and %d", line[1], size, allocs, maxInitBytes, maxInitAllocs)
			}
		}
		if ours == 0 {
			t.Fatalf("no package of ours in the trace:\n%s", trace.String())
		}
	})

	// Reflection over methods keeps all methods of all types in a program. gopher-luar,
	// for host objects, is the one of our packages that needs it.
	t.Run("reflection", func(t *testing.T) {
		program, err := os.ReadFile(command)
		if err != nil {
			t.Fatal(err)
		}
		for function, want := range map[string]bool{"main.newEval": true, "layeh.com/gopher-luar.New": false, "text/template.(*Template).Execute": false} {
			if got := bytes.Contains(program, []byte(function)); got != want {
				t.Errorf("%s is linked: %v, want %v", function, got, want)
			}
		}
	})
}
