package script

import (
	"strings"
	"sync"
)

// JavaScript returns what a program for node, bun or deno calls. It may be a
// module, a script or the text of node -e, and TypeScript.
func JavaScript(source string) Program { return analyse(&jsLanguage, source) }

var jsLanguage language

func init() {
	jsLanguage = language{read: jsRead, global: jsGlobal, member: jsMember, call: jsCall}
}

func jsRead(source string, line int) (*tree, bool) {
	return parseCurly(source, jsTokens(source, line), false)
}

// jsModules are the modules that are known, under the name that this package
// has for them. Those that only add to one of node's go by the name of that.
var jsModules = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"child_process": "child_process", "cross-spawn": "child_process.spawn", "shelljs": "shelljs", "shelljs/global": "shelljs",
		"fs": "fs", "fs/promises": "fs.promises", "fs-extra": "fs", "graceful-fs": "fs", "original-fs": "fs",
		"os": "os", "path": "path", "path/posix": "path", "path/win32": "path", "process": "process", "module": "module",
		"util": "util", "vm": "vm", "worker_threads": "worker_threads", "timers": "", "url": "url", "buffer": "buffer",
		"rimraf": "rimraf", "del": "del", "zx": "zx", "zx/globals": "zx", "execa": "execa", "bun": "Bun", "dax": "zx", "dax-sh": "zx",
	}
})

// jsModule returns the name of the module that require or import gives.
func jsModule(specifier string) (string, bool) {
	name := specifier
	for _, scheme := range []string{"node:", "npm:", "jsr:"} {
		name = strings.TrimPrefix(name, scheme)
	}
	if name == "@david/dax" {
		name = "dax"
	}
	if at := strings.LastIndexByte(name, '@'); at > 0 { // a version
		name = name[:at]
	}
	module, ok := jsModules()[strings.TrimSuffix(name, "/")]
	return module, ok
}

// jsGlobals are the names that programs have without a declaration. The text of
// node -e has the modules, too.
const jsGlobals = " child_process fs os path process module util vm worker_threads require import eval Function globalThis global window" +
	" Deno Bun Buffer String Array Object Reflect Promise JSON atob unescape decodeURIComponent decodeURI fetch console __dirname __filename setTimeout setImmediate setInterval queueMicrotask "

func jsGlobal(name string) (fact, bool) {
	if name == "__dirname" {
		return fact{kind: factText, text: "."}, true
	}
	if strings.Contains(jsGlobals, " "+name+" ") {
		return fact{kind: factLibrary, text: name}, true
	}
	return fact{}, false
}

// jsMember knows the members that are another name for something.
func jsMember(of *fact, name string) (fact, bool) {
	if of.kind != factLibrary {
		if of.kind == factList && name == "length" {
			return fact{text: "length"}, true
		}
		return fact{}, false
	}
	library := func(text string) (fact, bool) { return fact{kind: factLibrary, text: text}, true }
	switch of.text {
	case "globalThis", "global", "window":
		return library(name)
	case "process":
		switch name {
		case "mainModule":
			return library("module")
		case "argv":
			return fact{text: "process.argv"}, true
		}
	case "module":
		if name == "require" || name == "_load" {
			return library("require")
		}
		if name == "constructor" || name == "Module" {
			return library("module")
		}
	case "process.env":
		if name == "HOME" || name == "USERPROFILE" {
			return fact{kind: factText, text: homeMark}, true
		}
		if name == "PWD" {
			return fact{kind: factText, text: "."}, true
		}
	case "import.meta":
		if name == "dirname" || name == "dir" {
			return fact{kind: factText, text: "."}, true
		}
		if name == "require" {
			return library("require")
		}
	case "require":
		if name == "main" {
			return library("module")
		}
	case "path":
		switch name {
		case "posix", "win32":
			return library("path")
		case "sep":
			return fact{kind: factText, text: "/"}, true
		}
	case "zx", "Bun":
		if name == "$" {
			return library(of.text + ".$")
		}
	}
	if name == "default" || name == "__esModule" {
		return *of, true
	}
	if name == "constructor" {
		return library("Object.constructor")
	}
	return fact{}, false
}

