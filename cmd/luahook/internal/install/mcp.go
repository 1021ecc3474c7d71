package install

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/luahook/luahook/internal/spelling"
)

// mcpHost is where an agent's MCP servers are written.
type mcpHost struct {
	title   string
	user    func(t *Target) ([]string, error) // the files of the user's own servers
	project []string                          // those of a project, below its root
	servers [][]string                        // the keys that lead to the objects with servers; "*" is any
}

// mcpServers is the key under which most agents have them.
var mcpServers = [][]string{{"mcpServers"}}

// mcpHosts are the agents by their names. Codex has a TOML file, and opencode writes a command with its arguments as
// one list.
var mcpHosts = sync.OnceValue(func() map[string]mcpHost {
	return map[string]mcpHost{
		"claude":         {"Claude Code", claudeServers, []string{".mcp.json"}, [][]string{{"mcpServers"}, {"projects", "*", "mcpServers"}}},
		"claude-desktop": {"Claude Desktop", desktopServers, nil, mcpServers},
		"codex":          {"Codex", below(inEnv("CODEX_HOME", "", ".codex"), "config.toml"), []string{".codex/config.toml"}, nil},
		"cursor":         {"Cursor", below(inHome(".cursor"), "mcp.json"), []string{".cursor/mcp.json"}, mcpServers},
		"gemini":         {"Gemini CLI", below(inEnv("GEMINI_CLI_HOME", ".gemini", ".gemini"), "settings.json"), []string{".gemini/settings.json"}, mcpServers},
		"qwen":           {"Qwen Code", below(inEnv("QWEN_HOME", "", ".qwen"), "settings.json"), []string{".qwen/settings.json"}, mcpServers},
		"vscode":         {"VS Code", below(inProfile("Code/User"), "mcp.json"), []string{".vscode/mcp.json"}, [][]string{{"servers"}}},
		"windsurf":       {"Windsurf", below(inHome(".codeium/windsurf"), "mcp_config.json"), nil, mcpServers},
		"opencode": {
			"opencode", below(inConfig("opencode"), "opencode.json", "opencode.jsonc"),
			[]string{"opencode.json", "opencode.jsonc", ".opencode/opencode.json", ".opencode/opencode.jsonc"}, [][]string{{"mcp"}, {"mcp", "servers"}},
		},
	}
})

// MCPAgents are the names of the agents whose MCP servers can be put behind a gate.
func MCPAgents() []string { return slices.Sorted(maps.Keys(mcpHosts())) }

// below are files in a folder.
func below(folder func(t *Target) (string, error), names ...string) func(t *Target) ([]string, error) {
	return func(t *Target) ([]string, error) {
		dir, err := folder(t)
		if err != nil {
			return nil, err
		}
		var all []string
		for _, name := range names {
			all = append(all, filepath.Join(dir, name))
		}
		return all, nil
	}
}

// inProfile is a folder of an application's settings.
func inProfile(path string) func(t *Target) (string, error) {
	return func(t *Target) (string, error) {
		switch runtime.GOOS {
		case "windows":
			return inEnv("APPDATA", filepath.FromSlash(path), "AppData/Roaming/"+path)(t)
		case "darwin":
			return inHome("Library/Application Support/" + path)(t)
		}
		return inConfig(path)(t)
	}
}

func claudeServers(t *Target) ([]string, error) {
	return below(inEnv("CLAUDE_CONFIG_DIR", "", ""), ".claude.json")(t)
}

func desktopServers(t *Target) ([]string, error) {
	return below(inProfile("Claude"), "claude_desktop_config.json")(t)
}

// Server is an MCP server in an agent's settings.
type Server struct {
	File string
	Name string
	Why  string // it can't be put behind a gate; "": it is
}

