package hooks_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/luahook/luahook/hooks"
)

func TestCanonicalTool(t *testing.T) {
	for _, row := range []struct {
		hosts string // as hosts write it
		name  string
		kind  hooks.Kind
	}{
		{"bash Bash BASH Shell shell run_shell_command RunShellCommand execute_command execute-command execute local_shell exec_command run_terminal_cmd run_in_terminal powershell unified_exec", "bash", hooks.KindShell},
		{"Read read_file readFile view view_file ReadManyFiles read_many_files fs_read NotebookRead read_code", "read", hooks.KindRead},
		{"Write write_file create create_file write_to_file fs_write write_code", "write", hooks.KindWrite},
		{"Edit MultiEdit replace str_replace str_replace_based_edit_tool apply_patch edit_file replace_in_file search_replace NotebookEdit deleteFile", "edit", hooks.KindEdit},
		{"Grep Glob LS list_directory list_dir search_file_content codebase_search file_search grep_search", "search", hooks.KindSearch},
		{"WebFetch WebSearch web_fetch google_web_search fetch browser_action", "web", hooks.KindWeb},
		{"Task Agent spawn_agent new_task delegate_to_agent runSubagent", "agent", hooks.KindAgent},
	} {
		for _, host := range strings.Fields(row.hosts) {
			name, kind := hooks.CanonicalTool(host)
			if name != row.name || kind != row.kind {
				t.Errorf("CanonicalTool(%q) = %q, %q; want %q, %q", host, name, kind, row.name, row.kind)
			}
		}
	}
	for host, want := range map[string][2]string{
		"mcp__github__create_issue": {"mcp__github__create_issue", "mcp"},
		"mcp_github_create_issue":   {"mcp__github__create_issue", "mcp"},
		"MCP_github_create_issue":   {"mcp__github__create_issue", "mcp"},
		"MCP:create_issue":          {"MCP:create_issue", "mcp"},
		"mcp_alone":                 {"mcp_alone", "mcp"},
		"TodoWrite":                 {"TodoWrite", "other"},
		"deploy":                    {"deploy", "other"},
		"":                          {"", "other"},
	} {
		name, kind := hooks.CanonicalTool(host)
		if name != want[0] || string(kind) != want[1] {
			t.Errorf("CanonicalTool(%q) = %q, %q; want %q", host, name, kind, want)
		}
	}
}

func completeCall(t *testing.T, call hooks.ToolCall) (*hooks.ToolCall, error) {
	t.Helper()
	c, err := (&hooks.Context{Event: "pre_tool_call", ToolCall: &call}).Complete()
	if err != nil {
		return nil, err
	}
	return c.ToolCall, nil
}

type object = map[string]any

