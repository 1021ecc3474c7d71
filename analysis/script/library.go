package script

import (
	"encoding/base64"
	"encoding/hex"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
)

// anyModule begins the source of a module whose name isn't known.
const anyModule = "require("

// globalName returns what a name is that the program doesn't define.
func (r *reader) globalName(name string) values {
	if v, ok := r.given(name); ok {
		return v
	}
	if r.flow.is("global", name) {
		return libraryValue(name)
	}
	switch r.name {
	case "javascript":
		return unknown(name)
	case "perl":
		if name == "%ENV" {
			return libraryValue("ENV")
		}
		if name == "@_" {
			return r.perlArguments()
		}
		if name == "@ARGV" || name[0] == '@' || name[0] == '%' {
			return values{{text: name, rest: true}}
		}
		if name[0] == '$' {
			return unknown(name)
		}
		if _, ok := r.row(name + ".new"); ok {
			return libraryValue(name)
		}
		if strings.Contains(name, "::") {
			if last := name[strings.LastIndex(name, "::")+2:]; strings.HasPrefix(name, "CORE::") || strings.HasPrefix(name, "File::Path::") || strings.HasPrefix(name, "POSIX::") {
				return libraryValue(last)
			}
		}
	case "php":
		switch strings.ToUpper(name) {
		case "$_SERVER", "$_ENV":
			return libraryValue("ENV")
		}
		if name[0] == '$' {
			return unknown(name)
		}
		if i := strings.LastIndexByte(name, '\\'); i >= 0 {
			if name = name[i+1:]; !oneOf(" process filesystemiterator directoryiterator recursivedirectoryiterator recursiveiteratoriterator ", strings.ToLower(name)) {
				return unknown(name)
			}
		}
		if _, ok := r.row(strings.ToLower(name)); ok && !strings.Contains(name, ".") {
			return libraryValue(strings.ToLower(name))
		}
		return unknown(name)
	case "ruby":
		if name == "ARGV" {
			return values{{text: name, rest: true}}
		}
		if _, ok := r.row("FileUtils." + name); ok && r.included {
			return libraryValue("FileUtils." + name)
		}
	case "python":
		if name == "__builtins__" || name == "__builtin__" {
			return libraryValue("builtins")
		}
	case "awk":
		if _, ok := r.row(name); !ok && !r.is("(") && !r.is("[") && isNameStart(name[0]) && strings.ToUpper(name) != name {
			return textValue("") // it's empty as long as nothing is assigned
		}
		if name == "ENVIRON" {
			return libraryValue("ENV")
		}
	}
	if full := r.full(name); full != name {
		return libraryValue(full)
	}
	if _, ok := r.row(name); ok && (!strings.Contains(name, ".") || r.name != "python") {
		return libraryValue(name)
	}
	return unknown(name)
}

// member returns what of.name is.
func (r *reader) member(of values, name, source string) (all values) {
	for i := range of {
		one := &of[i]
		switch one.kind {
		case valueLibrary:
			all = r.union(all, r.libraryMember(one.text, name, source))
			continue
		case valueMap:
			if v, ok := (values{*one}).entry(name); ok {
				all = r.union(all, v)
				continue
			}
		case valueList:
			if name == "length" || name == "size" {
				all = r.union(all, unknown(name))
				continue
			}
		case valueText, valueUnknown:
			if one.path {
				if v := r.pathMember(one, name, source); v != nil {
					all = r.union(all, v)
					continue
				}
			}
			if name == "stdin" && one.call > 0 || (name == "path" || name == "parentPath" || name == "name") && one.found != nil {
				same := *one
				if name == "name" && r.name == "javascript" {
					same.text = source
				}
				all = r.union(all, values{same})
				continue
			}
			if strings.HasPrefix(one.text, anyModule) && one.kind == valueUnknown && name != "then" {
				known := len(all)
				for _, module := range [...]string{"child_process.", "fs."} {
					if _, ok := r.row(r.function(module + name)); ok {
						all = r.union(all, libraryValue(module+name))
					}
				}
				if len(all) > known {
					continue
				}
			}
		}
		all = r.union(all, values{{kind: valueMethod, text: name, items: []values{{*one}}, parts: []string{source}}})
	}
	if len(all) == 0 {
		return unknown(source)
	}
	return all
}

