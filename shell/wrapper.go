package shell

// wrapper says how a program that runs another command is called.
type wrapper struct {
	grammar
	operands int    // words between the options and the command, such as a duration
	assigns  bool   // then NAME=value words for the command's environment
	stops    string // options with which it runs nothing: "-v --version"
	text     string // options whose value is text for a shell: "-c --command"
	textOnly bool   // it runs no words, only such text
	joins    bool   // the words are joined to a text for a shell, unless -x
	appends  bool   // it adds words that it reads, as xargs does
}

// wrappers lists the programs that are seen through. Their options are listed
// in full: where one isn't known, what follows can't be told apart, and the
// command behind it is dynamic.
var wrappers = map[string]wrapper{
	"sudo": {grammar: wraps("ABbC:D:Eeg:Hh:iKklNnPp:R:r:SsT:t:U:u:Vva:", "askpass auth-type= background bell close-from= chdir= preserve-env? edit group= set-home help host= login remove-timestamp reset-timestamp list no-update non-interactive preserve-groups prompt= chroot= role= stdin shell command-timeout= type= other-user= user= version validate"),
		assigns: true, stops: "-e -l -v -V -K --edit --list --validate --version --help --remove-timestamp"},
	"doas":   {grammar: wraps("a:C:Lnsu:", ""), stops: "-C -L"},
	"pkexec": {grammar: wraps("u:", "user= version help disable-internal-agent keep-cwd"), stops: "--version --help"},
	"gosu":   {grammar: wraps("", "version help"), operands: 1, stops: "--version --help"},
	"env": {grammar: dashed(wraps("0iu:C:S:vP:a:", "ignore-environment null unset= chdir= split-string= block-signal? default-signal? ignore-signal? list-signal-handling debug argv0= help version")),
		assigns: true, stops: "--help --version"},
	"command":          {grammar: wraps("pvV", ""), stops: "-v -V"},
	"builtin":          {grammar: wraps("", "")},
	"exec":             {grammar: wraps("cla:", "")},
	"nohup":            {grammar: wraps("", "help version"), stops: "--help --version"},
	"nice":             {grammar: wraps("n:", "adjustment= help version"), stops: "--help --version"},
	"ionice":           {grammar: wraps("c:n:p:P:u:thV", "class= classdata= pid= pgid= uid= ignore help version"), stops: "-p -P -u -h -V --pid --pgid --uid --help --version"},
	"chrt":             {grammar: wraps("abdfhiomoprRT:P:D:vV", "all-tasks batch deadline fifo help idle max other pid rr reset-on-fork sched-runtime= sched-period= sched-deadline= verbose version"), operands: 1, stops: "-m -p -h -V --max --pid --help --version"},
	"taskset":          {grammar: wraps("acphV", "all-tasks cpu-list pid help version"), operands: 1, stops: "-p -h -V --pid --help --version"},
	"timeout":          {grammar: wraps("fk:ps:v", "foreground kill-after= preserve-status signal= verbose help version"), operands: 1, stops: "--help --version"},
	"time":             {grammar: wraps("af:o:pqvVlh", "append format= output= portability quiet verbose version help"), stops: "-V --version --help"},
	"setsid":           {grammar: wraps("cfwhV", "ctty fork wait help version"), stops: "-h -V --help --version"},
	"stdbuf":           {grammar: wraps("i:o:e:", "input= output= error= help version"), stops: "--help --version"},
	"chroot":           {grammar: wraps("u:g:G:n", "userspec= groups= skip-chdir help version"), operands: 1, stops: "--help --version"},
	"unshare":          {grammar: wraps("cfhimnprS:G:uCR:TUVw:", "mount? uts? ipc? net? pid? user? cgroup? time? fork map-root-user map-current-user map-auto map-user= map-group= map-users= map-groups= kill-child? mount-proc? mount-binfmt? propagation= setgroups= keep-caps root= wd= setuid= setgid= monotonic= boottime= help version"), stops: "-h -V --help --version"},
	"setpriv":          {grammar: wraps("dhV", "dump nnp no-new-privs ambient-caps= inh-caps= bounding-set= ruid= euid= rgid= egid= reuid= regid= clear-groups keep-groups init-groups groups= list-caps securebits= pdeathsig= selinux-label= apparmor-profile= reset-env help version"), stops: "-d -h -V --dump --list-caps --help --version"},
	"strace":           {grammar: wraps("a:b:cCdDe:E:fFhI:iknN:o:O:p:P:qrs:S:tTu:U:vVwX:xyYzZ", "attach= columns= seccomp-bpf failed-only successful-only follow-forks output-separately output= quiet? relative-timestamps? string-limit= summary summary-only summary-wall-clock syscall-times? trace= trace-path= user= env= version help"), stops: "-h -V --version --help"},
	"fakeroot":         {grammar: wraps("l:s:i:ub:hv", "lib= faked= save-file= load-file= unknown-is-real fd-base= help version"), stops: "-h -v --help --version"},
	"caffeinate":       {grammar: wraps("disumt:w:", "")},
	"xargs":            {grammar: wraps("0a:d:E:e::I:i::L:l::n:oP:prR:S:J:s:tx", "null arg-file= delimiter= eof? replace? max-lines? max-args= open-tty max-procs= interactive process-slot-var= no-run-if-empty max-chars= show-limits verbose exit help version"), appends: true, stops: "--help --version"},
	"watch":            {grammar: wraps("bcCd::efghn:pq:rs:twxv", "beep color no-color differences? errexit follow chgexit equexit= interval= precise no-rerun shotsdir= no-title no-wrap exec help version"), joins: true, stops: "-h -v --help --version"},
	"flock":            {grammar: wraps("c:E:eFhnosuVw:x", "shared exclusive unlock nonblocking nonblock wait= timeout= conflict-exit-code= close command= no-fork fcntl verbose help version"), operands: 1, text: "-c --command", stops: "-h -V --help --version"},
	"busybox":          {grammar: wraps("", "list list-full install help"), stops: "--list --list-full --install --help"},
	"toybox":           {grammar: wraps("", "long help version"), stops: "--long --help --version"},
	"su":               {grammar: dashed(anywhere("c:fg:G:hlmpPs:TVw:", "command= session-command= fast group= supp-group= login preserve-environment pty no-pty shell= whitelist-environment= help version")), text: "-c --command --session-command", textOnly: true},
	"runuser":          {grammar: dashed(wraps("c:fg:G:hlmpPs:Tu:Vw:", "command= session-command= fast group= supp-group= login preserve-environment pty no-pty shell= user= whitelist-environment= help version")), text: "-c --command --session-command"},
	"script":           {grammar: anywhere("aB:c:eE:fhI:m:o:O:qt::T:V", "append command= echo= flush force log-in= log-io= log-out= log-timing= logging-format= output-limit= quiet return timing? help version"), text: "-c --command", textOnly: true},
	"noglob":           {grammar: wraps("", "")},
	"nocorrect":        {grammar: wraps("", "")},
	"proxychains":      {grammar: wraps("qf:", "")},
	"proxychains4":     {grammar: wraps("qf:", "")},
	"catchsegv":        {grammar: wraps("", "help version"), stops: "--help --version"},
	"unbuffer":         {grammar: wraps("p", "")},
	"systemd-run":      {grammar: wraps("GSPd:E:H:hM:p:qtu:", "no-ask-password user system host= machine= scope unit= property= description= slice= slice-inherit expand-environment= no-block remain-after-exit wait send-sighup service-type= uid= gid= nice= working-directory= same-dir pty pipe quiet setenv= shell on-active= on-boot= on-startup= on-unit-active= on-unit-inactive= on-calendar= path-property= socket-property= timer-property= collect help version"), stops: "-h --help --version"},
	"systemd-inhibit":  {grammar: wraps("h", "no-pager no-legend no-ask-password what= who= why= mode= list help version"), stops: "-h --list --help --version"},
	"dbus-run-session": {grammar: wraps("", "config-file= dbus-daemon= help version"), stops: "--help --version"},
	"firejail":         {grammar: grammar{first: true}},
}

// wrapperOf returns the wrapper of that name, which may have the "g" that GNU
// programs have on other systems.
func wrapperOf(name string) (wrapper, bool) {
	switch name {
	case "gchroot", "genv", "gnice", "gnohup", "gstdbuf", "gtime", "gtimeout", "gxargs":
		name = name[1:]
	}
	w, ok := wrappers[name]
	return w, ok
}

// shells run the text that -c gives them or that is on their standard input.
var shells = map[string]bool{
	"bash": true, "sh": true, "zsh": true, "dash": true, "ksh": true, "ksh93": true, "mksh": true,
	"ash": true, "rbash": true, "yash": true,
}

// shellGrammar is what the shells have in common. That -c has its text as the
// first operand, and not as its value, is why it is no option with a value.
var shellGrammar = grammar{short: "o:O:", long: "rcfile= init-file=", first: true, plus: true, dash: true}

func wraps(short, long string) grammar {
	return grammar{short: short, long: long, closed: true, first: true}
}

// anywhere is for those that take options after operands too.
func anywhere(short, long string) grammar {
	return grammar{short: short, long: long, closed: true}
}

func dashed(g grammar) grammar {
	g.dash = true
	return g
}
