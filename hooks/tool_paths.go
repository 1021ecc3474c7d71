package hooks

import (
	"cmp"
	"maps"
	"net/url"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/luahook/luahook/internal/spelling"
)

// The keys for names of files, folded.
var (
	pathKeys = []string{"filepath", "path", "absolutepath", "notebookpath", "targetfile", "filename", "file", "dirpath", "directory", "targetdirectory", "source", "destination", "oldpath", "newpath", "uri",
		"sourcepath", "destinationpath", "sourcefile", "destinationfile", "src", "dst", "dest", "srcpath", "dstpath", "destpath", "frompath", "topath", "oldfilepath", "newfilepath", "targetpath",
		"outputpath", "outputfile", "savepath", "fullpath", "relativepath", "relpath", "relativeworkspacepath", "pathname", "folder", "folderpath", "directorypath", "fileuri", "localpath",
		"targetfilepath", "targetnotebook", "notebook", "notebookfile", "outfile", "outfilepath", "outputfilename", "outputfilepath", "infile", "inputfile", "inputpath", "srcfile", "dstfile", "destfile",
		"newfile", "oldfile", "newfilename", "oldfilename", "targetfilename", "saveto", "saveas", "writeto", "downloadpath", "downloadto", "exportpath", "filelocation", "documentpath", "documenturi",
		"paths", "filepaths", "files", "filenames", "edits", "replacements", "folders", "directories", "sources", "changes", "operations", "moves"}
	// These may be names of people as well: only values that look like paths count.
	eitherKeys = []string{"from", "to", "target", "old", "new", "name", "location", "output"}
	// Some hosts and servers wrap the input in one of these.
	wrapperKeys = []string{"arguments", "args", "params", "parameters", "input", "request", "toolarguments", "toolinput"}
	patchKeys   = []string{"patch", "patchtext", "input", "diff", "command"}
	// Objects under these have names of files as keys.
	fileMapKeys = []string{"paths", "filepaths", "files", "filenames"}
	// These name a folder in which other paths start.
	baseKeys = []string{"cwd", "base", "basepath", "repopath", "projectpath", "rootpath", "workspacepath", "parentpath", "dirpath", "directorypath", "folderpath", "parent"}

	pathEndings = []string{"path", "paths", "file", "files", "filename", "filenames", "filepath", "filelist", "pathlist", "notebook", "dir", "directory", "folder"}
	baseEndings = []string{"dir", "directory", "folder", "root"}
	notPaths    = []string{"xpath", "jsonpath", "profile", "urlpath", "apipath", "endpointpath"}
)

// keyUse says what the value of a key of a tool's input may be.
type keyUse struct {
	path, either, base bool
	ending             bool // it is a path by the end of the key alone
	rank               int  // its place among the keys of its use
}

// knownKeys are the uses of the keys above.
var knownKeys = sync.OnceValue(func() map[string]keyUse {
	uses := map[string]keyUse{}
	for i, key := range pathKeys {
		uses[key] = keyUse{path: true, rank: i}
	}
	for i, key := range eitherKeys {
		uses[key] = keyUse{either: true, rank: i}
	}
	for _, key := range baseKeys {
		use := uses[key]
		use.base = true
		uses[key] = use
	}
	for key, use := range uses {
		use.base = use.base || endsWith(key, baseEndings)
		uses[key] = use
	}
	for _, key := range notPaths {
		uses[key] = keyUse{}
	}
	return uses
})

// useOf returns the use of a key.
func useOf(key string) keyUse {
	const longest = 64
	if len(key) > longest {
		return keyUse{}
	}
	var buf [longest]byte
	folded := spelling.AppendFolded(buf[:0], key)
	if use, known := knownKeys()[string(folded)]; known {
		return use
	}
	use := keyUse{rank: len(pathKeys)}
	for _, ending := range pathEndings {
		use.ending = use.ending || len(folded) >= len(ending) && string(folded[len(folded)-len(ending):]) == ending
	}
	if use.ending || len(folded) >= 4 && string(folded[len(folded)-4:]) == "root" {
		use.base = endsWith(string(folded), baseEndings)
	}
	return use
}

func endsWith(key string, endings []string) bool {
	for _, ending := range endings {
		if strings.HasSuffix(key, ending) {
			return true
		}
	}
	return false
}

