package shell

// sandboxWrapper is about the programs that run a command in other namespaces, or with another root.
func sandboxWrapper(name string) (wrapper, bool) {
	switch name {
	case "chroot":
		return wrapper{grammar: wraps("u:g:G:n", "userspec= groups= skip-chdir help version"), operands: 1, shell: "*", stops: "--help --version"}, true
	case "unshare":
		return wrapper{grammar: wraps("cfhimnprS:G:uCR:TUVw:l::", "mount? uts? ipc? net? pid? user? cgroup? time? fork map-root-user map-current-user map-auto map-user= map-group= map-users= map-groups= map-subids kill-child? mount-proc? mount-binfmt? propagation= setgroups= keep-caps root= wd= setuid= setgid= monotonic= boottime= load-interp? owner= forward-signals help version"), chdir: "-w --wd", shell: "*", stops: "-h -V --help --version"}, true
	case "nsenter":
		return wrapper{grammar: wraps("at:m::u::i::n::p::C::U::T::S:G:r::w::W:FZhVecN:", "all target= mount? uts? ipc? net? pid? user? cgroup? time? setuid= setgid= preserve-credentials keep-caps root? wd? wdns= env join-cgroup no-fork follow-context user-parent net-socket= help version"), chdir: "-w --wd -W --wdns", shell: "*", stops: "-h -V --help --version"}, true
	case "setpriv":
		return wrapper{grammar: wraps("dhV", "dump nnp no-new-privs ambient-caps= inh-caps= bounding-set= ruid= euid= rgid= egid= reuid= regid= clear-groups keep-groups init-groups groups= list-caps securebits= pdeathsig= ptracer= selinux-label= apparmor-profile= landlock-access= landlock-rule= seccomp-filter= reset-env help version"), stops: "-d -h -V --dump --list-caps --help --version"}, true
	case "firejail":
		return wrapper{grammar: wrapsOpen("c:", ""), text: "-c", sets: "--env", shell: "*", stops: "-h -? --help --version --list --tree --top --netstats --shutdown --ls --get --put --cat --fs.print --caps.print --cpu.print --dns.print --debug-caps --debug-errnos --debug-syscalls"}, true
	case "torsocks":
		return wrapper{grammar: wraps("u:p:a:P:idqhs", "user= pass= address= port= isolate debug quiet shell on off show help version"), shell: "-s --shell", stops: "-h --help --version"}, true
	case "torify":
		return wrapper{grammar: wraps("vhu:p:a:P:idq", "verbose help version user= pass= address= port= isolate debug quiet"), stops: "-h --help --version"}, true
	case "tsocks":
		return wrapper{grammar: wraps("", "")}, true
	case "usewithtor":
		return wrapper{grammar: wraps("v", "")}, true
	case "proxychains",
		"proxychains4":
		return wrapper{grammar: wraps("qf:", "")}, true
	case "systemd-nspawn":
		return wrapper{grammar: wraps("hqPD:i:axbu:M:S:p:E:jUL:Z:", "help version quiet no-pager no-ask-password directory= template= ephemeral image= image-policy= oci-bundle= read-only volatile? root-hash= root-hash-sig= verity-data= pivot-root= as-pid2 boot chdir= setenv= user= kill-signal= notify-ready= suppress-sync= machine= hostname= uuid= slice= property= register= keep-unit private-users? private-users-ownership= private-users-chown private-network network-interface= network-macvlan= network-ipvlan= network-veth network-veth-extra= network-bridge= network-zone= network-namespace-path= port= capability= drop-capability= ambient-capability= no-new-privileges= system-call-filter= rlimit= oom-score-adjust= cpu-affinity= personality= selinux-context= selinux-apifs-context= resolv-conf= timezone= link-journal= bind= bind-ro= bind-user= inaccessible= tmpfs= overlay= overlay-ro= console= pipe settings= load-credential= set-credential= background= uid="),
			chdir: "--chdir", sets: "-E --setenv", remote: true, stops: "-h --help --version -b --boot"}, true
	case "arch-chroot":
		return wrapper{grammar: wraps("hNu:rS", ""), operands: 1, shell: "*", stops: "-h"}, true
	case "flatpak-spawn":
		return wrapper{grammar: wraps("vh", "help verbose host clear-env latest-version no-network watch-bus expose-pids share-pids sandbox forward-fd= env= unset-env= env-fd= sandbox-expose= sandbox-expose-ro= sandbox-flag= sandbox-expose-path= sandbox-expose-path-ro= sandbox-expose-path-try= sandbox-expose-path-ro-try= sandbox-a11y-own-name= directory= app-path= usr-path="), sets: "--env", chdir: "--directory", stops: "-h --help"}, true
	case "distrobox-enter":
		return wrapper{grammar: wraps("a:en:THvhrdV", "name= no-tty no-workdir clean-path additional-flags= root dry-run exec help verbose version"), behind: true, operands: 1, unless: true, shell: "*", remote: true, stops: "-h -V -d --help --version --dry-run"}, true
	}
	return wrapper{}, false
}

