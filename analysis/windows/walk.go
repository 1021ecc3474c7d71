package windows

import "strings"

// walker goes through a text.
type walker struct {
	program *Program
	options Options
	work    int
	pipes   int
	env     *environment
	blocks  []*block        // that may never be called
	each    map[string]bool // variables that stand for each line of a command's output in turn
	located map[string]bool // programs that were looked for
	behind  []absent        // files that aren't there behind the branch that was walked last
}

type function struct {
	*block
	name string
	busy bool
}

// scope is where a statement stands. It is passed by value.
type scope struct {
	source  *source
	context string
	pipe    int
	via     []string
	parent  *Call
	remote  bool
	depth   int
	item    *value // $_
	input   *value // what comes through the pipe
	from    []*Call
	missing []absent
}

// absent is a file that isn't there, as it is seen from a folder.
type absent struct {
	file Word
	dirs []Word
}

// where is the scope of what is reached only where a value is true, or false.
func (s scope) where(v *value, truth bool) scope {
	files := v.missing[0]
	if truth {
		files = v.missing[1]
	}
	s.missing = append(s.missing[:len(s.missing):len(s.missing)], files...)
	return s
}

// through is the scope of what is reached from s by via.
func (s scope) through(via string, parent *Call) scope {
	if via != "" {
		s.via = append(s.via[:len(s.via):len(s.via)], via)
	}
	if parent != nil {
		s.parent = parent
	}
	s.depth++
	return s
}

func (s scope) in(context string) scope {
	s.context = context
	return s
}

// script walks a text of its own.
func (w *walker) script(text string, s scope) value {
	if s.depth > maxDepth || len(text) > maxText || !w.spend(100+textCost*len(text)) {
		w.program.TooComplex = true
		return nothing
	}
	text = WithHyphens(text)
	tree, p := parse(text)
	inner := &source{text: text}
	if s.source != nil {
		inner.line, inner.column = s.source.line, s.source.column
		if s.parent != nil {
			inner.line, inner.column = s.parent.Line, s.parent.Column
		}
	}
	s.source = inner
	if p.deep {
		w.program.TooComplex = true
	}
	if p.mistake != "" && w.program.Err == nil {
		line, column := w.place(p.wrong, &s)
		w.program.Err = &Mistake{line, column, p.mistake}
	}
	return w.list(tree, s)
}

// place is where something stands in the outermost text.
func (w *walker) place(at int, s *scope) (line, column int) {
	if s.source == nil {
		return 1, 1
	}
	if s.source.line > 0 {
		return s.source.line, s.source.column
	}
	return position(s.source.text, at)
}

func (s *scope) text(n *node) string {
	if n == nil || s.source == nil || n.start > n.end || n.end > len(s.source.text) {
		return ""
	}
	return s.source.text[n.start:n.end]
}

// list walks statements, and returns what they write.
func (w *walker) list(n *node, s scope) value {
	if n == nil {
		return nothing
	}
	if n.kind != listNode {
		return w.statement(n, s)
	}
	out := value{form: listForm}
	for _, kid := range n.kids {
		if w.program.TooComplex {
			break
		}
		v := w.statement(kid, s)
		if kid.kind == ifNode && w.behind != nil {
			s.missing, w.behind = w.behind, nil
		}
		if v.form == nothingForm || kid.kind == assignNode || v.form == listForm && len(v.list) == 0 {
			continue
		}
		out.push(v)
	}
	switch len(out.list) {
	case 0:
		return nothing
	case 1:
		return out.list[0]
	}
	return out
}

// statement walks one statement.
func (w *walker) statement(n *node, s scope) value {
	if n == nil || s.depth > maxDepth || !w.spend(nodeCost) {
		if n != nil {
			w.program.TooComplex = true
		}
		return nothing
	}
	s.depth++
	switch n.kind {
	case listNode:
		return w.list(n, s)
	case pipeNode:
		if n.text == "&" {
			s.context = "background"
		}
		return w.pipeline(n, s)
	case chainNode:
		first := w.statement(n.kids[0], s)
		context := "and"
		if n.text == "||" {
			context = "or"
		}
		second := w.statement(n.kids[1], s.in(context))
		out := value{form: listForm}
		out.push(first)
		out.push(second)
		return out
	case assignNode:
		return w.assign(n, s)
	case ifNode:
		return w.branches(n, s)
	case foreachNode:
		return w.foreach(n, s)
	case loopNode:
		return w.loop(n, s)
	case switchNode:
		s.item = ptr(w.list(n.kids[0], s))
		var bodies []*node
		for i := 2; i < len(n.kids); i += 2 {
			w.expr(n.kids[i-1], s)
			bodies = append(bodies, n.kids[i])
		}
		return w.oneOf(bodies, s, true)
	case tryNode:
		out := value{form: listForm}
		for i, body := range n.kids {
			if i == 0 {
				out.push(w.list(body, s))
				continue
			}
			out.push(w.oneOf([]*node{body}, s, true))
		}
		return out
	case functionNode:
		b := &block{node: n, source: s.source, scope: s}
		w.env.functions[n.text] = &function{block: b, name: n.text}
		w.blocks = append(w.blocks, b)
		return nothing
	case blockNode:
		return w.list(n.kids[0], s)
	case flowNode:
		if len(n.kids) > 0 {
			return w.statement(n.kids[0], s)
		}
		return nothing
	}
	return w.expr(n, s)
}

