package shell

// archiveProgram is about those that pack and unpack.
func archiveProgram(name string) (grammar, bool) {
	switch name {
	case "tar":
		return grammar{closed: true, bare: true, short: "?ABC:cdF:f:GH:g:hI:iJjK:kL:lMmN:nOoPpRrST:tUuV:vWwX:xZzab:s",
			long: "absolute-names acls add-file= after-date= anchored append atime-preserve? auto-compress backup? block-number blocking-factor= bzip2 catenate check-device check-links checkpoint? checkpoint-action= clamp-mtime compare compress concatenate confirmation create delay-directory-restore delete dereference diff directory= exclude= exclude-backups exclude-caches exclude-caches-all exclude-caches-under exclude-from= exclude-ignore= exclude-ignore-recursive= exclude-tag= exclude-tag-all= exclude-tag-under= exclude-vcs exclude-vcs-ignores extract file= files-from= force-local format= full-time get group= group-map= gunzip gzip hard-dereference help hole-detection= ignore-case ignore-command-error ignore-failed-read ignore-zeros incremental index-file= info-script= interactive keep-directory-symlink keep-newer-files keep-old-files label= level= list listed-incremental= lzip lzma lzop mode= mtime= multi-volume new-volume-script= newer= newer-mtime= no-acls no-anchored no-auto-compress no-check-device no-delay-directory-restore no-ignore-case no-ignore-command-error no-null no-overwrite-dir no-quote-chars= no-recursion no-same-owner no-same-permissions no-seek no-selinux no-unquote no-verbatim-files-from no-wildcards no-wildcards-match-slash no-xattrs null numeric-owner occurrence? old-archive one-file-system one-top-level? overwrite overwrite-dir owner= owner-map= pax-option= portability posix preserve-order preserve-permissions quote-chars= quoting-style= read-full-records record-size= recursion recursive-unlink remove-files restrict rmt-command= rsh-command= same-order same-owner same-permissions seek selinux set-mtime-command= set-mtime-format= show-defaults show-omitted-dirs show-snapshot-field-ranges show-stored-names show-transformed-names skip-old-files sort= sparse sparse-version= starting-file= strip-components= suffix= tape-length= test-label to-command= to-stdout totals? touch transform= uncompress ungzip unlink-first unquote update usage use-compress-program= utc verbatim-files-from verbose verify version volno-file= warning= wildcards wildcards-match-slash xattrs xattrs-exclude= xattrs-include= xform= xz zstd"}, true
	case "zip":
		return grammar{short: "b:n:O:P:s:t:Z:", long: "before-date= compression-method= dot-size= from-date= logfile-path= output-file= password= split-size= suffixes= temp-path= unicode= unzip-command="}, true
	case "unzip":
		return grammar{short: "d:P:I:O:"}, true
	case "gzip":
		return grammar{closed: true, short: "ab:cdfhHkKlLmMnNqrRS:tvVzZ1p:iYo",
			long: "ascii best decompress fast force help keep license list name no-name processes= quiet recursive rsyncable stdout suffix= synchronous test to-stdout uncompress verbose version"}, true
	case "bzip2":
		return grammar{closed: true, short: "cdfhkLm:p:qstvVz", long: "best compress decompress exponential fast force help keep license quiet repetitive-best repetitive-fast small stdout test verbose version"}, true
	case "xz":
		return grammar{closed: true, short: "aC:cdeF:fHhklM:QqS:tT:Vvz", rivals: "z,compress d,decompress,uncompress t,test l,list",
			long: "arm? arm64? armthumb? best block-list= block-size= check= compress decompress delta? extreme fast files? files0? flush-timeout= force format= help ia64? ignore-check info-memory keep list long-help lzma1? lzma2? memlimit= memlimit-compress= memlimit-decompress= memlimit-mt-decompress= memory= no-adjust no-sparse no-sync no-warn powerpc? quiet riscv? robot single-stream sparc? stdout suffix= test threads= to-stdout uncompress verbose version x86?"}, true
	case "zstd":
		return grammar{short: "b::B::cCdD:e::fhHi::klM::no:p::qrtT::vVz", rivals: "rm k,keep", long: "output-dir-flat= output-dir-mirror= filelist= trace= patch-from= format= stream-size= size-hint= target-compressed-block-size= memory= dictID= maxdict= threads="}, true
	case "cpio":
		return grammar{closed: true, short: "0AaBbC:cdD:E:F:fH:I:iklLMmnO:opR:rSstuvVW:", long: "absolute-filenames append block-size= chown? create directory= device-independent dereference extract file= force-local format= help io-size= link list make-directories message= no-absolute-filenames no-preserve-owner nonmatching null numeric-uid-gid only-verify-crc owner= pass-through pattern-file= preserve-modification-time quiet rename rename-batch-file= reproducible reset-access-time rmt-command= rsh-command= sparse swap swap-bytes swap-halfwords to-stdout unconditional usage verbose version warning="}, true
	case "7z", "7za", "7zz":
		return grammar{short: "o::p::"}, true
	}
	return grammar{}, false
}
