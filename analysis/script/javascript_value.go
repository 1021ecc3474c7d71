package script

import (
	"path"
	"slices"
	"strings"
	"sync"
)

// jsFunctions are the functions of the libraries that have a value worth knowing,
// or that are special.
var jsFunctions func() map[string]func(*flow, *site) facts

func init() { jsFunctions = sync.OnceValue(newJSFunctions) }

func newJSFunctions() map[string]func(*flow, *site) facts {
	return map[string]func(*flow, *site) facts{
		"require": jsRequire, "import": jsRequire,
		"module.createRequire": func(*flow, *site) facts { return libraryFact("require") },
		"process.binding":      jsRequire, "process.getBuiltinModule": jsRequire,
		"eval": evaluated, "Function": jsNewFunction, "Object.constructor": jsNewFunction,
		"vm.runInNewContext": evaluated, "vm.runInThisContext": evaluated, "vm.runInContext": evaluated, "vm.Script": evaluated, "vm.compileFunction": evaluated,
		"worker_threads.Worker": jsWorker,
		"process.chdir": func(f *flow, s *site) facts {
			f.chdir(f.argument(s, 0))
			return nil
		},
		"Deno.chdir": func(f *flow, s *site) facts {
			f.chdir(f.argument(s, 0))
			return nil
		},
		"process.cwd": func(*flow, *site) facts { return textFact(".") }, "Deno.cwd": func(*flow, *site) facts { return textFact(".") },
		"os.homedir":   func(*flow, *site) facts { return textFact(homeMark) },
		"os.tmpdir":    func(*flow, *site) facts { return unknownFact("os.tmpdir()") },
		"Deno.env.get": func(f *flow, s *site) facts { return f.environment(s, "Deno.env.") },
		"path.join":    jsPath, "path.resolve": jsPath, "path.normalize": jsPath,
		"path.dirname":    func(f *flow, s *site) facts { return f.mapText(s, path.Dir) },
		"path.basename":   func(f *flow, s *site) facts { return f.mapText(s, path.Base) },
		"util.promisify":  func(f *flow, s *site) facts { return f.argument(s, 0) },
		"Promise.all":     func(f *flow, s *site) facts { return f.argument(s, 0) },
		"Promise.resolve": func(f *flow, s *site) facts { return f.argument(s, 0) },
		"Reflect.apply": func(f *flow, s *site) facts {
			if len(s.args) < 3 {
				return f.unknown(s.tree)
			}
			return jsIndirect(f, &site{tree: s.tree, args: s.args[1:]}, s.args[0], "apply")
		},
		"Buffer.from": jsBuffer, "Buffer": jsBuffer,
		"atob": func(f *flow, s *site) facts {
			return f.mapText(s, func(text string) string { return decoded(text, "base64") })
		},
		"unescape": percentDecoded, "decodeURIComponent": percentDecoded, "decodeURI": percentDecoded,
		"String.fromCharCode": characters, "String.fromCodePoint": characters,
		"String":     func(f *flow, s *site) facts { return f.argument(s, 0) },
		"String.raw": func(f *flow, s *site) facts { return f.argument(s, 0) },
		"Array.from": func(f *flow, s *site) facts { return f.argument(s, 0) },
		"Array.of":   func(f *flow, s *site) facts { return listFact(s.args) }, "Array": func(f *flow, s *site) facts { return listFact(s.args) },
		"Object.assign": func(f *flow, s *site) facts { return f.argument(s, len(s.args)-1) },
		"Object.freeze": func(f *flow, s *site) facts { return f.argument(s, 0) },
		"setTimeout":    jsLater, "setImmediate": jsLater, "setInterval": jsLater, "queueMicrotask": jsLater,
		"fs.open": jsOpen, "fs.promises.open": jsOpen, "Deno.open": jsOpen,
		"Bun.file": func(f *flow, s *site) facts {
			return facts{{kind: factMap, pairs: []pair{{"path", f.argument(s, 0)}}, text: "Bun.file"}}
		},
		"zx.cd": func(f *flow, s *site) facts {
			f.chdir(f.argument(s, 0))
			return nil
		},
		"shelljs.cd": func(f *flow, s *site) facts {
			f.chdir(f.argument(s, 0))
			return nil
		},
		"shelljs.rm": jsShellCommand, "shelljs.mv": jsShellCommand, "shelljs.cp": jsShellCommand, "shelljs.chmod": jsShellCommand,
		"shelljs.ln": jsShellCommand, "shelljs.sed": jsShellCommand, "shelljs.touch": jsShellCommand,
	}
}

