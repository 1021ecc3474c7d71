package luacats

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// session is lua-language-server as an editor talks with it.
type session struct {
	t    *testing.T
	in   io.Writer
	out  *bufio.Reader
	last int
}

// send sends a message; with an id it is a request.
func (s *session) send(id int, method string, params any) {
	s.t.Helper()
	message := map[string]any{"jsonrpc": "2.0", "method": method, "params": params}
	if id > 0 {
		message["id"] = id
	}
	s.write(message)
}

func (s *session) write(message map[string]any) {
	s.t.Helper()
	text, err := json.Marshal(message)
	if err == nil {
		_, err = fmt.Fprintf(s.in, "Content-Length: %d\r\n\r\n%s", len(text), text)
	}
	if err != nil {
		s.t.Fatal(err)
	}
}

// message is what the server sends.
type message struct {
	ID     any
	Method string
	Params json.RawMessage
	Result json.RawMessage
}

// await reads messages up to the one that is waited for. What the server asks in between is answered with nothing.
func (s *session) await(is func(m message) bool) message {
	s.t.Helper()
	for {
		size := 0
		for {
			line, err := s.out.ReadString('\n')
			if err != nil {
				s.t.Fatal(err)
			}
			if line = strings.TrimSpace(line); line == "" {
				break
			}
			_, _ = fmt.Sscanf(line, "Content-Length: %d", &size)
		}
		text := make([]byte, size)
		var m message
		_, err := io.ReadFull(s.out, text)
		if err == nil {
			err = json.Unmarshal(text, &m)
		}
		if err != nil {
			s.t.Fatal(err)
		}
		if is(m) {
			return m
		}
		if m.Method != "" && m.ID != nil {
			var params struct{ Items []any }
			_ = json.Unmarshal(m.Params, &params) // other requests have none
			s.write(map[string]any{"jsonrpc": "2.0", "id": m.ID, "result": make([]any, len(params.Items))})
		}
	}
}

// ask sends a request and reads its result.
func (s *session) ask(method string, params, result any) {
	s.t.Helper()
	s.last++
	s.send(s.last, method, params)
	m := s.await(func(m message) bool { return m.Method == "" && m.ID == float64(s.last) })
	if err := json.Unmarshal(m.Result, result); err != nil {
		s.t.Fatalf("%s: %v", method, err)
	}
}

func (s *session) open(uri, text string) {
	s.t.Helper()
	s.send(0, "textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": uri, "languageId": "lua", "version": 1, "text": text}})
}

// complete are the words that an editor offers at the bar in a script.
func (s *session) complete(folder, script string) (words []string) {
	s.t.Helper()
	before, after, _ := strings.Cut(script, "|")
	uri := fmt.Sprintf("file://%s/t%d.lua", folder, s.last)
	s.open(uri, before+after)
	lines := strings.Split(before, "\n")
	var result struct{ Items []struct{ Label string } }
	s.ask("textDocument/completion", map[string]any{
		"textDocument": map[string]any{"uri": uri},
		"position":     map[string]any{"line": len(lines) - 1, "character": len(lines[len(lines)-1])},
		"context":      map[string]any{"triggerKind": 2, "triggerCharacter": before[len(before)-1:]},
	}, &result)
	for _, item := range result.Items {
		name, _, _ := strings.Cut(item.Label, "(")
		words = append(words, strings.Trim(name, `"`))
	}
	return words
}

func TestEditorsComplete(t *testing.T) {
	server, err := exec.LookPath("lua-language-server")
	if err != nil {
		t.Skip("lua-language-server isn't installed")
	}
	folder, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Mkdir(filepath.Join(folder, ".luahook"), 0o755), os.WriteFile(filepath.Join(folder, ".luahook", "luahook.lua"), []byte(stub(t)), 0o644),
		os.WriteFile(filepath.Join(folder, ".luarc.json"), Settings, 0o644)); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute) // so that a server which says nothing ends
	defer cancel()
	cmd := exec.CommandContext(ctx, server, "--logpath="+t.TempDir())
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = cmd.Process.Kill() // it has nothing to keep
		_ = cmd.Wait()
	}()
	s := &session{t: t, in: in, out: bufio.NewReader(out)}
	var answer map[string]any
	s.ask("initialize", map[string]any{
		"processId": nil, "rootUri": "file://" + folder, "workspaceFolders": []any{map[string]any{"uri": "file://" + folder, "name": "hooks"}},
		"capabilities": map[string]any{},
	}, &answer)
	s.send(0, "initialized", map[string]any{})
	// It completes nothing before it has read the folder, and only then finds mistakes.
	s.open("file://"+folder+"/mistake.lua", "dney()\n")
	s.await(func(m message) bool {
		return m.Method == "textDocument/publishDiagnostics" && strings.Contains(string(m.Params), "dney")
	})
	for _, c := range []struct {
		script     string
		has, lacks []string
	}{
		{"on(\"pre_tool_call\", function(ev)\n  ev.|\nend)\n", []string{"tool_call", "agent_name", "cwd"}, []string{"reason", "message"}},
		{"on(\"stop\", { name = \"x\" }, function(ev)\n  ev.|\nend)\n", []string{"reason", "response", "loop_count"}, []string{"agent_name", "message"}},
		{"on({ \"stop\", \"on_error\" }, function(ev)\n  ev.|\nend)\n", []string{"reason", "error", "attempt"}, nil},
		{"on(\"pre_tool_call\", function(ev)\n  ev.tool_call.|\nend)\n", []string{"command", "paths", "input", "host_name"}, nil},
		{"on(\"pre_tool_call\", function(ev)\n  for _, cmd in ipairs(shell.parse(ev.tool_call.command).commands) do\n    cmd:|\n  end\nend)\n", []string{"flag", "operands", "paths"}, nil},
		{"on(\"|\")\n", []string{"pre_tool_call", "gateway_stop", "*"}, nil},
		{"store.session.|\n", []string{"get", "set", "incr"}, []string{"shared"}},
		{"expect(1):|\n", []string{"is", "equals", "never"}, nil},
	} {
		got := s.complete(folder, c.script)
		for _, word := range c.has {
			if !slices.Contains(got, word) {
				t.Errorf("%s: no %s among %q", c.script, word, got)
			}
		}
		for _, word := range c.lacks {
			if slices.Contains(got, word) {
				t.Errorf("%s: %s among %q", c.script, word, got)
			}
		}
	}
}
