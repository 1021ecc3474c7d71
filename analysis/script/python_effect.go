package script

import (
	"strconv"
	"strings"
	"sync"
)

// pyEffect notes what a call does and returns what it returns.
type pyEffect func(in *pyInterpreter, name string, args *pyArguments, e *pyExpr) pySet

// pyEffects are the functions that do something of interest.
var pyEffects func() map[string]pyEffect

func init() { pyEffects = sync.OnceValue(newPyEffects) }

func newPyEffects() map[string]pyEffect {
	return map[string]pyEffect{
		"os.remove":                       pyOn(Delete, false, "path"),
		"os.unlink":                       pyOn(Delete, false, "path"),
		"os.rmdir":                        pyOn(Delete, false, "path"),
		"os.removedirs":                   pyOn(Delete, false, "name"),
		"shutil.rmtree":                   pyOn(Delete, true, "path"),
		"os.rename":                       pyOn(Move, false, "src", "dst"),
		"os.renames":                      pyOn(Move, false, "old", "new"),
		"os.replace":                      pyOn(Move, false, "src", "dst"),
		"shutil.move":                     pyOn(Move, false, "src", "dst"),
		"shutil.copy":                     pyOn(Copy, false, "src", "dst"),
		"shutil.copy2":                    pyOn(Copy, false, "src", "dst"),
		"shutil.copyfile":                 pyOn(Copy, false, "src", "dst"),
		"shutil.copytree":                 pyOn(Copy, true, "src", "dst"),
		"os.symlink":                      pyOn(Link, false, "src", "dst"),
		"os.link":                         pyOn(Link, false, "src", "dst"),
		"os.truncate":                     pyOn(Write, false, "path"),
		"os.chmod":                        pyChmod,
		"os.lchmod":                       pyChmod,
		"os.chown":                        pyChown,
		"os.lchown":                       pyChown,
		"shutil.chown":                    pyShutilChown,
		"os.open":                         pyOsOpen,
		"builtins.open":                   pyOpen("file", "r"),
		"codecs.open":                     pyOpen("filename", "r"),
		"gzip.open":                       pyOpen("filename", "rb"),
		"gzip.GzipFile":                   pyOpen("filename", "rb"),
		"bz2.open":                        pyOpen("filename", "rb"),
		"bz2.BZ2File":                     pyOpen("filename", "rb"),
		"lzma.open":                       pyOpen("filename", "rb"),
		"lzma.LZMAFile":                   pyOpen("filename", "rb"),
		"io.FileIO":                       pyOpen("file", "r"),
		"tarfile.open":                    pyOpen("name", "r"),
		"tarfile.TarFile":                 pyOpen("name", "r"),
		"zipfile.ZipFile":                 pyOpen("file", "r"),
		"aiofiles.open":                   pyOpen("file", "r"),
		"os.system":                       pyShell("command"),
		"os.popen":                        pyShell("cmd"),
		"libc.system":                     pyShell("command"),
		"platform.popen":                  pyShell("cmd"),
		"pexpect.run":                     pyShell("command"),
		"pexpect.runu":                    pyShell("command"),
		"invoke.run":                      pyShell("command"),
		"pexpect.spawn":                   pySpawnText,
		"pty.spawn":                       pySubprocess,
		"os.execl":                        pyExec(0, false, false),
		"os.execle":                       pyExec(0, false, true),
		"os.execlp":                       pyExec(0, false, false),
		"os.execlpe":                      pyExec(0, false, true),
		"os.execv":                        pyExec(0, true, false),
		"os.execve":                       pyExec(0, true, false),
		"os.execvp":                       pyExec(0, true, false),
		"os.execvpe":                      pyExec(0, true, false),
		"os.spawnl":                       pyExec(1, false, false),
		"os.spawnle":                      pyExec(1, false, true),
		"os.spawnlp":                      pyExec(1, false, false),
		"os.spawnlpe":                     pyExec(1, false, true),
		"os.spawnv":                       pyExec(1, true, false),
		"os.spawnve":                      pyExec(1, true, false),
		"os.spawnvp":                      pyExec(1, true, false),
		"os.spawnvpe":                     pyExec(1, true, false),
		"os.posix_spawn":                  pyExec(0, true, false),
		"os.posix_spawnp":                 pyExec(0, true, false),
		"os.startfile":                    pySubprocess,
		"subprocess.run":                  pySubprocess,
		"subprocess.call":                 pySubprocess,
		"subprocess.Popen":                pySubprocess,
		"subprocess.check_call":           pySubprocess,
		"subprocess.check_output":         pySubprocess,
		"subprocess.getoutput":            pyShell("cmd"),
		"subprocess.getstatusoutput":      pyShell("cmd"),
		"asyncio.create_subprocess_shell": pyShell("cmd"),
		"asyncio.create_subprocess_exec":  pyAsyncExec,
	}
}

