package shell

// fileProgram is about those that make, move, change and remove files. Abbreviations
// resolve as with getopt_long, so the lists are complete: coreutils, and the
// letters that the BSDs and macOS add.
func fileProgram(name string) (grammar, bool) {
	switch name {
	case "rm":
		return grammar{closed: true, short: "dfiIrRvPWx", rivals: "f,force i,interactive!n I",
			long: "dir force help interactive? no-preserve-root one-file-system preserve-root? recursive verbose version"}, true
	case "rmdir":
		return grammar{closed: true, short: "pv", long: "help ignore-fail-on-non-empty parents path verbose version"}, true
	case "unlink":
		return grammar{closed: true, long: "help version"}, true
	case "shred":
		return grammar{closed: true, short: "fn:s:uvxz",
			long: "exact force help iterations= random-source= remove? size= verbose version zero"}, true
	case "srm":
		return grammar{closed: true, short: "dfiIrRvlmszxP", rivals: "f,force i,interactive I", long: "directory dod doe force gutmann help interactive medium one-file-system openbsd rcmp recursive simple verbose version zero"}, true
	case "cp":
		return grammar{closed: true, short: "abcdfHilLnNpPrRs" + "S:t:TuvxXZ", rivals: "f,force i,interactive n,no-clobber;H L,dereference P,no-dereference",
			long: "archive attributes-only backup? context? copy-contents debug dereference force help interactive keep-directory-symlink link no-clobber no-dereference no-preserve= no-target-directory one-file-system parents path preserve? recursive reflink? remove-destination sparse= strip-trailing-slashes suffix= symbolic-link target-directory= update? verbose version"}, true
	case "mv":
		return grammar{closed: true, short: "bfhinS:t:TuvZ", rivals: "f,force i,interactive n,no-clobber",
			long: "backup? context debug exchange force help interactive no-clobber no-copy no-target-directory strip-trailing-slashes suffix= target-directory= update? verbose version"}, true
	case "ln":
		return grammar{closed: true, short: "bdFfhiLnPrsS:t:Tvw", rivals: "f,force i,interactive;L,logical P,physical",
			long: "backup? directory force help interactive logical no-dereference no-target-directory physical relative suffix= symbolic target-directory= verbose version"}, true
	case "link":
		return grammar{closed: true, long: "help version"}, true
	case "install":
		return grammar{closed: true, short: "bcCdDg:m:o:psS:t:TvZ",
			long: "backup? compare context? debug directory group= help mode= no-target-directory owner= preserve-context preserve-timestamps strip strip-program= suffix= target-directory= verbose version"}, true
	case "rename":
		return grammar{short: "nofivse"}, true
	// A mode such as -w or -rwx looks like an option, and is one.
	case "chmod":
		return grammar{closed: true, short: "RcfvhHLPr::w::x::X::s::t::u::g::o::a::,::+::=::0::1::2::3::4::5::6::7::", rivals: "h,no-dereference dereference;H L P",
			long: "changes dereference help no-dereference no-preserve-root preserve-root quiet recursive reference= silent verbose version"}, true
	case "chown",
		"chgrp":
		return grammar{closed: true, short: "cfHhLnPRvx", rivals: "h,no-dereference dereference;H L P",
			long: "changes dereference from= help no-dereference no-preserve-root preserve-root quiet recursive reference= silent verbose version"}, true
	case "chattr":
		return grammar{short: "RVfv:p:", plus: true}, true
	case "setfacl":
		return grammar{short: "bdkLm:M:nPRx:X:", long: "set= set-file= modify= modify-file= remove= remove-file= remove-all remove-default restore= test recursive logical physical default mask no-mask"}, true
	case "chcon":
		return grammar{closed: true, short: "hHl:LPRr:t:u:v", long: "dereference help no-dereference no-preserve-root preserve-root range= recursive reference= role= type= user= verbose version"}, true
	case "touch":
		return grammar{closed: true, short: "aA:cd:fhmr:t:", long: "date= help no-create no-dereference reference= time= version"}, true
	case "mkdir":
		return grammar{closed: true, short: "m:pvZ", long: "context? help mode= parents verbose version"}, true
	case "mkfifo":
		return grammar{closed: true, short: "m:Z", long: "context? help mode= version"}, true
	case "mknod":
		return grammar{closed: true, short: "m:FZ", long: "context? help mode= version"}, true
	case "mktemp":
		return grammar{closed: true, short: "dp:qt::uV", long: "directory dry-run help quiet suffix= tmpdir? version"}, true
	case "truncate":
		return grammar{closed: true, short: "cor:s:", long: "help io-blocks no-create reference= size= version"}, true
	case "tee":
		return grammar{closed: true, short: "aip", long: "append help ignore-interrupts output-error? version"}, true
	case "dd":
		return grammar{closed: true, long: "help version"}, true
	case "split":
		return grammar{closed: true, short: "a:b:C:del:n:p:t:ux",
			long: "additional-suffix= bytes= elide-empty-files filter= help hex-suffixes? line-bytes= lines= number= numeric-suffixes? separator= suffix-length= unbuffered verbose version"}, true
	case "csplit":
		return grammar{closed: true, short: "b:f:kn:qsz", long: "digits= elide-empty-files help keep-files prefix= quiet silent suffix-format= suppress-matched version"}, true
	case "rsync":
		return grammar{closed: true, exact: true, negates: true, short: "0468@:aAbB:cCdDe:Ef:FghHiIJkKlLmM:nNoOpPqrRsStT:uUvVWxXyz",
			long: "8-bit-output acls address= append append-verify archive atimes backup backup-dir= block-size= blocking-io bwlimit= cc= checksum checksum-choice= checksum-seed= chmod= chown= compare-dest= compress compress-choice= compress-level= compress-threads= config= contimeout= copy-as= copy-dest= copy-devices copy-dirlinks copy-links copy-unsafe-links crtimes cvs-exclude daemon debug= del delay-updates delete delete-after delete-before delete-delay delete-during delete-excluded delete-missing-args detach devices dirs dparam= dry-run early-input= exclude= exclude-from= executability existing fake-super files-from= filter= force from0 fsync fuzzy group groupmap= hard-links help human-readable i-r iconv= ignore-errors ignore-existing ignore-missing-args ignore-non-existing ignore-times implied-dirs inc-recursive include= include-from= info= inplace ipv4 ipv6 itemize-changes keep-dirlinks link-dest= links list-only log-file= log-file-format= log-format= max-alloc= max-delete= max-size= min-size= mkpath modify-window= motd munge-links numeric-ids old-args old-d old-dirs omit-dir-times omit-link-times one-file-system only-write-batch= open-noatime out-format= outbuf= owner partial partial-dir= password-file= perms port= preallocate progress protect-args protocol= prune-empty-dirs quiet read-batch= recursive relative remote-option= remove-sent-files remove-source-files rsh= rsync-path= safe-links secluded-args server sender size-only skip-compress= sockopts= sparse specials stats stderr= stop-after= stop-at= suffix= super temp-dir= time-limit= timeout= times trust-sender update usermap= verbose version whole-file write-batch= write-devices xattrs zc= zl="}, true
	case "fd":
		return grammar{short: "c:d:e:E:g:j:S:t:x:X:", long: "color= max-depth= min-depth= exact-depth= extension= exclude= threads= size= type= exec= exec-batch= changed-within= changed-before= owner= base-directory= search-path= max-results= ignore-file= format= path-separator= batch-size="}, true
	}
	return grammar{}, false
}
