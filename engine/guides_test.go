package engine_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// guide is one thing that the guides of hook systems show, as a script of
// testdata/hooks and events that it is fired at.
type guide struct {
	script string
	event  hooks.Event
	json   string // the event; the same script may be fired several times
	want   string // of the result: the keys named here must be equal
	log    string // part of what the hook log then holds
}

var guides = []guide{
	{"log-tools", hooks.PreToolCall, `{"tool_call":{"id":"c1","name":"Bash","input":{"command":"ls","timeout":5}}}`,
		`{"decision":""}`, `tool bash {"arguments":{"command":"ls","timeout":5},"id":"c1"}`},
	{"retry-limit", hooks.OnRetry, `{"attempt":1,"max_retries":5,"tool_name":"web"}`, `{"decision":"","block":false}`, "[retry] web attempt 1/5"},
	{"retry-limit", hooks.OnRetry, `{"attempt":2,"max_retries":5}`, `{"decision":"","block":false}`, "[retry] step attempt 2/5"},
	{"retry-limit", hooks.OnRetry, `{"attempt":3,"max_retries":5}`, `{"decision":"deny","block":true,"reason":"Too many retries"}`, ""},
	{"model-usage", hooks.PreModelCall, `{"model":"sonnet-5","messages":[{"role":"user","content":"hi"}]}`, `{"decision":""}`, "calling sonnet-5 with 1 messages"},
	{"model-usage", hooks.PostModelCall, `{"model":"sonnet-5","usage":{"input_tokens":120,"output_tokens":30}}`, `{"data":{"tokens":150}}`, "sonnet-5 used 120 tokens in, 30 out"},
	{"filter-result", hooks.ToolResultPersist, `{"tool_call":{"name":"read","output":"key sk-abcdefghijklmnopqrstuv for 123-45-6789"}}`,
		`{"modified":true,"output":"key [REDACTED-SECRET] for [SSN]"}`, ""},
	{"filter-result", hooks.ToolResultPersist, `{"tool_call":{"name":"read","output":"nothing to hide"}}`, `{"modified":null,"output":null}`, ""},
	{"block-production", hooks.PreToolCall, `{"tool_call":{"name":"bash","command":"deploy --env Production"}}`,
		`{"decision":"deny","reason":"production access not allowed; use the staging profile"}`, ""},
	{"block-production", hooks.PreToolCall, `{"tool_call":{"name":"bash","command":"deploy --env staging"}}`, `{"decision":""}`, ""},
	{"record-errors", hooks.OnError, `{"session_id":"s1","issue_id":"I-1","error":{"message":"boom","kind":"network","is_retryable":true},"step":"fetch"}`,
		`{"data":{"recorded":{"error":"boom","kind":"network","retry":true,"session":"s1","issue":"I-1","context":{"step":"fetch"}}}}`, "agent error"},
	{"run-report", hooks.RunEnd, `{"program_name":"nightly","success":true,"outputs":{"report":"r.md","chart":"c.svg"},"duration":92.5}`,
		`{"system_message":"nightly finished in 92.5 s: chart, report"}`, ""},
	{"run-report", hooks.RunEnd, `{"program_name":"nightly","success":false,"error":{"message":"disk full"}}`,
		`{"system_message":"ALERT: nightly failed"}`, "ALERT: nightly failed: disk full"},
	{"session-cost", hooks.SessionEnd, `{"session_id":"s1","usage":{"cost_usd":0.5}}`, `{"data":{"cost_usd":0.5,"total_usd":0.5,"sessions":1}}`, "session s1 cost $0.500"},
	{"session-cost", hooks.SessionEnd, `{"session_id":"s2","usage":{"cost_usd":0.25}}`, `{"data":{"cost_usd":0.25,"total_usd":0.75,"sessions":2}}`, ""},
	{"session-cost", hooks.SessionEnd, `{"session_id":"s3"}`, `{"data":{"cost_usd":0,"total_usd":0.75,"sessions":3}}`, "3 sessions $0.750"},
	{"protect-main", hooks.PreToolCall, `{"tool_call":{"name":"bash","command":"cd api && git -C . push origin HEAD:main"}}`,
		`{"decision":"deny","reason":"Cannot push to main branch. Use a feature branch: git push -u origin HEAD:my-change, then open a pull request."}`, ""},
	{"protect-main", hooks.PreToolCall, `{"tool_call":{"name":"bash","command":"git push origin feature/main-menu && git commit -m 'push main'"}}`, `{"decision":""}`, ""},
	{"protected-files", hooks.PreToolCall, `{"cwd":"/w","tool_call":{"name":"Write","input":{"file_path":"/w/config/.env","content":"A=1"}}}`,
		`{"decision":"deny","reason":"/w/config/.env is protected; ask the user to change it"}`, ""},
	{"protected-files", hooks.PreToolCall, `{"cwd":"/w","tool_call":{"name":"Write","input":{"file_path":"/w/main.go","content":""}}}`, `{"decision":""}`, ""},
	{"kubectl-prod", hooks.PreToolCall, `{"tool_call":{"name":"Bash","input":{"command":"cd x && sudo kubectl --context=prod get po"}}}`, `{"decision":"deny","reason":"no kubectl against prod; use --context staging"}`, ""},
	{"kubectl-prod", hooks.PreToolCall, `{"tool_call":{"name":"Shell","input":{"command":"cd x && sudo kubectl --context=prod get po"}}}`, `{"decision":"deny"}`, ""},
	{"kubectl-prod", hooks.PreToolCall, `{"tool_call":{"name":"run_shell_command","input":{"command":"cd x && sudo kubectl --context=prod get po"}}}`, `{"decision":"deny"}`, ""},
	{"kubectl-prod", hooks.PreToolCall, `{"tool_call":{"name":"Bash","input":{"command":"echo kubectl --context=prod"}}}`, `{"decision":""}`, ""},
	{"redact-output", hooks.PostToolCall, `{"tool_call":{"name":"bash","output":"AKIAABCDEFGHIJKLMNOP","outcome":"ok"}}`,
		`{"modified":true,"output":"[redacted]","system_message":"redacted a key from the output of bash"}`, ""},
	{"project-rules", hooks.SessionStart, `{"source":"compact"}`,
		`{"contexts":[{"hook":"project-rules","text":"Use bun, not npm. Run ` + "`bun test`" + ` before each commit."}]}`, ""},
	{"project-rules", hooks.SessionStart, `{"source":"resume"}`, `{"contexts":null,"new_context":null}`, ""},
	{"fewer-tools", hooks.PreToolSelection, `{"model":"small-1","tools":["bash","delete_file","read","edit","web"]}`,
		`{"modified":true,"input":{"tools":["bash","read","edit"]}}`, ""},
	{"dry-run", hooks.PreToolCall, `{"tool_call":{"name":"bash","input":{"command":"terraform apply -auto-approve","timeout":60}}}`,
		`{"modified":true,"input":{"command":"terraform plan -auto-approve","timeout":60},"new_context":"terraform apply was turned into plan; a person applies it."}`, ""},
	{"dry-run", hooks.PreToolCall, `{"tool_call":{"name":"bash","command":" nproc "}}`, `{"modified":true,"output":"8\n"}`, ""},
}

