package script

import (
	"slices"
	"strings"
	"sync"
)

// Perl returns what a Perl program calls.
func Perl(source string) Program { return analyse(&perlLanguage, source) }

var perlLanguage language

func init() {
	perlLanguage = language{read: perlRead, global: perlGlobal, member: perlMember, call: perlCall}
}

// perlEffects are the functions that change files: those of perlfunc, and of
// the modules File::Path, File::Copy and what else is often used.
var perlEffects = sync.OnceValue(func() map[string]effect {
	return map[string]effect{
		"unlink":   {kind: Delete, args: "*"},
		"rmdir":    {kind: Delete, args: "0"},
		"rename":   {kind: Move, args: "01"},
		"truncate": {kind: Write, args: "0"},
		"chmod":    {kind: Mode, args: "0*"},
		"chown":    {kind: Owner, args: "01*"},
		"symlink":  {kind: Link, args: "01"},

		"move": {kind: Move, args: "01"}, "mv": {kind: Move, args: "01"},
		"copy": {kind: Copy, args: "01"}, "cp": {kind: Copy, args: "01"}, "syscopy": {kind: Copy, args: "01"},
		"rcopy": {kind: Copy, args: "01", deep: true}, "dircopy": {kind: Copy, args: "01", deep: true}, "rmove": {kind: Move, args: "01"},
		"pathrmdir": {kind: Delete, args: "0", deep: true}, "pathempty": {kind: Delete, args: "0", deep: true},
		"write_file": {kind: Write, args: "0"}, "write_text": {kind: Write, args: "0"}, "append_file": {kind: Append, args: "0"},
	}
})

// perlModules are the packages whose functions are known without them.
var perlModules = []string{"File::Path::", "File::Copy::Recursive::", "File::Copy::", "File::Slurp::", "File::Slurper::", "IPC::Open3::", "IPC::Open2::", "IPC::Run::", "IPC::System::Simple::",

	"IPC::Cmd::", "POSIX::", "MIME::Base64::", "File::Spec::Functions::", "Path::Tiny::", "Cwd::", "CORE::GLOBAL::", "CORE::", "Capture::Tiny::"}

// perlPlain are the functions of modules that are known by their names alone, because
// perl -M may have imported them.
const perlPlain = " system{} exec{} rmtree remove_tree move copy cp mv dircopy rcopy pathrmdir open3 open2 decode_base64 catfile catdir getcwd cwd ENV "

// perlExports are the functions that use makes known.
var perlExports = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"IPC::Run": "run start harness", "IPC::Cmd": "run", "IPC::System::Simple": "systemx capture capturex",
		"File::Slurp": "write_file append_file", "File::Slurper": "write_text", "Path::Tiny": "path",
	}
})

func perlGlobal(name string) (fact, bool) {
	switch name {
	case "IO::File", "File::Spec", "Path::Tiny", "IPC::Run":
		return fact{kind: factLibrary, text: name}, true
	case "%ENV":
		return fact{kind: factLibrary, text: "ENV"}, true
	case "@ARGV", "@_":
		return fact{text: name, rest: true}, true
	}
	library := name
	for _, module := range perlModules {
		if rest, ok := strings.CutPrefix(name, module); ok {
			library = rest
			break
		}
	}
	_, changes := perlEffects()[library]
	if library == name && !strings.Contains(perlPlain, " "+name+" ") {
		return fact{}, false
	}
	if changes || perlFunctions()[library] != nil {
		return fact{kind: factLibrary, text: library}, true
	}
	return fact{}, false
}

func perlMember(of *fact, name string) (fact, bool) {
	if of.kind == factLibrary && of.text == "ENV" && name == "HOME" {
		return fact{kind: factText, text: homeMark}, true
	}
	return fact{}, false
}

// perlCall reports what a call of the library's does, and returns its value.
func perlCall(f *flow, s *site) facts {
	if s.self != nil {
		return perlMethod(f, s)
	}
	if read := perlFunctions()[s.name]; read != nil {
		return read(f, s)
	}
	if e, ok := perlEffects()[s.name]; ok {
		if len(s.args) == 0 && (s.name == "unlink" || s.name == "rmdir") {
			s.args = []facts{f.topic()}
		}
		f.effect(s, &e, s.name)
	}
	return f.unknown(s.tree)
}

