// Package ruleindex finds the rules of a guard that a command can break, by the tags under which the rules' index has
// them; builtins/safety-guard/rulebook.lua says what these are. It reads commands as they were parsed, and looks at
// the file system only for links. Start at [New] and [Index.AppendTags].
package ruleindex

import (
	"cmp"
	"slices"
	"strings"

	"github.com/luahook/luahook/analysis/shell"
	"github.com/luahook/luahook/analysis/sql"
	"github.com/luahook/luahook/internal/wordlist"
)

// Index says which rules a command can break. It belongs to one goroutine.
type Index struct {
	texts                       []string // with the tags
	readers, starts, joins      string
	marks                       markIndex // of the paths that rules are about
	begins                      []string  // how such paths begin
	files                       []string  // which they are about besides
	every, reading              bool      // there are rules on all commands, on what is read
	luahook, endless, committed bool      // there are rules that ask for these, and are about few commands
	names                       map[string]nameTags
	programs                    map[string]programRules
}

// Words are lists of words, with blanks between them, that an index goes by.
type Words struct {
	Readers string // programs that run nothing of what they are handed
	Starts  string // words that begin a command which others may run
	Marks   string // what stands in paths that rules are about, in small letters; ^x: such a path begins with x
	Joins   string // programs that put files into a folder under their names
}

// Payer pays for work before it is done.
type Payer interface {
	// Spend pays for so many units of work.
	Spend(units int)
	// Paths pays for asking a command which files it reads and changes.
	Paths(command *shell.Command)
}

// New makes an index of rules by their tags: each text has some, with a blank before and behind each. Rules are about
// the files, too, which are named as they are.
func New(tags []string, words Words, files []string) *Index {
	x := &Index{
		texts: tags, readers: words.Readers, starts: words.Starts, joins: words.Joins, files: files,
		names: map[string]nameTags{}, programs: map[string]programRules{},
	}
	var within []string
	for mark := range strings.FieldsSeq(words.Marks) {
		if begin, ok := strings.CutPrefix(mark, "^"); ok {
			x.begins = append(x.begins, begin)
		} else {
			within = append(within, mark)
		}
	}
	x.marks = indexMarks(within)
	x.every, x.reading = x.hasTag(everyTag), x.hasTag("on:reading")
	x.luahook, x.endless, x.committed = x.hasTag(luahookTag), x.hasTag(endlessTag), x.hasTag(committedTag)
	return x
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

// Tags that are no names of programs. Those that begin with do: are what judge.lua has more to do for than to ask rules.
const (
	aliasTag      = "do:alias"      // the subcommand of git may be an alias
	storedTag     = "do:stored"     // git config may keep a command
	handedTag     = "do:handed"     // the program may run what it is handed
	filesTag      = "do:files"      // files are changed, or read where rules are about that
	statementsTag = "do:statements" // there may be SQL
	remoteTag     = "needs:remote"
	multipliesTag = "needs:multiplies"
	decodedTag    = "needs:decoded"
	toolTag       = "needs:tool"
	blankTag      = "needs:blank"
	luahookTag    = "needs:luahook"
	endlessTag    = "needs:endless"
	committedTag  = "needs:committed"
	everyTag      = "on:command"
)

// AppendTags appends the tags of a command for which there is something to do, in the order in
// which judge.lua goes by them. line is what is known of the command's line, nil for nothing.
// Where it leaves one out no rule can apply: TestRuleIndex compares the answers with those
// without an index.
func (x *Index) AppendTags(tags []string, command *shell.Command, line *Line, pay Payer) []string {
	pay.Spend(8 + len(command.Args))
	add := func(tag string, applies bool) {
		if applies {
			tags = append(tags, tag)
		}
	}
	program := x.program(command.Name)
	s := &subject{Command: command, line: line}
	if !onlyAssigns(command) {
		tags = x.appendNamed(tags, cmp.Or(command.Name, "?"), s)
	}
	tags = x.appendSubcommand(tags, s, program)
	add(remoteTag, command.Remote)
	add(multipliesTag, command.Multiplies)
	add(decodedTag, len(command.From) > 0 && !command.NameDynamic)
	add(toolTag, program.tool)
	add(blankTag, strings.Contains(command.Path, " "))
	add(luahookTag, x.luahook && mentions(command, "luahook"))
	add(endlessTag, x.endless && (mentions(command, "zero") || mentions(command, "random")))
	add(committedTag, x.committed && line.printsCommitted())
	add(handedTag, x.mayRun(command, program))
	add(everyTag, x.every)
	add(filesTag, x.concernsFiles(pay, command, program, line))
	add(statementsTag, program.statements || (command.SQL != nil || command.Path != command.Name) && sql.MayBeIn(command))
	return tags
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

// appendSubcommand appends the tag of a command with its subcommand, and what else there is to
// judge of git's.
func (x *Index) appendSubcommand(tags []string, s *subject, program programRules) []string {
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
		return tags
	}
	tags = x.appendNamed(tags, name+":"+cmp.Or(subcommand, "?"), s)
	switch {
	case !git:
	case subcommand == "config":
		tags = append(tags, storedTag)
	case s.GitForeign():
		tags = append(tags, aliasTag)
	}
	return tags
}

// mayRun reports whether a program may run what it is handed; readers.lua looks closer.
func (x *Index) mayRun(c *shell.Command, program programRules) bool {
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
func (x *Index) program(name string) programRules {
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

// hasTag reports whether a rule has a tag. It reads all of them: see [Index.nameTags].
func (x *Index) hasTag(tag string) bool { return x.has(tag + " ") }

// has reports whether a rule has a tag that begins so.
func (x *Index) has(begin string) bool {
	return slices.ContainsFunc(x.texts, func(text string) bool { return strings.Contains(text, " "+begin) })
}
