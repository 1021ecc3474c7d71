package script

// pyKind is the kind of a pyValue.
type pyKind uint8

const (
	pyUnknown pyKind = iota // text is the source
	pyStr                   // text; bytes too
	pyInt                   // text, in decimal
	pyConst                 // True, False or None: text
	pyItems                 // a list, tuple or set: items
	pyPairs                 // a dictionary: items are keys and values in turn
	pyPath                  // a pathlib.Path: text
	pyLibrary               // a module or something in it: text is its full name
	pyOwn                   // a function of the program itself
	pyMethod                // items[0].text, not yet called
	pyProcess               // one that was started, by the call with that number
)

// pyValue is what is known of a value.
type pyValue struct {
	kind     pyKind
	text     string
	dynamic  bool     // of text and path: a part isn't known, which is in text as it's written
	parts    []string // of text and path: what isn't known, as it stands in text; none: all of it
	home     bool     // of text and path: begins with a "~" for the home folder
	rest     bool     // in a list: stands for any number of such values
	items    []pyValue
	function *pyFunction
	number   int
}

// pySet holds the values that something may have. There's always at least one.
type pySet []pyValue

// maxValues is how many values something may have before nothing is known of
// it.
const maxValues = 8

func pyKnown(text string) pyValue { return pyValue{kind: pyStr, text: text} }

// is reports whether v is the constant named.
func (v *pyValue) is(constant string) bool { return v.kind == pyConst && v.text == constant }

// textual reports whether v is a text or path, known or not.
func (v *pyValue) textual() bool { return v.kind == pyStr || v.kind == pyPath }

// whole reports whether v is a text of which all is known.
func (v *pyValue) whole() bool { return v.kind == pyStr && !v.dynamic && !v.home }

// piece returns v as a part of a longer text, with those parts of it that
// aren't known.
func (v *pyValue) piece() (text string, unknown []string) {
	switch v.kind {
	case pyStr, pyPath:
		if (v.rest || v.dynamic) && len(v.parts) == 0 {
			return v.text, []string{v.text}
		}
		return v.text, v.parts
	case pyInt, pyConst:
		return v.text, nil
	}
	text = "{" + v.written() + "}"
	return text, []string{text}
}

// written returns the source of v, as far as it's known.
func (v *pyValue) written() string {
	if v.kind == pyMethod {
		return v.items[0].text + "." + v.text
	}
	return v.text
}

// argument returns v as the argument of a call.
func (v *pyValue) argument() Arg {
	switch v.kind {
	case pyStr, pyPath:
		return Arg{Text: v.text, Dynamic: v.dynamic || v.rest, Rest: v.rest, Home: v.home, Parts: v.parts}
	case pyInt:
		return Arg{Text: v.text, Dynamic: v.rest, Rest: v.rest}
	}
	return Arg{Text: v.written(), Dynamic: true, Rest: v.rest}
}

// equal reports whether the values are the same as far as is known.
func (v *pyValue) equal(other *pyValue, depth int) bool {
	if v.kind != other.kind || v.text != other.text || v.dynamic != other.dynamic || v.home != other.home || v.rest != other.rest ||
		v.function != other.function || v.number != other.number || len(v.items) != len(other.items) {
		return false
	}
	if len(v.items) > 0 && (depth > 4 || len(v.items) > 64) {
		return false
	}
	for i := range v.items {
		if !v.items[i].equal(&other.items[i], depth+1) {
			return false
		}
	}
	return true
}

// union returns what has a value of either. What has too many is unknown, by
// the source.
func (s pySet) union(other pySet, source string) pySet {
	result := s[:len(s):len(s)]
next:
	for i := range other {
		for j := range result {
			if result[j].equal(&other[i], 0) {
				continue next
			}
		}
		if len(result) > maxValues {
			return result
		}
		if len(result) == maxValues {
			return append(result, pyValue{text: source})
		}
		result = append(result, other[i])
	}
	return result
}

