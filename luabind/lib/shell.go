package lib

import (
	"fmt"
	"strings"
	"sync"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/analysis/shell"
	"github.com/luahook/luahook/internal/spelling"
	"github.com/luahook/luahook/luabind"
)

func shellModule() luabind.Module {
	return module("shell", "what a shell command line would run, read and never run",
		function{
			"parse", "(command: string, options?: {cwd: string, home: string, language: string}): ShellLine",
			"the commands in a command line, also those in loops, substitutions and behind sudo, xargs or bash -c. " +
				"If error is set or too_complex is true, commands holds what was understood and the rest is unknown. " +
				"cwd is the folder that the line starts in and home the home folder, both absolute. " +
				"language is bash, powershell or cmd (of cmd.exe); without it a line is bash, unless its text can only be PowerShell's or cmd.exe's. Give ev.tool_call.language. " +
				"A cmdlet has its usual name (Remove-Item) whatever alias it was called by, and flags their full names (-Recurse); what it does stands behind it as the command of Unix that does the same (rm), whose parent it is. " +
				"A command has name (nil if it can't be known, or there is none), path, args, words, env, assignments, redirects, context, pipe, via, parent, block (the command that has the redirections of the output of a compound command around it), dynamic, name_dynamic, from, told, input, dir, decoded, multiplies, decides, remote, mounted, line, column, git, and the methods cmd:flag(name, ...) (its value, or true if it has none, else false), cmd:operands(), cmd:subcommand(), cmd:paths(\"read\", \"write\" or \"delete\", else all) (a list, and true if one of them isn't known), cmd:files(access) (the same as a list of {path, access, dynamic, glob, home, under, temporary, redirected, reach}), cmd:remote_files(access) (those of a command that runs elsewhere) cmd:methods() (the methods that mongosh is asked to call), cmd:git_folders() (the folder that git works in and the one that init, clone or worktree add makes, as in cmd:files()), cmd:before() (a list of {cmd, succeeded, failed}: the commands of the line that have run when this one starts, and what is known to have become of each), cmd:missing(path) (whether it only starts where a test of the line has found no file at that path) and cmd:replace_name(name) (the whole line in which this command has another name, and those of earlier calls have theirs; nil and why if that can't be done exactly). " +
				"authors.md says what they mean",
			`local cmd = shell.parse("cd /x && sudo git -C /y push --force origin").commands[3]
assert(cmd.name == "git" and cmd:subcommand() == "push" and cmd:flag("-f", "--force"))
assert(cmd.via[1] == "sudo" and cmd.context == "and" and cmd.git.rewrites_history)
assert(shell.parse("kubectl --context=prod get pods").commands[1]:flag("--context") == "prod")
local line = shell.parse([[git commit -m "npm fix" && npm i]])
assert(line.commands[2]:replace_name("pnpm") == [[git commit -m "npm fix" && pnpm i]])
assert(shell.parse("git push origin HEAD:main").commands[1].git.pushes[1].branch == "main")
local del = shell.parse([[ri -r build]], { language = "powershell" }).commands
assert(del[1].name == "Remove-Item" and del[1]:flag("-Recurse") and del[2].name == "rm" and del[2].parent == del[1])`,
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
	return c.give(c.line(parseLine(c, 1)))
}

// parseLine parses argument n, with the options behind it.
func parseLine(c call, n int) (line *shell.Line, text string, options shell.Options) {
	text = c.text(n)
	o := c.options(n+1, "cwd", "home", "language", "names")
	options = shell.Options{Cwd: o.folder("cwd"), Home: o.folder("home"), Language: o.language()}
	line = c.parsed(text, options)
	if names := o.get("names"); names != lua.LNil {
		line = line.WithNames(c.names(n+1, names), c.pay)
	}
	return line, text, options
}

// parsed parses a line.
func (c call) parsed(text string, options shell.Options) *shell.Line {
	// Parsing takes some 10 KiB to begin with; package shell bounds what it takes for
	// large texts. A line that another hook has parsed is charged like any other.
	luabind.Spend(c.LState, 200+8*min(len(text), maxCharged))
	c.allocateParts(6000 + 120*min(len(text), maxCharged))
	return shell.ParseContext(c.Context(), text, options)
}

// line makes the table of a line.
func (c call) line(line *shell.Line, text string, options shell.Options) *lua.LTable {
	t := c.object(3)
	t.RawSetString("commands", c.commands(line, text, options))
	if line.Err != nil {
		t.RawSetString("error", lua.LString(oneLine(line.Err.Error())))
	}
	t.RawSetString("too_complex", lua.LBool(line.TooComplex))
	t.Metatable = c.metaOf(linePart)
	return t
}

// language is an option that names the language of a line.
func (o options) language() shell.Language {
	text, given := o.text("language")
	if !given {
		return ""
	}
	return o.c.language(o.n, text)
}

// language is what a part of argument n says.
func (c call) language(n int, text string) shell.Language {
	switch language := shell.Language(text); language {
	case shell.Bash, shell.PowerShell, shell.Cmd:
		return language
	}
	text = cut(text, 100)
	c.bad(n, `language: "bash", "powershell" or "cmd" expected, got "`+text+`"`+spelling.DidYouMean(text, []string{"bash", "powershell", "cmd"}))
	return ""
}

// linePart is what shell.parse returns.
var linePart = part{"what shell.parse returns", []string{"commands", "error", "too_complex"}, []string{"error"}}

// folder is an option that names a folder.
func (o options) folder(name string) string {
	p, given := o.text(name)
	if !given {
		return ""
	}
	return o.c.folder(o.n, name, p)
}

// folder is the folder that a part of argument n names.
func (c call) folder(n int, name, p string) string {
	if len(p) > maxPath {
		c.bad(n, name+": longer than a path can be")
	}
	if !isAbs(slashed(p)) {
		c.bad(n, fmt.Sprintf("%s: absolute path expected, got %q", name, cut(p, 100)))
	}
	c.charge(len(p))
	c.allocate(2 * len(p))
	return clean(slashed(p))
}

// maxCharged is the length up to which a text is parsed.
const maxCharged = 64 << 10

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

// parsedLine is a line that a script has: the commands as they were parsed, beside
// the tables that stand for them. A table begins empty; its metatable makes each field
// when it is first asked for, as most of a long line is never looked at. The methods
// look at the command as parsed, whatever the script has done to its table.
type parsedLine struct {
	line    *shell.Line
	text    string
	options shell.Options
	names   map[*shell.Command]string // that replace_name has given

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
func (c call) commands(line *shell.Line, text string, options shell.Options) *lua.LTable {
	luabind.Spend(c.LState, commandWork*len(line.Commands))
	c.allocateParts(800 + commandBytes*len(line.Commands))
	p := &parsedLine{line: line, text: text, options: options, commands: line.Commands, tables: make([]*lua.LTable, len(line.Commands)), methods: commandMethods(c.LState)}
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
		L.RaiseError("a shell command has no field %q%s", name, luabind.DidYouMean(L, name, commandNames()))
	}
	command := p.commands[p.place(t)]
	if field.beside {
		return c.give(p.relation(c, command, field))
	}
	v := field.get(c, p, command)
	if _, isTable := v.(*lua.LTable); isTable { // the script's own from now on
		keepField(c.LState, t, name, v)
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

// commandField is a field of a command.
type commandField struct {
	name   string
	beside bool // see relation
	get    func(call, *parsedLine, *shell.Command) lua.LValue
}

// commandFields are what a command has beside its methods; see [shell.Command], which
// has them under the same names. Those that may be nil are name, pipe, parent, block,
// input, dir and git.
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
	{"block", true, func(_ call, p *parsedLine, cmd *shell.Command) lua.LValue { return p.table(cmd.Block) }},
	{"from", true, func(c call, p *parsedLine, cmd *shell.Command) lua.LValue { return c.sources(p, cmd.From) }},
	{"told", true, func(c call, p *parsedLine, cmd *shell.Command) lua.LValue { return c.sources(p, cmd.Told) }},
	{"input", true, inputOf},
	{"dir", false, dirOfCommand},
	{"decoded", false, truthField(func(c *shell.Command) bool { return !c.NameDynamic && len(c.From) > 0 })},
	{"multiplies", false, truthField(func(c *shell.Command) bool { return c.Multiplies })},
	{"decides", false, truthField(func(c *shell.Command) bool { return c.Decides })},
	{"remote", false, truthField(func(c *shell.Command) bool { return c.Remote })},
	{"mounted", false, mountedOf},
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
	dir := cmd.Dir
	if here := cmd.MountedDir(); here.Text != "" {
		dir = here
	}
	if dir.Dynamic || dir.Text == "" {
		return lua.LNil
	}
	c.allocate(16 + len(dir.Text))
	return lua.LString(dir.Text)
}

// mountedOf reports whether a command in a container works on files of this machine.
func mountedOf(c call, _ *parsedLine, cmd *shell.Command) lua.LValue {
	if cmd.Mounts() == 0 {
		return lua.LFalse
	}
	c.chargePaths(cmd)
	return lua.LBool(cmd.Mounted())
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

var (
	wordPart       = part{"a word of a shell command", []string{"text", "dynamic", "quoted", "glob", "home"}, nil}
	assignmentPart = part{"an assignment of a shell command", []string{"name", "value", "append", "dynamic"}, nil}
	redirectPart   = part{"a redirection of a shell command", []string{"op", "target", "fd", "dynamic", "body", "empties"}, []string{"fd"}}
)

func (c call) words(words []shell.Word) *lua.LTable {
	return c.parts(len(words), wordPart, func(i int, t *lua.LTable) {
		w := words[i]
		wordPart.fill(t, lua.LString(w.Text), lua.LBool(w.Dynamic), lua.LBool(w.Quoted), lua.LBool(w.Glob), lua.LBool(w.Home))
	})
}

func assignmentsOf(c call, _ *parsedLine, cmd *shell.Command) lua.LValue {
	return c.parts(len(cmd.Assignments), assignmentPart, func(i int, t *lua.LTable) {
		a := cmd.Assignments[i]
		assignmentPart.fill(t, lua.LString(a.Name), lua.LString(a.Value.Text), lua.LBool(a.Append), lua.LBool(a.Value.Dynamic))
	})
}

func redirectsOf(c call, _ *parsedLine, cmd *shell.Command) lua.LValue {
	return c.parts(len(cmd.Redirects), redirectPart, func(i int, t *lua.LTable) {
		r := cmd.Redirects[i]
		var fd lua.LValue = lua.LNil
		if r.Fd >= 0 {
			fd = lua.LNumber(r.Fd)
		}
		redirectPart.fill(t, lua.LString(r.Op), lua.LString(r.Target.Text), fd, lua.LBool(r.Dynamic), lua.LString(r.Body), lua.LBool(r.Empties))
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
