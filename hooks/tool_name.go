package hooks

import "strings"

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
