package shell

// launcherOf is about the subcommands that run a command.
func launcherOf(key string) (wrapper, bool) {
	switch key {
	// Containers and other machines. Where an option isn't known, the word
	// behind it may be its value, or the image.
	case "docker run":
		return wrapper{grammar: wraps("a:c:de:h:il:m:p:Pqtu:v:w:", "add-host= annotation= arch= attach= authfile= blkio-weight= blkio-weight-device= cap-add= cap-drop= cert-dir= cgroup-conf= cgroup-parent= cgroupns= cgroups= chrootdirs= cidfile= conmon-pidfile= cpu-count= cpu-percent= cpu-period= cpu-quota= cpu-rt-period= cpu-rt-runtime= cpu-shares= cpus= cpuset-cpus= cpuset-mems= creds= decryption-key= detach detach-keys= device= device-cgroup-rule= device-read-bps= device-read-iops= device-write-bps= device-write-iops= disable-content-trust? dns= dns-opt= dns-option= dns-search= domainname= entrypoint= env= env-file= env-host env-merge= expose= gidmap= gpus= group-add= group-entry= health-cmd= health-interval= health-log-destination= health-max-log-count= health-max-log-size= health-on-failure= health-retries= health-start-interval= health-start-period= health-startup-cmd= health-startup-interval= health-startup-retries= health-startup-success= health-startup-timeout= health-timeout= help hostname= hosts-file= hostuser= http-proxy? image-volume= init? init-ctr= init-path= interactive? io-maxbandwidth= io-maxiops= ip= ip6= ipc= isolation= kernel-memory= label= label-file= link= link-local-ip= log-driver= log-opt= mac-address= memory= memory-reservation= memory-swap= memory-swappiness= mount= name= net= net-alias= network= network-alias= no-healthcheck no-hostname no-hosts? oom-kill-disable? oom-score-adj= os= override-arch= override-os= passwd? passwd-entry= personality= pid= pidfile= pids-limit= platform= pod= pod-id-file= preserve-fd= preserve-fds= privileged? publish= publish-all? pull= quiet? rdt-class= read-only? read-only-tmpfs? replace? requires= restart= retry= retry-delay= rm? rmi? rootfs? runtime= sdnotify= seccomp-policy= secret= security-opt= shm-size= shm-size-systemd= sig-proxy? signature-policy= stop-signal= stop-timeout= storage-opt= subgidname= subuidname= sysctl= systemd= timeout= tls-verify? tmpfs= tty? tz= uidmap= ulimit= umask= unsetenv= unsetenv-all use-api-socket user= userns= uts= variant= volume= volume-driver= volumes-from= workdir="),
			operands: 1, program: "--entrypoint", sets: "-e --env", chdir: "-w --workdir", remote: true, stops: "--help"}, true
	case "docker exec":
		return wrapper{grammar: wraps("de:itu:w:", "cidfile= detach? detach-keys= env= env-file= help interactive? no-session preserve-fd= preserve-fds= privileged? tty? user= workdir="),
			operands: 1, sets: "-e --env", chdir: "-w --workdir", remote: true, stops: "--help"}, true
	case "docker unshare":
		return wrapper{grammar: wraps("h", "help rootless-netns"), stops: "-h --help"}, true
	// of podman: as root of its own files
	case "docker compose exec":
		return wrapper{grammar: wraps("de:iTtu:w:", "detach dry-run env= help index= interactive? no-TTY no-tty privileged tty user= workdir="),
			operands: 1, sets: "-e --env", chdir: "-w --workdir", remote: true, stops: "--help --dry-run"}, true
	case "docker compose run":
		return wrapper{grammar: wraps("de:il:p:PqTtu:v:w:", "build cap-add= cap-drop= detach dry-run entrypoint= env= env-from-file= help interactive? label= name= no-TTY no-tty no-deps podman-args= publish= pull= quiet quiet-build quiet-pull remove-orphans rm service-ports tty use-aliases user= volume= workdir="),
			operands: 1, program: "--entrypoint", sets: "-e --env", chdir: "-w --workdir", remote: true, stops: "--help --dry-run"}, true
	case "kubectl exec":
		return wrapper{grammar: wrapsOpen("n:s:v:c:f:", kubectlOptions+" container= filename= pod-running-timeout="), operands: 1, behind: true, remote: true, stops: "-h --help"}, true
	case "kubectl run":
		return wrapper{grammar: wrapsOpen("n:s:v:f:k:l:L:o:", kubectlOptions+" annotations= env= image= image-pull-policy= field-manager= filename= grace-period= kustomize= labels= output= override-type= overrides= pod-running-timeout= port= restart= template= timeout="), operands: 1, behind: true, remote: true, stops: "-h --help --dry-run"}, true
	case "kubectl debug":
		return wrapper{grammar: wrapsOpen("n:s:v:c:f:", kubectlOptions+" arguments-only? container= copy-to= custom= env= filename= image= image-pull-policy= profile= set-image= target="), operands: 1, behind: true, remote: true, stops: "-h --help"}, true
	case "kubectl rsh":
		return wrapper{grammar: wrapsOpen("n:s:c:", kubectlOptions+" container= shell= timeout="), operands: 1, shell: "*", remote: true, stops: "-h --help"}, true
	case "lxc exec":
		return wrapper{grammar: wrapsOpen("n:t:T:", "cwd= env= group= mode= user= project="), operands: 1, behind: true, sets: "--env", chdir: "--cwd", remote: true, stops: "-h --help"}, true
	case "multipass exec":
		return wrapper{grammar: wrapsOpen("d:", "working-directory="), operands: 1, behind: true, chdir: "-d --working-directory", remote: true, stops: "-h --help"}, true
	case "limactl shell":
		return wrapper{grammar: wrapsOpen("", "workdir= shell="), operands: 1, chdir: "--workdir", shell: "*", remote: true, stops: "-h --help"}, true
	case "crictl exec":
		return wrapper{grammar: wrapsOpen("n:r:", "timeout= name= image= label= pod= parallel="), operands: 1, remote: true, stops: "-h --help"}, true
	case "toolbox run":
		return wrapper{grammar: wrapsOpen("c:d:r:", "container= distro= release= preserve-fds="), shell: "*"}, true
	case "distrobox enter":
		return wrapper{grammar: wrapsOpen("n:a:", "name= additional-flags="), operands: 1, behind: true, shell: "*", remote: true, stops: "-h --help --dry-run -d"}, true
	case "apptainer exec":
		return wrapper{grammar: wraps("aB:cCeE:ipSuW:H:fn", "add-caps= allow-setuid app= apply-cgroups= bind= blkio-weight= blkio-weight-device= cleanenv compat contain containall cpu-shares= cpus= cpuset-cpus= cpuset-mems= cwd= disable-cache dns= docker-login drop-caps= env= env-file= fakeroot fusemount= home= hostname= ipc keep-privs memory= memory-reservation= memory-swap= mount= net network= network-args= no-eval no-home no-https no-init no-mount= no-privs no-umask nv nvccli oom-kill-disable overlay= passphrase pem-path= pid pids-limit= pwd= rocm scratch= security= shell= tmp-sandbox underlay unsquash userns uts workdir= writable writable-tmpfs help"),
			operands: 1, sets: "--env", chdir: "--pwd --cwd", remote: true, stops: "--help"}, true
	case "flatpak run":
		return wrapper{grammar: wrapsOpen("d", "command= arch= branch= cwd= commit= runtime= runtime-version= share= unshare= socket= filesystem= env="), operands: 1, program: "--command", chdir: "--cwd", remote: true, stops: "-h --help"}, true
	case "machinectl shell":
		return wrapper{grammar: wrapsOpen("E:", "setenv= uid= host="), operands: 1, sets: "-E --setenv", shell: "*", remote: true}, true
	case "adb shell":
		return wrapper{grammar: wrapsOpen("e:", ""), joins: true, remote: true}, true
	case "heroku run":
		return wrapper{grammar: wrapsOpen("a:r:s:e:", "app= remote= size= type= env="), joins: true, remote: true, stops: "--help"}, true
	// What a project, or a version of a language, has installed.
	case "npm exec":
		return wrapper{grammar: wrapsOpen("c:n:p:w:", "call= package= workspace= prefix= script-shell= loglevel= cache= userconfig= registry= node-arg= node-options= shell="), text: "-c --call", entrypoint: unversioned, stops: "-h --help"}, true
	case "npm explore":
		return wrapper{grammar: wrapsOpen("", "shell="), operands: 1, behind: true, joins: true}, true
	case "pnpm exec":
		return wrapper{grammar: wrapsOpen("F:C:r", "filter= dir= resume-from= report-summary? workspace-concurrency="), stops: "-h --help"}, true
	case "pnpm dlx":
		return wrapper{grammar: wrapsOpen("F:C:", "package= allow-build= reporter="), entrypoint: unversioned, stops: "-h --help"}, true
	case "yarn exec":
		return wrapper{grammar: wrapsOpen("", "")}, true
	case "yarn dlx",
		"bun x":
		return wrapper{grammar: wrapsOpen("p:", "package="), entrypoint: unversioned}, true
	case "lerna exec":
		return wrapper{grammar: wrapsOpen("", "scope= ignore= concurrency= since= projects="), joins: true}, true
	case "bundle exec":
		return wrapper{grammar: wrapsOpen("", "gemfile=")}, true
	case "rbenv exec":
		return wrapper{grammar: wraps("", "")}, true
	case "mise exec":
		return wrapper{grammar: wrapsOpen("c:C:E:j:P:", "command= cd= env= jobs="), text: "-c --command", behind: true, operands: 99}, true
	case "volta run":
		return wrapper{grammar: wraps("h", "node= npm= pnpm= yarn= bundled-npm no-pnpm no-yarn env= verbose quiet very-verbose help"), sets: "--env", stops: "-h --help"}, true
	case "fnm exec":
		return wrapper{grammar: wrapsOpen("", "using= fnm-dir= node-dist-mirror= log-level= arch=")}, true
	case "nvm exec":
		return wrapper{grammar: wrapsOpen("", ""), operands: 1}, true
	case "rustup run":
		return wrapper{grammar: wraps("h", "install help"), operands: 1, stops: "-h --help"}, true
	case "poetry run":
		return wrapper{grammar: wrapsOpen("p:P:C:e:", "project= directory= environment= manifest-path= env-file=")}, true
	case "pipenv run":
		return wrapper{grammar: wrapsOpen("", "python= pypi-mirror=")}, true
	case "uv run":
		return wrapper{grammar: wrapsOpen("p:w:C:P:i:f:", uvOptions), chdir: "--directory", stops: "-m --module -h --help"}, true
	case "uv tool run":
		return wrapper{grammar: wrapsOpen("p:w:C:P:i:f:", uvOptions), entrypoint: unversioned, stops: "-h --help"}, true
	case "pipx run":
		return wrapper{grammar: wrapsOpen("", "spec= python= index-url= pip-args= path= with="), entrypoint: unversioned}, true
	case "hatch run":
		return wrapper{grammar: wrapsOpen("", ""), entrypoint: inEnvironment}, true
	case "conda run":
		return wrapper{grammar: wrapsOpen("n:p:e:r:a:", "name= prefix= cwd= root-prefix= attach= env="), chdir: "--cwd", stops: "-h --help"}, true
	case "direnv exec":
		return wrapper{grammar: wraps("", ""), operands: 1}, true
	case "devbox run":
		return wrapper{grammar: wrapsOpen("c:e:", "config= env= env-file=")}, true
	case "foreman run":
		return wrapper{grammar: wrapsOpen("f:e:d:", "procfile= env= root="), joins: true}, true
	// Secrets for a command.
	case "op run":
		return wrapper{grammar: wrapsOpen("", "env-file= account= cache= config= session="), stops: "-h --help"}, true
	case "doppler run":
		return wrapper{grammar: wrapsOpen("p:c:t:e:", "project= config= token= command= mount= mount-format= mount-template= mount-max-reads= fallback= passphrase= name-transformer= only-secrets= env= path= projectId= tags="), text: "--command", stops: "-h --help"}, true
	case "aws-vault exec":
		return wrapper{grammar: wrapsOpen("d:t:", "duration= region= mfa-token="), operands: 1, dashes: true, shell: "*", stops: "-h --help"}, true
	case "aws-okta exec":
		return wrapper{grammar: wrapsOpen("t:a:", "session-ttl= assume-role-ttl="), operands: 1, dashes: true}, true
	case "chamber exec":
		return wrapper{grammar: wrapsOpen("", ""), behind: true, operands: 1}, true
	case "sops exec-env":
		return wrapper{grammar: wrapsOpen("", "user="), operands: 1, joins: true}, true
	case "sops exec-file":
		return wrapper{grammar: wrapsOpen("", "user= filename="), operands: 1, joins: true}, true
	case "teller run":
		return wrapper{grammar: wrapsOpen("", "")}, true
	case "dotenvx run":
		return wrapper{grammar: wrapsOpen("e:f:", "env= env-file= env-vault-file= convention="), sets: "-e --env"}, true
	case "wezterm start":
		return wrapper{grammar: wrapsOpen("", "cwd= class= workspace= position="), chdir: "--cwd"}, true
	case "rr record":
		return wrapper{grammar: wrapsOpen("c:e:F:i:M:n:o:p:s:u:v:D:", "output-trace-dir= env= name=")}, true
	case "perf stat":
		return wrapper{grammar: wraps("e:ip:t:b:adr:BC:Anv::x:G:o:I:D:TM:jcShg", "all-cpus all-kernel all-user append big-num bpf-attr-map= bpf-counters bpf-prog= cgroup= control= cpu= cputype= delay= detailed event= field-separator= filter= for-each-cgroup= group help hybrid-merge input= interval-clear interval-count= interval-print= inherit json-output log-fd= metric-no-group metric-no-merge metric-no-threshold metric-only metrics= no-aggr no-big-num no-csv-summary no-inherit no-merge no-scale null output= per-cache? per-cluster per-core per-die per-node per-socket per-thread percore-show-thread pid= post= pre= quiet repeat= scale smi-cost summary sync table td-level= tid= timeout= topdown transaction verbose?"),
			verbs: "record", text: "--pre --post", also: true, stops: "-h --help"}, true
	case "perf record":
		return wrapper{grammar: wraps("abBc:C:de:F:gG:hiI::j:k:m:nNo:p:PqRr:sSt:TD:u:vWz::f", "affinity= aio? all-cgroups all-cpus all-kernel all-user aux-sample? bpf-event branch-any branch-filter= buildid-all buildid-mmap call-graph= cgroup= clang-opt= clang-path= clockid= code-page-size compression-level? control= count= cpu= data data-mem data-page-size debuginfod? delay= dry-run event= exclude-perf filter= force freq= group help intr-regs? kcore kernel-callchains max-size= mmap-flush= mmap-pages= namespaces no-bpf-event no-buffering no-buildid no-buildid-cache no-inherit no-samples num-thread-synthesize= off-cpu output= overwrite period per-thread phys-data pid= proc-map-timeout= quiet raw-samples realtime= running-time sample-cpu sample-identifier snapshot? stat strict-freq switch-events switch-max-files= switch-output? switch-output-event= synth= tail-synthesize threads? tid= timestamp timestamp-boundary timestamp-filename transaction type= uid= user-callchains user-regs? verbose vmlinux= weight ldlat="),
			stops: "-h --help"}, true
	case "perf trace":
		return wrapper{grammar: wraps("ae:D:o:p:t:u:G:vm:C:sSfF::i:Th", "all-cpus call-graph= cgroup= comm cpu= delay= duration= errno-summary event= expr= failure filter= filter-pids= force help input= kernel-syscall-graph libtraceevent_print map-dump= max-events= max-stack= min-stack= mmap-pages= no-comm no-inherit no-syscalls output= pf? pid= print-sample proc-map-timeout= sched sort-events summary switch-off= switch-on= syscalls tid= time tool_stats uid= verbose with-summary show-on-off-events"),
			verbs: "record", stops: "-h --help -i --input"}, true
	}
	return wrapper{}, false
}
