package shell

import (
	"strings"

	"github.com/luahook/luahook/analysis/shell/programs"
	"github.com/luahook/luahook/internal/wordlist"
)

// gitCall is a git command taken apart as git does it.
type gitCall struct {
	command *Command
	set     []Assignment // the variables that it gets
	name    string       // of the subcommand, "" when there is none or it isn't known
	at      int          // the argument with the subcommand, -1 for git-push and when there is none
	action  string       // the subcommand's own, as drop in git stash drop

	global   []gitOption // those before the subcommand
	options  []gitOption // those with a value
	operands []int       // arguments
	paths    []int       // arguments
	capitals bool        // it's written as GIT: the rest of it may be, too
	unsure   bool        // a word that isn't known may be an option or an operand

	state map[string]bool // of the options that were given, whether they hold at the end
	specs []Refspec
	names map[string][]gitName // what abbreviations met so far stand for
}

// gitOption is one option, in full and as far as possible with its long name.
type gitOption struct {
	name  string // "--force" or "-x"
	off   bool   // it's taken back: --no-force
	given bool   // value was given
	value argument
	index int // of its argument
	from  int // of the argument with the value
}

// readGit returns nil for what isn't git. hub takes all that git does.
func readGit(c *Command) *gitCall {
	call := gitUpToName(c)
	if call != nil && call.name != "" {
		call.readOptions()
	}
	return call
}

// gitUpToName is as readGit, and reads no further than to the subcommand.
func gitUpToName(c *Command) *gitCall {
	if c.Name != "git" && c.Name != "hub" && !strings.HasPrefix(c.Name, "git-") {
		return nil
	}
	call := &gitCall{command: c, set: c.Assignments, at: -1}
	base := baseName(c.Path)
	call.capitals = base != strings.ToLower(base)
	if len(c.exported) > 0 {
		call.set = append(c.exported[:len(c.exported):len(c.exported)], c.Assignments...)
	}
	switch sub, dashed := strings.CutPrefix(c.Name, "git-"); {
	case dashed && sub != "":
		call.name = sub
	case c.Name == "git" || c.Name == "hub":
		call.readGlobal()
	default:
		return nil
	}
	call.name = call.lowered(call.name)
	return call
}

// isForeign reports whether the subcommand isn't git's own: it may be an alias.
func (call *gitCall) isForeign() bool {
	return call.at >= 0 && call.name != "" && !wordlist.Has(gitOwn, call.name)
}

// lowered is what text means behind a GIT in capitals.
func (call *gitCall) lowered(text string) string {
	if call.capitals {
		return strings.ToLower(text)
	}
	return text
}

// gitValued are the global options that take the next word.
const gitValued = "-C -c --git-dir --work-tree --namespace --super-prefix --config-env --attr-source --shallow-file --list-cmds"

// readGlobal reads up to the subcommand. git knows neither bundles nor
// abbreviations here.
func (call *gitCall) readGlobal() {
	args := call.command.Args
	for i := 0; i < len(args); i++ {
		word := args[i]
		text := word.Text
		switch {
		case word.Dynamic && !strings.HasPrefix(text, "-"):
			call.unsure, call.at = true, i
			return
		case text == "--help" || text == "-h":
			call.name, call.at = "help", i
			return
		case text == "--version" || text == "-v":
			call.name, call.at = "version", i
			return
		case !strings.HasPrefix(text, "-"):
			call.name, call.at = text, i
			return
		}
		call.unsure = call.unsure || word.Dynamic && !word.Quoted
		o := gitOption{name: text, index: i}
		switch name, value, valued := strings.Cut(text, "="); {
		case wordlist.Has(gitValued, text):
			if i+1 < len(args) {
				i++
				o.take(args, i, args[i].Text)
				call.unsure = call.unsure || args[i].Dynamic && !args[i].Quoted
			}
		case len(text) > 2 && (text[:2] == "-c" || text[:2] == "-C"):
			o.name = text[:2]
			o.take(args, i, text[2:])
		case valued:
			o.name = name
			o.take(args, i, value)
		}
		call.global = append(call.global, o)
	}
}

// take sets the value to text, which stands in the argument i.
func (o *gitOption) take(args []Word, i int, text string) {
	o.given, o.value, o.from = true, argument{Word: args[i]}, i
	o.value.Text = text
}