// widened returns what the values may be after changes in a loop: more behind
// what was there, or, when they're set anew, anything.
func (s pySet) widened(source string, anew bool) pySet {
	if anew {
		return s.union(pySet{{text: source}}, source)
	}
	result := make(pySet, len(s))
	for i, v := range s {
		switch v.kind {
		case pyItems:
			v.items = append(v.items[:len(v.items):len(v.items)], pyValue{text: source, rest: true})
		case pyStr:
			more := "{" + source + "}"
			v.text, v.dynamic, v.parts = v.text+more, true, append(v.parts[:len(v.parts):len(v.parts)], more)
		default:
			v = pyValue{text: source}
		}
		result[i] = v
	}
	return s.union(result, source)
}

// pyEnv holds the variables of a function, or of the program.
type pyEnv struct {
	vars   map[string]pySet
	global map[string]bool // names that are variables of the program
	parent *pyEnv
}

// pySlot is a variable.
type pySlot struct {
	env  *pyEnv
	name string
}

// pyChange is a variable that was changed, with what was there before; nil for
// nothing.
type pyChange struct {
	slot   pySlot
	before pySet
}

func (in *pyInterpreter) lookup(name string) (pySet, bool) {
	for env := in.env; env != nil; env = env.parent {
		if set, ok := env.vars[name]; ok {
			return set, true
		}
	}
	return nil, false
}

// set gives a variable of the innermost function its values.
func (in *pyInterpreter) set(name string, values pySet) {
	env := in.env
	for env.global[name] && env.parent != nil {
		env = env.parent
	}
	in.put(pySlot{env, name}, values)
}

func (in *pyInterpreter) put(slot pySlot, values pySet) {
	if in.nested > 0 { // elsewhere nothing is taken back
		in.changes = append(in.changes, pyChange{slot, slot.env.vars[slot.name]})
	}
	if values == nil {
		delete(slot.env.vars, slot.name)
		return
	}
	if slot.env.vars == nil {
		slot.env.vars = map[string]pySet{}
	}
	slot.env.vars[slot.name] = values
}

// pyOutcome is what a block leaves in a variable, and in how many blocks.
type pyOutcome struct {
	slot   pySlot
	values pySet
	blocks int
}

// undo takes back the changes after the first n and returns what they came to.
func (in *pyInterpreter) undo(n int) map[pySlot]pySet {
	after := map[pySlot]pySet{}
	for i := len(in.changes) - 1; i >= n; i-- {
		change := in.changes[i]
		vars := change.slot.env.vars
		if _, ok := after[change.slot]; !ok {
			after[change.slot] = vars[change.slot.name]
		}
		if change.before == nil {
			delete(vars, change.slot.name)
		} else {
			vars[change.slot.name] = change.before
		}
	}
	in.changes = in.changes[:n]
	return after
}

// alternatives runs each of the blocks from the same start. Then every variable
// has the values that any of them leaves, and, unless all is set, its own.
func (in *pyInterpreter) alternatives(all bool, blocks ...func()) {
	var order []*pyOutcome
	outcomes := map[pySlot]*pyOutcome{}
	for _, block := range blocks {
		from := len(in.changes)
		block()
		changed := in.changes[from:]
		slots := make([]pySlot, len(changed))
		for i := range changed {
			slots[i] = changed[i].slot
		}
		after := in.undo(from)
		for _, slot := range slots { // in the order of the program
			values, ok := after[slot]
			if !ok {
				continue
			}
			delete(after, slot)
			outcome := outcomes[slot]
			if outcome == nil {
				outcome = &pyOutcome{slot: slot}
				outcomes[slot] = outcome
				order = append(order, outcome)
			}
			outcome.blocks++
			if outcome.values = outcome.values.union(values, slot.name); !in.spend(1 + len(values)) {
				return
			}
		}
	}
	for _, outcome := range order {
		values := outcome.values
		if before, ok := outcome.slot.env.vars[outcome.slot.name]; ok && (!all || outcome.blocks < len(blocks)) {
			values = before.union(values, outcome.slot.name)
		}
		if len(values) > 0 {
			in.put(outcome.slot, values)
		}
	}
}
