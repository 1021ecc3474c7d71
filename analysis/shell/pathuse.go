package shell

import "strings"

// use says which words of a program name files, and what it does to them.
type use struct {
	first Access // to the first operand behind those skipped
	each  Access // to every other operand
	last  Access // to the last of several operands

	skip   int    // how many operands before these name no files
	unless string // options with which none is skipped: "-e --expression"
	into   string // options whose value is the last operand: "-t --target-directory"
	reads  string // options whose value is a file that is read
	writes string // options whose value is a file that is written

	with string // options with which what is done to each operand changes
	then Access // to this
	also bool   // in addition

	guess Access // to the operands that begin as a path does: "/", "~" or "."
	dry   string // options with which nothing is changed, only read
	dash  bool   // "-" is the name of a file
	away  bool   // operands may be on other machines: host:path

	tree  string // options with which what is done to a folder is done to all in it; "*": always
	fills bool   // with tree: what gets into a folder is made there
	exact string // options with which the last operand is no folder that the others are put into; "*": never

	more func(*pathReader) // adds what the above can't say
}

// arguments adds the paths that the arguments name.
func (r *pathReader) arguments() {
	c := r.command
	r.items = c.items()
	name := useName(c.Name)
	r.starts()
	if u, ok := useOf(name); ok {
		if !r.onlyHelps() {
			u.read(r)
		}
		return
	}
	if _, wraps := wrapperOf(c.Name); wraps {
		return // its operands are another command
	}
	r.unlisted()
}

// useName returns the name under which uses lists a program.
func useName(name string) string {
	if _, ok := useOf(name); ok {
		return name
	}
	name = ownName(name)
	if _, ok := useOf(name); ok {
		return name
	}
	switch {
	case strings.HasPrefix(name, "mkfs."):
		return "mkfs"
	case strings.HasPrefix(name, "git-"):
		return "git"
	}
	return name
}

// onlyHelps reports whether the first word has the program print its help and
// do nothing else, which all programs with complete lists do.
func (r *pathReader) onlyHelps() bool {
	if len(r.items) == 0 || r.items[0].name == "" {
		return false
	}
	first := &r.items[0]
	return (first.name == "--help" || first.name == "--version") && first.grammar.closed && first.kind == alone
}

// read adds the paths of the program that u is about.
func (u *use) read(r *pathReader) {
	words := r.operands()
	if u.skip > 0 && !r.holds(u.unless) {
		words = words[min(u.skip, len(words)):]
	}
	each, more := u.each, Access("")
	switch {
	case u.with == "" || !r.holds(u.with):
	case u.also:
		more = u.then
	default:
		each = u.then
	}
	into := r.options(u.into) != nil
	tree := u.tree == "*" || r.holds(u.tree)
	for i, word := range words {
		access := each
		switch {
		case i == 0 && u.first != "":
			access = u.first
		case u.last != "" && i > 0 && i == len(words)-1 && !into:
			access = u.last
		}
		if access == "" && begins(&word) {
			access = u.guess
		}
		from := len(r.paths)
		if u.add(r, word, access); u.last != "" && !into && i > 0 && i == len(words)-1 {
			r.filled(from, words[:i], tree, u.exact == "*" || r.holds(u.exact))
		}
		if access != "" && more != "" {
			u.add(r, word, more)
		}
	}
	from := len(r.paths)
	if r.values(u.into, u.last); into {
		r.filled(from, words, tree, false)
	}
	r.values(u.reads, Read)
	r.values(u.writes, Write)
	if u.more != nil {
		u.more(r)
	}
	for i := range r.paths {
		if p := &r.paths[i]; tree && u.fills && p.Access == Write {
			r.reaches(p, some+"/")
		}
	}
	if tree {
		r.whole(0)
	}
	if r.holds(u.dry) {
		r.onlyRead()
	}
}

func (u *use) add(r *pathReader, word Word, access Access) {
	switch {
	case u.away && isElsewhere(word.Text):
	case u.dash:
		r.add(word, access)
	default:
		r.file(word, access)
	}
}

// onlyRead has all that was found so far read and not changed.
func (r *pathReader) onlyRead() {
	for i := range r.paths {
		r.paths[i].Access = Read
	}
}

// begins reports whether a word begins as paths do that nothing else looks
// like.
func begins(word *Word) bool {
	return word.Home || word.Text != "" && (word.Text[0] == '/' || word.Text[0] == '.') || isDrive(word.Text)
}

// values adds the values of options that name files.
func (r *pathReader) values(names string, access Access) {
	for _, o := range r.options(names) {
		if o.valued {
			r.file(r.value(o), access)
		}
	}
}

// options returns the options among names that are given.
func (r *pathReader) options(names string) (found []*item) {
	if names == "" {
		return nil
	}
	for i := range r.items {
		if o := &r.items[i]; o.name != "" && listed(names, o.name) {
			found = append(found, o)
		}
	}
	return found
}

// holds reports whether one of the options is given and not taken back.
func (r *pathReader) holds(names string) bool {
	if names == "" {
		return false
	}
	fields := strings.Fields(names)
	given := false
	for i := range r.items {
		switch o := &r.items[i]; {
		case o.name == "":
		case o.isAny(fields):
			given = true
		case given && o.takesBack(fields):
			given = false
		}
	}
	return given
}

// unlisted adds what looks like a path among the arguments of a program that
// isn't known.
func (r *pathReader) unlisted() {
	last := -1 // the argument that was looked at last: a bundle is several items
	for i := range r.items {
		o := &r.items[i]
		word := r.command.Args[o.index]
		if o.name != "" {
			word = word.rest(o.value)
			if listed(startsIn(r.command.Name), o.name) {
				continue
			}
			begins := word.Text != "" && strings.ContainsRune("/~.", rune(word.Text[0]))
			if o.index == last && o.source == o.index || !o.valued && !begins {
				continue
			}
			if o.source != o.index {
				word = r.command.Args[o.source]
			} else if o.last && !o.valued {
				continue // the next word is an item of its own
			}
		} else if name, value, ok := strings.Cut(word.Text, "="); ok && name != "" && !strings.ContainsAny(name, "/~.") {
			word = word.rest(value)
		}
		if looksLikePath(&word) {
			last = o.index
			r.add(word, Read)
		}
	}
}
