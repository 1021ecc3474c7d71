package hooks

import (
	"path"
	"strings"
)

// ShellFiles tells which files a shell text names, and where they lie. The engine has one
// that parses the text and looks at links; this package does neither.
type ShellFiles interface {
	// FilesOf lists the files and folders that the text names, absolute and cleaned, and
	// what it touches beside them: "/x/" is a folder with all that is in it, and "*", "?" and
	// "**" stand for what isn't known of a name.
	// dir is the folder that it starts in, absolute, or "" where that isn't known.
	FilesOf(text, dir string) []string
	// Real is where a file lies once links are followed, spelled from the project's root
	// where it lies there; the file itself where nobody knows. It is absolute and cleaned.
	Real(file string) string
}

// Place is where a tool call takes place. The engine says it, so that [ToolCall.Files] and
// patterns of paths know from where paths are seen. The zero value knows nothing.
type Place struct {
	Dir    string     // the agent's working folder, absolute; "": not known
	Root   string     // the project's root, absolute and cleaned; "": there is none
	Around []string   // roots of the projects that it lies in, likewise
	Shell  ShellFiles // finds the files of a shell tool; nil: they aren't known

	// Home is the home folder of a user, absolute, for paths that begin with ~; "" is the
	// one who runs the engine. It is "" where there is no such user. nil: none is known.
	Home func(user string) string
}

// folderKeys are the keys of a shell tool's input that say in which folder it runs.
var folderKeys = []string{"workdir", "cwd", "workingdirectory", "workingdir", "dir", "directory", "dirpath"}

// Files lists the files and folders that the call names, absolute and cleaned, as far
// as that is known: those of Paths, seen from the agent's working folder, and of a shell
// tool those that its text names and touches; see [ShellFiles]. They are texts, with slashes. One that
// leads through links is there twice, as it is spelled and as where it lies. What stands in a
// variable, or is relative while nobody knows the working folder, is not among them.
func (t *ToolCall) Files() []string {
	var set pathSet
	for _, p := range t.Paths {
		if full := t.Place.absolute(t.Place.Dir, p); full != "" {
			set.add(full)
			set.add(t.Place.real(full))
		}
	}
	if t.Kind == KindShell && t.Place.Shell != nil && t.Command != "" {
		for _, p := range t.Place.Shell.FilesOf(t.Command, t.folder()) {
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

// folder is where a shell tool's text starts: the input may name the folder.
func (t *ToolCall) folder() string {
	named := ""
	for _, key := range keysOf(nil, t.Input, folderKeys) {
		dir, _ := t.Input[key].(string)
		switch {
		case dir == "":
		case named != "" && dir != named:
			return "" // nobody knows which one counts
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

// absolute is a path as seen from a folder, cleaned, "" where that isn't known.
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

// real is where a file lies that is absolute and cleaned, as far as that is known.
func (p *Place) real(file string) string {
	if p.Shell == nil || p.Root == "" {
		return file
	}
	return p.Shell.Real(file)
}

// fromHome is a path whose ~ or ~user has become the home folder, as most tools read it.
// One of nobody is a name as any other.
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

// below is a path as seen from a folder that it lies in. Both are absolute and cleaned.
func below(dir, file string) (rest string, ok bool) {
	if file == dir {
		return ".", true
	}
	return strings.CutPrefix(file, strings.TrimSuffix(dir, "/")+"/")
}

func isAbsolute(p string) bool {
	return strings.HasPrefix(p, "/") || (len(p) > 2 && p[1] == ':' && p[2] == '/')
}
