package process

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/luahook/luahook/internal/openfile"
)

// Reason says why a program was not started.
type Reason string

// The reasons.
const (
	NotFound      Reason = "not found"
	NotExecutable Reason = "not executable"
	NoDir         Reason = "no folder to run in"
	ContextOver   Reason = "the context was over"
	Refused       Reason = "refused" // by the system: too many processes, too long an environment ...
)

// StartError is the error of a program that was not started.
type StartError struct {
	Program string // as the [Spec] says it
	Reason  Reason
	Message string // one line, without the program's name; with advice if there is any
	Err     error  // the cause, if there is one
}

func (e *StartError) Error() string {
	message := e.Message
	if message == "" && e.Err != nil {
		message = e.Err.Error()
	}
	return fmt.Sprintf("%s was not started: %s", e.Program, message)
}

// Unwrap returns the cause.
func (e *StartError) Unwrap() error { return e.Err }

// Shell returns the path of the system's shell, or "sh" if PATH is to be searched.
func Shell() string {
	const path = "/bin/sh"
	if _, err := os.Stat(path); err == nil && runtime.GOOS != "windows" {
		return path
	}
	return "sh"
}

func checkDir(s Spec) error {
	failed := func(message string, err error) error {
		return &StartError{Program: s.Path, Reason: NoDir, Message: message, Err: err}
	}
	if !filepath.IsAbs(s.Dir) {
		return failed(fmt.Sprintf("the folder to run in is %q, want an absolute path", s.Dir), nil)
	}
	switch info, err := os.Stat(s.Dir); {
	case errors.Is(err, fs.ErrNotExist):
		return failed(fmt.Sprintf("the folder to run in, %s, doesn't exist", s.Dir), err)
	case err != nil:
		return failed("the folder to run in can't be used: "+err.Error(), err)
	case !info.IsDir():
		return failed(fmt.Sprintf("the folder to run in, %s, is not a folder", s.Dir), nil)
	}
	return nil
}

// find returns the absolute path of the program. A name is searched for in the PATH of the program's own
// environment. Relative and empty entries of PATH don't count: a file in the current folder is never run by its
// name.
func find(s Spec) (string, error) {
	failed := func(reason Reason, message string) error {
		return &StartError{Program: s.Path, Reason: reason, Message: message}
	}
	if s.Path == "" {
		return "", failed(NotFound, "the program has no name")
	}
	if strings.IndexByte(s.Path, 0) >= 0 {
		return "", failed(NotFound, "there is a NUL byte in the program's name")
	}
	if isPath(s.Path) {
		path := s.Path
		if !filepath.IsAbs(path) {
			path = filepath.Join(s.Dir, path)
		}
		found, reason := runnable(path, s.Env)
		switch reason {
		case "":
			return found, checkArgs(found, s)
		case NotFound:
			return "", failed(reason, fmt.Sprintf("there is no file %s", path))
		}
		return "", failed(reason, notExecutable(path))
	}
	list, ok := lookup(s.Env, "PATH")
	if !ok {
		list = defaultPath
	}
	unusable := ""
	for _, dir := range filepath.SplitList(list) {
		if !filepath.IsAbs(dir) {
			continue
		}
		path := filepath.Join(dir, s.Path)
		switch found, reason := runnable(path, s.Env); reason {
		case "":
			return found, checkArgs(found, s)
		case NotExecutable:
			unusable = path
		}
	}
	if unusable != "" {
		return "", failed(NotExecutable, notExecutable(unusable))
	}
	return "", failed(NotFound, "it is in no folder of PATH; give its path, or install it")
}

func notExecutable(path string) string {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return path + " is a folder"
	}
	return fmt.Sprintf("%s isn't executable; try chmod +x on it", path)
}

// lookup returns the value of a variable; the last one counts.
func lookup(env []string, name string) (value string, ok bool) {
	for _, e := range env {
		if n, v, is := strings.Cut(e, "="); is && sameName(n, name) {
			value, ok = v, true
		}
	}
	return value, ok
}

// startError translates the system's error.
func startError(s Spec, path string, err error) error {
	if known := (*StartError)(nil); errors.As(err, &known) {
		return known
	}
	e := &StartError{Program: s.Path, Reason: Refused, Message: err.Error(), Err: err}
	var cause *os.PathError
	if errors.As(err, &cause) { // "fork/exec PATH: ..."
		e.Message = cause.Err.Error()
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		e.Reason, e.Message = NotFound, fmt.Sprintf("%s no longer exists", path)
		if interpreter, carriage := interpreterOf(path); carriage {
			e.Message = fmt.Sprintf("the first line of %s ends with a carriage return, which counts as part of %s; save it with unix line ends", path, interpreter)
		} else if interpreter != "" {
			e.Message = fmt.Sprintf("%s, named in the first line of %s, doesn't exist", interpreter, path)
		}
	case errors.Is(err, fs.ErrPermission):
		e.Reason, e.Message = NotExecutable, fmt.Sprintf("%s: permission denied", path)
	case errors.Is(err, errFormat):
		e.Reason, e.Message = NotExecutable, fmt.Sprintf("%s is not a program that this system can run", path)
	case errors.Is(err, errTooLong):
		e.Message = "its arguments and environment are longer together than the system allows"
	}
	return e
}

// beginning returns the first bytes of a file, or none if it can't be read.
func beginning(path string) []byte {
	f, _, err := openfile.Regular(path)
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }()
	head := make([]byte, 256)
	n, _ := f.Read(head)
	return head[:n]
}

// interpreterOf returns the program of a file's #! line, and whether that line ends as on Windows.
func interpreterOf(path string) (program string, carriage bool) {
	line, is := bytes.CutPrefix(beginning(path), []byte("#!"))
	line = bytes.SplitN(line, []byte("\n"), 2)[0]
	if fields := bytes.Fields(line); is && len(fields) > 0 {
		return string(fields[0]), bytes.HasSuffix(line, []byte("\r"))
	}
	return "", false
}

// isText reports whether a file in a format unknown to the system may be a shell script: its first line has no
// NUL byte.
func isText(path string) bool {
	line := bytes.SplitN(beginning(path), []byte("\n"), 2)[0]
	return bytes.IndexByte(line, 0) < 0
}
