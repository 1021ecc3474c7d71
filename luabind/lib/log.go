package lib

import (
	"fmt"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/luabind"
)

func logModule() luabind.Module {
	var functions []function
	for _, level := range []struct{ name, help string }{
		{"debug", "what helps to find a mistake in the hook"},
		{"info", "what happened"},
		{"warn", "what somebody should look at"},
		{"error", "what failed"},
	} {
		functions = append(functions, function{
			level.name, "(message: string, fields?: table)",
			"writes a line to the hook log: " + level.help + "; fields follow the message as JSON",
			fmt.Sprintf(`log.%s("checked", { files = 3 })`, level.name),
			func(c call) int {
				message := cut(c.text(1), maxLine)
				if c.Get(2) != lua.LNil {
					fields := cut(fieldsOf(c), maxLine)
					c.allocate(len(message) + len(fields))
					message += " " + fields
				}
				luabind.LogLine(c.LState, level.name, message)
				return 0
			},
		})
	}
	return module("log", "lines for the hook log; a line holds about 8 KiB", functions...)
}

// maxLine is more than the log keeps of a line, so that the log can tell.
const maxLine = 9 << 10

// fieldsOf is argument 2 in one line of JSON.
func fieldsOf(c call) string {
	if t := c.Get(2).Type(); t != lua.LTTable && t != lua.LTUserData { // an event is userdata
		c.wrongType(2, "table")
	}
	text, err := jsonText(c, c.Get(2), false)
	if err != nil {
		c.bad(2, err.Error())
	}
	return text
}
