package shell

import (
	"strconv"
	"strings"
	"sync"

	"github.com/luahook/luahook/analysis/shell/programs"
	"github.com/luahook/luahook/internal/wordlist"
)

// Git is what a git command does to commits, branches and files, as far as its
// words say. It knows nothing of the repository: what a word such as main
// stands for there, and what is in configuration files.
type Git struct {
	// Subcommand is "push" for git push and for git-push. It is "" when there
	// is none or it isn't known. An alias isn't resolved here: the command
	// that it stands for is a command of its own, reached through "git alias
	// x".
	Subcommand string

	// Dir is the folder that -C options name, put together and seen from the
	// one in which the command runs; its Text is "" without such options.
	Dir Word

	// Foreign is set where git has no such subcommand of its own: it is an alias in git's
	// configuration, or a program such as git-lfs.
	Foreign bool

	// Operands holds the words behind the subcommand that are neither options
	// nor values nor Paths. A subcommand's own, such as drop in git stash
	// drop, is the first.
	Operands []Word

	// Paths holds the words that can only be paths: those behind "--" where
	// the subcommand takes paths there, all of those of git add, checkout-index, clean, ls-files, mv,
	// restore, rm and status, and of git checkout and reset those that can't
	// be a commit.
	Paths []Word

	// Refspecs holds what git push, send-pack, fetch and pull are told to update.
	Refspecs []Refspec

	// Pushes holds the branches of a remote that git push changes.
	Pushes []Push

	// Settings holds what the command itself is configured with, by -c and the
	// like and by variables; what git keeps in files isn't known.
	Settings []GitSetting

	// Stored is what git config, git remote add or git remote set-url keeps for
	// later commands, and nil for others.
	Stored *GitSetting

	// Elsewhere is set when the repository or its files aren't those of the
	// folder, with Dir: by --git-dir, --work-tree or a variable, or because a
	// folder of -C isn't known.
	Elsewhere bool

	// SkipsHooks is set when a command for which git runs hooks that may refuse
	// it is told not to run them: by --no-verify, or another core.hooksPath.
	SkipsHooks bool

	Force          bool // of any subcommand: -f, --force, or what implies it: branch -D, switch -C, a refspec with +
	ForceWithLease bool // push --force-with-lease; Force is for the unconditional ones
	DryRun         bool // it only says what it would do: none of the facts below holds

	// DiscardsChanges is set when work is lost that isn't committed: changes,
	// untracked files, stash entries, and conflicts resolved so far (merge
	// --abort and the like).
	DiscardsChanges bool

	// RewritesHistory is set when commits of a branch or tag are replaced or
	// may become unreachable, here or on a remote, or when what would bring
	// them back is deleted (reflogs, unreachable objects). A push with a lease
	// counts, too.
	RewritesHistory bool

	// DeletesRefs is set when branches, tags or other refs are deleted, here or
	// on a remote. git branch -d, which refuses to lose commits, and -D are
	// told apart by Force. What fetch --prune and the like drop doesn't count:
	// it only stood for what the remote has no more.
	DeletesRefs bool

	// Because names what the facts are about, for a message: "reset --hard",
	// "push +main", "stash drop". It is "" when no fact is set.
	Because string

	// Dynamic is set when the facts may be other ones: a word that decides is
	// only known at run time, or may name a file or a branch, as in
	// git checkout notes.txt. The facts are then those of what is known.
	Dynamic bool
}

// Refspec is what git push, fetch and pull update. Options that stand for
// refspecs, such as --mirror, --all and --tags, are given as those.
type Refspec struct {
	Source string // "" for a deletion
	Target string // "" where git chooses: of fetch without one, and of HEAD
	Force  bool   // by + or an option
	Delete bool   // of push: the target is deleted
}

// Git returns the facts of a git command, and nil for other commands. What asks
// a person first (--patch, --interactive) does nothing by itself, and neither
// does a command with --help.
func (c *Command) Git() *Git {
	call := readGit(c)
	if call == nil {
		return nil
	}
	g := &Git{Subcommand: call.name, Dir: call.dir(), Dynamic: call.name == "" && call.unsure}
	for _, i := range call.operands {
		g.Operands = append(g.Operands, c.Args[i])
	}
	for _, i := range call.paths {
		g.Paths = append(g.Paths, c.Args[i])
	}
	g.Foreign = call.isForeign()
	call.specs = call.refspecs()
	g.Refspecs = call.specs
	g.Settings, g.Stored = call.settings(), call.stored()
	g.Pushes = call.pushes(g.Settings)
	g.Elsewhere = call.elsewhere()
	g.SkipsHooks = call.skipsHooks(g.Settings)
	if known := call.known(); known.Letters+known.Rules != "" {
		call.setFacts(g, known)
	}
	return g
}

