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
	ended      // text is "": there behind exit, return and break, where nothing runs
)

// nameOfParameters is what the positional parameters are known by.
var nameOfParameters = name{kind: parameters}

// binding is one thing that a name may stand for.
type binding struct {
	word     argument   // a variable's value, an alias' text, or a folder
	list     []argument // an array's elements, or the parameters
	body     *body      // a function's
	isList   bool
	gone     bool // it's unset for sure
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

// environment is what is known of the names of one shell process. A nil entry
// is a name of which nothing is known.
//
// It changes as the line is walked. What was changed since a mark can be taken
// back, and the changes of several branches be joined.
type environment struct {
	work    *int         // what is left of maxWork
	outer   *environment // of the shell that started this one, nil for none
	names   map[name][]*binding
	journal []change
}

// change is what a name stood for before.
type change struct {
	name   name
	before []*binding
	had    bool
}

// get returns what a name may stand for, nil for anything.
func (e *environment) get(n name) []*binding {
	if items, ok := e.names[n]; ok || e.outer == nil {
		return items
	}
	if n.kind != variable {
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

func (e *environment) set(n name, items ...*binding) {
	*e.work -= changeCost
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

// end says that what follows doesn't run.
func (e *environment) end() { e.set(name{kind: ended}, unknownBinding) }

// branch is what a part of the line that may or may not run has changed.
type branch map[name][]*binding

// dead reports whether nothing runs behind the branch.
func (b branch) dead() bool { return len(b[name{kind: ended}]) > 0 }

// look returns the changes since mark.
func (e *environment) look(mark int) branch {
	if len(e.journal) == mark {
		return nil
	}
	*e.work -= changeCost * (len(e.journal) - mark)
	b := make(branch, len(e.journal)-mark)
	for _, c := range e.journal[mark:] {
		b[c.name] = e.names[c.name]
	}
	return b
}

// take takes the changes since mark back and returns them.
func (e *environment) take(mark int) branch {
	b := e.look(mark)
	e.rollback(mark)
	return b
}

func (e *environment) rollback(mark int) {
	for i := len(e.journal) - 1; i >= mark; i-- {
		c := e.journal[i]
		if c.had {
			e.names[c.name] = c.before
		} else {
			delete(e.names, c.name)
		}
	}
	e.journal = e.journal[:mark]
}

// join goes on as if any one of the branches had been taken.
func (e *environment) join(branches ...branch) {
	alive := slices.DeleteFunc(slices.Clone(branches), branch.dead)
	if len(alive) == 0 { // what follows can't be reached, but is walked all the same
		alive = branches[:1]
	}
	if len(alive) == 1 {
		e.apply(alive[0])
		return
	}
	joined := branch{}
	for _, b := range alive {
		for n := range b {
			if _, ok := joined[n]; !ok {
				joined[n] = e.union(n, alive)
			}
		}
	}
	e.apply(joined)
}

func (e *environment) apply(b branch) {
	for n, items := range b {
		e.set(n, items...)
	}
}

// union is all that n may stand for after one of the branches.
func (e *environment) union(n name, branches []branch) []*binding {
	var all []*binding
	for _, b := range branches {
		items, changed := b[n]
		if !changed {
			items = e.get(n)
		}
		if items == nil {
			items = []*binding{unknownBinding}
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
	return it.isList == other.isList && it.gone == other.gone && it.exported == other.exported && it.body == other.body &&
		sameWord(it.word, other.word) && slices.EqualFunc(it.list, other.list, sameWord)
}

// literal is a word that is known.
func literal(text string, at place) argument { return argument{Word: Word{Text: text}, at: at} }

// unknowable is a word of which nothing is known but where it's from.
func unknowable(source string, at place) argument {
	return argument{Word: Word{Text: source, Dynamic: true}, at: at, dynamic: []string{source}}
}
