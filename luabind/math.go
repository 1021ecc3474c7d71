package luabind

import (
	"math"
	"math/rand/v2"
	"sync"

	lua "github.com/yuin/gopher-lua"
)

// mathFunctions are those of gopher-lua's library that scripts get. None of them
// loops or allocates.
var mathFunctions = []string{
	"abs", "acos", "asin", "atan", "atan2", "ceil", "cos", "cosh", "deg", "exp", "floor", "fmod", "frexp", "ldexp", "log", "log10",
	"max", "min", "mod", "modf", "pow", "rad", "sin", "sinh", "sqrt", "tan", "tanh",
}

// mathLibrary is the library.
var mathLibrary = sync.OnceValue(func() *Module {
	m := &Module{Name: "math", lenient: true}
	functions := stock(lua.OpenMath)
	for _, name := range mathFunctions {
		m.Functions = append(m.Functions, Function{Name: name, Go: functions[name]})
	}
	m.Functions = append(m.Functions, Function{Name: "random", Go: random}, Function{Name: "randomseed", Go: randomSeed})
	number := func(name string, n float64) {
		m.Constants = append(m.Constants, Constant{Name: name, Value: func(*lua.LState) lua.LValue { return lua.LNumber(n) }})
	}
	number("pi", math.Pi)
	number("huge", math.Inf(1)) // gopher-lua has the largest number that is finite
	return m
})

// random draws from the state's own numbers.
func random(L *lua.LState) int {
	s := stateOf(L)
	if s.random == nil {
		s.random = rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))
	}
	switch L.GetTop() {
	case 0:
		L.Push(lua.LNumber(s.random.Float64()))
		return 1
	case 1:
		high := L.CheckInt64(1)
		if high < 1 {
			L.ArgError(1, "interval is empty")
		}
		L.Push(lua.LNumber(s.random.Int64N(high) + 1))
		return 1
	}
	low, high := L.CheckInt64(1), L.CheckInt64(2)
	if low > high || high-low < 0 || high-low == 1<<63-1 {
		L.ArgError(2, "interval is empty or too wide")
	}
	L.Push(lua.LNumber(low + s.random.Int64N(high-low+1)))
	return 1
}

// randomSeed does nothing: they are seeded already, and a seed of the script's own would
// be no secret.
func randomSeed(*lua.LState) int { return 0 }
