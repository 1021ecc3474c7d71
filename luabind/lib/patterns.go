package lib

import (
	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/luabind"
)

// PatternsModule is a module for built-in hooks alone: they have many patterns, of which a
// session needs few, and what is wrong with one their tests say.
func PatternsModule() luabind.Module {
	programs := newCache[*program](maxPrograms, maxProgramsSize)
	return module("patterns", "regular expressions that are read when they are first used; only built-in hooks have them",
		function{
			"later", "(pattern: string): Pattern",
			"what re.compile returns, at no cost until one of its methods is called; what is wrong with the pattern is an error of that call",
			`assert(patterns.later("^[0-9]+$"):match("12"))`,
			func(c call) int {
				c.allocate(64)
				return c.give(&lua.LUserData{Value: &latePattern{c.text(1), programs}, Metatable: patternMeta(c.LState)})
			},
		})
}

// latePattern stands in a pattern's object until it is first used.
type latePattern struct {
	source   string
	programs *cache[*program]
}
