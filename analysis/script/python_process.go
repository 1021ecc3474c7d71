package script

// pyShell is for functions that have a shell run a text.
func pyShell(param string) pyEffect {
	return func(in *pyInterpreter, name string, args *pyArguments, e *pyExpr) pySet {
		text, ok := args.get(0, param)
		switch {
		case !ok && !args.unknown:
			return pySet{{text: e.source}}
		case !ok:
			text = pyValue{text: param}
		}
		call := Call{Func: name, Kind: Shell, Args: []Arg{text.argument()}}
		if mode, ok := args.get(1, "mode"); ok && name == "os.popen" && mode.whole() && mode.text == "w" {
			call.Input = &Arg{Dynamic: true}
		}
		in.setting(&call, args)
		return in.started(call, e)
	}
}

// started notes a call that starts a process, and returns that.
func (in *pyInterpreter) started(call Call, e *pyExpr) pySet {
	number := in.emit(call, e)
	if number == 0 {
		return pySet{{text: e.source}}
	}
	return pySet{{kind: pyProcess, text: e.source, number: number}}
}

// setting notes where a process runs and what it gets on its standard input.
func (in *pyInterpreter) setting(call *Call, args *pyArguments) {
	if dir, ok := args.get(-1, "cwd"); ok && !dir.is("None") {
		if in.dir != nil {
			dir = pyJoin(pyStr, pyValue{kind: pyStr, text: in.dir.Text, dynamic: in.dir.Dynamic, home: in.dir.Home}, dir)
		}
		to := dir.argument()
		call.Dir = &to
	}
	if input, ok := args.get(-1, "input"); ok && !input.is("None") {
		given := input.argument()
		call.Input = &given
	} else if from, ok := args.get(-1, "stdin"); ok && !from.is("None") {
		call.Input = &Arg{Text: from.text, Dynamic: true}
		if from.kind == pyLibrary && from.text == "subprocess.DEVNULL" {
			call.Input = new(Arg)
		}
	}
}

// pySubprocess is for functions that run a list of words, or a text.
func pySubprocess(in *pyInterpreter, name string, args *pyArguments, e *pyExpr) pySet {
	param := "args"
	if name == "pty.spawn" {
		param = "argv"
	}
	words, ok := args.get(0, param)
	if !ok && !args.unknown {
		return pySet{{text: e.source}}
	}
	if !ok {
		words = pyValue{text: param}
	}
	call := Call{Func: name, Kind: Run}
	in.setting(&call, args)
	shell, given := args.get(8, "shell")
	inShell := given && !shell.is("False") && !shell.is("None") && !(shell.kind == pyInt && shell.number == 0)
	switch {
	case words.kind == pyItems && len(words.items) == 0:
		return pySet{{text: e.source}}
	case inShell && words.kind == pyItems:
		// The words after the first are those of the shell itself.
		call.Kind, call.Args = Shell, in.words(words.items[:1])
		if !shell.is("True") && shell.kind != pyInt {
			call.Kind, call.Args = Run, in.words(words.items)
		}
	case inShell:
		call.Kind, call.Args = Shell, []Arg{words.argument()}
	case words.kind == pyItems:
		call.Args = in.words(words.items)
	default:
		call.Args = []Arg{words.argument()}
		call.Args[0].Rest = call.Args[0].Dynamic && words.kind == pyUnknown
	}
	if program, ok := args.get(2, "executable"); ok && call.Kind == Run && !program.is("None") {
		call.Args[0] = program.argument()
	}
	return in.started(call, e)
}

// pySpawnText runs the words of a text, or with a list after the program these.
func pySpawnText(in *pyInterpreter, name string, args *pyArguments, e *pyExpr) pySet {
	text, ok := args.get(0, "command")
	if !ok {
		return pySet{{text: e.source}}
	}
	words := pyShellSplit(in, &pyArguments{values: []pyValue{text}}, text.text)
	if list, ok := args.get(1, "args"); ok {
		words = pyValue{kind: pyItems, items: append([]pyValue{text}, spread(list)...)}
	}
	call := Call{Func: name, Kind: Run, Args: in.words(spread(words))}
	in.setting(&call, args)
	return in.started(call, e)
}

// pyExec is for the families of exec and spawn: a program at place first, then
// its words from its name on, as a list or one by one, then perhaps an
// environment.
func pyExec(first int, list, environment bool) pyEffect {
	return func(in *pyInterpreter, name string, args *pyArguments, e *pyExpr) pySet {
		program, ok := args.get(first, "path")
		if !ok && !args.unknown {
			return pySet{{text: e.source}}
		}
		if !ok {
			program = pyValue{text: "path", rest: true}
		}
		words := []pyValue{program}
		if list {
			argv, ok := args.get(first+1, "argv")
			if !ok {
				argv, ok = args.get(first+1, "args")
			}
			switch {
			case !ok:
			case argv.kind == pyItems && len(argv.items) > 0 && !argv.items[0].rest:
				words = append(words, argv.items[1:]...)
			case argv.kind != pyItems || len(argv.items) > 0:
				words = append(words, pyValue{text: argv.text, rest: true})
			}
		} else {
			rest := args.after(first + 2).values
			if environment && len(rest) > 0 {
				rest = rest[:len(rest)-1]
			}
			words = append(words, rest...)
		}
		in.emit(Call{Func: name, Kind: Run, Args: in.words(words)}, e)
		return pySet{{text: e.source}}
	}
}

func pyAsyncExec(in *pyInterpreter, name string, args *pyArguments, e *pyExpr) pySet {
	if len(args.values) == 0 {
		return pySet{{text: e.source}}
	}
	call := Call{Func: name, Kind: Run, Args: in.words(args.values)}
	in.setting(&call, args)
	return in.started(call, e)
}

// maxFed is how much of what a process reads is followed.
const maxFed = 4 << 10

// feed notes what a process that was started is given to read.
func (in *pyInterpreter) feed(process pyValue, name string, args *pyArguments, e *pyExpr) pySet {
	var text pyValue
	ok := false
	switch name {
	case "communicate":
		text, ok = args.get(0, "input")
	case "write", "writelines", "sendline", "send":
		text, ok = args.get(0, "")
	}
	if !ok || process.number > len(in.program.Calls) || text.is("None") {
		return pySet{{text: e.source}}
	}
	call := &in.program.Calls[process.number-1]
	given := text.argument()
	if name == "sendline" {
		given.Text += "\n"
	}
	if before := call.Input; before != nil && len(before.Text) > maxFed {
		before.Dynamic = true
		return pySet{{text: e.source}}
	} else if before != nil && in.fed[process.number] {
		given.Text, given.Dynamic = before.Text+given.Text, given.Dynamic || before.Dynamic
		given.Parts = append(before.Parts, given.Parts...)
	}
	if !in.spend(1 + len(given.Text)/16) {
		return pySet{{text: e.source}}
	}
	if in.fed == nil {
		in.fed = map[int]bool{}
	}
	in.fed[process.number] = true
	call.Input = &given
	return pySet{{text: e.source}}
}
