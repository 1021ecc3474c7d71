package shell

import (
	"slices"
	"strings"
)

// Access is what a command does with a path.
type Access string

// A command that replaces a file or makes one writes it. What it does to the
// files in a folder, it does to the folder.
const (
	Read   Access = "read"
	Write  Access = "write"
	Delete Access = "delete"
)

// Path is a file or folder that the arguments or redirections of a command
// name.
type Path struct {
	// Text is absolute and cleaned where that can be known: seen through
	// [Command.Dir], and with "~" for a home folder that isn't known (Home).
	// Without [Options.Cwd] a relative path is as seen from where the line
	// starts: "x" or "../x", "." for that folder, and "./~" for a file that
	// is called "~". Cleaning goes by the text: it knows no symbolic links,
	// and never removes a pattern or "~" for a ".." behind it.
	Text   string
	Access Access

	Dynamic bool // what it is can't be known before the line runs; Text is as written
	Glob    bool // Text is a pattern
	Home    bool // Text begins with a "~" that stands for a home folder

	// Under is, for a Dynamic path, the folder below which it is for sure, as
	// far as its text tells: "/tmp" for "/tmp/$x/log". It is "" where the
	// path begins with what isn't known, or leads up again behind that.
	Under string

	// Temporary is set for a Dynamic path that is, or is below, a file or
	// folder that the line had mktemp make, or that is below $TMPDIR.
	Temporary bool

	// Redirected is set for the file of a redirection, which the command isn't about.
	Redirected bool

	// See Reach; with NULs between.
	places string // where a Dynamic one may be
	below  string // what is touched below it
}

// Paths returns the files and folders that the command's arguments and
// redirections name: first the operands, then values of options, and
// redirections last. One that is both written and deleted is there twice, and
// one that is moved is deleted.
//
// For programs that are known, that's what the program does to them with the
// options it has: a moved or compressed file, the target of cp, dd's of=, the
// folder that tar unpacks into. Text such as the pattern of grep or the words of
// echo isn't a path. For other programs it's every argument that looks like a
// path, as read: with a "/", or a "~" or "." at its beginning. What the
// commands of a script or a nested text do with files is in their own paths,
// and a command that runs elsewhere (Remote) has none, but in a container those of this machine that the container
// is given (docker run -v). For git it's the Paths of
// [Command.Git], seen from the folder or work tree that git is told, as what it does to
// the files there; of a cmdlet it's what the commands that stand for it do; of git clean without any it's the folder itself, of git apply the folder
// that it changes files in, and of git clone the folder that it is told to make.
func (c *Command) Paths() []Path {
	if c.Remote {
		return c.mountedPaths()
	}
	return c.allPaths()
}

// Changes returns those of the Paths that are written or deleted.
func (c *Command) Changes() []Path {
	switch {
	case c.Remote:
		r := pathReader{paths: c.mountedPaths()}
		return r.changes()
	case c.cmdlet == nil && c.onlyReads():
		r := pathReader{command: c, dir: c.Dir}
		r.redirects()
		return r.changes()
	}
	r := pathReader{paths: c.allPaths()}
	return r.changes()
}

// RemotePaths returns what Paths would, for a command that runs elsewhere: the
// files and folders of that machine or container. A relative one is dynamic as
// long as no cd says from where it is seen, and "~" is the home folder that
// [Options] names. A command of this machine has none.
func (c *Command) RemotePaths() []Path {
	if !c.Remote {
		return nil
	}
	return c.allPaths()
}

// allPaths returns the files and folders that the arguments and redirections name,
// wherever they are.
func (c *Command) allPaths() []Path {
	if c.cmdlet != nil {
		return c.cmdlet.paths(c)
	}
	r := pathReader{command: c, dir: c.Dir}
	if c.Name != "" || len(c.Args) > 0 {
		r.arguments()
	}
	r.fillPlaceholders()
	r.dir = c.Dir
	r.redirects()
	return r.paths
}

// pathReader collects the paths of a command.
type pathReader struct {
	command *Command
	items   []item
	dir     Word // from where relative paths are seen
	paths   []Path
	reached int // bytes that are noted beside their texts
}

