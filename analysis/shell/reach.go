package shell

import (
	"strings"
)

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
			if loose := starred(text); loose != text {
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

// starred writes what a shell takes for a pattern with * and ? alone.
func starred(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		end := -1
		switch text[i] {
		case '[':
			end = strings.IndexByte(text[i:], ']')
		case '(':
			end = strings.IndexByte(text[i:], ')')
		}
		if end < 0 || strings.IndexByte(text[i:i+end], '/') >= 0 {
			b.WriteByte(text[i])
			continue
		}
		if before := b.String(); text[i] == '(' && before != "" && strings.IndexByte("?*+@!", before[len(before)-1]) >= 0 {
			b.Reset()
			b.WriteString(before[:len(before)-1])
		}
		b.WriteByte('*')
		i += end
	}
	return b.String()
}

// maxReach bounds what is noted beside the paths of a command, in bytes. Where there is
// more, a folder counts as touched with all that is in it.
const maxReach = 32 << 10

// reaches notes what is touched below a path: "" for all that is in it, or patterns.
func (r *pathReader) reaches(p *Path, below ...string) {
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

// whole notes of the paths from the number on which are changed that all that is in them is.
func (r *pathReader) whole(from int) {
	for i := from; i < len(r.paths); i++ {
		if p := &r.paths[i]; p.Access != Read && p.below == "" {
			r.reaches(p, "")
		}
	}
}

// some stands for a name that isn't known, of a file that is made.
const some = "*?"

// unpacks notes that any file may get into the last folder that is written.
func (r *pathReader) unpacks() { r.reaches(&r.paths[len(r.paths)-1], some+"/") }

// filled notes what gets into the folders that are written, from the number on, where
// they are folders: files with the names of the sources, and folders with all that is in
// them where tree is set. exact says that the sources take the place of the path.
func (r *pathReader) filled(from int, sources []Word, tree, exact bool) {
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
				below = append(below, some+suffix)
			}
		case source.Dynamic || name == "" || name == "*":
			below = append(below, some+suffix)
		default:
			below = append(below, name[strings.LastIndexByte(name, ':')+1:]+suffix)
		}
	}
	for i := from; i < len(r.paths); i++ {
		if p := &r.paths[i]; p.Access == Write && p.below == "" {
			r.reaches(p, below...)
		}
	}
}

// startsIn lists the options of a program that say in which folder it starts, so that what
// it is told is seen from there.
func startsIn(name string) string {
	switch name {
	case "make", "gmake", "ninja", "go", "cargo", "poetry", "mise":
		return "-C --directory --cd"
	case "npm":
		return "-C --prefix"
	case "pnpm":
		return "-C --dir"
	case "yarn", "bun":
		return "--cwd"
	case "uv":
		return "--directory"
	case "patch":
		return "-d --directory"
	}
	return ""
}

// starts goes into the folder in which the program starts.
func (r *pathReader) starts() {
	for _, dir := range r.valuesOf(startsIn(r.command.Name)) {
		r.add(dir, Read)
		r.chdir(dir)
	}
}

// given completes the paths that find, or what is piped into xargs, puts into a command.
func (r *pathReader) given() {
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
			found, known = strings.Join(r.command.Parent.finds(), "\x00"), true
		}
		if r.reached += len(found); r.reached > maxReach {
			return
		}
		p.places = found
	}
}

// maxFinderText bounds, in bytes, a command that is looked at for what it names to others:
// each of those that it is piped into does it anew.
const maxFinderText = 4 << 10

// finds returns which files a command names to another that it starts, or that reads them.
func (c *Command) finds() (reach []string) {
	size := len(c.Dir.Text)
	for i := range c.Args {
		size += len(c.Args[i].Text) + 1
	}
	switch {
	case size > maxFinderText:
		return nil
	case c.Name == "xargs" || c.Name == "gxargs" || c.Name == "parallel":
		if c.Input != nil {
			for _, from := range c.Input.From { // they are few
				if from.Name != c.Name {
					reach = append(reach, from.finds()...)
				}
			}
		}
		return reach
	}
	names := []string{"**/?*"} // some of the files below
	finds := isFind(c.Name)
	if finds {
		names = findNames(c.Args)
	}
	r := pathReader{}
	for _, p := range c.Paths() {
		if p.Access != Read && !finds || p.Dynamic {
			continue
		}
		p.Access, p.below = Write, ""
		r.reaches(&p, names...)
		all := p.Reach()
		if finds && names[0] != "" {
			all = all[1:] // not where it looks
		}
		reach = append(reach, all...)
	}
	return reach
}

