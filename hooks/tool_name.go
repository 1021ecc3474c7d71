package hooks

import (
	"slices"
	"strings"
	"unicode"
)

// canonicalTools names the tools that hosts spell in many ways; the spellings are
// folded (lower case, no separators and dots).
var canonicalTools = []struct {
	name      string
	kind      Kind
	spellings string
}{
	{"bash", KindShell, "bash shell runshellcommand executecommand execute shellcommand execcommand localshell runterminalcmd runinterminal terminal runcommand sh zsh powershell pwsh unifiedexec containerexec executebash runbash runshell developershell runterminalcommand functionsshell functionsbash functionsexec launchprocess localshellcall exec cmd bashtool shelltool bash20241022 bash20250124 startprocess executeshellcommand runprocess"},
	{"read", KindRead, "read readfile view viewfile openfile readmanyfiles readcode fsread cat notebookread"},
	{"write", KindWrite, "write writefile create createfile writetofile savefile fswrite writecode"},
	{"edit", KindEdit, "edit editfile multiedit replace strreplace strreplaceeditor strreplacebasededittool applypatch patch replaceinfile searchreplace notebookedit insertedit applydiff multistrreplace editnotebook deletefile delete"},
	{"search", KindSearch, "search grep glob ls listdirectory listdir listfiles grepsearch filesearch searchfiles codebasesearch searchfilecontent findfiles semanticsearch ripgrep"},
	{"web", KindWeb, "web webfetch websearch fetch fetchwebpage googlewebsearch browser browseraction webrequest"},
	{"agent", KindAgent, "agent task spawnagent subagent runsubagent delegate delegatetoagent newtask dispatchagent"},
}

var toolBySpelling = func() map[string]int {
	m := map[string]int{}
	for n, t := range canonicalTools {
		for _, s := range strings.Fields(t.spellings) {
			m[s] = n
		}
	}
	return m
}()

// CanonicalTool returns the name and kind under which hooks know a host's tool.
// Names of MCP tools (mcp__server__tool, mcp_server_tool, MCP:tool) are of kind
// mcp and, where the server can be told, are written mcp__server__tool.
func CanonicalTool(hostName string) (name string, kind Kind) {
	if n, ok := toolBySpelling[hostName]; ok { // mostly it is written so
		return canonicalTools[n].name, canonicalTools[n].kind
	}
	hostName = strings.TrimSpace(hostName)
	if n, ok := toolBySpelling[strings.ReplaceAll(fold(hostName), ".", "")]; ok {
		return canonicalTools[n].name, canonicalTools[n].kind
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
var commandWords = strings.Fields("shell bash sh zsh terminal powershell pwsh command commands cmd console process processes subprocess exec execute spawn ssh")

// runsCommands tells whether the name of an MCP tool says that it runs what a shell
// would: mcp__commander__start_process, mcp__shell__run.
func runsCommands(name string) bool {
	tool := name[strings.LastIndex(name, "__")+1:]
	if n, ok := toolBySpelling[strings.TrimPrefix(fold(tool), "_")]; ok && canonicalTools[n].kind == KindShell {
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
