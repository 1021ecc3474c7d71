package script

import "strings"

// value looks into t: it notes what t assigns, reports what it calls, and
// returns what its value may be.
func (f *flow) value(t *tree) facts {
	if t == nil {
		return nil
	}
	if !f.spend(1) {
		return f.unknown(t)
	}
	switch t.op {
	case treeText:
		return textFact(t.text)
	case treePlain:
		return plainFact(t.text)
	case treeJoin:
		return f.join(t)
	case treeName:
		return f.named(t)
	case treeMember:
		return f.members(f.value(t.kids[0]), t.text, t)
	case treeIndex:
		return f.indexed(t)
	case treeCall:
		return f.called(t)
	case treeList:
		return listFact(f.values(t.kids))
	case treeMap:
		return f.mapped(t)
	case treeFunction:
		return f.defined(t)
	case treeAssign, treeDeclare:
		return f.assignment(t)
	case treeExtend:
		return f.extended(t)
	case treeChoice:
		return f.union(f.value(t.kids[0]), f.any(t.kids[1:]))
	case treeShare:
		f.share(t.text)
		return nil
	case treeReturn:
		value := f.last(t.kids)
		if f.function != nil {
			f.returns(value)
		}
		return value
	}
	return f.statements(t)
}

// statements looks into what has others in it.
func (f *flow) statements(t *tree) (last facts) {
	switch t.op {
	case treeBlock:
		around := f.frame
		f.frame = f.frameOf(t, false)
		last = f.last(t.kids)
		f.frame = around
	case treeSequence:
		last = f.last(t.kids)
	case treeBranch:
		f.value(t.kids[0])
		last = f.any(t.kids[1:])
	case treeLoop:
		f.looped(t, func() { f.last(t.kids) })
		last = f.unknown(t)
	case treeEach:
		items := f.value(t.kids[1])
		f.looped(t, func() {
			f.bind(t.kids[0], f.elements(items, t.kids[1]))
			f.value(t.kids[2])
		})
		last = f.unknown(t)
	default:
		f.last(t.kids)
		last = f.unknown(t)
	}
	return last
}

func (f *flow) last(kids []*tree) (last facts) {
	for _, kid := range kids {
		last = f.value(kid)
	}
	return last
}

// any looks into all kids, of which each may run or not.
func (f *flow) any(kids []*tree) (all facts) {
	place := f.place
	for _, kid := range kids {
		f.place = kid
		all = f.union(all, f.value(kid))
	}
	f.place = place
	return all
}

// looped calls look for a part of a program that may run more than once.
func (f *flow) looped(t *tree, look func()) {
	around, place, loop := f.frame, f.place, f.loop
	f.frame = f.frameOf(t, false)
	f.place, f.loop = t, t
	look()
	f.frame, f.place, f.loop = around, place, loop
}

// values returns those of a list or of arguments, one by one. Spread lists are
// put in where they are known.
func (f *flow) values(kids []*tree) []facts {
	all := make([]facts, 0, len(kids))
	for _, kid := range kids {
		if kid == nil || kid.op != treeSpread {
			all = append(all, f.value(kid))
			continue
		}
		value := f.value(kid.kids[0])
		if len(value) == 1 && value[0].kind == factList && f.spend(len(value[0].items)) {
			all = append(all, value[0].items...)
			continue
		}
		if len(value) > 0 {
			all = append(all, facts{{text: kid.kids[0].source, rest: true}})
		}
	}
	return all
}

// elements returns what any element of a list may be.
func (f *flow) elements(lists facts, t *tree) (all facts) {
	for _, list := range lists {
		if list.kind != factList {
			all = f.union(all, unknownFact(t.source))
			continue
		}
		for _, item := range list.items {
			all = f.union(all, f.settle(item, t))
		}
	}
	return all
}

// settle makes what isn't known yet unknown, once nothing more is learned.
func (f *flow) settle(value facts, t *tree) facts {
	if len(value) > 0 {
		return value
	}
	f.missing = true
	if f.settled {
		return f.unknown(t)
	}
	return nil
}

// named returns what a name stands for.
func (f *flow) named(t *tree) facts {
	if v := f.lookUp(t.text); v != nil {
		return f.settle(f.read(v), t)
	}
	if one, ok := f.language.global(t.text); ok {
		return facts{one}
	}
	if f.settled || f.pass > 1 {
		return f.unknown(t)
	}
	f.missing = true
	return nil // it may be declared further on
}

// members returns the member of that name of each value.
func (f *flow) members(of facts, name string, t *tree) (all facts) {
	for i := range of {
		one := &of[i]
		if one.kind == factMap && f.spend(len(one.pairs)/4) {
			if value, ok := (facts{*one}).entry(name); ok {
				all = f.union(all, f.settle(value, t))
				continue
			}
		}
		if member, ok := f.language.member(one, name); ok {
			all = f.union(all, facts{member})
			continue
		}
		if one.kind == factLibrary {
			all = f.union(all, libraryFact(one.text+"."+name))
			continue
		}
		self := *one
		all = f.union(all, facts{{kind: factMethod, text: name, self: &self}})
	}
	return all
}

// indexed returns an element of a list or map, or the member of that name.
func (f *flow) indexed(t *tree) (all facts) {
	of, keys := f.value(t.kids[0]), f.value(t.kids[1])
	for i := range of {
		for k := range keys {
			one, key := facts{of[i]}, &keys[k]
			switch {
			case key.kind == factText && !key.dynamic:
				all = f.union(all, f.members(one, key.text, t))
			case of[i].kind == factList && key.kind == factPlain:
				all = f.union(all, f.element(&of[i], key.text, t))
			case of[i].kind == factLibrary:
				all = f.union(all, libraryFact(of[i].text+"[]"))
			case of[i].kind == factMap || of[i].kind == factList:
				all = f.union(all, f.anyEntry(&of[i], t))
			default:
				all = f.union(all, f.unknown(t))
			}
		}
	}
	return all
}

func (f *flow) element(list *fact, index string, t *tree) facts {
	n := 0
	text, back := strings.CutPrefix(index, "-")
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' || n > len(list.items) {
			return f.unknown(t)
		}
		n = 10*n + int(text[i]-'0')
	}
	if back {
		n = len(list.items) - n
	}
	if n < 0 || n >= len(list.items) {
		return f.unknown(t)
	}
	return f.settle(list.items[n], t)
}

// anyEntry returns what an unknown entry may be.
func (f *flow) anyEntry(of *fact, t *tree) facts {
	all := f.unknown(t)
	f.spend(len(of.items) + len(of.pairs))
	for _, item := range of.items {
		all = f.union(all, item)
	}
	for _, entry := range of.pairs {
		all = f.union(all, entry.value)
	}
	return all
}

func (f *flow) mapped(t *tree) facts {
	one := fact{kind: factMap}
	for i := 0; i+1 < len(t.kids); i += 2 {
		key := f.value(t.kids[i])
		value := f.value(t.kids[i+1])
		if t.kids[i] == nil && value.isMap() && f.spend(len(value[0].pairs)) {
			one.pairs = append(one.pairs, value[0].pairs...)
		}
		for _, name := range key {
			if text, known := name.written(); known {
				one.pairs = append(one.pairs, pair{text, value})
			}
		}
	}
	return facts{one}
}
