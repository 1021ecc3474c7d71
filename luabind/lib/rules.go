package lib

import (
	"cmp"
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/analysis/shell"
	"github.com/luahook/luahook/analysis/sql"
	"github.com/luahook/luahook/internal/wordlist"
	"github.com/luahook/luahook/luabind"
)

// RulesModule is a module for built-in hooks alone: it finds safety-guard's rules, by the
// tags under which its index has them (see rulebook.lua).
func RulesModule() luabind.Module {
	return module("rules", "which rules of a guard a command can break; only built-in hooks have it",
		function{
			"index", "(tags: string[], words: {readers: string, starts: string, marks: string, joins: string}, files: string[]): RuleIndex",
			"an index of rules by their tags: each text has some, with a blank before and behind each. " +
				"readers are the programs that run nothing of what they are handed, starts the words that begin a command which others may run, joins the programs that put files into a folder under their names. " +
				"Of the files that are only written, rules can be about files, and about those in whose path one of marks stands, in small letters (^x: that begins with x). " +
				"index:parse(command, cwd, home, language, names) parses as shell.parse does, with nil for what isn't known: it returns the commands, a list of what there is to do (each command that a rule can be about, how many tags it has, and these), the error or nil, and whether the line is too complex; nil if there is nothing to do and all of the line is understood; true if there are patterns in the line and no names, which patterns.names makes. " +
				"index:tags(cmd) lists the tags of one command",
			`local index = rules.index({ " rm git:push on:file " }, { readers = "ls", starts = "rm", marks = ".env ^/etc", joins = "cp" }, {})
local commands, todo = index:parse("ls && rm -r build")
assert(#commands == 2 and todo[1] == commands[2] and todo[2] == 2 and todo[3] == "rm" and todo[4] == "do:files")
assert(not index:parse("ls -la > out.txt") and index:parse("ls > .env") and index:tags(commands[2])[1] == "rm")`,
			indexRules,
		},
		function{
			"set", "(words: string): {[string]: boolean}",
			"a set of the words that a text lists, as a fresh table",
			`local pets = rules.set("cat dog")
assert(pets.cat and pets.dog and not pets.rm)`,
			setOfWords,
		},
		function{
			"folder", "(call: ToolCall): (string|nil, boolean)",
			"the folder that a tool call names in its input to start in, as it is written there, and whether it names several",
			`assert(not pcall(rules.folder, {}))`,
			folderOfCall,
		})
}

// ruleIndex says which rules a command can break. It belongs to one state.
type ruleIndex struct {
	texts                  []string // with the tags
	readers, starts, joins string
	marks                  markIndex  // of the paths that rules are about
	begins                 []string   // how such paths begin
	files                  []string   // which they are about besides
	every, reading         bool       // there are rules on all commands, on what is read
	luahookTag, endlessTag lua.LValue // of rules that are about few commands, nil if there are none
	committedTag           lua.LValue
	names                  map[string]nameTags
	programs               map[string]programRules
}

// programRules is what an index says about the name of a program.
type programRules struct {
	subcommands bool // rules have tags of its subcommands
	tool        bool // its name is that of a tool for some service
	reads, puts bool // it is one of the readers, of those that put files into folders
	statements  bool // there may be SQL in a command that is called so
}

// Bounds of what an index remembers: the caller chooses the names of programs.
const (
	maxKnownTags = 1000
	maxKnownTag  = 40
)

// Tags that judge.lua has more to do for than to ask rules.
var (
	aliasTag      lua.LValue = lua.LString("do:alias")      // the subcommand of git may be an alias
	storedTag     lua.LValue = lua.LString("do:stored")     // git config may keep a command
	handedTag     lua.LValue = lua.LString("do:handed")     // the program may run what it is handed
	filesTag      lua.LValue = lua.LString("do:files")      // files are changed, or read where rules are about that
	statementsTag lua.LValue = lua.LString("do:statements") // there may be SQL
	remoteTag     lua.LValue = lua.LString("needs:remote")
	multipliesTag lua.LValue = lua.LString("needs:multiplies")
	decodedTag    lua.LValue = lua.LString("needs:decoded")
	toolTag       lua.LValue = lua.LString("needs:tool")
	blankTag      lua.LValue = lua.LString("needs:blank")
	everyTag      lua.LValue = lua.LString("on:command")
)

