package hooks

import (
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/luahook/luahook/internal/spelling"
)

// foreignEvents are the names, folded and without dots, by which other agents and
// frameworks call the events of the catalogue where no rule leads from one to the other.
var foreignEvents = sync.OnceValue(func() map[string]Event {
	return map[string]Event{
		// opencode
		"toolexecutebefore": PreToolCall, "toolexecuteafter": PostToolCall, "toolcall": PreToolCall, "toolresult": PostToolCall, "tooldefinition": PreToolSelection,
		"permissionask": PermissionRequest, "permissionasked": PermissionRequest, "permissionupdated": PermissionRequest, "permissionreplied": PermissionDenied,
		"sessioncreated": SessionStart, "sessionidle": Stop, "sessiondeleted": SessionEnd, "sessionerror": OnError, "sessioncompacted": PostCompact,
		"experimentalsessioncompacting": PreCompact, "experimentalcompactionautocontinue": PostCompact, "chatmessage": PrePrompt, "chatparams": PreModelCall, "chatheaders": PreModelCall,
		"experimentaltextcomplete": PostResponse, "commandexecutebefore": PrePrompt, "fileedited": PostToolCall, "todoupdated": TaskCompleted, "turnstep": PostModelCall, "shellenv": PreToolCall,
		// callbacks of Go, Python and TypeScript frameworks
		"ontoolstart": PreToolCall, "ontoolend": PostToolCall, "ontoolerror": OnError, "ontoolcall": PreToolCall, "ontoolresult": PostToolCall,
		"onllmstart": PreModelCall, "onllmend": PostModelCall, "onllmerror": OnError, "onchatmodelstart": PreModelCall, "onmodelstart": PreModelCall, "onmodelend": PostModelCall,
		"onagentstart": PreAgent, "onagentend": PostAgent, "onagentaction": PreToolCall, "onagentfinish": PostAgent, "onhandoff": SubagentStart, "onchainstart": RunStart, "onchainend": RunEnd, "onchainerror": OnError,
		"beforetoolcall": PreToolCall, "aftertoolcall": PostToolCall, "beforetoolcallback": PreToolCall, "aftertoolcallback": PostToolCall,
		"beforemodelcallback": PreModelCall, "aftermodelcallback": PostModelCall, "beforeagentcallback": PreAgent, "afteragentcallback": PostAgent,
		"beforellmcall": PreModelCall, "afterllmcall": PostModelCall, "beforemodelcall": PreModelCall, "aftermodelcall": PostModelCall, "llmstart": PreModelCall, "llmend": PostModelCall,
		"toolstart": PreToolCall, "toolend": PostToolCall, "onprompt": PrePrompt, "onuserprompt": PrePrompt, "onmessage": MessageReceived, "onstop": Stop, "onsubagentstart": SubagentStart, "onsubagentstop": SubagentStop,
	}
})

// namespaces are what others write before the dot of an event's name.
var namespaces = []string{"hook", "hooks", "event", "events", "hookevent", "hookevents", "hooktype", "hookname", "hookeventname", "eventtype", "agent", "agents", "luahook", "claude", "codex", "gemini", "cursor", "on"}

// otherSystems finds the event that another system's name of it means: the name of an enumeration's
// member, one with dots in other places, or one of foreignEvents.
func otherSystems(name string) (Event, bool) {
	whole := strings.ReplaceAll(spelling.Fold(name), ".", "")
	if whole == "" {
		return "", false
	}
	if e, ok := foreignEvents()[whole]; ok {
		return e, true
	}
	e, ok := bySpelling()[whole]
	if ok && strings.Contains(name, ".") {
		return e, true
	}
	for rest := name; ; {
		before, after, dotted := strings.Cut(rest, ".")
		if !dotted {
			return "", false
		}
		rest = after
		// An embedder may well have a deploy.stop; an enumeration's name tells itself.
		named := strings.ContainsFunc(before, unicode.IsUpper) || slices.Contains(namespaces, spelling.Fold(before))
		words := strings.ContainsAny(after, "_-") || strings.ContainsFunc(after[min(1, len(after)):], unicode.IsUpper)
		if !named && !words {
			continue
		}
		if e, ok := exactEvent(after); ok {
			return e, true
		}
		folded := strings.ReplaceAll(spelling.Fold(after), ".", "")
		if e, ok := bySpelling()[folded]; ok {
			return e, true
		}
		if e, ok := foreignEvents()[folded]; ok {
			return e, true
		}
	}
}

// isFileName reports whether a name is that of a file of hooks, which somebody has
// given where an event belongs.
func isFileName(name string) bool {
	dot := strings.LastIndexByte(name, '.')
	return dot >= 0 && slices.Contains([]string{"json", "jsonl", "yaml", "yml", "lua", "sh", "py", "js", "ts", "toml", "md", "txt"}, strings.ToLower(name[dot+1:]))
}