// MCP plans to put a gate before the MCP servers of an agent that are programs, or to take it away. The servers are
// those that the files have, each once. What else stands there stays byte for byte.
func (t *Target) MCP(agent string, remove bool) (title string, plan *Plan, servers []Server, err error) {
	h, known := mcpHosts()[agent]
	if !known {
		return "", nil, nil, fmt.Errorf("no MCP servers of %q are known%s", agent, cmp.Or(spelling.DidYouMean(agent, MCPAgents()), "; there are those of "+strings.Join(MCPAgents(), ", ")))
	}
	paths, err := h.files(t)
	if err != nil {
		return "", nil, nil, err
	}
	plan = &Plan{target: t, gates: true}
	for _, path := range paths {
		if path, err = t.resolve(path); err != nil {
			return "", nil, nil, err
		}
		before, err := readFile(path)
		if err != nil {
			return "", nil, nil, err
		}
		if isEmpty(before) {
			continue
		}
		after, found, gated, err := h.edit(t.Program, path, before, remove)
		if err != nil {
			return "", nil, nil, fileError(path, err)
		}
		for i := range found {
			found[i].File = path
		}
		servers = append(servers, found...)
		if bytes.Equal(before, after) {
			continue
		}
		c := change{file: file{path: path}, before: before, after: after, keep: !remove && gated == 0}
		if remove {
			if err := h.restore(&c); err != nil {
				return "", nil, nil, fileError(path, err)
			}
		}
		plan.add(c)
	}
	return h.title, plan, servers, nil
}

func (h mcpHost) files(t *Target) ([]string, error) {
	if t.Project == "" {
		return h.user(t)
	}
	if len(h.project) == 0 {
		return nil, fmt.Errorf("%s has no MCP servers of a project; leave --project out", h.title)
	}
	var all []string
	for _, name := range h.project {
		all = append(all, filepath.Join(t.Project, filepath.FromSlash(name)))
	}
	return all, nil
}

// restore takes the backup of which putting gates makes what is there now.
func (h mcpHost) restore(c *change) error {
	backups, err := backupsOf(c.path)
	if err != nil {
		return err
	}
	program := gateProgram(h, c)
	for _, b := range backups {
		again, _, gated, err := h.edit(program, c.path, b.text, false)
		if err == nil && gated == 0 && bytes.Equal(again, c.before) || bytes.Equal(b.text, c.after) {
			c.after, c.drop = b.text, b.path
			return nil
		}
	}
	return nil
}

// edit puts gates before the servers of a file, or takes them away. gated is how many had one.
func (h mcpHost) edit(program, path string, text []byte, remove bool) (after []byte, servers []Server, gated int, err error) {
	find := h.inJSON
	if filepath.Ext(path) == ".toml" {
		find = inTOML
	}
	entries, err := find(text)
	if err != nil {
		return nil, nil, 0, err
	}
	var edits []replacement
	for _, e := range entries {
		if e.isGate() {
			gated++
		}
		server := Server{Name: e.name, Why: e.why}
		switch {
		case e.why != "":
		case remove && e.isGate():
			removed, err := e.ungate()
			if err != nil {
				return nil, nil, 0, err
			}
			edits = append(edits, removed...)
		case !remove && !e.isGate():
			edits = append(edits, e.gate(program)...)
		}
		servers = append(servers, server)
	}
	slices.SortStableFunc(edits, func(a, b replacement) int { return b.from - a.from })
	after = slices.Clone(text)
	for _, e := range edits {
		after = slices.Replace(after, e.from, e.to, []byte(e.with)...)
	}
	if again, err := find(after); err != nil || len(again) != len(entries) {
		return nil, nil, 0, errors.New("its servers can't be rewritten; put luahook mcp before them by hand")
	}
	return after, servers, gated, nil
}

// replacement is new text for a part of a file.
type replacement struct {
	from, to int
	with     string
}

// word is a string that stands in a file.
type word struct {
	from, to int
	text     string
}

// mcpEntry is a server that stands in a file.
type mcpEntry struct {
	name    string
	why     string // it has no command
	line    int
	command word   // "": it is the first of args
	args    []word // nil and open 0: there are none
	open    int    // where their first would stand
	quote   func(text string) string
	addArgs func(list string) string // what follows the command where there are no arguments
}

// words are the command and its arguments.
func (e *mcpEntry) words() []word {
	if e.command.to == 0 {
		return e.args
	}
	return append([]word{e.command}, e.args...)
}

