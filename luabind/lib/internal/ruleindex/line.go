package ruleindex

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/luahook/luahook/analysis/shell"
)

// Line is what is known of a line. It is looked up when somebody asks.
type Line struct {
	commands []*shell.Command
	cwd      string            // where the line starts, "" where nobody knows it
	folders  map[string]bool   // below cwd, and whether a link leads to each
	read     map[readPath]bool // the files that the commands read, by the pipeline they are in
	printing *bool             // see printsCommitted
	pushing  *bool             // see pushes
}

// NewLine is the line of these commands, which starts in a folder; "": nobody knows where.
func NewLine(commands []*shell.Command, cwd string) *Line {
	return &Line{commands: commands, cwd: strings.TrimSuffix(cwd, "/")}
}

// leadsOn reports whether a path below the working folder is a link, or leads through one: a repository may have
// some, to anywhere.
func (l *Line) leadsOn(pay Payer, file string) bool {
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
		linked = folder != "." && Linked(pay, l.cwd, l.cwd+"/"+folder)
		if l.folders == nil {
			l.folders = map[string]bool{}
		}
		l.folders[folder] = linked
	}
	return linked || isLink(pay, file)
}

// Linked reports whether a path below a folder is a link, or leads through one there.
func Linked(pay Payer, folder, file string) bool {
	for at := len(folder) + 1; at < len(file); at++ {
		end := strings.IndexByte(file[at:], '/')
		if end < 0 {
			return isLink(pay, file)
		}
		if at += end; isLink(pay, file[:at]) {
			return true
		}
	}
	return false
}

func isLink(pay Payer, file string) bool {
	pay.Spend(100)
	info, err := os.Lstat(filepath.FromSlash(file))
	return err == nil && info.Mode()&os.ModeSymlink != 0
}

// pushes reports whether a git of the line pushes, or may.
func (l *Line) pushes() bool {
	if l == nil {
		return true
	} else if l.pushing == nil {
		l.pushing = new(slices.ContainsFunc(l.commands, func(c *shell.Command) bool {
			return c.Name == "git" && strings.EqualFold(c.Subcommand(), "push")
		}))
	}
	return *l.pushing
}

// printsCommitted reports whether a command of the line may print a file as it is committed, as
// git show HEAD:main.go does.
func (l *Line) printsCommitted() bool {
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
func (l *Line) reads(pay Payer, command *shell.Command, file string) bool {
	if l == nil {
		return true
	}
	if l.read == nil {
		l.read = map[readPath]bool{}
		for _, other := range l.commands {
			pay.Paths(other)
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
		if (other == command || command.Pipe != 0 && other.Pipe == command.Pipe) && saysName(pay, other, file) {
			return true
		}
	}
	return false
}

// saysName reports whether a word of a command has the last part of a path, and may be it.
func saysName(pay Payer, command *shell.Command, name string) bool {
	pay.Spend(1 + len(command.Args)/4)
	last := path.Base(name)
	return slices.ContainsFunc(command.Args, func(word shell.Word) bool {
		return strings.HasSuffix(word.Text, last) && path.Base(word.Text) == last
	})
}
