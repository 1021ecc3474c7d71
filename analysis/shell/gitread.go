package shell

import "strings"

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
	call.name = call.folded(call.name)
	call.state, call.names = map[string]bool{}, map[string][]gitName{}
	if call.name != "" {
		call.readOptions()
	}
	return call
}

// folded is what text means behind a GIT in capitals.
func (call *gitCall) folded(text string) string {
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
		case listed(gitValued, text):
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
	g, known := gitProgram(sub)
	if strings.Contains(call.name, " ") || !known {
		g = grammar{}
	}
	effect := gitEffects()[call.name]
	args := call.command.Args
	dash := -1 // operands before "--"
	for i := call.at + 1; i < len(args); i++ {
		word := args[i]
		text := word.Text
		switch {
		case dash >= 0 || text == "-" || !strings.HasPrefix(text, "-"):
			call.unsure = call.unsure || word.Dynamic && (dash < 0 || listed(gitRefspecs, call.name))
			call.operands = append(call.operands, i)
			if dash < 0 && call.stops() {
				dash = len(args)
			}
		case text == "--":
			dash = len(call.operands)
		case text == "--end-of-options":
			dash = len(args)
		case strings.HasPrefix(text, "--"):
			i = call.long(&g, &effect, i)
		default:
			i = call.letters(&g, &effect, i)
		}
	}
	if len(call.operands) > 0 && dash != 0 {
		call.action = call.folded(args[call.operands[0]].Text)
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
		return !listed(gitConfigActions, first) || len(call.operands) == 2
	case "for-each-repo", "filter-branch":
		return true
	}
	return false
}

// long reads the option --name and returns the last argument that it takes.
func (call *gitCall) long(g *grammar, effect *gitEffect, i int) int {
	args := call.command.Args
	word := args[i]
	name, value, valued := strings.Cut(word.Text[2:], "=")
	name = call.folded(name)
	if word.Dynamic && (!valued || !word.Quoted || strings.ContainsAny(name, "$`")) {
		call.unsure = true
	}
	found, again := call.names[name]
	if !again {
		found = gitNames(g, name)
		call.names[name] = found
	}
	if len(found) == 0 {
		call.given(effect, gitOption{name: "--" + name, index: i})
		return i
	}
	o := gitOption{name: "--" + found[0].name, off: found[0].off, index: i}
	switch {
	case valued:
		o.take(args, i, value)
	case len(found) == 1 && found[0].takes == required && !o.off && i+1 < len(args),
		call.name == "checkout" && o.name == "--recurse-submodules" && i+1 < len(args) && listed("checkout on-demand", args[i+1].Text):
		// git takes on-demand for a branch, and stops because there is none.
		i++
		o.take(args, i, args[i].Text)
		call.unsure = call.unsure || args[i].Dynamic && !args[i].Quoted
	}
	call.given(effect, o)
	if again {
		return i
	}
	for _, other := range found[1:] {
		call.given(effect, gitOption{name: "--" + other.name, off: other.off, index: o.index})
	}
	return i
}

// letters reads the bundle -abc and returns the last argument that it takes.
func (call *gitCall) letters(g *grammar, effect *gitEffect, i int) int {
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
		call.given(effect, o)
		if o.given {
			return i
		}
	}
	call.unsure = call.unsure || word.Dynamic
	return i
}

// given notes an option under the long name that the subcommand has for it.
func (call *gitCall) given(effect *gitEffect, o gitOption) {
	if len(o.name) == 2 {
		for pair := range strings.FieldsSeq(effect.letters) {
			if pair[0] == o.name[1] {
				o.name = "--" + pair[2:]
			}
		}
	}
	if o.given && !o.off {
		call.options = append(call.options, o)
	}
	if !o.off && listed(effect.rivals, o.name) {
		for rival := range strings.FieldsSeq(effect.rivals) {
			delete(call.state, rival)
		}
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
	return strings.HasPrefix(g.long, name) || strings.Contains(g.long, " "+name)
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
	for option := range strings.FieldsSeq(g.long) {
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
		case !g.closed:
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
