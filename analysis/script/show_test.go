package script

import (
	"fmt"
	"strings"
)

// showProgram writes calls in a short form: function, kind and arguments, "*"
// behind a dynamic one, "**" behind one for any number, "~" before one in the
// home folder; -r for recursive, @ before the folder, < before the input.
func showProgram(p Program) string {
	var all []string
	for _, call := range p.Calls {
		b := call.Func + ":" + string(call.Kind)
		if call.Recursive {
			b += " -r"
		}
		for _, arg := range call.Args {
			b += " " + showPart(arg)
		}
		if call.Dir != nil {
			b += " @" + showPart(*call.Dir)
		}
		if call.Input != nil {
			b += " <" + showPart(*call.Input)
		}
		all = append(all, b)
	}
	if p.TooComplex {
		all = append(all, "too complex")
	}
	return strings.Join(all, "; ")
}

func showPart(a Arg) string {
	text := a.Text
	if text == "" || strings.ContainsAny(text, " \t\n;'\"\\") {
		text = fmt.Sprintf("%q", text)
	}
	if a.Home {
		text = "~" + text
	}
	if a.Dynamic {
		text += "*"
	}
	if a.Rest {
		text += "*"
	}
	return text
}
