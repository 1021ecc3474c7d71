package script

// assignment gives a variable, or those of a pattern, a value.
func (f *flow) assignment(t *tree) facts {
	target := t.kids[0]
	if t.op == treeDeclare {
		f.declareAll(target, t.flags)
	}
	if len(t.kids) < 2 || t.kids[1] == nil {
		return nil
	}
	value := f.settle(f.value(t.kids[1]), t.kids[1])
	f.bind(target, value)
	return value
}

// declareAll declares the variables in a pattern.
func (f *flow) declareAll(target *tree, flags treeFlag) {
	if target == nil || !f.spend(1) {
		return
	}
	switch target.op {
	case treeName:
		v := f.declare(target.text, flags&treeRoomy != 0)
		if v.constant = flags&treeConstant != 0; v.constant && len(v.all) == 0 {
			f.changed = true // it's seen from before, too
		}
		v.pass, v.now, v.place, v.loop = f.pass, nil, f.place, f.loop
	case treeList:
		for _, kid := range target.kids {
			f.declareAll(kid, flags)
		}
	case treeMap:
		for i := 1; i < len(target.kids); i += 2 {
			f.declareAll(target.kids[i], flags)
		}
	case treeSpread, treeAssign:
		f.declareAll(target.kids[0], flags)
	}
}

// bind gives a variable, or those of a pattern, a value.
func (f *flow) bind(target *tree, value facts) {
	if target == nil || !f.spend(1) {
		return
	}
	switch target.op {
	case treeName:
		f.set(f.assigned(target.text), value)
	case treeDeclare:
		f.declareAll(target.kids[0], target.flags)
		f.bind(target.kids[0], value)
	case treeAssign: // with a default
		f.bind(target.kids[0], f.union(value, f.value(target.kids[1])))
	case treeSpread:
		f.bind(target.kids[0], value)
	case treeList:
		f.bindList(target, value)
	case treeMap:
		f.bindMap(target, value)
	case treeMember:
		f.bindMember(target, target.text, value)
	case treeIndex:
		name, _ := f.value(target.kids[1]).constant()
		f.bindMember(target, name, value)
	default:
		f.value(target)
	}
}

func (f *flow) bindList(target *tree, value facts) {
	for i, kid := range target.kids {
		if kid == nil {
			continue
		}
		if kid.op == treeSpread {
			f.bind(kid.kids[0], f.rest(value, i))
			continue
		}
		var all facts
		for k := range value {
			if value[k].kind != factList {
				all = f.union(all, f.unknown(kid))
			} else if i < len(value[k].items) {
				all = f.union(all, f.ofRest(&value[k], i, kid))
			}
		}
		f.bind(kid, f.settle(all, kid))
	}
}

// ofRest returns element i of list, unless something of unknown length comes before it.
func (f *flow) ofRest(list *fact, i int, t *tree) facts {
	for _, item := range list.items[:i+1] {
		if len(item) == 1 && item[0].rest {
			return f.unknown(t)
		}
	}
	return f.settle(list.items[i], t)
}

// rest returns the lists without their first n elements.
func (f *flow) rest(value facts, n int) (all facts) {
	for _, list := range value {
		switch {
		case list.kind != factList:
			all = f.union(all, facts{{text: list.text, rest: true}})
		case n < len(list.items):
			all = f.union(all, listFact(list.items[n:]))
		default:
			all = f.union(all, listFact(nil))
		}
	}
	return all
}

func (f *flow) bindMap(target *tree, value facts) {
	for i := 0; i+1 < len(target.kids); i += 2 {
		if target.kids[i] == nil {
			f.bind(target.kids[i+1], value)
			continue
		}
		var found facts
		for _, key := range f.value(target.kids[i]) {
			if name, known := key.written(); known {
				found = f.union(found, f.members(value, name, target.kids[i]))
			}
		}
		f.bind(target.kids[i+1], found)
	}
}

// bindMember changes an entry of the map that a variable holds. An element of a list
// or something without a known name makes the whole unknown.
func (f *flow) bindMember(target *tree, name string, value facts) {
	holder := target.kids[0]
	if holder.op != treeName {
		f.value(holder)
		return
	}
	v := f.lookUp(holder.text)
	if v == nil {
		return
	}
	held := f.read(v)
	if len(held) != 1 || held[0].kind != factMap && held[0].kind != factList {
		return
	}
	changed := held[0]
	if name == "" || changed.kind == factList {
		f.set(v, f.unknown(holder))
		return
	}
	if len(changed.pairs) >= maxSame || !f.spend(len(changed.pairs)) {
		return
	}
	changed.pairs = append(changed.pairs[:len(changed.pairs):len(changed.pairs)], pair{name, value})
	f.set(v, facts{changed})
}