// topic returns what $_ is.
func (f *flow) topic() facts {
	if v := f.lookUp("$_"); v != nil {
		if value := f.read(v); len(value) > 0 {
			return value
		}
	}
	return unknownFact("$_")
}

// perlFunctions are the functions that start programs, have a value worth
// knowing, or are special.
var perlFunctions func() map[string]func(*flow, *site) facts

func init() { perlFunctions = sync.OnceValue(newPerlFunctions) }

func newPerlFunctions() map[string]func(*flow, *site) facts {
	join := func(f *flow, s *site) facts {
		if len(s.args) < 2 {
			return textFact("")
		}
		separator, known := s.args[0].constant()
		if !known {
			return f.unknown(s.tree)
		}
		return f.concat(slices.Clone(s.args[1:]), separator)
	}
	return map[string]func(*flow, *site) facts{
		"system": perlSystem, "exec": perlSystem, "systemx": perlProgram, "capturex": perlProgram, "capture": perlSystem, "run": perlRun, "start": perlRun, "harness": perlRun,
		"system{}": perlProgram, "exec{}": perlProgram,
		"qx": perlShell, "readpipe": perlShell,
		"open": perlOpen, "sysopen": perlSysopen,
		"open2": perlOpen3, "open3": perlOpen3,
		"rmtree": perlTree, "remove_tree": perlTree,
		"eval": func(f *flow, s *site) facts {
			if len(s.args) == 0 {
				return f.evaluate(s, f.topic())
			}
			return f.evaluate(s, f.argument(s, 0))
		},
		"chdir": func(f *flow, s *site) facts {
			if len(s.args) == 0 {
				f.chdir(textFact(homeMark))
				return nil
			}
			f.chdir(f.argument(s, 0))
			return nil
		},
		"join":    join,
		"catfile": func(f *flow, s *site) facts { return f.concat(slices.Clone(s.args), "/") },
		"catdir":  func(f *flow, s *site) facts { return f.concat(slices.Clone(s.args), "/") },
		"getcwd":  func(*flow, *site) facts { return textFact(".") }, "cwd": func(*flow, *site) facts { return textFact(".") },
		"push": func(f *flow, s *site) facts {
			t := s.tree.kids
			if len(t) < 3 || t[1].op != treeSpread || t[1].kids[0].op != treeName {
				return f.unknown(s.tree)
			}
			list := &tree{op: treeList, kids: t[2:], source: s.tree.source}
			return f.extended(&tree{op: treeExtend, source: s.tree.source, line: s.tree.line, kids: []*tree{t[1].kids[0], list}})
		},
		"reverse": func(f *flow, s *site) facts {
			if len(s.args) != 1 {
				return facts{{text: s.tree.source, rest: true}}
			}
			return f.mapText(s, reversed)
		},
		"scalar":  func(f *flow, s *site) facts { return f.argument(s, 0) },
		"lc":      func(f *flow, s *site) facts { return f.mapText(s, strings.ToLower) },
		"uc":      func(f *flow, s *site) facts { return f.mapText(s, strings.ToUpper) },
		"chr":     func(f *flow, s *site) facts { return characters(f, s) },
		"sprintf": sprintf,
		"decode_base64": func(f *flow, s *site) facts {
			return f.mapText(s, func(text string) string { return decoded(text, "base64") })
		},
		"path": func(f *flow, s *site) facts {
			return facts{{kind: factMap, text: "Path::Tiny", pairs: []pair{{"path", f.concat(slices.Clone(s.args), "/")}}}}
		},
		"File::Spec.catfile": func(f *flow, s *site) facts { return f.concat(slices.Clone(s.args), "/") },
		"File::Spec.catdir":  func(f *flow, s *site) facts { return f.concat(slices.Clone(s.args), "/") },
		"IO::File.new":       perlFile,
	}
}
