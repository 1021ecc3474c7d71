package script

import (
	"path"
	"strings"
	"sync"
)

func pyUnknowing(_ *pyInterpreter, _ *pyArguments, source string) pyValue {
	return pyValue{text: source}
}

func pyConstantly(value pyValue) pyPureFunc {
	return func(*pyInterpreter, *pyArguments, string) pyValue { return value }
}

// pySame is for functions that return their argument, or another form of it.
func pySame(name string) pyPureFunc {
	return func(_ *pyInterpreter, args *pyArguments, source string) pyValue {
		if v, ok := args.get(0, name); ok && v.textual() {
			return v
		}
		return pyValue{text: source}
	}
}

// pyJoin returns the path that a and b make.
func pyJoin(kind pyKind, a, b pyValue) pyValue {
	first, unknownFirst := a.piece()
	second, unknownSecond := b.piece()
	joined := pyValue{kind: kind, text: second, dynamic: len(unknownSecond) > 0, parts: unknownSecond, home: b.home}
	switch {
	case b.textual() && (b.home || strings.HasPrefix(second, "/")):
		return joined
	case first == "" || first == "." && kind == pyPath:
		return joined
	case second == "" && kind == pyPath, second == "." && kind == pyPath:
		joined.text = first
	case strings.HasSuffix(first, "/"):
		joined.text = first + second
	default:
		joined.text = first + "/" + second
	}
	joined.parts = append(unknownFirst[:len(unknownFirst):len(unknownFirst)], unknownSecond...)
	joined.home, joined.dynamic = a.home, len(joined.parts) > 0
	return joined
}

func pyJoinKind(kind pyKind, in *pyInterpreter, values []pyValue, source string) pyValue {
	if len(values) == 0 {
		return pyValue{kind: kind, text: "."}
	}
	joined := pyValue{kind: kind}
	for i := range values {
		if !in.spend(1+len(joined.text)/16+len(joined.parts)) || len(joined.text) > maxSource {
			return pyValue{kind: kind, text: source, dynamic: true}
		}
		joined = pyJoin(kind, joined, values[i])
	}
	return joined
}

func pyJoinAll(in *pyInterpreter, args *pyArguments, source string) pyValue {
	return pyJoinKind(pyStr, in, args.values, source)
}

func pyPathOf(in *pyInterpreter, args *pyArguments, source string) pyValue {
	if len(args.values) == 1 && !args.values[0].textual() {
		return pyValue{kind: pyPath, text: args.values[0].text, dynamic: true}
	}
	return pyJoinKind(pyPath, in, args.values, source)
}

func pyExpandUser(in *pyInterpreter, args *pyArguments, source string) pyValue {
	v := pySame("path")(in, args, source)
	if v.textual() && (v.text == "~" || strings.HasPrefix(v.text, "~/")) {
		v.home = true
	} else if v.textual() && strings.HasPrefix(v.text, "~") {
		v.dynamic = true // the home of another user
	}
	return v
}

func pyExpandVars(in *pyInterpreter, args *pyArguments, source string) pyValue {
	v := pySame("path")(in, args, source)
	for _, name := range []string{"$HOME", "${HOME}"} {
		if rest, ok := strings.CutPrefix(v.text, name); ok && v.textual() && (rest == "" || rest[0] == '/') {
			v.text, v.home = "~"+rest, true
		}
	}
	v.dynamic = v.dynamic || strings.Contains(v.text, "$")
	return v
}

// pyEnvironment returns the value of an environment variable.
func pyEnvironment(name pyValue, source string) pyValue {
	if name.whole() && name.text == "HOME" {
		return pyValue{kind: pyStr, text: "~", home: true}
	}
	return pyValue{text: source}
}

func pyGetenv(_ *pyInterpreter, args *pyArguments, source string) pyValue {
	name, _ := args.get(0, "key")
	return pyEnvironment(name, source)
}

// pyParent returns the folder of a path.
func pyParent(v pyValue, source string) pyValue {
	i := strings.LastIndexByte(v.text, '/')
	if v.dynamic || v.home && i < 0 || v.text == ".." {
		return pyValue{kind: v.kind, text: source, dynamic: true}
	}
	switch {
	case i < 0:
		v.text = "."
	case i == 0:
		v.text = "/"
	default:
		v.text = v.text[:i]
	}
	return v
}

func pyPathPart(v pyValue, name, source string) pyValue {
	base := path.Base(v.text)
	switch {
	case v.dynamic || v.home && !strings.Contains(v.text, "/"):
	case name == "name":
		return pyKnown(base)
	case name == "stem":
		return pyKnown(strings.TrimSuffix(base, path.Ext(base)))
	case name == "suffix":
		return pyKnown(path.Ext(base))
	}
	return pyValue{text: source}
}

func pyDirname(in *pyInterpreter, args *pyArguments, source string) pyValue {
	v := pySame("p")(in, args, source)
	switch {
	case !v.textual():
		return v
	case !v.dynamic && !strings.Contains(v.text, "/"):
		return pyKnown("")
	}
	v = pyParent(v, source)
	v.kind = pyStr
	return v
}

