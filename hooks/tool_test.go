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
		{"bash Bash BASH Shell shell run_shell_command RunShellCommand execute_command execute-command execute local_shell exec_command run_terminal_cmd run_in_terminal powershell unified_exec run_commands executePwsh run_task create_and_run_task write_bash write_powershell send_to_terminal write_stdin write-process functions.write_stdin", "bash", hooks.KindShell},
		{"Read read_file readFile view view_file ReadManyFiles read_many_files fs_read NotebookRead read_code read_files", "read", hooks.KindRead},
		{"Write write_file create create_file write_to_file fs_write write_code", "write", hooks.KindWrite},
		{"Edit MultiEdit replace str_replace str_replace_based_edit_tool apply_patch edit_file replace_in_file search_replace NotebookEdit deleteFile editor editFiles replace_string_in_file multi_replace_string_in_file insert_edit_into_file edit_notebook_file", "edit", hooks.KindEdit},
		{"Grep Glob LS list_directory list_dir search_file_content codebase_search file_search grep_search search_codebase rg file_glob_search", "search", hooks.KindSearch},
		{"WebFetch WebSearch web_fetch google_web_search fetch browser_action fetch_web_content", "web", hooks.KindWeb},
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
		{"multi_replace_string_in_file", object{"replacements": []any{object{"filePath": "/a", "newString": "x"}, object{"filePath": "/b"}}}, []string{"/a", "/b"}},
		{"editFiles", object{"files": []any{"a", "b"}}, []string{"a", "b"}},
		{"insert_edit_into_file", object{"filePath": "/a", "code": "x"}, []string{"/a"}},
		{"edit_notebook_file", object{"filePath": "/n.ipynb", "editType": "delete", "cellId": "1"}, []string{"/n.ipynb"}},
		{"apply_patch", object{"patch": patch}, []string{"new.go", "cart/total.go", "cart/sum.go", "gone.go"}},
		{"apply_patch", object{"input": patch}, []string{"new.go", "cart/total.go", "cart/sum.go", "gone.go"}},
		{"apply_patch", object{"command": patch}, []string{"new.go", "cart/total.go", "cart/sum.go", "gone.go"}},
		{"apply_diff", object{"diff": diff}, []string{"b/file.go", "a/other.go", "made.go"}},
		{"read", object{"path": "two\nlines"}, []string{"two\nlines"}},
		{"write", object{"TargetFile": "a", "File_Path": []any{"b"}, "file": object{"path": "c"}, "uri": "file:///d"}, []string{"b", "a", "c", "/d"}},
		{"write", object{"paths": []string{"a", "b"}, "edits": object{"file_path": "c"}}, []string{"a", "b", "c"}},
		{"apply_patch", object{"patchText": "  *** Update File:a\nrename to b\n+++ \"b/c d\"\n"}, []string{"a", "b", "c d"}},
		{"read", object{"path": object{}}, nil},

		// Under other keys, and deeper.
		{"edit_notebook", object{"target_notebook": "/h/.bashrc", "new_string": "x"}, []string{"/h/.bashrc"}},
		{"apply_patch", object{"input": []any{patch}}, []string{"new.go", "cart/total.go", "cart/sum.go", "gone.go"}},
		{"apply_patch", object{"command": []any{"apply_patch", patch}}, []string{"new.go", "cart/total.go", "cart/sum.go", "gone.go"}},
		{"apply_patch", object{"arguments": object{"text": patch}}, []string{"new.go", "cart/total.go", "cart/sum.go", "gone.go"}},
		{"Write", object{"file_path": object{"value": "/h/.bashrc"}, "content": "a/b"}, []string{"/h/.bashrc"}},
		{"Write", object{"file_path": []any{object{"file": "/h/.bashrc"}, object{"x": "/h/.profile"}}}, []string{"/h/.bashrc", "/h/.profile"}},
		{"Write", object{"target": "/h/.bashrc", "content": "x"}, []string{"/h/.bashrc"}},
		{"Write", object{"dotfile": ".bashrc", "content": "x"}, []string{".bashrc"}},
		{"Write", object{"where": "somewhere", "content": "a/b"}, nil},
		{"mcp__fs__write_file", object{"outfile": ".bashrc"}, []string{".bashrc"}},
		{"mcp__fs__write_file", object{"save_to": ".bashrc"}, []string{".bashrc"}},
		{"mcp__fs__write_file", object{"download_path": "x"}, []string{"x"}},
		{"mcp__fs__write_file", object{"target_file_path": "x", "dst_file": "y", "new_file": "z"}, []string{"x", "y", "z"}},
		{"mcp__fs__write_file", object{"shell_startup_file": "~/.bashrc", "xpath": "//a/b", "profile": "a/b", "title": "a/b"}, []string{"~/.bashrc"}},
		{"mcp__fs__write_file", object{"filenames": []any{"x", "y"}}, []string{"x", "y"}},
		{"mcp__fs__write_file", object{"items": []any{object{"path": "x"}, object{"path": "y"}}}, []string{"x", "y"}},
		{"mcp__fs__write_file", object{"files": object{"Makefile": "all:", ".bashrc": "x"}}, []string{".bashrc", "Makefile"}},
		{"mcp__fs__write_file", object{"changes": object{"/h/.bashrc": object{"add": "x"}, "why": "x"}}, []string{"/h/.bashrc"}},
		{"mcp__fs__write_file", object{"options": object{"path": "x"}, "data": object{"file": "y"}}, []string{"y", "x"}},
		{"mcp__fs__write_file", object{"documentUri": "file:///h/.bashrc"}, []string{"/h/.bashrc"}},
		{"mcp__fs__write_file", object{"url": "file:///h/.bashrc"}, []string{"/h/.bashrc"}},
		{"mcp__k8s__apply", object{"manifest": object{"spec": object{"volumes": []any{object{"hostPath": object{"path": "/etc"}}}}}}, nil},
		{"mcp__git__label", object{"labels": []any{object{"name": "area/docs"}}, "body": object{"text": "a/b"}}, nil},

		// The folder and the name apart.
		{"mcp__fs__write_file", object{"directory": "/h", "filename": ".bashrc"}, []string{".bashrc", "/h", "/h/.bashrc"}},
		{"mcp__fs__write_file", object{"basePath": "/h/", "path": ".bashrc"}, []string{".bashrc", "/h/.bashrc"}},
		{"mcp__fs__write_file", object{"repo_path": "/h", "files": []any{"a", "/b"}}, []string{"a", "/b", "/h/a"}},
		{"mcp__fs__write_file", object{"project_root": "file:///h", "path": "../a"}, []string{"../a", "/h/../a"}},
		{"mcp__fs__write_file", object{"options": object{"output_dir": "/h"}, "file": "a"}, []string{"a", "/h/a"}},
		{"write", object{"cwd": "/h", "file_path": ".bashrc"}, []string{".bashrc", "/h/.bashrc"}},
		{"mcp__git__git_status", object{"repo_path": "/h"}, nil},
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

