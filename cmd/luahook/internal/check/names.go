package check

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/internal/spelling"
	"github.com/luahook/luahook/luabind"
	"github.com/luahook/luahook/luabind/compile"
	"github.com/luahook/luahook/luabind/lib"
)

func itoa(n int) string { return strconv.Itoa(n) }

// globals are the names that every script finds.
var globals = sync.OnceValue(func() map[string][]string { return luabind.Names(lib.Modules(), lib.Words()) })

// modules are those of the names that are modules of ours, which require gives, too.
var modules = sync.OnceValue(func() map[string]bool {
	names := map[string]bool{}
	for _, m := range lib.Modules() {
		names[m.Name] = true
	}
	return names
})

// isAnswer reports whether a name is that of a function that makes an answer.
func isAnswer(name string) bool { return compile.IsAnswer(name) }

// records are the parts of an event whose fields are all known, by path.
var records = map[string][]string{
	"ev.tool_call": (&hooks.ToolCall{}).Keys(),
	"ev.error":     (&hooks.ErrorInfo{}).Keys(),
	"ev.usage":     (&hooks.Usage{}).Keys(),
}

// unknownField says what is wrong with reading a field of a part of an event, where a function is called for these; "" where
// one of them may have it.
func unknownField(path, key string, events []hooks.Event) string {
	if keys, isRecord := records[path]; isRecord {
		if slices.Contains(keys, key) {
			return ""
		}
		if part, ok := strings.CutPrefix(hooks.AgentField(key), "tool_call."); ok && path == "ev.tool_call" {
			return fmt.Sprintf("%s has no field %q; did you mean %s.%s?", path, key, path, part)
		}
		return fmt.Sprintf("%s has no field %q%s", path, key, suggestion(key, keys))
	}
	if path != "ev" || len(events) == 0 {
		return ""
	}
	var names []string
	for _, e := range events {
		info := hooks.Lookup(e)
		if info == nil || info.Field(key) != nil {
			return ""
		}
		names = append(names, info.FieldNames()...)
	}
	what, meant := string(events[0]), suggestion(key, names)
	if field := hooks.AgentField(key); slices.Contains(names, firstPart(field)) {
		meant = fmt.Sprintf("; did you mean ev.%s?", field)
	}
	if len(events) > 1 {
		return fmt.Sprintf("none of its events has a field %q%s", key, meant)
	}
	if hooks.IsKnown(events[0]) {
		return fmt.Sprintf("%s has no field %q%s", what, key, meant)
	}
	return fmt.Sprintf("%s, an event of your own, has no field %q: what its host says is in ev.metadata%s", what, key, meant)
}

func firstPart(path string) string {
	first, _, _ := strings.Cut(path, ".")
	return first
}

// suggestion is what was meant, as messages say it.
func suggestion(word string, known []string) string { return spelling.DidYouMean(word, known) }
