package shell

import (
	"slices"

	"mvdan.cc/sh/v3/syntax"
)

// maxItems is how many things a name may stand for at once before it counts as
// unknown.
const maxItems = 8

// name is a name of a shell, of one kind.
type name struct {
	kind byte
	text string
}

// The kinds of names.
const (
	variable byte = iota
	function
	alias
	folder     // text is "" for the current one, "-" for the one before
	parameters // text is "": the positional parameters, from $1
	hashed     // a program's name, for where hash -p says it is
	exportsAll // text is "": there after set -a
	ended      // text is "": there behind exit, return and break, where nothing runs
)

// nameOfParameters is what the positional parameters are known by.
var nameOfParameters = name{kind: parameters}

// binding is one thing that a name may stand for.
type binding struct {
	word     argument   // a variable's value, an alias' text, or a folder
	list     []argument // an array's elements, or the parameters
	at       []int      // the numbers of these, nil for 0 and up
	keys     []string   // the keys of these, of an associative array
	body     *body      // a function's
	isList   bool
	keyed    bool // it's an associative array
	unset    bool // it's unset for sure
	unknown  bool // it may be anything
	exported bool
}

// body is what a function runs.
type body struct {
	name   string
	stmt   *syntax.Stmt
	scope  scope // where it's defined
	called bool

	replaced bool // by another function of that name, for sure
}

// unknownBinding is what a name of which nothing is known stands for.
var unknownBinding = &binding{unknown: true}

var unknownItems = []*binding{unknownBinding}

// environment is what is known of the names of one shell process. A nil entry
// is a name of which nothing is known.
//
// It changes as the line is walked. What was changed since a mark can be taken
// back, and the changes of several branches be joined.
type environment struct {
	work    *int         // what is left of maxWork
	outer   *environment // of the shell that started this one, nil for none
	names   map[name][]*binding
	here    []*binding // the current folder, which is asked for at each command
	journal []change
}

// change is a change of what a name stands for: in the journal what it stood for
// before, and if it did, in a branch what it stands for now.
type change struct {
	name  name
	items []*binding
	had   bool
}

// get returns what a name may stand for, nil for anything.
func (e *environment) get(n name) []*binding {
	if n == (name{kind: folder}) {
		return e.here
	}
	if items, ok := e.names[n]; ok || e.outer == nil {
		return items
	}
	if n.kind != variable && n.kind != function {
		return nil
	}
	// Only what is exported reaches a child.
	items := e.outer.get(n)
	for _, it := range items {
		if !it.exported {
			return nil
		}
	}
	return items
}

// current returns what n was last set to in this shell.
func (e *environment) current(n name) []*binding {
	if n == (name{kind: folder}) {
		return e.here
	}
	return e.names[n]
}

func (e *environment) set(n name, items ...*binding) {
	*e.work -= changeCost
	if n == (name{kind: folder}) {
		e.journal = append(e.journal, change{n, e.here, true})
		e.here = items
		return
	}
	before, had := e.names[n]
	e.journal = append(e.journal, change{n, before, had})
	if e.names == nil {
		e.names = map[name][]*binding{}
	}
	e.names[n] = items
}

// forget makes a name unknown.
func (e *environment) forget(n name) { e.set(n) }

func (e *environment) mark() int { return len(e.journal) }

// setEnded says that what follows doesn't run.
func (e *environment) setEnded() { e.set(name{kind: ended}, unknownBinding) }

// branch is what a part of the line that may or may not run has changed: what
// names stand for behind it, each once.
type branch []change

// items returns what n stands for behind the branch, if that changed.
func (b branch) items(n name) ([]*binding, bool) {
	for i := range b {
		if b[i].name == n {
			return b[i].items, true
		}
	}
	return nil, false
}

// isDead reports whether nothing runs behind the branch.
func (b branch) isDead() bool {
	items, _ := b.items(name{kind: ended})
	return len(items) > 0
}

// without drops the change of a name.
func (b branch) without(n name) branch {
	return slices.DeleteFunc(b, func(c change) bool { return c.name == n })
}

// changesSince returns the changes since mark.
func (e *environment) changesSince(mark int) branch {
	changes := e.journal[mark:]
	if len(changes) == 0 {
		return nil
	}
	*e.work -= changeCost * len(changes)
	b := make(branch, 0, min(len(changes), 8))
	var seen map[name]bool // where there are too many to go through
	if len(changes) > fewChanges {
		seen = make(map[name]bool, len(changes))
	}
	for _, c := range changes {
		known := seen[c.name]
		if seen == nil {
			_, known = b.items(c.name)
		}
		if known {
			continue
		}
		if seen != nil {
			seen[c.name] = true
		}
		b = append(b, change{name: c.name, items: e.current(c.name)})
	}
	return b
}

// fewChanges is how many changes are searched one by one.
const fewChanges = 16

// takeBack takes the changes since mark back and returns them.
func (e *environment) takeBack(mark int) branch {
	b := e.changesSince(mark)
	e.rollback(mark)
	return b
}

func (e *environment) rollback(mark int) {
	for i := len(e.journal) - 1; i >= mark; i-- {
		switch c := e.journal[i]; {
		case c.name == name{kind: folder}:
			e.here = c.items
		case c.had:
			e.names[c.name] = c.items
		default:
			delete(e.names, c.name)
		}
	}
	e.journal = e.journal[:mark]
}

