package hooks

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"sort"
	"strings"

	"github.com/luahook/luahook/internal/spelling"
)

// Matcher decides for which events of its name a hook runs. It is immutable and doesn't enter Lua.
type Matcher struct {
	text  string // of a matcher written as a string: applied to the event's MatchOn
	any   *pattern
	field []fieldPattern // of a table: all must match
	root  string         // where relative path patterns start; see In
}

type fieldPattern struct {
	key     string
	pattern *pattern
}

// ParseMatcher reads the string form: an exact name, a list "a|b", globs ("edit*", "mcp__github__*", alone or in
// a list) or "/re2/". It is applied to the field that the catalogue names for the event. For a tool that is the
// canonical and the host's name, so "bash" also matches Bash, Shell and run_shell_command. Case is ignored. ""
// and "*" match everything.
func ParseMatcher(s string) (*Matcher, error) { return ParseMatcherWith(s, spendNothing) }

func spendNothing(work, size int) error { return nil }

// ParseMatcherWith is ParseMatcher for a caller who must be charged for the work. It calls spend before each
// regular expression and each glob is read, with the work, in units of some nanoseconds, and before it is
// compiled, with its instructions, some 250 bytes each. An error of spend refuses the matcher.
func ParseMatcherWith(s string, spend func(work, size int) error) (*Matcher, error) {
	if s == "" || s == "*" {
		return nil, nil
	}
	if s[0] == '!' {
		return nil, fmt.Errorf("match: %q: a matcher can't leave names out; let the hook look at ev itself", s)
	}
	p, err := parsePattern(s, false, spend)
	if err != nil {
		return nil, err
	}
	return &Matcher{text: s, any: p}, nil
}

// MatchFields reads the table form: field names with a pattern each, all of which must match. The names are
// those of the event; for a tool call also kind, path (any of its files), tool (its names) and command, and
// dotted ones like "error.kind". In path patterns "*" stops at a slash and "**" doesn't, and case counts. A
// relative pattern starts at the project's root (see [Matcher.In]), and one without a slash matches a file with
// that name in any folder. file is like path, but includes the files that a shell command names or touches
// without naming them: see [ToolCall.Files].
func MatchFields(fields map[string]string) (*Matcher, error) {
	return MatchFieldsWith(fields, spendNothing)
}

// MatchFieldsWith is MatchFields with a spend function, as in [ParseMatcherWith].
func MatchFieldsWith(fields map[string]string, spend func(work, size int) error) (*Matcher, error) {
	if len(fields) == 0 {
		return nil, fmt.Errorf("match: the table is empty")
	}
	m := &Matcher{}
	for key, s := range fields {
		key = fieldAlias(key)
		p, err := parsePattern(s, key == "tool_call.paths" || key == "tool_call.files", spend)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", key, err)
		}
		m.field = append(m.field, fieldPattern{key, p})
	}
	sort.Slice(m.field, func(i, j int) bool { return m.field[i].key < m.field[j].key })
	return m, nil
}

// MustMatch is [ParseMatcher] for a pattern that is known to be good; it panics on
// one that isn't.
func MustMatch(s string) *Matcher {
	m, err := ParseMatcher(s)
	if err != nil {
		panic(err)
	}
	return m
}

// fieldAlias expands the short names of a tool call's fields.
func fieldAlias(key string) string {
	switch key {
	case "kind", "command":
		return "tool_call." + key
	case "path", "paths":
		return "tool_call.paths"
	case "file", "files":
		return "tool_call.files"
	case "tool", "tool_name":
		return "tool_call.name"
	}
	return key
}

// shortField is how people write a field: the opposite of fieldAlias.
func shortField(key string) string {
	switch key {
	case "tool_call.paths":
		return "path"
	case "tool_call.files":
		return "file"
	case "tool_call", "tool_call.name":
		return "tool"
	}
	return strings.TrimPrefix(key, "tool_call.")
}

