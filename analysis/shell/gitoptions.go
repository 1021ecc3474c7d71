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

// gitProgram says how git and its subcommands read their options, by the
// manuals of git 2.39 to 2.53. Of subcommands with actions, such as git stash
// drop, the options of all actions are listed together.
func gitProgram(name string) (grammar, bool) {
	switch name {
	// Those before the subcommand. git doesn't let these be abbreviated.
	case "git":
		return grammar{global: true, short: "C:c:", long: "git-dir= work-tree= namespace= super-prefix= config-env= attr-source= list-cmds= shallow-file= exec-path?"}, true
	// Those that show.
	case "git annotate":
		return gitViewer(gitDiffOptions + " contents= ignore-rev= ignore-revs-file="), true
	case "git cherry":
		return gitOptions("v", "abbrev? verbose"), true
	case "git diff",
		"git diff-files",
		"git diff-index":
		return gitViewer(gitDiffOptions), true
	case "git diff-tree":
		return gitViewer(gitDiffOptions + " format? pretty? encoding= notes?"), true
	case "git log":
		return gitViewer(gitLogOptions), true
	case "git range-diff":
		return gitViewer(gitDiffOptions + " creation-factor= diff-merges= notes?"), true
	case "git rev-list":
		return gitViewer(gitLogOptions + " disk-usage? missing="), true
	case "git rev-parse":
		return grammar{long: "default= prefix= path-format= short? resolve-git-dir= git-path= exclude= exclude-hidden= branches? tags? remotes? glob= disambiguate= abbrev-ref? show-object-format? since= after= until= before= output-object-format="}, true
	case "git shortlog":
		return gitViewer(gitLogOptions + " group="), true
	case "git show",
		"git whatchanged":
		return gitViewer(gitLogOptions), true
	// The others.
	case "git add":
		return gitOptions("AefiNnpU:uv", "all chmod= dry-run edit force ignore-errors ignore-missing ignore-removal intent-to-add inter-hunk-context= interactive patch pathspec-file-nul pathspec-from-file= refresh renormalize sparse unified= update verbose warn-embedded-repo"), true
	case "git am":
		return gitOptions("3C:cikmnp:qrS::su", "3way abort allow-empty binary committer-date-is-author-date continue directory= empty= exclude= gpg-sign? ignore-date ignore-space-change ignore-whitespace include= interactive keep keep-cr keep-non-patch message-id no-keep-cr no-verify patch-format= quiet quit quoted-cr= rebasing reject rerere-autoupdate resolved resolvemsg= retry scissors show-current-patch? signoff skip utf8 whitespace="), true
	case "git apply":
		return gitOptions("3C:Np:qRvz", "3way allow-binary-replacement allow-empty allow-overlap apply binary build-fake-ancestor= cached check directory= exclude= ignore-space-change ignore-whitespace inaccurate-eof include= index intent-to-add no-add numstat quiet recount reject reverse stat summary unidiff-zero unsafe-paths verbose whitespace="), true
	case "git archive":
		return gitOptions("lNo:v", "add-file= add-virtual-file= exec= format= list output= prefix= remote= verbose worktree-attributes"), true
	case "git bisect":
		return gitOptions("", "first-parent no-checkout term-bad= term-new= term-old="), true
	case "git blame":
		return gitOptions("bC::cefL:lM::npS:stw", "abbrev? color-by-age color-lines contents= ignore-rev= ignore-revs-file= incremental line-porcelain minimal porcelain progress root score-debug show-email show-name show-number show-stats"), true
	case "git branch":
		return gitOptions("aCcDdfilMmqrt::u:v", "abbrev? all color? column? contains= copy create-reflog delete edit-description force format= ignore-case list merged= move no-contains= no-merged= omit-empty points-at= quiet recurse-submodules remotes set-upstream set-upstream-to= show-current sort= track? unset-upstream verbose with= without="), true
	case "git bundle":
		return gitOptions("q", "all-progress all-progress-implied progress quiet version="), true
	case "git cat-file":
		return gitOptions("epstZz", "allow-unknown-type batch-all-objects batch-check? batch-command? batch? buffer filters follow-symlinks mailmap path= textconv unordered use-mailmap"), true
	case "git check-attr":
		return gitOptions("az", "all cached source= stdin"), true
	case "git check-ignore":
		return gitOptions("nqvz", "no-index non-matching quiet stdin verbose"), true
	case "git checkout":
		return gitOptions("23B:b:dflmpqt::U:", "conflict= detach force guess ignore-other-worktrees ignore-skip-worktree-bits inter-hunk-context= merge orphan= ours overlay overwrite-ignore patch pathspec-file-nul pathspec-from-file= progress quiet recurse-submodules? theirs track? unified="), true
	case "git checkout-index":
		return gitOptions("afnquz", "all force ignore-skip-worktree-bits index no-create prefix= quiet stage= stdin temp"), true
	case "git cherry-pick":
		return gitOptions("em:nS::sX:x", "abort allow-empty allow-empty-message cleanup= continue edit ff gpg-sign? keep-redundant-commits mainline= no-commit quit rerere-autoupdate signoff skip strategy-option= strategy="), true
	case "git clean":
		return gitOptions("de:finqXx", "dry-run exclude= force interactive quiet"), true
	case "git clone":
		return gitOptions("46b:c:j:lno:qsu:v", "also-filter-submodules bare branch= bundle-uri= config= depth= dissociate filter= ipv4 ipv6 jobs= local mirror naked no-checkout no-hardlinks no-tags origin= progress quiet recurse-submodules? recursive? ref-format= reference-if-able= reference= reject-shallow remote-submodules revision= separate-git-dir= server-option= shallow-exclude= shallow-since= shallow-submodules shared single-branch sparse tags template= upload-pack= verbose"), true
	case "git commit":
		return gitOptions("aC:c:eF:im:nopqS::st:U:u::vz", "ahead-behind all allow-empty allow-empty-message amend author= branch cleanup= date= dry-run edit file= fixup= gpg-sign? include inter-hunk-context= interactive long message= no-post-rewrite no-verify null only patch pathspec-file-nul pathspec-from-file= porcelain quiet reedit-message= reset-author reuse-message= short signoff squash= status template= trailer= unified= untracked-files? verbose"), true
	case "git commit-graph":
		return gitOptions("", "append changed-paths expire-time= max-commits= max-new-filters= object-dir= progress reachable shallow size-multiple= split? stdin-commits stdin-packs"), true
	case "git commit-tree":
		return gitOptions("F:m:p:S::", "gpg-sign?"), true
	case "git config":
		return gitOptions("ef:lt:z", "add append blob= bool bool-or-int bool-or-str comment= default= edit expiry-date file= fixed-value get get-all get-color get-colorbool get-regexp get-urlmatch global includes int list local name-only no-type null path regexp remove-section rename-section replace-all show-names show-origin show-scope system type= unset unset-all url= value= worktree"), true
	case "git daemon":
		return gitOptions("", "access-hook= allow-override= base-path-relaxed base-path= detach disable= enable= export-all forbid-override= group= inetd informative-errors init-timeout= interpolated-path= listen= log-destination= max-connections= pid-file= port= reuseaddr strict-paths syslog timeout= user-path? user= verbose"), true
	case "git describe":
		return gitOptions("", "abbrev? all always broken? candidates= contains debug dirty? exact-match exclude= first-parent long match= tags"), true
	case "git difftool":
		return gitOptions("dgt:x:y", "dir-diff extcmd= gui no-index no-prompt symlinks tool-help tool= trust-exit-code"), true
	case "git fast-export":
		return gitOptions("", "anonymize anonymize-map= export-marks= fake-missing-tagger full-tree import-marks-if-exists= import-marks= mark-tags no-data progress= reencode= reference-excluded-parents refspec= show-original-ids signed-tags= tag-of-filtered-object= use-done-feature"), true
	case "git fast-import":
		return gitOptions("", "active-branches= allow-unsafe-features big-file-threshold= cat-blob-fd= date-format= depth= done export-marks= export-pack-edges= force import-marks-if-exists= import-marks= max-pack-size= quiet relative-marks rewrite-submodules-from= rewrite-submodules-to= signed-commits= signed-tags= stats"), true
	case "git fetch":
		return gitOptions("46afj:kmno:Ppqtuv", "all append atomic auto-gc auto-maintenance deepen= depth= dry-run filter= force ipv4 ipv6 jobs= keep multiple negotiate-only negotiation-tip= porcelain prefetch progress prune prune-tags quiet recurse-submodules-default= recurse-submodules? refetch refmap= server-option= set-upstream shallow-exclude= shallow-since= show-forced-updates stdin submodule-prefix= tags unshallow update-head-ok update-shallow upload-pack= verbose write-commit-graph write-fetch-head"), true
	case "git fetch-pack":
		return gitOptions("kqv", "all check-self-contained-and-connected cloning deepen-relative depth= diag-url exec= filter= from-promisor include-tag keep lock-pack no-progress quiet refetch server-option= shallow-exclude= shallow-since= stateless-rpc stdin thin update-shallow upload-pack= verbose"), true
	case "git filter-branch":
		return gitOptions("d:f", "commit-filter= env-filter= force index-filter= msg-filter= original= parent-filter= prune-empty remap-to-ancestor setup= state-branch= subdirectory-filter= tag-name-filter= tree-filter="), true
	case "git filter-repo":
		return gitOptions("fh", "analyze blob-callback= commit-callback= date-order debug dry-run email-callback= file-info-callback= filename-callback= force invert-paths mailmap= message-callback= name-callback= no-fetch no-ff no-gc partial path-glob= path-match= path-regex= path-rename-match= path-rename= path= paths-from-file= preserve-commit-encoding preserve-commit-hashes proceed prune-degenerate= prune-empty= quiet refname-callback= refs replace-message= replace-refs= replace-text= report-dir= reset-callback= sensitive-data-removal source= state-branch= stdin strip-blobs-bigger-than= strip-blobs-with-ids= subdirectory-filter= tag-callback= tag-rename= target= to-subdirectory-filter= use-base-name use-mailmap"), true
	case "git for-each-ref":
		return gitOptions("ps", "color? contains= count= exclude= format= ignore-case include-root-refs merged= no-contains= no-merged= omit-empty perl points-at= python shell sort= start-after= tcl"), true
	case "git for-each-repo":
		return gitOptions("", "config= keep-going"), true
	case "git format-patch":
		return gitOptions("kNno:pqsv:", "add-header= attach? base= cc= cover-from-description= cover-letter creation-factor= description-file= filename-max-length= force-in-body-from from? ignore-if-in-upstream in-reply-to= inline? interdiff= keep-subject no-binary no-numbered no-stat numbered numbered-files output-directory= progress quiet range-diff= reroll-count= rfc? signature-file= signature= signoff start-number= stdout subject-prefix= suffix= thread? to= zero-commit"), true
	case "git fsck":
		return gitOptions("v", "cache connectivity-only dangling full lost-found name-objects progress reflogs root strict tags unreachable verbose"), true
	case "git gc":
		return gitOptions("q", "aggressive auto cruft detach expire-to= force keep-largest-pack max-cruft-size= prune? quiet"), true
	case "git grep":
		return gitOptions("A:aB:C:cEe:Ff:GHhIiLlm:NnO::oPpqrvWwz", "after-context= all-match and basic-regexp before-context= break cached color? column context= count exclude-standard ext-grep extended-regexp files-with-matches files-without-match fixed-strings full-name function-context heading ignore-case invert-match line-number max-count= max-depth= name-only no-index not null only-matching open-files-in-pager? or perl-regexp quiet recurse-submodules recursive show-function text textconv threads= untracked word-regexp"), true
	case "git hash-object":
		return gitOptions("t:w", "literally no-filters path= stdin stdin-paths"), true
	case "git help":
		return gitOptions("acgimvw", "aliases all config config-for-completion config-sections-for-completion developer-interfaces exclude-guides external-commands guides info man user-interfaces verbose web"), true
	case "git history":
		return gitOptions("", "dry-run edit empty= reedit-message update-refs="), true
	case "git hook":
		return gitOptions("z", "allow-unknown-hook-name ignore-missing to-stdin="), true
	case "git init",
		"git init-db":
		return gitOptions("b:q", "bare initial-branch= object-format= quiet ref-format= separate-git-dir= shared? template="), true
	case "git instaweb":
		return gitOptions("b:d:lm:p:", "browser= httpd= local module-path= port= restart start stop"), true
	case "git interpret-trailers":
		return gitOptions("", "if-exists= if-missing= in-place no-divider only-input only-trailers parse trailer= trim-empty unfold where="), true
	case "git lfs":
		return gitOptions("dfI:m:nvwX:", "above= all dry-run everything exclude-ref= exclude= fixup force include-ref= include= message= no-rewrite object-map= pointers remote= skip-fetch to= verbose yes"), true
	case "git ls-files":
		return gitOptions("cdfikmostuvX:x:z", "abbrev? cached debug deduplicate deleted directory empty-directory eol error-unmatch exclude-from= exclude-per-directory= exclude-standard exclude= format= full-name ignored killed modified others recurse-submodules resolve-undo sparse stage unmerged with-tree="), true
	case "git ls-remote":
		return gitOptions("bho:qt", "branches exec= exit-code get-url heads quiet refs server-option= sort= symref tags upload-pack="), true
	case "git ls-tree":
		return gitOptions("dlrtz", "abbrev? format= full-name full-tree long name-only name-status object-only"), true
	case "git maintenance":
		return gitOptions("f", "auto config-file= detach force quiet schedule= scheduler= task="), true
	case "git merge":
		return gitOptions("eF:m:nqS::s:vX:", "abort allow-unrelated-histories autostash cleanup= commit continue edit ff ff-only file= gpg-sign? into-name= log? message= no-verify overwrite-ignore progress quiet quit rerere-autoupdate signoff squash stat strategy-option= strategy= summary verbose verify-signatures"), true
	case "git merge-base":
		return gitOptions("a", "all fork-point independent is-ancestor octopus"), true
	case "git merge-file":
		return gitOptions("L:pq", "diff-algorithm= diff3 marker-size= object-id ours quiet stdout theirs union zdiff3"), true
	case "git merge-index":
		return gitOptions("aoq", ""), true
	case "git merge-tree":
		return gitOptions("X:z", "allow-unrelated-histories merge-base= messages name-only quiet stdin strategy-option= trivial-merge write-tree"), true
	case "git mergetool":
		return gitOptions("gO:t:y", "gui no-prompt tool-help tool="), true
	case "git mktag":
		return gitOptions("", "strict"), true
	case "git mktree":
		return gitOptions("z", "batch missing"), true
	case "git multi-pack-index":
		return gitOptions("", "batch-size= bitmap incremental object-dir= preferred-pack= progress refs-snapshot= stdin-packs"), true
	case "git mv":
		return gitOptions("fknv", "dry-run force sparse verbose"), true
	case "git name-rev":
		return gitOptions("", "all always annotate-stdin exclude= name-only peel-tag refs= stdin tags undefined"), true
	case "git notes":
		return gitOptions("C:c:eF:fm:nqs:v", "abort all allow-empty commit dry-run file= for-rewrite= force ignore-missing message= quiet reedit-message= ref= reuse-message= separator? stdin strategy= stripspace verbose"), true
	case "git pack-objects":
		return gitOptions("q", "all all-progress all-progress-implied compression= cruft cruft-expiration? delta-base-offset delta-islands depth= exclude-promisor-objects filter= honor-pack-keep include-tag incremental index-version= indexed-objects keep-pack= keep-true-parents keep-unreachable local max-pack-size= missing= non-empty pack-loose-unreachable progress quiet reflog reuse-delta reuse-object revs shallow sparse stdin-packs stdout thin threads= unpack-unreachable? unpacked uri-protocol= use-bitmap-index window-memory= window= write-bitmap-index write-bitmap-index-quiet"), true
	case "git pack-refs":
		return gitOptions("", "all auto exclude= include= prune"), true
	case "git prune":
		return gitOptions("nv", "dry-run exclude-promisor-objects expire= progress verbose"), true
	case "git prune-packed":
		return gitOptions("nq", "dry-run quiet"), true
	case "git pull":
		return gitOptions("46afj::kno:pqr::S::s:tvX:", "all allow-unrelated-histories append autostash cleanup= commit deepen= depth= dry-run edit ff ff-only force gpg-sign? ipv4 ipv6 jobs? keep log? negotiation-tip= porcelain progress prune quiet rebase? recurse-submodules? refmap= server-option= set-upstream shallow-exclude= shallow-since= show-forced-updates signoff? squash stat strategy-option= strategy= summary tags unshallow update-shallow upload-pack= verbose verify verify-signatures"), true
	case "git push":
		return gitOptions("46dfno:quv", "all atomic branches delete dry-run exec= follow-tags force force-if-includes force-with-lease? ipv4 ipv6 mirror no-verify porcelain progress prune push-option= quiet receive-pack= recurse-submodules= repo= set-upstream signed? tags thin verbose"), true
	case "git read-tree":
		return gitOptions("imnquv", "aggressive debug-unpack dry-run empty exclude-per-directory= index-output= no-sparse-checkout prefix= quiet recurse-submodules? reset trivial verbose"), true
	case "git rebase":
		return gitOptions("C:fimnqr::S::s:vX:x:", "abort allow-empty-message apply autosquash autostash committer-date-is-author-date continue edit-todo empty= exec= force-rebase fork-point gpg-sign? ignore-date ignore-whitespace interactive keep-base keep-empty merge no-ff no-stat no-verify onto= preserve-merges quiet quit reapply-cherry-picks rebase-merges? rerere-autoupdate reschedule-failed-exec reset-author-date root show-current-patch signoff skip strategy-option= strategy= update-refs verbose whitespace="), true
	case "git reflog":
		return gitOptions("nv", "all dry-run expire-unreachable= expire= list rewrite single-worktree stale-fix updateref verbose"), true
	case "git remote":
		return gitOptions("adfm:npt:v", "add all auto delete dry-run fetch master= mirror? progress prune push tags track= verbose"), true
	case "git repack":
		return gitOptions("AabdFfg:iklmnq", "combine-cruft-below-size= cruft cruft-expiration= delta-islands depth= expire-to= filter-to= filter= geometric= keep-pack= keep-unreachable local max-cruft-size= max-pack-size= name-hash-version= pack-kept-objects path-walk quiet threads= unpack-unreachable= window-memory= window= write-bitmap-index write-midx"), true
	case "git replace":
		return gitOptions("defgl", "convert-graft-file delete edit force format= graft list raw"), true
	case "git replay":
		return gitOptions("", "advance= contained onto= ref-action?"), true
	case "git rerere":
		return gitOptions("", "rerere-autoupdate"), true
	case "git reset":
		return gitOptions("NpqU:", "hard intent-to-add inter-hunk-context= keep merge mixed no-refresh patch pathspec-file-nul pathspec-from-file= quiet recurse-submodules? soft unified="), true
	case "git restore":
		return gitOptions("23mpqSs:U:W", "conflict= ignore-skip-worktree-bits ignore-unmerged inter-hunk-context= merge ours overlay patch pathspec-file-nul pathspec-from-file= progress quiet recurse-submodules? source= staged theirs unified= worktree"), true
	case "git revert":
		return gitOptions("em:nS::sX:", "abort cleanup= continue edit gpg-sign? mainline= no-commit quit reference rerere-autoupdate signoff skip strategy-option= strategy="), true
	case "git rm":
		return gitOptions("fnqr", "cached dry-run force ignore-unmatch pathspec-file-nul pathspec-from-file= quiet sparse"), true
	case "git send-email":
		return gitOptions("", "8bit-encoding= annotate batch-size= bcc= cc-cmd= cc-cover cc= chain-reply-to compose compose-encoding= confirm= dry-run dump-aliases envelope-sender= force format-patch from= header-cmd= identity= in-reply-to= quiet relogin-delay= reply-to= sendmail-cmd= signed-off-by-cc smtp-auth= smtp-debug= smtp-domain= smtp-encryption= smtp-pass? smtp-server-option= smtp-server-port= smtp-server= smtp-ssl smtp-ssl-cert-path= smtp-user= subject= suppress-cc= suppress-from thread to-cmd= to-cover to= transfer-encoding= validate xmailer"), true
	case "git send-pack":
		return gitOptions("fnqv", "all atomic dry-run exec= force force-if-includes force-with-lease? helper-status mirror progress push-option= quiet receive-pack= remote= signed? stateless-rpc stdin thin verbose"), true
	case "git show-branch":
		return gitOptions("ag::r", "all color? current date-order independent list merge-base more? no-name reflog? remotes sha1-name sparse topics topo-order"), true
	case "git show-index":
		return gitOptions("", "object-format="), true
	case "git show-ref":
		return gitOptions("dqs::", "abbrev? branches dereference exclude-existing? exists hash? head heads quiet tags verify"), true
	case "git sparse-checkout":
		return gitOptions("fz", "cone dry-run force rules-file= skip-checks sparse-index stdin verbose"), true
	case "git stage":
		return gitOptions("AefiNnpU:uv", "all chmod= dry-run edit force ignore-errors ignore-missing ignore-removal intent-to-add inter-hunk-context= interactive patch pathspec-file-nul pathspec-from-file= refresh renormalize sparse unified= update verbose warn-embedded-repo"), true
	case "git stash":
		return gitOptions("akm:pqSU:u", "all include-untracked index inter-hunk-context= keep-index message= only-untracked patch pathspec-file-nul pathspec-from-file= print quiet staged to-ref= unified="), true
	case "git status":
		return gitOptions("bM::su::vz", "ahead-behind branch column? find-renames? ignore-submodules? ignored? long no-renames null porcelain? short show-stash untracked-files? verbose"), true
	case "git stripspace":
		return gitOptions("cs", "comment-lines strip-comments"), true
	case "git submodule":
		return gitOptions("b:fj:mNnqr", "all branch= cached checkout default depth= dissociate files filter= force init jobs= merge name= no-fetch progress quiet rebase recommend-shallow recursive ref-format= reference= remote require-init single-branch summary-limit="), true
	case "git subtree":
		return gitOptions("b:dmP:qS::", "annotate= branch= debug gpg-sign? ignore-joins message= onto= prefix= quiet rejoin squash"), true
	case "git switch":
		return gitOptions("C:c:dfmqt::", "conflict= create= detach discard-changes force force-create= guess ignore-other-worktrees merge orphan= overwrite-ignore progress quiet recurse-submodules? track?"), true
	case "git symbolic-ref":
		return gitOptions("dm:q", "delete quiet recurse short"), true
	case "git tag":
		return gitOptions("adeF:film:n::su:v", "annotate cleanup= color? column? contains= create-reflog delete edit file= force format= ignore-case list local-user= merged= message= no-contains= no-merged= omit-empty points-at= sign sort= verify with= without="), true
	case "git update-index":
		return gitOptions("gqz", "add again assume-unchanged cacheinfo= chmod= clear-resolve-undo force-remove force-untracked-cache force-write-index fsmonitor fsmonitor-valid ignore-missing ignore-skip-worktree-entries ignore-submodules index-info index-version= info-only no-assume-unchanged no-fsmonitor-valid no-skip-worktree really-refresh refresh remove replace skip-worktree split-index stdin test-untracked-cache unmerged unresolve untracked-cache verbose"), true
	case "git update-ref":
		return gitOptions("0dm:z", "batch-updates create-reflog no-deref stdin"), true
	case "git upload-pack":
		return gitOptions("", "advertise-refs http-backend-info-refs stateless-rpc strict timeout="), true
	case "git var":
		return gitOptions("l", ""), true
	case "git verify-commit":
		return gitOptions("v", "raw verbose"), true
	case "git verify-tag":
		return gitOptions("v", "format= raw verbose"), true
	case "git worktree":
		return gitOptions("B:b:dfnqvz", "checkout detach dry-run expire= force guess-remote lock orphan porcelain quiet reason= relative-paths track verbose"), true
	case "git write-tree":
		return gitOptions("", "ignore-cache-tree missing-ok prefix="), true
	}
	return grammar{}, false
}
