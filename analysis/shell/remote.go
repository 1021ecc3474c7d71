package shell

import "strings"

// faraway reports what is run on another machine, and what is run here on the
// way there. It returns whether c is a program for that.
func (w *walker) faraway(c *Command, args []argument, s scope) bool {
	switch c.Name {
	case "ssh", "slogin", "autossh", "hpnssh":
		w.ssh(c, args, s)
	case "scp", "sftp":
		w.scp(c, args, s)
	case "rsync":
		w.rsync(c, args, s)
	case "mosh":
		w.mosh(c, args, s)
	case "wsl":
		w.wsl(c, args, s)
	case "vagrant", "gcloud", "minikube", "colima", "docker-machine", "fly", "flyctl", "eb":
		return w.machine(c, args, s)
	default:
		return w.fleet(c, args, s)
	}
	return true
}

// sshGrammar is ssh(1)'s, with -M's value as autossh has it left out.
var sshGrammar = grammar{closed: true, first: true, short: "46AaB:b:Cc:D:E:e:fF:GgI:i:J:KkL:l:Mm:NnO:o:Pp:Q:qR:S:sTtVvW:w:XxYy"}

// sshStops are the options with which ssh runs no command there.
const sshStops = "-G -N -O -Q -s -V -W"

// ssh reports the words behind the host, which a shell there reads as one
// text, and what options name.
func (w *walker) ssh(c *Command, args []argument, s scope) {
	g := sshGrammar
	if c.Name == "autossh" {
		g.short = strings.Replace(g.short, "M", "M:", 1)
	}
	w.sshWords(g, c.Name, args, s, false)
}

// sshWords takes the arguments of ssh in, among which there is no host where
// it is known already. Options may come behind the host, too.
func (w *walker) sshWords(g grammar, via string, args []argument, s scope, host bool) {
	there := w.away(s)
	stops := false
	for {
		items, rest := g.scan(wordsOf(args), "")
		for _, o := range items {
			switch {
			case o.name == "":
			case o.kind == unknown:
				w.unreadable(args[min(o.index+1, len(args)):], there.through(via))
				return
			case o.name == "-o" && o.valued:
				w.sshOption(via, valueFrom(args, o.source, o.value), s, there)
			case o.name == "-n" || o.name == "-f":
				there.input = nil
			}
			stops = stops || listed(sshStops, o.name)
		}
		args = args[min(rest, len(args)):]
		if host || len(args) == 0 {
			break
		}
		if args[0].Dynamic && !args[0].Quoted && len(args) > 1 {
			w.unreadable(args[1:], there.through(via))
			return
		}
		host, args = true, args[1:]
	}
	switch text, ok := joined(args); {
	case stops || !host:
	case ok:
		w.text(text, via, there)
	case there.input != nil: // the login shell reads it
		w.text(there.input.unread(), via+" <", there)
	}
}

// sshOption reports what -o Name=text or "Name text" runs.
func (w *walker) sshOption(via string, value argument, here, there scope) {
	end := strings.IndexAny(value.Text, "= \t")
	if end < 0 {
		return
	}
	name := value.Text[:end]
	value.Text = strings.TrimLeft(value.Text[end+1:], "= \t")
	if strings.EqualFold(value.Text, "none") || value.Text == "" {
		return
	}
	here.input = nil
	switch strings.ToLower(name) {
	case "proxycommand", "localcommand", "knownhostscommand":
		w.text(value, via+" -o "+name, here)
	case "remotecommand":
		w.text(value, via+" -o "+name, there)
	}
}

// scp reports the programs that scp and sftp use instead of ssh.
func (w *walker) scp(c *Command, args []argument, s scope) {
	g := grammar{short: "c:D:F:i:J:l:o:P:S:X:", closed: false}
	if c.Name == "sftp" {
		g.short = "b:B:c:D:F:i:J:l:o:P:R:s:S:X:"
	}
	items, _ := g.scan(c.Args, "")
	for _, o := range items {
		if !o.valued {
			continue
		}
		switch value := valueFrom(args, o.source, o.value); o.name {
		case "-o":
			w.sshOption(c.Name, value, s, w.away(s))
		case "-S", "-D":
			if o.name == "-S" || c.Name == "sftp" {
				inner := s.through(c.Name + " " + o.name)
				inner.external, inner.input = true, nil
				w.runSplit(value, inner)
			}
		}
	}
}

// runSplit runs the words of text, which no shell reads.
func (w *walker) runSplit(text argument, s scope) {
	words, err := Split(text.Text)
	if text.Dynamic || err != nil || !w.spend(len(text.Text)) {
		w.unreadable([]argument{text}, s)
		return
	}
	if len(words) == 0 {
		return
	}
	args := make([]argument, len(words))
	for i, word := range words {
		args[i] = literal(word, text.at)
	}
	w.run(args, s)
}

