package install

import (
	"bytes"
	"fmt"

	"github.com/pelletier/go-toml/v2/unstable"
)

// inTOML finds the servers of Codex's config.toml, which are [mcp_servers.NAME] tables.
func inTOML(text []byte) ([]mcpEntry, error) {
	var values struct {
		Servers map[string]map[string]any `toml:"mcp_servers"`
	}
	body, err := decodeTOML(text, &values)
	if err != nil {
		return nil, err
	}
	skipped := len(text) - len(body)
	var all []mcpEntry
	var current *mcpEntry // the table that is being read; nil: it's no server
	add := func() {
		if current != nil {
			if current.command.to == 0 {
				current.why = "it has no command"
			}
			all = append(all, *current)
		}
		current = nil
	}
	var p unstable.Parser
	p.Reset(body)
	for p.NextExpression() {
		e := p.Expression()
		var path []string
		end := 0
		for key := e.Key(); key.Next(); {
			path = append(path, string(key.Node().Data))
			end = int(key.Node().Raw.Offset+key.Node().Raw.Length) + skipped
		}
		if e.Kind != unstable.KeyValue {
			add()
			if e.Kind == unstable.Table && len(path) == 2 && path[0] == "mcp_servers" {
				current = &mcpEntry{name: path[1], line: lineOf(text, end), quote: quoteTOML}
				current.addArgs = func(list string) string { return newlineOf(text) + "args = " + list }
			}
			continue
		}
		if current != nil && len(path) == 1 {
			current.takeTOML(path[0], e.Value(), text, end, skipped)
		}
	}
	add()
	if err := p.Error(); err != nil {
		return nil, &syntaxError{Line: 1, Cause: err.Error()} // Unmarshal has found all there is
	}
	for name, server := range values.Servers {
		found := false
		for _, e := range all {
			found = found || e.name == name && (e.why == "") == (server["command"] != nil)
		}
		if !found && server["command"] != nil {
			return nil, fmt.Errorf("the server %s isn't written as a [mcp_servers.%[1]s] table with a command; rewrite it so", excerpt(name))
		}
	}
	return all, nil
}

// takeTOML takes a key of a server's table up, which ends there.
func (e *mcpEntry) takeTOML(key string, v *unstable.Node, text []byte, end, skipped int) {
	asWord := func(n *unstable.Node) word {
		from := int(n.Raw.Offset) + skipped
		return word{from, from + int(n.Raw.Length), string(n.Data)}
	}
	switch {
	case key == "command" && v.Kind == unstable.String:
		e.command = asWord(v)
	case key == "args" && v.Kind == unstable.Array:
		bracket := bytes.IndexByte(text[end:], '[')
		if bracket < 0 {
			return
		}
		e.open = end + bracket + 1
		for items := v.Children(); items.Next(); {
			w := asWord(items.Node())
			if len(e.args) == 0 {
				e.open = w.from
			}
			e.args = append(e.args, w)
		}
	}
}