// pyOn is for functions that do something with the files that these arguments
// name.
func pyOn(kind Kind, recursive bool, params ...string) pyEffect {
	return func(in *pyInterpreter, name string, args *pyArguments, e *pyExpr) pySet {
		call := Call{Func: name, Kind: kind, Recursive: recursive}
		for i, param := range params {
			v, ok := args.get(i, param)
			if !ok && !args.unknown {
				return pySet{{text: e.source}} // it fails
			}
			if !ok {
				v = pyValue{text: param}
			}
			call.Args = append(call.Args, v.argument())
		}
		in.emit(call, e)
		if kind == Move || kind == Copy {
			return pySet{{text: e.source}}
		}
		return pySet{{kind: pyConst, text: "None"}}
	}
}

func pyChmod(in *pyInterpreter, name string, args *pyArguments, e *pyExpr) pySet {
	file, ok := args.get(0, "path")
	if !ok {
		return pySet{{text: e.source}}
	}
	mode, _ := args.get(1, "mode")
	how := Arg{Text: mode.text, Dynamic: true}
	if mode.kind == pyInt && mode.number >= 0 {
		how = Arg{Text: strconv.FormatInt(int64(mode.number), 8)}
	}
	in.emit(Call{Func: name, Kind: Mode, Args: []Arg{how, file.argument()}}, e)
	return pySet{{kind: pyConst, text: "None"}}
}

// ownerPart is a user or group as chown takes it, "" for one that stays.
func ownerPart(v pyValue, ok bool) (string, []string) {
	if !ok || v.is("None") || v.kind == pyInt && v.number < 0 {
		return "", nil
	}
	return v.piece()
}

// owned notes a change of a file's owner.
func (in *pyInterpreter) owned(name, user, group string, unknown []string, file pyValue, e *pyExpr) pySet {
	if group != "" {
		user += ":" + group
	}
	in.emit(Call{Func: name, Kind: Owner, Args: []Arg{{Text: user, Dynamic: len(unknown) > 0, Parts: unknown}, file.argument()}}, e)
	return pySet{{kind: pyConst, text: "None"}}
}

func pyChown(in *pyInterpreter, name string, args *pyArguments, e *pyExpr) pySet {
	file, ok := args.get(0, "path")
	if !ok {
		return pySet{{text: e.source}}
	}
	user, unknownUser := ownerPart(args.get(1, "uid"))
	group, unknownGroup := ownerPart(args.get(2, "gid"))
	return in.owned(name, user, group, append(unknownUser, unknownGroup...), file, e)
}

func pyShutilChown(in *pyInterpreter, name string, args *pyArguments, e *pyExpr) pySet {
	file, ok := args.get(0, "path")
	if !ok {
		return pySet{{text: e.source}}
	}
	user, unknownUser := ownerPart(args.get(1, "user"))
	group, unknownGroup := ownerPart(args.get(2, "group"))
	return in.owned(name, user, group, append(unknownUser, unknownGroup...), file, e)
}

// pyOpen is for functions that open a file in a mode.
func pyOpen(param, missing string) pyEffect {
	return func(in *pyInterpreter, name string, args *pyArguments, e *pyExpr) pySet {
		file, ok := args.get(0, param)
		mode, given := args.get(1, "mode")
		if name == "Path.open" && given && mode.kind == pyInt { // path.py
			given = false
		}
		unknown := pySet{{text: e.source}}
		if !given {
			mode = pyKnown(missing)
		}
		if !ok || file.kind == pyInt || mode.whole() && !strings.ContainsAny(mode.text, "wax+") {
			return unknown
		}
		kind := Write
		if mode.whole() && strings.Contains(mode.text, "a") {
			kind = Append
		}
		return in.started(Call{Func: name, Kind: kind, Args: []Arg{file.argument()}}, e)
	}
}

// pyOsOpen reads the flags by their names.
func pyOsOpen(in *pyInterpreter, name string, args *pyArguments, e *pyExpr) pySet {
	unknown := pySet{{text: e.source}}
	file, ok := args.get(0, "path")
	flags, given := args.get(1, "flags")
	if !ok || !given {
		return unknown
	}
	text := flags.text
	kind := Write
	switch {
	case flags.kind == pyInt && flags.number&3 == 0:
		return unknown
	case strings.Contains(text, "O_APPEND"):
		kind = Append
	case strings.Contains(text, "O_WRONLY"), strings.Contains(text, "O_RDWR"), strings.Contains(text, "O_TRUNC"):
	case strings.Contains(text, "O_RDONLY"), strings.Contains(text, "O_DIRECTORY"):
		return unknown
	}
	in.emit(Call{Func: name, Kind: kind, Args: []Arg{file.argument()}}, e)
	return unknown
}
