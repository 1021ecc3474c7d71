package windows

import (
	"strings"
)

// bound is a call of a cmdlet with what its parameters are given.
type bound struct {
	*Call
	cmdlet *cmdlet
	params map[string]value // by names in small letters, also those of switches
	rest   []value          // what belongs to no parameter
	input  *value
	scope  scope // in which the cmdlet stands
	node   *node
}

// command walks a command with what comes through the pipe, and returns what it writes.
func (w *walker) command(n *node, s scope, input *value) value {
	if n.kind != commandNode || len(n.kids) == 0 {
		if n.kind == commandNode {
			return nothing
		}
		return w.expr(n, s)
	}
	if s.depth++; s.depth > 3*maxDepth {
		w.program.TooComplex = true
		return nothing
	}
	name := w.expr(n.kids[0], s)
	line, column := w.place(n.start, &s)
	call := &Call{Line: line, Column: column}
	if n.text != "" && name.form == blockForm {
		args := make([]value, 0, len(n.kids))
		for _, kid := range n.kids[1:] {
			args = append(args, w.expr(kid, s))
		}
		inner := s.through(n.text, nil)
		inner.input = input
		return w.run(name.block, inner, args)
	}
	word := name.asWord()
	if name.form == objectForm && name.class == "scriptblock" {
		word.From = merge(word.From, name.from())
	}
	text, known := name.known()
	if name.form == listForm || name.form == foundForm {
		known = false
	}
	if known {
		text = w.aliased(text)
		if f, ok := w.env.functions[strings.ToLower(text)]; ok {
			return w.callFunction(f, n, s, input, call)
		}
		if isPrompted(text, n) {
			b := &batchReader{w: w, loops: map[byte]Word{}}
			for _, kid := range n.kids {
				v := w.expr(kid, s)
				call.Words = append(call.Words, v.words()...)
			}
			b.builtin(call, call.Words, s)
			return unknown(s.text(n), []*Call{call})
		}
		if c := w.find(text, n); c != nil {
			return w.cmdletCall(c, text, n, s, input, call)
		}
	}
	return w.programCall(word, n, s, input, call)
}

// isPrompted reports whether a command is written as cmd.exe has it: del /s /q. PowerShell takes the switches for
// files; who writes so may be right about the shell for all that.
func isPrompted(name string, n *node) bool {
	switch strings.ToLower(name) {
	case "del", "erase", "rd", "rmdir", "copy", "move", "md", "deltree":
	default:
		return false
	}
	for _, kid := range n.kids[1:] {
		if kid.kind == stringNode && !kid.quoted && len(kid.text) == 2 && kid.text[0] == '/' && isLetter(kid.text[1]) {
			return true
		}
	}
	return false
}

// aliased is what an alias of the text's own stands for.
func (w *walker) aliased(text string) string {
	if to, ok := w.env.aliases[strings.ToLower(text)]; ok {
		return to
	}
	return text
}

func (w *walker) callFunction(f *function, n *node, s scope, input *value, call *Call) value {
	values, names := w.arguments(n.kids[1:], s)
	call.Words = []Word{{Text: f.name}}
	var args []value
	for i, v := range values {
		call.Words = append(call.Words, v.words()...)
		if names[i] == "" {
			args = append(args, v)
		}
	}
	// Those that are named come first in their own places.
	for i, name := range names {
		for at, param := range f.node.params {
			if param.kind == assignNode {
				param = param.kids[0]
			}
			if name != "" && strings.HasPrefix(param.text, strings.ToLower(name[1:])) {
				for len(args) < at {
					args = append(args, unknown("$"+param.text, nil))
				}
				v := truthValue(true)
				if i+1 < len(values) && names[i+1] == "" {
					v = values[i+1]
				}
				args = append(args[:at], append([]value{v}, args[at:]...)...)
			}
		}
	}
	call.Acts = []Act{}
	call.Name = f.name
	w.redirect(call, n, s, nil)
	if !w.add(call, &s) || f.busy {
		return unknown(s.text(n), nil)
	}
	f.busy = true
	inner := s.through(f.name+"()", call)
	inner.input = input
	out := w.run(f.block, inner, args)
	f.busy = false
	return out
}

// arguments evaluates the arguments of a command; the names are those of
// parameters, as written, and "" for others.
func (w *walker) arguments(kids []*node, s scope) (values []value, names []string) {
	for _, kid := range kids {
		if kid.kind == splatNode {
			table := w.env.values[kid.text]
			switch {
			case kid.text == "args" || table.form == listForm && table.keys == nil:
				for _, item := range table.list {
					values, names = append(values, item), append(names, "")
				}
			case table.form == listForm:
				for i, key := range table.keys {
					values, names = append(values, truthValue(true)), append(names, "-"+key+":")
					values, names = append(values, table.list[i]), append(names, "")
				}
			default:
				values, names = append(values, unknown("@"+kid.text, table.from())), append(names, "")
			}
			continue
		}
		if name, value := parameterOf(kid); name != "" {
			values, names = append(values, textValue(name)), append(names, name)
			if value != nil {
				values, names = append(values, w.expr(value, s)), append(names, "")
			}
			continue
		}
		values, names = append(values, w.expr(kid, s)), append(names, "")
	}
	return values, names
}

