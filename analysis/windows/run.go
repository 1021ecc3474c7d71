package windows

import "strings"

func (w *walker) silent(b *bound) value {
	w.runBlocks(b)
	return nothing
}

func (w *walker) passes(b *bound) value {
	w.runBlocks(b)
	if b.input == nil {
		if v, ok := b.params["inputobject"]; ok {
			return v
		}
		return nothing
	}
	return *b.input
}

func (w *walker) writeOutput(b *bound) value {
	out := value{form: listForm}
	if v, ok := b.params["inputobject"]; ok {
		out.push(v)
	} else if b.input != nil {
		return *b.input
	}
	if b.Words[0].Text == "echo" || len(b.rest) > 0 {
		for i := range b.rest {
			out.push(b.rest[i])
		}
	}
	if len(out.list) == 1 {
		return out.list[0]
	}
	return out
}

// whereObject lets through some of what comes through the pipe.
func (w *walker) whereObject(b *bound) value {
	blocks, _ := b.blocks()
	if b.input == nil {
		w.runBlocks(b)
		return nothing
	}
	in := *b.input
	for _, block := range blocks {
		inner := b.scope.through(b.Name, b.Call)
		inner.item = ptr(w.item(&in, "$_"))
		w.run(block, inner, nil)
		if in.form == foundForm && len(block.node.kids) > 0 {
			in.found = w.sift(in.found, block.node.kids[0], inner)
		}
	}
	switch {
	case in.form == foundForm && len(blocks) == 0:
		f := *in.found
		f.sifted = true
		if names := b.compared(); len(names) > 0 {
			f.names = names
		}
		in.found = &f
	case in.form == processForm:
		names := b.compared()
		for _, block := range blocks {
			if len(block.node.kids) > 0 {
				names = append(names, w.sift(&found{}, block.node.kids[0], b.scope).names...)
			}
		}
		return processes(in, names)
	}
	if in.form == listForm || in.form == textForm && !in.word.Dynamic {
		return in // any of them
	}
	return in
}

// compared returns the names that a comparison without a block lets through: ? Name -eq x.
func (b *bound) compared() (names []string) {
	for _, name := range [...]string{"eq", "like", "match", "in"} {
		if v, ok := b.params[name]; ok && len(b.rest) > 0 {
			if truth, known := v.holds(); known && truth && v.form == truthForm {
				v = b.rest[len(b.rest)-1]
			}
			property, _ := b.rest[0].known()
			names = matching(property, name, &v, names)
		}
	}
	return names
}

// processes are those of the names, or without some of all.
func processes(all value, names []string) value {
	if len(names) == 0 {
		all.truth = true
		return all
	}
	out := value{form: listForm}
	for _, name := range names {
		out.push(value{form: processForm, word: Word{Text: name}})
	}
	if len(out.list) == 1 {
		return out.list[0]
	}
	return out
}