// libraryMember returns a member of something of the language's own.
func (r *reader) libraryMember(of, name, source string) values {
	full := r.full(of + "." + name)
	if v, ok := r.given(full); ok {
		return v
	}
	switch full {
	case "process.argv", "sys.argv", "FileUtils.DryRun", "FileUtils.NoWrite":
		return unknown(source)
	case "ctypes.cdll", "ctypes.CDLL":
		return libraryValue(full)
	}
	switch {
	case of == "ENV" || of == "process.env" || of == "os.environ" && r.is("]"):
		if r.pythonic {
			return unknown(source)
		}
		return unknown("ENV." + name)
	case of == "builtins":
		if _, ok := r.row(name); !ok {
			return unknown(source)
		}
		return libraryValue(name)
	case name == "__dict__" || name == "default" || name == "__esModule":
		return libraryValue(of)
	case name == "constructor":
		return libraryValue("Object.constructor")
	case of == "sys.modules":
		return libraryValue(r.full(name))
	case of == "sh" && r.pythonic:
		return libraryValue("sh." + name)
	}
	return libraryValue(full)
}

// pathMember returns a property of a path.
func (r *reader) pathMember(one *value, name, source string) values {
	var change func(string) string
	switch name {
	case "parent", "dirname":
		change = path.Dir
	case "name", "basename":
		change = path.Base
	case "stem":
		change = func(text string) string { return strings.TrimSuffix(path.Base(text), path.Ext(text)) }
	case "suffix", "parts", "parents", "extname":
		return unknown(source)
	default:
		return nil
	}
	if strings.HasSuffix(one.text, homeMark) {
		return unknown(source)
	}
	all := r.mapText(values{*one}, source, change)
	for i := range all {
		all[i].path = name == "parent" || name == "dirname"
	}
	return all
}

// libraryCall reports what a call of a library's function does, and returns its value.
func (r *reader) libraryCall(s *site) values {
	name := r.function(s.name)
	known, ok := r.row(name)
	if !ok {
		return r.otherCall(s, name)
	}
	return r.do(s, known)
}

// otherCall is for functions that the table doesn't have.
func (r *reader) otherCall(s *site, name string) values {
	i := strings.LastIndexByte(s.name, '.')
	if i < 0 {
		r.handOn(s, true)
		return unknown(s.source)
	}
	of, last := s.name[:i], s.name[i+1:]
	switch last {
	case "call", "apply", "bind", "to_proc", "__call__", "then", "catch", "finally", "send", "public_send", "__send__", "method", "__getattribute__":
		self := value{kind: valueLibrary, text: of}
		s.self, s.name = &self, last
		return r.methodCall(s)
	case "new":
		if _, ok := r.row(of); ok || r.name == "ruby" {
			s.name = name
			if ok {
				return r.libraryCall(&site{name: of, source: s.source, args: s.args, line: s.line, start: s.start, r: r})
			}
		}
	}
	if of == "sh" && r.pythonic {
		return r.started(s, Run, append([]values{textValue(last)}, s.args.list...)...)
	}
	if r.name == "perl" && (last == "rmtree" || last == "remove_tree") {
		s.name = last
		return r.effect(s, Delete, []string{"0*", "r"})
	}
	r.handOn(s, true)
	return unknown(s.source)
}