// parameterOf returns the name of the parameter that an argument is, with its
// dash and, where a value is given behind it, a colon.
func parameterOf(n *node) (string, *node) {
	text := ""
	switch {
	case n.kind == stringNode && !n.quoted:
		text = n.text
	case n.kind == expandNode && len(n.kids) > 0 && n.kids[0].kind == stringNode && !n.kids[0].quoted:
		text = n.kids[0].text
	}
	if len(text) < 2 || text[0] != '-' && !strings.HasPrefix(text, "\u2013") || !isLetter(text[1]) && text[1] != '?' {
		return "", nil
	}
	name, value, set := strings.Cut(text, ":")
	if !set {
		if n.kind == expandNode {
			return "", nil
		}
		return name, nil
	}
	rest := &node{kind: expandNode, start: n.start + len(name) + 1, end: n.end, quoted: n.quoted}
	if value != "" {
		rest.add(&node{kind: stringNode, start: rest.start, end: rest.start + len(value), text: value})
	}
	if n.kind == expandNode {
		rest.kids = append(rest.kids, n.kids[1:]...)
	}
	if len(rest.kids) == 0 {
		return name, nil
	}
	if len(rest.kids) == 1 {
		return name + ":", rest.kids[0]
	}
	return name + ":", rest
}

// programCall reports a program of the system.
func (w *walker) programCall(name Word, n *node, s scope, input *value, call *Call) value {
	call.Words = []Word{slashed(name)}
	var blocks []*block
	for _, kid := range n.kids[1:] {
		if kid.kind == splatNode {
			v := unknown("@"+kid.text, nil)
			if args, ok := w.env.values[kid.text]; ok && args.form == listForm && args.keys == nil {
				v = args
			}
			call.Words = append(call.Words, v.words()...)
			continue
		}
		v := w.expr(kid, s)
		if v.form == blockForm {
			blocks = append(blocks, v.block)
		}
		if kid.kind == commaNode && !strings.Contains(s.text(kid), " ") { // --format=%h,%s
			call.Words = append(call.Words, joinWords(v.words(), ","))
			continue
		}
		call.Words = append(call.Words, v.words()...)
	}
	if len(name.From) > 0 || name.Dynamic {
		call.From = name.From
	}
	if input != nil {
		word := input.asWord()
		word.From = input.from()
		if input.form == listForm && input.keys == nil {
			word = joinWords(input.words(), "\n")
		}
		call.Input = &word
	}
	w.redirect(call, n, s, nil)
	call.Acts = w.noted(call.Acts)
	found, isFound := w.whereIs(call)
	if !w.add(call, &s) {
		return nothing
	}
	if isFound {
		return wordValue(found)
	}
	for _, b := range blocks {
		w.run(b, s.through(name.Text, call), nil)
	}
	out := unknown(s.text(n), []*Call{call})
	if input != nil {
		out.word.From = merge(out.word.From, input.from())
	}
	return out
}

// cmdletCall binds the arguments of a cmdlet, reports it, and does what it does.
func (w *walker) cmdletCall(c *cmdlet, written string, n *node, s scope, input *value, call *Call) value {
	b := &bound{Call: call, cmdlet: c, params: map[string]value{}, input: input, scope: s, node: n}
	call.Name = c.name
	call.Words = []Word{{Text: written}}
	values, names := w.arguments(n.kids[1:], s)
	for i := 0; i < len(values); i++ {
		at := len(call.Words)
		if names[i] == "" {
			call.Words = append(call.Words, values[i].words()...)
			for k := at; k < len(call.Words); k++ {
				call.Operands = append(call.Operands, k)
			}
			b.rest = append(b.rest, values[i])
			continue
		}
		given := strings.HasSuffix(names[i], ":")
		name := strings.TrimSuffix(names[i], ":")
		full, takes := c.parameter(name[1:])
		declared := full != ""
		call.Words = append(call.Words, Word{Text: name})
		switch {
		case given || takes && i+1 < len(values) && names[i+1] == "", full == "" && i+1 < len(values) && names[i+1] == "" && c.open:
			if full == "" {
				full = name[1:]
			}
			i++
			v := values[i]
			words := v.words()
			call.Words = append(call.Words, words...)
			if truth, known := v.holds(); !takes && declared && known && !truth && v.form != textForm {
				delete(b.params, strings.ToLower(full))
				continue // -Recurse:$false
			}
			b.params[strings.ToLower(full)] = v
			text := v.asWord().Text
			if v.form == listForm {
				text = joinWords(words, ",").Text
			}
			call.Parameters = append(call.Parameters, Parameter{"-" + full, text, true, at})
		default:
			if full == "" {
				full = name[1:]
			}
			b.params[strings.ToLower(full)] = truthValue(true)
			call.Parameters = append(call.Parameters, Parameter{"-" + full, "", false, at})
		}
	}
	b.place()
	w.redirect(call, n, s, nil)
	acts := call.Acts // of redirections, which come last
	call.Acts = nil
	if !w.add(call, &s) {
		return nothing
	}
	out := value{form: nothingForm}
	if c.do == nil {
		out = unknown(s.text(n), []*Call{call})
		if input != nil {
			out.word.From = merge(out.word.From, input.from())
		}
		w.runBlocks(b)
	} else {
		out = c.do(w, b)
	}
	if b.switched("whatif") {
		call.Acts = nil
	}
	if _, ok := b.params["outvariable"]; ok {
		if name := b.word("outvariable"); name.Text != "" {
			w.env.values[strings.ToLower(strings.TrimPrefix(name.Text, "+"))] = out
		}
	}
	for i := range acts {
		if text := out.asWord(); acts[i].Text == nil && acts[i].Via[0] == '>' && out.form != nothingForm {
			acts[i].Text = &text
		}
	}
	call.Acts = w.noted(append(call.Acts, acts...))
	return out
}

