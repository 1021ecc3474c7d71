package lib

import (
	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/analysis/shell"
	"github.com/luahook/luahook/internal/spelling"
	"github.com/luahook/luahook/luabind"
)

// parsedLine is a line that a script has: the commands as they were parsed, beside
// the tables that stand for them. A table begins empty; its metatable makes each field
// when it is first asked for, as most of a long line is never looked at. The methods
// look at the command as parsed, whatever the script has done to its table.
type parsedLine struct {
	commands []*shell.Command
	tables   []*lua.LTable // of the commands, in the same order
	methods  *lua.LTable

	last   int                    // the place that was asked for last
	places map[*lua.LTable]int    // made for the first that isn't near the last one
	order  map[*shell.Command]int // made for the first command that is looked for
	kept   map[relation]*lua.LTable
}

// relation is a field that leads to other commands. Such a field stands beside the
// table and not in it: neither pairs nor JSON follow it.
type relation struct {
	command *shell.Command
	field   string
}

// lineMark is the key by which the metatable of commands has its parsedLine.
const lineMark = "\x00line"

// What a line takes for each command: the command itself, its table, and places in the
// lists and maps.
const (
	commandWork  = 4
	commandBytes = 1000
)

// commands makes the list of a line's commands.
func (c call) commands(line *shell.Line) *lua.LTable {
	luabind.Spend(c.LState, commandWork*len(line.Commands))
	c.allocateParts(800 + commandBytes*len(line.Commands))
	p := &parsedLine{commands: line.Commands, tables: make([]*lua.LTable, len(line.Commands)), methods: commandMethods(c.LState)}
	meta := c.CreateTable(0, 4)
	meta.RawSetString("__index", c.NewFunction(p.index))
	meta.RawSetString("__metatable", lua.LString("command"))
	meta.RawSetString(lineMark, &lua.LUserData{Value: p})
	luabind.OnWalk(meta, p.fill)
	list := c.list(len(line.Commands))
	tables := make([]lua.LTable, len(line.Commands))
	for i := range tables {
		tables[i].Metatable = meta
		p.tables[i] = &tables[i]
		list.Append(p.tables[i])
	}
	return list
}

// parsedCommand is the command that a table of shell.parse stands for, with the line
// that it is of, and nil for any other value.
func parsedCommand(v lua.LValue) (*shell.Command, *parsedLine) {
	t, ok := v.(*lua.LTable)
	if !ok {
		return nil, nil
	}
	meta, ok := t.Metatable.(*lua.LTable)
	if !ok {
		return nil, nil
	}
	u, ok := meta.RawGetString(lineMark).(*lua.LUserData)
	if !ok {
		return nil, nil
	}
	p := u.Value.(*parsedLine)
	return p.commands[p.place(t)], p
}

// place is the number of a table of the line. Scripts go from command to command, as a
// rule.
func (p *parsedLine) place(t *lua.LTable) int {
	for at := p.last; at < min(p.last+2, len(p.tables)); at++ {
		if p.tables[at] == t {
			p.last = at
			return at
		}
	}
	if p.places == nil {
		p.places = make(map[*lua.LTable]int, len(p.tables))
		for at, table := range p.tables {
			p.places[table] = at
		}
	}
	p.last = p.places[t]
	return p.last
}

// table is the table of a command of the line, nil for none.
func (p *parsedLine) table(command *shell.Command) lua.LValue {
	if command == nil {
		return lua.LNil
	}
	if p.order == nil {
		p.order = make(map[*shell.Command]int, len(p.commands))
		for at, c := range p.commands {
			p.order[c] = at
		}
	}
	if at, ok := p.order[command]; ok {
		return p.tables[at]
	}
	return lua.LNil
}

// index is how a script reads a field that its table doesn't have (yet). To read one
// that no command has is an error: a typo in a guard must not read as "no match".
func (p *parsedLine) index(L *lua.LState) int {
	c := call{LState: L, module: "shell", name: "parse"}
	t, ok := L.Get(1).(*lua.LTable)
	if !ok {
		return 0
	}
	luabind.Spend(L, 2)
	name := luabind.RawText(L.Get(2))
	field, ok := fieldsByName()[name]
	if !ok {
		if method := p.methods.RawGetString(name); method != lua.LNil {
			return c.give(method)
		}
		name = cut(name, 100)
		L.RaiseError("a shell command has no field %q%s", name, spelling.DidYouMean(name, commandNames()))
	}
	command := p.commands[p.place(t)]
	if field.beside {
		return c.give(p.relation(c, command, field))
	}
	v := field.get(c, p, command)
	if _, isTable := v.(*lua.LTable); isTable { // the script's own from now on
		t.RawSetString(name, v)
	}
	return c.give(v)
}

// relation gives a field that stands beside the table, each time the same value.
func (p *parsedLine) relation(c call, command *shell.Command, field *commandField) lua.LValue {
	key := relation{command, field.name}
	if t, ok := p.kept[key]; ok {
		return t
	}
	v := field.get(c, p, command)
	if t, ok := v.(*lua.LTable); ok {
		c.allocate(100)
		if p.kept == nil {
			p.kept = map[relation]*lua.LTable{}
		}
		p.kept[key] = t
	}
	return v
}

// fill makes the fields that pairs and JSON should find.
func (p *parsedLine) fill(L *lua.LState, t *lua.LTable) {
	c := call{LState: L, module: "shell", name: "parse"}
	command := p.commands[p.place(t)]
	luabind.Spend(L, 2*len(commandFields))
	c.allocateParts(luabind.TableBytes(0, len(commandFields)))
	for i := range commandFields {
		if field := &commandFields[i]; !field.beside && t.RawGetString(field.name) == lua.LNil {
			if v := field.get(c, p, command); v != lua.LNil {
				t.RawSetString(field.name, v)
			}
		}
	}
}
