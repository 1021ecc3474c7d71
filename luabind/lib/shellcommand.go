package lib

import (
	"maps"
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/analysis/shell"
	"github.com/luahook/luahook/internal/spelling"
	"github.com/luahook/luahook/luabind"
)

var commandMethodList = []struct {
	name string
	run  func(call, *shell.Command, *parsedLine) int
}{{"flag", of(flagOf)}, {"operands", of(operandsOf)}, {"subcommand", of(subcommandOf)}, {"paths", of(pathsOf)}, {"files", of(filesOf)}, {"remote_files", of(remoteFilesOf)}, {"methods", of(methodsOf)}, {"git_folders", of(gitFoldersOf)}, {"before", before}, {"missing", missing}, {"replace_name", replaceName}}

// of is a method that needs no more than its command.
func of(run func(call, *shell.Command) int) func(call, *shell.Command, *parsedLine) int {
	return func(c call, command *shell.Command, _ *parsedLine) int { return run(c, command) }
}

// commandMethods are the methods of commands in a state. They hang in the registry,
// which scripts can't reach.
func commandMethods(L *lua.LState) *lua.LTable {
	methods := L.NewTypeMetatable("luahook.command")
	if methods.RawGetString("flag") != lua.LNil {
		return methods
	}
	for _, m := range commandMethodList {
		methods.RawSetString(m.name, L.NewFunction(func(L *lua.LState) int {
			c := call{LState: L, module: "shell", name: m.name, method: true}
			command, line := parsedCommand(L.Get(1))
			if command == nil {
				c.RaiseError("call %s of a command of shell.parse with a colon: cmd:%s(...)", c.name, c.name)
			}
			return m.run(c, command, line)
		}))
	}
	return methods
}

// chargeOptions pays for taking a command's arguments apart, where each letter of -abc
// is an option.
func (c call) chargeOptions(command *shell.Command) {
	options := 1
	for _, w := range command.Args {
		switch {
		case strings.HasPrefix(w.Text, "--"):
			options++
		case strings.HasPrefix(w.Text, "-"):
			options += len(w.Text)
		}
	}
	luabind.Spend(c.LState, 4+4*len(command.Args)+4*options)
	c.allocateParts(100 + 80*len(command.Args) + 300*options)
}

// flagOf gives the value of an option, true where it has none, and false where it
// isn't there.
func flagOf(c call, command *shell.Command) int {
	names := make([]string, max(c.GetTop()-1, 1))
	for i := range names {
		names[i] = c.text(i + 2)
		if len(names[i]) < 2 || !strings.HasPrefix(names[i], "-") && !strings.HasSuffix(names[i], "=") {
			c.bad(i+2, `option with its dashes expected, like "-f" or "--force", got "`+cut(names[i], 100)+`"`)
		}
	}
	c.chargeOptions(command)
	luabind.Spend(c.LState, len(names)*(1+len(command.Args)))
	value, ok := command.Flag(names...)
	switch {
	case !ok:
		return c.give(lua.LFalse)
	case value == "":
		return c.give(lua.LTrue)
	}
	return c.giveText(value)
}

func operandsOf(c call, command *shell.Command) int {
	c.chargeOptions(command)
	luabind.Spend(c.LState, len(command.Args))
	c.allocateParts(100 * len(command.Args))
	return c.give(c.wordTexts(command.Operands()))
}

func subcommandOf(c call, command *shell.Command) int {
	c.chargeOptions(command)
	if name := command.Subcommand(); name != "" {
		return c.giveText(name)
	}
	return c.give(lua.LNil)
}

// accesses are what cmd:paths can be asked for.
var accesses = []string{string(shell.Read), string(shell.Write), string(shell.Delete)}

// access reads a kind of access that is asked for.
func (c call) access(n int) shell.Access {
	access := shell.Access(c.text(n))
	if access != shell.Read && access != shell.Write && access != shell.Delete {
		given := cut(string(access), 100)
		c.bad(n, `"read", "write" or "delete" expected, got "`+given+`"`+spelling.DidYouMean(given, accesses))
	}
	return access
}

// pathsOf lists the paths that the command is given, those of one kind of access or
// all, and reports whether one of them isn't known.
func pathsOf(c call, command *shell.Command) int {
	var access shell.Access // "": all
	if c.GetTop() > 2 {
		c.bad(3, `one kind of access expected, or none for all`)
	} else if c.Get(2) != lua.LNil {
		access = c.access(2)
	}
	c.chargePaths(command)
	var texts []string
	unknown := false
	for _, p := range command.Paths() {
		if access == "" || p.Access == access {
			texts = append(texts, p.Text)
			unknown = unknown || p.Dynamic
		}
	}
	c.giveTexts(texts)
	return 1 + c.give(lua.LBool(unknown))
}

