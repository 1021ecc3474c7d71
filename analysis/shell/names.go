package shell

import (
	"slices"
	"strings"
)

// Names are names of files and of programs that somebody looks for in lines: a pattern of a shell may stand for
// them. They are safe for concurrent use.
type Names struct {
	rooted, anywhere paths
	programs         []string // texts that list them
}

// paths are elements of paths, by the first one in small letters.
type paths struct {
	firsts  []string
	byFirst map[string][][]string
	hidden  bool // a * stands for hidden files, too
}

// NewNames returns names of files, absolute or as the ends of paths, and of programs, of which each text lists some,
// with blanks between them ("rm git:push", where git is meant). A path of a file also names the folders that it is in.
func NewNames(files, programs []string) *Names {
	n := &Names{programs: programs}
	for _, file := range files {
		if elements := strings.Split(strings.TrimPrefix(file, "/"), "/"); isRooted(file) {
			n.rooted.add(elements)
		} else {
			n.anywhere.add(elements)
		}
	}
	return n
}

func (p *paths) add(elements []string) {
	first := inSmall(elements[0])
	if p.byFirst == nil {
		p.byFirst = map[string][][]string{}
	}
	if p.byFirst[first] == nil {
		p.firsts = append(p.firsts, first)
	}
	p.byFirst[first] = append(p.byFirst[first], elements)
}

// each calls found with each path that elements begin with, or with patterns that may stand for it, or are such
// patterns for a folder that it is in.
func (p *paths) each(elements []string, rooted bool, pay Pay, found func(path []string)) {
	try := func(list [][]string) {
		for _, path := range list {
			if isMeant(elements, path, rooted, p.hidden, pay) {
				found(path)
			}
		}
	}
	element := inSmall(elements[0])
	if !isPattern(element) {
		pay(1, 0)
		try(p.byFirst[element])
		return
	}
	pay(len(p.firsts), 0)
	for _, first := range p.firsts {
		if !differAtEnd(element, first) {
			try(p.byFirst[first])
		}
	}
}

// Pay is called before something is done: with its work, a unit of which takes some nanoseconds, and with the
// bytes that it takes. It may panic to end the call.
type Pay func(work, bytes int)

// maxMeaningWords bounds what is added to a line: words of commands.
const maxMeaningWords = 20_000

// WithNames returns the line with commands added behind those that have patterns in their words: what such a
// command is where a pattern stands for one of the names, one pattern at a time. All hidden files of a folder, as
// .* has them, stand for no names where they are only read, as they are by cp. The commands of l stay as they
// are, and are shared. Commands that have more than 20,000 words together aren't added: the line is TooComplex then.
func (l *Line) WithNames(n *Names, pay Pay) *Line {
	pay(len(l.Commands), 0)
	if !l.HasPatterns() {
		return l
	}
	with := &Line{Err: l.Err, TooComplex: l.TooComplex}
	pay(0, 16*len(l.Commands))
	words := 0
	if l.findsHidden() {
		n = &Names{rooted: n.rooted, anywhere: n.anywhere, programs: n.programs}
		n.anywhere.hidden, n.rooted.hidden = true, true
	}
	for i, c := range l.Commands {
		with.Commands = append(with.Commands, c)
		if !hasPattern(c) {
			continue
		}
		added, complete := n.meanings(c, (maxMeaningWords-words)/wordCount(c), pay)
		with.Commands = append(with.Commands, added...)
		with.TooComplex = with.TooComplex || !complete
		if words += len(added) * wordCount(c); words >= maxMeaningWords-wordCount(c) {
			with.TooComplex = true
			with.Commands = append(with.Commands, l.Commands[i+1:]...)
			break
		}
	}
	return with
}

// findsHidden reports whether a * may stand for hidden files: the line mentions the options for that.
func (l *Line) findsHidden() bool {
	return slices.ContainsFunc(l.Commands, func(c *Command) bool {
		return slices.ContainsFunc(c.Args, func(w Word) bool { return strings.Contains(w.Text, "dotglob") || strings.Contains(w.Text, "globdots") }) ||
			slices.ContainsFunc(c.Assignments, func(a Assignment) bool { return a.Name == "GLOBIGNORE" || a.Name == "BASHOPTS" })
	})
}

