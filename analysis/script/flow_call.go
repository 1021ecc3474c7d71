package script

import "strings"

// site is one call of something that the program doesn't define itself.
type site struct {
	tree  *tree
	name  string  // of the function
	self  facts   // what a method is called on
	args  []facts // spread lists are put in
	block facts   // the function that a call in Ruby has behind its arguments
	bound bool    // set when it's known what the functions among args are called with
}

// called reports what a call does and returns its value.
func (f *flow) called(t *tree) (all facts) {
	callees := f.value(t.kids[0])
	args, leave := f.arguments(t, callees)
	if leave != nil {
		leave()
	}
	bound := len(callees) == 0
	for i := range callees {
		callee := &callees[i]
		s := &site{tree: t, name: callee.text, args: args}
		switch callee.kind {
		case factFunction:
			f.passed(callee.code, args)
			all = f.union(all, f.results[callee.code])
			continue
		case factLibrary:
		case factMethod:
			s.self = facts{*callee.self}
		case factText:
			function, ok := f.byName(callee)
			if ok {
				all = f.union(all, f.applyAt(s, function, args))
			} else if all = f.union(all, f.unknown(t)); len(args) == 0 {
				all = facts{*callee} // a constant, in Perl
			}
			bound = bound || ok
			continue
		default:
			all = f.union(all, f.unknown(t))
			if callee.kind == factList && len(args) == 0 {
				all = facts{*callee}
			}
			continue
		}
		all = f.union(all, f.language.call(f, s))
		bound = bound || s.bound
	}
	if !bound && f.spend(len(args)) {
		for _, arg := range args {
			f.escapes(arg)
		}
	}
	return all
}

// byName returns the function that a text names, in languages where it does.
func (f *flow) byName(text *fact) (facts, bool) {
	if !f.language.texts || text.dynamic {
		return nil, false
	}
	name := strings.ToLower(text.text)
	if v := f.lookUp(name); v != nil {
		return f.read(v), true
	}
	one, ok := f.language.global(name)
	return facts{one}, ok
}

// arguments returns those of a call. Functions among them are looked into last, when
// it's known where they run.
func (f *flow) arguments(t *tree, callees facts) (args []facts, leave func()) {
	kids := t.kids[1:]
	if f.language.enter == nil || len(callees) != 1 {
		return f.values(kids), nil
	}
	plain := len(kids)
	for plain > 0 && kids[plain-1] != nil && kids[plain-1].op == treeFunction {
		plain--
	}
	args = f.values(kids[:plain])
	s := &site{tree: t, name: callees[0].text, args: args}
	if plain < len(kids) && callees[0].kind == factLibrary {
		leave = f.language.enter(f, s)
	}
	return append(args, f.values(kids[plain:])...), leave
}

// applyAt calls functions with args, as forEach does.
func (f *flow) applyAt(at *site, functions facts, args []facts) (all facts) {
	for _, one := range functions {
		switch one.kind {
		case factFunction:
			f.passed(one.code, args)
			all = f.union(all, f.results[one.code])
		case factLibrary:
			s := &site{tree: at.tree, name: one.text, args: args}
			all = f.union(all, f.language.call(f, s))
		case factText:
			if function, ok := f.byName(&one); ok && (len(function) != 1 || function[0].kind != factText) {
				all = f.union(all, f.applyAt(at, function, args))
			}
		}
	}
	return all
}

// environment returns the value of the variable that the first argument names. In
// texts one that isn't known stands as prefix and its name.
func (f *flow) environment(s *site, prefix string) facts {
	name, _ := f.argument(s, 0).constant()
	switch name {
	case "":
		return f.unknown(s.tree)
	case "HOME":
		return textFact(homeMark)
	}
	return unknownFact(prefix + name)
}

// evaluate looks into a text as the program's own language, with its variables.
func (f *flow) evaluate(s *site, text facts) facts {
	if len(text) == 0 {
		return nil
	}
	var all facts
	for _, one := range text {
		source, known := one.written()
		if one.kind != factText || !known {
			f.report(s, Call{Kind: Code}, text)
		}
		if one.kind != factText {
			continue
		}
		all = f.union(all, f.source(source, s.tree.line))
	}
	return all
}

// source looks into the text of a program inside the program.
func (f *flow) source(text string, line int) facts {
	if f.nested == maxNested || !f.spend(len(text)) {
		f.complex = true
		return nil
	}
	root := f.texts[text]
	if root == nil {
		deep := false
		root, deep = f.language.read(text, line)
		f.complex = f.complex || deep
		f.texts[text] = root
	}
	f.nested++
	value := f.value(root)
	f.nested--
	return value
}
