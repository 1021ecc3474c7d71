package shell

// systemProgram is about those that manage processes, services, users and the
// machine.
func systemProgram(name string) (grammar, bool) {
	switch name {
	case "kill":
		return grammar{whole: true, exact: true, long: "s= n= signal= q= queue= timeout="}, true
	// -KILL is a signal and no bundle
	case "pkill":
		return grammar{closed: true, short: "AacdeF:fg:G:hHiIlLM:N:noO:P:q:r:s:St:U:u:Vvwxz",
			long: "cgroup= count delimiter= echo env= euid= exact full group= help ignore-ancestors ignore-case inverse lightweight list-full list-name logpidfile newest ns= nslist= older= oldest parent= pgroup= pidfile= queue= require-handler runstates= session= shell-quote signal= terminal= uid= version"}, true
	case "killall":
		return grammar{closed: true, short: "egIilmn:o:qrs:u:vVwy:Z:c:dt:z", long: "context= exact help ignore-case interactive list ns= older-than= process-group quiet regexp signal= user= verbose version wait younger-than="}, true
	case "ps":
		return grammar{short: "C:G:g:k:O:o:N:p:q:s:t:U:u:", long: "cols= columns= format= group= Group= lines= pid= ppid= quick-pid= rows= sid= sort= tty= user= User= width="}, true
	case "fuser":
		return grammar{short: "46acfiIkKlmMn:suvVw", long: "all inode interactive ipv4 ipv6 ismountpoint kill list-signals mount namespace= silent user verbose version"}, true
	case "lsof":
		return grammar{short: "A:c:d:D:e:f:F:g:i::k:m:o:p:r:s:S:T:u:x:z:"}, true
	case "systemctl":
		return grammar{short: "H:M:t:p:P:n:o:s:",
			long: "host= machine= image= type= state= property= lines= output= signal= root= job-mode= kill-whom= kill-value= kill-who= what= check-inhibitors= message= preset-mode= boot-loader-menu= boot-loader-entry= firmware-setup reboot-argument= timestamp= legend= drop-in= when="}, true
	case "journalctl":
		return grammar{short: "b::c:D:F:g:M:n::o:p:S:t:T:u:U:", long: "boot? cursor= directory= field= file= grep= identifier= lines? machine= namespace= output= priority= root= since= unit= until= user-unit= vacuum-files= vacuum-size= vacuum-time= facility= output-fields= cursor-file= after-cursor= image= interval="}, true
	case "service":
		return grammar{}, true
	case "crontab":
		return grammar{short: "u:x:c:T:"}, true
	case "useradd":
		return grammar{closed: true, short: "b:c:d:De:f:Fg:G:hk:K:lmMNop:P:rR:s:u:UZ:", rivals: "m,create-home M,no-create-home;U,user-group N,no-user-group", long: "add-subids-for-system badname badnames base-dir= btrfs-subvolume-home comment= create-home defaults expiredate= gid= groups= help home-dir= inactive= key= no-create-home no-log-init no-user-group non-unique password= prefix= root= selinux-range= selinux-user= shell= skel= system uid= user-group"}, true
	case "userdel":
		return grammar{closed: true, short: "fhP:rR:Z", long: "force help prefix= remove root= selinux-user"}, true
	case "usermod":
		return grammar{closed: true, short: "abc:d:e:f:g:G:hl:Lmop:P:rR:s:u:Uv:V:w:W:Z:", long: "add-subgids= add-subuids= append badname badnames comment= del-subgids= del-subuids= expiredate= gid= groups= help home= inactive= lock login= move-home non-unique password= prefix= remove root= selinux-range= selinux-user= shell= uid= unlock"}, true
	case "groupadd":
		return grammar{closed: true, short: "fg:hK:op:P:rR:U:", long: "force gid= help key= non-unique password= prefix= root= system users="}, true
	case "groupdel":
		return grammar{closed: true, short: "fhP:R:", long: "force help prefix= root="}, true
	case "groupmod":
		return grammar{closed: true, short: "ag:hn:op:P:R:U:", long: "append gid= help new-name= non-unique password= prefix= root= users="}, true
	case "passwd":
		return grammar{closed: true, short: "adehi:kln:qr:R:P:sSuw:x:", long: "all delete expire help inactive= keep-tokens lock maxdays= mindays= prefix= quiet repository= root= status stdin unlock warndays="}, true
	case "chpasswd":
		return grammar{short: "c:R:s:", long: "crypt-method= root= sha-rounds="}, true
	case "visudo":
		return grammar{short: "f:x:", long: "file= export="}, true
	case "sysctl":
		return grammar{short: "p::r:", long: "load? pattern="}, true
	case "modprobe":
		return grammar{short: "C:d:S:", long: "config= dirname= set-version="}, true
	case "shutdown", "reboot", "halt", "poweroff", "init",
		"defaults", "launchctl":
		return grammar{}, true
	case "osascript":
		return grammar{short: "e:l:i"}, true
	case "tmux":
		return grammar{first: true, short: "c:f:L:S:T:"}, true
	case "screen":
		return grammar{first: true, short: "c:e:h:p:S:s:t:T:X"}, true
	case "logger":
		return grammar{short: "f:n:p:P:S:t:u:", long: "file= server= port= priority= tag= socket= size= sd-id= sd-param= msgid="}, true
	case "at":
		return grammar{short: "f:q:t:"}, true
	case "batch":
		return grammar{short: "f:q:"}, true
	case "source", ".":
		return grammar{first: true, short: "p:"}, true
	case "cd":
		return grammar{short: "LPe@"}, true
	case "pushd", "popd":
		return grammar{plus: true}, true
	case "read":
		return grammar{short: "a:d:i:n:N:p:t:u:"}, true
	case "mapfile", "readarray":
		return grammar{short: "C:c:d:n:O:s:u:"}, true
	}
	return grammar{}, false
}
