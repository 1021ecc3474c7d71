package shell

import (
	"path"
	"strings"

	"github.com/luahook/luahook/internal/wordlist"
)

// home is the home folder.
func (w *walker) home() argument {
	n := name{variable, "HOME"}
	if _, changed := w.env.names[n]; changed || w.env.outer != nil {
		if items := w.env.get(n); items != nil || changed {
			it := w.choose(n)
			if it == nil {
				return unknowable("~", place{})
			}
			return it.word
		}
	}
	if w.options.Home != "" {
		return argument{Word: Word{Text: w.options.Home}}
	}
	return argument{Word: Word{Text: "~", Home: true}}
}

// dir is the folder that a command of s runs in.
func (w *walker) dir(s *scope) argument {
	dir := unknowable("", place{})
	if it := w.choose(name{kind: folder}); it != nil {
		dir = it.word
	}
	for _, move := range s.chdirs {
		dir = resolveFrom(dir, move)
	}
	return dir
}

// outerDir is the folder that a shell starts in, which env is not yet the one
// of.
func (w *walker) outerDir(env *environment, s *scope) argument {
	inner := w.env
	w.env = env
	dir := w.dir(s)
	w.env = inner
	return dir
}

// chdir lets what is run in s run in dir, seen from where it would run now.
func (s *scope) chdir(dir argument) { s.chdirs = append(s.chdirs[:len(s.chdirs):len(s.chdirs)], dir) }

// resolveFrom is a path as seen from a folder.
func resolveFrom(dir, to argument) argument {
	switch {
	case to.Dynamic || to.Glob:
		relative := !strings.HasPrefix(to.Text, "/") && !strings.HasPrefix(to.Text, "$") && !to.Home
		if relative && !dir.Dynamic && dir.Text != "." && to.Text != "" {
			before := strings.TrimSuffix(dir.Text, "/") + "/"
			if to.Text = before + to.Text; to.lead != "" || to.Glob {
				to.lead = before + to.lead
			}
			to.Home = dir.Home
		} else if relative && dir.Dynamic && !to.temporary {
			to.lead = ""
		}
		to.Dynamic = true
		return to
	case to.Home || strings.HasPrefix(to.Text, "/") || isDrive(to.Text):
		to.Text = cleanArgument(to)
		return to
	case to.Text == "":
		return dir
	case dir.Dynamic && dir.Text == "":
		there := unknowable("", to.at)
		there.places = below(dir.places, to.Text)
		return there
	}
	joined := dir
	joined.Text = strings.TrimSuffix(dir.Text, "/") + "/" + to.Text
	joined.Text = cleanArgument(joined)
	return joined
}

// cleanArgument makes a path lexically shorter, but for what can't be known: where ".."
// leads behind "~" or a dynamic part.
func cleanArgument(p argument) string {
	if (p.Dynamic || p.Home) && strings.Contains(p.Text, "..") {
		return p.Text
	}
	if p.Text == "" {
		return ""
	}
	return path.Clean(p.Text)
}

// maxPath is how long a path may be.
const maxPath = 4096

// cd carries cd and pushd out.
func (w *walker) cd(command string, args []argument, s *scope) {
	here := w.dir(s)
	if command == "pushd" && len(args) > 0 && args[0].Text == "-n" { // it only changes the stack
		w.env.forget(name{folder, "+"})
		return
	}
	for len(args) > 0 && len(args[0].Text) > 1 && args[0].Text[0] == '-' && !args[0].Dynamic {
		if args = args[1:]; len(args) > 0 && args[0].Text == "--" {
			break
		}
	}
	var there argument
	switch {
	case len(args) == 0 && command == "pushd":
		w.popd(nil)
		return
	case len(args) == 0:
		there = w.home()
	case args[0].Text == "-":
		there = w.variable("OLDPWD", "", s)
		if it := w.choose(name{folder, "-"}); it != nil && w.env.get(name{variable, "OLDPWD"}) == nil {
			there = it.word
		}
	case command == "pushd" && strings.HasPrefix(args[0].Text, "+"):
		there = unknowable("", s.at)
	default:
		there = resolveFrom(here, args[0])
		if path, searched := w.searched(args[0], s); searched {
			there = unknowable("", s.at)
			there.places = w.inFolders(path, here, args[0])
		}
	}
	if len(there.Text) > maxPath || !w.spend(commandCost+len(there.Text)) {
		there = unknowable("", s.at)
	}
	for _, text := range []string{"PWD", "OLDPWD"} {
		if n := (name{variable, text}); w.env.get(n) != nil { // assigned to before, which is over
			w.env.forget(n)
		}
	}
	w.env.set(name{folder, "-"}, &binding{word: here})
	w.env.set(name{kind: folder}, &binding{word: there})
	if command == "pushd" {
		stack := w.env.get(name{folder, "+"})
		list := []argument{here}
		if len(stack) == 1 {
			list = append(stack[0].list[:len(stack[0].list):len(stack[0].list)], here)
		}
		if w.spend(listCost * len(list)) {
			w.env.set(name{folder, "+"}, &binding{list: list, isList: true})
		}
	}
}

