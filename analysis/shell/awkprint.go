package shell

import (
	"strings"

	"github.com/luahook/luahook/analysis/script"
)

// awkPrints is what awk(1) writes to the next program of a pipeline, where it's
// more than words of the input: a line such as "rm -rf " $1 has a known
// beginning, and "{}" in place of the rest.
func awkPrints(w *walker, args []argument, s *scope) (argument, bool) {
	if s.pipe == 0 {
		return argument{}, false
	}
	awk := languageOf("awk")
	r := awk.readOptions(&Command{Name: "awk", Args: wordsOf(args)}, args, s)
	if len(r.codes) == 0 && len(r.files) == 0 && len(r.args) > 0 && !r.stopped {
		r.codes, r.args = r.args[:1], r.args[1:]
	}
	if len(r.codes) != 1 || r.codes[0].Dynamic {
		return argument{}, false
	}
	code := awk.prepared(r.codes[0], &r)
	if code.Dynamic || !w.spend(nestedText+textCost*len(code.Text)) {
		return argument{}, false
	}
	printed, ok := script.AwkPrints(code.Text)
	if !ok {
		return argument{}, false
	}
	text := w.shellText(&program{language: awk, name: "awk", at: s.at}, &printed)
	if text.Dynamic && s.input != nil {
		text.from = merge(text.from, s.input.from)
	}
	known := strings.Trim(strings.ReplaceAll(text.Text, "{}", ""), " \t\n;,:|")
	return text, known != ""
}
