package lib

import (
	"slices"
	"strings"
	"sync"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/analysis/shell"
	"github.com/luahook/luahook/internal/spelling"
	"github.com/luahook/luahook/luabind"
)

// commandField is a field of a command.
type commandField struct {
	name   string
	beside bool // see relation
	get    func(call, *parsedLine, *shell.Command) lua.LValue
}

// commandFields are what a command has beside its methods; see [shell.Command], which
// has them under the same names. Those that may be nil are name, pipe, parent, input,
// dir and git.
var commandFields = []commandField{
	{"name", false, textField(func(c *shell.Command) string { return c.Name }, true)},
	{"path", false, textField(func(c *shell.Command) string { return c.Path }, false)},
	{"args", false, func(c call, _ *parsedLine, cmd *shell.Command) lua.LValue { return c.wordTexts(cmd.Args) }},
	{"words", false, func(c call, _ *parsedLine, cmd *shell.Command) lua.LValue { return c.words(cmd.Args) }},
	{"env", false, envOf},
	{"assignments", false, assignmentsOf},
	{"redirects", false, redirectsOf},
	{"context", false, textField(func(c *shell.Command) string { return c.Context }, false)},
	{"pipe", false, pipeOf},
	{"via", false, func(c call, _ *parsedLine, cmd *shell.Command) lua.LValue { return c.texts(cmd.Via) }},
	{"parent", true, func(_ call, p *parsedLine, cmd *shell.Command) lua.LValue { return p.table(cmd.Parent) }},
	{"dynamic", false, truthField(func(c *shell.Command) bool { return c.Dynamic })},
	{"name_dynamic", false, truthField(func(c *shell.Command) bool { return c.NameDynamic })},
	{"from", true, func(c call, p *parsedLine, cmd *shell.Command) lua.LValue { return c.sources(p, cmd.From) }},
	{"input", true, inputOf},
	{"dir", false, dirOfCommand},
	{"decoded", false, truthField(func(c *shell.Command) bool { return !c.NameDynamic && len(c.From) > 0 })},
	{"multiplies", false, truthField(func(c *shell.Command) bool { return c.Multiplies })},
	{"decides", false, truthField(func(c *shell.Command) bool { return c.Decides })},
	{"remote", false, truthField(func(c *shell.Command) bool { return c.Remote })},
	{"line", false, numberField(func(c *shell.Command) int { return c.Line })},
	{"column", false, numberField(func(c *shell.Command) int { return c.Column })},
	{"git", false, gitOf},
}

var fieldsByName = sync.OnceValue(func() map[string]*commandField {
	fields := make(map[string]*commandField, len(commandFields))
	for i := range commandFields {
		fields[commandFields[i].name] = &commandFields[i]
	}
	return fields
})

// commandNames are those of fields and methods.
func commandNames() []string {
	var names []string
	for i := range commandFields {
		names = append(names, commandFields[i].name)
	}
	for _, m := range commandMethodList {
		names = append(names, m.name)
	}
	return names
}

// textField is a text, and nil where it is empty and optional.
func textField(get func(*shell.Command) string, optional bool) func(call, *parsedLine, *shell.Command) lua.LValue {
	return func(c call, _ *parsedLine, cmd *shell.Command) lua.LValue {
		s := get(cmd)
		if s == "" && optional {
			return lua.LNil
		}
		c.allocate(16)
		return lua.LString(s)
	}
}

func truthField(get func(*shell.Command) bool) func(call, *parsedLine, *shell.Command) lua.LValue {
	return func(_ call, _ *parsedLine, cmd *shell.Command) lua.LValue { return lua.LBool(get(cmd)) }
}

func numberField(get func(*shell.Command) int) func(call, *parsedLine, *shell.Command) lua.LValue {
	return func(_ call, _ *parsedLine, cmd *shell.Command) lua.LValue { return lua.LNumber(get(cmd)) }
}

func pipeOf(_ call, _ *parsedLine, cmd *shell.Command) lua.LValue {
	if cmd.Pipe == 0 {
		return lua.LNil
	}
	return lua.LNumber(cmd.Pipe)
}

func dirOfCommand(c call, _ *parsedLine, cmd *shell.Command) lua.LValue {
	if cmd.Dir.Dynamic || cmd.Dir.Text == "" {
		return lua.LNil
	}
	c.allocate(16)
	return lua.LString(cmd.Dir.Text)
}

// wordTexts is a list of the words as text.
func (c call) wordTexts(words []shell.Word) *lua.LTable {
	luabind.Spend(c.LState, len(words))
	c.allocateParts(16 * len(words))
	list := c.list(len(words))
	for _, w := range words {
		list.Append(lua.LString(w.Text))
	}
	return list
}

// part is a kind of table that stands in a command: which fields it has, and which of
// them may be nil.
type part struct {
	what     string
	fields   []string
	optional []string
}

var (
	wordPart       = part{"a word of a shell command", []string{"text", "dynamic", "quoted", "glob", "home"}, nil}
	assignmentPart = part{"an assignment of a shell command", []string{"name", "value", "append", "dynamic"}, nil}
	redirectPart   = part{"a redirection of a shell command", []string{"op", "target", "fd", "dynamic", "body"}, []string{"fd"}}
)

