package lib

import (
	"context"
	"errors"
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

// Spiller keeps texts in files; its contract is that of engine.Spiller.
type Spiller interface {
	Spill(ctx context.Context, session, name, text string) (path string, err error)
}

// Words are the functions of this package that stand beside those of
// [luabind.Globals], in no module.
func Words() []luabind.Function {
	return []luabind.Function{{
		Name:      "spill",
		Signature: "spill(text: string, options?: {name: string}): string|nil, string?",
		Help: "keeps a text that is too long for the model in a file that the agent can read, and gives the file's path; name is a part of the file's name. " +
			"The file stays for some days, while there is room. Built-ins may call it, and scripts with the grant fs.write. " +
			"It gives nil and a message if it can't keep the text",
		Example: `local path, problem = spill(("a long line\n"):rep(1000), { name = "go-test" })
return context(path and "all of it is in " .. path or problem)`,
		Go: func(L *lua.LState) int { return spill(call{LState: L, name: "spill"}) },
	}}
}

var errJudging = errors.New("this run judges again what was rewritten, and keeps nothing that the one before has not kept")

func spill(c call) int {
	s := c.services()
	if !s.Spills {
		c.needWrite()
	}
	text := c.text(1)
	name := c.options(2, "name").plain("name", maxTaskWord, true)
	if s.Spill == nil {
		return c.failed(errors.New("there is no place for long texts here: the program that runs the hooks has to set one (engine.WithSpill)"))
	}
	session := ""
	if event := luabind.EventOf(c.LState); event != nil {
		session = event.SessionID
	}
	c.charge(len(text) / 16) // it is written as it is
	type outcome struct {
		path string
		err  error
	}
	kept := doOnce(c, []string{name, text}, noSize[outcome], func() (outcome, bool) { return outcome{err: errJudging}, true }, func() outcome {
		return luabind.Wait(c.LState, "spill", func(ctx context.Context) (out outcome) {
			out.path, out.err = s.Spill.Spill(ctx, session, name, text)
			return out
		})
	})
	if kept.err != nil {
		return c.failed(kept.err)
	}
	c.allocate(len(kept.path))
	return c.giveText(kept.path)
}
