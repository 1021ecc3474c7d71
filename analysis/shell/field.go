package shell

import (
	"slices"
	"strings"
)

// add puts a value in, split into words where the shell does that.
func (e *expander) add(v argument, q quoting) {
	if q != unquoted || !e.split {
		e.append(v, v.Text)
		return
	}
	if v.Text == "" {
		return
	}
	separators, ok := e.w.separators()
	if !ok {
		v.Dynamic = true
	}
	e.word.Glob = e.word.Glob || !v.Dynamic && strings.ContainsAny(v.Text, "*?[")
	if v.Dynamic && blankSource(v.dynamic) || !strings.ContainsAny(v.Text, separators) {
		e.append(v, v.Text)
		return
	}
	if !e.w.spend(len(v.Text) / 4) {
		return
	}
	fields := splitFields(v.Text, separators)
	if !e.w.spend(fieldCost * len(fields)) {
		return
	}
	for i, field := range fields {
		if i > 0 {
			e.cut()
		}
		part := v
		if v.Dynamic {
			if !e.w.spend(len(v.dynamic)) {
				return
			}
			part.dynamic = within(field.text, v.dynamic)
			part.Dynamic = len(part.dynamic) > 0
		}
		part.Home = v.Home && i == 0
		e.word.Glob = e.word.Glob || !part.Dynamic && strings.ContainsAny(field.text, "*?[")
		if e.open = e.open || field.ended; field.text != "" {
			e.append(part, field.text)
		}
	}
}

// append adds a value to the word under way.
func (e *expander) append(v argument, text string) {
	if !e.w.spend(wordCost + len(text)/4 + len(v.dynamic)) {
		return
	}
	e.word.Home = e.word.Home || v.Home && len(e.text) == 0
	if v.Dynamic && !e.word.Dynamic {
		e.continued(&v, text)
	}
	e.text = append(e.text, text...)
	if v.Dynamic {
		e.word.Dynamic = true
		for _, source := range v.dynamic {
			if len(e.word.dynamic) < maxSources && !slices.Contains(e.word.dynamic, source) {
				e.word.dynamic = append(e.word.dynamic[:len(e.word.dynamic):len(e.word.dynamic)], source)
			}
		}
	}
	e.word.from = merge(e.word.from, v.from)
	if len(e.text) > maxText {
		e.text = e.text[:0]
		e.word.Dynamic = true
		e.w.line.TooComplex = true
	}
}

// separators returns the characters that split values into words.
func (w *walker) separators() (string, bool) {
	n := name{variable, "IFS"}
	if items, changed := w.env.names[n]; items == nil {
		return blanks, !changed // a shell doesn't take it from outside
	}
	it := w.choose(n)
	switch {
	case it == nil || it.word.Dynamic || it.isList:
		return blanks, false
	case it.gone:
		return blanks, true
	}
	return it.word.Text, true
}

const blanks = " \t\n"

// split is a part of a value that was split.
type split struct {
	text  string
	ended bool // by a separator that isn't blank, so that it's a word even if empty
}

// splitFields breaks text up at separators. The first field is "" where text
// begins with a separator, so that it ends a word under way, and so is the
// last one where it ends with one.
func splitFields(text, separators string) []split {
	var fields []split
	for strings.ContainsAny(text, separators) {
		field, rest := firstField(text, separators)
		fields, text = append(fields, field), rest
	}
	return append(fields, split{text: text})
}

// firstField returns the part of text before the first separator, and what is
// behind that.
func firstField(text, separators string) (first split, rest string) {
	is := func(i int) bool { return i < len(text) && strings.IndexByte(separators, text[i]) >= 0 }
	blank := func(i int) bool { return is(i) && strings.IndexByte(blanks, text[i]) >= 0 }
	i := 0
	for i < len(text) && !is(i) {
		i++
	}
	first.text = text[:i]
	for blank(i) {
		i++
	}
	if is(i) && !blank(i) {
		first.ended = true
		for i++; blank(i); {
			i++
		}
	}
	return first, text[i:]
}

// blankSource reports whether one of the sources of what isn't known would be
// split itself.
func blankSource(sources []string) bool {
	for _, source := range sources {
		if strings.ContainsAny(source, blanks) {
			return true
		}
	}
	return len(sources) == 0
}

// within returns those of sources that are in text.
func within(text string, sources []string) []string {
	var found []string
	for _, source := range sources {
		if strings.Contains(text, source) {
			found = append(found, source)
		}
	}
	return found
}

// maxSources is how many different parts of one word that aren't known are told
// apart.
const maxSources = 16

// maxFrom is how many commands are kept as the origin of a text.
const maxFrom = 8

func merge(a, b []*Command) []*Command {
	if len(a) == 0 && len(b) <= maxFrom {
		return b[:len(b):len(b)]
	}
	for _, c := range b {
		if len(a) == maxFrom {
			break
		}
		known := false
		for _, have := range a {
			known = known || have == c
		}
		if !known {
			a = append(a[:len(a):len(a)], c)
		}
	}
	return a
}