// TestGuides runs the scripts as people would write them: each keeps its engine, so
// that what a script remembers shows.
func TestGuides(t *testing.T) {
	engines := map[string]*engine.Engine{}
	logs := map[string]*bytes.Buffer{}
	seen := map[string]bool{}
	for _, g := range guides {
		if engines[g.script] == nil {
			source, err := os.ReadFile(filepath.Join("..", "testdata", "hooks", g.script+".lua"))
			if err != nil {
				t.Fatal(err)
			}
			logs[g.script] = &bytes.Buffer{}
			e, err := engine.New(engine.WithoutBuiltins(), engine.WithScript(g.script+".lua", string(source)),
				engine.WithLogger(slog.New(slog.NewJSONHandler(logs[g.script], nil))))
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { e.Close(context.Background()) })
			engines[g.script] = e
		}
		seen[g.script+".lua"] = true
		c, err := hooks.DecodeContext([]byte(g.json), g.event)
		if err != nil {
			t.Fatalf("%s: %v", g.script, err)
		}
		r, err := engines[g.script].Fire(context.Background(), c)
		if err != nil {
			t.Fatalf("%s: %v", g.script, err)
		}
		compare(t, g, r)
		if text := logText(t, logs[g.script]); !strings.Contains(text, g.log) {
			t.Errorf("%s: the log has no %q:\n%s", g.script, g.log, text)
		}
	}
	files, err := os.ReadDir("../testdata/hooks")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !f.IsDir() && !seen[f.Name()] {
			t.Errorf("no guide fires testdata/hooks/%s", f.Name())
		}
	}
}

// compare checks the keys of the result that the guide names; null means absent.
func compare(t *testing.T, g guide, r *hooks.Result) {
	t.Helper()
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var got, want map[string]any
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(g.want), &want); err != nil {
		t.Fatal(err)
	}
	for key, v := range want {
		if diff := cmp.Diff(v, got[key]); diff != "" {
			t.Errorf("%s: %s of %s (-want +got):\n%s%s", g.script, key, g.json, diff, text)
		}
	}
	for _, run := range r.Summary().Runs {
		if run.Error != nil {
			t.Errorf("%s: %s", g.script, run.Error.Message)
		}
	}
}

// logText is the messages of a JSON log, a line each.
func logText(t *testing.T, log *bytes.Buffer) string {
	t.Helper()
	var lines []string
	for line := range strings.Lines(log.String()) {
		var record struct{ Msg string }
		if err := json.Unmarshal([]byte(line), &record); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, record.Msg)
	}
	return strings.Join(lines, "\n")
}
