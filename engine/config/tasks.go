package config

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/luahook/luahook/internal/spelling"
)

// Trackers of tasks.
const (
	TasksFile  = "file"
	TasksBeads = "bd"
)

// Tasks says which tracker the tasks of hooks are in.
type Tasks struct {
	Tracker string // TasksFile or TasksBeads; "": not said
	Path    string // of the file; a relative one starts at the folder of what luahook keeps; "": the usual one
}

// readTasks reads the name of a tracker, or {file: PATH}.
func readTasks(d *decoder, path string, n ast.Node) (t Tasks, err error) {
	m, ok := n.(*ast.MappingNode)
	if !ok {
		s, err := readText(d, path, n)
		switch {
		case err != nil:
			return t, fmt.Errorf("%s: want file, bd, or {file: PATH}", path)
		case s == "beads":
			return t, fmt.Errorf("%s: write bd, which is what the command of beads is called", path)
		case s != TasksFile && s != TasksBeads:
			return t, fmt.Errorf("%s: %q is no tracker; want file, bd, or {file: PATH}%s", path, s, spelling.DidYouMean(string(s), []string{TasksFile, TasksBeads}))
		}
		return Tasks{Tracker: string(s)}, nil
	}
	if len(m.Values) != 1 || written(m.Values[0].Key) != TasksFile {
		return t, fmt.Errorf("%s: want file, bd, or {file: PATH}", path)
	}
	s, err := readText(d, path+".file", m.Values[0].Value)
	switch file := string(s); {
	case err != nil:
		return t, err
	case strings.HasPrefix(file, "~"):
		return t, fmt.Errorf("%s.file: %q: write the path in full; ~ isn't understood here", path, file)
	case strings.ContainsRune(file, 0) || strings.HasSuffix(file, "/") || strings.HasSuffix(file, string(filepath.Separator)):
		return t, fmt.Errorf("%s.file: %q is no path of a file", path, file)
	default:
		return Tasks{Tracker: TasksFile, Path: file}, nil
	}
}
