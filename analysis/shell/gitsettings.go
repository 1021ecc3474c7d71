package shell

// GitSetting is a value that git is configured with.
type GitSetting struct {
	// Key is that of git config, its section and name in lower case, as in
	// "core.hookspath"; or the name of a variable such as GIT_SSH_COMMAND.
	Key   string
	Value Word
}

const (
	// gitPlaceVariables say where the repository is.
	gitPlaceVariables = "GIT_DIR GIT_WORK_TREE GIT_COMMON_DIR GIT_INDEX_FILE"

	// gitOtherVariables say which programs and files git uses, beside those of gitRuns.
	gitOtherVariables = "GIT_EXEC_PATH GIT_SSH_VARIANT GIT_TEMPLATE_DIR GIT_CONFIG_GLOBAL GIT_CONFIG_SYSTEM"

	// gitHookVariables switch off what programs for hooks run.
	gitHookVariables = "HUSKY HUSKY_SKIP_HOOKS LEFTHOOK"

	// gitRefusable are the subcommands whose hooks may refuse them. Some take no
	// --no-verify, but did, or are thought to.
	gitRefusable = "am cherry-pick commit merge pull push rebase revert"
)

// settings lists what the command itself is configured with.
func (call *gitCall) settings() []GitSetting {
	var all []GitSetting
	for _, a := range call.set {
		if _, run := gitRuns()[a.Name]; run || listed(gitPlaceVariables, a.Name) || listed(gitOtherVariables, a.Name) || listed(gitHookVariables, a.Name) {
			all = append(all, GitSetting{a.Name, a.Value})
		}
	}
	configured := len(call.set) > 0 || call.name == "clone"
	for _, o := range call.global {
		switch o.name {
		case "--exec-path":
			if o.given {
				all = append(all, GitSetting{"GIT_EXEC_PATH", o.value.Word})
			}
		case "-c", "--config-env":
			configured = true
		}
	}
	if configured {
		settings, _ := gitConfig(call)
		for _, s := range settings {
			all = append(all, GitSetting{s.key, s.value.Word})
		}
	}
	return all
}

// stored returns what the command keeps for later ones.
func (call *gitCall) stored() *GitSetting {
	if call.name != "config" && call.name != "remote" {
		return nil
	}
	args := make([]argument, len(call.command.Args))
	for i, word := range call.command.Args {
		args[i] = argument{Word: word}
	}
	setting, ok := gitStored(call, args)
	if !ok {
		return nil
	}
	return &GitSetting{setting.key, setting.value.Word}
}

// elsewhere reports whether the folder doesn't say which repository it is.
func (call *gitCall) elsewhere() bool {
	for _, o := range call.global {
		if o.name == "--git-dir" || o.name == "--work-tree" || o.name == "-C" && o.value.Dynamic {
			return true
		}
	}
	for _, a := range call.set {
		if listed(gitPlaceVariables, a.Name) {
			return true
		}
	}
	return false
}

// skipsHooks reports whether the hooks that might refuse the command don't run.
func (call *gitCall) skipsHooks(settings []GitSetting) bool {
	if !listed(gitRefusable, call.name) || call.helps() || call.on("--dry-run") {
		return false
	}
	if verify, given := call.state["--verify"]; call.on("--no-verify") || given && !verify {
		return true
	}
	for _, s := range settings {
		switch s.Key {
		case "core.hookspath":
			return true
		case "HUSKY", "LEFTHOOK":
			if isGitFalse(s.Value.Text) {
				return true
			}
		case "HUSKY_SKIP_HOOKS":
			if s.Value.Text != "" && !isGitFalse(s.Value.Text) {
				return true
			}
		}
	}
	return false
}
