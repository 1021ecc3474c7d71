package shell

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/luahook/luahook/internal/wordlist"
)

// gitSetting is one value that a git command is configured with.
type gitSetting struct {
	key   string // section and name in lower case, as git compares them: "alias.x", "diff.PNG.textconv"
	kind  string // key without what is between: "diff.*.textconv"
	part  string // what is between, as PNG
	value argument
}

func (s *gitSetting) same(other gitSetting) bool {
	return s.key == other.key && s.kind == other.kind && s.value.Word == other.value.Word
}

// gitKey takes a key apart. Its section and its name are what is before the
// first and behind the last dot.
func gitKey(key string, value argument) gitSetting {
	first, last := strings.IndexByte(key, '.'), strings.LastIndexByte(key, '.')
	s := gitSetting{key: strings.ToLower(key), value: value}
	switch {
	case first < 0:
		s.kind = s.key
	case first == last:
		s.kind = s.key
		if section := s.key[:first]; section == "alias" || section == "pager" {
			s.kind, s.part = section+".*", s.key[first+1:]
		}
	default:
		s.part = key[first+1 : last]
		s.key = s.key[:first+1] + s.part + s.key[last:]
		s.kind = s.key[:first] + ".*" + s.key[last:]
	}
	return s
}

// gitConfig returns what the command itself is configured with, the last
// setting of a key only: by variables, by -c and --config-env, and by the
// --config of git clone. all is false when a key isn't known.
func gitConfig(call *gitCall) (settings []gitSetting, all bool) {
	all = true
	add := func(key string, value argument) {
		if value.Dynamic && strings.ContainsAny(key, "$`") {
			all = false
			return
		}
		settings = append(settings, gitKey(key, value))
	}
	all = gitVariables(call.set, add) && all
	options := call.global
	if call.name == "clone" {
		options = append(options[:len(options):len(options)], call.options...)
	}
	for _, o := range options {
		if !o.given {
			continue
		}
		key, value, ok := strings.Cut(o.value.Text, "=")
		word := o.value
		word.Text = value
		switch o.name {
		case "-c", "--config":
			switch {
			case !ok && o.value.Dynamic:
				all = false
			case !ok:
				word.Text = "true"
				fallthrough
			default:
				add(key, word)
			}
		case "--config-env":
			add(key, variableOf(call.set, value))
		}
	}
	return lastOfEach(settings), all
}

// gitNamesOf are the variables that git takes programs and settings from.
var gitNamesOf = sync.OnceValue(func() []string {
	names := strings.Fields("GIT_CONFIG_COUNT GIT_CONFIG_PARAMETERS " + gitPlaceVariables + " " + gitOtherVariables + " " + gitHookVariables)
	for key := range gitRuns() {
		if !strings.Contains(key, ".") {
			names = append(names, key)
		}
	}
	slices.Sort(names)
	return names
})

// gitEnvironment returns the variables that c gets, as far as they are known
// and of interest: what the line exports, and then c's own.
func (w *walker) gitEnvironment(c *Command) []Assignment {
	var set []Assignment
	take := func(variableName string) (word Word, ok bool) {
		it := w.choose(name{variable, variableName})
		if it == nil || !it.exported || it.isList || it.unset {
			return Word{}, false
		}
		set = append(set, Assignment{Name: variableName, Value: it.word.Word})
		return it.word.Word, true
	}
	for _, variableName := range gitNamesOf() {
		word, ok := take(variableName)
		if !ok || variableName != "GIT_CONFIG_COUNT" {
			continue
		}
		count, _ := strconv.Atoi(word.Text)
		for n := range min(count, maxGitSettings) {
			take("GIT_CONFIG_KEY_" + strconv.Itoa(n))
			take("GIT_CONFIG_VALUE_" + strconv.Itoa(n))
		}
	}
	if set == nil {
		return c.Assignments
	}
	return append(set, c.Assignments...)
}