// isGate reports whether the server is luahook's gate already.
func (e *mcpEntry) isGate() bool {
	all := e.words()
	if e.why != "" || len(all) < 2 || all[1].text != "mcp" {
		return false
	}
	base := all[0].text[strings.LastIndexAny(all[0].text, `/\`)+1:]
	return strings.TrimSuffix(strings.ToLower(base), ".exe") == "luahook"
}

// gate puts the gate before a server.
func (e *mcpEntry) gate(program string) []replacement {
	list := []string{"mcp", "--name", e.name, "--"}
	if e.command.to == 0 {
		list = append([]string{program}, list...)
	} else {
		list = append(list, e.command.text)
	}
	for i := range list {
		list[i] = e.quote(list[i])
	}
	text := strings.Join(list, ", ")
	if e.command.to == 0 {
		return []replacement{{e.open, e.open, text + ", "}}
	}
	edits := []replacement{{e.command.from, e.command.to, e.quote(program)}}
	switch {
	case len(e.args) > 0:
		return append(edits, replacement{e.open, e.open, text + ", "})
	case e.open > 0:
		return append(edits, replacement{e.open, e.open, text})
	}
	edits[0].with += e.addArgs("[" + text + "]")
	return edits
}

// ungate takes it away.
func (e *mcpEntry) ungate() ([]replacement, error) {
	all := e.words()
	at := slices.IndexFunc(all, func(w word) bool { return w.text == "--" })
	if at < 0 || at+1 >= len(all) {
		return nil, &syntaxError{Line: e.line, Cause: fmt.Sprintf("luahook stands here before no command of %s; take it out by hand", excerpt(e.name))}
	}
	if e.command.to == 0 {
		return []replacement{{all[0].from, all[at+1].from, ""}}, nil
	}
	edits := []replacement{{e.command.from, e.command.to, e.quote(all[at+1].text)}}
	if at+2 < len(all) {
		return append(edits, replacement{all[1].from, all[at+2].from, ""}), nil
	}
	return append(edits, replacement{all[1].from, all[at+1].to, ""}), nil
}

// gateProgram is the luahook that a file calls.
func gateProgram(h mcpHost, c *change) string {
	find := h.inJSON
	if filepath.Ext(c.path) == ".toml" {
		find = inTOML
	}
	entries, err := find(c.before)
	if err != nil {
		return ""
	}
	for _, e := range entries {
		if e.isGate() {
			return e.words()[0].text
		}
	}
	return ""
}

// inJSON finds the servers of a JSON file.
func (h mcpHost) inJSON(text []byte) ([]mcpEntry, error) {
	d, err := openDocument(text)
	if err != nil {
		return nil, err
	}
	var all []mcpEntry
	for _, path := range h.servers {
		for _, object := range d.root.along(path) {
			for _, it := range object.items {
				if len(path) == 1 && path[0] == "mcp" && it.value.get("type") == nil {
					continue // of opencode, and no server
				}
				all = append(all, d.server(it))
			}
		}
	}
	return all, nil
}

// along are the objects at the end of a path.
func (n *node) along(path []string) []*node {
	if n == nil || n.kind != '{' {
		return nil
	}
	if len(path) == 0 {
		return []*node{n}
	}
	var all []*node
	for _, it := range n.items {
		if path[0] == "*" || it.name == path[0] {
			all = append(all, it.value.along(path[1:])...)
		}
	}
	return all
}

// server reads one server.
func (d *document) server(it item) mcpEntry {
	e := mcpEntry{name: it.name, line: lineOf(d.text, it.from), quote: quoteJSON}
	command, args := it.value.get("command"), it.value.get("args")
	asWord := func(n *node) word { return word{n.from, n.to, n.text} }
	list := args
	switch {
	case command == nil:
		e.why = "it has no command"
		return e
	case command.kind == '[':
		list = command
	case command.kind == '"' && command.text != "":
		e.command = asWord(command)
	default:
		e.why = "its command is no text"
		return e
	}
	e.addArgs = func(text string) string {
		m := it.value.member("command")
		before := ", "
		if startsLine(d.text, m.from) {
			before = "," + d.newline + indentAt(d.text, m.from)
		}
		return before + `"args"` + d.colon + text
	}
	if list == nil {
		return e
	}
	if list.kind != '[' || slices.ContainsFunc(list.items, func(a item) bool { return a.value.kind != '"' }) {
		return mcpEntry{name: it.name, why: "its arguments are no list of texts"}
	}
	e.open = list.from + 1
	for i, a := range list.items {
		if i == 0 {
			e.open = a.value.from
		}
		e.args = append(e.args, asWord(a.value))
	}
	if command.kind == '[' && len(e.args) == 0 {
		return mcpEntry{name: it.name, why: "its command is empty"}
	}
	return e
}