func TestToolCallComplete(t *testing.T) {
	for _, c := range []struct {
		about string
		give  hooks.ToolCall
		want  hooks.ToolCall
	}{
		{"command alone", hooks.ToolCall{Name: "Shell", Command: "ls"},
			hooks.ToolCall{Name: "bash", HostName: "Shell", Kind: "shell", Command: "ls", Input: object{"command": "ls"}}},
		{"no name but shell text", hooks.ToolCall{Command: "ls"},
			hooks.ToolCall{Name: "bash", HostName: "bash", Kind: "shell", Command: "ls", Input: object{"command": "ls"}}},
		{"the host's name alone", hooks.ToolCall{HostName: "WriteFile", Input: object{"file_path": "a.go"}},
			hooks.ToolCall{Name: "write", HostName: "WriteFile", Kind: "write", Paths: []string{"a.go"}, Input: object{"file_path": "a.go"}}},
		{"a canonical name and the host's", hooks.ToolCall{Name: "edit", HostName: "patcher", Input: object{"path": "a.go"}},
			hooks.ToolCall{Name: "edit", HostName: "patcher", Kind: "edit", Paths: []string{"a.go"}, Input: object{"path": "a.go"}}},
		{"an unknown tool with shell text", hooks.ToolCall{Name: "acme", Command: "ls", Input: object{"cmd": "ls"}},
			hooks.ToolCall{Name: "acme", HostName: "acme", Kind: "shell", Command: "ls", Input: object{"cmd": "ls"}}},
		{"a kind that the host gives", hooks.ToolCall{Name: "acme", Kind: "shell", Input: object{"script": "ls"}},
			hooks.ToolCall{Name: "acme", HostName: "acme", Kind: "shell", Command: "ls", Input: object{"script": "ls"}}},
		{"an unknown tool with shell text", hooks.ToolCall{Name: "acme", Input: object{"command": "status"}},
			hooks.ToolCall{Name: "acme", HostName: "acme", Kind: "shell", Command: "status", Input: object{"command": "status"}}},
		{"an unknown tool that is said to be something else", hooks.ToolCall{Name: "acme", Kind: "other", Input: object{"command": "status"}},
			hooks.ToolCall{Name: "acme", HostName: "acme", Kind: "other", Input: object{"command": "status"}}},
		{"a program and its arguments", hooks.ToolCall{Name: "container.exec", Input: object{"command": "rm", "args": []any{"-rf", "a b"}}},
			hooks.ToolCall{Name: "bash", HostName: "container.exec", Kind: "shell", Command: "rm -rf 'a b'", Input: object{"command": "rm", "args": []any{"-rf", "a b"}}}},
		{"a vector of one word is text", hooks.ToolCall{Name: "bash\t", Input: object{"command": []string{"rm -rf /"}}},
			hooks.ToolCall{Name: "bash", HostName: "bash\t", Kind: "shell", Command: "rm -rf /", Input: object{"command": []string{"rm -rf /"}}}},
		{"command given and the same", hooks.ToolCall{Name: "Bash", Command: "ls", Input: object{"command": "ls"}},
			hooks.ToolCall{Name: "bash", HostName: "Bash", Kind: "shell", Command: "ls", Input: object{"command": "ls"}}},
		{"paths given and none in the input", hooks.ToolCall{Name: "Bash", Paths: []string{"x"}, Input: object{"command": "ls x"}},
			hooks.ToolCall{Name: "bash", HostName: "Bash", Kind: "shell", Command: "ls x", Paths: []string{"x"}, Input: object{"command": "ls x"}}},
		{"paths given and others in the input", hooks.ToolCall{Name: "read", Paths: []string{"x"}, Input: object{"path": "y"}},
			hooks.ToolCall{Name: "read", HostName: "read", Kind: "read", Paths: []string{"y", "x"}, Input: object{"path": "y"}}},
		{"no input at all", hooks.ToolCall{Name: "Read", Paths: []string{"x"}, Outcome: "denied"},
			hooks.ToolCall{Name: "read", HostName: "Read", Kind: "read", Paths: []string{"x"}, Outcome: "denied"}},
	} {
		got, err := completeCall(t, c.give)
		if err != nil {
			t.Errorf("%s: %v", c.about, err)
			continue
		}
		if diff := cmp.Diff(&c.want, got); diff != "" {
			t.Errorf("%s: %s", c.about, diff)
		}
	}
}

func TestToolCallRefuses(t *testing.T) {
	for _, c := range []struct {
		give  hooks.ToolCall
		field string
		says  string
	}{
		{hooks.ToolCall{Name: "Bash", Command: "ls", Input: object{"command": "rm -rf /"}}, "tool_call.command", "differs from tool_call.input; leave it out"},
		{hooks.ToolCall{Name: "Bash", Command: "ls", Input: object{}}, "tool_call.command", "differs from"},
		{hooks.ToolCall{Name: "Bash", Input: object{"command": "ls", "cmd": "rm -rf /"}}, "tool_call.input.cmd", "differs from command"},
		{hooks.ToolCall{Name: "Bash", Input: object{"command": []any{"ls", int64(1)}}}, "tool_call.input.command", "got number in the list"},
		{hooks.ToolCall{Name: "Bash", Input: object{"command": object{}}}, "tool_call.input.command", "want text or a list of words, got object"},
		{hooks.ToolCall{Name: "Read", Command: "cat x"}, "tool_call.command", "only a shell tool has one, and read is of kind read"},
		{hooks.ToolCall{Name: "Read", Command: "cat x", Input: object{"command": "cat x"}}, "tool_call.command", "only a shell tool has one"},
		{hooks.ToolCall{Name: "x", Kind: "shel"}, "tool_call.kind", `unknown kind "shel"; did you mean "shell"?`},
		{hooks.ToolCall{Name: "Bash", Kind: "other", Input: object{"command": "ls"}}, "tool_call.kind", `is "other", but Bash is a shell tool`},
		{hooks.ToolCall{Name: "mine", HostName: "run_shell_command", Kind: "read"}, "tool_call.kind", "is \"read\", but run_shell_command is a shell tool"},
		{hooks.ToolCall{Name: "x", Outcome: "timeot"}, "tool_call.outcome", `unknown outcome "timeot"; did you mean "timeout"?`},
		{hooks.ToolCall{Input: object{"a": 1}}, "tool_call.name", "missing"},
		{hooks.ToolCall{Name: "Bash", Input: object{"command": "ls", "Command": "rm -rf /"}}, "tool_call.input.command", "differs from Command"},
		{hooks.ToolCall{Name: "read", HostName: "bash", Input: object{"command": "ls"}}, "tool_call.name", `is "read", but bash is a shell tool`},
	} {
		_, err := completeCall(t, c.give)
		var input *hooks.InputError
		if !errors.As(err, &input) || input.Field != c.field || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: %v; want field %s and %q", c.give, err, c.field, c.says)
		}
	}
}

