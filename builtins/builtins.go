// Package builtins holds the hooks that come with luahook: one Lua file each,
// embedded. Deleting a file removes the feature.
package builtins

import (
	"embed"
	"sort"
	"strings"
)

// The pattern is not *.lua, which would no longer compile once the last one is gone.
//
//go:embed *
var files embed.FS

// Default is the built-in that is on without any configuration.
const Default = "safety-guard"

// Source returns the Lua source of a built-in by its name.
func Source(name string) (source string, ok bool) {
	if strings.HasSuffix(name, "_test") {
		return "", false
	}
	b, err := files.ReadFile(name + ".lua")
	return string(b), err == nil
}

// Names lists the built-ins.
func Names() []string {
	entries, err := files.ReadDir(".")
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), ".lua"); ok && !strings.HasSuffix(name, "_test") {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	return names
}
