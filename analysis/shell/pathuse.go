package shell

import (
	"strings"

	"github.com/luahook/luahook/analysis/shell/programs"
)

// arguments adds the paths that the arguments name.
func (r *pathReader) arguments() {
	c := r.command
	r.items = c.items()
	r.starts()
	if u := pathsOf(c.Name); u != nil {
		if !r.onlyHelps() {
			r.read(u)
		}
		return
	}
	if wrapperOf(c.Name) != nil {
		return // its operands are another command
	}
	r.unlisted()
}

// pathsOf returns what is known of the files that a program's arguments name.
func pathsOf(name string) *programs.Paths {
	switch p := programs.Of(name); {
	case p != nil && p.Paths != nil:
		return p.Paths
	case strings.HasPrefix(name, "mkfs."):
		return pathsOf("mkfs")
	case strings.HasPrefix(name, "git-"):
		return pathsOf("git")
	}
	return nil
}

// onlyHelps reports whether the first word has the program print its help and
// do nothing else, which all programs with complete lists do.
func (r *pathReader) onlyHelps() bool {
	if len(r.items) == 0 || r.items[0].name == "" {
		return false
	}
	first := &r.items[0]
	return (first.name == "--help" || first.name == "--version") && first.grammar.Closed && first.kind == alone
}

// read adds the paths of a program.
func (r *pathReader) read(u *programs.Paths) {
	words := r.operands()
	if u.Skip > 0 && !r.holds(u.Unless) {
		words = words[min(u.Skip, len(words)):]
	}
	each, more := Access(u.Each), Access("")
	switch {
	case u.With == "" || !r.holds(u.With):
	case u.Also:
		more = Access(u.Then)
	default:
		each = Access(u.Then)
	}
	into := r.options(u.Into) != nil
	tree := u.Tree == "*" || r.holds(u.Tree)
	for i, word := range words {
		access := each
		switch {
		case i == 0 && u.First != "":
			access = Access(u.First)
		case u.Last != "" && i > 0 && i == len(words)-1 && !into:
			access = Access(u.Last)
		}
		if access == "" && begins(&word) {
			access = Access(u.Guess)
		}
		from := len(r.paths)
		if r.operand(u, word, access); u.Last != "" && !into && i > 0 && i == len(words)-1 {
			r.filled(from, words[:i], tree, u.Exact == "*" || r.holds(u.Exact))
		}
		if access != "" && more != "" {
			r.operand(u, word, more)
		}
	}
	from := len(r.paths)
	if r.values(u.Into, Access(u.Last)); into {
		r.filled(from, words, tree, false)
	}
	r.values(u.Reads, Read)
	r.values(u.Writes, Write)
	if u.Unpacks != "" {
		r.unpacked(u.Unpacks, u.Dry)
	}
	if u.By != "" {
		pathFunction(u.By)(r)
	}
	for i := range r.paths {
		if p := &r.paths[i]; tree && u.Fills && p.Access == Write {
			r.reaches(p, some+"/")
		}
	}
	if tree {
		r.whole(0)
	}
	if r.holds(u.Dry) {
		r.onlyRead()
	}
}

// operand adds the file that an operand names.
func (r *pathReader) operand(u *programs.Paths, word Word, access Access) {
	switch {
	case u.Hosts && isElsewhere(word.Text):
	case u.Dash:
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
