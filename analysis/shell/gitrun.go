package shell

import (
	"slices"
	"strings"
	"sync"

	"github.com/luahook/luahook/internal/wordlist"
)

// git reports what a git command runs in turn: aliases, hooks and programs
// that its options and configuration name. It returns whether c is git.
func (w *walker) git(c *Command, args []argument, s scope) bool {
	call := readGit(c)
	if call == nil {
		return false
	}
	call.set = w.gitEnvironment(c)
	if len(call.set) > len(c.Assignments) {
		c.exported = call.set[:len(call.set)-len(c.Assignments)]
	}
	call.locate(args)
	settings, all := gitConfig(call)
	defer w.keepGit(call, args) // for the commands after this one
	r := gitRunner{w: w, call: call, args: args, scope: s, top: s}
	for _, o := range call.global {
		if o.name == "-C" && o.value.Text != "" {
			r.scope.chdir(o.value)
		}
	}
	// git goes to the top of the repository before it runs anything.
	r.top = r.scope
	r.top.chdir(unknowable("$(git rev-parse --show-toplevel)", call.place()))
	if !all {
		r.unknown("git -c", s)
	}
	if len(w.gitSettings) > 0 && !w.spend(len(w.gitSettings)) {
		return true
	}
	if call.at >= 0 && !wordlist.Has(gitOwn, call.name) && r.runAliases(settings, s) {
		return true
	}
	if call.name != "" && !call.onlyHelps() {
		r.programs(settings)
		r.options()
		r.operands(s)
		r.hooks(settings)
	}
	return true
}

// maxGitSettings bounds what is kept for the git commands after one.
const maxGitSettings = 64

// keepGit remembers what the command configures.
func (w *walker) keepGit(call *gitCall, args []argument) {
	setting, ok := gitStored(call, args)
	if !ok || slices.ContainsFunc(w.gitSettings, setting.same) {
		return
	}
	if len(w.gitSettings) == maxGitSettings {
		w.line.TooComplex = true
		return
	}
	w.gitSettings = append(w.gitSettings, setting)
}

// locate completes the values of options with where they are from.
func (call *gitCall) locate(args []argument) {
	for _, options := range [][]gitOption{call.global, call.options} {
		for i := range options {
			if o := &options[i]; o.given {
				word := o.value.Word
				o.value = args[o.from]
				o.value.Word = word
			}
		}
	}
}

// gitRunner reports what one git command runs.
type gitRunner struct {
	w     *walker
	call  *gitCall
	args  []argument
	scope scope // where git runs, with its -C
	top   scope // where it runs others
}

// words returns the arguments of those operands.
func (r *gitRunner) words(operands []int) []argument {
	var words []argument
	for _, i := range operands {
		words = append(words, r.args[i])
	}
	return words
}

// program reports that git runs the program that words name, not by a shell.
func (r *gitRunner) program(words []argument, via string) {
	inner := r.top.through(via)
	inner.external = true
	r.w.run(words, inner)
}

// shell reports that a shell runs text with words as its parameters, as git
// does with what it calls a shell command.
func (r *gitRunner) shell(text argument, words []argument, via string) {
	self := text
	if len(words) > 0 {
		text.Text += ` "$@"`
	}
	r.w.textWithArgs(text, via, r.top, shellText{self: self, args: words})
}

// unknown reports that something is run of which nothing is known.
func (r *gitRunner) unknown(via string, s scope) {
	inner := s.through(via)
	at := r.call.place()
	r.w.add(&Command{Dynamic: true, NameDynamic: true, Assignments: s.assigned, Line: at.line, Column: at.column}, &inner)
}

func (call *gitCall) place() place { return place{call.command.Line, call.command.Column} }

