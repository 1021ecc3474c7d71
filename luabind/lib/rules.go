package lib

import (
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/analysis/shell"
	"github.com/luahook/luahook/analysis/sql"
	"github.com/luahook/luahook/luabind"
)

// RulesModule is a module for built-in hooks alone: safety-guard's rules, by the tags
// under which its index has them.
func RulesModule() luabind.Module {
	return module("rules", "which commands the rules of a guard can be about; only built-in hooks have it",
		function{
			"index", "(tags: string[], readers: string, starts: string): RuleIndex",
			"an index of rules by their tags: each text has some, with a blank before and behind each. " +
				"readers are the programs that run nothing of what they are handed, starts the words that begin a command which others may run. " +
				"index:parse(command, options) is as shell.parse; it returns the line, and the list of those of its commands that a rule can be about. It returns nil if there are none and all of the line is understood",
			`local index = rules.index({ " rm git:push on:file " }, " ls ", " rm ")
local line, some = index:parse("ls && rm -r build")
assert(#line.commands == 2 and #some == 1 and some[1].name == "rm")
assert(not index:parse("ls -la"))`,
			indexRules,
		})
}

// ruleIndex says which commands rules can be about. It belongs to one state.
type ruleIndex struct {
	tags            []string
	readers, starts string
	every, reading  bool            // there are rules on all commands, on what is read
	known           map[string]bool // tags that were looked for
}

// Bounds of what an index remembers: the caller chooses the names of programs.
const (
	maxKnownTags = 1000
	maxKnownTag  = 40
)

func indexRules(c call) int {
	x := &ruleIndex{tags: c.textList(1), readers: c.text(2), starts: c.text(3), known: map[string]bool{}}
	x.every, x.reading = x.has("on:command"), x.has("on:reading")
	c.allocate(1000)
	meta := c.NewTypeMetatable("luahook.rules")
	if meta.RawGetString("__index") == lua.LNil {
		methods := c.CreateTable(0, 1)
		methods.RawSetString("parse", c.NewFunction(func(L *lua.LState) int {
			c := call{LState: L, module: "rules", name: "parse", method: true}
			u, _ := L.Get(1).(*lua.LUserData)
			if u != nil {
				if x, ok := u.Value.(*ruleIndex); ok {
					return x.parse(c)
				}
			}
			c.RaiseError("call parse of an index of rules with a colon: index:parse(command)")
			return 0
		}))
		meta.RawSetString("__index", methods)
		meta.RawSetString("__metatable", lua.LString("rules"))
	}
	return c.give(&lua.LUserData{Value: x, Metatable: meta})
}

func (x *ruleIndex) parse(c call) int {
	line, text, options := parseLine(c, 2)
	var concerned []int
	for i, command := range line.Commands {
		luabind.Spend(c.LState, 8+len(command.Args))
		if x.concerns(command) {
			concerned = append(concerned, i)
		}
	}
	if len(concerned) == 0 && line.Err == nil && !line.TooComplex {
		return c.give(lua.LNil)
	}
	t := c.line(line, text, options)
	commands := t.RawGetString("commands").(*lua.LTable)
	list := c.list(len(concerned))
	for _, i := range concerned {
		list.Append(commands.RawGetInt(i + 1))
	}
	return c.give(t) + c.give(list)
}

// concerns reports whether any rule can be about a command, as far as can be said without
// asking the rules. It must not say no where judge.lua would find a rule; TestIndexedCommands
// compares both.
func (x *ruleIndex) concerns(c *shell.Command) bool {
	name := c.Name
	if name == "" {
		name = "?"
	}
	if x.every || x.has(name) || c.Remote || c.Multiplies || len(c.From) > 0 ||
		strings.HasSuffix(name, "ctl") || strings.HasSuffix(name, "cli") || strings.Contains(c.Path, " ") {
		return true
	}
	return x.concernsGit(c) || x.mayRun(c) || sql.MayBeIn(c) || x.concernsFiles(c)
}

func (x *ruleIndex) concernsGit(c *shell.Command) bool {
	subcommand, dashed := strings.CutPrefix(c.Name, "git-")
	if c.Name == "git" || c.Name == "hub" {
		if subcommand = strings.ToLower(c.Subcommand()); subcommand == "" {
			subcommand = "?"
		}
	} else if !dashed {
		return false
	}
	return subcommand == "config" || x.has("git:"+subcommand) || c.Git() == nil || c.Git().Foreign
}

// mayRun reports whether a command may run what it is handed: see readers.lua.
func (x *ruleIndex) mayRun(c *shell.Command) bool {
	if !strings.Contains(c.Path, "/") && inWords(x.readers, c.Name) {
		return false
	}
	for i, arg := range c.Args {
		switch {
		case len(c.Args) == 1 && strings.Contains(arg.Text, " "), i < 4 && (inWords(x.starts, arg.Text) || strings.HasPrefix(arg.Text, "--eval=")):
			return true
		}
	}
	for _, r := range c.Redirects {
		if r.Body != "" || r.Op == "<<<" {
			return true
		}
	}
	return false
}

// concernsFiles reports whether a command changes files, or reads some where rules are about that.
func (x *ruleIndex) concernsFiles(c *shell.Command) bool {
	for _, p := range c.Paths() {
		if x.reading || p.Access != shell.Read {
			return true
		}
	}
	return false
}

// has reports whether the index has a tag.
func (x *ruleIndex) has(tag string) bool {
	has, ok := x.known[tag]
	if ok {
		return has
	}
	for _, text := range x.tags {
		has = has || inWords(text, tag)
	}
	if len(x.known) < maxKnownTags && len(tag) <= maxKnownTag {
		x.known[tag] = has
	}
	return has
}

// inWords reports whether a text has a word, with blanks around each.
func inWords(text, word string) bool { return strings.Contains(text, " "+word+" ") }
