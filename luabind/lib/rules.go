package lib

import (
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/analysis/shell"
	"github.com/luahook/luahook/luabind"
	"github.com/luahook/luahook/luabind/lib/internal/ruleindex"
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

// rulesPayer has an index of rules pay as a call does. It is one pointer, so that nothing is allocated for it.
type rulesPayer struct{ *lua.LState }

func (p rulesPayer) Spend(units int)              { luabind.Spend(p.LState, units) }
func (p rulesPayer) Paths(command *shell.Command) { call{LState: p.LState}.chargePaths(command) }

func indexRules(c call) int {
	o := c.options(2, "readers", "starts", "marks", "joins")
	tags, files := c.textList(1), c.textList(3)
	var words ruleindex.Words
	words.Readers, _ = o.text("readers")
	words.Starts, _ = o.text("starts")
	words.Joins, _ = o.text("joins")
	words.Marks, _ = o.text("marks")
	x := ruleindex.New(tags, words, files)
	c.allocate(1000)
	meta := c.NewTypeMetatable("luahook.rules")
	if meta.RawGetString("__index") == lua.LNil {
		methods := c.CreateTable(0, 2)
		for name, run := range map[string]func(call, *ruleindex.Index) int{"parse": parseForRules, "tags": tagsOfOne} {
			methods.RawSetString(name, c.NewFunction(func(L *lua.LState) int {
				c := call{LState: L, module: "rules", name: name, method: true}
				if u, ok := L.Get(1).(*lua.LUserData); ok {
					if x, ok := u.Value.(*ruleindex.Index); ok {
						return run(c, x)
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

func parseForRules(c call, x *ruleindex.Index) int {
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
	var tags []string
	facts := ruleindex.NewLine(line.Commands, options.Cwd)
	for i, command := range line.Commands {
		begin := len(tags)
		if tags = x.AppendTags(tags, command, facts, rulesPayer{c.LState}); len(tags) > begin {
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
			todo.Append(lua.LString(tag))
		}
		begin = e.end
	}
	var failure lua.LValue = lua.LNil
	if line.Err != nil {
		failure = lua.LString(oneLine(line.Err.Error()))
	}
	return c.give(commands) + c.give(todo) + c.give(failure) + c.give(lua.LBool(line.TooComplex))
}

func tagsOfOne(c call, x *ruleindex.Index) int {
	command, _ := parsedCommand(c.Get(2))
	if command == nil {
		c.wrongType(2, "command of shell.parse")
	}
	tags := x.AppendTags(nil, command, nil, rulesPayer{c.LState})
	c.allocateParts(luabind.TableBytes(len(tags), 0))
	t := c.CreateTable(len(tags), 0)
	for _, tag := range tags {
		t.Append(lua.LString(tag))
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
