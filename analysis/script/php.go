package script

import (
	"path"
	"slices"
	"strings"
	"sync"
)

// PHP returns what a PHP program calls. It may stand between <?php and ?>, or
// be code only, as for php -r.
func PHP(source string) Program { return analyse(&phpLanguage, source) }

var phpLanguage language

func init() {
	phpLanguage = language{read: phpRead, global: phpGlobal, member: phpMember, call: phpCall, flat: true, texts: true,
		shared: func(name string) bool { return !strings.HasPrefix(name, "$") }}
}

func phpRead(source string, line int) (*tree, bool) {
	return parseCurly(source, phpTokens(source, line), true)
}

// phpEffects are the functions that change files, as the PHP manual has them.
var phpEffects = sync.OnceValue(func() map[string]effect {
	return map[string]effect{
		"unlink":             {kind: Delete, args: "0"},
		"rmdir":              {kind: Delete, args: "0"},
		"rename":             {kind: Move, args: "01"},
		"move_uploaded_file": {kind: Move, args: "01"},
		"copy":               {kind: Copy, args: "01"},
		"chmod":              {kind: Mode, args: "10"},
		"chown":              {kind: Owner, args: "1-0"},
		"lchown":             {kind: Owner, args: "1-0"},
		"symlink":            {kind: Link, args: "01"},
	}
})