// methodCall reports what a method of a value does, and returns its value.
func (r *reader) methodCall(s *site) values {
	self := s.self
	kinds := []string{"any."}
	switch {
	case self.path:
		kinds = []string{"path.", "text.", "any."}
	case self.kind == valueText || self.kind == valuePlain:
		kinds = []string{"text.", "any."}
	case self.kind == valueList:
		kinds = []string{"list.", "any."}
	case self.kind == valueMap:
		kinds = []string{"map.", "any."}
	case self.kind == valueUnknown || self.kind == valueMethod:
		kinds = []string{"sure.", "any."}
	}
	name := s.name
	if r.name == "php" {
		name = strings.ToLower(name)
	}
	if full, ok := r.unmistakable(self, name); ok {
		here := *s
		here.self, here.name = nil, full
		return r.libraryCall(&here)
	}
	if (self.kind == valueFunction || self.kind == valueLibrary || self.kind == valueMethod) && oneOf(" call apply bind to_proc __call__ ", name) {
		return r.indirect(s, values{*self}, name)
	}
	for _, kind := range kinds {
		known, ok := r.row(kind + name)
		if !ok {
			continue
		}
		here := *s
		switch kind {
		case "sure.":
			if name == "unlink" && len(s.args.list) > 0 {
				continue // remove a thing from another
			}
			fallthrough
		case "path.":
			path := *self
			path.path = true
			if kind == "sure." {
				path = value{text: self.text, path: true, found: self.found}
			}
			here.self = &path
			here.name = r.pathName() + name
			if _, isKind := kindOf(known.does); isKind || known.does == "unlink" || known.does == "open" {
				here.args.list = append([]values{{path}}, s.args.list...)
			}
		}
		return r.do(&here, known)
	}
	if name == "rmtree" && r.name == "ruby" {
		return unknown(s.source)
	}
	r.handOn(s, true)
	return unknown(s.source)
}

// pathName is what the language's paths are called.
func (r *reader) pathName() string {
	switch r.name {
	case "ruby":
		return "Pathname."
	case "perl":
		return "Path::Tiny."
	case "javascript":
		return "Bun.file."
	}
	return "Path."
}

// unmistakable returns the library's function that a method of an unknown object
// of JavaScript must be.
func (r *reader) unmistakable(self *value, name string) (string, bool) {
	if r.name != "javascript" || self.kind != valueUnknown && self.kind != valueMethod {
		return "", false
	}
	for _, module := range [...]string{"fs.", "child_process."} {
		if _, ok := r.row(r.function(module + name)); ok && (strings.HasPrefix(self.text, anyModule) || strings.HasSuffix(name, "Sync") && name != "openSync") {
			return module + name, true
		}
	}
	return "", false
}

// kindOf returns the kind of a row that is one.
func kindOf(does string) (Kind, bool) {
	kind := Kind(does)
	switch kind {
	case Delete, Write, Append, Move, Copy, Mode, Owner, Link, SQL:
		return kind, true
	}
	return "", false
}

// indirect calls a function through call, apply or bind.
func (r *reader) indirect(s *site, callee values, how string) values {
	here := *s
	here.self = nil
	if r.name == "javascript" && how != "to_proc" {
		here.args.list = nil
		if len(s.args.list) > 1 {
			here.args.list = s.args.list[1:]
		}
		if how == "bind" {
			return callee
		}
		if how == "apply" && len(here.args.list) > 0 {
			if items, ok := here.args.list[0].list(); ok {
				here.args.list = items
			} else {
				here.args.list = []values{anyLength(here.args.list[0])}
			}
		}
	} else if how == "to_proc" {
		return callee
	}
	return r.applyTo(&here, callee, here.args.list, false)
}

// applyTo calls what callee may be with other arguments, where s stands.
func (r *reader) applyTo(s *site, callee values, args []values, loop bool) (all values) {
	for i := range callee {
		one := &callee[i]
		here := *s
		here.self, here.args = nil, arguments{list: args}
		for _, arg := range args {
			if len(arg) == 1 && arg[0].kind == valueMap && !r.pythonic {
				here.args.named = append(here.args.named, arg[0].pairs...)
			}
		}
		switch one.kind {
		case valueFunction:
			all = r.union(all, r.call(one.fn, &here.args, loop))
		case valueLibrary:
			here.name = one.text
			all = r.union(all, r.libraryCall(&here))
		case valueText:
			if r.name == "ruby" && len(args) > 0 { // &:delete
				here.name = one.text
				here.args = arguments{}
				for k := range args[0] {
					here.self = &args[0][k]
					all = r.union(all, r.methodCall(&here))
				}
			} else if _, ok := r.row(r.function(one.text)); ok && !one.dynamic && r.name == "php" {
				here.name = one.text
				all = r.union(all, r.libraryCall(&here))
			}
		case valueMethod:
			here.name = one.text
			for k := range one.items[0] {
				here.self = &one.items[0][k]
				all = r.union(all, r.methodCall(&here))
			}
		}
	}
	return all
}

