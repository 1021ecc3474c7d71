package command

import (
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// interpreters are programs that run the text after an option of these letters.
var interpreters = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"sh": "c", "bash": "c", "dash": "c", "ash": "c", "ksh": "c", "mksh": "c", "zsh": "c", "fish": "c", "csh": "c", "tcsh": "c", "su": "c",
		"pwsh": "cC", "powershell": "cC", "python": "c", "pypy": "c", "perl": "eE", "ruby": "e", "node": "ep", "nodejs": "ep", "bun": "ep",
		"php": "r", "lua": "e", "Rscript": "e", "osascript": "e",
	}
})

// longOptions are their long spellings.
var longOptions = []string{"--command", "--eval", "--print"}

// evaluators run all their words as shell text, here or elsewhere.
var evaluators = []string{"eval", "trap", "alias", "ssh", "watch", "parallel"}

// runners run the command that follows them.
var runners = []string{"command", "builtin", "exec"}

func interpreterLetters(word string) string {
	name := strings.TrimSuffix(filepath.Base(word), ".exe")
	if letters, ok := interpreters()[name]; ok {
		return letters
	}
	return interpreters()[strings.TrimRight(name, "0123456789.")]
}

// codeOf is the program among the words that runs words[i] as text of its own
// language. Words that aren't known are "".
func codeOf(words []string, i int) (program string, ok bool) {
	first := firstWord(words)
	if i > first && first < len(words) && slices.Contains(evaluators, words[first]) {
		return words[first], true
	}
	for j := range i {
		if runsWord(words, i, j) {
			return words[j], true
		}
		letters := interpreterLetters(words[j])
		if letters == "" {
			continue
		}
		if isCodeOption(words[i], letters) && optionsOnly(words[j+1:i]) { // -e'text'
			return words[j], true
		}
		for k := i - 1; k > j && isOption(words[k]); k-- {
			if isCodeOption(words[k], letters) && optionsOnly(words[j+1:k]) {
				return words[j], true
			}
		}
	}
	return "", false
}

// firstWord is the index of the command's name.
func firstWord(words []string) int {
	i := 0
	for i < len(words) && slices.Contains(runners, words[i]) {
		i++
	}
	return i
}

// optionsOnly reports whether words are options and perhaps their values, and no file to
// run among them.
func optionsOnly(words []string) bool {
	for i, word := range words {
		if !isOption(word) && (i == 0 || !isOption(words[i-1])) {
			return false
		}
	}
	return true
}

func isOption(word string) bool {
	return len(word) > 1 && (word[0] == '-' || word[0] == '+')
}

func isCodeOption(word, letters string) bool {
	if strings.HasPrefix(word, "--") {
		name, _, _ := strings.Cut(word, "=")
		return slices.Contains(longOptions, name)
	}
	if !isOption(word) {
		return false
	}
	end := strings.IndexFunc(word[1:], func(r rune) bool { return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') })
	if end < 0 {
		end = len(word) - 1
	}
	return strings.ContainsAny(word[1:1+end], letters)
}

// readsProgram is the program among the words that runs what its stdin says.
func readsProgram(words []string) (program string, ok bool) {
	first := firstWord(words)
	if first < len(words) && words[first] == "ssh" {
		return "ssh", true
	}
	for j, word := range words {
		letters := interpreterLetters(word)
		if letters == "" {
			continue
		}
		for _, w := range words[j+1:] {
			if w == "-" || w == "-s" {
				return word, true
			}
			if !isOption(w) || isCodeOption(w, letters) {
				return "", false
			}
		}
		return word, true
	}
	return "", false
}

// Programs that make more of a word than a value.
var (
	scripted = []string{"awk", "gawk", "mawk", "nawk", "sed", "gsed"}                                                                        // run their first word; sed has a command for it, too
	makes    = []string{"make", "gmake"}                                                                                                     // expand $(shell ...) in what a variable is set to
	wrappers = []string{"env", "timeout", "nice", "nohup", "sudo", "doas", "xargs", "setsid", "stdbuf", "ionice", "time", "chroot", "flock"} // run the program that follows
	finders  = []string{"-exec", "-execdir", "-ok", "-okdir"}                                                                                // of find, likewise
)

// runsWord reports whether the program words[j] runs words[i], as text of its own language
// or as a program.
func runsWord(words []string, i, j int) bool {
	if j == i-1 && slices.Contains(finders, words[j]) {
		return true
	}
	if !starts(words, j) {
		return false
	}
	switch name := filepath.Base(words[j]); {
	case slices.Contains(makes, name):
		return true
	case slices.Contains(scripted, name):
		return isScript(words[j+1:i], words[i])
	case slices.Contains(wrappers, name):
		return isProgram(words[j+1:i], words[i])
	}
	return false
}

// starts reports whether words[j] is the command's program, or one that another starts.
func starts(words []string, j int) bool {
	first := firstWord(words)
	switch {
	case j <= first:
		return j == first
	case slices.Contains(finders, words[j-1]):
		return true
	}
	return slices.Contains(wrappers, filepath.Base(words[first])) && isProgram(words[first+1:j], words[j])
}

// isScript reports whether a word of awk or sed is its script, by the words before it.
func isScript(before []string, word string) bool {
	given := false
	for k := 0; k < len(before); k++ {
		switch w := before[k]; {
		case slices.Contains([]string{"-e", "-f", "--expression", "--file", "--source"}, w):
			if k+1 == len(before) {
				return true
			}
			given = true
			k++
		case slices.Contains([]string{"-v", "-F", "-l", "--assign", "--field-separator"}, w):
			if k+1 == len(before) {
				return false
			}
			k++
		case isOption(w):
			given = given || strings.HasPrefix(w, "-e") || strings.HasPrefix(w, "--expression=")
		default:
			given = true
		}
	}
	if strings.HasPrefix(word, "-v") || strings.HasPrefix(word, "-F") {
		return false
	}
	return !given || isOption(word)
}

// isProgram reports whether a word is the program that a wrapper runs: only options,
// assignments, numbers and other wrappers stand before it.
func isProgram(before []string, word string) bool {
	for _, w := range before {
		if !isOption(w) && !strings.Contains(w, "=") && !slices.Contains(wrappers, filepath.Base(w)) && (w == "" || w[0] < '0' || w[0] > '9') {
			return false
		}
	}
	return !isOption(word) && !strings.Contains(word, "=")
}
