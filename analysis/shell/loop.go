package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// maxRounds is how many rounds of loops over known words are walked one by one
// in a line. Behind them, a loop is walked once, with a variable that isn't
// known.
const maxRounds = 256

// loop is one under way.
type loop struct {
	mark  int      // of the environment where it began
	exits []branch // what had changed at each break and continue
	read  reading  // what read has met on its input
}

// reading is how the last read of a loop's condition ended.
type reading int

const (
	nothingRead reading = iota
	lineRead
	endRead
)

// begin starts a loop, and end joins the ways out of it.
func (w *walker) begin() *loop {
	l := &loop{mark: w.env.mark()}
	w.loops = append(w.loops, l)
	return l
}

func (w *walker) end(l *loop) {
	w.loops = w.loops[:len(w.loops)-1]
	if len(l.exits) > 0 {
		w.env.join(append(l.exits, w.env.take(l.mark))...)
	}
}

// leave is break or continue.
func (w *walker) leave() {
	if len(w.loops) == 0 {
		return
	}
	for _, l := range w.loops { // break may name an outer one
		l.exit(w)
	}
	w.env.end()
}

// exit notes a way out of the loop.
func (l *loop) exit(w *walker) {
	l.exits = withExit(l.exits, w.env.look(l.mark))
}

// withExit adds a way out. Of those beyond maxItems only is kept which names
// they change.
func withExit(exits []branch, b branch) []branch {
	if len(exits) < maxItems {
		return append(exits, b)
	}
	last := slices.Clone(exits[maxItems-1])
	for _, c := range b {
		i := slices.IndexFunc(last, func(have change) bool { return have.name == c.name })
		if i < 0 {
			last = append(last, change{name: c.name})
		} else {
			last[i].items = nil
		}
	}
	exits[maxItems-1] = last
	return exits
}

func (w *walker) while(c *syntax.WhileClause, s *scope) {
	if isEndless(c) {
		inner := *s
		inner.maybes-- // it's reached for sure
		w.endless(func() { w.whileRounds(c, &inner) })
		return
	}
	w.whileRounds(c, s)
}

// whileRounds walks a while loop that may end.
func (w *walker) whileRounds(c *syntax.WhileClause, s *scope) {
	l := w.begin()
	defer w.end(l)
	before, start := w.env.mark(), w.position()
	var seen repeats
	w.stmts(c.Cond, s)
	if l.read != nothingRead && !s.input.Dynamic && w.eachLine(c, s, l, &seen, &start) {
		return
	}
	w.stmts(c.Do, s)
	seen.drop(w, start)
	changes := w.env.take(before).without(name{kind: ended})
	w.again(changes, func() {
		w.stmts(c.Cond, s)
		w.stmts(c.Do, s)
	}, &seen)
	w.env.join(distinct([]branch{nil, changes})...)
}

// again walks a loop's body for all rounds but the first, with what the first
// changed unknown.
func (w *walker) again(changes branch, body func(), seen *repeats) {
	changed := false
	for i := range changes {
		if c := &changes[i]; !w.settled(c.name, c.items) {
			changed = true
			c.items = nil
		}
	}
	if !changed {
		return
	}
	if !w.spend(roundCost) {
		return
	}
	mark, start := w.env.mark(), w.position()
	w.env.apply(changes)
	body()
	seen.drop(w, start)
	w.env.rollback(mark)
}

// settled reports whether a name stands for the same after a round as before.
func (w *walker) settled(n name, items []*binding) bool {
	before := w.env.get(n)
	if len(before) != len(items) || len(items) == 0 {
		return len(before) == len(items)
	}
	for i := range items {
		if !items[i].same(before[i]) {
			return false
		}
	}
	return true
}

// eachLine walks a loop such as while read x, once for each line of a known
// input. The condition has been walked, from start. It returns false for the
// first round that isn't known.
func (w *walker) eachLine(c *syntax.WhileClause, s *scope, l *loop, seen *repeats, start *position) bool {
	for l.read == lineRead {
		if w.rounds++; w.rounds > maxRounds || !w.spend(roundCost) {
			return false
		}
		if !onlyReads(c.Cond) { // it may end with any line
			l.exit(w)
		}
		w.stmts(c.Do, s)
		seen.drop(w, *start)
		if w.line.TooComplex {
			return true
		}
		*start, l.read = w.position(), nothingRead
		w.stmts(c.Cond, s)
	}
	return true
}

// onlyReads reports whether a condition is a simple command.
func onlyReads(condition []*syntax.Stmt) bool {
	if len(condition) != 1 || condition[0].Negated {
		return false
	}
	_, ok := condition[0].Cmd.(*syntax.CallExpr)
	return ok
}

func (w *walker) forLoop(c *syntax.ForClause, outer, s *scope) {
	switch l := c.Loop.(type) {
	case *syntax.WordIter:
		w.each(func() { w.forWords(c, l, outer, s) })
	case *syntax.CStyleLoop:
		w.number(l.Init, outer)
		w.number(l.Cond, outer)
		rounds := func(s *scope) { w.anyRound(c, s, func() {}, func() { w.number(l.Post, outer) }) }
		if value, ok := constantNumber(l.Cond); l.Cond == nil || ok && value {
			inner := *s
			inner.maybes--
			w.endless(func() { rounds(&inner) })
			return
		}
		rounds(s)
	}
}

func (w *walker) forWords(c *syntax.ForClause, l *syntax.WordIter, outer, s *scope) {
	var words []argument
	known := true
	if l.InPos.IsValid() {
		words = w.words(l.Items, outer)
	} else {
		words, known = w.all("@")
	}
	if !known || len(words) == 0 || c.Select || w.rounds+len(words) > maxRounds {
		w.anyRound(c, s, func() { w.assign(l.Name.Value, nil) }, func() {})
		return
	}
	w.rounds += len(words)
	under := w.begin()
	defer w.end(under)
	var seen repeats
	for _, word := range words {
		if !w.spend(roundCost) {
			return
		}
		start := w.position()
		if word.Glob { // it stands for the files that it matches
			word = word.marked(word.Text)
			if i := strings.IndexAny(word.Text, "*?["); i >= 0 {
				word.lead = word.Text[:i]
			}
		}
		w.assign(l.Name.Value, &binding{word: word})
		w.env.set(name{kind: ended})
		w.stmts(c.Do, s)
		seen.drop(w, start)
		if w.line.TooComplex {
			return
		}
	}
}

// anyRound walks a loop of which the rounds aren't known.
func (w *walker) anyRound(c *syntax.ForClause, s *scope, before, after func()) {
	l := w.begin()
	defer w.end(l)
	var seen repeats
	mark, start := w.env.mark(), w.position()
	round := func() {
		before()
		w.stmts(c.Do, s)
		after()
	}
	round()
	seen.drop(w, start)
	changes := w.env.take(mark).without(name{kind: ended})
	w.again(changes, round, &seen)
	w.env.join(distinct([]branch{nil, changes})...)
}

// rest is what of an input hasn't been read yet.
func (a *argument) rest() string {
	if a.taken > len(a.Text) {
		return ""
	}
	return a.Text[a.taken:]
}

// line reads the next line of an input.
func (a *argument) line() (text string, ok bool) {
	rest := a.rest()
	if rest == "" {
		return "", false
	}
	line, _, found := strings.Cut(rest, "\n")
	if a.taken += len(line); found {
		a.taken++
	}
	return line, true
}