// findNames returns what find finds below its start points, up to its first action that
// changes something: "" for all, or the names that its tests ask for.
func findNames(args []Word) []string {
	var names []string
	sought, negated, over := false, false, "**/"
	for _, part := range findParts(args) {
		value := Word{}
		if part.end-part.start == 2 {
			value = args[part.start+1]
		}
		switch {
		case part.kind == findRun || part.name == "-delete":
			if !sought {
				return []string{""}
			}
			return names
		case part.name == "-maxdepth" && value.Text == "1":
			over = ""
		case part.name == "!" || part.name == "-not":
			negated = true
			continue
		case negated && part.name == "(":
			return []string{""}
		case part.name == "-o" || part.name == "-or" || part.name == ",":
			if !sought {
				return []string{""}
			}
			sought = false
		case negated || value.Dynamic:
		case part.name == "-name":
			sought = true
			names = append(names, over+starred(value.Text))
		case part.name == "-path" || part.name == "-wholename":
			sought = true
			names = append(names, "**/"+strings.ReplaceAll(strings.TrimPrefix(starred(value.Text), "./"), "*", "**"))
		}
		negated = false
	}
	if !sought { // it only finds, for what reads it
		return []string{""}
	}
	return names
}

// gitPaths adds the files and folders that git is given, seen from where it works.
func (r *pathReader) gitPaths() {
	call := readGit(r.command)
	if call == nil || call.helps() {
		return
	}
	r.dir = call.folder(r.dir)
	access, words := Read, make([]Word, 0, len(call.paths))
	for _, i := range call.paths {
		word := r.command.Args[i]
		if text, magic := strings.CutPrefix(word.Text, ":"); magic {
			if strings.HasPrefix(text, "!") || strings.HasPrefix(text, "^") || strings.HasPrefix(text, "(exclude)") {
				continue
			}
			word.Text = strings.TrimLeft(strings.TrimPrefix(text, "(top)"), "/")
			if word.Text == "" {
				word.Text = "."
			}
		}
		words = append(words, word)
	}
	switch call.name {
	case "rm":
		access = Delete
	case "clean":
		if access = Delete; len(words) == 0 {
			words = append(words, Word{Text: "."})
		}
	case "mv":
		if last := len(words) - 1; last > 0 {
			r.add(words[last], Write)
			r.filled(len(r.paths)-1, words[:last], true, false)
			words = words[:last]
		}
		access = Delete
	case "checkout", "checkout-index":
		if access = Write; call.on("--all") {
			words = append(words, Word{Text: "."})
		}
	case "restore":
		if !call.on("--staged") || call.on("--worktree") {
			access = Write
		}
	case "stash":
		if call.action == "" || call.action == "push" {
			access = Write
			for _, i := range call.operands[min(1, len(call.operands)):] {
				words = append(words, r.command.Args[i])
			}
		}
	case "worktree":
		if len(call.operands) > 1 && call.action == "add" {
			r.add(r.command.Args[call.operands[1]], Write)
		} else if len(call.operands) > 1 && call.action == "remove" {
			words, access = append(words, r.command.Args[call.operands[1]]), Delete
		}
	case "apply":
		if !call.on("--check") && !call.on("--stat") && !call.on("--numstat") && !call.on("--summary") && !call.on("--cached") {
			folder := Word{Text: "."}
			if dir := call.last("--directory"); dir != "" {
				folder.Text = dir
			}
			words, access = append(words, folder), Write
		}
	case "clone":
		if n := len(call.operands); n > 1 {
			r.add(r.command.Args[call.operands[n-1]], Write)
		}
	}
	from := len(r.paths)
	for _, word := range words {
		if r.add(word, access); call.name == "apply" {
			r.unpacks()
		}
	}
	if r.whole(from); call.on("--dry-run") || call.name == "rm" && call.on("--cached") {
		r.onlyRead()
	}
}

// folder is where git looks for the paths that it is given when it runs in dir: there, or
// at the top of a work tree that it is told and that dir isn't in.
func (call *gitCall) folder(dir Word) Word {
	in := func(word Word) {
		p := located(dir, word, Read)
		dir = Word{Text: p.Text, Dynamic: p.Dynamic, Glob: p.Glob, Home: p.Home}
	}
	if start := call.dir(); start.Text != "" {
		in(start)
	}
	var tree Word
	for _, a := range call.set {
		if a.Name == "GIT_WORK_TREE" {
			tree = a.Value
		}
	}
	for _, o := range call.global {
		key, value, _ := strings.Cut(o.value.Text, "=")
		switch {
		case o.name == "--work-tree":
			tree = o.value.Word
		case o.name == "-c" && strings.EqualFold(key, "core.worktree") && tree.Text == "":
			tree = o.value.Word.rest(value)
		}
	}
	if tree.Text == "" {
		return dir
	}
	top := located(dir, tree, Read)
	if !top.Dynamic && !dir.Dynamic && (dir.Text == top.Text || strings.HasPrefix(dir.Text, strings.TrimSuffix(top.Text, "/")+"/")) {
		return dir
	}
	in(tree)
	return dir
}
