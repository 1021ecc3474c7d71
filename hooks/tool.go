package hooks

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/luahook/luahook/internal/spelling"
)

// Kind is the category of what a tool does, whatever its host calls it.
type Kind string

// The kinds of tools.
const (
	KindShell  Kind = "shell"
	KindRead   Kind = "read"
	KindWrite  Kind = "write"
	KindEdit   Kind = "edit"
	KindSearch Kind = "search"
	KindWeb    Kind = "web"
	KindMCP    Kind = "mcp"
	KindAgent  Kind = "agent"
	KindOther  Kind = "other"
)

var kinds = []string{"shell", "read", "write", "edit", "search", "web", "mcp", "agent", "other"}

// Outcome says how a tool call ended.
type Outcome string

// The outcomes; a panic is an error.
const (
	OutcomeOK      Outcome = "ok"
	OutcomeError   Outcome = "error"
	OutcomeDenied  Outcome = "denied"
	OutcomeTimeout Outcome = "timeout"
)

var outcomes = []string{"ok", "error", "denied", "timeout"}

// ToolCall is one call of a tool. Input is authoritative: if it is present, Command and Paths are derived from
// it, and a given Command that differs is an error. With Command alone, Input is {command = ...}. Values in
// Input and Output are those of encoding/json, with whole numbers as int64; others are converted when the call
// is completed, see [PlainValue].
type ToolCall struct {
	ID string
	// canonical if the tool is known (bash, read, write, edit, search, web, agent, mcp__server__tool), else as
	// the host wrote it
	Name     string
	HostName string // as the host wrote it
	// inferred from the name if the host doesn't say; a known shell, an MCP server's too, has no other kind
	Kind     Kind
	Command  string         // the shell text of a shell tool
	Paths    []string       // the files that the call names, as written
	Input    map[string]any // the whole argument object
	Output   any            // the tool's answer: text, or the host's object
	Outcome  Outcome        // of a finished call
	Duration time.Duration  // JSON: duration_ms
	Resumed  bool           // a person was asked about this very call before it was begun again
	Place    Place          // where the call happens; set by the engine, not in JSON

	// FolderKeys are the keys of Input, without case and separators, that name the folder where a shell tool runs, if
	// it is known that the tool goes by no other. Empty: it goes by none; nil: it may go by any. Not in JSON.
	FolderKeys []string
}

// complete makes done a copy with name, kind, input, command and paths filled in and plain values. It reuses the
// memory of done's paths.
func (t *ToolCall) complete(done *ToolCall, p *plainer) error {
	buf := done.Paths[:0]
	*done = *t
	if t.Input != nil {
		plain, fresh, bad := p.object(t.Input, 0)
		if bad != nil {
			return bad.of("tool_call.input")
		}
		if fresh {
			done.Input, _ = plain.(map[string]any)
		}
	}
	if t.Output != nil {
		plain, fresh, bad := p.value(t.Output, 0)
		if bad != nil {
			return bad.of("tool_call.output")
		}
		if fresh {
			done.Output = plain
		}
	}
	if done.HostName == "" {
		done.HostName = t.Name
	}
	if done.Name == "" {
		done.Name = done.HostName
	}
	if done.Name == "" {
		if t.Command == "" {
			return fieldError("tool_call.name", "missing")
		}
		done.Name, done.HostName = "bash", "bash" // shell text without a name: a shell
	}
	canonical, kind := CanonicalTool(done.Name)
	if done.HostName != done.Name {
		name, host := CanonicalTool(done.HostName)
		if host == KindShell && kind != KindShell && kind != KindOther {
			return fieldError("tool_call.name", "is %q, but %s is a shell tool", done.Name, done.HostName)
		}
		if kind == KindOther && host != KindOther {
			canonical, kind = name, host
		}
	}
	if kind == KindMCP && isShellOfServer(canonical, t.Command, done.Input) {
		kind = KindShell
		if done.Kind == KindMCP {
			done.Kind = ""
		}
	}
	switch {
	case done.Kind == "":
		done.Name, done.Kind = canonical, kind
		if kind == KindOther && (t.Command != "" || looksLikeShell(done.Input)) {
			done.Kind = KindShell // only shell tools have shell text
		}
	case !done.Kind.valid():
		return fieldError("tool_call.kind", "unknown kind %q%s", string(done.Kind), spelling.DidYouMean(string(done.Kind), kinds))
	case done.Kind == kind:
		done.Name = canonical
	case kind == KindShell: // a shell under another name would escape the guards of shells
		return fieldError("tool_call.kind", "is %q, but %s is a shell tool; leave it out", done.Kind, done.HostName)
	}
	if done.Outcome != "" && !done.Outcome.valid() {
		return fieldError("tool_call.outcome", "unknown outcome %q%s", string(done.Outcome), spelling.DidYouMean(string(done.Outcome), outcomes))
	}
	if t.Input == nil {
		if t.Command == "" {
			return nil
		}
		done.Input = map[string]any{"command": t.Command}
	}
	return done.derive(buf)
}