// metaOf is the metatable of such tables in a state. It hangs in the registry, which
// scripts can't reach.
func (c call) metaOf(p part) *lua.LTable {
	meta := c.NewTypeMetatable("luahook." + p.what)
	if meta.RawGetString("__index") == lua.LNil {
		meta.RawSetString("__index", c.NewFunction(p.missing))
		meta.RawSetString("__metatable", lua.LFalse)
	}
	return meta
}

// missing raises the error of a field that such a table never has.
func (p part) missing(L *lua.LState) int {
	key := cut(luabind.RawText(L.Get(2)), 100)
	if !slices.Contains(p.optional, key) {
		L.RaiseError("%s has no field %q%s", p.what, key, spelling.DidYouMean(key, p.fields))
	}
	return 0
}

// parts makes a list of such tables, each filled by fill.
func (c call) parts(n int, p part, fill func(i int, t *lua.LTable)) *lua.LTable {
	list := c.list(n)
	if n == 0 {
		return list
	}
	meta := c.metaOf(p)
	for i := range n {
		luabind.Spend(c.LState, 2+2*len(p.fields))
		t := c.object(len(p.fields))
		fill(i, t)
		t.Metatable = meta
		list.Append(t)
	}
	return list
}

func (c call) words(words []shell.Word) *lua.LTable {
	return c.parts(len(words), wordPart, func(i int, t *lua.LTable) {
		w := words[i]
		t.RawSetString("text", lua.LString(w.Text))
		t.RawSetString("dynamic", lua.LBool(w.Dynamic))
		t.RawSetString("quoted", lua.LBool(w.Quoted))
		t.RawSetString("glob", lua.LBool(w.Glob))
		t.RawSetString("home", lua.LBool(w.Home))
	})
}

func assignmentsOf(c call, _ *parsedLine, cmd *shell.Command) lua.LValue {
	return c.parts(len(cmd.Assignments), assignmentPart, func(i int, t *lua.LTable) {
		a := cmd.Assignments[i]
		t.RawSetString("name", lua.LString(a.Name))
		t.RawSetString("value", lua.LString(a.Value.Text))
		t.RawSetString("append", lua.LBool(a.Append))
		t.RawSetString("dynamic", lua.LBool(a.Value.Dynamic))
	})
}

func redirectsOf(c call, _ *parsedLine, cmd *shell.Command) lua.LValue {
	return c.parts(len(cmd.Redirects), redirectPart, func(i int, t *lua.LTable) {
		r := cmd.Redirects[i]
		t.RawSetString("op", lua.LString(r.Op))
		t.RawSetString("target", lua.LString(r.Target.Text))
		if r.Fd >= 0 {
			t.RawSetString("fd", lua.LNumber(r.Fd))
		}
		t.RawSetString("dynamic", lua.LBool(r.Dynamic))
		t.RawSetString("body", lua.LString(r.Body))
	})
}

// envOf is what is set for the command, the last value of each name. What NAME+=value
// is appended to is kept as written where the command doesn't set it itself.
func envOf(c call, _ *parsedLine, cmd *shell.Command) lua.LValue {
	size := 0
	for _, a := range cmd.Assignments {
		size += len(a.Name) + len(a.Value.Text) + len("${}")
	}
	luabind.Spend(c.LState, 8*len(cmd.Assignments)+size/16)
	c.allocateParts(200*len(cmd.Assignments) + 2*size) // a text that grows is copied
	values := map[string]*strings.Builder{}
	for _, a := range cmd.Assignments {
		value := values[a.Name]
		switch {
		case value == nil:
			value = new(strings.Builder)
			values[a.Name] = value
			if a.Append {
				value.WriteString("${" + a.Name + "}")
			}
		case !a.Append:
			value.Reset()
		}
		value.WriteString(a.Value.Text)
	}
	t := c.object(len(values))
	for _, a := range cmd.Assignments {
		t.RawSetString(a.Name, lua.LString(values[a.Name].String()))
	}
	return t
}

// sources is a list of commands of the line.
func (c call) sources(p *parsedLine, commands []*shell.Command) lua.LValue {
	luabind.Spend(c.LState, len(commands))
	list := c.list(len(commands))
	for _, command := range commands {
		list.Append(p.table(command))
	}
	return list
}

// inputPart is what is known of a command's standard input. Where it is from leads to
// other commands, so that isn't in the table.
var inputPart = part{"the input of a shell command", []string{"text", "dynamic", "from"}, nil}

func inputOf(c call, p *parsedLine, cmd *shell.Command) lua.LValue {
	if cmd.Input == nil {
		return lua.LNil
	}
	luabind.Spend(c.LState, 20)
	t := c.object(2)
	t.RawSetString("text", lua.LString(cmd.Input.Text))
	t.RawSetString("dynamic", lua.LBool(cmd.Input.Dynamic))
	from := c.sources(p, cmd.Input.From)
	meta := c.object(2)
	meta.RawSetString("__index", c.NewFunction(func(L *lua.LState) int {
		if L.Get(2) == lua.LString("from") {
			L.Push(from)
			return 1
		}
		return inputPart.missing(L)
	}))
	meta.RawSetString("__metatable", lua.LFalse)
	t.Metatable = meta
	return t
}
