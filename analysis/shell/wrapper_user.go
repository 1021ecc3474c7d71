package shell

// userWrapper is about the programs that run a command as somebody else, or as the shell would.
func userWrapper(name string) (wrapper, bool) {
	switch name {
	case "sudo":
		return wrapper{grammar: wraps("ABbC:c:D:Eeg:Hh:iKklNnPp:R:r:SsT:t:U:u:Vva:", "askpass auth-type= background bell close-from= chdir= preserve-env? edit group= set-home help host= login login-class= remove-timestamp reset-timestamp list no-update non-interactive preserve-groups prompt= chroot= role= stdin shell command-timeout= type= other-user= user= version validate"),
			assigns: true, clears: "*", chdir: "-D --chdir", shell: "-s --shell -i --login", stops: "-e -l -v -V -K --edit --list --validate --version --help --remove-timestamp"}, true
	case "doas":
		return wrapper{grammar: wraps("a:C:Lnsu:", ""), clears: "*", shell: "-s", stops: "-C -L"}, true
	case "pkexec":
		return wrapper{grammar: wraps("u:", "user= version help disable-internal-agent keep-cwd"), shell: "*", stops: "--version --help"}, true
	case "run0":
		return wrapper{grammar: wraps("hVu:g:D:", "help version no-ask-password machine= unit= property= description= slice= slice-inherit user= group= nice= chdir= via-shell setenv= background= pty pipe shell-prompt-prefix= lightweight= area="), chdir: "-D --chdir", sets: "--setenv", shell: "*", remoteBy: "--machine", stops: "-h -V --help --version"}, true
	case "gosu":
		return wrapper{grammar: wraps("", "version help"), operands: 1, stops: "--version --help"}, true
	case "su-exec",
		"setuidgid",
		"s6-setuidgid",
		"envuidgid":
		return wrapper{grammar: wraps("", ""), operands: 1}, true
	case "chpst":
		return wrapper{grammar: wraps("u:U:b:e:n:l:L:m:d:o:p:f:c:r:t:/:C:vP012V", ""), chdir: "-C", stops: "-V"}, true
	case "sg":
		return wrapper{grammar: dashed(grammar{first: true}), operands: 1, text: "-c", joins: true, shell: "*"}, true
	case "newgrp":
		return wrapper{grammar: dashed(grammar{first: true}), operands: 1, textOnly: true, shell: "*"}, true
	case "command":
		return wrapper{grammar: wraps("pvV", ""), stops: "-v -V"}, true
	case "builtin":
		return wrapper{grammar: wraps("", "")}, true
	case "noglob",
		"nocorrect":
		return wrapper{grammar: wraps("", ""), builtins: true}, true
	case "exec":
		return wrapper{grammar: wraps("cla:", "")}, true
	case "systemd-run":
		return wrapper{grammar: wraps("C:GSPdE:H:hM:p:qrtu:", "no-ask-password no-pager user system host= machine= capsule= scope unit= property= description= slice= slice-inherit expand-environment= no-block remain-after-exit wait send-sighup service-type= uid= gid= nice= working-directory= same-dir pty pty-late pipe quiet verbose setenv= shell job-mode= ignore-failure background= json= root-directory= same-root-dir on-active= on-boot= on-startup= on-unit-active= on-unit-inactive= on-calendar= on-clock-change on-timezone-change path-property= socket-property= timer-property= collect help version"), chdir: "--working-directory", sets: "-E --setenv", shell: "-S --shell", remoteBy: "-H --host -M --machine", stops: "-h --help --version"}, true
	case "systemd-cat":
		return wrapper{grammar: wraps("ht:p:", "help version identifier= priority= stderr-priority= level-prefix= namespace="), stops: "-h --help --version"}, true
	case "runcon":
		return wrapper{grammar: wraps("ct:u:r:l:", "compute type= user= role= range= help version"), operands: 1, unless: true, stops: "--help --version"}, true
	case "ssh-agent":
		return wrapper{grammar: wraps("a:cDdE:kO:P:sTt:uUV", ""), stops: "-k -V"}, true
	case "fakeroot":
		return wrapper{grammar: wraps("l:s:i:ub:hv", "lib= faked= save-file= load-file= unknown-is-real fd-base= help version"), shell: "*", stops: "-h -v --help --version"}, true
	case "fakechroot":
		return wrapper{grammar: wraps("sl:e:c:b:dhv", "use-system-libs lib= elfloader= environment= config-dir= bindir= help version"), shell: "*", stops: "-h -v --help --version"}, true
	case "caffeinate":
		return wrapper{grammar: wraps("disumt:w:", "")}, true
	case "dumb-init":
		return wrapper{grammar: wraps("cvhr:V", "single-child verbose rewrite= help version"), stops: "-h -V --help --version"}, true
	case "tini":
		return wrapper{grammar: wraps("hsgvwle:p:", "version"), stops: "-h -l --version"}, true
	case "faketime":
		return wrapper{grammar: wraps("mfp:", "exclude-monotonic date-prog= disable-shm help version"), operands: 1, stops: "--help --version"}, true
	case "rtk":
		return wrapper{grammar: wrapsOpen("", ""), verbs: "err proxy summary test", stops: "-h -V --help --version"}, true
	case "noti":
		return wrapper{grammar: wrapsOpen("t:m:", "title= message="), stops: "-h -v --help --version"}, true
	case "eatmydata":
		return wrapper{grammar: wraps("", "")}, true
	case "nocache":
		return wrapper{grammar: wraps("n:", "")}, true
	case "setlock":
		return wrapper{grammar: wraps("nNxX", ""), operands: 1}, true
	case "lckdo":
		return wrapper{grammar: wraps("wW:eEstxqQ", ""), operands: 1}, true
	case "chronic":
		return wrapper{grammar: wraps("ev", "")}, true
	case "ifne":
		return wrapper{grammar: wraps("n", "")}, true
	case "logsave":
		return wrapper{grammar: wraps("asv", ""), operands: 1}, true
	case "catchsegv":
		return wrapper{grammar: wraps("", "help version"), stops: "--help --version"}, true
	case "dbus-run-session":
		return wrapper{grammar: wraps("", "config-file= dbus-daemon= help version"), stops: "--help --version"}, true
	case "dbus-launch":
		return wrapper{grammar: wraps("", "auto-syntax binary-syntax close-stderr exit-with-session exit-with-x11 autolaunch= config-file= csh-syntax sh-syntax help version"), stops: "--help --version"}, true
	case "xvfb-run":
		return wrapper{grammar: wraps("ac:e:f:hn:lp:s:w:", "auto-servernum auto-display error-file= auth-file= help listen-tcp server-args= server-num= wait= xauth-protocol="), stops: "-h --help"}, true
	case "systemd-inhibit":
		return wrapper{grammar: wraps("h", "no-pager no-legend no-ask-password what= who= why= mode= list help version"), stops: "-h --list --help --version"}, true
	}
	return wrapper{}, false
}