// traceWrapper is about the programs that watch what a command does.
func traceWrapper(name string) (wrapper, bool) {
	switch name {
	case "strace":
		return wrapper{grammar: wraps("a:Ab:cCdDe:E:fFhiI:kno:O:p:P:qrs:S:tTu:U:vVwxX:yYzZ", "abbrev= absolute-timestamps? always-show-pid argv0= attach= columns= const-print-style= daemonize? daemonized? debug decode-fds? decode-pids= detach-on= env= failed-only failing-only fault= follow-forks help inject= instruction-pointer interruptible= kvm= no-abbrev output= output-append-mode output-separately pidns-translation quiet? raw= read= relative-timestamps? seccomp-bpf secontext? signal= signals= silent? silence? stack-trace? stack-traces? stack-trace-frame-limit= status= string-limit= strings-in-hex? successful-only summary summary-only summary-columns= summary-sort-by= summary-syscall-overhead= summary-wall-clock syscall-limit= syscall-number syscall-times? timestamps? tips? trace= trace-fds= trace-path= user= verbose= version write="),
			piped: "-o --output", sets: "-E --env", stops: "-h -V --version --help"}, true
	case "ltrace":
		return wrapper{grammar: wraps("a:A:bcCD:e:fF:hil:Ln:o:p:rs:StTu:w:x:V", "align= config= no-signals demangle debug= help library= indent= output= where= version"), stops: "-h -V --help --version"}, true
	case "valgrind":
		return wrapper{grammar: wrapsOpen("", ""), stops: "-h --help --help-debug --help-dyn-options --version"}, true
	case "watchexec":
		return wrapper{grammar: wraps("1w:W:e:f:i:j:o:rs:S:pd:E:Nc::nqhVvk", "watch= watch-non-recursive= watch-file= clear? on-busy-update= restart signal= stop-signal= stop-timeout= map-signal= debounce= stdin-quit no-vcs-ignore no-project-ignore no-global-ignore no-default-ignore no-discover-ignore ignore-nothing postpone delay-run= poll? force-poll= shell= no-shell no-environment emit-events-to= only-emit-events env= no-process-group wrap-process= notify color= timings quiet bell project-origin= workdir= exts= filter= filter-file= filter-prog= ignore= ignore-file= fs-events= no-meta print-events manual completions= verbose? log-file? kill once version help"),
			joins: true, direct: "-n --no-shell", sets: "-E --env", chdir: "--workdir", stops: "-h -V --help --version --manual --completions --only-emit-events"}, true
	case "sshpass":
		return wrapper{grammar: wraps("p:f:d:eP:vhV", ""), stops: "-h -V"}, true
	case "unbuffer":
		return wrapper{grammar: wraps("p", "")}, true
	case "rlwrap":
		return wrapper{grammar: wraps("a::A::b:cC:d::D:e:Ef:F:g:hH:iIl:nNM:m::oO:p::P:q:rRs:S:t:TUvw:Wz:X", "always-readline? ansi-colour-aware? break-chars= complete-filenames command-name= debug? history-no-dupes= extra-char-after-completion= always-echo file= forget-matching= help history-filename= case-insensitive pass-sigint-as-sigterm logfile= multi-line? multi-line-ext= no-warnings no-children one-shot only-cook= prompt-colour? pre-given= quote-characters= remember renice histsize= substitute-prompt= set-term-name= mirror-arguments version wait-before-prompt= polling filter= skip-setctty"), text: "-z --filter", also: true, stops: "-h -v --help --version"}, true
	case "bpftrace":
		return wrapper{grammar: wrapsOpen("B:f:o:e:I:p:c:", "include="), text: "-c", textOnly: true}, true
	case "heaptrack":
		return wrapper{grammar: wraps("o:p:rd:h", "output= pid= record-only raw debug asan interpret use-inject help version"), stops: "-p -h --pid --help --version"}, true
	case "lldb":
		return wrapper{grammar: wrapsOpen("a:c:f:k:K:n:o:O:p:s:S:w:l:", "arch= core= file= one-line-on-crash= source-on-crash= attach-name= one-line= one-line-before-file= attach-pid= source= source-before-file= repl-language= script-language="), stops: "-h -v --help --version"}, true
	}
	return wrapper{}, false
}

// environmentWrapper is about the programs that set variables for a command.
func environmentWrapper(name string) (wrapper, bool) {
	switch name {
	case "env":
		return wrapper{grammar: dashed(wraps("0iu:C:S:vP:a:L:U:", "ignore-environment null unset= chdir= split-string= block-signal? default-signal? ignore-signal? list-signal-handling debug argv0= help version")),
			assigns: true, split: "-S --split-string", chdir: "-C --chdir", unsets: "-u --unset", clears: "-i - --ignore-environment", stops: "--help --version"}, true
	case "envdir":
		return wrapper{grammar: wraps("", ""), operands: 1}, true
	case "cross-env":
		return wrapper{grammar: wraps("", ""), assigns: true}, true
	case "cross-env-shell":
		return wrapper{grammar: wraps("", ""), assigns: true, joins: true}, true
	case "env-cmd":
		return wrapper{grammar: wraps("e:f:xr:", "environments= file= fallback no-override silent use-shell rc-file= expand-envs recursive verbose help version"), stops: "--help --version"}, true
	case "dotenv":
		return wrapper{grammar: wraps("e:p:v:c::oqf:i:", "help overload quiet file= debug export expand"), sets: "-v", dashes: true, verbs: "run", stops: "-p --help"}, true
	case "envchain":
		return wrapper{grammar: wraps("snrlv", "set list unset noecho require-passphrase no-require-passphrase"), operands: 1, stops: "-s --set -l --list --unset"}, true
	case "summon":
		return wrapper{grammar: wraps("p:e:f:D:vhuV", "provider= environment= yaml= ignore= ignore-all up help version provider-versions all-provider-versions"), stops: "-V -v -h --help --version"}, true
	}
	return wrapper{}, false
}
