package builtins

import (
	_ "embed"
	"strings"
)

// registered lists what the built-ins register if their entry has no options: a line of words for
// each hook. `go test ./builtins -update` writes it; a built-in with a required option
// isn't listed.
//
//go:embed registered.txt
var registered string

// Registered is one call of on(...) of a built-in.
type Registered struct {
	Event     string
	Line      string // of its file
	Name      string
	Match     map[string]string // nil: everything
	OnFailure string
	Always    bool
	Answers   string // the first word of the answers that the function uses
}

// Hooks returns the hooks that a built-in without options registers, in order. It is nil if that isn't known,
// for instance because the built-in's file was edited.
func Hooks(name string) (hooks []Registered) {
	for line := range strings.SplitSeq(registered, "\n") {
		rest, ok := strings.CutPrefix(line, name+" ")
		if !ok {
			continue
		}
		words := strings.Fields(rest)
		if len(words) < 2 {
			return nil
		}
		h := Registered{Event: words[0], Line: words[1]}
		for _, word := range words[2:] {
			key, value, _ := strings.Cut(word, "=")
			switch key {
			case "name":
				h.Name = value
			case "on_failure":
				h.OnFailure = value
			case "always":
				h.Always = true
			case "answers":
				h.Answers = value
			default:
				field, ok := strings.CutPrefix(key, "match.")
				if !ok {
					return nil
				}
				if h.Match == nil {
					h.Match = map[string]string{}
				}
				h.Match[field] = value
			}
		}
		hooks = append(hooks, h)
	}
	if f, ok := Find(name); ok && hooks != nil {
		if _, ok := f.Compiled(); ok {
			return hooks
		}
	}
	return nil
}
