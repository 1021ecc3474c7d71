package shell

import (
	"fmt"
	"strings"
)

// show writes the commands of a line in a short form: "via > name args", "?"
// for a dynamic name, "*" behind a dynamic word, and redirections at the end.
func show(l *Line) string {
	var all []string
	for _, c := range l.Commands {
		var b strings.Builder
		for _, via := range c.Via {
			b.WriteString(via + " > ")
		}
		for _, a := range c.Assignments {
			b.WriteString(a.Name + "=" + showWord(a.Value) + " ")
		}
		switch {
		case c.NameDynamic:
			b.WriteString("?" + c.Path)
		case c.Name != "":
			b.WriteString(c.Name)
		default:
			b.WriteString("-")
		}
		for _, arg := range c.Args {
			b.WriteString(" " + showWord(arg))
		}
		for _, r := range c.Redirects {
			b.WriteString(" ")
			if r.Fd >= 0 {
				fmt.Fprint(&b, r.Fd)
			}
			b.WriteString(r.Op + showWord(r.Target))
			if r.Body != "" {
				fmt.Fprintf(&b, "%q", r.Body)
			}
		}
		if c.Context != "" {
			b.WriteString(" @" + c.Context)
		}
		all = append(all, b.String())
	}
	if l.Err != nil {
		all = append(all, "error")
	}
	if l.TooComplex {
		all = append(all, "too complex")
	}
	return strings.Join(all, "; ")
}

func showWord(w Word) string {
	text := w.Text
	if text == "" || strings.ContainsAny(text, " \t\n;'\"\\") || w.Glob != strings.ContainsAny(text, "*?[") {
		text = fmt.Sprintf("%q", text)
	}
	if w.Dynamic {
		text += "*"
	}
	return text
}
