package luabind

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/internal/spelling"
	"github.com/luahook/luahook/luabind/compile"
)

// instead says what scripts have in place of what isn't in the sandbox.
var instead = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"io":   "files are read with fs.read and written with fs.write, programs run with exec.run",
		"os":   "programs are run with exec.run, variables read with env.get, the time is time.now()",
		"load": noLoading, "loadstring": noLoading, "loadfile": noLoading, "dofile": noLoading, "package": noLoading, "module": noLoading,
		"debug": "print writes to the hook log, and errors come with a traceback",
		"utf8":  "Lua is 5.1 here; the module text knows characters",
		"bit":   "Lua is 5.1 here", "bit32": "Lua is 5.1 here",
		"table.unpack": "it is unpack in Lua 5.1", "socket": "addresses are read with http.get",
		"it": "a test is test(name, function), in a file *_test.lua", "expect": onlyTests, "describe": onlyTests,
		"setfenv": "", "getfenv": "", "collectgarbage": "", "newproxy": "",
	}
})

const onlyTests = "it is there in files of tests alone, *_test.lua"

const noLoading = "a script is what its file says; require loads a library of .hooks/lib"

// missingGlobal says that a global isn't there, and what was meant or takes its place.
func (s *State) missingGlobal(name string) string {
	text := "there is no global " + name
	if use, known := instead()[name]; known {
		if use != "" {
			text += ": " + use
		}
		return text
	}
	if name == "ev" {
		return text + NoEvent
	}
	return text + spelling.DidYouMean(name, s.globalNames())
}

// globalNames are the names of what every script finds.
func (s *State) globalNames() []string {
	names := append([]string{"next", "pairs", "ipairs", "error", "pcall", "xpcall"}, libraries...)
	for _, words := range [...][]Function{baseFunctions, Globals, s.env.Words} {
		for i := range words {
			names = append(names, words[i].Name)
		}
	}
	for i := range s.env.Modules {
		names = append(names, s.env.Modules[i].Name)
	}
	return names
}

// NoEvent says how a function gets the event, after the message that there is no global ev.
const NoEvent = ": a hook gets the event as its parameter, function(ev), and hands it to others"

// indexesNil is the VM's message for an index of what has no fields.
var indexesNil = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^attempt to index a non-table object\((\w+)\) with key '([^']*)'$`)
})

// explain makes a message of the VM one for authors: it names what is nil, and says what may be meant. at is where it comes
// from.
func (s *State) explain(message, at string) string {
	absent := s.view.absent
	global, isGlobal := strings.CutPrefix(absent, globalMark)
	program, line := s.programAt(at)
	if m := indexesNil().FindStringSubmatch(message); m != nil && program != nil {
		key := strconv.Quote(m[2])
		if strings.Trim(m[2], "0123456789") == "" {
			key = "[" + m[2] + "]"
		}
		switch what := program.Indexed(line, m[2]); {
		case what == "":
		case m[1] != "nil":
			return fmt.Sprintf("%s is a %s, which has no %s", what, m[1], key)
		case isGlobal && what == global:
			return s.missingGlobal(global)
		case what == absent:
			return fmt.Sprintf("%s is nil in this event, so it has no %s%s", what, key, s.view.noCommand())
		default:
			return fmt.Sprintf("%s is nil, so it has no %s", what, key)
		}
	}
	if message == notCallable && program != nil && !isGlobal {
		if name := program.Called(line); name != "" {
			return name + " is no function" + insteadOfMethod(name)
		}
	}
	if strings.HasPrefix(message, "cannot perform add operation") && strings.Contains(message, "string") {
		return message + "; texts are joined with .."
	}
	switch {
	case absent == "", message != notCallable && !aboutNil().MatchString(message):
		return message
	case isGlobal && message == notCallable && program != nil && program.Calls(line, global):
		return s.missingGlobal(global)
	case isGlobal:
		return fmt.Sprintf("%s (%s)", message, s.missingGlobal(global))
	}
	return fmt.Sprintf("%s (%s is nil in this event%s)", message, absent, s.view.noCommand())
}

// insteadOfMethod says what takes the place of methods that texts and lists have in other languages.
func insteadOfMethod(name string) string {
	switch method := name[strings.LastIndexAny(name, ".:")+1:]; method {
	case "contains", "includes", "startswith", "startsWith", "endswith", "endsWith", "split", "trim", "strip", "replace", "indexOf":
		return ": a text is looked at with s:find(part, 1, true), s:sub and the module text"
	case "map", "filter", "forEach", "push", "append", "length", "join":
		return ": a list is gone through with ipairs(list), and the module table has insert and concat"
	}
	return "; is its name misspelt?"
}

// noCommand says why a call that isn't a shell's has no command, where that is what is missing.
func (v *eventView) noCommand() string {
	if v.absent != "ev.tool_call.command" || v.kind == hooks.KindShell {
		return ""
	}
	return ": it is a " + string(v.kind) + ` call; add match = {kind="shell"}`
}

// programAt is the script or library that a place, file:line, lies in, and the line; nil where it is none of them.
func (s *State) programAt(at string) (*compile.Program, int) {
	cut := strings.LastIndexByte(at, ':')
	line, err := strconv.Atoi(at[cut+1:])
	if err != nil || cut < 0 {
		return nil, 0
	}
	if at[:cut] == s.program.Name() {
		return s.program, line
	}
	for _, l := range s.env.Libraries {
		if l.Program != nil && l.Program.Name() == at[:cut] {
			return l.Program, line
		}
	}
	return nil, 0
}

// Instead says what scripts have in place of a global of Lua, or of a field of one ("table.unpack"), that isn't in the
// sandbox. The text may be "".
func Instead(name string) (text string, known bool) {
	text, known = instead()[name]
	return text, known
}

// Names are the globals that a script finds with these modules and words, each with the names in it if it is a table whose
// names are all known, else nil; a table in a table stands under its whole name ("store.session") as well.
func Names(modules []Module, words []Function) map[string][]string {
	s := &State{env: Environment{Modules: modules, Words: words}}
	names := map[string][]string{"_G": nil, "_VERSION": nil}
	for _, name := range s.globalNames() {
		names[name] = nil
	}
	var add func(m *Module)
	add = func(m *Module) {
		names[m.Name] = m.names()
		for i := range m.Modules {
			add(&m.Modules[i])
		}
	}
	for i := range modules {
		add(modules[i].whole())
	}
	for _, m := range []*Module{mathLibrary(), &stringLibrary, &tableLibrary} {
		add(m)
	}
	return names
}

// OptionNames are the options of on.
func OptionNames() []string { return slices.Clone(optionNames) }

// DidYouMean is the end of an error's text that names the nearest of the known words, if one is near; what it
// takes to compare them is charged.
func DidYouMean(L *lua.LState, word string, known []string) string {
	Spend(L, 10*len(known))
	return spelling.DidYouMean(word, known)
}
