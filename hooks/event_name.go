package hooks

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/luahook/luahook/internal/spelling"
)

// Events returns the rows of the catalogue in their order. The slice is the caller's own; the rows are shared.
func Events() []*EventInfo {
	rows := make([]*EventInfo, len(catalogue))
	for n := range catalogue {
		rows[n] = &catalogue[n]
	}
	return rows
}

// Lookup returns the row of a canonical name. An event with a dot in its name has no row of its own: it can be
// blocked, fails with a warning, and carries the common fields; everything else goes to metadata. Lookup returns
// nil for any other unknown name.
func Lookup(e Event) *EventInfo {
	if info, ok := byName()[e]; ok {
		return info
	}
	if customName().MatchString(string(e)) {
		return &EventInfo{
			Name: e, Help: "an event of the embedder's own", Blocking: BlockAction, OnFailure: Warn, Fields: commonFields,
		}
	}
	return nil
}

// IsKnown reports whether an event has a row in the catalogue.
func IsKnown(e Event) bool {
	_, ok := byName()[e]
	return ok
}

// Field returns the event's field with that name, or the common field with it; nil if there is neither.
func (i *EventInfo) Field(name string) *Field {
	for n := range i.Fields {
		if i.Fields[n].Name == name {
			return &i.Fields[n]
		}
	}
	return commonField(name)
}

// FieldNames lists the names that [EventInfo.Field] knows: the event's own
// first, then the common ones.
func (i *EventInfo) FieldNames() []string {
	var names []string
	for _, f := range i.Fields {
		names = append(names, f.Name)
	}
	for _, f := range commonFields {
		if i.own(f.Name) == nil {
			names = append(names, f.Name)
		}
	}
	return names
}

// own returns the field if the row itself lists it.
func (i *EventInfo) own(name string) *Field {
	for n := range i.Fields {
		if i.Fields[n].Name == name {
			return &i.Fields[n]
		}
	}
	return nil
}

func commonField(name string) *Field {
	for n := range commonFields {
		if commonFields[n].Name == name {
			return &commonFields[n]
		}
	}
	return nil
}

// customName matches the names that an embedder may give to events of its own.
var customName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)+$`) })

var byName = sync.OnceValue(func() map[Event]*EventInfo {
	rows := make(map[Event]*EventInfo, len(catalogue))
	for n := range catalogue {
		rows[catalogue[n].Name] = &catalogue[n]
	}
	return rows
})

// bySpelling maps folded names to events: lower case, no separators.
var bySpelling = sync.OnceValue(func() map[string]Event {
	events := map[string]Event{}
	for n := range catalogue {
		events[spelling.Fold(string(catalogue[n].Name))] = catalogue[n].Name
	}
	for n := range catalogue {
		for _, alias := range catalogue[n].Aliases {
			if _, exact := exactEvent(alias); !exact {
				events[spelling.Fold(alias)] = catalogue[n].Name
			}
		}
	}
	return events
})

// exactEvent knows the spellings that mean another event when folded.
func exactEvent(name string) (Event, bool) {
	switch name {
	case "BeforeAgent":
		return PrePrompt, true
	case "AfterAgent":
		return Stop, true
	}
	return "", false
}

// ParseEvent reads an event's name in any spelling of the catalogue, in any case and with "_", "-" or nothing
// between words. Two spellings count exactly as written, because folded they are other events: Gemini's
// BeforeAgent (pre_prompt, while before_agent is pre_agent) and AfterAgent (stop, while after_agent is
// post_agent). A name with a dot in it is an embedder's own and is returned unchanged, unless it is another
// system's name of a known event ("HookEvent.BEFORE_TOOL", "tool.execute.before") or the name of a file. The
// error for an unknown name is an [*UnknownEventError] with the nearest known one.
func ParseEvent(name string) (Event, error) {
	if e, known := KnownEvent(name); known {
		return e, nil
	}
	trimmed := strings.TrimSpace(name)
	if known, ok := otherSystems(trimmed); ok { // a misspelt event would never happen
		return "", &UnknownEventError{Name: name, Nearest: known}
	}
	if customName().MatchString(trimmed) && !isFileName(trimmed) {
		return Event(trimmed), nil
	}
	return "", &UnknownEventError{Name: name, Nearest: nearestEvent(trimmed)}
}

// KnownEvent returns the catalogue's event for a name in any spelling that [ParseEvent] reads. It is fast for
// unknown names too.
func KnownEvent(name string) (e Event, known bool) {
	trimmed := strings.TrimSpace(name)
	if e, known = exactEvent(trimmed); known {
		return e, true
	}
	if IsKnown(Event(trimmed)) {
		return Event(trimmed), true
	}
	e, known = bySpelling()[spelling.Fold(trimmed)]
	return e, known && trimmed != ""
}

func nearestEvent(name string) Event {
	spellings := make([]string, 0, len(bySpelling()))
	for s := range bySpelling() {
		spellings = append(spellings, s)
	}
	return bySpelling()[spelling.Nearest(spelling.Fold(name), spellings)]
}

// UnknownEventError is the error of [ParseEvent].
type UnknownEventError struct {
	Name    string
	Nearest Event // empty where nothing is near
}

func (e *UnknownEventError) Error() string {
	if e.Name == "" {
		return "the event has no name; `luahook events` lists them"
	}
	if isFileName(e.Name) {
		return fmt.Sprintf("%q is the name of a file, not of an event; hooks are configured in hooks.yaml, and `luahook eval EVENT --sample` tries them", e.Name)
	}
	if e.Nearest == "" {
		return fmt.Sprintf("unknown event %q; `luahook events` lists the known ones", shortened(e.Name, 100))
	}
	return fmt.Sprintf("unknown event %q; did you mean %q?", shortened(e.Name, 100), e.Nearest)
}

// foreignEvents are names, folded and without dots, that other agents and frameworks give to events of the
// catalogue and that no rule derives.
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

// namespaces are the words that other systems put before the dot of an event's name.
var namespaces = []string{"hook", "hooks", "event", "events", "hookevent", "hookevents", "hooktype", "hookname", "hookeventname", "eventtype", "agent", "agents", "luahook", "claude", "codex", "gemini", "cursor", "on"}

// otherSystems returns the event for another system's name of it: a member of an enumeration, a name with dots
// in other places, or one of foreignEvents.
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
		// An embedder may well have a deploy.stop. An enumeration is recognised by its name.
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

// isFileName reports whether a name is that of a hook file, given by mistake in place of an event.
func isFileName(name string) bool {
	dot := strings.LastIndexByte(name, '.')
	return dot >= 0 && slices.Contains([]string{"json", "jsonl", "yaml", "yml", "lua", "sh", "py", "js", "ts", "toml", "md", "txt"}, strings.ToLower(name[dot+1:]))
}
