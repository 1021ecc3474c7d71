package script

import (
	"slices"
	"strings"
)

// jsMethod reports what a call of a method does, and returns its value.
func jsMethod(f *flow, s *site) facts {
	self := s.self[0]
	if full, ok := jsUnmistakable(s.name, s.self); ok {
		known := *s
		known.name, known.self = full, nil
		return jsCall(f, &known)
	}
	switch self.kind {
	case factList:
		return jsListMethod(f, s, &self)
	case factText, factPlain:
		return jsTextMethod(f, s)
	case factMap:
		return jsMapMethod(f, s, &self)
	case factFunction:
		if s.name == "call" || s.name == "apply" || s.name == "bind" {
			return jsIndirect(f, s, s.self, s.name)
		}
	case factMethod:
		if s.name == "call" || s.name == "apply" {
			return jsIndirect(f, s, s.self, s.name)
		}
	}
	if self.kind == factUnknown && strings.HasPrefix(self.text, jsAnyModule) && s.name == "then" {
		s.bound = true
		return f.applyAt(s, f.argument(s, 0), []facts{s.self})
	}
	return f.unknown(s.tree)
}

// jsMapMethod knows what can be done with Bun.file(x).
func jsMapMethod(f *flow, s *site, self *fact) facts {
	if self.text == "Bun.file" {
		file, _ := facts{*self}.entry("path")
		kind := map[string]Kind{"delete": Delete, "unlink": Delete, "writer": Write, "write": Write}[s.name]
		if kind != "" {
			f.report(s, Call{Func: "Bun.file." + s.name, Kind: kind}, file)
		}
	}
	return f.unknown(s.tree)
}

func jsListMethod(f *flow, s *site, list *fact) facts {
	if !f.spend(len(list.items)) {
		return f.unknown(s.tree)
	}
	self := facts{*list}
	switch s.name {
	case "join":
		separator := ","
		if len(s.args) > 0 {
			text, known := s.args[0].constant()
			if !known {
				return f.unknown(s.tree)
			}
			separator = text
		}
		return f.concat(slices.Clone(list.items), separator)
	case "forEach", "map", "flatMap", "filter", "some", "every", "find":
		s.bound = true
		result := f.applyAt(s, f.argument(s, 0), []facts{f.elements(self, s.tree), f.unknown(s.tree), self})
		switch s.name {
		case "filter":
			return self
		case "map", "flatMap":
			if len(list.items) == 1 {
				return listFact([]facts{result})
			}
			return anyLength(f.unknown(s.tree))
		}
	case "push":
		if t := s.tree.kids; len(t) > 0 && t[0].op == treeMember && t[0].kids[0].op == treeName {
			extended := &tree{op: treeExtend, source: s.tree.source, line: s.tree.line, kids: []*tree{t[0].kids[0], {op: treeList, kids: t[1:], source: s.tree.source}}}
			return f.extended(extended)
		}
	case "concat":
		added := list.items
		for _, arg := range s.args {
			if len(arg) == 1 && arg[0].kind == factList && f.spend(len(added)) {
				added = append(added[:len(added):len(added)], arg[0].items...)
			} else {
				added = append(added[:len(added):len(added)], anyLength(arg))
			}
		}
		return listFact(added)
	case "reverse", "toReversed":
		reversed := slices.Clone(list.items)
		slices.Reverse(reversed)
		return listFact(reversed)
	case "slice":
		if len(s.args) == 0 {
			return self
		}
	case "at", "pop", "shift":
		return f.anyEntry(list, s.tree)
	case "flat", "values":
		return self
	}
	return f.unknown(s.tree)
}

func jsTextMethod(f *flow, s *site) facts {
	switch s.name {
	case "toString", "valueOf", "normalize":
		return s.self
	case "trim":
		return f.changeText(s, s.self, strings.TrimSpace)
	case "toLowerCase":
		return f.changeText(s, s.self, strings.ToLower)
	case "toUpperCase":
		return f.changeText(s, s.self, strings.ToUpper)
	case "concat":
		return f.concat(append([]facts{s.self}, s.args...), "")
	case "replace", "replaceAll":
		old, known := f.argument(s, 0).constant()
		by, also := f.argument(s, 1).constant()
		if !known || !also || old == "" || len(by) > len(old)+16 {
			return f.unknown(s.tree)
		}
		count := 1
		if s.name == "replaceAll" {
			count = -1
		}
		return f.changeText(s, s.self, func(text string) string { return strings.Replace(text, old, by, count) })
	case "split":
		text, known := s.self.constant()
		separator, also := f.argument(s, 0).constant()
		if known && also && f.spend(len(text)) {
			var items []facts
			for _, part := range strings.Split(text, separator) {
				items = append(items, textFact(part))
			}
			return listFact(items)
		}
	}
	return f.unknown(s.tree)
}