// runAliases reports what the subcommand stands for, by what the command itself is
// configured with, or else by what an earlier one of the line set. A subcommand
// that isn't known may be any of them. It returns whether there is such an alias.
func (r *gitRunner) runAliases(settings []gitSetting, s scope) bool {
	for _, set := range [][]gitSetting{settings, r.w.gitSettings} {
		found := false
		for _, setting := range set {
			switch name := setting.aliasOf(); {
			case setting.kind == unknownKey:
				r.unknown("git "+r.call.name, s)
			case name == "" || r.call.name != "" && !strings.EqualFold(name, r.call.name):
				continue
			default:
				r.alias(setting, s)
			}
			found = true
		}
		if found {
			return true
		}
	}
	return false
}

// aliasOf returns the name of the alias that is set, if it's one.
func (s *gitSetting) aliasOf() string {
	if s.kind == "alias.*" || s.kind == "alias.*.command" {
		return s.part
	}
	return ""
}

func (r *gitRunner) alias(setting gitSetting, s scope) {
	via, value := "git alias "+setting.part, setting.value
	value.at = r.call.place()
	rest := r.args[r.call.at+1:]
	if text, ok := strings.CutPrefix(value.Text, "!"); ok {
		value.Text = text
		r.shell(value, rest, via)
		return
	}
	inner := s.through(via)
	texts, err := Split(value.Text)
	if err != nil || value.Dynamic || !r.w.spend(len(value.Text)) {
		r.w.unreadable(append([]argument{value}, rest...), inner)
		return
	}
	words := append([]argument{literal(r.call.command.Path, value.at)}, r.args[:r.call.at]...)
	for _, text := range texts {
		words = append(words, literal(text, value.at))
	}
	inner.external = true
	r.w.run(append(words, rest...), inner)
}

// options reports what options of the subcommand name.
func (r *gitRunner) options() {
	known := r.call.known()
	remote := r.top
	remote.remote = remote.remote || isGitHost(r.call.operand(0))
	for _, o := range r.call.options {
		via := "git " + r.call.name + " " + o.name
		switch {
		case wordlist.Has(known.Text, o.name):
			r.w.text(o.value, via, r.top)
		case wordlist.Has(known.RemoteText, o.name):
			r.w.text(o.value, via, remote)
		case r.call.name == "filter-repo" && strings.HasSuffix(o.name, "-callback"):
			r.w.unreadable([]argument{o.value}, r.top.through(via)) // a program in Python
		case o.name == "--smtp-server" && strings.HasPrefix(o.value.Text, "/"), r.call.name == "daemon" && o.name == "--access-hook":
			r.program([]argument{o.value}, via)
		case o.name == "--remote" || o.name == "--repo":
			r.address(o.value)
		}
	}
}

// operands reports what operands of the subcommand name.
func (r *gitRunner) operands(s scope) {
	call := r.call
	words := r.words(append(call.operands[:len(call.operands):len(call.operands)], call.paths...))
	switch {
	case len(words) == 0:
	case call.name == "bisect" && call.action == "run" && len(words) > 1:
		r.program(words[1:], "git bisect run")
	case call.name == "submodule" && call.action == "foreach" && len(words) > 1:
		r.shell(words[1], words[2:], "git submodule foreach")
	case call.name == "merge-index":
		r.program(words, "git merge-index")
	case call.name == "for-each-repo":
		git := literal(call.command.Path, call.place())
		r.program(append([]argument{git}, words...), "git for-each-repo")
	case call.usesNetwork():
		for _, word := range words {
			r.address(word)
		}
	}
}

// address reports the program that git talks to instead of a server, where the
// address is one of git-remote-ext: "ext::" with words in which % escapes.
func (r *gitRunner) address(word argument) {
	text, ok := strings.CutPrefix(word.Text, "ext::")
	if !ok {
		return
	}
	inner := r.top.through("git ext::")
	if word.Dynamic {
		r.w.unreadable([]argument{word}, inner)
		return
	}
	var words []argument
	for field := range strings.FieldsSeq(strings.ReplaceAll(text, "% ", "\x00")) {
		field = strings.ReplaceAll(strings.ReplaceAll(field, "\x00", " "), "%%", "%")
		part := literal(field, word.at)
		if strings.Contains(field, "%s") || strings.Contains(field, "%S") {
			part = unknowable(field, word.at)
		}
		words = append(words, part)
	}
	if len(words) > 0 {
		r.program(words, "git ext::")
	}
}

