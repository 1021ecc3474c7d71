package shell

import "strings"

// launched reports what a subcommand such as docker exec runs. It returns
// whether c is a program that has one.
func (w *walker) launched(c *Command, args []argument, s scope) bool {
	key, via := c.Name, c.Name
	if other, ok := toolName(key); ok {
		key = other
	}
	if g, ok := launcherOf(key); ok { // npx is npm exec
		w.wrapped(&g, c, via, args, s)
		return true
	}
	unsure := false
	for range strings.Count(longestTool, " ") + 2 {
		options, ok := toolOf(key)
		if !ok {
			return via != c.Name
		}
		items, rest := options.scan(wordsOf(args), "")
		for _, o := range items {
			if o.valued && listed(startsIn(c.Name), o.name) {
				s.chdir(valueFrom(args, o.source, o.value))
			}
		}
		// An unquoted dynamic word is taken for options, or for none.
		for rest < len(args) && args[rest].Dynamic && !args[rest].Quoted {
			rest, unsure = rest+1, true
		}
		if rest >= len(args) {
			return true
		}
		sub := args[rest]
		args = args[rest+1:]
		if sub.Dynamic {
			if len(args) > 0 {
				w.unreadable(args, s.through(via))
			}
			return true
		}
		key += " " + sub.Text
		if other, ok := toolName(key); ok {
			key = other
		}
		via += " " + sub.Text
		g, ok := launcherOf(key)
		switch {
		case ok && unsure:
			w.unreadable(args, w.outside(&g, s).through(via))
			return true
		case ok:
			w.wrapped(&g, c, via, args, s)
			return true
		}
		if _, ok := asideOf(key); ok {
			w.aside(key, via, args, s)
			return true
		}
	}
	return true
}

// longestTool has as many words as any in toolOf.
const longestTool = "docker compose exec"

// unversioned is the program of a package that is named with a version or a
// scope: prettier of prettier@3 and of @scope/prettier.
func unversioned(name argument) argument {
	if slash := strings.LastIndexByte(name.Text, '/'); strings.HasPrefix(name.Text, "@") && slash >= 0 {
		name.Text = name.Text[slash+1:]
	}
	if at := strings.IndexByte(name.Text, '@'); at > 0 {
		name.Text = name.Text[:at]
	}
	return name
}

// inEnvironment is the program of "environment:program", as hatch has it.
func inEnvironment(name argument) argument {
	if colon := strings.IndexByte(name.Text, ':'); colon >= 0 {
		name.Text = name.Text[colon+1:]
	}
	return name
}

// toolName gives what is another name of a tool or of its subcommand the name that
// is listed.
func toolName(key string) (string, bool) {
	switch key {
	case "podman", "nerdctl", "finch":
		return "docker", true
	case "docker-compose", "podman-compose":
		return "docker compose", true
	case "docker container":
		return "docker", true
	case "docker container run":
		return "docker run", true
	case "docker container exec":
		return "docker exec", true
	case "oc", "kubecolor", "k3s kubectl", "microk8s kubectl", "minikube kubectl":
		return "kubectl", true
	case "incus":
		return "lxc", true
	case "mamba", "micromamba":
		return "conda", true
	case "singularity":
		return "apptainer", true
	case "npx", "npm x":
		return "npm exec", true
	case "bunx":
		return "bun x", true
	case "pnpx", "pnx":
		return "pnpm dlx", true
	case "bundler":
		return "bundle", true
	case "mise x":
		return "mise exec", true
	case "rtx":
		return "mise", true
	case "nodenv", "pyenv", "jenv", "plenv", "goenv", "phpenv", "asdf":
		return "rbenv", true
	case "infisical":
		return "doppler", true
	case "pdm", "rye", "pixi":
		return "poetry", true
	case "uvx":
		return "uv tool run", true
	case "nx":
		return "lerna", true
	case "perf mem record", "perf c2c record", "perf sched record", "perf lock record",
		"perf kmem record", "perf timechart record", "perf kvm record":
		return "perf record", true
	}
	return "", false
}

