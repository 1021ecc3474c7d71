package config

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/luahook/luahook/builtins"
	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/internal/spelling"
)

// MinMemory is the least that limits.memory may say. Below it the heap's ordinary
// ups and downs would stop hooks that do nothing wrong; and who writes 64 has meant
// 64MiB.
const MinMemory = 1 << 20

// readers read the values of each kind that the form has.
var readers = map[reflect.Type]func(d *decoder, path string, n ast.Node, into reflect.Value){
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

// reader stores what read returns, or tells of its error.
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

// CheckBuiltin is an error for a name that no built-in hook has.
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
)

func readRecording(d *decoder, path string, n ast.Node) (recording, error) {
	s, err := readText(d, path, n)
	if err == nil && s != RecordDecisions && s != RecordEvents {
		err = fmt.Errorf("%s: want decisions or events%s", path, spelling.DidYouMean(string(s), []string{RecordDecisions, RecordEvents}))
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

// parseSize reads a whole number of bytes, or one with a unit behind it.
func parseSize(text string) (bytes int64, ok bool) {
	digits := strings.TrimRight(text, " BKMGibkmg")
	unit, known := sizeUnits[strings.ToLower(strings.TrimSpace(text[len(digits):]))]
	n, err := strconv.ParseUint(digits, 10, 63)
	if err != nil || !known || int64(n) > math.MaxInt64/unit {
		return 0, false
	}
	return int64(n) * unit, true
}

// Bounds of matchers. They are compiled here, and asked at every event.
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

// Work of reading patterns that counts as much as an instruction of their programs, and
// what each counts by itself.
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