// jsFunction returns the name of a function of a library in [jsEffects]: without "promises" and
// "Sync", which change when it returns but not what it does.
func jsFunction(name string) string {
	name = strings.TrimSuffix(name, "Sync")
	if rest, ok := strings.CutPrefix(name, "fs.promises."); ok {
		return "fs." + rest
	}
	return name
}

// jsUnmistakable returns the library's function that a method of an unknown
// object must be.
func jsUnmistakable(name string, self facts) (string, bool) {
	anything := len(self) == 1 && self[0].kind == factUnknown && strings.HasPrefix(self[0].text, jsAnyModule)
	for _, module := range []string{"fs.", "child_process."} {
		full := module + name
		_, known := jsEffects()[jsFunction(full)]
		known = known || jsStarts()[jsFunction(full)] != ""
		if known && (anything || strings.HasSuffix(name, "Sync") && name != "openSync") {
			return full, true
		}
	}
	return "", false
}

// jsAnyModule begins the source of a module whose name isn't known.
const jsAnyModule = "require("

// jsEffects are the functions of the libraries that change files.
// https://nodejs.org/api/fs.html, https://docs.deno.com/api/deno/,
// https://github.com/jprichardson/node-fs-extra and https://github.com/shelljs/shelljs.
var jsEffects = sync.OnceValue(func() map[string]effect {
	return map[string]effect{
		"fs.rm":         {kind: Delete, args: "0", options: 1},
		"fs.rmdir":      {kind: Delete, args: "0", options: 1},
		"fs.unlink":     {kind: Delete, args: "0"},
		"fs.truncate":   {kind: Write, args: "0"},
		"fs.writeFile":  {kind: Write, args: "0", options: 2},
		"fs.appendFile": {kind: Append, args: "0"},
		"fs.rename":     {kind: Move, args: "01"},
		"fs.copyFile":   {kind: Copy, args: "01"},
		"fs.cp":         {kind: Copy, args: "01", options: 2},
		"fs.chmod":      {kind: Mode, args: "10"},
		"fs.lchmod":     {kind: Mode, args: "10"},
		"fs.chown":      {kind: Owner, args: "120"},
		"fs.lchown":     {kind: Owner, args: "120"},
		"fs.symlink":    {kind: Link, args: "01"},

		"fs.createWriteStream": {kind: Write, args: "0", options: 1},

		"fs.remove":     {kind: Delete, args: "0", deep: true},
		"fs.emptyDir":   {kind: Delete, args: "0", deep: true},
		"fs.emptydir":   {kind: Delete, args: "0", deep: true},
		"fs.move":       {kind: Move, args: "01"},
		"fs.copy":       {kind: Copy, args: "01", deep: true},
		"fs.outputFile": {kind: Write, args: "0"},
		"fs.outputJson": {kind: Write, args: "0"},
		"fs.writeJson":  {kind: Write, args: "0"},

		"rimraf":          {kind: Delete, args: "0", deep: true},
		"rimraf.sync":     {kind: Delete, args: "0", deep: true},
		"rimraf.rimraf":   {kind: Delete, args: "0", deep: true},
		"rimraf.native":   {kind: Delete, args: "0", deep: true},
		"rimraf.manual":   {kind: Delete, args: "0", deep: true},
		"rimraf.posix":    {kind: Delete, args: "0", deep: true},
		"del":             {kind: Delete, args: "0", deep: true},
		"del.sync":        {kind: Delete, args: "0", deep: true},
		"del.delete":      {kind: Delete, args: "0", deep: true},
		"del.deleteAsync": {kind: Delete, args: "0", deep: true},

		"Deno.remove":        {kind: Delete, args: "0", options: 1},
		"Deno.writeTextFile": {kind: Write, args: "0", options: 2},
		"Deno.writeFile":     {kind: Write, args: "0", options: 2},
		"Deno.create":        {kind: Write, args: "0"},
		"Deno.truncate":      {kind: Write, args: "0"},
		"Deno.rename":        {kind: Move, args: "01"},
		"Deno.copyFile":      {kind: Copy, args: "01"},
		"Deno.chmod":         {kind: Mode, args: "10"},
		"Deno.chown":         {kind: Owner, args: "120"},
		"Deno.symlink":       {kind: Link, args: "01"},

		"Bun.write": {kind: Write, args: "0"},
	}
})