// chargePaths pays for the paths of a command, each of which may stand behind the
// folder that the command runs in.
func (c call) chargePaths(command *shell.Command) {
	c.chargeOptions(command)
	words, size := len(command.Args)+len(command.Redirects), 0
	for _, w := range command.Args {
		size += len(w.Text)
	}
	for _, r := range command.Redirects {
		size += len(r.Target.Text)
	}
	size += words * len(command.Dir.Text)
	size += size * command.Mounts()
	c.charge(size)
	c.allocateParts(160*words + 2*size)
}

var filePart = part{what: "a file of a command", fields: []string{"path", "access", "dynamic", "glob", "home", "under", "temporary", "redirected"}, optional: []string{"reach"}}

// filesOf is as pathsOf, with what is known of each path: under is "" where that isn't known.
func filesOf(c call, command *shell.Command) int {
	return c.files(command, (*shell.Command).Paths)
}

// remoteFilesOf is as filesOf, of a command that runs elsewhere.
func remoteFilesOf(c call, command *shell.Command) int {
	return c.files(command, (*shell.Command).RemotePaths)
}

func (c call) files(command *shell.Command, list func(*shell.Command) []shell.Path) int {
	wanted := make([]shell.Access, c.GetTop()-1)
	for i := range wanted {
		wanted[i] = c.access(i + 2)
	}
	c.chargePaths(command)
	var files []shell.Path
	for _, p := range list(command) {
		if len(wanted) == 0 || slices.Contains(wanted, p.Access) {
			files = append(files, p)
		}
	}
	return c.give(c.fileParts(files))
}

func (c call) fileParts(files []shell.Path) *lua.LTable {
	return c.parts(len(files), filePart, func(i int, t *lua.LTable) {
		f := &files[i]
		filePart.fill(t, lua.LString(f.Text), lua.LString(f.Access), lua.LBool(f.Dynamic), lua.LBool(f.Glob), lua.LBool(f.Home), lua.LString(f.Under), lua.LBool(f.Temporary), lua.LBool(f.Redirected))
		if reach := f.Reach(); len(reach) > 1 || f.Dynamic && len(reach) > 0 {
			for _, text := range reach {
				c.allocateParts(len(text))
			}
			t.RawSetString("reach", c.texts(reach))
		}
	})
}

// gitFoldersOf gives the folder that a git command works in, and the one that it makes, as
// cmd:files() has files; nil where there is none.
func gitFoldersOf(c call, command *shell.Command) int {
	c.chargePaths(command)
	works, makes := command.GitFolders()
	for _, p := range []shell.Path{works, makes} {
		if p.Text == "" {
			c.give(lua.LNil)
		} else {
			c.give(c.fileParts([]shell.Path{p}).RawGetInt(1))
		}
	}
	return 2
}

var earlierPart = part{what: "an earlier command", fields: []string{"cmd", "succeeded", "failed"}}

// before lists the commands that have run when this one starts.
func before(c call, command *shell.Command, p *parsedLine) int {
	luabind.Spend(c.LState, 100+8*len(p.commands))
	earlier := p.line.Before(command)
	c.allocateParts(100 * len(earlier))
	return c.give(c.parts(len(earlier), earlierPart, func(i int, t *lua.LTable) {
		earlierPart.fill(t, p.table(earlier[i].Command), lua.LBool(earlier[i].Succeeded), lua.LBool(earlier[i].Failed))
	}))
}

// missing reports whether a test of the line has found no file at a path when this command starts.
func missing(c call, command *shell.Command, p *parsedLine) int {
	name := c.text(2)
	luabind.Spend(c.LState, 200+100*len(p.commands))
	return c.give(lua.LBool(p.line.Missing(command, name)))
}

var (
	settingPart = part{"a setting of git", []string{"key", "value", "dynamic"}, nil}
	pushPart    = part{"a push of git", []string{"remote", "branch", "current", "any", "force", "delete"}, []string{"remote", "branch"}}
	refspecPart = part{"a refspec of git", []string{"source", "target", "force", "delete"}, nil}
)

var gitPart = part{"git of a shell command", []string{
	"subcommand", "dir", "operands", "paths", "refspecs", "pushes", "force", "force_with_lease", "dry_run",
	"discards_changes", "rewrites_history", "deletes_refs", "because", "dynamic",
	"settings", "stored", "elsewhere", "skips_hooks", "foreign",
}, []string{"subcommand", "dir", "stored"}}