// GitForeign is Foreign of [Command.Git], and false for other commands.
func (c *Command) GitForeign() bool {
	call := gitUpToName(c)
	return call != nil && call.isForeign()
}

// gitRefsOf are the refs that options of push stand for.
var gitRefsOf = []struct{ option, refs string }{
	{"--mirror", "refs/*"}, {"--all", "refs/heads/*"}, {"--branches", "refs/heads/*"}, {"--tags", "refs/tags/*"},
}

// refspecs reads what push, fetch and pull are told to update.
func (call *gitCall) refspecs() []Refspec {
	push := call.name == "push" || call.name == "send-pack"
	if !push && call.name != "fetch" && call.name != "pull" {
		return nil
	}
	var specs []Refspec
	force := call.on("--force")
	for _, o := range gitRefsOf {
		if push && call.on(o.option) {
			specs = append(specs, Refspec{Source: o.refs, Target: o.refs, Force: force || o.option == "--mirror"})
		}
	}
	if len(call.operands) == 0 || !push && call.on("--multiple") {
		return specs
	}
	words := call.operands[1:]
	for i := 0; i < len(words); i++ {
		text := call.command.Args[words[i]].Text
		if text == "tag" && i+1 < len(words) {
			i++
			text = "refs/tags/" + call.command.Args[words[i]].Text
			if !push {
				text += ":" + text
			}
		}
		specs = append(specs, call.refspec(text, push, force))
	}
	return specs
}

func (call *gitCall) refspec(text string, push, force bool) Refspec {
	plain, plus := strings.CutPrefix(text, "+")
	if push && call.on("--delete") {
		return Refspec{Target: text, Delete: true, Force: force}
	}
	source, target, both := strings.Cut(plain, ":")
	if push && !both && source != "HEAD" && source != "@" {
		target = source
	}
	target, late := strings.CutPrefix(target, "+") // git refuses it, which isn't to be relied on
	return Refspec{
		Source: source, Target: target, Force: plus || late || force,
		Delete: push && both && source == "" && target != "",
	}
}

// text writes the refspec as git reads it.
func (r *Refspec) text() string {
	text := r.Source
	if r.Target != r.Source && r.Target != "" {
		text += ":" + r.Target
	}
	if r.Force {
		text = "+" + text
	}
	return text
}

// known returns what is known of the subcommand. What isn't there loses nothing
// of its own accord: git merge, cherry-pick and revert add commits, git switch,
// checkout, pull and stash pop refuse to overwrite changes, git reset without
// --hard leaves the files as they are, git stash keeps what it takes away, and
// git gc keeps what is younger than two weeks.
func (call *gitCall) known() *programs.Git {
	if p := programs.Of("git " + call.name); p != nil && p.Git != nil {
		return p.Git
	}
	return &nothingOfGit
}

var nothingOfGit programs.Git

// setFacts sets the facts of g that the rules decide.
func (call *gitCall) setFacts(g *Git, known *programs.Git) {
	g.Force, g.ForceWithLease, g.DryRun = call.on("--force"), call.on("--force-with-lease"), call.on("--dry-run")
	if known.Rules == "" || call.onlyHelps() {
		return
	}
	g.Dynamic = call.unsure
	// Where the answers come from a pipe or a file, nobody is asked.
	if g.DryRun || known.Asks != "" && call.on(known.Asks) && call.command.Input == nil {
		return
	}
	because := []string{call.name}
	for rule := range strings.SplitSeq(known.Rules, ";") {
		does, when, _ := strings.Cut(strings.TrimSpace(rule), " ")
		words, ok := call.ruleHolds(when)
		if !ok {
			continue
		}
		for _, word := range words {
			if !wordlist.Has(strings.Join(because, " "), word) {
				because = append(because, word)
			}
		}
		g.DiscardsChanges = g.DiscardsChanges || strings.Contains(does, "discards")
		g.RewritesHistory = g.RewritesHistory || strings.Contains(does, "rewrites")
		g.DeletesRefs = g.DeletesRefs || strings.Contains(does, "deletes")
		g.Force = g.Force || strings.Contains(does, "forces")
	}
	if g.DiscardsChanges || g.RewritesHistory || g.DeletesRefs {
		g.Because = strings.Join(because, " ")
	}
}

// onlyHelps reports whether the command only explains itself, or refuses to run.
func (call *gitCall) onlyHelps() bool {
	args := call.command.Args
	return call.on("--help") || call.on("--version") || call.on("-h") && args[len(args)-1].Text == "-h"
}