// each calls a function with what the elements of a list may be.
func (r *reader) each(s *site, callee, list values) values {
	loop := s.start + 1
	for i := range callee {
		if callee[i].kind == valueFunction && callee[i].fn != nil {
			loop = callee[i].fn.loop
		}
	}
	element := r.elements(list, loop, s.source)
	if items, ok := list.list(); ok && len(items) > 1 && !callee.has(valueFunction) {
		var all values
		for _, item := range items[:min(len(items), maxValues)] {
			all = r.union(all, r.applyTo(s, callee, []values{item}, true))
		}
		return listValue([]values{all})
	}
	for i := range element {
		if one := &element[i]; one.kind == valueUnknown && one.found == nil && callee.has(valueFunction) {
			element = append(append(element[:i:i], value{}), element[i+1:]...)
		}
	}
	if len(element) == 1 && element[0].kind == valueUnknown && element[0].text == "" && element[0].found == nil {
		element = nil
	}
	got := r.applyTo(s, callee, []values{element}, true)
	return listValue([]values{anyLength(got)})
}

// do does what a row of the table says.
func (r *reader) do(s *site, known row) values {
	first := s.argument(0, "")
	var self values // what the function is about: the value whose method it is, or its first argument
	of := first
	if s.self != nil {
		self = values{*s.self}
		of = self
	}
	lost := unknown(s.source)
	if kind, ok := kindOf(known.does); ok {
		switch {
		case kind == SQL && s.self == nil && r.name != "php":
			return lost
		case kind == SQL && s.self != nil:
			if name := r.callName(s.source); len(name) < 40 && !strings.ContainsAny(name, " \n\"'") {
				s.name = name
			}
			return r.effect(s, kind, []string{"0"})
		}
		return r.effect(s, kind, known.args)
	}
	switch known.does {
	case "unlink":
		return r.effect(s, Delete, []string{"0"})
	case "deletearg":
		if s.name = strings.TrimPrefix(s.name, r.pathName()); len(s.args.list) == 0 {
			s.args.list = []values{self}
		}
		return r.effect(s, Delete, []string{"0*", "r"})
	case "perltree":
		args := []string{"0*", "r"}
		if r.function(s.name) == "rmtree" && len(s.args.list) > 1 && s.args.list[1].has(valuePlain) {
			args[0] = "0"
		}
		s.name = s.name[strings.LastIndexByte(s.name, ':')+1:]
		return r.effect(s, Delete, args)
	case "run", "shell":
		return r.launch(s, Kind(known.does), known.args)
	case "shellwords":
		return listValue(r.fields(first))
	case "open":
		return r.open(s, known.args)
	case "list":
		return r.search(s, known.args[0])
	case "handle":
		return r.handle(s, known.args[0])
	case "perlfind":
		return r.perlFind(s)
	case "eval":
		if len(s.args.list) > 0 && !(known.args == nil && first.has(valueFunction)) {
			return r.evaluate(first, s.name, s.source)
		}
	case "evallast":
		if n := len(s.args.list); n > 0 {
			r.evaluate(s.args.list[n-1], s.name, s.source)
		}
	case "assert":
		if first.has(valueText) {
			r.evaluate(first, s.name, s.source)
		}
	case "worker":
		if s.option("eval").may() {
			r.evaluate(first, s.name, s.source)
		}
	case "code":
		r.report(Call{Func: s.name, Kind: Code, Line: s.line}, lost)
	case "module":
		return r.module(first, s.source)
	case "lib":
		return libraryValue(known.args[0])
	case "named": // the function or class of that name
		if name, ok := first.constant(); ok {
			if s.self != nil {
				name = s.self.text + "." + name
			}
			return libraryValue(r.full(name))
		}
	case "send":
		name, ok := first.constant()
		if !ok {
			r.report(Call{Func: "send", Kind: Code, Line: s.line}, lost)
			return lost
		}
		if s.self != nil && s.self.kind == valueLibrary && s.self.text != "Kernel" {
			name = s.self.text + "." + name
		}
		return r.applyTo(s, libraryValue(r.full(name)), s.args.list[1:], false)
	case "getattr":
		if name, ok := s.argument(1, "").constant(); ok && first.has(valueLibrary) {
			return r.member(first, name, s.source)
		}
	case "calluser":
		args := s.args.list[min(1, len(s.args.list)):]
		if len(known.args) > 0 && len(args) > 0 {
			args, _ = args[0].list()
		}
		return r.applyTo(s, first, args, true)
	case "callback":
		callee, args := first, s.args.list[min(1, len(s.args.list)):]
		if target := s.option("target"); len(target) > 0 {
			callee = target
			args, _ = s.option("args").list()
		} else if s.self != nil && s.self.kind == valueFunction {
			callee, args = self, s.args.list
		} else if s.self != nil && s.name == "apply" && len(args) == 1 {
			args, _ = args[0].list()
		}
		r.applyTo(s, callee, args, true)
		r.handOn(s, true)
	case "then":
		return r.applyTo(s, append(first, s.args.block...), []values{self}, true)
	case "partial":
		return values{{kind: valueMap, text: "partial", items: s.args.list}}
	case "each":
		callee, list := first, self
		if s.args.block != nil {
			callee = s.args.block
		}
		if r.name == "python" && s.self != nil && s.self.kind != valueList {
			list = s.argument(1, "")
		} else if s.self == nil { // array_walk
			callee, list = s.argument(1, ""), first
		}
		return r.each(s, callee, list)
	case "eachof":
		return r.each(s, first, s.argument(1, ""))
	case "filter", "filterof":
		callee, list := append(first, s.args.block...), self
		if known.does == "filterof" && r.name == "php" {
			callee, list = s.argument(1, ""), first
		} else if known.does == "filterof" {
			list = s.argument(1, "")
		}
		r.each(s, callee, list)
		if callee.is("None") || callee.has(valueLibrary) {
			return list
		}
		return r.unfound(list)
	case "chdir":
		before := r.dir
		if dir, ok := s.get(0, "path"); ok {
			r.chdir(dir)
		}
		if s.args.block != nil { // it is there in the block only
			r.applyTo(s, s.args.block, nil, false)
			r.dir = before
		}
		return nil
	case "text":
		return textValue(strings.Replace(known.args[0], "home", homeMark, 1))
	case "same":
		return of
	case "first":
		return s.argument(0, "")
	case "str":
		if first.has(valueList) {
			return lost
		}
		first = slices.Clone(first)
		for i := range first {
			first[i].path = false
		}
		return first
	case "last":
		return s.argument(len(s.args.list)-1, "")
	case "args":
		return listValue(s.args.list)
	case "merge":
		return r.flat(s.args.list)
	case "env":
		name, ok := first.constant()
		if ok && name == "HOME" {
			return textValue(homeMark)
		} else if ok && !r.pythonic {
			return unknown("ENV." + name)
		}
	case "path":
		return r.joinPath(s.args.list, false)
	case "pathjoin":
		return r.joinPath(append([]values{self}, s.args.list...), true)
	case "topath":
		parts := s.args.list
		if len(known.args) > 0 {
			parts = []values{textValue(strings.Replace(known.args[0], "home", homeMark, 1))}
		} else if len(parts) == 0 {
			parts = []values{textValue(".")}
		}
		return r.joinPath(parts, true)
	case "expand":
		return r.expand(s)
	case "base64", "base64self", "hex", "percent", "codec", "buffer", "chr":
		return r.decode(s, known.does, of)
	case "dirname":
		return r.mapText(of, s.source, path.Dir)
	case "basename":
		return r.mapText(of, s.source, path.Base)
	case "lower":
		return r.mapText(of, s.source, strings.ToLower)
	case "upper":
		return r.mapText(of, s.source, strings.ToUpper)
	case "reversed":
		return r.mapText(of, s.source, reversed)
	case "strip":
		set, ok := s.argument(0, "").constant()
		if !ok || s.self == nil {
			set = " \t\r\n"
		}
		return r.mapText(of, s.source, func(text string) string { return strings.Trim(text, set) })
	case "quoted":
		if _, ok := first.constant(); !ok {
			return first
		}
		return r.mapText(first, s.source, shellQuoted)
	case "bytes":
		if items, ok := first.list(); ok {
			return r.characters(items, s.source)
		}
		return first
	case "substitute", "splitinto":
		if name := r.next(-2); name.kind == tokenName && len(s.args.list) > 1 {
			r.put(place{name: name.text}, unknown(name.text))
		}
	case "feed":
		return r.feed(s)
	case "define":
		if name, ok := first.constant(); ok {
			r.assign(r.global.declare(name), s.argument(1, ""))
		}
	case "constant":
		if name, ok := first.constant(); ok {
			return r.named(name)
		}
	case "shift":
		return r.shift(s)
	case "perlreverse":
		return r.mapText(r.concat(s.args.list, ""), s.source, reversed)
	case "unknown":
		r.handOn(s, true)
	default:
		return r.textCall(s, known.does, self)
	}
	return lost
}

func shellQuoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// textCall is for the functions that make texts and lists of others.
func (r *reader) textCall(s *site, does string, self values) values {
	items, isList := self.list()
	first := s.argument(0, "")
	switch does {
	case "replace":
		old, known := first.constant()
		by, also := s.argument(1, "").constant()
		if known && also && old != "" && len(by) <= len(old)+16 {
			n := -1
			if s.name == "replace" && r.name == "javascript" {
				n = 1
			}
			return r.mapText(self, s.source, func(text string) string { return strings.Replace(text, old, by, n) })
		}
	case "split":
		text, known := self.constant()
		separator, given := first.constant()
		if known && r.spend(len(text)) && (given || len(s.args.list) == 0) {
			parts := strings.Split(text, separator)
			if !given {
				parts = strings.Fields(text)
			}
			var all []values
			for _, part := range parts {
				all = append(all, textValue(part))
			}
			return listValue(all)
		}
		return values{{text: s.source, rest: true}}
	case "join", "joined", "joinfirst", "implode":
		separator, list := self, first
		switch {
		case does == "joined":
			separator, list = first, self
			if len(s.args.list) == 0 {
				separator = textValue(",")
				if r.name == "ruby" {
					separator = textValue("")
				}
			}
		case does == "joinfirst":
			separator, list = first, listValue(s.args.list[min(1, len(s.args.list)):])
		case does == "implode":
			if separator, list = first, s.argument(1, ""); len(s.args.list) == 1 {
				separator, list = textValue(""), first
			}
		}
		text, known := separator.constant()
		if items, ok := list.list(); ok && known && !slices.ContainsFunc(items, func(v values) bool { return len(v) == 1 && v[0].rest }) {
			return r.concat(items, text)
		}
	case "concat":
		if isList {
			all := items[:len(items):len(items)]
			for _, arg := range s.args.list {
				if more, ok := arg.list(); ok && r.spend(len(more)) {
					all = append(all, more...)
				} else {
					all = append(all, anyLength(arg))
				}
			}
			return listValue(all)
		}
		return r.concat(append([]values{self}, s.args.list...), "")
	case "push", "extend", "insert":
		grown := items[:len(items):len(items)]
		switch more, ok := first.list(); {
		case does == "insert":
			if at := number(firstText(first)); at >= 0 && at <= len(grown) && len(s.args.list) > 1 {
				grown = slices.Insert(slices.Clone(grown), at, s.args.list[1])
			}
		case does == "extend" && ok:
			grown = append(grown, more...)
		case does == "extend":
			grown = append(grown, anyLength(first))
		default:
			grown = append(grown, s.args.list...)
		}
		if s.grows.name != "" && r.spend(1+len(grown)/8) {
			r.put(s.grows, listValue(grown))
		}
		return listValue(grown)
	case "backwards":
		if isList || s.self == nil {
			if !isList {
				items, isList = first.list()
			}
			if isList {
				items = slices.Clone(items)
				slices.Reverse(items)
				return listValue(items)
			}
			return first
		}
	case "element":
		key := "0"
		switch s.name {
		case "last", "pop":
			key = "-1"
		case "at":
			key = firstText(first)
		}
		return r.entryOf(self, plainValue(key), s.source)
	case "entry":
		return r.entryOf(self, first, s.source)
	case "pairs":
		var all values
		for _, p := range s.self.pairs {
			all = r.union(all, listValue([]values{textValue(p.key), p.value}))
		}
		return listValue([]values{all})
	case "enumerate":
		return listValue([]values{listValue([]values{unknown("i"), r.elements(first, s.start+1, s.source)})})
	case "zip":
		var row []values
		for _, arg := range s.args.list {
			v := r.elements(arg, s.start+1, "")
			row = append(row, v)
		}
		return listValue([]values{listValue(row)})
	case "dict":
		return values{{kind: valueMap, pairs: s.args.named}}
	case "format", "sprintf":
		if does == "sprintf" {
			return r.format(first, listValue(s.args.list[min(1, len(s.args.list)):]), s.source)
		}
		return r.braceFormat(self, s)
	case "quotejoin":
		if items, ok := first.list(); ok {
			var all []values
			for _, item := range items {
				all = append(all, r.mapText(item, s.source, shellQuoted))
			}
			return r.concat(all, " ")
		}
	}
	return unknown(s.source)
}

