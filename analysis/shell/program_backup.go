package shell

// backupProgram is about those that keep copies elsewhere. What is listed are the
// options with a value, from their --help.
func backupProgram(name string) (grammar, bool) {
	switch name {
	case "rclone":
		return grammar{exact: true, truth: true, short: "f:",
			long: "config= log-file= log-level= log-format= transfers= checkers= bwlimit= bwlimit-file= buffer-size= filter= filter-from= include= include-from= exclude= exclude-from= exclude-if-present= files-from= files-from-raw= max-age= min-age= max-size= min-size= max-depth= max-delete= max-delete-size= max-transfer= max-duration= backup-dir= suffix= compare-dest= copy-dest= stats= retries= retries-sleep= low-level-retries= timeout= contimeout= expect-continue-timeout= user-agent= tpslimit= tpslimit-burst= temp-dir= cache-dir= password-command= header= header-upload= header-download= bind= ca-cert= client-cert= client-key= rc-addr= multi-thread-streams= order-by= conflict-resolve= resync-mode= workdir= dedupe-mode= format= separator= output="}, true
	case "restic":
		return grammar{exact: true, truth: true, short: "o:p:r:",
			long: "cacert= cache-dir= compression= http-user-agent= key-hint= limit-download= limit-upload= option= pack-size= password-command= password-file= repo= repository-file= retry-lock= stuck-request-timeout= tls-client-cert= tag= host= path= exclude= exclude-file= iexclude= iexclude-file= exclude-larger-than= exclude-if-present= files-from= files-from-raw= files-from-verbatim= parent= time= stdin-filename= target= include= include-file= iinclude= group-by= max-unused= max-repack-size= from-repo= from-password-file= from-repository-file= from-password-command= new-host= new-time= " +
				"keep-last= keep-hourly= keep-daily= keep-weekly= keep-monthly= keep-yearly= keep-within= keep-within-hourly= keep-within-daily= keep-within-weekly= keep-within-monthly= keep-within-yearly= keep-tag="}, true
	case "restic forget":
		return grammar{short: "l:H:d:w:m:y:g:"}, true
	case "restic backup":
		return grammar{short: "e:H:g:"}, true
	case "restic snapshots":
		return grammar{short: "H:g:"}, true
	case "restic restore":
		return grammar{short: "e:H:i:t:"}, true
	case "borg":
		return grammar{short: "r:a:P:C:e:",
			long: "repo= rsh= remote-path= lock-wait= umask= upload-ratelimit= upload-buffer= remote-ratelimit= remote-buffer= debug-topic= match-archives= glob-archives= prefix= sort-by= first= last= comment= timestamp= compression= chunker-params= exclude= exclude-from= pattern= patterns-from= encryption= format= threshold= " +
				"keep-within= keep-last= keep-secondly= keep-minutely= keep-hourly= keep-daily= keep-weekly= keep-monthly= keep-yearly= oldest= newest= older= newer="}, true
	case "kopia":
		return grammar{short: "p:", long: "config-file= log-level= log-dir= password= tags= manifest-id= description="}, true
	case "zfs":
		return grammar{short: "o:t:s:S:d:b:V:"}, true
	}
	return grammar{}, false
}
