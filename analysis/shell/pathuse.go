package shell

import (
	"strings"

	"github.com/luahook/luahook/analysis/shell/programs"
	"github.com/luahook/luahook/internal/wordlist"
)

// arguments adds the paths that the arguments name.
func (r *pathReader) arguments() {
	c := r.command
	r.items = c.items()
	r.startFolder()
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

// onlyReads reports whether a program only reads the files that its arguments name, as far
// as that can be said without reading them.
func (c *Command) onlyReads() bool {
	u := pathsOf(c.Name)
	if u == nil {
		return true
	}
	for _, access := range [...]programs.Access{u.First, u.Each, u.Last, u.Then, u.Guess} {
		if access != "" && Access(access) != Read {
			return false
		}
	}
	if u.By == "gitPaths" {
		git := gitUpToName(c)
		return git == nil || !wordlist.Has(gitChanges, git.name) && !c.namesOutput()
	}
	return u.Writes+u.Unpacks+u.By == ""
}

// namesOutput reports whether an option says where output goes.
func (c *Command) namesOutput() bool {
	for i := range c.Args {
		if strings.HasPrefix(c.Args[i].Text, "--output") {
			return true
		}
	}
	return false
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
			r.fillsFolders(from, words[:i], tree, u.Exact == "*" || r.holds(u.Exact))
		}
		if access != "" && more != "" {
			r.operand(u, word, more)
		}
	}
	from := len(r.paths)
	if r.values(u.Into, Access(u.Last)); into {
		r.fillsFolders(from, words, tree, false)
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
			r.touchesBelow(p, anyName+"/")
		}
	}
	if tree {
		r.touchesAll(0)
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
		if o := &r.items[i]; o.name != "" && wordlist.Has(names, o.name) {
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
			if wordlist.Has(startsIn(r.command.Name), o.name) {
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

// pathFunction returns the function that a stanza names, nil for none: what no
// list can say of the files of a program.
func pathFunction(name string) func(*pathReader) {
	switch name {
	case "attributes":
		return (*pathReader).attributes
	case "awk":
		return (*pathReader).awk
	case "badBlocks":
		return (*pathReader).badBlocks
	case "blocks":
		return (*pathReader).blocks
	case "cpio":
		return (*pathReader).cpio
	case "curl":
		return (*pathReader).curl
	case "docker":
		return (*pathReader).docker
	case "editable":
		return (*pathReader).editable
	case "edited":
		return (*pathReader).edited
	case "encrypted":
		return (*pathReader).encrypted
	case "found":
		return (*pathReader).found
	case "gitPaths":
		return (*pathReader).gitPaths
	case "inPlace":
		return (*pathReader).inPlace
	case "kubectl":
		return (*pathReader).kubectl
	case "links":
		return (*pathReader).links
	case "mirrored":
		return (*pathReader).mirrored
	case "mounted":
		return (*pathReader).mounted
	case "partitions":
		return (*pathReader).partitions
	case "patched":
		return (*pathReader).patched
	case "pieces":
		return (*pathReader).pieces
	case "robocopy":
		return (*pathReader).robocopy
	case "script":
		return (*pathReader).script
	case "sevenZip":
		return (*pathReader).sevenZip
	case "shown":
		return (*pathReader).shown
	case "steps":
		return (*pathReader).steps
	case "tar":
		return (*pathReader).tar
	case "tested":
		return (*pathReader).tested
	case "wget":
		return (*pathReader).wget
	}
	return nil
}

// links adds the paths of ln, which makes the last of several operands, or
// else one in the current folder. What a symbolic link points to is text.
func (r *pathReader) links() {
	words := r.operands()
	into := r.options("-t --target-directory")
	target := Read
	if r.holds("-s --symbolic") {
		target = ""
	}
	for i, word := range words {
		if i > 0 && i == len(words)-1 && len(into) == 0 {
			exact := r.holds("-n -T -h --no-dereference --no-target-directory")
			from := len(r.paths)
			r.add(word, Write)
			r.fillsFolders(from, words[:i], exact, exact)
			return
		}
		r.add(word, target)
	}
	if len(into) == 0 && len(words) == 1 {
		r.add(words[0].rest(lastPart(words[0].Text)), Write)
	}
	from := len(r.paths)
	r.values("-t --target-directory", Write)
	r.fillsFolders(from, words, false, false)
}

// lastPart returns what stands behind the last slash of a path.
func lastPart(path string) string {
	for len(path) > 1 && path[len(path)-1] == '/' {
		path = path[:len(path)-1]
	}
	for i := len(path) - 1; i >= 0; i-- {
		if path[i] == '/' {
			return path[i+1:]
		}
	}
	return path
}

// mirrored adds that rsync deletes in its target what isn't in its sources.
func (r *pathReader) mirrored() {
	if !r.holds("--del --delete --delete-before --delete-during --delete-delay --delete-after --delete-excluded --delete-missing-args") {
		return
	}
	if words := r.operands(); len(words) > 1 && !isElsewhere(words[len(words)-1].Text) {
		r.add(words[len(words)-1], Delete)
		r.touchesAll(len(r.paths) - 1)
	}
}

// robocopy adds the folders of robocopy of Windows, which makes the second one like the first.
func (r *pathReader) robocopy() {
	var folders []Word
	mirrors, moves, dry := false, false, false
	for _, word := range r.command.Args {
		switch text := strings.ToLower(word.Text); {
		case text == "/mir" || text == "/purge":
			mirrors = true
		case text == "/mov" || text == "/move":
			moves = true
		case text == "/l":
			dry = true
		case !strings.HasPrefix(text, "/") || strings.Contains(text[1:], "/"):
			word.Text = strings.ReplaceAll(word.Text, `\`, "/")
			if len(word.Text) > 2 && word.Text[1] == ':' && word.Text[2] != '/' {
				word.Text = word.Text[:2] + "/" + word.Text[2:]
			}
			folders = append(folders, word)
		}
	}
	if len(folders) < 2 {
		return
	}
	r.add(folders[0], Read)
	if dry {
		return
	}
	if r.add(folders[1], Write); mirrors {
		r.add(folders[1], Delete)
	}
	if moves {
		r.add(folders[0], Delete)
	}
	r.touchesAll(1)
}

// attributes adds the files of chattr, in front of which stands a mode: +i, -i
// or =i.
func (r *pathReader) attributes() {
	for _, word := range r.operands() {
		if word.Text != "" && word.Text[0] != '=' {
			r.add(word, Write)
		}
	}
}

// blocks adds the files of dd.
func (r *pathReader) blocks() {
	for _, word := range r.operands() {
		for _, key := range [...]struct {
			name   string
			access Access
		}{{"if=", Read}, {"of=", Write}} {
			if len(word.Text) > len(key.name) && word.Text[:len(key.name)] == key.name {
				r.add(word.assigned(word.Text[len(key.name):]), key.access)
			}
		}
	}
}

// assigned is as rest, for a value behind NAME=, where a "~" is expanded.
func (w Word) assigned(value string) Word {
	word := w.rest(value)
	word.Home = value != "" && value[0] == '~' && !w.Quoted
	return word
}

// pieces adds what split writes where no name is given for it.
func (r *pathReader) pieces() {
	if len(r.operands()) < 2 {
		r.add(Word{Text: "x"}, Write)
	}
}

// found adds the paths of find: its start points, with all that is in them.
func (r *pathReader) found() {
	access := Read
	if r.holds("-delete") {
		access = Delete
	}
	words := r.operands()
	for _, word := range words {
		r.add(word, access)
	}
	if len(words) == 0 && !r.holds("-files0-from -help --help -version --version") {
		r.here(access)
	}
	for i := range r.paths {
		if p := &r.paths[i]; access == Delete {
			r.touchesBelow(p, findNames(r.command.Args)...)
		}
	}
	r.values("-files0-from -newer -anewer -cnewer -samefile -Bnewer -mnewer", Read)
	r.values("-fprint -fprint0 -fprintf -fls", Write)
}

// sedExpression are the options that give sed its script, which is the first
// operand otherwise.
const sedExpression = "-e --expression -f --file"

// edited adds the files of sed. Behind a -i that stands alone an empty word is
// its value in the sed of BSD and macOS.
func (r *pathReader) edited() {
	words := r.operands()
	inPlace := r.holds("-i --in-place -I")
	if inPlace && len(words) > 0 && words[0].Text == "" && !words[0].Dynamic {
		words = words[1:]
	}
	scripts := r.valuesOf("-e --expression")
	if len(words) > 0 && !r.holds(sedExpression) {
		scripts, words = words[:1], words[1:]
	}
	access := Read
	if inPlace {
		access = Write
	}
	for _, word := range words {
		r.file(word, access)
	}
	r.values("-f --file", Read)
	for _, script := range scripts {
		r.sedScript(script)
	}
}

// sedScript adds the files that the r, w and s///w of a script name.
func (r *pathReader) sedScript(script Word) {
	reader := sedReader{text: script.Text}
	for reader.next() {
	}
	for _, name := range reader.reads {
		r.file(script.rest(name), Read)
	}
	for _, name := range reader.writes {
		r.file(script.rest(name), Write)
	}
}

// awk adds the files of awk: operands that assign no variable.
func (r *pathReader) awk() {
	words := r.operands()
	if len(words) > 0 && !r.holds("-f --file -E --exec -e --source") {
		words = words[1:]
	}
	access := Read
	for _, o := range r.options("-i --include") {
		if o.value == "inplace" {
			access = Write
		}
	}
	for _, word := range words {
		if name, _, ok := strings.Cut(word.Text, "="); !ok || name == "" || strings.ContainsAny(name, "/.-~") {
			r.file(word, access)
		}
	}
	r.values("-f --file -E --exec", Read)
}

// tested adds the files that test and [ look at. What the other operators
// compare is text.
func (r *pathReader) tested() {
	const unary = "-b -c -d -e -f -g -G -h -k -L -N -O -p -r -s -S -u -w -x"
	args := r.command.Args
	for i, word := range args {
		switch {
		case i+1 < len(args) && wordlist.Has(unary, word.Text) && args[i+1].Text != "]":
			r.add(args[i+1], Read)
		case i > 0 && i+1 < len(args) && wordlist.Has("-nt -ot -ef", word.Text):
			r.add(args[i-1], Read)
			r.add(args[i+1], Read)
		}
	}
}

// inlineText are the options with which an interpreter has its program among
// the arguments, and no script.
const inlineText = "-c -m -e -E -p -r --eval --print --run -jar"

// script adds the script that an interpreter or a shell runs, and what looks
// like a path among the script's arguments.
func (r *pathReader) script() {
	words := r.operands()
	switch {
	case len(words) == 0:
		return
	case isShell(r.command.Name):
		if r.holds("-c") {
			words = words[1:] // the text
		} else if !r.holds("-s") {
			r.file(words[0], Read)
			words = words[1:]
		}
		r.values("--rcfile --init-file", Read)
	case !r.holds(inlineText) && words[0].Text != "run" && words[0].Text != "eval":
		r.file(words[0], Read)
		words = words[1:]
	}
	for _, word := range words {
		if looksLikePath(&word) {
			r.add(word, Read)
		}
	}
	r.values("-jar", Read)
}

// inPlace adds the files of perl and ruby, which -i has changed.
func (r *pathReader) inPlace() {
	access := Access("")
	switch {
	case r.holds("-i"):
		access = Write
	case r.holds("-n -p"):
		access = Read
	}
	words := r.operands()
	if len(words) > 0 && !r.holds("-e -E") {
		r.file(words[0], Read)
		words = words[1:]
	}
	for _, word := range words {
		switch {
		case access != "":
			r.file(word, access)
		case looksLikePath(&word):
			r.add(word, Read)
		}
	}
}

// editable adds the folders that pip installs from.
func (r *pathReader) editable() {
	for _, word := range r.valuesOf("-e --editable") {
		if looksLikePath(&word) {
			r.add(word, Read)
		}
	}
}

// patched adds the files of patch: the folder that it works in, where no operand
// names one, and those that a patch on its input names.
func (r *pathReader) patched() {
	if len(r.operands()) > 0 {
		return
	}
	r.here(Write)
	if input := r.command.Input; input == nil || input.Dynamic {
		r.unpacks()
	}
	if input := r.command.Input; input != nil {
		for line := range strings.Lines(input.Text) {
			if name := patchedFile(line); name != "" {
				r.add(Word{Text: name, Quoted: true}, Write)
			}
		}
	}
}

// patchedFile returns the file that a line of a unified patch names. The "a/" and "b/"
// before it are taken for those of git, which patch -p1 leaves out.
func patchedFile(line string) string {
	for _, mark := range [...]struct{ line, folder string }{{"--- ", "a/"}, {"+++ ", "b/"}} {
		if name, ok := strings.CutPrefix(line, mark.line); ok {
			name, _, _ = strings.Cut(strings.TrimRight(name, "\r\n"), "\t")
			if name = strings.TrimPrefix(strings.Trim(name, `"`), mark.folder); name != "/dev/null" {
				return name
			}
		}
	}
	return ""
}

// steps adds the files of apply_patch, whose patch is its argument or its input.
func (r *pathReader) steps() {
	var text string
	if words := r.operands(); len(words) > 0 {
		text = words[0].Text
	} else if input := r.command.Input; input != nil {
		text = input.Text
	}
	for line := range strings.Lines(text) {
		for _, mark := range [...]struct {
			line   string
			access Access
		}{{"*** Add File:", Write}, {"*** Update File:", Write}, {"*** Move to:", Write}, {"*** Delete File:", Delete}} {
			if name, ok := strings.CutPrefix(strings.TrimSpace(line), mark.line); ok {
				r.add(Word{Text: strings.TrimSpace(name), Quoted: true}, mark.access)
			}
		}
	}
}
