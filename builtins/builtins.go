// Package builtins holds the hooks that come with luahook: one Lua file each, and a
// folder of the same name for what it requires, embedded. Deleting them removes the
// feature.
package builtins

import (
	"embed"
	"errors"
	"io/fs"
	"sort"
	"strings"
)

//go:embed *.lua */*.lua */*/*.lua
var files embed.FS

// Default is the built-in that is on without any configuration.
const Default = "safety-guard"

// Source returns the Lua source of a built-in by its name.
func Source(name string) (source string, ok bool) {
	if strings.HasSuffix(name, "_test") || strings.ContainsAny(name, `/\`) {
		return "", false
	}
	b, err := files.ReadFile(name + ".lua")
	return string(b), err == nil
}

// shared is the folder of what all built-ins can require.
const shared = "shared"

// Libraries returns the Lua sources that this built-in can require, by the name that
// require takes: "rules.git" is rules/git.lua in its folder, and "settings" is in the one
// that all share.
func Libraries(name string) map[string]string {
	sources := map[string]string{}
	if _, ok := Source(name); !ok {
		return sources
	}
	addLibraries(sources, shared)
	addLibraries(sources, name)
	return sources
}

func addLibraries(sources map[string]string, folder string) {
	err := fs.WalkDir(files, folder, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		library, ok := strings.CutSuffix(strings.TrimPrefix(p, folder+"/"), ".lua")
		if d.IsDir() || !ok || strings.HasSuffix(library, "_test") {
			return nil
		}
		source, err := files.ReadFile(p)
		sources[strings.ReplaceAll(library, "/", ".")] = string(source)
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // a built-in without a folder has none of its own
		panic(err) // they are embedded
	}
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