// resourceWrapper is about the programs that give a command its share of time, memory and processors.
func resourceWrapper(name string) (wrapper, bool) {
	switch name {
	case "nohup":
		return wrapper{grammar: wraps("", "help version"), stops: "--help --version"}, true
	case "nice":
		return wrapper{grammar: wraps("n:", "adjustment= help version"), stops: "--help --version"}, true
	case "ionice":
		return wrapper{grammar: wraps("c:n:p:P:u:thV", "class= classdata= pid= pgid= uid= ignore help version"), stops: "-p -P -u -h -V --pid --pgid --uid --help --version"}, true
	// Newer versions of chrt need no priority for some policies.
	case "chrt":
		return wrapper{grammar: wraps("abdefhimoprRT:P:D:vV", "all-tasks batch deadline ext fifo help idle max other pid rr reset-on-fork sched-runtime= sched-period= sched-deadline= verbose version"), operands: 1, digits: true, stops: "-m -p -h -V --max --pid --help --version"}, true
	case "taskset":
		return wrapper{grammar: wraps("acphV", "all-tasks cpu-list pid help version"), operands: 1, stops: "-p -h -V --pid --help --version"}, true
	case "uclampset":
		return wrapper{grammar: wraps("m:M:apsRvhV", "all-tasks pid system reset-on-fork verbose help version"), stops: "-p -s -h -V --pid --system --help --version"}, true
	case "numactl":
		return wrapper{grammar: wraps("ai:w:p:P:N:C:m:lbsSHhV", "all interleave= weighted-interleave= preferred= preferred-many= cpunodebind= physcpubind= membind= localalloc balancing cpu-compress show hardware help version"), stops: "-s -H -h -V --show --hardware --help --version"}, true
	case "cpulimit":
		return wrapper{grammar: wraps("p:e:P:bfc:l:qkmrs:vzh", "pid= exe= path= background foreground cpu= limit= quiet kill monitor-forks restore signal= verbose lazy include-children help"), stops: "-p -e -P -h --pid --exe --path --help"}, true
	case "prlimit":
		return wrapper{grammar: wraps("p:o:hVc::d::e::f::i::l::m::n::q::r::s::t::u::v::x::y::", "pid= output= noheadings raw verbose core? data? nice? fsize? sigpending? memlock? rss? nofile? msgqueue? rtprio? stack? cpu? nproc? as? locks? rttime? help version"), stops: "-p -h -V --pid --help --version"}, true
	case "softlimit":
		return wrapper{grammar: wraps("a:c:d:f:l:m:n:o:p:r:s:t:", "")}, true
	case "choom":
		return wrapper{grammar: wraps("n:p:hV", "adjust= pid= help version"), stops: "-p -h -V --pid --help --version"}, true
	case "trickle":
		return wrapper{grammar: wraps("hvVsd:u:w:t:l:n:p:L:P:", ""), stops: "-h -V"}, true
	case "timeout":
		return wrapper{grammar: wraps("fk:ps:v", "foreground kill-after= preserve-status signal= verbose help version"), operands: 1, stops: "--help --version"}, true
	case "time":
		return wrapper{grammar: wraps("af:o:pqvVlh", "append format= output= portability quiet verbose version help"), stops: "-V --version --help"}, true
	case "setsid":
		return wrapper{grammar: wraps("cfwhV", "ctty fork wait help version"), stops: "-h -V --help --version"}, true
	case "stdbuf":
		return wrapper{grammar: wraps("i:o:e:", "input= output= error= help version"), stops: "--help --version"}, true
	case "watch":
		return wrapper{grammar: wraps("bcCd::efghn:pq:rs:tTvwx", "beep color no-color differences? errexit follow chgexit equexit= interval= precise no-rerun shotsdir= no-title no-wrap exec help version"), joins: true, direct: "-x --exec", stops: "-h -v --help --version"}, true
	case "flock":
		return wrapper{grammar: wraps("c:E:eFhnosuVw:x", "shared exclusive unlock nonblocking nonblock wait= timeout= conflict-exit-code= close command= no-fork fcntl verbose help version"), operands: 1, text: "-c --command", stops: "-h -V --help --version"}, true
	case "busybox":
		return wrapper{grammar: wraps("", "list list-full install help"), stops: "--list --list-full --install --help"}, true
	case "toybox":
		return wrapper{grammar: wraps("", "long help version"), stops: "--long --help --version"}, true
	case "setarch":
		return wrapper{grammar: personality(), lead: true, shell: "*", stops: "-h -V --help --version --list"}, true
	case "linux32",
		"linux64",
		"i386",
		"x86_64":
		return wrapper{grammar: personality(), shell: "*", stops: "-h -V --help --version --list"}, true
	case "arch":
		return wrapper{grammar: grammar{whole: true, first: true, long: "arch= d= e="}}, true
	case "xcrun":
		return wrapper{grammar: grammar{whole: true, first: true, closed: true, long: "sdk= toolchain= log verbose no-cache kill-cache run find help version show-sdk-path show-sdk-version show-sdk-build-version show-sdk-platform-path show-sdk-platform-version show-toolchain-path n k l f r v h"}, stops: "--find --f --help --h --version --show-sdk-path --show-sdk-version --show-sdk-build-version --show-sdk-platform-path --show-sdk-platform-version --show-toolchain-path"}, true
	case "xargs":
		return wrapper{grammar: wraps("0a:d:E:e::I:i::L:l::n:oP:prR:S:J:s:tx", "null arg-file= delimiter= eof? replace? max-lines? max-args= open-tty max-procs= interactive process-slot-var= no-run-if-empty max-chars= show-limits verbose exit help version"), stops: "--help --version"}, true
	}
	return wrapper{}, false
}

// personality is setarch(8)'s.
func personality() grammar {
	return wraps("hVv3BFILRSTXZ", "list uname-2.6 verbose 3gb 4gb 32bit fdpic-funcptrs short-inode addr-compat-layout addr-no-randomize whole-seconds sticky-timeouts read-implies-exec mmap-page-zero help version show?")
}
