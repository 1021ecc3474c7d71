package hooks

import "slices"

// ToolInfo is a tool as hooks know it, and what hosts call it.
type ToolInfo struct {
	Name  string   `json:"name"` // in tool_call.name
	Kind  Kind     `json:"kind"`
	Hosts []string `json:"hosts"` // names of hosts, in any case and with any separators
}

// Tools lists the tools that are known by many names. Each name of Hosts is one that [CanonicalTool] turns into Name. MCP
// tools (mcp__server__tool) aren't among them, nor the names of the keystrokes that are typed into a shell. The slice is
// the caller's own.
func Tools() []ToolInfo { return slices.Clone(knownTools) }

var knownTools = []ToolInfo{
	{"bash", KindShell, []string{
		"Bash", "Shell", "run_shell_command", "execute_command", "execute", "shell_command", "exec_command", "local_shell",
		"run_terminal_cmd", "runInTerminal", "terminal", "run_command", "sh", "zsh", "PowerShell", "pwsh", "unified_exec",
		"container.exec", "executeBash", "run_bash", "runShell", "developer__shell", "run_terminal_command", "functions.shell",
		"functions.bash", "functions.exec", "launch-process", "local_shell_call", "exec", "cmd", "bash_tool", "shell_tool",
		"bash_20241022", "bash_20250124", "start_process", "execute_shell_command", "run_process", "run_commands", "executePwsh",
		"runTask", "run_vscode_task", "create_and_run_task",
	}},
	{"read", KindRead, []string{
		"Read", "read_file", "view", "view_file", "open_file", "read_many_files", "readCode", "fsRead", "cat", "NotebookRead",
		"readFiles",
	}},
	{"write", KindWrite, []string{"Write", "write_file", "create", "create_file", "write_to_file", "save_file", "fsWrite", "write_code"}},
	{"edit", KindEdit, []string{
		"Edit", "edit_file", "MultiEdit", "replace", "strReplace", "str_replace_editor", "str_replace_based_edit_tool", "apply_patch",
		"patch", "replace_in_file", "search_replace", "NotebookEdit", "insert_edit", "apply_diff", "multi_str_replace", "editNotebook",
		"delete_file", "Delete", "editor", "editFiles", "replace_string_in_file", "multi_replace_string_in_file",
		"insert_edit_into_file", "edit_notebook_file",
	}},
	{"search", KindSearch, []string{
		"Search", "Grep", "Glob", "LS", "list_directory", "list_dir", "list_files", "grep_search", "file_search", "search_files",
		"codebase_search", "search_file_content", "find_files", "semantic_search", "ripgrep", "search_codebase", "rg",
		"file_glob_search",
	}},
	{"web", KindWeb, []string{
		"web", "WebFetch", "WebSearch", "fetch", "fetch_webpage", "google_web_search", "browser", "browser_action", "web_request",
		"fetch_web_content",
	}},
	{"agent", KindAgent, []string{
		"Agent", "Task", "spawn_agent", "subagent", "runSubagent", "delegate", "delegate_to_agent", "new_task", "dispatch_agent",
	}},
}
