package script

import (
	"maps"
	"slices"
	"strings"
	"sync"
)

// pyModules are the modules that have something of interest.
var pyModules = wordSet("os sys subprocess shutil pathlib pty asyncio commands platform glob io codecs gzip bz2 lzma tarfile zipfile importlib builtins functools stat shlex base64 threading multiprocessing atexit ctypes concurrent tempfile posix nt pexpect posixpath ntpath runpy code operator binascii")

// pyBuiltins are the functions that need no import.
var pyBuiltins = wordSet("open exec eval compile execfile file __import__ getattr vars globals locals map filter str repr bytes bytearray list tuple set sorted reversed iter next chr len enumerate zip dict __builtins__ int range")

// pyRenamed are names for what has another one, too.
var pyRenamed = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"posix": "os", "nt": "os", "posixpath": "os.path", "ntpath": "os.path",
		"__builtin__": "builtins", "builtins.__builtins__": "builtins", "__builtins__": "builtins",
		"io.open": "builtins.open", "_io.open": "builtins.open", "builtins.file": "builtins.open", "os.popen2": "os.popen", "os.popen3": "os.popen", "os.popen4": "os.popen",
		"pathlib.PosixPath": "pathlib.Path", "pathlib.WindowsPath": "pathlib.Path", "pathlib.PurePath": "pathlib.Path", "pathlib.PurePosixPath": "pathlib.Path",
		"importlib.__import__": "builtins.__import__", "importlib.import_module": "builtins.__import__",
		"commands.getoutput": "subprocess.getoutput", "commands.getstatusoutput": "subprocess.getstatusoutput", "commands.getstatus": "subprocess.getoutput",
		"asyncio.subprocess.create_subprocess_shell": "asyncio.create_subprocess_shell", "asyncio.subprocess.create_subprocess_exec": "asyncio.create_subprocess_exec",
	}
})

// cutLast cuts a full name at its last dot.
func cutLast(name string) (before, last string) {
	i := strings.LastIndexByte(name, '.')
	return name[:max(i, 0)], name[i+1:]
}

// pyFullName returns the name under which something is known here.
func pyFullName(name string) string {
	if full, ok := pyRenamed()[name]; ok {
		return full
	}
	module, last := cutLast(name)
	if module == "" {
		return name
	}
	if full, ok := pyRenamed()[module]; ok {
		return pyFullName(full + "." + last)
	}
	// Modules are found in others that import them: shutil.os is os.
	if pyModules()[module] && (last == "os" || last == "sys" || last == "subprocess" || last == "shutil" || last == "builtins") {
		return last
	}
	return name
}

// pyNamed returns what is known of the thing with the full name.
func pyNamed(name string) pyValue {
	switch name {
	case "os.sep", "os.path.sep":
		return pyKnown("/")
	case "os.curdir", "os.path.curdir":
		return pyKnown(".")
	case "os.pardir", "os.path.pardir":
		return pyKnown("..")
	case "os.devnull":
		return pyKnown("/dev/null")
	case "os.linesep":
		return pyKnown("\n")
	case "sys.executable":
		return pyKnown("python3")
	}
	return pyValue{kind: pyLibrary, text: name}
}

// pyExported are the names that "from module import *" binds.
var pyExported = sync.OnceValue(func() map[string][]string {
	exported := map[string][]string{}
	for name := range pyEffects() {
		module, last := cutLast(name)
		exported[module] = append(exported[module], last)
	}
	for name := range pyPure() {
		module, last := cutLast(name)
		exported[module] = append(exported[module], last)
	}
	exported["os"] = append(exported["os"], "path", "environ", "chdir")
	exported["builtins"] = nil
	for _, names := range exported {
		slices.Sort(names)
	}
	return exported
})

// member returns what value.name is.
func (in *pyInterpreter) member(value pyValue, name, source string) pySet {
	switch value.kind {
	case pyLibrary:
		if name == "__dict__" {
			return pySet{value}
		}
		if name == "__getattribute__" {
			return pySet{{kind: pyMethod, text: name, items: []pyValue{value}}}
		}
		full := pyFullName(value.text + "." + name)
		if value.text == "builtins" && !pyBuiltins()[name] {
			return pySet{{text: source}}
		}
		return pySet{pyNamed(full)}
	case pyPath:
		switch name {
		case "parent":
			return pySet{pyParent(value, source)}
		case "name", "stem", "suffix", "parents", "parts", "drive", "root", "anchor":
			return pySet{pyPathPart(value, name, source)}
		case "path":
			value.kind = pyStr
			return pySet{value}
		}
	case pyProcess:
		if name == "stdin" {
			return pySet{value}
		}
	}
	return pySet{{kind: pyMethod, text: name, items: []pyValue{value}}}
}

// pyUnmistakable are the methods that say what they do on whatever they're
// called.
var pyUnmistakable = wordSet("unlink write_text write_bytes rmtree symlink_to")

// method returns what value.name(args) returns, and notes what it does.
func (in *pyInterpreter) method(value pyValue, name string, args pyArguments, e *pyExpr) pySet {
	if own := in.methods[name]; own != nil && (value.kind == pyUnknown || value.kind == pyMethod || value.kind == pyOwn) {
		return in.invoke(own, args, e.source)
	}
	switch value.kind {
	case pyPath:
		return in.pathMethod(value, name, &args, e)
	case pyStr:
		return pySet{in.textMethod(value, name, &args, e)}
	case pyProcess:
		return in.feed(value, name, &args, e)
	case pyPairs:
		if key, ok := args.get(0, ""); ok && name == "get" {
			return pySet{in.index(value, key, e.source)}
		}
	case pyOwn:
		if name == "__call__" {
			return in.invoke(value.function, args, e.source)
		}
	case pyLibrary:
		switch key, _ := args.get(0, ""); {
		case name == "__call__":
			return in.library(value.text, args, e)
		case name == "__getattribute__" && key.whole():
			return in.member(value, key.text, e.source)
		}
	case pyUnknown, pyMethod:
		if pyUnmistakable()[name] {
			value = pyValue{kind: pyPath, text: value.text, dynamic: true}
			if _, ok := args.get(0, "path"); ok && name == "unlink" && len(args.values) > 0 {
				break // remove a thing from another
			}
			return in.pathMethod(value, name, &args, e)
		}
	}
	in.handOn(name, args, e)
	return pySet{{text: e.source}}
}

// sortedNames returns the keys in order.
func sortedNames(set map[string]bool) []string {
	return slices.Sorted(maps.Keys(set))
}