// rsync reports the remote shell, and the rsync that it is asked to run.
func (w *walker) rsync(c *Command, args []argument, s scope) {
	g := grammar{short: "B:e:f:M:T:@:", long: "rsh= rsync-path= exclude= include= exclude-from= include-from= files-from= filter= backup-dir= suffix= chmod= chown= usermap= groupmap= block-size= timeout= contimeout= temp-dir= compare-dest= copy-dest= link-dest= out-format= log-file= log-file-format= password-file= early-input= bwlimit= port= sockopts= max-size= min-size= max-delete= max-alloc= modify-window= partial-dir= compress-level= compress-choice= checksum-choice= checksum-seed= skip-compress= address= protocol= iconv= remote-option= info= debug= stderr= write-batch= only-write-batch= read-batch= stop-after= stop-at= copy-as= outbuf="}
	items, _ := g.scan(c.Args, "")
	for _, o := range items {
		if !o.valued {
			continue
		}
		value := valueFrom(args, o.source, o.value)
		s.input = nil
		switch o.name {
		case "-e", "--rsh":
			inner := s.through(c.Name + " " + o.name)
			inner.external = true
			w.runSplit(value, inner)
		case "--rsync-path":
			w.text(value, c.Name+" "+o.name, w.away(s))
		}
	}
}

func (w *walker) mosh(c *Command, args []argument, s scope) {
	g := wraps("64anop:", "client= server= ssh= ssh-pty no-ssh-pty predict= predict-overwrite family= port= bind-server= no-init init local experimental-remote-ip= help version")
	items, rest := g.scan(c.Args, "")
	there := w.away(s).through(c.Name)
	there.external = true
	for _, o := range items {
		switch {
		case o.name == "":
		case o.kind == unknown:
			w.unreadable(args[min(o.index+1, len(args)):], there)
			return
		case o.name == "--help" || o.name == "--version":
			return
		case o.name == "--ssh" || o.name == "--client":
			w.text(valueFrom(args, o.source, o.value), c.Name+" "+o.name, s)
		case o.name == "--server":
			w.text(valueFrom(args, o.source, o.value), c.Name+" "+o.name, w.away(s))
		}
	}
	args = args[min(rest, len(args)):]
	if len(args) < 2 {
		return
	}
	if args = args[1:]; args[0].Text == "--" {
		args = args[1:]
	}
	if len(args) > 0 {
		w.run(args, there)
	}
}

// wsl runs words in the shell of the other system, or with -e without one.
func (w *walker) wsl(c *Command, args []argument, s scope) {
	there := w.away(s)
	for i := 0; i < len(args); i++ {
		switch args[i].Text {
		case "-d", "--distribution", "-u", "--user", "--shell-type", "--distribution-id":
			i++
		case "--cd":
			if i++; i < len(args) {
				there.chdir(args[i])
			}
		case "-e", "--exec":
			if i+1 < len(args) {
				inner := there.through(c.Name)
				inner.external = true
				w.run(args[i+1:], inner)
			}
			return
		case "--system", "~":
		default:
			if args[i].Text == "--" {
				i++
			} else if strings.HasPrefix(args[i].Text, "-") {
				return // it manages the systems
			}
			if text, ok := joined(args[min(i, len(args)):]); ok {
				w.text(text, c.Name, there)
			}
			return
		}
	}
}

// machine has the words before the host of an ssh, the options whose value is a
// text for the shell there, and other options that have a value.
type machine struct{ words, text, values string }

// machineOf is about the programs with a subcommand that is an ssh.
func machineOf(name string) machine {
	switch name {
	case "vagrant":
		return machine{"ssh", "-c --command", "-p"}
	case "gcloud":
		return machine{"compute ssh", "--command", "--zone --project --account --configuration --ssh-key-file --ssh-flag --container --region --strict-host-key-checking"}
	case "minikube":
		return machine{"ssh", "", "-p --profile -n --node"}
	case "colima":
		return machine{"ssh", "", "-p --profile"}
	case "docker-machine":
		return machine{"ssh", "", ""}
	case "fly",
		"flyctl":
		return machine{"ssh console", "-C --command", "-a --app -u --user -r --region -s --machine -c --config"}
	case "eb":
		return machine{"ssh", "-c --command", "-n --number -e --custom -r --region --profile"}
	}
	return machine{}
}

// machine reports what vagrant ssh, gcloud compute ssh and the like run.
func (w *walker) machine(c *Command, args []argument, s scope) bool {
	m := machineOf(c.Name)
	words := strings.Fields(m.words)
	operands := 0
	there := w.away(s)
	via := c.Name + " " + m.words
	for i := 0; i < len(args); i++ {
		text := args[i].Text
		name, value, attached := strings.Cut(text, "=")
		switch {
		case len(words) > 0 && text == words[0]:
			words = words[1:]
		case len(words) > 0 && !strings.HasPrefix(text, "-"):
			return false // another subcommand
		case text == "--":
			if len(words) == 0 {
				w.sshWords(sshGrammar, via, args[i+1:], s, true)
			}
			return true
		case listed(m.text, name) && strings.HasPrefix(text, "-"):
			if !attached {
				if i++; i >= len(args) {
					return true
				}
				value = args[i].Text
			}
			w.text(valueFrom(args, i, value), via+" "+name, there)
			return true
		case listed(m.values, name):
			if !attached {
				i++
			}
		case strings.HasPrefix(text, "-"):
		case m.text == "" && (operands > 0 || c.Name != "docker-machine"):
			joinedText, _ := joined(args[i:])
			w.text(joinedText, via, there)
			return true
		default:
			operands++
		}
	}
	return len(words) == 0
}
