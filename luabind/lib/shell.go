package lib

import (
	"fmt"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/luabind"
	"github.com/luahook/luahook/shell"
)

func shellModule() luabind.Module {
	return module("shell", "what a shell command line would run, read as bash and never run",
		function{
			"parse", "(command: string): {commands: ShellCommand[], error: string?, too_complex: boolean}",
			"the commands in a command line, those in loops, substitutions and behind sudo, xargs or bash -c too; where error is set or too_complex true, commands holds what was understood and the rest is unknown; " +
				"a command has name (nil where it can't be known, or there is none), path, args, words, assignments, redirects, context, pipe, via, dynamic, name_dynamic, line, column, " +
				"and the methods cmd:flag(name, ...) (its value, or true where it has none, else false), cmd:operands() and cmd:subcommand()",
			`local cmd = shell.parse("cd /x && sudo git -C /y push --force origin").commands[3]
assert(cmd.name == "git" and cmd:subcommand() == "push" and cmd:flag("-f", "--force"))
assert(cmd.via[1] == "sudo" and cmd.context == "and")
assert(shell.parse("kubectl --context=prod get pods").commands[1]:flag("--context") == "prod")`,
			parseShell,
		},
		function{
			"split", "(s: string): string[]",
			"the words of s, with quotes and backslashes resolved as a shell does, and nothing else; an error for a quote that isn't closed",
			`assert(shell.split([[a 'b c' "d"]])[2] == "b c")`,
			splitShell,
		},
		function{
			"quote", "(word: string, ...: string): string",
			"a text that a shell reads as these words",
			`assert(shell.quote("rm", "my file") == "rm 'my file'")`,
			quoteShell,
		})
}

func parseShell(c call) int {
	text := c.text(1)
	// Parsing takes some 10 KiB to begin with; package shell bounds what it takes for
	// large texts.
	luabind.Spend(c.LState, 200+8*min(len(text), maxCharged))
	c.allocate(6000 + 120*min(len(text), maxCharged))
	line := shell.Parse(text, shell.Options{})
	commands := c.list(len(line.Commands))
	meta := commandMeta(c.LState)
	for _, command := range line.Commands {
		commands.Append(c.command(command, meta))
	}
	t := c.object(3)
	t.RawSetString("commands", commands)
	if line.Err != nil {
		t.RawSetString("error", lua.LString(oneLine(line.Err.Error())))
	}
	t.RawSetString("too_complex", lua.LBool(line.TooComplex))
	t.Metatable = lineMeta(c.LState)
	return c.give(t)
}

// maxCharged is the length up to which a text is parsed.
const maxCharged = 64 << 10

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// command is a table of what is known about a command.
func (c call) command(command *shell.Command, meta *lua.LTable) *lua.LTable {
	luabind.Spend(c.LState, 40+16*(len(command.Args)+len(command.Assignments)+len(command.Redirects))+len(command.Via))
	args, words := c.list(len(command.Args)), c.list(len(command.Args))
	for _, w := range command.Args {
		args.Append(lua.LString(w.Text))
		word := c.object(4)
		word.RawSetString("text", lua.LString(w.Text))
		word.RawSetString("dynamic", lua.LBool(w.Dynamic))
		word.RawSetString("quoted", lua.LBool(w.Quoted))
		word.RawSetString("glob", lua.LBool(w.Glob))
		words.Append(word)
	}
	assignments := c.list(len(command.Assignments))
	for _, a := range command.Assignments {
		t := c.object(4)
		t.RawSetString("name", lua.LString(a.Name))
		t.RawSetString("value", lua.LString(a.Value.Text))
		t.RawSetString("append", lua.LBool(a.Append))
		t.RawSetString("dynamic", lua.LBool(a.Value.Dynamic))
		assignments.Append(t)
	}
	redirects := c.list(len(command.Redirects))
	for _, r := range command.Redirects {
		t := c.object(5)
		t.RawSetString("op", lua.LString(r.Op))
		t.RawSetString("target", lua.LString(r.Target.Text))
		if r.Fd >= 0 {
			t.RawSetString("fd", lua.LNumber(r.Fd))
		}
		t.RawSetString("dynamic", lua.LBool(r.Dynamic))
		t.RawSetString("body", lua.LString(r.Body))
		redirects.Append(t)
	}
	t := c.object(len(commandFields))
	if command.Name != "" {
		t.RawSetString("name", lua.LString(command.Name))
	}
	t.RawSetString("path", lua.LString(command.Path))
	t.RawSetString("args", args)
	t.RawSetString("words", words)
	t.RawSetString("assignments", assignments)
	t.RawSetString("redirects", redirects)
	t.RawSetString("context", lua.LString(command.Context))
	if command.Pipe > 0 {
		t.RawSetString("pipe", lua.LNumber(command.Pipe))
	}
	t.RawSetString("via", c.texts(command.Via))
	t.RawSetString("dynamic", lua.LBool(command.Dynamic))
	t.RawSetString("name_dynamic", lua.LBool(command.NameDynamic))
	t.RawSetString("line", lua.LNumber(command.Line))
	t.RawSetString("column", lua.LNumber(command.Column))
	t.Metatable = meta
	return t
}

// maxSplit bounds what is taken apart in one go.
const maxSplit = 1 << 20

func splitShell(c call) int {
	s := c.text(1)
	if len(s) > maxSplit {
		c.bad(1, fmt.Sprintf("a text of more than %d bytes", maxSplit))
	}
	luabind.Spend(c.LState, 4+len(s))
	c.allocateParts(40*len(s) + 64) // at worst a word for two bytes
	words, err := shell.Split(s)
	if err != nil {
		c.bad(1, "text with complete quotes expected: "+err.Error())
	}
	return c.giveTexts(words)
}

func quoteShell(c call) int {
	words := make([]string, max(c.GetTop(), 1))
	size := 0
	for i := range words {
		words[i] = c.text(i + 1)
		quotes := strings.Count(words[i], "'")
		c.charge(len(words[i]) + 8*quotes)
		size += len(words[i]) + 3*quotes + 3
	}
	c.allocate(16 * len(words))
	if size > 64 { // less is not worth it
		c.allocate(size)
		c.allocate(2 * size) // it is quoted word by word, and grows as it goes
	}
	return c.giveText(shell.Quote(words...))
}