// HasPatterns reports whether a command has patterns of the shell in its words.
func (l *Line) HasPatterns() bool { return slices.ContainsFunc(l.Commands, hasPattern) }

func hasPattern(c *Command) bool {
	return isPatternPath(c.Path) || isPatternWord(&c.Dir) || slices.ContainsFunc(c.Args, func(w Word) bool { return isPatternWord(&w) }) ||
		slices.ContainsFunc(c.Redirects, func(r Redirect) bool { return isPatternWord(&r.Target) })
}

// isPatternWord reports whether a shell looks for files by a word. Behind cd, and in a loop over them, the word is
// dynamic.
func isPatternWord(w *Word) bool {
	if !w.Dynamic || !isPattern(w.Text) {
		return w.Glob && isPattern(w.Text)
	}
	return isPatternPath(w.Text)
}

// isPatternPath reports whether an element of a path is a pattern of which all is known: not the source of a
// substitution, as the text for an interpreter has it.
func isPatternPath(path string) bool {
	for element := range strings.SplitSeq(path, "/") {
		if isPattern(element) && !strings.ContainsAny(element, "$`") {
			return true
		}
	}
	return false
}

func wordCount(c *Command) int { return 1 + len(c.Args) + len(c.Redirects) }

// meanings returns what a command may be where one of its patterns stands for a name, so many at most, and whether
// these are all.
func (n *Names) meanings(c *Command, most int, pay Pay) (list []*Command, complete bool) {
	complete = true
	add := func(change func(*Command)) {
		if len(list) >= most {
			return
		}
		pay(10, 700+100*len(c.Args)+100*len(c.Redirects))
		other := *c
		other.isOneOf, other.meaningOf = true, c
		change(&other)
		list = append(list, &other)
	}
	if isPatternPath(baseName(c.Path)) && (c.NameDynamic || c.Name != baseName(c.Path)) {
		for _, name := range n.programsOf(c.Path, pay) {
			if name == c.Name {
				continue
			}
			add(func(c *Command) { c.Name, c.NameDynamic = name, false })
		}
		for _, path := range n.Meant(c.Path, pay) {
			if name := baseName(path); !isPattern(name) {
				add(func(c *Command) { c.Name, c.NameDynamic = name, false })
			}
		}
	}
	for i := 0; i < len(c.Args) && len(list) < most; i++ {
		if isAnyHidden(&c.Args[i]) && !c.changes(&c.Args[i]) {
			continue
		}
		for _, word := range n.words(&c.Args[i], &c.Dir, pay) {
			add(func(c *Command) {
				c.Args = slices.Clone(c.Args)
				c.Args[i] = word
			})
		}
	}
	for i := 0; i < len(c.Redirects) && len(list) < most; i++ {
		for _, word := range n.words(&c.Redirects[i].Target, &c.Dir, pay) {
			add(func(c *Command) {
				c.Redirects = slices.Clone(c.Redirects)
				c.Redirects[i].Target = word
			})
		}
	}
	for _, dir := range n.words(&c.Dir, &Word{}, pay) {
		if dir.Dynamic = isPattern(dir.Text); dir.Text != c.Dir.Text {
			add(func(c *Command) { c.Dir = dir })
		}
	}
	if isTooLong(&c.Dir) || slices.ContainsFunc(c.Args, func(w Word) bool { return isTooLong(&w) }) ||
		slices.ContainsFunc(c.Redirects, func(r Redirect) bool { return isTooLong(&r.Target) }) {
		complete = false
	}
	return list, complete
}

// isTooLong reports whether a pattern isn't compared with names. It may find files whose paths are shorter.
func isTooLong(w *Word) bool { return isPatternWord(w) && len(w.Text) > maxPath }

// MeaningOf returns the command that has a pattern where c has the name of a file or of a program, and nil for one
// that the line has as it is. See [Line.WithNames].
func (c *Command) MeaningOf() *Command { return c.meaningOf }

func (n *Names) programsOf(path string, pay Pay) (names []string) {
	for _, text := range n.programs {
		for word := range strings.FieldsSeq(text) {
			name, _, _ := strings.Cut(word, ":")
			pay(comparisonWork(path, name), 0)
			if isLower(name) && startsAs(path, name) && !slices.Contains(names, name) { // others are cmdlets
				names = append(names, name)
			}
		}
	}
	return names
}

