package script

import "slices"

// scope holds the variables of a program or of one of its functions.
type scope struct {
	outer *scope
	names map[string]*variable
	code  *function // nil for the program
}

// variable is what is known of a variable.
type variable struct {
	scope *scope
	now   values
	set   bool // in this reading
	all   values
	at    []assignment
	pos   int // where it was assigned last
	block int // and in which block

	shared bool // functions inside assign it, too
}

type assignment struct {
	pos   int
	value values
}

// block is a part of a program that may run several times, or not at all.
type block struct {
	id         int
	start, end int // of a loop, in the source
	loop       bool
	tests      int
	mark       int // of the changes before it
}

// change is a variable as it was before a block.
type change struct {
	variable *variable
	now      values
	set      bool
}

// function is one that the program defines.
type function struct {
	name    string
	params  []pattern
	scope   *scope
	args    []values // that it's called with
	result  values
	called  bool
	escaped bool   // it's handed to somebody who calls it with anything
	lambda  bool   // it's read where it stands
	loop    int    // the id of its body
	shifts  int    // of Perl: arguments that were taken
	topic   values // of Perl: $_ in it
}

// pattern is what values are assigned to.
type pattern struct {
	name  string
	items []pattern // of a list or, with keys, of a map
	keys  []string
	rest  bool // takes all that is left
	has   bool // there is a default
	value values
	list  bool
}

// forget begins the second reading: what is known now isn't, what is known in
// all remains.
func (s *scope) forget() {
	for _, v := range s.names {
		v.now, v.set = nil, false
	}
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
		v = &variable{scope: s}
		if s.names == nil {
			s.names = map[string]*variable{}
		}
		s.names[name] = v
	}
	return v
}

// place returns the variable that an assignment in s changes.
func (s *scope) place(name string, local bool) *variable {
	if !local {
		if v := s.find(name); v != nil {
			return v
		}
		for s.outer != nil {
			s = s.outer
		}
		return s.declare(name)
	}
	for at := s; at != nil; at = at.outer {
		if v := at.names[name]; v != nil {
			return v
		}
		if at.code == nil || !at.code.lambda {
			return at.declare(name)
		}
	}
	return s.declare(name)
}

// named returns the function that s belongs to, but for those that run where
// they stand.
func (s *scope) named() *scope {
	for s.code != nil && s.code.lambda {
		s = s.outer
	}
	return s
}

// maxAssignments is how many assignments to a variable are told apart.
const maxAssignments = 64

// assign notes that a variable has a value from pos on.
func (r *reader) assign(v *variable, to values, pos int) {
	f := r.flow
	if v.all = f.union(v.all, to); len(v.at) < maxAssignments {
		v.at = append(v.at, assignment{pos, to})
	} else {
		v.all = f.union(v.all, unknown("several"))
	}
	if v.scope.named() != r.scope.named() {
		v.shared = true
		to = f.union(v.now, to)
	}
	if len(f.blocks) > 0 {
		f.changes = append(f.changes, change{v, v.now, v.set})
		v.block = f.blocks[len(f.blocks)-1].id
	} else {
		v.block = 0
	}
	v.now, v.set, v.pos = to, true, pos
}

// read returns what a variable may be at pos.
func (r *reader) read(v *variable, pos int) values {
	f := r.flow
	if !v.set || v.shared || v.scope.named() != r.scope.named() {
		return v.all
	}
	now := v.now
	from, to := -1, -1
	if v.scope != r.scope {
		from, to = pos, len(r.u.source) // a function that is called later
	}
	for i := range f.blocks {
		b := &f.blocks[i]
		if b.loop && (b.start > v.pos || !slices.ContainsFunc(f.blocks, func(o block) bool { return o.id == v.block })) {
			from, to = pos, max(to, b.end)
			break
		}
	}
	for i := range v.at {
		if at := &v.at[i]; at.pos > from && at.pos <= to && from >= 0 {
			now = f.union(now, at.value)
		}
	}
	return now
}

// enter begins a block.
func (r *reader) enter(start int, loop bool) {
	f := r.flow
	b := block{id: start + 1, start: start, loop: loop, tests: f.tests, mark: len(f.changes)}
	if loop {
		b.end = r.u.ends[start]
		delete(f.chosen, b.id)
	}
	f.blocks = append(f.blocks, b)
}