func indexRules(c call) int {
	words := c.options(2, "readers", "starts", "marks", "joins")
	x := &ruleIndex{texts: c.textList(1), files: c.textList(3), names: map[string]nameTags{}, programs: map[string]programRules{}}
	x.readers, _ = words.text("readers")
	x.starts, _ = words.text("starts")
	x.joins, _ = words.text("joins")
	marks, _ := words.text("marks")
	var within []string
	for mark := range strings.FieldsSeq(marks) {
		if begin, ok := strings.CutPrefix(mark, "^"); ok {
			x.begins = append(x.begins, begin)
		} else {
			within = append(within, mark)
		}
	}
	x.marks = indexMarks(within)
	x.every, x.reading = x.find("on:command") != nil, x.find("on:reading") != nil
	x.luahookTag, x.endlessTag, x.committedTag = x.find("needs:luahook"), x.find("needs:endless"), x.find("needs:committed")
	c.allocate(1000)
	meta := c.NewTypeMetatable("luahook.rules")
	if meta.RawGetString("__index") == lua.LNil {
		methods := c.CreateTable(0, 2)
		for name, run := range map[string]func(*ruleIndex, call) int{"parse": (*ruleIndex).parse, "tags": (*ruleIndex).tagsOfOne} {
			methods.RawSetString(name, c.NewFunction(func(L *lua.LState) int {
				c := call{LState: L, module: "rules", name: name, method: true}
				if u, ok := L.Get(1).(*lua.LUserData); ok {
					if x, ok := u.Value.(*ruleIndex); ok {
						return run(x, c)
					}
				}
				c.RaiseError("call %s of an index of rules with a colon: index:%s(...)", name, name)
				return 0
			}))
		}
		meta.RawSetString("__index", methods)
		meta.RawSetString("__metatable", lua.LString("rules"))
	}
	return c.give(&lua.LUserData{Value: x, Metatable: meta})
}

func (x *ruleIndex) parse(c call) int {
	// Arguments and no table of options: most calls end here.
	text, options := c.text(2), shell.Options{}
	if c.Get(3) != lua.LNil {
		options.Cwd = c.folder(3, "cwd", c.text(3))
	}
	if c.Get(4) != lua.LNil {
		options.Home = c.folder(4, "home", c.text(4))
	}
	if c.Get(5) != lua.LNil {
		options.Language = c.language(5, c.text(5))
	}
	line := c.parsed(text, options)
	switch names := c.Get(6); {
	case names != lua.LNil:
		line = line.WithNames(c.names(6, names), c.pay)
	case line.HasPatterns():
		return c.give(lua.LTrue)
	}
	type entry struct{ command, end int } // the number of a command, and where its tags end
	var entries []entry
	var tags []lua.LValue
	facts := &lineFacts{commands: line.Commands, cwd: strings.TrimSuffix(options.Cwd, "/")}
	for i, command := range line.Commands {
		if begin := len(tags); x.tagsOf(c, command, facts, &tags) > begin {
			entries = append(entries, entry{i, len(tags)})
		}
	}
	if len(entries) == 0 && line.Err == nil && !line.TooComplex {
		return c.give(lua.LNil)
	}
	commands := c.commands(line, text, options)
	size := 2*len(entries) + len(tags)
	c.allocateParts(luabind.TableBytes(size, 0))
	todo, begin := c.CreateTable(size, 0), 0
	for _, e := range entries {
		todo.Append(commands.RawGetInt(e.command + 1))
		todo.Append(lua.LNumber(e.end - begin))
		for _, tag := range tags[begin:e.end] {
			todo.Append(tag)
		}
		begin = e.end
	}
	var failure lua.LValue = lua.LNil
	if line.Err != nil {
		failure = lua.LString(oneLine(line.Err.Error()))
	}
	return c.give(commands) + c.give(todo) + c.give(failure) + c.give(lua.LBool(line.TooComplex))
}

func (x *ruleIndex) tagsOfOne(c call) int {
	command, _ := parsedCommand(c.Get(2))
	if command == nil {
		c.wrongType(2, "command of shell.parse")
	}
	var tags []lua.LValue
	x.tagsOf(c, command, nil, &tags)
	c.allocateParts(luabind.TableBytes(len(tags), 0))
	t := c.CreateTable(len(tags), 0)
	for _, tag := range tags {
		t.Append(tag)
	}
	return c.give(t)
}

// setOfWords makes a table with room for all words at once: one that grows is made anew each
// time that it doubles.
func setOfWords(c call) int {
	list := c.text(1)
	c.charge(len(list))
	words := strings.Fields(list)
	set := c.object(len(words))
	for _, word := range words {
		set.RawSetString(word, lua.LTrue)
	}
	return c.give(set)
}

// folderOfCall looks at the input itself: most calls name no folder, and then nobody else
// looks at it.
func folderOfCall(c call) int {
	shown := luabind.ToolCallOf(c.Get(1))
	if shown == nil {
		c.wrongType(1, "tool call of an event")
	}
	named, unclear := shown.Folder()
	if unclear {
		return c.give(lua.LNil) + c.give(lua.LTrue)
	}
	if named == "" {
		return c.give(lua.LNil) + c.give(lua.LFalse)
	}
	c.allocate(len(named))
	return c.give(lua.LString(named)) + c.give(lua.LFalse)
}

