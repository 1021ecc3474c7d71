package script

// loop follows a loop: element by element where that's few, else once for
// all.
func (in *pyInterpreter) loop(stmt *pyStmt) {
	body := func() { in.block(stmt.blocks[0]) }
	if len(stmt.targets) == 0 {
		in.eval(stmt.value)
		in.repeat(stmt, body)
		return
	}
	target := stmt.targets[0]
	values := in.eval(stmt.value)
	if elements, ok := values.few(); ok && !stmt.breaks && !in.unrolled && stmt.nodes*len(elements) < pyMaxUnrolled {
		in.unrolled = true
		for _, element := range elements {
			in.store(target, pySet{element})
			body()
		}
		in.unrolled = false
		return
	}
	elements := in.elements(values, target.source)
	in.repeat(stmt, func() {
		in.store(target, elements)
		body()
	})
}

// pyMaxUnrolled is how much is followed for a loop element by element.
const pyMaxUnrolled = 3000

// few returns the elements of the values, if they're few and known.
func (s pySet) few() ([]pyValue, bool) {
	if len(s) != 1 || s[0].kind != pyItems || len(s[0].items) > 64 || len(s[0].items) == 0 {
		return nil, false
	}
	for _, item := range s[0].items {
		if item.rest {
			return nil, false
		}
	}
	return s[0].items, true
}

// elements returns what an element of the values may be, which is put in what
// source says.
func (in *pyInterpreter) elements(values pySet, source string) pySet {
	var elements pySet
	for _, value := range values {
		var list []pyValue
		switch value.kind {
		case pyItems:
			list = value.items
		case pyPairs:
			for i := 0; i+1 < len(value.items); i += 2 {
				list = append(list, value.items[i])
			}
		}
		if len(list) == 0 {
			list = pySet{{text: source}}
		}
		in.spend(len(list))
		for _, element := range list {
			if element.rest {
				element.rest = false
				switch {
				case element.textual():
					element.dynamic = true
				case element.kind == pyUnknown:
					element.text = source
				}
			}
			elements = elements.union(pySet{element}, source)
		}
	}
	return elements
}

// repeat follows the body of a loop, which runs any number of times.
func (in *pyInterpreter) repeat(stmt *pyStmt, body func()) {
	if stmt.changed == nil {
		stmt.changed = map[string]bool{}
		in.changedBy(stmt.blocks[0], stmt.changed)
	}
	in.alternatives(false, func() {
		for _, name := range sortedNames(stmt.changed) {
			if values, ok := in.lookup(name); ok {
				in.set(name, values.widened(name, stmt.changed[name]))
			}
		}
		body()
	})
}

// changedBy notes the variables that are changed in the list: true for those
// that get a new value, false for those that only grow.
func (in *pyInterpreter) changedBy(list []*pyStmt, changed map[string]bool) {
	for _, stmt := range list {
		if !in.spend(1) {
			return
		}
		for _, target := range stmt.targets {
			if stmt.act == pyLoop {
				continue // set before anything in it is run
			}
			in.targetsOf(target, stmt.text != "+=", changed)
		}
		if stmt.act == pyDo && stmt.value.op == pyCall && stmt.value.parts[0].op == pyAttribute && pyGrows()[stmt.value.parts[0].text] {
			in.targetsOf(stmt.value.parts[0].parts[0], false, changed)
		}
		for _, block := range stmt.blocks {
			if stmt.act != pyDef && stmt.act != pyClass {
				in.changedBy(block, changed)
			}
		}
	}
}

// pyGrows are the methods that add to a list.
var pyGrows = wordSet("append extend insert")

func (in *pyInterpreter) targetsOf(target *pyExpr, anew bool, changed map[string]bool) {
	switch target.op {
	case pyVariable:
		changed[target.text] = changed[target.text] || anew
	case pyList:
		for _, part := range target.parts {
			in.targetsOf(part, true, changed)
		}
	}
}