// leave ends a block: what was assigned in it perhaps wasn't.
func (r *reader) leave(end int) {
	f := r.flow
	b := f.blocks[len(f.blocks)-1]
	f.blocks = f.blocks[:len(f.blocks)-1]
	if b.loop {
		if r.u.ends == nil {
			r.u.ends = map[int]int{}
		}
		r.u.ends[b.start] = end
	}
	for i := b.mark; i < len(f.changes); i++ {
		c := &f.changes[i]
		if f.spend(1); c.set && !slices.ContainsFunc(f.changes[max(b.mark, i-16):i], func(o change) bool { return o.variable == c.variable }) {
			c.variable.now = f.union(c.now, c.variable.now)
		}
	}
	if len(f.blocks) == 0 {
		f.changes = nil
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

// inLoop reports whether what is read runs several times.
func (f *flow) inLoop() bool {
	return slices.ContainsFunc(f.blocks, func(b block) bool { return b.loop })
}

// define returns the function that begins at the current token.
func (r *reader) define(name string, lambda bool) *function {
	start := r.token().start
	s := r.u.scopes[start]
	if s == nil {
		if r.u.scopes == nil {
			r.u.scopes = map[int]*scope{}
		}
		s = &scope{code: &function{name: name}}
		s.code.scope = s
		r.u.scopes[start] = s
	}
	s.outer = r.scope
	s.code.lambda = lambda
	s.forget()
	return s.code
}

// body reads the body of a function with read, which returns its value if it
// is an expression.
func (r *reader) body(fn *function, start int, read func() values) {
	f := r.flow
	outer, dir, line := r.scope, f.dir, f.line
	r.scope = fn.scope
	r.enter(start, true)
	fn.loop = start + 1
	fn.shifts = 0
	if len(fn.topic) > 0 {
		r.bind(pattern{name: "$_"}, fn.topic, start, true)
		r.bind(pattern{name: "$File::Find::name"}, fn.topic, start, true)
	}
	for i, p := range fn.params {
		var v values
		if i < len(fn.args) && !p.rest {
			v = fn.args[i]
		}
		if p.rest && fn.called && !fn.escaped {
			v = listValue(fn.args[min(i, len(fn.args)):])
		} else if !p.has && (!fn.called || fn.escaped || i >= len(fn.args) || len(v) == 0) {
			v = f.union(v, values{{text: p.name, rest: p.rest}})
		}
		if p.has {
			v = f.union(v, p.value)
		}
		r.bind(p, v, start, true)
	}
	if v := read(); len(v) > 0 {
		fn.result = f.union(fn.result, v)
	}
	end := start
	if r.at > 0 {
		end = r.u.tokens[min(r.at, len(r.u.tokens))-1].end
	}
	r.leave(end)
	r.scope, f.line = outer, line
	if dir == nil || f.dir == nil || !fn.lambda {
		f.dir = dir
	}
}

// call notes that a function is called, and returns what it returns.
func (f *flow) call(fn *function, args []values, source string) values {
	fn.called = true
	for i, arg := range args {
		if i < maxAssignments && f.spend(1+len(arg)) {
			if i >= len(fn.args) {
				fn.args = append(fn.args, nil)
			}
			fn.args[i] = f.union(fn.args[i], arg)
		}
	}
	if len(fn.result) == 0 {
		return unknown(source)
	}
	return fn.result
}

// bind assigns what is known of to to the parts of a pattern.
func (r *reader) bind(p pattern, to values, pos int, declare bool) {
	f := r.flow
	switch {
	case !f.spend(1):
	case p.name != "":
		for i := range to {
			if one := &to[i]; one.found != nil && one.kind == valueUnknown && one.text == "" {
				named := *one
				named.text = p.name
				to = append(append(to[:i:i], named), to[i+1:]...)
			}
		}
		v := r.scope.names[p.name]
		if v == nil || !declare {
			if declare {
				v = r.scope.declare(p.name)
			} else {
				v = r.scope.place(p.name, f.local)
			}
		}
		r.assign(v, to, pos)
	case len(p.keys) > 0 || !p.list:
		for i, item := range p.items {
			v, ok := values(nil), false
			if i < len(p.keys) {
				if v, ok = to.entry(p.keys[i]); !ok {
					v = r.member(to, p.keys[i], p.keys[i])
				}
			}
			if item.has {
				v = f.union(v, item.value)
			}
			r.bind(item, v, pos, declare)
		}
	default:
		for i, item := range p.items {
			var v values
			for k := range to {
				one := &to[k]
				switch {
				case one.kind != valueList:
					v = f.union(v, values{{text: item.name, rest: item.rest, found: one.found}})
				case item.rest:
					v = f.union(v, listValue(one.items[min(i, len(one.items)):]))
				case i < len(one.items) && len(one.items[i]) == 1 && one.items[i][0].rest:
					v = f.union(v, values{{text: item.name}})
				case i < len(one.items):
					v = f.union(v, one.items[i])
				case item.has:
				default:
					v = f.union(v, values{{text: item.name}})
				}
			}
			if item.has {
				v = f.union(v, item.value)
			}
			r.bind(item, v, pos, declare)
		}
	}
}

// elements returns what an element of a list may be, in the loop with that id.
func (r *reader) elements(of values, loop int, source string) (all values) {
	f := r.flow
	for i := range of {
		one := &of[i]
		switch one.kind {
		case valueList:
			for _, item := range one.items {
				f.spend(1)
				all = f.union(all, item)
			}
			if len(one.items) == 0 {
				continue
			}
		case valueMap:
			for _, p := range one.pairs {
				all = f.union(all, textValue(p.key))
			}
		default:
			text := one.text
			if text == "" {
				text = source
			}
			all = f.union(all, values{{text: text, found: one.found}})
		}
	}
	if len(all) == 0 {
		all = unknown(source)
	}
	return f.looped(all, loop)
}

// looped says of what is found that a loop goes through it.
func (f *flow) looped(all values, loop int) values {
	for i := range all {
		if one := &all[i]; one.found != nil {
			at := *one.found
			at.tests, at.loop = f.tests, loop
			all = slices.Clone(all)
			all[i].found = &at
		} else if one.kind == valueList && f.spend(len(one.items)) {
			items := slices.Clone(one.items)
			for k := range items {
				items[k] = f.looped(items[k], loop)
			}
			all = slices.Clone(all)
			all[i].items = items
		}
	}
	return all
}