// gitVariables passes on the settings in GIT_CONFIG_COUNT with
// GIT_CONFIG_KEY_n and GIT_CONFIG_VALUE_n, and in GIT_CONFIG_PARAMETERS.
func gitVariables(assigned []Assignment, add func(string, argument)) (all bool) {
	all = true
	count, keys, values := 0, map[int]Word{}, map[int]Word{}
	for _, a := range assigned {
		rest, ok := strings.CutPrefix(a.Name, "GIT_CONFIG_")
		if !ok {
			continue
		}
		switch {
		case rest == "COUNT":
			n, err := strconv.Atoi(a.Value.Text)
			count, all = n, all && (err == nil || a.Value.Text == "")
		case rest == "PARAMETERS":
			all = all && gitParameters(a.Value, add)
		case strings.HasPrefix(rest, "KEY_"):
			if n, err := strconv.Atoi(rest[len("KEY_"):]); err == nil {
				keys[n] = a.Value
			}
		case strings.HasPrefix(rest, "VALUE_"):
			if n, err := strconv.Atoi(rest[len("VALUE_"):]); err == nil {
				values[n] = a.Value
			}
		}
	}
	for n := range min(count, len(keys)) {
		key, ok := keys[n]
		if !ok || key.Dynamic {
			all = false
			continue
		}
		add(key.Text, argument{Word: values[n]})
	}
	return all
}

// gitParameters reads 'key=value' 'key'='value'.
func gitParameters(word Word, add func(string, argument)) (all bool) {
	words, err := Split(word.Text)
	if err != nil {
		return false
	}
	for _, text := range words {
		key, value, ok := strings.Cut(text, "=")
		if !ok {
			value = "true"
		}
		add(key, argument{Word: Word{Text: value, Dynamic: word.Dynamic}})
	}
	return true
}

// variableOf returns the value of a variable, unknown unless it's assigned.
func variableOf(assigned []Assignment, name string) argument {
	for i := len(assigned) - 1; i >= 0; i-- {
		if a := &assigned[i]; a.Name == name && !a.Append {
			return argument{Word: a.Value}
		}
	}
	return unknowable("$"+name, place{})
}

// lastOfEach drops the settings that a later one of the same key overrides.
func lastOfEach(settings []gitSetting) []gitSetting {
	if len(settings) < 2 {
		return settings
	}
	last := make(map[string]int, len(settings))
	for i := range settings {
		last[settings[i].key] = i
	}
	kept := settings[:0]
	for i, s := range settings {
		if last[s.key] == i || strings.HasPrefix(s.key, "credential.") { // all helpers are asked
			kept = append(kept, s)
		}
	}
	return kept
}

// setting returns what the command itself sets key to.
func (call *gitCall) setting(key string) (value string, ok bool) {
	settings, _ := gitConfig(call)
	for _, s := range settings {
		if s.key == key {
			return s.value.Text, true
		}
	}
	return "", false
}

// gitConfigActions are the subcommands of git config, which may stand before a
// key since git 2.46.
const gitConfigActions = "list get set unset rename-section remove-section edit"

// gitStored returns the setting that git config, git remote add or git remote
// set-url keeps for later commands.
func gitStored(call *gitCall, args []argument) (gitSetting, bool) {
	words := call.operands
	switch {
	case call.name == "remote" && len(words) == 3 && (call.action == "add" || call.action == "set-url"):
		return gitKey("remote."+args[words[1]].Text+".url", args[words[2]]), true
	case call.name != "config":
		return gitSetting{}, false
	case call.action == "set":
		words = words[1:]
	case wordlist.Has(gitConfigActions, call.action):
		return gitSetting{}, false
	}
	for _, reads := range []string{"--get", "--get-all", "--get-regexp", "--get-urlmatch", "--list", "--unset", "--unset-all", "--remove-section", "--rename-section"} {
		if call.on(reads) {
			return gitSetting{}, false
		}
	}
	if len(words) < 2 {
		return gitSetting{}, false
	}
	if args[words[0]].Dynamic {
		return gitSetting{kind: unknownKey}, true
	}
	return gitKey(args[words[0]].Text, args[words[1]]), true
}

// unknownKey is the kind of a setting that may be any.
const unknownKey = "?"

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
		if _, run := gitRuns()[a.Name]; run || wordlist.Has(gitPlaceVariables, a.Name) || wordlist.Has(gitOtherVariables, a.Name) || wordlist.Has(gitHookVariables, a.Name) {
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
		if wordlist.Has(gitPlaceVariables, a.Name) {
			return true
		}
	}
	return false
}

// skipsHooks reports whether the hooks that might refuse the command don't run.
func (call *gitCall) skipsHooks(settings []GitSetting) bool {
	if !wordlist.Has(gitRefusable, call.name) || call.onlyHelps() || call.on("--dry-run") {
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