// pathsOf lists the files that a tool's input names; the files in shell text are known only when it is parsed.
// The list uses buf if it is long enough. A tool that writes and for which it is empty keeps its file where nobody
// looks for it.
func pathsOf(buf []string, kind Kind, input map[string]any) []string {
	if kind == KindShell || kind == KindWeb || kind == KindAgent {
		return nil
	}
	s := pathSearch{pathSet: pathSet{list: buf[:0]}}
	s.object(input, kind == KindMCP || kind == KindOther, 0)
	if kind == KindEdit {
		for _, key := range keysOf(nil, input, patchKeys) {
			s.patches(input[key], 0)
		}
	} else if kind == KindMCP || kind == KindOther {
		for _, key := range keysOf(nil, input, patchKeys) {
			if rank([]string{"input", "command"}, key) < 0 {
				s.patches(input[key], 0)
			}
		}
	}
	if len(s.list) == 0 && (kind == KindWrite || kind == KindEdit) {
		s.unusual(input, kind)
	}
	s.startAtBases()
	if len(s.list) == 0 {
		return nil
	}
	return s.list
}

// pathSearch looks for paths in a tool's input.
type pathSearch struct {
	pathSet
	bases pathSet // folders in which paths may start
}

// maxPathDepth is how deep in a tool's input objects are that name files. What lies deeper is a document as a rule.
const maxPathDepth = 3

// usedKey is a key of an object.
type usedKey struct {
	name string
	keyUse
}

