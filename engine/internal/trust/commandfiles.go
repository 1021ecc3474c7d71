package trust

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/luahook/luahook/analysis/shell"
	"github.com/luahook/luahook/engine/internal/source"
	"github.com/luahook/luahook/internal/openfile"
	"github.com/luahook/luahook/internal/userhome"
)

// Bounds of what a command's words are looked up as. A command that goes over them
// can't be trusted, because it can't be told what it runs.
const (
	maxNamedFolders = 32      // of one command
	maxLookups      = 100_000 // of all commands of a project
)

// commandWords finds the files of a project that one command names. It takes too many rather
// than too few for such: every word, also of a text for another shell or an argument
// like --config=FILE, that is the path of a file, seen from the root and from every
// folder that the command names (cd FOLDER, make -C FOLDER).
//
// What those files run in turn, and what a program finds by rules of its own (a Makefile,
// a module, the PATH), isn't seen.
type commandWords struct {
	prints  *fileHashes
	words   map[string]bool
	written map[string]int  // how often a word stands where it is only written to
	globs   map[string]bool // patterns that the shell expands
	files   map[string]bool
	folders []string // grows while the words are looked at
}

// errTooMany is a command that names more than can be looked at.
var errTooMany = errors.New("it names too many words, files or folders to tell which files it runs; put it into a script in .hooks")

// commandFiles lists the files, in order, that a command hook names, as slash paths below
// the root of the project.
func (p *fileHashes) commandFiles(root string, h *source.Hook) ([]string, error) {
	n := &commandWords{prints: p, words: map[string]bool{}, written: map[string]int{}, globs: map[string]bool{}, files: map[string]bool{}, folders: []string{"."}}
	if h.Script != "" {
		if name := source.Below(root, h.File.Path); name != "" {
			n.files[name] = true
		}
	}
	for _, text := range append([]string{h.Command}, h.Args...) {
		for _, place := range []string{root, p.path} {
			if len(place) > 1 {
				text = strings.ReplaceAll(text, place, projectMark)
			}
		}
		n.read(text)
	}
	// A folder may be named after what lies in it, and from another one.
	for known := 0; known < len(n.folders); {
		known = len(n.folders)
		for w := range n.words {
			n.eachPlace(w, n.look)
		}
		for g := range n.globs {
			n.eachPlace(g, func(name string) { n.glob(".", strings.Split(name, "/")) })
		}
		if n.tooMany() {
			return nil, fmt.Errorf("%s: %w", h.Source, errTooMany)
		}
	}
	return slices.Sorted(maps.Keys(n.files)), nil
}

func (n *commandWords) tooMany() bool {
	return n.prints.lookups > maxLookups || len(n.folders) > maxNamedFolders
}

// projectMark stands in words for the project's root, and for every variable: it may
// hold that, or a part of a name.
const projectMark = "/%project%"

var variable = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\$(\w+|\{[^}]*\})`) })

// read takes the words out of a command's text. Files that it only writes (touch FILE,
// tee FILE, > FILE) are not what it runs: they may change, and need not be there.
func (n *commandWords) read(text string) {
	text = variable().ReplaceAllString(text, projectMark)
	n.word(text) // an argument may be a path with blanks in it
	clear(n.written)
	own := strings.Contains(text, "()") || strings.Contains(text, "alias") || strings.Contains(text, "function") // names may mean anything
	for _, c := range shell.Parse(text, shell.Options{}).Commands {
		n.word(c.Path)
		for _, w := range c.Args {
			if writers[c.Name] && !own && !w.Glob {
				n.written[w.Text]++
				continue
			}
			n.expanded(w)
		}
		for _, a := range c.Assignments {
			n.expanded(a.Value)
		}
		for _, r := range c.Redirects {
			if strings.HasPrefix(strings.TrimPrefix(r.Op, "&"), ">") && !r.Target.Glob {
				n.written[r.Target.Text]++
				continue
			}
			n.expanded(r.Target)
		}
	}
	// The same once more without the shell's rules, for what isn't shell, what is text
	// for another one, and the words of loops.
	for _, w := range strings.FieldsFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune("\"'`;|&<>(){}$\\", r)
	}) {
		if n.written[w] > 0 {
			n.written[w]-- // each place counts once: what stands elsewhere as well may be run there
			continue
		}
		if strings.ContainsAny(w, "*?") && !strings.Contains(w, "[") && len(strings.Trim(w, "*?./")) > 1 { // no regular expression
			n.globs[w] = true
		}
		n.word(w)
	}
}

