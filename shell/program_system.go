package shell

// systemPrograms are those that manage processes, services, users and the
// machine.
var systemPrograms = map[string]grammar{
	"kill": {whole: true, exact: true, long: "s= n= signal= q= queue= timeout="}, // -KILL is a signal and no bundle
	"pkill": {closed: true, short: "AacdeF:fg:G:hHiIlLM:N:noO:P:q:r:s:St:U:u:Vvwxz",
		long: "cgroup= count delimiter= echo env= euid= exact full group= help ignore-ancestors ignore-case inverse lightweight list-full list-name logpidfile newest ns= nslist= older= oldest parent= pgroup= pidfile= queue= require-handler runstates= session= shell-quote signal= terminal= uid= version"},
	"killall": {closed: true, short: "egIilmn:o:qrs:u:vVwy:Z:c:dt:z", long: "context= exact help ignore-case interactive list ns= older-than= process-group quiet regexp signal= user= verbose version wait younger-than="},
	"ps":      {short: "C:G:g:k:O:o:N:p:q:s:t:U:u:", long: "cols= columns= format= group= Group= lines= pid= ppid= quick-pid= rows= sid= sort= tty= user= User= width="},
	"fuser":   {short: "46acfiIkKlmMn:suvVw", long: "all inode interactive ipv4 ipv6 ismountpoint kill list-signals mount namespace= silent user verbose version"},
	"lsof":    {short: "A:c:d:D:e:f:F:g:i::k:m:o:p:r:s:S:T:u:x:z:"},
	"systemctl": {short: "H:M:t:p:P:n:o:s:",
		long: "host= machine= image= type= state= property= lines= output= signal= root= job-mode= kill-whom= kill-value= kill-who= what= check-inhibitors= message= preset-mode= boot-loader-menu= boot-loader-entry= firmware-setup reboot-argument= timestamp= legend= drop-in= when="},
	"journalctl": {short: "b::c:D:F:g:M:n::o:p:S:t:T:u:U:", long: "boot? cursor= directory= field= file= grep= identifier= lines? machine= namespace= output= priority= root= since= unit= until= user-unit= vacuum-files= vacuum-size= vacuum-time= facility= output-fields= cursor-file= after-cursor= image= interval="},
	"service":    {},
	"crontab":    {short: "u:x:c:T:"},
	"useradd":    {closed: true, short: "b:c:d:De:f:Fg:G:hk:K:lmMNop:P:rR:s:u:UZ:", rivals: "m,create-home M,no-create-home;U,user-group N,no-user-group", long: "add-subids-for-system badname badnames base-dir= btrfs-subvolume-home comment= create-home defaults expiredate= gid= groups= help home-dir= inactive= key= no-create-home no-log-init no-user-group non-unique password= prefix= root= selinux-range= selinux-user= shell= skel= system uid= user-group"},
	"userdel":    {closed: true, short: "fhP:rR:Z", long: "force help prefix= remove root= selinux-user"},
	"usermod":    {closed: true, short: "abc:d:e:f:g:G:hl:Lmop:P:rR:s:u:Uv:V:w:W:Z:", long: "add-subgids= add-subuids= append badname badnames comment= del-subgids= del-subuids= expiredate= gid= groups= help home= inactive= lock login= move-home non-unique password= prefix= remove root= selinux-range= selinux-user= shell= uid= unlock"},
	"groupadd":   {closed: true, short: "fg:hK:op:P:rR:U:", long: "force gid= help key= non-unique password= prefix= root= system users="},
	"groupdel":   {closed: true, short: "fhP:R:", long: "force help prefix= root="},
	"groupmod":   {closed: true, short: "ag:hn:op:P:R:U:", long: "append gid= help new-name= non-unique password= prefix= root= users="},
	"passwd":     {closed: true, short: "adehi:kln:qr:R:P:sSuw:x:", long: "all delete expire help inactive= keep-tokens lock maxdays= mindays= prefix= quiet repository= root= status stdin unlock warndays="},
	"chpasswd":   {short: "c:R:s:", long: "crypt-method= root= sha-rounds="},
	"visudo":     {short: "f:x:", long: "file= export="},
	"sysctl":     {short: "p::r:", long: "load? pattern="},
	"modprobe":   {short: "C:d:S:", long: "config= dirname= set-version="},
	"shutdown":   {}, "reboot": {}, "halt": {}, "poweroff": {}, "init": {},
	"defaults": {}, "launchctl": {}, "osascript": {short: "e:l:i"},
	"tmux": {first: true, short: "c:f:L:S:T:"}, "screen": {first: true, short: "c:e:h:p:S:s:t:T:X"},
	"logger": {short: "f:n:p:P:S:t:u:", long: "file= server= port= priority= tag= socket= size= sd-id= sd-param= msgid="},
	"at":     {short: "f:q:t:"}, "batch": {short: "f:q:"},
	"source": {first: true, short: "p:"}, ".": {first: true, short: "p:"},
	"cd": {short: "LPe@"}, "pushd": {plus: true}, "popd": {plus: true},
	"read": {short: "a:d:i:n:N:p:t:u:"}, "mapfile": {short: "C:c:d:n:O:s:u:"}, "readarray": {short: "C:c:d:n:O:s:u:"},
}