// searched returns CDPATH where cd looks for a folder in it first.
func (w *walker) searched(dir argument, s *scope) (path Word, searched bool) {
	if strings.HasPrefix(dir.Text, "/") || strings.HasPrefix(dir.Text, ".") || dir.Home {
		return Word{}, false
	}
	for _, a := range s.assigned {
		if a.Name == "CDPATH" && a.Value.Text != "" {
			return a.Value, true
		}
	}
	n := name{variable, "CDPATH"}
	it := w.choose(n)
	_, changed := w.env.names[n]
	if it == nil {
		return Word{Dynamic: true}, changed
	}
	return it.word.Word, it.word.Text != ""
}

// inFolders returns the places to which cd may lead that looks for dir in the folders of
// path, and then here. It is "" where that isn't known.
func (w *walker) inFolders(path Word, here, dir argument) string {
	folders := append(strings.Split(path.Text, ":"), ".")
	if path.Dynamic || path.Home || here.Dynamic || dir.Dynamic || !w.spend(len(path.Text)+len(folders)*(len(here.Text)+len(dir.Text))) {
		return ""
	}
	var places []string
	for _, folder := range folders {
		places = append(places, resolveFrom(resolveFrom(here, argument{Word: Word{Text: folder}}), dir).Text)
	}
	return below(strings.Join(places, "\x00"), "")
}

// maxPlaces bounds, in bytes, what is known of the places that a path may be at.
const maxPlaces = 1 << 10

// below is a relative path as seen from one of several places, "" where there are too many.
func below(places, text string) string {
	if places == "" || len(places)+strings.Count(places, "\x00")*len(text) > maxPlaces {
		return ""
	}
	list := strings.Split(places, "\x00")
	for i := range list {
		list[i] = path.Clean(list[i] + "/" + text)
	}
	return strings.Join(list, "\x00")
}

func (w *walker) popd(args []argument) {
	n := name{folder, "+"}
	if len(args) > 0 && args[0].Text == "-n" { // it only changes the stack
		w.env.forget(n)
		return
	}
	stack := w.env.get(n)
	if len(args) > 0 || len(stack) != 1 || len(stack[0].list) == 0 {
		w.env.forget(name{kind: folder})
		return
	}
	list := stack[0].list
	w.env.set(name{folder, "-"}, w.env.get(name{kind: folder})...)
	w.env.set(name{kind: folder}, &binding{word: list[len(list)-1]})
	w.env.set(n, &binding{list: list[:len(list)-1], isList: true})
}

// newPath returns the path that word names for a command that runs in dir.
func newPath(dir, word Word, access Access) Path {
	p := Path{Text: word.Text, Access: access, Dynamic: word.Dynamic, Glob: word.Glob, Home: word.Home}
	switch {
	case word.Dynamic || isDrive(word.Text):
	case word.Home || word.Text[0] == '/':
		p.Text = cleanText(word.Text, word.Glob, word.Home)
	case dir.Dynamic && dir.Text != "" && len(dir.Text) <= maxPath:
		p.Dynamic = true // but for what is known of the folder
		p.Text = strings.TrimSuffix(dir.Text, "/") + "/" + word.Text
	case dir.Dynamic || len(dir.Text) > maxPath:
		p.Dynamic = true
		p.places = below(dir.places, word.Text)
	case dir.Text == "" || dir.Text == ".":
		p.Text = cleanText(word.Text, word.Glob, false)
	default:
		p.Home = dir.Home
		p.Glob = p.Glob || dir.Glob
		p.Text = cleanText(dir.Text+"/"+word.Text, p.Glob, dir.Home)
	}
	if p.Dynamic {
		p.locate(&dir, &word)
	}
	if !p.Dynamic && !p.Home && p.Text[0] == '~' {
		p.Text = "./" + p.Text // a file with that name
	}
	return p
}

// isDrive reports whether text is a path of Windows with a drive or a server.
func isDrive(text string) bool {
	if strings.HasPrefix(text, `\\`) {
		return true
	}
	if len(text) < 3 || text[1] != ':' || text[2] != '\\' && text[2] != '/' {
		return false
	}
	letter := text[0] | 0x20
	return letter >= 'a' && letter <= 'z'
}

