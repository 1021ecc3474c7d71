package shell

import "strings"

// launched reports what a subcommand such as docker exec runs. It returns
// whether c is a program that has one.
func (w *walker) launched(c *Command, args []argument, s scope) bool {
	key, via := c.Name, c.Name
	if other, ok := toolNames[key]; ok {
		key = other
	}
	if g, ok := launchers[key]; ok { // npx is npm exec
		w.wrapped(&g, c, via, args, s)
		return true
	}
	unsure := false
	for range strings.Count(longestTool, " ") + 2 {
		options, ok := tools[key]
		if !ok {
			return via != c.Name
		}
		_, rest := options.scan(wordsOf(args), "")
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
		if other, ok := toolNames[key]; ok {
			key = other
		}
		via += " " + sub.Text
		g, ok := launchers[key]
		switch {
		case ok && unsure:
			w.unreadable(args, w.outside(&g, s).through(via))
			return true
		case ok:
			w.wrapped(&g, c, via, args, s)
			return true
		}
		if _, ok := asides[key]; ok {
			w.aside(key, via, args, s)
			return true
		}
	}
	return true
}

// longestTool has as many words as any in tools.
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

// toolNames are other names of tools and of their subcommands.
var toolNames = map[string]string{
	"podman": "docker", "nerdctl": "docker", "finch": "docker", "docker-compose": "docker compose", "podman-compose": "docker compose",
	"docker container": "docker", "docker container run": "docker run", "docker container exec": "docker exec",
	"oc": "kubectl", "kubecolor": "kubectl", "k3s kubectl": "kubectl", "microk8s kubectl": "kubectl", "minikube kubectl": "kubectl",
	"incus": "lxc", "mamba": "conda", "micromamba": "conda", "singularity": "apptainer",
	"npx": "npm exec", "npm x": "npm exec", "bunx": "bun x", "pnpx": "pnpm dlx", "pnx": "pnpm dlx", "bundler": "bundle", "mise x": "mise exec", "rtx": "mise",
	"nodenv": "rbenv", "pyenv": "rbenv", "jenv": "rbenv", "plenv": "rbenv", "goenv": "rbenv", "phpenv": "rbenv", "asdf": "rbenv",
	"infisical": "doppler", "pdm": "poetry", "rye": "poetry", "pixi": "poetry", "uvx": "uv tool run", "nx": "lerna",
	"perf mem record": "perf record", "perf c2c record": "perf record", "perf sched record": "perf record", "perf lock record": "perf record",
	"perf kmem record": "perf record", "perf timechart record": "perf record", "perf kvm record": "perf record",
}