// jsRequire returns a module.
func jsRequire(f *flow, s *site) (all facts) {
	for _, one := range f.argument(s, 0) {
		name, known := one.written()
		switch module, ok := jsModule(name); {
		case !known:
			all = f.union(all, unknownFact(jsAnyModule+one.text))
		case ok:
			all = f.union(all, libraryFact(module))
		case name == "spawn_sync" || strings.HasPrefix(name, "data:"): // node's insides, and code in the name itself
			f.report(s, Call{Kind: Code}, textFact(name))
			all = f.union(all, f.unknown(s.tree))
		default:
			all = f.union(all, unknownFact("module "+name))
		}
	}
	return all
}

func evaluated(f *flow, s *site) facts { return f.evaluate(s, f.argument(s, 0)) }

func jsNewFunction(f *flow, s *site) facts {
	if len(s.args) == 0 {
		return f.unknown(s.tree)
	}
	f.evaluate(s, s.args[len(s.args)-1])
	return f.unknown(s.tree)
}

func jsWorker(f *flow, s *site) facts {
	if code, ok := f.argument(s, 1).entry("eval"); ok && code.may("true") {
		f.evaluate(s, f.argument(s, 0))
	}
	return f.unknown(s.tree)
}

func jsLater(f *flow, s *site) facts {
	s.bound = true
	return f.applyAt(s, f.argument(s, 0), nil)
}

// jsPath joins the parts of a path. Of path.resolve an absolute part begins it anew.
func jsPath(f *flow, s *site) facts {
	joined := f.concat(slices.Clone(s.args), "/")
	all := make(facts, 0, len(joined))
	for _, one := range joined {
		if one.kind != factText {
			return joined
		}
		if strings.HasSuffix(s.name, "resolve") {
			if i := strings.LastIndex(one.text, "//"); i >= 0 {
				one.text = one.text[i+1:]
			}
			if i := strings.LastIndex(one.text, "/"+homeMark); i >= 0 {
				one.text = one.text[i+1:]
			}
		}
		slash := strings.HasSuffix(one.text, "/") && !strings.HasSuffix(s.name, "resolve") && one.text != "/"
		if one.text = path.Clean(one.text); slash && one.text != "/" {
			one.text += "/"
		}
		all = append(all, one)
	}
	return all
}

func jsBuffer(f *flow, s *site) facts {
	encoding, _ := f.argument(s, 1).constant()
	if len(s.args) > 1 && (encoding == "base64" || encoding == "base64url" || encoding == "hex") {
		return f.mapText(s, func(text string) string { return decoded(text, encoding) })
	}
	first := f.argument(s, 0)
	if len(first) == 1 && first[0].kind == factList {
		return characters(f, &site{tree: s.tree, args: first[0].items})
	}
	return first
}

// jsOpen reports the opening of a file that empties or changes it.
func jsOpen(f *flow, s *site) facts {
	mode := f.argument(s, 1)
	call := Call{Kind: Write}
	switch text, known := mode.constant(); {
	case len(s.args) < 2 || mode.hasFunction():
		return f.unknown(s.tree)
	case mode.isMap():
		writes := false
		for _, option := range []string{"write", "append", "truncate", "create", "createNew"} {
			value, ok := mode.entry(option)
			writes = writes || ok && value.may("true")
			if option == "append" && ok && value.may("true") {
				call.Kind = Append
			}
		}
		if !writes {
			return f.unknown(s.tree)
		}
	case known && strings.HasPrefix(text, "a"):
		call.Kind = Append
	case known && !strings.ContainsAny(text, "w+"):
		return f.unknown(s.tree)
	case len(mode) == 1 && mode[0].kind == factPlain && mode[0].text == "0":
		return f.unknown(s.tree)
	case len(mode) == 1 && mode[0].kind == factLibrary && strings.HasSuffix(mode[0].text, ".O_RDONLY"):
		return f.unknown(s.tree)
	}
	f.report(s, call, f.argument(s, 0))
	return f.unknown(s.tree)
}

// jsShellCommand reports a command of shelljs, which is named and called like a
// program: rm("-rf", "/x").
func jsShellCommand(f *flow, s *site) facts {
	name := s.name[strings.LastIndexByte(s.name, '.')+1:]
	f.report(s, Call{Kind: Run}, append([]facts{textFact(name)}, s.args...)...)
	return f.unknown(s.tree)
}
