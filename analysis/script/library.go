package script

import (
	"slices"
	"strings"
)

// globalName returns what a name is that the program doesn't define.
func (r *reader) globalName(name string) values {
	if v, ok := r.given(name); ok {
		return v
	}
	for _, module := range r.included {
		if r.has(module + name) {
			return libraryValue(module + name)
		}
	}
	function := r.function(name)
	full := r.full(function)
	_, known := r.row(full)
	switch {
	case r.flow.is("global", name):
		return libraryValue(name)
	case r.name == "php" && r.flow.is("global", full):
		return libraryValue(full)
	case r.name == "javascript": // the others have to be imported
	case known && !strings.Contains(name, ".") || full != function:
		return libraryValue(full)
	case name == "@_":
		return listValue(r.scope.args)
	case r.name == "perl" && (name[0] == '@' || name[0] == '%'), name == "ARGV":
		return values{{text: name, rest: true}}
	case r.name == "awk" && isNameStart(name[0]) && strings.ToUpper(name) != name && !r.is("(") && !r.is("["):
		return textValue("") // as long as nothing is assigned
	}
	return unknown(name)
}

// include notes a module whose functions are known without its name.
func (f *flow) include(module string) {
	if len(f.included) < maxValues {
		f.included = append(f.included, module+".")
	}
}

// member returns what of.name is.
func (r *reader) member(of values, name, source string) values {
	property, _ := r.row("path." + name)
	all := r.collect(of, func(one *value) values {
		self := values{*one}
		v, known := self.entry(name)
		switch {
		case known:
			return v
		case one.kind == valueLibrary:
			return r.libraryMember(one.text, name, source)
		case one.path && oneOf(" dirname basename stem ", property.does):
			return r.joinPath([]values{r.mapText(self, source, textFunction(property.does, nil))}, property.does)
		case name == "stdin" && one.call > 0 || one.found != nil && oneOf(" path parentPath name ", name):
			return self
		}
		return values{{kind: valueMethod, text: source, items: []values{self}, parts: []string{name}}}
	})
	if len(all) == 0 {
		return unknown(source)
	}
	return all
}

// libraryMember returns a member of something of the language's own.
func (r *reader) libraryMember(of, name, source string) values {
	full := r.full(of + "." + name)
	constant, given := r.given(full)
	known, ok := r.row(full)
	switch {
	case given:
		return constant
	case known.does == "unknown":
		return unknown(source)
	case of == "ENV" && !ok:
		return unknown("ENV." + name)
	case name == "default" || name == "__dict__":
		return libraryValue(of)
	}
	return libraryValue(full)
}

// libraryCall reports what a call of a library's function does, and returns its value.
func (r *reader) libraryCall(s *site) values {
	if known, ok := r.row(r.function(s.name)); ok {
		return r.do(s, known)
	}
	if i := strings.LastIndexByte(s.name, '.'); i >= 0 {
		if known, ok := r.row(s.name[:i] + ".*"); ok {
			return r.do(s, known)
		}
		here := *s
		here.self, here.name = &value{kind: valueLibrary, text: s.name[:i]}, s.name[i+1:]
		return r.methodCall(&here)
	}
	return r.do(s, row{})
}

// methodCall reports what a method of a value does, and returns its value.
func (r *reader) methodCall(s *site) values {
	self, name, here := s.self, s.name, *s
	kind := [...]string{valueUnknown: "sure.", valueText: "text.", valuePlain: "text.", valueList: "list.",
		valueMap: "map.", valueLibrary: "any.", valueFunction: "any.", valueMethod: "sure."}[self.kind]
	if self.path {
		kind = "path."
	}
	for _, module := range [...]string{"fs.", "child_process."} { // what a method of JavaScript must be
		if r.name == "javascript" && kind == "sure." && r.has(r.function(module+name)) &&
			(strings.HasPrefix(self.text, "require(") && !strings.Contains(self.text, ")(") || strings.HasSuffix(name, "Sync") && name != "openSync") {
			here.self, here.name = nil, module+name
			return r.libraryCall(&here)
		}
	}
	if r.name == "php" {
		name = strings.ToLower(name)
	}
	known, ok := r.row(kind + name)
	if !ok || kind == "sure." && name == "unlink" && len(s.args.list) > 0 { // that removes one thing from another
		kind = "any."
		known, _ = r.row(kind + name)
	}
	if kind == "path." || kind == "sure." {
		path := *self
		path.path = true
		here.self, here.name = &path, r.paths+name
	}
	return r.do(&here, known)
}