// derive sets Command and Paths from Input. Paths use buf if it is long enough.
func (t *ToolCall) derive(buf []string) error {
	command, err := t.shellText()
	if err != nil {
		return err
	}
	if t.Command != "" && t.Kind != KindShell {
		return fieldError("tool_call.command", "only a shell tool has one, and %s is of kind %s; put it into tool_call.input", t.Name, t.Kind)
	}
	if t.Command != "" && command != t.Command {
		return fieldError("tool_call.command", "differs from tool_call.input; leave it out")
	}
	t.Command = command
	t.Paths = union(pathsOf(buf, t.Kind, t.Input), t.Paths)
	return nil
}

func (k Kind) valid() bool    { return contains(kinds, string(k)) }
func (o Outcome) valid() bool { return contains(outcomes, string(o)) }

func contains(list []string, s string) bool {
	for _, e := range list {
		if e == s {
			return true
		}
	}
	return false
}

var toolKeys = []string{"id", "name", "host_name", "kind", "command", "language", "paths", "files", "input", "output", "outcome", "duration_ms", "resumed"}

// Keys returns the names that [ToolCall.Value] knows.
func (t *ToolCall) Keys() []string { return toolKeys }

// Text returns the field if it is a string; see [Context.Text].
func (t *ToolCall) Text(name string) (text string, present bool) {
	switch name {
	case "command":
		return t.Command, t.Command != "" || t.Kind == KindShell
	case "name":
		text = t.Name
	case "kind":
		text = string(t.Kind)
	case "id":
		text = t.ID
	case "host_name":
		text = t.HostName
	case "outcome":
		text = string(t.Outcome)
	case "language":
		text = t.Language()
	}
	return text, text != ""
}

// Value returns the field with that JSON name; see [Context.Value].
func (t *ToolCall) Value(name string) (value any, known bool) {
	switch name {
	case "command":
		if t.Kind == KindShell {
			return t.Command, true // "" if it has none, so that a guard can look at it
		}
		return orNil(t.Command), true
	case "name":
		return orNil(t.Name), true
	case "kind":
		return orNil(string(t.Kind)), true
	case "id":
		return orNil(t.ID), true
	case "host_name":
		return orNil(t.HostName), true
	case "language":
		return orNil(t.Language()), true
	case "paths":
		return anyList(t.Paths), true
	case "files":
		return anyList(t.Files()), true
	case "input":
		if t.Input == nil {
			return map[string]any{}, true
		}
		return t.Input, true
	case "output":
		return t.Output, true
	case "outcome":
		return orNil(string(t.Outcome)), true
	case "duration_ms":
		return milliseconds(t.Duration), true
	case "resumed":
		return t.Resumed, true
	}
	return nil, false
}

func anyList(texts []string) []any {
	list := make([]any, len(texts))
	for i, s := range texts {
		list[i] = s
	}
	return list
}

