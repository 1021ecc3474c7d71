package script

import (
	"cmp"
	"slices"
)

// scope holds the variables of a program or of one call of a function.
type scope struct {
	outer  *scope
	names  map[string]*variable
	fn     *function // nil for the program
	args   []values  // of Perl: what @_ has
	result values
}

// variable is what is known of a variable: what it may be now, and whatever it was in the program so far.
type variable struct {
	now, all values
	since    int // the tick at which it was assigned
	stale    int // the tick at which a loop last read what it was before the loop
}

// block is a part of a program that may run several times, or not at all.
type block struct {
	id     int
	loop   bool
	tests  int
	tick   int
	before map[*variable]values // what was assigned in it
}

// find returns the variable of that name that is seen in s.
func (s *scope) find(name string) *variable {
	for ; s != nil; s = s.outer {
		if v := s.names[name]; v != nil {
			return v
		}
	}
	return nil
}

// declare returns the variable of that name in s itself.
func (s *scope) declare(name string) *variable {
	if s.names == nil {
		s.names = map[string]*variable{}
	}
	if s.names[name] == nil {
		s.names[name] = &variable{}
	}
	return s.names[name]
}

// place returns the variable that an assignment in s changes.
func (s *scope) place(name string, local bool) *variable {
	for s.names[name] == nil && s.outer != nil && !(local && (s.fn == nil || !s.fn.inline)) {
		s = s.outer
	}
	return s.declare(name)
}

// assign notes that a variable has a value.
func (r *reader) assign(v *variable, to values) {
	if r.skimming > 0 {
		return
	}
	r.remember(v, v.now)
	r.tick++
	v.now, v.since = to, r.tick
	v.all = r.union(v.all, to)
}

// remember notes in the innermost block what a variable was before it.
func (f *flow) remember(v *variable, now values) {
	if n := len(f.blocks); n > 0 {
		before := f.blocks[n-1].before
		if _, known := before[v]; !known {
			before[v] = now
		}
	}
}

// read returns what a variable may be.
func (r *reader) read(v *variable) values {
	if v.since < r.late {
		return v.all
	}
	if b := r.flow.loop(); b != nil && b.tick > v.since {
		r.tick++
		v.stale = r.tick
	}
	return v.now
}

// maxRounds is how often a loop is read until nothing in it changes.
const maxRounds = 3

// repeat reads what may not run or, in a loop, runs several times: what is assigned in it perhaps isn't. A loop is read
// again where a variable may have a value that was assigned behind the place that reads it.
func (r *reader) repeat(loop bool, id int, read func()) {
	at, calls, prints, dir := r.at, len(r.calls), len(r.prints), r.dir
	if loop { // a round before may have made what a test outside hasn't found
		defer func(known []missing) { r.missing = known }(r.missing)
		r.missing = nil
	}
	for round := 1; ; round++ {
		r.tick++
		b := block{loop: loop, id: id, tests: r.tests, tick: r.tick, before: map[*variable]values{}}
		r.blocks = append(r.blocks, b)
		read()
		r.blocks = r.blocks[:len(r.blocks)-1]
		again := false
		for v, before := range b.before {
			r.remember(v, before)
			if len(before) > 0 {
				v.now = r.union(before, v.now)
				grows := loop && v.stale > b.tick && len(v.now) > len(before)
				if again = again || grows; grows && round == maxRounds-1 {
					v.now = r.union(v.now, unknown("several")) // as it may go on
				}
			}
		}
		if !again || round == maxRounds || r.skimming > 0 {
			return
		}
		r.at, r.calls, r.prints, r.dir = at, r.calls[:calls], r.prints[:prints], dir
	}
}

// loop returns the innermost loop, nil for none.
func (f *flow) loop() *block {
	for i := len(f.blocks) - 1; i >= 0; i-- {
		if f.blocks[i].loop {
			return &f.blocks[i]
		}
	}
	return nil
}

// choose notes that not all elements of the innermost loop come to its end.
func (f *flow) choose() {
	if b := f.loop(); b != nil && f.tests > b.tests {
		f.chosen[b.id] = true
	}
}

// pattern is what values are assigned to.
type pattern struct {
	name  string
	key   string    // in a pattern of a map
	items []pattern // of a list or map
	list  bool
	rest  bool   // takes all that is left
	value values // the default
}

// bind assigns what is known of to to the parts of a pattern.
func (r *reader) bind(p pattern, to values, declare bool) {
	if p.name != "" {
		to = slices.Clone(to)
		for i := range to {
			if to[i].kind == valueUnknown {
				to[i].text = cmp.Or(to[i].text, p.name)
			}
		}
		if declare {
			r.assign(r.scope.declare(p.name), to)
		} else {
			r.assign(r.scope.place(p.name, r.local), to)
		}
	}
	for i, item := range p.items {
		if !r.spend(1 + i/16) {
			return
		}
		r.bind(item, r.collect(to, func(one *value) values {
			known := one.kind == valueList && !slices.ContainsFunc(one.items[:min(i+1, len(one.items))], values.any)
			switch {
			case !p.list:
				return r.union(r.member(values{*one}, item.key, item.key), item.value)
			case known && item.rest:
				return listValue(one.items[min(i, len(one.items)):])
			case known && i < len(one.items) && len(one.items[i]) > 0:
				return one.items[i]
			case known && len(item.value) > 0:
				return item.value
			}
			return r.union(values{{text: item.name, rest: item.rest, found: one.found}}, item.value)
		}), declare)
	}
}

// elements returns what an element of a list may be, in the loop with that id.
func (r *reader) elements(of values, loop int, source string) values {
	return r.looped(r.collect(of, func(one *value) (all values) {
		if one.kind != valueList && one.kind != valueMap {
			return values{{text: cmp.Or(one.text, source), found: one.found}}
		}
		r.spend(len(one.items) + len(one.pairs))
		for _, item := range one.items {
			all = r.union(all, item)
		}
		for _, p := range one.pairs {
			element := textValue(p.key)
			if r.name == "php" {
				element = p.value
			}
			all = r.union(all, element)
		}
		return all
	}), loop)
}

// looped says of what is found that a loop goes through it, or with 0 that only some of it was chosen.
func (f *flow) looped(all values, loop int) values {
	all = slices.Clone(all)
	for i := range all {
		one := &all[i]
		if at := one.found; loop == 0 {
			one.found = nil
		} else if at != nil {
			one.found = &found{root: at.root, name: at.name, tests: f.tests, loop: loop}
		}
		if one.kind == valueList && f.spend(len(one.items)) {
			one.items = slices.Clone(one.items)
			for k := range one.items {
				one.items[k] = f.looped(one.items[k], loop)
			}
		}
	}
	return all
}
