package config

import (
	"errors"
	"fmt"
	"math"
	"net/url"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/goccy/go-yaml/ast"

	"github.com/luahook/luahook/builtins"
	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/internal/spelling"
)

// MinMemory is the smallest allowed limits.memory. Below it ordinary variations of the heap would stop correct
// hooks; and 64 surely means 64MiB.
const MinMemory = 1 << 20

// readers read the values of each kind that the form has.
var readers = sync.OnceValue(func() map[reflect.Type]func(d *decoder, path string, n ast.Node, into reflect.Value) {
	return map[reflect.Type]func(d *decoder, path string, n ast.Node, into reflect.Value){
		reflect.TypeFor[bool]():           reader(readBool),
		reflect.TypeFor[int]():            reader(readInt),
		reflect.TypeFor[text]():           reader(readText),
		reflect.TypeFor[builtin]():        reader(readBuiltin),
		reflect.TypeFor[map[string]any](): reader(readOptions),
		reflect.TypeFor[*hooks.Matcher](): reader(readMatcher),
		reflect.TypeFor[hooks.Policy]():   reader(readPolicy),
		reflect.TypeFor[hooks.Mode]():     reader(readMode),
		reflect.TypeFor[duration]():       reader(readDuration),
		reflect.TypeFor[size]():           reader(readSize),
		reflect.TypeFor[instructions]():   reader(readInstructions),
		reflect.TypeFor[followups]():      reader(readFollowups),
		reflect.TypeFor[storeURL]():       unshown(readStoreURL),
		reflect.TypeFor[Tasks]():          reader(readTasks),
		reflect.TypeFor[recording]():      reader(readRecording),
		reflect.TypeFor[variable]():       reader(readVariable),
		reflect.TypeFor[program]():        reader(readProgram),
		reflect.TypeFor[host]():           reader(readHost),
	}
})

// reader stores what read returns, or reports its error.
func reader[T any](read func(d *decoder, path string, n ast.Node) (T, error)) func(*decoder, string, ast.Node, reflect.Value) {
	return func(d *decoder, path string, n ast.Node, into reflect.Value) {
		v, err := read(d, path, n)
		if err != nil {
			d.failAt(n, "%v", err)
			return
		}
		into.Set(reflect.ValueOf(&v).Elem())
	}
}

func readBool(_ *decoder, path string, n ast.Node) (bool, error) {
	b, ok := scalar(n).(bool)
	if !ok {
		return false, fmt.Errorf("%s: want true or false", path)
	}
	return b, nil
}

func readInt(_ *decoder, path string, n ast.Node) (int, error) {
	i, ok := scalar(n).(int64)
	if !ok || int64(int(i)) != i {
		return 0, fmt.Errorf("%s: want a whole number", path)
	}
	return int(i), nil
}

func readText(_ *decoder, path string, n ast.Node) (text, error) {
	s, ok := scalar(n).(string)
	if !ok || strings.TrimSpace(s) == "" {
		return "", fmt.Errorf("%s: want text", path)
	}
	return text(s), nil
}

func readBuiltin(d *decoder, path string, n ast.Node) (builtin, error) {
	name, err := readText(d, path, n)
	if err == nil {
		err = CheckBuiltin(string(name))
	}
	return builtin(name), err
}

// CheckBuiltin returns an error for a name that no built-in hook has.
func CheckBuiltin(name string) error {
	if _, ok := builtins.Find(name); ok {
		return nil
	}
	if near := spelling.DidYouMean(name, builtins.Names()); near != "" {
		return fmt.Errorf("unknown built-in %q%s", name, near)
	}
	return fmt.Errorf("unknown built-in %q; there is %s", name, strings.Join(builtins.Names(), ", "))
}

func readOptions(_ *decoder, path string, n ast.Node) (map[string]any, error) {
	with, ok := plain(n).(map[string]any)
	if !ok {
		return nil, fmt.Errorf("%s: want a mapping of options", path)
	}
	return with, nil
}

