package shell

// gitOptions lists all options of a git subcommand.
func gitOptions(short, long string) grammar {
	return grammar{short: short, long: long, closed: true}
}

// gitViewer lists the options with values of a subcommand that takes those of
// git diff or git log, most of which git doesn't let abbreviate.
func gitViewer(long string) grammar {
	return grammar{short: "B::C::G:I:L:l:M::n:O:S:U:X::", long: long}
}

const (
	gitDiffOptions = "abbrev? anchored= break-rewrites? color? color-moved? color-moved-ws= color-words? diff-algorithm= diff-filter= dirstat? dst-prefix= find-copies? find-object= find-renames? ignore-matching-lines= ignore-submodules? inter-hunk-context= line-prefix= output= output-indicator-context= output-indicator-new= output-indicator-old= relative? rotate-to= skip-to= src-prefix= stat? stat-count= stat-graph-width= stat-name-width= stat-width= submodule? unified? word-diff? word-diff-regex= ws-error-highlight= max-depth="
	gitLogOptions  = gitDiffOptions + " after= ancestry-path? author= before= branches? committer= date= decorate? decorate-refs= decorate-refs-exclude= diff-merges= encoding= exclude= exclude-hidden= expand-tabs? filter= format? glob= grep= grep-reflog= max-age= max-count= max-parents= min-age= min-parents= no-walk? notes? pretty? remotes? show-linear-break? show-notes? since= since-as-filter= skip= tags? until="
)

