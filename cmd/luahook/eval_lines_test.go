package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/luahook/luahook/hooks"
)

// Whatever stands in a line, its answer is one line of JSON with a decision, and what is
// no event is denied.
func FuzzEvalLine(f *testing.F) {
	for _, info := range hooks.Events() {
		f.Add(hooks.Sample(info))
	}
	for _, line := range []string{
		"", " ", "{", "[]", "null", "nope", "\x00", "\xff\xfe{}", `{"event":5}`, `{"event":"a.b","tool_call":null}`,
		`{"tool_call":{"name":"Bash","input":{"command":"rm -rf / \u0000"}}}`,
		`{"tool_call":{"name":"Bash","command":"psql -c 'DROP TABLE t' <<X\\n"}}`,
		`{"tool_call":{"name":"Edit","input":{"file_path":"\ud800"}},"usage":{"cost_usd":1e400}}`,
		`{"tool_call":{"name":"Bash","input":{"command":"` + strings.Repeat("(", 500) + `"}}}`,
	} {
		f.Add([]byte(line))
	}
	empty := f.TempDir()
	f.Setenv("XDG_STATE_HOME", f.TempDir())
	f.Fuzz(func(t *testing.T, line []byte) {
		line = bytes.ReplaceAll(line, []byte("\n"), []byte(" "))
		var stdout, stderr bytes.Buffer
		args := []string{"eval", "pre_tool_call", "--jsonl", "--no-user", "--hooks", empty}
		if status := run(context.Background(), args, bytes.NewReader(append(line, '\n')), &stdout, &stderr); status != exitOK {
			t.Fatalf("exit status %d: %s", status, stderr.String())
		}
		answer, rest, ok := bytes.Cut(stdout.Bytes(), []byte("\n"))
		if !ok || len(rest) > 0 {
			t.Fatalf("want one line, got %q", stdout.String())
		}
		var got struct {
			Decision *hooks.Decision
			Block    *bool
			Error    string
		}
		if err := json.Unmarshal(answer, &got); err != nil {
			t.Fatalf("%v in %q", err, answer)
		}
		switch {
		case got.Decision == nil || got.Block == nil:
			t.Fatalf("no decision in %q", answer)
		case got.Error != "" && (*got.Decision != hooks.Deny || !*got.Block):
			t.Fatalf("an error that doesn't block: %q", answer)
		case !json.Valid(line) && got.Error == "":
			t.Fatalf("%q is no JSON and was judged: %q", line, answer)
		}
	})
}

// What can't be read or written is an error, with the answers so far written out.
func TestEvalWithBrokenStreams(t *testing.T) {
	const event = `{"tool_call":{"name":"Bash","command":"ls"}}` + "\n"
	broken := errors.New("the disk is gone")
	tests := []struct {
		name   string
		args   []string
		stdin  io.Reader
		stdout io.Writer
		lines  int
		stderr string
	}{
		{"event", nil, iotest.ErrReader(broken), nil, 1, "luahook: reading the event: the disk is gone\n"},
		{"second line", []string{"--jsonl"}, io.MultiReader(strings.NewReader(event), iotest.ErrReader(broken)), nil, 2, "luahook: reading line 2: the disk is gone\n"},
		{"result", nil, strings.NewReader(event), brokenWriter{broken}, 0, "luahook: the result can't be written: the disk is gone\n"},
		{"result of a line", []string{"--jsonl"}, strings.NewReader(event), brokenWriter{broken}, 0, "luahook: the result can't be written: the disk is gone\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			if test.stdout == nil {
				test.stdout = &stdout
			}
			args := append([]string{"eval", "pre_tool_call", "--no-user", "--hooks", t.TempDir()}, test.args...)
			if status := run(context.Background(), args, test.stdin, test.stdout, &stderr); status != exitBlock {
				t.Errorf("exit status %d, want %d", status, exitBlock)
			}
			if got := strings.Count(stdout.String(), "\n"); got != test.lines {
				t.Errorf("%d lines on stdout, want %d", got, test.lines)
			}
			if got := stderr.String(); got != test.stderr {
				t.Errorf("stderr %q, want %q", got, test.stderr)
			}
		})
	}
}

// A verdict that can't be written to standard output still counts.
func TestVerdictSurvivesBrokenStdout(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	for _, test := range []struct {
		command, rule string
		want          int
	}{
		{"rm -rf /", "deletion.root", exitBlock},
		{"echo 'no end", "unknown.syntax", exitAsk},
	} {
		var stderr bytes.Buffer
		stdin := strings.NewReader(`{"tool_call":{"name":"Bash","command":"` + test.command + `"}}`)
		args := []string{"eval", "pre_tool_call", "--no-user", "--hooks", t.TempDir()}
		if status := run(context.Background(), args, stdin, brokenWriter{errors.New("the disk is gone")}, &stderr); status != test.want {
			t.Errorf("%s: exit status %d, want %d", test.command, status, test.want)
		}
		got := stderr.String()
		if !strings.HasSuffix(got, " (safety-guard: "+test.rule+")\nluahook: the result can't be written: the disk is gone\n") {
			t.Errorf("%s: stderr %q", test.command, got)
		}
	}
}

type brokenWriter struct{ err error }

func (w brokenWriter) Write([]byte) (int, error) { return 0, w.err }

// A caller that gives up is an error, not an answer.
func TestEvalGivesUpWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, more := range []string{"--format=json", "--jsonl"} {
		var stdout, stderr bytes.Buffer
		stdin := strings.NewReader(`{"tool_call":{"name":"Bash","command":"ls"}}`)
		args := []string{"eval", "pre_tool_call", "--no-user", "--hooks", t.TempDir(), more}
		if status := run(ctx, args, stdin, &stdout, &stderr); status != exitBlock {
			t.Errorf("%s: exit status %d, want %d", more, status, exitBlock)
		}
		if got := stderr.String(); !strings.HasPrefix(got, "luahook: ") || !strings.HasSuffix(got, "context canceled\n") {
			t.Errorf("%s: stderr %q", more, got)
		}
		if strings.Contains(stdout.String(), `"block":false`) {
			t.Errorf("%s: stdout %q reads as allowed", more, stdout.String())
		}
	}
}
