package luabind

import (
	"math"
	"math/rand/v2"

	lua "github.com/yuin/gopher-lua"
)

// mathFunctions are those of gopher-lua's library that scripts get. None of them
// loops or allocates.
var mathFunctions = []string{
	"abs", "acos", "asin", "atan", "atan2", "ceil", "cos", "cosh", "deg", "exp", "floor", "fmod", "frexp", "ldexp", "log", "log10",
	"max", "min", "mod", "modf", "pi", "pow", "rad", "sin", "sinh", "sqrt", "tan", "tanh",
}

// openMath makes the library. Its random numbers are the state's own.
func (s *State) openMath() *lua.LTable {
	stock, t := s.stock(lua.OpenMath), s.L.CreateTable(0, len(mathFunctions)+3)
	for _, name := range mathFunctions {
		v := stock.RawGetString(name)
		if f, ok := v.(*lua.LFunction); ok {
			v = s.L.NewFunction(guarded("math."+name, f.GFunction))
		}
		t.RawSetString(name, v)
	}
	t.RawSetString("huge", lua.LNumber(math.Inf(1))) // gopher-lua has the largest number that is finite
	random := rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))
	t.RawSetString("random", s.L.NewFunction(guarded("random", randomOf(random))))
	t.RawSetString("randomseed", s.L.NewFunction(func(*lua.LState) int { return 0 })) // seeded already; a seed of its own would be no secret
	return t
}

func randomOf(r *rand.Rand) lua.LGFunction {
	return func(L *lua.LState) int {
		switch L.GetTop() {
		case 0:
			L.Push(lua.LNumber(r.Float64()))
			return 1
		case 1:
			high := L.CheckInt64(1)
			if high < 1 {
				L.ArgError(1, "interval is empty")
			}
			L.Push(lua.LNumber(r.Int64N(high) + 1))
			return 1
		}
		low, high := L.CheckInt64(1), L.CheckInt64(2)
		if low > high || high-low < 0 || high-low == 1<<63-1 {
			L.ArgError(2, "interval is empty or too wide")
		}
		L.Push(lua.LNumber(low + r.Int64N(high-low+1)))
		return 1
	}
}
