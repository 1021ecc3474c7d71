package shell

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// attribute is what declare makes of a variable beside its value.
type attribute struct {
	lower, upper, integer bool
	refers                bool   // it stands for another variable
	target                string // which one
	unsure                bool   // it may be so or not
}

// read notes the attributes among the options of declare.
func (a *attribute) read(option string) {
	for _, letter := range option[1:] {
		switch letter {
		case 'l':
			a.lower = true
		case 'u':
			a.upper = true
		case 'i':
			a.integer = true
		case 'n':
			a.refers = true
		}
	}
	if option[0] == '+' {
		*a = attribute{unsure: true}
	}
}

// attribute gives a variable an attribute. Once it has one, it keeps it for
// the rest of the line.
func (w *walker) attribute(text string, a attribute, s *scope) {
	if a == (attribute{}) {
		return
	}
	if s.context != "" || w.inFunction() {
		a.unsure = true
	}
	if w.attributes == nil {
		w.attributes = map[string]attribute{}
	}
	w.attributes[text] = a
}

// unsure notes that a variable may have its attributes no more.
func (w *walker) unsure(text string) {
	if a, ok := w.attributes[text]; ok {
		a.unsure = true
		w.attributes[text] = a
	}
}

// refer lets a variable stand for the one that is named by to.
func (w *walker) refer(text string, to argument) {
	a := w.attributes[text]
	w.subscripted(to, &scope{at: to.at})
	if a.unsure = a.unsure || to.Dynamic || !syntax.ValidName(to.Text) || to.Text == text; !a.unsure && w.attributes[to.Text].target == "" {
		a.target = to.Text
	} else {
		a.unsure = true
	}
	w.attributes[text] = a
	w.env.forget(name{variable, text})
}

// changed is what a variable with an attribute makes of a value.
func (w *walker) changed(a attribute, it *binding) *binding {
	if it != nil && !it.isList && (a.integer || a.unsure) {
		w.reexpand(it.word, "$(())", scope{at: it.word.at})
	}
	if it == nil || a.unsure || a.refers || it.isList || it.gone || it.word.Dynamic || it.word.Home {
		return nil
	}
	changed := *it
	switch {
	case a.lower:
		changed.word.Text = strings.ToLower(it.word.Text)
	case a.upper:
		changed.word.Text = strings.ToUpper(it.word.Text)
	case a.integer:
		n, ok := w.evaluate(it.word.Text)
		if !ok {
			return nil
		}
		changed.word.Text = strconv.FormatInt(n, 10)
	}
	return &changed
}

// refersTo is the variable that a name is for.
func (w *walker) refersTo(text string) string {
	if a, ok := w.attributes[text]; ok && a.target != "" {
		return a.target
	}
	return text
}