// toolSpelled knows the tools that hosts spell in many ways. spelling is folded: lower case, no separators or
// dots.
func toolSpelled(spelling string) (name string, kind Kind, known bool) {
	switch spelling {
	case "bash", "shell", "runshellcommand", "executecommand", "execute", "shellcommand", "execcommand", "localshell",
		"runterminalcmd", "runinterminal", "terminal", "runcommand", "sh", "zsh", "powershell", "pwsh", "unifiedexec",
		"containerexec", "executebash", "runbash", "runshell", "developershell", "runterminalcommand", "functionsshell",
		"functionsbash", "functionsexec", "launchprocess", "localshellcall", "exec", "cmd", "bashtool", "shelltool",
		"bash20241022", "bash20250124", "startprocess", "executeshellcommand", "runprocess", "runcommands", "executepwsh":
		return "bash", KindShell, true
	case "runtask", "runvscodetask", "createandruntask": // what an existing task runs isn't in the call
		return "bash", KindShell, true
	case "read", "readfile", "view", "viewfile", "openfile", "readmanyfiles", "readcode", "fsread", "cat", "notebookread",
		"readfiles":
		return "read", KindRead, true
	case "write", "writefile", "create", "createfile", "writetofile", "savefile", "fswrite", "writecode":
		return "write", KindWrite, true
	case "edit", "editfile", "multiedit", "replace", "strreplace", "strreplaceeditor", "strreplacebasededittool", "applypatch",
		"patch", "replaceinfile", "searchreplace", "notebookedit", "insertedit", "applydiff", "multistrreplace", "editnotebook",
		"deletefile", "delete", "editor", "editfiles", "replacestringinfile", "multireplacestringinfile", "inserteditintofile",
		"editnotebookfile":
		return "edit", KindEdit, true
	case "search", "grep", "glob", "ls", "listdirectory", "listdir", "listfiles", "grepsearch", "filesearch", "searchfiles",
		"codebasesearch", "searchfilecontent", "findfiles", "semanticsearch", "ripgrep", "searchcodebase", "rg", "fileglobsearch":
		return "search", KindSearch, true
	case "web", "webfetch", "websearch", "fetch", "fetchwebpage", "googlewebsearch", "browser", "browseraction", "webrequest",
		"fetchwebcontent":
		return "web", KindWeb, true
	case "agent", "task", "spawnagent", "subagent", "runsubagent", "delegate", "delegatetoagent", "newtask", "dispatchagent":
		return "agent", KindAgent, true
	}
	if typesIntoShell(spelling) {
		return "bash", KindShell, true
	}
	return "", KindOther, false
}