// add adds the file that word names, if any.
func (r *pathReader) add(word Word, access Access) {
	if word.Text == "" || access == "" {
		return
	}
	r.paths = append(r.paths, newPath(r.dir, word, access))
}

// latest is the path that was added last. Of a word that is empty there is none.
func (r *pathReader) latest() *Path {
	if len(r.paths) == 0 {
		return new(Path)
	}
	return &r.paths[len(r.paths)-1]
}

// file is as add, for words of which "-" stands for a standard stream.
func (r *pathReader) file(word Word, access Access) {
	if word.Text != "-" {
		r.add(word, access)
	}
}

// here adds the folder that the command works in.
func (r *pathReader) here(access Access) {
	r.add(Word{Text: "."}, access)
}

// value returns what an option has as its value.
func (r *pathReader) value(o *item) Word {
	source := r.command.Args[o.source]
	return source.rest(o.value)
}

// rest returns what text, the end of w, is as a word.
func (w Word) rest(text string) Word {
	if text == w.Text {
		return w
	}
	// A "~" in the middle of a word isn't expanded.
	return Word{Text: text, Quoted: w.Quoted, Glob: w.Glob && isPattern(text), Dynamic: w.Dynamic}
}

// operands returns the words that are no options.
func (r *pathReader) operands() []Word {
	var words []Word
	for _, o := range r.items {
		if o.name == "" {
			words = append(words, r.command.Args[o.index])
		}
	}
	return words
}

// changes returns the paths that aren't only read.
func (r *pathReader) changes() []Path {
	return slices.DeleteFunc(r.paths, func(p Path) bool { return p.Access == Read })
}

// redirects adds the files of the redirections.
func (r *pathReader) redirects() {
	named := len(r.paths)
	for i := range r.command.Redirects {
		r.redirect(&r.command.Redirects[i])
	}
	for i := named; i < len(r.paths); i++ {
		r.paths[i].Redirected = true
	}
}

// redirect adds the file of a redirection.
func (r *pathReader) redirect(redirect *Redirect) {
	switch redirect.Op {
	case "<":
		r.add(redirect.Target, Read)
	case ">", ">>", ">|", "&>", "&>>", "<>":
		r.add(redirect.Target, Write)
	case ">&":
		// A number is a descriptor and "-" closes one; "3-" moves it.
		if strings.Trim(redirect.Target.Text, "0123456789-") != "" {
			r.add(redirect.Target, Write)
		}
	}
}

// chdir has the following words seen from dir.
func (r *pathReader) chdir(dir Word) {
	if dir.Text == "" {
		return
	}
	p := newPath(r.dir, dir, Read)
	r.dir = Word{Text: p.Text, Dynamic: p.Dynamic, Glob: p.Glob, Home: p.Home}
}

// Reach returns which files are touched, as texts for patterns of paths: the path itself,
// and where files are touched that it doesn't name, what is known of those. "x/" is the
// folder x with all that is in it, * and ? stand for what isn't known of a name, and ** for
// folders: "/shop/config/" for rm -rf /shop/config, "/shop/**/*.pyc" for what find deletes
// by that name. What only reads a folder reaches no more than that. It is nil for a path that
// isn't known, but for one that find or what is piped into xargs puts in.
func (p *Path) Reach() []string {
	places := []string{p.Text}
	if p.Dynamic {
		if places = nil; p.places != "" {
			places = strings.Split(p.places, "\x00")
		}
	}
	below := p.below
	if len(places)*strings.Count(below, "\x00") > maxFiles {
		below = "/"
	}
	var reach []string
	for _, text := range places {
		reach = append(reach, text)
		if p.Glob {
			if loose := wildcards(text); loose != text {
				text = loose
				reach = append(reach, text)
			}
		}
		if p.Access == Read || below == "" {
			continue
		}
		for name := range strings.SplitSeq(below, "\x00") {
			reach = append(reach, strings.TrimSuffix(text, "/")+name)
		}
	}
	return reach
}

