package command

import (
	"path/filepath"
	"slices"
	"strings"
)

// Programs that make more of a word than a value.
var (
	scripted = []string{"awk", "gawk", "mawk", "nawk", "sed", "gsed"}                                                                        // run their first word; sed has a command for it, too
	makes    = []string{"make", "gmake"}                                                                                                     // expand $(shell ...) in what a variable is set to
	wrappers = []string{"env", "timeout", "nice", "nohup", "sudo", "doas", "xargs", "setsid", "stdbuf", "ionice", "time", "chroot", "flock"} // run the program that follows
	finders  = []string{"-exec", "-execdir", "-ok", "-okdir"}                                                                                // of find, likewise
)

// runsWord tells whether the program words[j] runs words[i], as text of its own language
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

// starts tells whether words[j] is the command's program, or one that another starts.
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

// isScript tells whether a word of awk or sed is its script, by the words before it.
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

// isProgram tells whether a word is the program that a wrapper runs: only options,
// assignments, numbers and other wrappers stand before it.
func isProgram(before []string, word string) bool {
	for _, w := range before {
		if !isOption(w) && !strings.Contains(w, "=") && !slices.Contains(wrappers, filepath.Base(w)) && (w == "" || w[0] < '0' || w[0] > '9') {
			return false
		}
	}
	return !isOption(word) && !strings.Contains(word, "=")
}
