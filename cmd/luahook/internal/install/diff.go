package install

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// around is how many lines are shown before and after a change.
const around = 3

// maxEdits is up to how many differing lines the shortest difference is looked for.
const maxEdits = 1000

// edit is a line of a difference: of both texts (' '), of the old one only ('-') or of the new one ('+').
type edit struct {
	kind byte
	line string
}

// unified is the difference of two texts of a file as a unified diff; nil stands for no file.
func unified(path string, before, after []byte) string {
	if bytes.Equal(before, after) && (before == nil) == (after == nil) {
		return ""
	}
	var b strings.Builder
	for i, text := range [...][]byte{before, after} {
		name := path
		if text == nil {
			name = "/dev/null"
		}
		fmt.Fprintf(&b, "%s %s\n", [...]string{"---", "+++"}[i], name)
	}
	all := compare(linesOf(before), linesOf(after))
	oldLine, newLine := 1, 1
	for i := 0; i < len(all); {
		next := i
		for next < len(all) && all[next].kind == ' ' {
			next++
		}
		if next == len(all) {
			break
		}
		from := max(i, next-around)
		oldLine, newLine = oldLine+from-i, newLine+from-i
		end, same := next, 0
		for end < len(all) && same <= 2*around {
			if same++; all[end].kind != ' ' {
				same = 0
			}
			end++
		}
		end -= max(same-around, 0)
		oldLine, newLine = writeHunk(&b, all[from:end], oldLine, newLine)
		i = end
	}
	return b.String()
}

func linesOf(text []byte) []string {
	var all []string
	for line := range bytes.Lines(text) {
		all = append(all, string(line))
	}
	return all
}

// writeHunk writes edits that belong together, and gives the numbers of the lines after them.
func writeHunk(b *strings.Builder, edits []edit, oldLine, newLine int) (int, int) {
	olds, news := 0, 0
	for _, e := range edits {
		if e.kind != '+' {
			olds++
		}
		if e.kind != '-' {
			news++
		}
	}
	fmt.Fprintf(b, "@@ -%s +%s @@\n", extent(oldLine, olds), extent(newLine, news))
	for i, e := range edits {
		line, ended := strings.CutSuffix(e.line, "\n")
		other := ""
		switch { // one long line in the place of another
		case e.kind == '-' && i+1 < len(edits) && edits[i+1].kind == '+':
			other = edits[i+1].line
		case e.kind == '+' && i > 0 && edits[i-1].kind == '-':
			other = edits[i-1].line
		}
		fmt.Fprintf(b, "%c%s\n", e.kind, shorten(strings.TrimSuffix(line, "\r"), strings.TrimSuffix(other, "\n")))
		if !ended {
			b.WriteString("\\ No newline at end of file\n")
		}
	}
	return oldLine + olds, newLine + news
}

// extent is the lines of a hunk. Where there are none it's the line before them.
func extent(line, n int) string {
	if n == 0 {
		line--
	}
	return fmt.Sprintf("%d,%d", line, n)
}

// maxShown is how many bytes of a line are shown.
const maxShown = 2000

// shorten cuts what a long line has in common with the one that it's compared with, and else its end.
func shorten(line, other string) string {
	if len(line) <= maxShown {
		return line
	}
	begin, end := 0, len(line)
	if other != "" {
		for begin < min(len(line), len(other)) && line[begin] == other[begin] {
			begin++
		}
		for tail := 0; end > begin && tail < len(other)-begin && line[end-1] == other[len(other)-1-tail]; tail++ {
			end--
		}
		begin, end = max(begin-40, 0), min(end+40, len(line))
	}
	end = min(end, begin+maxShown)
	shown := strings.ToValidUTF8(line[begin:end], "")
	if begin > 0 {
		shown = "…" + shown
	}
	if end < len(line) {
		shown += "…"
	}
	return shown
}

// compare finds a shortest difference by Myers' greedy algorithm. Texts that differ in very many lines are shown one
// after the other.
func compare(a, b []string) []edit {
	var all []edit
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		all = append(all, edit{' ', a[0]})
		a, b = a[1:], b[1:]
	}
	var tail []edit
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		tail = append(tail, edit{' ', a[len(a)-1]})
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	slices.Reverse(tail)
	return slices.Concat(all, shortest(a, b), tail)
}

func shortest(a, b []string) []edit {
	furthest := map[int]int{1: 0} // on each diagonal, how much of a was reached
	var history []map[int]int
	for d := 0; d <= min(len(a)+len(b), maxEdits); d++ {
		now := make(map[int]int, d+1)
		for k := -d; k <= d; k += 2 {
			x := furthest[k-1] + 1
			if k == -d || k != d && furthest[k-1] < furthest[k+1] {
				x = furthest[k+1]
			}
			for x < len(a) && x-k < len(b) && a[x] == b[x-k] {
				x++
			}
			now[k] = x
			if x >= len(a) && x-k >= len(b) {
				return backtrack(a, b, append(history, now))
			}
		}
		history = append(history, now)
		furthest = now
	}
	var all []edit
	for _, line := range a {
		all = append(all, edit{'-', line})
	}
	for _, line := range b {
		all = append(all, edit{'+', line})
	}
	return all
}

// backtrack reads the way from the end to the beginning.
func backtrack(a, b []string, history []map[int]int) []edit {
	var reversed []edit
	x, y := len(a), len(b)
	for d := len(history) - 1; d > 0; d-- {
		before := history[d-1]
		k := x - y
		from, kind := k-1, byte('-')
		if k == -d || k != d && before[k-1] < before[k+1] {
			from, kind = k+1, '+'
		}
		for x > before[from] && y > before[from]-from {
			x, y = x-1, y-1
			reversed = append(reversed, edit{' ', a[x]})
		}
		if kind == '-' {
			x--
			reversed = append(reversed, edit{kind, a[x]})
		} else {
			y--
			reversed = append(reversed, edit{kind, b[y]})
		}
	}
	for x > 0 {
		x--
		reversed = append(reversed, edit{' ', a[x]})
	}
	slices.Reverse(reversed)
	return reversed
}