// gitPrograms says how git and its subcommands read their options, by the
// manuals of git 2.39 to 2.53. Of subcommands with actions, such as git stash
// drop, the options of all actions are listed together.
var gitPrograms = map[string]grammar{
	// Those before the subcommand. git doesn't let these be abbreviated.
	"git": {global: true, short: "C:c:", long: "git-dir= work-tree= namespace= super-prefix= config-env= attr-source= list-cmds= shallow-file= exec-path?"},

	// Those that show.
	"git annotate":    gitViewer(gitDiffOptions + " contents= ignore-rev= ignore-revs-file="),
	"git cherry":      gitOptions("v", "abbrev? verbose"),
	"git diff":        gitViewer(gitDiffOptions),
	"git diff-files":  gitViewer(gitDiffOptions),
	"git diff-index":  gitViewer(gitDiffOptions),
	"git diff-tree":   gitViewer(gitDiffOptions + " format? pretty? encoding= notes?"),
	"git log":         gitViewer(gitLogOptions),
	"git range-diff":  gitViewer(gitDiffOptions + " creation-factor= diff-merges= notes?"),
	"git rev-list":    gitViewer(gitLogOptions + " disk-usage? missing="),
	"git rev-parse":   {long: "default= prefix= path-format= short? resolve-git-dir= git-path= exclude= exclude-hidden= branches? tags? remotes? glob= disambiguate= abbrev-ref? show-object-format? since= after= until= before= output-object-format="},
	"git shortlog":    gitViewer(gitLogOptions + " group="),
	"git show":        gitViewer(gitLogOptions),
	"git whatchanged": gitViewer(gitLogOptions),

	// The others.
	"git add":                gitOptions("AefiNnpU:uv", "all chmod= dry-run edit force ignore-errors ignore-missing ignore-removal intent-to-add inter-hunk-context= interactive patch pathspec-file-nul pathspec-from-file= refresh renormalize sparse unified= update verbose warn-embedded-repo"),
	"git am":                 gitOptions("3C:cikmnp:qrS::su", "3way abort allow-empty binary committer-date-is-author-date continue directory= empty= exclude= gpg-sign? ignore-date ignore-space-change ignore-whitespace include= interactive keep keep-cr keep-non-patch message-id no-keep-cr no-verify patch-format= quiet quit quoted-cr= rebasing reject rerere-autoupdate resolved resolvemsg= retry scissors show-current-patch? signoff skip utf8 whitespace="),
	"git apply":              gitOptions("3C:Np:qRvz", "3way allow-binary-replacement allow-empty allow-overlap apply binary build-fake-ancestor= cached check directory= exclude= ignore-space-change ignore-whitespace inaccurate-eof include= index intent-to-add no-add numstat quiet recount reject reverse stat summary unidiff-zero unsafe-paths verbose whitespace="),
	"git archive":            gitOptions("lNo:v", "add-file= add-virtual-file= exec= format= list output= prefix= remote= verbose worktree-attributes"),
	"git bisect":             gitOptions("", "first-parent no-checkout term-bad= term-new= term-old="),
	"git blame":              gitOptions("bC::cefL:lM::npS:stw", "abbrev? color-by-age color-lines contents= ignore-rev= ignore-revs-file= incremental line-porcelain minimal porcelain progress root score-debug show-email show-name show-number show-stats"),
	"git branch":             gitOptions("aCcDdfilMmqrt::u:v", "abbrev? all color? column? contains= copy create-reflog delete edit-description force format= ignore-case list merged= move no-contains= no-merged= omit-empty points-at= quiet recurse-submodules remotes set-upstream set-upstream-to= show-current sort= track? unset-upstream verbose with= without="),
	"git bundle":             gitOptions("q", "all-progress all-progress-implied progress quiet version="),
	"git cat-file":           gitOptions("epstZz", "allow-unknown-type batch-all-objects batch-check? batch-command? batch? buffer filters follow-symlinks mailmap path= textconv unordered use-mailmap"),
	"git check-attr":         gitOptions("az", "all cached source= stdin"),
	"git check-ignore":       gitOptions("nqvz", "no-index non-matching quiet stdin verbose"),
	"git checkout":           gitOptions("23B:b:dflmpqt::U:", "conflict= detach force guess ignore-other-worktrees ignore-skip-worktree-bits inter-hunk-context= merge orphan= ours overlay overwrite-ignore patch pathspec-file-nul pathspec-from-file= progress quiet recurse-submodules? theirs track? unified="),
	"git checkout-index":     gitOptions("afnquz", "all force ignore-skip-worktree-bits index no-create prefix= quiet stage= stdin temp"),
	"git cherry-pick":        gitOptions("em:nS::sX:x", "abort allow-empty allow-empty-message cleanup= continue edit ff gpg-sign? keep-redundant-commits mainline= no-commit quit rerere-autoupdate signoff skip strategy-option= strategy="),
	"git clean":              gitOptions("de:finqXx", "dry-run exclude= force interactive quiet"),
	"git clone":              gitOptions("46b:c:j:lno:qsu:v", "also-filter-submodules bare branch= bundle-uri= config= depth= dissociate filter= ipv4 ipv6 jobs= local mirror naked no-checkout no-hardlinks no-tags origin= progress quiet recurse-submodules? recursive? ref-format= reference-if-able= reference= reject-shallow remote-submodules revision= separate-git-dir= server-option= shallow-exclude= shallow-since= shallow-submodules shared single-branch sparse tags template= upload-pack= verbose"),
	"git commit":             gitOptions("aC:c:eF:im:nopqS::st:U:u::vz", "ahead-behind all allow-empty allow-empty-message amend author= branch cleanup= date= dry-run edit file= fixup= gpg-sign? include inter-hunk-context= interactive long message= no-post-rewrite no-verify null only patch pathspec-file-nul pathspec-from-file= porcelain quiet reedit-message= reset-author reuse-message= short signoff squash= status template= trailer= unified= untracked-files? verbose"),
	"git commit-graph":       gitOptions("", "append changed-paths expire-time= max-commits= max-new-filters= object-dir= progress reachable shallow size-multiple= split? stdin-commits stdin-packs"),
	"git commit-tree":        gitOptions("F:m:p:S::", "gpg-sign?"),
	"git config":             gitOptions("ef:lt:z", "add append blob= bool bool-or-int bool-or-str comment= default= edit expiry-date file= fixed-value get get-all get-color get-colorbool get-regexp get-urlmatch global includes int list local name-only no-type null path regexp remove-section rename-section replace-all show-names show-origin show-scope system type= unset unset-all url= value= worktree"),
	"git daemon":             gitOptions("", "access-hook= allow-override= base-path-relaxed base-path= detach disable= enable= export-all forbid-override= group= inetd informative-errors init-timeout= interpolated-path= listen= log-destination= max-connections= pid-file= port= reuseaddr strict-paths syslog timeout= user-path? user= verbose"),
	"git describe":           gitOptions("", "abbrev? all always broken? candidates= contains debug dirty? exact-match exclude= first-parent long match= tags"),
	"git difftool":           gitOptions("dgt:x:y", "dir-diff extcmd= gui no-index no-prompt symlinks tool-help tool= trust-exit-code"),
	"git fast-export":        gitOptions("", "anonymize anonymize-map= export-marks= fake-missing-tagger full-tree import-marks-if-exists= import-marks= mark-tags no-data progress= reencode= reference-excluded-parents refspec= show-original-ids signed-tags= tag-of-filtered-object= use-done-feature"),
	"git fast-import":        gitOptions("", "active-branches= allow-unsafe-features big-file-threshold= cat-blob-fd= date-format= depth= done export-marks= export-pack-edges= force import-marks-if-exists= import-marks= max-pack-size= quiet relative-marks rewrite-submodules-from= rewrite-submodules-to= signed-commits= signed-tags= stats"),
	"git fetch":              gitOptions("46afj:kmno:Ppqtuv", "all append atomic auto-gc auto-maintenance deepen= depth= dry-run filter= force ipv4 ipv6 jobs= keep multiple negotiate-only negotiation-tip= porcelain prefetch progress prune prune-tags quiet recurse-submodules-default= recurse-submodules? refetch refmap= server-option= set-upstream shallow-exclude= shallow-since= show-forced-updates stdin submodule-prefix= tags unshallow update-head-ok update-shallow upload-pack= verbose write-commit-graph write-fetch-head"),
	"git fetch-pack":         gitOptions("kqv", "all check-self-contained-and-connected cloning deepen-relative depth= diag-url exec= filter= from-promisor include-tag keep lock-pack no-progress quiet refetch server-option= shallow-exclude= shallow-since= stateless-rpc stdin thin update-shallow upload-pack= verbose"),
	"git filter-branch":      gitOptions("d:f", "commit-filter= env-filter= force index-filter= msg-filter= original= parent-filter= prune-empty remap-to-ancestor setup= state-branch= subdirectory-filter= tag-name-filter= tree-filter="),
	"git filter-repo":        gitOptions("fh", "analyze blob-callback= commit-callback= date-order debug dry-run email-callback= file-info-callback= filename-callback= force invert-paths mailmap= message-callback= name-callback= no-fetch no-ff no-gc partial path-glob= path-match= path-regex= path-rename-match= path-rename= path= paths-from-file= preserve-commit-encoding preserve-commit-hashes proceed prune-degenerate= prune-empty= quiet refname-callback= refs replace-message= replace-refs= replace-text= report-dir= reset-callback= sensitive-data-removal source= state-branch= stdin strip-blobs-bigger-than= strip-blobs-with-ids= subdirectory-filter= tag-callback= tag-rename= target= to-subdirectory-filter= use-base-name use-mailmap"),
	"git for-each-ref":       gitOptions("ps", "color? contains= count= exclude= format= ignore-case include-root-refs merged= no-contains= no-merged= omit-empty perl points-at= python shell sort= start-after= tcl"),
	"git for-each-repo":      gitOptions("", "config= keep-going"),
	"git format-patch":       gitOptions("kNno:pqsv:", "add-header= attach? base= cc= cover-from-description= cover-letter creation-factor= description-file= filename-max-length= force-in-body-from from? ignore-if-in-upstream in-reply-to= inline? interdiff= keep-subject no-binary no-numbered no-stat numbered numbered-files output-directory= progress quiet range-diff= reroll-count= rfc? signature-file= signature= signoff start-number= stdout subject-prefix= suffix= thread? to= zero-commit"),
	"git fsck":               gitOptions("v", "cache connectivity-only dangling full lost-found name-objects progress reflogs root strict tags unreachable verbose"),
	"git gc":                 gitOptions("q", "aggressive auto cruft detach expire-to= force keep-largest-pack max-cruft-size= prune? quiet"),
	"git grep":               gitOptions("A:aB:C:cEe:Ff:GHhIiLlm:NnO::oPpqrvWwz", "after-context= all-match and basic-regexp before-context= break cached color? column context= count exclude-standard ext-grep extended-regexp files-with-matches files-without-match fixed-strings full-name function-context heading ignore-case invert-match line-number max-count= max-depth= name-only no-index not null only-matching open-files-in-pager? or perl-regexp quiet recurse-submodules recursive show-function text textconv threads= untracked word-regexp"),
	"git hash-object":        gitOptions("t:w", "literally no-filters path= stdin stdin-paths"),
	"git help":               gitOptions("acgimvw", "aliases all config config-for-completion config-sections-for-completion developer-interfaces exclude-guides external-commands guides info man user-interfaces verbose web"),
	"git history":            gitOptions("", "dry-run edit empty= reedit-message update-refs="),
	"git hook":               gitOptions("z", "allow-unknown-hook-name ignore-missing to-stdin="),
	"git init":               gitOptions("b:q", "bare initial-branch= object-format= quiet ref-format= separate-git-dir= shared? template="),
	"git init-db":            gitOptions("b:q", "bare initial-branch= object-format= quiet ref-format= separate-git-dir= shared? template="),
	"git instaweb":           gitOptions("b:d:lm:p:", "browser= httpd= local module-path= port= restart start stop"),
	"git interpret-trailers": gitOptions("", "if-exists= if-missing= in-place no-divider only-input only-trailers parse trailer= trim-empty unfold where="),
	"git lfs":                gitOptions("dfI:m:nvwX:", "above= all dry-run everything exclude-ref= exclude= fixup force include-ref= include= message= no-rewrite object-map= pointers remote= skip-fetch to= verbose yes"),
	"git ls-files":           gitOptions("cdfikmostuvX:x:z", "abbrev? cached debug deduplicate deleted directory empty-directory eol error-unmatch exclude-from= exclude-per-directory= exclude-standard exclude= format= full-name ignored killed modified others recurse-submodules resolve-undo sparse stage unmerged with-tree="),
	"git ls-remote":          gitOptions("bho:qt", "branches exec= exit-code get-url heads quiet refs server-option= sort= symref tags upload-pack="),
	"git ls-tree":            gitOptions("dlrtz", "abbrev? format= full-name full-tree long name-only name-status object-only"),
	"git maintenance":        gitOptions("f", "auto config-file= detach force quiet schedule= scheduler= task="),
	"git merge":              gitOptions("eF:m:nqS::s:vX:", "abort allow-unrelated-histories autostash cleanup= commit continue edit ff ff-only file= gpg-sign? into-name= log? message= no-verify overwrite-ignore progress quiet quit rerere-autoupdate signoff squash stat strategy-option= strategy= summary verbose verify-signatures"),
	"git merge-base":         gitOptions("a", "all fork-point independent is-ancestor octopus"),
	"git merge-file":         gitOptions("L:pq", "diff-algorithm= diff3 marker-size= object-id ours quiet stdout theirs union zdiff3"),
	"git merge-index":        gitOptions("aoq", ""),
	"git merge-tree":         gitOptions("X:z", "allow-unrelated-histories merge-base= messages name-only quiet stdin strategy-option= trivial-merge write-tree"),
	"git mergetool":          gitOptions("gO:t:y", "gui no-prompt tool-help tool="),
	"git mktag":              gitOptions("", "strict"),
	"git mktree":             gitOptions("z", "batch missing"),
	"git multi-pack-index":   gitOptions("", "batch-size= bitmap incremental object-dir= preferred-pack= progress refs-snapshot= stdin-packs"),
	"git mv":                 gitOptions("fknv", "dry-run force sparse verbose"),
	"git name-rev":           gitOptions("", "all always annotate-stdin exclude= name-only peel-tag refs= stdin tags undefined"),
	"git notes":              gitOptions("C:c:eF:fm:nqs:v", "abort all allow-empty commit dry-run file= for-rewrite= force ignore-missing message= quiet reedit-message= ref= reuse-message= separator? stdin strategy= stripspace verbose"),
	"git pack-objects":       gitOptions("q", "all all-progress all-progress-implied compression= cruft cruft-expiration? delta-base-offset delta-islands depth= exclude-promisor-objects filter= honor-pack-keep include-tag incremental index-version= indexed-objects keep-pack= keep-true-parents keep-unreachable local max-pack-size= missing= non-empty pack-loose-unreachable progress quiet reflog reuse-delta reuse-object revs shallow sparse stdin-packs stdout thin threads= unpack-unreachable? unpacked uri-protocol= use-bitmap-index window-memory= window= write-bitmap-index write-bitmap-index-quiet"),
	"git pack-refs":          gitOptions("", "all auto exclude= include= prune"),
	"git prune":              gitOptions("nv", "dry-run exclude-promisor-objects expire= progress verbose"),
	"git prune-packed":       gitOptions("nq", "dry-run quiet"),
	"git pull":               gitOptions("46afj::kno:pqr::S::s:tvX:", "all allow-unrelated-histories append autostash cleanup= commit deepen= depth= dry-run edit ff ff-only force gpg-sign? ipv4 ipv6 jobs? keep log? negotiation-tip= porcelain progress prune quiet rebase? recurse-submodules? refmap= server-option= set-upstream shallow-exclude= shallow-since= show-forced-updates signoff? squash stat strategy-option= strategy= summary tags unshallow update-shallow upload-pack= verbose verify verify-signatures"),
	"git push":               gitOptions("46dfno:quv", "all atomic branches delete dry-run exec= follow-tags force force-if-includes force-with-lease? ipv4 ipv6 mirror no-verify porcelain progress prune push-option= quiet receive-pack= recurse-submodules= repo= set-upstream signed? tags thin verbose"),
	"git read-tree":          gitOptions("imnquv", "aggressive debug-unpack dry-run empty exclude-per-directory= index-output= no-sparse-checkout prefix= quiet recurse-submodules? reset trivial verbose"),
	"git rebase":             gitOptions("C:fimnqr::S::s:vX:x:", "abort allow-empty-message apply autosquash autostash committer-date-is-author-date continue edit-todo empty= exec= force-rebase fork-point gpg-sign? ignore-date ignore-whitespace interactive keep-base keep-empty merge no-ff no-stat no-verify onto= preserve-merges quiet quit reapply-cherry-picks rebase-merges? rerere-autoupdate reschedule-failed-exec reset-author-date root show-current-patch signoff skip strategy-option= strategy= update-refs verbose whitespace="),
	"git reflog":             gitOptions("nv", "all dry-run expire-unreachable= expire= list rewrite single-worktree stale-fix updateref verbose"),
	"git remote":             gitOptions("adfm:npt:v", "add all auto delete dry-run fetch master= mirror? progress prune push tags track= verbose"),
	"git repack":             gitOptions("AabdFfg:iklmnq", "combine-cruft-below-size= cruft cruft-expiration= delta-islands depth= expire-to= filter-to= filter= geometric= keep-pack= keep-unreachable local max-cruft-size= max-pack-size= name-hash-version= pack-kept-objects path-walk quiet threads= unpack-unreachable= window-memory= window= write-bitmap-index write-midx"),
	"git replace":            gitOptions("defgl", "convert-graft-file delete edit force format= graft list raw"),
	"git replay":             gitOptions("", "advance= contained onto= ref-action?"),
	"git rerere":             gitOptions("", "rerere-autoupdate"),
	"git reset":              gitOptions("NpqU:", "hard intent-to-add inter-hunk-context= keep merge mixed no-refresh patch pathspec-file-nul pathspec-from-file= quiet recurse-submodules? soft unified="),
	"git restore":            gitOptions("23mpqSs:U:W", "conflict= ignore-skip-worktree-bits ignore-unmerged inter-hunk-context= merge ours overlay patch pathspec-file-nul pathspec-from-file= progress quiet recurse-submodules? source= staged theirs unified= worktree"),
	"git revert":             gitOptions("em:nS::sX:", "abort cleanup= continue edit gpg-sign? mainline= no-commit quit reference rerere-autoupdate signoff skip strategy-option= strategy="),
	"git rm":                 gitOptions("fnqr", "cached dry-run force ignore-unmatch pathspec-file-nul pathspec-from-file= quiet sparse"),
	"git send-email":         gitOptions("", "8bit-encoding= annotate batch-size= bcc= cc-cmd= cc-cover cc= chain-reply-to compose compose-encoding= confirm= dry-run dump-aliases envelope-sender= force format-patch from= header-cmd= identity= in-reply-to= quiet relogin-delay= reply-to= sendmail-cmd= signed-off-by-cc smtp-auth= smtp-debug= smtp-domain= smtp-encryption= smtp-pass? smtp-server-option= smtp-server-port= smtp-server= smtp-ssl smtp-ssl-cert-path= smtp-user= subject= suppress-cc= suppress-from thread to-cmd= to-cover to= transfer-encoding= validate xmailer"),
	"git send-pack":          gitOptions("fnqv", "all atomic dry-run exec= force force-if-includes force-with-lease? helper-status mirror progress push-option= quiet receive-pack= remote= signed? stateless-rpc stdin thin verbose"),
	"git show-branch":        gitOptions("ag::r", "all color? current date-order independent list merge-base more? no-name reflog? remotes sha1-name sparse topics topo-order"),
	"git show-index":         gitOptions("", "object-format="),
	"git show-ref":           gitOptions("dqs::", "abbrev? branches dereference exclude-existing? exists hash? head heads quiet tags verify"),
	"git sparse-checkout":    gitOptions("fz", "cone dry-run force rules-file= skip-checks sparse-index stdin verbose"),
	"git stage":              gitOptions("AefiNnpU:uv", "all chmod= dry-run edit force ignore-errors ignore-missing ignore-removal intent-to-add inter-hunk-context= interactive patch pathspec-file-nul pathspec-from-file= refresh renormalize sparse unified= update verbose warn-embedded-repo"),
	"git stash":              gitOptions("akm:pqSU:u", "all include-untracked index inter-hunk-context= keep-index message= only-untracked patch pathspec-file-nul pathspec-from-file= print quiet staged to-ref= unified="),
	"git status":             gitOptions("bM::su::vz", "ahead-behind branch column? find-renames? ignore-submodules? ignored? long no-renames null porcelain? short show-stash untracked-files? verbose"),
	"git stripspace":         gitOptions("cs", "comment-lines strip-comments"),
	"git submodule":          gitOptions("b:fj:mNnqr", "all branch= cached checkout default depth= dissociate files filter= force init jobs= merge name= no-fetch progress quiet rebase recommend-shallow recursive ref-format= reference= remote require-init single-branch summary-limit="),
	"git subtree":            gitOptions("b:dmP:qS::", "annotate= branch= debug gpg-sign? ignore-joins message= onto= prefix= quiet rejoin squash"),
	"git switch":             gitOptions("C:c:dfmqt::", "conflict= create= detach discard-changes force force-create= guess ignore-other-worktrees merge orphan= overwrite-ignore progress quiet recurse-submodules? track?"),
	"git symbolic-ref":       gitOptions("dm:q", "delete quiet recurse short"),
	"git tag":                gitOptions("adeF:film:n::su:v", "annotate cleanup= color? column? contains= create-reflog delete edit file= force format= ignore-case list local-user= merged= message= no-contains= no-merged= omit-empty points-at= sign sort= verify with= without="),
	"git update-index":       gitOptions("gqz", "add again assume-unchanged cacheinfo= chmod= clear-resolve-undo force-remove force-untracked-cache force-write-index fsmonitor fsmonitor-valid ignore-missing ignore-skip-worktree-entries ignore-submodules index-info index-version= info-only no-assume-unchanged no-fsmonitor-valid no-skip-worktree really-refresh refresh remove replace skip-worktree split-index stdin test-untracked-cache unmerged unresolve untracked-cache verbose"),
	"git update-ref":         gitOptions("0dm:z", "batch-updates create-reflog no-deref stdin"),
	"git upload-pack":        gitOptions("", "advertise-refs http-backend-info-refs stateless-rpc strict timeout="),
	"git var":                gitOptions("l", ""),
	"git verify-commit":      gitOptions("v", "raw verbose"),
	"git verify-tag":         gitOptions("v", "format= raw verbose"),
	"git worktree":           gitOptions("B:b:dfnqvz", "checkout detach dry-run expire= force guess-remote lock orphan porcelain quiet reason= relative-paths track verbose"),
	"git write-tree":         gitOptions("", "ignore-cache-tree missing-ok prefix="),
}
