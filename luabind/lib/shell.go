package lib

import (
	"fmt"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/analysis/shell"
	"github.com/luahook/luahook/luabind"
)

func shellModule() luabind.Module {
	return module("shell", "what a shell command line would run, read as bash and never run",
		function{
			"parse", "(command: string, options?: {cwd: string, home: string}): {commands: ShellCommand[], error: string?, too_complex: boolean}",
			"the commands in a command line, those in loops, substitutions and behind sudo, xargs or bash -c too; where error is set or too_complex true, commands holds what was understood and the rest is unknown; " +
				"cwd is the folder that the line starts in and home the home folder, absolute; " +
				"a command has name (nil where it can't be known, or there is none), path, args, words, env, assignments, redirects, context, pipe, via, parent, dynamic, name_dynamic, from, input, dir, decoded, multiplies, decides, remote, line, column, git, " +
				"and the methods cmd:flag(name, ...) (its value, or true where it has none, else false), cmd:operands(), cmd:subcommand(), " +
				"cmd:paths(\"read\", \"write\" or \"delete\", else all) (a list, and true where one of them isn't known), cmd:files(access) (the same as a list of {path, access, dynamic, glob, home, under, temporary, reach}), cmd:remote_files(access) (those of a command that runs elsewhere) and cmd:methods() (what mongosh is asked to call); authors.md says what they mean",
			`local cmd = shell.parse("cd /x && sudo git -C /y push --force origin").commands[3]
assert(cmd.name == "git" and cmd:subcommand() == "push" and cmd:flag("-f", "--force"))
assert(cmd.via[1] == "sudo" and cmd.context == "and" and cmd.git.rewrites_history)
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
	o := c.options(2, "cwd", "home")
	options := shell.Options{Cwd: o.folder("cwd"), Home: o.folder("home")}
	// Parsing takes some 10 KiB to begin with; package shell bounds what it takes for
	// large texts. A line that another hook has parsed is charged like any other.
	luabind.Spend(c.LState, 200+8*min(len(text), maxCharged))
	c.allocate(6000 + 120*min(len(text), maxCharged))
	line := shell.ParseContext(c.Context(), text, options)
	t := c.object(3)
	t.RawSetString("commands", c.commands(line))
	if line.Err != nil {
		t.RawSetString("error", lua.LString(oneLine(line.Err.Error())))
	}
	t.RawSetString("too_complex", lua.LBool(line.TooComplex))
	t.Metatable = c.metaOf(linePart)
	return c.give(t)
}

// linePart is what shell.parse returns.
var linePart = part{"what shell.parse returns", []string{"commands", "error", "too_complex"}, []string{"error"}}

// folder is an option that names a folder.
func (o options) folder(name string) string {
	p, given := o.text(name)
	if !given {
		return ""
	}
	if len(p) > maxPath {
		o.c.bad(o.n, name+": longer than a path can be")
	}
	if !isAbs(slashed(p)) {
		o.c.bad(o.n, fmt.Sprintf("%s: absolute path expected, got %q", name, cut(p, 100)))
	}
	o.c.charge(len(p))
	o.c.allocate(2 * len(p))
	return clean(slashed(p))
}

// maxCharged is the length up to which a text is parsed.
const maxCharged = 64 << 10

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

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
