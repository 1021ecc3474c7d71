package redact

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// maxDepth bounds how deep a value is searched; what lies deeper is left out, with a mark.
const maxDepth = 200

// authorization stands for a kind: a scheme and credentials.
const authorization = "authorization"

const tooDeep = "[too deep]"

// Value is a JSON-like value (what encoding/json decodes to, and []string and
// map[string]string) in which each text is redacted as by Text, and what stands under a
// key that says secret as a whole: texts, numbers of a password, and all texts in a list
// or an object. It returns v itself where nothing was found, else a copy; v isn't changed.
func (r *Redactor) Value(v any) (value any, found int) {
	w := &walk{r: r}
	value = w.value(v, "", 0)
	if w.found == 0 {
		return v, 0
	}
	return value, w.found
}

type walk struct {
	r      *Redactor
	found  int
	values int
}

// valueBytes is what a value costs beside its text, as so many bytes of text.
const valueBytes = 8

// value redacts what stands under a key of that kind, "" for any.
func (w *walk) value(v any, kind string, depth int) any {
	if w.values++; w.values%1024 == 0 && w.r.pay != nil {
		w.r.pay(1024 * valueBytes)
	}
	if depth > maxDepth {
		switch v.(type) {
		case map[string]any, []any, map[string]string, []string:
			w.found++
			return tooDeep
		}
	}
	switch v := v.(type) {
	case string:
		return w.text(v, kind)
	case map[string]any:
		return walkMap(w, v, kind, depth)
	case map[string]string:
		return walkMap(w, v, kind, depth)
	case []any:
		return walkList(w, v, kind, depth)
	case []string:
		return walkList(w, v, kind, depth)
	case int, int64, float64, json.Number:
		if kind == password && !w.r.keeps(fmt.Sprint(v)) {
			w.found++
			return mark(kind)
		}
	}
	return v
}

func walkMap[V any](w *walk, m map[string]V, kind string, depth int) any {
	before := w.found
	fresh := make(map[string]any, len(m))
	named, same := nameInside(m), map[string]int{}
	for name, v := range m {
		under := kind
		if named != "" && strings.EqualFold(name, "value") {
			under = named
		}
		if k := kindOfName(name); k != "" {
			under = k
		} else if isAuthorization(name) {
			under = authorization
		} else if isCookie(name) {
			under = cookie
		}
		key, n := w.r.Text(name)
		w.found += n
		if n > 0 { // two keys may look the same now
			key = numbered(key, fresh, same)
		}
		fresh[key] = w.value(v, under, depth+1)
	}
	if w.found == before {
		return m
	}
	return fresh
}

// numbered is a key that isn't taken: itself, or with the next number behind it. same counts
// the numbers that were given.
func numbered(key string, taken map[string]any, same map[string]int) string {
	fresh := key
	for _, is := taken[fresh]; is; _, is = taken[fresh] {
		same[key]++
		fresh = key + " " + strconv.Itoa(same[key]+1)
	}
	return fresh
}

// nameInside is what {"name": "DB_PASSWORD", "value": ...} says that its value is.
func nameInside[V any](m map[string]V) string {
	if len(m) < 2 {
		return ""
	}
	for _, field := range [...]string{"name", "Name", "key", "Key"} {
		if v, ok := m[field]; ok {
			if name, ok := any(v).(string); ok {
				return kindOfName(name)
			}
		}
	}
	return ""
}

// Bounds of a list that may be the words of a command.
const (
	maxWords     = 256
	maxWordBytes = 64 << 10
)

// commandOf is the list as the words of a command, in which a flag tells what the next word is,
// redacted; ok is false where it is none, and where nothing was found.
func commandOf[V any](w *walk, list []V) (words []string, ok bool) {
	const between = `", "`
	if len(list) < 2 || len(list) > maxWords {
		return nil, false
	}
	size, flags := 0, false
	words = make([]string, len(list))
	for i, v := range list {
		word, text := any(v).(string)
		if size += len(word); !text || size > maxWordBytes || strings.ContainsAny(word, "\"\\\n") {
			return nil, false
		}
		words[i], flags = word, flags || strings.HasPrefix(word, "-")
	}
	if !flags {
		return nil, false
	}
	line, found := w.r.Text(`["` + strings.Join(words, between) + `"]`)
	words = strings.Split(strings.TrimSuffix(strings.TrimPrefix(line, `["`), `"]`), between)
	if found == 0 || len(words) != len(list) {
		return nil, false
	}
	w.found += found
	return words, true
}

func walkList[V any](w *walk, list []V, kind string, depth int) any {
	before := w.found
	fresh := make([]any, len(list))
	if kind == "" {
		if words, ok := commandOf(w, list); ok {
			for i, word := range words {
				fresh[i] = w.value(word, kind, depth+1)
			}
			return fresh
		}
	}
	for i, v := range list {
		fresh[i] = w.value(v, kind, depth+1)
	}
	if w.found == before {
		return list
	}
	return fresh
}

func (w *walk) text(s, kind string) string {
	if kind == cookie {
		text, n := w.r.Text(cookie + ": " + s)
		w.found += n
		return strings.TrimPrefix(text, cookie+": ")
	}
	text, n := w.r.Text(s)
	if kind == "" || stands(s) || w.r.keeps(s) || n > 0 && markAt(text) == len(text) {
		w.found += n
		return text
	}
	if kind == authorization {
		scheme, rest, ok := strings.Cut(s, " ")
		switch {
		case n > 0 || ok && stands(rest):
			w.found += n
			return text
		case ok && w.r.keeps(rest):
			return text
		case ok:
			w.found++
			return scheme + " " + mark("credentials")
		}
		kind = "credentials"
	}
	if len(s) < 4 || strings.ContainsAny(s, " \t") && mentionsSecret(s) || wordsOfSecrets(s) || strings.Contains(s, opening) {
		w.found += n
		return text
	}
	w.found++
	return mark(kind)
}
