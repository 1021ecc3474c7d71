package command

import (
	"path/filepath"
	"slices"
	"strings"
)

// interpreters are programs that run the text after an option of these letters.
var interpreters = map[string]string{
	"sh": "c", "bash": "c", "dash": "c", "ash": "c", "ksh": "c", "mksh": "c", "zsh": "c", "fish": "c", "csh": "c", "tcsh": "c", "su": "c",
	"pwsh": "cC", "powershell": "cC", "python": "c", "pypy": "c", "perl": "eE", "ruby": "e", "node": "ep", "nodejs": "ep", "bun": "ep",
	"php": "r", "lua": "e", "Rscript": "e", "osascript": "e",
}

// longOptions are their long spellings.
var longOptions = []string{"--command", "--eval", "--print"}

// evaluators run all their words as shell text, here or elsewhere.
var evaluators = []string{"eval", "trap", "alias", "ssh", "watch", "parallel"}

// runners run the command that follows them.
var runners = []string{"command", "builtin", "exec"}

func interpreterLetters(word string) string {
	name := strings.TrimSuffix(filepath.Base(word), ".exe")
	if letters, ok := interpreters[name]; ok {
		return letters
	}
	return interpreters[strings.TrimRight(name, "0123456789.")]
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

// optionsOnly tells whether words are options and perhaps their values, and no file to
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