// CanonicalTool returns the name and kind that hooks use for a host's tool. Names of MCP tools
// (mcp__server__tool, mcp_server_tool, MCP:tool) are of kind mcp and are written mcp__server__tool if the server
// is recognisable.
func CanonicalTool(hostName string) (name string, kind Kind) {
	if name, kind, known := toolSpelled(hostName); known { // the usual spelling
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

// commandWords are words in the names of tools that run commands.
var commandWords = []string{"shell", "bash", "sh", "zsh", "terminal", "powershell", "pwsh", "command", "commands", "cmd", "console", "process", "processes", "subprocess", "exec", "execute", "spawn", "ssh"}

// runsCommands reports whether the name of an MCP tool says that it runs commands as a shell would:
// mcp__commander__start_process, mcp__shell__run.
func runsCommands(name string) bool {
	tool := name[strings.LastIndex(name, "__")+1:]
	if _, kind, known := toolSpelled(strings.TrimPrefix(spelling.Fold(tool), "_")); known && kind == KindShell {
		return true
	}
	return slices.ContainsFunc(wordsOfName(name), func(word string) bool { return slices.Contains(commandWords, word) })
}

// isShellOfServer reports whether an MCP tool with that command and input is a shell: its name says so, or it has a
// command of more than a word.
func isShellOfServer(name, command string, input map[string]any) bool {
	if looksLikeShell(input) && hasArguments(input) || typesForServer(name, input) {
		return true
	}
	return runsCommands(name) && (command != "" || looksLikeShell(input))
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

// inputKeys are the keys that hosts use in the input of a tool, folded. Those of one line mean the same. A call
// that had a key of main can't run without any. The forms are keys that some tools of a kind always have and the
// others never.
type inputKeys struct {
	main  []string
	lines [][]string
	forms []string
}

func keysOfTool(main string, lines ...string) inputKeys {
	keys := inputKeys{main: strings.Fields(main)}
	for _, line := range lines {
		keys.lines = append(keys.lines, strings.Fields(line))
	}
	return keys
}

// Keys for one file or folder, and keys that any tool may have.
const (
	pathLine  = "filepath path absolutepath notebookpath targetfile filename file relativepath relpath relativeworkspacepath pathname fullpath targetpath localpath fileuri uri folder dirpath directory directorypath"
	shellLine = "command cmd commandline script code commands input chars inputtext text data keys"
	allTools  = "description explanation summary"
)

// toolInputs are the inputs of the tools that hooks know by name, taken from the agents' documentation and
// tools.
var toolInputs = sync.OnceValue(func() map[Kind]inputKeys {
	all := map[Kind]inputKeys{
		KindShell: keysOfTool(shellLine, shellLine, "args arguments argv", "workdir cwd workingdirectory workingdir dir directory dirpath",
			"timeout timeoutms timeoutsec timeoutsecs timeoutseconds maxtimeout", "runinbackground isbackground background async blocking waituntilcomplete detach", "env environment envs",
			"shell", "login", "tty", "stdin", "restart", "sessionid", "shellid", "processid", "mode", "initialwait delay", "sandbox", "dangerouslydisablesandbox", "sandboxpermissions",
			"requiresapproval requireuserapproval", "withescalatedpermissions", "additionalpermissions", "requiredpermissions", "prefixrule", "yieldtimems", "maxoutputtokens maxoutput maxoutputchars", "environmentid", "goal", "safetoautorun", "justification", "waitmsbeforeasync", "maxwaitseconds", "wait"),
		KindRead: keysOfTool(pathLine+" paths files filepaths include", pathLine, "paths files filepaths include", "offset startline startlineoneindexed linestart", "limit endline endlineoneindexedinclusive lineend", "viewrange range linerange",
			"pages", "shouldreadentirefile", "encoding", "mode", "recursive", "exclude", "usedefaultexcludes", "respectgitignore filefilteringoptions", "maxbytes"),
		KindWrite: keysOfTool(pathLine, pathLine, "content contents filetext text codecontent code newcontent filecontent data", "command", "overwrite", "append", "encoding", "emptyfile", "linecount", "modifiedbyuser", "aiproposedcontent"),
		KindEdit: keysOfTool(pathLine+" patch patchtext input diff command", pathLine, "patch patchtext input diff", "oldstring oldstr oldtext search find original", "newstring newstr newtext replace replacement updated", "edits replacements changes operations multiedit",
			"replaceall allowmultiple allowmultiplematches", "expectedreplacements", "codeedit newcode code", "insertline line linenumber", "inserttext text newsource content", "viewrange", "cellid", "cellnumber cellidx", "celltype", "editmode", "isnewcell", "targetcontent", "replacementcontent", "startline", "endline", "modifiedbyuser", "dryrun", "command", "instructions instruction", "language", "edittype", "useregex", "ignorecase", "aiproposedcontent"),
		KindSearch: keysOfTool("pattern query regex regexp searchquery searchterm globpattern path dirpath directory queries", "pattern query regex regexp searchquery searchterm", "queries", "path searchpath searchdirectory targetdirectory targetdirectories root dirpath directory folder", "glob include includepattern fileglob filepattern globpattern includes", "exclude excludepattern ignore excludes",
			"type filetype", "outputmode", "a", "b", "c", "i ignorecase caseinsensitive", "n", "o", "headlimit maxresults limit maxcount", "offset skip", "multiline", "casesensitive", "recursive", "depth maxdepth", "sort sortby", "hidden showhidden", "respectgitignore filefilteringoptions", "context contextlines", "after", "before", "namesonly", "isregexp isregex fixedstrings literal", "noignore"),
		KindWeb:   keysOfTool("url urls uri query q searchterm searchquery prompt requests", "url uri", "urls", "requests", "prompt", "query q searchterm searchquery", "alloweddomains", "blockeddomains", "maxlength maxchars maxtokens", "startindex", "raw", "format extractmode", "timeout", "method", "headers", "body data", "numresults maxresults count limit", "action", "coordinate", "text", "size", "region country", "language lang", "freshness recency", "type", "livecrawl", "contextmaxcharacters"),
		KindAgent: keysOfTool("prompt task message objective instructions", "prompt task message objective instructions", "subagenttype agenttype agentname agent subagent", "name", "model", "runinbackground isbackground background", "resume", "isolation", "mode", "readonly", "cwd workdir", "maxturns", "attachments", "reasoningeffort", "forkcontext", "items", "teamname", "todos"),
	}
	edit := all[KindEdit]
	edit.forms = strings.Fields("patch patchtext input diff edits replacements changes operations multiedit codeedit newcode code")
	all[KindEdit] = edit
	return all
})

// checkToolInput refuses a rewritten input that the tool would not understand as the hook means it. A key that
// nothing reads leaves the call unchanged, and a key that is gone removes what the hooks have judged.
func (t *ToolCall) checkToolInput(input map[string]any) error {
	name, kind := CanonicalTool(t.Name)
	keys, listed := toolInputs()[kind]
	if _, _, known := toolSpelled(name); !known || !listed || t.Kind != kind || len(t.Input) == 0 {
		return nil
	}
	for _, key := range slices.Sorted(maps.Keys(input)) {
		if _, there := t.Input[key]; there {
			continue
		}
		line := keys.line(key)
		if line == nil || rank(keys.forms, key) >= 0 && len(keysOf(nil, t.Input, line)) == 0 {
			had := slices.Sorted(maps.Keys(t.Input))
			return fmt.Errorf("answer.input: %s has no %q%s (its input has %s)", t.Name, cutKey(key), spelling.DidYouMean(key, had), strings.Join(firstKeys(had), ", "))
		}
		for _, other := range slices.Sorted(maps.Keys(t.Input)) {
			if rank(line, other) >= 0 && !sameText(input[other], input[key]) {
				return fmt.Errorf("answer.input: this call's input says %q, not %q", other, cutKey(key))
			}
		}
	}
	for key := range t.Input {
		if rank(keys.main, key) >= 0 && len(keysOf(nil, input, keys.main)) == 0 {
			return fmt.Errorf("answer.input: %q is missing, and %s can't run without it; replace() takes the whole input, modify() what changes", key, t.Name)
		}
	}
	return nil
}

// line returns the line that has the key; nil if no host uses it.
func (k inputKeys) line(key string) []string {
	for _, line := range k.lines {
		if rank(line, key) >= 0 {
			return line
		}
	}
	if all := strings.Fields(allTools); rank(all, key) >= 0 {
		return []string{spelling.Fold(key)}
	}
	return nil
}

// Kinds lists the kinds of tools.
func Kinds() []string { return slices.Clone(kinds) }

// Outcomes lists how a tool call may have ended.
func Outcomes() []string { return slices.Clone(outcomes) }

// InputKeys lists the keys that hosts give in the input of the tools of a kind that hooks know by name, without case and
// separators ("filepath"); nil for a kind that has no such tool.
func InputKeys(kind Kind) (names []string) {
	for _, line := range toolInputs()[kind].lines {
		names = append(names, line...)
	}
	if names != nil {
		names = append(names, strings.Fields(allTools)...)
	}
	return names
}

func sameText(a, b any) bool {
	text, ok := a.(string)
	return ok && b == any(text)
}

func cutKey(key string) string { return key[:min(len(key), 100)] }

// firstKeys returns enough of the keys for a message.
func firstKeys(keys []string) []string {
	if len(keys) > 12 {
		keys = append(keys[:12:12], "...")
	}
	for i, key := range keys {
		keys[i] = cutKey(key)
	}
	return keys
}