// extended puts a text at the end of a text, or elements at the end of a list.
func (f *flow) extended(t *tree) facts {
	target := t.kids[0]
	added := f.settle(f.value(t.kids[1]), t.kids[1])
	if target.op != treeName {
		f.value(target)
		return f.unknown(t)
	}
	v := f.assigned(target.text)
	if f.loop != nil && (v.pass != f.pass || v.loop != f.loop) {
		v.wild = true
	}
	before := f.read(v)
	if v.wild {
		f.set(v, f.union(f.unknown(target), before))
		return f.unknown(t)
	}
	var value facts
	if len(before) == 1 && before[0].kind == factList {
		value = f.longer(&before[0], added)
	} else {
		value = f.concat([]facts{f.settle(before, target), added}, "")
	}
	f.set(v, value)
	return value
}

// longer returns list with the elements of the list added at its end.
func (f *flow) longer(list *fact, added facts) facts {
	more := []facts{added}
	if len(added) == 1 && added[0].kind == factList {
		more = added[0].items
	}
	if !f.spend(len(list.items) + len(more)) {
		return facts{{text: "several", rest: true}}
	}
	return listFact(append(list.items[:len(list.items):len(list.items)], more...))
}

// defined looks into a function.
func (f *flow) defined(t *tree) facts {
	outer := *f
	f.frame = f.frameOf(t, true)
	f.frame.sealed = t.flags&treeSealed != 0
	f.frame.function = t
	f.function, f.place, f.loop = t, t, nil
	body := len(t.kids) - 1
	for _, parameter := range t.kids[:body] {
		f.parameter(parameter)
	}
	value := f.value(t.kids[body])
	if t.flags&treeImplicit != 0 {
		f.returns(value)
	}
	f.frame, f.function, f.place, f.loop = outer.frame, outer.function, outer.place, outer.loop
	if t.flags&treeConstant == 0 && t.text != "" {
		// The name of a function expression is for itself only; so is that of a callback.
		return facts{{kind: factFunction, text: t.text, code: t}}
	}
	return facts{{kind: factFunction, text: t.source, code: t}}
}

// parameter makes the variables of a function's parameter.
func (f *flow) parameter(t *tree) {
	if t == nil || !f.spend(1) {
		return
	}
	switch t.op {
	case treeName:
		f.declare(t.text, true)
	case treeAssign:
		f.parameter(t.kids[0])
		f.bind(t.kids[0], f.value(t.kids[1]))
	case treeSpread:
		f.parameter(t.kids[0])
	case treeList:
		for _, kid := range t.kids {
			f.parameter(kid)
		}
	case treeMap:
		for i := 1; i < len(t.kids); i += 2 {
			f.parameter(t.kids[i])
		}
	}
}

// pass notes what a function is called with.
func (f *flow) passed(function *tree, args []facts) {
	frame := f.frames[function]
	if frame == nil {
		return // it is further on
	}
	outer := *f
	f.frame, f.place = frame, function
	for i, parameter := range function.kids[:len(function.kids)-1] {
		switch {
		case parameter == nil:
		case parameter.op == treeSpread:
			if f.spend(max(0, len(args)-i)) {
				f.bind(parameter.kids[0], listFact(args[min(i, len(args)):]))
			}
		case i < len(args):
			f.bind(parameter, args[i])
		}
	}
	f.frame, f.place = outer.frame, outer.place
}

// escapes notes that functions are called by something that isn't known, with
// anything.
func (f *flow) escapes(value facts) {
	for _, one := range value {
		if one.kind != factFunction || !f.spend(len(one.code.kids)) {
			continue
		}
		args := make([]facts, len(one.code.kids)-1)
		for i, parameter := range one.code.kids[:len(args)] {
			if parameter != nil {
				args[i] = facts{{text: parameter.source, rest: parameter.op == treeSpread}}
			}
		}
		f.passed(one.code, args)
	}
}

// returns notes what the function around returns.
func (f *flow) returns(value facts) {
	known := f.results[f.function]
	if f.learn(&known, value) {
		f.changed = true
	}
	f.results[f.function] = known
}

// share makes a name the program's own variable.
func (f *flow) share(name string) {
	root := f.frame
	for root.up != nil {
		root = root.up
	}
	v := root.names[name]
	if v == nil {
		v = &variable{}
		root.names[name] = v
	}
	f.frame.names[name] = v
}
