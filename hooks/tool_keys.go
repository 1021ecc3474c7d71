package hooks

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/luahook/luahook/internal/spelling"
)

// inputKeys are the keys that hosts give the input of a tool, folded. Those of one line
// mean the same. Without any of main, of which it had one, the tool can't run. The forms are
// keys that some tools of a kind always have and the others never.
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

// One file or folder, and what goes with any tool.
const (
	pathLine = "filepath path absolutepath notebookpath targetfile filename file relativepath relpath relativeworkspacepath pathname fullpath targetpath localpath fileuri uri folder dirpath directory directorypath"
	allTools = "description explanation summary"
)

// toolInputs are the inputs of the tools that hooks know by name, as the agents'
// documentation and their own tools have them.
var toolInputs = sync.OnceValue(func() map[Kind]inputKeys {
	all := map[Kind]inputKeys{
		KindShell: keysOfTool("command cmd commandline script code", "command cmd commandline script code", "args arguments argv", "workdir cwd workingdirectory workingdir dir directory dirpath",
			"timeout timeoutms timeoutsec timeoutsecs timeoutseconds maxtimeout", "runinbackground isbackground background async blocking waituntilcomplete detach", "env environment envs",
			"shell", "login", "tty", "stdin", "restart", "sessionid", "shellid", "processid", "mode", "initialwait delay", "sandbox", "dangerouslydisablesandbox", "sandboxpermissions",
			"requiresapproval requireuserapproval", "withescalatedpermissions", "additionalpermissions", "requiredpermissions", "prefixrule", "yieldtimems", "maxoutputtokens maxoutput maxoutputchars", "environmentid", "goal", "safetoautorun", "justification", "waitmsbeforeasync", "maxwaitseconds", "wait"),
		KindRead: keysOfTool(pathLine+" paths files filepaths include", pathLine, "paths files filepaths include", "offset startline startlineoneindexed linestart", "limit endline endlineoneindexedinclusive lineend", "viewrange range linerange",
			"pages", "shouldreadentirefile", "encoding", "mode", "recursive", "exclude", "usedefaultexcludes", "respectgitignore filefilteringoptions", "maxbytes"),
		KindWrite: keysOfTool(pathLine, pathLine, "content contents filetext text codecontent code newcontent filecontent data", "command", "overwrite", "append", "encoding", "emptyfile", "linecount", "modifiedbyuser", "aiproposedcontent"),
		KindEdit: keysOfTool(pathLine+" patch patchtext input diff command", pathLine, "patch patchtext input diff", "oldstring oldstr oldtext search find original", "newstring newstr newtext replace replacement updated", "edits replacements changes operations multiedit",
			"replaceall allowmultiple allowmultiplematches", "expectedreplacements", "codeedit newcode", "insertline line linenumber", "inserttext text newsource content", "viewrange", "cellid", "cellnumber cellidx", "celltype", "editmode", "isnewcell", "targetcontent", "replacementcontent", "startline", "endline", "modifiedbyuser", "dryrun", "command", "instructions instruction", "language", "edittype", "useregex", "ignorecase", "aiproposedcontent"),
		KindSearch: keysOfTool("pattern query regex regexp searchquery searchterm globpattern path dirpath directory", "pattern query regex regexp searchquery searchterm", "path searchpath searchdirectory targetdirectory targetdirectories root dirpath directory folder", "glob include includepattern fileglob filepattern globpattern includes", "exclude excludepattern ignore excludes",
			"type filetype", "outputmode", "a", "b", "c", "i ignorecase caseinsensitive", "n", "o", "headlimit maxresults limit maxcount", "offset skip", "multiline", "casesensitive", "recursive", "depth maxdepth", "sort sortby", "hidden showhidden", "respectgitignore filefilteringoptions", "context contextlines", "after", "before", "namesonly", "isregexp isregex fixedstrings literal", "noignore"),
		KindWeb:   keysOfTool("url urls uri query q searchterm searchquery prompt", "url uri", "urls", "prompt", "query q searchterm searchquery", "alloweddomains", "blockeddomains", "maxlength maxchars maxtokens", "startindex", "raw", "format extractmode", "timeout", "method", "headers", "body data", "numresults maxresults count limit", "action", "coordinate", "text", "size", "region country", "language lang", "freshness recency", "type", "livecrawl", "contextmaxcharacters"),
		KindAgent: keysOfTool("prompt task message objective instructions", "prompt task message objective instructions", "subagenttype agenttype agentname agent subagent", "name", "model", "runinbackground isbackground background", "resume", "isolation", "mode", "readonly", "cwd workdir", "maxturns", "attachments", "reasoningeffort", "forkcontext", "items", "teamname", "todos"),
	}
	edit := all[KindEdit]
	edit.forms = strings.Fields("patch patchtext input diff edits replacements changes operations multiedit codeedit newcode")
	all[KindEdit] = edit
	return all
})

// checkToolInput refuses a rewritten input that the tool would not understand as the hook
// means it: a key that nothing reads leaves the call as it was, and one that is gone takes
// away what the hooks have judged.
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
			return fmt.Errorf("answer.input: %q is missing, without which %s can't run; replace() takes the whole input, modify() what changes", key, t.Name)
		}
	}
	return nil
}

// line is the line that a key stands in; nil where no host has it.
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

func sameText(a, b any) bool {
	text, ok := a.(string)
	return ok && b == any(text)
}

func cutKey(key string) string { return key[:min(len(key), 100)] }

// firstKeys are enough of them for a message.
func firstKeys(keys []string) []string {
	if len(keys) > 12 {
		keys = append(keys[:12:12], "...")
	}
	for i, key := range keys {
		keys[i] = cutKey(key)
	}
	return keys
}