// ruleHolds reports whether all terms hold, and because of which words.
func (call *gitCall) ruleHolds(when string) (because []string, ok bool) {
	for term := range strings.FieldsSeq(when) {
		word := term
		switch term[0] {
		case '!':
			if call.on(term[1:]) {
				return nil, false
			}
			continue
		case '@':
			if word = call.action; !wordlist.Has(strings.ReplaceAll(term[1:], "|", " "), word) {
				return nil, false
			}
		case '-':
			if !call.on(term) {
				return nil, false
			}
		default:
			if word = gitTerms()[term](call); word == "" {
				return nil, false
			}
		}
		because = append(because, word)
	}
	return because, true
}

// gitTerms are the conditions of rules that take more than an option. Each
// returns what holds in words, or "".
var gitTerms = sync.OnceValue(func() map[string]func(*gitCall) string {
	return map[string]func(*gitCall) string{
		"operand":    func(call *gitCall) string { return call.operand(0) },
		"paths":      (*gitCall).pathsGiven,
		"moves":      (*gitCall).moves,
		"restores":   (*gitCall).restores,
		"unforced":   (*gitCall).unforced,
		"prunes":     (*gitCall).prunes,
		"expires":    (*gitCall).expires,
		"indexed":    (*gitCall).indexed,
		"rebases":    (*gitCall).rebases,
		"updates":    (*gitCall).updates,
		"migrates":   (*gitCall).migrates,
		"overwrites": (*gitCall).overwrites,
		"forced":     func(call *gitCall) string { return call.firstRefspec(func(r *Refspec) bool { return r.Force }) },
		"removed":    func(call *gitCall) string { return call.firstRefspec(func(r *Refspec) bool { return r.Delete }) },
	}
})

func (call *gitCall) pathsGiven() string {
	if len(call.paths) == 0 {
		return ""
	}
	return "-- " + call.command.Args[call.paths[0]].Text
}

// moves is about reset to another commit than the one that is checked out.
func (call *gitCall) moves() string {
	if len(call.paths) > 0 || call.on("--pathspec-from-file") || len(call.operands) != 1 {
		return ""
	}
	if call.isMixed() && call.looksLikeFile() {
		return ""
	}
	commit := call.operand(0)
	if commit == "HEAD" || commit == "@" {
		return ""
	}
	return commit
}

func (call *gitCall) isMixed() bool {
	return !call.on("--hard") && !call.on("--soft") && !call.on("--merge") && !call.on("--keep")
}

// restores is about restore, which takes the files unless only the index is
// asked for.
func (call *gitCall) restores() string {
	files, given := call.state["--worktree"]
	_, index := call.state["--staged"]
	switch {
	case !files && (given || index):
		return ""
	case len(call.paths) > 0:
		return call.command.Args[call.paths[0]].Text
	case call.on("--pathspec-from-file"):
		return "--pathspec-from-file"
	}
	return ""
}

// unforced is about a clean that is set to need no force.
func (call *gitCall) unforced() string {
	set := "clean.requireForce=false"
	if value, ok := call.setting("clean.requireforce"); !ok || !isGitFalse(value) {
		return ""
	}
	return set
}

func isGitFalse(value string) bool {
	switch strings.ToLower(value) {
	case "false", "no", "off", "0":
		return true
	}
	return false
}

// prunes is about gc, which keeps for two weeks what is unreachable unless it
// is told otherwise.
func (call *gitCall) prunes() string {
	if call.on("--prune") {
		if when := call.last("--prune"); when != "" && !isLongAgo(when) {
			return "--prune=" + when
		}
	}
	for _, key := range []string{"gc.pruneexpire", "gc.reflogexpire", "gc.reflogexpireunreachable"} {
		if when, ok := call.setting(key); ok && (when == "now" || when == "all") {
			return key + "=" + when
		}
	}
	return ""
}

// expires is about prune, which keeps nothing for a while unless it is told.
func (call *gitCall) expires() string {
	switch when := call.last("--expire"); {
	case when == "":
		return "prune"
	case !isLongAgo(when):
		return "--expire=" + when
	}
	return ""
}

// isLongAgo reports whether a time of git leaves a week or more to bring back what
// nothing leads to.
func isLongAgo(when string) bool {
	if when == "never" || when == "false" {
		return true
	}
	for _, unit := range []string{"week", "month", "year"} {
		if strings.Contains(when, unit) {
			return true
		}
	}
	count, _ := strconv.Atoi(when[:len(when)-len(strings.TrimLeft(when, "0123456789"))])
	return count >= 7 && strings.Contains(when, "day")
}

