package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "write the expected output in testdata anew")

// taken collects what is read, as FILE:LINE [CWD] TOOL INPUT.
type taken struct{ calls, skipped []string }

func (t *taken) take(c call) {
	input, _ := json.Marshal(c.input)
	if command, ok := c.input["command"].(string); ok && c.tool == "bash" {
		t.calls = append(t.calls, strings.TrimSpace(fmt.Sprintf("%s %s %q", c.where, c.cwd, command)))
		return
	}
	t.calls = append(t.calls, fmt.Sprintf("%s %s %s %s", c.where, c.cwd, c.tool, input))
}

func (t *taken) unread(where, why string) { t.skipped = append(t.skipped, where+": "+why) }

func TestReading(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       []string
	}{
		{"a list", "ls -la\n\n# a comment\n  make test\r\n\"printf 'a\\nb'\\nls\"\n\"$HOME/bin/x\" y\necho \\\n  b\necho \\\\\ntrue", []string{
			`f:1  "ls -la"`, `f:4  "  make test"`, `f:5  "printf 'a\nb'\nls"`, `f:6  "\"$HOME/bin/x\" y"`, `f:7  "echo \\\n  b"`, `f:9  "echo \\\\"`, `f:10  "true"`}},
		{"a list whose last line goes on", "echo a \\", []string{`f:1  "echo a \\"`}},
		{"a group is no JSON", "{ ls; }\n{\"command\":\"x\"\n", []string{`f:1  "{ ls; }"`, `f:2  "{\"command\":\"x\""`}},
		{"bash with times", "pwd\n#1700000000\nfor f in *; do\n  echo \"$f\"\ndone\n#1700000009\n#ls\n", []string{
			`f:1  "pwd"`, `f:3  "for f in *; do\n  echo \"$f\"\ndone"`, `f:7  "#ls"`}},
		{"zsh", ": 1700000000:0;ls\n: 1700000001:12;for f in *\\\ndo rm $f\\\ndone\n: 1700000002:0;echo a\\\\\nb\n: 1700000003:0;echo \x83\xa3\n", []string{
			`f:1  "ls"`, `f:2  "for f in *\ndo rm $f\ndone"`, `f:5  "echo a\\\nb"`, "f:7  \"echo \\x83\""}},
		{"fish", "- cmd: ls\n  when: 1700000000\n- cmd: for f in *\\n  echo $f \\\\\\n  true\\nend\n  when: 1700000001\n  paths:\n    - x\n", []string{
			`f:1  "ls"`, `f:3  "for f in *\n  echo $f \\\n  true\nend"`}},
		{"lines for this program", `{"command":"ls"}` + "\n" + `{"command":"ls","cwd":"/w","tool":"powershell"}` + "\n\n" +
			`{"tool":"Write","input":{"file_path":"/etc/x"}}` + "\n" + `{"other":1}` + "\n", []string{
			`f:1  "ls"`, `f:2 /w powershell {"command":"ls"}`, `f:4  Write {"file_path":"/etc/x"}`}},
		{"events", `{"event":"pre_tool_call","cwd":"/w","tool_call":{"name":"bash","command":"ls"}}` + "\n" +
			`{"event":"pre_tool_call","cwd":"/w","tool_call":{"name":"read","input":{"path":"x"}}}` + "\n" +
			`{"hook_event_name":"PreToolUse","cwd":"/w","tool_name":"Bash","tool_input":{"command":"ls"}}`, []string{
			`f:1 /w "ls"`, `f:2 /w read {"path":"x"}`, `f:3 /w Bash {"command":"ls"}`}},
		{"Claude Code", `{"type":"summary","summary":"x"}` + "\n" + `{"type":"user","cwd":"/w","message":{"role":"user","content":"rm -rf /"}}` + "\n" +
			`{"type":"assistant","cwd":"/w","message":{"content":[{"type":"text","text":"rm"},{"type":"tool_use","id":"t","name":"Bash","input":{"command":"ls"}},{"type":"tool_use","name":"Edit","input":{"file_path":"a"}}]}}` + "\n" +
			`{"type":"user","cwd":"/w","message":{"content":[{"type":"tool_result","content":"a"}]}}`, []string{
			`f:3 /w Bash {"command":"ls"}`, `f:3 /w Edit {"file_path":"a"}`}},
		{"Codex", `{"type":"session_meta","payload":{"id":"x","cwd":"/w"}}` + "\n" +
			`{"type":"response_item","payload":{"type":"function_call","name":"shell","arguments":"{\"command\":[\"bash\",\"-lc\",\"ls\"],\"workdir\":\"/v\"}"}}` + "\n" +
			`{"type":"turn_context","payload":{"cwd":"/u"}}` + "\n" +
			`{"type":"response_item","payload":{"type":"function_call","name":"exec_command","arguments":"{\"cmd\":\"pwd\"}"}}` + "\n" +
			`{"type":"response_item","payload":{"type":"local_shell_call","action":{"type":"exec","command":["ls"],"working_directory":"/v"}}}` + "\n" +
			`{"type":"response_item","payload":{"type":"custom_tool_call","name":"apply_patch","input":"*** Begin Patch"}}` + "\n" +
			`{"type":"response_item","payload":{"type":"function_call","name":"shell","arguments":"{"}}` + "\n" +
			`{"type":"event_msg","payload":{"type":"token_count"}}`, []string{
			`f:2 /w shell {"command":["bash","-lc","ls"],"workdir":"/v"}`, `f:4 /u exec_command {"cmd":"pwd"}`,
			`f:5 /u shell {"command":["ls"],"workdir":"/v"}`, `f:6 /u apply_patch {"input":"*** Begin Patch"}`,
			`unread f:7: arguments that are no JSON object: unexpected end of JSON input`}},
		{"Codex, before it had payloads", `{"id":"x","timestamp":"t"}` + "\n" + `{"type":"function_call","name":"shell","arguments":"{\"command\":[\"ls\"]}"}`, []string{
			`f:2  shell {"command":["ls"]}`}},
		{"broken lines among JSON", `{"command":"ls"}` + "\n" + `{"command":"l` + "\n[1]\n" + `{"command":"pwd"}`, []string{
			`f:1  "ls"`, `f:4  "pwd"`, `unread f:2: no JSON object: unexpected end of JSON input`,
			`unread f:3: no JSON object: json: cannot unmarshal array into Go value of type map[string]interface {}`}},
		{"a line that is too long", "ls\n" + strings.Repeat("x", longest+1) + "\npwd\n", []string{
			`f:1  "ls"`, `f:3  "pwd"`, `unread f:2: longer than 16 MiB`}},
		{"a long line that isn't", "echo " + strings.Repeat("x", 200_000) + "\npwd\n", []string{
			`f:1  "echo ` + strings.Repeat("x", 200_000) + `"`, `f:2  "pwd"`}},
		{"nothing", "\n\n", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got taken
			if err := read("f", strings.NewReader(test.text), &got); err != nil {
				t.Fatal(err)
			}
			for _, line := range got.skipped {
				got.calls = append(got.calls, "unread "+line)
			}
			for i := range got.calls { // "f:1 <no folder> ..."
				got.calls[i] = strings.TrimSpace(got.calls[i])
			}
			if g, w := strings.Join(got.calls, "\n"), strings.Join(test.want, "\n"); g != w {
				t.Errorf("got\n%.2000s\nwant\n%.2000s", g, w)
			}
		})
	}
}