// isAnyHidden reports whether a word stands for all hidden files of a folder: .* or .[!.]*
func isAnyHidden(w *Word) bool {
	name := baseName(w.Text)
	_, _, letters := describePattern(inSmall(name))
	return w.Glob && strings.HasPrefix(name, ".") && letters == 0
}

// changes reports whether a command changes files that a word names.
func (c *Command) changes(w *Word) bool {
	name := baseName(w.Text)
	return slices.ContainsFunc(c.Paths(), func(p Path) bool { return p.Access != Read && baseName(p.Text) == name })
}

// words returns what a word may be that is a pattern, or a file in a folder that is one.
func (n *Names) words(w, dir *Word, pay Pay) (list []Word) {
	if !isPatternWord(w) || isTooLong(w) {
		return nil
	}
	path := w.Text
	if !isRooted(path) && !w.Home && len(dir.Text) <= maxPath && (isPatternWord(dir) || !dir.Dynamic && isRooted(dir.Text)) {
		path = strings.TrimSuffix(dir.Text, "/") + "/" + path
	}
	pay(len(path)/16, 2*len(path))
	path = cleanText(path, true, w.Home)
	found := n.Meant(path, pay)
	if w.Dynamic && (isRooted(w.Text) || w.Home) && !strings.ContainsAny(path, "$`") {
		found = append(found, path) // of a loop over files
	}
	for _, meant := range found {
		word := *w
		word.Text, word.Glob = meant, isPattern(meant)
		if !strings.ContainsAny(meant, "$`") { // nothing else of it was unknown
			word.Dynamic, word.lead, word.temporary, word.places = false, "", false, ""
		}
		list = append(list, word)
	}
	return list
}

// Meant returns the paths that a path with patterns may stand for: the path with elements of a name in the place
// of patterns. A name that isn't absolute must be said by one of its elements, and isn't meant by a "*" at the
// end, which is all in a folder.
func (n *Names) Meant(path string, pay Pay) []string {
	absolute := strings.HasPrefix(path, "/")
	pay(2+len(path)/16, 64+16*strings.Count(path, "/"))
	elements := strings.Split(strings.TrimPrefix(path, "/"), "/")
	places := [][]string{elements}
	if isRooted(path) {
		n.rooted.each(elements, true, pay, func(name []string) {
			places = append(places, replaceElements(elements, 0, name, pay))
		})
	}
	var paths []string
	seen := map[string]bool{path: true}
	add := func(elements []string) {
		pay(1, 200+2*len(path))
		text := strings.Join(elements, "/")
		if absolute {
			text = "/" + text
		}
		if !seen[text] {
			seen[text] = true
			paths = append(paths, text)
		}
	}
	for _, place := range places {
		add(place)
		for at := range place {
			if !slices.ContainsFunc(place[at:], isPattern) {
				break
			}
			n.anywhere.each(place[at:], false, pay, func(name []string) {
				add(replaceElements(place, at, name, pay))
			})
		}
	}
	return paths
}

// isMeant reports whether elements mean a name; see each.
func isMeant(elements, name []string, rooted, hidden bool, pay Pay) bool {
	patterns, said := false, rooted || hidden
	for i, part := range name[:min(len(name), len(elements))] {
		element := elements[i]
		switch {
		case strings.EqualFold(element, part):
			said = said || part != "" && part[0] == '.' // "bin" says little
		case !isPattern(element), !rooted && !hidden && i == len(elements)-1 && strings.Trim(element, "*") == "":
			pay(1, 0)
			return false
		default:
			pay(comparisonWork(element, part), 0)
			may, says := StandsFor(element, part)
			if !may || part[0] == '.' && !says && !hidden { // a shell skips these
				return false
			}
			patterns, said = true, said || says
		}
	}
	return patterns && said
}

func replaceElements(elements []string, at int, name []string, pay Pay) []string {
	pay(len(elements)/8, 16*len(elements))
	list := slices.Clone(elements)
	copy(list[at:], name)
	return list
}

func isRooted(path string) bool { return strings.HasPrefix(path, "/") || isDrive(path) }