// cleanText returns the shortest text for a path, as path.Clean does. A pattern
// may stand for a symbolic link or for "..", and a home folder for anything:
// a ".." behind these stays.
func cleanText(text string, glob, home bool) string {
	if !glob && !home || !strings.Contains(text, "..") {
		return withoutRoot(path.Clean(text))
	}
	absolute := text[0] == '/'
	var parts []string
	for part := range strings.SplitSeq(text, "/") {
		switch {
		case part == "" || part == ".":
		case part != "..":
			parts = append(parts, part)
		case len(parts) == 0 && absolute: // the root is its own parent
		case len(parts) == 0, parts[len(parts)-1] == "..",
			glob && isPattern(parts[len(parts)-1]), home && len(parts) == 1:
			parts = append(parts, part)
		default:
			parts = parts[:len(parts)-1]
		}
	}
	switch {
	case absolute:
		return withoutRoot("/" + strings.Join(parts, "/"))
	case len(parts) == 0:
		return "."
	}
	return strings.Join(parts, "/")
}

// withoutRoot returns a path that leads through a process's link to the root, as /proc/self/root/etc does, without
// that.
func withoutRoot(text string) string {
	behind, ok := strings.CutPrefix(text, "/proc/")
	if !ok {
		return text
	}
	process, behind, _ := strings.Cut(behind, "/")
	if process != "self" && process != "thread-self" && strings.Trim(process, "0123456789") != "" {
		return text
	}
	if behind == "root" {
		return "/"
	}
	if behind, ok = strings.CutPrefix(behind, "root/"); ok {
		return withoutRoot("/" + behind)
	}
	return text
}

func isPattern(part string) bool {
	return strings.ContainsAny(part, "*?[(")
}

// looksLikePath reports whether a word that may be anything names a file.
func looksLikePath(word *Word) bool {
	text := word.Text
	switch {
	case text == "" || strings.Contains(text, "://") || strings.ContainsAny(text, "\n\r"):
		return false
	case text[0] == '/' || text[0] == '.' || word.Home || isDrive(text):
		return true
	case strings.ContainsAny(text, " \t"):
		return false // text with a slash in it
	}
	return strings.Contains(text, "/") && text[0] != '-'
}

// isElsewhere reports whether a path of rsync or scp is on another machine:
// host:path, host::module or a URL.
func isElsewhere(text string) bool {
	if isDrive(text) {
		return false
	}
	colon := strings.IndexByte(text, ':')
	slash := strings.IndexByte(text, '/')
	return colon > 0 && (slash < 0 || colon < slash)
}

// onlyMktemp reports whether all that is written somewhere is from mktemp.
func onlyMktemp(from []*Command) bool {
	for _, c := range from {
		if !isMktemp(c.Name) {
			return false
		}
	}
	return len(from) > 0
}

// isMktemp reports whether a program makes a temporary file and writes its name.
func isMktemp(program string) bool { return program == "mktemp" || program == "gmktemp" }

// temporaryFolders lists the variables that name a folder for temporary files.
const temporaryFolders = "TMPDIR TMP TEMP RUNNER_TEMP BATS_TMPDIR BATS_TEST_TMPDIR BATS_FILE_TMPDIR BATS_SUITE_TMPDIR BATS_RUN_TMPDIR"

// namesTemporary reports whether a variable names a folder for temporary files,
// unless the line gives it another value.
func (w *walker) namesTemporary(text string) bool {
	if !wordlist.Has(temporaryFolders, text) {
		return false
	}
	for e := w.env; e != nil; e = e.outer {
		if _, changed := e.names[name{variable, text}]; changed {
			return false
		}
	}
	return true
}

// locate says of a dynamic path what is known of its place.
func (p *Path) locate(dir, word *Word) {
	begin, rest := word, ""
	if !word.Dynamic {
		begin, rest = dir, "/"+word.Text
	}
	lead, temporary := begin.knownStart()
	rest = begin.Text[len(lead):] + rest
	if lead == "" || leadsUp(rest) {
		return
	}
	if temporary {
		p.Temporary = begin == dir || word.Text != lead || !strings.HasPrefix(lead, "$") || strings.HasPrefix(lead, "$(")
		return
	}
	folder := Word{Text: lead[:strings.LastIndexByte(lead, '/')+1], Home: begin.Home}
	if folder.Text == "" {
		folder.Text = "."
	}
	if begin == dir {
		dir = &Word{}
	}
	base := newPath(*dir, folder, p.Access)
	if p.Temporary = base.Temporary; !base.Dynamic {
		base.Under = base.Text
	}
	p.Under = base.Under
}

// leadsUp reports whether a part of a path leads to the folder above.
func leadsUp(path string) bool {
	for part := range strings.SplitSeq(path, "/") {
		if part == ".." {
			return true
		}
	}
	return false
}