// join goes on as if any one of the branches had been taken.
func (e *environment) join(branches ...branch) {
	alive := make([]branch, 0, len(branches))
	for _, b := range branches {
		if !b.isDead() {
			alive = append(alive, b)
		}
	}
	if len(alive) == 0 { // what follows can't be reached, but is walked all the same
		alive = branches[:1]
	}
	if len(alive) == 1 {
		e.apply(alive[0])
		return
	}
	total := 0
	for _, b := range alive {
		total += len(b)
	}
	e.joinNames(alive, total)
	if isReached(alive) {
		e.set(name{kind: ended}) // what runs behind one of them runs
	}
}

// isReached reports whether one of the branches says that what is behind it runs.
func isReached(branches []branch) bool {
	return slices.ContainsFunc(branches, func(b branch) bool {
		_, said := b.items(name{kind: ended})
		return said
	})
}

// joinNames lets each name stand for all that it does behind one of the branches.
func (e *environment) joinNames(branches []branch, total int) {
	*e.work -= changeCost * total
	ways := make(map[name][][]*binding, total)
	var order []name
	for i, b := range branches {
		for _, c := range b {
			have := ways[c.name]
			if have == nil {
				order = append(order, c.name)
			}
			for len(have) < i {
				have = append(have, e.get(c.name))
			}
			ways[c.name] = append(have, c.items)
		}
	}
	joined := make(branch, 0, len(order))
	for _, n := range order {
		have := ways[n]
		for len(have) < len(branches) {
			have = append(have, e.get(n))
		}
		joined = append(joined, change{name: n, items: union(have)})
	}
	e.apply(joined)
}

func (e *environment) apply(b branch) {
	for _, c := range b {
		e.set(c.name, c.items...)
	}
}

// union is all that a name may stand for after one of several ways.
func union(ways [][]*binding) []*binding {
	var all []*binding
	for _, items := range ways {
		if items == nil {
			items = unknownItems
		}
		for _, it := range items {
			if !slices.ContainsFunc(all, it.same) {
				all = append(all, it)
			}
		}
	}
	if len(all) > maxItems {
		return nil
	}
	return all
}

// same reports whether two items can't be told apart.
func (it *binding) same(other *binding) bool {
	if it == other {
		return true
	}
	if it.unknown || other.unknown {
		return it.unknown && other.unknown
	}
	sameWord := func(a, b argument) bool { return a.Word == b.Word && slices.Equal(a.from, b.from) }
	return it.isList == other.isList && it.unset == other.unset && it.exported == other.exported && it.body == other.body &&
		it.keyed == other.keyed && slices.Equal(it.at, other.at) && slices.Equal(it.keys, other.keys) &&
		sameWord(it.word, other.word) && slices.EqualFunc(it.list, other.list, sameWord)
}

// choice is which of several items a name stands for, while a command is
// walked once for each.
type choice struct {
	items []*binding
	index int
}

// maxChoices is how often a command is walked with different values.
const maxChoices = 16

// choose returns the item that n stands for in this walk, nil for unknown.
func (w *walker) choose(n name) *binding { return w.chosen(w.env.get(n)) }

func (w *walker) chosen(items []*binding) *binding {
	switch {
	case len(items) == 0:
		return nil
	case len(items) == 1:
		return known(items[0])
	}
	ways := 1
	for i := range w.choices {
		c := &w.choices[i]
		if &c.items[0] == &items[0] {
			return known(c.items[c.index])
		}
		ways *= len(c.items)
	}
	if !w.choosing || ways*len(items) > maxChoices {
		return nil
	}
	w.choices = append(w.choices, choice{items: items})
	return known(items[0])
}

func known(it *binding) *binding {
	if it.unknown {
		return nil
	}
	return it
}

// eachChoice calls run once for each combination of what the names that it asks for
// may stand for, and joins what these change.
func (w *walker) eachChoice(run func()) {
	if w.inCapture && w.choosing {
		run() // what is captured has to be chosen where it's used
		return
	}
	before, base := w.choosing, len(w.choices)
	w.choosing = true
	mark, start := w.env.mark(), w.position()
	run()
	if len(w.choices) > base {
		branches := []branch{w.env.takeBack(mark)}
		var seen repeats
		seen.dropRepeated(w, start)
		for rounds := 1; w.next(base); rounds++ {
			start := w.position()
			if rounds > 2*maxChoices { // values that are made anew each time
				w.choices, w.choosing = w.choices[:base], false
			}
			run()
			branches = append(branches, w.env.takeBack(mark))
			seen.dropRepeated(w, start)
		}
		w.env.join(branches...)
	}
	w.choosing, w.choices = before, w.choices[:base]
}

// capturing walks what writes to a capture.
func (w *walker) capturing(run func()) {
	before := w.inCapture
	w.inCapture = true
	run()
	w.inCapture = before
}

// next goes to the next combination of the choices behind base. What comes
// after the choice that changes is chosen anew.
func (w *walker) next(base int) bool {
	for len(w.choices) > base {
		last := &w.choices[len(w.choices)-1]
		if last.index++; last.index < len(last.items) {
			return true
		}
		w.choices = w.choices[:len(w.choices)-1]
	}
	return false
}
