package shell

import "strings"

// misspelt reports the command in words that bash doesn't run because of a
// mistake before it: an assignment to what can't be a variable (1A=x zap), and
// options that make command look for programs only, where the words have
// options themselves (command -pv zap -f). Whoever wrote them meant to run it.
func (w *walker) misspelt(c *Command, args []argument, s scope) bool {
	at := 0
	switch {
	case c.Name == "command":
		looks := false
		for at < len(args) && strings.HasPrefix(args[at].Text, "-") && !args[at].Dynamic {
			looks = looks || strings.Trim(args[at].Text, "-p") != ""
			at++
		}
		if !looks || at >= len(args) || !haveOptions(args[at+1:]) {
			return false
		}
	case !strings.Contains(c.Path, "=") || strings.ContainsAny(c.Path[:strings.IndexByte(c.Path, '=')], "/-") || len(args) == 0:
		return false
	}
	w.run(args[at:], s.through(c.Name))
	return true
}

func haveOptions(words []argument) bool {
	for _, word := range words {
		if strings.HasPrefix(word.Text, "-") {
			return true
		}
	}
	return false
}
