// Package spelling compares names as people write them: it ignores case and separators, and tolerates typing
// mistakes. It knows no names of its own.
package spelling

import (
	"slices"
)

// Nearest returns the word of known that is closest to word by edits (insert, delete, change, swap of
// neighbours), ignoring case and separators, or "" if the closest one would need more than a third of its letters
// changed. Of several the one that sorts first is returned, so that the answer doesn't depend on the order of
// known.
func Nearest(word string, known []string) string {
	sorted := slices.Sorted(slices.Values(known))
	if len(word) > 200 { // not a typing mistake
		return ""
	}
	best, bestDistance := "", -1
	folded := Fold(word)
	if len(folded) > 64 {
		folded = folded[:64]
	}
	for _, k := range sorted {
		d := distance(folded, Fold(k))
		if bestDistance < 0 || d < bestDistance {
			best, bestDistance = k, d
		}
	}
	if bestDistance < 0 || bestDistance*3 > max(len(Fold(best))+1, 3) {
		return ""
	}
	return best
}

// Near is like [Nearest], but of a single edit at most.
func Near(word string, known []string) string {
	nearest := Nearest(word, known)
	if nearest == "" || distance(Fold(word), Fold(nearest)) > 1 {
		return ""
	}
	return nearest
}

// DidYouMean returns `; did you mean "x"?` with the nearest known word, or "".
func DidYouMean(word string, known []string) string {
	if n := Nearest(word, known); n != "" {
		return "; did you mean \"" + n + "\"?"
	}
	return ""
}

// distance returns the optimal string alignment distance of two short words.
func distance(a, b string) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}

// Fold drops what may differ between two spellings of a name.
func Fold(name string) string {
	if isFolded(name) {
		return name
	}
	return string(AppendFolded(nil, name))
}

// AppendFolded appends a name, folded, to b.
func AppendFolded(b []byte, name string) []byte {
	for i := range len(name) {
		switch c := name[i]; {
		case c == '_' || c == '-' || c == ' ':
		case 'A' <= c && c <= 'Z':
			b = append(b, c+'a'-'A')
		default:
			b = append(b, c)
		}
	}
	return b
}

// isFolded reports whether a name is already as Fold would make it, which most keys are.
func isFolded(name string) bool {
	for i := range len(name) {
		if c := name[i]; c < 'a' || c > 'z' {
			return false
		}
	}
	return true
}