// place gives what is left the parameters that are known by their places.
func (b *bound) place() {
	for name := range strings.FieldsSeq(b.cmdlet.places) {
		if len(b.rest) == 0 {
			return
		}
		key := strings.ToLower(name)
		if _, ok := b.params[key]; ok {
			continue
		}
		if key == "path" {
			if _, ok := b.params["literalpath"]; ok {
				continue
			}
		}
		b.params[key] = b.rest[0]
		b.rest = b.rest[1:]
	}
}

func (b *bound) has(name string) bool {
	_, ok := b.params[name]
	return ok
}

// switched reports whether a switch is on, or may be.
func (b *bound) switched(name string) bool {
	v, ok := b.params[name]
	if !ok {
		return false
	}
	truth, known := v.holds()
	return truth || !known && name != "whatif"
}

func (b *bound) value(name string) value {
	if v, ok := b.params[name]; ok {
		return v
	}
	return nothing
}

func (b *bound) word(name string) Word {
	v := b.value(name)
	return v.asWord()
}

func (b *bound) text(name string) string {
	v := b.value(name)
	text, _ := v.known()
	return text
}

// words are the values of a parameter.
func (b *bound) words(name string) []Word {
	v, ok := b.params[name]
	if !ok {
		return nil
	}
	return v.words()
}

// files are the paths that a cmdlet is given, by parameters or by the pipe.
func (b *bound) files() (words []Word, where []*found) {
	add := func(v *value, literal bool) {
		list := []value{*v}
		if v.form == listForm && v.keys == nil {
			list = v.list
		}
		for i := range list {
			item := &list[i]
			switch item.form {
			case foundForm:
				where = append(where, item.found)
			case nothingForm:
			case listForm:
				words = append(words, paths(item.words())...)
			default:
				word := path(item.asWord())
				if literal {
					word.Glob = false
				}
				if word.Text != "" {
					words = append(words, word)
				}
			}
		}
	}
	given := false
	for _, name := range [...]string{"path", "literalpath", "filepath", "fullname"} {
		if v, ok := b.params[name]; ok {
			given = true
			add(&v, name == "literalpath")
		}
	}
	if !given && b.input != nil {
		add(b.input, true)
	}
	return words, where
}

// does notes that the cmdlet does what a command does.
func (b *bound) does(name string, words ...Word) {
	act := Act{Words: append([]Word{{Text: name}}, words...)}
	b.Acts = append(b.Acts, act)
}

func texts(words ...string) []Word {
	list := make([]Word, len(words))
	for i, word := range words {
		list[i] = Word{Text: word}
	}
	return list
}

// writes notes that a file is written.
func (b *bound) writes(file Word, add bool, text *Word) {
	b.Acts = append(b.Acts, Act{File: &file, Add: add, Text: text})
}

// blocks are the script blocks among the arguments of a cmdlet.
func (b *bound) blocks() (blocks []*block, names []string) {
	for _, p := range b.Parameters {
		if v, ok := b.params[strings.ToLower(p.Name[1:])]; ok && v.form == blockForm {
			blocks, names = append(blocks, v.block), append(names, strings.ToLower(p.Name[1:]))
		}
	}
	for name := range strings.FieldsSeq(b.cmdlet.places) {
		key := strings.ToLower(name)
		if v, ok := b.params[key]; ok && v.form == blockForm && !b.isGiven(key) {
			blocks, names = append(blocks, v.block), append(names, key)
		}
	}
	for _, v := range b.rest {
		if v.form == blockForm {
			blocks, names = append(blocks, v.block), append(names, "")
		}
	}
	return blocks, names
}

func (b *bound) isGiven(name string) bool {
	for _, p := range b.Parameters {
		if strings.EqualFold(p.Name[1:], name) {
			return true
		}
	}
	return false
}

// runBlocks walks the blocks of a cmdlet.
func (w *walker) runBlocks(b *bound) value {
	blocks, _ := b.blocks()
	out := value{form: listForm}
	for _, block := range blocks {
		inner := b.scope.through(b.Name, b.Call)
		inner.input = b.input
		if b.input != nil {
			inner.item = ptr(w.item(b.input, "$_"))
		}
		out.push(w.run(block, inner, nil))
	}
	if len(out.list) == 1 {
		return out.list[0]
	}
	return out
}