// readOptions reads what is behind the subcommand.
func (call *gitCall) readOptions() {
	sub := "git " + call.name
	g := grammarOf(sub)
	if strings.Contains(call.name, " ") || g == nil {
		g = &grammar{}
	}
	known := call.known()
	args := call.command.Args
	dash := -1 // operands before "--"
	for i := call.at + 1; i < len(args); i++ {
		word := args[i]
		text := word.Text
		switch {
		case dash >= 0 || text == "-" || !strings.HasPrefix(text, "-"):
			call.unsure = call.unsure || word.Dynamic && (dash < 0 || wordlist.Has(gitRefspecs, call.name))
			call.operands = append(call.operands, i)
			if dash < 0 && call.stops() {
				dash = len(args)
			}
		case text == "--":
			dash = len(call.operands)
		case text == "--end-of-options":
			dash = len(args)
		case strings.HasPrefix(text, "--"):
			i = call.long(g, known, i)
		default:
			i = call.letters(g, known, i)
		}
	}
	if len(call.operands) > 0 && dash != 0 {
		call.action = call.lowered(args[call.operands[0]].Text)
	}
	call.findPaths(dash)
}

// stops reports whether what follows the operands so far is a command or a key
// with its value, and no option of git's.
func (call *gitCall) stops() bool {
	first := call.command.Args[call.operands[0]].Text
	switch call.name {
	case "submodule":
		return len(call.operands) == 2 && first == "foreach"
	case "bisect":
		return len(call.operands) == 1 && first == "run"
	case "config":
		return !wordlist.Has(gitConfigActions, first) || len(call.operands) == 2
	case "for-each-repo", "filter-branch":
		return true
	}
	return false
}

// long reads the option --name and returns the last argument that it takes.
func (call *gitCall) long(g *grammar, known *programs.Git, i int) int {
	args := call.command.Args
	word := args[i]
	name, value, valued := strings.Cut(word.Text[2:], "=")
	name = call.lowered(name)
	if word.Dynamic && (!valued || !word.Quoted || strings.ContainsAny(name, "$`")) {
		call.unsure = true
	}
	found, again := call.names[name]
	if !again {
		if found = gitNames(g, name); call.names == nil {
			call.names = map[string][]gitName{}
		}
		call.names[name] = found
	}
	if len(found) == 0 {
		call.given(known, gitOption{name: "--" + name, index: i})
		return i
	}
	o := gitOption{name: "--" + found[0].name, off: found[0].off, index: i}
	switch {
	case valued:
		o.take(args, i, value)
	case len(found) == 1 && found[0].takes == required && !o.off && i+1 < len(args),
		call.name == "checkout" && o.name == "--recurse-submodules" && i+1 < len(args) && wordlist.Has("checkout on-demand", args[i+1].Text):
		// git takes on-demand for a branch, and stops because there is none.
		i++
		o.take(args, i, args[i].Text)
		call.unsure = call.unsure || args[i].Dynamic && !args[i].Quoted
	}
	call.given(known, o)
	if again {
		return i
	}
	for _, other := range found[1:] {
		call.given(known, gitOption{name: "--" + other.name, off: other.off, index: o.index})
	}
	return i
}

// letters reads the bundle -abc and returns the last argument that it takes.
func (call *gitCall) letters(g *grammar, known *programs.Git, i int) int {
	args := call.command.Args
	word := args[i]
	text := word.Text
	if word.Dynamic {
		if cut := strings.IndexAny(text, "$`<>{"); cut > 0 {
			text = text[:cut]
		}
		call.unsure = call.unsure || !word.Quoted || len(text) == 1
	}
	for at := 1; at < len(text); at++ {
		o := gitOption{name: "-" + text[at:at+1], index: i}
		rest := word.Text[at+1:]
		takes := g.letter(text[at])
		switch {
		case takes == required && rest == "" && i+1 < len(args):
			i++
			o.take(args, i, args[i].Text)
			call.unsure = call.unsure || args[i].Dynamic && !args[i].Quoted
		case (takes == required || takes == attached) && rest != "":
			o.take(args, i, rest)
			at = len(text)
		}
		call.given(known, o)
		if o.given {
			return i
		}
	}
	call.unsure = call.unsure || word.Dynamic
	return i
}

