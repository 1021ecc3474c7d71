package shell

import (
	"strconv"
	"strings"
	"sync"
)

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
		"forced":     func(call *gitCall) string { return call.spec(func(r *Refspec) bool { return r.Force }) },
		"removed":    func(call *gitCall) string { return call.spec(func(r *Refspec) bool { return r.Delete }) },
	}
})

func (call *gitCall) operand(i int) string {
	if i >= len(call.operands) {
		return ""
	}
	return call.command.Args[call.operands[i]].Text
}

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
	if call.isMixed() && call.unclear() {
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
// another file, or to add to it.
func (call *gitCall) indexed() string {
	if call.on("--index-output") || call.on("--prefix") && !call.on("-u") {
		return ""
	}
	for _, a := range call.set {
		if a.Name == "GIT_INDEX_FILE" {
			return ""
		}
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
	return call.spec(func(r *Refspec) bool {
		return r.Force && r.Target != "" && !strings.HasPrefix(r.Target, "refs/remotes/")
	})
}

// spec returns the first refspec that is as asked for.
func (call *gitCall) spec(is func(*Refspec) bool) string {
	for _, r := range call.specs {
		if is(&r) {
			return r.text()
		}
	}
	return ""
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
	if !listed(gitPathspecs, call.name) {
		return
	}
	all := call.operands
	switch {
	case listed(gitPathsOnly, call.name):
		before = 0
	case before >= 0 && before <= len(all):
	case call.name != "checkout" && call.name != "reset", call.on("-b"), call.on("-B"), call.on("--orphan"), len(all) == 0:
		return
	case call.cannotBeCommit(all[0]):
		before = 0
	case len(all) > 1:
		before = 1
	default:
		call.unsure = call.unsure || call.unclear() && (call.name == "checkout" || call.isMixed())
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

// unclear reports whether the only operand looks like the name of a file, which
// a branch may have, too.
func (call *gitCall) unclear() bool {
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