// object adds the files that an object names. loose: also values that look like paths under keys that may hold something
// else.
func (s *pathSearch) object(object map[string]any, loose bool, depth int) {
	var buf [8]usedKey
	keys := buf[:0]
	for name, v := range object {
		if v == nil {
			continue
		}
		use := useOf(name)
		_, isText := v.(string)
		if !isText || use != (keyUse{rank: len(pathKeys)}) || isFileAddress(v.(string)) {
			keys = append(keys, usedKey{name, use})
		}
	}
	if len(keys) > 1 {
		slices.SortFunc(keys, compareKeys)
	}
	for _, key := range keys {
		v := object[key.name]
		text, isText := v.(string)
		if key.base && isText && text != "" {
			s.bases.add(fileName(text))
		}
		switch {
		case key.path:
			s.value(v, key.name, depth)
		case key.either && isText:
			if loose && !strings.Contains(text, "@") && strings.ContainsAny(text, `/\`) && looksLikePath(text) {
				s.add(fileName(text))
			}
		case isText:
			if !key.base && looksLikePath(text) && (key.ending || isFileAddress(text)) {
				s.add(fileName(text))
			}
		default:
			if key.ending {
				s.likely(v, depth)
			}
			s.nested(v, loose && rank(wrapperKeys, key.name) >= 0, depth)
		}
	}
}

// compareKeys orders those that surely name files before the rest.
func compareKeys(a, b usedKey) int {
	class := func(k usedKey) int {
		switch {
		case k.path:
			return 0
		case k.either:
			return 1
		}
		return 2
	}
	return cmp.Or(class(a)-class(b), a.rank-b.rank, strings.Compare(a.name, b.name))
}

// nested adds the files that objects name which are the value, or in it.
func (s *pathSearch) nested(v any, loose bool, depth int) {
	if depth >= maxPathDepth {
		return
	}
	switch v := v.(type) {
	case map[string]any:
		s.object(v, loose, depth+1)
	case []any:
		for _, e := range v {
			if _, isList := e.([]any); isList {
				s.nested(e, loose, depth+1)
			} else {
				s.nested(e, loose, depth)
			}
		}
	}
}

// value adds the files that the value of a key for files names.
func (s *pathSearch) value(v any, key string, depth int) {
	switch v := v.(type) {
	case string:
		if v != "" {
			s.add(fileName(v))
		}
	case []string:
		for _, e := range v {
			s.value(e, key, depth)
		}
	case []any:
		for _, e := range v {
			if _, isList := e.([]any); !isList {
				s.value(e, key, depth)
			} else if depth < maxPathDepth {
				s.value(e, key, depth+1)
			}
		}
	case map[string]any:
		before := len(s.list)
		s.nested(v, true, depth)
		s.keysOfFiles(v, rank(fileMapKeys, key) >= 0)
		if len(s.list) == before {
			s.likely(v, depth)
		}
	}
}

// keysOfFiles adds the keys of an object that look like paths, because they name files: {"src/a.go": "text"}. always:
// those that don't as well, unless a key says that it is about one file.
func (s *pathSearch) keysOfFiles(object map[string]any, always bool) {
	for key := range object {
		use := useOf(key)
		always = always && !use.path && !use.either
	}
	var names []string
	for key := range object {
		if looksLikePath(key) || always && key != "" {
			names = append(names, key)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		s.add(fileName(name))
	}
}

// likely adds the texts in a value that look like paths.
func (s *pathSearch) likely(v any, depth int) {
	eachText(v, depth, func(text string) {
		if looksLikePath(text) {
			s.add(fileName(text))
		}
	})
}

// patches adds the files of the patches in a value.
func (s *pathSearch) patches(v any, depth int) {
	eachText(v, depth, func(text string) {
		for _, file := range patchedFiles(text) {
			s.add(file)
		}
	})
}

// eachText calls f with the texts in a value that lies so deep in a tool's input.
func eachText(v any, depth int, f func(text string)) {
	if depth > maxPathDepth {
		return
	}
	switch v := v.(type) {
	case string:
		f(v)
	case []string:
		for _, e := range v {
			f(e)
		}
	case []any:
		for _, e := range v {
			eachText(e, depth+1, f)
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			eachText(v[key], depth+1, f)
		}
	}
}

// looksLikePath reports whether a text is a path by its form, and no other address.
func looksLikePath(text string) bool {
	if isFileAddress(text) {
		return !strings.Contains(text, "\n")
	}
	return (strings.ContainsAny(text, `/\`) || strings.HasPrefix(text, "~") || strings.HasPrefix(text, ".")) && !strings.Contains(text, "\n") && !strings.Contains(text, "://")
}

// unusual looks for the file of a tool that writes one, in an input of a form that no known tool has.
func (s *pathSearch) unusual(input map[string]any, kind Kind) {
	for _, key := range slices.Sorted(maps.Keys(input)) {
		text, isText := input[key].(string)
		use := useOf(key)
		if isText && (use.ending && !use.base && text != "" && !strings.Contains(text, "\n") || use.either && looksLikePath(text)) {
			s.add(fileName(text))
		}
	}
	if len(s.list) == 0 && kind == KindEdit {
		s.patches(input, 0)
	}
}

// maxStarts is how many paths are put together from a folder and a name.
const maxStarts = 500_000

// startAtBases adds the relative paths as they are seen from folders that the input names as well: the tool may go by one
// of these.
func (s *pathSearch) startAtBases() {
	found, left := s.list, maxStarts
	for _, base := range s.bases.list {
		for _, name := range found {
			if name == base || isAbsolute(slashed(name)) || strings.HasPrefix(name, "~") {
				continue
			}
			if left--; left < 0 {
				return
			}
			s.add(strings.TrimRight(base, `/\`) + "/" + name)
		}
	}
}

// fileName returns the path that a text stands for. The text may be a file's address: file:///a,
// file://localhost/a or file:/a, in any case, with escapes.
func fileName(text string) string {
	if !isFileAddress(text) {
		return text
	}
	name := text[len("file:"):]
	if rest, ok := strings.CutPrefix(name, "//"); ok {
		name = rest
		if host, _, _ := strings.Cut(rest, "/"); strings.EqualFold(host, "localhost") {
			name = rest[len(host):]
		}
	}
	if plain, err := url.PathUnescape(name); err == nil {
		return plain
	}
	return name
}

func isFileAddress(text string) bool {
	const scheme = "file:/"
	return len(text) > len(scheme) && strings.EqualFold(text[:len(scheme)], scheme)
}

// union returns a with those of b that it lacks, in time linear in both. It doesn't write to memory that a and b
// share with others.
func union(a, b []string) []string {
	if len(b) == 0 {
		return a
	}
	all := pathSet{list: a[:len(a):len(a)]}
	for _, s := range b {
		all.add(s)
	}
	return all.list
}

// pathSet is a list without duplicates.
type pathSet struct {
	list []string
	seen map[string]bool // set once the list is long
}

func (p *pathSet) add(s string) {
	if p.seen == nil && len(p.list) >= 16 {
		p.seen = make(map[string]bool, 2*len(p.list))
		for _, known := range p.list {
			p.seen[known] = true
		}
	}
	if p.seen[s] || p.seen == nil && contains(p.list, s) {
		return
	}
	if p.list = append(p.list, s); p.seen != nil {
		p.seen[s] = true
	}
}

// ShellFiles finds the files that a shell text names, and resolves links. The engine's implementation parses the
// text and follows links; this package does neither.
type ShellFiles interface {
	// FilesOf lists the files and folders that the text names, absolute and cleaned, and those that it touches
	// without naming them: "/x/" is a folder with everything in it, and "*", "?" and "**" stand for unknown
	// parts of a name. dir is the folder where the text starts, absolute, or "" if it isn't known.
	// language is what [ToolCall.Language] says.
	FilesOf(text, dir, language string) []string
	// Real returns the path of a file with links followed, absolute and cleaned. It is spelled from the
	// project's root if it lies there. If nothing is known of the file, it is returned unchanged.
	Real(file string) string
}

// Place is the surroundings of a tool call. The engine sets it, so that [ToolCall.Files] and path patterns know
// where relative paths start. The zero value knows nothing.
type Place struct {
	Dir    string     // the agent's working folder, absolute; "": not known
	Root   string     // the project's root, absolute and cleaned; "": there is none
	Around []string   // roots of the enclosing projects, likewise
	Shell  ShellFiles // finds the files of a shell tool; nil: they aren't known

	// Home returns the home folder of a user, absolute, for paths that begin with ~; the user "" is the one who
	// runs the engine. The result is "" if there is no such user. nil: no home folder is known.
	Home func(user string) string
}

// folderKeys are the keys of a shell tool's input that name the folder where it runs, folded.
var folderKeys = []string{"workdir", "cwd", "workingdirectory", "workingdir", "dir", "directory", "dirpath"}

// Files lists the files and folders that the call names, absolute and cleaned, as far as they are known: those
// of Paths, relative to the agent's working folder, and for a shell tool those that its text names and touches;
// see [ShellFiles]. All are written with slashes. A path that leads through links is listed twice, as spelled
// and as resolved. A path in a variable, or a relative one while the working folder isn't known, is not listed.
func (t *ToolCall) Files() []string {
	var set pathSet
	for _, p := range t.Paths {
		if full := t.Place.absolute(t.Place.Dir, p); full != "" {
			set.add(full)
			set.add(t.Place.real(full))
		}
	}
	if t.Kind == KindShell && t.Place.Shell != nil && t.Command != "" {
		for _, p := range t.Place.Shell.FilesOf(t.Command, t.folder(), t.Language()) {
			whole := ""
			if folder, ok := strings.CutSuffix(p, "/"); ok && folder != "" {
				p, whole = folder, "/"
			}
			if full := t.Place.absolute("", p); full != "" {
				set.add(full + whole)
				set.add(t.Place.real(full) + whole)
			}
		}
	}
	return set.list
}

// folder returns where a shell tool's text starts: the input may name the folder.
func (t *ToolCall) folder() string {
	named, unclear := t.Folder()
	if unclear {
		return ""
	}
	if named == "" {
		named = t.Place.Dir
	}
	if full := t.Place.absolute(t.Place.Dir, named); full != "" {
		return t.Place.real(full)
	}
	return ""
}

// Folder returns the folder that the input of a shell tool names to run in, as written; "" if it names none. unclear:
// it names several, and nobody knows by which the tool goes.
func (t *ToolCall) Folder() (named string, unclear bool) {
	names := t.FolderKeys
	if names == nil {
		names = folderKeys
	}
	var buf [4]string
	for _, key := range keysOf(buf[:], t.Input, names) {
		switch dir, _ := t.Input[key].(string); {
		case dir == "":
		case named != "" && dir != named:
			return "", true
		default:
			named = dir
		}
	}
	return named, false
}

// absolute returns a path relative to a folder as an absolute one, cleaned; "" if that isn't known.
func (p *Place) absolute(dir, file string) string {
	file = p.fromHome(slashed(file))
	if !isAbsolute(file) {
		if dir = slashed(dir); !isAbsolute(dir) || p.Home == nil && strings.HasPrefix(file, "~") {
			return ""
		}
		file = p.real(path.Clean(dir)) + "/" + file
	}
	return path.Clean(file)
}

// real returns an absolute, cleaned path with links followed, as far as that is known.
func (p *Place) real(file string) string {
	if p.Shell == nil || p.Root == "" {
		return file
	}
	return p.Shell.Real(file)
}

// fromHome replaces ~ or ~user in a path with the home folder, as most tools do. If there is no such user it is
// an ordinary name.
func (p *Place) fromHome(file string) string {
	if p.Home == nil || !strings.HasPrefix(file, "~") {
		return file
	}
	user, rest, _ := strings.Cut(file[1:], "/")
	home := slashed(p.Home(user))
	if !isAbsolute(home) {
		return file
	}
	return home + "/" + rest
}

// below returns a path relative to a folder that contains it. Both are absolute and cleaned.
func below(dir, file string) (rest string, ok bool) {
	if file == dir {
		return ".", true
	}
	return strings.CutPrefix(file, strings.TrimSuffix(dir, "/")+"/")
}

func isAbsolute(p string) bool {
	return strings.HasPrefix(p, "/") || (len(p) > 2 && p[1] == ':' && p[2] == '/')
}
