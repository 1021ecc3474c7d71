package hooks

import (
	"net/url"
	"path"
	"strings"
)

// The keys for names of files, folded: single files, lists, and patches.
var (
	pathKeys = []string{"filepath", "path", "absolutepath", "notebookpath", "targetfile", "filename", "file", "dirpath", "directory", "targetdirectory", "source", "destination", "oldpath", "newpath", "uri",
		"sourcepath", "destinationpath", "sourcefile", "destinationfile", "src", "dst", "dest", "srcpath", "dstpath", "destpath", "frompath", "topath", "oldfilepath", "newfilepath", "targetpath",
		"outputpath", "outputfile", "savepath", "fullpath", "relativepath", "relpath", "relativeworkspacepath", "pathname", "folder", "folderpath", "directorypath", "fileuri", "localpath",
		"paths", "filepaths", "files", "edits", "replacements", "folders", "directories", "sources", "changes", "operations", "moves"}
	// These may be names of people as well: only values that look like paths count.
	eitherKeys = []string{"from", "to", "target", "old", "new", "name", "location", "output"}
	// Some hosts and servers wrap the input in one of these.
	wrapperKeys = []string{"arguments", "args", "params", "parameters", "input", "request", "toolarguments", "toolinput"}
	patchKeys   = []string{"patch", "patchtext", "input", "diff", "command"}
)

// pathsOf lists the files that a tool's input names; the files in shell text are known only when it is parsed.
// The list uses buf if it is long enough.
func pathsOf(buf []string, kind Kind, input map[string]any) []string {
	if kind == KindShell || kind == KindWeb || kind == KindAgent {
		return nil
	}
	paths := pathSet{list: buf[:0]}
	paths.addPathKeys(input)
	if kind == KindMCP || kind == KindOther {
		paths.addPossiblePaths(input)
		for _, key := range keysOf(nil, input, wrapperKeys) {
			if inner, ok := input[key].(map[string]any); ok {
				for _, path := range pathsOf(nil, KindRead, inner) {
					paths.addValue(path)
				}
				paths.addPossiblePaths(inner)
			}
		}
	}
	if kind == KindEdit {
		for _, key := range keysOf(nil, input, patchKeys) {
			if text, ok := input[key].(string); ok {
				for _, file := range patchedFiles(text) {
					paths.add(file)
				}
			}
		}
	}
	if len(paths.list) == 0 {
		return nil
	}
	return paths.list
}

// addPathKeys adds the values of keys that name files.
func (p *pathSet) addPathKeys(input map[string]any) {
	var buf [4]string
	for _, key := range keysOf(buf[:], input, pathKeys) {
		p.addValue(input[key])
	}
}

// addValue adds the files that a value names.
func (p *pathSet) addValue(v any) {
	switch v := v.(type) {
	case string:
		if v != "" {
			p.add(fileName(v))
		}
	case []string:
		for _, e := range v {
			p.addValue(e)
		}
	case []any:
		for _, e := range v {
			if _, nested := e.([]any); !nested {
				p.addValue(e)
			}
		}
	case map[string]any:
		for _, key := range keysOf(nil, v, pathKeys) {
			if s, ok := v[key].(string); ok {
				p.addValue(s)
			}
		}
		p.addPossiblePaths(v)
	}
}

// addPossiblePaths adds the values that look like paths, of keys that may hold paths.
func (p *pathSet) addPossiblePaths(input map[string]any) {
	for _, key := range keysOf(nil, input, eitherKeys) {
		if s, ok := input[key].(string); ok && !strings.ContainsAny(s, "\n@") && strings.ContainsAny(s, `/\`) && (!strings.Contains(s, "://") || isFileAddress(s)) {
			p.addValue(s)
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

// patchedFiles returns the files that a patch touches: the "*** Update File:" lines of apply_patch, and the
// "---", "+++" and "rename" lines of a unified diff.
func patchedFiles(text string) []string {
	var files []string
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		for _, mark := range []string{"*** Add File:", "*** Update File:", "*** Delete File:", "*** Move to:", "rename from ", "rename to "} {
			if f, ok := strings.CutPrefix(strings.TrimSpace(line), mark); ok && strings.TrimSpace(f) != "" {
				files = append(files, strings.TrimSpace(f))
			}
		}
		for _, mark := range [][2]string{{"--- ", "a/"}, {"+++ ", "b/"}} {
			if f, ok := strings.CutPrefix(line, mark[0]); ok {
				f, _, _ = strings.Cut(f, "\t")
				f = strings.Trim(f, `"`)
				if f = strings.TrimPrefix(f, mark[1]); f != "" && f != "/dev/null" {
					files = append(files, path.Clean(f))
				}
			}
		}
	}
	return files
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

// folderKeys are the keys of a shell tool's input that name the folder where it runs.
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
	named := ""
	for _, key := range keysOf(nil, t.Input, folderKeys) {
		dir, _ := t.Input[key].(string)
		switch {
		case dir == "":
		case named != "" && dir != named:
			return "" // unclear which one counts
		default:
			named = dir
		}
	}
	if named == "" {
		named = t.Place.Dir
	}
	if full := t.Place.absolute(t.Place.Dir, named); full != "" {
		return t.Place.real(full)
	}
	return ""
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