// Whatever form a patch has, the files that it touches are known.
func TestPatchedFiles(t *testing.T) {
	for patch, want := range map[string][]string{
		"--- a/x\n+++ \"b/\\056\\056/.bashrc\"\n":                                      {"x", "../.bashrc"},
		"+++ \"b/\\303\\244\\t\\\"\\\\\"\n":                                            {"ä\t\"\\"},
		"+++ b/../.bashrc 2020-01-01\n":                                                {"../.bashrc 2020-01-01", "../.bashrc"},
		"+++ b/../.bashrc\t2020-01-01 00:00\n":                                         {"../.bashrc"},
		"+++ w/.bashrc\n":                                                              {"w/.bashrc", ".bashrc"},
		"copy from a.txt\ncopy to ../.bashrc\n":                                        {"a.txt", "../.bashrc"},
		"rename from a.txt\nrename to \"../\\056bashrc\"\n":                            {"a.txt", "../.bashrc"},
		"Index: ../.bashrc\n====\n":                                                    {"../.bashrc"},
		"*** ../old\t2020-01-01\n--- ../new\t2020-01-01\n*** 1,2 ****\n--- 1,2 ----\n": {"../old", "../new"},
		"*** Begin Patch\n*** Update File: a b\n*** End of File\n*** End Patch\n":      {"a b"},
		"diff --git a/.git/hooks/pre-commit b/.git/hooks/pre-commit\nnew file mode 100755\nGIT binary patch\nliteral 3\n": {".git/hooks/pre-commit"},
		"diff --git a/my file b/my file\nold mode 100644\nnew mode 100755\n":                                              {"my file"},
		"diff --git a/short b/.git/hooks/pre-push\n":                                                                      {"short", ".git/hooks/pre-push"},
		"diff --git \"a/\\056x\" \"b/\\056y\"\ndiff --git a/plain \"b/q\\056\"\n":                                         {".x", ".y", "plain", "q."},
		"diff --git .bashrc .bashrc\nBinary files differ\n":                                                               {".bashrc"},
	} {
		for _, tool := range []string{"apply_patch", "mcp__files__apply_diff"} {
			call, err := completeCall(t, hooks.ToolCall{Name: tool, Input: object{"patch": patch}})
			if diff := cmp.Diff(want, call.Paths); err != nil || diff != "" {
				t.Errorf("%s %q: %v %s", tool, patch, err, diff)
			}
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

// A list of commands is run by several shells: nothing in one may hide another, or move it elsewhere.
func TestListsOfCommands(t *testing.T) {
	for _, c := range []struct {
		commands any
		want     string // "": refused
	}{
		{[]any{"touch a && echo hi"}, "touch a && echo hi"},
		{[]string{"rm -rf /"}, "rm -rf /"},
		{"ls", "ls"},
		{[]any{"cat <<E", "rm -rf /"}, "bash -c 'cat <<E'\nbash -c 'rm -rf /'"},
		{[]string{`echo \`, "rm -rf /"}, "bash -c 'echo \\'\nbash -c 'rm -rf /'"},
		{[]any{"cd /tmp", "", "echo 'a b'"}, "bash -c 'cd /tmp'\nbash -c 'echo '\\''a b'\\'''"},
		{[]any{object{"command": "rm", "args": []any{"-rf", "a b"}}}, "rm -rf 'a b'"},
		{[]any{object{"cmd": "rm -rf a"}, []any{"rm", "-rf", "b"}, object{"script": "ls"}, object{"shell_command": "pwd"}},
			"bash -c 'rm -rf a'\nbash -c 'rm -rf b'\nbash -c ls\nbash -c pwd"},
		{object{"command": "rm -rf /"}, "rm -rf /"},
		{[]any{object{"run": "rm -rf /"}}, ""},
		{[]any{object{"commands": []any{"rm -rf /"}}}, ""},
		{[]any{object{"command": "ls", "commands": []any{"rm -rf /"}}}, ""},
		{[]any{"ls", int64(1)}, ""},
		{int64(1), ""},
	} {
		call, err := completeCall(t, hooks.ToolCall{Name: "run_commands", Input: object{"commands": c.commands}})
		if c.want == "" {
			if err == nil || !strings.Contains(err.Error(), "tool_call.input.commands: want") {
				t.Errorf("%v: %+v, %v", c.commands, call, err)
			}
		} else if err != nil || call.Command != c.want || call.Kind != hooks.KindShell || call.Name != "bash" {
			t.Errorf("%v: %+v, %v", c.commands, call, err)
		}
	}
	if _, err := completeCall(t, hooks.ToolCall{Name: "run_commands", Input: object{"commands": []any{"ls"}, "command": "rm -rf /"}}); err == nil {
		t.Error("two keys that disagree are accepted")
	}
	// A tool that isn't known to be a shell is one if it has such a list.
	for _, c := range []struct {
		commands any
		want     hooks.Kind
	}{
		{[]any{"rm -rf /"}, hooks.KindShell}, {[]any{object{"command": "ls"}}, hooks.KindShell},
		{[]any{object{"name": "open"}}, hooks.KindOther}, {[]any{}, hooks.KindOther},
	} {
		call, err := completeCall(t, hooks.ToolCall{Name: "acme", Input: object{"commands": c.commands}})
		if err != nil || call.Kind != c.want {
			t.Errorf("%v: %+v, %v", c.commands, call, err)
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
		{"mcp__x__run_commands", "", object{"commands": []any{"rm -rf /"}}, hooks.KindShell, "rm -rf /"},
		{"mcp__x__run_command", "", object{"id": int64(7)}, hooks.KindMCP, ""},
		{"mcp__editor__open", "", object{"command": "view", "path": "a"}, hooks.KindMCP, ""},
		{"mcp__demo__run", "", object{"command": "rm -rf /"}, hooks.KindShell, "rm -rf /"},
		{"mcp__demo__invoke", "", object{"cmd": []any{"rm", "-rf", "/"}}, hooks.KindShell, "rm -rf /"},
		{"mcp__demo__eval", "", object{"command": "rm", "args": []any{"-rf", "/"}}, hooks.KindShell, "rm -rf /"},
		{"mcp__demo__do", "", object{"commands": []any{"ls", "rm -rf /"}}, hooks.KindShell, "bash -c ls\nbash -c 'rm -rf /'"},
		{"mcp__demo__run", "", object{"command": "start"}, hooks.KindMCP, ""},
		{"mcp__shop__processes", "", object{"filter": "a"}, hooks.KindMCP, ""},
	} {
		call, err := completeCall(t, hooks.ToolCall{Name: c.tool, Kind: c.kind, Input: c.input})
		if err != nil || call.Kind != c.want || call.Command != c.command || !strings.HasPrefix(strings.ToLower(call.Name), "mcp") {
			t.Errorf("%s %v: %+v, %v", c.tool, c.input, call, err)
		}
	}
}

// Text that is typed into a running shell is a command as well.
func TestTypedText(t *testing.T) {
	for _, c := range []struct {
		tool  string
		input object
		want  string // "": what the shell reads can't be known
	}{
		{"write_bash", object{"shellId": "1", "input": "rm -rf /{enter}", "delay": int64(10)}, "rm -rf /\n"},
		{"write_bash", object{"sessionId": "1", "input": "echo a\rrm -rf /\r\nls"}, "echo a\nrm -rf /\nls"},
		{"write_powershell", object{"shellId": "1", "input": "Remove-Item x{enter}"}, "Remove-Item x\n"},
		{"write_bash", object{"input": "{enter}"}, "\n"},
		{"write_bash", object{"input": "\x03"}, "\n"},
		{"write_bash", object{"input": "def f():\n\treturn 1\n"}, "def f():\n\treturn 1\n"},
		{"write_bash", object{"input": "rm -rf /x{backspace}{enter}"}, ""},
		{"write_bash", object{"input": "{up}{enter}"}, ""},
		{"write_bash", object{"input": "rm -rf /ho\t\n"}, ""},
		{"write_bash", object{"input": "rm -rf /x\x7f\n"}, ""},
		{"write_bash", object{"input": "\x1b[A\r"}, ""},
		{"write_bash", object{"shellId": "1"}, ""},
		{"send_to_terminal", object{"id": "1", "command": "rm -rf /"}, "rm -rf /"},
		{"sendToTerminal", object{"id": "1", "command": ""}, "\n"},
		{"write_stdin", object{"session_id": int64(1), "chars": "rm -rf /\n"}, "rm -rf /\n"},
		{"functions.write_stdin", object{"session_id": int64(1), "chars": "ls\n"}, "ls\n"},
		{"write-process", object{"terminal_id": int64(1), "input_text": "ls\n"}, "ls\n"},
		{"send_command_input", object{"CommandId": "1", "Input": "ls\n"}, "ls\n"},
		{"write_shell_stdin", object{"shell_id": int64(1), "chars": "ls\n"}, "ls\n"},
		{"pty_write", object{"id": "1", "data": "ls\n"}, "ls\n"},
		{"mcp__desktop-commander__interact_with_process", object{"pid": int64(1), "input": "rm -rf /"}, "rm -rf /"},
		{"mcp_box_write_stdin", object{"data": "ls\n"}, "ls\n"},
		{"MCP:write_stdin", object{"data": "ls\n"}, "ls\n"},
		{"create_and_run_task", object{"workspaceFolder": "/w", "task": object{"label": "x", "type": "shell", "command": "rm", "args": []any{"-rf", "a b"}}}, "rm -rf 'a b'"},
		{"create_and_run_task", object{"workspaceFolder": "/w", "task": "x"}, ""},
		{"run_task", object{"workspaceFolder": "/w", "id": "shell: build"}, ""},
	} {
		call, err := completeCall(t, hooks.ToolCall{Name: c.tool, Input: c.input})
		if err != nil || call.Kind != hooks.KindShell || call.Command != c.want {
			t.Errorf("%s %v: %+v, %v; want %q", c.tool, c.input, call, err, c.want)
		}
	}
	for _, input := range []object{{"input": []any{"ls"}}, {"input": "ls", "chars": "rm -rf /"}, {"input": object{}}} {
		if call, err := completeCall(t, hooks.ToolCall{Name: "write_bash", Input: input}); err == nil {
			t.Errorf("%v is accepted: %+v", input, call)
		}
	}
	// Other tools have such keys, too, and their text isn't typed.
	for tool, want := range map[string]hooks.Kind{
		"mcp__shop__write": hooks.KindMCP, "mcp__x__interact_with_process": hooks.KindMCP, "read_bash": hooks.KindOther,
		"stop_bash": hooks.KindOther, "get_terminal_output": hooks.KindOther,
	} {
		input := object{"id": "1"}
		if tool == "mcp__shop__write" {
			input["text"] = "ls"
		}
		if call, err := completeCall(t, hooks.ToolCall{Name: tool, Input: input}); err != nil || call.Kind != want || call.Command != "" {
			t.Errorf("%s: %+v, %v", tool, call, err)
		}
	}
}