// tools are programs of which some subcommands run a command, with the options
// that come before the subcommand.
var tools = map[string]grammar{
	"docker":         wrapsOpen("c:H:l:", "config= context= host= log-level= tlscacert= tlscert= tlskey= connection= identity= root= runroot= runtime= storage-driver= storage-opt= url= tmpdir= volumepath= cgroup-manager= conmon= events-backend= hooks-dir= imagestore= module= network-cmd-path= network-config-dir= runtime-flag= ssh= namespace= address= snapshotter= data-root= cni-path= cni-netconfpath="),
	"docker compose": wrapsOpen("f:p:H:c:", "file= project-name= profile= env-file= project-directory= parallel= ansi= progress= host= context= log-level="),
	"kubectl":        wrapsOpen("n:s:v:", kubectlOptions),
	"k3s":            wrapsOpen("", ""),
	"microk8s":       wrapsOpen("", ""),
	"minikube":       wrapsOpen("p:b:", "profile= bootstrapper="),
	"lxc":            wrapsOpen("", "project="),
	"lima":           wrapsOpen("", ""),
	"limactl":        wrapsOpen("", "log-level= log-format="),
	"multipass":      wrapsOpen("", ""),
	"crictl":         wrapsOpen("c:r:i:t:", "config= runtime-endpoint= image-endpoint= timeout="),
	"toolbox":        wrapsOpen("", "log-level="),
	"distrobox":      wrapsOpen("", ""),
	"apptainer":      wrapsOpen("c:", "config="),
	"flatpak":        wrapsOpen("", "installation="),
	"machinectl":     wrapsOpen("H:M:n:o:p:u:E:", "host= machine= property= lines= output= uid= setenv="),
	"heroku":         wrapsOpen("", ""),
	"adb":            wrapsOpen("s:t:P:H:L:", ""),

	"npm":       wrapsOpen("C:w:", "prefix= workspace= registry= loglevel= cache= userconfig="),
	"pnpm":      wrapsOpen("C:F:", "dir= filter= filter-prod= loglevel= reporter= workspace-concurrency="),
	"yarn":      wrapsOpen("", "cwd= registry= cache-folder= modules-folder="),
	"bun":       wrapsOpen("", "cwd= config= env-file="),
	"lerna":     wrapsOpen("", "scope= ignore= concurrency= loglevel= since="),
	"bundle":    wrapsOpen("r:", "retry="),
	"rbenv":     wrapsOpen("", ""),
	"mise":      wrapsOpen("C:E:j:P:", "cd= env= jobs= profile= log-level="),
	"volta":     wrapsOpen("", ""),
	"fnm":       wrapsOpen("", "fnm-dir= node-dist-mirror= log-level= arch="),
	"nvm":       wrapsOpen("", ""),
	"rustup":    wrapsOpen("", ""),
	"poetry":    wrapsOpen("P:C:p:", "project= directory="),
	"pipenv":    wrapsOpen("", "python= pypi-mirror="),
	"uv":        wrapsOpen("", uvOptions),
	"uv tool":   wrapsOpen("", uvOptions),
	"pipx":      wrapsOpen("", ""),
	"hatch":     wrapsOpen("e:p:", "env= project= cache-dir= config= data-dir="),
	"conda":     wrapsOpen("", ""),
	"direnv":    wrapsOpen("", ""),
	"devbox":    wrapsOpen("", ""),
	"nix":       wrapsOpen("", "option= extra-experimental-features= experimental-features= log-format="),
	"foreman":   wrapsOpen("f:e:d:", "procfile= env= root="),
	"op":        wrapsOpen("", "account= cache= config= encoding= format= session="),
	"doppler":   wrapsOpen("t:", "token= config-dir= configuration= api-host= env= scope= domain= log-level="),
	"aws-vault": wrapsOpen("", "backend= prompt= pass-dir= pass-cmd= keychain= file-dir="),
	"aws-okta":  wrapsOpen("", "backend="),
	"chamber":   wrapsOpen("b:r:", "backend= retries= backend-s3-bucket="),
	"sops":      wrapsOpen("", ""),
	"teller":    wrapsOpen("c:", "config="),
	"dotenvx":   wrapsOpen("", "log-level="),
	"wezterm":   wrapsOpen("", "config-file= config="),
	"perf":      wrapsOpen("", "exec-path= html-path= debugfs-dir= buildid-dir= debug="),
	"perf mem":  wrapsOpen("", ""), "perf c2c": wrapsOpen("", ""), "perf sched": wrapsOpen("", ""), "perf lock": wrapsOpen("", ""), "perf kmem": wrapsOpen("", ""),
	"perf timechart": wrapsOpen("", ""), "perf kvm": wrapsOpen("", ""),
	"rr":     wrapsOpen("", ""),
	"gcloud": wrapsOpen("", "project= account= configuration="), "gcloud compute": wrapsOpen("", ""),
}

const kubectlOptions = "namespace= context= cluster= user= kubeconfig= server= token= as= as-group= as-uid= certificate-authority= client-certificate= client-key= request-timeout= cache-dir= tls-server-name= profile= profile-output= password= username= v= vmodule= kuberc="

const uvOptions = "python= directory= project= package= index= default-index= index-url= extra-index-url= find-links= resolution= prerelease= exclude-newer= link-mode= config-setting= cache-dir= color= config-file= python-platform= refresh-package= upgrade-package= reinstall-package= no-build-package= no-binary-package= no-build-isolation-package= fork-strategy= keyring-provider= allow-insecure-host= index-strategy= with= with-editable= with-requirements= extra= no-extra= group= no-group= only-group= env-file= from= overrides= constraints= build-constraints= python-preference= exclude-newer-package="
