package script

import "slices"

// scope holds the variables of a program or of one call of a function.
type scope struct {
	outer  *scope
	names  map[string]*variable
	fn     *function // nil for the program
	args   []values  // of Perl: what @_ has
	known  bool      // whether that is known
	result values
}

// variable is what is known of a variable: what it may be now, and whatever it
// was in the program so far.
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
	v := s.names[name]
	if v == nil {
		if s.names == nil {
			s.names = map[string]*variable{}
		}
		v = &variable{}
		s.names[name] = v
	}
	return v
}

// place returns the variable that an assignment in s changes.
func (s *scope) place(name string, local bool) *variable {
	for at := s; at != nil; at = at.outer {
		if v := at.names[name]; v != nil {
			return v
		}
		if at.outer == nil || local && (at.fn == nil || !at.fn.inline) {
			return at.declare(name)
		}
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
		b := &f.blocks[n-1]
		if _, known := b.before[v]; !known {
			if b.before == nil {
				b.before = map[*variable]values{}
			}
			b.before[v] = now
		}
	}
}

// read returns what a variable may be.
func (r *reader) read(v *variable) values {
	if v.since < r.late {
		return v.all
	}
	if slices.ContainsFunc(r.blocks, func(b block) bool { return b.loop && b.tick > v.since }) {
		r.tick++
		v.stale = r.tick
	}
	return v.now
}

// enter begins a block.
func (r *reader) enter(loop bool, id int) {
	r.tick++
	r.blocks = append(r.blocks, block{id: id, loop: loop, tests: r.tests, tick: r.tick})
}

// leave ends a block: what was assigned in it perhaps wasn't. It reports
// whether something in a loop was read before that, and may now be more.
func (r *reader) leave() (again bool) {
	b := r.blocks[len(r.blocks)-1]
	r.blocks = r.blocks[:len(r.blocks)-1]
	for v, before := range b.before {
		r.remember(v, before)
		if len(before) == 0 {
			continue
		}
		v.now = r.union(before, v.now)
		again = again || b.loop && v.stale > b.tick && len(v.now) > len(before)
	}
	return again
}

// maxRounds is how often a loop is read until nothing in it changes.
const maxRounds = 3

// repeat reads what may not run or, in a loop, runs several times. A loop is
// read again where a variable may have a value that was assigned behind the
// place that reads it.
func (r *reader) repeat(loop bool, id int, read func()) {
	at, calls, prints, dir := r.at, len(r.calls), len(r.prints), r.dir
	for round := 1; ; round++ {
		r.enter(loop, id)
		read()
		if !r.leave() || round == maxRounds || r.skimming > 0 {
			return
		}
		r.at, r.calls, r.prints, r.dir = at, r.calls[:calls], r.prints[:prints], dir
	}
}

// choose notes that a loop isn't run to its end for each of its elements.
func (f *flow) choose() {
	for i := len(f.blocks) - 1; i >= 0; i-- {
		if b := &f.blocks[i]; b.loop {
			if f.tests > b.tests {
				if f.chosen == nil {
					f.chosen = map[int]bool{}
				}
				f.chosen[b.id] = true
			}
			return
		}
	}
}

// loop returns the innermost block if it is a loop.
func (f *flow) loop() *block {
	if n := len(f.blocks); n > 0 && f.blocks[n-1].loop {
		return &f.blocks[n-1]
	}
	return nil
}

// inLoop reports whether what is read runs several times.
func (f *flow) inLoop() bool {
	return slices.ContainsFunc(f.blocks, func(b block) bool { return b.loop })
}

// pattern is what values are assigned to.
type pattern struct {
	name  string
	key   string    // in a pattern of a map
	items []pattern // of a list or map
	rest  bool      // takes all that is left
	has   bool      // there is a default
	value values
	list  bool
}

// bind assigns what is known of to to the parts of a pattern.
func (r *reader) bind(p pattern, to values, declare bool) {
	switch {
	case !r.spend(1):
	case p.name != "":
		for i := range to {
			if one := &to[i]; one.kind == valueUnknown && one.text == "" {
				to = slices.Clone(to)
				to[i].text = p.name
			}
		}
		if declare {
			r.assign(r.scope.declare(p.name), to)
		} else {
			r.assign(r.scope.place(p.name, r.local), to)
		}
	default:
		for i, item := range p.items {
			var v values
			switch {
			case p.list:
				v = r.partOf(to, i, &item)
			default:
				var ok bool
				if v, ok = to.entry(item.key); !ok {
					v = r.member(to, item.key, item.key)
				}
			}
			if item.has {
				v = r.union(v, item.value)
			}
			r.bind(item, v, declare)
		}
	}
}

// partOf returns what the item with an index of a list of targets is assigned.
func (r *reader) partOf(to values, i int, item *pattern) (v values) {
	for k := range to {
		one := &to[k]
		switch {
		case one.kind == valueList && item.rest:
			v = r.union(v, listValue(one.items[min(i, len(one.items)):]))
		case one.kind == valueList && i < len(one.items) && !one.items[i].any():
			v = r.union(v, one.items[i])
		case one.kind == valueList && item.has:
		default:
			v = r.union(v, values{{text: item.name, rest: item.rest, found: one.found}})
		}
	}
	return v
}

// elements returns what an element of a list may be, in the loop with that id.
func (r *reader) elements(of values, loop int, source string) (all values) {
	for i := range of {
		one := &of[i]
		switch one.kind {
		case valueList:
			for _, item := range one.items {
				r.spend(1)
				all = r.union(all, item)
			}
		case valueMap:
			for _, p := range one.pairs {
				key := textValue(p.key)
				if r.name == "php" {
					key = p.value
				} else if p.key == unknownKey {
					key = unknown(source)
				}
				all = r.union(all, key)
			}
		default:
			text := one.text
			if text == "" {
				text = source
			}
			all = r.union(all, values{{text: text, found: one.found}})
		}
	}
	return r.looped(all, loop)
}

// looped says of what is found that a loop goes through it.
func (f *flow) looped(all values, loop int) values {
	return f.eachFound(all, func(at *found) *found {
		return &found{root: at.root, name: at.name, tests: f.tests, loop: loop}
	})
}

// unfound is a list of which some were chosen.
func (f *flow) unfound(all values) values {
	return f.eachFound(all, func(*found) *found { return nil })
}

// eachFound returns values with what change makes of what says where they were found.
func (f *flow) eachFound(all values, change func(*found) *found) values {
	all = slices.Clone(all)
	for i := range all {
		one := &all[i]
		if one.found != nil {
			one.found = change(one.found)
		} else if one.kind == valueList && f.spend(len(one.items)) {
			one.items = slices.Clone(one.items)
			for k := range one.items {
				one.items[k] = f.eachFound(one.items[k], change)
			}
		}
	}
	return all
}
