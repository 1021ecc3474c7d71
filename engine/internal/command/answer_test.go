//go:build unix

package command_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/luahook/luahook/hooks"
)

// script is a shell text that writes texts and exits.
func script(t *testing.T, stdout, stderr, status string) string {
	t.Helper()
	quote := func(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
	return "printf %s " + quote(stdout) + "; printf %s " + quote(stderr) + " >&2; exit " + status
}

const (
	pre  = `{"event":"pre_tool_call","tool_call":{"name":"bash","input":{"command":"ls"}}}`
	post = `{"event":"post_response"}`
)

func TestAnswers(t *testing.T) {
	denied := func(reason string) *hooks.Result {
		return &hooks.Result{Decision: hooks.Deny, Block: true, Reason: reason}
	}
	for _, c := range []struct {
		name, event            string
		stdout, stderr, status string
		inject                 bool
		want                   *hooks.Result
		entries                []hooks.Entry
		log                    string
	}{
		{name: "nothing", event: pre, status: "0"},
		{name: "blanks", event: pre, stdout: " \n\t\n", status: "0"},
		{name: "deny as JSON", event: pre, stdout: "\n{\"decision\":\"deny\",\"reason\":\"no\"}\n", status: "0", want: denied("no")},
		{name: "block as JSON", event: pre, stdout: `{"block":true,"reason":"no"}`, stderr: "why\n", status: "0", want: denied("no"), log: "why"},
		{name: "byte order mark", event: pre, stdout: "\ufeff{\"block\":true,\"reason\":\"no\"}", status: "0", want: denied("no")},
		{name: "empty object", event: pre, stdout: `{}`, status: "0", want: &hooks.Result{}},
		{name: "another system's word", event: pre, stdout: `{"decision":"block","reason":"no"}`, status: "0", want: denied("no")},
		{
			name: "rewrite", event: pre, stdout: `{"input":{"command":"ls -l","timeout":9007199254740993}}`, status: "0",
			want: &hooks.Result{Modified: true, Input: map[string]any{"command": "ls -l", "timeout": int64(9007199254740993)}},
		},
		{
			name: "suppressed", event: pre, stdout: `{"suppress_output":true,"system_message":"hi"}`, status: "0",
			want: &hooks.Result{SuppressOutput: true, SystemMessage: "hi"},
		},
		{
			name: "no block", event: pre, stdout: `{"block":false,"reason":"fine"}`, status: "0", want: &hooks.Result{},
			entries: []hooks.Entry{{Kind: hooks.EntryFeedback, Text: "fine"}},
		},
		{name: "text", event: pre, stdout: "checked\n", stderr: "slow\n", status: "0", log: "checked\nslow"},
		{
			name: "text as context", event: pre, stdout: " checked\n", stderr: "slow\n", status: "0", inject: true,
			want: &hooks.Result{NewContext: "checked"}, log: "slow",
		},
		{name: "nothing as context", event: pre, stderr: "slow", status: "0", inject: true, log: "slow"},
		{name: "brackets", event: pre, stdout: "[INFO] fine", status: "0", log: "[INFO] fine"},
		{name: "a log line that is JSON behind text", event: pre, stdout: "x\n{\"level\":\"info\",\"data\":1}", status: "0", log: "x\n{\"level\":\"info\",\"data\":1}"},
		{name: "invalid UTF-8", event: pre, stdout: "a\xffb", status: "0", inject: true, want: &hooks.Result{NewContext: "a\ufffdb"}},
		{name: "invalid UTF-8 in JSON", event: pre, stdout: "{\"block\":true,\"reason\":\"a\xffb\"}", status: "0", want: denied("a\ufffdb")},
		{name: "exit 2", event: pre, stdout: "so\n", stderr: "\nuse staging\nnot prod\n", status: "2", want: denied("use staging\nnot prod"), log: "so"},
		{name: "exit 2 on stop", event: `{"event":"stop"}`, stderr: "go on", status: "2", want: denied("go on")},
		{name: "JSON that allows and exit 2", event: pre, stdout: `{"decision":"allow"}`, stderr: "no", status: "2", want: denied("no"), log: `{"decision":"allow"}`},
		{name: "context on an event that can't be blocked", event: post, stdout: `{"new_context":"x"}`, status: "0", want: &hooks.Result{NewContext: "x"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			call := call(t, event(t, c.event))
			call.InjectOutput = c.inject
			out := run(shell(t, script(t, c.stdout, c.stderr, c.status)), call)
			if out.Err != nil {
				t.Fatal(out.Err)
			}
			if d := cmp.Diff(c.want, out.Result); d != "" {
				t.Errorf("result (-want +got):\n%s", d)
			}
			if d := cmp.Diff(c.entries, out.Entries); d != "" {
				t.Errorf("entries (-want +got):\n%s", d)
			}
			if out.Log != c.log {
				t.Errorf("log %q, want %q", out.Log, c.log)
			}
			shown := strings.ToValidUTF8(c.stdout, "\ufffd")
			if c.want != nil && c.want.SuppressOutput {
				shown = ""
			}
			if out.Run.Stdout != shown || out.Run.Stderr != c.stderr || out.Run.TimedOut {
				t.Errorf("run %+v", out.Run)
			}
		})
	}
}

func TestFailures(t *testing.T) {
	for _, c := range []struct {
		name, event            string
		stdout, stderr, status string
		denied                 bool
		parts                  []string
	}{
		{name: "unfinished JSON", event: pre, stdout: `{"decision":"deny"`, status: "0", parts: []string{"begins like a JSON answer and is none: not JSON: the text ends too early at byte 18", "stderr"}},
		{name: "brace", event: pre, stdout: "{all is well}", status: "0", parts: []string{"begins like a JSON answer", "at byte 1"}},
		{name: "text after JSON", event: pre, stdout: "{\"decision\":\"deny\"}\ndone", status: "0", parts: []string{"more text after the JSON value"}},
		{name: "two answers", event: pre, stdout: "{}\n{\"decision\":\"deny\"}", status: "0", parts: []string{"more text after"}},
		{name: "text before JSON", event: pre, stdout: "loading...\n{\"decision\":\"deny\",\"reason\":\"x\"}", status: "0", parts: []string{`("decision")`, "other text before it"}},
		{name: "bracket before JSON", event: pre, stdout: "[INFO] {\"decision\":\"deny\",\"reason\":\"x\"}", status: "0", parts: []string{`("decision")`, "other text before it"}},
		{name: "the same key twice", event: pre, stdout: `{"decision":"deny","decision":"allow"}`, status: "0", parts: []string{`the key "decision" appears twice`}},
		{name: "list", event: pre, stdout: `[{"decision":"deny"}]`, status: "0", parts: []string{"JSON list"}},
		{name: "unknown key", event: pre, stdout: `{"decison":"deny"}`, status: "0", parts: []string{`unknown key "decison"`, "decision"}},
		{name: "unknown key beside a deny", event: pre, stdout: `{"decision":"deny","reson":"x"}`, status: "0", denied: true, parts: []string{`unknown key "reson"`}},
		{name: "unknown key beside a block", event: pre, stdout: `{"block":true,"reson":"x"}`, status: "0", denied: true, parts: []string{`unknown key "reson"`}},
		{name: "unknown key beside an allow", event: pre, stdout: `{"decision":"allow","reson":"x"}`, status: "0", parts: []string{`unknown key "reson"`}},
		{name: "wrong type", event: pre, stdout: `{"block":"yes"}`, status: "0", parts: []string{"answer.block: want boolean, got string"}},
		{name: "another system's answer", event: pre, stdout: `{"hookSpecificOutput":{"permissionDecision":"deny"}}`, status: "0", denied: true, parts: []string{"hookSpecificOutput"}},
		{name: "another system's allow", event: pre, stdout: `{"hookSpecificOutput":{"permissionDecision":"allow"}}`, status: "0", parts: []string{"hookSpecificOutput"}},
		{name: "deny where nothing can be denied", event: post, stdout: `{"decision":"deny","reason":"x"}`, status: "0", denied: true, parts: []string{"post_response can't be blocked"}},
		{name: "exit 2 where nothing can be denied", event: post, stderr: "no", status: "2", parts: []string{"exit status 2 is a deny", "post_response can't be blocked"}},
		{name: "exit 2 without a reason", event: pre, stdout: "no", stderr: " \n", status: "2", parts: []string{"exit status 2 without a reason on stderr"}},
		{name: "exit 1", event: pre, stderr: "one\ntwo\n\nthree\nfour\n", status: "1", parts: []string{"exit status 1; its stderr ends with: two / three / four"}},
		{name: "exit 3 and silence", event: pre, stdout: `{"decision":"allow"}`, status: "3", parts: []string{"exit status 3, and it wrote nothing to stderr"}},
		{name: "not executable", event: pre, stderr: "x", status: "126", parts: []string{"126", "chmod +x", "ends with: x"}},
		{name: "not found", event: pre, status: "127", parts: []string{"127", "was not found", "install it or fix its path"}},
		{name: "signal", event: pre, stderr: "oops", status: "0; kill -9 $$", parts: []string{"a signal ended it (killed)", "oops"}},
		{name: "terminal codes in stderr", event: pre, stderr: "\x1b]0;title\aboo", status: "1", parts: []string{"ends with: ]0;title boo"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := script(t, c.stdout, c.stderr, c.status)
			if c.name == "signal" {
				text = strings.Replace(text, "exit 0; ", "", 1)
			}
			out := run(shell(t, text), call(t, event(t, c.event)))
			if out.Err == nil {
				t.Fatalf("it didn't fail: %+v", out)
			}
			contains(t, out.Err.Message, c.parts...)
			if out.Result != nil || out.Log != "" {
				t.Errorf("result %+v, log %q; want none", out.Result, out.Log)
			}
			if out.Err.Kind != hooks.KindCommand || out.Err.Limit != "" || out.Err.Hook != "check" || out.Err.Denied != c.denied {
				t.Errorf("error %+v", out.Err)
			}
			if strings.ContainsAny(out.Err.Message, "\n\x1b") {
				t.Errorf("%q is not one plain line", out.Err.Message)
			}
			if out.Run == nil || out.Run.Stdout != c.stdout {
				t.Errorf("run %+v", out.Run)
			}
		})
	}
}

func TestLongOutput(t *testing.T) {
	long := func(size, begin string) string {
		return "printf %s '" + begin + "'; head -c " + size + " /dev/zero | tr '\\0' a; "
	}
	c := call(t, event(t, pre))
	c.InjectOutput = true

	out := run(shell(t, long("2000000", "x")), c)
	if out.Err != nil {
		t.Fatal(out.Err)
	}
	if want := "x" + strings.Repeat("a", 1<<20-1) + "\n[cut: these are the first 1048576 bytes]"; out.Result.NewContext != want {
		t.Errorf("context of %d bytes, want %d; it ends with %q", len(out.Result.NewContext), len(want), out.Result.NewContext[len(out.Result.NewContext)-60:])
	}
	if len(out.Run.Stdout) != 16<<10 || !strings.HasSuffix(out.Run.Stdout, "a\n[cut]") {
		t.Errorf("shown: %d bytes, want 16384 with a mark", len(out.Run.Stdout))
	}

	for _, begin := range []string{"{", "["} {
		if out := run(shell(t, long("2000000", begin)), c); out.Err == nil || !strings.Contains(out.Err.Message, "longer than the 1048576 bytes") {
			t.Errorf("%s...: %v", begin, out.Err)
		}
	}
	if out := run(shell(t, "{ "+long("200000", "no ")+"} >&2; exit 2"), c); out.Result == nil || !strings.HasPrefix(out.Result.Reason, "no a") || !strings.HasSuffix(out.Result.Reason, "\n[cut: these are the first 65536 bytes]") {
		t.Errorf("reason: %+v", out)
	}
	// 16 KiB less the mark isn't a multiple of three.
	out = run(shell(t, "i=0; while [ $i -lt 6000 ]; do printf 世; i=$((i+1)); done"), c)
	if strings.ContainsRune(out.Run.Stdout, '\ufffd') || !strings.HasSuffix(out.Run.Stdout, "世\n[cut]") || len(out.Run.Stdout) > 16<<10 {
		t.Errorf("shown: %d bytes, ending with %q", len(out.Run.Stdout), out.Run.Stdout[len(out.Run.Stdout)-20:])
	}
}

func TestCausesAreKept(t *testing.T) {
	out := run(shell(t, "echo '{\"x\"'"), call(t, event(t, pre)))
	var input *hooks.InputError
	if !errors.As(out.Err, &input) {
		t.Errorf("%v doesn't unwrap to the cause", out.Err)
	}
}