func TestCommandIsDerived(t *testing.T) {
	for _, key := range []string{"command", "cmd", "command_line", "commandLine", "CommandLine", "script", "code"} {
		call, err := completeCall(t, hooks.ToolCall{Name: "run_shell_command", Input: object{key: "git status", "description": "look"}})
		if err != nil || call.Command != "git status" {
			t.Errorf("%s: %+v, %v", key, call, err)
		}
	}
	for want, words := range map[string][]any{
		`git commit -m 'it'\''s done'`: {"git", "commit", "-m", "it's done"},
		`rm -rf '' '$HOME' 'a;b' '*'`:  {"rm", "-rf", "", "$HOME", "a;b", "*"},
		`ls --color=auto ./a:b,c@d%e+`: {"ls", "--color=auto", "./a:b,c@d%e+"},
		``:                             {},
	} {
		call, err := completeCall(t, hooks.ToolCall{Name: "shell", Input: object{"command": words}})
		if err != nil || call.Command != want {
			t.Errorf("%q: %+v, %v; want %s", words, call, err, want)
		}
	}
	call, err := completeCall(t, hooks.ToolCall{Name: "Bash", Input: object{"command": nil, "cmd": "ls", "script": []any{"ls"}}})
	if err != nil || call.Command != "ls" {
		t.Errorf("null is absent and two keys may agree: %+v, %v", call, err)
	}
}

func TestPathsAreDerived(t *testing.T) {
	patch := "*** Begin Patch\n*** Add File: new.go\n+package x\n*** Update File: cart/total.go\n*** Move to: cart/sum.go\n@@\n-old\n*** Delete File: gone.go \r\n*** End Patch\n"
	diff := "--- a/b/file.go\t2026-08-05\n+++ b/a/other.go\n@@ -1 +1 @@\n--- /dev/null\n+++ b/./made.go\n--- \n"
	for _, c := range []struct {
		tool  string
		input object
		want  []string
	}{
		{"write", object{"file_path": "/a/b.go", "content": "x"}, []string{"/a/b.go"}},
		{"read", object{"absolute_path": "/a"}, []string{"/a"}},
		{"read", object{"filePath": "a"}, []string{"a"}},
		{"read", object{"paths": []any{"a", "b", "a", "", int64(1)}}, []string{"a", "b"}},
		{"NotebookEdit", object{"notebook_path": "n.ipynb"}, []string{"n.ipynb"}},
		{"edit_file", object{"target_file": "a"}, []string{"a"}},
		{"MultiEdit", object{"file_path": "a", "edits": []any{object{"file_path": "b", "old_string": "x"}, object{"path": "c"}}}, []string{"a", "b", "c"}},
		{"mcp__fs__move", object{"source": "a", "destination": "b"}, []string{"a", "b"}},
		{"mcp__fs__move_file", object{"from": "a/b", "to": "~/c"}, []string{"a/b", "~/c"}},
		{"mcp__fs__move_file", object{"sourcePath": "a", "destinationPath": "b"}, []string{"a", "b"}},
		{"mcp__fs__edit", object{"uri": "file:///a/%2Ehooks/b.lua"}, []string{"/a/.hooks/b.lua"}},
		{"write", object{"file_path": "FILE:///a/%2Ehooks/b.lua"}, []string{"/a/.hooks/b.lua"}},
		{"edit", object{"path": "File://LocalHost/a/%2ehooks/b.lua"}, []string{"/a/.hooks/b.lua"}},
		{"edit", object{"path": "file:/a/b%20c"}, []string{"/a/b c"}},
		{"mcp__fs__move", object{"to": "FILE:///a"}, []string{"/a"}},
		{"edit", object{"path": "file:name"}, []string{"file:name"}},
		{"edit", object{"path": "file:/"}, []string{"file:/"}},
		{"mcp__fs__batch", object{"operations": []any{object{"path": "a"}, object{"from": "b/c", "to": "d/e"}}}, []string{"a", "b/c", "d/e"}},
		{"mcp__fs__call", object{"arguments": object{"path": "a", "content": "x"}}, []string{"a"}},
		{"mcp__mail__send", object{"from": "kim@shop.example/x", "to": "lee", "name": "Kim"}, nil},
		{"mcp__web__open", object{"target": "https://shop.example/a"}, nil},
		{"acme", object{"file": "a", "old_path": "b", "new_path": "c"}, []string{"a", "b", "c"}},
		{"apply_patch", object{"patch": patch}, []string{"new.go", "cart/total.go", "cart/sum.go", "gone.go"}},
		{"apply_patch", object{"input": patch}, []string{"new.go", "cart/total.go", "cart/sum.go", "gone.go"}},
		{"apply_patch", object{"command": patch}, []string{"new.go", "cart/total.go", "cart/sum.go", "gone.go"}},
		{"apply_diff", object{"diff": diff}, []string{"b/file.go", "a/other.go", "made.go"}},
		{"read", object{"path": "two\nlines"}, []string{"two\nlines"}},
		{"write", object{"TargetFile": "a", "File_Path": []any{"b"}, "file": object{"path": "c"}, "uri": "file:///d"}, []string{"b", "a", "c", "/d"}},
		{"write", object{"paths": []string{"a", "b"}, "edits": object{"file_path": "c"}}, []string{"a", "b", "c"}},
		{"apply_patch", object{"patchText": "  *** Update File:a\nrename to b\n+++ \"b/c d\"\n"}, []string{"a", "b", "c d"}},
		{"read", object{"path": object{}}, nil},
		{"write", object{"content": patch}, nil},
		{"Bash", object{"command": "cat a", "path": "a"}, nil},
		{"WebFetch", object{"path": "/x"}, nil},
		{"Task", object{"path": "/x"}, nil},
	} {
		call, err := completeCall(t, hooks.ToolCall{Name: c.tool, Input: c.input})
		if err != nil {
			t.Errorf("%s %v: %v", c.tool, c.input, err)
			continue
		}
		if diff := cmp.Diff(c.want, call.Paths); diff != "" {
			t.Errorf("%s %v: %s", c.tool, c.input, diff)
		}
	}
}