func firstText(v values) string {
	if len(v) == 0 {
		return ""
	}
	return v[0].text
}

// format puts texts in the places of %s. Anything else isn't known.
func (r *reader) format(format, args values, source string) values {
	text, known := format.constant()
	if !known || !r.spend(len(text)) {
		return unknown(source)
	}
	items, isList := args.list()
	if !isList {
		items = []values{args}
	}
	var parts []values
	for next := 0; ; {
		before, after, found := strings.Cut(text, "%")
		parts = append(parts, textValue(before))
		if !found {
			return r.concat(parts, "")
		}
		used := 1
		switch {
		case strings.HasPrefix(after, "s") || strings.HasPrefix(after, "d"):
			item := unknown("%s")
			if next < len(items) {
				item = items[next]
			}
			next++
			parts = append(parts, item)
		case strings.HasPrefix(after, "%"):
			parts = append(parts, textValue("%"))
		case strings.HasPrefix(after, "(") && strings.Contains(after, ")s"):
			key := after[1:strings.Index(after, ")s")]
			v, ok := args.entry(key)
			if !ok {
				v = unknown(key)
			}
			parts = append(parts, v)
			used = len(key) + 3
		default:
			used = 0
			for used < len(after) && strings.IndexByte("0123456789.-+ #", after[used]) >= 0 {
				used++
			}
			used = min(used+1, len(after))
			next++
			parts = append(parts, unknown("%"+after[:used]))
		}
		text = after[used:]
	}
}

