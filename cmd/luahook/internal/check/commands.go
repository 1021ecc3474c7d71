package check

import (
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/luahook/luahook/cmd/luahook/internal/terminal"
	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/internal/openfile"
)

// maxProgram is the size of the largest program that is read, in bytes. Scripts are smaller.
const maxProgram = 64 << 10

// agentWords are what events of agents have and events of luahook's don't.
var agentWords = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\btool_(?:input|name)\b`) })

// tellForeignPrograms finds commands that read an event as an agent sends it, which isn't what they are told: they see
// nothing, and so object to nothing.
func (c *checker) tellForeignPrograms() {
	for _, h := range c.loaded.Commands {
		for i, name := range append([]string{"the command"}, h.Names...) {
			text := strings.Join(append([]string{h.Command}, h.Args...), " ")
			if i > 0 {
				text = c.program(name)
			}
			word := agentWords().FindString(text)
			if word == "" || strings.Contains(text, "tool_call") || word == "tool_name" && h.Event == hooks.OnRetry {
				continue
			}
			c.at(h.Source, "foreign-program", Warning, terminal.Shown(name)+" reads "+word+", which an agent sends and events here don't have, so it objects to nothing: "+
				"read .tool_call.name, .tool_call.command and .tool_call.input")
			break // the place is the same
		}
	}
}

// program is the text of a file of the project that a command runs; "" where it is none, or too large.
func (c *checker) program(name string) string {
	root, err := openfile.Root(c.loaded.Root)
	if err != nil {
		return ""
	}
	defer root.Close()
	text, err := openfile.ReadIn(root, filepath.FromSlash(name), maxProgram)
	if err != nil || !utf8.Valid(text) {
		return ""
	}
	return string(text)
}
