package windows

import (
	"maps"
	"slices"
	"strings"
)

// environment is what the text has made known so far.
type environment struct {
	values    map[string]value // of variables, by names in small letters
	functions map[string]*function
	aliases   map[string]string
	settings  []Setting       // variables of the environment
	written   map[string]Word // files that the text has written, by names in small letters
	dirs      []Word
	pushed    [][]Word
}

// snapshot is a copy of what is known.
func (w *walker) snapshot() *environment {
	w.spend(4 * (len(w.env.values) + len(w.env.settings) + len(w.env.functions)))
	return &environment{
		values: maps.Clone(w.env.values), functions: maps.Clone(w.env.functions), aliases: maps.Clone(w.env.aliases),
		written: maps.Clone(w.env.written), settings: slices.Clip(w.env.settings), dirs: slices.Clip(w.env.dirs), pushed: slices.Clip(w.env.pushed),
	}
}

// join makes known what is the same in both.
func (w *walker) join(other *environment) {
	w.spend(4 * (len(w.env.values) + len(other.values)))
	for name, v := range w.env.values {
		o, ok := other.values[name]
		if !ok || !same(&v, &o) {
			u := unknown("$"+name, merge(v.from(), o.from()))
			if v.form != textForm && v.form == o.form {
				continue // one of both will do
			}
			w.env.values[name] = u
		}
	}
	for name := range other.values {
		if _, ok := w.env.values[name]; !ok {
			w.env.values[name] = unknown("$"+name, nil)
		}
	}
	for name, f := range other.functions {
		if _, ok := w.env.functions[name]; !ok {
			w.env.functions[name] = f
		}
	}
	if !sameWords(w.env.dirs, other.dirs) {
		w.env.dirs = []Word{{Text: "$PWD", Dynamic: true, Parts: []string{"$PWD"}}}
	}
	if len(other.settings) != len(w.env.settings) {
		w.env.settings = append(slices.Clip(w.env.settings), other.settings...)
	}
}

func sameWords(a, b []Word) bool {
	return slices.EqualFunc(a, b, func(a, b Word) bool { return a.Text == b.Text && a.Dynamic == b.Dynamic })
}

// assigned lists the variables that something in n assigns.
func assigned(n *node, names map[string]bool, depth int) {
	if n == nil || depth > 2*maxNesting {
		return
	}
	if n.kind == assignNode || n.kind == unaryNode && n.text == "++" {
		if len(n.kids) > 0 && n.kids[0].kind == variableNode {
			names[n.kids[0].text] = true
		}
	}
	for _, kid := range n.kids {
		assigned(kid, names, depth+1)
	}
}

// forget makes what a loop changes unknown.
func (w *walker) forget(body *node) {
	names := map[string]bool{}
	w.spend(body.end - body.start)
	assigned(body, names, 0)
	for name := range names {
		if v, ok := w.env.values[name]; ok && v.form == textForm {
			w.env.values[name] = unknown("$"+name, v.word.From)
		}
	}
}

// assign carries out an assignment.
func (w *walker) assign(n *node, s scope) value {
	v := w.statement(n.kids[1], s)
	target := n.kids[0]
	for target.kind == castNode && len(target.kids) > 0 {
		target = target.kids[0]
	}
	switch target.kind {
	case variableNode:
		if drive, name, ok := strings.Cut(target.text, ":"); ok && (drive == "function" || drive == "alias") {
			w.define(drive, name, &v, s)
			return nothing
		}
		if name, ok := strings.CutPrefix(target.text, "env:"); ok {
			word := v.asWord()
			if n.text == "+=" {
				old := w.variable(target, &s)
				oldWord := old.asWord()
				word = joinWords([]Word{oldWord, word}, "")
			}
			w.setEnvironment(name, word)
			return nothing
		}
		switch old := w.variable(target, &s); n.text {
		case "=", "??=":
		case "+=":
			v = w.plus(&old, &v)
		default:
			v = unknown(s.text(target), nil)
		}
		if len(w.env.values) < 2000 {
			w.env.values[target.text] = v
		}
	case commaNode:
		items, known := v.items()
		for i, kid := range target.kids {
			if kid.kind == variableNode {
				if known && i < len(items) {
					w.env.values[kid.text] = items[i]
				} else {
					w.env.values[kid.text] = unknown(s.text(kid), v.from())
				}
			}
		}
	case memberNode, indexNode:
		w.expr(target, s)
		if of := target.kids[0]; target.kind == memberNode && (of.kind == variableNode || of.kind == memberNode) {
			if o := w.expr(of, s); o.made != nil {
				o.made.set(target.text, v, s.context)
			}
		}
		if table := target.kids[0]; table.kind == variableNode && !strings.Contains(table.text, ":") {
			w.assignKey(table, target, v, s)
		}
	}
	return nothing
}

// assignKey changes what a table has under a name.
func (w *walker) assignKey(table, target *node, v value, s scope) {
	old, ok := w.env.values[table.text]
	if !ok || old.form != listForm || old.keys == nil {
		return
	}
	key := target.text
	if target.kind == indexNode {
		k := w.expr(target.kids[1], s)
		key, ok = k.known()
	}
	if ok && len(old.keys) < maxItems {
		old.keys = append(slices.Clip(old.keys), key)
		old.list = append(slices.Clip(old.list), v)
		// The last one counts, so it has to be found first.
		slices.Reverse(old.keys)
		slices.Reverse(old.list)
		w.env.values[table.text] = old
	}
}

func (w *walker) setEnvironment(name string, word Word) {
	settings := make([]Setting, 0, len(w.env.settings)+1)
	for _, s := range w.env.settings {
		if !strings.EqualFold(s.Name, name) {
			settings = append(settings, s)
		}
	}
	if !w.spend(4 + 2*len(settings)) {
		return
	}
	w.env.settings = append(settings, Setting{strings.ToUpper(name), word})
}

// chdir goes into a folder.
func (w *walker) chdir(dir Word) {
	dir = path(dir)
	if dir.Text == "" {
		return
	}
	if len(w.env.dirs) > 16 {
		w.env.dirs = []Word{{Text: "$PWD", Dynamic: true, Parts: []string{"$PWD"}}}
	}
	w.env.dirs = append(slices.Clip(w.env.dirs), dir)
}