func ptr(v value) *value { return &v }

// oneOf walks bodies of which one runs, or with none perhaps no one.
func (w *walker) oneOf(bodies []*node, s scope, none bool) value {
	return w.oneOfThese(bodies, nil, s, none)
}

// oneOfThese is oneOf for bodies each of which has a scope of its own, or none.
func (w *walker) oneOfThese(bodies []*node, scopes []scope, s scope, none bool) value {
	if s.context == "" || s.context == "loop" {
		s.context = "branch"
	}
	start := w.env
	var ends []*environment
	out := value{form: listForm}
	for i, body := range bodies {
		w.env = start
		w.env = w.snapshot()
		if i < len(scopes) {
			s.missing = scopes[i].missing
		}
		out.push(w.list(body, s))
		ends = append(ends, w.env)
	}
	w.env = start
	if !none && len(ends) > 0 {
		w.env, ends = ends[0], ends[1:]
	}
	for _, end := range ends {
		w.join(end)
	}
	return out
}

func (w *walker) branches(n *node, s scope) value {
	var bodies []*node
	var scopes []scope
	none, rest := true, s // rest is where no condition holds
	for i := 0; i+1 < len(n.kids); i += 2 {
		v := w.list(n.kids[i], rest)
		if truth, known := v.holds(); known && !truth {
			continue
		} else if known && truth && v.form == truthForm {
			bodies, scopes, none = append(bodies, n.kids[i+1]), append(scopes, rest), false
			break
		}
		bodies, scopes = append(bodies, n.kids[i+1]), append(scopes, rest.where(&v, true))
		rest = rest.where(&v, false)
	}
	if none && len(n.kids)%2 == 1 {
		bodies, scopes, none = append(bodies, n.kids[len(n.kids)-1]), append(scopes, rest), false
	}
	if len(bodies) == 1 && !none {
		return w.list(bodies[0], scopes[0])
	}
	out := w.oneOfThese(bodies, scopes, s, none)
	if w.behind = nil; len(n.kids) == 2 && leaves(n.kids[1]) {
		w.behind = rest.missing
	}
	return out
}

// leaves reports whether statements end with one behind which nothing is reached.
func leaves(n *node) bool {
	for (n.kind == listNode || n.kind == blockNode) && len(n.kids) > 0 {
		n = n.kids[len(n.kids)-1]
	}
	return n.kind == flowNode
}

func (w *walker) foreach(n *node, s scope) value {
	over := w.list(n.kids[1], s)
	s.missing = nil // a round before may have made it
	if s.context == "" {
		s.context = "loop"
	}
	name := n.kids[0].text
	w.forget(n.kids[2])
	out := value{form: listForm}
	items, known := over.items()
	if !known {
		items = []value{w.item(&over, "$"+name)}
		if w.each == nil {
			w.each = map[string]bool{}
		}
		w.each[name] = true
	}
	for _, item := range items {
		if w.program.TooComplex || !w.spend(64) {
			break
		}
		w.env.values[name] = item
		out.push(w.list(n.kids[2], s))
	}
	return out
}

// item is any of what a value has.
func (w *walker) item(over *value, name string) value {
	switch over.form {
	case foundForm, processForm:
		return *over
	case objectForm:
		return *over
	case listForm:
		if len(over.list) == 1 {
			return w.item(&over.list[0], name)
		}
	}
	return unknown(name, over.from())
}

func (w *walker) loop(n *node, s scope) value {
	body := n.kids[len(n.kids)-1]
	s.missing = nil
	for i, kid := range n.kids[:len(n.kids)-1] {
		if i == 0 && kid.kind == assignNode {
			w.statement(kid, s)
		}
	}
	for _, kid := range n.kids {
		w.forget(kid)
	}
	for i, kid := range n.kids[:len(n.kids)-1] {
		if i > 0 || kid.kind != assignNode {
			w.statement(kid, s)
		}
	}
	if s.context == "" {
		s.context = "loop"
	}
	return w.list(body, s)
}