// invoke calls what callee may be, a loop's function perhaps several times.
func (r *reader) invoke(s *site, callee values, loop bool) (all values) {
	for _, arg := range s.args.list { // a map has options
		if len(arg) == 1 && arg[0].kind == valueMap && !r.pythonic && r.spend(len(arg[0].pairs)) {
			s.args.named = append(s.args.named[:len(s.args.named):len(s.args.named)], arg[0].pairs...)
		}
	}
	for i := range callee {
		one := &callee[i]
		here := *s
		here.name = one.text
		var objects values // whose method it is
		switch {
		case one.kind == valueFunction:
			all = r.union(all, r.call(one.fn, &s.args, loop))
			r.handOn(&here)
		case one.kind == valueLibrary || one.kind == valueText && r.name == "php" && !one.dynamic:
			all = r.union(all, r.libraryCall(&here))
		case one.kind == valueMethod:
			objects, here.name = one.items[0], one.parts[0]
		case one.kind == valueText && r.name == "ruby" && len(s.args.list) > 0: // &:delete
			objects, here.args = s.args.list[0], arguments{}
		case one.kind == valueMap && one.text == "partial":
			here.args.list = append(slices.Clone(one.items[1:]), s.args.list...)
			here.args.named = append(slices.Clone(one.pairs), s.args.named...)
			all = r.union(all, r.invoke(&here, one.items[0], loop))
		default:
			if strings.HasPrefix(one.text, "getattr(") || r.name == "awk" && strings.HasPrefix(s.source, "@") {
				name, _, _ := strings.Cut(one.text, "(")
				r.report(Call{Func: name, Kind: Code, Line: s.line}, unknown(s.source))
			}
			r.handOn(&here)
		}
		for k := range objects {
			here.self = &objects[k]
			all = r.union(all, r.methodCall(&here))
		}
	}
	return all
}

// applyTo calls what callee may be with other arguments, where s stands.
func (r *reader) applyTo(s *site, callee values, args []values, loop bool) values {
	here := *s
	here.self, here.args = nil, arguments{list: args}
	return r.invoke(&here, callee, loop)
}

// picked returns what the words of a row stand for: the value itself, a text, or
// arguments, with what is in a list where it is to be one.
func (r *reader) picked(s *site, words []string) (all []values) {
	for _, word := range words {
		got, _ := s.pick(word)
		if strings.Contains(word, "[]") {
			got, _ = r.flat(got).list()
		}
		all = append(all, got...)
	}
	return all
}

// each calls a function with what the elements of a list may be.
func (r *reader) each(s *site, callee, list values) values {
	loop := s.start + 1
	if len(callee) > 0 && callee[0].fn != nil {
		loop = callee[0].fn.loop
	}
	element := r.elements(list, loop, s.source)
	if callee.has(valueFunction) && len(element) == 1 && element[0].kind == valueUnknown {
		element[0].of, element[0].text = element[0].text, "" // the parameter has a better name for it
	}
	if r.name == "perl" && callee.has(valueFunction) { // for the function of File::Find
		r.assign(r.scope.place("$_", false), element)
		r.assign(r.scope.place("$File::Find::name", false), element)
	}
	return listValue([]values{anyLength(r.applyTo(s, callee, []values{element}, true))})
}

