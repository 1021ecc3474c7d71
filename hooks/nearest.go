package hooks

import "sort"

// Nearest returns the word of known that is closest to word by edits (insert,
// delete, change, swap of neighbours), ignoring case and separators, or "" where
// the closest one would still need more than half of its letters changed. Ties go
// to the word that sorts first, so that an answer never depends on the order of
// known.
func Nearest(word string, known []string) string {
	sorted := append([]string(nil), known...)
	sort.Strings(sorted)
	if len(word) > 200 { // no slip of the pen
		return ""
	}
	best, bestDistance := "", -1
	folded := fold(word)
	if len(folded) > 64 {
		folded = folded[:64]
	}
	for _, k := range sorted {
		d := distance(folded, fold(k))
		if bestDistance < 0 || d < bestDistance {
			best, bestDistance = k, d
		}
	}
	if bestDistance < 0 || bestDistance*2 > max(len(fold(best)), 2) {
		return ""
	}
	return best
}

// DidYouMean is `; did you mean "x"?` for the nearest known word, or "".
func DidYouMean(word string, known []string) string {
	if n := Nearest(word, known); n != "" {
		return "; did you mean \"" + n + "\"?"
	}
	return ""
}

// distance is the optimal string alignment distance of two short words.
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