// toolOf is about programs of which some subcommands run a command: it returns the
// options that come before the subcommand.
func toolOf(key string) (grammar, bool) {
	switch key {
	case "docker":
		return wrapsOpen("c:H:l:", "config= context= host= log-level= tlscacert= tlscert= tlskey= connection= identity= root= runroot= runtime= storage-driver= storage-opt= url= tmpdir= volumepath= cgroup-manager= conmon= events-backend= hooks-dir= imagestore= module= network-cmd-path= network-config-dir= runtime-flag= ssh= namespace= address= snapshotter= data-root= cni-path= cni-netconfpath="), true
	case "docker compose":
		return wrapsOpen("f:p:H:c:", "file= project-name= profile= env-file= project-directory= parallel= ansi= progress= host= context= log-level="), true
	case "kubectl":
		return wrapsOpen("n:s:v:", kubectlOptions), true
	case "k3s",
		"microk8s":
		return wrapsOpen("", ""), true
	case "minikube":
		return wrapsOpen("p:b:", "profile= bootstrapper="), true
	case "lxc":
		return wrapsOpen("", "project="), true
	case "lima":
		return wrapsOpen("", ""), true
	case "limactl":
		return wrapsOpen("", "log-level= log-format="), true
	case "multipass":
		return wrapsOpen("", ""), true
	case "crictl":
		return wrapsOpen("c:r:i:t:", "config= runtime-endpoint= image-endpoint= timeout="), true
	case "toolbox":
		return wrapsOpen("", "log-level="), true
	case "distrobox":
		return wrapsOpen("", ""), true
	case "apptainer":
		return wrapsOpen("c:", "config="), true
	case "flatpak":
		return wrapsOpen("", "installation="), true
	case "machinectl":
		return wrapsOpen("H:M:n:o:p:u:E:", "host= machine= property= lines= output= uid= setenv="), true
	case "heroku":
		return wrapsOpen("", ""), true
	case "adb":
		return wrapsOpen("s:t:P:H:L:", ""), true
	case "npm":
		return wrapsOpen("C:w:", "prefix= workspace= registry= loglevel= cache= userconfig="), true
	case "pnpm":
		return wrapsOpen("C:F:", "dir= filter= filter-prod= loglevel= reporter= workspace-concurrency="), true
	case "yarn":
		return wrapsOpen("", "cwd= registry= cache-folder= modules-folder="), true
	case "bun":
		return wrapsOpen("", "cwd= config= env-file="), true
	case "lerna":
		return wrapsOpen("", "scope= ignore= concurrency= loglevel= since="), true
	case "bundle":
		return wrapsOpen("r:", "retry="), true
	case "rbenv":
		return wrapsOpen("", ""), true
	case "mise":
		return wrapsOpen("C:E:j:P:", "cd= env= jobs= profile= log-level="), true
	case "volta":
		return wrapsOpen("", ""), true
	case "fnm":
		return wrapsOpen("", "fnm-dir= node-dist-mirror= log-level= arch="), true
	case "nvm",
		"rustup":
		return wrapsOpen("", ""), true
	case "poetry":
		return wrapsOpen("P:C:p:", "project= directory="), true
	case "pipenv":
		return wrapsOpen("", "python= pypi-mirror="), true
	case "uv",
		"uv tool":
		return wrapsOpen("", uvOptions), true
	case "pipx":
		return wrapsOpen("", ""), true
	case "hatch":
		return wrapsOpen("e:p:", "env= project= cache-dir= config= data-dir="), true
	case "conda",
		"direnv",
		"devbox":
		return wrapsOpen("", ""), true
	case "nix":
		return wrapsOpen("", "option= extra-experimental-features= experimental-features= log-format="), true
	case "foreman":
		return wrapsOpen("f:e:d:", "procfile= env= root="), true
	case "op":
		return wrapsOpen("", "account= cache= config= encoding= format= session="), true
	case "doppler":
		return wrapsOpen("t:", "token= config-dir= configuration= api-host= env= scope= domain= log-level="), true
	case "aws-vault":
		return wrapsOpen("", "backend= prompt= pass-dir= pass-cmd= keychain= file-dir="), true
	case "aws-okta":
		return wrapsOpen("", "backend="), true
	case "chamber":
		return wrapsOpen("b:r:", "backend= retries= backend-s3-bucket="), true
	case "sops":
		return wrapsOpen("", ""), true
	case "teller":
		return wrapsOpen("c:", "config="), true
	case "dotenvx":
		return wrapsOpen("", "log-level="), true
	case "wezterm":
		return wrapsOpen("", "config-file= config="), true
	case "perf":
		return wrapsOpen("", "exec-path= html-path= debugfs-dir= buildid-dir= debug="), true
	case "perf mem", "perf c2c", "perf sched", "perf lock", "perf kmem",
		"perf timechart", "perf kvm",
		"rr":
		return wrapsOpen("", ""), true
	case "gcloud":
		return wrapsOpen("", "project= account= configuration="), true
	case "gcloud compute":
		return wrapsOpen("", ""), true
	}
	return grammar{}, false
}

const kubectlOptions = "namespace= context= cluster= user= kubeconfig= server= token= as= as-group= as-uid= certificate-authority= client-certificate= client-key= request-timeout= cache-dir= tls-server-name= profile= profile-output= password= username= v= vmodule= kuberc="

const uvOptions = "python= directory= project= package= index= default-index= index-url= extra-index-url= find-links= resolution= prerelease= exclude-newer= link-mode= config-setting= cache-dir= color= config-file= python-platform= refresh-package= upgrade-package= reinstall-package= no-build-package= no-binary-package= no-build-isolation-package= fork-strategy= keyring-provider= allow-insecure-host= index-strategy= with= with-editable= with-requirements= extra= no-extra= group= no-group= only-group= env-file= from= overrides= constraints= build-constraints= python-preference= exclude-newer-package="