// do does what a row of the table says.
func (r *reader) do(s *site, known row) values {
	first, lost := s.argument(0, ""), unknown(s.source)
	if known.does != "open" { // what is made of the content of a file has it, too
		lost[0].holds = r.heldBy(s.args.list, 2)
		if s.self != nil && s.self.holds != "" {
			lost[0].holds = s.self.holds
		}
	}
	of := first // what the function is about: the value whose method it is, or its first argument
	if s.self != nil {
		of = values{*s.self}
	}
	switch known.does {
	case "sql":
		if name, _, _ := strings.Cut(s.source, "("); s.self != nil && len(name) < 40 && !strings.ContainsAny(name, " \n\"'") {
			s.name = name
		}
		return r.effect(s, SQL, known.args)
	case "rows":
		return r.rows(s, known.args[0], known.args[1:])
	case "exists":
		test := r.exists(r.picked(s, known.args)[0], s.source)
		for _, arg := range s.args.list {
			if arg.has(valueFunction) { // of JavaScript: it gets the answer
				r.applyTo(s, arg, []values{test}, false)
			}
		}
		return test
	case "exit":
		lost[0].exits = true
	case "read":
		if name, ok := r.picked(s, known.args)[0].constant(); ok {
			lost[0].holds = name
		}
	case "temporary": // a new folder
		const made = "$(mktemp -d)"
		return values{{kind: valueText, text: made, dynamic: true, parts: []string{made}}}
	case "close":
		if s.self != nil && s.source == s.self.text+".close()" {
			r.emptied(values{*s.self})
		}
	case "post":
		r.post(s)
	case "database":
		r.connected(s, known.args)
	case "delete", "write", "append", "move", "copy", "mode", "owner", "link":
		return r.effect(s, Kind(known.does), known.args)
	case "run", "shell":
		return r.launch(s, Kind(known.does), known.args)
	case "open":
		return r.open(s, known.args)
	case "list":
		return r.search(s, known.args[0])
	case "readdir": // one after the other in a loop, otherwise all
		names := r.foundIn(first, "")
		if loop := r.flow.loop(); loop != nil {
			return r.looped(names, loop.id)
		}
		return anyLength(names)
	case "find": // of Perl: its function comes first, or as an option
		wanted, _ := first.entry("wanted")
		s.args.block = slices.Concat(wanted, first)
		s.args.list = []values{slices.Concat(s.args.list[min(1, len(s.args.list)):]...)}
		return r.search(s, "/**")
	case "feed":
		return r.feed(s)
	case "eval":
		if slices.Contains(known.args, "option") && !s.option(" eval ").may() ||
			slices.Contains(known.args, "text") && !first.has(valueText) {
			return lost
		}
		return r.evaluate(slices.Concat(r.picked(s, known.args)...), s.name, s.source)
	case "code":
		r.report(Call{Func: s.name, Kind: Code, Line: s.line}, lost)
	case "module":
		return r.module(first, s.source)
	case "lib":
		return libraryValue(known.args[0])
	case "named", "send": // the function or class of that name
		name, ok := first.constant()
		if s.self != nil && s.self.kind == valueLibrary {
			name = s.self.text + "." + name
		}
		switch {
		case ok && known.does == "named":
			return libraryValue(r.full(name))
		case ok:
			return r.applyTo(s, libraryValue(r.full(name)), s.args.list[1:], false)
		case known.does == "send":
			return r.do(s, row{does: "code"})
		}
	case "call", "each", "filter":
		args := r.picked(s, known.args)
		callee := r.union(args[0], s.args.block)
		if known.does == "call" {
			return r.applyTo(s, callee, args[1:], known.args[0] != "self")
		}
		if name := firstText(callee); known.does == "filter" && r.flow.is("kind", name[strings.LastIndexByte(name, '.')+1:]) {
			return args[1] // it asks only what kind of file something is
		}
		got := r.each(s, callee, args[1])
		if known.does == "each" {
			return got
		}
		some := r.looped(args[1], 0)
		for i := range some {
			if s.self != nil && some[i].kind != valueList && some[i].kind != valueText && some[i].found == nil {
				some[i] = value{text: s.source, rest: some[i].rest}
			}
		}
		return some
	case "partial":
		return values{{kind: valueMap, text: "partial", items: s.args.list, pairs: s.args.named}}
	case "chdir":
		before := r.dir
		if dir, ok := s.get(0, "path"); ok {
			r.dir = r.folder(dir)
			r.dir.Dynamic = r.dir.Dynamic || len(r.blocks) > 0 // perhaps it isn't
		}
		if s.args.block != nil { // it is there in the block only
			r.applyTo(s, s.args.block, nil, false)
			r.dir = before
		}
		return nil
	case "substitute": // the last argument is changed
		if name := r.next(-2); name.kind == tokenName && len(s.args.list) > 1 {
			r.put(place{name: name.text}, unknown(name.text))
		}
	case "define":
		r.assign(r.scope.place(firstText(first), false), s.argument(1, ""))
	case "shift": // of Perl: the next argument of the function
		if in := r.scope; len(s.args.list) == 0 && len(in.args) > 0 && !in.args[0].any() {
			next := in.args[0]
			in.args = in.args[1:]
			return next
		}
	case "env":
		return r.entryOf(libraryValue("ENV"), first, s.source)
	case "is":
		r.handOn(s)
		return r.picked(s, known.args)[0]
	case "unknown", "":
		r.handOn(s)
	default:
		return r.textCall(s, known, of)
	}
	return lost
}

// moduleNames are those of JavaScript, with where it comes from and its version.
var moduleNames = &shape{text: `(?:node:|npm:|jsr:)?(.[^@]*?)/?(?:@.*)?$`}

// module returns a module by its name.
func (r *reader) module(of values, source string) values {
	return r.collect(of, func(one *value) values {
		name := one.text
		switch known := one.kind == valueText && !one.dynamic; {
		case known && r.pythonic:
			return libraryValue(r.full(name))
		case r.pythonic:
			return unknown(source)
		case !known:
			return unknown("require(" + name) // by which methodCall knows it
		}
		name = r.full(moduleNames.compiled().ReplaceAllString(name[:min(len(name), 200)], "$1")) // longer ones take long
		if r.flow.is("module", name) {
			return libraryValue(name)
		}
		return unknown("module " + name)
	})
}