// matching returns the names that a comparison lets through.
func matching(property, operator string, with *value, names []string) []string {
	switch strings.ToLower(property) {
	case "name", "processname", "fullname", "psiscontainer", "basename", "extension", "path":
	default:
		return names
	}
	var found []string
	for _, word := range with.words() {
		if word.Dynamic {
			return names
		}
		text := word.Text
		switch {
		case strings.EqualFold(property, "extension"):
			text = "*" + text
		case operator == "match":
			found = append(found, namesIn(text)...)
			continue
		case strings.EqualFold(property, "fullname"):
			text = strings.ReplaceAll(text, `\`, "/")
			text = strings.TrimSuffix(text, "/*")
			text = text[strings.LastIndexByte(text, '/')+1:]
		}
		found = append(found, text)
	}
	if len(found) == 0 {
		return names
	}
	return found
}

// sift narrows what was found by the comparison in a block.
func (w *walker) sift(f *found, list *node, s scope) *found {
	g := *f
	g.sifted = true
	n := list
	for len(n.kids) == 1 && (n.kind == listNode || n.kind == pipeNode || n.kind == valueNode || n.kind == parenNode) {
		n = n.kids[0]
	}
	names, ok := w.compared(n, s, 0)
	if ok && len(names) > 0 {
		g.names = names
	}
	return &g
}

// compared returns the names that a comparison lets through; ok is false where
// it isn't about names.
func (w *walker) compared(n *node, s scope, depth int) (names []string, ok bool) {
	for len(n.kids) == 1 && (n.kind == listNode || n.kind == pipeNode || n.kind == valueNode || n.kind == parenNode) {
		n = n.kids[0]
	}
	if n.kind == unaryNode && len(n.kids) == 1 || depth > maxNesting {
		return nil, false
	}
	if n.kind != binaryNode {
		return nil, false
	}
	switch n.text {
	case "or":
		a, isA := w.compared(n.kids[0], s, depth+1)
		b, isB := w.compared(n.kids[1], s, depth+1)
		return append(a, b...), isA && isB
	case "and":
		if a, isA := w.compared(n.kids[0], s, depth+1); isA {
			return a, true
		}
		return w.compared(n.kids[1], s, depth+1)
	case "eq", "like", "match", "in":
		left := n.kids[0]
		if left.kind != memberNode || left.kids[0].kind != variableNode || left.kids[0].text != "_" && left.kids[0].text != "psitem" {
			return nil, false
		}
		right := w.expr(n.kids[1], s)
		names := matching(left.text, n.text, &right, nil)
		return names, len(names) > 0
	}
	return nil, false
}

// forEachObject runs its blocks for what comes through the pipe.
func (w *walker) forEachObject(b *bound) value {
	blocks, names := b.blocks()
	inner := b.scope.through(b.Name, b.Call)
	items := []value{unknown("$_", nil)}
	if v, ok := b.params["inputobject"]; ok && b.input == nil {
		b.input = &v
	}
	if b.input != nil {
		known, ok := b.input.items()
		if items = known; !ok {
			items = []value{w.item(b.input, "$_")}
			items[0].word.From = nil
			if b.input.form == textForm || b.input.form == listForm {
				items[0].word.From = b.input.from()
			}
		}
	}
	out := value{form: listForm}
	if member := b.text("membername"); member != "" || len(blocks) == 0 && len(b.rest) > 0 {
		args := b.rest
		if member == "" {
			member, _ = b.rest[0].known()
			args = args[1:]
		}
		if v, ok := b.params["argumentlist"]; ok {
			args = []value{v}
		}
		for i := range items {
			n := &node{kind: memberNode, start: b.node.start, end: b.node.end, text: strings.ToLower(member)}
			if items[i].form == foundForm && (n.text == "delete" || n.text == "moveto") {
				out.push(w.fileMethod(items[i].found, n.text, args, n, inner))
			} else if items[i].form == processForm && n.text == "kill" {
				w.kill(&items[i], n, inner, ".Kill")
			} else if items[i].form == objectForm {
				out.push(w.objectMethod(&items[i], n.text, args, n, inner))
			} else {
				out.push(items[i])
			}
		}
	}
	for i, block := range blocks {
		if names[i] == "begin" || names[i] == "end" || len(items) == 0 {
			w.run(block, inner, nil)
			continue
		}
		w.forgetIn(block, len(items))
		for k := range items {
			if w.program.TooComplex || !w.spend(64) {
				break
			}
			inner.item = &items[k]
			out.push(w.run(block, inner, nil))
		}
	}
	if len(out.list) == 1 {
		return out.list[0]
	}
	return out
}

func (w *walker) forgetIn(b *block, rounds int) {
	if rounds != 1 || len(b.node.kids) == 0 {
		return
	}
	w.forget(b.node.kids[0])
}

// invokeCommand runs blocks, here or on another machine.
func (w *walker) invokeCommand(b *bound) value {
	inner := b.scope.through(b.Name, b.Call)
	for _, name := range [...]string{"computername", "session", "hostname", "vmname", "containerid"} {
		if b.has(name) {
			if text := strings.ToLower(b.text(name)); text != "localhost" && text != "." && text != "127.0.0.1" {
				inner.remote = true
			}
		}
	}
	outer := w.env
	if inner.remote {
		w.env = w.snapshot()
		w.env.dirs = []Word{{Text: "$PWD", Dynamic: true, Parts: []string{"$PWD"}}}
	}
	inner.input = b.input
	if b.Name != "Invoke-Command" {
		inner.context = "background"
	}
	args := b.value("argumentlist")
	items := []value{args}
	if args.form == listForm {
		items = args.list
	}
	blocks, _ := b.blocks()
	out := value{form: listForm}
	for _, block := range blocks {
		out.push(w.run(block, inner, items))
	}
	if len(blocks) == 0 {
		if v := b.value("scriptblock"); v.form == objectForm || v.form == textForm {
			b.code(v.asWord(), v.from())
		} else if len(b.rest) > 0 && (b.rest[0].form == objectForm || b.rest[0].word.Dynamic) {
			b.code(b.rest[0].asWord(), b.rest[0].from())
		}
	}
	if file := path(b.word("filepath")); w.sourced(file, inner) {
	} else if file.Text != "" {
		b.Acts = append(b.Acts, Act{Words: append([]Word{file}, args.words()...)})
	}
	w.env = outer
	if len(out.list) == 1 {
		return out.list[0]
	}
	return out
}

// code notes that a text is run that isn't known.
func (b *bound) code(text Word, from []*Call) {
	text.Parts = nil
	b.Acts = append(b.Acts, Act{Code: &text, From: from})
}

func (w *walker) invokeExpression(b *bound) value {
	v := b.value("command")
	if !b.has("command") && b.input != nil {
		v = *b.input
	}
	if v.form == blockForm {
		return w.run(v.block, b.scope.through(b.Name, b.Call), nil)
	}
	glue := " "
	if v.form == listForm {
		glue = "\n"
	}
	text := joinWords(v.words(), glue)
	text.From = v.from()
	for i := range b.rest {
		text = joinWords([]Word{text, b.rest[i].asWord()}, " ")
	}
	if text.Dynamic {
		b.code(text, text.From)
		if rest := strings.TrimSpace(text.Text); len(text.Parts) > 0 && rest != text.Parts[0] && len(text.From) == 0 {
			w.script(text.Text, b.scope.through(b.Name, b.Call)) // what of it is known
		}
		return unknown("$(Invoke-Expression)", text.From)
	}
	inner := b.scope.through(b.Name, b.Call)
	if len(text.From) > 0 {
		inner.from = text.From
	}
	return w.script(text.Text, inner)
}

// webRequest is for what fetches from the network.
func (w *walker) webRequest(b *bound) value {
	words := []Word{{Text: "curl"}}
	if method := b.word("method"); method.Text != "" && !strings.EqualFold(method.Text, "get") {
		method.Text = strings.ToUpper(method.Text)
		words = append(words, Word{Text: "-X"}, method)
	}
	if b.has("body") {
		words = append(words, Word{Text: "-d"}, b.word("body"))
	}
	words = append(words, b.form()...)
	if file := b.word("infile"); file.Text != "" {
		words = append(words, Word{Text: "-T"}, path(file))
	}
	url := b.word("uri")
	file := b.word("outfile")
	if b.Name == "Start-BitsTransfer" {
		url, file = b.word("source"), b.word("destination")
		if strings.HasPrefix(strings.ToLower(b.text("transfertype")), "upload") {
			words = append(words, Word{Text: "-T"}, path(url))
			url, file = file, Word{}
		}
	}
	if file.Text != "" {
		words = append(words, Word{Text: "-o"}, path(file))
	}
	switch {
	case b.input == nil:
	case url.Text == "":
		url = b.input.asWord()
	default: // what is sent
		word := b.input.asWord()
		word.From = b.input.from()
		b.Input = &word
		words = append(words, texts("-d", "@-")...)
	}
	b.Acts = append(b.Acts, Act{Words: append(words, url)})
	if file.Text != "" {
		return nothing
	}
	return object("download", b.scope.text(b.node), []*Call{b.Call})
}

func (w *walker) createObject(b *bound) value {
	source := b.scope.text(b.node)
	if com := b.text("comobject"); com != "" {
		return object("com:"+strings.ToLower(com), source, nil)
	}
	args := b.value("argumentlist")
	list := []value{args}
	if args.form == listForm {
		list = args.list
	}
	list = append(list, b.rest...)
	name := b.text("typename")
	// New-Object IO.FileInfo("x") has the name and the arguments beside each other.
	v := w.newObject(name, list, b.node, b.scope, args.from())
	if table := b.value("property"); v.made != nil && table.keys != nil {
		for i, key := range table.keys {
			v.made.set(strings.ToLower(key), table.list[i], "")
		}
	}
	return v
}

func (w *walker) setVariable(b *bound) value {
	v := b.value("value")
	if !b.has("value") && b.input != nil {
		v = *b.input
	}
	for _, name := range b.words("name") {
		if !name.Dynamic && len(w.env.values) < 2000 {
			w.env.values[strings.ToLower(name.Text)] = v
		}
	}
	return nothing
}

func (w *walker) getVariable(b *bound) value {
	if v, ok := w.env.values[strings.ToLower(b.text("name"))]; ok {
		return v
	}
	return unknown(b.scope.text(b.node), nil)
}

func (w *walker) setAlias(b *bound) value {
	w.alias(b.text("name"), b.text("value"))
	return nothing
}

func (w *walker) alias(name, to string) {
	if name == "" || to == "" {
		return
	}
	if w.env.aliases == nil {
		w.env.aliases = map[string]string{}
	}
	if len(w.env.aliases) < maxItems {
		w.env.aliases[strings.ToLower(name)] = to
	}
}

// getCommand returns the name of a command, as it may be called by.
func (w *walker) getCommand(b *bound) value {
	if name := strings.TrimSuffix(b.text("name"), ".exe"); name != "" && !strings.ContainsAny(name, "*?") {
		b.does("which", Word{Text: name})
		w.locate(name)
		return textValue(name)
	}
	return unknown(b.scope.text(b.node), nil)
}

func (w *walker) sqlcmd(b *bound) value {
	words := []Word{{Text: "sqlcmd"}}
	if query := b.word("query"); query.Text != "" {
		words = append(words, Word{Text: "-Q"}, query)
	}
	if file := b.word("inputfile"); file.Text != "" {
		words = append(words, Word{Text: "-i"}, path(file))
	}
	b.Acts = append(b.Acts, Act{Words: words})
	return unknown(b.scope.text(b.node), []*Call{b.Call})
}
