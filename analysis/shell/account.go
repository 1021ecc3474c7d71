package shell

import "sync"

// suGrammar is that of su(1) and runuser(1).
var suGrammar = sync.OnceValue(func() grammar {
	return dashed(anywhere("c:fg:G:hlmpPs:Tu:Vw:", "command= session-command= fast group= supp-group= login preserve-environment pty no-pty shell= user= whitelist-environment= help version"))
})

// su reports what su and runuser run as another user: the text of -c, the
// words behind the user as the arguments of the user's shell, or with -u of
// runuser a command.
func (w *walker) su(c *Command, args []argument, s scope) {
	g := suGrammar()
	var text *argument
	var operands []argument
	shell := literal("sh", place{c.Line, c.Column})
	direct := false
	items, _ := g.scan(c.Args, "")
	inner := s.through(c.Name)
	inner.external = true
	for _, o := range items {
		switch value := valueOf(args, o.index, o.source, o.value); {
		case o.name == "":
			operands = append(operands, args[o.index])
		case o.kind == unknown:
			w.unreadable(args[min(o.index+1, len(args)):], inner)
			return
		case listed("-h -V --help --version", o.name):
			return
		case (o.name == "-c" || o.name == "--command" || o.name == "--session-command") && o.valued:
			if text == nil {
				text = &value
			}
		case (o.name == "-s" || o.name == "--shell") && o.valued:
			shell = value
		case c.Name == "runuser" && (o.name == "-u" || o.name == "--user"):
			direct = true
		}
		if direct { // its command begins at the first word that is no option
			break
		}
	}
	switch {
	case direct:
		g.first = true
		_, rest := g.scan(c.Args, "")
		if rest < len(args) {
			w.run(args[rest:], inner)
		}
	case text != nil:
		w.text(*text, c.Name+" -c", s)
	case len(operands) > 1:
		w.run(append([]argument{shell}, operands[1:]...), inner)
	case s.input != nil:
		w.text(s.input.unread(), c.Name+" <", s)
	}
}

// valueOf is valueFrom for an item that may be an operand.
func valueOf(args []argument, index, source int, value string) argument {
	return valueFrom(args, max(index, source), value)
}

// capsh reports what stands behind "--", which are the arguments of a shell,
// or behind "==", those of another capsh.
func (w *walker) capsh(c *Command, args []argument, s scope) {
	inner := s.through(c.Name)
	inner.external = true
	shell := literal("bash", place{c.Line, c.Column})
	for i, arg := range args {
		text := arg.Text
		switch {
		case len(text) > len("--shell=") && text[:len("--shell=")] == "--shell=":
			shell = valueFrom(args, i, text[len("--shell="):])
		case text == "--" || text == "-+":
			w.run(append([]argument{shell}, args[i+1:]...), inner)
			return
		case text == "==" || text == "=+":
			w.run(append([]argument{literal("capsh", arg.at)}, args[i+1:]...), inner)
			return
		}
	}
}

// startStopDaemon reports the program that start-stop-daemon(8) starts.
func (w *walker) startStopDaemon(c *Command, args []argument, s scope) {
	g := wraps("SKTHVp:x:n:u:g:s:R:a:toqc:r:d:bCO:N:P:I:k:mv", "start stop status help version pid= ppid= pidfile= exec= name= user= group= signal= retry= startas= test oknodo quiet chuid= chroot= chdir= background notify-await notify-timeout= no-close output= nicelevel= procsched= iosched= umask= make-pidfile remove-pidfile verbose")
	items, rest := g.scan(c.Args, "")
	var program *argument
	starts, test, startas := false, false, false
	inner := s.through(c.Name)
	inner.external = true
	for _, o := range items {
		value := valueOf(args, o.index, o.source, o.value)
		switch o.name {
		case "-S", "--start":
			starts = true
		case "-t", "--test":
			test = true
		case "-a", "--startas":
			program, startas = &value, true
		case "-x", "--exec":
			if !startas {
				program = &value
			}
		case "-d", "--chdir":
			inner.chdir(value)
		default:
			if o.kind == unknown && o.name != "" {
				w.unreadable(args[min(o.index+1, len(args)):], inner)
				return
			}
		}
	}
	if starts && !test && program != nil {
		w.run(append([]argument{*program}, args[min(rest, len(args)):]...), inner)
	}
}
