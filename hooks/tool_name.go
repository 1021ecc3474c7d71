package hooks

import (
	"slices"
	"strings"
	"unicode"

	"github.com/luahook/luahook/internal/spelling"
)

// toolSpelled knows the tools that hosts spell in many ways; a spelling is folded (lower
// case, no separators and dots).
func toolSpelled(spelling string) (name string, kind Kind, known bool) {
	switch spelling {
	case "bash", "shell", "runshellcommand", "executecommand", "execute", "shellcommand", "execcommand", "localshell",
		"runterminalcmd", "runinterminal", "terminal", "runcommand", "sh", "zsh", "powershell", "pwsh", "unifiedexec",
		"containerexec", "executebash", "runbash", "runshell", "developershell", "runterminalcommand", "functionsshell",
		"functionsbash", "functionsexec", "launchprocess", "localshellcall", "exec", "cmd", "bashtool", "shelltool",
		"bash20241022", "bash20250124", "startprocess", "executeshellcommand", "runprocess":
		return "bash", KindShell, true
	case "read", "readfile", "view", "viewfile", "openfile", "readmanyfiles", "readcode", "fsread", "cat", "notebookread":
		return "read", KindRead, true
	case "write", "writefile", "create", "createfile", "writetofile", "savefile", "fswrite", "writecode":
		return "write", KindWrite, true
	case "edit", "editfile", "multiedit", "replace", "strreplace", "strreplaceeditor", "strreplacebasededittool", "applypatch",
		"patch", "replaceinfile", "searchreplace", "notebookedit", "insertedit", "applydiff", "multistrreplace", "editnotebook",
		"deletefile", "delete":
		return "edit", KindEdit, true
	case "search", "grep", "glob", "ls", "listdirectory", "listdir", "listfiles", "grepsearch", "filesearch", "searchfiles",
		"codebasesearch", "searchfilecontent", "findfiles", "semanticsearch", "ripgrep":
		return "search", KindSearch, true
	case "web", "webfetch", "websearch", "fetch", "fetchwebpage", "googlewebsearch", "browser", "browseraction", "webrequest":
		return "web", KindWeb, true
	case "agent", "task", "spawnagent", "subagent", "runsubagent", "delegate", "delegatetoagent", "newtask", "dispatchagent":
		return "agent", KindAgent, true
	}
	return "", KindOther, false
}

// CanonicalTool returns the name and kind under which hooks know a host's tool.
// Names of MCP tools (mcp__server__tool, mcp_server_tool, MCP:tool) are of kind
// mcp and, where the server can be told, are written mcp__server__tool.
func CanonicalTool(hostName string) (name string, kind Kind) {
	if name, kind, known := toolSpelled(hostName); known { // mostly it is written so
		return name, kind
	}
	hostName = strings.TrimSpace(hostName)
	if name, kind, known := toolSpelled(strings.ReplaceAll(spelling.Fold(hostName), ".", "")); known {
		return name, kind
	}
	lower := strings.ToLower(hostName)
	switch {
	case strings.HasPrefix(lower, "mcp__"):
		return hostName, KindMCP
	case strings.HasPrefix(lower, "mcp:"):
		return hostName, KindMCP
	case strings.HasPrefix(lower, "mcp_"):
		if server, tool, ok := strings.Cut(hostName[len("mcp_"):], "_"); ok && server != "" && tool != "" {
			return "mcp__" + server + "__" + tool, KindMCP
		}
		return hostName, KindMCP
	}
	return hostName, KindOther
}

// commandWords are those in the names of tools that run commands.
var commandWords = []string{"shell", "bash", "sh", "zsh", "terminal", "powershell", "pwsh", "command", "commands", "cmd", "console", "process", "processes", "subprocess", "exec", "execute", "spawn", "ssh"}

// runsCommands tells whether the name of an MCP tool says that it runs what a shell
// would: mcp__commander__start_process, mcp__shell__run.
func runsCommands(name string) bool {
	tool := name[strings.LastIndex(name, "__")+1:]
	if _, kind, known := toolSpelled(strings.TrimPrefix(spelling.Fold(tool), "_")); known && kind == KindShell {
		return true
	}
	return slices.ContainsFunc(wordsOfName(name), func(word string) bool { return slices.Contains(commandWords, word) })
}

// wordsOfName splits start_process, start-process and startProcess, and folds the words.
func wordsOfName(name string) []string {
	var spaced strings.Builder
	small := false
	for _, r := range name {
		if small && unicode.IsUpper(r) {
			spaced.WriteByte(' ')
		}
		small = unicode.IsLower(r)
		spaced.WriteRune(unicode.ToLower(r))
	}
	return strings.FieldsFunc(spaced.String(), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}