// braceFormat is str.format of Python.
func (r *reader) braceFormat(self values, s *site) values {
	text, known := self.constant()
	if !known || !r.spend(len(text)) {
		return unknown(s.source)
	}
	var parts []values
	for next := 0; ; {
		before, after, found := strings.Cut(text, "{")
		parts = append(parts, textValue(strings.ReplaceAll(before, "}}", "}")))
		if !found {
			return r.concat(parts, "")
		}
		field, rest, closed := strings.Cut(after, "}")
		switch {
		case strings.HasPrefix(after, "{"):
			parts, rest = append(parts, textValue("{")), after[1:]
		case !closed:
			return unknown(s.source)
		default:
			v := unknown(field)
			if n := number(field); field == "" || n >= 0 {
				if field == "" {
					n = next
					next++
				}
				if n < len(s.args.list) {
					v = s.args.list[n]
				}
			} else if named := s.option(field); len(named) > 0 {
				v = named
			}
			parts = append(parts, v)
		}
		text = rest
	}
}

// decode returns what an encoded text is.
func (r *reader) decode(s *site, how string, of values) values {
	encoding := how
	switch how {
	case "buffer", "codec":
		encoding, _ = s.argument(1, "encoding").constant()
		if items, ok := of.list(); ok && how == "buffer" {
			return r.characters(items, s.source)
		}
		if len(s.args.list) < 2 {
			return of
		}
	case "base64self":
		encoding = "base64"
		if format, _ := s.argument(0, "").constant(); format != "m" && format != "m0" {
			return unknown(s.source)
		}
	case "chr":
		return r.characters(s.args.list, s.source)
	}
	switch strings.ReplaceAll(strings.ToLower(encoding), "base64url", "base64") {
	case "hex":
		return r.mapText(of, s.source, func(text string) string {
			data, _ := hex.DecodeString(text)
			return strings.ReplaceAll(string(data), homeMark, " ")
		})
	case "base64":
		return r.mapText(of, s.source, func(text string) string {
			text = strings.NewReplacer("-", "+", "_", "/", "\n", "", "\r", "", " ", "", "=", "").Replace(text)
			data, _ := base64.RawStdEncoding.DecodeString(text)
			return strings.ReplaceAll(string(data), homeMark, " ")
		})
	case "percent":
		return r.mapText(of, s.source, func(text string) string {
			plain, err := url.PathUnescape(text)
			if err != nil {
				return text
			}
			return strings.ReplaceAll(plain, homeMark, " ")
		})
	}
	return unknown(s.source)
}

