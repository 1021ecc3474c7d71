package script

import (
	"slices"
	"strings"
)

// rubyPath returns a Pathname.
func rubyPath(f *flow, s *site) facts {
	return facts{{kind: factMap, text: "Pathname", pairs: []pair{{"path", f.argument(s, 0)}}}}
}

// rubyPathMethod reports the methods of a Pathname.
func rubyPathMethod(f *flow, s *site) facts {
	file, _ := s.self.entry("path")
	call := Call{Func: "Pathname." + s.name}
	switch s.name {
	case "delete", "unlink", "rmdir":
		call.Kind = Delete
	case "rmtree":
		call.Kind, call.Recursive = Delete, true
	case "write", "binwrite", "truncate":
		call.Kind = Write
	case "rename":
		f.report(s, Call{Func: call.Func, Kind: Move}, file, f.argument(s, 0))
		return f.unknown(s.tree)
	case "chmod":
		f.report(s, Call{Func: call.Func, Kind: Mode}, f.mode(f.argument(s, 0)), file)
		return f.unknown(s.tree)
	case "join", "/", "+":
		joined := f.concat(append([]facts{file}, s.args...), "/")
		return facts{{kind: factMap, text: "Pathname", pairs: []pair{{"path", joined}}}}
	case "to_s", "to_path", "expand_path", "realpath", "cleanpath":
		return file
	default:
		return f.unknown(s.tree)
	}
	f.report(s, call, file)
	return f.unknown(s.tree)
}

// rubyMethod reports what a method of a value does, and returns its value.
func rubyMethod(f *flow, s *site) facts {
	self := s.self[0]
	switch {
	case self.kind == factMap && self.text == "Pathname":
		return rubyPathMethod(f, s)
	case s.name == "rmtree":
		f.report(s, Call{Kind: Delete, Recursive: true}, s.self)
		return f.unknown(s.tree)
	case (s.name == "instance_eval" || s.name == "class_eval" || s.name == "module_eval" || s.name == "eval") && len(s.args) > 0:
		return f.evaluate(s, s.args[0])
	case (s.name == "send" || s.name == "public_send" || s.name == "__send__") && len(s.args) > 1:
		// A method that every object has, called from outside: Kernel's.
		if name, ok := s.args[0].constant(); ok && rubyStarts(name) {
			return rubySend(f, s, "", false)
		}
	case s.name == "call" && self.kind == factFunction:
		return f.applyAt(s, s.self, s.args)
	case s.name == "tap" || s.name == "then":
		s.bound = true
		f.applyAt(s, s.block, []facts{s.self})
		return s.self
	case self.kind == factList:
		return rubyListMethod(f, s, &self)
	case self.kind == factText:
		return rubyTextMethod(f, s)
	}
	return f.unknown(s.tree)
}

// rubyStarts reports whether Kernel has a method of that name that starts
// a program.
func rubyStarts(name string) bool {
	return name == "system" || name == "exec" || name == "spawn" || name == "`" || name == "eval"
}

func rubyListMethod(f *flow, s *site, list *fact) facts {
	switch s.name {
	case "each", "map", "each_with_index", "select", "reject", "flat_map", "each_entry", "collect", "filter", "any?", "all?", "sum", "each_with_object", "reverse_each":
		block := s.block
		if len(s.args) > 0 && len(block) == 0 {
			block = s.args[len(s.args)-1]
		}
		s.bound = true
		args := []facts{f.elements(s.self, s.tree), f.unknown(s.tree)}
		if !block.hasFunction() {
			args = args[:1]
		}
		f.applyAt(s, block, args)
		return f.unknown(s.tree)
	case "join":
		separator := ""
		if len(s.args) > 0 {
			separator, _ = s.args[0].constant()
		}
		if f.spend(len(list.items)) {
			return f.concat(slices.Clone(list.items), separator)
		}
	case "push", "append", "<<":
		if t := s.tree.kids; len(t) > 0 && t[0].op == treeMember && t[0].kids[0].op == treeName {
			added := &tree{op: treeList, kids: t[1:], source: s.tree.source}
			return f.extended(&tree{op: treeExtend, source: s.tree.source, line: s.tree.line, kids: []*tree{t[0].kids[0], added}})
		}
	case "freeze", "dup", "to_a", "flatten", "compact", "uniq", "sort":
		return s.self
	case "first":
		return f.element(list, "0", s.tree)
	case "last":
		return f.element(list, "-1", s.tree)
	case "reverse":
		items := slices.Clone(list.items)
		slices.Reverse(items)
		return listFact(items)
	}
	return f.unknown(s.tree)
}

func rubyTextMethod(f *flow, s *site) facts {
	switch s.name {
	case "freeze", "dup", "to_s", "to_str", "to_sym", "b", "shellescape", "itself":
		return s.self
	case "strip", "chomp":
		return f.changeText(s, s.self, strings.TrimSpace)
	case "reverse":
		return f.changeText(s, s.self, reversed)
	case "downcase":
		return f.changeText(s, s.self, strings.ToLower)
	case "upcase":
		return f.changeText(s, s.self, strings.ToUpper)
	case "split":
		text, known := s.self.constant()
		if known && len(s.args) == 0 && f.spend(len(text)) {
			var items []facts
			for word := range strings.FieldsSeq(text) {
				items = append(items, textFact(word))
			}
			return listFact(items)
		}
	case "%":
		args := []facts{s.self}
		if len(s.args) > 0 && len(s.args[0]) == 1 && s.args[0][0].kind == factList {
			args = append(args, s.args[0][0].items...)
		} else {
			args = append(args, s.args...)
		}
		return sprintf(f, &site{tree: s.tree, args: args})
	case "unpack1":
		if format, _ := f.argument(s, 0).constant(); format == "m" || format == "m0" {
			return f.changeText(s, s.self, func(text string) string { return decoded(text, "base64") })
		}
	}
	return f.unknown(s.tree)
}