// given notes an option under the long name that the subcommand has for it.
func (call *gitCall) given(known *programs.Git, o gitOption) {
	if len(o.name) == 2 {
		for pair := range strings.FieldsSeq(known.Letters) {
			if pair[0] == o.name[1] {
				o.name = "--" + pair[2:]
			}
		}
	}
	if o.given && !o.off {
		call.options = append(call.options, o)
	}
	if !o.off && wordlist.Has(known.Rivals, o.name) {
		for rival := range strings.FieldsSeq(known.Rivals) {
			delete(call.state, rival)
		}
	}
	if call.state == nil {
		call.state = map[string]bool{}
	}
	call.state[o.name] = !o.off
}

// on reports whether an option holds at the end.
func (call *gitCall) on(name string) bool { return call.state[name] }

// last returns the value that the option was last given, if any.
func (call *gitCall) last(name string) string {
	for i := len(call.options) - 1; i >= 0; i-- {
		if o := &call.options[i]; o.name == name {
			return o.value.Text
		}
	}
	return ""
}

// begins reports whether the name of a long option may begin with name.
func (g *grammar) begins(name string) bool {
	return strings.HasPrefix(g.Long, name) || strings.Contains(g.Long, " "+name)
}

// gitName is a long option that a word may stand for.
type gitName struct {
	name  string // with "no-" only if it's listed so
	off   bool
	takes kind
}

// gitNames returns the long option that name stands for, as git reads it: an
// exact name, or the only one that it abbreviates, where each has a negated
// form. git refuses what abbreviates several. Which ones there are depends on
// its version, so all of them are returned.
func gitNames(g *grammar, name string) []gitName {
	positive, _ := strings.CutPrefix(name, "no-")
	if name == "" || !g.begins(name) && !g.begins(positive) && !g.begins("no-"+name) && !strings.HasPrefix("no-", name) {
		return nil
	}
	var all, exact []gitName
	for option := range strings.FieldsSeq(g.Long) {
		found := gitName{name: strings.TrimRight(option, "=?"), takes: alone}
		switch option[len(option)-1] {
		case '=':
			found.takes = required
		case '?':
			found.takes = attached
		}
		negated := found
		negated.off, negated.takes = true, alone
		opposite, negative := strings.CutPrefix(found.name, "no-")
		if !negative {
			opposite = "no-" + found.name
		}
		switch {
		case found.name == name:
			return []gitName{found}
		case opposite == name:
			exact = []gitName{negated}
		case !g.Closed:
		case strings.HasPrefix(found.name, name):
			all = append(all, found)
		case strings.HasPrefix(opposite, name):
			all = append(all, negated)
		}
	}
	if exact != nil {
		return exact
	}
	return all
}

const (
	// gitPathspecs are the subcommands that take paths behind "--".
	gitPathspecs = "add annotate archive bisect blame checkout checkout-index clean commit diff diff-files diff-index diff-tree difftool filter-branch format-patch grep history log ls-files ls-tree mv rerere reset restore rev-list rm shortlog show sparse-checkout stage stash status submodule update-index whatchanged"

	// gitPathsOnly are those that take nothing else.
	gitPathsOnly = "add checkout-index clean ls-files mv restore rm stage status"

	// gitRefspecs are those of which every operand may change the facts.
	gitRefspecs = "push fetch pull branch tag update-ref replace"
)

// findPaths tells paths from other operands, of which the first before stand
// before "--". before is -1 without a "--".
func (call *gitCall) findPaths(before int) {
	if !wordlist.Has(gitPathspecs, call.name) {
		return
	}
	all := call.operands
	switch {
	case wordlist.Has(gitPathsOnly, call.name):
		before = 0
	case before >= 0 && before <= len(all):
	case call.name != "checkout" && call.name != "reset", call.on("-b"), call.on("-B"), call.on("--orphan"), len(all) == 0:
		return
	case call.cannotBeCommit(all[0]):
		before = 0
	case len(all) > 1:
		before = 1
	default:
		call.unsure = call.unsure || call.looksLikeFile() && (call.name == "checkout" || call.isMixed())
		return
	}
	call.operands, call.paths = all[:before], all[before:]
}

