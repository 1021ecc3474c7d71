package install

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/luahook/luahook/hooks/wire"
)

// tomlForm is the form of Codex's config.toml: a [[hooks.EVENT]] table for each group, and in it a
// [[hooks.EVENT.hooks]] table for each hook. Codex itself writes tables below [hooks.state], which aren't hooks.
type tomlForm struct{}

// table is a table of a TOML file.
type table struct {
	path     []string
	from, to int // from the line of its header to that of the next one, or to the end

	command                string // what its key of that name says
	commandFrom, commandTo int
}

// tomlFile is a TOML file that was read.
type tomlFile struct {
	tables []table
	values map[string]int // the events that are written as values, and their lines; "" stands for all
	ours   int            // how many commands in it are ours, however they are written
}

// is reports whether a table is one of an event's groups, or with hooks one of their hooks.
func (tb *table) is(hooks bool) bool {
	n := len(tb.path)
	return n > 1 && tb.path[0] == "hooks" && tb.path[1] != "state" && (hooks && n == 3 && tb.path[2] == "hooks" || !hooks && n == 2)
}

// maxTOML is how many keys and tables a TOML file may have: to look for those that stand twice takes the square of that.
const maxTOML = 20_000

// decodeTOML decodes a file into values, and gives it without its byte order mark.
func decodeTOML(text []byte, values any) (body []byte, err error) {
	if bytes.Count(text, []byte("="))+bytes.Count(text, []byte("\n[")) > maxTOML {
		return nil, fmt.Errorf("it has more than %d keys and tables", maxTOML)
	}
	body = bytes.TrimPrefix(text, []byte(byteOrderMark))
	if err := toml.Unmarshal(body, values); err != nil {
		line := 1
		var at *toml.DecodeError
		if errors.As(err, &at) {
			line, _ = at.Position()
		}
		return nil, &syntaxError{Line: line, Cause: strings.TrimPrefix(err.Error(), "toml: ")}
	}
	return body, nil
}

func (tomlForm) parse(t *Target, text []byte) (*tomlFile, error) {
	var values map[string]any
	body, err := decodeTOML(text, &values)
	if err != nil {
		return nil, err
	}
	skipped := len(text) - len(body)
	f := &tomlFile{values: map[string]int{}, ours: t.countOurs(values["hooks"], 0)}
	var p unstable.Parser
	p.Reset(body)
	for p.NextExpression() {
		f.take(p.Expression(), text, skipped)
	}
	if err := p.Error(); err != nil {
		return nil, &syntaxError{Line: 1, Cause: err.Error()} // Unmarshal has found all there is
	}
	if n := len(f.tables); n > 0 {
		f.tables[n-1].to = len(text)
	}
	return f, f.checkShape(values["hooks"], text)
}

// checkShape refuses what Codex doesn't start with.
func (f *tomlFile) checkShape(hooks any, text []byte) error {
	lineOfTable := func(path ...string) int {
		at := slices.IndexFunc(f.tables, func(tb table) bool {
			return len(tb.path) >= len(path) && slices.Equal(tb.path[:len(path)], path)
		})
		if at < 0 {
			return f.values[""]
		}
		return lineOf(text, f.tables[at].from)
	}
	if _, is := hooks.([]any); is {
		return &syntaxError{Line: lineOfTable("hooks"), Cause: "hooks is a list, want a table"}
	}
	events, _ := hooks.(map[string]any)
	for name, groups := range events {
		if _, is := groups.(map[string]any); is && name != "state" && f.values[""] == 0 && f.values[name] == 0 {
			return &syntaxError{Line: lineOfTable("hooks", name), Cause: fmt.Sprintf("hooks.%s is a table, want [[hooks.%[1]s]] tables", name)}
		}
	}
	return nil
}

// take takes one expression up, whose offsets are smaller by skipped than those of the text.
func (f *tomlFile) take(e *unstable.Node, text []byte, skipped int) {
	var path []string
	from := -1
	for key := e.Key(); key.Next(); {
		if from < 0 {
			from = int(key.Node().Raw.Offset) + skipped
		}
		path = append(path, string(key.Node().Data))
	}
	line := bytes.LastIndexByte(text[:from], '\n') + 1
	if e.Kind != unstable.KeyValue {
		if n := len(f.tables); n > 0 {
			f.tables[n-1].to = line
		}
		f.tables = append(f.tables, table{path: path, from: line})
		return
	}
	if n := len(f.tables); n > 0 {
		tb := &f.tables[n-1]
		if v := e.Value(); tb.is(true) && len(path) == 1 && path[0] == "command" && v.Kind == unstable.String {
			tb.command = string(v.Data)
			tb.commandFrom = int(v.Raw.Offset) + skipped
			tb.commandTo = tb.commandFrom + int(v.Raw.Length)
		}
		path = append(slices.Clone(tb.path), path...)
	}
	switch {
	case path[0] != "hooks" || len(path) > 2: // what stands in a group is no event's value
	case len(path) == 1:
		f.values[""] = lineOf(text, from)
	case path[1] != "state":
		f.values[path[1]] = lineOf(text, from)
	}
}

// countOurs counts the commands of ours anywhere in a value.
func (t *Target) countOurs(value any, depth int) int {
	n := 0
	switch v := value.(type) {
	case map[string]any:
		if line, is := v["command"].(string); is && t.isOurs(splitLine(line)) {
			n++
		}
		for _, inner := range v {
			n += t.countOurs(inner, depth+1)
		}
	case []any:
		for _, inner := range v {
			n += t.countOurs(inner, depth+1)
		}
	}
	return n
}