// writers are programs that make nothing of what the files hold that they are given:
// they create, change or remove them, or look at them from the outside. Those that print
// the names (echo, ls) are not among them: something may run what they print.
var writers = map[string]bool{
	"touch": true, "tee": true, "mkdir": true, "rmdir": true, "rm": true, "unlink": true, "chmod": true, "chown": true,
	"test": true, "[": true, "truncate": true, "mkfifo": true,
}

// expanded notes a word that the shell expands.
func (n *commandWords) expanded(w shell.Word) {
	if w.Glob {
		n.globs[w.Text] = true
	}
	n.word(w.Text)
}

// word notes what a word may be a path as.
func (n *commandWords) word(w string) {
	n.words[w] = true
	if strings.LastIndex(w, projectMark) > 0 { // a variable in the middle of a name
		pattern := strings.ReplaceAll(strings.TrimPrefix(w, projectMark), "/"+projectMark, "/*")
		pattern = strings.ReplaceAll(pattern, projectMark, "*")
		if strings.Trim(pattern, "*/.") != "" { // else it may be anything
			n.globs[pattern] = true
		}
	}
	for _, piece := range strings.FieldsFunc(w, func(r rune) bool { return strings.ContainsRune("=:,@", r) }) {
		n.words[piece] = true
	}
	if len(w) > 2 && w[0] == '-' && w[1] != '-' { // -fFILE
		n.words[w[2:]] = true
	}
}

// eachPlace calls f with the paths below the root that a word may mean.
func (n *commandWords) eachPlace(word string, f func(name string)) {
	word = strings.TrimPrefix(word, projectMark)
	if home := userhome.Dir(); home != "" && strings.HasPrefix(word, "~/") {
		if name := source.Below(n.prints.path, filepath.Join(home, word[2:])); name != "" {
			f(name)
		}
	}
	// What begins with a slash may be what follows $(pwd).
	word = strings.TrimLeft(filepath.ToSlash(word), "/")
	if word == "" || len(word) > 4096 || strings.ContainsRune(word, 0) {
		return
	}
	for _, dir := range n.folders {
		if name := path.Join(dir, word); fs.ValidPath(name) {
			f(name)
		}
	}
}

// look notes what there is at a path.
func (n *commandWords) look(name string) {
	if n.files[name] || slices.Contains(n.folders, name) {
		return
	}
	if n.prints.lookups++; n.tooMany() {
		return
	}
	info, err := os.Stat(filepath.Join(n.prints.path, filepath.FromSlash(name)))
	switch {
	case err != nil: // no path, or of nothing that could be run
	case info.Mode().IsRegular():
		n.files[name] = true
	case info.IsDir():
		if _, inside, err := n.prints.locate(name); err == nil && inside {
			n.folders = append(n.folders, name)
		}
	}
}

// glob notes the files that match a pattern, element by element.
func (n *commandWords) glob(dir string, rest []string) {
	if len(rest) == 0 {
		n.look(dir)
		return
	}
	if !strings.ContainsAny(rest[0], `*?[`) {
		n.glob(path.Join(dir, rest[0]), rest[1:])
		return
	}
	d, err := openfile.FolderIn(n.prints.root, filepath.FromSlash(dir))
	if err != nil {
		return
	}
	defer d.Close()
	names, err := d.Readdirnames(maxLookups + 1)
	if err != nil {
		return
	}
	n.prints.lookups += len(names)
	for _, name := range names {
		if n.tooMany() {
			return
		}
		if ok, err := path.Match(rest[0], name); ok && err == nil && (name[0] != '.' || rest[0][0] == '.') {
			n.glob(path.Join(dir, name), rest[1:])
		}
	}
}