// gitOf is what a git command does to history and files, nil for any other.
func gitOf(c call, _ *parsedLine, cmd *shell.Command) lua.LValue {
	c.chargeOptions(cmd)
	g := cmd.Git()
	if g == nil {
		return lua.LNil
	}
	return c.lazy(gitPart, func(c call, name string) lua.LValue { return c.gitField(g, name) })
}

// gitField is a field of gitPart.
func (c call) gitField(g *shell.Git, name string) lua.LValue {
	switch name {
	case "subcommand":
		return textOrNil(g.Subcommand)
	case "dir":
		if g.Dir.Dynamic {
			return lua.LNil
		}
		return textOrNil(g.Dir.Text)
	case "operands":
		return c.wordTexts(g.Operands)
	case "paths":
		return c.wordTexts(g.Paths)
	case "refspecs":
		return c.refspecs(g.Refspecs)
	case "pushes":
		return c.pushes(g.Pushes)
	case "force":
		return lua.LBool(g.Force)
	case "force_with_lease":
		return lua.LBool(g.ForceWithLease)
	case "dry_run":
		return lua.LBool(g.DryRun)
	case "discards_changes":
		return lua.LBool(g.DiscardsChanges)
	case "rewrites_history":
		return lua.LBool(g.RewritesHistory)
	case "deletes_refs":
		return lua.LBool(g.DeletesRefs)
	case "because":
		return lua.LString(g.Because)
	case "dynamic":
		return lua.LBool(g.Dynamic)
	case "settings":
		return c.settings(g.Settings)
	case "stored":
		if g.Stored == nil {
			return lua.LNil
		}
		return c.settings([]shell.GitSetting{*g.Stored}).RawGetInt(1)
	case "elsewhere":
		return lua.LBool(g.Elsewhere)
	case "skips_hooks":
		return lua.LBool(g.SkipsHooks)
	case "foreign":
		return lua.LBool(g.Foreign)
	}
	panic("git of a command has no field " + name)
}

func (c call) settings(settings []shell.GitSetting) *lua.LTable {
	return c.parts(len(settings), settingPart, func(i int, t *lua.LTable) {
		s := &settings[i]
		settingPart.fill(t, lua.LString(s.Key), lua.LString(s.Value.Text), lua.LBool(s.Value.Dynamic))
	})
}

func (c call) refspecs(refspecs []shell.Refspec) *lua.LTable {
	return c.parts(len(refspecs), refspecPart, func(i int, t *lua.LTable) {
		r := refspecs[i]
		refspecPart.fill(t, lua.LString(r.Source), lua.LString(r.Target), lua.LBool(r.Force), lua.LBool(r.Delete))
	})
}

func (c call) pushes(pushes []shell.Push) *lua.LTable {
	return c.parts(len(pushes), pushPart, func(i int, t *lua.LTable) {
		p := &pushes[i]
		pushPart.fill(t, textOrNil(p.Remote), textOrNil(p.Branch), lua.LBool(p.Current), lua.LBool(p.Any), lua.LBool(p.Force), lua.LBool(p.Delete))
	})
}

var methodPart = part{what: "a method of a command's program", fields: []string{"name", "object", "bare", "key"}}

// methodsOf lists the calls of methods in the program that a command gives to a
// database that speaks JavaScript.
func methodsOf(c call, command *shell.Command) int {
	c.chargeOptions(command)
	size := 0
	for _, w := range command.Args {
		size += len(w.Text)
	}
	if command.Input != nil {
		size += len(command.Input.Text)
	}
	luabind.Spend(c.LState, size)
	c.allocateParts(64 * size) // a token has some 80 bytes
	methods := command.Methods()
	return c.give(c.parts(len(methods), methodPart, func(i int, t *lua.LTable) {
		m := &methods[i]
		methodPart.fill(t, lua.LString(m.Name), lua.LString(m.Object), lua.LBool(m.Bare), lua.LString(m.Key))
	}))
}

// replaceName gives the text of the line in which this command has another name, and those
// that were given names before have theirs; nil and why it can't be done.
func replaceName(c call, command *shell.Command, p *parsedLine) int {
	name := c.text(2)
	work := 200 + 16*min(len(p.text), maxCharged) + 20*len(p.commands)
	luabind.Spend(c.LState, work)
	c.allocateParts(12000 + 300*min(len(p.text), maxCharged))
	names := maps.Clone(p.names)
	if names == nil {
		names = map[*shell.Command]string{}
	}
	names[command] = name
	line, err := p.line.Rename(p.text, p.options, names)
	if err != nil {
		return c.give(lua.LNil) + c.giveText(oneLine(err.Error()))
	}
	p.names = names
	return c.giveText(line)
}
