package shell

import (
	"strings"

	"github.com/luahook/luahook/analysis/shell/programs"
	"github.com/luahook/luahook/internal/wordlist"
)

// sshStops are the options with which ssh runs no command there.
const sshStops = "-G -N -O -Q -s -V -W"

// ssh reports what ssh runs.
func (w *walker) ssh(c *Command, args []argument, s scope) {
	w.sshWords(runsBy(c.Name), c.Name, args, s, false)
}

// sshWords reports what options of ssh name, and the words behind the host,
// which a shell there reads as one text. Among the arguments there is no host
// where it is known already. Options may come behind the host, too.
func (w *walker) sshWords(g *grammar, via string, args []argument, s scope, host bool) {
	there := w.otherMachine(s)
	stops, tunnel, here := false, false, false
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
			stops, tunnel = stops || wordlist.Has(sshStops, o.name), tunnel || leadsElsewhere(o)
		}
		args = args[min(rest, len(args)):]
		if host || len(args) == 0 {
			break
		}
		if args[0].Dynamic && !args[0].Quoted && len(args) > 1 {
			w.unreadable(args[1:], there.through(via))
			return
		}
		here = isThisMachine(args[0].Text) && !args[0].Dynamic && !s.remote
		host, args = true, args[1:]
	}
	if here && !tunnel {
		input := there.input
		there = s
		there.input, there.cleared, there.assigned = input, true, nil
		there.chdir(w.home())
	}
	switch text, ok := joinWords(args); {
	case stops || !host:
	case ok:
		w.text(text, via, there)
	case there.input != nil: // the login shell reads it
		w.text(there.input.unread(), via+" <", there)
	}
}

// isThisMachine reports whether the host that ssh is given, with or without a user, is the machine that it runs on.
// Behind a port of its own there may be another.
func isThisMachine(host string) bool {
	host = host[strings.LastIndexByte(host, '@')+1:]
	return strings.EqualFold(host, "localhost") || host == "::1" || strings.HasPrefix(host, "127.") && strings.Trim(host, "0123456789.") == ""
}

// leadsElsewhere reports whether an option of ssh can have another machine answer in the place of the one that is named.
func leadsElsewhere(o item) bool {
	switch o.name {
	case "-p":
		return o.value != "22"
	case "-o":
		name, _ := sshSetting(o.value)
		return wordlist.Has("port hostname proxyjump proxycommand", strings.ToLower(name))
	}
	return o.name == "-J" || o.name == "-F"
}

// sshSetting splits Name=text or "Name text". The name is good in any letters.
func sshSetting(setting string) (name, text string) {
	end := strings.IndexAny(setting, "= \t")
	if end < 0 {
		return setting, ""
	}
	return setting[:end], strings.TrimLeft(setting[end+1:], "= \t")
}

// sshOption reports what -o Name=text or "Name text" runs.
func (w *walker) sshOption(via string, value argument, here, there scope) {
	name, text := sshSetting(value.Text)
	if strings.EqualFold(text, "none") || text == "" {
		return
	}
	value.Text, here.input = text, nil
	switch strings.ToLower(name) {
	case "proxycommand", "localcommand", "knownhostscommand":
		w.text(value, via+" -o "+name, here)
	case "remotecommand":
		w.text(value, via+" -o "+name, there)
	}
}

// scp reports the programs that scp and sftp use instead of ssh.
func (w *walker) scp(c *Command, args []argument, s scope) {
	items, _ := runsBy(c.Name).scan(c.Args, "")
	for _, o := range items {
		if !o.valued {
			continue
		}
		switch value := valueFrom(args, o.source, o.value); o.name {
		case "-o":
			w.sshOption(c.Name, value, s, w.otherMachine(s))
		case "-S", "-D":
			if o.name == "-S" || c.Name == "sftp" {
				inner := s.through(c.Name + " " + o.name)
				inner.external, inner.input = true, nil
				w.runSplit(value, inner)
			}
		}
	}
}

// runSplit runs the words of text, which no shell reads. Of a dynamic one the words that it begins with may be known.
func (w *walker) runSplit(text argument, s scope) {
	known, rest := text.Text, ""
	if text.Dynamic {
		known = text.lead[:strings.LastIndexAny(text.lead, " \t\n")+1]
		rest = strings.TrimPrefix(text.Text, known)
	}
	words, err := Split(known)
	if err != nil || len(words) == 0 && text.Dynamic || !w.spend(len(text.Text)) {
		w.unreadable([]argument{text}, s)
		return
	}
	if len(words) == 0 {
		return
	}
	args := make([]argument, len(words), len(words)+1)
	for i, word := range words {
		args[i] = literal(word, text.at)
	}
	if text.Dynamic {
		args = append(args, argument{Word: Word{Text: rest, Dynamic: true}, at: text.at})
	}
	w.run(args, s)
}

// rsync reports the remote shell, and the rsync that it is asked to run.
func (w *walker) rsync(c *Command, args []argument, s scope) {
	items, _ := runsBy(c.Name).scan(c.Args, "")
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
			w.text(value, c.Name+" "+o.name, w.otherMachine(s))
		}
	}
}

func (w *walker) mosh(c *Command, args []argument, s scope) {
	items, rest := runsBy(c.Name).scan(c.Args, "")
	there := w.otherMachine(s).through(c.Name)
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
			w.text(valueFrom(args, o.source, o.value), c.Name+" "+o.name, w.otherMachine(s))
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
	there := s // it has the files of both systems
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
			if text, ok := joinWords(requoted(args[min(i, len(args)):])); ok {
				w.text(text, c.Name, there)
			}
			return
		}
	}
}

// machine reports what vagrant ssh, gcloud compute ssh and the like run.
func (w *walker) machine(m *programs.Machine, c *Command, args []argument, s scope) bool {
	words := strings.Fields(m.Words)
	operands := 0
	there := w.otherMachine(s)
	via := c.Name + " " + m.Words
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
				w.sshWords(runsBy("ssh"), via, args[i+1:], s, true)
			}
			return true
		case wordlist.Has(m.Text, name) && strings.HasPrefix(text, "-"):
			if !attached {
				if i++; i >= len(args) {
					return true
				}
				value = args[i].Text
			}
			w.text(valueFrom(args, i, value), via+" "+name, there)
			return true
		case wordlist.Has(m.Values, name):
			if !attached {
				i++
			}
		case strings.HasPrefix(text, "-"):
		case m.Text == "" && (operands > 0 || c.Name != "docker-machine"):
			joinedText, _ := joinWords(args[i:])
			w.text(joinedText, via, there)
			return true
		default:
			operands++
		}
	}
	return len(words) == 0
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

// fleet reports the words behind the options, which a shell on many machines
// reads as one text, as with ssh.
func (w *walker) fleet(c *Command, args []argument, s scope) {
	items, rest := runsBy(c.Name).scan(c.Args, "")
	for _, o := range items {
		switch o.name {
		case "--help", "--version", "--copy", "--rcopy":
			return
		case "-c", "-r": // of clush: it copies files
			if c.Name == "clush" {
				return
			}
		}
	}
	if text, ok := joinWords(args[min(rest, len(args)):]); ok {
		w.text(text, c.Name, w.otherMachine(s))
	}
}

// ansible reports the command that a module such as shell is given with -a.
func (w *walker) ansible(c *Command, args []argument, s scope) {
	items, _ := runsBy(c.Name).scan(c.Args, "")
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
		w.text(*given, c.Name, w.otherMachine(s))
	default:
		w.runSplit(*given, w.otherMachine(s).through(c.Name))
	}
}
