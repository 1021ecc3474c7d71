package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// tilde expands the home folder at the beginning of a word.
func (e *expander) tilde(text string, whole bool) string {
	user, rest := text[1:], ""
	if i := strings.IndexByte(user, '/'); i >= 0 {
		user, rest = user[:i], user[i:]
	} else if !whole {
		return text
	}
	switch {
	case user == "":
		home := e.w.home()
		e.text = append(e.text, home.Text...)
		e.word.Home, e.word.Dynamic, e.word.dynamic = home.Home, home.Dynamic, home.dynamic
		return rest
	case user == "+" || user == "-":
		name := "PWD"
		if user == "-" {
			name = "OLDPWD"
		}
		v := e.w.variable(name, "~"+user, e.s)
		e.text = append(e.text, v.Text...)
		e.word.Home, e.word.Dynamic, e.word.dynamic = v.Home, v.Dynamic, v.dynamic
		return rest
	case strings.ContainsAny(user, `\*?[`):
		return text
	}
	e.word.Home = true // of a user whose home folder isn't known
	return text
}

// innerTildes expands the home folder behind the "=" of what looks like an
// assignment and behind the ":" of one. It returns what's left of text.
func (e *expander) innerTildes(text string, first, last bool) string {
	from := 0
	if !e.assigns {
		equals := strings.IndexByte(text, '=')
		if !e.split || !first || equals < 0 || !syntax.ValidName(text[:equals]) {
			return text
		}
		from = equals
	}
	for i := from; i+1 < len(text); i++ {
		if text[i] != ':' && (i != from || e.assigns) || text[i+1] != '~' {
			continue
		}
		end := len(text)
		if colon := strings.IndexByte(text[i+1:], ':'); colon >= 0 {
			end = i + 1 + colon
		}
		e.literal(text[:i+1], unquoted)
		home := e.w.home()
		if rest := text[i+2 : end]; (rest == "" && (end < len(text) || last) || strings.HasPrefix(rest, "/")) && !home.Home && !home.Dynamic {
			e.text = append(e.text, home.Text...)
			text = text[i+2:]
		} else {
			text = text[i+1:]
			e.text = append(e.text, '~')
			text = text[1:]
		}
		i = -1
		from = -1
	}
	return text
}
