package redact

import (
	"slices"
	"sort"
	"strings"
)

// Bounds of the values of the environment that are searched for.
const (
	shortestValue = 8
	longestValue  = 8 << 10
	mostValues    = 256
)

// longHead is how much of a long value is taken for it: so much is no chance.
const longHead = 256

// values are the secrets of an environment, sorted.
type values struct {
	gate pairs
	list []variable
}

type variable struct {
	value, what string
	within      *variable // the longest other value that this one begins with
}

func valuesOf(environ []string) *values {
	v := &values{}
	for _, entry := range environ {
		name, value, ok := strings.Cut(entry, "=")
		if !ok || len(v.list) == mostValues || !secretVariable(name) || !unmistakable(value) {
			continue
		}
		what := ofEnvironment + name
		if !nameOfVariable(name) {
			what = "secret"
		}
		v.gate.open(value[0], value[1])
		v.list = append(v.list, variable{value: value, what: what})
	}
	if len(v.list) == 0 {
		return nil
	}
	v.gate.open(opening[0], opening[1])
	slices.SortStableFunc(v.list, func(a, b variable) int { return strings.Compare(a.value, b.value) })
	v.list = slices.CompactFunc(v.list, func(a, b variable) bool { return a.value == b.value })
	for i := range v.list {
		if i == 0 {
			continue
		}
		for w := &v.list[i-1]; w != nil; w = w.within {
			if strings.HasPrefix(v.list[i].value, w.value) {
				v.list[i].within = w
				break
			}
		}
	}
	return v
}

// secretVariable is wider than SecretName: the names of an environment are few.
func secretVariable(name string) bool {
	if SecretName(name) {
		return true
	}
	_, last := lastWords(name)
	return last == "key" || last == "dsn" || last == "sas" || last == "auth" || last == "pat"
}

// nameOfVariable says whether a mark may have the name.
func nameOfVariable(name string) bool {
	for i := range len(name) {
		if !isWord(name[i]) {
			return false
		}
	}
	return len(name) <= maxName && secretVariable(name)
}

// unmistakable is true for a value that no other text has by chance.
func unmistakable(value string) bool {
	if len(value) < shortestValue || len(value) > longestValue || strings.Contains(value, strings.TrimSpace(opening)) || stands(value) {
		return false
	}
	switch value[0] {
	case '/', '~', '.':
		if !strings.ContainsAny(value, "+=") {
			return false // a path
		}
	}
	if len(value) < 16 && (allDigits(value) || strings.Trim(value, "abcdefghijklmnopqrstuvwxyz-_ ") == "" || strings.Trim(value, "ABCDEFGHIJKLMNOPQRSTUVWXYZ-_ ") == "") {
		return false // a word, a port, a date
	}
	return !strings.HasPrefix(value, "http://") && !strings.HasPrefix(value, "https://") || strings.ContainsAny(value, "@?")
}

// redact replaces the values wherever they stand.
func (v *values) redact(s string, keeps func(secret string) bool, pay func(int)) (text string, found int) {
	var out strings.Builder
	kept, payment := 0, payment{pay: pay}
	for i := v.gate.next(s, 0); i+1 < len(s); i = v.gate.next(s, i) {
		payment.reach(i, len(s))
		if n := markAt(s[i:]); n > 0 {
			i += n
			continue
		}
		length, what := v.at(s[i:])
		if length == 0 {
			i++
			continue
		}
		if keeps(s[i : i+length]) {
			i += length
			continue
		}
		out.WriteString(s[kept:i])
		out.WriteString(mark(what))
		i += length
		kept = i
		found++
	}
	payment.reach(len(s), len(s))
	if found == 0 {
		return s, 0
	}
	out.WriteString(s[kept:])
	return out.String(), found
}

// at finds the longest value that s begins with, or longHead and more bytes of one. All
// that is compared beyond a head is replaced, too, so the work grows with the text alone.
func (v *values) at(s string) (length int, what string) {
	head := s[:min(len(s), longHead)]
	behind := sort.Search(len(v.list), func(i int) bool { return v.list[i].value > head })
	var best *variable
	for _, i := range [2]int{behind - 1, behind} { // no other has as much in common with the head
		if i < 0 || i == len(v.list) {
			continue
		}
		if n := common(v.list[i].value, s); n > length {
			best, length = &v.list[i], n
		}
	}
	if best == nil {
		return 0, ""
	}
	if length >= longHead {
		return length, best.what
	}
	for ; best != nil; best = best.within {
		if len(best.value) <= length {
			return len(best.value), best.what
		}
	}
	return 0, ""
}

// common is how many bytes two texts begin with that are the same.
func common(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}