// String returns the matcher as a person would write it.
func (m *Matcher) String() string {
	if m == nil {
		return "*"
	}
	if m.any != nil {
		return m.text
	}
	parts := make([]string, len(m.field))
	for i, f := range m.field {
		parts[i] = fmt.Sprintf("%s=%q", shortField(f.key), f.pattern.text)
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// Tool is the pattern, as written, for the names of the tool of an event of this kind; "": the matcher doesn't look at them.
func (m *Matcher) Tool(info *EventInfo) string {
	if m == nil || info == nil {
		return ""
	}
	if m.any != nil && info.MatchOn == "tool_call" {
		return m.text
	}
	for _, f := range m.field {
		if f.key == "tool_call.name" {
			return f.pattern.text
		}
	}
	return ""
}

// Equal reports whether two matchers are written in the same way and start at the same folder (see [Matcher.In]), so
// that they match the same events.
func (m *Matcher) Equal(other *Matcher) bool {
	if m == nil || other == nil {
		return m == other
	}
	if m.text != other.text || m.root != other.root || len(m.field) != len(other.field) {
		return false
	}
	for i, f := range m.field {
		if o := other.field[i]; f.key != o.key || f.pattern.text != o.pattern.text {
			return false
		}
	}
	return true
}

// Check returns an error if the matcher can never match an event of this kind: the event must have the field
// that the matcher names.
func (m *Matcher) Check(info *EventInfo) error {
	if m == nil {
		return nil
	}
	if m.any != nil && info.MatchOn == "" {
		return fmt.Errorf("match: %s has nothing that a name could match; use a table of its fields, or leave match out", info.Name)
	}
	if m.any != nil && info.MatchOn == "tool_call" {
		if err := m.any.checkToolName(); err != nil {
			return err
		}
	}
	for _, f := range m.field {
		if f.key == "tool_call.name" {
			if err := f.pattern.checkToolName(); err != nil {
				return err
			}
		}
		root, rest, dotted := strings.Cut(f.key, ".")
		field := info.Field(root)
		if field == nil {
			return fmt.Errorf("match: %s has no field %q%s", info.Name, root, spelling.DidYouMean(root, matchable(info)))
		}
		keys := recordKeys(root)
		isRecord := keys != nil
		switch {
		case dotted && isRecord && !contains(keys, rest):
			return fmt.Errorf("match: %s has no field %q%s", root, rest, spelling.DidYouMean(rest, keys))
		case dotted && !isRecord && root != "metadata", !dotted && (isRecord || field.Type == Object || field.Type == List), f.key == "tool_call.input":
			return fmt.Errorf("match: %q can't be matched; name a field of it", f.key)
		}
		if f.key == "event" || f.key == "canonical_event" {
			for _, word := range f.pattern.exact {
				if e, err := ParseEvent(word); err == nil && string(e) != strings.ToLower(word) {
					return fmt.Errorf("match: event is never %q here; write %q, or leave it out", word, e)
				}
			}
		}
		if known := matchedWords(f.key); known != nil {
			for _, word := range f.pattern.exact {
				if !contains(known, strings.ToLower(word)) {
					return fmt.Errorf("match: %s is never %q%s", f.key, word, spelling.DidYouMean(word, known))
				}
			}
		}
	}
	return nil
}

// Never returns why no event can match although each pattern alone could, or "" if one can: the patterns are for
// tools of different kinds.
func (m *Matcher) Never() string {
	if m == nil {
		return ""
	}
	words := func(key string) ([]string, bool) { // all values that the field may have
		for _, f := range m.field {
			if f.key == key {
				return f.pattern.exact, len(f.pattern.globs) == 0
			}
		}
		return nil, false
	}
	has := func(key string) bool {
		return slices.ContainsFunc(m.field, func(f fieldPattern) bool { return f.key == key })
	}
	isShell := func(kind string) bool { return strings.EqualFold(kind, string(KindShell)) }
	kinds, kindsKnown := words("tool_call.kind")
	tools, toolsKnown := words("tool_call.name")
	shellTool := func(name string) bool { _, kind := CanonicalTool(name); return kind == KindShell }
	shells := kindsKnown && all(kinds, isShell) || toolsKnown && all(tools, shellTool)
	switch {
	case shells && has("tool_call.paths"):
		return "a shell tool has no path, only files that its command names; match file instead"
	case kindsKnown && !slices.ContainsFunc(kinds, isShell) && has("tool_call.command"):
		return "only tools of kind shell have a command"
	case kindsKnown && !slices.ContainsFunc(kinds, isShell) && toolsKnown && all(tools, shellTool):
		return fmt.Sprintf("tool %s is of kind shell, and kind leaves that out", strings.Join(tools, "|"))
	}
	return ""
}

func all(list []string, is func(string) bool) bool {
	return !slices.ContainsFunc(list, func(s string) bool { return !is(s) })
}

// matchable lists the names that a table of patterns may use: the event's fields, and the short names of a tool
// call's fields.
func matchable(info *EventInfo) []string {
	names := info.FieldNames()
	if info.own("tool_call") != nil {
		names = append(names, "kind", "path", "tool", "command")
	}
	return names
}

// matchedWords are the values of a field whose values are all known; nil for any other.
func matchedWords(field string) []string {
	switch field {
	case "tool_call.kind":
		return kinds
	case "tool_call.outcome":
		return outcomes
	}
	return nil
}

// recordKeys are the keys of a field that is a record; nil for any other.
func recordKeys(field string) []string {
	switch field {
	case "tool_call":
		return toolKeys
	case "error":
		return errorKeys
	case "usage":
		return usageKeys
	}
	return nil
}

// Matches reports whether the hook runs for a complete event.
func (m *Matcher) Matches(c *Context) bool {
	matches, _ := m.Match(c)
	return matches
}

// Match is Matches, and also returns how much work it was: bytes of text times instructions of the pattern, some
// nanoseconds each. A matcher whose work would exceed 2^26 matches without looking further: its hook runs and
// must look itself.
func (m *Matcher) Match(c *Context) (matches bool, work int) {
	if c == nil {
		return true, 0
	}
	return m.MatchAs(Lookup(c.Event), c)
}

// MatchAs is Match for a caller who has looked up the event; info is nil if it isn't known.
func (m *Matcher) MatchAs(info *EventInfo, c *Context) (matches bool, work int) {
	matches = m.match(info, c, &work)
	return matches, work
}

func (m *Matcher) match(info *EventInfo, c *Context, work *int) bool {
	if m == nil || c == nil { // without a matcher or an event it matches
		return true
	}
	if m.any != nil {
		return info != nil && m.matchField(c, info.MatchOn, m.any, work)
	}
	for _, f := range m.field {
		if !m.matchField(c, f.key, f.pattern, work) {
			return false
		}
	}
	return true
}

func (m *Matcher) matchField(c *Context, key string, p *pattern, work *int) bool {
	switch key {
	case "tool_call", "tool_call.name":
		if c.ToolCall != nil {
			call := c.ToolCall
			return p.match(call.Name, work) || (call.HostName != call.Name && p.match(call.HostName, work))
		}
		// on_retry has only the tool's name.
		hostName, ok := c.Fields["tool_name"].(string)
		name, _ := CanonicalTool(hostName)
		return ok && (p.match(name, work) || p.match(hostName, work))
	case "tool_call.kind":
		return c.ToolCall != nil && p.match(string(c.ToolCall.Kind), work)
	case "tool_call.paths":
		return c.ToolCall != nil && m.matchPaths(c, false, p, work)
	case "tool_call.files":
		return c.ToolCall != nil && m.matchPaths(c, true, p, work)
	}
	switch v := fieldValue(c, key).(type) {
	case string:
		return p.match(v, work)
	case nil:
		return false
	case map[string]any, []any:
		text, err := EncodeJSON(v) // the field may hold anything
		*work += 16 * len(text)
		return err == nil && p.match(string(text), work)
	default:
		return p.match(fmt.Sprint(v), work)
	}
}

// fieldValue is what stands in a field of an event, or in a field of that; nil where there is nothing.
func fieldValue(c *Context, key string) any {
	root, rest, dotted := strings.Cut(key, ".")
	v, _ := c.Value(root)
	if !dotted {
		return v
	}
	switch r := v.(type) {
	case interface{ Value(string) (any, bool) }:
		v, _ = r.Value(rest)
		return v
	case map[string]any:
		return r[rest]
	}
	return nil
}

// matchPaths matches the files of a tool call: those that its input names and, if shell is set, those that its
// shell text names. A relative pattern starts at the root. If it has no root of its own it also starts at those
// of the enclosing projects, so that a project created within another changes no match.
func (m *Matcher) matchPaths(c *Context, shell bool, p *pattern, work *int) bool {
	t, root := c.ToolCall, cmp.Or(m.root, c.Root, c.CWD)
	var around []string
	if m.root == "" {
		around = t.Place.Around
	}
	at := t.Place
	if at.Dir == "" {
		at.Dir = c.CWD
	}
	for _, f := range t.Paths {
		*work += 16 + len(f) + len(at.Dir) // cost of cleaning it
		if full := at.absolute(at.Dir, f); full != "" {
			if p.matchFileIn(full, root, around, false, work) {
				return true
			}
			if real := at.real(full); real != full && p.matchFileIn(real, root, around, false, work) {
				return true
			}
			if !strings.HasPrefix(f, "~") {
				continue
			}
		}
		if p.match(path.Clean(slashed(f)), work) { // the folder isn't known, or the pattern itself starts with ~
			return true
		}
	}
	if !shell || t.Kind != KindShell {
		return false
	}
	*work += 32 * len(t.Command)
	for _, f := range t.Files() {
		if p.matchFileIn(f, root, around, isReach(f), work) {
			return true
		}
	}
	return false
}

// matchFileIn is matchFile as seen from any of several folders. wide says that the file is given by a reach.
func (p *pattern) matchFileIn(full, root string, around []string, wide bool, work *int) bool {
	if p.matchFile(full, root, work) || wide && p.reaches(full, root, work) {
		return true
	}
	for _, root := range around {
		if p.matchFile(full, root, work) || wide && p.reaches(full, root, work) {
			return true
		}
	}
	return false
}

// matchFile matches a file, absolute and cleaned, as it is and as seen from root.
func (p *pattern) matchFile(full, root string, work *int) bool {
	if p.match(full, work) {
		return true
	}
	if root = slashed(root); !isAbsolute(root) {
		return false
	}
	root = path.Clean(root)
	if rest, ok := below(root, full); ok {
		return p.match(rest, work)
	}
	for up := "../"; p.climbs && root != path.Dir(root); up += "../" {
		root = path.Dir(root)
		if rest, ok := below(root, full); ok {
			return p.match(up+rest, work)
		}
	}
	return false
}

// MatchFile reports whether a path pattern matches the file. A relative pattern starts at root, and so does a
// relative file. A file that ends with a slash is a folder with everything in it, and "*" and "?" in it stand
// for unknown parts of its name: then MatchFile reports whether such a file may match, as for [ToolCall.Files].
// Matchers of anything else match nothing.
func (m *Matcher) MatchFile(file, root string) bool {
	if m == nil || len(m.field) != 1 || !m.field[0].pattern.path {
		return false
	}
	work, p := 0, m.field[0].pattern
	full := (&Place{}).absolute(root, file)
	if full == "" {
		full = path.Clean(slashed(file))
	}
	if p.matchFile(full, root, &work) {
		return true
	}
	if len(file) > 1 && file[len(file)-1] == '/' {
		full += "/"
	}
	return isReach(full) && p.reaches(full, root, &work)
}

// FileWork returns how much work [Matcher.MatchFile] is beyond a match of the text itself, 0 for the name of one
// file.
func (m *Matcher) FileWork(file, root string) int {
	if m == nil || len(m.field) != 1 || !isReach(file) && !isReach(root) {
		return 0
	}
	return m.field[0].pattern.reachWork(file, root)
}

// In returns the matcher with its path patterns starting at root: an absolute folder, or "" for the root of the
// event's project, or its working folder if there is none.
func (m *Matcher) In(root string) *Matcher {
	if m == nil || root == "" {
		return m
	}
	placed := *m
	placed.root = root
	return &placed
}

func slashed(p string) string {
	if len(p) > 2 && p[1] == ':' && (p[2] == '\\' || p[2] == '/') {
		return strings.ReplaceAll(p, `\`, "/")
	}
	return p
}

// ExcludesCall reports whether the matcher leaves out an event about a tool call by what is known before the
// call: the tool's names, kind, command and files. What the call comes to may be still to come.
func (m *Matcher) ExcludesCall(info *EventInfo, c *Context) bool {
	if m == nil {
		return false
	}
	work := 0
	if m.any != nil {
		return info.MatchOn == "tool_call" && !m.matchField(c, info.MatchOn, m.any, &work)
	}
	for _, f := range m.field {
		switch f.key {
		case "tool_call", "tool_call.name", "tool_call.kind", "tool_call.command", "tool_call.paths", "tool_call.files":
			if !m.matchField(c, f.key, f.pattern, &work) {
				return true
			}
		}
	}
	return false
}
