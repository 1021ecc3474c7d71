package shell

import "strings"

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
	call.specs = call.refspecs()
	g.Refspecs = call.specs
	g.Settings, g.Stored = call.settings(), call.stored()
	g.Elsewhere = call.elsewhere()
	g.SkipsHooks = call.skipsHooks(g.Settings)
	if effect, ok := gitEffects()[call.name]; ok {
		call.judge(g, &effect)
	}
	return g
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
