package script

import (
	"strings"
	"sync"
)

// jsCall reports what a call of a library's function or of a method does, and
// returns its value.
func jsCall(f *flow, s *site) facts {
	if s.self != nil {
		return jsMethod(f, s)
	}
	name := jsFunction(s.name)
	if e, ok := jsEffects()[name]; ok {
		jsChange(f, s, &e)
		return f.unknown(s.tree)
	}
	if how := jsStarts()[name]; how != "" {
		return jsStart(f, s, how)
	}
	if i := strings.LastIndexByte(s.name, '.'); i > 0 {
		switch s.name[i+1:] {
		case "call", "bind", "apply":
			return jsIndirect(f, s, libraryFact(s.name[:i]), s.name[i+1:])
		case "then", "catch", "finally":
			s.bound = true
			return f.applyAt(s, f.argument(s, 0), []facts{libraryFact(s.name[:i])})
		}
	}
	if read := jsFunctions()[name]; read != nil {
		return read(f, s)
	}
	for _, module := range []string{"fs[]", "child_process[]", "process[]", "globalThis[]", "global[]"} {
		if s.name == module { // any function of a module
			f.report(s, Call{Kind: Code}, unknownFact(s.tree.source))
		}
	}
	return f.unknown(s.tree)
}

// jsChange reports a call that changes files, with its options.
func jsChange(f *flow, s *site, e *effect) {
	changed := *e
	if e.options > 0 && e.options < len(s.args) {
		options := s.args[e.options]
		if recursive, ok := options.entry("recursive"); ok {
			changed.deep = recursive.may("true")
		} else if options.unsure() && (e.kind == Delete || e.kind == Copy) {
			changed.deep = true
		}
		if appends, ok := options.entry("append"); ok && appends.may("true") {
			changed.kind = Append
		}
		for _, key := range []string{"flag", "flags"} {
			if flags, ok := options.entry(key); ok {
				if text, _ := flags.constant(); strings.HasPrefix(text, "a") {
					changed.kind = Append
				}
			}
		}
	}
	f.effect(s, &changed, s.name)
}

// jsStarts are the functions of the libraries that start programs, and how.
var jsStarts = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"child_process.exec":     "shell",
		"child_process.execFile": "run",
		"child_process.spawn":    "run",
		"child_process.fork":     "fork",

		"shelljs.exec": "shell", "shelljs.cmd": "words",
		"execa": "run", "execa.execa": "run", "execa.node": "fork", "execa.execaNode": "fork",
		"execa.command": "fields", "execa.execaCommand": "fields", "execa.shell": "shell", "execa.$": "fields",
		"zx.$": "shell", "Bun.$": "shell", "zx.spawn": "run",
		"Bun.spawn": "list", "Deno.run": "list", "Deno.Command": "deno",
	}
})

// jsStart reports a call that starts a program.
func jsStart(f *flow, s *site, how string) facts {
	args := s.args
	var options facts
	if last := len(args) - 1; last >= 0 && args[last].hasFunction() {
		args = args[:last] // a callback
	}
	if last := len(args) - 1; last > 0 && args[last].isMap() {
		args, options = args[:last], args[last]
	}
	if len(args) == 0 {
		return f.unknown(s.tree)
	}
	call := Call{Kind: Run}
	switch how {
	case "shell":
		call.Kind, args = Shell, args[:1]
	case "fields":
		args = append(jsFields(args[0]), args[1:]...)
	case "fork":
		args = append([]facts{textFact("node")}, args...)
	case "list":
		if args[0].isMap() {
			options = args[0]
			args[0], _ = options.entry("cmd")
		}
		args = args[:1]
	case "deno":
		args = args[:1]
		if list, ok := options.entry("args"); ok {
			args = []facts{args[0], list}
		}
	case "run":
		if s.tree.flags&treeTagged != 0 { // execa`rm -rf /`
			args = jsFields(args[0])
		}
	}
	if how == "run" && len(args) > 2 && s.tree.flags&treeTagged == 0 {
		args = args[:2] // spawn(file, args, options), where the options aren't known
	}
	if how == "run" || how == "deno" || how == "fork" {
		for i := 1; i < len(args); i++ {
			args[i] = anyLength(args[i])
		}
	}
	if shell, ok := options.entry("shell"); ok && call.Kind == Run && jsShell(shell) {
		call.Kind = Shell
		args = []facts{f.words(args)}
	}
	if dir, ok := options.entry("cwd"); ok && len(dir) > 0 {
		call.Dir = directory(dir)
	}
	if text, ok := options.entry("input"); ok && len(text) > 0 {
		call.Input = input(text)
	}
	f.report(s, call, args...)
	return f.unknown(s.tree)
}

// jsShell reports whether the option asks for a shell.
func jsShell(value facts) bool {
	text, named := value.constant()
	return named && text != "" || len(value) == 1 && value[0].kind == factPlain && value[0].text == "true"
}

// jsFields splits a text at blanks, as functions do that take a whole command
// without a shell.
func jsFields(text facts) []facts {
	if len(text) != 1 || text[0].kind != factText {
		return []facts{text}
	}
	var all []facts
	for field := range strings.FieldsSeq(text[0].text) {
		all = append(all, facts{{kind: factText, text: field, dynamic: text[0].dynamic && strings.Contains(field, "${"), parts: text[0].parts}})
	}
	return all
}

// jsIndirect calls a function through call, apply or bind.
func jsIndirect(f *flow, s *site, function facts, how string) facts {
	if how == "bind" {
		return function
	}
	var args []facts
	if len(s.args) > 1 {
		args = s.args[1:]
	}
	if how == "apply" && len(args) > 0 {
		if len(args[0]) == 1 && args[0][0].kind == factList {
			args = args[0][0].items
		} else {
			args = []facts{anyLength(args[0])}
		}
	}
	return f.applyAt(s, function, args)
}