func readPolicy(d *decoder, path string, n ast.Node) (hooks.Policy, error) {
	s, err := readText(d, path, n)
	if err != nil {
		return "", err
	}
	return hooks.ParsePolicy(string(s))
}

func readMode(d *decoder, path string, n ast.Node) (hooks.Mode, error) {
	s, err := readText(d, path, n)
	if err != nil {
		return "", err
	}
	return hooks.ParseMode(string(s))
}

// What the decision log may keep of an event.
const (
	RecordDecisions = "decisions"
	RecordEvents    = "events"
	RecordOff       = "off"
)

func readRecording(d *decoder, path string, n ast.Node) (recording, error) {
	s, err := readText(d, path, n)
	known := []string{RecordDecisions, RecordEvents, RecordOff}
	if err == nil && !slices.Contains(known, string(s)) {
		err = fmt.Errorf("%s: want decisions, events or off%s", path, spelling.DidYouMean(string(s), known))
	}
	return recording(s), err
}

func readDuration(_ *decoder, path string, n ast.Node) (duration, error) {
	s := written(n)
	t, err := hooks.ParseTimeout(s)
	if err != nil {
		return 0, fmt.Errorf("%s is %q, want a duration like \"200ms\" or \"2s\"", path, s)
	}
	return duration(t), nil
}

func readInstructions(_ *decoder, path string, n ast.Node) (instructions, error) {
	i, ok := scalar(n).(int64)
	if !ok || i < 1 {
		return 0, fmt.Errorf("%s: want a whole number above 0", path)
	}
	return instructions(i), nil
}

func readFollowups(_ *decoder, path string, n ast.Node) (followups, error) {
	i, ok := scalar(n).(int64)
	if !ok || i < 0 || i > math.MaxInt32 {
		return 0, fmt.Errorf("%s: want a whole number from 0", path)
	}
	return followups(i), nil
}

func readSize(_ *decoder, path string, n ast.Node) (size, error) {
	s := written(n)
	bytes, ok := parseSize(s)
	switch {
	case !ok:
		return 0, fmt.Errorf("%s is %q, want a size like \"64MiB\" or \"100MB\"", path, s)
	case bytes < MinMemory:
		return 0, fmt.Errorf("%s is %q, want at least 1MiB", path, s)
	}
	return size(bytes), nil
}

var sizeUnits = map[string]int64{
	"": 1, "b": 1,
	"kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30,
	"kb": 1e3, "mb": 1e6, "gb": 1e9,
}

// parseSize reads a whole number of bytes, or one followed by a unit.
func parseSize(text string) (bytes int64, ok bool) {
	digits := strings.TrimRight(text, " BKMGibkmg")
	unit, known := sizeUnits[strings.ToLower(strings.TrimSpace(text[len(digits):]))]
	n, err := strconv.ParseUint(digits, 10, 63)
	if err != nil || !known || int64(n) > math.MaxInt64/unit {
		return 0, false
	}
	return int64(n) * unit, true
}

// Bounds of matchers. They are compiled here, and run at every event.
const (
	maxPattern  = 4000   // bytes of one
	maxPrograms = 50_000 // instructions of all in one file
)

func readMatcher(d *decoder, _ string, n ast.Node) (*hooks.Matcher, error) {
	switch v := plain(n).(type) {
	case string:
		if err := d.charge(v); err != nil {
			return nil, err
		}
		return hooks.ParseMatcherWith(v, d.chargePattern)
	case map[string]any:
		fields := map[string]string{}
		for k, e := range v {
			s, ok := e.(string)
			if !ok {
				return nil, fmt.Errorf("match.%s: want a pattern", k)
			}
			if err := d.charge(s); err != nil {
				return nil, err
			}
			fields[k] = s
		}
		return hooks.MatchFieldsWith(fields, d.chargePattern)
	}
	return nil, errors.New("match: want a pattern or a mapping of fields to patterns")
}

// How much work of reading patterns counts as one instruction of their programs, and what each pattern costs in
// addition.
const (
	workPerInstruction = 16
	patternUnits       = 20
)

