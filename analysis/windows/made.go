package windows

import "strings"

// made is what an object of .NET is given before it runs something: the start of a process, or a pipeline of
// PowerShell.
type made struct {
	members map[string][]value // what each may be
	steps   []step
}

// step is a command of a pipeline.
type step struct {
	name  value
	args  []value
	table value // parameters
}

const maxMade = 8 // values of a member, and steps

// set gives a member a value; where that may not happen, the former ones count as well.
func (m *made) set(name string, v value, context string) {
	if m.members == nil {
		m.members = map[string][]value{}
	}
	switch have := m.members[name]; {
	case name == "startinfo" && v.made != nil:
		m.members = v.made.members
	case len(m.members) >= maxItems:
	case context == "branch" || context == "loop" || context == "and" || context == "or":
		if len(have) < maxMade {
			m.members[name] = append(have[:len(have):len(have)], v)
		}
	default:
		m.members[name] = []value{v}
	}
}

// startOf is what ProcessStartInfo is made with: a program and its arguments.
func startOf(args []value) *made {
	m := &made{}
	for i, name := range [...]string{"filename", "arguments"} {
		if i < len(args) {
			m.set(name, args[i], "")
		}
	}
	return m
}

// startMade reports the process that a ProcessStartInfo describes.
func (w *walker) startMade(m *made, n *node, s scope) {
	rest := append([]value{}, m.members["arguments"]...)
	if list := m.members["argumentlist"]; len(list) > 0 {
		rest = append(rest, value{form: listForm, list: list})
	}
	if len(rest) == 0 {
		rest = []value{{form: listForm}}
	}
	for _, name := range m.members["filename"] {
		for _, args := range rest {
			w.start(n, s, "Process.Start", name.asWord(), []value{args})
		}
	}
}

// madeMethod is a method of such an object.
func (w *walker) madeMethod(of *value, name string, args []value, n *node, s scope) (value, bool) {
	m := of.made
	if m == nil {
		return value{}, false
	}
	switch name {
	case "start":
		w.startMade(m, n, s)
		return nothing, true
	case "add": // of the list of arguments
		if list := m.members["argumentlist"]; len(args) > 0 && len(list) < maxItems {
			m.set("argumentlist", value{}, "")
			m.members["argumentlist"] = append(list[:len(list):len(list)], args[0])
		}
		return nothing, true
	case "addcommand":
		if len(args) > 0 && len(m.steps) < maxMade {
			m.steps = append(m.steps, step{name: args[0], table: value{form: listForm, keys: []string{}}})
		}
		return *of, true
	case "addargument", "addparameter", "addparameters":
		if len(args) > 0 && len(m.steps) > 0 {
			m.steps[len(m.steps)-1].add(name, args)
		}
		return *of, true
	case "addstatement":
		return *of, true
	case "invoke", "begininvoke", "invokeasync":
		return w.invokeSteps(m, n, s), true
	}
	return value{}, false
}

func (t *step) add(method string, args []value) {
	first := args[0]
	switch {
	case len(t.args)+len(t.table.list) > maxItems:
	case method == "addargument":
		t.args = append(t.args, first)
	case first.keys != nil:
		t.table.keys = append(t.table.keys, first.keys...)
		t.table.list = append(t.table.list, first.list...)
	case method == "addparameters":
		t.args = append(t.args, first.list...)
	default:
		v := truthValue(true)
		if len(args) > 1 {
			v = args[1]
		}
		name, _ := first.known()
		t.table.keys, t.table.list = append(t.table.keys, name), append(t.table.list, v)
	}
}

// invokeSteps walks the pipeline as if it were written.
func (w *walker) invokeSteps(m *made, n *node, s scope) value {
	var out value
	var input *value
	for i := range m.steps {
		t := &m.steps[i]
		name := t.name.asWord()
		list, table := "\x00list", "\x00table"
		w.env.values[list], w.env.values[table] = value{form: listForm, list: t.args}, t.table
		command := &node{kind: commandNode, start: n.start, end: n.end, kids: []*node{
			{kind: stringNode, start: n.start, end: n.end, text: name.Text},
			{kind: splatNode, start: n.start, end: n.end, text: list}, {kind: splatNode, start: n.start, end: n.end, text: table},
		}}
		out = w.command(command, s.through(".Invoke", nil), input)
		delete(w.env.values, list)
		delete(w.env.values, table)
		input = &out
	}
	return out
}

// runsText is a method that runs a text, or makes a block of one, whatever it belongs to: of a PowerShell, a runspace
// or the $ExecutionContext.
func (w *walker) runsText(of *value, name string, args []value, n *node, s scope) (value, bool) {
	switch name {
	case "addscript", "createpipeline", "invokescript", "newscriptblock", "expandstring":
	default:
		return value{}, false
	}
	var code *value
	for i := range args {
		if form := args[i].form; form != truthForm && form != nothingForm && (code == nil || form == blockForm) {
			code = &args[i]
		}
	}
	if code == nil {
		return value{}, false
	}
	via := "." + name
	text, known := code.known()
	switch {
	case code.form == blockForm:
		w.run(code.block, s.through(via, nil), nil)
	case !known:
		word := code.asWord()
		word.Parts = nil
		w.effect(n, s, via, Act{Code: &word, From: code.from()})
	case name == "newscriptblock":
		return w.blockOf(text, s), true
	case name == "expandstring":
		return w.script("\""+strings.ReplaceAll(text, "\"", "`\"")+"\"", s.through(via, nil)), true
	default:
		w.script(text, s.through(via, nil))
	}
	if of.made != nil {
		return *of, true
	}
	return unknown(s.text(n), code.from()), true
}