// cannotBeCommit reports whether git takes the argument for a path: no branch,
// tag or other commit is written like that (git check-ref-format).
func (call *gitCall) cannotBeCommit(i int) bool {
	word := call.command.Args[i]
	text := word.Text
	if word.Dynamic {
		return false
	}
	return text == "." || text == ".." || word.Home || word.Glob ||
		strings.ContainsAny(text, "*?[\\ \t\n") && !strings.Contains(text, "^{") ||
		strings.HasPrefix(text, ".") || strings.HasPrefix(text, "/") || strings.HasPrefix(text, ":") ||
		strings.Contains(text, "/.") || strings.Contains(text, "//") ||
		strings.HasSuffix(text, "/") || strings.HasSuffix(text, ".lock")
}

// looksLikeFile reports whether the only operand looks like the name of a file, which
// a branch may have, too.
func (call *gitCall) looksLikeFile() bool {
	if len(call.operands) != 1 {
		return false
	}
	text := call.operand(0)
	if strings.ContainsAny(text, "~^@") {
		return false
	}
	text = text[strings.LastIndexByte(text, '/')+1:]
	dot := strings.LastIndexByte(text, '.')
	if dot <= 0 || dot+1 == len(text) {
		return false
	}
	letter := text[dot+1] | 0x20
	return letter >= 'a' && letter <= 'z'
}

func (call *gitCall) operand(i int) string {
	if i >= len(call.operands) {
		return ""
	}
	return call.command.Args[call.operands[i]].Text
}

// dir puts the folders of -C together.
func (call *gitCall) dir() Word {
	var dir Word
	for _, o := range call.global {
		if o.name != "-C" || o.value.Text == "" {
			continue
		}
		next := o.value.Word
		absolute := strings.HasPrefix(next.Text, "/") || next.Home
		if dir.Text != "" && !absolute {
			next.Text = strings.TrimSuffix(dir.Text, "/") + "/" + next.Text
			next.Home = dir.Home
			next.Dynamic, next.Quoted, next.Glob = next.Dynamic || dir.Dynamic, next.Quoted || dir.Quoted, next.Glob || dir.Glob
		}
		dir = next
	}
	return dir
}

// GitFolders returns the folder in which a git command works, as its -C options have it, and the
// one that git init, clone and worktree add make, with a repository or a work tree in it. The
// Text of the second is "" for other commands, and that of both for what isn't git or
// runs elsewhere (Remote). Folders that only --git-dir and the like name aren't looked at.
func (c *Command) GitFolders() (works, makes Path) {
	call := readGit(c)
	if call == nil || c.Remote && c.in == nil || c.Dir.Text == "" && !c.Remote {
		return works, makes
	}
	if c.Remote {
		defer func() { works, makes = c.in.one(works), c.in.one(makes) }()
	}
	dir := c.Dir
	works = newPath(Word{Text: "."}, dir, Read)
	if start := call.dir(); start.Text != "" {
		works = newPath(dir, start, Read)
		dir = Word{Text: works.Text, Dynamic: works.Dynamic, Glob: works.Glob, Home: works.Home, lead: works.Text, temporary: works.Temporary}
	}
	if call.onlyHelps() {
		return works, makes
	}
	if word := call.makes(); word.Text == "." {
		makes = works
		makes.Access = Write
	} else if word.Text != "" {
		makes = newPath(dir, word, Write)
	}
	return works, makes
}

// makes is the folder that the command makes, as it is named.
func (call *gitCall) makes() (word Word) {
	args := call.command.Args
	switch n := len(call.operands); {
	case call.name == "init" || call.name == "init-db":
		if word.Text = "."; n > 0 {
			word = args[call.operands[n-1]]
		}
	case call.name == "clone" && n > 1:
		word = args[call.operands[n-1]]
	case call.name == "clone" && n == 1:
		word = args[call.operands[0]]
		if word.Text = clonedInto(word.Text); call.on("--bare") || call.on("--mirror") {
			word.Text += ".git"
		}
	case call.name == "worktree" && n > 1 && call.action == "add":
		word = args[call.operands[1]]
	}
	return word
}

