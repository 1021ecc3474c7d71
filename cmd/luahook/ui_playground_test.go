package main

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// An edit in the page is judged by the real hooks around it, and the files stay as they are. What the log has of this
// project is judged anew.
func TestUIPlayground(t *testing.T) {
	dir := homeOfTest(t)
	folder := filepath.Join(dir, ".hooks")
	const text = "on('pre_tool_call', { name = 'own' }, function(ev) if ev.tool_call.command == 'make' then return deny('no make') end end)\n"
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "own.lua"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"make", "ls"} {
		run(context.Background(), []string{"eval", "-c", command, "--record", "--cwd", dir}, strings.NewReader(""), io.Discard, io.Discard)
	}
	link, end := startUI(t, "--cwd", dir)
	_, whole := page(t, link+"playground")
	of := regexp.MustCompile(`name="of" value="(\w+)"`).FindStringSubmatch(whole)
	if of == nil || !strings.Contains(whole, "no make") {
		t.Fatalf("the page is %s", whole)
	}
	post := func(path string, pairs ...string) string {
		form := url.Values{"of": {of[1]}}
		for i := 0; i+1 < len(pairs); i += 2 {
			form.Set(pairs[i], pairs[i+1])
		}
		r, err := http.PostForm(link+path, form)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		body, err := io.ReadAll(r.Body)
		if err != nil || r.StatusCode != http.StatusOK {
			t.Fatalf("%s: status %d, %s, %v", path, r.StatusCode, body, err)
		}
		return string(body)
	}
	edit := "print('hello', 'there')\n" + strings.ReplaceAll(strings.ReplaceAll(text, "no make", "not today"), "== 'make'", "~= ''")
	for command, want := range map[string]string{"ls": "not today", "git push --force": "safety-guard: git.push-force"} {
		if got := post("playground/fire", "fill", "call", "tool", "bash", "about", command, "text", edit); !strings.Contains(got, want) || !strings.Contains(got, "own.lua:1: hello\tthere") {
			t.Errorf("%s: it doesn't have %q: %s", command, want, got)
		}
	}
	for late := time.Now().Add(time.Minute); ; { // until the log is read
		if _, now := page(t, link+"now"); strings.Contains(now, ">2 records<") {
			break
		} else if time.Now().After(late) {
			t.Fatalf("the records aren't there: %s", now)
		}
	}
	got := post("playground/replay", "text", edit, "part", "answer")
	if !strings.Contains(got, "1 of 2 decisions differ.") || !strings.Contains(got, "1 more differs in the reason alone") {
		t.Errorf("the comparison is %s", got)
	}
	if after, err := os.ReadFile(filepath.Join(folder, "own.lua")); err != nil || !bytes.Equal(after, []byte(text)) {
		t.Errorf("the file is %q, %v", after, err)
	}
	if entries, err := os.ReadDir(folder); err != nil || len(entries) != 1 {
		t.Errorf("the folder holds %v, %v", entries, err)
	}
	if status, told := end(); status != 0 || told != "" {
		t.Errorf("status %d, it told %q", status, told)
	}
}