// isGitHost reports whether the address of a repository is on another machine.
func isGitHost(address string) bool {
	if scheme, _, ok := strings.Cut(address, "://"); ok {
		return scheme != "file"
	}
	host, _, ok := strings.Cut(address, ":")
	return ok && !strings.Contains(host, "/") && !strings.HasPrefix(address, "ext::")
}

// hooks reports the hooks that the line itself wrote.
func (r *gitRunner) hooks(settings []gitSetting) {
	names := r.call.known().Hooks
	if r.call.name == "hook" && r.call.action == "run" {
		names = r.call.operand(1)
	}
	folder := ".git/hooks"
	for _, set := range [][]gitSetting{r.w.gitSettings, settings} {
		for _, setting := range set {
			if setting.key == "core.hookspath" && setting.value.Text != "" {
				folder = setting.value.Text
			}
		}
	}
	at := r.call.place()
	for name := range strings.FieldsSeq(names) {
		if text, ok := r.w.file(literal(folder+"/"+name, at), r.scope); ok {
			text.at = at
			r.w.text(text, "git hook "+name, r.top)
		}
	}
}

// configuredProgram is a program that git is told about.
type configuredProgram struct {
	gitRun
	label string // the variable or key
	part  string // of the key
	value argument
}

// programs reports the programs that variables and settings name, as far as
// the subcommand runs them.
func (r *gitRunner) programs(settings []gitSetting) {
	var all []configuredProgram
	best := map[string]int{}
	add := func(name string, n configuredProgram) {
		run, ok := gitRuns()[name]
		if !ok || n.value.Text == "" {
			return
		}
		use := run.use
		if use == "" {
			use, _, _ = strings.Cut(name, ".")
		}
		if !r.call.runs(use, n.part) {
			return
		}
		n.gitRun = run
		if rank, ok := best[run.use]; !ok || run.rank < rank {
			best[run.use] = run.rank
		}
		n.value.at = r.call.place()
		all = append(all, n)
	}
	given := map[string]bool{}
	for _, a := range slices.Backward(r.call.set) {
		if !strings.Contains(a.Name, ".") && !given[a.Name] {
			given[a.Name] = true
			add(a.Name, configuredProgram{label: a.Name, value: argument{Word: a.Value}})
		}
	}
	for _, set := range [][]gitSetting{settings, r.w.gitSettings} {
		for _, s := range set {
			add(s.kind, configuredProgram{label: s.key, part: s.part, value: s.value})
		}
	}
	for _, n := range all {
		if n.use == "" || n.rank == best[n.use] {
			r.runConfigured(n)
		}
	}
}

// runs reports whether the subcommand may run what is used for that. part says
// more about it.
func (call *gitCall) runs(use, part string) bool {
	switch use {
	case "pager":
		return call.opensPager(part)
	case "editor":
		return call.opensEditor()
	case "ssh", "proxy", "password", "credential", "remote", "url", "alternates":
		return call.usesNetwork()
	case "pack":
		return call.known().Network || call.name == "upload-pack"
	}
	return wordlist.Has(call.known().Uses, use)
}

// usesNetwork reports whether the subcommand talks to another repository.
func (call *gitCall) usesNetwork() bool {
	switch call.name {
	case "remote":
		return wordlist.Has("update show prune set-head", call.action) || call.action == "add" && call.on("-f")
	case "submodule":
		return call.action == "add" || call.action == "update"
	}
	return call.known().Network
}

