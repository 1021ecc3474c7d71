package script

import "strings"

// language is what flow has to know of one.
type language struct {
	// read makes a tree of source, whose first line is line. It reports
	// whether that was too deeply nested to be read to its end.
	read func(source string, line int) (*tree, bool)

	// global returns what a name is that the program doesn't define.
	global func(name string) (fact, bool)

	// member returns what a member of a value is, where the language knows better than flow.
	member func(of *fact, name string) (fact, bool)

	// call reports what a call of the language's own does, and returns its value.
	call func(f *flow, s *site) facts

	// enter is asked before the functions among a call's arguments are looked
	// into, and returns what has to be done after them, or nil.
	enter func(f *flow, s *site) func()

	flat   bool                   // a variable belongs to the whole function in which it is assigned
	shared func(name string) bool // a variable of that name is seen in sealed functions, too
	texts  bool                   // a text can be called: it names a function
}

// flow finds out what the variables of a program are and reports its calls.
//
// It goes through the whole program several times, until it has learned
// nothing new: what a function is called with is often seen only after the
// function. In the order of the text it tells the values of a variable apart
// where that is sure; otherwise a variable has all values that are ever
// assigned to it.
type flow struct {
	language *language
	calls    []Call
	complex  bool
	work     int // what is left
	pass     int
	settled  bool // what isn't known by now won't be
	changed  bool // something was learned in this pass after it was needed
	missing  bool // something wasn't known in this pass

	frame    *frame
	function *tree // the one that is being looked into, nil outside of all
	place    *tree // the innermost loop, branch or function
	loop     *tree // the innermost loop in this function
	nested   int   // texts that are evaluated inside others
	dir      *Arg  // the folder that the program changed to

	frames  map[*tree]*frame
	results map[*tree]facts // of functions
	texts   map[string]*tree
}

// The bounds of one run of a flow.
const (
	maxFlow   = 1 << 18 // steps in all passes together
	maxPasses = 6       // before and after what isn't known is settled
	widenFrom = 5       // the pass from which a growing variable isn't known
	maxNested = 8       // evaluated texts in evaluated texts
	maxCalls  = 4000
	maxSame   = 4096 // values compared at once
)

// frame holds the variables of a block or function.
type frame struct {
	names    map[string]*variable
	up       *frame
	function *tree
	roomy    bool // of a function or the program
	sealed   bool
}

// variable is one variable of a program.
type variable struct {
	all      facts // ever assigned
	now      facts // at this point of the text, in this pass
	pass     int   // that now belongs to
	function *tree // that it belongs to
	place    *tree // where it was assigned first in this pass
	loop     *tree // likewise
	wild     bool  // assigned in a loop inside of that, or from another function
	constant bool  // names a function
	needed   int   // the last pass in which all was asked for
}

// analyse returns what source calls.
func analyse(l *language, source string) Program {
	if len(source) > maxProgram {
		return Program{TooComplex: true}
	}
	root, deep := l.read(strings.ReplaceAll(source, homeMark, " "), 1)
	f := &flow{language: l, work: maxFlow, frames: map[*tree]*frame{}, results: map[*tree]facts{}, texts: map[string]*tree{}}
	for f.runs(root) && f.pass < maxPasses {
	}
	if f.missing || f.changed {
		f.settled = true
		for f.runs(root) && f.pass < 2*maxPasses {
		}
	}
	return Program{Calls: f.calls, TooComplex: deep || f.complex || f.changed}
}

// runs goes through the program once. It reports whether something was learned that
// would have been needed before, so that it has to be done again.
func (f *flow) runs(root *tree) bool {
	calls := f.calls
	f.pass++
	f.missing, f.changed, f.calls, f.dir, f.frame = false, false, nil, nil, nil
	f.frame = f.frameOf(root, true)
	f.value(root)
	if f.work >= 0 {
		return f.changed
	}
	// What was found is still true; what was missed is said to be.
	f.complex = true
	if len(calls) > len(f.calls) {
		f.calls = calls
	}
	return false
}

// spend takes n steps from what may still be done.
func (f *flow) spend(n int) bool {
	f.work -= n
	return f.work >= 0
}

// frameOf returns the variables of a block or function, for this pass.
func (f *flow) frameOf(t *tree, roomy bool) *frame {
	found := f.frames[t]
	if found == nil {
		found = &frame{names: map[string]*variable{}, up: f.frame, function: f.function, roomy: roomy}
		f.frames[t] = found
	}
	return found
}

func (l *language) isShared(name string) bool { return l.shared != nil && l.shared(name) }

// lookUp returns the variable of that name, or nil.
func (f *flow) lookUp(name string) *variable {
	sealed := false
	for at := f.frame; at != nil; at = at.up {
		if v := at.names[name]; v != nil && (!sealed || v.constant || f.language.isShared(name)) {
			return v
		}
		sealed = sealed || at.sealed
	}
	return nil
}

// declare returns the variable of that name in the block, or the function
// around it.
func (f *flow) declare(name string, roomy bool) *variable {
	at := f.frame
	for roomy && !at.roomy && at.up != nil {
		at = at.up
	}
	v := at.names[name]
	if v == nil {
		v = &variable{function: at.function}
		at.names[name] = v
	}
	return v
}

// assigned returns the variable that an assignment without a declaration is to.
func (f *flow) assigned(name string) *variable {
	if v := f.lookUp(name); v != nil {
		return v
	}
	if f.language.flat && !f.language.isShared(name) {
		return f.declare(name, true)
	}
	at := f.frame
	for at.up != nil {
		at = at.up
	}
	v := &variable{function: at.function}
	at.names[name] = v
	return v
}

// read returns what a variable may be here.
func (f *flow) read(v *variable) facts {
	if v.function == f.function && !v.wild && v.pass == f.pass && len(v.now) > 0 {
		return v.now
	}
	v.needed = f.pass
	return v.all
}

// set gives a variable a value.
func (f *flow) set(v *variable, value facts) {
	if v.pass != f.pass {
		v.pass, v.now, v.place, v.loop = f.pass, nil, f.place, f.loop
	}
	if v.function != f.function || v.loop != f.loop {
		v.wild = true
	}
	if v.function == f.function && v.place == f.place {
		v.now = value
	} else {
		v.now = f.union(v.now, value)
	}
	if f.learn(&v.all, value) && v.needed == f.pass {
		f.changed = true
	}
}

// learn adds value to what something is known to be, and reports whether it's new.
func (f *flow) learn(all *facts, value facts) bool {
	before := len(*all)
	joined := f.union(*all, value)
	if len(joined) == before {
		return false
	}
	if f.pass >= widenFrom && before > 0 {
		if all.unsure() {
			return false // that stands for the others too
		}
		joined = append((*all)[:before:before], fact{text: "several"})
	}
	*all = joined
	return true
}

// union returns the values of both, each once. Too many are as good as unknown.
func (f *flow) union(a, b facts) facts {
	if len(a) == 0 {
		return b
	}
	all := a[:len(a):len(a)]
	for i := range b {
		if !f.contains(all, &b[i]) {
			all = append(all, b[i])
		}
	}
	switch {
	case len(all) <= maxFacts:
		return all
	case a.unsure():
		return a
	}
	return append(all[:len(a):len(a)], fact{text: "several"})
}

func (f *flow) contains(all facts, one *fact) bool {
	for i := range all {
		budget := maxSame
		found := same(&all[i], one, &budget)
		f.spend(maxSame - budget)
		if found {
			return true
		}
	}
	return false
}

// unknown returns a value of which only the source is known.
func (f *flow) unknown(t *tree) facts {
	return unknownFact(t.source)
}
