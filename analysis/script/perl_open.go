package script

import "strings"

// perlOpen reports an open that starts a program, or that writes to a file.
func perlOpen(f *flow, s *site) facts {
	if len(s.args) < 2 {
		return f.unknown(s.tree)
	}
	for _, mode := range s.args[1] {
		text, _ := mode.written()
		text = strings.TrimSpace(text)
		if mode.kind == factUnknown || mode.kind == factLibrary {
			if len(s.args) == 2 { // it may begin with ">" or "|"
				f.report(s, Call{Kind: Shell}, facts{mode})
			}
			continue
		}
		perlOpened(f, s, text, mode)
	}
	return f.unknown(s.tree)
}

func perlOpened(f *flow, s *site, mode string, from fact) {
	part := func(text string) facts {
		return facts{{kind: factText, text: strings.TrimSpace(text), dynamic: from.dynamic, parts: from.parts}}
	}
	rest := s.args[2:]
	switch {
	case len(rest) == 0 && strings.HasPrefix(mode, "|"):
		f.report(s, Call{Kind: Shell}, part(mode[1:]))
	case len(rest) == 0 && strings.HasSuffix(mode, "|"):
		f.report(s, Call{Kind: Shell}, part(mode[:len(mode)-1]))
	case mode == "-|" || mode == "|-":
		if len(rest) == 1 && !rest[0].isRest() {
			f.report(s, Call{Kind: Shell}, rest[0])
		} else if len(rest) > 0 {
			f.report(s, Call{Kind: Run}, rest...)
		}
	case strings.HasPrefix(mode, ">") || strings.HasPrefix(mode, "+"):
		kind := Write
		name := strings.TrimLeft(mode, "+<>")
		if strings.HasPrefix(mode, ">>") {
			kind = Append
		}
		switch {
		case strings.HasPrefix(name, "&"): // a copy of a handle
		case len(rest) > 0:
			if rest[0].isReference(s.tree, 3) {
				return
			}
			f.report(s, Call{Kind: kind}, rest[0])
		case strings.TrimSpace(name) != "":
			f.report(s, Call{Kind: kind}, part(name))
		}
	}
}

// isReference reports whether argument n of a call is a reference, which open
// uses as a file in memory.
func (v facts) isReference(t *tree, n int) bool {
	return len(t.kids) > n && strings.HasPrefix(t.kids[n].source, "\\")
}

func perlSysopen(f *flow, s *site) facts {
	if len(s.args) > 2 && !strings.Contains(s.tree.source, "O_RDONLY") {
		f.report(s, Call{Kind: Write}, s.args[1])
	}
	return f.unknown(s.tree)
}

// perlFile reports IO::File->new(FILE, MODE).
func perlFile(f *flow, s *site) facts {
	mode, known := f.argument(s, 1).constant()
	switch {
	case len(s.args) == 1:
		named := *s
		named.args = []facts{nil, s.args[0]}
		return perlOpen(f, &named)
	case len(s.args) > 1 && (!known || strings.ContainsAny(mode, "w>+")):
		f.report(s, Call{Kind: Write}, s.args[0])
	case known && strings.HasPrefix(mode, "a"):
		f.report(s, Call{Kind: Append}, s.args[0])
	}
	return f.unknown(s.tree)
}
