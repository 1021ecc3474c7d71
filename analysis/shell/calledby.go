package shell

import (
	"strings"

	"github.com/luahook/luahook/internal/wordlist"
)

// variablesRun lists the variables that hold a command which a program runs, in the order in which it looks for them.
func variablesRun(program string) string {
	switch program {
	case "man":
		return "MANPAGER PAGER"
	case "rsync":
		return "RSYNC_RSH"
	case "cvs":
		return "CVS_RSH"
	case "psql":
		return "PSQL_PAGER PAGER"
	case "mysql", "mariadb", "zless", "info", "perldoc", "pydoc", "pydoc3", "ri":
		return "PAGER"
	case "systemctl", "journalctl", "loginctl", "machinectl":
		return "SYSTEMD_PAGER PAGER"
	case "gh":
		return "GH_PAGER PAGER"
	case "aws":
		return "AWS_PAGER PAGER"
	case "bat", "batcat":
		return "BAT_PAGER PAGER"
	case "delta":
		return "DELTA_PAGER PAGER"
	case "less":
		return "LESSOPEN"
	case "crontab", "sudoedit", "visudo", "vipw", "vigr":
		return "VISUAL EDITOR"
	}
	return ""
}

// byVariable reports the command in the first of the variables that a program runs.
func (w *walker) byVariable(c *Command, s scope) {
	for variableName := range strings.FieldsSeq(variablesRun(c.Name)) {
		value, ok := w.given(variableName, c)
		if !ok {
			continue
		}
		if variableName == "LESSOPEN" {
			if value.Text = strings.TrimLeft(value.Text, "|-"); value.Text == "" {
				return
			}
		}
		if !value.Dynamic || len(value.from) > 0 {
			s.input = &argument{Word: Word{Dynamic: true}, at: s.at, from: []*Command{c}}
			w.text(value, c.Name+" "+variableName, s)
		}
		return
	}
}

// given is the value of a variable that a command gets from the line.
func (w *walker) given(text string, c *Command) (argument, bool) {
	for i := len(c.Assignments) - 1; i >= 0; i-- {
		if a := &c.Assignments[i]; a.Name == text {
			return a.argument(place{c.Line, c.Column}), true
		}
	}
	it := w.choose(name{variable, text})
	if it == nil || it.unset || it.isList || !it.exported {
		return argument{}, false
	}
	return it.word, true
}

// libraryCommands are what the libraries of a language that stand for commands run: ruby -run -e rm, and
// perl -MExtUtils::Command -e rm_rf; and coreutils, of which an option says which of its programs it is.
func (w *walker) libraryCommands(c *Command, args []argument, s scope) {
	if program, ok := strings.CutPrefix(firstText(args), "--coreutils-prog="); ok && c.Name == "coreutils" {
		s = s.through(c.Name)
		s.external = true
		w.run(append([]argument{valueFrom(args, 0, program)}, args[1:]...), s)
		return
	}
	if c.Name != "ruby" && c.Name != "perl" {
		return
	}
	library := false
	for i, arg := range args {
		switch {
		case arg.Text == "-run" || arg.Text == "-MExtUtils::Command":
			library = true
		case library && arg.Text == "-e" && i+1 < len(args):
			words := libraryCommand(strings.Trim(args[i+1].Text, " ;()"))
			if words == "" {
				return
			}
			rest := args[i+2:]
			if len(rest) > 0 && rest[0].Text == "--" {
				rest = rest[1:]
			}
			var command []argument
			for word := range strings.FieldsSeq(words) {
				command = append(command, literal(word, arg.at))
			}
			s = s.through(c.Name + " -e")
			s.external = true
			w.run(append(command, rest...), s)
			return
		}
	}
}

func firstText(args []argument) string {
	if len(args) == 0 {
		return ""
	}
	return args[0].Text
}

// libraryCommand is the command that a name of such a library stands for.
func libraryCommand(function string) string {
	switch function {
	case "rm_rf":
		return "rm -rf"
	case "rm_f":
		return "rm -f"
	case "mkpath":
		return "mkdir -p"
	}
	if wordlist.Has("cp ln mv rm mkdir rmdir install chmod touch", function) {
		return function
	}
	return ""
}

// calculator reports what lines of dc run that begin with "!", in options and on the standard input.
func (w *walker) calculator(c *Command, args []argument, s scope) {
	items, _ := runsBy(c.Name).scan(c.Args, "")
	var texts []argument
	if s.input != nil {
		texts = append(texts, s.input.unread())
	}
	for _, o := range items {
		switch {
		case o.name == "":
			texts = append(texts, w.contents(args[o.index], &s)...)
		case wordlist.Has("-e --expression", o.name) && o.valued:
			texts = append(texts, valueFrom(args, o.source, o.value))
		}
	}
	s.input = nil
	for _, text := range texts {
		if !strings.Contains(text.Text, "!") || !w.spend(len(text.Text)) {
			continue
		}
		for line := range strings.SplitSeq(text.Text, "\n") {
			if _, command, ok := strings.Cut(line, "!"); ok && command != "" && strings.IndexByte("<>=", command[0]) < 0 {
				run := text
				run.Text = command
				w.text(run, c.Name+" !", s)
			}
		}
	}
}