// Shells go by many names; an unknown one would escape the guards of shells.
func TestShellsByManyNames(t *testing.T) {
	for _, name := range strings.Fields("Bash Shell run_shell_command container.exec execute_bash executeBash developer__shell run_shell run_bash run_terminal_command functions.shell launch-process local_shell_call exec cmd BashTool bash_20250124 PowerShell") {
		if canonical, kind := hooks.CanonicalTool(name); canonical != "bash" || kind != hooks.KindShell {
			t.Errorf("%s is %s of kind %s", name, canonical, kind)
		}
	}
}

// A tool of an MCP server that runs commands is a shell, whatever the host calls it.
func TestShellsOfServers(t *testing.T) {
	for _, c := range []struct {
		tool    string
		kind    hooks.Kind
		input   object
		want    hooks.Kind
		command string
	}{
		{"mcp__commander__start_process", "", object{"command": "rm -rf /", "timeout_ms": int64(5)}, hooks.KindShell, "rm -rf /"},
		{"mcp__shell__run", "", object{"cmd": "ls"}, hooks.KindShell, "ls"},
		{"mcp__x__executeCommand", hooks.KindMCP, object{"command": "ls", "args": []any{"-l", "a b"}}, hooks.KindShell, "ls -l 'a b'"},
		{"mcp_box_run_bash", "", object{"command": "ls"}, hooks.KindShell, "ls"},
		{"MCP:run_terminal_cmd", "", object{"command": "ls"}, hooks.KindShell, "ls"},
		{"mcp__x__run_command", "", object{"commandLine": "ls"}, hooks.KindShell, "ls"},
		{"mcp__x__run_command", "", object{"id": int64(7)}, hooks.KindMCP, ""},
		{"mcp__editor__open", "", object{"command": "view", "path": "a"}, hooks.KindMCP, ""},
		{"mcp__shop__processes", "", object{"filter": "a"}, hooks.KindMCP, ""},
	} {
		call, err := completeCall(t, hooks.ToolCall{Name: c.tool, Kind: c.kind, Input: c.input})
		if err != nil || call.Kind != c.want || call.Command != c.command || !strings.HasPrefix(strings.ToLower(call.Name), "mcp") {
			t.Errorf("%s %v: %+v, %v", c.tool, c.input, call, err)
		}
	}
}
