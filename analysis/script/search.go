package script

import "strings"

// expand resolves the "~" and the $HOME at the beginning of a path.
func (r *reader) expand(s *site) values {
	v := s.argument(0, "path")
	if s.self != nil {
		v = values{*s.self}
	} else if base, ok := s.get(1, ""); ok && r.name == "ruby" {
		return r.concat([]values{base, v}, "/")
	}
	all := make(values, 0, len(v))
	for _, one := range v {
		if one.kind != valueText {
			all = append(all, value{text: s.source, path: one.path})
			continue
		}
		switch {
		case one.text == "~" || strings.HasPrefix(one.text, "~/"):
			one.text = homeMark + one.text[1:]
		case strings.HasPrefix(one.text, "~"):
			one.dynamic = true // the home of another user
		}
		if strings.HasSuffix(s.name, "expandvars") {
			for _, name := range [...]string{"$HOME", "${HOME}"} {
				if rest, ok := strings.CutPrefix(one.text, name); ok && (rest == "" || rest[0] == '/') {
					one.text = homeMark + rest
				}
			}
			one.dynamic = one.dynamic || strings.Contains(one.text, "$")
		}
		all = append(all, one)
	}
	return all
}

// search returns what functions find that list folders and walk through them:
// a list with one element that stands for all of them.
func (r *reader) search(s *site, how string) values {
	root := s.argument(0, "path")
	if _, given := s.get(0, ""); !given && len(s.option("path")) == 0 {
		root = textValue(".")
	}
	if s.self != nil {
		root = values{*s.self}
	}
	switch how {
	case "glob":
		base := s.option("root_dir")
		if cwd := s.option("cwd"); len(base) == 0 {
			base = cwd
		}
		if b := s.option("base"); len(base) == 0 {
			base = b
		}
		return r.glob(s.argument(0, "pathname"), base, s.source)
	case "pathglob", "pathrglob":
		pattern := s.argument(0, "pattern")
		if how == "pathrglob" {
			pattern = r.concat([]values{textValue("**"), pattern}, "/")
		}
		all := r.glob(pattern, root, s.source)
		return listValue([]values{pathObjects(all[0].items[0])})
	case "perlfind":
		return r.perlFind(s)
	case "opendir":
		if r.name == "php" {
			return r.foundIn(root, true, "")
		}
		to := s.argument(0, "")
		if len(to) == 1 && len(s.args.list) > 1 {
			if v := r.scope.place(to[0].text, false); to[0].kind == valueUnknown {
				r.assign(v, r.foundIn(s.args.list[1], true, ""))
			}
		}
		return unknown(s.source)
	case "readdir":
		v := s.argument(0, "")
		if r.name == "perl" && len(v) == 1 && v[0].found != nil { // the list was spread
			v = listValue(s.args.list)
		}
		if len(v) == 1 && v[0].kind == valueList {
			if r.loops() {
				return r.elements(v, r.blocks[len(r.blocks)-1].id, "")
			}
			return v
		}
		return values{{text: s.source, rest: true}}
	case "listdir":
		return r.foundIn(root, true, "")
	case "scandir":
		return r.foundIn(root, false, "/**")
	case "pathlist":
		return listValue([]values{pathObjects(r.foundIn(root, false, "/*")[0].items[0])})
	case "find", "pathfind":
		all := r.foundIn(root, false, "/**")
		if how == "pathfind" || r.name == "php" {
			all = listValue([]values{pathObjects(all[0].items[0])})
		}
		return all
	}
	// walk: tuples of a folder, the names of folders and those of files in it
	folder := r.foundIn(root, false, "/**")[0].items[0]
	names := listValue([]values{r.foundIn(root, true, "")[0].items[0]})
	if how == "pathwalk" {
		folder = pathObjects(folder)
	}
	return listValue([]values{listValue([]values{folder, names, names})})
}

// loops reports whether the innermost block is a loop.
func (f *flow) loops() bool { return len(f.blocks) > 0 && f.blocks[len(f.blocks)-1].loop }

func pathObjects(v values) values {
	all := make(values, len(v))
	for i, one := range v {
		one.path = true
		all[i] = one
	}
	return all
}

// foundIn returns the list of what is in a folder: of names or, with what is
// put behind the folder, of paths.
func (r *reader) foundIn(root values, name bool, behind string) values {
	var all values
	for i := range root {
		from := root[i]
		if from.path = false; from.found != nil { // a folder that was found itself
			from = from.found.root
		} else if from.kind != valueText && from.kind != valueUnknown {
			from = value{text: from.text}
		}
		if from.kind == valueText && len(from.text) > 1 {
			from.text = strings.TrimSuffix(from.text, "/")
		}
		one := value{found: &found{root: from, name: name, tests: r.tests}}
		if !name {
			text, parts := r.piece(&from)
			if text == "/" {
				text = ""
			}
			one.kind, one.text, one.dynamic = valueText, text+behind, true
			one.parts = append(parts[:len(parts):len(parts)], one.text)
		}
		all = r.union(all, values{one})
	}
	return listValue([]values{all})
}

// glob returns the list of what a pattern finds below a folder.
func (r *reader) glob(pattern, base values, source string) values {
	if items, ok := pattern.list(); ok {
		pattern = nil
		for _, item := range items {
			r.spend(1)
			pattern = r.union(pattern, item)
		}
	}
	if len(base) > 0 {
		pattern = r.joinPath([]values{base, pattern}, false)
	}
	var all values
	for i := range pattern {
		one := pattern[i]
		if one.kind != valueText {
			all = r.union(all, values{{text: source, rest: true}})
			continue
		}
		for _, text := range splitGlobs(one.text, r.name == "perl") {
			folder, last := "", text
			for { // what only says "all" at the end is the folder's
				j := strings.LastIndexByte(last, '/')
				if tail := last[j+1:]; tail != "*" && tail != "**" && tail != "*.*" && tail != "" && tail != "{*,.*}" {
					break
				}
				if folder = last[:max(j, 0)]; j <= 0 {
					if folder = "."; j == 0 {
						folder = "/"
					}
					last = ""
					break
				}
				last = folder
			}
			// What has one name, wherever it is found, is known well enough.
			open := strings.ContainsAny(text[strings.LastIndexByte(text, '/')+1:], "*?[{")
			item := value{kind: valueText, text: text, dynamic: open || one.dynamic, parts: one.parts}
			if open {
				item.parts = append(item.parts[:len(item.parts):len(item.parts)], text)
			}
			if folder != "" && !strings.ContainsAny(folder, "*?[{") {
				root := value{kind: valueText, text: folder, dynamic: one.dynamic, parts: one.parts}
				item.found = &found{root: root, tests: r.tests}
			} else if folder != "" && one.dynamic {
				item.found = nil
			}
			all = r.union(all, values{item})
		}
	}
	if len(all) == 0 {
		all = unknown(source)
	}
	return listValue([]values{all})
}

// splitGlobs returns the patterns in a text: several in Perl's, with blanks
// between them.
func splitGlobs(text string, several bool) []string {
	if several {
		if words := strings.Fields(text); len(words) > 0 {
			return words[:min(len(words), maxValues)]
		}
	}
	return []string{text}
}
