package lib

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/luahook/luahook/analysis/shell"
	"github.com/luahook/luahook/luabind"
)

// concernsFiles reports whether a command changes files that a rule can be about, or reads some
// where rules are about that.
func (x *ruleIndex) concernsFiles(c call, command *shell.Command, program programRules, line *lineFacts) bool {
	c.chargePaths(command) // also one without arguments: patch changes what its input names
	if x.reading && slices.ContainsFunc(command.Paths(), func(p shell.Path) bool { return p.Access == shell.Read }) {
		return true
	}
	for _, p := range command.Changes() {
		switch {
		case p.Access == shell.Delete || p.Dynamic || p.Glob || x.marked(c, p.Text) || line.leadsOn(c, p.Text):
			return true
		case p.Redirected:
			if slices.ContainsFunc(command.Redirects, empties) && line.reads(c, command, p.Text) {
				return true
			}
		case program.puts:
			for _, operand := range command.Operands() {
				if x.marked(c, strings.TrimSuffix(p.Text, "/")+"/"+path.Base(operand.Text)) {
					return true
				}
			}
		}
	}
	return false
}

// maxUnmarked bounds the paths that are looked at here, in bytes.
const maxUnmarked = 512

// marked reports whether a rule may be about a file that is written: judge.lua asks none about
// the others.
func (x *ruleIndex) marked(c call, path string) bool {
	if path == "/dev/null" {
		return false
	} else if len(path) > maxUnmarked || slices.Contains(x.files, path) {
		return true
	}
	luabind.Spend(c.LState, (len(x.begins)+len(x.marks.texts)+len(x.files)+len(path))/4)
	path = strings.ToLower(path)
	return slices.ContainsFunc(x.begins, func(begin string) bool { return strings.HasPrefix(path, begin) }) || x.marks.in(path)
}

// markIndex is a list of texts, by the byte with which they begin.
type markIndex struct {
	texts []string // sorted; none is empty
	from  [257]int // where those that begin with a byte are; they end where the next ones begin
}

func indexMarks(texts []string) markIndex {
	slices.Sort(texts)
	m := markIndex{texts: texts}
	for b := range m.from {
		m.from[b], _ = slices.BinarySearchFunc(texts, b, func(text string, b int) int { return int(text[0]) - b })
	}
	return m
}

// in reports whether one of the texts stands in another one.
func (m *markIndex) in(text string) bool {
	for i := range len(text) {
		for _, mark := range m.texts[m.from[text[i]]:m.from[int(text[i])+1]] {
			// Most are told from the text by their second byte.
			if rest := text[i:]; len(mark) == 1 || len(rest) > 1 && rest[1] == mark[1] && strings.HasPrefix(rest, mark) {
				return true
			}
		}
	}
	return false
}

// empties reports whether a shell empties the file of a redirection before the command runs.
func empties(r shell.Redirect) bool { return r.Op == ">" || r.Op == ">|" || r.Op == "&>" }

// lineFacts is what is known of a line. It is looked up when somebody asks.
type lineFacts struct {
	commands []*shell.Command
	cwd      string            // where the line starts, "" where nobody knows it
	folders  map[string]bool   // below cwd, and whether a link leads to each
	read     map[readPath]bool // the files that the commands read, by the pipeline they are in
	printing *bool             // see printsCommitted
	pushing  *bool             // see pushes
}

// leadsOn reports whether a path below the working folder is a link, or leads through one: a repository may have
// some, to anywhere.
func (l *lineFacts) leadsOn(c call, file string) bool {
	if l == nil {
		return true
	}
	place, below := strings.CutPrefix(file, l.cwd+"/")
	if l.cwd == "" || !below || place == "" {
		return false
	}
	folder := path.Dir(place)
	linked, known := l.folders[folder]
	if !known {
		linked = folder != "." && isLinked(c, l.cwd, l.cwd+"/"+folder)
		if l.folders == nil {
			l.folders = map[string]bool{}
		}
		l.folders[folder] = linked
	}
	return linked || isLink(c, file)
}

// isLinked reports whether a path below a folder is a link, or leads through one there.
func isLinked(c call, folder, file string) bool {
	for at := len(folder) + 1; at < len(file); at++ {
		end := strings.IndexByte(file[at:], '/')
		if end < 0 {
			return isLink(c, file)
		}
		if at += end; isLink(c, file[:at]) {
			return true
		}
	}
	return false
}

func isLink(c call, file string) bool {
	luabind.Spend(c.LState, 100)
	info, err := os.Lstat(filepath.FromSlash(file))
	return err == nil && info.Mode()&os.ModeSymlink != 0
}

// printsCommitted reports whether a command of the line may print a file as it is committed, as
// git show HEAD:main.go does.
func (l *lineFacts) printsCommitted() bool {
	if l == nil {
		return true
	} else if l.printing == nil {
		l.printing = new(slices.ContainsFunc(l.commands, printsCommitted))
	}
	return *l.printing
}

func printsCommitted(c *shell.Command) bool {
	if c.Name != "git" || !mentions(c, ":") {
		return false
	}
	subcommand := strings.ToLower(c.Subcommand())
	return subcommand == "show" || subcommand == "cat-file"
}

// readPath is a file that is read in a pipeline, or by a command that is in none.
type readPath struct {
	pipe    int
	command *shell.Command
	path    string
}

func readBy(command *shell.Command, path string) readPath {
	if command.Pipe != 0 {
		return readPath{pipe: command.Pipe, path: path}
	}
	return readPath{command: command, path: path}
}

// reads reports whether a command, or its pipeline, may read a file.
func (l *lineFacts) reads(c call, command *shell.Command, file string) bool {
	if l == nil {
		return true
	}
	if l.read == nil {
		l.read = map[readPath]bool{}
		for _, other := range l.commands {
			c.chargePaths(other)
			for _, p := range other.Paths() {
				if p.Access == shell.Read {
					l.read[readBy(other, p.Text)] = true
				}
			}
		}
	}
	if l.read[readBy(command, file)] {
		return true
	}
	for _, other := range l.commands {
		if (other == command || command.Pipe != 0 && other.Pipe == command.Pipe) && saysName(c, other, file) {
			return true
		}
	}
	return false
}

// saysName reports whether a word of a command has the last part of a path, and may be it.
func saysName(c call, command *shell.Command, name string) bool {
	luabind.Spend(c.LState, 1+len(command.Args)/4)
	last := path.Base(name)
	return slices.ContainsFunc(command.Args, func(word shell.Word) bool {
		return strings.HasSuffix(word.Text, last) && path.Base(word.Text) == last
	})
}
