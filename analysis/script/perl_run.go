package script

// perlSystem reports system and exec: one text is for a shell, several are
// words. One value of which the number isn't known may be either.
func perlSystem(f *flow, s *site) facts {
	if len(s.args) == 1 && !s.args[0][:min(1, len(s.args[0]))].isRest() {
		return perlShell(f, s)
	}
	return perlProgram(f, s)
}

func (v facts) isRest() bool { return len(v) > 0 && v[0].rest }

func perlShell(f *flow, s *site) facts {
	value := f.argument(s, 0)
	if len(s.args) == 0 {
		value = f.topic()
	}
	f.report(s, Call{Kind: Shell}, value)
	return f.unknown(s.tree)
}

func perlProgram(f *flow, s *site) facts {
	f.report(s, Call{Kind: Run}, s.args...)
	return f.unknown(s.tree)
}

// perlRun reports IPC::Run's run and IPC::Cmd's: a list of words, or a text for a shell.
func perlRun(f *flow, s *site) facts {
	first := f.argument(s, 0)
	if command, _ := first.constant(); command == "command" && len(s.args) > 1 {
		first = s.args[1]
	}
	kind := Run
	if len(first) == 1 && first[0].kind == factText {
		kind = Shell
	}
	if len(s.args) > 0 {
		f.report(s, Call{Kind: kind}, first)
	}
	return f.unknown(s.tree)
}

// perlOpen3 reports open2 and open3, whose first arguments are handles.
func perlOpen3(f *flow, s *site) facts {
	handles := 2
	if s.name == "open3" {
		handles = 3
	}
	if len(s.args) == handles+1 {
		f.report(s, Call{Kind: Shell}, s.args[handles])
	} else if len(s.args) > handles {
		f.report(s, Call{Kind: Run}, s.args[handles:]...)
	}
	return f.unknown(s.tree)
}

// perlTree reports rmtree and remove_tree, which may have options at their end.
func perlTree(f *flow, s *site) facts {
	args := s.args
	if last := len(args) - 1; last > 0 && (args[last].isMap() || s.name == "rmtree") {
		plain := args[1:]
		args = args[:last]
		if s.name == "rmtree" { // rmtree(PATH, VERBOSE, SAFE)
			args = args[:1]
			for _, one := range plain {
				if text, ok := one.constant(); ok && text != "" {
					args = s.args
				}
			}
		}
	}
	if len(args) > 0 {
		f.report(s, Call{Kind: Delete, Recursive: true}, args...)
	}
	return f.unknown(s.tree)
}

// perlMethod reports the methods of Path::Tiny, and those that are unmistakable.
func perlMethod(f *flow, s *site) facts {
	self := s.self[0]
	if self.kind == factMap && self.text == "Path::Tiny" {
		file, _ := s.self.entry("path")
		call := Call{Func: "Path::Tiny." + s.name}
		switch s.name {
		case "remove":
			call.Kind = Delete
		case "remove_tree":
			call.Kind, call.Recursive = Delete, true
		case "spew", "spew_utf8", "spew_raw", "openw", "touch":
			call.Kind = Write
		case "append", "append_utf8", "append_raw", "opena":
			call.Kind = Append
		case "child":
			joined := f.concat(append([]facts{file}, s.args...), "/")
			return facts{{kind: factMap, text: "Path::Tiny", pairs: []pair{{"path", joined}}}}
		case "move", "copy":
			call.Kind = map[string]Kind{"move": Move, "copy": Copy}[s.name]
			f.report(s, call, file, f.argument(s, 0))
			return s.self
		default:
			return f.unknown(s.tree)
		}
		f.report(s, call, file)
		return s.self
	}
	if s.name == "rmtree" || s.name == "remove_tree" {
		args := s.args
		if len(args) == 0 {
			args = []facts{s.self}
		}
		f.report(s, Call{Kind: Delete, Recursive: true}, args...)
	}
	return f.unknown(s.tree)
}
