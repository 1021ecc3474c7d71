package sql

import "strings"

// show writes statements in a short form: "DELETE TABLE users where; ...". A "?"
// stands for a verb that isn't understood, and "*" marks what is dynamic.
func show(statements []*Statement) string {
	var all []string
	for _, s := range statements {
		words := []string{s.Verb}
		if s.Verb == "" {
			words[0] = "?"
		}
		if s.Dynamic {
			words[0] += "*"
		}
		add := func(word string, on bool) {
			if on && word != "" {
				words = append(words, word)
			}
		}
		add(s.Object, true)
		add(strings.Join(s.Names, ","), true)
		add("("+s.Action+")", s.Action != "")
		add("where", s.HasWhere)
		add("always", s.WhereAlways)
		add("limit", s.HasLimit)
		add("ifexists", s.IfExists)
		add("cascade", s.Cascade)
		add("explain", s.Explain)
		add("stored", s.Stored)
		all = append(all, strings.Join(words, " "))
	}
	return strings.Join(all, "; ")
}
