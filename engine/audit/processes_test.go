package audit_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/luahook/luahook/engine/audit"
)

// writer is a process that appends count records.
func writer(t *testing.T, dir, name string, count int, extra ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), "AUDIT_TEST_DIR="+dir, "AUDIT_TEST_NAME="+name, "AUDIT_TEST_COUNT="+strconv.Itoa(count))
	cmd.Env = append(cmd.Env, extra...)
	return cmd
}

// counts reads which numbers each writer has written.
func counts(t *testing.T, dir string) (by map[string][]int64, broken int) {
	t.Helper()
	by = map[string][]int64{}
	broken, err := audit.Read(dir, audit.Filter{}, func(e audit.Entry) bool {
		i, err := e.Data["i"].(json.Number).Int64()
		if err != nil {
			t.Error(err)
		}
		by[e.Session] = append(by[e.Session], i)
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	return by, broken
}

func inOrder(t *testing.T, name string, got []int64) {
	t.Helper()
	for i, n := range got {
		if n != int64(i) {
			t.Errorf("%s: record %d is number %d; one is missing or stands twice", name, i, n)
			return
		}
	}
}

func TestFiftyProcessesAppendAtOnce(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "log")
	const processes, each = 50, 20
	var started []*exec.Cmd
	for i := range processes {
		cmd := writer(t, dir, fmt.Sprintf("w%d", i), each, "AUDIT_TEST_SIZE=20000")
		cmd.Stderr = os.Stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		started = append(started, cmd)
	}
	for _, cmd := range started {
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	}
	by, broken := counts(t, dir)
	if broken != 0 || len(by) != processes {
		t.Errorf("%d broken lines, %d writers", broken, len(by))
	}
	for name, got := range by {
		inOrder(t, name, got)
		if len(got) != each {
			t.Errorf("%s: %d records, want %d", name, len(got), each)
		}
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) < 8 {
		t.Errorf("%d files: nothing was rotated (%v)", len(files), err)
	}
}

func TestKilledWritersLoseNoMoreThanTheirLastLine(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "log")
	const processes = 6
	var started []*exec.Cmd
	for i := range processes {
		cmd := writer(t, dir, fmt.Sprintf("w%d", i), 0, "AUDIT_TEST_SIZE=200000")
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "begun\n" {
			t.Fatalf("%q, %v", line, err)
		}
		started = append(started, cmd)
	}
	for _, cmd := range started {
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		cmd.Wait() // says that it was killed
	}
	if out, err := writer(t, dir, "after", 3).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	by, broken := counts(t, dir)
	if broken > processes || len(by) != processes+1 || len(by["after"]) != 3 {
		t.Errorf("%d broken lines, %d writers, %d after", broken, len(by), len(by["after"]))
	}
	for name, got := range by {
		inOrder(t, name, got)
	}
}

func TestFullDisk(t *testing.T) {
	if runtime.GOOS != "linux" && runtime.GOOS != "darwin" {
		t.Skip("there is no limit on the size of files to set")
	}
	dir := filepath.Join(t.TempDir(), "log")
	out, err := writer(t, dir, "w", 0, "AUDIT_TEST_LIMIT=1000").CombinedOutput()
	if err == nil || !strings.Contains(string(out), "file too large") {
		t.Fatalf("%v: %s", err, out)
	}
	text, err := os.ReadFile(filepath.Join(dir, "decisions.jsonl"))
	if err != nil || !bytes.HasSuffix(text, []byte("}\n")) {
		t.Errorf("%v; the log ends with half a line: %s", err, text)
	}
	by, broken := counts(t, dir)
	if broken != 0 || len(by["w"]) == 0 {
		t.Errorf("%d broken lines, %d records", broken, len(by["w"]))
	}
	inOrder(t, "w", by["w"])
}