// opensPager reports whether git may show what the subcommand writes with a pager,
// that of the subcommand part if that isn't "".
func (call *gitCall) opensPager(part string) bool {
	paged := call.known().Paged
	for _, o := range call.global {
		switch o.name {
		case "-p", "--paginate":
			paged = true
		case "-P", "--no-pager":
			paged = false
		}
	}
	return paged && (part == "" || part == call.name)
}

// opensEditor reports whether the subcommand may open an editor.
func (call *gitCall) opensEditor() bool {
	known := call.known()
	if known.Edits {
		return true
	}
	for option := range strings.FieldsSeq(known.EditsWith) {
		if call.on(option) {
			return true
		}
	}
	return false
}

// runConfigured reports that git runs n.
func (r *gitRunner) runConfigured(n configuredProgram) {
	via, text := "git "+n.label, n.value
	rest, bang := strings.CutPrefix(text.Text, "!")
	switch n.how {
	case asProgram:
		r.program([]argument{text}, via)
		return
	case asURL:
		r.address(text)
		return
	case asAddress:
		r.address(literal(n.part, text.at))
		return
	case asBang:
		if !bang {
			return
		}
		text.Text = rest
	case asHelper:
		switch {
		case bang:
			text.Text = rest
		case !strings.HasPrefix(text.Text, "/"):
			text.Text = "git credential-" + text.Text
		}
		text.Text += " get"
	case asMonitor, asPager:
		if isGitTruth(text.Text) {
			return
		}
	}
	r.w.text(text, via, r.top)
}

func isGitTruth(value string) bool {
	switch strings.ToLower(value) {
	case "true", "yes", "on", "1":
		return true
	}
	return isGitFalse(value)
}

// gitRun says how a program that git is configured with is run.
type gitRun struct {
	use  string // what for: of several that are set for the same, the one with the lowest rank runs
	rank int
	how  gitHow
}

type gitHow int

const (
	asText    gitHow = iota // a shell runs the text
	asProgram               // the value is the path of a program
	asHelper                // of credentials: text behind "!", a path, or the end of a program's name
	asBang                  // text if it begins with "!", else something else
	asURL                   // a program if it begins with "ext::"
	asAddress               // what is between section and name is a URL like that
	asMonitor               // text, if it isn't a truth value
	asPager                 // likewise
)