// clonedInto is the name that git clone gives to the folder for a repository.
func clonedInto(address string) string {
	name := strings.TrimSuffix(strings.TrimRight(address, "/"), "/.git")
	name = name[strings.LastIndexAny(name, "/:")+1:]
	return strings.TrimSuffix(name, ".git")
}

// gitChanges are the subcommands whose paths aren't only read.
const gitChanges = "rm clean mv checkout checkout-index restore stash worktree apply clone"

// gitPaths adds the files and folders that git is given, seen from where it works.
func (r *pathReader) gitPaths() {
	call := readGit(r.command)
	if call == nil || call.onlyHelps() {
		return
	}
	r.dir = call.folder(r.dir)
	access, words := Read, make([]Word, 0, len(call.paths))
	for _, i := range call.paths {
		word := r.command.Args[i]
		if text, magic := strings.CutPrefix(word.Text, ":"); magic {
			if strings.HasPrefix(text, "!") || strings.HasPrefix(text, "^") || strings.HasPrefix(text, "(exclude)") {
				continue
			}
			word.Text = strings.TrimLeft(strings.TrimPrefix(text, "(top)"), "/")
			if word.Text == "" {
				word.Text = "."
			}
		}
		words = append(words, word)
	}
	switch call.name {
	case "rm":
		access = Delete
	case "clean":
		if access = Delete; len(words) == 0 {
			words = append(words, Word{Text: "."})
		}
	case "mv":
		if last := len(words) - 1; last > 0 {
			r.add(words[last], Write)
			r.fillsFolders(max(len(r.paths)-1, 0), words[:last], true, false)
			words = words[:last]
		}
		access = Delete
	case "checkout", "checkout-index":
		if access = Write; call.on("--all") {
			words = append(words, Word{Text: "."})
		}
	case "restore":
		if !call.on("--staged") || call.on("--worktree") {
			access = Write
		}
	case "stash":
		if call.action == "" || call.action == "push" {
			access = Write
			for _, i := range call.operands[min(1, len(call.operands)):] {
				words = append(words, r.command.Args[i])
			}
		}
	case "worktree":
		if len(call.operands) > 1 && call.action == "add" {
			r.add(r.command.Args[call.operands[1]], Write)
		} else if len(call.operands) > 1 && call.action == "remove" {
			words, access = append(words, r.command.Args[call.operands[1]]), Delete
		}
	case "apply":
		if !call.on("--check") && !call.on("--stat") && !call.on("--numstat") && !call.on("--summary") && !call.on("--cached") {
			folder := Word{Text: "."}
			if dir := call.last("--directory"); dir != "" {
				folder.Text = dir
			}
			words, access = append(words, folder), Write
		}
	case "clone":
		if n := len(call.operands); n > 1 {
			r.add(r.command.Args[call.operands[n-1]], Write)
		}
	}
	from := len(r.paths)
	for _, word := range words {
		if r.add(word, access); call.name == "apply" {
			r.unpacks()
		}
	}
	if r.touchesAll(from); call.on("--dry-run") || call.name == "rm" && call.on("--cached") {
		r.onlyRead()
	}
}

// folder is where git looks for the paths that it is given when it runs in dir: there, or
// at the top of a work tree that it is told and that dir isn't in.
func (call *gitCall) folder(dir Word) Word {
	in := func(word Word) {
		p := newPath(dir, word, Read)
		dir = Word{Text: p.Text, Dynamic: p.Dynamic, Glob: p.Glob, Home: p.Home}
	}
	if start := call.dir(); start.Text != "" {
		in(start)
	}
	var tree Word
	for _, a := range call.set {
		if a.Name == "GIT_WORK_TREE" {
			tree = a.Value
		}
	}
	for _, o := range call.global {
		key, value, _ := strings.Cut(o.value.Text, "=")
		switch {
		case o.name == "--work-tree":
			tree = o.value.Word
		case o.name == "-c" && strings.EqualFold(key, "core.worktree") && tree.Text == "":
			tree = o.value.Word.rest(value)
		}
	}
	if tree.Text == "" {
		return dir
	}
	top := newPath(dir, tree, Read)
	if !top.Dynamic && !dir.Dynamic && (dir.Text == top.Text || strings.HasPrefix(dir.Text, strings.TrimSuffix(top.Text, "/")+"/")) {
		return dir
	}
	in(tree)
	return dir
}
