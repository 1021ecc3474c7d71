package shell

import "sync"

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

const (
	gitNetwork = "archive clone fetch fetch-pack ls-remote pull push send-pack subtree lfs credential imap-send send-email svn"
	gitIndex   = "add am apply cherry-pick checkout checkout-index clean clone commit describe diff diff-files diff-index difftool gc grep ls-files merge mergetool mv pull read-tree rebase reset restore revert rm sparse-checkout stage stash status submodule switch update-index worktree"
	gitDiffs   = "add annotate blame cat-file checkout commit diff diff-files diff-index diff-tree difftool format-patch grep log range-diff reset restore show stash status whatchanged"
	gitMerges  = "am apply checkout cherry-pick merge merge-file merge-tree pull rebase revert stash switch"
	gitSigns   = "am cherry-pick commit commit-tree log merge pull push rebase revert show tag verify-commit verify-tag whatchanged"
)

// gitUsers holds, for what is run, the subcommands that do; for settings by
// their section, and for "pager" and "editor" see gitCall.pages and edits.
var gitUsers = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"ssh": gitNetwork, "proxy": gitNetwork, "password": gitNetwork, "credential": gitNetwork, "remote": gitNetwork, "url": gitNetwork,
		"alternates": gitNetwork, "pack": gitNetwork + " upload-pack",
		"sequence": "rebase", "hunks": "add checkout commit reset restore stash",
		"monitor": gitIndex, "filter": gitIndex, "hook": gitIndex + " fetch push", "recent": "gc prune repack maintenance",
		"diff": gitDiffs, "merge": gitMerges, "difftool": "difftool", "mergetool": "mergetool",
		"sign": gitSigns, "gpg": gitSigns, "trailer": "commit interpret-trailers", "submodule": "submodule clone pull", "tar": "archive",
		"man": "help", "browser": "help web--browse instaweb", "web": "instaweb", "imap": "imap-send",
		"to": "send-email", "cc": "send-email", "header": "send-email", "send": "send-email",
	}
})

// gitTexts holds the options of subcommands with text for a shell, for the one
// on the machine of the repository and for one here.
var gitTexts = sync.OnceValue(func() map[string]struct{ remote, here string } {
	return map[string]struct{ remote, here string }{
		"archive":       {remote: "--exec"},
		"clone":         {remote: "-u --upload-pack"},
		"fetch":         {remote: "--upload-pack"},
		"fetch-pack":    {remote: "--upload-pack --exec"},
		"ls-remote":     {remote: "--upload-pack --exec"},
		"pull":          {remote: "--upload-pack"},
		"push":          {remote: "--receive-pack --exec"},
		"send-pack":     {remote: "--receive-pack --exec"},
		"rebase":        {here: "-x --exec"},
		"grep":          {here: "-O --open-files-in-pager"},
		"difftool":      {here: "-x --extcmd"},
		"filter-branch": {here: "--setup --env-filter --tree-filter --index-filter --parent-filter --msg-filter --commit-filter --tag-name-filter"},
		"send-email":    {here: "--to-cmd --cc-cmd --header-cmd --sendmail-cmd"},
		"instaweb":      {here: "-d --httpd"},
	}
})

// gitEditors are the subcommands that may open an editor, with the options
// without which they don't.
var gitEditors = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"commit": "", "merge": "", "rebase": "", "tag": "", "revert": "", "pull": "", "notes": "", "am": "", "history": "", "bugreport": "",
		"cherry-pick": "-e --edit", "config": "-e --edit", "branch": "--edit-description", "add": "-e --edit", "stage": "-e --edit", "replace": "-e --edit", "send-email": "--compose --annotate", "format-patch": "--cover-letter",
	}
})

// gitPaged are the subcommands whose output git may show with a pager.
const gitPaged = "annotate blame branch config diff diff-tree grep help log range-diff reflog shortlog show stash status tag var whatchanged"

// gitHookFiles are the hooks that subcommands run (githooks).
var gitHookFiles = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"am":          "applypatch-msg pre-applypatch post-applypatch post-rewrite",
		"checkout":    "post-checkout",
		"cherry-pick": "prepare-commit-msg commit-msg post-commit",
		"clone":       "post-checkout",
		"commit":      "pre-commit prepare-commit-msg commit-msg post-commit post-rewrite pre-auto-gc",
		"fetch":       "reference-transaction pre-auto-gc",
		"gc":          "pre-auto-gc",
		"merge":       "pre-merge-commit prepare-commit-msg commit-msg post-merge pre-auto-gc",
		"pull":        "pre-merge-commit prepare-commit-msg commit-msg post-merge pre-rebase post-rewrite post-checkout",
		"push":        "pre-push",
		"rebase":      "pre-rebase post-checkout post-rewrite prepare-commit-msg commit-msg post-commit",
		"revert":      "prepare-commit-msg commit-msg post-commit",
		"send-email":  "sendemail-validate",
		"switch":      "post-checkout",
		"worktree":    "post-checkout",
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
