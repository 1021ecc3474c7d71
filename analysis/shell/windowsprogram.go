package shell

import (
	"regexp"
	"strings"
	"sync"

	"github.com/luahook/luahook/internal/wordlist"
)

// windowsProgram reports what a program of Windows does or has others do, by the commands that do the same.
func (w *walker) windowsProgram(c *Command, args []argument, s scope) bool {
	var run func(*walker, *Command, []argument, scope)
	switch c.Name {
	case "schtasks":
		run = (*walker).scheduledTask
	case "wmic":
		run = (*walker).wmic
	case "xcopy":
		run = (*walker).xcopy
	case "fsutil":
		run = (*walker).fsutil
	case "sc":
		run = (*walker).serviceControl
	default:
		return false
	}
	s.assigned, s.redirects, s.out, s.external = nil, nil, nil, true
	run(w, c, args, s)
	return true
}

// prompted reports a line that Windows runs at another time, or from another process.
func (w *walker) prompted(text argument, c *Command, s scope) {
	s.at = place{c.Line, c.Column}
	w.windowsText(Cmd, text, s.through(c.Name))
}

// scheduledTask is for schtasks /create /tr LINE.
func (w *walker) scheduledTask(c *Command, args []argument, s scope) {
	for i := 0; i+1 < len(args); i++ {
		if option := strings.ToLower(args[i].Text); option == "/tr" || option == "-tr" {
			w.prompted(args[i+1], c, s)
		}
	}
}

// serviceControl is for sc create NAME binPath= LINE.
func (w *walker) serviceControl(c *Command, args []argument, s scope) {
	for i, arg := range args {
		const option = "binpath="
		switch lower := strings.ToLower(arg.Text); {
		case lower == option && i+1 < len(args):
			w.prompted(args[i+1], c, s)
		case strings.HasPrefix(lower, option):
			arg.Text = arg.Text[len(option):]
			w.prompted(arg, c, s)
		}
	}
}

