package engine_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/luahook/luahook/hooks"
)

// hostileScript is a file of testdata/hostile: a hook script that means harm, and in
// the comments at its top what must become of it.
//
//	-- title: what it tries
//	-- expect: limit memory      how its last fire must end; alternatives are joined by "or"
//	-- says: too deep            what the error's message contains
//	-- event: pre_tool_call      what is fired (its sample)
//	-- fires: 1                  how often, one after the other; metadata.fire counts,
//	                             metadata.heap is how addresses of the heap begin
//	-- goroutines: 1             from how many goroutines, each so often
//	-- command: 0                bytes of a command that is fired instead of the sample's
//	-- data: 0                   bytes of text in tool_call.input.data
//	-- output: 0                 bytes of text, in lines, in tool_call.output
//	-- bare: yes                 the source begins below these comments
//
// A script whose folder holds a folder lib is loaded as a project's, with those files
// under .hooks/lib. {{repeat 3 "x%d "}} in a source stands for x1 x2 x3, for sources
// that are too large to store.
type hostileScript struct {
	name, title, source string
	libraries           map[string]string // file name -> source; nil: no project
	event               hooks.Event
	expect, says        []string
	fires, goroutines   int
	command, data       int
	output              int
	given, want         string // of a control script
}

const hostileDir = "testdata/hostile"

// hostileNames lists the scripts.
func hostileNames() (names []string, err error) {
	err = filepath.WalkDir(hostileDir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".lua" || filepath.Base(filepath.Dir(path)) == "lib" {
			return err
		}
		name, err := filepath.Rel(hostileDir, path)
		names = append(names, strings.TrimSuffix(filepath.ToSlash(name), ".lua"))
		return err
	})
	return names, err
}

// emptyScript is the run that others are measured against.
const emptyScript = "empty"

func readHostile(name string) (*hostileScript, error) {
	s := &hostileScript{name: name, event: hooks.PreToolCall, fires: 1, goroutines: 1}
	if name == emptyScript {
		s.source = `on("pre_tool_call", function() return context("held") end)`
		return s, nil
	}
	path := filepath.Join(hostileDir, filepath.FromSlash(name)+".lua")
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	body, err := s.header(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if s.source, err = expand(body); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	libraries, err := filepath.Glob(filepath.Join(filepath.Dir(path), "lib", "*.lua"))
	for _, file := range libraries {
		if s.libraries == nil {
			s.libraries = map[string]string{}
		}
		source, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		s.libraries[filepath.Base(file)] = string(source)
	}
	return s, err
}

// header reads the comments at the top and gives the source.
func (s *hostileScript) header(text string) (source string, err error) {
	size, bare := 0, false
	for line := range strings.Lines(text) {
		comment, ok := strings.CutPrefix(line, "-- ")
		if !ok {
			break
		}
		size += len(line)
		key, value, _ := strings.Cut(strings.TrimSpace(comment), ": ")
		switch key {
		case "title":
			s.title = value
		case "expect":
			s.expect = strings.Split(value, " or ")
		case "says":
			s.says = append(s.says, value)
		case "event":
			s.event, err = hooks.ParseEvent(value)
		case "fires":
			s.fires, err = strconv.Atoi(value)
		case "goroutines":
			s.goroutines, err = strconv.Atoi(value)
		case "command":
			s.command, err = strconv.Atoi(value)
		case "data":
			s.data, err = strconv.Atoi(value)
		case "output":
			s.output, err = strconv.Atoi(value)
		case "given":
			s.given = value
		case "want":
			s.want = value
		case "bare":
			bare = value == "yes"
		}
		if err != nil {
			return "", fmt.Errorf("%s: %w", key, err)
		}
	}
	if s.title == "" || (len(s.expect) == 0 && s.want == "") {
		return "", fmt.Errorf("it has no title or says not what to expect")
	}
	if bare {
		return text[size:], nil
	}
	return text, nil
}

var repetition = regexp.MustCompile(`\{\{repeat (\d+) ("(?:[^"\\]|\\.)*")\}\}`)

// expand writes out the repetitions in a source.
func expand(source string) (string, error) {
	var failed error
	source = repetition.ReplaceAllStringFunc(source, func(found string) string {
		parts := repetition.FindStringSubmatch(found)
		count, err := strconv.Atoi(parts[1])
		unit, err2 := strconv.Unquote(parts[2])
		if err != nil || err2 != nil {
			failed = fmt.Errorf("%s: not understood", found)
			return ""
		}
		if !strings.Contains(unit, "%d") {
			return strings.Repeat(unit, count)
		}
		var b strings.Builder
		for i := range count {
			b.WriteString(strings.ReplaceAll(unit, "%d", strconv.Itoa(i+1)))
		}
		return b.String()
	})
	return source, failed
}

// context is the n-th event that is fired at the script.
func (s *hostileScript) context(n int) (*hooks.Context, error) {
	text := hooks.Sample(hooks.Lookup(s.event))
	if s.given != "" {
		text = []byte(s.given)
	}
	c, err := hooks.DecodeContext(text, s.event)
	if err != nil {
		return nil, err
	}
	if c.Metadata == nil {
		c.Metadata = map[string]any{}
	}
	c.Metadata["fire"], c.Metadata["heap"] = int64(n), heapPrefix()
	if s.command > 0 {
		c.ToolCall.Command = strings.Repeat("a", s.command)
		c.ToolCall.Input["command"] = c.ToolCall.Command
	}
	if s.data > 0 {
		c.ToolCall.Input["data"] = strings.Repeat("a", s.data)
	}
	if s.output > 0 {
		const line = "ok  \tshop/cart/internal/rounding\t0.412s  coverage: 81.2% of statements\n"
		c.ToolCall.Output = strings.Repeat(line, s.output/len(line)+1)[:s.output]
	}
	return c, nil
}
