package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// startUI runs ui in this process with a home of its own, and gives the link that it prints, and what ends it and gives
// its status and what it has told.
func startUI(t *testing.T, args ...string) (link string, end func() (status int, told string)) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	out, stdout := io.Pipe()
	var stderr bytes.Buffer
	status := make(chan int, 1)
	go func() {
		status <- run(ctx, append([]string{"ui", "--no-browser"}, args...), strings.NewReader(""), stdout, &stderr)
		stdout.Close()
	}()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("no link: %v; status %d, %s", err, <-status, stderr.String())
	}
	go func() { _, _ = io.Copy(io.Discard, out) }() // which ends with run
	link, ok := strings.CutPrefix(strings.TrimSpace(line), "luahook ui: ")
	if !ok {
		t.Fatalf("it says %q", line)
	}
	return link, func() (int, string) {
		cancel()
		return <-status, stderr.String()
	}
}

// homeOfTest makes a home, and a folder in it in which the command runs.
func homeOfTest(t *testing.T) (dir string) {
	t.Helper()
	home := t.TempDir()
	for name, at := range map[string]string{"HOME": "", "XDG_CONFIG_HOME": "config", "XDG_STATE_HOME": "state", "XDG_CACHE_HOME": "cache"} {
		t.Setenv(name, filepath.Join(home, at))
	}
	dir = filepath.Join(home, "shop")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	return dir
}

func page(t *testing.T, link string) (status int, text string) {
	t.Helper()
	r, err := http.Get(link)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, string(body)
}

// The page shows what eval records, needs the token of the link, and keeps its index beside the log when it ends.
func TestUI(t *testing.T) {
	dir := homeOfTest(t)
	event := `{"session_id":"s-1","tool_call":{"name":"bash","input":{"command":"rm -rf /"}}}`
	if status := run(context.Background(), []string{"eval", "pre_tool_call", "--record", "--cwd", dir}, strings.NewReader(event), io.Discard, io.Discard); status != exitBlock {
		t.Fatalf("eval: status %d", status)
	}
	link, end := startUI(t, "--cwd", dir)
	if !regexp.MustCompile(`^http://127\.0\.0\.1:\d+/[A-Z0-9]{20,}/$`).MatchString(link) {
		t.Errorf("the link is %q", link)
	}
	status, text := page(t, link)
	if status != http.StatusOK || !strings.Contains(text, "bash: rm -rf /") || !strings.Contains(text, "deletion.root") {
		t.Errorf("the page: status %d\n%s", status, text)
	}
	if status, _ := page(t, link[:strings.LastIndex(strings.TrimSuffix(link, "/"), "/")]+"/now"); status != http.StatusUnauthorized {
		t.Errorf("without the token: status %d", status)
	}
	if status, told := end(); status != exitOK || told != "" {
		t.Errorf("its end: status %d, %s", status, told)
	}
	if kept, _ := filepath.Glob(filepath.Join(os.Getenv("XDG_STATE_HOME"), "luahook", "log", "*.index")); len(kept) != 1 {
		t.Errorf("kept: %v", kept)
	}
}

// A log that is named isn't written beside.
func TestUIOfAnotherLog(t *testing.T) {
	dir := homeOfTest(t)
	log := filepath.Join(dir, "decisions.jsonl")
	line := `{"time":"2026-05-04T09:00:00.000Z","v":1,"kind":"decision","event":"pre_tool_call","tool":"bash","decision":"ask","reason":"really?"}` + "\n"
	if err := os.WriteFile(log, []byte(line), 0o600); err != nil {
		t.Fatal(err)
	}
	link, end := startUI(t, "--cwd", dir, log)
	if status, text := page(t, link); status != http.StatusOK || !strings.Contains(text, "really?") {
		t.Errorf("status %d\n%s", status, text)
	}
	if status, told := end(); status != exitOK || told != "" {
		t.Errorf("its end: status %d, %s", status, told)
	}
	if names, _ := filepath.Glob(filepath.Join(dir, "*")); len(names) != 1 {
		t.Errorf("in its folder there is %v", names)
	}
}

func TestUIRefuses(t *testing.T) {
	dir := homeOfTest(t)
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"--addr", "0.0.0.0:0"}, "a token is needed"},
		{[]string{"--addr", "unix:/tmp/x"}, "want HOST:PORT"},
		{[]string{"--addr", "7878"}, "want HOST:PORT"},
		{[]string{filepath.Join(dir, "nope")}, "no such file"},
		{[]string{"a", "b"}, "accepts at most 1 arg"},
	} {
		var stderr bytes.Buffer
		if status := run(context.Background(), append([]string{"ui", "--no-browser", "--cwd", dir}, test.args...), strings.NewReader(""), io.Discard, &stderr); status != exitError || !strings.Contains(stderr.String(), test.want) {
			t.Errorf("%v: status %d, %s", test.args, status, stderr.String())
		}
	}
}

// A token that was given isn't printed.
func TestUITokenOfFile(t *testing.T) {
	dir := homeOfTest(t)
	file := filepath.Join(dir, "token")
	if err := os.WriteFile(file, []byte("hunter2hunter2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	link, end := startUI(t, "--cwd", dir, "--token-file", file)
	if !strings.HasSuffix(link, "/TOKEN/") {
		t.Errorf("the link is %q", link)
	}
	if status, text := page(t, strings.Replace(link, "TOKEN", "hunter2hunter2", 1)); status != http.StatusOK || !strings.Contains(text, "There is no record yet") {
		t.Errorf("status %d\n%s", status, text)
	}
	if status, told := end(); status != exitOK {
		t.Errorf("its end: status %d, %s", status, told)
	}
}