// charge counts the text of a pattern.
func (d *decoder) charge(pattern string) error {
	if len(pattern) > maxPattern {
		return fmt.Errorf("match: a pattern of more than %d bytes; let the hook look at the event itself", maxPattern)
	}
	return d.chargeUnits(len(pattern))
}

// chargePattern counts what reading and compiling a regular expression or a glob takes.
func (d *decoder) chargePattern(work, size int) error {
	if size > 0 {
		size += patternUnits
	}
	return d.chargeUnits(work/workPerInstruction + size)
}

func (d *decoder) chargeUnits(units int) error {
	if d.patterns += units; d.patterns > maxPrograms {
		return errors.New("match: the patterns of this file are too large together; let hooks look at the event themselves")
	}
	return nil
}

// Stores without a URL.
const (
	StoreFile   = "file"
	StoreMemory = "memory"
)

// storeSchemes are the schemes of a Redis URL.
var storeSchemes = []string{"redis", "rediss", "unix", "redis+cluster", "rediss+cluster"}

// unshown is [reader] for values that may hold a password: messages don't quote the line.
func unshown[T any](read func(d *decoder, path string, n ast.Node) (T, error)) func(*decoder, string, ast.Node, reflect.Value) {
	return func(d *decoder, path string, n ast.Node, into reflect.Value) {
		v, err := read(d, path, n)
		if err != nil {
			at := d.place(n)
			at.hidden = true
			d.fail(at, "%v", err)
			return
		}
		into.Set(reflect.ValueOf(&v).Elem())
	}
}

func readStoreURL(d *decoder, path string, n ast.Node) (storeURL, error) {
	s, err := readText(d, path, n)
	if err != nil {
		return "", err
	}
	if s == StoreFile || s == StoreMemory {
		return storeURL(s), nil
	}
	u, err := url.Parse(string(s))
	switch {
	case err != nil: // the text may hold a password, and so may the error
		return "", fmt.Errorf("%s: not a URL; write redis://host:6379/0", path)
	case u.Scheme == "":
		return "", fmt.Errorf("%s: want file, memory or a URL like redis://host:6379/0%s", path, spelling.DidYouMean(string(s), []string{StoreFile, StoreMemory}))
	case !slices.Contains(storeSchemes, u.Scheme):
		return "", fmt.Errorf("%s: %s:// is not a store%s; there are file, memory, redis://, rediss:// (with TLS), unix:// (a socket), redis+cluster:// and rediss+cluster://", path, u.Scheme, spelling.DidYouMean(u.Scheme, storeSchemes))
	case u.Scheme != "unix" && u.Hostname() == "":
		return "", fmt.Errorf("%s: the URL names no host; write redis://host:6379/0", path)
	case u.Scheme == "unix" && u.Path == "":
		return "", fmt.Errorf("%s: the URL names no socket; write unix:///run/redis.sock?db=0", path)
	}
	return storeURL(s), nil
}

// The trackers of tasks.
const (
	TasksFile  = "file"
	TasksBeads = "bd"
)

// Tasks says which tracker has the tasks of hooks.
type Tasks struct {
	Tracker string // TasksFile or TasksBeads; "": not set
	Path    string // of the file; a relative one starts at luahook's state folder; "": the default
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
			return t, fmt.Errorf("%s: write bd, the name of beads' command", path)
		case s != TasksFile && s != TasksBeads:
			return t, fmt.Errorf("%s: %q is not a tracker; want file, bd, or {file: PATH}%s", path, s, spelling.DidYouMean(string(s), []string{TasksFile, TasksBeads}))
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
		return t, fmt.Errorf("%s.file: %q: write the path in full; ~ is not expanded here", path, file)
	case strings.ContainsRune(file, 0) || strings.HasSuffix(file, "/") || strings.HasSuffix(file, string(filepath.Separator)):
		return t, fmt.Errorf("%s.file: %q is not the path of a file", path, file)
	default:
		return Tasks{Tracker: TasksFile, Path: file}, nil
	}
}