// xcopy copies what the first operand names to the second.
func (w *walker) xcopy(c *Command, args []argument, s scope) {
	words := []argument{literal("cp", place{c.Line, c.Column}), literal("-r", place{c.Line, c.Column})}
	count := len(words)
	for _, arg := range args {
		if !strings.HasPrefix(arg.Text, "/") || strings.Count(arg.Text, "/") > 1 {
			arg.Text = strings.ReplaceAll(arg.Text, `\`, "/")
			words = append(words, arg)
		}
	}
	if len(words) == count+1 {
		words = append(words, literal(".", words[0].at))
	}
	if len(words) > count {
		w.run(words, s.through(c.Name))
	}
}

// fsutil is for fsutil file seteof FILE SIZE and fsutil file createnew FILE SIZE, and links.
func (w *walker) fsutil(c *Command, args []argument, s scope) {
	if len(args) < 4 {
		return
	}
	at := place{c.Line, c.Column}
	file := args[2]
	file.Text = strings.ReplaceAll(file.Text, `\`, "/")
	switch strings.ToLower(args[0].Text + " " + args[1].Text) {
	case "file seteof", "file createnew", "file setvaliddata":
		w.run([]argument{literal("truncate", at), literal("-s", at), args[3], file}, s.through(c.Name))
	case "hardlink create":
		target := args[3]
		target.Text = strings.ReplaceAll(target.Text, `\`, "/")
		w.run([]argument{literal("ln", at), target, file}, s.through(c.Name))
	}
}

var wmicName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(name|caption|description|processid|handle)\s*(?:=|\blike\b)\s*["'(]*([^"')]+)`)
})

// wmic does something to objects of a class: process call create LINE, process where "name='x'" delete.
func (w *walker) wmic(c *Command, args []argument, s scope) {
	at := place{c.Line, c.Column}
	class, verb, where, line := "", "", "", argument{}
	for i := 0; i < len(args); i++ {
		text := strings.ToLower(args[i].Text)
		switch {
		case strings.HasPrefix(text, "/node:"):
			if name := strings.Trim(text[len("/node:"):], `"'`); name != "localhost" && name != "127.0.0.1" && name != "." {
				s = w.otherMachine(s)
			}
		case strings.HasPrefix(text, "/"):
		case class == "" && text == "path" && i+1 < len(args):
			i++
			class = strings.TrimPrefix(strings.ToLower(args[i].Text), "win32_")
		case class == "":
			class = text
		case verb == "" && wordlist.Has("call delete reboot shutdown", text):
			if verb = text; text == "call" && i+1 < len(args) {
				i++
				verb = strings.ToLower(args[i].Text)
			}
			if i+1 < len(args) {
				line = args[i+1]
			}
		case verb == "":
			where += " " + args[i].Text
		}
	}
	name, isNumber := "", false
	if found := wmicName().FindStringSubmatch(where); found != nil {
		name = strings.ReplaceAll(strings.ReplaceAll(found[2], `\\`, `\`), "%", "*")
		isNumber = strings.EqualFold(found[1], "processid") || strings.EqualFold(found[1], "handle")
	}
	run := func(words ...string) {
		list := make([]argument, len(words))
		for i, word := range words {
			list[i] = literal(word, at)
		}
		w.run(list, s.through(c.Name))
	}
	file := strings.ReplaceAll(name, `\`, "/")
	switch class + " " + verb {
	case "process create":
		if line.Text != "" {
			line.Text = strings.Trim(line.Text, `"'`)
			w.prompted(line, c, s)
		}
	case "process delete", "process terminate":
		switch {
		case isNumber:
			run("taskkill", "/pid", name)
		case name == "" && where == "":
			run("taskkill", "/im", "*")
		case name != "":
			run("taskkill", "/im", name)
		}
	case "os shutdown", "os reboot", "os win32shutdown", "os win32shutdowntracker", "operatingsystem shutdown", "operatingsystem reboot", "operatingsystem win32shutdown":
		run("shutdown", "/s")
	case "datafile delete", "cim_datafile delete":
		run("rm", "-f", "--", file)
	case "fsdir delete", "directory delete", "cim_directory delete":
		run("rm", "-rf", "--", file)
	case "service delete":
		run("sc", "delete", name)
	case "service stopservice":
		run("sc", "stop", name)
	case "nteventlog cleareventlog":
		run("wevtutil", "cl", "System")
	case "volume format":
		run("format", "C:")
	case "useraccount delete", "sysaccount delete":
		run("net", "user", name, "/delete")
	}
}

// ownSpelling are programs whose words are no paths, or such with backslashes: keys of the registry, servers, names of
// tasks, regular expressions, texts for another shell.
const ownSpelling = "reg schtasks sc net net1 wmic vssadmin wevtutil bcdedit diskpart cmd powershell pwsh wsl bash sh zsh grep egrep rg findstr sed awk gawk perl ag jq select-string " +
	"icacls cacls takeown netsh where ssh node python python3 py ruby php"

// slashed are the arguments of a program with slashes for the backslashes of paths, as a program of Windows takes them.
func slashed(words []argument) {
	name := strings.TrimSuffix(strings.ToLower(words[0].Text[strings.LastIndexByte(words[0].Text, '/')+1:]), ".exe")
	if words[0].Dynamic || wordlist.Has(ownSpelling, name) {
		return
	}
	for i := range words[1:] {
		word := &words[1+i]
		if !strings.Contains(word.Text, `\`) || strings.ContainsAny(word.Text, "\n\"'`|<>^$(){}") && !word.Dynamic || strings.HasPrefix(word.Text, `\\`) {
			continue
		}
		word.Text = strings.ReplaceAll(word.Text, `\`, "/")
		parts := make([]string, len(word.dynamic))
		for k, part := range word.dynamic {
			parts[k] = strings.ReplaceAll(part, `\`, "/")
		}
		word.dynamic = parts
	}
}

// requoted are words with the quotes that a program of Windows passes on.
func requoted(words []argument) []argument {
	list := append([]argument{}, words...)
	for i := range list {
		if word := &list[i]; len(list) > 1 && word.Quoted && strings.ContainsAny(word.Text, " \t;&|") && !strings.Contains(word.Text, "'") {
			word.Text = "'" + word.Text + "'"
		}
	}
	return list
}
