package command

import (
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Keys of an answer. The weak ones stand in many a log line as well.
var (
	strongKeys = []string{"decision", "block", "modified", "new_context", "halt", "stop_reason", "system_message", "suppress_output"}
	weakKeys   = []string{"reason", "input", "output", "data"}
)

var anyKey = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`"(?:` + strings.Join(slices.Concat(strongKeys, weakKeys), "|") + `)"\s*:`)
})

// maxSearch bounds the work of looking for an answer in other text.
const maxSearch = 16 << 20

var errSearch = errors.New("its stdout is text with so many braces in it that it can't be told whether there is an answer among them; text that is no answer goes to stderr")

// answerIn finds a JSON object in a text that reads like an answer, and returns a key
// that it has: a decision must not get lost because a line stands before it. Objects
// with keys that no answer has and the weak ones alone are log lines.
func answerIn(text string) (key string, err error) {
	at := anyKey().FindAllStringIndex(text, -1)
	work := 0
	for start := 0; len(at) > 0; {
		open := strings.IndexByte(text[start:], '{')
		if open < 0 {
			break
		}
		start += open
		for len(at) > 0 && at[0][0] < start {
			at = at[1:]
		}
		if len(at) == 0 {
			break
		}
		decoder := json.NewDecoder(strings.NewReader(text[start:]))
		var object map[string]json.RawMessage
		if err := decoder.Decode(&object); err != nil {
			syntax := (*json.SyntaxError)(nil)
			if errors.As(err, &syntax) {
				work += int(syntax.Offset)
			} else {
				work += len(text) - start
			}
			if work > maxSearch {
				return "", errSearch
			}
			start++
			continue
		}
		if key := answerKey(object); key != "" {
			return key, nil
		}
		start += int(decoder.InputOffset())
	}
	return "", nil
}

// answerKey is a key that makes an object an answer, "" where it is none.
func answerKey(object map[string]json.RawMessage) string {
	weak, foreign := "", false
	for _, k := range strongKeys {
		if _, ok := object[k]; ok {
			return k
		}
	}
	for k := range object {
		if slices.Contains(weakKeys, k) {
			weak = k
		} else {
			foreign = true
		}
	}
	if foreign {
		return ""
	}
	return weak
}
