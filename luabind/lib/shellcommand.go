package lib

import (
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
	"github.com/luahook/luahook/shell"
)

// commandFields are what a command has; name and pipe may be nil.
var commandFields = []string{
	"name", "path", "args", "words", "assignments", "redirects", "context", "pipe", "via",
	"dynamic", "name_dynamic", "line", "column", "flag", "operands", "subcommand",
}

// commandMeta is the metatable of commands in a state. It hangs in the registry,
// which scripts can't reach. Commands are plain tables but for their methods, and
// for this: to read a field that no command has is an error, because a typo in a
// guard must not read as "no match".
func commandMeta(L *lua.LState) *lua.LTable {
	meta := L.NewTypeMetatable("luahook.command")
	if meta.RawGetString("__index") != lua.LNil {
		return meta
	}
	methods := L.CreateTable(0, 3)
	for _, m := range []struct {
		name string
		run  func(call, *shell.Command) int
	}{{"flag", flagOf}, {"operands", operandsOf}, {"subcommand", subcommandOf}} {
		methods.RawSetString(m.name, L.NewFunction(func(L *lua.LState) int {
			c := call{LState: L, module: "shell", name: m.name, method: true}
			return m.run(c, c.self())
		}))
	}
	unknown := L.NewTable()
	unknown.RawSetString("__index", L.NewFunction(func(L *lua.LState) int {
		key := cut(L.Get(2).String(), 100)
		if key != "name" && key != "pipe" {
			L.RaiseError("a shell command has no field %q%s", key, hooks.DidYouMean(key, commandFields))
		}
		return 0
	}))
	methods.Metatable = unknown
	meta.RawSetString("__index", methods)
	meta.RawSetString("__metatable", lua.LString("command"))
	return meta
}

// lineMeta is the metatable of what shell.parse returns: as with commands, a field
// that it never has is an error. Only error may be nil.
func lineMeta(L *lua.LState) *lua.LTable {
	meta := L.NewTypeMetatable("luahook.line")
	if meta.RawGetString("__index") == lua.LNil {
		meta.RawSetString("__index", L.NewFunction(func(L *lua.LState) int {
			if key := cut(L.Get(2).String(), 100); key != "error" {
				L.RaiseError("what shell.parse returns has no field %q%s", key, hooks.DidYouMean(key, []string{"commands", "error", "too_complex"}))
			}
			return 0
		}))
		meta.RawSetString("__metatable", lua.LString("line"))
	}
	return meta
}

// self reads the command before the colon back from its table, which holds all
// that the methods need. The table is the script's own and may have been changed.
func (c call) self() *shell.Command {
	wrong := func() {
		c.RaiseError("call %s of a command of shell.parse with a colon: cmd:%s(...)", c.name, c.name)
	}
	t, ok := c.Get(1).(*lua.LTable)
	if !ok {
		wrong()
	}
	words, ok := t.RawGetString("words").(*lua.LTable)
	if !ok {
		wrong()
	}
	name, _ := t.RawGetString("name").(lua.LString)
	n := words.Len()
	luabind.Spend(c.LState, 4+4*n)
	c.allocateParts(128 + 80*n)
	command := &shell.Command{Name: string(name), Args: make([]shell.Word, n)}
	for i := range command.Args {
		word, ok := words.RawGetInt(i + 1).(*lua.LTable)
		if !ok {
			wrong()
		}
		text, ok := word.RawGetString("text").(lua.LString)
		if !ok {
			wrong()
		}
		command.Args[i] = shell.Word{Text: string(text), Dynamic: lua.LVAsBool(word.RawGetString("dynamic"))}
	}
	return command
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
	luabind.Spend(c.LState, len(command.Args)+4*options)
	c.allocateParts(300 * options)
}

// flagOf gives the value of an option, true where it has none, and false where it
// isn't there.
func flagOf(c call, command *shell.Command) int {
	names := make([]string, max(c.GetTop()-1, 1))
	for i := range names {
		names[i] = c.text(i + 2)
		if len(names[i]) < 2 || !strings.HasPrefix(names[i], "-") {
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
	var texts []string
	for _, w := range command.Operands() {
		texts = append(texts, w.Text)
	}
	return c.giveTexts(texts)
}

func subcommandOf(c call, command *shell.Command) int {
	c.chargeOptions(command)
	if name := command.Subcommand(); name != "" {
		return c.giveText(name)
	}
	return c.give(lua.LNil)
}
