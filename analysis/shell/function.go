package shell

import "mvdan.cc/sh/v3/syntax"

// frame is a call of a function.
type frame struct {
	body  *body
	saved map[string][]*binding // what its local variables hide
	loops int                   // how many loops were under way
	forks int                   // of the scope that it was called in
	maybe int                   // of that, too
	mark  int
	exits []branch // what had changed at each return
}

func (w *walker) inFunction() bool { return len(w.functions) > 0 }

// local keeps what a variable stands for, until the function returns.
func (w *walker) local(text string) {
	if len(w.functions) == 0 {
		return
	}
	f := w.functions[len(w.functions)-1]
	if f.saved == nil {
		f.saved = map[string][]*binding{}
	}
	if _, ok := f.saved[text]; !ok {
		f.saved[text] = w.env.get(name{variable, text})
	}
}

// isLocal reports whether a variable is the function's own already.
func (w *walker) isLocal(text string) bool {
	if len(w.functions) == 0 {
		return false
	}
	_, ok := w.functions[len(w.functions)-1].saved[text]
	return ok
}

// define remembers a function. What it runs is reported where it's called, or
// at the end where it isn't.
func (w *walker) define(c *syntax.FuncDecl, outer *scope) {
	if c.Name == nil {
		return
	}
	s := *outer
	s.context, s.pipe, s.input, s.out = "function", 0, nil, nil // those of the calls aren't known
	if outer.context == "" && !w.inFunction() {
		for _, it := range w.env.get(name{function, c.Name.Value}) {
			if it.body != nil {
				it.body.replaced = true
			}
		}
	}
	s.status.hidden = true
	b := &body{name: c.Name.Value, stmt: c.Body, scope: s}
	w.bodies = append(w.bodies, b)
	w.env.set(name{function, b.name}, &binding{body: b})
}

// invoke calls the function that words name, if they do.
func (w *walker) invoke(words []argument, s scope) bool {
	if len(w.bodies) == 0 {
		return false
	}
	n := name{function, words[0].Text}
	items := w.env.get(n)
	if len(items) == 0 {
		return false
	}
	it := w.choose(n)
	if it == nil || it.body == nil {
		return false // it may be the program of that name
	}
	c := w.newCommand(words)
	c.Name = baseName(c.Path) // as the line itself writes it
	c.Assignments, c.Redirects = s.assigned, s.shared
	if !w.add(c, &s) {
		return true
	}
	s.parent = c
	calls := 0
	for _, f := range w.functions {
		if f.body.name == words[0].Text {
			calls++
		}
		if f.body.name == words[0].Text && s.forks > f.forks && s.maybes == f.maybe && len(f.exits) == 0 {
			c.Multiplies = true
		}
	}
	args := &binding{list: words[1:], isList: true}
	switch calls {
	case 0:
	case 1:
		args = unknownBinding // it calls itself: so it may again, with anything
	default:
		return true
	}
	w.enter(it.body, args, s)
	return true
}

// enter walks the body of a function that is called with args.
func (w *walker) enter(b *body, args *binding, s scope) {
	if b.called = true; !w.spend(callCost) {
		return
	}
	inner := b.scope
	inner.context, inner.pipe, inner.input, inner.out = s.context, s.pipe, s.input, s.out
	inner.via, inner.depth, inner.parent, inner.remote = s.via, s.depth, s.parent, s.remote
	inner.fds, inner.outs = s.fds, s.outs
	inner.forks, inner.maybes = s.forks, s.maybes
	inner = inner.through(b.name + "()")
	params := w.env.get(nameOfParameters)
	f := &frame{body: b, loops: len(w.loops), mark: w.env.mark(), forks: s.forks, maybe: s.maybes}
	w.functions = append(w.functions, f)
	loops := w.loops
	w.loops = nil
	if args.unknown {
		w.env.forget(nameOfParameters)
	} else {
		w.parameters(args.list)
	}
	for _, a := range s.assigned {
		w.local(a.Name)
		w.assign(a.Name, &binding{word: a.argument(s.at), exported: true})
	}
	w.stmt(b.stmt, &inner)
	w.loops = loops
	w.functions = w.functions[:len(w.functions)-1]
	if len(f.exits) > 0 {
		w.env.join(append(f.exits, w.env.take(f.mark))...)
	}
	for text, items := range f.saved {
		w.env.set(name{variable, text}, items...)
	}
	w.env.set(nameOfParameters, params...)
}

// back is return.
func (w *walker) back() {
	if len(w.functions) > 0 {
		f := w.functions[len(w.functions)-1]
		f.exits = withExit(f.exits, w.env.look(f.mark))
	}
	w.env.end()
}

// uncalled reports what the functions do that nothing calls here: a later line
// may.
func (w *walker) uncalled() {
	for i := 0; i < len(w.bodies); i++ {
		b := w.bodies[i]
		if b.called || b.replaced || w.line.TooComplex {
			continue
		}
		w.env.forget(nameOfParameters)
		mark := w.env.mark()
		w.functions = append(w.functions, &frame{body: b})
		w.shells = append(w.shells, process{})
		w.stmt(b.stmt, &b.scope)
		w.exit()
		w.functions = w.functions[:0]
		w.env.rollback(mark)
	}
}