// tagsOf adds the tags of a command for which there is something to do, in the order in
// which judge.lua goes by them, and returns how many there are now. line is what is known of
// the command's line, nil for nothing. Where it leaves one out no rule can apply: TestRuleIndex
// compares the answers with those without an index.
func (x *ruleIndex) tagsOf(c call, command *shell.Command, line *lineFacts, tags *[]lua.LValue) int {
	luabind.Spend(c.LState, 8+len(command.Args))
	add := func(tag lua.LValue, applies bool) {
		if applies && tag != nil {
			*tags = append(*tags, tag)
		}
	}
	program := x.program(command.Name)
	s := &subject{Command: command, line: line}
	if !onlyAssigns(command) {
		x.addTags(cmp.Or(command.Name, "?"), s, tags)
	}
	x.subcommandTags(s, program, tags)
	add(remoteTag, command.Remote)
	add(multipliesTag, command.Multiplies)
	add(decodedTag, len(command.From) > 0 && !command.NameDynamic)
	add(toolTag, program.tool)
	add(blankTag, strings.Contains(command.Path, " "))
	add(x.luahookTag, x.luahookTag != nil && mentions(command, "luahook"))
	add(x.endlessTag, x.endlessTag != nil && (mentions(command, "zero") || mentions(command, "random")))
	add(x.committedTag, x.committedTag != nil && line.printsCommitted())
	add(handedTag, x.mayRun(command, program))
	add(everyTag, x.every)
	add(filesTag, x.concernsFiles(c, command, program, line))
	add(statementsTag, program.statements || (command.SQL != nil || command.Path != command.Name) && sql.MayBeIn(command))
	return len(*tags)
}

// mentions reports whether a text stands in what a command is given, or in the name of a file
// that it is redirected from or to.
func mentions(c *shell.Command, text string) bool {
	return slices.ContainsFunc(c.Args, func(arg shell.Word) bool { return strings.Contains(arg.Text, text) }) ||
		slices.ContainsFunc(c.Redirects, func(r shell.Redirect) bool { return strings.Contains(r.Target.Text, text) })
}

// onlyAssigns reports whether a command is nothing but assignments to variables.
func onlyAssigns(c *shell.Command) bool {
	return c.Path == "" && len(c.Args) == 0 && len(c.Redirects) == 0 && !c.NameDynamic && c.SQL == nil && len(c.From) == 0 && len(c.Via) == 0
}

// subcommandTags adds the tag of a command with its subcommand, and what else there is to
// judge of git's.
func (x *ruleIndex) subcommandTags(s *subject, program programRules, tags *[]lua.LValue) {
	name := s.Name
	subcommand, git := strings.CutPrefix(name, "git-")
	switch {
	case git:
		name = "git"
	case name == "hub":
		name = "git"
		fallthrough
	case program.subcommands:
		git = name == "git"
		if subcommand = s.Subcommand(); git {
			subcommand = strings.ToLower(subcommand) // if GIT is git, PUSH is push
		}
	default:
		return
	}
	x.addTags(name+":"+cmp.Or(subcommand, "?"), s, tags)
	switch {
	case !git:
	case subcommand == "config":
		*tags = append(*tags, storedTag)
	case s.GitForeign():
		*tags = append(*tags, aliasTag)
	}
}

// mayRun reports whether a program may run what it is handed; readers.lua looks closer.
func (x *ruleIndex) mayRun(c *shell.Command, program programRules) bool {
	if program.reads && !strings.Contains(c.Path, "/") {
		return false
	}
	if len(c.Args) == 1 && strings.Contains(c.Args[0].Text, " ") {
		return true
	}
	for _, arg := range c.Args[:min(len(c.Args), 4)] {
		if wordlist.Has(x.starts, arg.Text) || strings.HasPrefix(arg.Text, "--eval=") {
			return true
		}
	}
	return slices.ContainsFunc(c.Redirects, func(r shell.Redirect) bool { return r.Body != "" || r.Op == "<<<" })
}

// program returns what there is to say about a program, of which "" is an unknown one.
func (x *ruleIndex) program(name string) programRules {
	p, ok := x.programs[name]
	if !ok {
		p = programRules{
			subcommands: name != "" && x.has(name+":"),
			tool:        strings.HasSuffix(name, "ctl") || strings.HasSuffix(name, "cli"),
			reads:       wordlist.Has(x.readers, name), puts: wordlist.Has(x.joins, name),
			statements: sql.MayBeIn(&shell.Command{Name: name, Path: name}),
		}
		if len(x.programs) < maxKnownTags && len(name) <= maxKnownTag {
			x.programs[name] = p
		}
	}
	return p
}

// find returns a tag if a rule has it, else nil. It reads all of them: see [ruleIndex.nameTags].
func (x *ruleIndex) find(tag string) lua.LValue {
	if x.has(tag + " ") {
		return lua.LString(tag)
	}
	return nil
}

// has reports whether a rule has a tag that begins so.
func (x *ruleIndex) has(begin string) bool {
	return slices.ContainsFunc(x.texts, func(text string) bool { return strings.Contains(text, " "+begin) })
}