func pyBasename(in *pyInterpreter, args *pyArguments, source string) pyValue {
	v := pySame("p")(in, args, source)
	if !v.textual() || v.dynamic || v.home {
		return pyValue{text: source}
	}
	return pyKnown(v.text[strings.LastIndexByte(v.text, '/')+1:])
}

// pyListing returns the names in a folder.
func pyListing(_ *pyInterpreter, _ *pyArguments, source string) pyValue {
	return pyValue{kind: pyItems, text: source, items: []pyValue{{text: source, rest: true}}}
}

// pyBelow returns any number of paths below folder.
func pyBelow(folder pyValue, kind pyKind, name, source string) pyValue {
	below := pyJoin(kind, folder, pyValue{kind: pyStr, text: name, dynamic: true})
	below.rest = true
	return pyValue{kind: pyItems, text: source, items: []pyValue{below}}
}

func pyEntries(_ *pyInterpreter, args *pyArguments, source string) pyValue {
	folder, ok := args.get(0, "path")
	if !ok {
		folder = pyKnown(".")
	}
	return pyBelow(folder, pyPath, "*", source)
}

// pyWalk returns what os.walk does: folders, each with the names of the folders
// and files in it.
func pyWalk(_ *pyInterpreter, args *pyArguments, source string) pyValue {
	top, ok := args.get(0, "top")
	if !ok {
		return pyValue{text: source}
	}
	folder := pyBelow(top, pyStr, "**", source).items[0]
	folder.rest = false
	names := pyValue{kind: pyItems, text: source, items: []pyValue{{text: source, rest: true}}}
	row := pyValue{kind: pyItems, text: source, rest: true, items: []pyValue{folder, names, names}}
	return pyValue{kind: pyItems, text: source, items: []pyValue{row}}
}

func pyGlob(_ *pyInterpreter, args *pyArguments, source string) pyValue {
	pattern, ok := args.get(0, "pathname")
	if !ok || !pattern.textual() {
		pattern = pyValue{text: source}
	}
	pattern.rest = true
	return pyValue{kind: pyItems, text: source, items: []pyValue{pattern}}
}

// pathMethods are the methods of a path that do what a function does that is
// given it first.
var pathMethods = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"unlink": "os.remove", "rmdir": "os.rmdir", "chmod": "os.chmod", "lchmod": "os.chmod", "rename": "os.rename", "replace": "os.replace",
		"open": "builtins.open", "rmtree": "shutil.rmtree", "copy": "shutil.copy", "move": "shutil.move", "copy_into": "shutil.copy", "move_into": "shutil.move",
	}
})

// pathMethod returns what a method of a path returns, and notes what it does.
func (in *pyInterpreter) pathMethod(v pyValue, name string, args *pyArguments, e *pyExpr) pySet {
	whole := v.argument()
	whole.Rest = false
	if v.rest {
		whole.Dynamic = true
	}
	function := "Path." + name
	switch name {
	case "write_text", "write_bytes":
		call := Call{Func: function, Kind: Write, Args: []Arg{whole}}
		if text, ok := args.get(0, "data"); ok {
			written := text.argument()
			call.Input = &written
		}
		in.emit(call, e)
		return pySet{{text: e.source}}
	case "touch":
		in.emit(Call{Func: function, Kind: Append, Args: []Arg{whole}}, e)
		return pySet{{text: e.source}}
	case "symlink_to", "hardlink_to":
		if target, ok := args.get(0, "target"); ok {
			in.emit(Call{Func: function, Kind: Link, Args: []Arg{target.argument(), whole}}, e)
		}
		return pySet{{text: e.source}}
	case "joinpath":
		return pySet{pyJoinKind(pyPath, in, append([]pyValue{v}, args.values...), e.source)}
	case "resolve", "absolute", "readlink":
		return pySet{v}
	case "expanduser":
		return pySet{pyExpandUser(in, &pyArguments{values: []pyValue{v}}, e.source)}
	case "as_posix", "__str__", "__fspath__":
		v.kind = pyStr
		return pySet{v}
	case "with_name", "with_suffix", "with_stem", "relative_to":
		return pySet{{kind: pyPath, text: e.source, dynamic: true}}
	case "iterdir":
		return pySet{pyBelow(v, pyPath, "*", e.source)}
	case "glob", "rglob":
		pattern, _ := args.get(0, "pattern")
		text, _ := pattern.piece()
		if name == "rglob" {
			text = "**/" + text
		}
		return pySet{pyBelow(v, pyPath, text, e.source)}
	}
	if same, ok := pathMethods()[name]; ok {
		v.rest = false
		args := *args
		args.values = append([]pyValue{v}, args.values...)
		if name == "chmod" && len(args.values) > 2 {
			args.values = args.values[:2]
		}
		return pyEffects()[same](in, function, &args, e)
	}
	return pySet{{text: e.source}}
}