// gitRuns holds the variables and settings that name programs, settings as
// gitSetting.kind (git-config, git, and the manuals of the subcommands).
var gitRuns = sync.OnceValue(func() map[string]gitRun {
	return map[string]gitRun{
		"GIT_SSH_COMMAND": {"ssh", 0, asText}, "core.sshcommand": {"ssh", 1, asText}, "GIT_SSH": {"ssh", 2, asProgram},
		"GIT_PROXY_COMMAND": {"proxy", 0, asProgram}, "core.gitproxy": {"proxy", 1, asProgram},
		"GIT_ASKPASS": {"password", 0, asProgram}, "core.askpass": {"password", 1, asProgram}, "SSH_ASKPASS": {"password", 2, asProgram},
		"credential.helper": {"credential", 0, asHelper}, "credential.*.helper": {"", 0, asHelper},
		"remote.*.uploadpack": {"", 0, asText}, "remote.*.receivepack": {"", 0, asText},
		"remote.*.url": {"", 0, asURL}, "remote.*.pushurl": {"", 0, asURL},
		"url.*.insteadof": {"", 0, asAddress}, "url.*.pushinsteadof": {"", 0, asAddress},
		"core.alternaterefscommand": {"alternates", 0, asText}, "uploadpack.packobjectshook": {"pack", 0, asText},

		"GIT_EDITOR": {"editor", 0, asText}, "core.editor": {"editor", 1, asText}, "VISUAL": {"editor", 2, asText}, "EDITOR": {"editor", 3, asText},
		"GIT_SEQUENCE_EDITOR": {"sequence", 0, asText}, "sequence.editor": {"sequence", 1, asText},
		"GIT_PAGER": {"pager", 0, asPager}, "pager.*": {"pager", 1, asPager}, "core.pager": {"pager", 2, asPager}, "PAGER": {"pager", 3, asPager},
		"interactive.difffilter": {"hunks", 0, asText},

		"core.fsmonitor": {"monitor", 0, asMonitor},
		"filter.*.clean": {"", 0, asText}, "filter.*.smudge": {"", 0, asText}, "filter.*.process": {"", 0, asText},
		"GIT_EXTERNAL_DIFF": {"diff", 0, asText}, "diff.external": {"diff", 1, asText},
		"diff.*.command": {"", 0, asText}, "diff.*.textconv": {"", 0, asText}, "merge.*.driver": {"", 0, asText},
		"difftool.*.cmd": {"", 0, asText}, "difftool.*.path": {"", 0, asProgram},
		"mergetool.*.cmd": {"", 0, asText}, "mergetool.*.path": {"", 0, asProgram},
		"gpg.program": {"sign", 0, asProgram}, "gpg.*.program": {"", 0, asProgram}, "gpg.*.defaultkeycommand": {"", 0, asText},
		"hook.*.command": {"", 0, asText}, "gc.recentobjectshook": {"recent", 0, asText},
		"trailer.*.command": {"", 0, asText}, "trailer.*.cmd": {"", 0, asText},
		"submodule.*.update": {"", 0, asBang}, "tar.*.command": {"", 0, asText},
		"man.*.cmd": {"", 0, asText}, "man.*.path": {"", 0, asProgram}, "browser.*.cmd": {"", 0, asText}, "browser.*.path": {"", 0, asProgram},
		"instaweb.httpd": {"web", 0, asText}, "imap.tunnel": {"imap", 0, asText},
		"sendemail.tocmd": {"to", 0, asText}, "sendemail.cccmd": {"cc", 0, asText}, "sendemail.headercmd": {"header", 0, asText}, "sendemail.sendmailcmd": {"send", 0, asText},
	}
})

// gitOwn are the subcommands that git comes with: an alias can't hide them.
const gitOwn = `add am annotate apply archive backfill bisect blame branch
	bugreport bundle cat-file check-attr check-ignore check-mailmap check-ref-format
	checkout checkout--worker checkout-index cherry cherry-pick clean clone column
	commit commit-graph commit-tree config count-objects credential credential-cache
	credential-store daemon describe diagnose diff diff-files diff-index diff-pairs
	diff-tree difftool fast-export fast-import fetch fetch-pack filter-branch
	fmt-merge-msg for-each-ref for-each-repo format-patch fsck fsck-objects
	fsmonitor--daemon gc get-tar-commit-id grep hash-object help history hook
	http-backend http-fetch http-push imap-send index-pack init init-db instaweb
	interpret-trailers last-modified log ls-files ls-remote ls-tree mailinfo
	mailsplit maintenance merge merge-base merge-file merge-index merge-octopus
	merge-one-file merge-ours merge-recursive merge-recursive-ours
	merge-recursive-theirs merge-resolve merge-subtree merge-tree mergetool mktag
	mktree multi-pack-index mv name-rev notes pack-objects pack-refs
	patch-id prune prune-packed pull push quiltimport range-diff read-tree
	rebase receive-pack reflog refs remote remote-ext remote-fd remote-ftp
	remote-ftps remote-http remote-https repack replace replay repo request-pull
	rerere reset restore rev-list rev-parse revert rm send-pack sh-i18n--envsubst
	shell shortlog show show-branch show-index show-ref sparse-checkout stage stash
	status stripspace submodule submodule--helper subtree switch symbolic-ref tag
	unpack-file unpack-objects update-index update-ref update-server-info
	upload-archive upload-archive--writer upload-pack var verify-commit verify-pack
	verify-tag version web--browse write-tree worktree`
