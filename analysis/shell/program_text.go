package shell

// textProgram is about those that read and change text.
func textProgram(name string) (grammar, bool) {
	switch name {
	case "cat":
		return grammar{closed: true, short: "AbeElnsStTuv", long: "help number number-nonblank show-all show-ends show-nonprinting show-tabs squeeze-blank version"}, true
	case "head":
		return grammar{closed: true, short: "c:n:qvz", rivals: "c,bytes n,lines;q,quiet,silent v,verbose",
			long: "bytes= help lines= quiet silent verbose version zero-terminated"}, true
	case "tail":
		return grammar{closed: true, short: "b:c:fFn:qrs:vz", plus: true, rivals: "c,bytes n,lines;q,quiet,silent v,verbose",
			long: "bytes= debug follow? help lines= max-unchanged-stats= pid= quiet retry silent sleep-interval= verbose version zero-terminated"}, true
	case "less":
		return grammar{short: "b:D:h:j:k:o:O:p:P:t:T:x:y:z:", plus: true, long: "buffers= color= max-back-scroll= jump-target= lesskey-file= lesskey-src= log-file= LOG-FILE= pattern= prompt= tag= tag-file= tabs= max-forw-scroll= window= quotes= shift="}, true
	case "grep":
		return grammar{closed: true, short: "aA:bB:cC:d:D:e:Ef:FGhHiIlLm:noOpPqrRsSTuUvVwxyzZ", rivals: "E,extended-regexp F,fixed-strings G,basic-regexp P,perl-regexp;h,no-filename H,with-filename;l,files-with-matches L,files-without-match;i,y,ignore-case no-ignore-case",
			long: "after-context= basic-regexp before-context= binary binary-files= byte-offset color? colour? context= count dereference-recursive devices= directories= exclude= exclude-dir= exclude-from= extended-regexp file= files-with-matches files-without-match fixed-strings group-separator= help ignore-case include= initial-tab invert-match label= line-buffered line-number line-regexp max-count= no-filename no-group-separator no-ignore-case no-messages null null-data only-matching perl-regexp quiet recursive regexp= silent text unix-byte-offsets version with-filename word-regexp"}, true
	case "rg":
		return grammar{short: "A:B:C:d:e:f:E:g:j:m:M:r:t:T:", long: "after-context= before-context= context= regexp= file= glob= iglob= max-count= max-depth= max-filesize= max-columns= type= type-not= type-add= type-clear= replace= threads= encoding= engine= color= colors= sort= sortr= pre= pre-glob= ignore-file= path-separator= context-separator= field-context-separator= field-match-separator= dfa-size-limit= regex-size-limit= hyperlink-format="}, true
	case "ag":
		return grammar{short: "A:B:C:g:G:m:p:W:", long: "after= before= context= depth= file-search-regex= ignore= ignore-dir= max-count= pager= path-to-ignore= width= workers="}, true
	case "sed":
		return grammar{closed: true, short: "e:Ef:i::I:l:nrsuz", // sed(1); -I is FreeBSD's and macOS'
			long: "debug expression= file= follow-symlinks help in-place? line-length= null-data posix quiet regexp-extended sandbox separate silent unbuffered version zero-terminated"}, true
	case "awk":
		return grammar{first: true, short: "bcCd::D::e:E:F:f:ghi:Il:L::MnNo::Op::PrsStv:V", long: "assign= bignum characters-as-bytes copyright debug? dump-variables? exec= field-separator= file= gen-pot help include= lint? load= no-optimize non-decimal-data optimize posix pretty-print? profile? re-interval sandbox source= traditional use-lc-numeric version"}, true
	case "sort":
		return grammar{closed: true, short: "bcCdfghik:mMno:rRsS:t:T:uVz",
			long: "batch-size= buffer-size= check? compress-program= debug dictionary-order field-separator= files0-from= general-numeric-sort help human-numeric-sort ignore-case ignore-leading-blanks ignore-nonprinting key= merge month-sort numeric-sort output= parallel= random-sort random-source= reverse sort= stable temporary-directory= unique version version-sort zero-terminated"}, true
	case "uniq":
		return grammar{closed: true, short: "cdDf:is:uw:z", long: "all-repeated? check-chars= count group? help ignore-case repeated skip-chars= skip-fields= unique version zero-terminated"}, true
	case "shuf":
		return grammar{closed: true, short: "ei:n:o:rz", long: "echo head-count= help input-range= output= random-source= repeat version zero-terminated"}, true
	case "cut":
		return grammar{closed: true, short: "b:c:d:f:nsz", long: "bytes= characters= complement delimiter= fields= help only-delimited output-delimiter= version zero-terminated"}, true
	case "tr":
		return grammar{closed: true, short: "cCdstu", long: "complement delete help squeeze-repeats truncate-set1 version"}, true
	case "wc":
		return grammar{closed: true, short: "cLlmw", long: "bytes chars debug files0-from= help lines max-line-length total= version words"}, true
	case "od":
		return grammar{closed: true, short: "A:abcdDefFhHiIj:lLN:oOsS:t:vw::xX", long: "address-radix= endian= format= help output-duplicates read-bytes= skip-bytes= strings? traditional version width?"}, true
	case "nl":
		return grammar{closed: true, short: "b:d:f:h:i:l:n:ps:v:w:", long: "body-numbering= footer-numbering= header-numbering= help join-blank-lines= line-increment= no-renumber number-format= number-separator= number-width= section-delimiter= starting-line-number= version"}, true
	case "tac":
		return grammar{closed: true, short: "brs:", long: "before help regex separator= version"}, true
	case "diff":
		return grammar{closed: true, short: "abBcC:dD:eEF:iI:lL:nNpPqrsS:tTuU:wW:x:X:yZ",
			long: "brief changed-group-format= color? context? ed exclude= exclude-from= expand-tabs from-file= help horizon-lines= ifdef= ignore-all-space ignore-blank-lines ignore-case ignore-file-name-case ignore-matching-lines= ignore-space-change ignore-tab-expansion ignore-trailing-space initial-tab label= left-column line-format= minimal new-file new-group-format= new-line-format= no-dereference no-ignore-file-name-case normal old-group-format= old-line-format= paginate palette= rcs recursive report-identical-files show-c-function show-function-line= side-by-side speed-large-files starting-file= strip-trailing-cr suppress-blank-empty suppress-common-lines tabsize= text to-file= unchanged-group-format= unchanged-line-format= unidirectional-new-file unified? version width="}, true
	case "cmp":
		return grammar{closed: true, short: "bi:ln:sv", long: "bytes= help ignore-initial= print-bytes quiet silent verbose version"}, true
	case "patch":
		return grammar{closed: true, short: "bB:cd:D:eEfF:g:i:lnNo:p:r:RstTuvV:x:Y:z:Z",
			long: "backup backup-if-mismatch basename-prefix= batch binary context debug= directory= dry-run ed follow-symlinks force forward fuzz= get= help ifdef= ignore-whitespace input= merge? no-backup-if-mismatch normal output= posix prefix= quiet quoting-style= read-only= reject-file= reject-format= remove-empty-files reverse set-time set-utc silent strip= suffix= unified verbose version version-control="}, true
	case "ls":
		return grammar{short: "I:T:w:", long: "block-size= color? format= hide= hyperlink? ignore= indicator-style= quoting-style= sort= tabsize= time= time-style= width="}, true
	case "du":
		return grammar{short: "B:d:t:X:", long: "block-size= exclude= exclude-from= files0-from= max-depth= threshold= time? time-style="}, true
	case "df":
		return grammar{short: "B:t:x:", long: "block-size= exclude-type= output? type="}, true
	case "stat":
		return grammar{short: "c:f:t:", long: "cached= format= printf="}, true
	case "file":
		return grammar{short: "e:f:F:m:P:", long: "exclude= files-from= magic-file= parameter= separator="}, true
	case "realpath":
		return grammar{closed: true, short: "eELmPqsz", long: "canonicalize canonicalize-existing canonicalize-missing help logical no-symlinks physical quiet relative-base= relative-to= strip version zero"}, true
	case "jq":
		return grammar{short: "L:f:", long: "from-file= indent= tab stream arg== argjson== slurpfile== rawfile== argfile=="}, true
	case "yq":
		return grammar{short: "I:o:p:s:", long: "indent= output-format= input-format= split-exp= expression= from-file="}, true
	case "date":
		return grammar{closed: true, short: "d:f:I::jnr:Rs:uv:z:", long: "date= debug file= help iso-8601? reference= resolution rfc-3339= rfc-email set= uct universal utc version"}, true
	case "xxd":
		return grammar{short: "c:g:l:o:R:s:"}, true
	case "ed":
		return grammar{short: "p:", long: "prompt="}, true
	}
	return grammar{}, false
}