// hasHooks reports whether a config.toml has hooks of anybody's.
func (f tomlForm) hasHooks(t *Target, text []byte) (bool, error) {
	file, err := f.parse(t, text)
	if err != nil {
		return false, err
	}
	group := func(tb table) bool { return tb.is(false) || tb.is(true) }
	return len(file.values) > 0 || slices.ContainsFunc(file.tables, group), nil
}

// entries are the hooks of ours in the file.
func (f tomlForm) entries(t *Target, text []byte) ([]found, error) {
	file, err := f.parse(t, text)
	if err != nil {
		return nil, err
	}
	var all []found
	for i := range file.tables {
		if tb := &file.tables[i]; tb.is(true) {
			if words := splitLine(tb.command); t.isOurs(words) {
				all = append(all, found{event: tb.path[1], words: words})
			}
		}
	}
	if len(all) < file.ours {
		return nil, &syntaxError{
			Line:  file.lineOfOther(text),
			Cause: "luahook stands in hooks that aren't written as [[hooks.EVENT.hooks]] tables; rewrite them so, or take it out by hand",
		}
	}
	return all, nil
}

// lineOfOther is the line of the first luahook that is no command of a hook's table.
func (f *tomlFile) lineOfOther(text []byte) int {
	at := 0
	for {
		next := bytes.Index(text[at:], []byte("luahook"))
		if next < 0 {
			return lineOf(text, at)
		}
		at += next
		known := slices.IndexFunc(f.tables, func(tb table) bool { return tb.commandFrom <= at && at < tb.commandTo })
		if known < 0 {
			return lineOf(text, at)
		}
		at = f.tables[known].commandTo
	}
}

// install adds tables at the end of the file, and brings the command of those that are there up to date.
func (f tomlForm) install(t *Target, text []byte, events []*wire.Event) ([]byte, error) {
	if _, err := f.entries(t, text); err != nil {
		return nil, err
	}
	file, err := f.parse(t, text)
	if err != nil {
		return nil, err
	}
	present := map[string]bool{}
	out := slices.Clone(text)
	for _, tb := range slices.Backward(file.tables) {
		if words := splitLine(tb.command); tb.is(true) && t.isOurs(words) {
			present[tb.path[1]] = true
			if line := commandLine(t.words(tb.path[1])); tb.command != line && named(events, tb.path[1]) {
				out = slices.Replace(out, tb.commandFrom, tb.commandTo, []byte(quoteTOML(line))...)
			}
		}
	}
	nl := newlineOf(text)
	for _, e := range events {
		if present[e.Name] {
			continue
		}
		for _, name := range []string{"", e.Name} {
			if line, isValue := file.values[name]; isValue {
				return nil, &syntaxError{Line: line, Cause: fmt.Sprintf(
					"hooks are written as a value here, to which no table can be added; rewrite it as [[hooks.%s]] tables", e.Name)}
			}
		}
		if !isEmpty(out) {
			if out[len(out)-1] != '\n' {
				out = append(out, nl...)
			}
			out = append(out, nl...)
		}
		for _, line := range []string{
			"[[hooks." + e.Name + "]]", "[[hooks." + e.Name + ".hooks]]", `type = "command"`,
			"command = " + quoteTOML(commandLine(t.words(e.Name))), fmt.Sprintf("timeout = %d", wholeSeconds(e)),
		} {
			out = append(append(out, line...), nl...)
		}
	}
	var wrong *syntaxError // a line of what isn't written
	if _, err := f.parse(t, out); errors.As(err, &wrong) {
		return nil, fmt.Errorf("luahook's tables can't be added: %s", wrong.Cause)
	}
	return out, nil
}

func named(events []*wire.Event, name string) bool {
	return slices.ContainsFunc(events, func(e *wire.Event) bool { return e.Name == name })
}

// remove takes our tables out, and the groups that were around them alone.
func (f tomlForm) remove(t *Target, text []byte, which func(event string) bool) ([]byte, error) {
	if _, err := f.entries(t, text); err != nil {
		return nil, err
	}
	file, err := f.parse(t, text)
	if err != nil {
		return nil, err
	}
	drop := make([]bool, len(file.tables))
	last := map[string]int{} // the group of each event that its next hook belongs to
	kept := make([]bool, len(file.tables))
	for i, tb := range file.tables {
		switch {
		case tb.is(false):
			last[tb.path[1]] = i
		case tb.is(true):
			drop[i] = t.isOurs(splitLine(tb.command)) && which(tb.path[1])
			if group, has := last[tb.path[1]]; has {
				drop[group], kept[group] = drop[group] || drop[i], kept[group] || !drop[i]
			}
		}
	}
	out := slices.Clone(text)
	for i, tb := range slices.Backward(file.tables) {
		if drop[i] && !kept[i] {
			from, to := tb.extent(text)
			out = slices.Delete(out, from, to)
		}
	}
	return out, nil
}

// extent is what of a file a table takes: from the empty line before it to its last line, without the comments and
// empty lines after that.
func (tb *table) extent(text []byte) (from, to int) {
	to = tb.to
	for to > tb.from {
		begin := bytes.LastIndexByte(text[:to-1], '\n') + 1
		if line := bytes.TrimSpace(text[begin:to]); len(line) > 0 && line[0] != '#' {
			break
		}
		to = begin
	}
	from = tb.from
	if begin := bytes.LastIndexByte(text[:max(from-1, 0)], '\n') + 1; from > 0 && isBlank(text[begin:from]) {
		from = begin
	}
	return from, to
}

// quoteTOML is a text as a basic string.
func quoteTOML(text string) string {
	return strings.ReplaceAll(quoteJSON(text), "\x7f", `\u007f`)
}
