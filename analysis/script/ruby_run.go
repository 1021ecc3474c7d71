package script

import "strings"

// rubySend calls the method that the first argument names.
func rubySend(f *flow, s *site, receiver string, reference bool) (all facts) {
	for _, one := range f.argument(s, 0) {
		name, known := one.written()
		if one.kind != factText || !known {
			f.report(s, Call{Kind: Code}, facts{{text: s.tree.source}})
			all = f.union(all, f.unknown(s.tree))
			continue
		}
		called := *s
		called.name, called.self, called.args = receiver+name, nil, s.args[1:]
		if reference {
			all = f.union(all, libraryFact(called.name))
			continue
		}
		all = f.union(all, rubyCall(f, &called))
	}
	return all
}

// rubyStart reports a call that starts a program: one text is for a shell,
// several are words. The environment may come first, options last.
func rubyStart(f *flow, s *site) facts {
	args := s.args
	call := Call{Kind: Run}
	if len(args) > 1 && args[0].isMap() {
		args = args[1:]
	}
	if last := len(args) - 1; last > 0 && args[last].isMap() {
		if dir, ok := args[last].entry("chdir"); ok && len(dir) > 0 {
			call.Dir = directory(dir)
		}
		if text, ok := args[last].entry("stdin_data"); ok && len(text) > 0 {
			call.Input = input(text)
		}
		args = args[:last]
	}
	if len(args) == 0 {
		return f.unknown(s.tree)
	}
	if list := args[0]; len(list) == 1 && list[0].kind == factList {
		switch {
		case s.name != "IO.popen": // ["/bin/rm", "rm"]: the file, and what it's told that it is
			args = append([]facts{f.element(&list[0], "0", s.tree)}, args[1:]...)
		case len(list[0].items) > 0 && list[0].items[0].isMap():
			args = []facts{listFact(list[0].items[1:])}
		default:
			args = args[:1]
		}
	} else if s.name == "IO.popen" || len(args) == 1 && !args[0].isRest() {
		call.Kind, args = Shell, args[:1]
	}
	f.report(s, call, args...)
	return f.unknown(s.tree)
}

func rubyShell(f *flow, s *site) facts {
	if len(s.args) > 0 {
		f.report(s, Call{Func: "%x", Kind: Shell}, s.args[0])
	}
	return f.unknown(s.tree)
}

// rubyOpen reports an open that writes to a file, or starts a program.
func rubyOpen(f *flow, s *site) facts {
	if len(s.args) == 0 {
		return f.unknown(s.tree)
	}
	if name := rubyName(s.name); name == "open" || name == "URI.open" || strings.HasPrefix(name, "IO.") {
		for _, one := range s.args[0] {
			if command, ok := strings.CutPrefix(strings.TrimSpace(one.text), "|"); ok && one.kind == factText {
				f.report(s, Call{Kind: Shell}, facts{{kind: factText, text: strings.TrimSpace(command), dynamic: one.dynamic, parts: one.parts}})
				return f.unknown(s.tree)
			}
		}
		if name != "open" {
			return f.unknown(s.tree)
		}
	}
	mode := textFact("r")
	if len(s.args) > 1 {
		mode = s.args[1]
		if option, ok := mode.entry("mode"); ok {
			mode = option
		} else if mode.isMap() {
			mode = textFact("r")
		}
	}
	text, known := mode.constant()
	switch {
	case known && strings.HasPrefix(text, "a"):
		f.report(s, Call{Kind: Append}, s.args[0])
	case known && !strings.ContainsAny(text, "w+"):
	case len(mode) == 1 && mode[0].kind == factLibrary && strings.HasSuffix(mode[0].text, ".RDONLY"):
	default:
		f.report(s, Call{Kind: Write}, s.args[0])
	}
	return f.unknown(s.tree)
}

// rubyPipeline reports the programs of a pipeline, each a text for a shell or a list of words.
func rubyPipeline(f *flow, s *site) facts {
	for _, arg := range s.args {
		if arg.isMap() {
			continue
		}
		one := *s
		one.args = []facts{arg}
		if len(arg) == 1 && arg[0].kind == factList {
			f.report(s, Call{Kind: Run}, arg)
			continue
		}
		rubyStart(f, &one)
	}
	return f.unknown(s.tree)
}
