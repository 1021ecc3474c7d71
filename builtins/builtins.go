// Package builtins holds the hooks that come with luahook: one Lua file each, and a folder of the same name for
// the files that it requires, embedded. Deleting both removes the hook.
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

// File is a Lua file of a built-in.
type File struct{ path string }

// Path returns the file's path in the folder of the built-ins.
func (f File) Path() string { return f.path }

func (f File) read() []byte {
	source, err := files.ReadFile(f.path)
	if err != nil {
		panic(err) // they are embedded
	}
	return source
}

// Source returns the content of the file.
func (f File) Source() string { return string(f.read()) }

// Find returns the file of a built-in by its name.
func Find(name string) (f File, ok bool) {
	if strings.HasSuffix(name, "_test") || strings.ContainsAny(name, `/\`) {
		return File{}, false
	}
	info, err := fs.Stat(files, name+".lua")
	if err != nil || info.IsDir() {
		return File{}, false
	}
	return File{name + ".lua"}, true
}

// Source returns the Lua source of a built-in by its name.
func Source(name string) (source string, ok bool) {
	f, ok := Find(name)
	if !ok {
		return "", false
	}
	return f.Source(), true
}

// shared is the folder of the files that all built-ins can require.
const shared = "shared"

// Files returns the files that this built-in can require, by the name for require: "rules.git" is rules/git.lua
// in its folder, and "settings" is in the shared one.
func Files(name string) map[string]File {
	found := map[string]File{}
	if _, ok := Find(name); !ok {
		return found
	}
	addFiles(found, shared, shared)
	addFiles(found, name, name)
	return found
}

func addFiles(found map[string]File, top, folder string) {
	entries, err := files.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) { // a built-in without a folder has none of its own
		return
	} else if err != nil {
		panic(err) // they are embedded
	}
	for _, e := range entries {
		path := folder + "/" + e.Name()
		if e.IsDir() {
			addFiles(found, top, path)
			continue
		}
		library, ok := strings.CutSuffix(strings.TrimPrefix(path, top+"/"), ".lua")
		if ok && !strings.HasSuffix(library, "_test") {
			found[strings.ReplaceAll(library, "/", ".")] = File{path}
		}
	}
}

// Libraries returns the sources of Files.
func Libraries(name string) map[string]string {
	sources := map[string]string{}
	for library, f := range Files(name) {
		sources[library] = f.Source()
	}
	return sources
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