// wildcards writes what a shell takes for a pattern with * and ? alone. What was quoted isn't known any more, so
// all from the first bracket of a name to the last one may be one class.
func wildcards(text string) string {
	elements := strings.Split(text, "/")
	for i, element := range elements {
		begin, end := strings.IndexByte(element, '['), strings.LastIndexByte(element, ']')
		if open, close := strings.IndexByte(element, '('), strings.LastIndexByte(element, ')'); open > 0 && close > open && strings.IndexByte("?*+@!", element[open-1]) >= 0 {
			begin, end = open-1, max(end, close)
			if class := strings.IndexByte(element, '['); class >= 0 {
				begin = min(begin, class)
			}
		}
		if begin >= 0 && end > begin {
			elements[i] = element[:begin] + "*" + element[end+1:]
		}
	}
	return strings.Join(elements, "/")
}

// maxReach bounds what is noted beside the paths of a command, in bytes. Where there is
// more, a folder counts as touched with all that is in it.
const maxReach = 32 << 10

// touchesBelow notes what is touched below a path: "" for all that is in it, or patterns.
func (r *pathReader) touchesBelow(p *Path, below ...string) {
	for _, name := range below {
		if r.reached += len(p.Text) + len(name) + 2; r.reached > maxReach {
			p.below = "/"
			return
		}
		if p.below != "" {
			p.below += "\x00" // no path has it
		}
		p.below += "/" + name
	}
}

// touchesAll notes of the paths from the number on which are changed that all that is in them is.
func (r *pathReader) touchesAll(from int) {
	for i := max(from, 0); i < len(r.paths); i++ {
		if p := &r.paths[i]; p.Access != Read && p.below == "" {
			r.touchesBelow(p, "")
		}
	}
}

// anyName stands for a name that isn't known, of a file that is made.
const anyName = "*?"

// unpacks notes that any file may get into the last folder that is written.
func (r *pathReader) unpacks() { r.touchesBelow(r.latest(), anyName+"/") }

// fillsFolders notes what gets into the folders that are written, from the number on, where
// they are folders: files with the names of the sources, and folders with all that is in
// them where tree is set. exact says that the sources take the place of the path.
func (r *pathReader) fillsFolders(from int, sources []Word, tree, exact bool) {
	suffix := ""
	if tree {
		suffix = "/"
	}
	var below []string
	for _, source := range sources {
		text := strings.TrimSuffix(source.Text, "/")
		name := lastPart(text)
		switch {
		case exact || name == "." || name == ".." || tree && text != source.Text && r.command.Name != "mv":
			if tree || !exact {
				below = append(below, anyName+suffix)
			}
		case source.Dynamic || name == "" || name == "*":
			below = append(below, anyName+suffix)
		default:
			below = append(below, name[strings.LastIndexByte(name, ':')+1:]+suffix)
		}
	}
	for i := from; i < len(r.paths); i++ {
		if p := &r.paths[i]; p.Access == Write && p.below == "" {
			r.touchesBelow(p, below...)
		}
	}
}

// startFolder goes into the folder in which the program starts.
func (r *pathReader) startFolder() {
	for _, dir := range r.valuesOf(startsIn(r.command.Name)) {
		r.add(dir, Read)
		r.chdir(dir)
	}
}

// fillPlaceholders completes the paths that find, or what is piped into xargs, puts into a command.
func (r *pathReader) fillPlaceholders() {
	found, known := "", false
	for i := range r.paths {
		p := &r.paths[i]
		switch {
		case !p.Dynamic || p.Access == Read:
			continue
		case p.Under != "" && strings.Contains(p.Text, "{}"):
			p.places = strings.TrimSuffix(p.Under, "/") + "/**/?*"
			continue
		case !strings.HasPrefix(p.Text, "{}"):
			continue
		}
		if !known && r.command.Parent != nil {
			found, known = strings.Join(r.command.Parent.foundFiles(), "\x00"), true
		}
		if r.reached += len(found); r.reached > maxReach {
			return
		}
		p.places = found
	}
}