// indexed is about read-tree, which replaces the index unless it's told to write
// another file, or to add to it. To have it as it was committed loses no more than git
// reset does.
func (call *gitCall) indexed() string {
	if call.on("--index-output") || call.on("--prefix") && !call.on("-u") {
		return ""
	}
	for _, a := range call.set {
		if a.Name == "GIT_INDEX_FILE" {
			return ""
		}
	}
	if len(call.operands) == 1 && !call.on("-u") && (call.operand(0) == "HEAD" || call.operand(0) == "@") {
		return "" // as git reset does it
	}
	switch {
	case call.on("--reset"):
		return "--reset"
	case call.on("-m"):
		return "-m"
	case call.on("--empty"):
		return "--empty"
	}
	return "read-tree"
}

func (call *gitCall) rebases() string {
	if !call.on("--rebase") || isGitFalse(call.last("--rebase")) {
		return ""
	}
	return "--rebase"
}

// updates is about replay, which may print what it would update.
func (call *gitCall) updates() string {
	if call.last("--ref-action") == "print" || len(call.operands) == 0 {
		return ""
	}
	return call.operand(0)
}

// migrates is about lfs migrate, of which info only tells.
func (call *gitCall) migrates() string {
	if verb := call.operand(1); verb == "import" || verb == "export" {
		return verb
	}
	return ""
}

// overwrites is about fetch and pull with a refspec that forces a branch or
// tag. The branches kept for a remote are meant to be overwritten.
func (call *gitCall) overwrites() string {
	return call.firstRefspec(func(r *Refspec) bool {
		return r.Force && r.Target != "" && !strings.HasPrefix(r.Target, "refs/remotes/")
	})
}

// firstRefspec returns the first refspec that is as asked for.
func (call *gitCall) firstRefspec(is func(*Refspec) bool) string {
	for _, r := range call.specs {
		if is(&r) {
			return r.text()
		}
	}
	return ""
}

// Push is a branch of a remote that git push changes, or what is known of which one it is.
type Push struct {
	Remote string // as it is named: a name, a path or an address; "": git chooses, or it isn't known
	Branch string // without refs/heads/; "": see Current and Any

	// Current is set where it is the branch that is checked out, or its upstream, as git is configured.
	Current bool

	// Any is set where it may be any branch: all of them, those of a pattern, or one that isn't known.
	Any bool

	Force  bool // also with a lease
	Delete bool
}

// pushes reads which branches of a remote are changed. Tags and other refs aren't among them.
func (call *gitCall) pushes(settings []GitSetting) []Push {
	if call.name != "push" && call.name != "send-pack" || call.onlyHelps() || call.on("--dry-run") {
		return nil
	}
	remote := ""
	if len(call.operands) > 0 {
		if word := call.command.Args[call.operands[0]]; !word.Dynamic {
			remote = word.Text
		}
	} else {
		for _, o := range call.options {
			if o.name == "--repo" && o.given && !o.value.Dynamic {
				remote = o.value.Text
			}
		}
	}
	force := call.on("--force") || call.on("--force-with-lease")
	var list []Push
	for _, r := range call.specs {
		p := Push{Remote: remote, Force: force || r.Force, Delete: r.Delete || call.on("--mirror")}
		if p.read(&r); p.Branch != "" || p.Any || p.Current {
			list = append(list, p)
		}
	}
	if len(call.specs) == 0 {
		p := Push{Remote: remote, Current: true, Force: force}
		for _, s := range settings {
			key := strings.ToLower(s.Key)
			if key == "push.default" || strings.HasPrefix(key, "remote.") && (strings.HasSuffix(key, ".push") || strings.HasSuffix(key, ".mirror")) || s.Value.Dynamic && key == "" {
				p.Current, p.Any = false, true
			}
		}
		list = append(list, p)
	}
	if call.on("--prune") && !call.on("--mirror") {
		list = append(list, Push{Remote: remote, Any: true, Delete: true, Force: force})
	}
	if call.unsure {
		list = append(list, Push{Remote: remote, Any: true, Force: force})
	}
	return list
}

// read says which branch a refspec changes, if any.
func (p *Push) read(r *Refspec) {
	target := r.Target
	switch {
	case target == "" && (r.Source == "HEAD" || r.Source == "@"):
		p.Current = true
		return
	case target == "": // ":" is every branch that both sides have
		p.Any = true
		return
	}
	name, full := strings.CutPrefix(target, "refs/")
	branch, isBranch := strings.CutPrefix(name, "heads/")
	switch {
	case strings.ContainsAny(target, "*$`?["): // what isn't known is there as it is written
		p.Any = !strings.HasPrefix(name, "tags/")
	case isBranch:
		p.Branch = branch
	case !full && !strings.HasPrefix(name, "tags/"):
		p.Branch = target
	}
}