// run walks a block with an item of a pipe, or arguments.
func (w *walker) run(b *block, s scope, args []value) value {
	if b == nil || s.depth > maxDepth || !w.spend(64) {
		w.program.TooComplex = w.program.TooComplex || s.depth > maxDepth
		return nothing
	}
	b.called = true
	s.source = b.source
	saved := map[string]value{}
	for i, param := range b.node.params {
		target, preset := param, (*node)(nil)
		if param.kind == assignNode {
			target, preset = param.kids[0], param.kids[1]
		}
		old, ok := w.env.values[target.text]
		if ok {
			saved[target.text] = old
		}
		switch {
		case i < len(args):
			w.env.values[target.text] = args[i]
		case preset != nil:
			w.env.values[target.text] = w.expr(preset, s)
		default:
			w.env.values[target.text] = unknown("$"+target.text, nil)
		}
	}
	outer, had := w.env.values["args"]
	w.env.values["args"] = value{form: listForm, list: args}
	var out value
	if len(b.node.kids) > 0 {
		out = w.list(b.node.kids[0], s)
	}
	delete(w.env.values, "args")
	if had {
		w.env.values["args"] = outer
	}
	for name, v := range saved {
		w.env.values[name] = v
	}
	return out
}

// uncalled walks the functions and blocks that nothing has called.
func (w *walker) uncalled() {
	for i := 0; i < len(w.blocks) && !w.program.TooComplex; i++ {
		b := w.blocks[i]
		if b.called {
			continue
		}
		s := b.scope
		s.context, s.input, s.item, s.missing = "function", nil, nil, nil
		env := w.env
		w.env = w.snapshot()
		w.run(b, s, nil)
		w.env = env
	}
}

// pipeline walks commands with pipes between.
func (w *walker) pipeline(n *node, s scope) value {
	if len(n.kids) > 1 {
		w.pipes++
		s.pipe = w.pipes
		if s.context == "" || s.context == "loop" || s.context == "branch" {
			s.context = "pipe"
		}
	}
	input := s.input
	var out value
	for i, kid := range n.kids {
		if i > 0 {
			input = &out
		}
		s.input = nil
		out = w.element(kid, s, input)
	}
	return out
}

// element walks one command, or an expression, with what comes through the pipe.
func (w *walker) element(n *node, s scope, input *value) value {
	if n.kind != valueNode {
		return w.command(n, s, input)
	}
	v := w.expr(n.kids[0], s)
	if len(n.redirects) > 0 {
		line, column := w.place(n.start, &s)
		call := &Call{Line: line, Column: column}
		w.redirect(call, n, s, v.asWordPointer())
		call.Acts = w.noted(call.Acts)
		w.add(call, &s)
		return nothing
	}
	return v
}

func (v *value) asWordPointer() *Word {
	word := v.asWord()
	return &word
}

// redirect notes what a command writes to files by redirections.
func (w *walker) redirect(call *Call, n *node, s scope, text *Word) {
	for _, r := range n.redirects {
		target := w.expr(r.kids[0], s)
		if target.form == nothingForm {
			continue // $null
		}
		file := path(target.asWord())
		if strings.EqualFold(file.Text, "nul") || file.Text == "/dev/null" {
			continue
		}
		if r.text == "<" {
			call.Redirects = append(call.Redirects, Redirect{"<", file})
			continue
		}
		act := Act{File: &file, Add: strings.HasSuffix(r.text, ">>"), Via: r.text}
		if r.text == ">" || r.text == ">>" {
			act.Text = text
		}
		call.Acts = append(call.Acts, act)
	}
}

// add reports a call.
func (w *walker) add(call *Call, s *scope) bool {
	if len(w.program.Calls) >= maxCalls || !w.spend(callCost) {
		w.program.TooComplex = true
		return false
	}
	call.Context, call.Pipe, call.Via, call.Parent, call.Remote = s.context, s.pipe, s.via, s.parent, s.remote
	call.Environment, call.Dirs = w.env.settings, w.env.dirs
	for _, one := range s.missing {
		if sameWords(one.dirs, call.Dirs) {
			call.Missing = append(call.Missing, one.file)
		}
	}
	if len(call.From) == 0 {
		call.From = s.from
	}
	w.program.Calls = append(w.program.Calls, call)
	return true
}
