package policy

import "strings"

// Case is a set of events that an engine judges in turn, so that no engine gains from seeing the same text twice
// in a row.
type Case struct {
	Name   string
	Events []*Event
	Want   []Decision // of each event
}

// The names of the cases.
const (
	Allow     = "allow"      // harmless commands: all patterns are searched for
	Block     = "block"      // dangerous ones: the third pattern is found
	OtherTool = "other-tool" // a tool that no rule is about
	Truncate  = "truncate"   // an output of 256 KiB becomes one of 8 KiB
	Length    = "length"     // an output of 4 MiB, of which only the length matters
)

// Cases returns all cases.
func Cases() []Case {
	return []Case{
		commands(Allow, "",
			"go test ./...",
			"git status --short",
			"grep -rn TODO internal cmd",
			"ls -la /usr/local/share"),
		commands(Block, Matches+"rm -rf /",
			"rm -rf /",
			"cd /tmp && rm -rf /",
			"sudo rm -rf / --no-preserve-root",
			"true; rm -rf /usr; echo done"),
		{Name: OtherTool, Events: []*Event{{
			Name: Before,
			Tool: Tool{ID: "call-1", Name: Read, Input: map[string]any{"file_path": "rm -rf /"}},
		}}, Want: []Decision{{}}},
		outputs(Truncate, Bash, 256<<10, func(out string) Decision {
			return Decision{Output: out[:4096] + "\n[...]\n" + out[len(out)-4096:]}
		}),
		outputs(Length, Read, 4<<20, func(string) Decision { return Decision{} }),
	}
}

// Named returns the case with a known name.
func Named(name string) Case {
	for _, c := range Cases() {
		if c.Name == name {
			return c
		}
	}
	panic("policy: no case is called " + name)
}

func commands(name, reason string, list ...string) Case {
	c := Case{Name: name}
	for _, text := range list {
		c.Events = append(c.Events, &Event{
			Name: Before,
			Tool: Tool{ID: "call-1", Name: Bash, Command: text, Input: map[string]any{"command": text}},
		})
		c.Want = append(c.Want, Decision{Block: reason != "", Reason: reason})
	}
	return c
}

func outputs(name, tool string, size int, want func(out string) Decision) Case {
	c := Case{Name: name}
	for _, line := range []string{"ok  \tgithub.com/acme/thing\t0.012s\n", "--- FAIL: TestThing (0.00s)\n"} {
		out := strings.Repeat(line, size/len(line)+1)[:size]
		c.Events = append(c.Events, &Event{
			Name: After,
			Tool: Tool{ID: "call-1", Name: tool, Input: input(tool), Output: out},
		})
		c.Want = append(c.Want, want(out))
	}
	for _, e := range c.Events {
		if tool == Bash {
			e.Tool.Command = e.Tool.Input["command"].(string)
		}
	}
	return c
}

func input(tool string) map[string]any {
	if tool == Bash {
		return map[string]any{"command": "go test ./..."}
	}
	return map[string]any{"file_path": "server.log"}
}