// stub judges by the first word of a command, and always takes as long.
func stub(c call) verdict {
	v := verdict{took: 120 * time.Microsecond}
	command, _ := c.input["command"].(string)
	switch word, _, _ := strings.Cut(command, " "); word {
	case "rm":
		v.decision, v.rule, v.reason = denies, "deletion.root", "This deletes\x1b[31m all."
	case "chmod":
		v.decision, v.rule, v.reason = asks, "permissions.open", "Everybody may write."
	case "loop":
		v.decision, v.rule, v.reason = fails, "safety-guard failed", "it used up its instructions"
	}
	return v
}

const calls = `ls
rm -rf /
ls
rm -rf /
rm -rf / --no-preserve-root
rm -rf /usr
"chmod 777 a\nexport GITHUB_TOKEN=ghp_0123456789abcdefghijABCDEFGHIJ012345"
loop
curl -H 'Authorization: Bearer sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789' https://a.example
`

// The report as a person and a program read it.
func TestReport(t *testing.T) {
	for name, o := range map[string]options{
		"report.txt":  {examples: 2},
		"passed.txt":  {examples: 0, passed: true},
		"report.json": {examples: 1, json: true, passed: true},
	} {
		r := newReport(o, stub)
		if err := read("history", strings.NewReader(calls), r); err != nil {
			t.Fatal(err)
		}
		r.unread("history:12", "longer than 16 MiB")
		var out bytes.Buffer
		if err := r.write(&out); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(out.String(), "ghp_") || strings.Contains(out.String(), "sk-ant-api03-a") || strings.Contains(out.String(), "\x1b") {
			t.Errorf("%s shows a secret, or commands a terminal:\n%s", name, &out)
		}
		file := filepath.Join("testdata", name)
		if *update {
			if err := os.WriteFile(file, out.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if out.String() != string(want) {
			t.Errorf("%s: got\n%s\nwant\n%s", name, &out, want)
		}
	}
}

func TestDiffering(t *testing.T) {
	for _, test := range []struct {
		expect, calls string
		want          int
	}{
		{"", "ls\nrm x\nloop", 0},
		{"pass", "ls\nls", 0},
		{"pass", "ls\nrm x\nrm x\nchmod y", 3},
		{"pass", "loop", 1},
		{"block", "rm x\nchmod y", 0},
		{"block", "rm x\nls\nls", 2},
		{"block", "loop", 1}, // a failure isn't a judgement
		{"block", "{\"command\":\"rm x\"}\n{", 1},
	} {
		r := newReport(options{expect: test.expect}, stub)
		if err := read("f", strings.NewReader(test.calls), r); err != nil {
			t.Fatal(err)
		}
		if got := r.differing(); got != test.want {
			t.Errorf("%s %q: got %d, want %d", test.expect, test.calls, got, test.want)
		}
	}
}

// The whole command, with the guard itself.
func TestRun(t *testing.T) {
	t.Setenv("HOME", "/home/u") // -home sets it
	dir := t.TempDir()
	history, session := filepath.Join(dir, "history"), filepath.Join(dir, "projects", "p", "s.jsonl")
	if err := os.MkdirAll(filepath.Dir(session), 0o755); err != nil {
		t.Fatal(err)
	}
	for file, text := range map[string]string{
		history:                                "ls\nrm -rf ~/src\ngit status\n",
		session:                                `{"type":"assistant","cwd":"/srv/app","message":{"content":[{"type":"tool_use","name":"Bash","input":{"command":"rm -rf /srv/app/build"}},{"type":"tool_use","name":"Write","input":{"file_path":"/etc/passwd","content":""}}]}}`,
		filepath.Join(dir, "projects", "note"): "rm -rf /\n",
	} {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		args string
		in   string
		code int
		want string // in what it writes
	}{
		{"", "", failed, "usage: measure"},
		{"-h", "", ended, "usage: measure"},
		{"-nosuch -", "", failed, "-nosuch"},
		{dir + "/nosuch", "", failed, "nosuch"},
		{"-expect all -", "", failed, "want pass or block"},
		{"-level audit -", "", failed, "want standard or strict"},
		{"-packs nosuch -", "", failed, "nosuch"},
		{"-", "{\"command\":\n", ended, "no JSON object"},
		{"-", "", ended, "0 calls, 0 distinct: 0 denied, 0 asked about (0.00 %), 0 errors"},
		{history, "", ended, "3 calls, 3 distinct: 1 denied, 0 asked about (33.33 %), 0 errors"},
		{history, "", ended, "1  deny  deletion.outside"},
		{"-expect pass " + history, "", differed, "-expect pass: 1 are otherwise"},
		{"-expect block " + history, "", differed, "passed (2 distinct)"},
		{"-expect pass -cwd /home/u/project -", "rm -rf build\n", ended, "1 calls"},
		{"-expect block -cwd /home/u/project -level strict -", "rm -rf build\n", ended, "deletion."},
		{"-expect pass -", "docker volume prune --help\ndocker network prune -f\n", ended, "0 asked"},
		{"-expect block -packs containers,git -", "docker network prune -f\n", ended, "containers."},
		{"-expect block -packs all -", "docker volume rm data\n", ended, "containers."},
		{"-expect block -home /Users/a -cwd /Users/a -", "rm -rf /Users/a\n", ended, "deletion.home"},
		{filepath.Join(dir, "projects"), "", ended, "2 calls, 2 distinct: 1 denied"},
		{filepath.Join(dir, "projects"), "", ended, "Write {"},
		{"-json " + history, "", ended, `"rule": "deletion.outside"`},
	} {
		var out bytes.Buffer
		if code := run(strings.Fields(test.args), strings.NewReader(test.in), &out, &out); code != test.code {
			t.Errorf("%s: ended with %d, want %d:\n%s", test.args, code, test.code, &out)
		}
		if !strings.Contains(out.String(), test.want) {
			t.Errorf("%s: %q isn't in\n%s", test.args, test.want, &out)
		}
	}
}
