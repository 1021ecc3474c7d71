package wire

import (
	"bytes"
	"cmp"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// pluginCall is a call of one of the plugin's handlers.
type pluginCall struct {
	Dir     string          `json:"dir"` // of makePlugin
	Handler string          `json:"handler"`
	Input   json.RawMessage `json:"input"`
	Output  json.RawMessage `json:"output"`
}

// pluginRun is what a handler has done.
type pluginRun struct {
	Thrown string          `json:"thrown"` // what it has thrown
	Output json.RawMessage `json:"output"` // what it was given, and has changed in place
	Notes  string          `json:"notes"`  // for the log and for the screen
}

// makePlugin makes a folder with the plugin in it and the luahook that it calls: a shell script, "" for none. Where it
// says READ it puts the event that it gets into the file stdin, and its arguments into args. patience is the plugin's,
// in milliseconds.
func makePlugin(t *testing.T, luahook, patience string) (dir string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the luahook of this test is a shell script")
	}
	dir = t.TempDir()
	program := filepath.Join(dir, "fake luahook")
	if luahook != "" {
		text := "#!/bin/sh\n" + strings.Replace(luahook, "READ", "cat >stdin\nprintf '%s\\n' \"$@\" >args\n", 1) + "\n"
		if err := os.WriteFile(program, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	plugin := OpencodePlugin([]string{program, "run", "--agent", "opencode", `it's "quoted"`})
	plugin = bytes.Replace(plugin, []byte("60_000"), []byte(patience), 1)
	if err := os.WriteFile(filepath.Join(dir, "plugin.mjs"), plugin, 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// pluginDriver calls handlers as opencode does, one after another.
const pluginDriver = `
import { readFileSync } from "node:fs"
import { pathToFileURL } from "node:url"
const runs = []
for (const call of JSON.parse(readFileSync(0))) {
  const notes = []
  const client = {
    app: { log: async ({ body }) => void notes.push(body.level + ": " + body.message) },
    tui: { showToast: async ({ body }) => void notes.push("shown: " + body.message) },
  }
  const made = Object.values(await import(pathToFileURL(call.dir + "/plugin.mjs")))
  if (made.length !== 1) throw new Error("opencode makes a plugin of every export")
  const hooks = await made[0]({ client, directory: call.dir })
  const args = call.output.args
  let thrown = ""
  try {
    await hooks[call.handler](call.input, call.output)
  } catch (error) {
    thrown = error.message
  }
  // opencode calls the tool with the object that it has made, whatever is in output.args now.
  const output = args === undefined ? call.output : { ...call.output, args }
  runs.push({ thrown, output, notes: notes.join("\n") })
}
process.stdout.write(JSON.stringify(runs), () => process.exit(0))
`

// runPlugin makes the calls with node.
func runPlugin(t *testing.T, calls []pluginCall) []pluginRun {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node isn't there, which runs the plugin")
	}
	driver := filepath.Join(t.TempDir(), "driver.mjs")
	if err := os.WriteFile(driver, []byte(pluginDriver), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(node, driver)
	cmd.Stdin = strings.NewReader(shown(t, calls))
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	text, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, stderr.Bytes())
	}
	var runs []pluginRun
	if err := json.Unmarshal(text, &runs); err != nil || len(runs) != len(calls) {
		t.Fatalf("%d of %d runs, %v: %s", len(runs), len(calls), err, text)
	}
	return runs
}

// answering is a luahook that gives an answer.
func answering(answer string) string { return "READ\ncat <<'END'\n" + answer + "\nEND" }

func TestOpencodePlugin(t *testing.T) {
	type pluginTest struct {
		name, luahook, handler, input, output string
		thrown                                string // in what is thrown; "": nothing is
		want                                  string // the output; "": as it was
		note                                  string // in what is logged or shown; "": nothing is
	}
	var tests []pluginTest
	on := func(handler, input, output string) func(name, luahook, thrown, want, note string) {
		return func(name, luahook, thrown, want, note string) {
			tests = append(tests, pluginTest{handler + ": " + name, luahook, handler, input, output, thrown, want, note})
		}
	}
	const call = `{"tool":"bash","sessionID":"ses_1","callID":"c"}`

	before := on("tool.execute.before", call, `{"args":{"command":"rm -rf build","description":"d"}}`)
	before("silence", "READ", "", "", "")
	before("deny", answering(`{"deny":"build/ is shared"}`), "build/ is shared", "", "")
	before("deny without a text", answering(`{"deny":null}`), "null", "", "")
	before("rewrite in place", answering(`{"args":{"command":"true","timeout":5}}`), "", `{"args":{"command":"true","timeout":5}}`, "")
	before("deny counts before rewrite", answering(`{"args":{"command":"true"},"deny":"no"}`), "no", "", "")
	before("rewrite that is none", answering(`{"args":"true"}`), "can't be replaced", "", "")
	before("rewrite to a list", answering(`{"args":["true"]}`), "can't be replaced", "", "")
	before("rewrite to nothing", answering(`{"args":null}`), "can't be replaced", "", "")
	before("message", answering(`{"message":"hello"}`), "", "", "shown: hello")
	before("what luahook says beside it", "READ\necho careful >&2", "", "", "warn: careful")
	before("exit status", "echo broken hook >&2; exit 3", "status 3 broken hook", "", "")
	before("exit status beside an answer", answering(`{"args":{}}`)+"\nexit 1", "status 1", "", "")
	before("killed", "kill -9 $$", "SIGKILL", "", "")
	before("broken JSON", answering(`{"deny":`), "can't be used", "", "")
	before("two documents", answering(`{} {}`), "can't be used", "", "")
	before("plain text", answering(`allowed`), "can't be used", "", "")
	before("null", answering(`null`), "an object is expected", "", "")
	before("a list", answering(`[]`), "an object is expected", "", "")
	before("a key of tomorrow", answering(`{"refuse":"no"}`), "unknown key refuse", "", "")
	before("no end", "exec sleep 600", "no answer within", "", "")
	before("no end of what it has started", "sleep 20 &\nexec sleep 600", "no answer within", "", "")
	before("endless text", "exec yes", "the answer is too long", "", "")
	on("tool.execute.before", call, `{}`)("nothing to rewrite", answering(`{"args":{}}`), "can't be replaced", "", "")
	long := `{"args":{"text":"` + strings.Repeat("x", 200_000) + `"}}`
	on("tool.execute.before", call, long)("a luahook that doesn't read the event", "exit 0", "", "", "")

	const batch = `{"tool_calls":[{"tool":"read","parameters":{"filePath":"a"}},{"tool":"bash","parameters":{"command":"make"}},7]}`
	within := on("tool.execute.before", `{"tool":"batch","sessionID":"ses_1","callID":"c"}`, `{"args":`+batch+`}`)
	inner := func(answer string) string { // to the call within that runs make
		return "case $(cat) in *'\"tool\":\"bash\"'*'\"callID\":\"c/2\"'*'\"args\":{\"command\":\"make\"}'*) echo '" + answer + "';; esac"
	}
	within("silence about calls within", "READ", "", "", "")
	within("deny of a call within", inner(`{"deny":"make is shared"}`), "make is shared", "", "")
	within("rewrite of a call within", inner(`{"args":{"command":"true"}}`), "", `{"args":`+strings.Replace(batch, "make", "true", 1)+`}`, "")
	within("a call within that nobody can be asked about", inner(`broken`), "can't be used", "", "")
	on("tool.execute.before", `{"tool":"batch","callID":"c"}`, `{"args":{"tool_calls":{}}}`)("no list of calls", "READ", "", "", "")

	after := on("tool.execute.after", call, `{"title":"t","metadata":{},"output":"hi"}`)
	after("silence", "READ", "", "", "")
	after("output", answering(`{"output":"[cut]"}`), "", `{"title":"t","metadata":{},"output":"[cut]"}`, "")
	after("output removed", answering(`{"output":""}`), "", `{"title":"t","metadata":{},"output":""}`, "")
	after("failure", "exit 1", "", "", "error: luahook can't be asked about tool.execute.after: it ended with status 1")
	mcp := on("tool.execute.after", call, `{"content":[{"type":"text","text":"hi"}]}`)
	mcp("MCP", answering(`{"output":[{"type":"text","text":"x"}]}`), "", `{"content":[{"type":"text","text":"x"}]}`, "")

	const permission = `{"type":"bash","pattern":"ls","sessionID":"ses_1","metadata":{}}`
	ask := on("permission.ask", permission, `{"status":"ask"}`)
	ask("silence", "READ", "", "", "")
	ask("deny", answering(`{"deny":"no"}`), "", `{"status":"deny"}`, "")
	ask("allow", answering(`{"status":"allow"}`), "", `{"status":"allow"}`, "")
	ask("failure", "exit 1", "", "", "error: ")
	denied := on("permission.ask", permission, `{"status":"deny"}`)
	denied("another's denial stays", answering(`{"status":"allow"}`), "", "", "")
	allowed := on("permission.ask", permission, `{"status":"allow"}`)
	allowed("ask", answering(`{"status":"ask"}`), "", `{"status":"ask"}`, "")
	allowed("failure after another's allow", "exit 1", "", `{"status":"ask"}`, "error: ")

	const parts = `{"parts":[{"type":"text","text":"a"},{"type":"text","text":"s","synthetic":true},{"type":"file"},
		{"type":"text","text":"b"}]}`
	prompt := on("chat.message", call, parts)
	prompt("silence", "READ", "", "", "")
	prompt("deny", answering(`{"deny":"no secrets"}`), "no secrets", "", "shown: no secrets")
	prompt("rewrite", answering(`{"prompt":"x"}`), "", strings.NewReplacer(`"a"`, `"x"`, `"b"`, `""`).Replace(parts), "")
	prompt("context", answering(`{"context":"see"}`), "", strings.ReplaceAll(parts, `"b"`, `"b\n\nsee"`), "")
	prompt("failure", "exit 1", "", "", "error: ")
	on("chat.message", call, `{"parts":[{"type":"file"}]}`)("picture", answering(`{"context":"see"}`), "", "", "takes no context: see")

	idle := `{"event":{"type":"session.idle","properties":{}}}`
	on("event", idle, `{}`)("failure", "exit 1", "", "", "error: ")

	var calls []pluginCall
	for _, test := range tests {
		patience := "60_000"
		if test.thrown == "no answer within" {
			patience = "300"
		}
		dir := makePlugin(t, test.luahook, patience)
		calls = append(calls, pluginCall{dir, test.handler, json.RawMessage(test.input), json.RawMessage(test.output)})
	}
	for i, got := range runPlugin(t, calls) {
		test := tests[i]
		if (got.Thrown != "") != (test.thrown != "") || !strings.Contains(got.Thrown, test.thrown) {
			t.Errorf("%s: thrown is %q, want %q", test.name, got.Thrown, test.thrown)
		}
		equalJSON(t, test.name+": the output", got.Output, []byte(cmp.Or(test.want, test.output)))
		if (got.Notes != "") != (test.note != "") || !strings.Contains(got.Notes, test.note) {
			t.Errorf("%s: noted is %q, want %q", test.name, got.Notes, test.note)
		}
	}
}

// TestOpencodePluginWithoutLuahook: a program that isn't there must not let tools run.
func TestOpencodePluginWithoutLuahook(t *testing.T) {
	dir := makePlugin(t, "", "60_000")
	got := runPlugin(t, []pluginCall{{dir, "tool.execute.before", json.RawMessage(`{"tool":"bash"}`), json.RawMessage(`{"args":{}}`)}})[0]
	if !strings.Contains(got.Thrown, "luahook can't be asked about tool.execute.before") || !strings.Contains(got.Thrown, "ENOENT") {
		t.Errorf("thrown is %q", got.Thrown)
	}
}

// TestOpencodePluginAndCodec: what the plugin sends is what the codec reads, and it asks about all events of the table.
func TestOpencodePluginAndCodec(t *testing.T) {
	given := map[string][2]string{
		"tool.execute.before": {`{"tool":"bash","sessionID":"ses_1","callID":"c"}`, `{"args":{"command":"ls"}}`},
		"tool.execute.after":  {`{"tool":"bash","sessionID":"ses_1","callID":"c","args":{"command":"ls"}}`, `{"output":"hi"}`},
		"permission.ask":      {`{"type":"bash","pattern":"ls","sessionID":"ses_1","metadata":{}}`, `{"status":"ask"}`},
		"chat.message":        {`{"sessionID":"ses_1"}`, `{"parts":[{"type":"text","text":"fix it"}]}`},
	}
	call := func(luahook, event string) pluginCall {
		handler, with := event, given[event]
		if with[0] == "" {
			handler, with = "event", [2]string{`{"event":{"type":"` + event + `","properties":{"sessionID":"ses_1"}}}`, `{}`}
		}
		return pluginCall{makePlugin(t, luahook, "60_000"), handler, json.RawMessage(with[0]), json.RawMessage(with[1])}
	}
	var calls []pluginCall
	for _, e := range opencode.Events {
		calls = append(calls, call("READ", e.Name))
	}
	calls = append(calls, call("exit 1", "message.updated"))
	for i, got := range runPlugin(t, calls) {
		if got.Thrown != "" || got.Notes != "" {
			t.Errorf("call %d: %+v", i, got)
		}
	}
	for i, e := range opencode.Events {
		dir := calls[i].Dir
		words, err := os.ReadFile(filepath.Join(dir, "args"))
		if err != nil {
			t.Fatal(err)
		}
		if want := "run\n--agent\nopencode\nit's \"quoted\"\n--event\n" + e.Name + "\n"; string(words) != want {
			t.Errorf("luahook was called with %q, want %q", words, want)
		}
		sent, err := os.ReadFile(filepath.Join(dir, "stdin"))
		if err != nil {
			t.Fatal(err)
		}
		if who := Detect(sent, func(string) string { return "" }); who != &opencode {
			t.Errorf("%s isn't taken for opencode's", sent)
		}
		call, err := opencode.Decode(sent, e.Name)
		if err != nil {
			t.Fatal(err)
		}
		if c := call.Context; c.Event != e.Event || c.SessionID != "ses_1" || c.CWD != dir {
			t.Errorf("%s: %s", e.Name, shown(t, c))
		}
	}
}

func TestOpencodePluginHoldsTheCommand(t *testing.T) {
	command := []string{`C:\Program Files\luahook.exe`, "a\u2028b", "`${process.exit()}`", "</script>", "$&"}
	text := string(OpencodePlugin(command))
	line, _, ok := strings.Cut(text[strings.Index(text, "const command = ")+len("const command = "):], "\n")
	var words []string
	if err := json.Unmarshal([]byte(line), &words); !ok || err != nil {
		t.Fatalf("%v: %s", err, line)
	}
	if strings.Join(words, "|") != strings.Join(command, "|") || strings.Contains(text, `"the command"`) {
		t.Errorf("the plugin runs %q", words)
	}
}