func phpGlobal(name string) (fact, bool) {
	name = strings.TrimPrefix(name, `\`)
	text := func(text string) (fact, bool) { return fact{kind: factText, text: text}, true }
	switch name {
	case "__dir__":
		return text(".")
	case "directory_separator":
		return text("/")
	case "php_eol":
		return text("\n")
	case "$_server", "$_env", "$_SERVER", "$_ENV":
		return fact{kind: factLibrary, text: "ENV"}, true
	case `symfony\component\process\process`:
		name = "process"
	}
	if _, ok := phpEffects()[name]; ok || phpFunctions()[name] != nil {
		return fact{kind: factLibrary, text: name}, true
	}
	return fact{}, false
}

func phpMember(of *fact, name string) (fact, bool) {
	if of.kind == factLibrary && of.text == "ENV" {
		switch name {
		case "HOME":
			return fact{kind: factText, text: homeMark}, true
		case "PWD":
			return fact{kind: factText, text: "."}, true
		}
	}
	return fact{}, false
}

// phpCall reports what a call of the library's does, and returns its value.
func phpCall(f *flow, s *site) facts {
	if s.self != nil {
		return f.unknown(s.tree)
	}
	if e, ok := phpEffects()[s.name]; ok {
		f.effect(s, &e, s.name)
		return f.unknown(s.tree)
	}
	if read := phpFunctions()[s.name]; read != nil {
		return read(f, s)
	}
	return f.unknown(s.tree)
}

// phpFunctions are the functions that start programs, have a value worth
// knowing, or are special.
var phpFunctions func() map[string]func(*flow, *site) facts

func init() { phpFunctions = sync.OnceValue(newPHPFunctions) }

func newPHPFunctions() map[string]func(*flow, *site) facts {
	first := func(f *flow, s *site) facts { return f.argument(s, 0) }
	return map[string]func(*flow, *site) facts{
		"system": phpShell, "exec": phpShell, "shell_exec": phpShell, "passthru": phpShell, "popen": phpShell,
		"proc_open": phpProcess, "pcntl_exec": phpProgram, "process": phpProcess, "process.fromshellcommandline": phpShell,
		"fopen": phpOpen, "splfileobject": phpOpen, "file_put_contents": phpWrite,
		"eval": evaluated, "assert": phpAssert, "create_function": phpLambda,
		"call_user_func": func(f *flow, s *site) facts {
			s.bound = true
			return f.applyAt(s, f.argument(s, 0), s.args[min(1, len(s.args)):])
		},
		"call_user_func_array": func(f *flow, s *site) facts {
			return phpApply(f, s, f.argument(s, 0), f.argument(s, 1))
		},
		"array_map":  func(f *flow, s *site) facts { return phpEach(f, s, f.argument(s, 0), f.argument(s, 1)) },
		"array_walk": func(f *flow, s *site) facts { return phpEach(f, s, f.argument(s, 1), f.argument(s, 0)) },
		"chdir": func(f *flow, s *site) facts {
			f.chdir(f.argument(s, 0))
			return nil
		},
		"define": func(f *flow, s *site) facts {
			if name, ok := f.argument(s, 0).constant(); ok {
				f.bind(&tree{op: treeName, text: strings.ToLower(name)}, f.argument(s, 1))
			}
			return nil
		},
		"constant": func(f *flow, s *site) facts {
			name, _ := f.argument(s, 0).constant()
			return f.named(&tree{op: treeName, text: strings.ToLower(name), source: s.tree.source})
		},
		"getenv":  func(f *flow, s *site) facts { return f.environment(s, "ENV.") },
		"getcwd":  func(*flow, *site) facts { return textFact(".") },
		"implode": phpJoin, "join": phpJoin, "sprintf": sprintf, "realpath": first, "strval": first, "escapeshellcmd": first,
		"escapeshellarg": func(f *flow, s *site) facts {
			value := f.argument(s, 0)
			if text, ok := value.constant(); ok {
				return textFact("'" + strings.ReplaceAll(text, "'", `'\''`) + "'")
			}
			return value
		},
		"dirname":    func(f *flow, s *site) facts { return f.mapText(s, path.Dir) },
		"basename":   func(f *flow, s *site) facts { return f.mapText(s, path.Base) },
		"trim":       func(f *flow, s *site) facts { return f.mapText(s, strings.TrimSpace) },
		"strtolower": func(f *flow, s *site) facts { return f.mapText(s, strings.ToLower) },
		"strtoupper": func(f *flow, s *site) facts { return f.mapText(s, strings.ToUpper) },
		"strrev":     func(f *flow, s *site) facts { return f.mapText(s, reversed) },
		"base64_decode": func(f *flow, s *site) facts {
			return f.mapText(s, func(t string) string { return decoded(t, "base64") })
		},
		"hex2bin":   func(f *flow, s *site) facts { return f.mapText(s, func(t string) string { return decoded(t, "hex") }) },
		"urldecode": percentDecoded, "rawurldecode": percentDecoded,
		"str_rot13": func(f *flow, s *site) facts { return f.mapText(s, rotated) },
		"chr":       characters,
		"array_merge": func(f *flow, s *site) facts {
			var all []facts
			for _, arg := range s.args {
				if len(arg) != 1 || arg[0].kind != factList || !f.spend(len(arg[0].items)) {
					return anyLength(f.unknown(s.tree))
				}
				all = append(all, arg[0].items...)
			}
			return listFact(all)
		},
	}
}

func phpShell(f *flow, s *site) facts {
	if len(s.args) > 0 {
		f.report(s, Call{Kind: Shell}, f.argument(s, 0))
	}
	return f.unknown(s.tree)
}

// phpProcess reports proc_open and Symfony's Process, which take words or a text for a shell.
func phpProcess(f *flow, s *site) facts {
	command := f.argument(s, 0)
	call := Call{Kind: Shell}
	if len(command) > 0 && command[0].kind == factList {
		call.Kind = Run
	}
	place := 3
	if s.name == "process" {
		place = 1
		if s.tree.flags&treeMade == 0 || call.Kind == Shell && len(command) > 0 && command[0].kind != factText {
			return f.unknown(s.tree) // another class of that name
		}
	}
	if len(s.args) > place && len(s.args[place]) > 0 && s.args[place][0].kind == factText {
		call.Dir = directory(s.args[place])
	}
	if len(s.args) > 0 {
		f.report(s, call, command)
	}
	return f.unknown(s.tree)
}

func phpProgram(f *flow, s *site) facts {
	args := s.args[:min(2, len(s.args))]
	if len(args) == 2 {
		args = []facts{args[0], anyLength(args[1])}
	}
	f.report(s, Call{Kind: Run}, args...)
	return f.unknown(s.tree)
}

// phpOpen reports the opening of a file that may be written to.
func phpOpen(f *flow, s *site) facts {
	mode, known := f.argument(s, 1).constant()
	if file, _ := f.argument(s, 0).constant(); strings.HasPrefix(file, "php://") || len(s.args) < 2 {
		return f.unknown(s.tree)
	}
	switch {
	case known && strings.HasPrefix(mode, "a"):
		f.report(s, Call{Kind: Append}, f.argument(s, 0))
	case !known || strings.ContainsAny(mode, "wxc+"):
		f.report(s, Call{Kind: Write}, f.argument(s, 0))
	}
	return f.unknown(s.tree)
}

func phpWrite(f *flow, s *site) facts {
	if file, _ := f.argument(s, 0).constant(); strings.HasPrefix(file, "php://") {
		return f.unknown(s.tree)
	}
	kind := Write
	if kids := s.tree.kids; len(kids) > 3 && kids[3] != nil && strings.Contains(kids[3].source, "FILE_APPEND") {
		kind = Append
	}
	f.report(s, Call{Kind: kind}, f.argument(s, 0))
	return f.unknown(s.tree)
}

// phpAssert looks into an assertion that is a text, which old versions
// evaluate.
func phpAssert(f *flow, s *site) facts {
	if text, ok := f.argument(s, 0).constant(); ok {
		return f.evaluate(s, textFact(text))
	}
	return f.unknown(s.tree)
}

func phpLambda(f *flow, s *site) facts {
	f.evaluate(s, f.argument(s, 1))
	return f.unknown(s.tree)
}

func phpJoin(f *flow, s *site) facts {
	separator, list := f.argument(s, 0), f.argument(s, 1)
	if len(s.args) == 1 {
		separator, list = textFact(""), separator
	}
	text, known := separator.constant()
	if !known || len(list) != 1 || list[0].kind != factList || !f.spend(len(list[0].items)) {
		return f.unknown(s.tree)
	}
	return f.concat(slices.Clone(list[0].items), text)
}

func phpApply(f *flow, s *site, function, list facts) facts {
	s.bound = true
	if len(list) == 1 && list[0].kind == factList {
		return f.applyAt(s, function, list[0].items)
	}
	return f.applyAt(s, function, []facts{anyLength(list)})
}

// phpEach calls a function with each element of a list.
func phpEach(f *flow, s *site, function, list facts) facts {
	s.bound = true
	f.applyAt(s, function, []facts{f.elements(list, s.tree)})
	return anyLength(f.unknown(s.tree))
}
