package hooks

import "regexp/syntax"

// PatternSize estimates how many instructions a regular expression compiles to: a
// short one can compile to a long program, as x{1000} does. Large classes weigh more
// than one, because their tables take memory.
func PatternSize(re *syntax.Regexp) int {
	n := 1
	for _, sub := range re.Sub {
		n += 1 + PatternSize(sub)
	}
	switch re.Op {
	case syntax.OpLiteral:
		return len(re.Rune)
	case syntax.OpCharClass:
		return n + len(re.Rune)/8
	case syntax.OpRepeat:
		return n * max(re.Min+1, re.Max)
	}
	return n
}

// InstructionBytes is about what package regexp takes, in all, to compile one
// instruction of a program.
const InstructionBytes = 250
