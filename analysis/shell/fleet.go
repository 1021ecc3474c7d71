package shell

import "strings"

// fleetOf returns the options of a program that runs one text on many machines: the
// words behind the options, as ssh does.
func fleetOf(name string) (grammar, bool) {
	switch name {
	case "pdsh":
		return grammar{first: true, short: "w:x:l:t:u:f:R:M:g:G:X:F:"}, true
	case "pssh", "parallel-ssh":
		return grammar{first: true, short: "h:H:l:p:o:e:t:O:x:X:g:", long: "hosts= host= user= par= outdir= errdir= timeout= option= extra-args= extra-arg= host-glob= askpass inline inline-stdout verbose print"}, true
	case "clush":
		return grammar{first: true, short: "w:x:g:X:l:o:t:u:f:R:O:m:", long: "hostfile= topology= pick= conf= groupsconf= option= user= options= fanout= connect_timeout= command_timeout= remote= mode= color= group= exclude= worker= outdir= errdir= outfile= copy rcopy dest="}, true
	case "dsh":
		return grammar{first: true, short: "m:g:f:r:o:n:F:", long: "machine= group= file= remoteshell= remoteshellopt= num-topology= forklimit="}, true
	}
	return grammar{}, false
}

// ansibleRuns reports whether the arguments of a module are a command, and whether a
// shell reads it.
func ansibleRuns(module string) (reads, runs bool) {
	switch module {
	case "", "command":
		return false, true
	case "shell", "raw":
		return true, true
	case "script", "expect":
		return false, true
	}
	return false, false
}

// fleet reports what is run on many machines. It returns whether c is a program
// for that.
func (w *walker) fleet(c *Command, args []argument, s scope) bool {
	if c.Name == "ansible" {
		w.ansible(c, args, s)
		return true
	}
	g, ok := fleetOf(c.Name)
	if !ok {
		return false
	}
	items, rest := g.scan(c.Args, "")
	for _, o := range items {
		switch o.name {
		case "--help", "--version", "--copy", "--rcopy":
			return true
		case "-c", "-r": // of clush: it copies files
			if c.Name == "clush" {
				return true
			}
		}
	}
	if text, ok := joined(args[min(rest, len(args)):]); ok {
		w.text(text, c.Name, w.away(s))
	}
	return true
}

// ansible reports the command that a module such as shell is given with -a.
func (w *walker) ansible(c *Command, args []argument, s scope) {
	g, _ := grammarOf(c.Name)
	items, _ := g.scan(c.Args, "")
	var module string
	var given *argument
	for _, o := range items {
		switch o.name {
		case "-m", "--module-name":
			module = strings.TrimPrefix(strings.TrimPrefix(o.value, "ansible.builtin."), "ansible.legacy.")
		case "-a", "--args":
			value := valueFrom(args, o.source, o.value)
			given = &value
		case "-h", "--help", "--version", "-C", "--check", "--list-hosts":
			return
		}
	}
	reads, runs := ansibleRuns(module)
	switch {
	case given == nil || !runs:
	case reads:
		w.text(*given, c.Name, w.away(s))
	default:
		w.runSplit(*given, w.away(s).through(c.Name))
	}
}
