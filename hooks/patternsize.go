package hooks

import (
	"regexp/syntax"
	"slices"
)

// PatternSize estimates how many instructions a regular expression compiles to: a
// short one can compile to a long program, as x{1000} does. Large classes weigh more
// than one, because their tables take memory.
func PatternSize(re *syntax.Regexp) int {
	if re == nil {
		return 0
	}
	size := programSize(re)
	if size < 10*onePass && beginsText(re) {
		_, held := tables(re, 0)
		size += held * tableBytes / InstructionBytes
	}
	return size
}

// InstructionBytes is about what package regexp takes, in all, to compile one
// instruction of a program.
const InstructionBytes = 250

func programSize(re *syntax.Regexp) int {
	n := 1
	for _, sub := range re.Sub {
		n += 1 + programSize(sub)
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

// Of a short expression that begins with the text, package regexp makes a program in
// which each instruction knows all characters that lead on from it: a class behind a
// hundred brackets is held a hundred times.
const (
	onePass    = 1000 // instructions; longer ones have no such program
	tableBytes = 6    // of a character, with where it leads
)

func beginsText(re *syntax.Regexp) bool {
	return re.Op == syntax.OpBeginText || slices.ContainsFunc(re.Sub, beginsText)
}

// tables is how many characters begin a match, where so many may follow it, and how many
// the instructions hold. Classes are counted by the borders of their ranges.
func tables(re *syntax.Regexp, follow int) (first, held int) {
	switch re.Op {
	case syntax.OpLiteral:
		return 8, 2 * len(re.Rune)
	case syntax.OpCharClass:
		return len(re.Rune), len(re.Rune)
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return 4, 4
	case syntax.OpCapture:
		first, held = tables(re.Sub[0], follow)
		return first, held + first + follow
	case syntax.OpStar, syntax.OpPlus, syntax.OpQuest:
		first, held = tables(re.Sub[0], follow)
		return first + follow, held + first + follow
	case syntax.OpRepeat:
		first, held = tables(re.Sub[0], follow)
		return first + follow, (held + first + follow) * max(re.Min+1, re.Max)
	case syntax.OpConcat:
		first = follow
		for _, sub := range slices.Backward(re.Sub) {
			var more int
			first, more = tables(sub, first)
			held += more
		}
		return first, held
	case syntax.OpAlternate:
		for _, sub := range re.Sub {
			f, h := tables(sub, follow)
			first += f
			held += h + first
		}
		return first, held
	}
	return follow, follow
}