// characters returns the text of characters by their numbers.
func (r *reader) characters(codes []values, source string) values {
	var b strings.Builder
	for _, arg := range codes {
		if len(arg) != 1 || arg[0].kind != valuePlain || !r.spend(1) {
			return unknown(source)
		}
		code, err := strconv.ParseUint(strings.ToLower(arg[0].text), 0, 32)
		if err != nil {
			return unknown(source)
		}
		writeCode(&b, code)
	}
	return textValue(b.String())
}

// reversed returns text from its end to its beginning.
func reversed(text string) string {
	runes := []rune(text)
	slices.Reverse(runes)
	return string(runes)
}

// joinPath joins the parts of a path. An absolute part begins it anew.
func (r *reader) joinPath(parts []values, object bool) values {
	var flat []values
	for _, part := range parts {
		if items, ok := part.list(); ok && r.spend(len(items)) {
			flat = append(flat, items...)
		} else {
			flat = append(flat, part)
		}
	}
	for i, part := range flat {
		text, known := part.constant()
		if i > 0 && known && (strings.HasPrefix(text, "/") || strings.HasPrefix(text, homeMark)) && (r.name == "python" || object) {
			flat = flat[i:]
			return r.joinPath(flat, object)
		}
	}
	for i, part := range flat {
		if text, ok := part.constant(); ok && i < len(flat)-1 {
			if text == "" || text == "." && object {
				return r.joinPath(slices.Delete(slices.Clone(flat), i, i+1), object)
			}
			if strings.HasSuffix(text, "/") && (len(text) > 1 || i == 0) {
				flat = slices.Clone(flat)
				flat[i] = textValue(strings.TrimRight(text, "/"))
				if text == "/" {
					flat[i] = textValue("")
				}
			}
		}
	}
	joined := r.concat(flat, "/")
	if len(flat) == 1 && len(flat[0]) == 1 && flat[0][0].kind != valueText {
		joined = slices.Clone(flat[0])
	}
	for i := range joined {
		one := &joined[i]
		if one.path = object; one.kind != valueText || one.dynamic {
			continue
		}
		if r.name == "javascript" {
			slash := strings.HasSuffix(one.text, "/") && one.text != "/"
			if j := max(strings.LastIndex(one.text, "//"), strings.LastIndex(one.text, "/"+homeMark)); j >= 0 {
				one.text = one.text[j+1:]
			}
			if one.text = path.Clean(one.text); slash && one.text != "/" {
				one.text += "/"
			}
		}
	}
	return joined
}

// module returns a module by its name.
func (r *reader) module(of values, source string) (all values) {
	for i := range of {
		one := &of[i]
		name := one.text
		switch {
		case one.kind != valueText || one.dynamic:
			if r.pythonic {
				all = r.union(all, unknown(source))
			} else {
				all = r.union(all, unknown(anyModule+one.text))
			}
			continue
		case r.pythonic:
			all = r.union(all, libraryValue(r.full(name)))
			continue
		case name == "spawn_sync" || strings.HasPrefix(name, "data:"): // node's insides, and code in the name itself
			r.report(Call{Func: "require", Kind: Code}, textValue(name))
			all = r.union(all, unknown(source))
			continue
		}
		for _, scheme := range [...]string{"node:", "npm:", "jsr:"} {
			name = strings.TrimPrefix(name, scheme)
		}
		if at := strings.LastIndexByte(name, '@'); at > 0 { // a version
			name = name[:at]
		}
		if name = r.full(strings.TrimSuffix(name, "/")); r.flow.is("module", name) {
			all = r.union(all, libraryValue(name))
		} else {
			all = r.union(all, unknown("module "+name))
		}
	}
	return all
}
